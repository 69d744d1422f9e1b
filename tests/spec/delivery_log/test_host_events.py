"""What is read from the host's events, and what is passed over."""

from typing import Any

import pytest
from tests.spec.delivery_log.logs import REOPENED, SCHEDULE, TURN, USER, call, inbox, message, say

from schedule_spec.delivery_log.host_events import (
    TYPES,
    Answered,
    Called,
    FollowUp,
    HostEvent,
    Reopened,
    Spliced,
    TurnStarted,
    read,
    time_of,
)

Json = Any

NOTHING = Spliced((), removes=False)
NEXT = FollowUp("hi", "user", "next-turn")


@pytest.mark.parametrize(
    ("event", "time"),
    [
        ({"time": 5}, 5),
        ({"time": 0}, 0),
        ({"time": 5.0}, 5),
        ({"time": "5"}, None),
        ({"time": True}, None),
        ({"time": 2**53}, None),
        ({"at": 5}, None),
        ([5], None),
        ("time", None),
        (None, None),
    ],
)
def test_time_is_a_safe_integer_or_none(event: Json, time: int | None) -> None:
    assert time_of(event) == time


def test_types_are_those_of_the_events_that_are_read() -> None:
    events = (inbox(None), call(None, "list", {}), say(None, "x"), TURN, REOPENED)
    assert all(read(event) is not None for event in events)
    assert sorted(TYPES) == sorted(event["type"] for event in events)


@pytest.mark.parametrize(
    ("event", "shown"),
    [
        (TURN, TurnStarted()),
        ({"type": "turn/start"}, TurnStarted()),
        (REOPENED, Reopened()),
        ({"type": "session/end-seed"}, Reopened()),
        ({"type": "turn/end"}, None),
        ({"kind": "turn/start"}, None),
        ({"type": "schedule/change", "data": {}}, None),
        ({}, None),
        ([], None),
        ("turn/start", None),
        (None, None),
    ],
)
def test_turns_and_openings(event: Json, shown: HostEvent | None) -> None:
    assert read(event) == shown


@pytest.mark.parametrize(
    ("event", "shown"),
    [
        (inbox(None, message("hi")), Spliced((NEXT,), removes=False)),
        (inbox(None, message("hi", content="hi")), Spliced((NEXT,), removes=False)),
        (
            inbox(None, message("hi"), target="now"),
            Spliced((FollowUp("hi", "user", "now"),), removes=False),
        ),
        (
            inbox(None, message("hi", role="system"), target=None),
            Spliced((FollowUp("hi", "system", None),), removes=False),
        ),
        (
            {"type": "agent/inbox/spliced", "data": {"inserted": [{"source": SCHEDULE}]}},
            Spliced((FollowUp(None, None, None),), removes=False),
        ),
        (
            inbox(None, message("a"), message("b", USER), message("c")),
            Spliced((FollowUp("a", "user", "next-turn"), FollowUp("c", "user", "next-turn")), removes=False),
        ),
        (inbox(None, message("hi", SCHEDULE | {"version": 1})), Spliced((NEXT,), removes=False)),
    ],
    ids=["content", "content-is-text", "target", "role", "bare", "some-of-three", "source-says-more"],
)
def test_follow_ups_are_the_inserted_messages_of_the_plugin_schedule(event: Json, shown: Spliced) -> None:
    assert read(event) == shown


@pytest.mark.parametrize(
    "source",
    [
        USER,
        {"kind": "plugin", "plugin": "cron"},
        {"kind": "tool", "plugin": "schedule"},
        {"kind": "plugin"},
        {"plugin": "schedule"},
        "schedule",
        ["plugin", "schedule"],
        None,
    ],
    ids=str,
)
def test_messages_of_another_source_are_no_follow_ups(source: Json) -> None:
    assert read(inbox(None, message("hi", source))) == NOTHING


@pytest.mark.parametrize("inserted", [None, {}, 1, "x", [1], [None], ["source"], [[]], [{}], []], ids=str)
def test_what_is_inserted_may_be_anything(inserted: Json) -> None:
    assert read(inbox(None, inserted=inserted)) == NOTHING


@pytest.mark.parametrize("data", [None, [], "x", 1], ids=str)
@pytest.mark.parametrize("kind", ["agent/inbox/spliced", "tool/call", "tool/result"])
def test_data_that_is_no_object_shows_nothing(kind: str, data: Json) -> None:
    assert read({"type": kind, "data": data}) is None
    assert read({"type": kind}) is None


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("hi", "hi"),
        ("", ""),
        ([{"type": "text", "text": "hi"}], "hi"),
        ([{"type": "text", "text": "hi", "cached": True}], "hi"),
        ([{"type": "text", "text": "hi"}, {"type": "text", "text": "!"}], None),
        ([{"type": "image", "text": "hi"}], None),
        ([{"text": "hi"}], None),
        ([{"type": "text"}], None),
        ([{"type": "text", "text": 1}], None),
        (["hi"], None),
        ([], None),
        ({"type": "text", "text": "hi"}, None),
        (None, None),
    ],
    ids=str,
)
def test_text_is_one_text(content: Json, text: str | None) -> None:
    queued = read(inbox(None, message("?", content=content)))
    assert queued == Spliced((FollowUp(text, "user", "next-turn"),), removes=False)
    answered: Json = {"source": {"callId": "1"}, "content": [{"content": content}]}
    found = read({"type": "tool/result", "data": {"message": answered}})
    assert found == Answered("1", text, is_error=False, refused=False)


@pytest.mark.parametrize(
    ("count", "removes"),
    [(1, True), (2, True), (1.0, True), (0, False), (-1, False), (None, False), ("1", False), (True, False)],
    ids=str,
)
def test_taking_out_is_a_count_above_zero(count: Json, removes: bool) -> None:
    assert read(inbox(None, message("hi"), removedCount=count)) == Spliced((NEXT,), removes)


@pytest.mark.parametrize("tool", ["create", "list", "delete"])
@pytest.mark.parametrize("arguments", ["{}", {}, None, [1]], ids=str)
def test_calls_to_the_three_tools(tool: str, arguments: Json) -> None:
    assert read(call(None, tool, arguments, "x")) == Called("x", f"schedule_{tool}", arguments)


@pytest.mark.parametrize(
    "changed",
    [{"name": "schedule_update"}, {"name": "list"}, {"name": 1}, {"callId": 1}, {"callId": None}],
    ids=str,
)
def test_other_calls_show_nothing(changed: dict[str, Json]) -> None:
    assert read({"type": "tool/call", "data": call(None, "list", {})["data"] | changed}) is None


@pytest.mark.parametrize("lacking", ["callId", "name", "arguments"])
def test_calls_that_lack_a_member_show_nothing(lacking: str) -> None:
    data = call(None, "list", {})["data"]
    assert read({"type": "tool/call", "data": {name: data[name] for name in data if name != lacking}}) is None


@pytest.mark.parametrize(
    ("is_error", "told"), [(True, True), (False, False), (1, False), ("true", False), (None, False)], ids=str
)
def test_an_error_is_said_by_true_alone(is_error: Json, told: bool) -> None:
    answered: Json = {"source": {"callId": "1"}, "content": [{"content": "x", "isError": is_error}]}
    found = read({"type": "tool/result", "data": {"message": answered}})
    assert found == Answered("1", "x", is_error=told, refused=False)


@pytest.mark.parametrize(
    "message",
    [
        None,
        [],
        {},
        {"source": {"callId": 1}, "content": [{}]},
        {"source": {}, "content": [{}]},
        {"source": "1", "content": [{}]},
        {"content": [{}]},
        {"source": {"callId": "1"}},
        {"source": {"callId": "1"}, "content": []},
        {"source": {"callId": "1"}, "content": [{}, {}]},
        {"source": {"callId": "1"}, "content": ["x"]},
        {"source": {"callId": "1"}, "content": {}},
    ],
    ids=str,
)
def test_results_of_another_form_show_nothing(message: Json) -> None:
    assert read({"type": "tool/result", "data": {"message": message}}) is None


def test_a_result_without_a_message_shows_nothing() -> None:
    assert read({"type": "tool/result", "data": {}}) is None


@pytest.mark.parametrize(
    ("text", "error", "refused"),
    [
        ("Error: invalid arguments", None, True),
        ("Error: invalid arguments: id", None, True),
        ("An Error: invalid arguments", None, False),
        ("Error: aborted", None, False),
        (None, None, False),
        ("{}", {"code": "INVALID_ARGS"}, True),
        (None, {"code": "INVALID_ARGS", "issues": []}, True),
        ("{}", {"code": "ABORTED"}, False),
        ("{}", {"name": "INVALID_ARGS"}, False),
        ("{}", "INVALID_ARGS", False),
        ("Error: invalid arguments", {"code": "ABORTED"}, True),
    ],
    ids=str,
)
def test_the_hosts_own_refusal(text: str | None, error: Json, refused: bool) -> None:
    data = say(None, text, is_error=True)["data"] | ({} if error is None else {"error": error})
    assert read({"type": "tool/result", "data": data}) == Answered("1", text, is_error=True, refused=refused)
