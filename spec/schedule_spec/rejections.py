"""Rejections: how the law answers no, and the words in which it does.

The codes are the closed set of tool.errors-closed. At its boundary the law never raises: what it refuses is
answered with a `Rejection`, a value that names the clause.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice

from schedule_spec.text import json_string


class Code(StrEnum):
    """The closed set of error codes (tool.errors-closed)."""

    INVALID_PROMPT = "invalid_prompt"
    """The prompt is empty once trimmed."""
    INVALID_SELECTOR = "invalid_selector"
    """Not exactly one rule was given, or an argument is unknown."""
    INVALID_RULE = "invalid_rule"
    """The rule, or the id to delete, is not of an accepted form."""
    INVALID_TIME_ZONE = "invalid_time_zone"
    """The time zone is no accepted name."""
    NOT_FUTURE = "not_future"
    """The target is not after the clock sample."""
    TIME_OUT_OF_RANGE = "time_out_of_range"
    """An instant lies outside the years 0001 to 9999, or the clock is no safe integer."""
    FREQUENCY_TOO_HIGH = "frequency_too_high"
    """The interval is shorter than 300 seconds."""
    CORRUPT_SCHEDULE_LOG = "corrupt_schedule_log"
    """A durable change, or the log that holds it, breaks the protocol."""
    PERSISTENCE_UNCERTAIN = "persistence_uncertain"
    """A barrier did not confirm that what was written is durable."""
    INTERNAL_ERROR = "internal_error"
    """Something that is no fault of the input failed."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A refusal: its code, the id of the clause that is broken, and a sentence.

    `where` is the place in what was judged, such as `schedule.everySeconds`; it is empty for the whole. The
    sentence says what came and what is allowed, in printable characters alone.
    """

    code: Code
    clause: str
    message: str
    where: str = ""

    def within(self, place: str) -> "Rejection":
        """Return the same refusal, seen from the value that holds the judged one at `place`."""
        return replace(self, where=f"{place}.{self.where}" if self.where else place)


def corrupt(clause: str, message: str, where: str = "") -> Rejection:
    """Return the refusal of durable data that breaks a clause (change.strict)."""
    return Rejection(Code.CORRUPT_SCHEDULE_LOG, clause, message, where)


_LONGEST_QUOTE = 60
_MOST_NAMES = 6
_LITERALS = {None: "null", True: "true", False: "false"}


def quoted(value: object) -> str:
    """Return a value as a reader may see it in a sentence: short and printable, whatever the value is."""
    if value is None or isinstance(value, bool):
        return _LITERALS[value]
    if isinstance(value, str):
        return _quoted_string(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**30 else f"an integer of {value.bit_length()} bits"
    return repr(value) if isinstance(value, float) else _described(value)


def quoted_names(names: Collection[object]) -> str:
    """Return the names in the order given, quoted and joined; of a long list the rest is counted."""
    listed = ", ".join(quoted(name) for name in islice(names, _MOST_NAMES))
    rest = len(names) - _MOST_NAMES
    return f"{listed} and {rest} more" if rest > 0 else listed


def _quoted_string(string: str) -> str:
    if len(string) <= _LONGEST_QUOTE:
        return "".join(map(_printable, json_string(string)))
    return f"{_quoted_string(string[:_LONGEST_QUOTE])}… ({len(string)} characters)"


def _printable(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\u{{{code:x}}}"


def _described(value: object) -> str:
    match value:
        case list():
            return f"an array of length {len(value)}"
        case dict():
            return f"an object with {quoted_names(value)}" if value else "an object without members"
        case _:
            return f"a value that is no JSON ({type(value).__name__})"
