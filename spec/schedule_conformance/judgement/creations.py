"""A creation told: what a `create` puts to the test, and which clause a wrong answer to it breaks.

Also whether the answer hangs on one release of the zone data.

The clause of a wrong refusal or a wrong record is found from what is unusual about the request, from the code
that came and from where the two records differ. Reads the law's zone data.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from schedule_conformance.judgement.spelling import (
    misspells_instant,
    odd_edges,
    odd_number,
    strippable_edges,
)
from schedule_conformance.law.rulings import (
    EitherWay,
    Granted,
    Request,
    Ruling,
    members_of_creation,
    refusals_of,
)
from schedule_conformance.protocol.json_values import as_object, same
from schedule_spec import absolute, instants, local_time, zones
from schedule_spec.numbers import safe_integer
from schedule_spec.records import SHORTEST_INTERVAL
from schedule_spec.rejections import Code, Rejection
from schedule_spec.text import is_trimmed, trim

NEAR = 2 * 86_400_000
"""Ms around a wall time within which a change of the zone's offset may be what a system stumbles over."""

STABLE_ZONES = frozenset(
    (
        "America/Los_Angeles",
        "America/New_York",
        "America/Sao_Paulo",
        "America/St_Johns",
        "Asia/Kathmandu",
        "Asia/Kolkata",
        "Asia/Tokyo",
        "Australia/Lord_Howe",
        "Australia/Sydney",
        "Europe/London",
        "Europe/Paris",
        "Pacific/Apia",
    )
)
"""Zones whose past is the same in every release that is in use, within STABLE_WALLS."""

STABLE_WALLS = range(86_400_000, 1_577_836_800_000)
"""Wall times, in ms, from 2 January 1970 to the end of 2019: past for all releases, revised by none."""

_OFFSET = re.compile(r"(?:([+-])([0-9]{2}):([0-9]{2})|Z)\Z")
_EDGE_OF_DATE = re.compile(r"(?:0001|9999|....-..-(?:29|30|31)|.*23:59:59)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Wall:
    """A wall time in ms in an accepted zone, the instants that it means, and whether a transition is near."""

    zone: zones.Zone
    ms: int
    instants: tuple[int, ...]
    near_transition: bool


def wall_of(at: Any) -> int | None:
    """Return the wall time, in ms, of a structured `at` whose date and time are well formed and real."""
    date, time = (at.get("date"), at.get("time")) if isinstance(at, dict) else (None, None)
    if not isinstance(date, str) or not isinstance(time, str):
        return None
    reading = absolute.parse_offset_form(f"{date}T{time}Z")
    return reading if isinstance(reading, int) else None


def zone_name(at: Any) -> str | None:
    """Return the release's spelling of the zone that a structured `at` names, if that is an accepted one."""
    named = at.get("time_zone") if isinstance(at, dict) else None
    return zones.canonical(named) if isinstance(named, str) else None


def _wall(at: Any) -> Wall:
    name, ms = zone_name(at), wall_of(at)
    if name is None or ms is None:
        raise AssertionError("the law granted a wall time that is none")
    zone = zones.zone(name)
    near = bool(zones.transitions_between(zone, ms - NEAR, ms + NEAR))
    return Wall(zone, ms, local_time.instants_of(zone, ms), near)


def release_bound(request: Request) -> bool:
    """Whether the answer to a `create` may differ between releases of the zone data (zone.release).

    It does not without a zone; in UTC and the Etc zones, which are offsets; for names that the law does not
    accept, since releases drop none and nobody can guess what a later one adds; and in the stable zones,
    where the date or time is none or lies in the past that all releases share. Everything else is bound:
    dates to come hang on rules that are still revised, and the far past is revised too.
    """
    at = members_of_creation(request).get("at")
    name = zone_name(at)
    if name is None or name == zones.UTC or name.startswith("Etc/"):
        return False
    wall = wall_of(at)
    return name not in STABLE_ZONES or not (wall is None or wall in STABLE_WALLS)


def zone_data_relied_on(request: Request) -> dict[str, Any]:
    """Return what the answer to a release-bound `create` hangs on, as frozen cases tell it (offsets in s)."""
    at = members_of_creation(request).get("at")
    name, ms = zone_name(at), wall_of(at)
    if name is None or ms is None:
        return {"zone": name}
    zone = zones.zone(name)
    changes = [
        {"at": change.at, "before": change.before // 1000, "after": change.after // 1000}
        for change in zones.transitions_between(zone, ms - NEAR, ms + NEAR)
    ]
    return {"zone": name, "offset": zones.offset_at(zone, ms - NEAR) // 1000, "transitions": changes}


def exercised(request: Request, ruling: Ruling) -> list[str]:
    """Return the clauses that a wrong answer to a `create` would break."""
    if isinstance(ruling, EitherWay):
        return ["zone.names", "at.utc-only"]
    members = members_of_creation(request)
    if isinstance(ruling, Granted):
        return _of_granted(request, members)
    refused = [clause for refusal in refusals_of(ruling) for clause in _of_refusal(refusal, members)]
    return ["tool.error-sound", *refused, *_of_sound_parts(members)]


def _of_sound_parts(members: Mapping[str, Any]) -> list[str]:
    """Return the clauses by which a part of a refused request is sound."""
    prompt, interval = members.get("prompt"), safe_integer(members.get("every_seconds"))
    found = ["zone.names"] if zone_name(members.get("at")) is not None else []
    found += ["tool.create-selector"] if sum(name in members for name in _OF_RULE) == 1 else []
    found += ["every.minimum"] if interval is not None and interval >= SHORTEST_INTERVAL else []
    if isinstance(prompt, str) and trim(prompt):
        found += ["tool.create-prompt", *(["text.trim"] if odd_edges(prompt) else [])]
    return found


def _of_refusal(refusal: Rejection, members: Mapping[str, Any]) -> list[str]:
    found = [refusal.clause]
    match refusal.clause.split("."):
        case ["after" | "every", "rule"] if safe_integer(members.get(refusal.where)) is None:
            found.append("number.safe-integer")
        case [_, "range"]:
            found.append("number.safe-integer" if refusal.where == "now" else "instant.range")
        case ["tool", "create-prompt"] if members.get("prompt"):
            found.append("text.trim")
        case ["at", "offset-required"]:
            found.append("at.no-ambient")
        case ["at", "future"] if isinstance(members["at"], dict):
            found.append(_clause_of_wall(_wall(members["at"])))
    return found


_OF_RULE = {
    "after_seconds": ("after.target", "after.rule", "after.range", "record.after"),
    "every_seconds": ("every.first-target", "every.rule", "every.minimum", "every.range", "record.every"),
    "at": ("at.no-ambient", "at.future", "at.range", "at.utc-only", "record.at"),
}


def _selector(members: Mapping[str, Any]) -> str:
    return next(name for name in _OF_RULE if name in members)


def _of_granted(request: Request, members: Mapping[str, Any]) -> list[str]:
    selector = _selector(members)
    found = ["text.prompt", "tool.create-prompt", *_OF_RULE[selector]]
    found += ["number.safe-integer"] if selector != "at" or _spelt_oddly(request, members["now"]) else []
    found += ["text.trim"] if odd_edges(members["prompt"]) else []
    at = members.get("at")
    if selector != "at":
        return found
    found += ["at.fraction"] if _has_fraction(at) else []
    found += ["at.real-date"] if _at_an_edge(at) else []
    if isinstance(at, str):
        return [*found, "at.offset-form", "at.offset-meaning", "at.offset-range"]
    found += ["at.local-form", "zone.names", *(["zone.release"] if release_bound(request) else [])]
    return [*found, _clause_of_wall(_wall(at))]


def _clause_of_wall(wall: Wall) -> str:
    return "local.overlap-first" if len(wall.instants) > 1 else "local.unique"


def _has_fraction(at: Any) -> bool:
    return "." in (at if isinstance(at, str) else at["time"])


def _at_an_edge(at: Any) -> bool:
    return _EDGE_OF_DATE.match(at if isinstance(at, str) else f"{at['date']}T{at['time']}") is not None


def blame_for_rejection(request: Request, code: str | None) -> str:
    """Return the clause that refusing a `create` breaks which the law grants; `code` is what came, if any."""
    members = members_of_creation(request)
    selector = _selector(members)
    if code == Code.INVALID_PROMPT:
        return "text.trim" if strippable_edges(members["prompt"]) else "tool.create-prompt"
    if isinstance(members["now"], float) or (selector == "at" and _spelt_oddly(request, members["now"])):
        return "number.safe-integer"
    if selector == "at":
        return _blame_for_refused_at(members["at"], code)
    area = selector.removesuffix("_seconds")
    if code == Code.FREQUENCY_TOO_HIGH and area == "every":
        return "every.minimum"
    if _spelt_oddly(request, members[selector]):
        return "number.safe-integer"
    return f"{area}.range" if code == Code.TIME_OUT_OF_RANGE else f"{area}.rule"


def _spelt_oddly(request: Request, value: Any) -> bool:
    return isinstance(value, float) or ("json" in request and odd_number(request["json"]))


def _blame_for_refused_at(at: Any, code: str | None) -> str:
    if isinstance(at, str):
        usual = "at.offset-range" if _offset_is_unusual(at) else "at.offset-form"
        return _OF_REFUSED_INSTANT.get(code) or _oddity_of_reading(at) or usual
    wall = _wall(at)
    if code == Code.INVALID_TIME_ZONE:
        return "zone.names"
    if code == Code.NOT_FUTURE and len(wall.instants) > 1:
        return "local.overlap-first"
    if code not in _OF_REFUSED_INSTANT and wall.near_transition:
        return _clause_of_wall(wall)
    return _OF_REFUSED_INSTANT.get(code) or _oddity_of_reading(at) or "at.local-form"


_OF_REFUSED_INSTANT: dict[str | None, str] = {
    Code.NOT_FUTURE: "at.future",
    Code.TIME_OUT_OF_RANGE: "at.range",
}


def _oddity_of_reading(at: Any) -> str | None:
    """Return the clause under which a date and a time are read that are unusual, or nothing."""
    return "at.fraction" if _has_fraction(at) else "at.real-date" if _at_an_edge(at) else None


def _offset_is_unusual(at: str) -> bool:
    found = _OFFSET.search(at)
    if found is None or found.group(1) is None:
        return False
    return found.group() == "+00:00" or found.group(2) > "14" or found.group(3) not in ("00", "30", "45")


def blame_for_code(request: Request, due: str, code: str | None) -> str:
    """Return the clause that a `create` breaks which the law refuses under `due`; `code` came, or nothing.

    Who calls a sound part of the request wrong breaks the clause of that part, whatever else is wrong.
    """
    members = members_of_creation(request)
    sound = _of_sound_parts(members)
    by_code: dict[str | None, str] = {
        Code.INVALID_TIME_ZONE: "zone.names",
        Code.FREQUENCY_TOO_HIGH: "every.minimum",
        Code.INVALID_SELECTOR: "tool.create-selector",
        Code.INVALID_PROMPT: "text.trim" if strippable_edges(members.get("prompt")) else "tool.create-prompt",
    }
    blamed = by_code.get(code, due)
    return blamed if blamed in sound else due


def blame_for_record(request: Request, granted: Granted, got: Mapping[str, Any]) -> str:
    """Return the clause that granting a `create` breaks with another record than the law's."""
    members, allowed, came = (
        members_of_creation(request),
        granted.result["record"],
        as_object(got.get("record")),
    )
    kind = allowed["kind"]
    shape = "at.utc-only" if kind == "at" else f"record.{kind}"
    if came is None or came.keys() != allowed.keys() or came["kind"] != kind:
        return shape
    if came["prompt"] != allowed["prompt"]:
        return "tool.create-prompt" if is_trimmed(members["prompt"]) else "text.trim"
    if not same({**came, "scheduledAt": None}, {**allowed, "scheduledAt": None}):
        return f"record.{kind}"
    if misspells_instant(allowed, came) and (kind != "at" or _is_utc(came["scheduledAt"], members["at"])):
        return "instant.canonical"
    if kind != "at":
        return "after.target" if kind == "after" else "every.first-target"
    return _blame_for_instant_of_at(members["at"], allowed["scheduledAt"], came["scheduledAt"])


def _is_utc(came: str, at: Any) -> bool:
    """Whether what came for an `at` is in UTC, however it is written; the `at` as it was given is not."""
    return came != at and came.endswith(("Z", "+00:00"))


def _blame_for_instant_of_at(at: Any, allowed: str, came: object) -> str:
    instant = instants.parse(came) if isinstance(came, str) else None
    if instant is None:
        return "at.utc-only"
    deviation = instant - (instants.parse(allowed) or 0)
    if _has_fraction(at) and abs(deviation) < 1_000:
        return "at.fraction"
    return "at.offset-meaning" if isinstance(at, str) else _clause_of_wall(_wall(at))
