import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.spec.strategies import NOON

from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.json_text import Json
from schedule_spec.rate import Advance, advance, advance_record
from schedule_spec.records import LONGEST_INTERVAL
from schedule_spec.rejections import Rejection

RECORD: dict[str, Json] = {
    "id": "e",
    "kind": "every",
    "prompt": "p",
    "everySeconds": 300,
    "scheduledAt": "2030-01-01T12:00:00.000Z",
}
intervals = st.one_of(
    st.integers(300_000, 400_000), st.integers(300, LONGEST_INTERVAL).map(lambda s: s * 1000)
)
instants = st.integers(EARLIEST, LATEST)


@given(st.integers(NOON, NOON + 10**6), st.integers(300, 400), st.integers(0, 30_000_000))
def test_the_latest_due_and_the_next_are_found_by_counting(target: int, seconds: int, delay: int) -> None:
    """rate.latest-due, rate.next: against an enumeration of the aligned instants."""
    accepted = target + delay
    aligned = range(target, accepted + 10**6, seconds * 1000)
    assert advance(target, seconds * 1000, accepted) == Advance(
        max(instant for instant in aligned if instant <= accepted),
        min(instant for instant in aligned if instant > accepted),
    )


@pytest.mark.parametrize(
    ("target", "interval", "accepted", "expected"),
    [
        (NOON, 300_000, NOON, Advance(NOON, NOON + 300_000)),
        (NOON, 300_000, NOON + 299_999, Advance(NOON, NOON + 300_000)),
        (NOON, 300_000, NOON + 300_000, Advance(NOON + 300_000, NOON + 600_000)),
        (LATEST - 300_000, 300_000, LATEST - 300_000, Advance(LATEST - 300_000, LATEST)),
        (LATEST - 299_999, 300_000, LATEST, Advance(LATEST - 299_999, None)),
        (LATEST, 300_000, LATEST, Advance(LATEST, None)),
        (EARLIEST, 300_000, LATEST, Advance(LATEST - 299_999, None)),
        (EARLIEST, 300_000, EARLIEST, Advance(EARLIEST, EARLIEST + 300_000)),
        (EARLIEST, LONGEST_INTERVAL * 1000, EARLIEST, Advance(EARLIEST, None)),
        (-301_000, 301_000, -1, Advance(-301_000, 0)),
        (-301_000, 301_000, 0, Advance(0, 301_000)),
        (LATEST - 10**9 * 300_001 - 5, 300_001, LATEST, Advance(LATEST - 5, None)),
    ],
)
def test_advance(target: int, interval: int, accepted: int, expected: Advance) -> None:
    assert advance(target, interval, accepted) == expected


@given(instants, intervals, st.lists(st.integers(0, 10**12), max_size=6))
def test_no_delay_makes_a_record_drift(target: int, interval: int, delays: list[int]) -> None:
    """rate.anchor-aligned: after any sequence of dispatches."""
    current = target
    for delay in delays:
        advanced = advance(current, interval, min(current + delay, LATEST))
        steps, rest = divmod(advanced.occurrence - target, interval)
        assert rest == 0
        assert steps >= 0
        if advanced.next_target is None:
            return
        assert divmod(advanced.next_target - target, interval) == (steps + 1, 0)
        current = advanced.next_target


@given(instants, intervals, instants, instants)
def test_a_detour_leaves_the_same_target(target: int, interval: int, one: int, other: int) -> None:
    """rate.path-independent: where the first dispatch leaves a target that the second one has reached."""
    target, first, second = sorted((target, one, other))
    left = advance(target, interval, first).next_target
    assume(left is not None and left <= second)
    assert left is not None
    assert advance(left, interval, second) == advance(target, interval, second)


def lines_run(*arguments: int) -> int:
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    sys.settrace(trace)
    try:
        advance(*arguments)
    finally:
        sys.settrace(None)
    return count


def test_a_thousand_million_missed_take_no_longer_than_one() -> None:
    """rate.skip: counted in lines that run, not in time."""
    advance(EARLIEST, 300_000, EARLIEST)
    one = lines_run(EARLIEST, 300_000, EARLIEST + 600_000)
    many = lines_run(EARLIEST, 300_000, EARLIEST + 10**9 * 300_000)
    assert one == many > 0


@pytest.mark.parametrize(
    ("record", "accepted_at", "clause", "where"),
    [
        (RECORD, NOON - 1, "rate.not-early", "acceptedAt"),
        (RECORD, EARLIEST, "rate.not-early", "acceptedAt"),
        (RECORD, EARLIEST - 1, "rate.accepted-range", "acceptedAt"),
        (RECORD, LATEST + 1, "rate.accepted-range", "acceptedAt"),
        (RECORD, 2**53, "number.safe-integer", "acceptedAt"),
        (RECORD, NOON + 0.5, "number.safe-integer", "acceptedAt"),
        (RECORD, None, "number.safe-integer", "acceptedAt"),
        (RECORD, True, "number.safe-integer", "acceptedAt"),
        (RECORD, "2030-01-01T12:00:00.000Z", "number.safe-integer", "acceptedAt"),
        ({**RECORD, "everySeconds": 299}, NOON, "record.every", "record.everySeconds"),
        ({**RECORD, "everySeconds": 300.5}, NOON, "number.safe-integer", "record.everySeconds"),
        (None, NOON, "change.strict", "record"),
        (
            {key: value for key, value in {**RECORD, "kind": "at"}.items() if key != "everySeconds"},
            NOON,
            "fold.shape-match",
            "record.kind",
        ),
    ],
)
def test_what_cannot_be_advanced(record: Json, accepted_at: Json, clause: str, where: str) -> None:
    rejection = advance_record(record, accepted_at)
    assert isinstance(rejection, Rejection)
    assert (rejection.clause, rejection.where) == (clause, where)


def test_a_stored_record_is_advanced() -> None:
    assert advance_record(RECORD, NOON) == Advance(NOON, NOON + 300_000)
    assert advance_record({**RECORD, "everySeconds": 300.0}, float(NOON)) == Advance(NOON, NOON + 300_000)
