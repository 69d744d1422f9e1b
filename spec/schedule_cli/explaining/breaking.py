"""Wrong answers to single requests, for clauses that no small change of a right answer breaks.

Each is the answer of a mistake that implementations make. The court may report it under another clause that
the same fault belongs to.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Object = dict[str, Any]

NEW_YEAR = "2030-01-01T00:00:00.000Z"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A request, what an implementation does that gets it wrong, and the reply that this gives."""

    does: str
    request: Object
    reply: Object


def _at(id: str, target: str = NEW_YEAR, **members: Any) -> Object:
    return {"id": id, "kind": "at", "prompt": "p", "scheduledAt": target} | members


def _every(id: str, seconds: int, target: str) -> Object:
    return {"id": id, "kind": "every", "prompt": "p", "everySeconds": seconds, "scheduledAt": target}


def _fold(*changes: Object, **members: Any) -> Object:
    events = [{"type": "schedule/change", "data": {"version": 1} | change} for change in changes]
    return {"cmd": "fold", "events": events} | members


def _create(record: Object) -> Object:
    return {"operation": "create", "schedule": record}


def _ask(at: object) -> Object:
    return {"cmd": "create", "id": "a", "prompt": "p", "at": at, "now": 0}


def _wall(date: str, zone: str) -> Object:
    return {"date": date, "time": "00:00:00", "time_zone": zone}


def _advance(record: Object, accepted: int) -> Object:
    return {"cmd": "advance", "record": record, "acceptedAt": accepted}


def _record(record: Object) -> Object:
    return {"result": {"record": record}}


def _state(*active: Object) -> Object:
    return {"result": {"active": list(active), "seen": [record["id"] for record in active]}}


MISTAKES: Mapping[str, Mistake] = {
    "id.never-reused": Mistake(
        "frees an id with the record that a delete takes away",
        _fold(_create(_at("a")), {"operation": "delete", "id": "a"}, _create(_at("a"))),
        _state(_at("a")),
    ),
    "fold.all-or-nothing": Mistake(
        "passes over the event that it cannot read",
        _fold(_create(_at("a")), {"version": 2, "operation": "delete", "id": "a"}),
        _state(_at("a")),
    ),
    "fork.suffix": Mistake(
        "folds the inherited events too",
        _fold(_create(_at("a")), seedLength=1),
        _state(_at("a")),
    ),
    "fork.prefix-unread": Mistake(
        "decodes the whole log before it looks where its own part begins",
        _fold(_create(_at("a")), {"version": 9}, seedLength=2),
        {"rejected": {"code": "corrupt_schedule_log"}},
    ),
    "at.no-ambient": Mistake(
        "runs in UTC and reads the wall time in the zone of its process",
        _ask(_wall("2012-06-15", "Asia/Kolkata")),
        _record(_at("a", "2012-06-15T00:00:00.000Z")),
    ),
    "at.utc-only": Mistake(
        "keeps the offset beside the instant",
        _ask("2030-06-01T12:00:00.120+05:45"),
        _record(_at("a", "2030-06-01T06:15:00.120Z", offset="+05:45")),
    ),
    "zone.release": Mistake(
        "has zone data from before Samoa went over the date line",
        _ask(_wall("2011-12-31", "Pacific/Apia")),
        _record(_at("a", "2011-12-31T10:00:00.000Z")),
    ),
    "rate.exact": Mistake(
        "divides in floating point, and comes out one interval too low",
        _advance(_every("a", 301, "0001-01-01T00:00:00.001Z"), 253_402_300_498_999),
        {
            "result": {
                "occurrenceAt": "9999-12-31T23:49:21.001Z",
                "nextScheduledAt": "9999-12-31T23:54:22.001Z",
            }
        },
    ),
    "rate.accepted-range": Mistake(
        "brings the decision time back into the range",
        _advance(_every("a", 300, NEW_YEAR), 253_402_300_800_000),
        {"result": {"occurrenceAt": "9999-12-31T23:55:00.000Z"}},
    ),
}
"""By the clause that each breaks."""
