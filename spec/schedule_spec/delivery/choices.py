"""What a generator of worlds asks of the live law: commands that make sense, and ids under one spelling."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from schedule_spec import json_text
from schedule_spec.delivery.model import Session, States
from schedule_spec.json_text import Json
from schedule_spec.text import json_string

ANYWHERE = ("advance_time", "set_clock")
"""Commands that are of no session."""
WHILE_LIVE = (
    "call",
    "busy",
    "turn",
    "barrier",
    "faults",
    "append",
    "crash",
    "reopen",
    "fork",
    "dispose",
    "log",
)
"""Commands that make sense for every live session."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A command that makes sense; `session` is empty where it is of none, `call` where it is of no call."""

    command: str
    session: str = ""
    call: str = ""


def enabled(states: States) -> tuple[Choice, ...]:
    """Return the commands that make sense in every possible situation, in a fixed order.

    `release` needs a barrier that is held for certain, `abort` a call that may still be open.
    """
    choices = [Choice(command) for command in ANYWHERE]
    for name, situations in states.sessions:
        [first, *_] = situations
        if not first.live:
            choices.append(Choice("reopen", name))
            continue
        choices += [Choice(command, name) for command in WHILE_LIVE]
        if all(situation.held or situation.orphan for situation in situations):
            choices.append(Choice("release", name))
        choices += [Choice("abort", name, id) for id in _open_calls(situations)]
    return tuple(choices)


def _open_calls(situations: tuple[Session, ...]) -> list[str]:
    calls = (call for situation in situations for call in situation.calls if not call.answered)
    return list(dict.fromkeys(call.id for call in calls))


@dataclass(frozen=True, slots=True)
class Names:
    """The ids that one session has created, each under the name `id-1`, `id-2`, … of its place."""

    theirs: tuple[str, ...] = ()

    def name(self, id: str) -> str:
        """Return the one name of an id; one that was never created keeps its own, out of the way of names."""
        if id in self.theirs:
            return f"id-{self.theirs.index(id) + 1}"
        return f"other {id}" if id.startswith(("id-", "other ")) else id

    def created(self, event: Json) -> "Names":
        """Return the names after an event; the same where it creates no new id."""
        match event:
            case {"data": {"operation": "create", "schedule": {"id": str(id)}}} if id not in self.theirs:
                return replace(self, theirs=(*self.theirs, id))
            case _:
                return self

    def renamed(self, value: Json) -> Json:
        """Return a JSON value in which every member `id` has its one name."""
        match value:
            case dict():
                return {key: self._member(key, member) for key, member in value.items()}
            case list():
                return [self.renamed(element) for element in value]
            case _:
                return value

    def _member(self, key: str, member: Json) -> Json:
        return self.name(member) if key == "id" and isinstance(member, str) else self.renamed(member)

    def reframed(self, text: str) -> str:
        """Return a follow-up's text in which every id has its one name."""
        return _FRAMED_ID.sub(lambda found: found[1] + self._literal(found[2]), text)

    def _literal(self, literal: str) -> str:
        id = json_text.read(literal)
        return json_string(self.name(id)) if isinstance(id, str) else literal


_FRAMED_ID = re.compile(r'(^schedule_id_json: |[\[,]\{"schedule_id":)("(?:[^"\\\n]|\\.)*")', re.MULTILINE)


def canonical_observation(names: Names, observation: Mapping[str, Json]) -> tuple[Names, dict[str, Json]]:
    """Return an observation of a session with its ids under one spelling, and the names after it."""
    event = observation.get("append")
    names = names.created(event)
    renamed = dict(observation)
    if "append" in observation:
        renamed["append"] = names.renamed(event)
    if "answer" in observation:
        renamed["answer"] = names.renamed(observation["answer"])
    text = observation.get("followup")
    if isinstance(text, str):
        renamed["followup"] = names.reframed(text)
    return names, renamed
