"""States and changes made of symbolic parts, for law and implementation alike.

Ids are opaque, so that their names may be fixed; the order of the names is not that of their creation. Three
were created: `c`, whose fate, interval and target are symbols, and a bystander before and behind it, for what
a step does to the others and to their order.
"""

from enum import Enum
from typing import NamedTuple, assert_never

from msgspec.structs import replace

from schedule_impl import changes as implementation
from schedule_impl.fold import ScheduleState
from schedule_spec import changes as law
from schedule_spec.fold import State
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.records import LONGEST_INTERVAL, SHORTEST_INTERVAL, After, At, Every, Record

NAMES = ("b", "c", "a")
"""Ids in the order in which they were created: neither ascending nor descending."""
PROMPT = "p"


class Fate(Enum):
    """What became of an id that was created."""

    ENDED = "ended"
    AT = "at"
    EVERY = "every"


class Slot(NamedTuple):
    """An id that was created: its fate, and the interval in s and the target in ms of what is active."""

    fate: Fate
    seconds: int
    target: int


BYSTANDER = Slot(Fate.EVERY, SHORTEST_INTERVAL, 0)
"""What `b` and `a` are."""


class Name(Enum):
    """The id that a change names: the one that was created, or one that never was."""

    KNOWN = "c"
    NEW = "d"


class Operation(Enum):
    """What a change does."""

    CREATE_AT = "create at"
    CREATE_EVERY = "create every"
    DELETE = "delete"
    DISPATCH = "dispatch"
    DISPATCH_EVERY = "dispatch with acceptedAt"


class Step(NamedTuple):
    """A change: `seconds` is the interval of a created every, `instant` a target or decision time in ms."""

    operation: Operation
    name: Name
    seconds: int
    instant: int


def is_storable(seconds: int, instant: int) -> bool:
    """Tell whether a record may hold the interval, in s, and the instant, in ms."""
    return SHORTEST_INTERVAL <= seconds <= LONGEST_INTERVAL and EARLIEST <= instant <= LATEST


def record_of(name: str, fate: Fate, seconds: int, target: int) -> Record:
    """Return the law's record of a slot that has not ended."""
    return At(name, PROMPT, target) if fate is Fate.AT else Every(name, PROMPT, seconds, target)


def law_state(slot: Slot) -> State:
    """Return the law's state in which `c` has this fate."""
    created = tuple(zip(NAMES, (BYSTANDER, slot, BYSTANDER), strict=True))
    active = tuple(record_of(name, *slot) for name, slot in created if slot.fate is not Fate.ENDED)
    return State(active, tuple(name for name, _ in created))


def law_change(step: Step) -> law.Change:
    """Return the law's change of a step."""
    name = step.name.value
    match step.operation:
        case Operation.CREATE_AT:
            return law.Create(At(name, PROMPT, step.instant))
        case Operation.CREATE_EVERY:
            return law.Create(Every(name, PROMPT, step.seconds, step.instant))
        case Operation.DELETE:
            return law.Delete(name)
        case Operation.DISPATCH:
            return law.DispatchOneShot(name)
        case Operation.DISPATCH_EVERY:
            return law.DispatchEvery(name, step.instant)
    assert_never(step.operation)


_AT = implementation.At("a", PROMPT, "")
_AFTER = implementation.After("a", PROMPT, 1, "")
_EVERY = implementation.Every("a", PROMPT, SHORTEST_INTERVAL, "")
_CREATE = implementation.Create(1, _AT)
_DELETE = implementation.Delete(1, "a")
_DISPATCH = implementation.Dispatch(1, "a")


def implementation_change(change: law.Change) -> implementation.Change:
    """Return the implementation's change that is the law's; instants stand as ms, not as texts.

    Changes and records are varied ones, not made anew: CrossHair cannot call a class that is written in C.
    """
    match change:
        case law.Create(At(name, _, target)):
            return replace(_CREATE, schedule=replace(_AT, id=name, scheduledAt=target))
        case law.Create(After(name, _, seconds, target)):
            one_shot = replace(_AFTER, id=name, afterSeconds=seconds, scheduledAt=target)
            return replace(_CREATE, schedule=one_shot)
        case law.Create(Every(name, _, seconds, target)):
            record = replace(_EVERY, id=name, everySeconds=seconds, scheduledAt=target)
            return replace(_CREATE, schedule=record)
        case law.DispatchEvery(name, instant):
            return replace(_DISPATCH, id=name, acceptedAt=instant)
        case law.DispatchOneShot(name):
            return replace(_DISPATCH, id=name)
        case law.Delete(name):
            return replace(_DELETE, id=name)
    raise AssertionError(change)


def implementation_state(known: Slot) -> ScheduleState:
    """Return a state of the implementation in which `c` has this fate."""
    state = ScheduleState()
    for name, slot in zip(NAMES, (BYSTANDER, known, BYSTANDER), strict=True):
        fate = Fate.AT if slot.fate is Fate.ENDED else slot.fate
        state.apply(implementation_change(law.Create(record_of(name, fate, slot.seconds, slot.target))))
    if known.fate is Fate.ENDED:
        state.apply(replace(_DELETE, id=Name.KNOWN.value))
    return state


def meaning_of(state: ScheduleState) -> State:
    """Return the law's state that the implementation's means."""
    return State(tuple(map(_law_record, state.active())), tuple(state.seen()))


def _law_record(record: implementation.Record) -> Record:
    target: int = record.scheduledAt  # type: ignore[assignment]  # it stands for the text
    match record:
        case implementation.At():
            return At(record.id, record.prompt, target)
        case implementation.Every():
            return Every(record.id, record.prompt, record.everySeconds, target)
    raise AssertionError(record)
