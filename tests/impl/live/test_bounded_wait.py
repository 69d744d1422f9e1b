"""How long the one timer of an owner is set for: the whole wait, or as much of it as a timer holds."""

import asyncio
import gc
from collections.abc import Callable
from typing import NoReturn

import pytest

from schedule_impl.changes import At, Create
from schedule_impl.codec import to_json
from schedule_impl.feature import ScheduleFeature
from schedule_impl.host import Agent
from schedule_impl.instants import to_text
from schedule_impl.persistence import Persistence
from schedule_impl.session import Session, new_header
from schedule_impl.simulation.virtual_time import VirtualClock, VirtualTimers

NOON = 1_785_931_200_000


class Durable:
    """A listener that makes everything durable."""

    async def persist(self, session: Session) -> bool:
        return True


class Idle:
    """An agent's host that is never to be asked for more than to tell when it is idle."""

    def watch_idle(self, callback: object) -> Callable[[], None]:
        return lambda: None

    def claim_idle(self) -> NoReturn:
        pytest.fail("nothing is due")

    def follow_up(self, text: str) -> NoReturn:
        pytest.fail("nothing is due")


def delay_of_the_timer(wait: int) -> int | None:
    """The ms for which the timer is set where the one reminder is to come in `wait` ms."""

    async def run() -> int | None:
        clock, timers, session = VirtualClock(), VirtualTimers(), Session(new_header("s", 0))
        clock.time = NOON
        change = to_json(Create(1, At("a", "p", to_text(NOON + wait))))
        session.append({"type": "schedule/change", "data": change}, NOON)
        persistence = Persistence()
        persistence.attach(Durable())
        installed = ScheduleFeature(persistence, clock, timers).agent_created(Agent("s", session, Idle()))
        assert installed is not None
        for _ in range(20):
            await asyncio.sleep(0)
        delay = timers.next_delay()
        await installed.dispose()
        return delay

    try:
        return asyncio.run(run())
    finally:
        # An exception that no one asked for is told of now, not while pytest reads sources for its report.
        gc.collect()


@pytest.mark.parametrize(
    ("wait", "delay"),
    [
        pytest.param(1, 1, id="a-millisecond"),
        pytest.param(2_147_483_646, 2_147_483_646, id="just-within"),
        pytest.param(2_147_483_647, 2_147_483_647, id="the-longest"),
        pytest.param(2_147_483_648, 2_147_483_647, id="just-beyond"),
        pytest.param(200_000_000_000_000, 2_147_483_647, id="thousands-of-years"),
    ],
)
def test_a_timer_is_set_for_the_whole_wait_or_as_much_as_it_holds(wait: int, delay: int) -> None:
    assert delay_of_the_timer(wait) == delay
