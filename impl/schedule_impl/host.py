"""What Schedule asks of the agent's host, and the means it is given: an agent, a clock and timers.

The host owns turns and the transcript. Schedule claims an idle phase, queues one message in it, and lets go;
it never steers. Clauses: owner.idle-only, owner.no-steer, deliver.parked, frame.message.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from schedule_impl.session import Session


class Phase(Protocol):
    """A claimed idle phase: while it is held the agent starts no turn."""

    def release(self) -> None:
        """Let go; what was queued in the phase may now be processed, in a turn of its own."""
        ...


class Host(Protocol):
    """The agent as its host runs it. All of it is called on the event loop."""

    def claim_idle(self) -> Phase | None:
        """The phase, if the agent is fully idle; None while a turn, other work or a phase occupies it."""
        ...

    def follow_up(self, text: str) -> None:
        """Queue one user-role message whose content is exactly the text; raises if it was not queued.

        It is parked: nothing processes it before the phase is released (deliver.parked).
        """
        ...

    def watch_idle(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back whenever a turn or other work has ended and left the agent fully idle, until cancelled.

        The end of a phase is no such return unless a turn followed. What is returned cancels.
        """
        ...


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent: its session, its host, and whether it is a root or some other agent's child."""

    id: str
    session: Session
    host: Host
    is_root: bool = True


class Timer(Protocol):
    """A wait that was started."""

    def cancel(self) -> None:
        """Call nothing back."""
        ...


class Timers(Protocol):
    """Waits of the event loop; they know nothing of the wall clock."""

    def start(self, delay: int, callback: Callable[[], None]) -> Timer:
        """Call back after `delay` ms, at least 0 and at most 2^31−1."""
        ...


class Clock(Protocol):
    """The wall clock."""

    def now(self) -> int:
        """The time in ms since 1970-01-01T00:00:00Z; may jump in either direction."""
        ...
