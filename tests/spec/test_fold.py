import json
import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spec.strategies import (
    NOON,
    broken_events,
    broken_logs,
    event,
    few_changes,
    logs,
    other_events,
    schedule_events,
)
from tests.spec.test_forks import Untouchable

from schedule_spec.changes import Change, Create, Delete, DispatchEvery, DispatchOneShot
from schedule_spec.fold import (
    EMPTY,
    NO_POSITION,
    Refused,
    State,
    apply,
    candidate,
    decode_state,
    diagnose,
    encode_state,
    fold,
    is_fresh,
    step,
)
from schedule_spec.instants import LATEST
from schedule_spec.json_text import Json
from schedule_spec.profiles import Profile, decoder
from schedule_spec.records import After, At, Every, Record
from schedule_spec.rejections import Rejection

A = After("a", "p", 60, NOON)
B = Every("b", "p", 300, NOON)
C = At("c", "p", NOON)
ABC = State((A, B, C), ("a", "b", "c"))


def advanced(record: Every, by: int) -> Every:
    return Every(record.id, record.prompt, record.every_seconds, record.scheduled_at + by)


@pytest.mark.parametrize(
    ("state", "change", "following"),
    [
        (EMPTY, Create(A), State((A,), ("a",))),
        (State((B,), ("x", "b")), Create(A), State((B, A), ("x", "b", "a"))),
        (ABC, Delete("b"), State((A, C), ("a", "b", "c"))),
        (ABC, Delete("a"), State((B, C), ("a", "b", "c"))),
        (ABC, DispatchOneShot("a"), State((B, C), ("a", "b", "c"))),
        (ABC, DispatchOneShot("c"), State((A, B), ("a", "b", "c"))),
        (ABC, DispatchEvery("b", NOON), State((A, advanced(B, 300_000), C), ("a", "b", "c"))),
        (ABC, DispatchEvery("b", NOON + 899_999), State((A, advanced(B, 900_000), C), ("a", "b", "c"))),
        (ABC, DispatchEvery("b", LATEST), State((A, C), ("a", "b", "c"))),
    ],
)
def test_transitions(state: State, change: Change, following: State) -> None:
    """fold.create, fold.delete, fold.dispatch-one-shot, fold.dispatch-every, fold.order: by hand."""
    assert apply(state, change) == following


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        (Create(A), "fold.no-id-reuse"),
        (Create(At("gone", "q", NOON)), "fold.no-id-reuse"),
        (Delete("gone"), "fold.inactive"),
        (Delete("never"), "fold.inactive"),
        (DispatchOneShot("gone"), "fold.inactive"),
        (DispatchOneShot("never"), "fold.inactive"),
        (DispatchEvery("gone", NOON), "fold.inactive"),
        (DispatchEvery("never", NOON), "fold.inactive"),
        (DispatchOneShot("b"), "fold.shape-match"),
        (DispatchEvery("a", NOON), "fold.shape-match"),
        (DispatchEvery("c", NOON), "fold.shape-match"),
        (DispatchEvery("b", NOON - 1), "rate.not-early"),
    ],
)
def test_changes_that_cannot_follow(change: Change, clause: str) -> None:
    rejection = apply(State((A, B, C), ("gone", "a", "b", "c")), change)
    assert isinstance(rejection, Rejection)
    assert rejection.clause == clause


@pytest.mark.parametrize(
    "foreign",
    [
        {},
        {"data": {"version": 9}},
        {"type": None},
        {"type": ["schedule/change"]},
        {"type": "schedule/change ", "data": None},
        {"type": "Schedule/change", "data": None},
        {"type": "schedule/changed", "data": {"version": 1, "operation": "delete", "id": "a"}},
        {"type": "turn/start", "data": Untouchable()},
    ],
)
def test_other_events_pass_unread(foreign: dict[str, Any]) -> None:
    """fold.authority, fold.event."""
    assert step(ABC, foreign) == ABC


@pytest.mark.parametrize(
    ("broken", "clause", "where"),
    [
        (None, "fold.event", ""),
        ([], "fold.event", ""),
        ("schedule/change", "fold.event", ""),
        (1, "fold.event", ""),
        ({"type": "schedule/change"}, "change.strict", "data"),
        ({"type": "schedule/change", "data": None}, "change.strict", "data"),
        ({"type": "schedule/change", "data": {"version": 2}}, "change.version", "data.version"),
        (event(Delete("x")), "fold.inactive", "data.id"),
        (event(Create(A)), "fold.no-id-reuse", "data.schedule.id"),
        (event(DispatchEvery("b", 0)), "rate.not-early", "data.acceptedAt"),
    ],
)
def test_events_that_are_refused(broken: Json, clause: str, where: str) -> None:
    rejection = step(ABC, broken)
    assert isinstance(rejection, Rejection)
    assert (rejection.clause, rejection.where) == (clause, where)


def test_members_beside_type_and_data_are_no_matter() -> None:
    assert step(EMPTY, {**event(Create(A)), "seq": "x", "time": None}) == State((A,), ("a",))


@given(broken_logs)
def test_every_prefix_of_a_log_that_folds_also_folds(log: list[Json]) -> None:
    """fold.prefix: and a log that does not fold fails at the first event that makes a prefix fail."""
    whole = fold(log)
    sound = len(log) if isinstance(whole, State) else whole.position
    assert all(isinstance(fold(log[:length]), State) for length in range(sound + 1))
    if isinstance(whole, Refused):
        assert fold(log[:sound]) == whole.state
        assert fold(log[: sound + 1]) == whole


@given(broken_logs)
def test_one_by_one_is_as_good_as_the_whole(log: list[Json]) -> None:
    """fold.incremental."""
    state = EMPTY
    for position, each in enumerate(log):
        following = step(state, each)
        if isinstance(following, Rejection):
            assert fold(log) == Refused(position, state, following)
            return
        state = following
    assert fold(log) == state


@given(logs)
def test_active_records_stand_in_creation_order(log: list[Json]) -> None:
    """fold.order, id.never-reused: against the creates of the log."""
    folded = fold(log)
    state = folded if isinstance(folded, State) else folded.state
    position = len(log) if isinstance(folded, State) else folded.position
    created = [
        each["data"]["schedule"]["id"]  # type: ignore[call-overload,index]
        for each in log[:position]
        if isinstance(each, dict) and each.get("type") == "schedule/change" and "schedule" in each["data"]  # type: ignore[operator]
    ]
    assert list(state.seen) == created
    assert len(set(created)) == len(created)
    active = [record.id for record in state.active]
    assert active == [id for id in created if id in active]
    assert not any(is_fresh(state, id) for id in created)
    assert is_fresh(state, "never")


@given(logs, st.lists(few_changes, max_size=4))
def test_foreign_events_change_nothing(log: list[Json], more: list[Change]) -> None:
    """fold.authority: a log and the same log without them mean the same."""
    log = [*log, *map(event, more)]
    own = [each for each in log if isinstance(each, dict) and each.get("type") == "schedule/change"]
    with_them, without = fold(log), fold(own)
    if isinstance(with_them, State):
        assert with_them == without
    else:
        assert isinstance(without, Refused)
        assert (with_them.state, with_them.rejection) == (without.state, without.rejection)


@given(
    broken_logs,
    st.one_of(st.integers(-1, 9), st.none()),
    st.one_of(schedule_events, other_events, broken_events),
    st.sampled_from(Profile),
)
def test_a_candidate_is_refused_exactly_when_the_longer_log_would_not_fold(
    log: list[Json], seed_length: Json, added: Json, profile: Profile
) -> None:
    """fold.candidate: and a session that does not fold refuses whatever is offered."""
    decode = decoder(profile)
    existing = fold(log, seed_length, decode)
    answer = candidate(existing, added, decode)
    if isinstance(existing, Refused):
        assert answer == existing.rejection
        return
    extended = fold([*log, added], seed_length, decode)
    if isinstance(extended, Refused):
        assert isinstance(answer, Rejection)
        assert isinstance(seed_length, int)
        assert diagnose(answer, existing, added, log[:seed_length]) == extended.rejection
    else:
        assert answer == extended


def test_a_boundary_beyond_the_log_is_not_mended_by_the_candidate() -> None:
    answer = candidate(fold([], 1), event(Create(A)))
    assert isinstance(answer, Rejection)
    assert answer.clause == "fork.bounds"


def test_a_candidate_that_adopts_is_refused() -> None:
    assert isinstance(candidate(fold([event(Create(A))], 1), event(Delete("a"))), Rejection)


def test_what_is_wrong_in_itself_is_no_adoption_though_the_id_is_a_parents() -> None:
    refused = fold(
        [
            event(Create(A)),
            {"type": "schedule/change", "data": {"version": 1, "operation": "delete", "id": "a", "more": 1}},
        ],
        1,
    )
    assert isinstance(refused, Refused)
    assert refused.rejection.clause == "change.delete"


@pytest.mark.parametrize(
    ("change", "where"),
    [(DispatchOneShot("b"), "data"), (DispatchEvery("a", NOON), "data.acceptedAt")],
)
def test_a_dispatch_of_the_other_shape_is_refused_where_it_is_wrong(change: Change, where: str) -> None:
    refused = fold([event(Create(A)), event(Create(B)), event(change)])
    assert isinstance(refused, Refused)
    assert (refused.rejection.clause, refused.rejection.where) == ("fold.shape-match", where)


def test_a_sound_candidate_leaves_what_the_longer_log_means() -> None:
    log = [event(Create(A)), event(Create(B))]
    for change in (Delete("a"), DispatchOneShot("a"), DispatchEvery("b", NOON)):
        assert candidate(fold(log), event(change)) == fold([*log, event(change)])


def test_an_impossible_log_has_no_position_to_blame() -> None:
    refused = fold([], 1)
    assert isinstance(refused, Refused)
    assert refused.position == NO_POSITION
    assert NO_POSITION not in range(2**53)


@pytest.mark.parametrize("events", [None, {}, "ab", "", 1, True])
def test_what_is_no_list_of_events(events: Any) -> None:
    refused = fold(events)
    assert isinstance(refused, Refused)
    assert (refused.position, refused.rejection.clause) == (NO_POSITION, "fold.event")


def test_a_tuple_is_a_log_too() -> None:
    assert fold((event(Create(A)),)) == fold([event(Create(A))])


@given(logs)
def test_a_state_is_read_as_it_was_written(log: list[Json]) -> None:
    folded = fold(log)
    state = folded if isinstance(folded, State) else folded.state
    assert decode_state(encode_state(state)) == state


@pytest.mark.parametrize(
    ("edit", "fault"),
    [
        (None, "null"),
        ({"active": []}, "exactly the lists"),
        ({"active": [], "seen": {}}, "exactly the lists"),
        ({"active": [], "seen": [], "more": 1}, "exactly the lists"),
        ({"active": [None], "seen": []}, r"active\[0\]: The record is null"),
        ({"active": [], "seen": [""]}, "no id"),
        ({"active": [], "seen": [1]}, "no id"),
        ({"active": [], "seen": ["a", "a"]}, "an id twice"),
        ({**encode_state(ABC), "seen": ["a", "b"]}, "not among the seen ids"),
        ({**encode_state(ABC), "seen": ["b", "a", "c"]}, "in their order"),
        ({"active": [*encode_state(State((A, A), ()))["active"]], "seen": ["a"]}, "not among"),  # type: ignore[misc]
    ],
)
def test_what_is_no_state(edit: Json, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        decode_state(edit)


PROGRAM = """
import json, sys
from schedule_spec import fold
print(repr([fold.fold(log) for log in json.load(sys.stdin)]))
"""


def test_the_process_around_it_does_not_matter() -> None:
    """fold.deterministic: hash seed, zone and locale of the process leave the state as it is."""
    every: Record = Every("e\u00e9", "p", 300, NOON)
    log = [
        event(change)
        for change in (Create(A), Create(every), DispatchOneShot("a"), DispatchEvery(every.id, LATEST))
    ]
    logs = json.dumps([log[:length] for length in range(5)] + [[*log, *log]])
    surroundings = [
        {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "77", "TZ": "Pacific/Apia", "LC_ALL": "tr_TR.UTF-8"},
    ]
    outputs = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input=logs.encode(),
            env={**os.environ, "PYTHONIOENCODING": "utf-8", **surrounding},
            capture_output=True,
            check=True,
        ).stdout
        for surrounding in surroundings
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count(b"State(") == 6
