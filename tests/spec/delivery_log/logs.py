"""Short logs written by hand, event by event, and what the judge says of each.

Times are seconds after noon of 2026-08-05 (`NOON`); the event at a place has that place as its position.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from tests.spec.live.traces import BATCH, NOON, REMINDER, at, created, one

from schedule_spec import json_text
from schedule_spec.delivery_log import judge
from schedule_spec.delivery_log.findings import Checked, Fault, Note, NotShown, Suspicion
from schedule_spec.profiles import Profile
from schedule_spec.records import Every, Record

Json = Any
Event: TypeAlias = dict[str, Json]
Told: TypeAlias = tuple[int, object]
"""A position, and what is said there: a kind of finding, a clause, or what a note or a suspicion says."""

SCHEDULE: Json = {"kind": "plugin", "plugin": "schedule"}
USER: Json = {"kind": "user"}
A, B, C = one("a", 60), one("b", 90), one("c", 60)
"""One-shots; C is created last and has the target of A."""
E, F, G = (
    Every(id, id.upper(), 300, NOON + target) for id, target in (("e", 60_000), ("f", 120_000), ("g", 60_000))
)
"""Everys of 300 s; G is created last and has the target of E."""
TURN: Event = {"type": "turn/start", "data": {"turn": 2}}
REOPENED: Event = {"type": "session/end-seed", "data": {}}


def stamped(event: Event, time: float | None) -> Event:
    """The event at a time, None for none."""
    return event if time is None else event | {"time": NOON + round(time * 1000)}


# ---- schedule changes


def create(time: float | None, record: Record) -> Event:
    return stamped(created(record), time)


def change(time: float | None, operation: str, id: str, /, **members: Json) -> Event:
    data = {"version": 1, "operation": operation, "id": id} | members
    return stamped({"type": "schedule/change", "data": data}, time)


def delete(time: float | None, id: str) -> Event:
    return change(time, "delete", id)


def dispatch(time: float | None, id: str, accepted: float | None = None) -> Event:
    """A dispatch, of an every where an acceptance is given."""
    return change(time, "dispatch", id, **({} if accepted is None else {"acceptedAt": at(accepted)}))


# ---- the inbox


def message(text: Json, source: Json = SCHEDULE, **members: Json) -> Json:
    """A message that is queued."""
    return {"content": [{"type": "text", "text": text}], "source": source, "role": "user"} | members


def inbox(time: float | None, *messages: Json, **members: Json) -> Event:
    """A change of the inbox that inserts messages."""
    data = {"target": "next-turn", "inserted": [*messages]} | members
    return stamped({"type": "agent/inbox/spliced", "data": data}, time)


def queue(time: float | None, text: str) -> Event:
    """The follow-up with that text is queued."""
    return inbox(time, message(text))


def reminder(id: str, target: float, prompt: str | None = None) -> str:
    """The framing of a one-shot; its prompt is its id in capitals where none is given."""
    lines = (
        f'schedule_id_json: "{id}"',
        f"occurrence_at: {at(target)}",
        f'reminder_prompt_json: "{id.upper() if prompt is None else prompt}"',
    )
    return REMINDER + "\n".join(lines)


def batch(*occurrences: tuple[str, float]) -> str:
    """The framing of everys, each with its occurrence; their prompts are their ids in capitals."""
    objects = ",".join(
        f'{{"schedule_id":"{id}","occurrence_at":"{at(seconds)}","reminder_prompt":"{id.upper()}"}}'
        for id, seconds in occurrences
    )
    return f"{BATCH}reminders_json: [{objects}]"


# ---- tools


def call(time: float | None, tool: str, arguments: Json, id: str = "1") -> Event:
    """A call of `schedule_` tool begins; its arguments are a value."""
    data = {"callId": id, "name": f"schedule_{tool}", "arguments": arguments}
    return stamped({"type": "tool/call", "data": data}, time)


def say(time: float | None, text: Json, id: str = "1", *, is_error: bool = False, **members: Json) -> Event:
    """A call's result is that text; `members` are further ones of the event's data."""
    result = {"content": [{"type": "text", "text": text}], "isError": is_error}
    answered = {"source": {"kind": "tool", "callId": id}, "content": [result]}
    return stamped({"type": "tool/result", "data": {"message": answered} | members}, time)


def answer(time: float | None, value: Json, id: str = "1") -> Event:
    """A call's result is the text of that value."""
    return say(time, json.dumps(value), id)


# ---- what is said of a log


def findings(active: Sequence[Record], *events: Json, profile: Profile = Profile.V1) -> list[Told]:
    """All that is said of events after which those records are active, up to the first fault or the end."""
    situation = replace(judge.BEGIN, active=tuple(active))
    told: list[Told] = []
    for position, event in enumerate(events):
        situation, found = judge.step(situation, event, position, profile)
        told += [(position, _told(each)) for each in found]
        if any(isinstance(each, Fault) for each in found):
            return told
    return [*told, *((len(events), _told(each)) for each in judge.end(situation)[1])]


def _told(finding: Checked | NotShown | Note | Fault | Suspicion) -> object:
    match finding:
        case Fault(clause):
            return clause
        case Suspicion(Fault(clause)):
            return ("suspected", clause)
        case Note(position, sentence):
            return (position, sentence)
        case _:
            return finding


def said(active: Sequence[Record], *events: Json, profile: Profile = Profile.V1) -> list[object]:
    """The same without positions."""
    return [each for _, each in findings(active, *events, profile=profile)]


def fault(active: Sequence[Record], *events: Json, profile: Profile = Profile.V1) -> Fault:
    """The fault of the last event; before it nothing is wrong."""
    situation = replace(judge.BEGIN, active=tuple(active))
    for position, event in enumerate(events[:-1]):
        situation, found = judge.step(situation, event, position, profile)
        assert not any(isinstance(each, Fault) for each in found), found
    _, [only] = judge.step(situation, events[-1], len(events) - 1, profile)
    assert isinstance(only, Fault)
    return only


def values(right: Sequence[str]) -> list[Json]:
    """The values whose JSON texts are given as what would have been right."""
    return [json_text.read(text) for text in right]
