"""Folds of every sequence of two or three events over a small alphabet, with every boundary of a fork.

The alphabet has a create of each shape of dispatch, what ends and advances them, and what is unsound.
Clauses: fold.*, fork.*, id.*.
"""

from enum import Enum
from itertools import pairwise
from typing import Any

from icontract import ensure

from proofs.symbolic.twins import bare, keeps, under_contracts_of
from proofs.symbolic.values import on_values
from schedule_impl import fold as implementation
from schedule_impl.codec import to_json
from schedule_impl.errors import ScheduleError
from schedule_spec import changes
from schedule_spec import fold as law
from schedule_spec.fold import NO_POSITION, Refused, State
from schedule_spec.instants import LATEST, render
from schedule_spec.json_text import Json

_TARGET = LATEST - 450_000


class Event(Enum):
    """The letters of the alphabet: the numeral names an entry of `_EVENTS`."""

    CREATE_AT = 0
    CREATE_EVERY = 1
    DELETE_AT = 2
    DISPATCH_AT = 3
    DISPATCH_EVERY = 4
    LAST_DISPATCH_OF_EVERY = 5
    MALFORMED = 6
    FOREIGN = 7
    NO_OBJECT = 8


def _change(**members: Any) -> dict[str, Any]:
    return {"type": law.EVENT_TYPE, "data": {"version": 1, **members}}


def _record(id: str, kind: str, **members: Any) -> dict[str, Any]:
    return {"id": id, "kind": kind, "prompt": "p", "scheduledAt": render(_TARGET), **members}


_EVENTS: tuple[Json, ...] = (
    _change(operation="create", schedule=_record("a", "at")),
    _change(operation="create", schedule=_record("b", "every", everySeconds=300)),
    _change(operation="delete", id="a"),
    _change(operation="dispatch", id="a"),
    _change(operation="dispatch", id="b", acceptedAt=render(_TARGET)),
    _change(operation="dispatch", id="b", acceptedAt=render(LATEST)),
    _change(operation="delete"),
    {"type": "message", "data": _record("a", "at")},
    None,
)


class Boundary(Enum):
    """Seed lengths: the positions of two events, and what is none of them."""

    BEGINNING = 0
    FIRST = 1
    END = 2.0
    BEYOND = 3
    BEFORE = -1
    HALF = 0.5
    TRUE = "true"
    NOTHING = None


def _seed(boundary: Boundary) -> Json:
    return True if boundary is Boundary.TRUE else boundary.value


def _log(*events: Event) -> list[Json]:
    return [_EVENTS[event.value] for event in events]


def _folded(events: list[Json], seed: Json = 0) -> State | int:
    """Return the law's state, or the position of the event that it refuses."""
    folded = law.fold(events, seed)
    return folded.position if isinstance(folded, Refused) else folded


# -- forks --------------------------------------------------------------------------------------------------


@on_values
def _is_of_the_own_part(folded: State | int, boundary: Boundary, events: list[Json]) -> bool:
    """Tell whether the answer is that to the events behind the boundary alone, counted from the beginning."""
    seed = _seed(boundary)
    if seed not in (0, 1, 2) or seed is True:
        return folded == NO_POSITION
    position = int(seed)
    alone = _folded(events[position:])
    return folded == (alone + position if isinstance(alone, int) else alone)


@ensure(
    lambda result, one, two, boundary: _is_of_the_own_part(result, boundary, _log(one, two)),
    "fork.suffix, fork.prefix-unread, fork.bounds, fork.no-adoption: the own part alone counts",
)
@on_values
def folding_a_fork(one: Event, two: Event, boundary: Boundary) -> State | int:
    """Return what the law makes of two events and a boundary."""
    return _folded(_log(one, two), _seed(boundary))


@under_contracts_of(folding_a_fork)
@on_values
def folding_a_fork_with_its_parent(one: Event, two: Event, boundary: Boundary) -> State | int:
    """Broken: the child adopts its parent's reminders where the whole log folds."""
    whole = _folded(_log(one, two))
    forked = _folded(_log(one, two), _seed(boundary))
    return whole if isinstance(whole, State) and isinstance(forked, State) else forked


# -- step by step -------------------------------------------------------------------------------------------


def _arguments(one: Event, two: Event, boundary: Boundary) -> dict[str, Any]:
    return {
        "events": _log(Event.CREATE_AT, one),
        "seed_length": _seed(boundary),
        "event": _EVENTS[two.value],
        "decode": changes.decode,
    }


@ensure(lambda result: result, "fold.candidate: as the law states")
@on_values
def candidate_under_the_law(one: Event, two: Event, boundary: Boundary) -> bool:
    """Tell whether `schedule_spec.fold.candidate` keeps its contract for a log of two events and a third."""
    arguments = _arguments(one, two, boundary)
    return keeps(law.candidate, bare(law.candidate)(**arguments), **arguments)


@under_contracts_of(candidate_under_the_law)
@on_values
def candidate_of_a_broken_log(one: Event, two: Event, boundary: Boundary) -> bool:
    """Broken: a foreign event is accepted whatever the log is like."""
    arguments = _arguments(one, two, boundary)
    accepted = law.EMPTY if two is Event.FOREIGN else bare(law.candidate)(**arguments)
    return keeps(law.candidate, accepted, **arguments)


@ensure(
    lambda result: all(isinstance(former, State) or latter == former for former, latter in pairwise(result)),
    "fold.prefix, fold.incremental: what is refused is refused at the same event however the log goes on",
)
@on_values
def folding_prefixes(one: Event, two: Event, three: Event) -> list[State | int]:
    """Return what the law makes of no, one, two and three of the events."""
    events = _log(one, two, three)
    return [_folded(events[:length]) for length in range(len(events) + 1)]


@under_contracts_of(folding_prefixes)
@on_values
def folding_prefixes_past_the_fault(one: Event, two: Event, three: Event) -> list[State | int]:
    """Broken: a malformed event is passed over where another follows it."""
    events = _log(one, two, three)
    sound = [[event for event in events[:length][:-1] if event is not None] for length in (1, 2, 3)]
    return [law.EMPTY, *(_folded([*before, events[length]]) for length, before in enumerate(sound))]


# -- law and implementation ---------------------------------------------------------------------------------


@on_values
def _answer_of_law(one: Event, two: Event, boundary: Boundary) -> dict[str, Json] | None:
    folded = law.fold(_log(one, two), _seed(boundary))
    return law.encode_state(folded) if isinstance(folded, State) else None


@ensure(
    lambda result, one, two, boundary: result == _answer_of_law(one, two, boundary),
    "fold.all-or-nothing: the implementation folds what the law folds, to the same state",
)
@on_values
def implementation_folds(one: Event, two: Event, boundary: Boundary) -> dict[str, Any] | None:
    """Return what the implementation makes of two events and a boundary, None where it refuses."""
    try:
        state = implementation.fold(_log(one, two), _seed(boundary))
    except ScheduleError:
        return None
    return {"active": [to_json(record) for record in state.active()], "seen": state.seen()}


@under_contracts_of(implementation_folds)
@on_values
def implementation_folds_what_it_can(one: Event, two: Event, boundary: Boundary) -> dict[str, Any] | None:
    """Broken: an event that is no object is passed over where it comes first."""
    return implementation_folds(Event.FOREIGN if one is Event.NO_OBJECT else one, two, boundary)
