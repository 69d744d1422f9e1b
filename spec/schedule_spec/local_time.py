"""Local time: the instants at which a zone's clocks show a given wall time.

Specifies local.unique, local.gap-rejected and local.overlap-first. A wall time is what a clock shows,
counted in ms as if it were UTC. The instants of a wall time w are all t whose wall time is w; there may be
none, one or several. Nothing here bounds the years: whether an instant is in range is asked of the instant.
"""

from itertools import pairwise

from icontract import ensure, require

from schedule_spec.marks import defines
from schedule_spec.posix_rules import WIDEST_OFFSET
from schedule_spec.zones import Transition, Zone, offset_at, offsets, transitions_between


def wall_time(zone: Zone, t: int) -> int:
    """Return what the zone's clocks show at an instant: both in ms."""
    return t + offset_at(zone, t)


def _transitions_near(zone: Zone, wall: int) -> tuple[Transition, ...]:
    return transitions_between(zone, wall - WIDEST_OFFSET, wall + WIDEST_OFFSET)


def _found_by_stretch(zone: Zone, wall: int) -> tuple[int, ...]:
    """Return the same instants, sought in each stretch of time between neighbouring transitions.

    Within a stretch the offset is one, so that clocks run on without a break and show it once at most.
    """
    transitions = _transitions_near(zone, wall)
    start = wall - WIDEST_OFFSET
    edges = (start, *(transition.at for transition in transitions), wall + WIDEST_OFFSET)
    in_force = (offset_at(zone, start), *(transition.after for transition in transitions))
    return tuple(
        wall - offset
        for (begin, end), offset in zip(pairwise(edges), in_force, strict=True)
        if begin <= wall - offset < end
    )


@ensure(
    lambda result, zone, wall_ms: result == _found_by_stretch(zone, wall_ms),
    "local.gap-rejected: no instant at which the clocks show the wall time is left out",
)
@ensure(
    lambda result: all(former < latter for former, latter in pairwise(result)),
    "local.overlap-first: the instants ascend",
)
@ensure(
    lambda result, zone, wall_ms: all(wall_time(zone, t) == wall_ms for t in result),
    "local.unique: the zone's clocks show the wall time at each instant",
)
def instants_of(zone: Zone, wall_ms: int) -> tuple[int, ...]:
    """Return all instants at which the zone's clocks show the wall time, ascending; all in ms.

    Such an instant is the wall time less the offset that holds then, and the zone has only so many offsets.
    """
    candidates = sorted(wall_ms - offset for offset in offsets(zone))
    return tuple(t for t in candidates if wall_time(zone, t) == wall_ms)


@defines("local.unique", "local.gap-rejected", "local.overlap-first")
def resolve(zone: Zone, wall_ms: int) -> int | None:
    """Return the instant that a wall time means, the first of several, or None in a gap; all in ms."""
    return min(instants_of(zone, wall_ms), default=None)


@require(
    lambda zone, wall_ms: resolve(zone, wall_ms) is None,
    "local.gap-rejected: only a wall time that occurs never lies in a gap",
)
@ensure(
    lambda result, wall_ms: result.at + result.before <= wall_ms < result.at + result.after,
    "local.gap-rejected: the clock is set forward past the wall time",
)
def gap_around(zone: Zone, wall_ms: int) -> Transition:
    """Return the transition at which the zone's clocks skip a wall time that occurs never."""
    return next(
        transition
        for transition in _transitions_near(zone, wall_ms)
        if transition.at + transition.before <= wall_ms < transition.at + transition.after
    )
