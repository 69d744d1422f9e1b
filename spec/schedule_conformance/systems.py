"""What is held against the law: anything that answers a request with a reply.

A system is asked one request at a time. Whatever goes wrong while it answers is an `error`, which is never
taken for a rejection. Functions of this process are systems here; the protocol's child processes fit the
same shape.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol


class System(Protocol):
    """Something that answers requests of the adapter protocol."""

    @property
    def name(self) -> str:
        """How the system is named on the command line, so that a failure can be replayed."""

    def ask(self, request: dict[str, Any]) -> object:
        """Return the reply to a request; a fault is a reply with `error`, never an exception."""


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
