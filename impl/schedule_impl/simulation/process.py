"""One session's process: the real session, tools and owner on a loop of their own, before a simulated agent.

Whatever happens at its edges is told to `observe`. Once dead it runs no more and tells nothing.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from schedule_impl.changes import Change
from schedule_impl.codec import to_json
from schedule_impl.ecma_json import Json
from schedule_impl.feature import Installation, PersistenceMissingError, ScheduleFeature
from schedule_impl.fold import SCHEDULE_CHANGE
from schedule_impl.host import Agent
from schedule_impl.persistence import Persistence
from schedule_impl.session import Session
from schedule_impl.simulation.agent import Observe, SimulatedHost, Turns
from schedule_impl.simulation.disk import SimulatedDisk
from schedule_impl.simulation.loop import SettlingLoop
from schedule_impl.simulation.script import BackendError, Outcome, Script
from schedule_impl.simulation.virtual_time import VirtualClock, VirtualTimers
from schedule_impl.store import SessionStore
from schedule_impl.tools import ArgumentsRefusedError, Tool

Kind = Literal["root", "child", "existing"]
"""Which agent a session has: a root, a child, or one that was there before the feature was loaded."""
LOG: Final = "session.jsonl"
"""The name of the log's file on a session's disk."""


class _ScriptedSession(Session):
    """A session whose own appends are observed, and fail as told."""

    __slots__ = ("_observe", "_script")

    def __init__(self, session: Session, script: Script, observe: Observe) -> None:
        super().__init__(session.header, session.lines())
        self._script = script
        self._observe = observe

    def append_change(self, change: Change, time: int) -> None:
        data = to_json(change)
        if self._script.appends.strikes(data["operation"]):
            raise BackendError(self._script.text)
        super().append_change(change, time)
        self._observe("append", {"type": SCHEDULE_CHANGE, "data": data})


class _ScriptedStore:
    """The listener that makes a session durable, as the script says."""

    def __init__(self, store: SessionStore, disk: SimulatedDisk, script: Script, observe: Observe) -> None:
        self._store = store
        self._disk = disk
        self._script = script
        self._observe = observe
        self.held: deque[asyncio.Future[Outcome]] = deque()

    async def persist(self, session: Session) -> bool:
        outcome = self._script.next_outcome()
        if outcome == "hold":
            release: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
            self.held.append(release)
            outcome = await release
        took_part = await self._end(session, outcome)
        self._observe("barrier", outcome)
        if outcome == "fail":
            raise BackendError(self._script.text)
        return took_part

    async def _end(self, session: Session, outcome: Outcome) -> bool:
        if outcome == "missing":
            return False
        self._disk.sync_fails = [outcome == "fail"]
        self._disk.text = self._script.text
        try:
            return await self._store.persist(session)
        except OSError:
            return False
        finally:
            self._disk.sync_fails = []


class ProcessError(Exception):
    """Something went wrong in a process that nothing there caught."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Around what agent a session is opened, and whether there is a persistence service."""

    kind: Kind = "root"
    persistence: bool = True
    busy: bool = False
    turns: Turns = "none"


@dataclass(frozen=True, slots=True)
class Outside:
    """What lies outside a process, and outlives it."""

    clock: VirtualClock
    disk: SimulatedDisk
    script: Script
    observe: Observe


class Process:
    """A live session over the log on its disk."""

    def __init__(self, session: Session, outside: Outside, surroundings: Surroundings) -> None:
        self.loop = SettlingLoop()  # type: ignore[abstract]
        self.timers = VirtualTimers()
        self._observe = outside.observe
        self._clock = outside.clock
        self._alive = True
        self._calls: dict[str, asyncio.Task[None]] = {}
        self._tools: dict[str, Tool] = {}
        script = outside.script
        self.session: Session = _ScriptedSession(session, script, self._tell)
        self._host = SimulatedHost(script, self._tell, busy=surroundings.busy, turns=surroundings.turns)
        store = SessionStore(outside.disk, outside.clock)
        store.adopt(self.session, LOG, len(outside.disk.visible(LOG) or b""))
        self._store = _ScriptedStore(store, outside.disk, script, self._tell)
        self._installation: Installation | None = None
        if surroundings.kind != "existing":
            self._run(self._install, surroundings)

    @property
    def tools(self) -> list[str]:
        """The names of the tools that the agent has."""
        return list(self._tools)

    def die(self) -> None:
        """End at once: nothing of it runs or is told any more."""
        self._alive = False

    def call(self, identity: str, name: str, arguments: object) -> None:
        """Start a tool call."""
        self._run(self._start, identity, name, arguments)

    def abort(self, identity: str) -> None:
        """Cancel a tool call that has not ended."""
        if identity in self._calls:
            self._calls[identity].cancel()

    def set_busy(self, busy: bool) -> None:
        """Begin a turn or other work, or end it."""
        self._run(self._host.set_busy, busy)

    def release(self, outcome: Outcome) -> bool:
        """Let the barrier that was held first end; whether there was one."""
        if not self._store.held:
            return False
        self._store.held.popleft().set_result(outcome)
        return True

    def dispose(self) -> None:
        """End the owner, and take the tools away."""
        self._tools = {}
        if self._installation is not None:
            self._run(self._start_disposal, self._installation)
            self._installation = None

    def step(self) -> bool:
        """Run what can run without time passing; whether anything did. ProcessError if that fails."""
        ran = self._alive and (self._run(self.timers.fire) or self.loop.settle())
        if self._alive and self.loop.failures:
            raise ProcessError(repr(self.loop.failures.pop(0)))
        return ran

    def _run(self, action: Callable[..., Any], *arguments: Any) -> Any:
        """Call on the loop, where tasks may be started."""
        outer = asyncio._get_running_loop()
        asyncio._set_running_loop(self.loop)
        try:
            return action(*arguments)
        finally:
            asyncio._set_running_loop(outer)

    def _install(self, surroundings: Surroundings) -> None:
        service = Persistence() if surroundings.persistence else None
        try:
            feature = ScheduleFeature(service, self._clock, self.timers)
        except PersistenceMissingError:
            return
        if service is not None:
            service.attach(self._store)
        agent = Agent(self.session.id, self.session, self._host, is_root=surroundings.kind == "root")
        self._installation = feature.agent_created(agent)
        if self._installation is not None:
            self._tools = {tool.name: tool for tool in self._installation.tools}

    def _start(self, identity: str, name: str, arguments: object) -> None:
        self._calls[identity] = self.loop.create_task(self._answer(identity, name, arguments))

    async def _answer(self, identity: str, name: str, arguments: object) -> None:
        answer: dict[str, Json] = {"callId": identity}
        try:
            answer["value"] = await self._call_tool(name, arguments)
        except ArgumentsRefusedError as refusal:
            answer["refused"] = str(refusal)
        except asyncio.CancelledError:
            answer["aborted"] = True
        self._tell("answer", answer)
        self._calls.pop(identity, None)

    async def _call_tool(self, name: str, arguments: object) -> Any:
        tool = self._tools.get(name)
        if tool is None:
            raise ArgumentsRefusedError(f"the agent has no tool {name}")
        if not isinstance(arguments, Mapping):
            raise ArgumentsRefusedError("the arguments are no object")
        return await tool.run(arguments)

    def _start_disposal(self, installation: Installation) -> None:
        self._disposal = self.loop.create_task(installation.dispose())

    def _tell(self, name: str, value: Json) -> None:
        if self._alive:
            self._observe(name, value)
