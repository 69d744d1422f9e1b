"""The law's contracts are in force, and each one notices what it is there for."""

import subprocess
import sys
from collections.abc import Callable

import icontract
import pytest
from tests.spec.strategies import NOON
from tests.spec.twins import (
    BadCall,
    Twin,
    assert_every_contract_fires,
    broken_promises,
    law_functions,
    postconditions,
)

from schedule_spec import changes, fold, forks, gregorian, instants, profiles, rate, records
from schedule_spec.changes import Change, Create, Delete, DispatchEvery
from schedule_spec.fold import State
from schedule_spec.gregorian import Date
from schedule_spec.instants import LATEST
from schedule_spec.rate import Advance
from schedule_spec.records import After, At, Every

A = After("a", "p", 1, NOON)
B = At("b", "p", NOON)
E = Every("e", "p", 300, NOON)
CREATE_A = changes.encode(Create(A))


def advancing(occurrence: int, next_target: int | None) -> Callable[[int, int, int], Advance]:
    def advance(target: int, interval_ms: int, accepted: int) -> Advance:
        return Advance(occurrence, next_target)

    return advance


def applying(following: State) -> Callable[[State, Change], State]:
    def apply(state: State, change: Change) -> State:
        return following

    return apply


LAST = LATEST - 299_999

BROKEN_TWINS: dict[str, Twin] = {
    "the occurrence before the latest": (
        rate.advance,
        advancing(NOON, NOON + 600_000),
        (NOON, 300_000, NOON + 300_000),
    ),
    "an occurrence that is not due yet": (
        rate.advance,
        advancing(NOON + 300_000, NOON + 300_000),
        (NOON, 300_000, NOON),
    ),
    "counting from the decision": (
        rate.advance,
        advancing(NOON + 7, NOON + 300_007),
        (NOON, 300_000, NOON + 7),
    ),
    "a target that drifts": (rate.advance, advancing(NOON, NOON + 300_007), (NOON, 300_000, NOON + 7)),
    "one occurrence too many skipped": (rate.advance, advancing(NOON, NOON + 600_000), (NOON, 300_000, NOON)),
    "a target in the year 10000": (rate.advance, advancing(LAST, LATEST + 1), (LAST, 300_000, LAST)),
    "an end one interval early": (rate.advance, advancing(NOON, None), (NOON, 300_000, NOON)),
    "a year of 360 days": (gregorian.next_day, lambda date: Date(date.year + 1, 1, 1), (Date(2030, 12, 30),)),
    "the Julian 29 February": (gregorian.next_day, lambda date: Date(1900, 2, 29), (Date(1900, 2, 28),)),
    "a 29 February too many": (gregorian.date_of, lambda number: Date(2030, 2, 29), (21_974,)),
    "the day before": (gregorian.date_of, lambda number: Date(1969, 12, 31), (0,)),
    "the year 0": (instants.parse, lambda text: -62_135_596_800_001, ("0000-12-31T23:59:59.999Z",)),
    "a text without ms": (instants.render, lambda ms: "1970-01-01T00:00:00Z", (0,)),
    "a record that loses its delay": (records.decode, lambda value: At("a", "p", NOON), (records.encode(A),)),
    "a change that loses its record": (changes.decode, lambda value: Delete("a"), (CREATE_A,)),
    "an earlier level of its own": (profiles.decode_v1_after, lambda value: Delete("a"), (CREATE_A,)),
    "an id that is forgotten": (fold.apply, applying(State((), ())), (State((A,), ("a",)), Delete("a"))),
    "an id that is created again": (
        fold.apply,
        applying(State((A,), ("a", "a"))),
        (State((), ("a",)), Create(A)),
    ),
    "an advanced every at the end": (
        fold.apply,
        applying(State((A, E), ("e", "a"))),
        (State((E, A), ("e", "a")), DispatchEvery("e", NOON)),
    ),
    "a bystander that moves": (
        fold.apply,
        applying(State((At("b", "p", NOON + 1),), ("a", "b"))),
        (State((A, B), ("a", "b")), Delete("a")),
    ),
    "an interval that is edited": (
        fold.apply,
        applying(State((Every("e", "p", 600, NOON + 300_000),), ("e",))),
        (State((E,), ("e",)), DispatchEvery("e", NOON)),
    ),
    "a target that a delete moves": (
        fold.apply,
        applying(State((Every("e", "p", 300, NOON + 300_000),), ("e",))),
        (State((E,), ("e",)), Delete("e")),
    ),
    "a fork without its parent's events": (forks.fork, lambda parent, at: ((), 0), ([{}], 1)),
}

BAD_CALLS: dict[str, BadCall] = {
    "a dispatch before the target": (rate.advance, (NOON, 300_000, NOON - 1), "rate.not-early"),
    "a decision after the range": (rate.advance, (NOON, 300_000, LATEST + 1), "rate.accepted-range"),
    "an interval of nothing": (rate.advance, (NOON, 0, NOON), "rate.accepted-range"),
    "the day after no day": (gregorian.next_day, (Date(2030, 2, 30),), "instant.canonical"),
    "a day of the year 10000": (gregorian.date_of, (2_932_897,), "instant.range"),
    "an instant of the year 10000": (instants.render, (LATEST + 1,), "instant.range"),
    "a fork beyond its parent": (forks.fork, ([], 1), "fork.bounds"),
}


@pytest.mark.parametrize("twin", BROKEN_TWINS)
def test_a_broken_twin_is_noticed(twin: str) -> None:
    assert broken_promises(*BROKEN_TWINS[twin])


@pytest.mark.parametrize("call", BAD_CALLS)
def test_a_bad_call_is_noticed(call: str) -> None:
    law, arguments, clause = BAD_CALLS[call]
    with pytest.raises(icontract.ViolationError, match=f"^(File .*\n?)?{clause}: "):
        law(*arguments)


def test_every_contract_of_the_law_is_shown_to_fire() -> None:
    assert_every_contract_fires(law_functions(), BROKEN_TWINS.values(), BAD_CALLS.values())


def test_contracts_are_in_force_in_the_law_itself() -> None:
    """Fails under `python -O`, which would leave the law without them in silence."""
    assert __debug__
    assert postconditions(rate.advance)
    with pytest.raises(icontract.ViolationError, match=r"rate\.not-early"):
        rate.advance(1, 300_000, 0)


def test_an_optimized_process_runs_without_contracts() -> None:
    """The reason for the test above: nothing else would tell."""
    program = "from schedule_spec import rate; print(hasattr(rate.advance, '__postconditions__'))"
    printed = [
        subprocess.run(
            [sys.executable, *flags, "-c", program], capture_output=True, check=True, text=True
        ).stdout.strip()
        for flags in ([], ["-O"])
    ]
    assert printed == ["True", "False"]
