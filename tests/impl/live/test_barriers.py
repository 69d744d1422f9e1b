"""One queue: held barriers, cancelled calls, and what an uncertain barrier leaves."""

from typing import Any

import pytest
from tests.impl.live.driving import MINUTE, START, Driver, after, all_of, every, kinds, only

SOON = "2026-08-05T12:01:00.000Z"


@pytest.fixture
def world() -> Driver:
    driver = Driver()
    driver.open()
    return driver


def answers(observed: list[dict[str, Any]]) -> list[str]:
    """The calls that ended, in order."""
    return [answer["callId"] for answer in all_of("answer", observed)]


def test_calls_end_in_the_order_in_which_they_came(world: Driver) -> None:
    world.do("barrier", outcomes=["hold"])
    assert kinds(world.call("create", prompt="p", after_seconds=60)) == []
    assert kinds(world.call("list")) == []
    assert kinds(world.call("delete", id="schedule-1")) == []
    observed = world.do("release", outcome="ok")
    assert kinds(observed) == [
        *("barrier ok", "append create", "barrier ok", "answer"),
        *("barrier ok", "answer"),
        *("barrier ok", "append delete", "barrier ok", "answer"),
    ]
    assert answers(observed) == ["c1", "c2", "c3"]
    assert len(all_of("answer", observed)[1]["value"]) == 1


def test_due_work_waits_behind_a_call_that_came_first(world: Driver) -> None:
    world.call("create", prompt="p", after_seconds=60)
    world.do("barrier", outcomes=["ok", "hold"])
    world.call("create", prompt="q", after_seconds=3600)
    assert kinds(world.do("advance_time", ms=MINUTE)) == []
    assert kinds(world.do("release", outcome="ok")) == [
        *("barrier ok", "answer"),
        *("barrier ok", "claim ok", "followup", "append dispatch", "release", "barrier ok"),
    ]


def test_a_call_waits_behind_due_work_that_came_first(world: Driver) -> None:
    world.call("create", prompt="p", after_seconds=60)
    world.do("barrier", outcomes=["ok", "hold"])
    assert kinds(world.do("advance_time", ms=MINUTE))[-1] == "release"
    assert kinds(world.call("list")) == []
    observed = world.do("release", outcome="ok")
    assert kinds(observed) == ["barrier ok", "barrier ok", "answer"]
    assert only("answer", observed)["value"] == []


def test_a_held_barrier_that_fails_lets_the_next_call_go_on(world: Driver) -> None:
    world.do("barrier", outcomes=["hold"])
    world.call("create", prompt="p", after_seconds=60)
    world.call("list")
    observed = world.do("release", outcome="fail")
    assert kinds(observed) == ["barrier fail", "answer", "barrier ok", "answer"]
    first, second = all_of("answer", observed)
    assert first["value"]["code"] == "persistence_uncertain"
    assert second["value"] == []


def test_a_call_cancelled_in_its_preflight_appends_nothing_and_keeps_its_turn(world: Driver) -> None:
    world.do("barrier", outcomes=["hold"])
    world.call("create", prompt="p", after_seconds=60)
    assert only("answer", world.do("abort", callId="c1")) == {"callId": "c1", "aborted": True}
    assert kinds(world.call("list")) == []
    observed = world.do("release", outcome="ok")
    assert kinds(observed) == ["barrier ok", "barrier ok", "answer"]
    assert world.log() == []


def test_a_delete_cancelled_in_its_preflight_deletes_nothing() -> None:
    world = Driver()
    world.open(after("a", SOON))
    world.do("barrier", outcomes=["hold"])
    world.call("delete", id="a")
    assert only("answer", world.do("abort", callId="c1")) == {"callId": "c1", "aborted": True}
    assert kinds(world.do("release", outcome="ok")) == ["barrier ok"]
    assert [change["operation"] for change in world.log()] == ["create"]


def test_a_call_cancelled_in_the_queue_never_begins(world: Driver) -> None:
    world.do("barrier", outcomes=["hold"])
    world.call("list")
    world.call("create", prompt="p", after_seconds=60)
    assert only("answer", world.do("abort", callId="c2")) == {"callId": "c2", "aborted": True}
    assert kinds(world.do("release", outcome="ok")) == ["barrier ok", "answer"]
    assert world.log() == []


def test_a_call_cancelled_behind_its_append_stays_appended_and_is_waited_for(world: Driver) -> None:
    world.do("barrier", outcomes=["ok", "hold"])
    world.call("create", prompt="p", after_seconds=60)
    assert "aborted" in only("answer", world.do("abort", callId="c1"))
    assert [change["operation"] for change in world.log()] == ["create"]
    assert kinds(world.do("release", outcome="ok")) == ["barrier ok"]
    assert "followup" in kinds(world.do("advance_time", ms=MINUTE))


def test_cancelling_what_has_ended_does_nothing(world: Driver) -> None:
    world.call("list")
    assert world.do("abort", callId="c1") == []
    assert world.do("abort", callId="never") == []


@pytest.mark.parametrize("outcome", ["fail", "missing"])
def test_an_uncertain_create_is_taken_up_at_the_next_good_preflight(world: Driver, outcome: str) -> None:
    world.do("barrier", outcomes=["ok", outcome])
    world.call("create", prompt="p", after_seconds=60)
    assert kinds(world.do("advance_time", ms=MINUTE)) == []
    listed = world.call("list")
    assert only("answer", listed)["value"][0]["state"] == "overdue"
    assert "followup" in kinds(listed)


def test_an_uncertain_delete_holds_from_the_next_good_preflight_on(world: Driver) -> None:
    world.call("create", prompt="p", after_seconds=60)
    world.do("barrier", outcomes=["ok", "fail"])
    assert world.value("delete", id="schedule-1")["code"] == "persistence_uncertain"
    assert world.value("list") == []
    assert "followup" not in kinds(world.do("advance_time", ms=MINUTE))


@pytest.mark.parametrize("outcome", ["fail", "missing"])
def test_due_work_without_a_barrier_claims_nothing_and_starts_no_timer(outcome: str) -> None:
    world = Driver()
    world.open(after("a", SOON))
    world.do("barrier", outcomes=[outcome])
    assert kinds(world.do("advance_time", ms=MINUTE)) == [f"barrier {outcome}"]
    assert kinds(world.do("advance_time", ms=60 * MINUTE)) == []
    assert "followup" in kinds(world.do("turn"))


def test_future_targets_wait_for_activity_too_when_the_preflight_failed() -> None:
    world = Driver()
    world.do("barrier", outcomes=["fail"])
    world.open(after("a", SOON))
    assert kinds(world.do("advance_time", ms=2 * MINUTE)) == []
    assert "followup" in kinds(world.do("turn"))


def test_a_failed_last_barrier_queues_nothing_again() -> None:
    world = Driver()
    world.open(every("e", SOON), after("b", "2026-08-05T12:02:00.000Z"))
    world.do("barrier", outcomes=["ok", "fail"])
    assert kinds(world.do("advance_time", ms=MINUTE)) == [
        *("barrier ok", "claim ok", "followup", "append dispatch", "release", "barrier fail"),
    ]
    assert kinds(world.do("advance_time", ms=MINUTE)) == []
    observed = world.do("turn")
    assert len(all_of("followup", observed)) == 1
    assert 'schedule_id_json: "b"' in only("followup", observed)


def test_nothing_is_decided_before_the_barrier_has_ended() -> None:
    world = Driver()
    world.open(after("a", SOON))
    world.do("barrier", outcomes=["hold"])
    assert kinds(world.do("advance_time", ms=MINUTE)) == []
    world.do("set_clock", now=START)
    assert kinds(world.do("release", outcome="ok")) == ["barrier ok"]
    assert "followup" in kinds(world.do("advance_time", ms=MINUTE))


def test_after_a_failed_preflight_not_even_a_wait_is_set_without_a_barrier() -> None:
    world = Driver()
    world.open(after("a", SOON))
    world.do("barrier", outcomes=["fail"])
    world.do("advance_time", ms=MINUTE)
    world.do("set_clock", now=START)
    assert kinds(world.do("turn")) == ["barrier ok"]
    assert "followup" in kinds(world.do("advance_time", ms=MINUTE))
