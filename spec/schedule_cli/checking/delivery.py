"""What a log's host events show of delivery: a second way through a log, by the law.

It is taken only where the log's own part holds more than schedule changes, ends where the fold stopped, and
keeps in memory what is active, the calls that are open, and counts.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import BinaryIO

from schedule_cli.checking import law_scan
from schedule_impl.session_log import LogReader
from schedule_spec.delivery_log import host_events, judge
from schedule_spec.delivery_log.findings import Checked, Fault, Note, NotShown, Suspicion
from schedule_spec.delivery_log.judge import Situation
from schedule_spec.fold import EVENT_TYPE
from schedule_spec.json_text import Json
from schedule_spec.profiles import Profile
from schedule_spec.rejections import Rejection

NOTES = 20
"""How many notes are kept; the others are only counted."""
REPORT_EVERY = 10_000
"""Events between two calls of `progress`."""

_MAY_MATTER = re.compile(b'"(?:' + "|".join((EVENT_TYPE, *host_events.TYPES)).encode() + rb')"|\\')
"""Found in every line of an event that is read; a type spelt with an escape has a backslash."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """The first event with which something is wrong: its place, its line, and the situation before it."""

    seq: int
    raw: bytes
    fault: Fault
    situation: Situation


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a log shows of delivery, up to the first thing that is wrong.

    `checked` and `not_shown` are counted; of the notes the first `NOTES` are kept.
    """

    checked: tuple[tuple[Checked, int], ...]
    notes: tuple[Note, ...]
    note_count: int
    not_shown: tuple[tuple[NotShown, int], ...]


class TooLong(Exception):  # noqa: N818
    """The event in `line` is over the law's bound and cannot be read otherwise."""

    def __init__(self, line: int) -> None:
        super().__init__(law_scan.TOO_LONG)
        self.line = line


def examine(
    stream: BinaryIO,
    begin: int,
    stop: int,
    profile: Profile,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Delivery | None, Wrong | None]:
    """Judge the events from position `begin` to before `stop`; None where the host shows nothing there.

    With it comes the first that is wrong, where one is. The stream can be rewound, and these events fold.
    ValueError where they do not: the log was changed. TooLong where the law cannot read one.
    """
    walk = _Walk(profile)
    for seq, raw in _events(stream, begin, stop, progress):
        if _MAY_MATTER.search(raw) and walk.is_wrong(seq, raw):
            break
    return walk.delivery(), walk.wrong


def _events(
    stream: BinaryIO, begin: int, stop: int, progress: Callable[[int, int], None] | None
) -> Iterator[tuple[int, bytes]]:
    stream.seek(0)
    reader = LogReader(stream)
    lines = chain.from_iterable(reader.runs())
    for seq, line in enumerate(islice(lines, begin + 1, stop + 1), start=begin):
        yield seq, line
        if progress is not None and seq % REPORT_EVERY == REPORT_EVERY - 1:
            progress(reader.bytes_read, seq)


def _read(seq: int, raw: bytes) -> Json:
    """Return the value of an event's line: by a fast reader, and by the law's where that one cannot."""
    try:
        value: Json = json.loads(raw.decode())
    except (ValueError, RecursionError):
        if law_scan.is_too_long(raw):
            raise TooLong(seq + 2) from None
        lawful = law_scan.read_json(raw.removesuffix(b"\n"))
        return None if isinstance(lawful, Rejection) else lawful
    return value


class _Walk:
    """How far the judge has come in a log, and what was found."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.situation = judge.BEGIN
        self.checked: Counter[Checked] = Counter()
        self.not_shown: Counter[NotShown] = Counter()
        self.notes: list[Note] = []
        self.note_count = 0
        self.suspected: Wrong | None = None
        self.wrong: Wrong | None = None

    def is_wrong(self, seq: int, raw: bytes) -> bool:
        """Take the next event; tell whether something is wrong with it, or was with an earlier one."""
        before = self.situation
        self.situation, findings = judge.step(before, _read(seq, raw), seq, self.profile)
        for finding in findings:
            match finding:
                case Fault():
                    self.wrong = Wrong(seq, raw, finding, before)
                case Suspicion(fault):
                    self.not_shown[NotShown.NO_FOLLOW_UPS] += 1
                    self.suspected = self.suspected or Wrong(seq, raw, fault, before)
                case _:
                    self._count(finding)
        if self.suspected is not None and self.situation.has_inbox:
            self.wrong = self.suspected
            self.not_shown.pop(NotShown.NO_FOLLOW_UPS, None)
        return self.wrong is not None

    def delivery(self) -> Delivery | None:
        """Return what was found, after what only the end shows."""
        if self.wrong is None:
            self.situation, findings = judge.end(self.situation)
            for finding in findings:
                self._count(finding)
        if not (self.situation.has_inbox or self.situation.has_tools):
            return None
        return Delivery(
            tuple((kind, self.checked[kind]) for kind in Checked),
            tuple(self.notes),
            self.note_count,
            tuple((reason, self.not_shown[reason]) for reason in NotShown if self.not_shown[reason]),
        )

    def _count(self, finding: Checked | NotShown | Note | Fault | Suspicion) -> None:
        match finding:
            case Checked():
                self.checked[finding] += 1
            case NotShown():
                self.not_shown[finding] += 1
            case Note():
                self.note_count += 1
                if len(self.notes) < NOTES:
                    self.notes.append(finding)
            case _:
                raise TypeError("a fault is no count")


def ids_created(stream: BinaryIO, begin: int, stop: int) -> tuple[str, ...]:
    """Return the ids that the events from position `begin` to before `stop`, which fold, have created."""
    created = (_created(_read(seq, raw)) for seq, raw in _events(stream, begin, stop, None))
    return tuple(id for id in created if id is not None)


def _created(event: Json) -> str | None:
    match event:
        case {"type": "schedule/change", "data": {"operation": "create", "schedule": {"id": str(id)}}}:
            return id
        case _:
            return None
