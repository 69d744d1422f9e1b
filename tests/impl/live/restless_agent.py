"""A process that hosts an agent that never rests; what it acknowledges or queues it tells on standard output.

It is run with the path of its log, and lives until it is killed.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from schedule_impl.clock import LoopTimers, WallClock
from schedule_impl.feature import ScheduleFeature
from schedule_impl.host import Agent
from schedule_impl.persistence import Persistence
from schedule_impl.storage import Disk
from schedule_impl.store import SessionStore


def tell(*words: str) -> None:
    """One write a line, so that a kill never cuts one."""
    os.write(1, (json.dumps(words) + "\n").encode())


class Host:
    """Always idle; follow-ups are told and forgotten."""

    def claim_idle(self) -> "Host":
        return self

    def release(self) -> None:
        pass

    def follow_up(self, text: str) -> None:
        tell("queued", text)

    def watch_idle(self, callback: object) -> Callable[[], None]:
        return lambda: None


async def live(log: Path) -> None:
    clock = WallClock()
    store = SessionStore(Disk(log.parent), clock)
    persistence = Persistence()
    persistence.attach(store)
    session = await (store.resume(log.name) if log.exists() else store.create("restless", log.name))
    installed = ScheduleFeature(persistence, clock, LoopTimers()).agent_created(Agent("a", session, Host()))
    assert installed is not None
    create, listing, delete = (tool.run for tool in installed.tools)
    tell("up")
    while True:
        for seconds in (1, 3600):
            made = await create({"prompt": "p", "after_seconds": seconds})
            assert isinstance(made, dict)
            tell("created", str(made["id"]))
        views = await listing({})
        far = [str(view["id"]) for view in views if isinstance(view, dict) and view["afterSeconds"] == 3600]
        if len(far) > 3:
            gone = await delete({"id": far[0]})
            assert isinstance(gone, dict)
            tell("deleted", str(gone["id"]))
        await asyncio.sleep(0.005)


if __name__ == "__main__":
    asyncio.run(live(Path(sys.argv[1])))
