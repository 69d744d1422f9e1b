"""The world commands as messages: what makes no sense is an error, and time and processes behave as told."""

from typing import Any

import pytest
from tests.impl.live.driving import MINUTE, START, Driver, after, kinds, only

from schedule_impl.adapter import handle


def ask(command: str, **members: Any) -> dict[str, Any]:
    return handle({"seq": 1, "cmd": command, **members})


@pytest.mark.parametrize(
    ("command", "members"),
    [
        ("open", {"session": "s"}),
        ("open", {"session": "s", "now": 0.5}),
        ("open", {"session": 1, "now": 0}),
        ("open", {"session": "s", "now": 0, "events": "x"}),
        ("open", {"session": "s", "now": 0, "agent": "uncle"}),
        ("call", {"session": "none", "callId": "c", "tool": "schedule_list", "arguments": {}}),
        ("busy", {"session": "t", "on": 1}),
        ("barrier", {"session": "t", "outcomes": ["maybe"]}),
        ("release", {"session": "t", "outcome": "ok"}),
        ("release", {"session": "t", "outcome": "hold"}),
        ("advance_time", {"ms": -1}),
        ("set_clock", {"now": "noon"}),
        ("faults", {"session": "t", "append": []}),
        ("crash", {"session": "none", "keep": 0}),
        ("reopen", {"session": "none"}),
        ("log", {"session": "none"}),
    ],
)
def test_what_makes_no_sense_is_an_error_and_harms_nothing(command: str, members: dict[str, Any]) -> None:
    world = Driver("t")
    world.open()
    assert "error" in ask(command, **members)
    assert world.value("list") == []


def test_hello_tells_the_features_and_begins_a_new_world() -> None:
    world = Driver()
    world.open(after("a", "2026-08-05T12:01:00.000Z"))
    hello = ask("hello", protocol=1)["result"]
    assert {"due", "frame", "tools", "delivery", "candidate"} <= set(hello["features"])
    assert hello["observes"] == ["followup", "append", "answer", "barrier", "claim", "release"]
    assert "error" in ask("log", session="s")
    assert ask("advance_time", ms=MINUTE)["result"] == {"observed": []}


def test_a_name_that_is_taken_begins_a_new_world() -> None:
    world, other = Driver(), Driver("other")
    other.open(after("a", "2026-08-05T12:01:00.000Z"))
    world.open()
    world.open()
    assert kinds(world.do("advance_time", ms=MINUTE)) == []


def test_a_crash_keeps_what_it_is_told_to_and_never_less_than_a_barrier_covered() -> None:
    for keep, left in (0, 3), (3, 3), (4, 4), (9, 4):
        world = Driver()
        world.open()
        world.call("create", prompt="a", after_seconds=60)
        world.call("create", prompt="b", after_seconds=60)
        for name in "cd":
            world.do("barrier", outcomes=["ok", "fail"])
            world.call("create", prompt=name, after_seconds=60)
            world.do("barrier", outcomes=["fail"] * 9)
        world.do("crash", keep=keep)
        # The fourth create's own preflight had made the third durable.
        assert len(world.log()) == left
        world.do("barrier", outcomes=[])
        world.do("reopen")
        assert len(world.value("list")) == left


def test_calls_of_a_process_that_is_gone_are_never_answered() -> None:
    world = Driver()
    world.open()
    world.do("barrier", outcomes=["hold"])
    world.call("list")
    world.do("crash", keep=0)
    assert "error" in ask("release", session="s", outcome="ok")
    assert "error" in ask("abort", session="s", callId="c1")
    world.do("barrier", outcomes=[])
    assert kinds(world.do("reopen")) == ["barrier ok"]


def test_the_log_gives_events_back_as_they_were_given() -> None:
    world = Driver()
    given = [{"type": "note", "data": {"x": [1, "\ud800", None]}}, {"type": "note", "more": 1}, {"data": 5}]
    world.ask("open", now=START, events=given)
    assert world.ask("log")["events"] == given


@pytest.mark.parametrize("broken", [5, None, "x", []])
def test_events_that_are_no_objects_make_a_corrupt_log(broken: object) -> None:
    world = Driver()
    world.ask("open", now=START, events=[broken])
    assert world.value("list")["code"] == "corrupt_schedule_log"
    assert world.ask("log")["events"] == [broken]


def test_a_fork_beyond_the_log_is_rejected() -> None:
    world = Driver()
    world.open()
    for at in (-1, 1):
        reply = ask("fork", session="s", at=at, **{"as": "child"})
        assert reply["rejected"]["code"] == "corrupt_schedule_log"


def test_observations_bear_the_session_and_the_time() -> None:
    world = Driver()
    world.open()
    world.do("set_clock", now=5)
    observed = world.call("list")
    assert {(item["session"], item["at"]) for item in observed} == {("s", 5)}
    assert only("answer", observed) == {"callId": "c1", "value": []}
