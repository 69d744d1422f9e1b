"""A process that hosts an agent that never rests; what it acknowledges or queues it tells on standard output.

    python restless_agent.py LOG SEED ORIGIN SPEED

It lives until it is killed. Its clock runs SPEED times as fast as the machine's, from ORIGIN (ms) on, so that
even intervals of five minutes come due within its short life; nothing else about it is simulated. Each line
it tells is one JSON array, short enough to pass through a pipe at one blow, so that a kill never cuts one:
prompts, which may be long, are told by their digests.
"""

import asyncio
import hashlib
import json
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from schedule_impl.clock import LoopTimers, WallClock
from schedule_impl.feature import ScheduleFeature
from schedule_impl.host import Agent, Timer
from schedule_impl.persistence import Persistence
from schedule_impl.storage import Disk
from schedule_impl.store import SessionStore

FEW, MANY = 4, 12
"""About how many reminders there are at a time, at least and at most."""
LONG = 6_000_000
"""The length of a prompt that takes a while to write."""


def tell(*words: object) -> None:
    os.write(1, (json.dumps(words) + "\n").encode())


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def reminders(text: str) -> list[tuple[str, str, str]]:
    """What a follow-up presents: of each reminder the id, the occurrence and the digest of the prompt."""
    title, _, *lines = text.split("\n")
    if title == "[SCHEDULE REMINDER BATCH]":
        items = json.loads(lines[0].removeprefix("reminders_json: "))
    else:
        identity, occurrence, prompt = (line.partition(": ")[2] for line in lines)
        items = [
            {
                "schedule_id": json.loads(identity),
                "occurrence_at": occurrence,
                "reminder_prompt": json.loads(prompt),
            }
        ]
    return [(item["schedule_id"], item["occurrence_at"], digest(item["reminder_prompt"])) for item in items]


class FastClock:
    """The wall clock, faster."""

    def __init__(self, origin: int, speed: int) -> None:
        self._origin = origin
        self._speed = speed
        self._clock = WallClock()

    def now(self) -> int:
        return self._origin + (self._clock.now() - self._origin) * self._speed


class FastTimers:
    """The timers of the running event loop, in the time of a faster clock."""

    def __init__(self, speed: int) -> None:
        self._speed = speed
        self._timers = LoopTimers()

    def start(self, delay: int, callback: Callable[[], None]) -> Timer:
        return self._timers.start(delay // self._speed + 1, callback)


class Host:
    """An agent that is idle whenever it is asked; what is queued for it is told and forgotten."""

    def __init__(self, clock: FastClock) -> None:
        self._clock = clock

    def claim_idle(self) -> "Host":
        return self

    def release(self) -> None:
        pass

    def follow_up(self, text: str) -> None:
        tell("queued", reminders(text), self._clock.now())

    def watch_idle(self, callback: object) -> Callable[[], None]:
        return lambda: None


class Habits:
    """What the agent does all day: it makes reminders near and far, long and short, and takes some back."""

    def __init__(self, dice: random.Random, tools: dict[str, Any]) -> None:
        self._dice = dice
        self._tools = tools

    async def step(self) -> None:
        views = await self._tools["schedule_list"]({})
        if isinstance(views, dict):
            tell("failed", views)
            return
        if len(views) > MANY or (len(views) > FEW and self._dice.random() < 0.4):
            identity = self._dice.choice(views)["id"]
            answer = await self._tools["schedule_delete"]({"id": identity})
            tell("failed" if "message" in answer else "deleted", answer)
        else:
            answer = await self._tools["schedule_create"](self._wish())
            if "prompt" in answer:
                answer["prompt"] = digest(answer["prompt"])
            tell("failed" if "message" in answer else "created", answer)

    def _wish(self) -> dict[str, Any]:
        length = self._dice.choice([1, *[40] * 30, LONG])
        if length == LONG:
            tell("long")
        rule = self._dice.choice(
            [
                {"after_seconds": self._dice.randint(1, 60)},
                {"after_seconds": 10**9},
                {"every_seconds": self._dice.randint(300, 400)},
            ]
        )
        return {"prompt": f"{self._dice.getrandbits(4 * length):x}", **rule}


async def live(log: Path, seed: str, origin: int, speed: int) -> None:
    clock = FastClock(origin, speed)
    tell("starting")
    store = SessionStore(Disk(log.parent), clock)
    persistence = Persistence()
    persistence.attach(store)
    session = await (store.resume(log.name) if log.exists() else store.create("restless", log.name))
    tell("up", digest(json.dumps(session.agenda.seen())))
    feature = ScheduleFeature(persistence, clock, FastTimers(speed))
    installed = feature.agent_created(Agent("restless", session, Host(clock)))
    assert installed is not None
    habits = Habits(random.Random(seed), {tool.name: tool.run for tool in installed.tools})
    while True:
        await habits.step()


if __name__ == "__main__":
    asyncio.run(live(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
