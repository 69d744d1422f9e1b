"""The law behind the adapter protocol: it greets, answers what it specifies, and never raises."""

from typing import Any

import pytest

from schedule_conformance.law.law_adapter import adapter, handle
from schedule_conformance.law.rulings import FEATURE_OF
from schedule_conformance.protocol.messages import validate_reply
from schedule_conformance.protocol.systems import InProcess
from schedule_spec import zones
from schedule_spec.profiles import Profile

HELLO = {"seq": 0, "cmd": "hello", "protocol": 1, "suite": "0.1.0"}


def test_hello_names_what_the_law_is_and_does() -> None:
    reply = handle(HELLO)
    assert validate_reply(HELLO, reply) == []
    assert reply["result"]["implementation"]["name"] == "the law"
    assert set(reply["result"]["features"]) >= {*FEATURE_OF.values(), "surrogates"}
    assert set(FEATURE_OF.values()) == {"decode", "fold", "create", "rate", "view", "due", "frame"}
    assert reply["result"]["tzdata"] == zones.release()
    assert adapter(Profile.V1_AFTER)(HELLO)["result"]["profile"] == "v1-after"


@pytest.mark.parametrize("protocol", [0, 2, "1", True, None])
def test_another_protocol_is_answered_with_error(protocol: object) -> None:
    assert "error" in handle({**HELLO, "protocol": protocol})


@pytest.mark.parametrize("command", ["no-such", None, 1])
def test_what_the_law_does_not_answer_is_unsupported(command: object) -> None:
    request: dict[str, Any] = {"seq": 4, "cmd": command}
    reply = handle(request)
    assert "unsupported" in reply
    assert validate_reply(request, reply) == []


@pytest.mark.parametrize("request_", [None, [], "x", {}, {"cmd": "fold"}])
def test_what_is_no_request_is_answered_with_error(request_: Any) -> None:
    assert handle(request_) == {"seq": None, "error": {"message": "a request is an object with seq"}}


@pytest.mark.parametrize(
    "members",
    [
        {"cmd": "decode"},
        {"cmd": "decode", "json": 1},
        {"cmd": "decode", "json": "["},
        {"cmd": "decode", "json": "[]"},
        {"cmd": "decode", "json": "{}"},
        {"cmd": "fold"},
        {"cmd": "fold", "events": {}},
        {"cmd": "fold", "events": [], "seedLength": None},
        {"cmd": "advance"},
        {"cmd": "advance", "record": {}, "acceptedAt": []},
    ],
)
def test_ill_formed_input_is_rejected_as_corrupt(members: dict[str, Any]) -> None:
    assert handle({"seq": 9, **members})["rejected"]["code"] == "corrupt_schedule_log"


def test_what_a_system_raises_is_an_error() -> None:
    def broken(_: dict[str, Any]) -> object:
        raise KeyError("x")

    reply = InProcess("x", broken).ask({"seq": 2, "cmd": "fold"})
    assert isinstance(reply, dict)
    assert reply["seq"] == 2
    assert "KeyError" in reply["error"]["message"]
