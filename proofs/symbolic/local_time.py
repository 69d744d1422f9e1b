"""Local time over any zone with one transition or two, whatever their instants and offsets.

The implementation reads a wall time through `datetime` and `zoneinfo`, which take values alone. Its own
function runs here on stand-ins for both that do what PEP 495 says. Clauses: local.*.
"""

from dataclasses import dataclass
from typing import Any

from icontract import ensure, require

from proofs.symbolic.twins import bare, keeps, under_contracts_of
from schedule_impl import local_time as implementation
from schedule_spec import local_time as law
from schedule_spec.posix_rules import WIDEST_OFFSET, Onset
from schedule_spec.zones import Transition, Zone

_instants_of = bare(law.instants_of)


def _zone(initial: int, at: int, offset: int, then: int, last: int) -> Zone:
    """Return the zone that has an offset at first, from `at` on another, and from `then` on the last."""
    return Zone("Symbolic/Zone", initial, (Onset(at, offset), Onset(then, last)), None)


def _zone_of_one(initial: int, at: int, offset: int) -> Zone:
    """Return the zone that has an offset at first, and from `at` on another."""
    return Zone("Symbolic/Zone", initial, (Onset(at, offset),), None)


def _are_offsets(*offsets: int) -> bool:
    """Tell whether no offset reaches 26 hours, as the law's reader of files holds."""
    return all(-WIDEST_OFFSET < offset < WIDEST_OFFSET for offset in offsets)


def _is_zone(initial: int, at: int, offset: int, then: int, last: int) -> bool:
    """Tell whether the onsets ascend, and offsets are such."""
    return at < then and _are_offsets(initial, offset, last)


@ensure(lambda result: result, "local.unique, local.gap-rejected, local.overlap-first: as the law states")
@require(lambda initial, offset: _are_offsets(initial, offset), "zone.release: offsets")
def instants_under_the_law(initial: int, at: int, offset: int, wall: int) -> bool:
    """Tell whether the instants of a wall time keep the contracts of the law's `instants_of`."""
    zone = _zone_of_one(initial, at, offset)
    return keeps(law.instants_of, _instants_of(zone, wall), zone=zone, wall_ms=wall)


@under_contracts_of(instants_under_the_law)
def instants_without_the_second(initial: int, at: int, offset: int, wall: int) -> bool:
    """Broken: of a wall time that occurs twice only the first instant is known."""
    zone = _zone_of_one(initial, at, offset)
    return keeps(law.instants_of, _instants_of(zone, wall)[:1], zone=zone, wall_ms=wall)


def _wall_time(t: int, initial: int, at: int, offset: int, then: int, last: int) -> int:
    """Return what the clocks show at an instant, by the table alone."""
    return t + (initial if t < at else offset if t < then else last)


@ensure(
    lambda result, initial, at, offset, then, last, wall, t: (
        _wall_time(t, initial, at, offset, then, last) != wall or (result is not None and result <= t)
    ),
    "local.overlap-first, local.gap-rejected: no instant of that wall time is earlier, or overlooked",
)
@ensure(
    lambda result, initial, at, offset, then, last, wall: (
        result is None or _wall_time(result, initial, at, offset, then, last) == wall
    ),
    "local.unique: the clocks show the wall time at the instant",
)
@require(
    lambda initial, at, offset, then, last: _is_zone(initial, at, offset, then, last), "zone.release: a zone"
)
def instant_among_all(
    initial: int, at: int, offset: int, then: int, last: int, wall: int, t: int
) -> int | None:
    """Return the instant that a wall time means, to be held against any other instant `t`."""
    return min(_instants_of(_zone(initial, at, offset, then, last), wall), default=None)


@under_contracts_of(instant_among_all)
def instant_by_the_last_offset(
    initial: int, at: int, offset: int, then: int, last: int, wall: int, t: int
) -> int | None:
    """Broken: the offset that holds at last is taken for all times."""
    return wall - last


@ensure(lambda result: result, "local.gap-rejected: as the law states")
@require(lambda initial, offset: _are_offsets(initial, offset), "zone.release: offsets")
def gap_under_the_law(initial: int, at: int, offset: int, wall: int) -> bool:
    """Tell whether the gap around a wall time keeps the contract of `schedule_spec.local_time.gap_around`."""
    zone = _zone_of_one(initial, at, offset)
    return bool(_instants_of(zone, wall)) or keeps(
        law.gap_around, bare(law.gap_around)(zone, wall), zone=zone, wall_ms=wall
    )


@under_contracts_of(gap_under_the_law)
def gap_that_closes(initial: int, at: int, offset: int, wall: int) -> bool:
    """Broken: the offsets before and after are confused."""
    zone = _zone_of_one(initial, at, offset)
    confused = Transition(at, offset, initial)
    return bool(_instants_of(zone, wall)) or keeps(law.gap_around, confused, zone=zone, wall_ms=wall)


# -- law and implementation ---------------------------------------------------------------------------------

SHORTEST_STRETCH = 2 * WIDEST_OFFSET
"""How far apart transitions are where the implementation is asked: 52 h; tzdata's nearest are 167 h."""


@dataclass(frozen=True, slots=True)
class _Span:
    """Stands for a `timedelta`."""

    ms: int

    def __le__(self, other: "_Span") -> bool:
        return self.ms <= other.ms

    def __floordiv__(self, unit: object) -> int:
        return self.ms


@dataclass(frozen=True, slots=True)
class _Reading:
    """Stands for a `datetime` that has a zone: its instant by PEP 495."""

    ms: int

    def __sub__(self, epoch: object) -> _Span:
        return _Span(self.ms)


@dataclass(frozen=True, slots=True)
class _Wall:
    """Stands for a `datetime` without zone."""

    ms: int

    def replace(self, tzinfo: Zone, fold: int) -> _Reading:
        """Return the reading in a zone: fold 0 by the clocks before a transition, fold 1 by those after it.

        Of the two readings of a transition, a wall time has the new offset from the greater on with fold 0,
        and from the lesser on with fold 1.
        """
        offset = tzinfo.initial
        for onset in tzinfo.onsets:
            readings = (onset.at + offset, onset.at + onset.offset)
            if self.ms >= (min(readings) if fold else max(readings)):
                offset = onset.offset
        return _Reading(self.ms - offset)


def _resolved_by_implementation(zone: Zone, wall: int) -> int | None:
    stand_in: Any = zone
    reading: Any = _Wall(wall)
    return implementation.resolve(stand_in, reading)


@ensure(
    lambda result, initial, at, offset, then, last, wall: (
        result == min(_instants_of(_zone(initial, at, offset, then, last), wall), default=None)
    ),
    "local.unique, local.gap-rejected, local.overlap-first: the implementation resolves as the law",
)
@require(
    lambda initial, at, offset, then, last: (
        _is_zone(initial, at, offset, then, last) and at + SHORTEST_STRETCH <= then
    ),
    "zone.release: a zone whose transitions stand apart",
)
def implementation_resolves(
    initial: int, at: int, offset: int, then: int, last: int, wall: int
) -> int | None:
    """Return what the implementation makes of a wall time."""
    return _resolved_by_implementation(_zone(initial, at, offset, then, last), wall)


@under_contracts_of(implementation_resolves)
def implementation_resolves_gaps(
    initial: int, at: int, offset: int, then: int, last: int, wall: int
) -> int | None:
    """Broken: a wall time in a gap is read by the clocks before it."""
    return _Wall(wall).replace(_zone(initial, at, offset, then, last), 0).ms
