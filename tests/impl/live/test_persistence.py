"""When a flush succeeds: at least one listener took part, and none failed."""

import asyncio

import pytest

from schedule_impl.persistence import Persistence
from schedule_impl.session import Session, new_header


class Listener:
    """Takes part, or not, or fails."""

    def __init__(self, outcome: bool | Exception) -> None:
        self.outcome = outcome
        self.asked = 0

    async def persist(self, session: Session) -> bool:
        self.asked += 1
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


@pytest.mark.parametrize(
    ("outcomes", "durable"),
    [
        ([], False),
        ([True], True),
        ([False], False),
        ([False, True], True),
        ([OSError("x"), True], False),
        ([True, OSError("x")], False),
        ([OSError("x")], False),
    ],
)
def test_a_flush_needs_one_who_takes_part_and_none_who_fails(
    outcomes: list[bool | Exception], durable: bool
) -> None:
    service = Persistence()
    listeners = [Listener(outcome) for outcome in outcomes]
    for listener in listeners:
        service.attach(listener)
    assert asyncio.run(service.flush(Session(new_header("s", 0)))) is durable
    assert [listener.asked for listener in listeners] == [1] * len(listeners)


def test_who_is_detached_takes_no_part() -> None:
    service = Persistence()
    service.attach(Listener(True))()
    assert asyncio.run(service.flush(Session(new_header("s", 0)))) is False
