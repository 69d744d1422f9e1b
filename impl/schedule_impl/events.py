"""The lines of a log behind its header: which are Schedule's, and what change each of those carries.

An event's further members, and the whole data of other types, are passed over unread; but every line is a
JSON object that bears its own position as `seq`.
Clauses: fold.authority, fold.event, change.strict, change.json.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import ClassVar, Final, Literal

from msgspec import Struct
from msgspec.json import Decoder

from schedule_impl.changes import Change
from schedule_impl.codec import MAX_ODD_LINE, REFUSALS, read_json
from schedule_impl.errors import ScheduleError, corrupt
from schedule_impl.fold import SCHEDULE_CHANGE, schedule_change
from schedule_impl.numbers import safe_integer

_USUAL: Final = b'{"type":"schedule/change",'


class LineError(Exception):
    """A line that is no event as it should stand there.

    `event`: no JSON, no object or a change that the codec refuses · `seq`: it does not bear its position ·
    `limit`: it is over the bound.
    """

    def __init__(self, kind: Literal["event", "seq", "limit"], message: str) -> None:
        super().__init__(message)
        self.kind: Literal["event", "seq", "limit"] = kind
        self.message = message


class _ScheduleEvent(Struct, tag_field="type", tag=SCHEDULE_CHANGE, gc=False):
    seq: int
    data: Change


class _NoEvent(Struct, tag_field="type", tag=""):
    """Only the alternative that makes the decoder demand the tag; what is of this type is read once more."""

    seq: ClassVar[int] = -1


class _OtherEvent(Struct, gc=False):
    seq: int
    type: str = ""


_schedule_event: Final[Decoder[_ScheduleEvent]] = Decoder(_ScheduleEvent | _NoEvent)
_other_event: Final = Decoder(_OtherEvent)


@dataclass(frozen=True, slots=True)
class Run:
    """What a run of lines holds: of each event the change, or None where it is of another type.

    `problem` says why the line behind them could not be read, None where all could; `is_mixed` whether there
    may be a None among the changes, which takes time to find out.
    """

    changes: list[Change | None]
    problem: LineError | None
    is_mixed: bool


def read_events(lines: list[bytes], first: int) -> Run:
    """Read lines, the first of which stands at position `first`, as far as each is an event in its place."""
    if not _are_utf8(lines):
        return _read_each(lines, first, _read_odd_line)
    changes = _read_schedule_alone(lines, first) if lines and lines[0].startswith(_USUAL) else None
    return _read_each(lines, first, _read_line) if changes is None else Run(changes, None, is_mixed=False)


def _read_schedule_alone(lines: list[bytes], first: int) -> list[Change | None] | None:
    """The changes of lines that are Schedule's events throughout, or None where any isn't, or not plainly."""
    try:
        events = list(map(_schedule_event.decode, lines))
    except REFUSALS:
        return None
    if [event.seq for event in events] != list(range(first, first + len(lines))):
        return None
    return [event.data for event in events]


def _read_each(lines: list[bytes], first: int, read: Callable[[bytes, int], Change | None]) -> Run:
    changes: list[Change | None] = []
    try:
        changes.extend(map(read, lines, count(first)))
    except LineError as problem:
        return Run(changes, problem, is_mixed=True)
    return Run(changes, None, is_mixed=True)


def _read_line(line: bytes, position: int) -> Change | None:
    """The change of a line that is UTF-8, or None for an event of another type."""
    try:
        if line.startswith(_USUAL):
            event = _schedule_event.decode(line)
            if event.seq == position:
                return event.data
        else:
            other = _other_event.decode(line)
            if other.type != SCHEDULE_CHANGE and other.seq == position:
                return None
    except REFUSALS:
        pass
    return _read_odd_line(line, position)


def _read_odd_line(line: bytes, position: int) -> Change | None:
    """The change of a line that the fast decoder refuses or cannot be trusted with."""
    if len(line) > MAX_ODD_LINE:
        raise LineError("limit", f"the line is longer than {MAX_ODD_LINE} bytes and not of the usual form")
    try:
        event = read_json(line.decode())
        if not isinstance(event, dict):
            raise corrupt("an event is no object")
        if safe_integer(event.get("seq")) != position:
            raise LineError("seq", f"seq is missing or is not {position}, the event's position")
        return schedule_change(event)
    except UnicodeDecodeError as problem:
        raise LineError("event", f"not JSON: no UTF-8 at byte {problem.start}") from None
    except ScheduleError as problem:
        raise LineError("event", problem.message) from None


def _are_utf8(lines: list[bytes]) -> bool:
    """Whether the lines are UTF-8: the fast decoder does not look where it passes over a value."""
    text = b"".join(lines)
    if text.isascii():
        return True
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
