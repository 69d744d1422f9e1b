"""What the owner is to do at a moment: one one-shot, a batch of every records, or wait (due.*).

`Agenda` is the fold with its targets in order beside it, kept up step by step: a look at what is due costs no
more than what is found, and a step the logarithm of the records.
"""

import heapq
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from schedule_impl.changes import Change, Create, Every, Record
from schedule_impl.fold import ScheduleState
from schedule_impl.instants import MAXIMUM, to_ms
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
    the top, or with all others of its kind once they are the most.
    """

    __slots__ = ("_everies", "_next_id", "_one_shots", "_places")

    def __init__(self) -> None:
        super().__init__()
        self._one_shots: list[_Entry] = []
        self._everies: list[_Entry] = []
        self._places: dict[str, int] = {}
        self._next_id = 1

    def apply(self, change: Change) -> None:
        """Take one step; `corrupt_schedule_log` and nothing changed where it is refused."""
        super().apply(change)
        if isinstance(change, Create):
            self._places[change.schedule.id] = len(self._seen)
            self._enter(change.schedule.id)
        elif change.id in self._active:
            self._enter(change.id)
        else:
            del self._places[change.id]

    def record(self, name: str) -> Record | None:
        """The active record of an id as it was created, or None."""
        return self._active.get(name)

    def fresh_id(self) -> str:
        """An id that was never created in this own part (id.fresh)."""
        while (name := f"schedule-{self._next_id}") in self._seen:
            self._next_id += 1
        return name

    def decide(self, now: int) -> Decision:
        """What is to be done at the clock sample `now` in ms.

        Beyond instant.range no batch is decided, and before it nothing is due (due.clock-range).
        """
        one_shot = self._first(self._one_shots)
        if one_shot is not None and one_shot.target <= now:
            return OneShotDue(Reminder(one_shot.id, self._active[one_shot.id].prompt, one_shot.target))
        every = self._first(self._everies)
        if every is not None and every.target <= now:
            if now > MAXIMUM:
                return Wait(None)
            return BatchDue(now, tuple(self._occurrence(entry, now) for entry in self._due_everies(now)))
        targets = [entry.target for entry in (one_shot, every) if entry is not None]
        return Wait(min(targets, default=None))

    def _occurrence(self, entry: _Entry, now: int) -> Reminder:
        record = self._active[entry.id]
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

    def _enter(self, name: str) -> None:
        record = self._active[name]
        heap = self._everies if isinstance(record, Every) else self._one_shots
        if len(heap) > 2 * len(self._active) + _SLACK:
            heap[:] = sorted({entry for entry in heap if self._is_current(entry)})
        heapq.heappush(heap, _Entry(self._target(name), self._places[name], name))

    def _first(self, heap: list[_Entry]) -> _Entry | None:
        while heap and not self._is_current(heap[0]):
            heapq.heappop(heap)
        return heap[0] if heap else None

    def _is_current(self, entry: _Entry) -> bool:
        return entry.id in self._active and self._target(entry.id) == entry.target

    def _target(self, name: str) -> int:
        target = self._targets.get(name)
        return to_ms(self._active[name].scheduledAt) if target is None else target
