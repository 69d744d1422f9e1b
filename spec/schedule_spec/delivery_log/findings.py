"""What can be said of one event of a log: right, wrong, explained, or not to be told from a log."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Checked(StrEnum):
    """What was held to the clauses and found right."""

    DELIVERY = "deliveries"
    """A follow-up and all its dispatches."""
    ANSWER = "answers"
    """A tool call and its result."""


class NotShown(StrEnum):
    """Why something that the log holds cannot be judged from it."""

    NO_FOLLOW_UPS = "dispatches: the log holds no inbox events, so that no follow-up can be in it"
    NO_TIME = "times: an event has no time to hold it against"
    MOVED = "follow-ups: a change of the inbox takes a reminder out and puts it back"
    NO_RESULT = "tool calls: the log holds no result"
    BY_HOST = "tool results: the host's own answer, a cancellation for example"
    FORM = "tool results: the text is no JSON; the host may have replaced it"
    STATE = "states: the clock may have stood on either side of the target, or was set meanwhile"
    TOO_MUCH = "tool results: too much happened between the call and its result"
    ZONE = "targets of at: another release of the zone data may give them"
    NO_CALL = "creates and deletes: no tool call was open"


@dataclass(frozen=True, slots=True)
class Note:
    """Something unusual that a crash or a failed append explains; `position` is the event's."""

    position: int
    message: str


@dataclass(frozen=True, slots=True)
class Fault:
    """An event that may not be there as it is: the clause, a sentence, and what would have been right."""

    clause: str
    message: str
    right: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A fault, if the log turns out to hold inbox events at all."""

    fault: Fault


Finding: TypeAlias = Checked | NotShown | Note | Fault | Suspicion
