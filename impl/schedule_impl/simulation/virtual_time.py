"""The wall clock and the timers of a simulated world: whole ms, moved by hand, each without the other."""

import heapq
from collections.abc import Callable
from itertools import count
from typing import Final

from schedule_impl.host import Timer

_LONGEST_DELAY: Final = 2**31 - 1


class VirtualClock:
    """The wall clock of a world, in ms."""

    __slots__ = ("time",)

    def __init__(self) -> None:
        self.time = 0

    def now(self) -> int:
        """The time in ms."""
        return self.time


class _VirtualTimer:
    __slots__ = ("callback",)

    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        self.callback = None


class VirtualTimers:
    """Waits in elapsed ms, whatever the wall clock does; a delay that Node could not hold ends at once."""

    def __init__(self) -> None:
        self._elapsed = 0
        self._waits: list[tuple[int, int, _VirtualTimer]] = []
        self._order = count()

    def start(self, delay: int, callback: Callable[[], None]) -> Timer:
        """Call back once `delay` ms have elapsed."""
        timer = _VirtualTimer(callback)
        held = delay if 0 <= delay <= _LONGEST_DELAY else 0
        heapq.heappush(self._waits, (self._elapsed + held, next(self._order), timer))
        return timer

    def next_delay(self) -> int | None:
        """How many ms are left of the wait that ends first, None for no wait."""
        while self._waits and self._waits[0][2].callback is None:
            heapq.heappop(self._waits)
        return self._waits[0][0] - self._elapsed if self._waits else None

    def elapse(self, ms: int) -> None:
        """Let time pass, up to the end of the first wait at most."""
        self._elapsed += ms

    def fire(self) -> bool:
        """End one wait that has elapsed; whether there was one."""
        if self.next_delay() != 0:
            return False
        timer = heapq.heappop(self._waits)[2]
        if timer.callback is not None:
            timer.callback()
        return True
