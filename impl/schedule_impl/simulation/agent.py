"""A simulated agent before its session: busy or idle, and with turns or without, as it is told."""

from collections.abc import Callable
from typing import Literal

from schedule_impl.ecma_json import Json
from schedule_impl.simulation.script import BackendError, Script

Turns = Literal["none", "hold"]
"""What a follow-up brings: no turn that shows, or one that lasts until the agent is told that it is over."""
Observe = Callable[[str, Json], None]
"""Told each observation: its name and what it holds."""


class _Phase:
    __slots__ = ("_host",)

    def __init__(self, host: "SimulatedHost") -> None:
        self._host = host

    def release(self) -> None:
        self._host.end_phase()


class SimulatedHost:
    """The agent of a session: busy or idle as it is told, and with follow-ups that open a turn or don't."""

    def __init__(self, script: Script, observe: Observe, *, busy: bool, turns: Turns) -> None:
        self._script = script
        self._observe = observe
        self._turns = turns
        self._busy = busy
        self._claimed = False
        self._parked = 0
        self._watchers: list[Callable[[], None]] = []

    def claim_idle(self) -> _Phase | None:
        """The idle phase, unless the agent is busy."""
        if self._busy or self._claimed:
            self._observe("claim", "busy")
            return None
        self._observe("claim", "ok")
        self._claimed = True
        return _Phase(self)

    def follow_up(self, text: str) -> None:
        """Queue a message, or fail as told."""
        if self._script.follow_up_fails:
            raise BackendError(self._script.text)
        self._observe("followup", text)
        self._parked += 1

    def watch_idle(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back at every return to idle."""
        self._watchers.append(callback)
        return lambda: self._watchers.remove(callback)

    def end_phase(self) -> None:
        """Let go of the phase: what was queued is processed now."""
        self._observe("release", True)
        self._claimed = False
        if self._parked and self._turns == "hold":
            self._busy = True
        self._parked = 0

    def set_busy(self, busy: bool) -> None:
        """Begin a turn or other work, or end it."""
        returns = self._busy and not busy
        self._busy = busy
        if returns:
            for callback in tuple(self._watchers):
                callback()
