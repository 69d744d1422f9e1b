"""The relation between the implementation's state and the law's: a function from the one to the other.

An implementation keeps active records in a dictionary as they were created, the moving targets of everys
beside them, and the ids that it has seen as keys. The law keeps tuples. `abstracts` forgets the difference.
"""

from collections.abc import Callable
from typing import TypeAlias, assert_never

from schedule_impl import changes as impl
from schedule_impl.errors import ScheduleError
from schedule_impl.fold import ScheduleState, schedule_change
from schedule_spec import fold
from schedule_spec.fold import State
from schedule_spec.json_text import Json
from schedule_spec.records import After, At, Every, Record
from schedule_spec.rejections import Rejection

Stepper: TypeAlias = Callable[[ScheduleState, Json], bool]
"""Takes one step of an implementation, and tells whether it accepted the event."""


def abstracts(state: ScheduleState) -> State:
    """Return the state of the law that an implementation's state stands for."""
    active = tuple(_record(record, target) for record, target in state.targets())
    return State(active, tuple(state.seen()))


def _record(record: impl.Record, target: int) -> Record:
    match record:
        case impl.After():
            return After(record.id, record.prompt, record.afterSeconds, target)
        case impl.At():
            return At(record.id, record.prompt, target)
        case impl.Every():
            return Every(record.id, record.prompt, record.everySeconds, target)
    assert_never(record)


def answers_alike(state: ScheduleState) -> str | None:
    """Return in what the state's other answers differ from its own records, None for nothing.

    Whatever way a state is asked, by an id or for all, the answer is one.
    """
    listed = state.active()
    records = dict.fromkeys(record.id for record in listed)
    if len(records) != len(listed):
        return "an id is active twice"
    for record, target in state.targets():
        if state.record(record.id) != record or state.target(record.id) != target:
            return f"{record.id} is another record by its id"
    if [record.id for record, _ in state.targets()] != list(records):
        return "the active records are listed in two orders"
    if state.created() != len(state.seen()) or not all(map(state.was_created, state.seen())):
        return "the ids that were seen are counted in two ways"
    if not all(map(state.was_created, records)):
        return "a record is active whose id was never seen"
    return None


def stepped(state: ScheduleState, event: Json) -> bool:
    """Take one step of the implementation; tell whether the event was accepted."""
    try:
        change = schedule_change(event)
        if change is not None:
            state.apply(change)
    except ScheduleError:
        return False
    return True


def difference(state: ScheduleState, before: State, event: Json, stepper: Stepper = stepped) -> str | None:
    """Take the same step in both, from related states; return how they come apart, None where they don't.

    Where the law refuses, the implementation must too, and its state must still be the one before.
    """
    expected = fold.step(before, event)
    accepted = stepper(state, event)
    if accepted == isinstance(expected, Rejection):
        return f"the law {'refuses' if accepted else 'accepts'} what the implementation {_verb(accepted)}"
    if abstracts(state) != (before if isinstance(expected, Rejection) else expected):
        return f"the implementation is left at {abstracts(state)}, the law at {expected}"
    return answers_alike(state)


def _verb(accepted: bool) -> str:
    return "accepts" if accepted else "refuses"
