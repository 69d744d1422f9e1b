"""The whole world of zones: law and implementation give the same answer to a local time (zone.*, local.*).

By default some thousands of points are tried, drawn from all zones and of every kind. The deep profile,

    python -m pytest tests/test_all_zones.py --hypothesis-profile=deep

tries every point of `zone_points.every_point` for every accepted name, over 500,000 of them, and tells on
the terminal how far it has come. No two names are taken for one, though many have the same data.
"""

import os
import subprocess
import sys
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import pytest
from hypothesis import settings
from tests.zone_points import DAY, EPOCH, FIRST_YEAR, LAST_YEAR, MS, Kind, Point, every_point, ms, sample

from schedule_impl import absolute
from schedule_impl import zones as impl_zones
from schedule_impl.adapter import handle
from schedule_spec import local_time, records, zones
from schedule_spec.creation import Created, Refusals, create
from schedule_spec.instants import EARLIEST, render
from schedule_spec.json_text import Json
from schedule_spec.posix_rules import HOUR, Saving

ROOT = Path(__file__).parents[1]
SEED = "all zones"
OF_EACH_KIND = 600
BEFORE_ALL = EARLIEST - 1
"""A clock sample before the first instant, so that no target is past."""

Answer = dict[str, Any]


def asked(point: Point) -> dict[str, Json]:
    return {"id": "a", "prompt": "p", "at": {**point.at}, "now": BEFORE_ALL}


@lru_cache(maxsize=8192)
def by_law(point: Point) -> Created:
    return create(asked(point))


def by_implementation(point: Point) -> Answer:
    return handle({"seq": 0, "cmd": "create", **asked(point)})


def agree(law: Created, answer: Answer) -> bool:
    """Tell whether the answer is the law's record, or a code that the law admits."""
    if isinstance(law, Refusals):
        return answer.get("rejected", {}).get("code") in law.codes
    return answer.get("result") == {"record": records.encode(law)}


class Disagreement(NamedTuple):
    point: Point
    law: Created
    answer: Answer


def compare(points: Iterable[Point]) -> Iterator[Disagreement]:
    for point in points:
        law, answer = by_law(point), by_implementation(point)
        if not agree(law, answer):
            yield Disagreement(point, law, answer)


def is_deep() -> bool:
    return settings.get_current_profile_name() == "deep"


@pytest.fixture(scope="module")
def points() -> list[Point]:
    return sample(SEED, OF_EACH_KIND)


@pytest.fixture
def tell(capfd: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """A function that writes a line past pytest's capture."""

    def line(text: str) -> None:
        disabled: AbstractContextManager[None] = capfd.disabled()
        with disabled:
            sys.stderr.write(f"\n{text}")
            sys.stderr.flush()

    return line


# -- the comparison


def test_a_sample_of_the_world(points: list[Point]) -> None:
    assert list(compare(points)) == []


def test_the_sample_has_enough_of_each_kind_and_every_name(points: list[Point]) -> None:
    counts = Counter(point.kind for point in points)
    assert all(counts[kind] >= OF_EACH_KIND for kind in Kind)
    assert {zones.canonical(point.name) for point in points} == set(zones.names())


def test_both_know_the_same_names() -> None:
    assert impl_zones.names() == zones.names()
    assert zones.release() == impl_zones.RELEASE


WHOLE_BY_DEFAULT = ("Africa/Casablanca", "America/Nuuk", "Etc/GMT+12")
"""The zones that the default run tries whole: the most transitions, an hour below 0, and none at all."""


def test_whole_zones(tell: Callable[[str], None]) -> None:
    """Every point of every zone in the deep profile, of three zones otherwise."""
    deep = is_deep()
    names = zones.names() if deep else WHOLE_BY_DEFAULT
    begin = time.perf_counter()
    counts: Counter[Kind] = Counter()
    found: list[Disagreement] = []
    for number, name in enumerate(names, 1):
        points = list(every_point(name))
        counts.update(point.kind for point in points)
        found += compare(points)
        if deep and (number % 50 == 0 or number == len(names)):
            tell(
                f"{number} of {len(names)} names, {counts.total():,} points, "
                f"{len(found)} disagreements, {time.perf_counter() - begin:.0f} s"
            )
    assert found[:10] == []
    assert counts.total() > (500_000 if deep else 2_000)
    assert all(counts[kind] for kind in Kind)


def offset(zone: ZoneInfo, t: int) -> timedelta | None:
    return (EPOCH + t * MS).astimezone(zone).utcoffset()


def test_no_transition_is_missing_from_the_list() -> None:
    """What `zone_points` takes its edges from: offsets every three days, in all zones in the deep profile.

    An offset that holds for three days or longer cannot hide between; those listed hold for six (see below).
    """
    names = zones.names() if is_deep() else Random(SEED).sample(zones.names(), 12)
    begin, end = ms(FIRST_YEAR, 1, 1), ms(LAST_YEAR + 1, 1, 1)
    for name in names:
        zone, table = impl_zones.load(name), zones.zone(name)
        listed = zones.transitions_between(table, begin, end)
        times = [transition.at for transition in listed]
        offsets = [zones.offset_at(table, begin), *(transition.after for transition in listed)]
        for t in range(begin, end, 3 * DAY):
            assert offset(zone, t) == offsets[bisect_right(times, t)] * MS, (name, t)


def test_transitions_are_days_apart() -> None:
    begin, end = ms(FIRST_YEAR, 1, 1), ms(LAST_YEAR + 1, 1, 1)
    for name in zones.names() if is_deep() else Random(SEED).sample(zones.names(), 60):
        times = [transition.at for transition in zones.transitions_between(zones.zone(name), begin, end)]
        assert all(latter - former > 6 * DAY for former, latter in pairwise(times)), name


# -- what the answers are, not only that they are equal


def check_answer(point: Point) -> None:
    """Hold both readings' answers against what the kind of the point leads one to expect."""
    law, answer = by_law(point), by_implementation(point)
    zone = zones.zone(str(zones.canonical(point.name)))
    instants = local_time.instants_of(zone, point.wall)
    match point.kind:
        case Kind.GAP:
            assert instants == ()
            assert isinstance(law, Refusals)
            assert [fault.clause for fault in law.rejections] == ["local.gap-rejected"]
            assert answer["rejected"]["code"] == "invalid_rule"
        case Kind.OVERLAP:
            assert len(instants) == 2
            assert answer["result"]["record"]["scheduledAt"] == render(instants[0])
        case Kind.EDGE | Kind.PLAIN:
            assert len(instants) == 1
            assert answer["result"]["record"]["scheduledAt"] == render(instants[0])
        case Kind.RANGE_END:
            assert answer.get("rejected", {"code": "time_out_of_range"})["code"] == "time_out_of_range"
        case Kind.YEAR_END | Kind.FAR:
            assert answer.get("rejected", {"code": "invalid_rule"})["code"] == "invalid_rule"


def test_each_kind_of_point_has_its_answer(points: list[Point]) -> None:
    for point in points:
        check_answer(point)


class Named(NamedTuple):
    """A gap or overlap known from the calendar: its first wall time, its length, what its middle gives."""

    zone: str
    first: datetime
    length: timedelta
    middle: str | None
    """The instant of the wall time in the middle; None in a gap."""


def wall(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}+00:00")


NAMED = {
    "a whole day skipped: Samoa": Named("Pacific/Apia", wall("2011-12-30 00:00:00"), timedelta(days=1), None),
    "a whole day skipped: Kwajalein": Named(
        "Pacific/Kwajalein", wall("1993-08-21 00:00:00"), timedelta(days=1), None
    ),
    "a whole day skipped: Manila": Named("Asia/Manila", wall("1844-12-31 00:00:00"), timedelta(days=1), None),
    "a whole day twice: Alaska": Named(
        "America/Juneau", wall("1867-10-18 15:33:32"), timedelta(days=1), "1867-10-18T12:31:13.000Z"
    ),
    "half an hour skipped: Lord Howe": Named(
        "Australia/Lord_Howe", wall("2027-10-03 02:00:00"), timedelta(minutes=30), None
    ),
    "half an hour twice: Lord Howe": Named(
        "Australia/Lord_Howe", wall("2027-04-04 01:30:00"), timedelta(minutes=30), "2027-04-03T14:45:00.000Z"
    ),
    "two hours skipped: Troll": Named(
        "Antarctica/Troll", wall("2027-03-28 01:00:00"), timedelta(hours=2), None
    ),
    "two hours twice: Troll": Named(
        "Antarctica/Troll", wall("2027-10-31 01:00:00"), timedelta(hours=2), "2027-10-31T00:00:00.000Z"
    ),
    "winter is the saving time: Dublin, spring": Named(
        "Europe/Dublin", wall("2027-03-28 01:00:00"), timedelta(hours=1), None
    ),
    "winter is the saving time: Dublin, autumn": Named(
        "Europe/Dublin", wall("2027-10-31 01:00:00"), timedelta(hours=1), "2027-10-31T00:30:00.000Z"
    ),
    "winter is the saving time: Dublin, by the footer": Named(
        "Europe/Dublin", wall("9998-10-25 01:00:00"), timedelta(hours=1), "9998-10-25T00:30:00.000Z"
    ),
    "offsets of seconds: Paris leaves its mean time": Named(
        "Europe/Paris",
        wall("1911-03-10 23:50:39"),
        timedelta(minutes=9, seconds=21),
        "1911-03-10T23:45:58.500Z",
    ),
    "offsets of seconds: Monrovia": Named(
        "Africa/Monrovia", wall("1972-01-07 00:00:00"), timedelta(minutes=44, seconds=30), None
    ),
    "50 o'clock: Gaza in spring": Named("Asia/Gaza", wall("2099-03-28 02:00:00"), timedelta(hours=1), None),
    "50 o'clock: Gaza in autumn": Named(
        "Asia/Gaza", wall("2099-10-24 01:00:00"), timedelta(hours=1), "2099-10-23T22:30:00.000Z"
    ),
    "26 o'clock: Jerusalem": Named("Asia/Jerusalem", wall("2040-03-23 02:00:00"), timedelta(hours=1), None),
    "an hour below 0: Nuuk in spring": Named(
        "America/Nuuk", wall("2099-03-28 23:00:00"), timedelta(hours=1), None
    ),
    "an hour below 0: Nuuk in autumn": Named(
        "America/Nuuk", wall("2099-10-24 23:00:00"), timedelta(hours=1), "2099-10-25T00:30:00.000Z"
    ),
}


@pytest.mark.parametrize("what", NAMED)
def test_named_case(what: str) -> None:
    case = NAMED[what]
    first, length = (case.first - EPOCH) // MS, case.length // MS
    kind = Kind.OVERLAP if case.middle else Kind.GAP
    walls = [(kind, first + part) for part in (0, 1, length // 2, length - 1)]
    around = [
        Point(kind, case.zone, at)
        for kind, at in [*walls, (Kind.EDGE, first - 1), (Kind.EDGE, first + length)]
    ]
    assert list(compare(around)) == []
    for point in around:
        check_answer(point)
    answer = by_implementation(around[2])
    assert answer.get("result", {}).get("record", {}).get("scheduledAt") == case.middle


@pytest.mark.parametrize(
    ("name", "begins", "ends", "change"),
    [
        ("Asia/Gaza", 50, 50, 1),
        ("Asia/Jerusalem", 26, 2, 1),
        ("America/Nuuk", -1, 0, 1),
        ("Antarctica/Troll", 1, 3, 2),
        ("Australia/Lord_Howe", 2, 2, 0.5),
        ("Europe/Dublin", 2, 1, -1),
    ],
)
def test_the_footers_are_what_the_named_cases_say(name: str, begins: int, ends: int, change: float) -> None:
    rule = zones.zone(name).rule
    assert rule is not None
    assert isinstance(rule.saving, Saving)
    assert rule.saving.begins.time == begins * HOUR
    assert rule.saving.ends.time == ends * HOUR
    assert rule.saving.offset - rule.standard == change * HOUR


# -- an implementation that is wrong is found out

Resolve = Callable[[ZoneInfo, datetime], int | None]


def reading(zone: ZoneInfo, at: datetime, fold: int) -> timedelta:
    return at.replace(tzinfo=zone, fold=fold) - EPOCH


def second_of_two(zone: ZoneInfo, at: datetime) -> int | None:
    before, after = reading(zone, at, 0), reading(zone, at, 1)
    return after // MS if before <= after else None


def shifted_out_of_gaps(zone: ZoneInfo, at: datetime) -> int | None:
    return reading(zone, at, 0) // MS


def refused_in_overlaps(zone: ZoneInfo, at: datetime) -> int | None:
    before, after = reading(zone, at, 0), reading(zone, at, 1)
    return before // MS if before == after else None


def offsets_of_whole_minutes(zone: ZoneInfo, at: datetime) -> int | None:
    before, after = reading(zone, at, 0), reading(zone, at, 1)
    shown = at.replace(tzinfo=EPOCH.tzinfo) - EPOCH
    minutes = (shown - before) // timedelta(minutes=1) * timedelta(minutes=1)
    return (shown - minutes) // MS if before <= after else None


def no_transition_after_2037(zone: ZoneInfo, at: datetime) -> int | None:
    known = at if at.year <= 2037 else at.replace(year=2037, month=1, day=15)
    return (
        (reading(zone, known, 0) + (at - known)) // MS
        if reading(zone, at, 0) <= reading(zone, at, 1)
        else None
    )


@pytest.mark.parametrize(
    ("broken", "kinds"),
    [
        (second_of_two, {Kind.OVERLAP}),
        (shifted_out_of_gaps, {Kind.GAP}),
        (refused_in_overlaps, {Kind.OVERLAP}),
        (offsets_of_whole_minutes, {Kind.PLAIN, Kind.EDGE, Kind.RANGE_END}),
        (no_transition_after_2037, {Kind.FAR, Kind.EDGE}),
    ],
)
def test_a_broken_implementation_is_found_out(
    points: list[Point], monkeypatch: pytest.MonkeyPatch, broken: Resolve, kinds: set[Kind]
) -> None:
    """And at the kinds of points that show it."""
    monkeypatch.setattr(absolute, "resolve", broken)
    assert kinds <= {found.point.kind for found in compare(points)}


# -- surroundings

PROGRAM = """
import json
from tests.test_all_zones import by_implementation, by_law
from tests.zone_points import sample
for point in sample("surroundings", 40):
    print(ascii(point), ascii(by_law(point)), json.dumps(by_implementation(point)))
"""


def printed(**surroundings: str) -> bytes:
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=kept | surroundings,
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=120,
    ).stdout


@pytest.fixture(scope="module")
def plain() -> bytes:
    return printed(TZ="UTC", LC_ALL="C", PYTHONHASHSEED="0")


def test_there_is_something_to_compare(plain: bytes) -> None:
    assert plain.count(b"\n") > 800
    assert plain.count(b"local.gap-rejected") >= 40
    assert plain.count(b"scheduledAt") > 400


@pytest.mark.parametrize(
    "surroundings",
    [
        {"TZ": "Asia/Kolkata", "LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "1"},
        {"TZ": "America/St_Johns", "LC_ALL": "ar_EG.UTF-8", "PYTHONHASHSEED": "2"},
    ],
    ids=lambda surroundings: surroundings["TZ"],
)
def test_the_same_bytes_in_other_surroundings(plain: bytes, surroundings: dict[str, str]) -> None:
    """at.no-ambient: neither process zone, locale nor hash seed, for both readings."""
    assert printed(**surroundings) == plain
