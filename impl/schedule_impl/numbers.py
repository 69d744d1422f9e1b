"""Safe integers, read as ECMAScript reads a number: an IEEE 754 double (number.safe-integer)."""

from typing import Final

MAX_SAFE: Final = 2**53 - 1
"""The greatest safe integer."""


def whole(number: float) -> int | float:
    """The integer that a double is, where it is a safe one; the double itself elsewhere."""
    return int(number) if number.is_integer() and abs(number) <= MAX_SAFE else number


def is_integer(value: object) -> bool:
    """Whether a value is an integer proper, of any size: neither a float nor a Boolean is one."""
    return isinstance(value, int) and not isinstance(value, bool)


def safe_integer(value: object) -> int | None:
    """The safe integer that a JSON value is, or None: a Boolean is no number, `300.0` is 300."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        value = whole(value)
    return int(value) if isinstance(value, int) and abs(value) <= MAX_SAFE else None
