"""The real clock and the event loop's timers, in their units."""

import asyncio
import time

import pytest

from schedule_impl.clock import LoopTimers, WallClock


@pytest.mark.parametrize(
    ("ns", "ms"), [(0, 0), (1_785_931_200_123_999_999, 1_785_931_200_123), (999_999, 0), (-1, -1)]
)
def test_the_wall_clock_gives_whole_milliseconds(monkeypatch: pytest.MonkeyPatch, ns: int, ms: int) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: ns)
    assert WallClock().now() == ms


def test_a_timer_ends_after_its_milliseconds() -> None:
    async def started() -> None:
        loop = asyncio.get_running_loop()
        before = loop.time()
        timer = LoopTimers().start(90_000, lambda: None)
        assert isinstance(timer, asyncio.TimerHandle)
        assert before + 90 <= timer.when() <= loop.time() + 90
        timer.cancel()
        assert timer.cancelled()

    asyncio.run(started())
