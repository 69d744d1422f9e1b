"""Saboteurs of fold.*, fork.* and of what rate.* says of logs: how events become a state."""

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from tests.saboteurs.model import Handler
from tests.saboteurs.pure.lenient import unquoted
from tests.saboteurs.pure.ways import (
    Object,
    answering,
    applying,
    correct,
    ended,
    every_of,
    folding,
    is_schedule_event,
    refused,
    refusing,
    retargeted,
    sabotage,
)

from schedule_spec import changes, fold
from schedule_spec.changes import Change, Create, Delete, DispatchEvery, DispatchOneShot
from schedule_spec.fold import State
from schedule_spec.instants import LATEST
from schedule_spec.records import At, Every, Record
from schedule_spec.rejections import Rejection, corrupt
from schedule_spec.text import trim

LOST = corrupt("change.strict", "Refused by a saboteur.")
"""A rejection of which only that it is one is shown."""

# --- which events are read


def on_type(alter: Any) -> Handler:
    """Read events by an altered type."""

    def step(state: State, event: Any) -> State | Rejection:
        if isinstance(event, dict) and isinstance(event.get("type"), str):
            return fold.step(state, {**event, "type": alter(event["type"])})
        return fold.step(state, event)

    return folding(step)


def _reads_what_looks_like_a_change(state: State, event: Any) -> State | Rejection:
    looks = isinstance(event, dict) and not isinstance(changes.decode(event.get("data")), Rejection)
    return fold.step(state, {**event, "type": "schedule/change"} if looks else event)


def _begins_anew_at_end_seed(state: State, event: Any) -> State | Rejection:
    ends = isinstance(event, dict) and event.get("type") == "session/end-seed"
    return fold.EMPTY if ends else fold.step(state, event)


def _refuses_other_types(state: State, event: Any) -> State | Rejection:
    other = isinstance(event, dict) and isinstance(event.get("type"), str)
    return LOST if other and event["type"] != "schedule/change" else fold.step(state, event)


def _refuses_events_without_type(state: State, event: Any) -> State | Rejection:
    return (
        LOST
        if isinstance(event, dict) and not isinstance(event.get("type"), str)
        else fold.step(state, event)
    )


def _refuses_foreign_members(state: State, event: Any) -> State | Rejection:
    known = {"type", "data", "seq", "time"}
    return LOST if is_schedule_event(event) and not event.keys() <= known else fold.step(state, event)


def _skips_what_is_no_object(state: State, event: Any) -> State | Rejection:
    return state if not isinstance(event, dict) else fold.step(state, event)


def _skips_null(state: State, event: Any) -> State | Rejection:
    return state if event is None else fold.step(state, event)


# --- what is corrupt


def _skips_what_is_corrupt(state: State, event: Any) -> State | Rejection:
    following = fold.step(state, event)
    return state if isinstance(following, Rejection) else following


def _skips_what_does_not_decode(state: State, event: Any) -> State | Rejection:
    bad = is_schedule_event(event) and isinstance(changes.decode(event.get("data")), Rejection)
    return state if bad else fold.step(state, event)


def stops_before_what_is_corrupt(request: Object) -> Object:
    """Answer with the state before the first corrupt event."""
    if request["cmd"] != "fold":
        return correct(request)
    folded = fold.fold(request["events"], request.get("seedLength", 0))
    if isinstance(folded, State) or folded.position < 0:
        return correct(request)
    return correct({**request, "events": request["events"][: folded.position]})


def passes_over_a_corrupt_last_event(request: Object) -> Object:
    """Take a corrupt last event for a torn one."""
    reply = correct(request)
    if request["cmd"] != "fold" or "rejected" not in reply or not request["events"]:
        return reply
    shorter = correct({**request, "events": request["events"][:-1]})
    return shorter if "result" in shorter else reply


# --- creates and ends


def _ignores_inactive(state: State, change: Change) -> State | None:
    return state if not isinstance(change, Create) and not fold.find(state, change.id) else None


def _deletes_twice(state: State, change: Change) -> State | None:
    gone = isinstance(change, Delete) and change.id in state.seen and not fold.find(state, change.id)
    return state if gone else None


def _dispatches_twice(state: State, change: Change) -> State | None:
    late = isinstance(change, DispatchOneShot | DispatchEvery) and not fold.find(state, change.id)
    return state if late and not isinstance(change, Create) and change.id in state.seen else None


def _deletes_what_never_was(state: State, change: Change) -> State | None:
    return state if isinstance(change, Delete) and change.id not in state.seen else None


def _deletes_all(state: State, change: Change) -> State | None:
    named = isinstance(change, Delete) and fold.find(state, change.id)
    return State((), state.seen) if named else None


def _deletes_nothing(state: State, change: Change) -> State | None:
    return state if isinstance(change, Delete) and fold.find(state, change.id) else None


def _deletes_the_first(state: State, change: Change) -> State | None:
    named = isinstance(change, Delete) and fold.find(state, change.id)
    return State(state.active[1:], state.seen) if named else None


def _deletes_no_every(state: State, change: Change) -> Rejection | None:
    named = isinstance(change, Delete) and isinstance(fold.find(state, change.id), Every)
    return LOST if named else None


def _one_shot(state: State, change: Change) -> Record | None:
    found = fold.find(state, change.id) if isinstance(change, DispatchOneShot) else None
    return found if found is not None and not isinstance(found, Every) else None


def _dispatches_nothing(state: State, change: Change) -> State | None:
    return state if _one_shot(state, change) else None


def _dispatches_the_oldest(state: State, change: Change) -> State | None:
    shots = [record for record in state.active if not isinstance(record, Every)]
    return ended(state, shots[0].id) if _one_shot(state, change) else None


def _dispatches_the_earliest(state: State, change: Change) -> State | None:
    shots = [record for record in state.active if not isinstance(record, Every)]
    if not _one_shot(state, change):
        return None
    return ended(state, min(shots, key=lambda record: record.scheduled_at).id)


def _dispatches_no_at(state: State, change: Change) -> Rejection | None:
    return LOST if isinstance(_one_shot(state, change), At) else None


def _ends_every_by_id(state: State, change: Change) -> State | None:
    named = isinstance(change, DispatchOneShot) and isinstance(fold.find(state, change.id), Every)
    return ended(state, change.id) if named and not isinstance(change, Create) else None


def _ends_one_shot_with_time(state: State, change: Change) -> State | None:
    found = fold.find(state, change.id) if isinstance(change, DispatchEvery) else None
    return ended(state, found.id) if found and not isinstance(found, Every) else None


def _ends_dispatched_everys(state: State, change: Change) -> State | None:
    record = every_of(state, change)
    return ended(state, record.id) if record else None


def _keeps_dispatched_everys(state: State, change: Change) -> State | None:
    return state if every_of(state, change) else None


# --- order and independence


def _moves_to_the_end(state: State, change: Change) -> State | None:
    record, after = every_of(state, change), fold.apply(state, change)
    moved = fold.find(after, record.id) if record and isinstance(after, State) else None
    if moved is None or not isinstance(after, State):
        return None
    return State((*ended(after, moved.id).active, moved), after.seen)


def _moves_all(state: State, change: Change) -> State | None:
    record, after = every_of(state, change), fold.apply(state, change)
    if record is None or not isinstance(after, State):
        return None
    for other in after.active:
        if (
            isinstance(other, Every)
            and other.id != record.id
            and other.scheduled_at + other.interval <= LATEST
        ):
            after = retargeted(after, other, other.scheduled_at + other.interval)
    return after


def _cools_all(state: State, change: Change) -> State | None:
    """Let no other every come due within five minutes of a dispatch."""
    record, after = every_of(state, change), fold.apply(state, change)
    if record is None or not isinstance(after, State) or not isinstance(change, DispatchEvery):
        return None
    until = min(change.accepted_at + 300_000, LATEST)
    for other in after.active:
        if isinstance(other, Every) and other.id != record.id and other.scheduled_at < until:
            after = retargeted(after, other, until)
    return after


def listing(order: Any) -> Handler:
    """List the active records in another order."""
    return answering("fold", lambda _, result: {**result, "active": order(result["active"])})


def _numbers_first(active: list[Object]) -> list[Object]:
    """Return records as an object of ECMAScript lists its keys: indices first, ascending."""
    indices = [
        record for record in active if record["id"].isdecimal() and str(int(record["id"])) == record["id"]
    ]
    ascending = sorted(indices, key=lambda record: int(record["id"]))
    return [*ascending, *(record for record in active if record not in indices)]


def _seen(alter: Any) -> Handler:
    return answering("fold", lambda _, result: {**result, "seen": alter(result)})


# --- forks


def clamped(events: list[Any], seed_length: Any) -> Any:
    """Begin at the log's end where the boundary lies beyond it."""
    beyond = isinstance(seed_length, int) and seed_length > len(events)
    return len(events) if beyond else seed_length


def counted_from_the_end(events: list[Any], seed_length: Any) -> Any:
    """Count a negative boundary from the end, as slices do."""
    negative = type(seed_length) is int and -len(events) <= seed_length < 0
    return len(events) + seed_length if negative else seed_length


def without_fraction(_: list[Any], seed_length: Any) -> Any:
    """Cut a boundary's fraction off."""
    return int(seed_length) if isinstance(seed_length, float) and 0 <= seed_length < 1e9 else seed_length


def read_loosely(_: list[Any], seed_length: Any) -> Any:
    """Take true for 1 and a text of digits for a number."""
    if isinstance(seed_length, bool):
        return int(seed_length)
    return int(seed_length) if isinstance(seed_length, str) and seed_length.isdecimal() else seed_length


def absent_where_null(_: list[Any], seed_length: Any) -> Any:
    """Take null for an absent boundary."""
    return 0 if seed_length is None else seed_length


def beside(step: int) -> Any:
    """Begin an event beside the boundary, within the log."""
    return lambda events, seed_length: (
        min(max(seed_length + step, 0), len(events))
        if type(seed_length) is int and 0 < seed_length <= len(events)
        else seed_length
    )


def counted_in_changes(events: list[Any], seed_length: Any) -> Any:
    """Count the boundary in schedule events alone."""
    if type(seed_length) is not int or not 0 < seed_length <= len(events):
        return seed_length
    positions = [position for position, event in enumerate(events) if is_schedule_event(event)]
    return positions[seed_length - 1] + 1 if len(positions) >= seed_length else len(events)


def where_sound(begin: Any) -> Any:
    """Begin elsewhere only where the own part folds, so that nothing corrupt is passed over."""
    return lambda events, seed_length: (
        begin(events, seed_length) if isinstance(fold.fold(events, seed_length), State) else seed_length
    )


def inherited(request: Object) -> list[Any]:
    """Return the inherited events of a fold whose boundary is one."""
    begin = request.get("seedLength", 0)
    return request["events"][:begin] if type(begin) is int and 0 <= begin <= len(request["events"]) else []


def decodes_inherited(request: Object) -> bool:
    """Tell whether an inherited change does not decode."""
    return any(
        isinstance(changes.decode(event.get("data")), Rejection)
        for event in inherited(request)
        if is_schedule_event(event)
    )


def folds_inherited(request: Object) -> bool:
    """Tell whether the inherited part does not fold."""
    return not isinstance(fold.fold(inherited(request)), State)


def checks_inherited(request: Object) -> bool:
    """Tell whether something inherited is no object."""
    return any(not isinstance(event, dict) for event in inherited(request))


def adopting(named: type[Change] | tuple[type[Change], ...]) -> Handler:
    """Pass over what a child does to reminders of its parent alone."""

    def handle(request: Object) -> Object:
        if request["cmd"] != "fold":
            return correct(request)
        folded = fold.fold(request["events"], request.get("seedLength", 0))
        if isinstance(folded, State) or folded.rejection.clause != "fork.no-adoption":
            return correct(request)
        if not isinstance(changes.decode(request["events"][folded.position].get("data")), named):
            return refused(request)
        kept = [event for position, event in enumerate(request["events"]) if position != folded.position]
        return handle({**request, "events": kept})

    return handle


def lists_the_parents(request: Object) -> Object:
    """Go on with the parent's active reminders."""
    reply, begin = correct(request), inherited(request) if request["cmd"] == "fold" else []
    parent = fold.fold(begin)
    if "result" not in reply or not begin or not isinstance(parent, State):
        return reply
    adopted = fold.encode_state(parent)["active"]
    result = reply["result"]
    return {**reply, "result": {**result, "active": [*_list(adopted), *result["active"]]}}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


# --- long logs, and what other events hold


def showing_prompts(alter: Callable[[str], str]) -> Handler:
    """Show the prompts of active records altered."""
    return answering(
        "fold",
        lambda _, result: {
            **result,
            "active": [{**record, "prompt": alter(record["prompt"])} for record in result["active"]],
        },
    )


def _few(count: int) -> Callable[[State, Change], State | Rejection | None]:
    def apply(state: State, change: Change) -> State | Rejection | None:
        return LOST if isinstance(change, Create) and len(state.active) >= count else None

    return apply


def _with_a_short_memory(state: State, change: Change) -> State | None:
    """Remember the last hundred ids alone."""
    if not isinstance(change, Create) or change.schedule.id not in state.seen[:-100]:
        return None
    if fold.find(state, change.schedule.id) is not None:
        return None
    return State((*state.active, change.schedule), state.seen)


def _recent_events(request: Object) -> Object:
    """Read the last hundred events, where the log still folds so."""
    if request["cmd"] != "fold" or "seedLength" in request or len(request["events"]) <= 100:
        return correct(request)
    shorter = correct({**request, "events": request["events"][-100:]})
    return shorter if "result" in shorter else correct(request)


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)


def _holds(value: Any, odd: Callable[[Any], bool]) -> bool:
    inner = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ()
    return odd(value) or any(_holds(each, odd) for each in inner)


def refusing_foreign(is_bad: Callable[[Any], bool]) -> Handler:
    """Refuse logs for what events of other types hold."""

    def step(state: State, event: Any) -> State | Rejection:
        foreign = isinstance(event, dict) and not is_schedule_event(event)
        return LOST if foreign and is_bad(event) else fold.step(state, event)

    return folding(step)


def _beyond_64_bits(value: Any) -> bool:
    return type(value) is int and not -(2**63) <= value < 2**63


def _unpaired(value: Any) -> bool:
    return isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value)


def _out_of_sequence(request: Object) -> bool:
    """Whether the seq beside an event goes back."""
    numbers = [event.get("seq") for event in request["events"] if isinstance(event, dict)]
    whole = [number for number in numbers if type(number) is int]
    return whole != sorted(whole)


def _alike(name: str) -> str:
    """Join the words of a type's name by a solidus, whatever they were joined by."""
    return re.sub(r"[./:_ \-\uff0f\u2044]+|%2F|&#47;", "/", name)


def _without_version(name: str) -> str:
    """Cut off a version, a query or a fragment."""
    return re.sub(r"(?:[/@#.]v?\d+|[?#;].*)$", "", name, flags=re.ASCII)


def _enclosed(name: str) -> str:
    """Find the type within a path or a name of several parts."""
    return re.split("[:]|(?<=p)/|(?<=x)/", name)[-1]


def _skips_falsy_data(state: State, event: Any) -> State | Rejection:
    falsy = is_schedule_event(event) and "data" in event and event["data"] in (None, False, 0, "")
    return state if falsy else fold.step(state, event)


def _skips_falsy_events(state: State, event: Any) -> State | Rejection:
    return fold.step(state, event) if event or isinstance(event, dict) else state


def _reads_beside_data(state: State, event: Any) -> State | Rejection:
    if not is_schedule_event(event) or "data" in event:
        return fold.step(state, event)
    beside = {key: value for key, value in event.items() if key != "type"}
    return fold.step(state, {**event, "data": beside.get("payload", beside.get("change", beside))})


def out_of_a_list(_: list[Any], seed_length: Any) -> Any:
    """Take a list of one number for the number, as ECMAScript's Number does."""
    single = isinstance(seed_length, list) and len(seed_length) == 1 and type(seed_length[0]) is int
    return seed_length[0] if single else seed_length


def inherits_unknown_kinds(request: Object) -> bool:
    """Tell whether an inherited record is of an unknown kind."""
    data = [event.get("data") for event in inherited(request) if is_schedule_event(event)]
    found = [one.get("schedule") for one in data if isinstance(one, dict)]
    return any(isinstance(one, dict) and one.get("kind") not in ("after", "at", "every") for one in found)


def inherits_untyped_events(request: Object) -> bool:
    """Tell whether an inherited event has no type that is a text."""
    events = [event for event in inherited(request) if isinstance(event, dict)]
    return any(not isinstance(event.get("type"), str) for event in events)


def _takes_the_epoch_for_no_time(state: State, change: Change) -> Rejection | None:
    return LOST if isinstance(change, DispatchEvery) and change.accepted_at == 0 else None


SABOTEURS = (
    # fold.authority, fold.event
    sabotage(
        "reads_look_alike_types",
        "fold.authority",
        "Compares the types of events without case and padding.",
        on_type(lambda name: name.strip().lower()),
    ),
    sabotage(
        "reads_types_by_their_beginning",
        "fold.authority",
        "Reads every event whose type begins with schedule/change.",
        on_type(lambda name: "schedule/change" if name.startswith("schedule/change") else name),
    ),
    sabotage(
        "reads_whatever_looks_like_a_change",
        "fold.authority",
        "Tells a change by its data and not by the event's type.",
        folding(_reads_what_looks_like_a_change),
    ),
    sabotage(
        "begins_anew_at_end_seed",
        "fold.authority",
        "Begins the own part at the mark of a seed's end, which a reopened session has too.",
        folding(_begins_anew_at_end_seed),
    ),
    sabotage(
        "refuses_other_types",
        "fold.authority",
        "Refuses types of events that it does not know.",
        folding(_refuses_other_types),
    ),
    sabotage(
        "refuses_foreign_members_of_events",
        "fold.authority",
        "Refuses members of an event beside type, seq, time and data.",
        folding(_refuses_foreign_members),
    ),
    sabotage(
        "refuses_events_without_type",
        "fold.event",
        "Refuses an object without a type, or with one that is no text.",
        folding(_refuses_events_without_type),
    ),
    sabotage(
        "skips_events_that_are_no_objects",
        "fold.event",
        "Passes over an event that is no object.",
        folding(_skips_what_is_no_object),
    ),
    sabotage("skips_null_events", "fold.event", "Passes over an event that is null.", folding(_skips_null)),
    # fold.create, fold.delete, fold.dispatch-*
    sabotage(
        "forgets_ended_ids",
        "fold.create",
        "Gives back the ids of active records for all that were seen.",
        _seen(lambda result: [record["id"] for record in result["active"]]),
    ),
    sabotage(
        "sees_ended_ids_alone",
        "fold.create",
        "Notes an id as seen only when its record ends.",
        _seen(
            lambda result: [
                id for id in result["seen"] if id not in [record["id"] for record in result["active"]]
            ]
        ),
    ),
    sabotage("deletes_all", "fold.delete", "Clears the whole map on a delete.", applying(_deletes_all)),
    sabotage(
        "deletes_nothing",
        "fold.delete",
        "Only marks a deleted record, and goes on listing it.",
        applying(_deletes_nothing),
    ),
    sabotage(
        "deletes_the_first",
        "fold.delete",
        "Removes by a wrong position, so that the first record goes.",
        applying(_deletes_the_first),
    ),
    sabotage(
        "deletes_no_every",
        "fold.delete",
        "Refuses the delete of an every.",
        applying(_deletes_no_every),
    ),
    sabotage(
        "keeps_dispatched_one_shots",
        "fold.dispatch-one-shot",
        "Only notes that a one-shot was delivered, and goes on listing it.",
        applying(_dispatches_nothing),
    ),
    sabotage(
        "dispatches_the_oldest",
        "fold.dispatch-one-shot",
        "Ends the one-shot that was created first, and not the named one.",
        applying(_dispatches_the_oldest),
    ),
    sabotage(
        "dispatches_the_earliest",
        "fold.dispatch-one-shot",
        "Ends the one-shot that was due first, and not the named one.",
        applying(_dispatches_the_earliest),
    ),
    sabotage(
        "dispatches_no_at",
        "fold.dispatch-one-shot",
        "Knows after as the only one-shot.",
        applying(_dispatches_no_at),
    ),
    sabotage(
        "ends_dispatched_everys",
        "fold.dispatch-every",
        "Ends an every with its first dispatch.",
        applying(_ends_dispatched_everys),
    ),
    sabotage(
        "keeps_dispatched_everys",
        "fold.dispatch-every",
        "Leaves the target of a dispatched every where it was.",
        applying(_keeps_dispatched_everys),
    ),
    # fold.shape-match, fold.inactive
    sabotage(
        "ends_every_by_id",
        "fold.shape-match",
        "Ends an every that is dispatched by id alone.",
        applying(_ends_every_by_id),
    ),
    sabotage(
        "ends_one_shot_with_time",
        "fold.shape-match",
        "Ends a one-shot that is dispatched with a time.",
        applying(_ends_one_shot_with_time),
    ),
    sabotage(
        "ignores_what_is_not_active",
        "fold.inactive",
        "Passes over a delete or dispatch of an id that is not active.",
        applying(_ignores_inactive),
    ),
    sabotage(
        "lets_deletes_be_repeated",
        "fold.inactive",
        "Takes the second delete of an id for harmless.",
        applying(_deletes_twice),
    ),
    sabotage(
        "lets_dispatches_be_repeated",
        "fold.inactive",
        "Takes a dispatch of an ended id for a redelivery.",
        applying(_dispatches_twice),
    ),
    sabotage(
        "deletes_what_never_was",
        "fold.inactive",
        "Takes a delete of an id that was never created for harmless.",
        applying(_deletes_what_never_was),
    ),
    # fold.order
    sabotage(
        "moves_advanced_everys_to_the_end",
        "fold.order",
        "Removes an advanced every and inserts it anew.",
        applying(_moves_to_the_end),
    ),
    sabotage(
        "folds_in_order_of_targets",
        "fold.order",
        "Keeps records in a heap by target and lists them so.",
        listing(lambda active: sorted(active, key=lambda record: record["scheduledAt"])),
    ),
    sabotage(
        "lists_by_id",
        "fold.order",
        "Keeps records in a sorted map.",
        listing(lambda active: sorted(active, key=lambda record: record["id"])),
    ),
    sabotage(
        "lists_the_newest_first",
        "fold.order",
        "Lists what was created last first.",
        listing(lambda active: active[::-1]),
    ),
    sabotage(
        "lists_ids_of_digits_first",
        "fold.order",
        "Keeps records as members of an object of ECMAScript, which lists indices first.",
        listing(_numbers_first),
    ),
    # fold.all-or-nothing
    sabotage(
        "skips_what_is_corrupt",
        "fold.all-or-nothing",
        "Passes over corrupt events and folds the rest.",
        folding(_skips_what_is_corrupt),
    ),
    sabotage(
        "skips_what_does_not_decode",
        "fold.all-or-nothing",
        "Passes over changes that do not decode, as later versions might write them.",
        folding(_skips_what_does_not_decode),
    ),
    sabotage(
        "stops_before_what_is_corrupt",
        "fold.all-or-nothing",
        "Gives back the state before the first corrupt event.",
        stops_before_what_is_corrupt,
    ),
    sabotage(
        "passes_over_a_corrupt_last_event",
        "fold.all-or-nothing",
        "Takes a corrupt last event for one that a crash tore.",
        passes_over_a_corrupt_last_event,
    ),
    # rate.independent
    sabotage(
        "advances_every_every",
        "rate.independent",
        "Advances all everys with the dispatch of one.",
        applying(_moves_all),
    ),
    sabotage(
        "shares_a_cooldown",
        "rate.independent",
        "Puts all everys off for five minutes with the dispatch of one.",
        applying(_cools_all),
    ),
    # fork.*
    sabotage(
        "folds_the_parents_part",
        "fork.suffix",
        "Does not know seedLength and folds the whole log.",
        folding(begin=lambda _, __: 0),
    ),
    sabotage(
        "begins_an_event_early",
        "fork.suffix",
        "Begins the own part one event too early.",
        folding(begin=beside(-1)),
    ),
    sabotage(
        "begins_an_event_late",
        "fork.suffix",
        "Begins the own part one event too late.",
        folding(begin=where_sound(beside(1))),
    ),
    sabotage(
        "counts_the_boundary_in_changes",
        "fork.suffix",
        "Counts seedLength in schedule events, not in events.",
        folding(begin=where_sound(counted_in_changes)),
    ),
    sabotage(
        "decodes_the_inherited_part",
        "fork.prefix-unread",
        "Decodes all events before it cuts the inherited ones off.",
        refusing(decodes_inherited, "corrupt_schedule_log", "fold"),
    ),
    sabotage(
        "folds_the_inherited_part",
        "fork.prefix-unread",
        "Folds the parent's log first, to know its ids.",
        refusing(folds_inherited, "corrupt_schedule_log", "fold"),
    ),
    sabotage(
        "checks_inherited_events",
        "fork.prefix-unread",
        "Demands that inherited events are objects.",
        refusing(checks_inherited, "corrupt_schedule_log", "fold"),
    ),
    sabotage(
        "clamps_the_boundary",
        "fork.bounds",
        "Takes a boundary beyond the log for its end, as slices do.",
        folding(begin=clamped),
    ),
    sabotage(
        "counts_the_boundary_from_the_end",
        "fork.bounds",
        "Takes a negative boundary from the end, as slices do.",
        folding(begin=counted_from_the_end),
    ),
    sabotage(
        "cuts_the_boundarys_fraction_off",
        "fork.bounds",
        "Cuts the fraction of a boundary off.",
        folding(begin=without_fraction),
    ),
    sabotage(
        "reads_the_boundary_loosely",
        "fork.bounds",
        "Takes true or a text of digits for a boundary.",
        folding(begin=read_loosely),
    ),
    sabotage(
        "takes_null_for_no_boundary",
        "fork.bounds",
        "Takes seedLength: null for an absent one.",
        folding(begin=absent_where_null),
    ),
    sabotage(
        "refuses_a_boundary_at_the_end",
        "fork.bounds",
        "Demands that a child has an event of its own.",
        refusing(
            lambda request: (
                type(request.get("seedLength")) is int and 0 < request["seedLength"] == len(request["events"])
            ),
            "corrupt_schedule_log",
            "fold",
        ),
    ),
    sabotage(
        "adopts_parents_reminders",
        "fork.no-adoption",
        "Lists the parent's active reminders as the child's own.",
        lists_the_parents,
    ),
    sabotage(
        "lets_children_delete_parents_reminders",
        "fork.no-adoption",
        "Passes over a child's delete of what its parent created.",
        adopting(Delete),
    ),
    sabotage(
        "lets_children_dispatch_parents_reminders",
        "fork.no-adoption",
        "Passes over a child's dispatch of what its parent created.",
        adopting((DispatchOneShot, DispatchEvery)),
    ),
    # long logs, and what other events hold
    sabotage(
        "folds_thirty_two_records",
        "fold.create",
        "Has room for thirty-two active records.",
        applying(_few(32)),
    ),
    sabotage(
        "forgets_ids_beyond_a_hundred",
        "fold.no-id-reuse",
        "Remembers the last hundred ids.",
        applying(_with_a_short_memory),
    ),
    sabotage(
        "reads_the_last_hundred_events",
        "fold.create",
        "Reads the end of a long log.",
        _recent_events,
    ),
    sabotage(
        "shows_prompts_cut_off",
        "fold.create",
        "Keeps 4,096 characters of a prompt.",
        showing_prompts(lambda prompt: trim(prompt[:4096])),
    ),
    sabotage(
        "shows_prompts_normalised",
        "fold.create",
        "Keeps prompts in normal form C.",
        showing_prompts(lambda prompt: unicodedata.normalize("NFC", prompt)),
    ),
    sabotage(
        "refuses_deep_events_of_others",
        "fold.authority",
        "Parses every event by a parser that follows sixty-four levels.",
        refusing_foreign(lambda event: _depth(event) > 64),
    ),
    sabotage(
        "refuses_large_numbers_of_others",
        "fold.authority",
        "Parses every event into integers of 64 bits.",
        refusing_foreign(lambda event: _holds(event, _beyond_64_bits)),
    ),
    sabotage(
        "refuses_unpaired_surrogates_of_others",
        "fold.authority",
        "Parses every event into strings of UTF-8.",
        refusing_foreign(lambda event: _holds(event, _unpaired)),
    ),
    sabotage(
        "minds_the_sequence_of_events",
        "fold.authority",
        "Refuses a log whose sequence numbers go back.",
        refusing(_out_of_sequence, "corrupt_schedule_log", "fold"),
    ),
    # what asks by whether something is true, and what looks nearly like a type
    sabotage(
        "reads_types_however_joined",
        "fold.authority",
        "Normalises the names of types, so that a dot or two solidi join as one does.",
        on_type(_alike),
    ),
    sabotage(
        "passes_over_versions_of_types",
        "fold.authority",
        "Cuts a version or a query off the type, for events to come.",
        on_type(_without_version),
    ),
    sabotage(
        "finds_types_within_names",
        "fold.authority",
        "Looks at the end of a name with a scheme or a path in front.",
        on_type(_enclosed),
    ),
    sabotage(
        "takes_quotes_off_types",
        "fold.authority",
        "Reads the names of types as a text that was encoded twice.",
        on_type(unquoted),
    ),
    sabotage(
        "skips_falsy_data",
        "change.strict",
        "Asks whether an event has data by whether that is true.",
        folding(_skips_falsy_data),
    ),
    sabotage(
        "skips_falsy_events",
        "fold.event",
        "Asks whether there is an event by whether it is true.",
        folding(_skips_falsy_events),
    ),
    sabotage(
        "reads_changes_beside_data",
        "change.strict",
        "Reads a change beside the type or under another name, where an earlier log may have had it.",
        folding(_reads_beside_data),
    ),
    sabotage(
        "takes_a_list_of_one_for_a_boundary",
        "fork.bounds",
        "Makes a number of whatever the boundary is, and Number([1]) is 1.",
        folding(begin=out_of_a_list),
    ),
    sabotage(
        "knows_the_kinds_of_inherited_records",
        "fork.prefix-unread",
        "Looks through all records for kinds that it does not know.",
        refusing(inherits_unknown_kinds, "corrupt_schedule_log", "fold"),
    ),
    sabotage(
        "demands_types_of_inherited_events",
        "fork.prefix-unread",
        "Demands a type of every event before it cuts the inherited ones off.",
        refusing(inherits_untyped_events, "corrupt_schedule_log", "fold"),
    ),
    sabotage(
        "takes_a_decision_at_the_epoch_for_none",
        "fold.dispatch-every",
        "Tells a dispatch in time by whether its time is true, and 0 ms is not.",
        applying(_takes_the_epoch_for_no_time),
    ),
)
