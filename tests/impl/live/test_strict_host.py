"""A host that takes what it was promised at its word: it allows nothing twice, too late or out of bounds."""

import asyncio
import gc
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from tests.impl.live.driving import MINUTE, START, after, every

from schedule_impl.feature import Installation, ScheduleFeature
from schedule_impl.host import Agent
from schedule_impl.persistence import Persistence
from schedule_impl.session import Session, new_header
from schedule_impl.simulation.virtual_time import VirtualClock

OVERDUE = "2026-08-05T11:00:00.000Z"
SOON = "2026-08-05T12:01:00.000Z"
LATER = "2026-08-05T12:02:00.000Z"
NEXT_YEAR = "2027-08-05T12:00:00.000Z"


def run(work: Coroutine[Any, Any, None]) -> None:
    """Do the work; nothing may be reported to the event loop on the way."""
    told: list[dict[str, Any]] = []

    async def watched() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
        await work
        gc.collect()

    asyncio.run(watched())
    assert told == []


class StrictTimer:
    """A wait that is ended once: by its time or by being cancelled."""

    def __init__(self, ends: int, callback: Callable[[], None]) -> None:
        self.ends = ends
        self.callback = callback
        self.is_over = False

    def cancel(self) -> None:
        assert not self.is_over, "a wait that is over is cancelled"
        self.is_over = True


class StrictHost:
    """An agent, its clock, its timers, and one who makes its session durable."""

    def __init__(self, *changes: dict[str, Any]) -> None:
        self.clock = VirtualClock()
        self.clock.time = START
        self.timers: list[StrictTimer] = []
        self.is_idle = True
        self.is_held = False
        self.fails = False
        self.asked = 0
        self.flushes = 0
        self.outcomes: list[bool] = []
        self.call: object = None
        self.meanwhile: Callable[[], None] = lambda: None
        self.let = asyncio.Event()
        self.let.set()
        self.queued: list[str] = []
        self.watchers: list[Callable[[], None]] = []
        self.session = Session(new_header("s", 0))
        for change in changes:
            self.session.append({"type": "schedule/change", "data": change}, 0)

    async def installed(self) -> Installation:
        persistence = Persistence()
        persistence.attach(self)
        feature = ScheduleFeature(persistence, self.clock, self)
        installed = feature.agent_created(Agent("s", self.session, self))
        assert installed is not None
        await self.settled()
        return installed

    async def settled(self) -> None:
        for _ in range(50):
            await asyncio.sleep(0)
        assert not self.is_held
        assert len(self.waits()) <= 1

    def waits(self) -> list[int]:
        return [timer.ends - self.clock.time for timer in self.timers if not timer.is_over]

    async def elapse(self, ms: int) -> None:
        self.clock.time += ms
        for timer in list(self.timers):
            if not timer.is_over and timer.ends <= self.clock.time:
                timer.is_over = True
                timer.callback()
        await self.settled()

    async def idle_again(self) -> None:
        self.is_idle = True
        for callback in list(self.watchers):
            callback()
        await self.settled()

    async def persist(self, session: Session) -> bool:
        self.flushes += 1
        await self.let.wait()
        return self.outcomes.pop(0) if self.outcomes else session is self.session

    def start(self, delay: int, callback: Callable[[], None]) -> StrictTimer:
        assert type(delay) is int
        assert 0 <= delay <= 2**31 - 1
        self.timers.append(StrictTimer(self.clock.time + delay, callback))
        return self.timers[-1]

    def claim_idle(self) -> "StrictHost | None":
        assert not self.is_held
        self.asked += 1
        self.meanwhile()
        self.is_held = self.is_idle
        return self if self.is_idle else None

    def release(self) -> None:
        assert self.is_held, "a phase is released that is not held"
        self.is_held = False

    def follow_up(self, text: str) -> None:
        assert self.is_held, "a message is queued outside a phase"
        if self.fails:
            raise OSError("no room")
        self.queued.append(text)

    def watch_idle(self, callback: Callable[[], None]) -> Callable[[], None]:
        self.watchers.append(callback)
        return lambda: self.watchers.remove(callback)


def test_one_wait_at_a_time_is_set_for_the_earliest_target_and_cancelled_once() -> None:
    async def lives() -> None:
        host = StrictHost(after("b", LATER), after("a", SOON))
        installed = await host.installed()
        assert host.waits() == [MINUTE]
        await host.elapse(MINUTE)
        assert ([len(host.queued)], host.waits()) == ([1], [MINUTE])
        await host.elapse(MINUTE - 1)
        assert host.waits() == [1]
        await installed.dispose()
        assert (host.waits(), host.watchers) == ([], [])
        await installed.dispose()
        await host.elapse(MINUTE)
        assert len(host.queued) == 1

    run(lives())


def test_a_long_wait_is_split_into_such_as_a_timer_holds() -> None:
    async def lives() -> None:
        host = StrictHost(after("a", NEXT_YEAR))
        await host.installed()
        left = 365 * 24 * 60 * MINUTE
        while left:
            (wait,) = host.waits()
            assert 0 < wait <= min(left, 2**31 - 1)
            assert host.queued == []
            left -= wait
            await host.elapse(wait)
        assert (len(host.queued), host.waits()) == (1, [])

    run(lives())


def test_an_owner_that_has_stopped_waits_for_nothing_and_can_be_disposed_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*arguments: object) -> None:
        raise OSError("no append")

    async def lives() -> None:
        host = StrictHost(every("e", OVERDUE), after("a", SOON))
        host.is_idle = False
        installed = await host.installed()
        assert (len(host.watchers), host.waits()) == (1, [])
        with monkeypatch.context() as patched:
            patched.setattr(Session, "append_change", failing)
            await host.idle_again()
        assert (len(host.queued), host.waits(), host.watchers) == (1, [], [])
        assert await installed.tools[2].run({"id": "e"}) == {"id": "e", "deleted": True}
        await host.settled()
        assert host.waits() == []
        await host.elapse(MINUTE)
        await installed.dispose()
        assert (len(host.queued), len(host.session)) == (1, 3)

    run(lives())


def test_a_phase_is_let_go_where_the_message_is_refused() -> None:
    async def lives() -> None:
        host = StrictHost(after("a", OVERDUE))
        host.fails = True
        installed = await host.installed()
        assert (host.queued, host.waits(), len(host.session)) == ([], [], 1)
        host.fails = False
        await host.idle_again()
        assert (len(host.queued), len(host.session)) == (1, 2)
        await installed.dispose()

    run(lives())


@pytest.mark.parametrize("times", [1, 3])
def test_a_busy_agent_is_not_asked_again_before_it_was_idle(times: int) -> None:
    async def lives() -> None:
        host = StrictHost(after("a", OVERDUE))
        host.is_idle = False
        installed = await host.installed()
        assert host.asked == 1
        for _ in range(times):
            await installed.tools[1].run({})
            await host.settled()
        assert host.asked == 1
        await host.idle_again()
        assert (host.asked, len(host.queued)) == (2, 1)
        await installed.dispose()

    run(lives())


def test_a_look_anew_sets_the_wait_anew() -> None:
    async def lives() -> None:
        host = StrictHost(after("a", LATER))
        installed = await host.installed()
        for _ in range(3):
            await installed.tools[1].run({})
            await host.settled()
            assert host.waits() == [2 * MINUTE]
        await installed.tools[0].run({"prompt": "p", "after_seconds": 60})
        await host.settled()
        assert host.waits() == [MINUTE]
        await installed.tools[2].run({"id": "schedule-1"})
        await host.settled()
        assert host.waits() == [2 * MINUTE]
        await host.idle_again()
        assert host.waits() == [2 * MINUTE]
        await installed.dispose()

    run(lives())


def test_a_disposal_ends_when_what_is_in_flight_has_ended() -> None:
    async def lives() -> None:
        host = StrictHost(after("a", LATER))
        installed = await host.installed()
        host.let.clear()
        call = asyncio.ensure_future(installed.tools[1].run({}))
        await host.settled()
        disposal = asyncio.ensure_future(installed.dispose())
        await host.settled()
        assert not disposal.done()
        host.let.set()
        await disposal
        assert call.done()
        assert host.waits() == []

    run(lives())


def test_a_return_to_idle_that_is_told_too_late_does_nothing() -> None:
    async def lives() -> None:
        host = StrictHost(after("a", LATER))
        installed = await host.installed()
        (told,) = host.watchers
        await installed.dispose()
        flushes = host.flushes
        told()
        await host.settled()
        assert (host.waits(), host.asked, host.flushes) == ([], 0, flushes)

    run(lives())


@pytest.mark.parametrize("fails_at", ["call", "wake"])
def test_after_a_clock_that_failed_nothing_is_waited_for_without_a_barrier(fails_at: str) -> None:
    async def lives() -> None:
        host = StrictHost(after("a", SOON), after("b", LATER))
        installed = await host.installed()
        broken: Any = "no time"
        now, host.clock.time = host.clock.time, broken
        if fails_at == "call":
            await installed.tools[1].run({})
        else:
            (timer,) = (timer for timer in host.timers if not timer.is_over)
            timer.is_over = True
            timer.callback()
        for _ in range(50):
            await asyncio.sleep(0)
        assert all(timer.is_over for timer in host.timers)
        host.clock.time = now
        flushes = host.flushes
        await host.idle_again()
        assert (host.flushes, host.waits(), host.queued) == (flushes + 1, [MINUTE], [])
        await host.idle_again()
        assert host.flushes == flushes + 1
        await installed.dispose()

    run(lives())


def test_what_is_not_due_any_more_once_the_phase_is_claimed_is_waited_for() -> None:
    async def lives() -> None:
        host = StrictHost(after("a", SOON))
        installed = await host.installed()

        def set_back() -> None:
            host.clock.time -= 1

        host.meanwhile = set_back
        await host.elapse(MINUTE)
        assert (host.asked, host.queued, host.waits()) == (1, [], [1])
        await installed.dispose()

    run(lives())


async def behind_a_call(host: StrictHost) -> None:
    """Let a wait end while a call is in its preflight, which queues a drive, and set the clock back."""
    installed = await host.installed()
    host.let.clear()
    host.call = asyncio.ensure_future(installed.tools[1].run({}))
    await host.settled()
    await host.elapse(MINUTE)
    host.clock.time = START


def test_no_wait_is_set_without_a_barrier_while_a_drive_is_queued() -> None:
    async def lives() -> None:
        host = StrictHost(after("a", SOON))
        await behind_a_call(host)
        await host.idle_again()
        assert host.waits() == []
        host.let.set()
        await host.settled()
        assert (host.waits(), host.flushes, host.queued) == ([MINUTE], 3, [])

    run(lives())


def test_a_wait_that_a_call_set_ends_with_the_failed_barrier_of_the_drive_behind_it() -> None:
    async def lives() -> None:
        host = StrictHost(after("a", SOON))
        await behind_a_call(host)
        host.outcomes = [True, False]
        host.let.set()
        await host.settled()
        assert (host.waits(), host.flushes) == ([], 3)
        host.let.clear()
        await host.idle_again()
        assert (host.waits(), host.flushes) == ([], 4)
        host.let.set()
        await host.settled()
        assert (host.waits(), host.queued) == ([MINUTE], [])

    run(lives())
