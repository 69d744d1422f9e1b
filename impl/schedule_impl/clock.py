"""The real clock and the timers of the running event loop."""

import asyncio
import time
from collections.abc import Callable

from schedule_impl.host import Timer


class WallClock:
    """The machine's wall clock."""

    def now(self) -> int:
        """The time in ms since 1970-01-01T00:00:00Z."""
        return time.time_ns() // 1_000_000


class LoopTimers:
    """The timers of the event loop that runs."""

    def start(self, delay: int, callback: Callable[[], None]) -> Timer:
        """Call back after `delay` ms."""
        return asyncio.get_running_loop().call_later(delay / 1000, callback)
