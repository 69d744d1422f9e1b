"""What is held against the law: anything that answers a request with a reply.

A system is asked one request at a time. Whatever goes wrong while it answers is a fault, which is never taken
for a rejection: an `error`, or a `Breakdown` where there is no reply at all. Functions of this process are
systems here; `streams` makes systems of child processes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol


class Trouble(StrEnum):
    """The ways in which a request can stay without a reply."""

    NOT_STARTED = "not-started"
    """The process could not be started."""

    ENDED = "ended"
    """The process ended before it answered."""

    CLOSED = "closed"
    """The process closed its standard output and goes on running."""

    LATE = "late"
    """No reply came in time."""

    GARBAGE = "garbage"
    """What came is no line of the protocol: no JSON object in UTF-8, or a line without end."""

    OUT_OF_ORDER = "out-of-order"
    """What came answers another request than the one that was asked."""

    CHANGED = "changed"
    """The process says another thing of itself in `hello` than the first one did."""


@dataclass(frozen=True, slots=True)
class Breakdown:
    """What there is instead of a reply: the kind of trouble, and a sentence that says what to do."""

    trouble: Trouble
    sentence: str

    def as_json(self) -> dict[str, Any]:
        """Return the breakdown as the `error` that stands for it in reports and traces."""
        return {"error": {"trouble": str(self.trouble), "message": self.sentence}}


class GivenUpError(BaseException):
    """Raised instead of asking once a system broke down too often; it ends the run, not the case.

    No `Exception`, because what explores a system takes those for failures of the case at hand.
    """


class System(Protocol):
    """Something that answers requests of the adapter protocol."""

    @property
    def name(self) -> str:
        """How the system is named on the command line, so that a failure can be replayed."""

    def ask(self, request: dict[str, Any]) -> object:
        """Return the reply to a request, or a `Breakdown`; a fault of the system is no exception.

        Raises GivenUpError where the system broke down too often to be asked again.
        """


@dataclass(frozen=True, slots=True)
class InProcess:
    """A function `handle(request) -> reply` of this process as a system."""

    name: str
    handle: Callable[[dict[str, Any]], object]

    def ask(self, request: dict[str, Any]) -> object:
        """Return what the function answers, or an `error` that says what it raised."""
        try:
            return self.handle(request)
        except Exception as fault:
            return {
                "seq": request.get("seq"),
                "error": {"message": f"{type(fault).__name__} was raised: {fault}"},
            }
