"""The law as a system with live sessions: it does what the clauses demand, and keeps its world meanwhile."""

from collections.abc import Mapping
from typing import Any

from schedule_spec.delivery import Terms, initial, machine
from schedule_spec.delivery.inputs import name_of
from schedule_spec.profiles import Profile

OBSERVES = Terms().observes
"""The kinds of observations that the law shows."""


class LawWorld:
    """A world that answers the world commands by the law of a protocol level."""

    def __init__(self, profile: Profile) -> None:
        self._terms = Terms(profile=profile)
        self._states = initial(self._terms)

    def clear(self) -> None:
        """Begin a new world, without sessions."""
        self._states = initial(self._terms)

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the reply to a world command, without its number; ValueError where it makes no sense."""
        if request["cmd"] == "release" and not self._holds(name_of(request)):
            raise ValueError(f"session {request['session']!r} has no barrier that is held")
        self._states, reply = machine.respond(self._states, request)
        return reply

    def _holds(self, name: str) -> bool:
        return any(session.held or session.orphan for session in self._states.of(name))
