"""What the owner is to do at a moment: one one-shot, a batch of every records, or wait (due.*).

`Agenda` is the fold with its targets in order beside it, kept up step by step: a look at what is due costs no
more than what is found, and a step the logarithm of the records.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from schedule_impl.changes import Change, Create, Every, Record
from schedule_impl.fold import ScheduleState
from schedule_impl.instants import MAXIMUM
from schedule_impl.rate import latest_due

_SLACK: Final = 64
"""Entries that may be out of date before a heap is built anew."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """One occurrence to be presented, `occurrence` in ms."""

    id: str
    prompt: str
    occurrence: int


@dataclass(frozen=True, slots=True)
class OneShotDue:
    """This one-shot is to be delivered, alone (due.one-shot-first)."""

    reminder: Reminder


@dataclass(frozen=True, slots=True)
class BatchDue:
    """These are to be delivered together, all decided at `accepted`, in ms (due.batch)."""

    accepted: int
    reminders: tuple[Reminder, ...]


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing is to be delivered before `until`, in ms; None: before something else happens (due.wait)."""

    until: int | None


Decision: TypeAlias = OneShotDue | BatchDue | Wait


class _Entry(NamedTuple):
    """A target in ms, with the record's place in creation order to tell ties."""

    target: int
    place: int
    id: str


class Agenda(ScheduleState):
    """The state of a session's own part, and what of it is due.

    An entry of a heap whose target is no longer its record's is out of date: it is dropped when it comes to
    the top, or with all others of its kind once they are the most. `_places` has exactly the active records.
    """

    __slots__ = ("_everies", "_next_id", "_one_shots", "_places")

    def __init__(self) -> None:
        super().__init__()
        self._one_shots: list[_Entry] = []
        self._everies: list[_Entry] = []
        self._places: dict[str, int] = {}
        self._next_id = 1

    def load(self, changes: Sequence[Change | None]) -> None:
        """Take the steps of a log that is read for the first time, and put in order once what is due.

        `corrupt_schedule_log` at the first that is refused; None changes nothing.
        """
        _, refusal = self.apply_all(changes)
        if refusal is not None:
            raise refusal
        for place, (record, target) in enumerate(self.targets()):
            self._places[record.id] = place
            self._heap(record).append(_Entry(target, place, record.id))
        heapq.heapify(self._one_shots)
        heapq.heapify(self._everies)

    def apply(self, change: Change) -> None:
        """Take one step; `corrupt_schedule_log` and nothing changed where it is refused."""
        super().apply(change)
        if isinstance(change, Create):
            self._places[change.schedule.id] = self.created()
            self._enter(change.schedule)
        elif (record := self.record(change.id)) is not None:
            self._enter(record)
        else:
            del self._places[change.id]

    def fresh_id(self) -> str:
        """An id that was never created in this own part (id.fresh)."""
        while self.was_created(name := f"schedule-{self._next_id}"):
            self._next_id += 1
        return name

    def decide(self, now: int) -> Decision:
        """What is to be done at the clock sample `now` in ms.

        Beyond instant.range no batch is decided, and before it nothing is due (due.clock-range).
        """
        one_shot = self._first(self._one_shots)
        if one_shot is not None and one_shot.target <= now:
            return OneShotDue(Reminder(one_shot.id, self._known(one_shot).prompt, one_shot.target))
        every = self._first(self._everies)
        if every is not None and every.target <= now:
            if now > MAXIMUM:
                return Wait(None)
            return BatchDue(now, tuple(self._occurrence(entry, now) for entry in self._due_everies(now)))
        targets = [entry.target for entry in (one_shot, every) if entry is not None]
        return Wait(min(targets, default=None))

    def _occurrence(self, entry: _Entry, now: int) -> Reminder:
        record = self._known(entry)
        assert isinstance(record, Every)
        return Reminder(entry.id, record.prompt, latest_due(entry.target, record.everySeconds * 1000, now))

    def _due_everies(self, now: int) -> list[_Entry]:
        """The due every records by target, then creation: in a heap no entry stands above an earlier one."""
        found = set()
        unseen = [0]
        while unseen:
            index = unseen.pop()
            if index < len(self._everies) and self._everies[index].target <= now:
                found.add(self._everies[index])
                unseen += (2 * index + 1, 2 * index + 2)
        return sorted(entry for entry in found if self._is_current(entry))

    def _enter(self, record: Record) -> None:
        heap = self._heap(record)
        if len(heap) > 2 * len(self._places) + _SLACK:
            heap[:] = sorted({entry for entry in heap if self._is_current(entry)})
        heapq.heappush(heap, _Entry(self.target(record.id), self._places[record.id], record.id))

    def _heap(self, record: Record) -> list[_Entry]:
        return self._everies if isinstance(record, Every) else self._one_shots

    def _first(self, heap: list[_Entry]) -> _Entry | None:
        while heap and not self._is_current(heap[0]):
            heapq.heappop(heap)
        return heap[0] if heap else None

    def _is_current(self, entry: _Entry) -> bool:
        return entry.id in self._places and self.target(entry.id) == entry.target

    def _known(self, entry: _Entry) -> Record:
        record = self.record(entry.id)
        assert record is not None
        return record
