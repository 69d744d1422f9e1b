"""Decoding: every sound change with one member absent, foreign or holding something else.

The decoders meet values, so that those a member may hold are listed: of each type, and at both sides of every
bound. The interval alone is any. Clauses: change.*, record.*, id.shape, text.prompt, number.safe-integer,
profile.upward.
"""

from enum import Enum
from typing import Any

from icontract import ensure, require

from proofs.symbolic.twins import bare, keeps, under_contracts_of
from proofs.symbolic.values import on_values
from schedule_impl import codec
from schedule_impl.errors import ScheduleError
from schedule_spec import changes, profiles, records
from schedule_spec.json_text import Json
from schedule_spec.numbers import MAX_SAFE
from schedule_spec.records import LONGEST_INTERVAL, SHORTEST_INTERVAL, Every
from schedule_spec.rejections import Rejection

_INSTANT = "2026-07-13T18:45:09.037Z"


class Shape(Enum):
    """The shapes of changes."""

    CREATE_AFTER = "after"
    CREATE_AT = "at"
    CREATE_EVERY = "every"
    DELETE = "delete"
    DISPATCH = "dispatch"
    DISPATCH_EVERY = "dispatch with acceptedAt"


class Member(Enum):
    """Every member that any change or record has, and one that none has."""

    VERSION = "version"
    OPERATION = "operation"
    SCHEDULE = "schedule"
    ID = "id"
    KIND = "kind"
    PROMPT = "prompt"
    AFTER_SECONDS = "afterSeconds"
    EVERY_SECONDS = "everySeconds"
    SCHEDULED_AT = "scheduledAt"
    ACCEPTED_AT = "acceptedAt"
    FOREIGN = "cooldown"


class Level(Enum):
    """Where the member stands: in the change itself, or in its record."""

    CHANGE = "change"
    RECORD = "record"


class Held(Enum):
    """What a member may hold instead: the numeral names an entry of `_VALUES`."""

    ABSENT = 0
    NULL = 1
    TRUE = 2
    ZERO = 3
    ONE = 4
    ONE_AS_DOUBLE = 5
    HALF = 6
    BELOW_THE_SHORTEST = 7
    THE_SHORTEST = 8
    THE_LONGEST = 9
    ABOVE_THE_LONGEST = 10
    GREATEST_SAFE = 11
    ABOVE_SAFE = 12
    INFINITE = 13
    EMPTY = 14
    PADDED = 15
    WORD = 16
    FIGURES = 17
    INSTANT = 18
    NO_DATE = 19
    ARRAY = 20
    OBJECT = 21
    NEXT_LINE = 22
    PADDED_BEHIND = 23


_VALUES: tuple[Json, ...] = (
    None,
    None,
    True,
    0,
    1,
    1.0,
    0.5,
    SHORTEST_INTERVAL - 1,
    SHORTEST_INTERVAL,
    LONGEST_INTERVAL,
    LONGEST_INTERVAL + 1,
    MAX_SAFE,
    float(MAX_SAFE + 1),
    float("inf"),
    "",
    "\ufeffa",
    "create",
    "300",
    "9999-12-31T23:59:59.999Z",
    "2026-02-29T00:00:00.000Z",
    [],
    {},
    "\x85",
    "a\u3000",
)


def _sound(shape: Shape, every_seconds: int = 3600) -> dict[str, Any]:
    record = {"id": "a", "kind": shape.value, "prompt": "p", "scheduledAt": _INSTANT}
    match shape:
        case Shape.CREATE_AFTER:
            return {"version": 1, "operation": "create", "schedule": {**record, "afterSeconds": 60}}
        case Shape.CREATE_AT:
            return {"version": 1, "operation": "create", "schedule": record}
        case Shape.CREATE_EVERY:
            return {
                "version": 1,
                "operation": "create",
                "schedule": {**record, "everySeconds": every_seconds},
            }
        case Shape.DELETE:
            return {"version": 1, "operation": "delete", "id": "a"}
        case Shape.DISPATCH:
            return {"version": 1, "operation": "dispatch", "id": "a"}
        case Shape.DISPATCH_EVERY:
            return {"version": 1, "operation": "dispatch", "id": "a", "acceptedAt": _INSTANT}


def _varied(shape: Shape, level: Level, member: Member, held: Held) -> dict[str, Any]:
    """Return a sound change in which one member holds what is said, or is absent."""
    change = _sound(shape)
    place = change.get("schedule", change) if level is Level.RECORD else change
    if held is Held.ABSENT:
        place.pop(member.value, None)
    else:
        place[member.value] = _VALUES[held.value]
    return change


# -- the law's contracts ------------------------------------------------------------------------------------


@ensure(lambda result: result, "change.lossless, profile.upward: as the law states")
@on_values
def decoding_under_the_law(shape: Shape, level: Level, member: Member, held: Held) -> bool:
    """Tell whether the law's decoders keep their contracts on a varied change, and on its record."""
    value = _varied(shape, level, member, held)
    schedule = value.get("schedule")
    return (
        keeps(changes.decode, bare(changes.decode)(value), value=value)
        and keeps(records.decode, bare(records.decode)(schedule), value=schedule)
        and keeps(profiles.decode_v1_after, bare(profiles.decode_v1_after)(value), value=value)
    )


@under_contracts_of(decoding_under_the_law)
@on_values
def decoding_that_passes_over(shape: Shape, level: Level, member: Member, held: Held) -> bool:
    """Broken: a foreign member of a delete is passed over."""
    value = _varied(shape, level, member, held)
    known = {name: value[name] for name in value if shape is not Shape.DELETE or name != "cooldown"}
    return keeps(changes.decode, bare(changes.decode)(known), value=value)


@ensure(
    lambda result, every_seconds: result == Every("a", "p", every_seconds, 1_783_968_309_037),
    "record.every: every interval that is allowed is read as it stands",
)
@require(
    lambda every_seconds: 300 <= every_seconds <= 9_007_199_254_740,
    "record.every: an interval that is allowed, as the clause tells it",
)
def decoding_an_interval(every_seconds: int) -> object:
    """Return the record that the law reads for an interval in s."""
    change = changes.decode(_sound(Shape.CREATE_EVERY, every_seconds))
    return change.schedule if isinstance(change, changes.Create) else None


@under_contracts_of(decoding_an_interval)
def decoding_an_interval_as_double(every_seconds: int) -> object:
    """Broken: the longest interval is cut to what its ms would be as a 32-bit number."""
    return decoding_an_interval(min(every_seconds, 2**31 - 1))


# -- law and implementation ---------------------------------------------------------------------------------


@on_values
def _by_law(shape: Shape, level: Level, member: Member, held: Held) -> dict[str, Json] | None:
    change = changes.decode(_varied(shape, level, member, held))
    return None if isinstance(change, Rejection) else changes.encode(change)


@ensure(
    lambda result, shape, level, member, held: result == _by_law(shape, level, member, held),
    "change.strict: the implementation accepts what the law accepts, and gives it back as the law does",
)
@on_values
def implementation_decodes(shape: Shape, level: Level, member: Member, held: Held) -> dict[str, Any] | None:
    """Return what the implementation gives back of a varied change, None where it refuses it."""
    try:
        return codec.to_json(codec.CHANGES.convert(_varied(shape, level, member, held)))
    except ScheduleError:
        return None


@under_contracts_of(implementation_decodes)
@on_values
def implementation_decodes_truths(
    shape: Shape, level: Level, member: Member, held: Held
) -> dict[str, Any] | None:
    """Broken: `true` is taken for the number 1, as Python does."""
    one = Held.ONE if held is Held.TRUE else held
    return implementation_decodes(shape, level, member, one)
