"""Folds of three changes, one after another from nothing: any operations on two ids, and any instants.

The changes are made of symbols; logs of more events, with boundaries and with events that are none, are
`proofs.exhaustive`'s subject. Clauses: fold.*.
"""

from icontract import ensure, require

from proofs.symbolic.standing_in import with_numbers_for_texts, without_words
from proofs.symbolic.states import (
    Name,
    Operation,
    Step,
    implementation_change,
    law_change,
    meaning_of,
)
from proofs.symbolic.twins import bare, under_contracts_of
from schedule_impl.errors import ScheduleError
from schedule_impl.fold import ScheduleState
from schedule_spec import fold as law
from schedule_spec.fold import EMPTY, State
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.rejections import Rejection

_INTERVALS = (300, 3600, 300)
"""The interval in s of an every that the first, the second or the third change creates."""


def _steps(
    operations: tuple[Operation, ...], names: tuple[Name, ...], instants: tuple[int, ...]
) -> tuple[Step, ...]:
    return tuple(map(Step, operations, names, _INTERVALS, instants))


def _by_law(steps: tuple[Step, ...]) -> State | None:
    """Return the law's state after the changes, None where one is refused."""
    state = EMPTY
    with without_words():
        for step in steps:
            following = bare(law.apply)(state, law_change(step))
            if isinstance(following, Rejection):
                return None
            state = following
    return state


def _by_implementation(steps: tuple[Step, ...]) -> State | None:
    """Return what the implementation makes of the changes, None where it refuses one."""
    with without_words(), with_numbers_for_texts():
        state = ScheduleState()
        try:
            for step in steps:
                state.apply(implementation_change(law_change(step)))
        except ScheduleError:
            return None
        return meaning_of(state)


@ensure(
    lambda result, one, two, three, of_one, of_two, of_three, first, second, third: (
        result == _by_law(_steps((one, two, three), (of_one, of_two, of_three), (first, second, third)))
    ),
    "fold.all-or-nothing: the implementation folds three changes to the law's state, or refuses them",
)
@require(
    lambda first, second, third: all(EARLIEST <= instant <= LATEST for instant in (first, second, third)),
    "instant.range: targets and decision times in the range",
)
def implementation_folds_three(
    one: Operation,
    two: Operation,
    three: Operation,
    of_one: Name,
    of_two: Name,
    of_three: Name,
    first: int,
    second: int,
    third: int,
) -> State | None:
    """Return what the implementation makes of three changes, None where it refuses one."""
    return _by_implementation(_steps((one, two, three), (of_one, of_two, of_three), (first, second, third)))


@under_contracts_of(implementation_folds_three)
def implementation_folds_past_a_vain_delete(
    one: Operation,
    two: Operation,
    three: Operation,
    of_one: Name,
    of_two: Name,
    of_three: Name,
    first: int,
    second: int,
    third: int,
) -> State | None:
    """Broken: a delete is passed over where it comes first, and so of nothing that is active."""
    steps = _steps((one, two, three), (of_one, of_two, of_three), (first, second, third))
    return _by_implementation(steps[1:] if one is Operation.DELETE else steps)
