"""What the tools' arguments show by themselves, what a call comes to, and each pair of faults in one call."""

from itertools import combinations
from typing import Any

import pytest

from schedule_spec import fold, values
from schedule_spec.fold import Refused, State
from schedule_spec.profiles import Profile
from schedule_spec.records import After, At
from schedule_spec.rejections import Code
from schedule_spec.tools import (
    Creating,
    Deleting,
    Failed,
    Listing,
    NotFound,
    Refusal,
    Remove,
    Shaped,
    Shown,
    Store,
    Uncertain,
    Viewed,
    fits,
    outcome,
    read,
    read_text,
    uncertain,
)

NOON = 1_785_931_200_000
A = At("a", "A", NOON + 1000)
LOG = State((A,), ("a",))
GOOD: dict[str, Any] = {"prompt": "x", "after_seconds": 60}


def codes(arguments: Any, tool: str = "schedule_create") -> set[str]:
    """The codes that must be answered before the queue; none for a request."""
    shaped = read(tool, arguments)
    return {str(code) for code in shaped.codes} if isinstance(shaped, Refusal) else set()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"prompt": "x"}, {"invalid_selector"}),
        (GOOD | {"every_seconds": 300}, {"invalid_selector"}),
        (GOOD | {"when": 1}, {"invalid_selector"}),
        (GOOD | {"afterSeconds": 1}, {"invalid_selector"}),
        (GOOD | {"prompt": " \ufeff"}, {"invalid_prompt"}),
        ({"after_seconds": 60}, {"invalid_prompt"}),
        (GOOD | {"after_seconds": 0}, {"invalid_rule"}),
        (GOOD | {"after_seconds": "60"}, {"invalid_rule"}),
        (GOOD | {"after_seconds": True}, {"invalid_rule"}),
        (GOOD | {"after_seconds": 2**53}, {"invalid_rule"}),
        ({"prompt": "x", "every_seconds": 299}, {"frequency_too_high"}),
        ({"prompt": "x", "every_seconds": -1}, {"frequency_too_high"}),
        ({"prompt": "x", "every_seconds": 300.5}, {"invalid_rule"}),
        ({"prompt": "", "every_seconds": 1}, {"invalid_prompt", "frequency_too_high"}),
        ({"prompt": "", "at": "soon"}, {"invalid_prompt", "invalid_rule"}),
        ({"prompt": "x", "at": "soon"}, set()),
        ({"prompt": "x", "at": {"date": "2026-02-30", "time": "09:00:00", "time_zone": "X"}}, set()),
        ([], {str(code) for code in Code}),
    ],
)
def test_what_the_input_alone_shows(arguments: Any, expected: set[str]) -> None:
    assert codes(arguments) == expected


@pytest.mark.parametrize(
    ("arguments", "by_host"),
    [
        ({"after_seconds": 60}, True),
        (GOOD | {"prompt": 7}, True),
        (GOOD | {"after_seconds": "60"}, True),
        (GOOD | {"prompt": " "}, False),
        (GOOD | {"after_seconds": 1.5}, False),
        (GOOD, False),
        ({"prompt": "x", "at": 7}, True),
        ({"prompt": "x", "at": {"date": "2026-01-01", "time": "09:00:00"}}, True),
        ({"prompt": "x", "at": {"date": "2026-01-01", "time": "09:00:00", "time_zone": 1}}, True),
        ({"prompt": "x", "at": "soon"}, False),
    ],
)
def test_the_host_may_refuse_what_is_ill_typed(arguments: Any, by_host: bool) -> None:
    assert read("schedule_create", arguments).by_host == by_host


def test_what_at_shows_may_come_before_the_queue_or_after_the_barrier() -> None:
    shaped = read("schedule_create", {"prompt": " x ", "at": "soon"})
    assert shaped == Shaped(Creating("x", "at", '"soon"', (Code.INVALID_RULE,)))
    assert outcome(shaped.request, LOG, NOON) == Failed((Code.INVALID_RULE,))


@pytest.mark.parametrize("id", ["", " a", "a\n"])
def test_an_id_that_is_none_is_refused_before_the_queue(id: str) -> None:
    assert codes({"id": id}, "schedule_delete") == {"invalid_rule"}


def test_requests() -> None:
    assert read("schedule_list", {}) == Shaped(Listing())
    assert read("schedule_list", {"all": True}) == Shaped(Listing(), by_host=True)
    assert read("schedule_delete", {"id": "a"}) == Shaped(Deleting("a"))
    assert read_text("schedule_delete", '{"id":"b","id":"a"}') == Shaped(Deleting("a"))
    assert read("schedule_edit", {"id": "a"}) == Refusal((Code.INTERNAL_ERROR,), True, ("tool.ill-typed",))
    assert read_text("schedule_list", "{") == Refusal(tuple(Code), True, ("tool.ill-typed",))


def test_the_earlier_level_knows_one_selector() -> None:
    refusal = read("schedule_create", {"prompt": "x", "every_seconds": 300}, Profile.V1_AFTER)
    assert isinstance(refusal, Refusal)
    assert refusal.codes == (Code.INVALID_SELECTOR,)
    assert read("schedule_create", GOOD, Profile.V1_AFTER) == Shaped(Creating("x", "after_seconds", "60"))


def test_outcomes() -> None:
    assert outcome(Listing(), LOG, NOON) == Shown((A,), NOON)
    assert outcome(Deleting("a"), LOG, NOON) == Remove("a")
    assert outcome(Deleting("b"), LOG, NOON) == NotFound("b")
    stored = After("", "x", 60, NOON + 60_000)
    assert outcome(Creating("x", "after_seconds", "60"), LOG, NOON) == Store(stored)
    past = Creating("x", "at", '"2026-08-05T12:00:00Z"')
    assert outcome(past, LOG, NOON) == Failed((Code.NOT_FUTURE,))
    assert isinstance(outcome(past, LOG, NOON - 1), Store)


def test_a_log_that_does_not_fold_answers_nothing_else() -> None:
    corrupt = fold.fold([{"type": "schedule/change", "data": {}}])
    unread = fold.fold([7])
    assert isinstance(corrupt, Refused)
    assert isinstance(unread, Refused)
    for request in (Listing(), Deleting("a"), Creating("x", "after_seconds", "60")):
        assert outcome(request, corrupt, NOON) == Failed((Code.CORRUPT_SCHEDULE_LOG,))
        assert outcome(request, unread, NOON) == Failed((Code.CORRUPT_SCHEDULE_LOG, Code.INTERNAL_ERROR))


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "selector": ({"when": 1}, "invalid_selector"),
    "prompt": ({"prompt": ""}, "invalid_prompt"),
    "integer": ({"after_seconds": 0}, "invalid_rule"),
    "minimum": ({"every_seconds": 299}, "frequency_too_high"),
    "syntax": ({"at": "soon"}, "invalid_rule"),
    "zone": ({"at": {"date": "2027-01-01", "time": "09:00:00", "time_zone": "X/Y"}}, "invalid_time_zone"),
}
LATER: dict[str, tuple[str, ...]] = {
    "0001-01-01T00:00:00+14:00": ("time_out_of_range", "not_future"),
    "9999-12-31T23:59:59-01:00": ("time_out_of_range",),
    "2026-08-05T12:00:00Z": ("not_future",),
}


@pytest.mark.parametrize(("one", "other"), list(combinations(FAULTS, 2)))
def test_of_two_faults_of_the_input_either_code_is_answered_before_the_queue(one: str, other: str) -> None:
    (first, code), (second, other_code) = FAULTS[one], FAULTS[other]
    arguments = {"prompt": "x"} | first | second
    if {one, other} == {"syntax", "zone"}:
        assert codes(arguments) == set()
        return
    answered = codes(arguments)
    assert {code, other_code} & answered
    assert answered <= {code, other_code, "invalid_selector"}


@pytest.mark.parametrize("at", LATER)
def test_range_and_future_are_judged_after_the_barrier(at: str) -> None:
    shaped = read("schedule_create", {"prompt": "x", "at": at})
    assert isinstance(shaped, Shaped)
    assert shaped.request == Creating("x", "at", values.canonical(at))
    assert outcome(shaped.request, LOG, NOON) == Failed(tuple(map(Code, LATER[at])))


def test_answers_fit_by_value() -> None:
    view: dict[str, Any] = {"id": "a", "kind": "at", "prompt": "A", "scheduledAt": "2026-08-05T12:00:01.000Z"}
    view |= {"state": "scheduled", "deliveryMode": "session-local"}
    assert fits(Viewed(A, NOON), dict(reversed(view.items())))
    assert not fits(Viewed(A, NOON + 1000), view)
    assert fits(Viewed(A, NOON + 1000), view | {"state": "overdue"})
    assert not fits(Viewed(A, NOON), view | {"message": "extra"})
    assert not fits(NotFound("a"), {"id": "a", "deleted": 0, "code": "schedule_not_found"})


def test_errors_have_exactly_their_members() -> None:
    failed = Failed((Code.INVALID_RULE, Code.INVALID_PROMPT))
    assert fits(failed, {"code": "invalid_prompt", "message": "whatever"})
    assert not fits(failed, {"code": "invalid_selector", "message": "whatever"})
    assert not fits(failed, {"code": "invalid_rule", "message": 7})
    assert not fits(failed, {"code": "invalid_rule", "operation": "create"})
    assert uncertain(Listing()) == Uncertain("list", None)
    assert uncertain(Creating("x", "after_seconds", "1"), "a") == Uncertain("create", "a")
    assert uncertain(Deleting("a")) == Uncertain("delete", "a")
    listing: Any = {"code": "persistence_uncertain", "operation": "list", "id": "a"}
    assert not fits(Uncertain("list", None), listing)
    assert not fits(Uncertain("delete", "a"), {"code": "persistence_uncertain", "operation": "delete"})


def test_values_are_compared_as_json() -> None:
    assert values.same({"a": [300.0], "b": "\ud83d\ude00"}, {"b": "😀", "a": [300]})
    assert not values.same(True, 1)
    assert not values.same(1, 1.5)
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert not values.same(deep, deep)
