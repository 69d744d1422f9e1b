"""Random lives of a session, with faults, crashes, jumping clocks and cancelled calls; what holds in each.

The model here knows only what a host could know: what was acknowledged, and what was queued.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.impl.live.driving import MINUTE, START, Driver, Observation, kinds

from schedule_impl.adapter import handle
from schedule_impl.changes import Every
from schedule_impl.fold import fold
from schedule_impl.instants import to_ms

OUTCOMES = st.lists(st.sampled_from(["ok", "ok", "fail", "missing", "hold"]), max_size=5)

ACTIONS = st.one_of(
    st.tuples(st.just("after"), st.sampled_from([1, 60, 300])),
    st.tuples(st.just("every"), st.sampled_from([300, 301])),
    st.tuples(st.just("delete"), st.integers(1, 6)),
    st.tuples(st.just("list"), st.just(0)),
    st.tuples(st.just("advance"), st.sampled_from([1, 999, MINUTE, 5 * MINUTE, 60 * MINUTE])),
    st.tuples(st.just("clock"), st.sampled_from([-60 * MINUTE, -MINUTE, MINUTE, 60 * MINUTE])),
    st.tuples(st.just("busy"), st.booleans()),
    st.tuples(st.just("barrier"), OUTCOMES),
    st.tuples(st.just("release"), st.sampled_from(["ok", "fail"])),
    st.tuples(st.just("follow_ups"), st.sampled_from(["ok", "fail"])),
    st.tuples(st.just("appends"), st.tuples(st.integers(0, 2), st.integers(0, 2))),
    st.tuples(st.just("crash"), st.integers(0, 40)),
    st.tuples(st.just("reopen"), st.just(0)),
    st.tuples(st.just("abort"), st.integers(1, 30)),
)

PHASES = re.compile(
    "(answer;|append create;|append delete;|barrier (ok|fail|missing);|claim busy;"
    "|claim ok;(followup;(append dispatch;)*)?release;)*"
)
"""What may follow what: in a claimed phase one follow-up at most, then its dispatches, and nothing else."""


class Life:
    """One session, and what its host was told."""

    def __init__(self, turns: str) -> None:
        self.driver = Driver()
        self.now = START
        self.acknowledged: list[str] = []
        self.deleted: list[str] = []
        self.durable = 0
        self.length = 0
        self.queued: list[tuple[str, str]] = []
        self.watch(self.driver.open(turns=turns))

    def act(self, action: str, value: Any) -> None:
        getattr(self, action)(value)

    def after(self, seconds: int) -> None:
        self.watch(self.driver.call("create", prompt="p", after_seconds=seconds))

    def every(self, seconds: int) -> None:
        self.watch(self.driver.call("create", prompt="p", every_seconds=seconds))

    def delete(self, number: int) -> None:
        self.watch(self.driver.call("delete", id=f"schedule-{number}"))

    def list(self, _: object) -> None:
        self.watch(self.driver.call("list"))

    def advance(self, ms: int) -> None:
        self.now += ms
        self.watch(self.driver.do("advance_time", ms=ms))

    def clock(self, by: int) -> None:
        self.now += by
        self.watch(self.driver.do("set_clock", now=self.now))

    def busy(self, on: bool) -> None:
        self.watch(self.driver.do("busy", on=on))

    def barrier(self, outcomes: Sequence[str]) -> None:
        self.watch(self.driver.do("barrier", outcomes=outcomes))

    def release(self, outcome: str) -> None:
        reply = handle({"seq": 1, "cmd": "release", "session": "s", "outcome": outcome})
        if "result" in reply:
            self.watch(reply["result"]["observed"])

    def follow_ups(self, outcome: str) -> None:
        self.watch(self.driver.do("faults", followup=outcome))

    def appends(self, faults: tuple[int, int]) -> None:
        skip, times = faults
        self.watch(self.driver.do("faults", append={"skip": skip, "times": times}))

    def abort(self, number: int) -> None:
        self.watch(self.driver.do("abort", callId=f"c{number}"))

    def crash(self, keep: int) -> None:
        self.driver.do("crash", keep=keep)
        self.reopen()

    def reopen(self, _: object = None) -> None:
        self.driver.do("barrier", outcomes=[])
        self.driver.do("faults")
        self.length = len(self.driver.ask("log")["events"])
        assert self.length >= self.durable
        self.watch(self.driver.do("reopen"))

    def watch(self, observed: Sequence[Observation]) -> None:
        told = kinds(observed)
        assert PHASES.fullmatch("".join(f"{kind};" for kind in told)), told
        for item in observed:
            if "append" in item:
                self.appended(item["append"]["data"])
            elif item.get("barrier") == "ok":
                self.durable = self.length
            elif "followup" in item:
                self.followed_up(item["followup"], item["at"])
            elif "value" in item.get("answer", {}):
                self.answered(item["answer"]["value"])

    def appended(self, change: dict[str, Any]) -> None:
        self.length += 1
        if change["operation"] == "dispatch":
            assert change["id"] in {name for name, _ in self.queued}, "dispatched without having been queued"

    def followed_up(self, text: str, at: int) -> None:
        lines = text.split("\n")
        if lines[0] == "[SCHEDULE REMINDER]":
            queued = [(json.loads(lines[2].split(": ", 1)[1]), lines[3].split(": ", 1)[1])]
        else:
            listed = json.loads(lines[2].split(": ", 1)[1])
            queued = [(item["schedule_id"], item["occurrence_at"]) for item in listed]
        for name, occurrence in queued:
            assert to_ms(occurrence) <= at, "queued before its target"
            assert name not in self.deleted, "queued after its delete was acknowledged"
        self.queued += queued

    def answered(self, value: Any) -> None:
        if isinstance(value, dict) and "scheduledAt" in value:
            self.acknowledged.append(value["id"])
        if isinstance(value, dict) and value.get("deleted"):
            self.deleted.append(value["id"])

    def recover(self) -> None:
        """Let all faults be over; then an owner that has not stopped, and idle periods enough."""
        self.driver.do("barrier", outcomes=[])
        self.driver.do("faults")
        self.reopen()
        for _ in range(40):
            self.watch(self.driver.do("busy", on=True))
            self.watch(self.driver.do("busy", on=False))


@given(turns=st.sampled_from(["none", "hold"]), actions=st.lists(ACTIONS, max_size=30))
def test_nothing_acknowledged_is_lost_and_nothing_due_stays_undelivered(
    turns: str, actions: list[tuple[str, Any]]
) -> None:
    life = Life(turns)
    for action, value in actions:
        life.act(action, value)
    life.recover()
    state = fold(life.driver.ask("log")["events"])
    assert set(life.acknowledged) <= set(state.seen())
    active = state.active()
    assert not {record.id for record in active} & set(life.deleted)
    assert [record.id for record in active if to_ms(record.scheduledAt) <= life.now] == []
    ended = set(life.acknowledged) - {record.id for record in active} - set(life.deleted)
    assert ended <= {name for name, _ in life.queued} | uncertain_deletes(life)
    assert all(isinstance(record, Every) or to_ms(record.scheduledAt) > life.now for record in active)


def uncertain_deletes(life: Life) -> set[str]:
    """The ids whose delete is in the log, though no answer said so."""
    return {change["id"] for change in life.driver.log() if change["operation"] == "delete"}


SCRIPT: list[tuple[str, Any]] = [
    ("after", 60),
    ("every", 300),
    ("after", 60),
    ("delete", 1),
    ("advance", MINUTE),
    ("every", 301),
    ("advance", 5 * MINUTE),
    ("list", 0),
]
BARRIERS = 15
"""How many barriers the script takes, at least: in each of them everything behind it stands still."""


@pytest.mark.parametrize("held", range(BARRIERS))
@pytest.mark.parametrize("lost", [True, False])
def test_a_crash_in_any_barrier_loses_nothing_acknowledged(held: int, lost: bool) -> None:
    life = Life("none")
    life.barrier([*["ok"] * held, "hold"])
    for action, value in SCRIPT:
        life.act(action, value)
    assert kinds(life.driver.call("list")) == []
    life.crash(0 if lost else life.length)
    life.recover()
    seen = fold(life.driver.ask("log")["events"]).seen()
    assert set(life.acknowledged) <= set(seen)
    assert {view["state"] for view in life.driver.value("list")} <= {"scheduled"}


@given(actions=st.lists(ACTIONS, max_size=25), keep=st.integers(0, 40))
def test_without_faults_nothing_is_queued_twice(actions: list[tuple[str, Any]], keep: int) -> None:
    life = Life("none")
    for action, value in actions:
        if action not in {"barrier", "appends", "crash"}:
            life.act(action, value)
    life.driver.do("crash", keep=keep)
    life.reopen()
    assert len(set(life.queued)) == len(life.queued)
