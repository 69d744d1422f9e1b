"""The owner: when it wakes, what it delivers, and when it is still."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.impl.live.driving import MINUTE, START, Driver, after, all_of, every, kinds, only

from schedule_impl.adapter import handle
from schedule_impl.clock import WallClock
from schedule_impl.feature import PersistenceMissingError, ScheduleFeature
from schedule_impl.host import Agent
from schedule_impl.instants import MAXIMUM, to_ms
from schedule_impl.persistence import Persistence
from schedule_impl.session import Session, new_header
from schedule_impl.simulation.virtual_time import VirtualClock, VirtualTimers

SOON = "2026-08-05T12:01:00.000Z"
OVERDUE = "2026-08-05T11:00:00.000Z"
DELIVERY = ["barrier ok", "claim ok", "followup", "append dispatch", "release", "barrier ok"]
DAY = 24 * 60 * MINUTE


def framed_ids(text: str) -> list[str]:
    """The ids that a framing names."""
    lines = text.split("\n")
    if lines[0] == "[SCHEDULE REMINDER]":
        return [json.loads(lines[2].removeprefix("schedule_id_json: "))]
    return [item["schedule_id"] for item in json.loads(lines[2].removeprefix("reminders_json: "))]


def presented(observed: list[dict[str, Any]]) -> list[list[str]]:
    return [framed_ids(text) for text in all_of("followup", observed)]


def test_what_is_overdue_at_the_opening_comes_at_once_one_shots_first() -> None:
    world = Driver()
    observed = world.open(
        every("e2", "2026-08-05T11:30:00.000Z"),
        after("b", "2026-08-05T11:45:00.000Z"),
        every("e1", OVERDUE),
        after("a", OVERDUE),
        after("c", "2026-08-05T11:45:00.000Z"),
    )
    assert presented(observed) == [["a"], ["b"], ["c"], ["e1", "e2"]]
    dispatches = [append["data"] for append in all_of("append", observed)]
    assert [dispatch["id"] for dispatch in dispatches] == ["a", "b", "c", "e1", "e2"]
    assert [dispatch.get("acceptedAt") for dispatch in dispatches[3:]] == ["2026-08-05T12:00:00.000Z"] * 2
    assert all("acceptedAt" not in dispatch for dispatch in dispatches[:3])


def test_delivery_happens_in_exactly_the_order_of_the_clause() -> None:
    world = Driver()
    world.open(after("a", SOON))
    observed = world.do("advance_time", ms=MINUTE)
    assert kinds(observed) == DELIVERY
    assert {observation["at"] for observation in observed} == {START + MINUTE}


def test_nothing_comes_a_millisecond_early() -> None:
    world = Driver()
    world.open(after("a", SOON))
    assert world.do("advance_time", ms=MINUTE - 1) == []
    assert kinds(world.do("advance_time", ms=1)) == DELIVERY


def test_a_busy_agent_is_asked_once_and_again_when_it_is_idle() -> None:
    world = Driver()
    world.open(after("a", SOON), busy=True)
    assert kinds(world.do("advance_time", ms=MINUTE)) == ["barrier ok", "claim busy"]
    assert world.do("advance_time", ms=DAY) == []
    assert kinds(world.call("list")) == ["barrier ok", "answer"]
    assert kinds(world.do("busy", on=False)) == DELIVERY


def test_each_one_shot_gets_a_turn_of_its_own_and_a_batch_but_one() -> None:
    world = Driver()
    first = world.open(
        after("a", OVERDUE), after("b", OVERDUE), every("e", OVERDUE), every("f", OVERDUE), turns="hold"
    )
    assert presented(first) == [["a"]]
    assert presented(world.do("busy", on=False)) == [["b"]]
    assert presented(world.do("busy", on=False)) == [["e", "f"]]
    assert world.do("busy", on=False) == []


def test_missed_intervals_give_one_occurrence_however_many_they_are() -> None:
    world = Driver()
    observed = world.open(every("e", "0001-01-01T00:00:00.000Z"), now=MAXIMUM - 1_000_000)
    text = only("followup", observed)
    assert '"occurrence_at":"9999-12-31T23:40:00.000Z"' in text
    assert len(all_of("append", observed)) == 1


def test_an_every_that_leaves_the_range_ends() -> None:
    world = Driver()
    world.open(every("e", "9999-12-31T23:59:00.000Z"), now=MAXIMUM)
    assert world.value("list") == []


@pytest.mark.parametrize("days", [25, 60])
def test_waits_longer_than_a_timer_holds_are_split(days: int) -> None:
    world = Driver()
    world.open()
    world.call("create", prompt="p", after_seconds=days * 24 * 3600)
    assert world.do("advance_time", ms=days * DAY - 1) == []
    assert kinds(world.do("advance_time", ms=1)) == DELIVERY


def test_after_a_clock_set_back_nothing_is_early() -> None:
    world = Driver()
    world.open(after("a", SOON))
    world.do("set_clock", now=START - MINUTE)
    assert "followup" not in kinds(world.do("advance_time", ms=2 * MINUTE - 1))
    assert kinds(world.do("advance_time", ms=1))[-5:] == DELIVERY[1:]


@pytest.mark.parametrize("wake", ["advance_time", "call", "turn"])
def test_after_a_clock_set_forward_the_next_wake_delivers(wake: str) -> None:
    world = Driver()
    world.open(after("a", SOON))
    world.do("set_clock", now=START + DAY)
    observed = {
        "advance_time": lambda: world.do("advance_time", ms=MINUTE),
        "call": lambda: world.call("list"),
        "turn": lambda: world.do("turn"),
    }[wake]()
    assert presented(observed) == [["a"]]


@pytest.mark.parametrize("now", [MAXIMUM + 1, -62_135_596_800_001])
def test_a_clock_outside_the_range_stops_no_owner(now: int) -> None:
    world = Driver()
    assert presented(world.open(every("e", SOON), now=now)) == []
    world.do("set_clock", now=START + MINUTE)
    assert presented(world.do("turn")) == [["e"]]


def test_a_wait_that_stood_before_a_failed_preflight_is_no_retry_either() -> None:
    world = Driver()
    world.open(after("a", SOON), after("b", "2026-08-05T13:00:00.000Z"))
    world.do("set_clock", now=START + 2 * MINUTE)
    world.do("barrier", outcomes=["ok", "fail"])
    assert kinds(world.call("list")) == ["barrier ok", "answer", "barrier fail"]
    assert world.do("advance_time", ms=DAY) == []
    assert presented(world.do("turn")) == [["a"], ["b"]]


def test_nor_is_one_that_a_delivery_left_when_the_next_preflight_fails() -> None:
    world = Driver()
    world.open(every("e", SOON))
    world.do("barrier", outcomes=["hold"])
    world.do("advance_time", ms=MINUTE)
    world.do("barrier", outcomes=["ok", "fail"])
    world.do("turn")
    assert kinds(world.do("release", outcome="ok")) == [*DELIVERY, "barrier fail"]
    assert world.do("advance_time", ms=DAY) == []
    assert presented(world.do("turn")) == [["e"]]


def test_a_refused_follow_up_appends_nothing_and_waits_for_activity() -> None:
    world = Driver()
    world.open(after("a", SOON))
    world.do("faults", followup="fail")
    assert kinds(world.do("advance_time", ms=MINUTE)) == ["barrier ok", "claim ok", "release"]
    assert world.do("advance_time", ms=DAY) == []
    world.do("faults")
    assert world.do("advance_time", ms=DAY) == []
    assert presented(world.do("turn")) == [["a"]]


def test_an_append_that_fails_behind_the_enqueue_stops_the_owner_for_good() -> None:
    world = Driver()
    world.open(every("a", SOON), every("b", SOON), every("c", SOON))
    world.do("faults", append={"operations": ["dispatch"], "skip": 1, "times": 1})
    assert kinds(world.do("advance_time", ms=MINUTE)) == [
        *("barrier ok", "claim ok", "followup", "append dispatch", "release"),
    ]
    world.do("faults")
    assert kinds(world.do("turn")) == []
    assert kinds(world.call("list")) == ["barrier ok", "answer"]
    assert kinds(world.do("advance_time", ms=DAY)) == []
    assert presented(world.do("reopen", now=START + MINUTE)) == [["b", "c"]]


@pytest.mark.parametrize("broken", [{"version": 2}, {"version": 1, "operation": "dispatch", "id": "a"}])
def test_over_a_corrupt_log_nothing_is_ever_delivered(broken: dict[str, Any]) -> None:
    world = Driver()
    told = world.open(after("a", OVERDUE), broken, broken)
    for command, members in ("turn", {}), ("advance_time", {"ms": DAY}), ("turn", {}):
        told += world.do(command, **members)
    assert set(kinds(told)) <= {"barrier ok"}


@pytest.mark.parametrize("members", [{"agent": "child"}, {"agent": "existing"}, {"persistence": False}])
def test_only_root_agents_created_later_with_persistence_get_anything(members: dict[str, Any]) -> None:
    world = Driver()
    assert world.open(after("a", OVERDUE), **members) == []
    assert world.tools == []
    assert world.do("turn") == []
    assert world.do("advance_time", ms=DAY) == []
    assert "refused" in only("answer", world.call("list"))


def test_without_persistence_the_feature_does_not_load() -> None:
    timers: Any = None
    with pytest.raises(PersistenceMissingError):
        ScheduleFeature(None, WallClock(), timers)


def test_disposal_cancels_what_is_waited_for_and_keeps_the_records() -> None:
    world = Driver()
    world.open(after("a", SOON))
    assert world.do("dispose") == []
    assert world.do("advance_time", ms=DAY) == []
    assert world.do("turn") == []
    assert len(world.log()) == 1
    assert presented(world.do("reopen")) == [["a"]]


def test_disposal_in_a_preflight_starts_no_delivery() -> None:
    world = Driver()
    world.do("barrier", outcomes=["hold"])
    world.open(after("a", OVERDUE))
    world.do("dispose")
    assert kinds(world.do("release", outcome="ok")) == ["barrier ok"]


def test_disposal_drops_due_work_that_has_not_begun() -> None:
    world = Driver()
    world.open(after("a", SOON))
    world.do("barrier", outcomes=["hold"])
    world.call("list")
    world.do("advance_time", ms=MINUTE)
    world.do("dispose")
    assert kinds(world.do("release", outcome="ok")) == ["barrier ok", "answer"]


def test_disposal_lets_a_delivery_and_a_call_end_that_are_under_way() -> None:
    world = Driver()
    world.open(after("a", SOON), after("b", SOON))
    world.do("barrier", outcomes=["ok", "hold"])
    world.do("advance_time", ms=MINUTE)
    world.call("list")
    world.do("dispose")
    observed = world.do("release", outcome="ok")
    assert kinds(observed) == ["barrier ok", "barrier ok", "answer"]
    assert [view["id"] for view in only("answer", observed)["value"]] == ["b"]


def test_a_fork_and_its_parent_live_side_by_side() -> None:
    world = Driver()
    world.open(after("a", SOON))
    world.ask("fork", **{"at": 1, "as": "child"})
    world.session = "child"
    assert world.value("list") == []
    assert world.value("delete", id="a")["code"] == "schedule_not_found"
    assert world.value("create", prompt="p", after_seconds=60)["id"] == "schedule-1"
    observed = world.do("advance_time", ms=MINUTE)
    delivered = [(item["session"], framed_ids(item["followup"])) for item in observed if "followup" in item]
    assert sorted(delivered) == [("child", ["schedule-1"]), ("s", ["a"])]
    assert len(world.log()) == 3


def test_a_foreign_append_is_seen_at_the_next_preflight_and_a_wrong_one_refused() -> None:
    world = Driver()
    world.open()

    def append(data: Any, kind: str = "schedule/change") -> dict[str, Any]:
        event = {"type": kind, "data": data}
        return handle({"seq": 1, "cmd": "append", "session": "s", "event": event})

    assert append(after("a", OVERDUE))["result"] == {"observed": []}
    for wrong in (after("a", SOON), {"version": 1, "operation": "delete", "id": "b"}, {"version": 2}, None):
        assert append(wrong)["rejected"]["code"] == "corrupt_schedule_log"
    assert append({"any": "thing"}, "note")["result"] == {"observed": []}
    assert presented(world.call("list")) == [["a"]]
    assert [change["operation"] for change in world.log()] == ["create", "dispatch"]


class Host:
    """An agent that does something of its own whenever its idle phase is claimed."""

    def __init__(self, meanwhile: Callable[[], None]) -> None:
        self.meanwhile = meanwhile
        self.told: list[str] = []

    def claim_idle(self) -> "Host":
        self.meanwhile()
        return self

    def release(self) -> None:
        self.told.append("release")

    def follow_up(self, text: str) -> None:
        self.told.append(*framed_ids(text))

    def watch_idle(self, callback: object) -> Callable[[], None]:
        return lambda: None


def phases(meanwhile: Callable[[Session, VirtualClock], None]) -> list[str]:
    """What is queued and released with one reminder due, where something happens at each claim."""

    async def run() -> list[str]:
        clock, session = VirtualClock(), Session(new_header("s", 0))
        clock.time = to_ms(SOON)
        session.append({"type": "schedule/change", "data": after("due", SOON)}, 0)
        host = Host(lambda: meanwhile(session, clock))
        persistence = Persistence()
        persistence.attach(Durable())
        installed = ScheduleFeature(persistence, clock, VirtualTimers()).agent_created(
            Agent("s", session, host)
        )
        assert installed is not None
        for _ in range(50):
            await asyncio.sleep(0)
        await installed.dispose()
        return host.told

    return asyncio.run(run())


class Durable:
    """A listener that makes everything durable."""

    async def persist(self, session: Session) -> bool:
        return True


def test_what_is_due_no_more_once_the_phase_is_claimed_is_not_queued() -> None:
    def set_back(session: Session, clock: VirtualClock) -> None:
        clock.time = START

    assert phases(set_back) == ["release"]


def test_what_is_due_instead_once_the_phase_is_claimed_is_delivered() -> None:
    def earlier(session: Session, clock: VirtualClock) -> None:
        if len(session) == 1:
            session.append({"type": "schedule/change", "data": after("earlier", OVERDUE)}, 0)

    assert phases(earlier) == ["earlier", "release", "due", "release"]


def test_virtual_timers_end_at_once_where_a_real_one_would_overflow() -> None:
    timers = VirtualTimers()
    ended: list[int] = []
    for delay in (2**31 - 1, 2**31, 5):
        timers.start(delay, lambda delay=delay: ended.append(delay))  # type: ignore[misc]
    assert timers.fire()
    assert not timers.fire()
    assert ended == [2**31]
    assert timers.next_delay() == 5
