"""A small agent whose reminders outlive it: a real clock, a real file, the keyboard for a model.

    python examples/agent.py [LOG]        by default reminders.jsonl in the present directory

Set a reminder and wait: it comes back as a turn of its own. Or kill the process in between, by force if you
like, and start it again: what was acknowledged is still there, and what has come due meanwhile comes at once.
What you type stands for what a model would do in a turn: it calls one tool. `schedule-spec check` reads
the log.
"""

import argparse
import asyncio
import io
import re
import sys
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from schedule_impl.clock import LoopTimers, WallClock
from schedule_impl.errors import ScheduleError
from schedule_impl.feature import ScheduleFeature
from schedule_impl.host import Agent
from schedule_impl.persistence import Persistence
from schedule_impl.rendering import json_text
from schedule_impl.session import Session
from schedule_impl.storage import Disk
from schedule_impl.store import SessionError, SessionStore
from schedule_impl.tools import Tool

Turn = Callable[[], Coroutine[Any, Any, None]]
"""What an agent does in one turn."""

HELP = """\
in SECONDS TEXT      once, after a delay         list         what is set
at MOMENT TEXT       once, at a moment such as   delete ID    take one back
                     2030-01-01T09:00:00+01:00   quit
every SECONDS TEXT   again and again, 300 s or more"""


class Phase:
    """A claimed idle phase of the agent."""

    def __init__(self, agent: "SmallAgent") -> None:
        self._agent = agent

    def release(self) -> None:
        """Let go; what was queued meanwhile opens a turn."""
        self._agent.phase_ended()


class SmallAgent:
    """The host's side of one agent: one turn at a time, and an inbox of messages for the next."""

    def __init__(self, session: Session, persistence: Persistence, clock: WallClock) -> None:
        self.tools: dict[str, Tool] = {}
        self._session = session
        self._persistence = persistence
        self._clock = clock
        self._inbox: list[str] = []
        self._occupied = False
        self._waiting: deque[Turn] = deque()
        self._turns: set[asyncio.Task[None]] = set()
        self._watchers: list[Callable[[], None]] = []

    def claim_idle(self) -> Phase | None:
        """The idle phase, unless a turn is under way."""
        if self._occupied:
            return None
        self._occupied = True
        return Phase(self)

    def follow_up(self, text: str) -> None:
        """Queue a message for a turn of its own, and write it to the transcript."""
        message = {"role": "user", "source": {"kind": "plugin", "plugin": "schedule"}, "content": _text(text)}
        self._log("agent/inbox/spliced", {"target": "next-turn", "start": 0, "inserted": [message]})
        self._inbox.append(text)

    def watch_idle(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back whenever a turn has ended and no other waits."""
        self._watchers.append(callback)
        return lambda: self._watchers.remove(callback)

    def phase_ended(self) -> None:
        """Open a turn for what was queued in the phase."""
        self._occupied = False
        if self._inbox:
            self._waiting.append(self._present)
        self._begin_next()

    def do(self, tool: str, arguments: dict[str, Any]) -> None:
        """Let the model call a tool, in a turn."""
        self._waiting.append(lambda: self._call(tool, arguments))
        self._begin_next()

    async def idle(self) -> None:
        """Return when no turn is under way, and none waits."""
        while self._turns:
            await asyncio.wait(self._turns)

    def _begin_next(self) -> None:
        if self._waiting and not self._occupied:
            self._occupied = True
            task = asyncio.get_running_loop().create_task(self._turn(self._waiting.popleft()))
            self._turns.add(task)
            task.add_done_callback(self._turns.discard)

    async def _turn(self, turn: Turn) -> None:
        try:
            await turn()
            await self._persistence.flush(self._session)
        except Exception as problem:
            sys.stderr.write(f"The turn failed: {problem}\n")
        finally:
            self._occupied = False
            self._begin_next()
        if not self._occupied:
            for callback in tuple(self._watchers):
                callback()

    async def _present(self) -> None:
        messages, self._inbox = self._inbox, []
        removed = {"target": "next-turn", "start": 0, "removedCount": len(messages), "inserted": []}
        self._log("agent/inbox/spliced", removed)
        for message in messages:
            say(f"\n--- a turn begins ---\n{message}\n--- it ends ---")

    async def _call(self, tool: str, arguments: dict[str, Any]) -> None:
        call = f"c{len(self._session)}"
        self._log("tool/call", {"callId": call, "name": tool, "arguments": json_text(arguments)})
        result = json_text(await self.tools[tool].run(arguments))
        part = {"type": "tool-result", "toolCallId": call, "content": _text(result), "isError": False}
        source = {"kind": "tool", "callId": call}
        self._log("tool/result", {"message": {"role": "user", "source": source, "content": [part]}})
        say(result)

    def _log(self, kind: str, data: dict[str, Any]) -> None:
        self._session.append({"type": kind, "data": data}, self._clock.now())


def say(line: str) -> None:
    """Show something on the terminal."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _text(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text}]


def understand(line: str) -> tuple[str, dict[str, Any]] | None:
    """The tool that a typed line calls, with its arguments; None for a line that is none."""
    match line.split(maxsplit=2):
        case ["in" | "every" as rule, seconds, text] if re.fullmatch("[0-9]{1,15}", seconds):
            selector = "after_seconds" if rule == "in" else "every_seconds"
            return "schedule_create", {"prompt": text, selector: int(seconds)}
        case ["at", moment, text]:
            return "schedule_create", {"prompt": text, "at": moment}
        case ["list"]:
            return "schedule_list", {}
        case ["delete", identity]:
            return "schedule_delete", {"id": identity}
    return None


def _typed() -> "asyncio.Queue[str]":
    """The lines of standard input as they are typed, and `quit` at its end."""
    lines: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def read() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, line.strip())
        loop.call_soon_threadsafe(lines.put_nowait, "quit")

    threading.Thread(target=read, daemon=True).start()
    return lines


async def run(log: Path) -> None:
    """Host the agent of a log until `quit` or the end of input."""
    clock = WallClock()
    store = SessionStore(Disk(log.parent), clock)
    persistence = Persistence()
    persistence.attach(store)
    session = await (store.resume(log.name) if log.exists() else store.create("example", log.name))
    active = len(session.agenda.active())
    say(f"{active} {'reminder' if active == 1 else 'reminders'} in {log}\n{HELP}")
    feature = ScheduleFeature(persistence, clock, LoopTimers())
    agent = SmallAgent(session, persistence, clock)
    installed = feature.agent_created(Agent("example", session, agent))
    assert installed is not None
    agent.tools = {tool.name: tool for tool in installed.tools}
    lines = _typed()
    while (line := await lines.get()) != "quit":
        asked = understand(line)
        if asked is None:
            say(HELP)
        else:
            agent.do(*asked)
    await installed.dispose()
    await agent.idle()
    await persistence.flush(session)
    await store.close(session)


def main() -> int:
    """Run the agent; 3 where its log cannot be read, is not sound, or another process has it."""
    usage = argparse.ArgumentParser(description="A small agent whose reminders outlive it.")
    usage.add_argument("log", nargs="?", type=Path, default=Path("reminders.jsonl"), metavar="LOG")
    log: Path = usage.parse_args().log
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            # What the terminal's encoding cannot say is shown as an escape, and never ends the agent.
            stream.reconfigure(errors="backslashreplace")
    try:
        asyncio.run(run(log))
    except ScheduleError:
        sys.stderr.write(f"{log} is not sound. To see why, and to save what is: schedule-spec check {log}\n")
        return 3
    except (SessionError, OSError) as problem:
        sys.stderr.write(f"{problem}\n")
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
