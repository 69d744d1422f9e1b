"""What the owner decides, against a reading that looks at every record and every occurrence."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedule_spec import due, instants
from schedule_spec.changes import DispatchEvery, DispatchOneShot
from schedule_spec.due import Batch, OneShot, Wait, decide, dispatches
from schedule_spec.records import At, Every, Record, encode
from schedule_spec.rejections import Code, Rejection

NOW = 1_785_931_200_000


@st.composite
def records(draw: st.DrawFn) -> tuple[Record, ...]:
    """Some records with targets near `NOW`, many of them equal."""
    offsets = st.sampled_from([-900_000, -600_001, -300_000, -1, 0, 1, 300_000])
    kinds = draw(st.lists(st.tuples(st.booleans(), offsets), max_size=6))
    return tuple(
        At(f"r{n}", "x", NOW + offset) if one_shot else Every(f"r{n}", "x", 300, NOW + offset)
        for n, (one_shot, offset) in enumerate(kinds)
    )


@given(records())
def test_a_due_one_shot_comes_first_and_alone(active: tuple[Record, ...]) -> None:
    found = decide(active, NOW)
    one_shots = [r for r in active if isinstance(r, At) and r.scheduled_at <= NOW]
    assert isinstance(found, OneShot) == bool(one_shots)
    if isinstance(found, OneShot):
        assert all(found.record.scheduled_at <= other.scheduled_at for other in one_shots)
        ties = [r for r in one_shots if r.scheduled_at == found.record.scheduled_at]
        assert found.record == ties[0]
        assert len(dispatches(found)) == 1


@given(records())
def test_a_batch_holds_every_due_every_once_with_its_latest_occurrence(active: tuple[Record, ...]) -> None:
    everys = tuple(record for record in active if isinstance(record, Every))
    found = decide(everys, NOW)
    expected = [record for record in everys if record.scheduled_at <= NOW]
    assert isinstance(found, Batch) == bool(expected)
    if isinstance(found, Batch):
        assert sorted(r.record.id for r in found.reminders) == sorted(r.id for r in expected)
        places = [(r.record.scheduled_at, everys.index(r.record)) for r in found.reminders]
        assert places == sorted(places)
        for reminder in found.reminders:
            occurrences = range(reminder.record.scheduled_at, NOW + 1, 300_000)
            assert reminder.occurrence == occurrences[-1]


@given(records())
def test_otherwise_the_earliest_future_target_is_waited_for(active: tuple[Record, ...]) -> None:
    future = tuple(record for record in active if record.scheduled_at > NOW)
    found = decide(future, NOW)
    assert found == Wait(min([record.scheduled_at for record in future], default=None))


@pytest.mark.parametrize("now", [instants.EARLIEST - 1, instants.LATEST + 1])
def test_a_clock_outside_the_range_decides_no_batch(now: int) -> None:
    every = Every("e", "x", 300, instants.EARLIEST)
    one_shot = At("a", "x", instants.EARLIEST)
    until = instants.EARLIEST if now < instants.EARLIEST else None
    assert decide((every,), now) == Wait(until)
    assert decide((every, one_shot), now) == (Wait(until) if until else OneShot(one_shot))


def test_the_last_millisecond_of_the_range_still_decides_a_batch() -> None:
    every = Every("e", "x", 300, instants.LATEST)
    found = decide((every,), instants.LATEST)
    assert isinstance(found, Batch)
    assert found.reminders[0].occurrence == instants.LATEST


ONE = encode(At("a", "x", NOW))
EVERY = encode(Every("e", "x", 300, NOW - 300_001))


def test_the_command_answers_in_json() -> None:
    assert due.due([EVERY, ONE], NOW) == {"kind": "one-shot", "id": "a"}
    assert due.due([EVERY], NOW) == {
        "kind": "batch",
        "acceptedAt": "2026-08-05T12:00:00.000Z",
        "reminders": [{"id": "e", "occurrenceAt": "2026-08-05T11:59:59.999Z"}],
    }
    assert due.due([ONE], NOW - 1) == {"kind": "wait", "until": "2026-08-05T12:00:00.000Z"}
    assert due.due([], NOW) == {"kind": "wait"}


@pytest.mark.parametrize(
    ("active", "now", "clause", "where"),
    [
        (None, NOW, "change.strict", "records"),
        ([ONE, 7], NOW, "change.strict", "records[1]"),
        ([ONE, ONE], NOW, "id.never-reused", "records[1].id"),
        ([ONE], NOW + 0.5, "number.safe-integer", "now"),
        ([ONE], True, "number.safe-integer", "now"),
        ([ONE], 2**53, "number.safe-integer", "now"),
    ],
)
def test_what_no_sound_log_holds_is_refused(active: Any, now: Any, clause: str, where: str) -> None:
    found = due.due(active, now)
    assert isinstance(found, Rejection)
    code = Code.TIME_OUT_OF_RANGE if where == "now" else Code.CORRUPT_SCHEDULE_LOG
    assert (found.code, found.clause, found.where) == (code, clause, where)


def test_a_decision_is_recorded_by_its_dispatches() -> None:
    early, late = Every("e", "x", 300, NOW - 1), Every("f", "x", 300, NOW)
    assert dispatches(decide((late, early), NOW)) == (DispatchEvery("e", NOW), DispatchEvery("f", NOW))
    one_shot = At("a", "x", NOW)
    found = decide((early, one_shot), NOW)
    assert isinstance(found, OneShot)
    assert found.id == "a"
    assert dispatches(found) == (DispatchOneShot("a"),)
    assert dispatches(decide((one_shot,), NOW - 1)) == ()
