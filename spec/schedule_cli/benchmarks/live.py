"""A live session measured, in a process of its own: `python -m schedule_cli.benchmarks.live WORK N`.

The session, the tools and the owner are the real ones; the clock is moved by hand, and the storage is memory
that acknowledges at once, so that no disk is measured. `tools N` times the last calls of N in one session,
`owner N` a live owner over N active records. Seconds are those of the processor. Prints one JSON object.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from itertools import cycle
from time import process_time
from typing import Any

from schedule_cli.benchmarks.work import peak_bytes
from schedule_impl.feature import Installation, ScheduleFeature
from schedule_impl.host import Agent, Timer
from schedule_impl.instants import to_text
from schedule_impl.persistence import Persistence
from schedule_impl.session import Session, event_line, new_header
from schedule_impl.store import SessionStore

START = 1_785_931_200_000
"""2026-08-05T12:00:00.000Z in ms."""
TIMED = 500
"""Calls at the end of a session that are timed."""
ACTIVE = 16
"""About how many reminders are active in the benchmark of the tools."""
WAKES = 200
"""One-shot reminders that are delivered one a wake in the benchmark of the owner."""
BATCH = 1000
"""Every records that come due together in the benchmark of the owner."""
MINUTE = 60_000
YEAR = 365 * 24 * 60 * MINUTE


class Memory:
    """A storage that acknowledges at once, and keeps nothing: nobody reads it back."""

    async def create(self, name: str, data: bytes) -> None:
        """Acknowledge."""

    async def take_over(self, name: str) -> bytes:
        """Nothing was ever kept."""
        raise FileNotFoundError(name)

    async def extend(self, name: str, size: int, data: bytes) -> None:
        """Acknowledge."""

    async def replace(self, name: str, data: bytes) -> None:
        """Acknowledge."""

    async def let_go(self, name: str) -> None:
        """Nothing is held."""


class Clock:
    """A wall clock that is moved by hand, in ms."""

    def __init__(self) -> None:
        self.time = START

    def now(self) -> int:
        """The time."""
        return self.time


class Wait:
    """A wait that was started, and ends when the clock has come to `end`."""

    def __init__(self, waits: "Timers", end: int, callback: Callable[[], None]) -> None:
        self._waits = waits
        self.end = end
        self.callback = callback

    def cancel(self) -> None:
        """Be no more."""
        self._waits.live.discard(self)


class Timers:
    """The few waits that are under way; of one that was cancelled nothing is left."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.live: set[Wait] = set()

    def start(self, delay: int, callback: Callable[[], None]) -> Timer:
        """Call back after `delay` ms."""
        wait = Wait(self, self._clock.time + delay, callback)
        self.live.add(wait)
        return wait

    def fire(self) -> None:
        """End all waits that are over."""
        for wait in [wait for wait in self.live if wait.end <= self._clock.time]:
            wait.cancel()
            wait.callback()


class Host:
    """An agent that is idle whenever it is asked, and does nothing with what is queued for it."""

    def claim_idle(self) -> "Host":
        """The phase, which this is too."""
        return self

    def release(self) -> None:
        """Nothing waits."""

    def follow_up(self, text: str) -> None:
        """Take it."""

    def watch_idle(self, _callback: Callable[[], None]) -> Callable[[], None]:
        """It never works, so it never returns to idle."""
        return lambda: None


class Desk:
    """A live session, and what moves its time; to be made on a running loop."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._clock = Clock()
        self._timers = Timers(self._clock)
        store = SessionStore(Memory(), self._clock)
        store.adopt(session, "bench.jsonl", 0)
        persistence = Persistence()
        persistence.attach(store)
        feature = ScheduleFeature(persistence, self._clock, self._timers)
        installed = feature.agent_created(Agent("bench", session, Host()))
        assert installed is not None
        self.installed: Installation = installed

    async def rest(self) -> None:
        """Let the owner end what it has begun, and wait."""
        for _ in range(100):
            await asyncio.sleep(0)

    async def settled(self, events: int) -> None:
        """Return once the log has so many events; AssertionError where the owner never appends them."""
        for _ in range(1000):
            if len(self.session) >= events:
                return
            await asyncio.sleep(0)
        raise AssertionError(f"the log has {len(self.session)} events, not {events}")

    async def deliver(self, ms: int, dispatches: int) -> float:
        """How many seconds it takes from a wake, `ms` later, to the last of so many dispatches."""
        self._clock.time += ms
        expected = len(self.session) + dispatches
        begin = process_time()
        self._timers.fire()
        await self.settled(expected)
        return process_time() - begin


async def tools(calls: int) -> dict[str, Any]:
    """Time the last of so many tool calls: creates, lists and deletes in turn, over a few active records."""
    desk = Desk(Session(new_header("bench", START)))
    create, listing, delete = (tool.run for tool in desk.installed.tools)
    made: list[str] = []

    async def one_more() -> None:
        answer: Any = await create({"prompt": "stand up and stretch", "after_seconds": 1_000_000})
        made.append(answer["id"])

    async def show() -> None:
        answer = await listing({})
        assert len(answer) == len(made)

    async def one_less() -> None:
        answer: Any = await delete({"id": made.pop(0)})
        assert answer["deleted"]

    for _ in range(ACTIVE):
        await one_more()
    steps: cycle[Callable[[], Awaitable[None]]] = cycle([one_more, show, one_less])
    timed = min(calls, TIMED)
    for _ in range(calls - timed - ACTIVE):
        await next(steps)()
    begin = process_time()
    for _ in range(timed):
        await next(steps)()
    seconds = process_time() - begin
    return {"calls": calls, "timed": timed, "seconds": seconds, "peak": peak_bytes()}


async def owner(records: int) -> dict[str, Any]:
    """Time the opening of a session with so many active records, wakes for one, and one for a batch."""
    wakes, batch = min(WAKES, records // 4), min(BATCH, records // 4)
    near = [START + (place + 1) * MINUTE for place in range(wakes)]
    together = START + (wakes + 1) * MINUTE
    targets = [("after", target) for target in near] + [("every", together)] * batch
    rest = records - len(targets)
    targets += [("after" if place % 2 else "every", START + YEAR + place) for place in range(rest)]
    lines = [_line(seq, kind, target) for seq, (kind, target) in enumerate(targets)]
    begin = process_time()
    desk = Desk(Session(new_header("bench", START), lines))
    open_seconds = process_time() - begin
    await desk.rest()
    wake_seconds = 0.0
    for _ in range(wakes):
        wake_seconds += await desk.deliver(MINUTE, 1)
    batch_seconds = await desk.deliver(MINUTE, batch)
    return {
        "records": records,
        "openSeconds": open_seconds,
        "wakes": wakes,
        "wakeSeconds": wake_seconds,
        "batch": batch,
        "batchSeconds": batch_seconds,
        "peak": peak_bytes(),
    }


def _line(seq: int, kind: str, target: int) -> bytes:
    rule = {"afterSeconds": 60} if kind == "after" else {"everySeconds": 86_400}
    record = {"id": f"schedule-{seq + 1}", "kind": kind, "prompt": "stand up and stretch", **rule}
    change = {"version": 1, "operation": "create", "schedule": {**record, "scheduledAt": to_text(target)}}
    return event_line({"type": "schedule/change", "data": change}, seq, START)


WORKS = {"tools": tools, "owner": owner}


def main(name: str, number: str) -> None:
    """Do the work, and print its figures."""
    sys.stdout.write(json.dumps(asyncio.run(WORKS[name](int(number)))) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
