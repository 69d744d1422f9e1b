"""What a mutated implementation is asked beside its own tests: the court's frozen cases and generated checks.

No module of tests by its name: nothing of it is news where nothing is mutated.
"""

import pytest

from schedule_conformance.checks.exhaustive import Bounds
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.runs.budgets import Budget
from schedule_conformance.runs.docket import Check, docket
from schedule_conformance.runs.results import Outcome
from schedule_conformance.worlds.trying import WorldBudget
from schedule_impl.adapter import handle

LITTLE = Budget("little", 40, 5, 15, Bounds(2, 1), WorldBudget(4, 20, 300))
CHECKS = docket(InProcess("implementation", handle), LITTLE).checks


@pytest.mark.parametrize("check", CHECKS, ids=[check.id for check in CHECKS])
def test_a_check_is_passed(check: Check) -> None:
    result = check.run()
    assert result.outcome is not Outcome.FAILED
