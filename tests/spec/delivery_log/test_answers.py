"""What a tool result answers: what a log shows of it is right, wrong, or cannot be told."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import pytest
from tests.spec.delivery_log.logs import (
    REOPENED,
    A,
    B,
    C,
    Event,
    answer,
    call,
    create,
    delete,
    dispatch,
    fault,
    findings,
    said,
    say,
    values,
)
from tests.spec.live.traces import NOON, after, every, one, view

from schedule_spec.delivery_log.answers import Clock
from schedule_spec.delivery_log.findings import Checked, NotShown
from schedule_spec.profiles import Profile
from schedule_spec.records import After, At, Every, Record
from schedule_spec.rejections import Code

Json = Any
Active: TypeAlias = Sequence[Record]
Events: TypeAlias = Sequence[Event]

ANSWER, STATE = Checked.ANSWER, NotShown.STATE
UNQUEUED = ("suspected", "deliver.enqueue-before-dispatch")
X, Y = after("x", 60), after("y", 60)
"""What `ASKED` at noon stores, under two ids."""
ASKED = {"prompt": "x", "after_seconds": 60}
EVERY = every("e", 300)
"""What `{"prompt": "E", "every_seconds": 300}` at noon stores."""
SECONDS, OFFSET = {"prompt": "E", "every_seconds": 300}, {"prompt": "A", "at": "2026-08-05T12:01:00Z"}
ILL_TYPED = {"prompt": " x ", "after_seconds": "60"}
REFUSED = "Error: invalid arguments"
LIST = call(0, "list", {})
CREATE, CREATED, SHOWN = call(0, "create", ASKED), create(0.1, X), answer(0.2, view(X))
DELETE, DELETED = call(0, "delete", {"id": "a"}), delete(0.1, "a")
GONE: Json = {"id": "a", "deleted": True}
MISSING: Json = {"id": "a", "deleted": False, "code": "schedule_not_found"}
NONE_OF_Z = (
    call(0, "delete", {"id": "z"}, "2"),
    answer(0.2, {"id": "z", "deleted": False, "code": "schedule_not_found"}, "2"),
)
"""Another call, begun and answered."""


def error(code: str, **members: Json) -> Json:
    return {"code": code, "message": "m"} | members


def uncertain(operation: str, **members: Json) -> Json:
    return error("persistence_uncertain", operation=operation, **members)


def codes(*names: str) -> tuple[str, ...]:
    return tuple(f"an error with the code {name}" for name in names)


CODES_OF_AN_AT = codes(
    "persistence_uncertain",
    "internal_error",
    "invalid_rule",
    "invalid_time_zone",
    "not_future",
    "time_out_of_range",
)


def local(**members: Json) -> Json:
    """The arguments of a create of A by a local time, or of one with other members."""
    at = {"date": "2026-08-05", "time": "12:01:00", "time_zone": "UTC"} | members
    return {"prompt": "A", "at": at}


# ---- the clock over a call


@pytest.mark.parametrize(
    ("times", "clock"),
    [
        ([5], Clock(5, 5, steady=True)),
        ([5, 5], Clock(5, 5, steady=True)),
        ([5, 7, 9], Clock(5, 9, steady=True)),
        ([5, 9, 7], Clock(5, 9, steady=False)),
        ([5, 9, 7, 9], Clock(5, 9, steady=False)),
        ([5, 4, 6], Clock(5, 6, steady=False)),
        ([0, 1], Clock(0, 1, steady=True)),
        ([None], Clock(None, None, steady=False)),
        ([None, 5, 7], Clock(5, 7, steady=False)),
        ([5, None, 7], Clock(5, 7, steady=False)),
    ],
    ids=str,
)
def test_clock_over_some_events(times: list[int | None], clock: Clock) -> None:
    read = Clock()
    for time in times:
        read = read.read(time)
    assert read == clock


# ---- what is right, and what a log does not show

SOUND: dict[str, tuple[Active, Events, list[object]]] = {
    # create
    "create": ([], [CREATE, CREATED, SHOWN], [ANSWER]),
    "create-of-an-every": (
        [],
        [call(0, "create", SECONDS), create(0, EVERY), answer(0, view(EVERY))],
        [ANSWER],
    ),
    "create-of-an-at": ([], [call(0, "create", OFFSET), create(0, A), answer(0, view(A))], [ANSWER]),
    "create-of-a-local-time": ([], [call(0, "create", local()), create(0, A), answer(0, view(A))], [ANSWER]),
    "create-of-a-local-time-of-other-zone-data": (
        [],
        [call(0, "create", local()), create(0, one("a", 61)), answer(0, view(one("a", 61)))],
        [ANSWER, NotShown.ZONE],
    ),
    "create-of-a-local-time-that-other-zone-data-may-know": (
        [],
        [
            call(0, "create", local(date="2027-03-14", time="02:30:00", time_zone="America/New_York")),
            create(0, A),
            answer(0, view(A)),
        ],
        [ANSWER, NotShown.ZONE],
    ),
    "create-in-a-zone-that-other-zone-data-may-know": (
        [],
        [call(0, "create", local(time_zone="Moon/Copernicus")), create(0, A), answer(0, view(A))],
        [ANSWER, NotShown.ZONE],
    ),
    "create-of-padded-prompt": (
        [],
        [call(0, "create", ASKED | {"prompt": "\tx "}), CREATED, SHOWN],
        [ANSWER],
    ),
    "create-by-a-float": ([], [call(0, "create", ASKED | {"after_seconds": 60.0}), CREATED, SHOWN], [ANSWER]),
    "create-by-a-text": (
        [],
        [call(0, "create", '{"prompt":"x","after_seconds":6e1}'), CREATED, SHOWN],
        [ANSWER],
    ),
    "create-shown-overdue-at-once": ([], [CREATE, CREATED, answer(60, view(X, "overdue"))], [ANSWER, STATE]),
    "create-shown-scheduled-late": ([], [CREATE, CREATED, answer(60, view(X))], [ANSWER, STATE]),
    "create-shown-just-before-its-target": ([], [CREATE, CREATED, answer(59.999, view(X))], [ANSWER]),
    "create-beside-a-foreign-delete": ([A], [CREATE, DELETED, CREATED, SHOWN], [ANSWER]),
    "create-beside-a-foreign-create": ([], [CREATE, create(0, A), CREATED, SHOWN], [ANSWER]),
    "create-beside-a-dispatch": (
        [A],
        [call(0, "create", ASKED), dispatch(0, "a"), CREATED, SHOWN],
        [UNQUEUED, ANSWER],
    ),
    # list
    "list-of-none": ([], [LIST, answer(1, [])], [ANSWER]),
    "list-of-two": ([A, B], [LIST, answer(1, [view(A), view(B)])], [ANSWER]),
    "list-by-a-text": ([A], [call(0, "list", "{}"), answer(1, [view(A)])], [ANSWER]),
    "list-by-an-empty-text": ([A], [call(0, "list", ""), answer(1, [view(A)])], [ANSWER]),
    "list-by-a-blank-text": ([A], [call(0, "list", " \n"), answer(1, [view(A)])], [ANSWER]),
    "list-overdue-at-the-target": ([A], [call(60, "list", {}), answer(61, [view(A, "overdue")])], [ANSWER]),
    "list-scheduled-before-the-target": ([A], [LIST, answer(59.999, [view(A)])], [ANSWER]),
    "list-on-both-sides-of-a-target": ([A], [LIST, answer(60, [view(A)])], [ANSWER, STATE]),
    "list-on-both-sides-of-a-target-overdue": (
        [A],
        [call(59.999, "list", {}), answer(60, [view(A, "overdue")])],
        [ANSWER, STATE],
    ),
    "list-on-both-sides-of-the-first-target": (
        [A, B],
        [call(50, "list", {}), answer(70, [view(A, "overdue"), view(B)])],
        [ANSWER, STATE],
    ),
    "list-of-two-overdue-and-two-scheduled": (
        [one("d", 30), A, B, one("f", 200)],
        [
            call(60, "list", {}),
            answer(
                60,
                [view(one("d", 30), "overdue"), view(A, "overdue"), view(B), view(one("f", 200))],
            ),
        ],
        [ANSWER],
    ),
    "list-begun-without-a-time": ([A], [call(None, "list", {}), answer(1, [view(A)])], [ANSWER, STATE]),
    "list-answered-without-a-time": ([A], [LIST, answer(None, [view(A)])], [ANSWER, STATE]),
    "list-without-any-time": (
        [A],
        [call(None, "list", {}), answer(None, [view(A, "overdue")])],
        [ANSWER, STATE],
    ),
    "list-of-none-without-a-time": ([], [call(None, "list", {}), answer(1, [])], [ANSWER]),
    "list-with-the-clock-set-back": ([A], [call(5, "list", {}), answer(4, [view(A)])], [ANSWER, STATE]),
    "list-with-the-clock-set-back-before-a-change": (
        [A],
        [call(70, "list", {}), create(10, B), answer(80, [view(A)])],
        [ANSWER, STATE],
    ),
    "list-over-a-change-without-a-time": (
        [A],
        [LIST, create(None, B), answer(1, [view(A), view(B)])],
        [ANSWER, STATE],
    ),
    "list-before-a-create": ([A], [LIST, create(1, B), answer(2, [view(A)])], [ANSWER]),
    "list-after-a-create": ([A], [LIST, create(1, B), answer(2, [view(A), view(B)])], [ANSWER]),
    "list-between-two-creates": (
        [A],
        [LIST, create(1, B), create(1, C), answer(2, [view(A), view(B)])],
        [ANSWER],
    ),
    "list-after-a-delete": ([A, B], [LIST, delete(1, "a"), answer(2, [view(B)])], [ANSWER]),
    "list-over-another-call-without-a-time": (
        [A],
        [LIST, call(None, "delete", {"id": "z"}, "2"), NONE_OF_Z[1], answer(1, [view(A)])],
        [ANSWER, ANSWER, STATE],
    ),
    "list-over-another-result-without-a-time": (
        [A],
        [LIST, NONE_OF_Z[0], answer(None, MISSING | {"id": "z"}, "2"), answer(1, [view(A)])],
        [ANSWER, ANSWER, STATE],
    ),
    "list-over-another-call": ([A], [LIST, *NONE_OF_Z, answer(1, [view(A)])], [ANSWER, ANSWER]),
    # delete
    "delete": ([A], [DELETE, DELETED, answer(1, GONE)], [ANSWER]),
    "delete-by-a-text": ([A], [call(0, "delete", '{"id":"a"}'), DELETED, answer(1, GONE)], [ANSWER]),
    "delete-of-none": ([B], [DELETE, answer(1, MISSING)], [ANSWER]),
    "delete-of-what-is-created-meanwhile": ([], [DELETE, create(0, A), answer(1, MISSING)], [ANSWER]),
    "delete-of-what-is-dispatched-meanwhile": (
        [A, B],
        [DELETE, dispatch(60, "a"), answer(61, MISSING)],
        [UNQUEUED, ANSWER],
    ),
    "delete-beside-a-foreign-one": ([A, B], [DELETE, delete(0, "b"), DELETED, answer(1, GONE)], [ANSWER]),
    # errors
    "too-often": (
        [],
        [call(0, "create", SECONDS | {"every_seconds": 5}), answer(1, error("frequency_too_high"))],
        [ANSWER],
    ),
    "error-without-a-message": (
        [],
        [call(0, "create", SECONDS | {"every_seconds": 5}), answer(1, {"code": "frequency_too_high"})],
        [ANSWER],
    ),
    "out-of-range": ([], [CREATE, answer(1, error("time_out_of_range"))], [ANSWER]),
    "out-of-range-beside-a-foreign-create": (
        [],
        [CREATE, create(0, A), answer(1, error("time_out_of_range"))],
        [ANSWER],
    ),
    "internal-error-of-a-list": ([A], [LIST, answer(1, error("internal_error"))], [ANSWER]),
    "internal-error-of-a-delete": ([A], [DELETE, answer(1, error("internal_error"))], [ANSWER]),
    "internal-error-after-an-append": ([], [CREATE, CREATED, answer(1, error("internal_error"))], [ANSWER]),
    "internal-error-instead-of-a-refusal": (
        [],
        [call(0, "create", ILL_TYPED), answer(1, error("internal_error"))],
        [ANSWER],
    ),
    "error-beside-an-append-while-another-call-was-open": (
        [],
        [CREATE, *NONE_OF_Z, CREATED, answer(1, error("time_out_of_range"))],
        [ANSWER, ANSWER],
    ),
    "error-beside-an-append-of-a-call-begun-second": (
        [],
        [
            call(0, "list", {}, "2"),
            CREATE,
            CREATED,
            answer(1, error("time_out_of_range")),
            answer(1, [], "2"),
        ],
        [ANSWER, ANSWER],
    ),
    "uncertain-list": ([A], [LIST, answer(1, uncertain("list"))], [ANSWER]),
    "uncertain-delete": ([A], [DELETE, answer(1, uncertain("delete", id="a"))], [ANSWER]),
    "uncertain-delete-after-its-append": (
        [A],
        [DELETE, DELETED, answer(1, uncertain("delete", id="a"))],
        [ANSWER],
    ),
    "uncertain-create": ([], [CREATE, answer(1, uncertain("create"))], [ANSWER]),
    "uncertain-create-after-its-append": (
        [],
        [CREATE, CREATED, answer(1, uncertain("create", id="x"))],
        [ANSWER],
    ),
    "uncertain-create-beside-a-foreign-one": (
        [],
        [CREATE, create(0, A), answer(1, uncertain("create"))],
        [ANSWER],
    ),
    "uncertain-create-that-may-be-another's": (
        [],
        [CREATE, *NONE_OF_Z, CREATED, answer(1, uncertain("create"))],
        [ANSWER, ANSWER],
    ),
    "uncertain-create-that-may-be-its-own": (
        [],
        [CREATE, *NONE_OF_Z, CREATED, answer(1, uncertain("create", id="x"))],
        [ANSWER, ANSWER],
    ),
    "uncertain-of-arguments-that-are-none": (
        [],
        [call(0, "create", "none"), answer(1, uncertain("create"))],
        [ANSWER],
    ),
    "bare-uncertain-of-arguments-that-are-none": (
        [],
        [call(0, "create", [ASKED]), answer(1, error("persistence_uncertain"))],
        [ANSWER],
    ),
    # the host
    "no-json": ([A], [LIST, say(1, "[kept in a file]")], [NotShown.FORM]),
    "no-text": ([A], [LIST, say(1, None)], [NotShown.FORM]),
    "host-abort": ([A], [LIST, say(1, "Error: aborted", is_error=True)], [NotShown.BY_HOST]),
    "host-abort-without-text": ([A], [LIST, say(1, None, is_error=True)], [NotShown.BY_HOST]),
    "host-abort-after-an-append": (
        [],
        [CREATE, CREATED, say(1, "Error: aborted", is_error=True)],
        [NotShown.BY_HOST],
    ),
    "json-as-an-error": ([A], [LIST, say(1, '{"code":"internal_error"}', is_error=True)], [ANSWER]),
    "refused": ([], [call(0, "create", ILL_TYPED), say(1, REFUSED, is_error=True)], [ANSWER]),
    "refused-by-a-code": (
        [],
        [
            call(0, "create", ILL_TYPED),
            say(1, '{"issues":[]}', is_error=True, error={"code": "INVALID_ARGS"}),
        ],
        [ANSWER],
    ),
    "refused-and-said-to-be-no-error": (
        [],
        [call(0, "create", ILL_TYPED), say(1, REFUSED)],
        [NotShown.FORM],
    ),
    "refused-list": ([A], [LIST, create(0, X), say(1, REFUSED, is_error=True)], [ANSWER]),
    "refused-beside-a-foreign-create": (
        [],
        [call(0, "create", ILL_TYPED), create(0, A), say(1, REFUSED, is_error=True)],
        [ANSWER],
    ),
    "refused-beside-a-foreign-delete": (
        [A],
        [call(0, "create", ILL_TYPED), DELETED, say(1, REFUSED, is_error=True)],
        [ANSWER],
    ),
    "refused-without-a-prompt": (
        [],
        [call(0, "create", {"after_seconds": 60}), CREATED, say(1, REFUSED, is_error=True)],
        [ANSWER],
    ),
    "refused-arguments-that-are-a-list": (
        [],
        [call(0, "create", [ILL_TYPED]), CREATED, say(1, REFUSED, is_error=True)],
        [ANSWER],
    ),
    "refused-arguments-that-are-no-json": (
        [],
        [call(0, "create", "x"), CREATED, say(1, REFUSED, is_error=True)],
        [ANSWER],
    ),
    "refused-create-that-stored-another-rule": (
        [],
        [CREATE, create(0, after("x", 61)), say(1, REFUSED, is_error=True)],
        [ANSWER],
    ),
    "refused-delete-with-a-prompt": (
        [],
        [call(0, "delete", {"prompt": "x"}), CREATED, say(1, REFUSED, is_error=True)],
        [ANSWER],
    ),
    "refused-delete-beside-a-foreign-one": (
        [A, B],
        [call(0, "delete", {"id": "a", "x": 1}), delete(0, "b"), say(1, REFUSED, is_error=True)],
        [ANSWER],
    ),
    "refused-beside-an-append-while-another-call-was-open": (
        [],
        [call(0, "create", ILL_TYPED), *NONE_OF_Z, CREATED, say(1, REFUSED, is_error=True)],
        [ANSWER, ANSWER],
    ),
    # several calls
    "two-creates": (
        [],
        [
            CREATE,
            call(0, "create", ASKED, "2"),
            CREATED,
            create(0.1, Y),
            answer(0.2, view(Y), "2"),
            answer(0.2, view(X)),
        ],
        [ANSWER, ANSWER],
    ),
    "two-deletes": (
        [A, B],
        [
            DELETE,
            call(0, "delete", {"id": "b"}, "2"),
            DELETED,
            delete(0.1, "b"),
            answer(1, GONE),
            answer(1, {"id": "b", "deleted": True}, "2"),
        ],
        [ANSWER, ANSWER],
    ),
    "two-deletes-of-one": (
        [A],
        [DELETE, call(0, "delete", {"id": "a"}, "2"), DELETED, answer(1, GONE, "2"), answer(1, MISSING)],
        [ANSWER, ANSWER],
    ),
    "delete-that-another-call-did-and-has-not-told": (
        [A],
        [DELETE, call(0, "delete", {"id": "a"}, "2"), DELETED, answer(1, MISSING), answer(1, GONE, "2")],
        [ANSWER, ANSWER],
    ),
    "two-uncertain-creates": (
        [],
        [
            CREATE,
            call(0, "create", ASKED, "2"),
            CREATED,
            create(0.1, Y),
            answer(1, uncertain("create", id="y")),
            answer(1, view(X), "2"),
        ],
        [ANSWER, ANSWER],
    ),
    "uncertain-create-without-an-id-accounts-for-none": (
        [],
        [
            CREATE,
            call(0, "create", ASKED, "2"),
            CREATED,
            answer(1, uncertain("create")),
            answer(1, view(X), "2"),
        ],
        [ANSWER, ANSWER],
    ),
    "result-of-no-call": ([A], [answer(0, []), answer(0, "x", "2")], []),
    "result-of-another-call": ([A], [LIST, answer(0, [], "2"), answer(1, [view(A)])], [ANSWER]),
    "result-twice": ([A], [LIST, answer(1, [view(A)]), answer(1, [])], [ANSWER]),
    "call-without-a-result": ([A], [LIST], [NotShown.NO_RESULT]),
    "two-calls-without-a-result": ([A], [LIST, NONE_OF_Z[0]], [NotShown.NO_RESULT, NotShown.NO_RESULT]),
    "call-id-used-again": ([A], [LIST, DELETE, DELETED, answer(1, GONE)], [NotShown.NO_RESULT, ANSWER]),
    "call-cut-off": ([A], [LIST, REOPENED, answer(1, [])], [NotShown.NO_RESULT]),
    "third-call": (
        [],
        [
            LIST,
            call(0, "list", {}, "2"),
            call(0, "list", {}, "3"),
            answer(1, [], "3"),
            answer(1, [], "2"),
            answer(1, []),
        ],
        [ANSWER, ANSWER, ANSWER],
    ),
}


@pytest.mark.parametrize(("active", "events", "expected"), SOUND.values(), ids=SOUND)
def test_what_is_said_where_nothing_is_wrong(active: Active, events: Events, expected: list[object]) -> None:
    assert said(active, *events) == expected


def test_positions_of_what_is_said() -> None:
    told = findings([A], LIST, NONE_OF_Z[0], NONE_OF_Z[1], answer(60, [view(A)]), DELETE)
    assert told == [(2, ANSWER), (3, ANSWER), (3, STATE), (5, NotShown.NO_RESULT)]


@pytest.mark.parametrize(
    ("count", "expected"), [(99, ANSWER), (100, ANSWER), (101, NotShown.TOO_MUCH), (102, NotShown.TOO_MUCH)]
)
def test_a_hundred_changes_are_remembered_of_a_call(count: int, expected: object) -> None:
    changes = [delete(0, "x") if place % 2 else create(0, X) for place in range(count)]
    result = [view(X)] if count % 2 else []
    assert said([A], LIST, *changes, answer(0, [view(A), *result])) == [expected]


@pytest.mark.parametrize("value", [None, 5, "x", {}, {"code": "none"}, error("not_future")], ids=str)
def test_what_a_call_is_told_of_which_too_much_is_forgotten(value: Json) -> None:
    changes = [delete(0, "x") if place % 2 else create(0, X) for place in range(101)]
    assert said([], LIST, *changes, answer(0, value)) == [NotShown.TOO_MUCH]


# ---- what is wrong

Wrong: TypeAlias = tuple[Active, Events, str, tuple[str, ...]]
"""The active records, the events of which the last is wrong; the clause, and what would have been right."""

FAULTY: dict[str, Wrong] = {
    # arguments
    "no-selector-and-no-prompt": (
        [],
        [call(0, "create", {"prompt": " "}), create(0, X), answer(1, view(X))],
        "tool.create-selector",
        codes("invalid_selector", "invalid_prompt"),
    ),
    "no-prompt": (
        [],
        [call(0, "create", ASKED | {"prompt": " "}), create(0, X), answer(1, view(X))],
        "tool.create-prompt",
        codes("invalid_prompt"),
    ),
    "too-often-is-accepted": (
        [],
        [call(0, "create", SECONDS | {"every_seconds": 299}), answer(1, view(EVERY))],
        "every.minimum",
        codes("frequency_too_high"),
    ),
    "padded-id-is-accepted": (
        [A],
        [call(0, "delete", {"id": " a"}), answer(1, MISSING)],
        "tool.shape-first",
        codes("invalid_rule"),
    ),
    "arguments-that-are-none-are-accepted": (
        [],
        [call(0, "create", "none"), answer(1, [])],
        "tool.ill-typed",
        codes(*Code),
    ),
    # the host's refusal
    "refused-and-appended": (
        [],
        [call(0, "create", ILL_TYPED), CREATED, say(1, REFUSED, is_error=True)],
        "tool.ill-typed",
        ("a refusal before which nothing is appended",),
    ),
    "refused-text-and-appended": (
        [],
        [call(0, "create", '{"prompt":" x ","after_seconds":"1"}'), CREATED, say(1, REFUSED, is_error=True)],
        "tool.ill-typed",
        ("a refusal before which nothing is appended",),
    ),
    "refused-create-that-is-well-formed-and-appended": (
        [],
        [CREATE, CREATED, say(1, REFUSED, is_error=True)],
        "tool.ill-typed",
        ("a refusal before which nothing is appended",),
    ),
    "refused-delete-and-appended": (
        [A],
        [call(0, "delete", {"id": "a", "x": 1}), DELETED, say(1, REFUSED, is_error=True)],
        "tool.ill-typed",
        ("a refusal before which nothing is appended",),
    ),
    # codes
    "code-of-none": (
        [],
        [LIST, answer(1, error("not_found"))],
        "tool.errors-closed",
        codes("persistence_uncertain", "internal_error"),
    ),
    "code-is-no-text": (
        [],
        [DELETE, answer(1, {"code": []})],
        "tool.errors-closed",
        codes("persistence_uncertain", "internal_error"),
    ),
    "code-in-capitals": (
        [],
        [CREATE, answer(1, error("TIME_OUT_OF_RANGE"))],
        "tool.errors-closed",
        codes("persistence_uncertain", "internal_error", "time_out_of_range"),
    ),
    "code-of-none-for-an-at": (
        [],
        [call(0, "create", OFFSET), answer(1, error("past"))],
        "tool.errors-closed",
        CODES_OF_AN_AT,
    ),
    "code-of-none-for-a-refusal": (
        [],
        [call(0, "create", SECONDS | {"every_seconds": 5}), answer(1, error("too_often"))],
        "tool.errors-closed",
        codes("frequency_too_high", "internal_error"),
    ),
    "corrupt-list": (
        [A],
        [LIST, answer(1, error("corrupt_schedule_log"))],
        "tool.error-sound",
        codes("persistence_uncertain", "internal_error"),
    ),
    "invalid-delete": (
        [A],
        [DELETE, answer(1, error("invalid_rule"))],
        "tool.error-sound",
        codes("persistence_uncertain", "internal_error"),
    ),
    "not-future-after": (
        [],
        [CREATE, answer(1, error("not_future"))],
        "tool.error-sound",
        codes("persistence_uncertain", "internal_error", "time_out_of_range"),
    ),
    "selector-of-an-at": (
        [],
        [call(0, "create", OFFSET), answer(1, error("invalid_selector"))],
        "tool.error-sound",
        CODES_OF_AN_AT,
    ),
    "uncertain-instead-of-a-refusal": (
        [],
        [call(0, "create", SECONDS | {"every_seconds": 5}), answer(1, uncertain("create"))],
        "tool.error-sound",
        codes("frequency_too_high", "internal_error"),
    ),
    "error-and-appended": (
        [],
        [CREATE, CREATED, answer(1, error("time_out_of_range"))],
        "tool.create-result",
        ("the result that tells of what was appended",),
    ),
    "error-of-an-at-and-appended": (
        [],
        [call(0, "create", OFFSET), create(0, A), answer(1, error("not_future"))],
        "tool.create-result",
        ("the result that tells of what was appended",),
    ),
    "error-of-a-refusal-and-appended": (
        [],
        [call(0, "create", ILL_TYPED), CREATED, answer(1, error("invalid_rule"))],
        "tool.create-result",
        ("the result that tells of what was appended",),
    ),
    # uncertainty without what is known
    "uncertain-list-that-names-an-id": (
        [A],
        [LIST, answer(1, uncertain("list", id="a"))],
        "barrier.uncertain",
        ('{"code":"persistence_uncertain","operation":"list"}',),
    ),
    "uncertain-list-of-another-operation": (
        [A],
        [LIST, answer(1, uncertain("create"))],
        "barrier.uncertain",
        ('{"code":"persistence_uncertain","operation":"list"}',),
    ),
    "uncertain-without-an-operation": (
        [A],
        [LIST, answer(1, error("persistence_uncertain"))],
        "barrier.uncertain",
        ('{"code":"persistence_uncertain","operation":"list"}',),
    ),
    "uncertain-delete-without-its-id": (
        [A],
        [DELETE, answer(1, uncertain("delete"))],
        "barrier.uncertain",
        ('{"code":"persistence_uncertain","id":"a","operation":"delete"}',),
    ),
    "uncertain-delete-of-another": (
        [A, B],
        [DELETE, DELETED, answer(1, uncertain("delete", id="b"))],
        "barrier.uncertain",
        ('{"code":"persistence_uncertain","id":"a","operation":"delete"}',),
    ),
    "uncertain-create-of-none": (
        [],
        [CREATE, answer(1, uncertain("create", id="x"))],
        "barrier.uncertain",
        ('{"code":"persistence_uncertain","operation":"create"}',),
    ),
    "uncertain-create-of-a-foreign-one": (
        [],
        [CREATE, create(0, A), answer(1, uncertain("create", id="a"))],
        "barrier.uncertain",
        ('{"code":"persistence_uncertain","operation":"create"}',),
    ),
    "uncertain-create-without-its-id": (
        [],
        [CREATE, CREATED, answer(1, uncertain("create"))],
        "barrier.uncertain",
        ('{"code":"persistence_uncertain","id":"x","operation":"create"}',),
    ),
    "uncertain-create-of-another-that-may-be-its-own": (
        [],
        [CREATE, *NONE_OF_Z, CREATED, answer(1, uncertain("create", id="y"))],
        "barrier.uncertain",
        (
            '{"code":"persistence_uncertain","operation":"create"}',
            '{"code":"persistence_uncertain","id":"x","operation":"create"}',
        ),
    ),
    # create
    "create-of-none": (
        [],
        [CREATE, answer(1, view(X))],
        "tool.create-result",
        ("an error: nothing was appended",),
    ),
    "create-of-another-instant": (
        [],
        [call(0, "create", OFFSET), create(0, one("a", 120)), answer(1, view(one("a", 120)))],
        "at.offset-meaning",
        ("the target 2026-08-05T12:01:00.000Z",),
    ),
    "create-of-a-date-that-is-none": (
        [],
        [
            call(0, "create", OFFSET | {"at": "2026-02-30T10:00:00+24:00"}),
            create(0, A),
            answer(1, view(A)),
        ],
        "at.real-date",
        codes("invalid_rule"),
    ),
    "create-of-a-local-date-that-is-none": (
        [],
        [call(0, "create", local(date="2026-02-30")), create(0, A), answer(1, view(A))],
        "at.real-date",
        codes("invalid_rule"),
    ),
    "create-of-a-local-date-that-is-none-in-a-zone-that-may-be-known": (
        [],
        [
            call(0, "create", local(date="2026-02-30", time_zone="Moon/Copernicus")),
            create(0, A),
            answer(1, view(A)),
        ],
        "at.real-date",
        codes("invalid_rule"),
    ),
    "create-of-a-local-time-without-its-zone": (
        [],
        [call(0, "create", local(time_zone=None)), create(0, A), answer(1, view(A))],
        "at.local-form",
        codes("invalid_time_zone"),
    ),
    "create-of-a-number": (
        [],
        [call(0, "create", {"prompt": "A", "at": NOON + 60_000}), create(0, A), answer(1, view(A))],
        "at.local-form",
        codes("invalid_rule"),
    ),
    "create-of-another-prompt": (
        [],
        [call(0, "create", ASKED | {"prompt": " y "}), CREATED, SHOWN],
        "tool.create-prompt",
        ('the prompt "y"',),
    ),
    "create-of-another-delay": (
        [],
        [call(0, "create", ASKED | {"after_seconds": 61}), CREATED, SHOWN],
        "after.target",
        ("the number of seconds that was given",),
    ),
    "create-of-another-interval": (
        [],
        [call(0, "create", SECONDS | {"every_seconds": 301}), create(0, EVERY), answer(1, view(EVERY))],
        "every.first-target",
        ("the number of seconds that was given",),
    ),
    "every-for-an-after": (
        [],
        [call(0, "create", {"prompt": "E", "after_seconds": 300}), create(0, EVERY), answer(1, view(EVERY))],
        "tool.create-result",
        ("the record that after_seconds asks for",),
    ),
    "after-for-an-every": (
        [],
        [
            call(0, "create", {"prompt": "x", "every_seconds": 300}),
            create(0, after("x", 300)),
            answer(1, view(after("x", 300))),
        ],
        "tool.create-result",
        ("the record that every_seconds asks for",),
    ),
    "after-for-an-at": (
        [],
        [call(0, "create", OFFSET | {"prompt": "x"}), CREATED, SHOWN],
        "tool.create-result",
        ("the record that at asks for",),
    ),
    "state-of-a-create-to-come": (
        [],
        [CREATE, CREATED, answer(59.999, view(X, "overdue"))],
        "view.state",
        ("the state scheduled",),
    ),
    # states
    "state-to-come": (
        [A],
        [LIST, answer(1, [view(A, "overdue")])],
        "view.state",
        ("the state scheduled",),
    ),
    "state-past": (
        [A],
        [call(60, "list", {}), answer(61, [view(A)])],
        "view.state",
        ("the state overdue",),
    ),
    "state-to-come-of-the-second": (
        [A, B],
        [call(50, "list", {}), answer(70, [view(A, "overdue"), view(B, "overdue")])],
        "view.state",
        ("the state scheduled",),
    ),
    "states-of-one-target": (
        [A, C],
        [LIST, answer(None, [view(A), view(C, "overdue")])],
        "tool.list",
        ("states under one clock sample",),
    ),
    "states-of-two-targets": (
        [A, B],
        [LIST, answer(100, [view(A), view(B, "overdue")])],
        "tool.list",
        ("states under one clock sample",),
    ),
    "state-behind-the-latest-that-is-overdue": (
        [one("d", 30), A, B],
        [LIST, answer(None, [view(one("d", 30), "overdue"), view(A), view(B, "overdue")])],
        "tool.list",
        ("states under one clock sample",),
    ),
    "state-before-the-earliest-that-is-scheduled": (
        [one("d", 200), A, B],
        [LIST, answer(None, [view(one("d", 200)), view(A), view(B, "overdue")])],
        "tool.list",
        ("states under one clock sample",),
    ),
    # delete
    "delete-of-none-succeeds": (
        [B],
        [DELETE, answer(1, GONE)],
        "tool.delete-active",
        ('{"code":"schedule_not_found","deleted":false,"id":"a"}',),
    ),
    "delete-without-an-append": (
        [A],
        [DELETE, answer(1, GONE)],
        "tool.delete-active",
        ('a delete in the log before {"deleted":true,"id":"a"}',),
    ),
    "delete-of-another-is-appended": (
        [A, B],
        [DELETE, delete(0, "b"), answer(1, GONE)],
        "tool.delete-active",
        ('a delete in the log before {"deleted":true,"id":"a"}',),
    ),
    "delete-that-another-call-has-told": (
        [A],
        [DELETE, call(0, "delete", {"id": "a"}, "2"), DELETED, answer(1, GONE, "2"), answer(1, GONE)],
        "tool.delete-active",
        ('{"code":"schedule_not_found","deleted":false,"id":"a"}',),
    ),
    "delete-that-another-call-has-told-as-uncertain": (
        [A],
        [
            DELETE,
            call(0, "delete", {"id": "a"}, "2"),
            DELETED,
            answer(1, uncertain("delete", id="a"), "2"),
            answer(1, GONE),
        ],
        "tool.delete-active",
        ('{"code":"schedule_not_found","deleted":false,"id":"a"}',),
    ),
    "active-is-not-found": (
        [A],
        [DELETE, answer(1, MISSING)],
        "tool.delete-unknown",
        ('{"deleted":true,"id":"a"}',),
    ),
    "active-is-not-found-while-another-call-was-open": (
        [A],
        [DELETE, *NONE_OF_Z, answer(1, MISSING)],
        "tool.delete-unknown",
        ('{"deleted":true,"id":"a"}',),
    ),
    "deleted-is-not-found": (
        [A],
        [DELETE, DELETED, answer(1, MISSING)],
        "tool.delete-unknown",
        ('{"deleted":true,"id":"a"}',),
    ),
    "none-is-not-found-otherwise": (
        [B],
        [DELETE, answer(1, MISSING | {"code": "not_found"})],
        "tool.delete-unknown",
        ('{"code":"schedule_not_found","deleted":false,"id":"a"}',),
    ),
    "another-is-not-found": (
        [B],
        [DELETE, answer(1, MISSING | {"id": "b"})],
        "tool.delete-unknown",
        ('{"code":"schedule_not_found","deleted":false,"id":"a"}',),
    ),
    "active-is-answered-otherwise": (
        [A],
        [DELETE, answer(1, None)],
        "tool.delete-active",
        ('a delete in the log before {"deleted":true,"id":"a"}',),
    ),
    "deleted-is-answered-otherwise": (
        [A],
        [DELETE, DELETED, answer(1, GONE | {"at": 1})],
        "tool.delete-active",
        ('{"deleted":true,"id":"a"}',),
    ),
}


@pytest.mark.parametrize(("active", "events", "clause", "right"), FAULTY.values(), ids=FAULTY)
def test_clause_that_is_broken_and_what_would_have_been_right(
    active: Active, events: Events, clause: str, right: tuple[str, ...]
) -> None:
    found = fault(active, *events)
    assert (found.clause, found.right) == (clause, right)


OTHER_VALUES: dict[str, tuple[Active, Events, str, list[Json]]] = {
    "error-that-tells-more": (
        [],
        [
            call(0, "create", SECONDS | {"every_seconds": 5}),
            answer(1, error("frequency_too_high", stack="s")),
        ],
        "tool.errors-closed",
        [{"code": "frequency_too_high", "message": "…"}],
    ),
    "error-whose-message-is-no-text": (
        [],
        [LIST, answer(1, {"code": "internal_error", "message": 1})],
        "tool.errors-closed",
        [{"code": "internal_error", "message": "…"}],
    ),
    "create-shown-with-another-id": (
        [],
        [CREATE, CREATED, answer(1, view(Y))],
        "tool.create-result",
        [view(X)],
    ),
    "create-shown-with-another-id-late": (
        [],
        [CREATE, CREATED, answer(60, view(Y))],
        "tool.create-result",
        [view(X, "overdue")],
    ),
    "create-shown-with-another-id-without-a-time": (
        [],
        [call(None, "create", ASKED), create(None, X), answer(None, view(Y))],
        "tool.create-result",
        [view(X)],
    ),
    "one-of-two-creates-shown-with-another-id": (
        [],
        [CREATE, create(0, A), CREATED, answer(1, view(Y))],
        "tool.create-result",
        [view(A), view(X)],
    ),
    "create-shown-as-a-list": ([], [CREATE, CREATED, answer(1, [view(X)])], "tool.create-result", [view(X)]),
    "create-shown-as-a-number": ([], [CREATE, CREATED, answer(1, 5)], "tool.create-result", [view(X)]),
    "create-shown-by-its-id-alone": (
        [],
        [CREATE, CREATED, answer(60, {"id": "x"})],
        "tool.create-result",
        [view(X, "overdue")],
    ),
    "create-shown-with-a-further-member": (
        [],
        [CREATE, CREATED, answer(1, view(X) | {"zone": "UTC"})],
        "tool.create-result",
        [view(X)],
    ),
    "create-shown-in-another-state-than-there-are": (
        [],
        [CREATE, CREATED, answer(1, view(X, "due"))],
        "tool.create-result",
        [view(X)],
    ),
    "create-shown-that-another-call-has-told": (
        [],
        [
            CREATE,
            call(0, "create", ASKED, "2"),
            CREATED,
            create(0.1, Y),
            answer(0.2, view(X), "2"),
            answer(0.2, view(X)),
        ],
        "tool.create-result",
        [view(Y)],
    ),
    "create-shown-that-another-call-has-told-as-uncertain": (
        [],
        [
            CREATE,
            call(0, "create", ASKED, "2"),
            CREATED,
            create(0.1, Y),
            answer(0.2, uncertain("create", id="y"), "2"),
            answer(0.2, view(Y)),
        ],
        "tool.create-result",
        [view(X)],
    ),
    "list-is-no-array": ([A], [LIST, answer(1, {"a": 1})], "tool.list", [[view(A)]]),
    "list-is-null": ([], [LIST, answer(1, None)], "tool.list", [[]]),
    "list-lacks-the-last": ([A, B], [LIST, answer(1, [view(A)])], "tool.list", [[view(A), view(B)]]),
    "list-lacks-the-first": ([A, B], [LIST, answer(1, [view(B)])], "tool.list", [[view(A), view(B)]]),
    "list-of-none-lacks-all": ([A], [LIST, answer(1, [])], "tool.list", [[view(A)]]),
    "list-shows-one-more": ([A], [LIST, answer(1, [view(A), view(B)])], "tool.list", [[view(A)]]),
    "list-shows-one-twice": ([A], [LIST, answer(1, [view(A), view(A)])], "tool.list", [[view(A)]]),
    "list-order": ([A, B], [LIST, answer(1, [view(B), view(A)])], "tool.list", [[view(A), view(B)]]),
    "list-of-another-prompt": (
        [A, B],
        [LIST, answer(1, [view(A) | {"prompt": "?"}, view(B)])],
        "tool.list",
        [[view(A), view(B)]],
    ),
    "list-of-another-prompt-at-the-end": (
        [A, B],
        [LIST, answer(70, [view(A, "overdue"), view(B) | {"prompt": "?"}])],
        "tool.list",
        [[view(A, "overdue"), view(B)]],
    ),
    "list-of-ids": ([A], [LIST, answer(1, ["a"])], "tool.list", [[view(A)]]),
    "list-of-what-was-long-before": (
        [A, B],
        [delete(0, "a"), call(0, "list", {}), answer(1, [view(A), view(B)])],
        "tool.list",
        [[view(B)]],
    ),
    "list-of-no-state-there-was": (
        [A],
        [LIST, create(0, B), create(0, C), answer(1, [view(A), view(C)])],
        "tool.list",
        [[view(A), view(B), view(C)]],
    ),
}


@pytest.mark.parametrize(("active", "events", "clause", "right"), OTHER_VALUES.values(), ids=OTHER_VALUES)
def test_clause_that_is_broken_and_the_value_that_would_have_been_right(
    active: Active, events: Events, clause: str, right: list[Json]
) -> None:
    found = fault(active, *events)
    assert (found.clause, values(found.right)) == (clause, right)


def test_first_fault_of_an_at_is_told() -> None:
    asked = call(0, "create", OFFSET | {"at": "2026-02-30T10:00:00+24:00"})
    assert "no date 2026-02-30" in fault([], asked, create(0, A), answer(1, view(A))).message


def test_what_is_asked_is_read_by_the_profile() -> None:
    events = (call(0, "create", SECONDS), answer(1, error("invalid_selector")))
    assert said([], *events, profile=Profile.V1_AFTER) == [ANSWER]
    assert fault([], *events, profile=Profile.V1).clause == "tool.error-sound"


def test_records_here_are_what_the_calls_ask_for() -> None:
    assert After("x", "x", 60, NOON + 60_000) == X
    assert Every("e", "E", 300, NOON + 300_000) == EVERY
    assert At("a", "A", NOON + 60_000) == A
