"""Folds of every sequence of three events over a small alphabet, from every boundary and from what is none.

The alphabet has a create of each shape of dispatch, what ends and advances them, and what is unsound.
Clauses: fold.*, fork.*, id.session-local.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from proofs.exhaustive.cases import on_all
from proofs.outcomes import Counterexample, Counts
from schedule_impl import fold as implementation
from schedule_impl.codec import to_json
from schedule_impl.errors import ScheduleError
from schedule_spec import fold
from schedule_spec.fold import NO_POSITION, Refused, State
from schedule_spec.instants import LATEST, render
from schedule_spec.json_text import Json
from schedule_spec.rejections import Rejection

_TARGET = LATEST - 450_000


def _change(**members: Any) -> dict[str, Any]:
    return {"type": fold.EVENT_TYPE, "data": {"version": 1, **members}}


def _record(id: str, kind: str, **members: Any) -> dict[str, Any]:
    return {"id": id, "kind": kind, "prompt": "p", "scheduledAt": render(_TARGET), **members}


CREATION = _change(operation="create", schedule=_record("a", "at"))
FOREIGN: Json = {"type": "message", "data": _record("a", "at")}
EVENTS: tuple[Json, ...] = (
    CREATION,
    _change(operation="create", schedule=_record("b", "every", everySeconds=300)),
    _change(operation="delete", id="a"),
    _change(operation="dispatch", id="a"),
    _change(operation="dispatch", id="b", acceptedAt=render(_TARGET)),
    _change(operation="dispatch", id="b", acceptedAt=render(LATEST)),
    _change(operation="delete"),
    FOREIGN,
    None,
)
BOUNDARIES: tuple[Json, ...] = (0, 1, 2, 3, 2.0, 4, -1, 0.5, True, False, "1", None, float("nan"))
"""Seed lengths: the positions of three events, one of them as a double, and what is none of them."""

Folded: TypeAlias = State | int
"""A state, or the position of the event that is refused."""
Folding: TypeAlias = Callable[[Sequence[Json], Json], Folded]


def _folded(events: Sequence[Json], seed: Json = 0) -> Folded:
    found = fold.fold(events, seed)
    return found.position if isinstance(found, Refused) else found


def _kind(folded: Folded) -> str:
    return "folded" if isinstance(folded, State) else "refused"


# --- forks ---


def _own_part(folding: Folding, *case: Any) -> str:
    """Hold the answer to that for the events behind the boundary alone, counted from the beginning."""
    *events, seed = case
    found, expected = folding(events, seed), _of_the_own_part(events, seed)
    if found != expected:
        raise Counterexample(f"from {seed!r} {events} come to {found}, not {expected}")
    return _kind(found)


def _of_the_own_part(events: Sequence[Json], seed: Json) -> Folded:
    if isinstance(seed, bool) or seed not in range(len(events) + 1):
        return NO_POSITION
    position = int(seed)  # type: ignore[arg-type]  # it is a number of the range
    alone = _folded(events[position:])
    return alone + position if isinstance(alone, int) else alone


def a_fork_is_what_its_own_part_says() -> Counts:
    """The law's fold from each boundary."""
    return on_all(lambda *case: _own_part(_folded, *case), *[EVENTS] * 3, BOUNDARIES)


def _adopting(events: Sequence[Json], seed: Json) -> Folded:
    """Let the child adopt its parent's reminders where the whole log folds."""
    whole, forked = _folded(events), _folded(events, seed)
    return whole if isinstance(whole, State) and isinstance(forked, State) else forked


def parents_reminders_are_adopted() -> Counts:
    """The same of a fold that reads the parent's part too."""
    return on_all(lambda *case: _own_part(_adopting, *case), *[EVENTS] * 3, BOUNDARIES)


# --- candidates ---

Judging: TypeAlias = Callable[[State | Refused, Json], State | Rejection]
"""Answers a candidate, when what the log means is known."""


def _candidate(judging: Judging, one: Json, two: Json, event: Json, seed: Json) -> str:
    """Hold the answer to what folding the log, and the log with the event, comes to."""
    before, after = fold.fold((one, two), seed), fold.fold((one, two, event), seed)
    folds = isinstance(before, State) and isinstance(after, State)
    answer = judging(before, event)
    if answer != after if folds else not isinstance(answer, Rejection):
        raise Counterexample(f"the candidate {event} after {one}, {two} from {seed!r} comes to {answer}")
    return "accepted" if folds else "refused"


def a_candidate_is_refused_where_the_extended_log_does_not_fold() -> Counts:
    """The law's answer to a candidate."""
    return on_all(lambda *case: _candidate(fold.candidate, *case), *[EVENTS] * 3, BOUNDARIES)


def _of_a_broken_log(folded: State | Refused, event: Json) -> State | Rejection:
    """Accept a foreign event whatever the log is like."""
    return folded.state if event == FOREIGN and isinstance(folded, Refused) else fold.candidate(folded, event)


def candidates_of_broken_logs() -> Counts:
    """The same of an answer that looks at no log for a foreign event."""
    return on_all(lambda *case: _candidate(_of_a_broken_log, *case), *[EVENTS] * 3, BOUNDARIES)


# --- step by step ---


def _prefixes(folding: Callable[[Sequence[Json]], Folded], *events: Json) -> str:
    """Hold what is refused to be refused at the same event however the log goes on."""
    found = [folding(events[:length]) for length in range(len(events) + 1)]
    for former, latter in pairwise(found):
        if not isinstance(former, State) and latter != former:
            raise Counterexample(f"the prefixes of {events} come to {found}")
    return _kind(found[-1])


def a_log_that_folds_folds_in_each_of_its_prefixes() -> Counts:
    """The law's fold of four events and of each of their beginnings."""
    return on_all(lambda *events: _prefixes(_folded, *events), *[EVENTS] * 4)


def _past_the_fault(events: Sequence[Json]) -> Folded:
    """Pass over an event that is none where another follows it."""
    return _folded([*(event for event in events[:-1] if event is not None), *events[-1:]])


def events_that_are_none_are_passed_over() -> Counts:
    """The same of a fold that passes over what is no object."""
    return on_all(lambda *events: _prefixes(_past_the_fault, *events), *[EVENTS] * 4)


# --- law and implementation ---

Answering: TypeAlias = Callable[[Sequence[Json], Json], dict[str, Any] | None]


def _by_implementation(events: Sequence[Json], seed: Json) -> dict[str, Any] | None:
    try:
        state = implementation.fold(events, seed)
    except ScheduleError:
        return None
    return {"active": [to_json(record) for record in state.active()], "seen": state.seen()}


def _alike(answering: Answering, *case: Any) -> str:
    *events, seed = case
    law = _folded(events, seed)
    expected = fold.encode_state(law) if isinstance(law, State) else None
    if (found := answering(events, seed)) != expected:
        raise Counterexample(f"from {seed!r} the law makes {expected} of {events}, the other {found}")
    return _kind(law)


def the_implementation_folds_what_the_law_folds() -> Counts:
    """The implementation against the law, to the same state or none."""
    return on_all(lambda *case: _alike(_by_implementation, *case), *[EVENTS] * 3, BOUNDARIES)


def _what_it_can(events: Sequence[Json], seed: Json) -> dict[str, Any] | None:
    """Pass over an event that is no object where it comes first."""
    return _by_implementation([FOREIGN, *events[1:]] if events[0] is None else events, seed)


def what_can_be_folded_is_folded() -> Counts:
    """The same of an implementation that passes over what is no object."""
    return on_all(lambda *case: _alike(_what_it_can, *case), *[EVENTS] * 3, BOUNDARIES)
