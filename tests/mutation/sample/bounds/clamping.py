"""Holding a number within bounds, in the ways that functions come in."""

from collections.abc import Callable
from functools import cache, wraps

from tests.mutation.sample.bounds.limits import LEAST, MOST


def counted(function: Callable[[int], int]) -> Callable[[int], int]:
    """Return the function as it is, behind a wrapper."""

    @wraps(function)
    def wrapper(value: int) -> int:
        return function(value)

    return wrapper


@counted
def clamped(value: int) -> int:
    """Return the nearest number within the bounds."""
    if value < LEAST:
        return LEAST
    return MOST if value > MOST else value


@cache
def steps(value: int) -> int:
    """Return how many steps of one lead down to the least."""
    taken = 0
    while value > LEAST:
        value -= 1
        taken += 1
    return taken


def unasked(value: int) -> int:
    """Return what nobody asks for."""
    return value + 1


class Bound:
    """A bound with a value that is read."""

    def __init__(self, value: int) -> None:
        self._value = value

    @property
    def value(self) -> int:
        """The value, within the bounds."""
        return clamped(self._value)
