"""What the tools' arguments show by themselves, what a call comes to, and each pair of faults in one call."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from schedule_spec import fold, values
from schedule_spec.fold import Refused, State
from schedule_spec.json_text import Json
from schedule_spec.profiles import Profile
from schedule_spec.records import After, At
from schedule_spec.rejections import Code
from schedule_spec.tools import (
    Answer,
    Creating,
    Deleting,
    Failed,
    Listing,
    NotFound,
    Refusal,
    Remove,
    Removed,
    Shaped,
    Shown,
    Store,
    Uncertain,
    Viewed,
    fits,
    is_error,
    outcome,
    read,
    read_text,
    stored,
    uncertain,
    value_of,
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
        ({"prompt": "", "at": "soon", "when": 1}, {"invalid_selector", "invalid_prompt", "invalid_rule"}),
        ({"prompt": "", "at": "2027-01-01T00:00:00Z"}, {"invalid_prompt"}),
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
        (GOOD | {"prompt": " "}, False),
        (GOOD, False),
    ],
)
def test_the_host_may_refuse_what_is_ill_typed(arguments: Any, by_host: bool) -> None:
    assert read("schedule_create", arguments).by_host == by_host


def may_be_refused_by_the_host(arguments: Any) -> bool:
    return read("schedule_create", {"prompt": "x"} | arguments).by_host


def test_the_host_may_refuse_what_is_no_whole_number_and_what_may_be_minus_zero() -> None:
    """tool.ill-typed: also where another selector is as it should be."""
    ill_typed: list[Json] = [None, True, False, "60", [], {}, 0, -0.0, 1.5, -0.5]
    assert all(may_be_refused_by_the_host({"after_seconds": value}) for value in ill_typed)
    assert not any(may_be_refused_by_the_host({"after_seconds": value}) for value in (1, -1, 2**53, 1e300))
    assert may_be_refused_by_the_host({"after_seconds": "60", "every_seconds": 300})
    assert not may_be_refused_by_the_host({"after_seconds": 60, "every_seconds": 300})


def test_the_host_may_refuse_an_at_of_another_shape() -> None:
    """tool.ill-typed: not for what its strings say, nor for the order of its members."""
    whole: dict[str, Json] = {"time_zone": "z", "time": "t", "date": "d"}
    ill_typed: list[Json] = [
        None,
        7,
        [],
        {},
        {"date": "d", "time": "t"},
        whole | {"time": 1},
        whole | {"a": "b"},
    ]
    assert all(may_be_refused_by_the_host({"at": value}) for value in ill_typed)
    assert not any(may_be_refused_by_the_host({"at": value}) for value in ("soon", whole))


def test_an_unknown_argument_may_be_refused_by_the_host() -> None:
    refusal = Refusal((Code.INVALID_SELECTOR,), True, ("tool.create-selector",))
    assert read("schedule_create", GOOD | {"when": 1}) == refusal
    assert read("schedule_create", {"prompt": "x"}) == replace(refusal, by_host=False)


@pytest.mark.parametrize(
    ("arguments", "clauses"),
    [
        ({"prompt": "x"}, ["tool.create-selector"]),
        (GOOD | {"when": 1}, ["tool.create-selector"]),
        (GOOD | {"prompt": " "}, ["tool.create-prompt"]),
        (GOOD | {"prompt": 7}, ["tool.ill-typed"]),
        ({"after_seconds": 1}, ["tool.ill-typed"]),
        (GOOD | {"after_seconds": 0}, ["after.rule"]),
        ({"prompt": "x", "every_seconds": 299}, ["every.minimum"]),
        (
            {"prompt": "", "every_seconds": 0.5, "after_seconds": -1},
            ["tool.create-selector", "tool.create-prompt", "after.rule", "every.rule"],
        ),
    ],
)
def test_a_refusal_names_the_clauses_that_the_arguments_break(arguments: Any, clauses: list[str]) -> None:
    refusal = read("schedule_create", arguments)
    assert isinstance(refusal, Refusal)
    assert list(refusal.clauses) == clauses


def test_what_at_shows_may_come_before_the_queue_or_after_the_barrier() -> None:
    shaped = read("schedule_create", {"prompt": " x ", "at": "soon"})
    assert shaped == Shaped(Creating("x", "at", '"soon"', (Code.INVALID_RULE,)))
    assert outcome(shaped.request, LOG, NOON) == Failed((Code.INVALID_RULE,))


@pytest.mark.parametrize("id", ["", " a", "a\n"])
def test_an_id_that_is_none_is_refused_before_the_queue(id: str) -> None:
    shape = ((Code.INVALID_RULE,), ("tool.shape-first",))
    assert read("schedule_delete", {"id": id}) == Refusal(shape[0], False, shape[1])
    assert read("schedule_delete", {"id": id, "more": 1}) == Refusal(shape[0], True, shape[1])


@pytest.mark.parametrize("arguments", [{}, {"id": 7}, {"id": None}, {"id": ["a"]}, {"ID": "a"}])
def test_an_id_that_is_missing_or_no_string_may_be_refused_by_the_host(arguments: Any) -> None:
    """tool.ill-typed"""
    refusal = Refusal((Code.INVALID_RULE,), True, ("tool.ill-typed",))
    assert read("schedule_delete", arguments) == refusal


def test_requests() -> None:
    assert read("schedule_list", {}) == Shaped(Listing())
    assert read("schedule_list", {"all": True}) == Shaped(Listing(), by_host=True)
    assert read("schedule_delete", {"id": "a"}) == Shaped(Deleting("a"))
    assert read("schedule_delete", {"id": "a", "more": 1}) == Shaped(Deleting("a"), by_host=True)
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


def test_on_a_log_that_does_not_fold_what_at_shows_may_still_come_first() -> None:
    """tool.error-sound: of `at`, before or after the first barrier."""
    corrupt = fold.fold([{"type": "schedule/change", "data": {}}])
    unread = fold.fold([7])
    assert isinstance(corrupt, Refused)
    assert isinstance(unread, Refused)
    request = Creating("x", "at", '"soon"', (Code.INVALID_RULE,))
    assert outcome(request, corrupt, NOON) == Failed((Code.CORRUPT_SCHEDULE_LOG, Code.INVALID_RULE))
    codes = (Code.CORRUPT_SCHEDULE_LOG, Code.INTERNAL_ERROR, Code.INVALID_RULE)
    assert outcome(request, unread, NOON) == Failed(codes)


def test_what_at_shows_comes_in_the_order_of_the_reference() -> None:
    at: Any = {"date": "2026-02-30", "time": "9", "time_zone": "X"}
    shaped = read("schedule_create", {"prompt": "x", "at": at})
    assert isinstance(shaped, Shaped)
    assert isinstance(shaped.request, Creating)
    assert shaped.request.early == (Code.INVALID_RULE, Code.INVALID_TIME_ZONE)
    assert outcome(shaped.request, LOG, NOON) == Failed((Code.INVALID_RULE, Code.INVALID_TIME_ZONE))


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


VIEW: dict[str, Any] = {
    "id": "a",
    "kind": "at",
    "prompt": "A",
    "scheduledAt": "2026-08-05T12:00:01.000Z",
    "state": "scheduled",
    "deliveryMode": "session-local",
}


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        (Shown((), NOON), []),
        (Shown((A, A), NOON), [VIEW, VIEW]),
        (Viewed(A, NOON), VIEW),
        (Removed("a"), {"id": "a", "deleted": True}),
        (NotFound("a"), {"id": "a", "deleted": False, "code": "schedule_not_found"}),
        (Failed((Code.NOT_FUTURE,)), {"code": "not_future"}),
        (Failed((Code.INVALID_RULE, Code.NOT_FUTURE)), {"code": "invalid_rule"}),
        (Uncertain("list", None), {"code": "persistence_uncertain", "operation": "list"}),
        (Uncertain("create", "a"), {"code": "persistence_uncertain", "operation": "create", "id": "a"}),
    ],
)
def test_the_value_of_an_answer(answer: Answer, value: Any) -> None:
    """tool.create-result, tool.list, tool.delete-active, tool.delete-unknown, barrier.uncertain."""
    assert value_of(answer) == value
    assert fits(answer, value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"code": "not_future"}, True),
        ({"code": "made_up", "message": "m"}, True),
        ({"code": "persistence_uncertain", "operation": "list"}, True),
        ({"id": "a", "deleted": False, "code": "schedule_not_found"}, False),
        ({"id": "a", "deleted": True}, False),
        ({}, False),
        (VIEW, False),
        ([], False),
        (["code"], False),
        ("code", False),
        (None, False),
    ],
)
def test_an_error_is_an_object_with_a_code_that_deletes_nothing(value: Any, expected: bool) -> None:
    assert is_error(value) is expected


@pytest.mark.parametrize("code", Code)
def test_each_code_is_answered_as_it_is_spelt(code: Code) -> None:
    """tool.errors-closed"""
    assert value_of(Failed((code,))) == {"code": code.value}


@pytest.mark.parametrize(
    ("answer", "value", "free"),
    [
        (Failed((Code.NOT_FUTURE,)), {"code": "not_future"}, True),
        (Uncertain("list", None), {"code": "persistence_uncertain", "operation": "list"}, True),
        (Removed("a"), {"id": "a", "deleted": True}, False),
    ],
)
def test_the_message_of_an_error_is_free(answer: Answer, value: dict[str, Json], free: bool) -> None:
    assert fits(answer, value | {"message": "m"}) == free


@pytest.mark.parametrize("value", [None, [], "invalid_rule", 7, [{"code": "invalid_rule"}]])
def test_what_is_no_object_is_no_error(value: Any) -> None:
    assert not fits(Failed((Code.INVALID_RULE,)), value)
    assert not fits(Uncertain("list", None), value)


def test_a_record_is_stored_under_the_id_it_was_given() -> None:
    assert stored(After("", "x", 60, NOON), "schedule-1") == After("schedule-1", "x", 60, NOON)


def test_errors_have_exactly_their_members() -> None:
    failed = Failed((Code.INVALID_RULE, Code.INVALID_PROMPT))
    assert fits(failed, {"code": "invalid_prompt", "message": "whatever"})
    assert not fits(failed, {"code": "invalid_selector", "message": "whatever"})
    assert not fits(failed, {"code": "invalid_rule", "message": 7})
    assert not fits(failed, {"code": "invalid_rule", "operation": "create"})
    assert uncertain(Listing()) == Uncertain("list", None)
    assert uncertain(Creating("x", "after_seconds", "1"), "a") == Uncertain("create", "a")
    assert uncertain(Deleting("a")) == Uncertain("delete", "a")
    assert uncertain(Creating("x", "after_seconds", "1")) == Uncertain("create", None)
    listing: Any = {"code": "persistence_uncertain", "operation": "list", "id": "a"}
    assert not fits(Uncertain("list", None), listing)
    assert not fits(Uncertain("delete", "a"), {"code": "persistence_uncertain", "operation": "delete"})
