"""Time zones: the names that are accepted, and the offset that a zone has at each instant.

Specifies zone.names and zone.release. A zone is a table of offsets with the instants from which they hold,
and a rule for the time after its last entry. Zone data is what the installed package `tzdata` holds and
nothing else: neither the machine's own zone files nor the process zone is looked at.
"""

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import NamedTuple

from icontract import ensure, require
from tzdata import IANA_VERSION  # type: ignore[import-untyped]

from schedule_spec import posix_rules, tzif
from schedule_spec.marks import defines
from schedule_spec.posix_rules import WIDEST_OFFSET, Onset, Rule

UTC = "UTC"
"""The one name without a `/` that is accepted."""

OPEN_NAMES = (
    "US/Pacific-New",
    "Canada/East-Saskatchewan",
    "SystemV/AST4",
    "SystemV/AST4ADT",
    "SystemV/CST6",
    "SystemV/CST6CDT",
    "SystemV/EST5",
    "SystemV/EST5EDT",
    "SystemV/HST10",
    "SystemV/MST7",
    "SystemV/MST7MDT",
    "SystemV/PST8",
    "SystemV/PST8PDT",
    "SystemV/YST9",
    "SystemV/YST9YDT",
)
"""The fifteen names that may go either way (zone.names). The law, which knows the release, refuses them."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone as a value.

    `initial` is the offset before the first of the `onsets`, which ascend; from the last of them on, or
    always where there is none, the `rule` holds if there is one. Offsets are ms east of UTC, instants ms.
    """

    name: str
    initial: int
    onsets: tuple[Onset, ...]
    rule: Rule | None


class Transition(NamedTuple):
    """The instant `at` before which a zone's offset is `before` and from which it is `after`, all in ms.

    Where `after` is greater the clock is set forward and leaves a gap; else it is set back and overlaps.
    """

    at: int
    before: int
    after: int


@defines("zone.release")
def release() -> str:
    """Return the name of the tz database's release that all zones are read from, such as `2026f`."""
    return str(IANA_VERSION)


@cache
def _spelling_by_lower_case() -> dict[str, str]:
    listed = resources.files("tzdata").joinpath("zones").read_text("ascii").split()
    return {name.lower(): name for name in listed if "/" in name}


@defines("zone.names")
def canonical(name: str) -> str | None:
    """Return the release's spelling of an accepted name, None for every other string (zone.names).

    ASCII case alone is disregarded: U+212A, which some lower-casing takes for a k, is no letter of any name.
    """
    if name == UTC:
        return UTC
    return _spelling_by_lower_case().get(name.lower()) if name.isascii() else None


@cache
def names() -> tuple[str, ...]:
    """Return all accepted names in the release's spelling, sorted."""
    return tuple(sorted((UTC, *_spelling_by_lower_case().values())))


def is_open(name: str) -> bool:
    """Tell whether the name is one of the fifteen that may go either way (zone.names)."""
    return name.isascii() and name.lower() in map(str.lower, OPEN_NAMES)


@cache
@require(lambda name: canonical(name) == name, "zone.names: only an accepted name, as the release spells it")
def zone(name: str) -> Zone:
    """Return the zone of an accepted name in the release's spelling (zone.release)."""
    file = resources.files("tzdata").joinpath("zoneinfo", name)
    data = tzif.read(file.read_bytes())
    return Zone(name, data.initial, data.onsets, data.rule)


def offsets(zone: Zone) -> tuple[int, ...]:
    """Return every offset that the zone ever has, in ms, each once."""
    by_rule = () if zone.rule is None else posix_rules.offsets(zone.rule)
    found: list[int] = []
    for offset in (zone.initial, *(onset.offset for onset in zone.onsets), *by_rule):
        if offset not in found:
            found.append(offset)
    return tuple(found)


@ensure(lambda result: -WIDEST_OFFSET < result < WIDEST_OFFSET, "zone.release: no offset reaches 26 hours")
def offset_at(zone: Zone, t: int) -> int:
    """Return the zone's offset at an instant: that of the last entry not after it, or what the rule says."""
    if zone.rule is not None and (not zone.onsets or zone.onsets[-1].at <= t):
        return posix_rules.offset_at(zone.rule, t)
    return next((onset.offset for onset in reversed(zone.onsets) if onset.at <= t), zone.initial)


@ensure(
    lambda result, from_ms, to_ms: all(from_ms <= transition.at < to_ms for transition in result),
    "zone.release: the transitions lie between the two instants",
)
def transitions_between(zone: Zone, from_ms: int, to_ms: int) -> tuple[Transition, ...]:
    """Return the instants of `from_ms <= at < to_ms` at which the zone's offset changes, by time.

    Those that the rule makes are among them; an entry that changes no more than an abbreviation is not.
    """
    listed = [onset.at for onset in zone.onsets if from_ms <= onset.at < to_ms]
    later = [at for at in _ruled_instants(zone, from_ms, to_ms) if from_ms <= at < to_ms]
    found = (Transition(at, offset_at(zone, at - 1), offset_at(zone, at)) for at in (*listed, *later))
    return tuple(transition for transition in found if transition.before != transition.after)


def _ruled_instants(zone: Zone, from_ms: int, to_ms: int) -> list[int]:
    """Return the instants, in the years of the window, at which the rule that follows the table acts."""
    if zone.rule is None or zone.rule.saving is None:
        return []
    years = posix_rules.years_around(from_ms, to_ms)
    yearly = {onset.at for onset in posix_rules.onsets(zone.rule.saving, zone.rule.standard, *years)}
    return sorted(at for at in yearly if not zone.onsets or zone.onsets[-1].at < at)
