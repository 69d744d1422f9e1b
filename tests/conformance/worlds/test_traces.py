"""Traces: frozen ones as the reference's file has them, round trips, other ids, and short failures."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.conformance.worlds.test_trying import broken, law, of_frozen
from tests.saboteurs.live import NEAR_MISSES
from tests.saboteurs.live.puppet import Object

from schedule_conformance.protocol.messages import problems, schema
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.worlds import minimise, telling, traces
from schedule_conformance.worlds.minimise import minimised
from schedule_conformance.worlds.replaying import replayed
from schedule_conformance.worlds.traces import NoTraceError, Trace
from schedule_conformance.worlds.world import Exchange
from schedule_impl import adapter
from schedule_spec.delivery import Terms, Violation
from tools import import_world_traces


def test_frozen_traces_are_the_references() -> None:
    assert import_world_traces.TARGET.read_bytes() == import_world_traces.contents()
    frozen = traces.frozen()
    assert len({trace.id for trace in frozen}) == len(frozen)
    assert sum(trace.meta["origin"] == "reference" for trace in frozen) == 76
    assert [trace.id for trace in frozen if trace.needs_surrogates] == [
        "world-tool-delete-active-a9bcc5dfbd23",
        "world-framing-lone-surrogates",
    ]


def test_the_file_of_frozen_traces_holds_to_its_schema() -> None:
    value = {"schema": "urn:schedule-spec:protocol:1:trace", "traces": [traces.as_json(traces.frozen()[0])]}
    assert problems("trace#/$defs/traces", value) == []
    assert schema("trace")["$id"] == value["schema"]


@pytest.mark.parametrize("trace", traces.frozen(), ids=lambda trace: trace.id)
def test_the_law_and_the_implementation_keep_to_the_clauses_where_the_reference_went(trace: Trace) -> None:
    for system in (law(), InProcess("bundled", adapter.handle)):
        world = replayed(system, trace.terms, trace.steps)
        assert world.violation is None
        assert len(world.exchanges) == len(trace.steps)


@pytest.fixture(scope="module")
def failing() -> Trace:
    """A short trace in which a delete is confirmed that appended nothing."""
    found = of_frozen(broken("deletes_without_an_event")).found[0]
    return found.trace


def test_a_trace_survives_its_file(failing: Trace, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text(traces.text(failing), encoding="ascii")
    assert traces.read(path) == failing
    assert traces.text(traces.read(path)) == traces.text(failing)


@pytest.mark.parametrize(
    ("alter", "words"),
    [
        (lambda value: "{", "no JSON text"),
        (lambda value: "[" * 100_000, "no JSON text"),
        (lambda value: json.dumps([value]), "the message"),
        (lambda value: json.dumps({**value, "format": "x"}), "format"),
        (
            lambda value: json.dumps({**value, "steps": [{"request": {"cmd": "dance"}, "reply": {}}]}),
            "steps",
        ),
        (lambda value: json.dumps({**value, "more": 1}), "more"),
    ],
)
def test_what_is_no_trace_is_refused(failing: Trace, tmp_path: Path, alter: Any, words: str) -> None:
    path = tmp_path / "trace.json"
    path.write_text(alter(traces.as_json(failing)), encoding="ascii")
    with pytest.raises(NoTraceError, match=words):
        traces.read(path)


def test_bytes_that_are_no_text_are_told_by_their_place(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_bytes(b'{"\x80"}')
    with pytest.raises(NoTraceError, match=r"no JSON text: byte 2 is not UTF-8$"):
        traces.read(path)


def test_no_step_of_a_short_trace_can_go(failing: Trace) -> None:
    assert failing.violation is not None
    assert len(failing.steps) == 2
    for place in range(len(failing.steps)):
        steps = failing.steps[:place] + failing.steps[place + 1 :]
        violation = replayed(broken("deletes_without_an_event"), failing.terms, steps).violation
        assert violation is None or violation.clause != failing.violation.clause


def test_a_long_trace_becomes_short(failing: Trace) -> None:
    idle = Exchange({"cmd": "advance_time", "ms": 0}, {"result": {"observed": []}})
    opening, call = failing.steps
    log = {"cmd": "barrier", "session": "s", "outcomes": ["ok", "ok", "ok"]}
    padded = (opening, *[idle] * 20, Exchange(log, {"result": {"observed": []}}), *[idle] * 10, call)
    long = replace(failing, steps=padded)
    assert minimised(broken("deletes_without_an_event"), long).steps == failing.steps


def test_what_does_not_fail_again_is_kept_and_called_unsteady(failing: Trace) -> None:
    kept = minimised(law(), failing)
    assert kept.steps == failing.steps
    assert kept.meta["steady"] is False


def test_making_short_ends(failing: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def never_again(*arguments: Any) -> Trace | None:
        asked.append(arguments)
        return failing if len(asked) == 1 else None

    monkeypatch.setattr(minimise, "_failing", never_again)
    minimised(law(), replace(failing, steps=failing.steps * 600))
    assert 1 < len(asked) <= minimise.MOST_TRIES + 1


def test_ids_are_respelt_where_another_system_spells_them_otherwise() -> None:
    """A delete names the id of the create before it: with the old spelling it would find nothing."""
    other = next(miss for miss in NEAR_MISSES if miss.name == "spells_other_ids").system()
    requests: list[Object] = [
        {"cmd": "open", "session": "s", "now": 0},
        {"cmd": "call", "session": "s", "callId": "c1", "tool": "schedule_create"}
        | {"arguments": {"prompt": "x", "after_seconds": 60}},
        {
            "cmd": "call",
            "session": "s",
            "callId": "c2",
            "tool": "schedule_delete",
            "arguments": {"id": "id r1"},
        },
        {"cmd": "call", "session": "s", "callId": "c3", "tool": "schedule_delete", "json": '{"id": "id r1"}'},
    ]
    made = replayed(other, Terms(), [Exchange(request, {}) for request in requests])
    again = replayed(law(), Terms(), made.exchanges)
    assert [exchange.request for exchange in again.exchanges[2:]] == [
        {**requests[2], "arguments": {"id": "r1"}},
        {**requests[3], "json": '{"id": "r1"}'},
    ]
    answers = [
        one["answer"]["value"] for one in again.exchanges[2].reply["result"]["observed"] if "answer" in one
    ]
    assert answers == [{"id": "r1", "deleted": True}]


def test_steps_that_make_no_sense_any_more_are_left_out() -> None:
    requests: list[Object] = [
        {"cmd": "turn", "session": "s"},
        {"cmd": "open", "session": "s", "now": 0},
        {"cmd": "release", "session": "s", "outcome": "ok"},
        {"cmd": "fork", "session": "none", "at": 5, "as": "t"},
        {"cmd": "turn", "session": "s"},
    ]
    world = replayed(law(), Terms(), [Exchange(request, {}) for request in requests])
    assert [exchange.request["cmd"] for exchange in world.exchanges] == ["open", "turn"]
    assert world.violation is None


def test_a_place_beyond_the_end_of_a_log_is_its_end() -> None:
    requests: list[Object] = [
        {"cmd": "open", "session": "s", "now": 0, "events": [{"type": "note"}]},
        {"cmd": "fork", "session": "s", "at": 5, "as": "t"},
        {"cmd": "crash", "session": "s", "keep": 7},
    ]
    world = replayed(law(), Terms(), [Exchange(request, {}) for request in requests])
    assert [exchange.request.get("at", exchange.request.get("keep")) for exchange in world.exchanges] == [
        None,
        1,
        1,
    ]


def test_a_failing_trace_is_told_in_words(failing: Trace) -> None:
    assert len(telling.asked(failing)) == len(failing.steps)
    assert telling.came(failing).isascii()
    assert telling.allowed(failing) != "nothing"
    owed = replace(failing, violation=Violation("deliver.no-loss", "The owner had to deliver.", ()))
    assert telling.came(owed) == "nothing more: the world had settled"
    assert telling.allowed(owed) == "nothing"
    assert telling.seen(replace(failing, violation=None)) == ()


@pytest.mark.parametrize(
    ("alter", "words"),
    [
        ({"session": 5}, "request 1: session"),
        ({"events": [float("nan")]}, "request 1: a number in it is not finite"),
        ({"turns": "now"}, "request 1: turns"),
    ],
)
def test_a_trace_that_asks_what_no_suite_asks_is_refused(
    failing: Trace, alter: dict[str, Any], words: str
) -> None:
    value = traces.as_json(failing)
    value["steps"][0] = {**value["steps"][0], "request": {**value["steps"][0]["request"], **alter}}
    with pytest.raises(NoTraceError, match=words):
        traces.from_json(value)


def test_a_recorded_reply_without_a_list_of_observations_is_replayed(failing: Trace) -> None:
    steps = [replace(step, reply={"result": {"observed": 5}}) for step in failing.steps]
    assert replayed(law(), Terms(), steps).violation is None
