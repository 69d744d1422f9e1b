"""The fold, step by step: what each change does, what is refused, and that a refusal leaves no trace."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.impl.logs import create, delete, dispatch

from schedule_impl import fold as folding
from schedule_impl.changes import After, At, Create, Delete, Dispatch, Every, Record
from schedule_impl.codec import CHANGES, to_json
from schedule_impl.errors import ScheduleError
from schedule_impl.fold import ScheduleState, fold

NAMES = st.sampled_from(["a", "b", "c"])
TIMES = st.sampled_from(
    [
        "2029-12-31T23:59:59.999Z",
        "2030-01-01T00:00:00.000Z",
        "2030-01-01T00:04:59.999Z",
        "2031-01-01T00:00:00.000Z",
    ]
)
CHANGE_VALUES = st.one_of(
    st.builds(create, NAMES, st.sampled_from(["after", "at", "every"])),
    st.builds(delete, NAMES),
    st.builds(dispatch, NAMES, st.none() | TIMES | st.just("9999-12-31T23:59:59.999Z")),
)


def event(change: object) -> dict[str, Any]:
    return {"type": "schedule/change", "data": change}


def shown(state: ScheduleState) -> tuple[list[dict[str, Any]], list[str]]:
    return [to_json(record) for record in state.active()], state.seen()


def folded(*changes: object) -> ScheduleState:
    return fold([event(change) for change in changes])


def active_ids(state: ScheduleState) -> list[str]:
    return [record.id for record in state.active()]


def test_active_records_stand_in_creation_order_and_an_advanced_one_keeps_its_place() -> None:
    state = folded(
        create("a", "every"),
        create("b"),
        create("c", "after"),
        dispatch("a", "2030-01-01T00:00:00.000Z"),
        dispatch("b"),
    )
    assert active_ids(state) == ["a", "c"]
    assert state.active()[0].scheduledAt == "2030-01-01T00:05:00.000Z"
    assert state.seen() == ["a", "b", "c"]


def test_a_dispatch_whose_next_target_leaves_the_range_ends_the_record() -> None:
    last = create("a", "every", scheduledAt="9999-12-31T23:55:00.000Z")
    assert active_ids(folded(last, dispatch("a", "9999-12-31T23:59:59.999Z"))) == []
    room = create("a", "every", scheduledAt="9999-12-31T23:54:59.999Z")
    state = folded(room, dispatch("a", "9999-12-31T23:54:59.999Z"))
    assert [record.scheduledAt for record in state.active()] == ["9999-12-31T23:59:59.999Z"]


@pytest.mark.parametrize(
    "changes",
    [
        (delete("a"),),
        (dispatch("a"),),
        (create("a"), create("a")),
        (create("a"), delete("a"), create("a", "every")),
        (create("a"), delete("a"), delete("a")),
        (create("a"), dispatch("a"), dispatch("a")),
        (create("a"), dispatch("a", "2030-01-01T00:00:00.000Z")),
        (create("a", "after"), dispatch("a", "2030-01-01T00:00:00.000Z")),
        (create("a", "every"), dispatch("a")),
        (create("a", "every"), dispatch("a", "2029-12-31T23:59:59.999Z")),
        (
            create("a", "every"),
            dispatch("a", "2030-01-01T00:00:00.000Z"),
            dispatch("a", "2030-01-01T00:04:59.999Z"),
        ),
        (create("a", "every"), delete("a"), dispatch("a", "2030-01-01T00:00:00.000Z")),
        (create("a"), delete("A")),
    ],
)
def test_a_change_that_does_not_fit_is_corrupt(changes: tuple[object, ...]) -> None:
    folded(*changes[:-1])
    with pytest.raises(ScheduleError) as refusal:
        folded(*changes)
    assert refusal.value.code == "corrupt_schedule_log"


@given(st.lists(CHANGE_VALUES, max_size=30))
def test_a_step_is_refused_exactly_when_the_whole_would_be_and_leaves_no_trace(values: list[Any]) -> None:
    state = ScheduleState()
    taken: list[Any] = []
    for value in values:
        change = CHANGES.convert(value)
        before = shown(state)
        try:
            whole = shown(folded(*taken, value))
        except ScheduleError:
            with pytest.raises(ScheduleError):
                state.apply(change)
            assert shown(state) == before
            continue
        state.apply(change)
        taken.append(value)
        assert shown(state) == whole


@given(st.lists(CHANGE_VALUES, max_size=20))
def test_many_steps_are_taken_up_to_the_first_that_is_refused(values: list[Any]) -> None:
    at_once, one_by_one = ScheduleState(), ScheduleState()
    taken, refusal = at_once.apply_all([CHANGES.convert(value) for value in values])
    for value in values[:taken]:
        one_by_one.apply(CHANGES.convert(value))
    assert shown(at_once) == shown(one_by_one)
    assert (refusal is None) == (taken == len(values))
    if refusal is not None:
        with pytest.raises(ScheduleError, match=re.escape(refusal.message)):
            one_by_one.apply(CHANGES.convert(values[taken]))


@pytest.mark.parametrize("prefix", [7, None, {"type": "schedule/change"}, event(delete("never"))])
def test_an_inherited_prefix_is_not_looked_at(prefix: object) -> None:
    assert active_ids(fold([prefix, event(create("a"))], 1)) == ["a"]


def test_nothing_of_the_parent_is_active_or_seen_in_the_child() -> None:
    events = [event(create("a")), event(create("a", "every"))]
    assert shown(fold(events, 1))[1] == ["a"]
    with pytest.raises(ScheduleError):
        fold([event(create("a")), event(delete("a"))], 1)


@pytest.mark.parametrize(
    "length", [None, True, False, -1, 1.5, 2, "1", [], 2**53, float("nan"), float("inf")]
)
def test_a_seed_length_outside_the_log_is_corrupt(length: object) -> None:
    with pytest.raises(ScheduleError):
        fold([event(create("a"))], length)


@pytest.mark.parametrize("length", [1, 1.0])
def test_a_seed_length_up_to_the_number_of_events_is_sound(length: object) -> None:
    assert shown(fold([event(create("a"))], length)) == ([], [])


@pytest.mark.parametrize(
    "foreign", [{}, {"type": "Schedule/change"}, {"type": None, "data": 1}, {"type": ["schedule/change"]}]
)
def test_events_of_other_types_are_passed_over(foreign: object) -> None:
    assert shown(fold([foreign])) == ([], [])


@pytest.mark.parametrize("broken", [None, 1, "schedule/change", [], event(None), {"type": "schedule/change"}])
def test_an_event_that_is_no_object_or_carries_no_change_is_corrupt(broken: object) -> None:
    with pytest.raises(ScheduleError):
        fold([broken])


START = "2030-01-01T00:00:00.000Z"
RECORDS = [
    pytest.param(At("a", "p", START), id="at"),
    pytest.param(After("a", "p", 60, START), id="after"),
    pytest.param(Every("a", "p", 300, START), id="every"),
]


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(At("", "p", START), id="empty-id"),
        pytest.param(At("a", "", START), id="empty-prompt"),
        pytest.param(At("\ufeffa", "p", START), id="id-after-a-space"),
        pytest.param(At("a\n", "p", START), id="id-before-a-space"),
        pytest.param(At("a", " p", START), id="prompt-after-a-space"),
        pytest.param(At("a", "p\u2028", START), id="prompt-before-a-space"),
        pytest.param(At("a", "p", "2030-01-01T00:00:00Z"), id="target"),
    ],
)
def test_the_fold_itself_refuses_what_no_sound_record_is(record: Record) -> None:
    state = ScheduleState()
    with pytest.raises(ScheduleError) as refusal:
        state.apply(Create(1, record))
    assert refusal.value.code == "corrupt_schedule_log"
    assert shown(state) == ([], [])


def test_a_refusal_of_what_is_unsound_in_itself_tells_how_far_it_was() -> None:
    state = ScheduleState()
    changes = [Create(1, Every("a", "p", 300, START)), None, Dispatch(1, "a", "tomorrow"), Delete(1, "a")]
    taken, refusal = state.apply_all(changes)
    assert taken == 2
    assert refusal is not None
    assert refusal.code == "corrupt_schedule_log"
    assert state.target("a") == 1_893_456_000_000


def test_no_steps_are_taken_at_once() -> None:
    assert ScheduleState().apply_all([]) == (0, None)


@pytest.mark.parametrize("record", RECORDS)
def test_a_sound_create_is_not_looked_at_twice(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "check_change", lambda change: pytest.fail("it is sound"))
    state = ScheduleState()
    state.apply(Create(1, record))
    assert state.active() == [record]


@pytest.mark.parametrize("record", RECORDS)
def test_a_deleted_record_has_no_target(record: Record) -> None:
    state = ScheduleState()
    state.apply(Create(1, record))
    assert state.target("a") == 1_893_456_000_000
    state.apply(Delete(1, "a"))
    with pytest.raises(KeyError):
        state.target("a")
    assert list(state.targets()) == []


def test_the_target_of_an_advanced_record_is_the_next_one() -> None:
    state = ScheduleState()
    state.apply(Create(1, Every("a", "p", 300, START)))
    state.apply(Dispatch(1, "a", "2030-01-01T00:07:00.000Z"))
    assert state.target("a") == 1_893_456_600_000
