"""A log judged by the law alone, event by event: the second opinion behind `check --law`.

The implementation only takes the file apart into lines; JSON, numbering, boundary and fold are the law's.
It is slower by orders of magnitude, and quadratic in the ids that a session creates. What it answers has
the form of the implementation's own scan, so that one reading serves both and the two can be held equal.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO

from schedule_impl.codec import MAX_ODD_LINE
from schedule_impl.errors import Code
from schedule_impl.scan import Stop, StopKind
from schedule_impl.session_log import SHOWN, LogReader, LogUnreadable, Torn
from schedule_spec import fold, forks, json_text, numbers, profiles, records
from schedule_spec.fold import EMPTY, EVENT_TYPE, State
from schedule_spec.json_text import Json, NotJson
from schedule_spec.profiles import Profile
from schedule_spec.rejections import Rejection, corrupt, quoted

REPORT_EVERY = 10_000
"""Events between two calls of `progress`."""

LONGEST = MAX_ODD_LINE
"""Bytes of the longest line that the law reads: it reads some MB a second, into tens of times the memory."""
TOO_LONG = f"The line is longer than {LONGEST} bytes, and that is too long for the law to judge."


@dataclass(frozen=True, slots=True)
class LawScan:
    """What a log amounts to by the law: of the implementation's scan the members that a verdict needs."""

    header: dict[str, Json] | None
    events: int
    changes: int
    active: list[dict[str, Any]]
    torn: Torn | None
    stop: Stop | None


def scan(
    stream: BinaryIO, *, profile: str = "v1", progress: Callable[[int, int], None] | None = None
) -> LawScan:
    """Fold a log by the law and stop at the first thing it refuses."""
    walk = _Walk(Profile(profile))
    reader = LogReader(stream)
    stop: Stop | None = None
    try:
        for raw in (line[:-1] for run in reader.runs() for line in run):
            stop = walk.line(raw)
            if stop is not None:
                break
            if progress is not None and walk.events % REPORT_EVERY == REPORT_EVERY - 1:
                progress(reader.bytes_read, walk.events)
        else:
            stop = walk.end()
    except LogUnreadable as error:
        stop = walk.stop(error.kind, error.message, line=error.line, raw=error.raw)
    active = [records.encode(record) for record in walk.state.active]
    return LawScan(walk.header, walk.events, walk.changes, active, reader.torn, stop)


class _Walk:
    """How far the law has come in a log."""

    def __init__(self, profile: Profile) -> None:
        self.decode = profiles.decoder(profile)
        self.header: dict[str, Json] | None = None
        self.header_line = b""
        self.begin = 0
        self.state: State = EMPTY
        self.events = 0
        self.changes = 0

    def line(self, raw: bytes) -> Stop | None:
        """Take the next complete line; return the stop where it is refused."""
        inherited = self.header is not None and self.events < self.begin
        if not inherited and is_too_long(raw):
            return self.stop("limit", TOO_LONG, raw=raw[:SHOWN], line=1 if self.header is None else None)
        if self.header is None:
            return self._header(raw)
        if not inherited:
            stop = self._own_event(raw)
            if stop is not None:
                return stop
        self.events += 1
        return None

    def end(self) -> Stop | None:
        """Return the stop that only the end of the log shows."""
        if self.header is None:
            return self.stop("header", "The log has no header.", line=1)
        if self.events < self.begin:
            return self.stop(
                "seed-length", "seedLength is beyond the log's end.", line=1, raw=self.header_line
            )
        return None

    def stop(self, kind: StopKind, message: str, *, line: int | None = None, raw: bytes = b"") -> Stop:
        """Return a stop at the next line, or at the line given."""
        at = self.events + 2 if line is None else line
        code: Code | None = "corrupt_schedule_log" if kind in {"event", "seed-length"} else None
        seq = at - 2 if at > 1 else None
        return Stop(kind, at, seq, code, message, fold.encode_state(self.state), raw)

    def _header(self, raw: bytes) -> Stop | None:
        header = read_json(raw)
        if not (isinstance(header, dict) and _is_known(header)):
            return self.stop("header", "The first line is no header of a known session.", line=1, raw=raw)
        self.header, self.header_line = header, raw
        seed_length = numbers.safe_integer(header.get("seedLength", 0))
        if seed_length is None or seed_length < 0:
            return self.stop("seed-length", "seedLength is no count of events.", line=1, raw=raw)
        self.begin = seed_length
        return None

    def _own_event(self, raw: bytes) -> Stop | None:
        event = read_json(raw)
        if isinstance(event, Rejection):
            return self.stop("event", event.message, raw=raw)
        if isinstance(event, dict) and numbers.safe_integer(event.get("seq")) != self.events:
            came = quoted(event.get("seq"))
            return self.stop("seq", f"seq is {came}; {self.events} is its place.", raw=raw)
        following = fold.step(self.state, event, self.decode)
        if isinstance(following, Rejection):
            return self.stop("event", following.message, raw=raw)
        self.state = following
        self.changes += isinstance(event, dict) and event.get("type") == EVENT_TYPE
        return None


def _is_known(header: dict[str, Json]) -> bool:
    """Tell whether the log's format is the one that is read here."""
    known = header.get("type") == "session" and numbers.safe_integer(header.get("version")) == 0
    return known and isinstance(header.get("id"), str)


def is_too_long(raw: bytes) -> bool:
    """Tell whether the line is over the law's bound."""
    return len(raw) > LONGEST


def leniently(raw: bytes) -> Json:
    """Return what a line seems to say, fast; None where it says nothing or too much. For diagnoses alone."""
    if is_too_long(raw):
        return None
    try:
        value: Json = json.loads(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value


def read_json(raw: bytes) -> Json | Rejection:
    """Return the value of a line, or the refusal of a line that is no JSON (change.json)."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return corrupt("change.json", f"The line is no JSON: byte {error.start} is not UTF-8.")
    value = json_text.read(text)
    if isinstance(value, NotJson):
        return corrupt(
            "change.json", f"The line is no JSON: {value.message} after {value.position} characters."
        )
    return value


def refused_seed_length(seed_length: Json, events: int) -> Rejection | None:
    """Return why no log of that many events has such a boundary; None where one has (fork.bounds)."""
    boundary = forks.boundary(range(events), seed_length)
    return boundary if isinstance(boundary, Rejection) else None
