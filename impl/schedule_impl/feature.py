"""Schedule as a host composes it: loaded once, then told of every agent that is created.

Clauses: owner.roots-only, owner.requires-persistence, owner.dispose.
"""

from dataclasses import dataclass

from schedule_impl.host import Agent, Clock, Timers
from schedule_impl.owner import ScheduleOwner
from schedule_impl.persistence import Persistence
from schedule_impl.tools import ScheduleTools, Tool
from schedule_impl.work_queue import WorkQueue


class PersistenceMissingError(Exception):
    """The feature was composed without a persistence service: it does not load."""


@dataclass(frozen=True, slots=True)
class Installation:
    """What one agent got: its tools, and the owner that is at work."""

    tools: tuple[Tool, ...]
    owner: ScheduleOwner

    async def dispose(self) -> None:
        """End the owner, once what is in flight has ended; the host takes the tools away first."""
        await self.owner.dispose()


class ScheduleFeature:
    """The feature, loaded; PersistenceMissingError without a persistence service."""

    __slots__ = ("_clock", "_persistence", "_timers")

    def __init__(self, persistence: Persistence | None, clock: Clock, timers: Timers) -> None:
        if persistence is None:
            raise PersistenceMissingError("Schedule needs a persistence service")
        self._persistence = persistence
        self._clock = clock
        self._timers = timers

    def agent_created(self, agent: Agent) -> Installation | None:
        """Install Schedule for an agent that was just created; None for a child, which gets nothing.

        To be called on the event loop. Agents that were there before the feature was loaded are never passed.
        """
        if not agent.is_root:
            return None
        queue = WorkQueue()
        owner = ScheduleOwner(agent, queue, self._persistence, self._clock, self._timers)
        tools = ScheduleTools(agent, queue, owner, self._persistence, self._clock).all()
        owner.start()
        return Installation(tools, owner)
