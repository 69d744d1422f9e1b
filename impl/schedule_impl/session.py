"""A live session: an append-only log of events, and the state that its own part amounts to.

The lines are kept as text, so that a fork and the disk get them verbatim; of the inherited ones nothing is
read. An event that would make the log unsound is refused before it is appended, and a log that is unsound
already takes no event at all. Nothing here touches a disk. Clauses: fold.candidate, fold.incremental, fork.*.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from schedule_impl.changes import Change
from schedule_impl.codec import MAX_ODD_LINE, to_json
from schedule_impl.due import Agenda
from schedule_impl.ecma_json import Json
from schedule_impl.errors import ScheduleError, corrupt
from schedule_impl.events import read_events
from schedule_impl.fold import SCHEDULE_CHANGE, schedule_change
from schedule_impl.header import seed_length
from schedule_impl.numbers import is_integer
from schedule_impl.rendering import json_text
from schedule_impl.session_log import MAX_LINE


class EventTooLongError(Exception):
    """An event whose line no one could read back: it is not appended."""


class Session:
    """One session over its header and the complete lines of its log."""

    __slots__ = ("_agenda", "_corruption", "_lines", "header")

    def __init__(self, header: dict[str, Json], lines: Iterable[bytes] = ()) -> None:
        self.header: Final = header
        self._lines = list(lines)
        self._agenda = Agenda()
        self._corruption: str | None = None
        try:
            self._fold_own_part()
        except ScheduleError as refusal:
            self._corruption = refusal.message

    def __len__(self) -> int:
        """How many events the log holds, the inherited ones included."""
        return len(self._lines)

    @property
    def id(self) -> str:
        """The session's own name, as its header says."""
        return str(self.header["id"])

    @property
    def is_corrupt(self) -> bool:
        """Whether the own part does not fold."""
        return self._corruption is not None

    @property
    def agenda(self) -> Agenda:
        """The state of the own part; `corrupt_schedule_log` where it does not fold (fold.all-or-nothing)."""
        if self._corruption is not None:
            raise corrupt(self._corruption)
        return self._agenda

    def lines(self, start: int = 0) -> Sequence[bytes]:
        """The lines of the events from position `start` on, without newlines."""
        return self._lines[start:]

    def append(self, event: object, time: int) -> None:
        """Append an event at the wall-clock time `time` in ms, or refuse it with `corrupt_schedule_log`.

        It is durable only once a barrier that began later has succeeded. TypeError for a time that is no
        integer, EventTooLongError for an event over the bounds within which logs are read.
        """
        agenda = self.agenda
        if not is_integer(time):
            raise TypeError("the time of an event is an integer of ms")
        change = schedule_change(event)
        assert isinstance(event, dict)
        line = event_line(event, len(self._lines), time)
        _check_length(line, len(self._lines))
        if change is not None:
            agenda.apply(change)
        self._lines.append(line)

    def append_change(self, change: Change, time: int) -> None:
        """Append a change of Schedule's own."""
        self.append({"type": SCHEDULE_CHANGE, "data": to_json(change)}, time)

    def fork(self, at: int, identity: str, created: int) -> "Session":
        """A child session that inherits the first `at` events and adopts no reminder of theirs.

        `created` is in ms. `corrupt_schedule_log` where there are fewer events (fork.bounds).
        """
        if not is_integer(at) or not 0 <= at <= len(self._lines):
            raise corrupt(f"a fork is at 0 to {len(self._lines)}, the number of events")
        header: dict[str, Json] = {
            **self.header,
            "id": identity,
            "createdAt": created,
            "parentSession": self.id,
            "seedLength": at,
        }
        return Session(header, self._lines[:at])

    def _fold_own_part(self) -> None:
        start = seed_length(self.header)
        if start > len(self._lines):
            raise corrupt(f"seedLength is over {len(self._lines)}, the number of events")
        run = read_events(self._lines[start:], start)
        self._agenda.load(run.changes)
        if run.problem is not None:
            raise corrupt(run.problem.message)


def new_header(identity: str, created: int) -> dict[str, Json]:
    """The header of a session that inherits nothing, created at `created` ms."""
    return {"type": "session", "version": 0, "id": identity, "createdAt": created, "delegationDepth": 0}


def event_line(event: dict[str, Any], seq: int, time: int) -> bytes:
    """The line of an event at position `seq`; `corrupt_schedule_log` for one that has no JSON."""
    kind = {"type": event["type"]} if "type" in event else {}
    try:
        return json_text({**kind, "seq": seq, "time": time, **_besides(event)}).encode()
    except (ValueError, TypeError, RecursionError) as problem:
        raise corrupt(f"an event that has no JSON: {type(problem).__name__}") from None


def _check_length(line: bytes, seq: int) -> None:
    """EventTooLongError for a line that a reader of logs stops at."""
    if len(line) > MAX_LINE or (len(line) > MAX_ODD_LINE and read_events([line], seq).problem is not None):
        raise EventTooLongError(f"an event of {len(line)} bytes could not be read back")


def _besides(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in {"seq", "time"}}
