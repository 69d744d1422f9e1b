"""Broken live systems are caught under their clause; what the clauses leave open is not."""

import pytest
from tests.conformance.worlds.broken import BROKEN, NEAR_MISSES, Broken, Fault, Puppet

from schedule_conformance.docket import agreed
from schedule_conformance.smoke import greet
from schedule_conformance.systems import InProcess, System
from schedule_conformance.worlds import trying, walk
from schedule_conformance.worlds.trying import Trying
from schedule_spec.register import clause

MOST = 12_000
"""Commands within which a fault must show."""


def tried(system: System, seed: int) -> Trying:
    terms = agreed(greet(system))
    assert terms is not None
    return Trying(system, terms, True, seed)


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_a_fault_is_caught_under_its_clause(broken: Broken) -> None:
    attempt = tried(InProcess(broken.name, broken.handler()), 7)
    with attempt.check(trying.WALK) as count:
        while not attempt.found and count.steps < MOST:
            walk.stroll(attempt.begin(), walk.source_of(7, count.worlds), True, attempt.ask)
    assert attempt.found, "nothing was found"
    if "*" not in broken.others:
        allowed = {broken.clause, *broken.others, *clause(broken.clause).implied_by}
        for found in attempt.found:
            assert found.violation.clause in allowed, found.violation


@pytest.mark.parametrize(("name", "fault"), NEAR_MISSES, ids=[name for name, _ in NEAR_MISSES])
def test_what_is_left_open_is_allowed(name: str, fault: Fault) -> None:
    puppet = Puppet()
    attempt = tried(InProcess(name, lambda request: fault(puppet, request)), 3)
    with attempt.check(trying.WALK) as count:
        while count.steps < 1_500:
            walk.stroll(attempt.begin(), walk.source_of(3, count.worlds), True, attempt.ask)
    assert [each.violation for each in attempt.found] == []
