"""Points of local time worth trying, over all zones: a wall time in a zone, and what kind of point it is.

The edges come from the law's own list of transitions; `test_all_zones` holds that list against the
implementation's zones, so that an edge which both readings of a point would miss is still looked for.
Everything random is drawn from a seed that is text, so that hash seeds don't count.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import partial
from itertools import pairwise
from random import Random
from typing import NamedTuple

from schedule_spec import zones
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.zones import Transition, Zone, transitions_between

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MS = timedelta(milliseconds=1)
DAY = 86_400_000
FIRST_YEAR, LAST_YEAR = 1900, 2100
"""Within these years every transition is a point's business."""
FAR_YEARS = 60
"""How many of the years after them are tried a zone."""


class Kind(StrEnum):
    """What is to be expected of a wall time."""

    GAP = "gap"
    """It never occurs."""
    OVERLAP = "overlap"
    """It occurs twice."""
    EDGE = "edge"
    """It occurs once: one ms before a gap or overlap, or the first after it."""
    PLAIN = "plain"
    """It occurs once, far from a transition."""
    YEAR_END = "year end"
    """The last or first ms of a year."""
    FAR = "far"
    """A year before 1900 or after 2100; there a rule of the zone file's footer decides."""
    RANGE_END = "range end"
    """Within a day or so of the ends of the years 1 to 9999: the instant may lie outside."""


class Point(NamedTuple):
    """A wall time, in ms as if it were UTC, in a zone that is named in some ASCII case."""

    kind: Kind
    name: str
    wall: int

    @property
    def at(self) -> dict[str, str]:
        """The structured form of `at` that says it."""
        shown = EPOCH + self.wall * MS
        date, time = shown.replace(tzinfo=None).isoformat(timespec="milliseconds").split("T")
        return {"date": date, "time": time, "time_zone": self.name}


def ms(*fields: int) -> int:
    """Return a reading of the clock in ms; the fields are those of a datetime."""
    reading = datetime(*fields, tzinfo=UTC)  # type: ignore[arg-type, misc]
    return (reading - EPOCH) // MS


def any_case(name: str, random: Random) -> str:
    """Return the name as it is or in another ASCII case; `UTC` has one spelling alone."""
    spellings = (name, name.lower(), name.upper(), name.swapcase()) if "/" in name else (name,)
    return random.choice(spellings)


def every_point(name: str) -> Iterator[Point]:
    """Yield all points of a zone: around each transition of 1900 to 2100, and samples beyond."""
    random = Random(f"points of {name}")
    zone = zones.zone(name)
    yield from points_between(zone, FIRST_YEAR, LAST_YEAR, random)
    yield from far_points(zone, random)
    yield from range_ends(zone, random)


def points_between(zone: Zone, first_year: int, last_year: int, random: Random) -> Iterator[Point]:
    """Yield the points of a zone in these years, both included."""
    begin, end = ms(first_year, 1, 1), ms(last_year, 12, 31, 23, 59, 59) + 1000
    transitions = transitions_between(zone, begin, end)
    for transition in transitions:
        yield from points_around(zone, transition, random)
    edges = (begin, *(transition.at for transition in transitions), end)
    for former, latter in pairwise(edges):
        if latter - former > 6 * DAY:
            yield _point(Kind.PLAIN, zone, random.randrange(former + 2 * DAY, latter - 2 * DAY), random)
    for year in random.sample(range(first_year, last_year + 1), min(4, last_year + 1 - first_year)):
        new_year = ms(year, 1, 1)
        yield _point(Kind.YEAR_END, zone, new_year - 1, random)
        yield _point(Kind.YEAR_END, zone, new_year, random)


def points_around(zone: Zone, transition: Transition, random: Random) -> Iterator[Point]:
    """Yield the edges, first, middle and last ms of the gap or overlap at a transition, and two between."""
    shown = (transition.at + transition.before, transition.at + transition.after)
    first, end = min(shown), max(shown)
    kind = Kind.GAP if transition.after > transition.before else Kind.OVERLAP
    yield _point(Kind.EDGE, zone, first - 1, random)
    for wall in (first, first + 1, (first + end) // 2, random.randrange(first, end), end - 1):
        yield _point(kind, zone, wall, random)
    yield _point(Kind.EDGE, zone, end, random)


def far_points(zone: Zone, random: Random) -> Iterator[Point]:
    """Yield points of the years before 1900 and after 2100, each transition of the years drawn among them."""
    draw = partial(_point, Kind.FAR, zone)
    for year in (
        *random.sample(range(2, 1900), FAR_YEARS // 3),
        *random.sample(range(2101, 9999), FAR_YEARS),
    ):
        begin, end = ms(year, 1, 1), ms(year + 1, 1, 1)
        yield draw(random.randrange(begin, end), random)
        for transition in transitions_between(zone, begin, end):
            yield from (draw(point.wall, random) for point in points_around(zone, transition, random))
    for transition in transitions_between(zone, ms(1800, 1, 1), ms(FIRST_YEAR, 1, 1)):
        yield from (draw(point.wall, random) for point in points_around(zone, transition, random))


def range_ends(zone: Zone, random: Random) -> Iterator[Point]:
    """Yield wall times at which the shift to UTC may leave the range, and the edges of where it does."""
    for end, inwards in ((EARLIEST, 1), (LATEST, -1)):
        offset = zones.offset_at(zone, end)
        edges = (end, end + offset, end + offset - 1, end + offset + 1)
        drawn = (end + inwards * random.randrange(DAY) for _ in range(3))
        for wall in (*edges, *drawn):
            if EARLIEST <= wall <= LATEST:
                yield _point(Kind.RANGE_END, zone, wall, random)


def _point(kind: Kind, zone: Zone, wall: int, random: Random) -> Point:
    return Point(kind, any_case(zone.name, random), wall)


def sample(seed: str, of_each: int) -> list[Point]:
    """Return that many points of each kind, drawn from one decade of every zone, and one of every name."""
    random = Random(seed)
    by_kind: defaultdict[Kind, list[Point]] = defaultdict(list)
    of_each_name = []
    for name in zones.names():
        zone = zones.zone(name)
        decade = random.randrange(FIRST_YEAR, LAST_YEAR - 9, 10)
        points = [*points_between(zone, decade, decade + 9, random), *range_ends(zone, random)]
        year = random.randrange(2101, 9999)
        points += (
            point._replace(kind=Kind.FAR)
            for point in points_between(zone, year, year, random)
            if point.kind is not Kind.YEAR_END
        )
        of_each_name.append(random.choice(points))
        for point in points:
            by_kind[point.kind].append(point)
    return of_each_name + [
        point for kind in Kind for point in random.sample(by_kind[kind], min(of_each, len(by_kind[kind])))
    ]
