"""What a mutated law is asked beside its own tests: every frozen case, generated requests, and quick proofs.

No module of tests by its name: nothing of it is news where nothing is mutated.
"""

import pytest

from proofs import ledger
from proofs.ledger import Obligation, Speed, Tool, Verdict
from proofs.tools import exhaustive
from schedule_conformance.checks.exhaustive import Bounds
from schedule_conformance.law.law_adapter import handle
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.runs.budgets import Budget
from schedule_conformance.runs.docket import Check, docket
from schedule_conformance.runs.results import Outcome
from schedule_conformance.worlds.trying import WorldBudget

LITTLE = Budget("little", 40, 5, 15, Bounds(2, 1), WorldBudget(4, 20, 300))
CHECKS = docket(InProcess("law", handle), LITTLE).checks
PROOFS = [
    each
    for each in ledger.read().obligations
    if each.tool is Tool.EXHAUSTIVE and each.speed is Speed.FAST and "refinement" not in each.target
]


@pytest.mark.parametrize("check", CHECKS, ids=[check.id for check in CHECKS])
def test_a_check_is_passed(check: Check) -> None:
    result = check.run()
    assert result.outcome is not Outcome.FAILED


@pytest.mark.parametrize("proof", PROOFS, ids=[proof.id for proof in PROOFS])
def test_nothing_refutes(proof: Obligation) -> None:
    assert exhaustive.run(proof.target, proof.seconds).verdict is Verdict.EXHAUSTED
