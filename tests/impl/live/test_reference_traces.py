"""Every whole-session scenario of the reference, reproduced in its normative parts.

Barriers and refused claims beyond those listed are permitted, unless a scenario excludes them; ids are free.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.impl.live.driving import Driver, Observation

from schedule_impl.instants import to_ms

TRACES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data/vectors/world.jsonl")
    .read_text(encoding="utf-8")
    .split("\n")
    if line
]
NOT_OBSERVABLE = {"followup_failed", "append_failed"}
MANY = 1000


class Replay:
    """One scenario on its way, `created`, `durable`, `length` and `seed` by session."""

    def __init__(self, trace: dict[str, Any]) -> None:
        self.strict = trace.get("strict_barriers", False)
        self.driver = Driver("s0")
        self.parent = "s0"
        self.created: dict[str, list[str]] = {"s0": []}
        self.durable: dict[str, int] = {}
        self.length: dict[str, int] = {}
        self.seed: dict[str, int] = {}

    @property
    def current(self) -> str:
        return self.driver.session

    def step(self, step: dict[str, Any]) -> None:
        ((operation, members),) = step["do"].items()
        if operation == "log":
            assert self.own_changes() == self.named(self.current, step["expect"])
            return
        observed = getattr(self, f"do_{operation}")(**self.named(self.current, members))
        self.note(observed)
        expected = {self.parent: step.get("expect_parent", []), self.current: step["expect"]}
        assert {observation["session"] for observation in observed} <= expected.keys()
        for session, items in expected.items():
            own = [observation for observation in observed if observation["session"] == session]
            self.compare(own, self.named(session, items), self.strict and operation == "call")

    def do_open(self, now: str, events: list[Any], **members: Any) -> list[Observation]:
        self.do_faults(**members.get("faults", {}))
        seed = {name: members[name] for name in ("seedLength", "busy") if name in members}
        self.length[self.current] = self.durable[self.current] = len(events)
        self.seed[self.current] = members.get("seedLength", 0)
        turns = "hold" if members.get("auto_turn") else "none"
        return self.driver.do("open", now=to_ms(now), events=events, turns=turns, **seed)

    def do_call(self, tool: str, arguments: dict[str, Any]) -> list[Observation]:
        return self.driver.call_with(tool.removeprefix("schedule_"), arguments)

    def do_advance_time(self, ms: int) -> list[Observation]:
        return self.driver.do("advance_time", ms=ms)

    def do_set_clock(self, now: str) -> list[Observation]:
        return self.driver.do("set_clock", now=to_ms(now))

    def do_busy(self, on: bool) -> list[Observation]:
        return self.driver.do("busy", on=on)

    def do_dispose(self) -> list[Observation]:
        return self.driver.do("dispose")

    def do_faults(
        self,
        barrier: list[str] | None = None,
        barrier_then: str = "ok",
        followup: str = "ok",
        append: dict[str, int] | None = None,
    ) -> list[Observation]:
        then = [] if barrier_then == "ok" else [barrier_then] * MANY
        outcomes = [{"absent": "missing"}.get(outcome, outcome) for outcome in [*(barrier or []), *then]]
        faults: dict[str, Any] = {"followup": followup}
        if append:
            faults["append"] = {"skip": append.get("skip", 0), "times": append["fail_next"]}
        return [*self.driver.do("barrier", outcomes=outcomes), *self.driver.do("faults", **faults)]

    def do_crash(self, keep: str) -> list[Observation]:
        kept = self.durable[self.current] if keep == "durable" else self.length[self.current]
        self.length[self.current] = kept
        return self.driver.do("crash", keep=kept)

    def do_reopen(
        self, now: str | None = None, busy: bool = False, faults: dict[str, Any] | None = None
    ) -> list[Observation]:
        self.do_faults(**(faults or {}))
        clock = {} if now is None else {"now": to_ms(now)}
        return self.driver.do("reopen", busy=busy, **clock)

    def do_fork(self, at: int | None = None, parent: str = "closed") -> list[Observation]:
        events = self.driver.ask("log")["events"]
        changes = [place for place, event in enumerate(events) if event["type"] == "schedule/change"]
        place = len(events) if at is None else ([*changes, len(events)][at] if at else 0)
        child = f"s{len(self.created)}"
        if parent != "live":
            self.driver.do("dispose")
        observed = self.driver.do("fork", **{"at": place, "as": child})
        self.parent, self.driver.session = self.driver.session, child
        self.created[child] = []
        self.length[child] = self.durable[child] = self.seed[child] = place
        return observed

    def own_changes(self) -> list[Any]:
        events = self.driver.ask("log")["events"][self.seed[self.current] :]
        return [event["data"] for event in events if event["type"] == "schedule/change"]

    def note(self, observed: list[Observation]) -> None:
        for observation in observed:
            session = observation["session"]
            if "append" in observation:
                self.length[session] += 1
                change = observation["append"]["data"]
                if change["operation"] == "create":
                    self.created[session].append(change["schedule"]["id"])
            if observation.get("barrier") == "ok":
                self.durable[session] = self.length[session]

    def named(self, session: str, value: Any) -> Any:
        """A value of the scenario with the ids that were given here."""
        if isinstance(value, dict):
            if value.keys() == {"$id"}:
                return self.created[session][value["$id"] - 1]
            return {key: self.named(session, member) for key, member in value.items()}
        if isinstance(value, list):
            return [self.named(session, member) for member in value]
        if isinstance(value, str):
            return re.sub(r"\$\{id:([0-9]+)\}", lambda found: self.created[session][int(found[1]) - 1], value)
        return value

    def compare(self, observed: list[Observation], expected: list[dict[str, Any]], strict: bool) -> None:
        answers = [observation["answer"]["value"] for observation in observed if "answer" in observation]
        assert [bare(value) for value in answers] == [item["value"] for item in expected if "value" in item]
        wanted = [item for item in expected if item.keys().isdisjoint({"value", *NOT_OBSERVABLE})]
        found = [shown(observation) for observation in observed if "answer" not in observation]
        if strict:
            assert found == wanted
            return
        place = 0
        for item in found:
            if place < len(wanted) and item == wanted[place]:
                place += 1
            else:
                assert "barrier" in item or item == {"claim": "busy"}, (found, wanted)
        assert place == len(wanted), (found, wanted)


def shown(observation: Observation) -> dict[str, Any]:
    """An observation as the scenarios show it."""
    bare = {kind: content for kind, content in observation.items() if kind not in {"at", "session"}}
    return {"append": bare["append"]["data"]} if "append" in bare else bare


def bare(value: Any) -> Any:
    """A value without its message."""
    return {k: v for k, v in value.items() if k != "message"} if isinstance(value, dict) else value


@pytest.mark.parametrize("trace", TRACES, ids=[trace["id"] for trace in TRACES])
def test_what_the_reference_did_is_done_here(trace: dict[str, Any]) -> None:
    replay = Replay(trace)
    for step in trace["steps"]:
        replay.step(step)
