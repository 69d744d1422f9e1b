"""The smoke check tells an adapter without manners from an implementation that is wrong."""

import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from schedule_conformance.adapters import smoke
from schedule_conformance.adapters.smoke import CannotJudgeError, greet
from schedule_conformance.adapters.streams import ChildProcess, Limits
from schedule_conformance.law import law_adapter
from schedule_conformance.protocol.messages import validate_request
from schedule_conformance.protocol.systems import InProcess
from schedule_spec.profiles import Profile

MISBEHAVING = Path(__file__).parents[1] / "adapters" / "misbehaving"
Handle = Callable[[dict[str, Any]], Any]


def changed(command: str, change: Handle) -> InProcess:
    """Return the law, with its replies to one command changed."""

    def handle(request: dict[str, Any]) -> Any:
        reply = law_adapter.handle(request)
        return change(reply) if request["cmd"] == command else reply

    return InProcess("changed", handle)


def without(*features: str) -> Handle:
    def change(reply: dict[str, Any]) -> dict[str, Any]:
        if "result" in reply:
            claimed = [each for each in reply["result"]["features"] if each not in features]
            reply["result"]["features"] = claimed
        return reply

    return change


def test_a_sane_adapter_is_known_by_what_hello_says() -> None:
    implementation = greet(InProcess("law", law_adapter.handle))
    assert implementation.name == "the law"
    assert implementation.profile is Profile.V1
    assert {"decode", "tools", "surrogates"} <= implementation.features
    assert "barrier" in implementation.observes


def test_the_earlier_level_is_asked_nothing_of_the_later() -> None:
    assert greet(InProcess("law", law_adapter.adapter(Profile.V1_AFTER))).profile is Profile.V1_AFTER


def test_every_request_of_the_smoke_check_is_a_message_of_the_protocol() -> None:
    asked: list[dict[str, Any]] = []

    def handle(request: dict[str, Any]) -> Any:
        asked.append(request)
        return law_adapter.handle(request)

    greet(InProcess("law", handle))
    assert {request["cmd"] for request in asked} > {"decode", "fold", "create", "advance", "open", "log"}
    for request in asked:
        if request["cmd"] != "no-such-command":
            assert validate_request(request) == []


def test_only_what_is_claimed_is_asked() -> None:
    asked: set[str] = set()
    claimed = changed("hello", without("tools", "delivery", "create", "view", "due", "rate", "frame"))

    def handle(request: dict[str, Any]) -> Any:
        asked.add(request["cmd"])
        return claimed.handle(request)

    greet(InProcess("law", handle))
    assert asked == {"hello", "no-such-command", "decode", "fold"}


ERROR = {"error": {"message": "no"}}
UNSANE: dict[str, tuple[InProcess, str]] = {
    "null": (changed("hello", lambda _: None), "hello"),
    "an error to hello": (changed("hello", lambda reply: {"seq": reply["seq"], **ERROR}), "hello"),
    "any protocol": (
        InProcess("x", lambda request: law_adapter.handle({**request, "protocol": 1})),
        "a hello of another protocol",
    ),
    "a rejected command": (
        changed("no-such-command", lambda reply: {"seq": reply["seq"], "rejected": {"code": "invalid_rule"}}),
        "an unknown command",
    ),
    "nothing but refusals": (
        InProcess(
            "x",
            lambda request: (
                law_adapter.handle(request)
                if request["cmd"] in ("hello", "no-such-command")
                else {"seq": request["seq"], "rejected": {"code": "invalid_rule"}}
            ),
        ),
        "a plain request of the feature decode",
    ),
    "another seq": (changed("due", lambda reply: {**reply, "seq": 77}), "a plain request of the feature due"),
    "of another type": (
        changed("view", lambda reply: {**reply, "result": []}),
        "a plain request of the feature view",
    ),
    "a hello without a name": (
        changed("hello", lambda reply: {**reply, "result": {**reply["result"], "implementation": {}}}),
        "hello",
    ),
}


@pytest.mark.parametrize("name", UNSANE)
def test_a_broken_adapter_is_told_what_it_did_and_what_is_wanted(name: str) -> None:
    system, what = UNSANE[name]
    with pytest.raises(CannotJudgeError) as caught:
        greet(system)
    told = str(caught.value)
    assert f"it does not answer {what} as the protocol says" in told
    assert re.search(r"^  sent    \{.*\n  came    .*\n  wanted  .*", told, re.MULTILINE)


def test_an_adapter_that_keeps_its_world_is_broken() -> None:
    greeted: list[dict[str, Any]] = []

    def handle(request: dict[str, Any]) -> Any:
        if request["cmd"] == "hello" and request["protocol"] == 1:
            greeted.append(dict(greeted[0]) if greeted else law_adapter.handle(request))
            return greeted[-1]
        return law_adapter.handle(request)

    with pytest.raises(CannotJudgeError, match="hello begins a new world, in which that session was never"):
        greet(InProcess("x", handle))


def test_a_log_without_events_tells_of_no_earlier_world() -> None:
    greet(changed("log", lambda reply: {"seq": reply["seq"], "result": {"events": [], "observed": []}}))
    greet(changed("log", lambda reply: {"seq": reply["seq"], "result": {}}))


def test_wrong_results_are_no_matter_of_the_adapter() -> None:
    greet(changed("create", lambda reply: {"seq": reply["seq"], "result": {"record": smoke.EVERY}}))
    greet(changed("open", lambda reply: {"seq": reply["seq"], "result": {}}))


@pytest.mark.parametrize(
    "reply",
    [{"unsupported": {"feature": "rate"}}, {"rejected": {"code": "invalid_rule"}}, ERROR],
    ids=["unsupported", "rejected", "error"],
)
def test_a_plain_request_that_comes_to_no_result_is_the_implementations_fault(reply: dict[str, Any]) -> None:
    greet(changed("advance", lambda answer: {"seq": answer["seq"], **reply}))


def script(text: str) -> str:
    return shlex.join([sys.executable, "-c", text])


SERVING = """
import json, sys
from schedule_conformance.law.law_adapter import handle
for line in sys.stdin:
    {before}
    try:
        reply = handle(json.loads(line))
    except ValueError:
        reply = {error}
    print(json.dumps(reply), flush=True)
"""
NULL = '{"seq": None, "error": {}}'
UNMANNERLY = {
    "ends at garbage": ("pass", "sys.exit(1)", "a line that is no JSON object with seq"),
    "numbers the error": ("pass", '{"seq": 0, "error": {}}', "a line that is no JSON object with seq"),
    "answers blank lines": ("line = line.strip() or 'blank'", NULL, "a blank line and two requests"),
    "skips a request": (
        "if not line.strip(): next(sys.stdin); continue",
        NULL,
        "a blank line and two requests",
    ),
}


@pytest.mark.parametrize("name", UNMANNERLY)
def test_the_manners_of_a_stream_are_tried(name: str) -> None:
    before, error, what = UNMANNERLY[name]
    with (
        ChildProcess(script(SERVING.format(before=before, error=error)), Limits(reply=3)) as process,
        pytest.raises(CannotJudgeError, match=f"does not answer {what}"),
    ):
        greet(process)


def test_a_mannerly_stream_is_sane() -> None:
    serving = SERVING.format(before="if not line.strip(): continue", error=NULL)
    with ChildProcess(script(serving), Limits(reply=20)) as process:
        assert greet(process).name == "the law"
        assert process.ask({"seq": 1, "cmd": "fold", "events": []}) == {
            "seq": 1,
            "result": {"active": [], "seen": []},
        }


@pytest.mark.parametrize(
    ("name", "what", "came"),
    [
        ("dies-on-hello", "hello", "cannot open libschedule.so"),
        ("debugging", "hello", "no JSON"),
        ("ends-with-2", "the end of input", "status 2"),
        ("says-its-process", "hello in a second process", "has to be the same"),
    ],
)
def test_broken_processes_are_no_implementations(name: str, what: str, came: str) -> None:
    command = shlex.join([sys.executable, str(MISBEHAVING), name])
    with ChildProcess(command, Limits(reply=20)) as process, pytest.raises(CannotJudgeError) as caught:
        greet(process)
    assert f"it does not answer {what} as the protocol says" in str(caught.value)
    assert came in str(caught.value)
