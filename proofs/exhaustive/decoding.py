"""Decoding: every sound change with one member absent, foreign or holding something else.

What a member may hold instead is listed: values of each type and at both sides of every bound, words that
mean something in another member, and texts near those that are sound. All members of a change, and of its
record, are varied, one at a time; so are the change and the record as a whole. Clauses: change.*, record.*,
id.shape, text.prompt, number.safe-integer, profile.upward.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from proofs.exhaustive.cases import on_all
from proofs.outcomes import Counterexample, Counts
from schedule_impl import codec
from schedule_impl.errors import ScheduleError
from schedule_spec import changes, profiles, records
from schedule_spec.changes import Change, Decoder
from schedule_spec.json_text import Json
from schedule_spec.numbers import MAX_SAFE
from schedule_spec.records import LONGEST_INTERVAL, SHORTEST_INTERVAL
from schedule_spec.rejections import Rejection

_INSTANT = "2026-07-13T18:45:09.037Z"


def _create(kind: str, **span: int) -> dict[str, Any]:
    record = {"id": "a", "kind": kind, "prompt": "p", **span, "scheduledAt": _INSTANT}
    return {"version": 1, "operation": "create", "schedule": record}


SOUND: tuple[dict[str, Any], ...] = (
    _create("after", afterSeconds=60),
    _create("at"),
    _create("every", everySeconds=3600),
    {"version": 1, "operation": "delete", "id": "a"},
    {"version": 1, "operation": "dispatch", "id": "a"},
    {"version": 1, "operation": "dispatch", "id": "a", "acceptedAt": _INSTANT},
)
"""A change of each shape."""

MEMBERS = (
    "version",
    "operation",
    "schedule",
    "id",
    "kind",
    "prompt",
    "afterSeconds",
    "everySeconds",
    "scheduledAt",
    "acceptedAt",
    "cooldown",
    "Version",
)
"""Every member that any change or record has, and two that none has."""

_NUMBERS: tuple[Json, ...] = (
    -1,
    0,
    -0.0,
    1,
    1.0,
    2,
    2.0,
    0.5,
    SHORTEST_INTERVAL - 1,
    SHORTEST_INTERVAL,
    float(SHORTEST_INTERVAL),
    SHORTEST_INTERVAL + 0.5,
    LONGEST_INTERVAL,
    float(LONGEST_INTERVAL),
    LONGEST_INTERVAL + 1,
    MAX_SAFE,
    float(MAX_SAFE),
    MAX_SAFE + 1,
    float(MAX_SAFE + 1),
    -MAX_SAFE,
    10**400,
    1e300,
    float("inf"),
    float("nan"),
)
_WORDS: tuple[Json, ...] = (
    "create",
    "Create",
    "update",
    "delete",
    "dispatch",
    "after",
    "After",
    "at",
    "At",
    "every",
    "Every",
    "cron",
    "1",
    "300",
)
_LABELS: tuple[Json, ...] = (
    "",
    " ",
    "a b",
    " a",
    "a\n",
    "\ufeffa",
    "a\u3000",
    "\x85",
    "\u200b",
    "\0",
    "\ud800",
    "\U0001f600",
)
_INSTANTS: tuple[Json, ...] = (
    "0001-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
    "0000-12-31T23:59:59.999Z",
    "2024-02-29T00:00:00.000Z",
    "2026-02-29T00:00:00.000Z",
    "2026-07-13T24:00:00.000Z",
    "2026-07-13T23:59:60.000Z",
    "2026-07-13T18:45:09Z",
    "2026-07-13T18:45:09.037+00:00",
    "2026-07-13t18:45:09.037z",
    "2026-07-13T18:45:09.037Z\n",
    "+02026-07-13T18:45:09.037Z",
)
VALUES: tuple[Json, ...] = (
    None,
    True,
    False,
    [],
    [1],
    {},
    {"id": "a"},
    *SOUND[1:3],
    SOUND[1]["schedule"],
    *_NUMBERS,
    *_WORDS,
    *_LABELS,
    *_INSTANTS,
)
"""What a member may hold, or what may stand for a change."""


def _varied(members: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the members with each of all in turn absent, or holding each of the values."""
    for name in MEMBERS:
        yield {each: value for each, value in members.items() if each != name}
        yield from ({**members, name: value} for value in VALUES)


def _changes() -> Iterator[Json]:
    """Yield every varied change, those with a varied record among them, and every value as a change."""
    yield from VALUES
    for sound in SOUND:
        yield from _varied(sound)
        if "schedule" in sound:
            yield from ({**sound, "schedule": record} for record in _varied(sound["schedule"]))


# --- the law's contracts ---


def _decoded(decode: Decoder, value: Json) -> str:
    """Decode under all contracts, by both profiles; what is accepted is given back unchanged."""
    change = decode(value)
    profiles.decode_v1_after(value)
    if isinstance(value, dict):
        records.decode(value.get("schedule"))
    if isinstance(change, Rejection):
        return "refused"
    if (given_back := changes.encode(change)) != value:
        raise Counterexample(f"{value!r} is given back as {given_back!r}")
    return "accepted"


def what_decoding_accepts_it_gives_back_unchanged() -> Counts:
    """The law's decoders, with their contracts in force."""
    return on_all(lambda value: _decoded(changes.decode, value), _changes())


def _passing_over(value: Json) -> Change | Rejection:
    """Pass over a foreign member of a delete."""
    if isinstance(value, dict) and value.get("operation") == "delete":
        return changes.decode({name: value[name] for name in value if name != "cooldown"})
    return changes.decode(value)


def foreign_members_are_passed_over() -> Counts:
    """The same of a decoder that passes over what it does not know."""
    return on_all(lambda value: _decoded(_passing_over, value), _changes())


# --- law and implementation ---

Converting: TypeAlias = Callable[[Json], dict[str, Any] | None]
"""Gives a change back, or None where it is refused."""


def _by_law(value: Json) -> dict[str, Json] | None:
    change = changes.decode(value)
    return None if isinstance(change, Rejection) else changes.encode(change)


def _by_implementation(value: Json) -> dict[str, Any] | None:
    try:
        return codec.to_json(codec.CHANGES.convert(value))
    except ScheduleError:
        return None


def _alike(converting: Converting, value: Json) -> str:
    law, other = _by_law(value), converting(value)
    if law != other:
        raise Counterexample(f"of {value!r} the law makes {law!r}, the other {other!r}")
    return "refused" if law is None else "accepted"


def the_implementation_decodes_what_the_law_decodes() -> Counts:
    """The implementation against the law."""
    return on_all(lambda value: _alike(_by_implementation, value), _changes())


def _with_truths(value: Json) -> dict[str, Any] | None:
    """Take `true` for the number 1, as Python does."""
    if isinstance(value, dict) and value.get("version") is True:
        return _by_implementation({**value, "version": 1})
    return _by_implementation(value)


def truths_are_taken_for_numbers() -> Counts:
    """The same of an implementation that takes `true` for a number."""
    return on_all(lambda value: _alike(_with_truths, value), _changes())
