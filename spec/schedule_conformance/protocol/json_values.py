"""JSON values as the court compares and shows them.

Two values are the same when they are the same JSON value: `300.0` is `300`, key order is free, `true` is
not `1`. Everything here walks with a stack of its own, because a system may answer with a value of any
depth.
"""

import json
from collections.abc import Callable
from typing import Any

DEEPEST_MESSAGE = 200
"""Levels of nesting that a reply may have; no message of the protocol needs a tenth of it."""


def _scalar(value: object) -> tuple[str, object]:
    if value is None or isinstance(value, bool):
        return ("word", value)
    if isinstance(value, int | float):
        return ("number", value)
    return (type(value).__name__, value)


def unreadable(fault: Exception) -> str:
    """Return why text could not be read or parsed; of bytes that are no text, which is the first."""
    return f"byte {fault.start} is not UTF-8" if isinstance(fault, UnicodeDecodeError) else str(fault)


def same(left: object, right: object) -> bool:
    """Whether two values are one JSON value."""
    waiting = [(left, right)]
    while waiting:
        one, other = waiting.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            if one.keys() != other.keys():
                return False
            waiting.extend((one[key], other[key]) for key in one)
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            waiting.extend(zip(one, other, strict=True))
        elif _scalar(one) != _scalar(other):
            return False
    return True


def depth_within(value: object, limit: int) -> bool:
    """Whether a value nests at most `limit` levels deep."""
    waiting = [(value, 0)]
    while waiting:
        item, depth = waiting.pop()
        if depth > limit:
            return False
        if isinstance(item, dict):
            waiting.extend((member, depth + 1) for member in item.values())
        elif isinstance(item, list):
            waiting.extend((member, depth + 1) for member in item)
    return True


def any_string(value: object, holds: Callable[[str], bool]) -> bool:
    """Whether any string in a value, keys included, has a property."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            if holds(item):
                return True
        elif isinstance(item, dict):
            waiting.extend(item)
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
    return False


def has_surrogate(value: object) -> bool:
    """Whether any string in a value holds an unpaired surrogate, raw or as an escape in JSON text."""
    return any_string(value, lambda text: any("\ud800" <= character <= "\udfff" for character in text))


def show(value: object, width: int = 2_000) -> str:
    """A value as one line of ASCII JSON, shortened to `width` characters with the omission said."""
    if not depth_within(value, DEEPEST_MESSAGE):
        return f"a value nested more than {DEEPEST_MESSAGE} levels deep"
    try:
        text = json.dumps(value, ensure_ascii=True)
    except (TypeError, ValueError):
        text = ascii(value)
    if len(text) <= width:
        return text
    return f"{text[:width]}… ({len(text) - width} more characters)"


def as_object(value: object) -> dict[str, Any] | None:
    """The value when it is an object, else nothing."""
    return value if isinstance(value, dict) else None
