"""Strategies for logs: valid ones grown event by event under the law, then spoilt in one place, or forked."""

from functools import cache
from typing import Any

from hypothesis import strategies as st

from schedule_conformance.generators.near_times import ENDS, SHELLS
from schedule_conformance.generators.values import (
    TAKEN_IDS,
    Object,
    edited,
    hostile_changes,
    intervals,
    json_values,
    moments,
    near_changes,
    stored_texts,
)
from schedule_spec import fold
from schedule_spec.fold import State
from schedule_spec.instants import EARLIEST, LATEST, render
from schedule_spec.records import Every, Record

IDS = ("a", "b", "c", "schedule-1", "constructor", "__proto__")
"""Few ids, so that reuse and adoption are frequent."""


def event(change: Any) -> Object:
    """Return a schedule event that carries a change."""
    return {"type": "schedule/change", "data": change}


def creation(record: Object) -> Object:
    """Return the event that creates a record."""
    return event({"version": 1, "operation": "create", "schedule": record})


def deletion(record_id: str) -> Object:
    """Return the event that deletes a record."""
    return event({"version": 1, "operation": "delete", "id": record_id})


def dispatch(record_id: str, accepted: int | None = None) -> Object:
    """Return the event that dispatches a record, an every at a decision time in ms."""
    change: Object = {"version": 1, "operation": "dispatch", "id": record_id}
    return event(change if accepted is None else {**change, "acceptedAt": render(accepted)})


_KINDS = st.sampled_from(("every", "after", "at"))
_DELAYS = st.sampled_from((1, 60, 86_400))
_INTERVALS = st.one_of(st.sampled_from((300, 301, 86_400)), intervals())
_TARGETS = st.one_of(
    moments(),
    st.integers(LATEST - 700_000, LATEST),
    st.sampled_from((1_893_456_000_000, 1_893_456_000_000, 0, -300_000, -1, LATEST)),
)


@cache
@st.composite
def new_records(draw: st.DrawFn, record_ids: tuple[str, ...] = IDS) -> Object:
    """Valid records under a few ids, every records often so late that a dispatch ends them."""
    record: Object = {"id": draw(st.sampled_from(record_ids)), "kind": draw(_KINDS)}
    record["prompt"] = draw(stored_texts(False))
    if record["kind"] == "after":
        record["afterSeconds"] = draw(_DELAYS)
    if record["kind"] == "every":
        record["everySeconds"] = draw(_INTERVALS)
    return {**record, "scheduledAt": render(draw(_TARGETS))}


_NEARBY = st.sampled_from(("at", "at", "at", "before", "after", "next", "last"))


def draw_decision_time(draw: st.DrawFn, target: int, interval_ms: int) -> int:
    """Draw a decision time in range for an every: at, before or after an aligned instant, near or far."""
    most = max(0, (LATEST - target) // interval_ms)
    missed = draw(st.integers(0, min(3, most)) | st.integers(0, most))
    aligned = target + missed * interval_ms
    offsets = {"at": 0, "before": -1, "after": 1, "next": interval_ms - 1, "last": LATEST - aligned}
    return min(max(aligned + offsets[draw(_NEARBY)], EARLIEST), LATEST)


_TYPE = "schedule/change"
_JOINTS = (
    *(".", "//", "_", "-", " ", "", ":", "::", "\\", "|", "/./"),
    *("\uff0f", "\u2044", "\u2215", "%2F", "&#47;"),
)
_TAILS = (
    *("/v2", "/1", "@1", "#1", "?x", "?v=1", ";v=1", ".v1"),
    *("+json", ":create", "/create", "/", "s", "d", "*"),
)
_HEADS = ("/", "x/", "/app/", "urn:", "urn:schedule:", "app.", "events:", "schedule/", "re", "*/", "un")

_LOOK_ALIKES: tuple[Any, ...] = (
    *(_TYPE.replace("/", joint) for joint in _JOINTS),
    *(_TYPE + tail for tail in _TAILS),
    *(head + _TYPE for head in _HEADS),
    *(end + _TYPE for end in ENDS),
    *(_TYPE + end for end in ENDS),
    *(f"{before}{_TYPE}{behind}" for before, behind in SHELLS),
    *("SCHEDULE/CHANGE", "Schedule/Change", "scheduleChange", "schedule/Change", "schedul\u0435/change"),
    *("change/schedule", "schedule", "change", "schedule/", "/change", "schedule/chang", "*"),
    *(1, True, False, 0, [], ["schedule/change"], {"type": "schedule/change"}, {}),
)
"""Types that look like the one or hold it, and what is no type at all."""

_ODD_TYPES: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(("message", "Schedule/change", "schedule/changed", "schedule/change ", "", None, 1, [])),
    st.sampled_from(_LOOK_ALIKES),
)


def _deep(depth: int) -> Any:
    value: Any = "x" * depth
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return value


_FOREIGN_DATA = (
    _deep(20),
    _deep(70),
    _deep(150),
    [2**53, 2**64, -(2**63) - 1, 10**40, 1e308, -0.0],
    "x" * 9_000,
)
"""What other events may hold and no change: deep nesting, numbers beyond a double, a long text."""


@cache
def foreign_events() -> st.SearchStrategy[Object]:
    """Events that are none of Schedule's."""
    junk = st.one_of(
        st.just({"version": 9}),
        st.just({"version": 1, "operation": "create", "schedule": {"id": "a"}}),
        st.just({"version": 1, "operation": "delete", "id": "a"}),
        st.just({"version": 1, "operation": "create", "schedule": _PLAIN_RECORD}),
        st.sampled_from(_FOREIGN_DATA),
    )
    return st.one_of(
        st.fixed_dictionaries({"type": _ODD_TYPES, "data": junk}),
        st.fixed_dictionaries({"type": _ODD_TYPES}),
        st.fixed_dictionaries({"data": junk}),
        st.just({}),
    )


_PLAIN_RECORD = {"id": "a", "kind": "at", "prompt": "p", "scheduledAt": "2030-01-01T00:00:00.000Z"}


_ENDING = st.sampled_from(("dispatch", "dispatch", "delete"))


def draw_follow_up(draw: st.DrawFn, record: Record) -> Object:
    """Draw an event that may follow for an active record: its dispatch, seldom its deletion."""
    if draw(_ENDING) == "delete":
        return deletion(record.id)
    if isinstance(record, Every):
        accepted = draw_decision_time(draw, record.scheduled_at, record.interval)
        return dispatch(record.id, max(accepted, record.scheduled_at))
    return dispatch(record.id)


@st.composite
def follow_ups(draw: st.DrawFn, state: State) -> Object:
    """Events that may follow for one of a state's active records."""
    return draw_follow_up(draw, draw(st.sampled_from(state.active)))


@st.composite
def next_events(draw: st.DrawFn, state: State) -> Object:
    """Events that the law accepts in a state."""
    return _draw_next(draw, state)


_SELDOM_TAKEN: st.SearchStrategy[str | None] = st.sampled_from((*TAKEN_IDS, *[None] * (8 * len(TAKEN_IDS))))


def _draw_next(draw: st.DrawFn, state: State) -> Object:
    fresh = tuple(record_id for record_id in IDS if record_id not in state.seen)
    moves = ["foreign", *(["create"] * 3 if fresh else []), *(["change"] * 4 if state.active else [])]
    match draw(st.sampled_from(moves)):
        case "create":
            record, taken = draw(new_records(fresh)), draw(_SELDOM_TAKEN)
            return creation(record if taken is None or taken in state.seen else {**record, "id": taken})
        case "change":
            return draw_follow_up(draw, draw(st.sampled_from(state.active)))
        case _:
            return draw(foreign_events())


@cache
@st.composite
def sound_logs(draw: st.DrawFn, longest: int = 8) -> list[Any]:
    """Logs that fold."""
    return _draw_events(draw, fold.EMPTY, draw(st.integers(0, longest)))


@st.composite
def continuations(draw: st.DrawFn, state: State) -> list[Any]:
    """Several events that may follow one after the other in a state."""
    return _draw_events(draw, state, draw(st.integers(3, 6)))


def _draw_events(draw: st.DrawFn, state: State, count: int) -> list[Any]:
    events = []
    for _ in range(count):
        following = _draw_next(draw, state)
        after = fold.step(state, following)
        if isinstance(after, State):
            state = after
            events.append(following)
    return events


@st.composite
def bad_events(draw: st.DrawFn, state: State) -> Any:
    """Events most of which the law refuses in a state; each refusal of fold and decoder has its turn."""
    return _draw_bad(draw, state)


def _reused(draw: st.DrawFn, state: State) -> Any:
    return creation(draw(new_records(state.seen or IDS)))


def _inactive(draw: st.DrawFn, state: State) -> Any:
    record_id, accepted = draw(st.sampled_from((*state.seen, *IDS, "size", "$ref", "NaN"))), draw(moments())
    return draw(st.sampled_from((deletion(record_id), dispatch(record_id), dispatch(record_id, accepted))))


def _malformed(draw: st.DrawFn, _: State) -> Any:
    return event(draw(st.one_of(near_changes(), near_changes(), hostile_changes())))


def _no_data(draw: st.DrawFn, _: State) -> Any:
    return event(draw(_NO_DATA))


def _misplaced(draw: st.DrawFn, state: State) -> Any:
    """A change that would be sound, beside the type or under another name than data."""
    sound = _draw_next(draw, state)
    if sound.get("type") != _TYPE:
        sound = creation({**_PLAIN_RECORD, "id": "misplaced"})
    place = draw(_OTHER_PLACES)
    return {"type": _TYPE, **(sound["data"] if place is None else {place: sound["data"]})}


def _no_event(draw: st.DrawFn, _: State) -> Any:
    return draw(_NO_EVENTS)


def _every_by_id(draw: st.DrawFn, state: State) -> Any:
    return dispatch(draw(st.sampled_from(_everys(state))).id)


def _every_early(draw: st.DrawFn, state: State) -> Any:
    record = draw(st.sampled_from(_everys(state)))
    return dispatch(record.id, max(EARLIEST, record.scheduled_at - draw(_HEAD_STARTS)))


def _one_shot_with_time(draw: st.DrawFn, state: State) -> Any:
    one_shots = [record for record in state.active if not isinstance(record, Every)]
    record = draw(st.sampled_from(one_shots))
    return dispatch(record.id, record.scheduled_at)


def _everys(state: State) -> list[Every]:
    return [record for record in state.active if isinstance(record, Every)]


_HEAD_STARTS = st.sampled_from((1, 1000, 10**12))

_NO_EVENTS: st.SearchStrategy[Any] = st.sampled_from(
    (
        *(None, 1, True, "schedule/change", [], ["schedule/change"], {"type": "schedule/change"}),
        *(False, 0, 0.0, "", "{}", "null", [{}], [None]),
    )
)
_NO_DATA: st.SearchStrategy[Any] = st.sampled_from(
    (None, False, 0, 0.0, "", [], {}, True, 1, "x", [{}], "{}")
)
_OTHER_PLACES = st.sampled_from((None, None, "payload", "change", "body", "Data", "data ", "value", ""))


def _draw_bad(draw: st.DrawFn, state: State) -> Any:
    moves = [_reused, _inactive, _malformed, _malformed, _no_event, _no_data, _misplaced]
    if _everys(state):
        moves += [_every_by_id, _every_early]
    if len(_everys(state)) < len(state.active):
        moves.append(_one_shot_with_time)
    return draw(st.sampled_from(moves))(draw, state)


@cache
@st.composite
def spoilt_logs(draw: st.DrawFn) -> list[Any]:
    """Sound logs with one bad event put in, one event repeated, dropped or edited, or two swapped."""
    events = draw(sound_logs(6))
    place = draw(st.integers(0, len(events)))
    move = draw(st.sampled_from(("put", "put", "put", "repeat", "drop", "swap", "edit")))
    if move == "put" or not events:
        after = fold.fold(events[:place])
        state = after if isinstance(after, State) else after.state
        return [*events[:place], _draw_bad(draw, state), *events[place:]]
    place = min(place, len(events) - 1)
    match move:
        case "repeat":
            return [*events, events[place]]
        case "drop":
            return [*events[:place], *events[place + 1 :]]
        case "swap":
            return [*events[:place], *reversed(events[place : place + 2]), *events[place + 2 :]]
        case _:
            return [*events[:place], draw(_edited_events(events[place])), *events[place + 1 :]]


@st.composite
def _edited_events(draw: st.DrawFn, one: Object) -> Object:
    data = one.get("data")
    if isinstance(data, dict) and draw(st.booleans()):
        return {**one, "data": draw(edited(data))}
    return draw(edited(one)) if one else {"type": "schedule/change"}


@cache
def seed_lengths(count: int) -> st.SearchStrategy[Any]:
    """Seed lengths for a log of so many events: every possible one, and impossible ones."""
    whole = st.integers(0, count)
    return st.one_of(
        whole,
        whole.map(float),
        whole.map(lambda n: n + 0.5),
        st.sampled_from((count + 1, -1, 1e300, 2**53)),
        st.sampled_from((None, True, False, "0", [], {}, "", " ", "0x0", [[]], "NaN", {"valueOf": 0})),
        whole.flatmap(_near_positions),
    )


def _near_positions(n: int) -> st.SearchStrategy[Any]:
    """What loose readers of numbers take for a position."""
    return st.sampled_from(
        (
            [n],
            [str(n)],
            [[n]],
            str(n),
            f" {n}",
            f"{n}.0",
            f"+{n}",
            f"0x{n:x}",
            {"length": n},
            n + 2**32,
            n + 1e-9,
        )
    )


_UNREAD: st.SearchStrategy[Any] = st.sampled_from(
    (
        *({}, {"type": None}, {"type": 7}, {"type": []}, {"type": {}}, {"data": 1}, {"type": _TYPE}),
        *map(event, (None, False, 0, "", [], {}, {"version": 2}, {"version": 1})),
        *(None, False, 0, "", [], "schedule/change"),
        creation({**_PLAIN_RECORD, "kind": "cron"}),
        creation({"id": "z", "kind": "calendar"}),
        creation({**_PLAIN_RECORD, "scheduledAt": "2030-01-01"}),
        creation({**_PLAIN_RECORD, "id": ""}),
        deletion("never"),
        dispatch("never"),
    )
)
"""Events that may stand in an inherited prefix since nobody reads them there."""

_INHERITED = st.one_of(
    sound_logs(4),
    spoilt_logs(),
    st.lists(_UNREAD, min_size=1, max_size=3),
    st.lists(json_values(False), max_size=3),
)
_OWN = st.one_of(sound_logs(4), spoilt_logs())
_LOGS = st.one_of(sound_logs(), spoilt_logs())


@cache
@st.composite
def forks(draw: st.DrawFn) -> Object:
    """Forks: an inherited part, sound or not, and an own part that may reuse or adopt what the parent had."""
    prefix, own = draw(_INHERITED), draw(_OWN)
    inherited = fold.fold(prefix)
    if isinstance(inherited, State) and inherited.active and draw(st.booleans()):
        adopted = draw_follow_up(draw, draw(st.sampled_from(inherited.active)))
        place = draw(st.integers(0, len(own)))
        own = [*own[:place], adopted, *own[place:]]
    return {"cmd": "fold", "events": [*prefix, *own], "seedLength": len(prefix)}


_MANY = st.sampled_from((6, 12, 33, 40, 70, 130))


@cache
@st.composite
def crowded_logs(draw: st.DrawFn) -> list[Any]:
    """Logs with many records, some of which end at once; at times the first id is used again."""
    ids = [f"id-{place * 37 % 211}" for place in range(draw(_MANY))]
    ending, reuse = draw(st.sampled_from((0, 1, 3))), draw(st.booleans())
    events: list[Any] = []
    for place, record_id in enumerate(ids):
        events.append(creation({**_PLAIN_RECORD, "id": record_id}))
        if ending and place % ending == 0:
            events.append((deletion if place % 2 else dispatch)(record_id))
    return [*events, creation({**_PLAIN_RECORD, "id": ids[0]})] if reuse else events


_LOGS_OF_ANY_LENGTH = st.one_of(_LOGS, _LOGS, _LOGS, _LOGS, crowded_logs())


@cache
@st.composite
def folds(draw: st.DrawFn) -> Object:
    """`fold` requests of every sort."""
    if draw(st.integers(0, 2)) == 0:
        return draw(forks())
    events = draw(_LOGS_OF_ANY_LENGTH)
    request: Object = {"cmd": "fold", "events": events}
    return request if draw(st.booleans()) else {**request, "seedLength": draw(seed_lengths(len(events)))}
