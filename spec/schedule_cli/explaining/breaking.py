"""Wrong answers to single requests, for clauses that no small change of a right answer breaks.

Each is the answer of a mistake that implementations make. The court may report it under another clause that
the same fault belongs to.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Object = dict[str, Any]

NEW_YEAR = "2030-01-01T00:00:00.000Z"
MS_OF_NEW_YEAR = 1_893_456_000_000

LAST = "9999-12-31T23:59:59.999Z"
MS_OF_LAST = 253_402_300_799_999

NEXT_VERSION = {"version": 2, "operation": "delete", "id": "a"}
WITH_A_REASON = {"version": 1, "operation": "delete", "id": "a", "reason": "done"}


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


def _ask_in(now: int, **members: object) -> Object:
    return {"cmd": "create", "id": "a", "prompt": "p"} | members | {"now": now}


def _decode(change: Object) -> Object:
    return {"cmd": "decode", "change": change}


def _after(seconds: int, target: str, prompt: str = "p") -> Object:
    return {"id": "a", "kind": "after", "prompt": prompt, "afterSeconds": seconds, "scheduledAt": target}


def _wall(date: str, zone: str, time: str = "00:00:00") -> Object:
    return {"date": date, "time": time, "time_zone": zone}


def _advance(record: Object, accepted: int) -> Object:
    return {"cmd": "advance", "record": record, "acceptedAt": accepted}


def _record(record: Object) -> Object:
    return {"result": {"record": record}}


def _state(*active: Object) -> Object:
    return {"result": {"active": list(active), "seen": [record["id"] for record in active]}}


MISTAKES: Mapping[str, Mistake] = {
    "change.version": Mistake(
        "reads the next version as if it were this one",
        _decode(NEXT_VERSION),
        {"result": {"change": NEXT_VERSION}},
    ),
    "change.strict": Mistake(
        "passes over members that it does not know",
        _decode(WITH_A_REASON),
        {"result": {"change": WITH_A_REASON}},
    ),
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
    "after.rule": Mistake(
        "takes figures in a string for a number",
        _ask_in(MS_OF_NEW_YEAR, after_seconds="60"),
        _record(_after(60, "2030-01-01T00:01:00.000Z")),
    ),
    "after.range": Mistake(
        "brings the target back into the range",
        _ask_in(MS_OF_LAST, after_seconds=60),
        _record(_after(60, LAST)),
    ),
    "every.rule": Mistake(
        "takes figures in a string for a number",
        _ask_in(MS_OF_NEW_YEAR, every_seconds="300"),
        _record(_every("a", 300, "2030-01-01T00:05:00.000Z")),
    ),
    "every.range": Mistake(
        "brings the target back into the range",
        _ask_in(MS_OF_LAST, every_seconds=300),
        _record(_every("a", 300, LAST)),
    ),
    "at.offset-required": Mistake(
        "takes a time without an offset for one in UTC",
        _ask("2030-01-02T03:04:05"),
        _record(_at("a", "2030-01-02T03:04:05.000Z")),
    ),
    "at.range": Mistake(
        "looks at the year that is written, and then brings the target back into the range",
        _ask("9999-12-31T23:30:00-01:00"),
        _record(_at("a", LAST)),
    ),
    "at.local-form": Mistake(
        "takes an hour of one figure",
        _ask(_wall("2030-01-02", "UTC", "9:00:00")),
        _record(_at("a", "2030-01-02T09:00:00.000Z")),
    ),
    "zone.names": Mistake(
        "takes an abbreviation for a zone",
        _ask(_wall("2030-01-02", "EST")),
        _record(_at("a", "2030-01-02T05:00:00.000Z")),
    ),
    "local.gap-rejected": Mistake(
        "moves a wall time that does not occur to the other side of the gap",
        _ask(_wall("2030-03-10", "America/New_York", "02:30:00")),
        _record(_at("a", "2030-03-10T07:30:00.000Z")),
    ),
    "tool.create-selector": Mistake(
        "takes the first selector that it finds",
        _ask_in(MS_OF_NEW_YEAR, after_seconds=60, every_seconds=300),
        _record(_after(60, "2030-01-01T00:01:00.000Z")),
    ),
    "tool.create-prompt": Mistake(
        "looks whether the prompt is empty before it trims it",
        _ask_in(MS_OF_NEW_YEAR, prompt=" ", after_seconds=60),
        _record(_after(60, "2030-01-01T00:01:00.000Z", " ")),
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
