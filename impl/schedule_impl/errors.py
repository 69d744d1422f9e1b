"""The one exception by which Schedule refuses something, and the closed set of codes it may carry.

Clauses: tool.errors-closed, change.strict.
"""

from typing import Final, Literal, get_args

Code = Literal[
    "invalid_prompt",
    "invalid_selector",
    "invalid_rule",
    "invalid_time_zone",
    "not_future",
    "time_out_of_range",
    "frequency_too_high",
    "corrupt_schedule_log",
    "persistence_uncertain",
    "internal_error",
]

CODES: Final[tuple[Code, ...]] = get_args(Code)
"""Every code there is."""

_SHOWN: Final = 60


class ScheduleError(Exception):
    """A domain answer: a code of the closed set and a message that depends on code and input alone."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code: Code = code
        self.message = message


def corrupt(message: str) -> ScheduleError:
    """The refusal of a change, a record or an event that no sound log holds (change.strict)."""
    return ScheduleError("corrupt_schedule_log", message)


def quoted(text: str) -> str:
    """Text from outside as a message shows it: ASCII, on one line, cut where it is long."""
    return ascii(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!a}…"
