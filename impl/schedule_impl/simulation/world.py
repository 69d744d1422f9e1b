"""Sessions under one virtual time, on simulated disks: what the adapter's world commands act on."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from schedule_impl.codec import read_json
from schedule_impl.ecma_json import Json
from schedule_impl.header import read_header
from schedule_impl.rendering import json_text
from schedule_impl.session import Session, event_line, new_header
from schedule_impl.session_log import read_lines
from schedule_impl.simulation.agent import Observe
from schedule_impl.simulation.disk import SimulatedDisk
from schedule_impl.simulation.process import LOG, Outside, Process, Surroundings
from schedule_impl.simulation.script import Script
from schedule_impl.simulation.virtual_time import VirtualClock

_MAX_ROUNDS: Final = 100_000


class WorldError(Exception):
    """A command that makes no sense in the world as it is."""


@dataclass(slots=True)
class _Seat:
    """A session's place in the world: what outlives its process, and the process while there is one."""

    script: Script = field(default_factory=Script)
    disk: SimulatedDisk = field(default_factory=SimulatedDisk)
    surroundings: Surroundings = field(default_factory=Surroundings)
    process: Process | None = None


class World:
    """All sessions and the clock. Whatever is done, `settle` lets the world come to rest afterwards."""

    def __init__(self) -> None:
        self._clock = VirtualClock()
        self._seats: dict[str, _Seat] = {}
        self._observed: list[dict[str, Json]] = []

    def observed(self) -> list[dict[str, Json]]:
        """What was observed since the last time."""
        observed, self._observed = self._observed, []
        return observed

    def script(self, name: str) -> Script:
        """What is told for a session, or will hold once it is opened."""
        return self._seats.setdefault(name, _Seat()).script

    def process(self, name: str) -> Process:
        """The live session; WorldError."""
        seat = self._seats.get(name)
        if seat is None or seat.process is None:
            raise WorldError(f"no session {name!r} is open")
        return seat.process

    def knows(self, name: str) -> bool:
        """Whether a session of that name was opened before."""
        return name in self._seats and self._seats[name].disk.visible(LOG) is not None

    def set_clock(self, now: int) -> None:
        """Let the wall clock jump; timers keep their remaining delay."""
        self._clock.time = now

    def open(
        self, name: str, events: Sequence[object], fork: Mapping[str, Json], surroundings: Surroundings
    ) -> None:
        """A live session over a log with these events, which are durable; `fork` is a fork's `seedLength`."""
        header = new_header(name, self._clock.time) | dict(fork)
        self._install(
            name, header, [self._line(event, seq) for seq, event in enumerate(events)], surroundings
        )

    def reopen(self, name: str, busy: bool) -> None:
        """Close the session, if it is live, and open its log anew."""
        seat = self._seats.get(name)
        if seat is None or not self.knows(name):
            raise WorldError(f"there is no session {name!r}")
        if seat.process is not None:
            seat.process.dispose()
            self.settle()
            self._spill(seat, seat.process.session)
            self._kill(seat)
        self._start(name, seat, busy=busy)

    def crash(self, name: str, keep: int) -> None:
        """End a process at once; its log keeps the first `keep` events, and all that a barrier covered."""
        process = self.process(name)
        seat = self._seats[name]
        self._spill(seat, process.session)
        self._kill(seat)
        kept = [_header_line(process.session), *process.session.lines()[: max(keep, 0)]]
        seat.disk.crash(LOG, sum(len(line) + 1 for line in kept))

    def append(self, name: str, event: object) -> None:
        """Let a foreign writer append an event; `corrupt_schedule_log` where the log would not fold."""
        self.process(name).session.append(event, self._clock.time)

    def fork(self, name: str, at: int, child: str) -> None:
        """A child that inherits the first `at` events; `corrupt_schedule_log` where there are fewer."""
        session = self.process(name).session.fork(at, child, self._clock.time)
        turns = self._seats[name].surroundings.turns
        self._install(child, session.header, list(session.lines()), Surroundings(turns=turns))

    def log(self, name: str) -> list[Json]:
        """The events of a session's log."""
        seat = self._seats.get(name)
        if seat is None or not self.knows(name):
            raise WorldError(f"there is no session {name!r}")
        lines = seat.process.session.lines() if seat.process else _lines(seat.disk.visible(LOG) or b"")[1:]
        return [_event(line) for line in lines]

    def advance(self, ms: int) -> None:
        """Let time pass, stopping wherever a wait ends."""
        self.settle()
        while True:
            delays = [process.timers.next_delay() for process in self._processes()]
            step = min((delay for delay in delays if delay is not None and delay <= ms), default=ms)
            for process in self._processes():
                process.timers.elapse(step)
            self._clock.time += step
            ms -= step
            if not self.settle() and not ms:
                return

    def settle(self) -> bool:
        """Run all that can happen without time passing; whether anything did. WorldError if it never ends."""
        for rounds in range(_MAX_ROUNDS):
            if not sum(process.step() for process in self._processes()):
                return rounds > 0
        raise WorldError("the world does not come to rest")

    def _processes(self) -> list[Process]:
        return [seat.process for seat in self._seats.values() if seat.process is not None]

    def _install(
        self, name: str, header: dict[str, Json], lines: Sequence[bytes], surroundings: Surroundings
    ) -> None:
        seat = self._seats.setdefault(name, _Seat())
        self._kill(seat)
        seat.surroundings = surroundings
        seat.disk.install(LOG, _text([json_text(header).encode(), *lines]))
        self._start(name, seat, busy=surroundings.busy)

    def _start(self, name: str, seat: _Seat, *, busy: bool) -> None:
        header_line, *lines = _lines(seat.disk.taken_over(LOG))
        outside = Outside(self._clock, seat.disk, seat.script, self._observer(name))
        surroundings = replace(seat.surroundings, busy=busy)
        seat.process = Process(Session(read_header(header_line), lines), outside, surroundings)

    def _kill(self, seat: _Seat) -> None:
        if seat.process is not None:
            seat.process.die()
            seat.process = None

    def _spill(self, seat: _Seat, session: Session) -> None:
        """Let the disk see all events of a session, as if the last ones had been written but not synced."""
        seen = len(seat.disk.visible(LOG) or b"")
        text = _text([_header_line(session), *session.lines()])
        seat.disk.spill(LOG, seen, text[seen:])

    def _line(self, event: object, seq: int) -> bytes:
        if isinstance(event, dict):
            return event_line(event, seq, self._clock.time)
        return json_text(event).encode()  # type: ignore[arg-type]

    def _observer(self, name: str) -> Observe:
        def observe(kind: str, value: Json) -> None:
            self._observed.append({"at": self._clock.time, "session": name, kind: value})

        return observe


def _lines(data: bytes) -> list[bytes]:
    return [*read_lines(io.BytesIO(data))]


def _header_line(session: Session) -> bytes:
    return json_text(session.header).encode()


def _text(lines: Sequence[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _event(line: bytes) -> Json:
    """An event as it was given, without what the log adds to it."""
    event = read_json(line.decode())
    if isinstance(event, dict):
        return {name: value for name, value in event.items() if name not in {"seq", "time"}}
    return event
