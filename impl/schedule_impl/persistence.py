"""The barrier: one flush of a session through all who make it durable (barrier.*)."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from schedule_impl.session import Session


class Listener(Protocol):
    """One who makes sessions durable."""

    async def persist(self, session: Session) -> bool:
        """True once all events up to now are durable, False for someone else's session; else raise."""
        ...


class Persistence:
    """The persistence service: the listeners that are attached at present."""

    __slots__ = ("_listeners",)

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def attach(self, listener: Listener) -> Callable[[], None]:
        """Let a listener take part in every later flush; what is returned detaches it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def flush(self, session: Session) -> bool:
        """Whether all events up to now are durable: at least one listener took part, and none failed."""
        took_part = await asyncio.gather(
            *(listener.persist(session) for listener in self._listeners), return_exceptions=True
        )
        return True in took_part and not any(isinstance(outcome, BaseException) for outcome in took_part)
