"""One verdict for one log.

A scan (the implementation's, at full speed, or the law's own) goes up to the first thing that it refuses.
What it hands over is put before the law, which names the clause. Where the law would accept what was
refused, that is a fault of this project and is said to be one. What folds is judged a second time where the
host has logged more than schedule changes: for what that shows of delivery.
"""

from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from schedule_cli.checking import law_scan
from schedule_cli.checking.law_scan import LawScan
from schedule_cli.checking.sources import COMPRESSED, Source, opened, reason
from schedule_cli.checking.words import accepted_next, came, count
from schedule_impl import scan as implementation
from schedule_impl.scan import Scan, Stop
from schedule_impl.session_log import LogUnreadable, Torn, read_lines
from schedule_impl.zstd_frames import begins_frame
from schedule_spec import fold, forks, numbers, profiles
from schedule_spec.fold import State
from schedule_spec.json_text import Json
from schedule_spec.profiles import Profile
from schedule_spec.register import clause
from schedule_spec.rejections import Rejection, quoted

if TYPE_CHECKING:
    from schedule_cli.checking.delivery import Delivery, Wrong

NUMBERING = "The log's format: events are numbered by seq from 0 without gaps."
"""Said where `seq` is not the position: no clause of Schedule, but what makes the log one log."""

HALF_A_FORK = (
    "The header names a parent but no seedLength, so that every event counts as the session's own; is this a"
    " fork that has lost it?"
)
"""Said where an id is created again that a fork may create again."""

MEMBERS = ("id", "kind", "prompt", "afterSeconds", "everySeconds", "scheduledAt")
"""In which order the members of a record are shown, whoever folded the log."""

BEGINNINGS = {
    b"\xef\xbb\xbf": "The log begins with a byte order mark, U+FEFF, which is no JSON: remove it.",
    b"\xff\xfe": "The log looks like UTF-16; a log is UTF-8.",
    b"\xfe\xff": "The log looks like UTF-16; a log is UTF-8.",
    b"\x1f\x8b": "The log looks compressed with gzip; a log is plain or compressed with zstd.",
}
"""What files that are no logs often begin with."""

Progress = Callable[[int, int], None]
"""Told now and then: bytes read, events passed."""

Scanner = Callable[..., Scan | LawScan]
"""Folds the log in a stream, given `profile` and `progress`, up to the first thing that is refused."""


class Outcome(StrEnum):
    """What can be said of a log."""

    SOUND = "sound"
    """It folds, and what it shows of delivery is right; at most a torn tail is missing."""

    VIOLATION = "violation"
    """A clause, or the numbering of events, is violated."""

    UNJUDGED = "unjudged"
    """No judgement was possible."""


@dataclass(frozen=True, slots=True)
class Violation:
    """The first thing that may not be there.

    `seq` is None where it is the header. `clause` is None where only the numbering is wrong. `state` is the
    state before it, `came` the beginning of its line, and `accepted` what would have been accepted in its
    place, in words.
    """

    line: int
    seq: int | None
    clause: str | None
    sentence: str
    message: str
    state: State
    came: str
    accepted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a log could not be judged.

    `kind` is one of unreadable, header, bytes, limit, disagreement, fault; `line` is None where no line is
    meant.
    """

    kind: str
    line: int | None
    message: str


@dataclass(frozen=True, slots=True)
class Heading:
    """What a verdict tells of a log's header, however much that holds.

    `parent` is None where it names none; `seed_length` is 0 where it has none, None where that is no number.
    """

    session: str
    parent: str | None
    seed_length: int | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found in one log.

    `events` counts the complete events that were passed, `changes` the schedule changes of the session's
    own part, `active` the active records, as JSON objects in creation order, at the end or before the event
    that the fold refuses, which is `refused`. `delivery` is what the host's events show, None where there
    are none, and `misdelivered` the first of them that may not be as it is.
    """

    log: str
    heading: Heading | None = None
    events: int = 0
    changes: int = 0
    active: tuple[dict[str, Any], ...] = ()
    torn: Torn | None = None
    refused: Violation | None = None
    obstacle: Obstacle | None = None
    delivery: "Delivery | None" = None
    misdelivered: Violation | None = None

    @property
    def violation(self) -> Violation | None:
        """The first violation in the log: what the host shows is judged before the refused event alone."""
        return self.misdelivered or self.refused

    @property
    def behind(self) -> Violation | None:
        """What the fold refuses behind that violation, where this is one that the host shows."""
        return None if self.misdelivered is None else self.refused

    @property
    def outcome(self) -> Outcome:
        """The verdict in one word."""
        if self.obstacle is not None:
            return Outcome.UNJUDGED
        return Outcome.SOUND if self.violation is None else Outcome.VIOLATION

    @property
    def seed_length(self) -> int | None:
        """The number of inherited events; None where there is no header, or none that says it as a number."""
        return None if self.heading is None else self.heading.seed_length


def judge(
    source: Source, profile: Profile, scan: Scanner = implementation.scan, progress: Progress | None = None
) -> Verdict:
    """Open a log and judge it; one that cannot be read is a verdict too, never an error."""
    try:
        with opened(source) as stream:
            return judge_stream(source.name, stream, profile, scan, progress)
    except OSError as error:
        return unreadable(source.name, cannot_be_read(error))


def judge_stream(
    name: str,
    stream: BinaryIO,
    profile: Profile,
    scan: Scanner = implementation.scan,
    progress: Progress | None = None,
) -> Verdict:
    """Judge the log in a stream that can be rewound, under a profile.

    `scan` folds it: the implementation's, or the law's, of which the implementation only reads the lines.
    Raises OSError where the stream cannot be read.
    """
    folded = fold_stream(name, stream, profile, scan, progress)
    begin = folded.seed_length
    if begin is None or begin < 0 or folded.events - begin <= folded.changes:
        return folded
    return _with_delivery(folded, stream, begin, profile, progress)


def fold_stream(
    name: str,
    stream: BinaryIO,
    profile: Profile,
    scan: Scanner = implementation.scan,
    progress: Progress | None = None,
) -> Verdict:
    """Judge whether the log in a stream folds, and nothing else."""
    stream.seek(0)
    found = scan(stream, profile=profile.value, progress=progress)
    finding = None if found.stop is None else _finding(name, found, found.stop, stream, profile)
    return Verdict(
        log=name,
        heading=None if found.stop is not None and found.stop.kind == "header" else _heading(found.header),
        events=found.events,
        changes=found.changes,
        active=tuple(map(_in_order, found.active)),
        torn=found.torn,
        refused=finding if isinstance(finding, Violation) else None,
        obstacle=finding if isinstance(finding, Obstacle) else None,
    )


def _heading(header: dict[str, Json] | None) -> Heading | None:
    if header is None:
        return None
    parent = header.get("parentSession")
    return Heading(
        session=str(header.get("id")),
        parent=parent if isinstance(parent, str) else None,
        seed_length=numbers.safe_integer(header.get("seedLength", 0)),
    )


def _in_order(record: dict[str, Any]) -> dict[str, Any]:
    return dict(sorted(record.items(), key=lambda member: MEMBERS.index(member[0])))


def _with_delivery(
    folded: Verdict, stream: BinaryIO, begin: int, profile: Profile, progress: Progress | None
) -> Verdict:
    """Return the verdict with what the host's events show, of which a log of changes alone has none."""
    from schedule_cli.checking import delivery  # noqa: PLC0415 - most of the law, which only such logs need

    try:
        shown, wrong = delivery.examine(stream, begin, folded.events, profile, progress)
        misdelivered = None if wrong is None else _misdelivered(wrong, stream, begin)
    except delivery.TooLong as problem:
        return replace(folded, obstacle=Obstacle("limit", problem.line, law_scan.TOO_LONG))
    except (ValueError, LogUnreadable):
        return replace(folded, obstacle=Obstacle("unreadable", None, "The log changed while it was read."))
    return replace(folded, delivery=shown, misdelivered=misdelivered)


def _misdelivered(wrong: "Wrong", stream: BinaryIO, begin: int) -> Violation:
    from schedule_cli.checking import delivery  # noqa: PLC0415

    seen = delivery.ids_created(stream, begin, wrong.seq)
    return Violation(
        line=wrong.seq + 2,
        seq=wrong.seq,
        clause=wrong.fault.clause,
        sentence=clause(wrong.fault.clause).sentence,
        message=wrong.fault.message,
        state=State(wrong.situation.active, seen),
        came=came(wrong.raw.removesuffix(b"\n")),
        accepted=wrong.fault.right,
    )


def faulty(name: str, message: str) -> Verdict:
    """Return the verdict on a log at which this program itself broke."""
    return Verdict(name, obstacle=Obstacle("fault", None, f"A fault of schedule-spec itself: {message}"))


def unreadable(name: str, message: str) -> Verdict:
    """Return the verdict on a place that yields no log."""
    return Verdict(name, obstacle=Obstacle("unreadable", None, message))


def cannot_be_read(error: OSError) -> str:
    """Return the sentence that says why a log cannot be read."""
    return f"It cannot be read: {reason(error)}."


def _finding(
    name: str, found: Scan | LawScan, stop: Stop, stream: BinaryIO, profile: Profile
) -> Violation | Obstacle:
    match stop.kind:
        case "event":
            return _event(found, stop, stream, profile)
        case "seed-length":
            return _seed_length(found, stop, stream)
        case "seq":
            return Violation(
                line=stop.line,
                seq=stop.seq,
                clause=None,
                sentence=NUMBERING,
                message=_misnumbered(stop),
                state=fold.decode_state(stop.state),
                came=came(stop.raw),
                accepted=(f"an event with seq {stop.seq}",),
            )
        case "header":
            return Obstacle("header", stop.line, _no_header(name, stop, stream))
        case kind:
            return Obstacle(kind, stop.line, stop.message)


def _misnumbered(stop: Stop) -> str:
    """Say which seq came, and what that tells of the events around it."""
    event = law_scan.leniently(stop.raw)
    if stop.seq is None or not isinstance(event, dict):
        return stop.message
    if "seq" not in event:
        return f"The event has no seq; {stop.seq} is its place."
    said = f"seq is {quoted(event['seq'])}; {stop.seq} is its place"
    number = numbers.safe_integer(event["seq"])
    if number is None or number < 0:
        return f"{said}."
    if number < stop.seq:
        return f"{said}: an event {number} came before."
    missing = number - stop.seq
    return f"{said}: {count(missing, 'event seems', 'events seem')} to be missing before it."


def _no_header(name: str, stop: Stop, stream: BinaryIO) -> str:
    """Say what the log is instead of one with a known header, where its first bytes tell."""
    stream.seek(0)
    head = stream.read(64)
    if not head:
        return "The file is empty: it does not even have a header."
    for beginning, message in BEGINNINGS.items():
        if head.startswith(beginning):
            return message
    compressed = begins_frame(head[:4])
    if name.endswith(COMPRESSED) and not compressed:
        return f"The log's name ends with {Path(name).suffix}, but its bytes are no zstd data."
    if _is_an_event(law_scan.leniently(stop.raw)):
        return "Line 1 is an event, where the session's header belongs: is the first line missing?"
    try:
        # A decoder that may be gone on with takes no offence at a character that is cut.
        getincrementaldecoder("utf-8")().decode(stop.raw or (b"" if compressed else head))
    except UnicodeDecodeError as error:
        return f"The log is no text: byte {error.start} of its first line is not UTF-8."
    return stop.message


def _is_an_event(value: object) -> bool:
    return isinstance(value, dict) and {"type", "seq"} <= value.keys()


def _event(found: Scan | LawScan, stop: Stop, stream: BinaryIO, profile: Profile) -> Violation | Obstacle:
    if law_scan.is_too_long(stop.raw):
        said = f"The bundled implementation refuses it ({stop.message}); no clause is named."
        return Obstacle("limit", stop.line, f"{law_scan.TOO_LONG} {said}")
    state = fold.decode_state(stop.state)
    event = law_scan.read_json(stop.raw)
    if isinstance(event, Rejection):
        return _violation(stop, event, state, accepted_next(state, profile))
    ruling = fold.step(state, event, profiles.decoder(profile))
    if not isinstance(ruling, Rejection):
        return _disagreement(stop)
    inherited = numbers.safe_integer((found.header or {}).get("seedLength", 0)) or 0
    if ruling.clause == "fold.inactive" and inherited > 0:
        ruling = fold.diagnose(ruling, state, event, tuple(_creates_of(event, stream, inherited)))
    if ruling.clause == "fold.no-id-reuse" and _is_half_a_fork(found.header or {}):
        ruling = replace(ruling, message=f"{ruling.message} {HALF_A_FORK}")
    return _violation(stop, ruling, state, accepted_next(state, profile))


def _is_half_a_fork(header: dict[str, Json]) -> bool:
    return isinstance(header.get("parentSession"), str) and "seedLength" not in header


def _creates_of(event: Json, stream: BinaryIO, inherited: int) -> Iterator[Json]:
    """Find the inherited event that creates the id which `event` names, if there is one."""
    match event:
        case {"data": {"id": str(identity)}}:
            stream.seek(0)
            events = map(law_scan.leniently, islice(read_lines(stream), 1, inherited + 1))
            yield from islice((other for other in events if forks.creates(other, identity)), 1)


def _seed_length(found: Scan | LawScan, stop: Stop, stream: BinaryIO) -> Violation | Obstacle:
    events = _events(stream)
    ruling = law_scan.refused_seed_length((found.header or {}).get("seedLength", 0), events)
    if ruling is None:
        return _disagreement(stop)
    accepted = f"a seedLength from 0 to {events}, the number of events; none, in a session that is no fork"
    return _violation(stop, ruling, fold.EMPTY, (accepted,))


def _events(stream: BinaryIO) -> int:
    """Count the complete events, as far as the log can be read."""
    stream.seek(0)
    lines = 0
    try:
        for lines, _ in enumerate(read_lines(stream), start=1):  # noqa: B007 - the count is what is wanted
            pass
    except LogUnreadable:
        pass
    return max(0, lines - 1)


def _violation(stop: Stop, ruling: Rejection, state: State, accepted: tuple[str, ...]) -> Violation:
    return Violation(
        line=stop.line,
        seq=stop.seq,
        clause=ruling.clause,
        sentence=clause(ruling.clause).sentence,
        message=ruling.message,
        state=state,
        came=came(stop.raw),
        accepted=accepted,
    )


def _disagreement(stop: Stop) -> Obstacle:
    return Obstacle(
        "disagreement",
        stop.line,
        "The bundled implementation refuses this line and the law accepts it: a fault of schedule-spec, not"
        f" of the log. Please report it, with the line. The implementation says: {stop.message}",
    )
