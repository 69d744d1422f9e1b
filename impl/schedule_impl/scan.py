"""A log read once, at full speed, up to its end or to the first thing that is refused.

Beside a run of lines and the active records, only the ids seen are held.
Clauses: fold.*, fork.*, change.*, id.never-reused, profile.*, as far as a log can violate them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, Literal, TypeAlias

from schedule_impl.codec import to_json
from schedule_impl.ecma_json import Json
from schedule_impl.errors import Code, ScheduleError
from schedule_impl.events import read_events
from schedule_impl.fold import ScheduleState
from schedule_impl.header import HeaderError, HeaderTooLongError, read_header, seed_length
from schedule_impl.profiles import PROFILES, Profile
from schedule_impl.session_log import SHOWN, LogReader, LogUnreadable, Torn

StopKind: TypeAlias = Literal["event", "seq", "seed-length", "header", "bytes", "limit"]
Progress = Callable[[int, int], None]
"""Told the bytes read and the events passed so far."""

_PROGRESS_EVENTS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Stop:
    """The first thing refused in a log.

    `event`: the codec or the fold refused it · `seq`: it does not bear its position · `seed-length`: the
    header's is impossible · `header`: none, or of an unknown format · `bytes`: broken compressed data ·
    `limit`: over a bound. `line` counts from 1, the header's; `seq` is the event's position; `state` is what
    the fold held before; `raw` is the refused line.
    """

    kind: StopKind
    line: int
    seq: int | None
    code: Code | None
    message: str
    state: dict[str, Any]
    raw: bytes


@dataclass(frozen=True, slots=True)
class Scan:
    """What a log amounts to, and where it stopped being sound.

    `events` counts the whole events that were passed or accepted, inherited ones too; `changes` the Schedule
    events accepted in the session's own part. `state` is the fold at the end or before the stop.
    """

    header: dict[str, Json] | None
    events: int
    changes: int
    active: list[dict[str, Any]]
    torn: Torn | None
    stop: Stop | None
    state: ScheduleState
    compressed: bool


def scan(stream: BinaryIO, *, profile: str = "v1", progress: Progress | None = None) -> Scan:
    """Read a log, compressed or not, which its bytes tell. ValueError for a profile that does not exist."""
    if profile not in PROFILES:
        raise ValueError(f"no such profile: {profile!r}; known are {', '.join(PROFILES)}")
    scanner = _Scanner(PROFILES[profile])
    reader = LogReader(stream)
    stop = _read(scanner, reader, progress)
    return Scan(
        header=scanner.header,
        events=scanner.events,
        changes=scanner.changes,
        active=[to_json(record) for record in scanner.state.active()],
        torn=reader.torn,
        stop=stop,
        state=scanner.state,
        compressed=reader.compressed,
    )


def _read(scanner: "_Scanner", reader: LogReader, progress: Progress | None) -> Stop | None:
    reported = 0
    try:
        for lines in reader.runs():
            stop = scanner.take(lines)
            if stop is not None:
                return stop
            if progress is not None and scanner.events - reported >= _PROGRESS_EVENTS:
                reported = scanner.events
                progress(reader.bytes_read, reported)
    except LogUnreadable as problem:
        return scanner.stop(problem.kind, problem.message, problem.raw)
    return scanner.end()


class _Scanner:
    """One pass over a log's lines."""

    __slots__ = ("_admit", "_header_line", "_seed_length", "changes", "events", "header", "state")

    def __init__(self, profile: Profile) -> None:
        self._header_line: bytes | None = None
        self._seed_length: int  # known once the header has been read
        self.header: dict[str, Json] | None = None
        self.events = 0
        self.changes = 0
        self.state = ScheduleState()
        self._admit = profile.admit

    def take(self, lines: list[bytes]) -> Stop | None:
        """Go on over a run of lines."""
        if self._header_line is None:
            stop = self._take_header(lines.pop(0)[:-1])
            if stop is not None:
                return stop
        inherited = min(max(self._seed_length - self.events, 0), len(lines))
        self.events += inherited
        return self._take_own(lines[inherited:])

    def _take_header(self, line: bytes) -> Stop | None:
        try:
            self.header = read_header(line)
            self._seed_length = seed_length(self.header)
        except HeaderTooLongError as problem:
            return self.stop("limit", str(problem), line)
        except HeaderError as problem:
            self.header = problem.header
            return self.stop("header", str(problem), line)
        except ScheduleError as problem:
            return self.stop("seed-length", problem.message, line)
        self._header_line = line
        return None

    def _take_own(self, lines: list[bytes]) -> Stop | None:
        run = read_events(lines, self.events)
        known, unknown = self._admit(run.changes)
        taken, broken = self.state.apply_all(known)
        self.events += taken
        self.changes += taken - (known[:taken].count(None) if run.is_mixed else 0)
        if refusal := broken or unknown:
            return self.stop("event", refusal.message, lines[taken][:-1])
        if run.problem is not None:
            return self.stop(run.problem.kind, run.problem.message, lines[taken][:-1])
        return None

    def end(self) -> Stop | None:
        """What only the end of the log shows."""
        if self._header_line is None:
            return self.stop("header", "the log has no header", b"")
        if self._seed_length > self.events:
            message = f"seedLength is {self._seed_length}, but the log has {self.events} events"
            return self.stop("seed-length", message, self._header_line)
        return None

    def stop(self, kind: StopKind, message: str, raw: bytes) -> Stop:
        """The refusal of what stands right behind the events so far, or of the header."""
        in_header = self._header_line is None or kind == "seed-length"
        return Stop(
            kind=kind,
            line=1 if in_header else self.events + 2,
            seq=None if in_header else self.events,
            code="corrupt_schedule_log" if kind in ("event", "seed-length") else None,
            message=message,
            state={
                "active": [to_json(record) for record in self.state.active()],
                "seen": self.state.seen(),
            },
            raw=raw[:SHOWN] if kind == "limit" else raw,
        )
