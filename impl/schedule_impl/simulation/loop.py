"""An event loop without time, threads or I/O: it runs what is ready, in order, until nothing is.

One loop is one process: what was on it when the process dies is never run again.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context
from typing import Any, TypeVar, TypeVarTuple

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class SettlingLoop(asyncio.AbstractEventLoop):
    """A loop that is driven by `settle`; `failures` holds what no one caught."""

    def __init__(self) -> None:
        self._ready: deque[asyncio.Handle] = deque()
        self.failures: list[dict[str, Any]] = []

    def settle(self) -> bool:
        """Run until nothing is ready; whether anything ran."""
        ran = False
        outer = asyncio._get_running_loop()
        asyncio._set_running_loop(self)
        try:
            while self._ready:
                ran = True
                handle = self._ready.popleft()
                if not handle.cancelled():
                    handle._run()
        finally:
            asyncio._set_running_loop(outer)
        return ran

    def call_soon(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        """Run a callback behind all that is ready."""
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def create_future(self) -> asyncio.Future[Any]:
        """A future of this loop."""
        return asyncio.Future(loop=self)

    def create_task(
        self,
        coro: Generator[Any, None, T] | Coroutine[Any, Any, T],
        *,
        name: str | None = None,
        context: Context | None = None,
    ) -> asyncio.Task[T]:
        """A task of this loop."""
        return asyncio.Task(coro, loop=self, name=name, context=context)

    def get_debug(self) -> bool:
        """Never in debug mode."""
        return False

    def is_closed(self) -> bool:
        """Never closed."""
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Keep what no one caught."""
        self.failures.append(context)
