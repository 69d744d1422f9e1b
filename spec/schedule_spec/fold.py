"""The fold: from a log's events to the state they mean.

Specifies the clauses fold.* and what fork.* says of the fold; id.never-reused, record.immutable and
rate.independent are contracts of its one transition, `apply`.

State is two tuples, compared by `==`: easy to read, and within reach of a prover. Looking an id up is
therefore linear, and folding a log quadratic in the ids it creates; an implementation has better means.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from icontract import ensure

from schedule_spec import changes, forks, rate, records
from schedule_spec.changes import Change, Create, Decoder, Delete, DispatchEvery, DispatchOneShot, named_id
from schedule_spec.fields import is_id
from schedule_spec.json_text import Json
from schedule_spec.marks import defines
from schedule_spec.records import Every, Record
from schedule_spec.rejections import Rejection, corrupt, quoted

EVENT_TYPE = "schedule/change"
"""The type of the events that are the only durable state (fold.authority)."""
NO_POSITION = -1
"""The position of a refusal that no event is to blame for: the seed length is impossible."""


@dataclass(frozen=True, slots=True)
class State:
    """What a session's own part of the log means.

    `active` holds the records that have not ended, in creation order; `seen` every id ever created there.
    """

    active: tuple[Record, ...]
    seen: tuple[str, ...]


EMPTY = State((), ())


@dataclass(frozen=True, slots=True)
class Refused:
    """A log that does not fold.

    `position` counts the events before the refused one, the inherited ones included (`NO_POSITION` for none),
    `state` is what those before it mean, and the rejection's `where` is a place in the event.
    """

    position: int
    state: State
    rejection: Rejection


@defines("id.fresh")
def is_fresh(state: State, id: str) -> bool:
    """Tell whether a creation may allocate the id: it was never created before (id.fresh)."""
    return id not in state.seen


def ids(state: State) -> tuple[str, ...]:
    """Return the ids of the active records, in creation order."""
    return tuple(record.id for record in state.active)


def find(state: State, id: str) -> Record | None:
    """Return the active record of an id."""
    return next((record for record in state.active if record.id == id), None)


def _without(state: State, id: str) -> tuple[Record, ...]:
    return tuple(record for record in state.active if record.id != id)


def _remembers(before: State, after: State, id: str) -> bool:
    """Tell whether no id is forgotten, and none but a fresh one that the change names is added."""
    return after.seen == before.seen or (is_fresh(before, id) and after.seen == (*before.seen, id))


def _keeps_order(before: State, after: State, id: str) -> bool:
    """Tell whether the ids are those before, or those without the named one, or those and the named one."""
    others = tuple(other for other in ids(before) if other != id)
    return ids(after) in (ids(before), others, (*ids(before), id))


def _edits_nothing(before: State, after: State, change: Change) -> bool:
    """Tell whether the named record is what it was, but for the target of an every that is dispatched."""
    old, new = find(before, named_id(change)), find(after, named_id(change))
    if old is None or new is None or old == new:
        return True
    return (
        isinstance(change, DispatchEvery)
        and isinstance(old, Every)
        and new == replace(old, scheduled_at=new.scheduled_at)
    )


@ensure(
    lambda result, state, change: (
        isinstance(result, Rejection) or _remembers(state, result, named_id(change))
    ),
    "id.never-reused: an id is seen for good, and created at most once",
)
@ensure(
    lambda result, state, change: (
        isinstance(result, Rejection) or _keeps_order(state, result, named_id(change))
    ),
    "fold.order: what stays keeps its place, what is created comes last",
)
@ensure(
    lambda result, state, change: (
        isinstance(result, Rejection)
        or _without(result, named_id(change)) == _without(state, named_id(change))
    ),
    "rate.independent: a change touches no record but the one it names",
)
@ensure(
    lambda result, state, change: isinstance(result, Rejection) or _edits_nothing(state, result, change),
    "record.immutable: of a record only an every's target moves, and only by a dispatch",
)
def apply(state: State, change: Change) -> State | Rejection:
    """Return the state after the change, or the refusal where the change cannot follow."""
    match change:
        case Create():
            return _create(state, change)
        case Delete():
            return _delete(state, change)
        case DispatchOneShot():
            return _dispatch_one_shot(state, change)
        case DispatchEvery():
            return _dispatch_every(state, change)
    assert_never(change)


@defines("fold.create", "fold.no-id-reuse")
def _create(state: State, change: Create) -> State | Rejection:
    record = change.schedule
    if is_fresh(state, record.id):
        return State((*state.active, record), (*state.seen, record.id))
    fate = "is still active" if find(state, record.id) else "has ended"
    sentence = f"The id {quoted(record.id)} was created before and its record {fate}; a new id is required."
    return corrupt("fold.no-id-reuse", sentence, "schedule.id")


@defines("fold.delete")
def _delete(state: State, change: Delete) -> State | Rejection:
    if find(state, change.id) is None:
        return _inactive(state, change)
    return State(_without(state, change.id), state.seen)


@defines("fold.dispatch-one-shot", "fold.shape-match")
def _dispatch_one_shot(state: State, change: DispatchOneShot) -> State | Rejection:
    record = find(state, change.id)
    if record is None:
        return _inactive(state, change)
    if isinstance(record, Every):
        sentence = f"The record {quoted(record.id)} is an every; its dispatch carries acceptedAt."
        return corrupt("fold.shape-match", sentence)
    return State(_without(state, record.id), state.seen)


@defines("fold.dispatch-every", "fold.shape-match", "rate.exhausted")
def _dispatch_every(state: State, change: DispatchEvery) -> State | Rejection:
    record = find(state, change.id)
    if record is None:
        return _inactive(state, change)
    if not isinstance(record, Every):
        sentence = f"The record {quoted(record.id)} is a one-shot; its dispatch carries no acceptedAt."
        return corrupt("fold.shape-match", sentence, "acceptedAt")
    advance = rate.advance_every(record, change.accepted_at)
    if isinstance(advance, Rejection):
        return advance
    if advance.next_target is None:
        return State(_without(state, record.id), state.seen)
    advanced = replace(record, scheduled_at=advance.next_target)
    return State(tuple(advanced if other.id == record.id else other for other in state.active), state.seen)


@defines("fold.inactive")
def _inactive(state: State, change: Delete | DispatchOneShot | DispatchEvery) -> Rejection:
    fate = "was never created" if is_fresh(state, change.id) else "names a record that has ended"
    active = f"active are {len(state.active)}" if state.active else "no record is active"
    return corrupt(
        "fold.inactive",
        f"The id {quoted(change.id)} {fate}; only an active one can end or advance ({active}).",
        "id",
    )


@defines("fold.authority", "fold.event")
def step(state: State, event: Json, decode: Decoder = changes.decode) -> State | Rejection:
    """Return the state after one event, or the refusal (fold.authority, fold.event).

    An event that is no schedule event leaves the state as it is, whatever it holds.
    """
    if not isinstance(event, dict):
        return corrupt("fold.event", f"The event is {quoted(event)}; an object is required.")
    if event.get("type") != EVENT_TYPE:
        return state
    change = decode(event.get("data"))
    following = change if isinstance(change, Rejection) else apply(state, change)
    return following.within("data") if isinstance(following, Rejection) else following


@defines("fold.all-or-nothing", "fork.suffix", "fork.prefix-unread", "id.session-local")
def fold(events: Sequence[Json], seed_length: Json = 0, decode: Decoder = changes.decode) -> State | Refused:
    """Return what the events from `seed_length` on mean, or where and why they mean nothing."""
    if not isinstance(events, list | tuple):
        return Refused(
            NO_POSITION,
            EMPTY,
            corrupt("fold.event", f"The log is {quoted(events)}; a list of events is required."),
        )
    begin = forks.boundary(events, seed_length)
    if isinstance(begin, Rejection):
        return Refused(NO_POSITION, EMPTY, begin)
    state = EMPTY
    for position in range(begin, len(events)):
        following = step(state, events[position], decode)
        if isinstance(following, Rejection):
            return Refused(position, state, diagnose(following, state, events[position], events[:begin]))
        state = following
    return state


@defines("fork.no-adoption")
def diagnose(rejection: Rejection, state: State, event: Json, inherited: Sequence[Json]) -> Rejection:
    """Return the rejection, as one of fork.no-adoption where the id that is not active is a parent's alone.

    The verdict stands already: only its clause and its words may gain from a look at the inherited events.
    """
    match event:
        case {"data": {"id": str(id)}} if (
            rejection.clause == "fold.inactive"
            and is_fresh(state, id)
            and any(forks.creates(other, id) for other in inherited)
        ):
            sentence = (
                f"The id {quoted(id)} was created by a parent alone, whose reminders are not active here."
            )
            return replace(rejection, clause="fork.no-adoption", message=sentence)
        case _:
            return rejection


@defines("fold.candidate")
def candidate(folded: State | Refused, event: Json, decode: Decoder = changes.decode) -> State | Rejection:
    """Return the state that appending the event would leave, or the refusal to append it (fold.candidate).

    `folded` is what the log means; its events need not be read again. The answer is a state exactly where
    both the log and the log with the event fold.
    """
    return folded.rejection if isinstance(folded, Refused) else step(folded, event, decode)


def encode_state(state: State) -> dict[str, Json]:
    """Return the state as JSON: `active` the records in creation order, `seen` every id created."""
    return {"active": [records.encode(record) for record in state.active], "seen": list(state.seen)}


def decode_state(value: Json) -> State:
    """Return the state that the JSON value is.

    ValueError, which names the fault, where no log leaves that state.
    """
    match value:
        case {"active": list(active), "seen": list(seen), **rest} if not rest:
            return _checked_state(active, seen)
        case _:
            raise ValueError(f"The state is {quoted(value)}; exactly the lists active and seen are required.")


def _checked_state(active: list[Json], seen: list[Json]) -> State:
    decoded: list[Record] = []
    for position, value in enumerate(active):
        record = records.decode(value)
        if isinstance(record, Rejection):
            raise ValueError(f"active[{position}]: {record.message}")  # noqa: TRY004 - a value, not a type
        decoded.append(record)
    created = [id for id in seen if isinstance(id, str) and is_id(id)]
    state = State(tuple(decoded), tuple(created))
    if len(created) < len(seen) or len(set(created)) < len(created):
        raise ValueError("seen holds something that is no id, or an id twice.")
    in_force = frozenset(ids(state))
    if [id for id in created if id in in_force] != list(ids(state)):
        raise ValueError("The active records are not among the seen ids, in their order.")
    return state
