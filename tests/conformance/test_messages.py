"""The message schemas: valid, true to the protocol's examples, and strict where they have to be."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from schedule_conformance.generators import advances, creations, logs, showings, texts, values
from schedule_conformance.law.law_adapter import handle
from schedule_conformance.protocol import messages
from schedule_spec.profiles import Profile

Object = dict[str, Any]
T = "2030-01-01T00:00:00.000Z"
AFTER = {"id": "a", "kind": "after", "prompt": "p", "afterSeconds": 60, "scheduledAt": T}
AT = {"id": "a", "kind": "at", "prompt": "p", "scheduledAt": T}
EVERY = {"id": "a", "kind": "every", "prompt": "p", "everySeconds": 300, "scheduledAt": T}
CREATE = {"version": 1, "operation": "create", "schedule": EVERY}

REQUESTS: tuple[Object, ...] = (
    {"cmd": "hello", "protocol": 1, "suite": "0.1.0"},
    {"cmd": "decode", "change": CREATE},
    {"cmd": "decode", "change": None},
    {"cmd": "decode", "json": "{"},
    {"cmd": "fold", "events": []},
    {"cmd": "fold", "events": [1], "seedLength": "x"},
    {"cmd": "create", "id": "a", "prompt": "p", "after_seconds": 1, "now": 0},
    {"cmd": "create", "id": "a", "prompt": "p", "at": {"date": 1}, "every_seconds": None, "now": "0"},
    {"cmd": "create", "json": "1"},
    {"cmd": "advance", "record": EVERY, "acceptedAt": 0},
    {"cmd": "view", "record": AT, "now": 0},
    {"cmd": "due", "records": [AT, EVERY], "now": 0},
    {"cmd": "frame", "record": AT},
    {"cmd": "frame_batch", "reminders": [{"record": EVERY, "occurrenceAt": T}]},
    {"cmd": "open", "session": "s", "now": 0},
    {
        "cmd": "open",
        "session": "s",
        "now": 0,
        "events": [],
        "seedLength": 0,
        "persistence": False,
        "agent": "child",
        "busy": True,
        "turns": "hold",
    },
    {"cmd": "call", "session": "s", "callId": "1", "tool": "schedule_list", "arguments": {}},
    {"cmd": "call", "session": "s", "callId": "1", "tool": "schedule_create", "json": '{"prompt":1}'},
    {"cmd": "abort", "session": "s", "callId": "1"},
    {"cmd": "advance_time", "ms": 1},
    {"cmd": "set_clock", "now": -1},
    {"cmd": "busy", "session": "s", "on": True},
    {"cmd": "turn", "session": "s"},
    {"cmd": "barrier", "session": "s", "outcomes": ["ok", "fail", "missing", "hold"]},
    {"cmd": "release", "session": "s", "outcome": "fail"},
    {"cmd": "faults", "session": "s"},
    {
        "cmd": "faults",
        "session": "s",
        "followup": "fail",
        "append": {"operations": ["create"], "skip": 1, "times": 2},
        "text": "secret",
    },
    {"cmd": "append", "session": "s", "event": {"type": "message"}},
    {"cmd": "crash", "session": "s", "keep": 0},
    {"cmd": "reopen", "session": "s"},
    {"cmd": "reopen", "session": "s", "now": 5},
    {"cmd": "fork", "session": "s", "at": 2, "as": "child"},
    {"cmd": "dispose", "session": "s"},
    {"cmd": "log", "session": "s"},
)

BAD_REQUESTS: tuple[Object, ...] = (
    {"cmd": "hello", "protocol": "1", "suite": "0.1.0"},
    {"cmd": "hello", "protocol": 1},
    {"cmd": "decode"},
    {"cmd": "decode", "change": CREATE, "extra": 1},
    {"cmd": "decode", "json": 1},
    {"cmd": "fold", "seedLength": 0},
    {"cmd": "fold", "events": [], "seed_length": 0},
    {"cmd": "advance", "record": EVERY},
    {"cmd": "view", "record": AT},
    {"cmd": "open", "now": 0},
    {"cmd": "open", "session": "s", "now": "0"},
    {"cmd": "open", "session": "s", "now": 0, "agent": "parent"},
    {"cmd": "call", "session": "s", "callId": "1", "tool": "schedule_update", "arguments": {}},
    {"cmd": "call", "session": "s", "callId": "1", "tool": "schedule_list"},
    {"cmd": "advance_time", "session": "s", "ms": 1},
    {"cmd": "advance_time", "ms": -1},
    {"cmd": "busy", "session": "s", "on": 1},
    {"cmd": "barrier", "session": "s", "outcomes": ["lost"]},
    {"cmd": "release", "session": "s", "outcome": "hold"},
    {"cmd": "crash", "session": "s", "keep": 0.5},
    {"cmd": "fork", "session": "s", "at": 2},
    {"cmd": "hallo"},
    {"cmd": None},
    {},
)

OBSERVED = [
    {"at": 0, "session": "s", "followup": "text"},
    {"at": 0, "session": "s", "append": {"type": "schedule/change", "data": CREATE}},
    {"at": 0, "session": "s", "answer": {"callId": "1", "value": []}},
    {"at": 0, "session": "s", "answer": {"callId": "1", "refused": "no"}},
    {"at": 0, "session": "s", "answer": {"callId": "1", "aborted": True}},
    {"at": 0, "session": "s", "barrier": "missing"},
    {"at": 0, "session": "s", "claim": "busy"},
    {"at": 0, "session": "s", "release": True},
    {"at": 0, "session": "s", "steer": "text"},
]

HELLO = {
    "protocol": 1,
    "implementation": {"name": "x", "version": "1", "language": "y"},
    "profile": "v1",
    "features": ["decode", "fold"],
    "observes": ["followup"],
    "tzdata": "2026f",
}

RESULTS: tuple[tuple[str, Object], ...] = (
    ("hello", HELLO),
    ("hello", {**HELLO, "homepage": "of no concern"}),
    ("decode", {"change": CREATE}),
    ("decode", {"change": {"version": 1.0, "operation": "delete", "id": "a"}}),
    ("fold", {"active": [AFTER, AT, EVERY], "seen": ["a", "b"]}),
    ("create", {"record": AFTER}),
    ("advance", {"occurrenceAt": T, "nextScheduledAt": T}),
    ("advance", {"occurrenceAt": T}),
    ("view", {"view": {**EVERY, "state": "overdue", "deliveryMode": "session-local"}}),
    ("due", {"kind": "one-shot", "id": "a"}),
    ("due", {"kind": "batch", "acceptedAt": T, "reminders": [{"id": "a", "occurrenceAt": T}]}),
    ("due", {"kind": "wait"}),
    ("due", {"kind": "wait", "until": T}),
    ("frame", {"text": "…"}),
    ("frame_batch", {"text": "…"}),
    ("open", {"observed": OBSERVED, "tools": ["schedule_list"]}),
    ("call", {"observed": OBSERVED}),
    ("log", {"observed": [], "events": [{"type": "message"}]}),
)

BAD_RESULTS: tuple[tuple[str, Any], ...] = (
    ("hello", {**HELLO, "protocol": 2}),
    ("hello", {key: value for key, value in HELLO.items() if key != "features"}),
    ("decode", {}),
    ("decode", {"change": CREATE, "more": 1}),
    ("decode", {"change": {**CREATE, "version": True}}),
    ("decode", {"change": {**CREATE, "schedule": {**EVERY, "scheduledAt": f"{T}\n"}}}),
    ("decode", {"change": {**CREATE, "schedule": {**EVERY, "everySeconds": 299}}}),
    ("decode", {"change": {**CREATE, "schedule": {**EVERY, "everySeconds": "300"}}}),
    ("fold", {"active": []}),
    ("fold", {"active": [], "seen": ["a", "a"]}),
    ("fold", {"active": [], "seen": [], "nextId": "b"}),
    ("advance", {"occurrenceAt": T, "nextScheduledAt": None}),
    ("advance", {"occurrenceAt": 1893456000000}),
    ("view", {"view": {**AT, "state": "overdue"}}),
    ("view", {"view": {**AT, "everySeconds": 300, "state": "overdue", "deliveryMode": "session-local"}}),
    ("due", {"kind": "batch", "acceptedAt": T, "reminders": []}),
    ("due", {"kind": "wait", "until": None}),
    ("frame", {"text": None}),
    ("open", {"tools": []}),
    ("turn", {"observed": [{"at": 0, "session": "s"}]}),
    ("turn", {"observed": [{"at": 0, "session": "s", "claim": "ok", "release": True}]}),
    ("turn", {"observed": [{"at": 0, "session": "s", "answer": {"callId": "1"}}]}),
    ("fold", []),
)


@pytest.mark.parametrize("subject", messages.SUBJECTS)
def test_a_schema_is_valid_and_named(subject: str) -> None:
    schema = messages.schema(subject)
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"{messages.URN}:{subject}"


def test_every_command_has_a_request_and_a_result() -> None:
    defined = {name for subject in ("hello", "pure", "world") for name in messages.schema(subject)["$defs"]}
    assert defined - {"settled"} == {
        f"{cmd}.{part}" for cmd in messages.COMMANDS for part in ("request", "result")
    }
    assert {request["cmd"] for request in REQUESTS} == set(messages.COMMANDS)


@pytest.mark.parametrize("request_", REQUESTS, ids=str)
def test_good_requests_pass(request_: Object) -> None:
    assert messages.validate_request({"seq": 3, **request_}) == []


@pytest.mark.parametrize("request_", BAD_REQUESTS, ids=str)
def test_bad_requests_fail(request_: Object) -> None:
    assert messages.validate_request({"seq": 3, **request_})


@pytest.mark.parametrize("seq", [None, -1, "1", True, 1.5])
def test_a_request_has_a_number(seq: object) -> None:
    assert messages.validate_request({"seq": seq, "cmd": "fold", "events": []})


@pytest.mark.parametrize(("command", "result"), RESULTS)
def test_good_results_pass(command: str, result: Object) -> None:
    assert messages.validate_reply({"seq": 3, "cmd": command}, {"seq": 3, "result": result}) == []


@pytest.mark.parametrize(("command", "result"), BAD_RESULTS)
def test_bad_results_fail(command: str, result: object) -> None:
    assert messages.validate_reply({"seq": 3, "cmd": command}, {"seq": 3, "result": result})


@pytest.mark.parametrize(
    "reply",
    [
        {"seq": 3, "rejected": {"code": "corrupt_schedule_log"}},
        {"seq": 3, "rejected": {"code": "not_future", "message": "…"}},
        {"seq": 3, "unsupported": {"feature": "fold"}},
        {"seq": 3, "error": {"message": "…", "trace": []}},
    ],
)
def test_other_replies_pass(reply: Object) -> None:
    assert messages.validate_reply({"seq": 3, "cmd": "fold"}, reply) == []


@pytest.mark.parametrize(
    ("reply", "place"),
    [
        (None, "the message"),
        ([], "the message"),
        ({"seq": 3}, "exactly one"),
        ({"seq": 3, "result": {"active": [], "seen": []}, "error": {}}, "exactly one"),
        ({"seq": 4, "result": {"active": [], "seen": []}}, "seq"),
        ({"result": {"active": [], "seen": []}}, "seq"),
        ({"seq": 3, "rejected": {"code": "corrupt"}}, "rejected.code"),
        ({"seq": 3, "rejected": {"code": "not_future", "clause": "x"}}, "clause"),
        ({"seq": 3, "rejected": {}}, "code"),
        ({"seq": 3, "unsupported": {}}, "feature"),
        ({"seq": 3, "result": {"active": {}, "seen": []}}, "result.active"),
    ],
)
def test_bad_replies_fail_and_say_where(reply: object, place: str) -> None:
    assert place in " ".join(messages.validate_reply({"seq": 3, "cmd": "fold"}, reply))


def observing(**observation: Any) -> Object:
    return {"observed": [{"at": 0, "session": "s", **observation}]}


@pytest.mark.parametrize(
    ("command", "result", "problem"),
    [
        (
            "create",
            {"record": {**EVERY, "everySeconds": 299}},
            "result.record.everySeconds: 299 is less than",
        ),
        (
            "decode",
            {"change": {**CREATE, "schedule": {**AFTER, "afterSeconds": "60"}}},
            "result.change.schedule.afterSeconds: '60' is not of type",
        ),
        (
            "decode",
            {"change": {"version": 2, "operation": "delete", "id": "a"}},
            "result.change.version: 1 was",
        ),
        (
            "decode",
            {"change": {"version": 1, "operation": "end", "id": "a"}},
            "result.change: operation 'end' is none of create, delete, dispatch",
        ),
        (
            "create",
            {"record": {**AT, "kind": "daily"}},
            "result.record: kind 'daily' is none of after, at, every",
        ),
        (
            "create",
            {"record": {key: value for key, value in EVERY.items() if key != "kind"}},
            "result.record: 'kind' is a required property",
        ),
        ("due", {"kind": "wait", "until": None}, "result.until: None is not of type 'string'"),
        ("turn", observing(barrier="late"), "result.observed[0].barrier: 'late' is not one of"),
        ("turn", observing(), "result.observed[0]: one of 'followup', 'append', 'answer'"),
        ("turn", observing(claim="ok", release=True), "result.observed[0]: {"),
        ("fold", [], "result: [] is not of type 'object'"),
    ],
)
def test_a_problem_is_told_of_the_form_that_is_meant(command: str, result: object, problem: str) -> None:
    (found,) = messages.validate_reply({"seq": 3, "cmd": command}, {"seq": 3, "result": result})
    assert found.startswith(problem)


def test_a_reply_of_any_depth_is_refused_in_words() -> None:
    deep: Any = []
    for _ in range(5_000):
        deep = [deep]
    found = messages.validate_reply(
        {"seq": 3, "cmd": "fold"}, {"seq": 3, "result": {"active": deep, "seen": []}}
    )
    assert "nested" in found[0]


@given(
    st.one_of(
        values.changes(True).map(lambda change: {"cmd": "decode", "change": change}),
        values.hostile_changes(True).map(lambda change: {"cmd": "decode", "change": change}),
        texts.change_texts(True).map(lambda text: {"cmd": "decode", "json": text}),
        logs.folds(),
        advances.advances(),
        creations.numbered(),
        creations.strings(),
        creations.wall_times(),
        creations.named_zones(),
        creations.prompted(True),
        creations.selected(),
        creations.in_text(),
        showings.views(Profile.V1, True),
        showings.decisions(Profile.V1),
        showings.framings(Profile.V1, True),
        showings.batch_framings(True),
    )
)
def test_generated_requests_and_the_law_s_replies_are_messages_of_the_protocol(request_: Object) -> None:
    numbered = {"seq": 7, **request_}
    assert messages.validate_request(numbered) == []
    reply = handle(numbered)
    assert messages.validate_reply(numbered, reply) == []
    assert "error" not in reply
