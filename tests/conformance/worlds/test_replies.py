"""The fast look at replies lets nothing through that the schemas would not."""

from typing import Any

import pytest

from schedule_conformance.protocol.messages import validate_reply
from schedule_conformance.worlds.replies import is_sound

SEEN = {"at": 0, "session": "s"}
CALL = {"seq": 1, "cmd": "call", "session": "s", "callId": "c", "tool": "schedule_list", "arguments": {}}
OPEN = {"seq": 1, "cmd": "open", "session": "s", "now": 0}
LOG = {"seq": 1, "cmd": "log", "session": "s"}
APPEND = {"seq": 1, "cmd": "append", "session": "s", "event": {}}
REOPEN = {"seq": 1, "cmd": "reopen", "session": "s"}


def reply(*observed: Any, **members: Any) -> dict[str, Any]:
    return {"seq": 1, "result": {"observed": list(observed), **members}}


REFUSED = {"seq": 1, "rejected": {"code": "corrupt_schedule_log"}}

SOUND: list[tuple[dict[str, Any], Any]] = [
    (CALL, reply()),
    (CALL, reply({**SEEN, "followup": "x"}, {**SEEN, "steer": "x"})),
    (CALL, reply({**SEEN, "append": {"type": "t", "data": None}})),
    (CALL, reply({**SEEN, "answer": {"callId": "c", "value": []}})),
    (CALL, reply({**SEEN, "answer": {"callId": "c", "refused": "why"}})),
    (CALL, reply({**SEEN, "answer": {"callId": "c", "aborted": True}})),
    (CALL, reply({**SEEN, "barrier": "missing"}, {**SEEN, "claim": "busy"}, {**SEEN, "release": True})),
    (OPEN, reply(tools=["a", "b"])),
    (OPEN, REFUSED),
    (LOG, reply(events=[{"type": "x"}])),
    (APPEND, REFUSED),
    (APPEND, {"seq": 1, "rejected": {"code": "corrupt_schedule_log", "message": "no"}}),
    (REOPEN, reply()),
    (REOPEN, reply(tools=["a"])),
]

UNSOUND: list[tuple[dict[str, Any], Any]] = [
    (CALL, None),
    (CALL, []),
    (CALL, {"result": {"observed": []}}),
    (CALL, {**reply(), "seq": 2}),
    (CALL, {**reply(), "seq": True}),
    (CALL, {**reply(), **REFUSED}),
    (CALL, {**reply(), "more": 1}),
    (CALL, {"seq": 1, "result": {}}),
    (CALL, {"seq": 1, "result": []}),
    (CALL, reply(tools=[])),
    (CALL, reply("x")),
    (CALL, reply(SEEN)),
    (CALL, reply({**SEEN, "barrier": "hold"})),
    (CALL, reply({**SEEN, "barrier": "ok", "claim": "ok"})),
    (CALL, reply({**SEEN, "claim": True})),
    (CALL, reply({**SEEN, "release": False})),
    (CALL, reply({**SEEN, "release": 1})),
    (CALL, reply({**SEEN, "followup": None})),
    (CALL, reply({**SEEN, "whisper": "x"})),
    (CALL, reply({**SEEN, "at": 0.5, "followup": "x"})),
    (CALL, reply({**SEEN, "at": True, "followup": "x"})),
    (CALL, reply({**SEEN, "at": "0", "followup": "x"})),
    (CALL, reply({**SEEN, "session": "", "followup": "x"})),
    (CALL, reply({**SEEN, "session": 1, "followup": "x"})),
    (CALL, reply({**SEEN, "append": {"type": 1, "data": {}}})),
    (CALL, reply({**SEEN, "append": {"type": "t"}})),
    (CALL, reply({**SEEN, "append": {"type": "t", "data": {}, "seq": 1}})),
    (CALL, reply({**SEEN, "answer": {"callId": "c"}})),
    (CALL, reply({**SEEN, "answer": {"callId": "", "value": 1}})),
    (CALL, reply({**SEEN, "answer": {"callId": "c", "value": 1, "aborted": True}})),
    (CALL, reply({**SEEN, "answer": {"callId": "c", "code": 1}})),
    (OPEN, reply()),
    (OPEN, reply(tools="x")),
    (OPEN, reply(tools=["a", "a"])),
    (OPEN, reply(tools=[1])),
    (OPEN, {"seq": 1, "rejected": {}}),
    (OPEN, {"seq": 1, "rejected": {"code": "corrupt_schedule_log", "message": 1}}),
    (OPEN, {"seq": 1, "rejected": {"code": "corrupt_schedule_log", "more": 1}}),
    (LOG, reply()),
    (LOG, reply(events={})),
    (REOPEN, reply(events=[])),
    (REOPEN, reply(tools=["a", "a"])),
]


@pytest.mark.parametrize(("request_", "answer"), SOUND)
def test_what_is_sound_holds_to_the_schemas(request_: dict[str, Any], answer: Any) -> None:
    assert is_sound(request_, answer)
    assert validate_reply(request_, answer) == []


@pytest.mark.parametrize(("request_", "answer"), UNSOUND)
def test_what_breaks_a_schema_is_not_sound(request_: dict[str, Any], answer: Any) -> None:
    assert validate_reply(request_, answer) != []
    assert not is_sound(request_, answer)


@pytest.mark.parametrize(
    "answer",
    [
        {"seq": 1, "error": {"message": "broke"}},
        {"seq": 1, "unsupported": {"feature": "tools"}},
        {"seq": 1, "rejected": {"code": "invalid_rule"}},
        REFUSED,
    ],
)
def test_what_is_no_answer_to_a_call_is_not_sound(answer: dict[str, Any]) -> None:
    assert validate_reply(CALL, answer) == []
    assert not is_sound(CALL, answer)
