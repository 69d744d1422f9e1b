"""Forks: the boundary between what a session inherited and its own part of the log.

Specifies the clauses fork.*. What stands before the boundary is history: it stays in the log and is never
decoded.
"""

from collections.abc import Sequence
from typing import TypeVar

from icontract import ensure, require

from schedule_spec.json_text import Json
from schedule_spec.marks import defines
from schedule_spec.numbers import safe_integer
from schedule_spec.rejections import Rejection, corrupt, quoted

Event = TypeVar("Event")
"""An event, as whoever holds the log keeps it: taking a fork reads none."""


@defines("fork.bounds")
def boundary(events: Sequence[Json], seed_length: Json) -> int | Rejection:
    """Return the position at which the session's own part begins, or the refusal (fork.bounds)."""
    position = safe_integer(seed_length)
    if position is not None and 0 <= position <= len(events):
        return position
    allowed = f"a whole number from 0 to {len(events)}, the number of events, is required"
    sentence = f"seedLength is {quoted(seed_length)}; {allowed}."
    return corrupt("fork.bounds", sentence, "seedLength")


@defines("fork.history")
@ensure(
    lambda result, parent, at: (
        result[0] + tuple(parent[at:]) == tuple(parent) and result[1] == len(result[0])
    ),
    "fork.history: what the child lacks of its parent's log is what comes later; its own part is empty",
)
@require(lambda parent, at: 0 <= at <= len(parent), "fork.bounds: a fork is taken within its parent's log")
def fork(parent: Sequence[Event], at: int) -> tuple[tuple[Event, ...], int]:
    """Return the log with which a fork at a position begins, and its seed length (fork.history)."""
    return tuple(parent[:at]), at


def creates(event: Json, id: str) -> bool:
    """Tell whether an inherited event, which need not be sound, was meant to create the id.

    This serves a diagnosis alone: no verdict depends on it (fork.prefix-unread).
    """
    match event:
        case {"type": "schedule/change", "data": {"operation": "create", "schedule": {"id": str(created)}}}:
            return created == id
        case _:
            return False
