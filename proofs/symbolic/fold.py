"""The fold: what one step does to a state, and that the implementation takes the same.

Intervals, targets and decision times are any that a record may hold; the id that a step names has two
neighbours, which it must leave alone. Clauses: fold.*, fork.*, id.never-reused, record.immutable,
rate.independent.
"""

from icontract import ensure, require

from proofs.symbolic.standing_in import with_numbers_for_texts, without_words
from proofs.symbolic.states import (
    BYSTANDER,
    NAMES,
    Fate,
    Name,
    Operation,
    Slot,
    Step,
    implementation_change,
    implementation_state,
    is_storable,
    law_change,
    law_state,
    meaning_of,
    record_of,
)
from proofs.symbolic.twins import bare, keeps, under_contracts_of
from schedule_impl.errors import ScheduleError
from schedule_spec import fold as law
from schedule_spec.changes import Change
from schedule_spec.fold import State
from schedule_spec.instants import LATEST
from schedule_spec.records import LONGEST_INTERVAL, SHORTEST_INTERVAL, Every, Record
from schedule_spec.rejections import Rejection

_apply = bare(law.apply)
_BEFORE, _BEHIND = record_of(NAMES[0], *BYSTANDER), record_of(NAMES[2], *BYSTANDER)


def _applied(state: State, change: Change) -> State | None:
    """Return the law's state after a change, None where it is refused."""
    with without_words():
        following = _apply(state, change)
    return None if isinstance(following, Rejection) else following


# -- the law's contracts on a step --------------------------------------------------------------------------


@ensure(
    lambda result: result,
    "id.never-reused, fold.order, rate.independent, record.immutable: as the law states",
)
@require(
    lambda seconds, target, interval, instant: (
        is_storable(seconds, target) and is_storable(interval, instant)
    ),
    "record.*: what a record may hold",
)
def step_under_the_law(
    fate: Fate, seconds: int, target: int, operation: Operation, name: Name, interval: int, instant: int
) -> bool:
    """Tell whether a step keeps the contracts of `schedule_spec.fold.apply`."""
    state = law_state(Slot(fate, seconds, target))
    change = law_change(Step(operation, name, interval, instant))
    following = _applied(state, change)
    return following is None or keeps(law.apply, following, state=state, change=change)


@under_contracts_of(step_under_the_law)
def step_that_moves_to_the_end(
    fate: Fate, seconds: int, target: int, operation: Operation, name: Name, interval: int, instant: int
) -> bool:
    """Broken: an every that is advanced is put behind all others."""
    state = law_state(Slot(fate, seconds, target))
    change = law_change(Step(operation, name, interval, instant))
    following = _applied(state, change)
    if following is None or operation is not Operation.DISPATCH_EVERY:
        return True
    moved = sorted(following.active, key=lambda record: record.id == name.value)
    return keeps(law.apply, State(tuple(moved), following.seen), state=state, change=change)


# -- what a step does, told from the fates of the ids -------------------------------------------------------


INTERVALS = (SHORTEST_INTERVAL, 3600, LONGEST_INTERVAL)
"""The intervals in s of the record that is advanced: what any interval does is the subject of `rate`."""


def _is_refused(slot: Slot, step: Step) -> bool:
    """Tell whether a step is refused: the id is not new, not active, of the other shape, or not due."""
    is_known = step.name is Name.KNOWN
    match step.operation:
        case Operation.CREATE_AT | Operation.CREATE_EVERY:
            return is_known
        case Operation.DELETE:
            return not is_known or slot.fate is Fate.ENDED
        case Operation.DISPATCH:
            return not is_known or slot.fate is not Fate.AT
        case Operation.DISPATCH_EVERY:
            return not is_known or slot.fate is not Fate.EVERY or step.instant < slot.target


def _is_next(state: State, slot: Slot, step: Step) -> bool:
    """Tell whether an accepted step leads to the state."""
    known = () if slot.fate is Fate.ENDED else (record_of(Name.KNOWN.value, *slot),)
    match step.operation:
        case Operation.CREATE_AT | Operation.CREATE_EVERY:
            fate = Fate.AT if step.operation is Operation.CREATE_AT else Fate.EVERY
            created = record_of(Name.NEW.value, fate, step.seconds, step.instant)
            return state == State((_BEFORE, *known, _BEHIND, created), (*NAMES, Name.NEW.value))
        case Operation.DELETE | Operation.DISPATCH:
            return state == State((_BEFORE, _BEHIND), NAMES)
        case Operation.DISPATCH_EVERY:
            return state.seen == NAMES and _is_advanced(state.active, slot, step.instant)


def _is_advanced(active: tuple[Record, ...], slot: Slot, accepted: int) -> bool:
    """Tell whether the every in the middle has its first target after the decision, or has ended."""
    interval = slot.seconds * 1000
    match active:
        case (before, Every(Name.KNOWN.value, _, seconds, target), behind):
            return (before, behind, seconds) == (_BEFORE, _BEHIND, slot.seconds) and (
                target - interval <= accepted < target <= LATEST
            )
        case _:
            return active == (_BEFORE, _BEHIND) and accepted > LATEST - interval


@ensure(
    lambda result, fate, seconds, target, operation, name, interval, instant: (
        (result is None) == _is_refused(Slot(fate, seconds, target), Step(operation, name, interval, instant))
    ),
    "fold.no-id-reuse, fold.inactive, fold.shape-match, rate.not-early: refused exactly then",
)
@ensure(
    lambda result, fate, seconds, target, operation, name, interval, instant: (
        result is None
        or _is_next(result, Slot(fate, seconds, target), Step(operation, name, interval, instant))
    ),
    "fold.create, fold.delete, fold.dispatch-one-shot, fold.dispatch-every: what an accepted step leads to",
)
@require(
    lambda seconds, target, interval, instant: (
        seconds in INTERVALS and is_storable(seconds, target) and is_storable(interval, instant)
    ),
    "record.*: what a record may hold, and one of three intervals of what was created before",
)
def step_by_fates(
    fate: Fate, seconds: int, target: int, operation: Operation, name: Name, interval: int, instant: int
) -> State | None:
    """Return the law's state after a step, None where it is refused."""
    change = law_change(Step(operation, name, interval, instant))
    return _applied(law_state(Slot(fate, seconds, target)), change)


@under_contracts_of(step_by_fates)
def step_that_forgets_what_ended(
    fate: Fate, seconds: int, target: int, operation: Operation, name: Name, interval: int, instant: int
) -> State | None:
    """Broken: only the ids of active records are taken."""
    state = law_state(Slot(fate, seconds, target))
    remembered = State(state.active, tuple(record.id for record in state.active))
    return _applied(remembered, law_change(Step(operation, name, interval, instant)))


# -- law and implementation ---------------------------------------------------------------------------------


@ensure(
    lambda result, fate, seconds, target, operation, name, interval, instant: (
        result
        == _applied(
            law_state(Slot(fate, seconds, target)), law_change(Step(operation, name, interval, instant))
        )
    ),
    "fold.incremental: the implementation's step is the law's",
)
@require(
    lambda seconds, target, interval, instant: (
        is_storable(seconds, target) and is_storable(interval, instant)
    ),
    "record.*: what a record may hold",
)
def implementation_steps(
    fate: Fate, seconds: int, target: int, operation: Operation, name: Name, interval: int, instant: int
) -> State | None:
    """Return what the implementation's state means after a step, None where the step is refused."""
    with without_words(), with_numbers_for_texts():
        state = implementation_state(Slot(fate, seconds, target))
        try:
            state.apply(implementation_change(law_change(Step(operation, name, interval, instant))))
        except ScheduleError:
            return None
        return meaning_of(state)


@under_contracts_of(implementation_steps)
def implementation_stands_still(
    fate: Fate, seconds: int, target: int, operation: Operation, name: Name, interval: int, instant: int
) -> State | None:
    """Broken: a dispatch delivers an occurrence but leaves the target where it is."""
    following = implementation_steps(fate, seconds, target, operation, name, interval, instant)
    if following is None or operation is not Operation.DISPATCH_EVERY:
        return following
    return law_state(Slot(fate, seconds, target))


@ensure(
    lambda result, fate, seconds, target, operation, name, interval, instant: (
        not _is_refused(Slot(fate, seconds, target), Step(operation, name, interval, instant))
        or result == law_state(Slot(fate, seconds, target))
    ),
    "fold.all-or-nothing: after a refused step the implementation's state is what it was",
)
@require(
    lambda seconds, target, interval, instant: (
        is_storable(seconds, target) and is_storable(interval, instant)
    ),
    "record.*: what a record may hold",
)
def implementation_after_a_step(
    fate: Fate, seconds: int, target: int, operation: Operation, name: Name, interval: int, instant: int
) -> State:
    """Return what the implementation's state means after a step, refused or not."""
    with without_words(), with_numbers_for_texts():
        state = implementation_state(Slot(fate, seconds, target))
        state.apply_all((implementation_change(law_change(Step(operation, name, interval, instant))),))
        return meaning_of(state)


@under_contracts_of(implementation_after_a_step)
def implementation_ends_before_it_looks(
    fate: Fate, seconds: int, target: int, operation: Operation, name: Name, interval: int, instant: int
) -> State:
    """Broken: a dispatch of the wrong shape ends the record before it is refused."""
    state = implementation_after_a_step(fate, seconds, target, operation, name, interval, instant)
    if operation is not Operation.DISPATCH:
        return state
    return State(tuple(record for record in state.active if record.id != name.value), state.seen)
