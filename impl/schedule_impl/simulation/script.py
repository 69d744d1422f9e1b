"""What is told to happen around a session: how barriers end, which appends and follow-ups fail."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Outcome: TypeAlias = Literal["ok", "fail", "missing", "hold"]
"""How a barrier ends: durable, failed, with no one taking part, or not before it is released."""


class BackendError(Exception):
    """A scripted failure; its text must never surface."""


@dataclass(slots=True)
class AppendFaults:
    """Of the appends with these operations, some pass and then some fail."""

    operations: frozenset[str] = frozenset({"create", "delete", "dispatch"})
    skip: int = 0
    times: int = 0

    def strikes(self, operation: str) -> bool:
        """Whether this append is to fail; it counts as one."""
        if operation not in self.operations:
            return False
        if self.skip:
            self.skip -= 1
            return False
        if self.times:
            self.times -= 1
            return True
        return False


@dataclass(slots=True)
class Script:
    """All that is told for one session; it outlives the session's process."""

    outcomes: deque[Outcome] = field(default_factory=deque)
    follow_up_fails: bool = False
    appends: AppendFaults = field(default_factory=AppendFaults)
    text: str = "the backend failed"

    def expect(self, outcomes: Iterable[Outcome]) -> None:
        """The next barriers end like this, all later ones well."""
        self.outcomes = deque(outcomes)

    def next_outcome(self) -> Outcome:
        """How the barrier that begins now is to end."""
        return self.outcomes.popleft() if self.outcomes else "ok"
