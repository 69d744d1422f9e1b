from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spec.strategies import NOON, broken_logs, logs

from schedule_spec.fold import EMPTY, NO_POSITION, Refused, State, fold
from schedule_spec.forks import boundary, creates, fork
from schedule_spec.json_text import Json
from schedule_spec.records import At
from schedule_spec.rejections import Rejection

AT: dict[str, Json] = {"id": "a", "kind": "at", "prompt": "p", "scheduledAt": "2030-01-01T12:00:00.000Z"}
CREATE: Json = {"type": "schedule/change", "data": {"version": 1, "operation": "create", "schedule": AT}}
DELETE: Json = {"type": "schedule/change", "data": {"version": 1, "operation": "delete", "id": "a"}}


class Untouchable(dict[str, Any]):
    """An event that fails the test when anything looks at it."""

    def touched(self, *_: object) -> NoReturn:
        raise AssertionError("an inherited event was read")

    __getitem__ = __contains__ = __iter__ = __len__ = __eq__ = get = keys = items = values = touched
    __hash__ = None


@pytest.mark.parametrize("seed_length", [0, 1, 2, 2.0, -0.0])
def test_boundaries(seed_length: Json) -> None:
    assert boundary([None, None], seed_length) == seed_length


@pytest.mark.parametrize(
    "seed_length", [-1, 3, 0.5, None, True, False, "1", [1], {}, float("nan"), float("inf"), 2**53, 10**400]
)
def test_impossible_boundaries(seed_length: Json) -> None:
    refused = fold([CREATE, DELETE], seed_length)
    assert isinstance(refused, Refused)
    assert (refused.position, refused.state) == (NO_POSITION, EMPTY)
    assert (refused.rejection.clause, refused.rejection.where) == ("fork.bounds", "seedLength")


@given(broken_logs, logs)
def test_the_state_is_that_of_the_own_part_alone(inherited: list[Json], own: list[Json]) -> None:
    """fork.suffix, fork.prefix-unread, id.session-local: whatever stands before the boundary."""
    alone = fold(own)
    forked = fold([*inherited, *own], len(inherited))
    if isinstance(alone, State):
        assert forked == alone
    else:
        assert isinstance(forked, Refused)
        assert forked.position == alone.position + len(inherited)
        assert forked.state == alone.state


def test_inherited_events_are_not_even_looked_at() -> None:
    """fork.prefix-unread."""
    assert fold([Untouchable(), CREATE], 1) == State((At("a", "p", NOON),), ("a",))


def test_no_argument_means_no_inherited_events() -> None:
    assert fold([CREATE]) == fold([CREATE], 0) == State((At("a", "p", NOON),), ("a",))


@pytest.mark.parametrize(
    ("events", "seed_length", "clause"),
    [
        ([CREATE, DELETE], 1, "fork.no-adoption"),
        ([CREATE, DELETE, DELETE], 2, "fork.no-adoption"),
        ([CREATE, CREATE, DELETE, DELETE], 1, "fold.inactive"),
        ([DELETE, DELETE], 1, "fold.inactive"),
        ([CREATE, DELETE, DELETE], 0, "fold.inactive"),
        ([{"type": "note", "data": {"id": "a"}}, DELETE], 1, "fold.inactive"),
        (
            [None, [], {"type": "schedule/change", "data": {"operation": "create"}}, DELETE],
            3,
            "fold.inactive",
        ),
        ([CREATE, CREATE, CREATE], 1, "fold.no-id-reuse"),
    ],
)
def test_a_parents_reminder_is_not_adopted(events: list[Json], seed_length: int, clause: str) -> None:
    """fork.no-adoption: named only where the id is the parent's and not the child's."""
    refused = fold(events, seed_length)
    assert isinstance(refused, Refused)
    assert (refused.rejection.clause, refused.position) == (clause, len(events) - 1)


def test_an_id_of_the_parent_is_free_in_the_child() -> None:
    """id.session-local."""
    assert fold([CREATE, CREATE, DELETE], 1) == State((), ("a",))


@given(broken_logs, st.data())
def test_a_fork_begins_with_its_parents_events_and_no_reminder(
    parent: list[Json], data: st.DataObject
) -> None:
    """fork.history, fork.no-adoption."""
    at = data.draw(st.integers(0, len(parent)))
    events, seed_length = fork(parent, at)
    assert list(events) == parent[:at]
    assert fold(events, seed_length) == EMPTY


def test_what_an_inherited_event_was_meant_to_create() -> None:
    assert creates(CREATE, "a")
    assert not creates(CREATE, "b")
    assert creates(DELETE, "a") is False
    assert not creates({"type": "note", "data": {"operation": "create", "schedule": {"id": "a"}}}, "a")
    odd: list[Json] = [None, "a", [], {}, {"type": "schedule/change"}]
    assert not any(creates(event, "a") for event in odd)


def test_a_boundary_is_a_position_or_a_refusal() -> None:
    assert isinstance(boundary([], 1), Rejection)
    assert boundary([], 0) == 0
