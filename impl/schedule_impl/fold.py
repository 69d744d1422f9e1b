"""From log to state, one step an event, without ever folding again what was folded before.

Clauses: fold.*, fork.*, id.never-reused, id.session-local, rate.independent.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import UNSET, structs

from schedule_impl.changes import Change, Create, Delete, Dispatch, Every, Record, check_change
from schedule_impl.codec import CHANGES
from schedule_impl.errors import ScheduleError, corrupt, quoted
from schedule_impl.instants import to_ms, to_text
from schedule_impl.numbers import safe_integer
from schedule_impl.rate import next_target
from schedule_impl.text import WHITE_SPACE

SCHEDULE_CHANGE: Final = "schedule/change"
"""The one type of event that Schedule reads (fold.authority)."""


class ScheduleState:
    """What the own part of one session's log amounts to so far.

    A refused change raises `corrupt_schedule_log` and changes nothing (fold.all-or-nothing).
    """

    __slots__ = ("_active", "_seen", "_targets")

    def __init__(self) -> None:
        self._active: dict[str, Record] = {}
        self._targets: dict[str, int] = {}
        self._seen: dict[str, None] = {}

    def active(self) -> list[Record]:
        """The active records in creation order, each with its present target (fold.order)."""
        return [
            structs.replace(record, scheduledAt=to_text(self._targets[name]))
            if name in self._targets
            else record
            for name, record in self._active.items()
        ]

    def seen(self) -> list[str]:
        """Every id that was created, active or not, in creation order."""
        return list(self._seen)

    def record(self, name: str) -> Record | None:
        """The active record of an id as it was created, or None."""
        return self._active.get(name)

    def target(self, name: str) -> int:
        """The present target, in ms, of the active record of an id; KeyError where there is none."""
        target = self._targets.get(name)
        return to_ms(self._active[name].scheduledAt) if target is None else target

    def targets(self) -> Iterator[tuple[Record, int]]:
        """The active records as they were created, in creation order, each with its present target in ms."""
        for name, record in self._active.items():
            yield record, self.target(name)

    def was_created(self, name: str) -> bool:
        """Whether an id was ever created, active or not."""
        return name in self._seen

    def created(self) -> int:
        """How many ids were created."""
        return len(self._seen)

    def apply(self, change: Change) -> None:
        """Take one step (fold.incremental)."""
        _, refusal = self.apply_all((change,))
        if refusal is not None:
            raise refusal

    def apply_all(  # noqa: PLR0912 - one loop, see below
        self, changes: Sequence[Change | None]
    ) -> tuple[int, ScheduleError | None]:
        """Take steps until one is refused: how many were taken, and that refusal. None changes nothing.

        A scan spends most of its time here, so nothing is called on a sound change's way but what reads
        instants. What looks unsound in itself goes to `check_change`, which says why.
        """
        active, targets, seen, space = self._active, self._targets, self._seen, WHITE_SPACE
        try:
            for taken, change in enumerate(changes):  # noqa: B007 - the count outlives the loop
                if type(change) is Create:
                    record = change.schedule
                    name, prompt = record.id, record.prompt
                    if not (name and prompt and name.strip(space) == name and prompt.strip(space) == prompt):
                        check_change(change)
                    target = to_ms(record.scheduledAt)
                    if name in seen:
                        raise corrupt(f"create of id {quoted(name)}, which was created before")
                    seen[name] = None
                    active[name] = record
                    if type(record) is Every:
                        targets[name] = target
                elif change is not None:
                    name = change.id
                    known = active.get(name)
                    if known is None:
                        raise self._not_active(change)
                    text = change.acceptedAt if type(change) is Dispatch else UNSET
                    if text is UNSET:
                        if type(known) is Every:
                            if type(change) is Dispatch:
                                raise corrupt(
                                    f"dispatch of the every record {quoted(name)} without acceptedAt"
                                )
                            del targets[name]
                        del active[name]
                    elif type(known) is Every:
                        following = next_target(targets[name], known.everySeconds * 1000, to_ms(text))
                        if following is None:
                            del active[name], targets[name]
                        else:
                            targets[name] = following
                    else:
                        raise corrupt(f"dispatch of the one-shot record {quoted(name)} with acceptedAt")
        except ValueError:
            return taken, _refusal(change)
        except ScheduleError as refusal:
            return taken, refusal
        return len(changes), None

    def _not_active(self, change: Delete | Dispatch) -> ScheduleError:
        what = "delete" if type(change) is Delete else "dispatch"
        why = "has ended" if change.id in self._seen else "was never created in this session"
        return corrupt(f"{what} of id {quoted(change.id)}, which {why}")


def _refusal(change: Change | None) -> ScheduleError | None:
    """Why a change that is unsound in itself is refused."""
    assert change is not None
    try:
        check_change(change)
    except ScheduleError as refusal:
        return refusal
    return None


def schedule_change(event: object) -> Change | None:
    """The change that an event carries, or None for an event of another type (fold.authority, fold.event)."""
    if not isinstance(event, dict):
        raise corrupt("an event is no object")
    if event.get("type") != SCHEDULE_CHANGE:
        return None
    return CHANGES.convert(event.get("data"))


def fold(events: Sequence[object], seed_length: object = 0) -> ScheduleState:
    """The state of the events from position `seed_length` on; those before it are not looked at (fork.*)."""
    start = safe_integer(seed_length)
    if start is None or not 0 <= start <= len(events):
        raise corrupt(f"seedLength is no integer from 0 to {len(events)}, the number of events")
    state = ScheduleState()
    _, refusal = state.apply_all([schedule_change(event) for event in events[start:]])
    if refusal is not None:
        raise refusal
    return state
