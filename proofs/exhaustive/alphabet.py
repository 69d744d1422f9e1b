"""The events of small logs: for each of a few ids all that can happen to it, and events that are no changes.

Everys lie so late that a dispatch may end one. Ids are interchangeable, so that of sequences which differ in
ids alone one is enough: an id is used only after the ids before it were (`fresh`). That nothing goes by the
order of their spelling is seen, for they come in another.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from schedule_spec.instants import LATEST, render

INTERVAL = 300_000
TARGET = LATEST - 2 * INTERVAL - INTERVAL // 2
"""Two intervals fit after it, three do not."""
IDS = "bca"
"""The ids, in the order in which they are used: neither ascending nor descending."""
DECISIONS = (TARGET - 1, TARGET, TARGET + INTERVAL, LATEST)
"""Decision times: too early; due; one interval late, and due again after a dispatch; so late that it ends."""

Event: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Letter:
    """An event, and the number of the id that it is about, -1 for none."""

    event: Event
    about: int = -1


def _change(**members: Any) -> Event:
    return {"type": "schedule/change", "data": {"version": 1, **members}}


def _record(id: str, kind: str, **members: Any) -> Event:
    record = {"id": id, "kind": kind, "prompt": "p", **members, "scheduledAt": render(TARGET)}
    return _change(operation="create", schedule=record)


def _about(number: int) -> Iterator[Letter]:
    id = IDS[number]
    yield Letter(_record(id, "after", afterSeconds=1), number)
    yield Letter(_record(id, "at"), number)
    yield Letter(_record(id, "every", everySeconds=INTERVAL // 1000), number)
    yield Letter(_change(operation="delete", id=id), number)
    yield Letter(_change(operation="dispatch", id=id), number)
    for decision in DECISIONS:
        yield Letter(_change(operation="dispatch", id=id, acceptedAt=render(decision)), number)


def letters(ids: int) -> tuple[Letter, ...]:
    """Return all events about that many ids, then a foreign event and a malformed change."""
    about = [letter for number in range(ids) for letter in _about(number)]
    foreign = {"type": "message", "data": about[0].event["data"]}
    malformed = {"type": "schedule/change", "data": {"version": 2, "operation": "delete", "id": "a"}}
    return (*about, Letter(foreign), Letter(malformed))


def fresh(letter: Letter, used: int) -> bool:
    """Tell whether a letter keeps to the order of ids, after the first `used` of them were."""
    return letter.about <= used
