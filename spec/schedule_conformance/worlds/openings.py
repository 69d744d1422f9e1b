"""How worlds begin: a log, an agent, a clock, and what foreign writers may add later."""

from collections.abc import Sequence
from typing import Any

from schedule_conformance.worlds.arguments import INTERVALS, Surroundings, prompt
from schedule_conformance.worlds.sources import Source, one_in, pick, weighed
from schedule_spec import changes
from schedule_spec.changes import Change, Create, Delete, DispatchEvery, DispatchOneShot
from schedule_spec.fold import EVENT_TYPE, State
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.profiles import Profile
from schedule_spec.records import After, At, Every, Record
from schedule_spec.text import trim

Event = Any

NOON = 1_785_931_200_000
"""2026-08-05T12:00:00.000Z, where most worlds begin."""
BEGINNINGS = (NOON, NOON, NOON, NOON + 1, NOON + 250, 0, -1000, LATEST - 700_000, LATEST - 700_000, EARLIEST)
TARGETS = (-3_000_000_000, -900_000, -1, 0, 1, 1000, 60_000, 60_000, 300_000, 600_000, 3_000_000_000)
"""Where targets lie, in ms about the clock; the last is further off than a timer of 2^31-1 ms holds."""
FIRST_IDS = ("a", "\u00e9", "b  c", "d")
FOREIGN_IDS = ("f1", "f2", "r3", "schedule-3", 'q"\\', "f\u2028g", "7")

UNSOUND: tuple[Event, ...] = (
    {"version": 2, "operation": "delete", "id": "a"},
    {"version": 1, "operation": "delete", "id": "never"},
    {"version": 1, "operation": "dispatch", "id": "never"},
    {"version": 1, "operation": "cancel", "id": "a"},
    {"version": 1, "operation": "delete", "id": "a", "why": "x"},
    {"version": 1, "operation": "create", "schedule": {"id": "z", "kind": "cron", "prompt": "x"}},
    {"version": "1", "operation": "delete", "id": "a"},
    {"version": 1, "operation": "delete"},
    {"version": 1, "operation": "dispatch", "id": "a", "acceptedAt": None},
    "delete a",
    None,
    {},
    0,
    False,
)
"""Data of events that no log may hold."""

OTHER_EVENTS: tuple[Event, ...] = (
    {"type": "note", "data": {"version": 1, "operation": "delete", "id": "a"}},
    {"type": "agent/inbox/spliced", "data": None},
    {"type": "schedule/changes", "data": {}},
)
"""Events that Schedule passes over."""


def event(change: Change) -> Event:
    """Return the event that a change is in a log."""
    return {"type": EVENT_TYPE, "data": changes.encode(change)}


def record(source: Source, id: str, about: Surroundings, profile: Profile) -> Record:
    """Return a record with a target about the clock."""
    target = min(max(about.clock + pick(source, TARGETS), EARLIEST), LATEST)
    text = trim(prompt(source, about))
    match source.whole(0, 3) if profile is Profile.V1 else 0:
        case 0:
            return After(id, text, pick(source, (1, 60, 900)), target)
        case 1:
            return At(id, text, target)
        case _:
            return Every(id, text, pick(source, INTERVALS), target)


def log(source: Source, about: Surroundings, profile: Profile) -> list[Event]:
    """Return a sound log of a few events."""
    events: list[Event] = []
    if profile is Profile.V1 and one_in(source, 6):
        return [event(Create(each)) for each in _together(source, about)]
    for id in FIRST_IDS[: source.whole(0, 4)]:
        if one_in(source, 6):
            events.append(pick(source, OTHER_EVENTS))
        events.append(event(Create(record(source, id, about, profile))))
        if one_in(source, 8):
            events.append(event(Delete(id)))
    return events


def _together(source: Source, about: Surroundings) -> list[Record]:
    """Return everys that come due in one batch."""
    target = min(max(about.clock + pick(source, TARGETS), EARLIEST), LATEST)
    texts = [trim(prompt(source, about)) for _ in FIRST_IDS[: source.whole(2, 4)]]
    return [
        Every(id, text, pick(source, INTERVALS), target) for id, text in zip(FIRST_IDS, texts, strict=False)
    ]


def opening(
    source: Source, name: str, profile: Profile, surrogates: bool, clock: int | None = None
) -> dict[str, Any]:
    """Return an `open`; with a clock, that of a world that is there already."""
    now = pick(source, BEGINNINGS) if clock is None else clock
    about = Surroundings(now, surrogates=surrogates)
    events = log(source, about, profile)
    request: dict[str, Any] = {"cmd": "open", "session": name, "now": now, "events": events}
    request |= weighed(source, _AGENTS)
    if one_in(source, 3):
        request["turns"] = "hold"
    if one_in(source, 8):
        request["busy"] = True
    match source.whole(0, 19):
        case 0:
            events.insert(source.whole(0, len(events)), unsound(source))
        case 1:
            request["seedLength"] = pick(source, (-1, len(events) + 1, 0.5, "0", None))
        case 2 | 3:
            inherited = [*log(source, about, profile), unsound(source)]
            request |= {"events": [*inherited, *events], "seedLength": len(inherited)}
    return request


_AGENTS: Sequence[tuple[int, dict[str, Any]]] = (
    (20, {}),
    (1, {"agent": "child"}),
    (1, {"agent": "existing"}),
    (1, {"persistence": False}),
)


def unsound(source: Source) -> Event:
    """Return an event that no log may hold."""
    return {"type": EVENT_TYPE, "data": pick(source, UNSOUND)}


def foreign(source: Source, state: State, about: Surroundings, profile: Profile) -> Event:
    """Return what a foreign writer may append: rightly, wrongly, or beside Schedule."""
    match source.whole(0, 9):
        case 0:
            return pick(source, OTHER_EVENTS)
        case 1:
            return unsound(source)
        case 2:
            return pick(source, (5, "text", None, {}, []))
        case 3 | 4 if state.active:
            return event(Delete(pick(source, state.active).id))
        case 5 | 6 if state.active:
            return event(_dispatch(source, pick(source, state.active), about))
        case _:
            return event(Create(record(source, pick(source, FOREIGN_IDS), about, profile)))


def _dispatch(source: Source, record: Record, about: Surroundings) -> Change:
    """Return a dispatch of a record; once in a while of the wrong shape, or early."""
    if isinstance(record, Every) != one_in(source, 8):
        accepted = record.scheduled_at + pick(source, (-1, 0, 1, 86_400_000))
        return DispatchEvery(record.id, min(max(accepted, EARLIEST), LATEST))
    return DispatchOneShot(record.id)
