"""One agent's work, one piece at a time in order of arrival (barrier.fifo, barrier.cancel)."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class AbandonedError(Exception):
    """Whoever asked for a piece of work has gone: it is to end here."""


class Turn:
    """A piece's turn, while it lasts."""

    __slots__ = ("_result",)

    def __init__(self, result: asyncio.Future[Any]) -> None:
        self._result = result

    def check(self) -> None:
        """Raise AbandonedError if no one waits for the result any more."""
        if self._result.cancelled():
            raise AbandonedError


class WorkQueue:
    """Tool calls and due work, each run through its last barrier before the next begins."""

    __slots__ = ("_free", "_pieces")

    def __init__(self) -> None:
        self._free = asyncio.Lock()
        self._pieces: set[asyncio.Task[None]] = set()

    def put(self, work: Callable[[Turn], Coroutine[Any, Any, T]]) -> asyncio.Future[T]:
        """Queue a piece of work, to be awaited for its result.

        Cancelled before its turn, it never begins. Cancelled later, it goes on to its next `check` or its
        end, and keeps its turn for so long: a flush that has begun can't be taken back.
        """
        loop = asyncio.get_running_loop()
        result: asyncio.Future[T] = loop.create_future()
        task = loop.create_task(self._in_turn(work, result))
        self._pieces.add(task)
        task.add_done_callback(self._pieces.discard)
        return result

    async def drained(self) -> None:
        """Return once no piece is left that was queued before.

        Whoever is cancelled here takes no piece along: someone else waits for its result.
        """
        if self._pieces:
            await asyncio.wait(self._pieces)

    async def _in_turn(
        self, work: Callable[[Turn], Coroutine[Any, Any, T]], result: asyncio.Future[T]
    ) -> None:
        async with self._free:
            if result.cancelled():
                return
            try:
                value = await work(Turn(result))
            except Exception as problem:
                if not result.done():
                    result.set_exception(problem)
            else:
                # Set before the turn ends, so that the answer is out before the next piece begins.
                if not result.done():
                    result.set_result(value)
