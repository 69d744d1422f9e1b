"""Wall times about every transition of every zone of the release, under the law with its contracts in force.

Between transitions an offset is constant, so that what can go wrong lies about them: the wall times just
before, at, within and just after each gap and overlap. Those of a zone's table are read from the table as
well, lest the law leave out what it takes for none. Links that lead to the same data are tried once.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import TypeAlias

from proofs.outcomes import Counterexample, Counts
from schedule_impl import local_time as impl_local_time
from schedule_impl.zones import RELEASE, load
from schedule_spec import local_time, zones
from schedule_spec.posix_rules import Onset
from schedule_spec.zones import Transition, Zone

FROM, TO = (int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) * 1000 for year in (2020, 2045))
Resolving: TypeAlias = Callable[[str, int], int | None]
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - a wall time has no zone


@cache
def _distinct() -> tuple[str, ...]:
    found: dict[Zone, str] = {}
    for name in zones.names():
        zone = zones.zone(name)
        found.setdefault(Zone("", zone.initial, zone.onsets, zone.rule), name)
    return tuple(found.values())


def _transitions(zone: Zone) -> Iterator[Transition]:
    """Yield the zone's transitions: as the law finds them, and as they stand in its table."""
    yield from zones.transitions_between(zone, FROM, TO)
    for former, onset in pairwise((Onset(FROM, zone.initial), *zone.onsets)):
        if FROM <= onset.at < TO:
            yield Transition(onset.at, former.offset, onset.offset)


def _walls(transition: Transition) -> Iterator[int]:
    """Yield the wall times about both ends of what a transition skips or repeats, and in its middle."""
    one, other = sorted((transition.at + transition.before, transition.at + transition.after))
    yield from (one - 1, one, (one + other) // 2, other - 1, other)


def _everywhere(resolve: Resolving) -> Counts:
    if zones.release() != RELEASE:
        raise Counterexample(f"law and implementation read {zones.release()} and {RELEASE}")
    counts = {"zones": 0, "transitions": 0, "gaps": 0, "walls": 0}
    for name in _distinct():
        zone = zones.zone(name)
        counts["zones"] += 1
        for transition in _transitions(zone):
            counts["transitions"] += 1
            for wall in _walls(transition):
                counts["walls"] += 1
                meant = local_time.resolve(zone, wall)
                if meant is None:
                    local_time.gap_around(zone, wall)
                    counts["gaps"] += 1
                if (found := resolve(name, wall)) != meant:
                    raise Counterexample(
                        f"{wall} in {name} is {meant} to the law, {found} to the implementation"
                    )
    return counts


def _implementation(name: str, wall: int) -> int | None:
    return impl_local_time.resolve(load(name), _EPOCH + timedelta(milliseconds=wall))


def wall_times_about_every_transition_mean_the_same() -> Counts:
    """The implementation against the law, in every zone."""
    return _everywhere(_implementation)


def _second_of_two(name: str, wall: int) -> int | None:
    """Take the later instant of an overlap."""
    found = local_time.instants_of(zones.zone(name), wall)
    return max(found, default=None)


def the_second_of_two_instants_everywhere() -> Counts:
    """The same of an implementation that takes the second instant."""
    return _everywhere(_second_of_two)
