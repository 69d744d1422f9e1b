"""Local time: the instants of a wall time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spec.time.tz_files import ms

from schedule_spec import instants, zones
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.local_time import gap_around, instants_of, resolve, wall_time
from schedule_spec.posix_rules import HOUR, WIDEST_OFFSET, Onset, Rule
from schedule_spec.posix_rules import parse as parse_rule
from schedule_spec.zones import Transition, Zone, offset_at, zone

MINUTE = 60_000


def shown(text: str) -> int:
    """Return a wall time in ms."""
    wall = instants.parse(f"{text}Z")
    assert wall is not None
    return wall


WALL_TIMES: list[tuple[str, str, list[str]]] = [
    ("America/New_York", "2027-03-14T01:59:59.999", ["2027-03-14T06:59:59.999"]),
    ("America/New_York", "2027-03-14T02:00:00.000", []),
    ("America/New_York", "2027-03-14T02:59:59.999", []),
    ("America/New_York", "2027-03-14T03:00:00.000", ["2027-03-14T07:00:00.000"]),
    ("America/New_York", "2027-11-07T00:59:59.999", ["2027-11-07T04:59:59.999"]),
    (
        "America/New_York",
        "2027-11-07T01:00:00.000",
        ["2027-11-07T05:00:00.000", "2027-11-07T06:00:00.000"],
    ),
    (
        "America/New_York",
        "2027-11-07T01:59:59.999",
        ["2027-11-07T05:59:59.999", "2027-11-07T06:59:59.999"],
    ),
    ("America/New_York", "2027-11-07T02:00:00.000", ["2027-11-07T07:00:00.000"]),
    ("Pacific/Apia", "2011-12-29T23:59:59.999", ["2011-12-30T09:59:59.999"]),
    ("Pacific/Apia", "2011-12-30T00:00:00.000", []),
    ("Pacific/Apia", "2011-12-30T23:59:59.999", []),
    ("Pacific/Apia", "2011-12-31T00:00:00.000", ["2011-12-30T10:00:00.000"]),
    ("Australia/Lord_Howe", "2030-10-06T02:29:59.999", []),
    ("Australia/Lord_Howe", "2030-10-06T02:30:00.000", ["2030-10-05T15:30:00.000"]),
    (
        "Australia/Lord_Howe",
        "2030-04-07T01:30:00.000",
        ["2030-04-06T14:30:00.000", "2030-04-06T15:00:00.000"],
    ),
    ("Antarctica/Troll", "2030-03-31T01:00:00.000", []),
    ("Antarctica/Troll", "2030-03-31T02:59:59.999", []),
    (
        "Antarctica/Troll",
        "2030-10-27T02:30:00.000",
        ["2030-10-27T00:30:00.000", "2030-10-27T02:30:00.000"],
    ),
    ("Europe/Dublin", "2030-03-31T01:30:00.000", []),
    ("Europe/Dublin", "2030-10-27T01:30:00.000", ["2030-10-27T00:30:00.000", "2030-10-27T01:30:00.000"]),
    ("America/Godthab", "2040-03-24T23:30:00.000", []),
    ("America/Nuuk", "2040-10-27T23:30:00.000", ["2040-10-28T00:30:00.000", "2040-10-28T01:30:00.000"]),
    ("Asia/Jerusalem", "2040-03-23T02:30:00.000", []),
    ("Asia/Gaza", "2100-03-27T02:30:00.000", []),
    ("Africa/Monrovia", "1972-01-07T00:44:29.999", []),
    ("Africa/Monrovia", "1972-01-07T00:44:30.000", ["1972-01-07T00:44:30.000"]),
    ("Europe/Amsterdam", "1600-01-01T00:00:00.000", ["1599-12-31T23:42:30.000"]),
    ("Etc/GMT+12", "9999-12-31T12:00:00.000", ["*253402300800000"]),
    ("Etc/GMT-14", "0001-01-01T00:00:00.000", ["*-62135647200000"]),
    ("Asia/Tokyo", "9999-12-31T23:59:59.999", ["9999-12-31T14:59:59.999"]),
    ("America/New_York", "0001-01-01T00:00:00.000", ["0001-01-01T04:56:02.000"]),
    ("UTC", "1970-01-01T00:00:00.000", ["1970-01-01T00:00:00.000"]),
]


@pytest.mark.parametrize(("name", "wall", "expected"), WALL_TIMES)
def test_a_wall_time(name: str, wall: str, expected: list[str]) -> None:
    """local.unique, local.gap-rejected, local.overlap-first: of none, one or two instants the first."""
    found = instants_of(zone(name), shown(wall))
    assert found == tuple(int(text[1:]) if text.startswith("*") else shown(text) for text in expected)
    assert resolve(zone(name), shown(wall)) == (found[0] if found else None)


GAPS = [(name, wall) for name, wall, expected in WALL_TIMES if not expected]


@pytest.mark.parametrize(("name", "wall"), GAPS)
def test_a_gap(name: str, wall: str) -> None:
    gap = gap_around(zone(name), shown(wall))
    assert offset_at(zone(name), gap.at - 1) == gap.before
    assert offset_at(zone(name), gap.at) == gap.after
    assert gap.at + gap.before <= shown(wall) < gap.at + gap.after


def test_the_gap_is_the_one_that_skips_the_wall_time() -> None:
    gap = gap_around(zone("Pacific/Apia"), shown("2011-12-30T12:00:00.000"))
    assert gap == Transition(ms(2011, 12, 30, 10), -10 * HOUR, 14 * HOUR)


OFFSETS = st.integers(-20, 20)


@st.composite
def small_zones(draw: st.DrawFn) -> Zone:
    """Zones whose clocks jump by some ms, several times within some ms: smaller than any real one."""
    times = draw(st.lists(st.integers(-30, 30), unique=True, max_size=4))
    table = tuple(Onset(at, draw(OFFSETS)) for at in sorted(times))
    rule = draw(st.none() | st.builds(Rule, OFFSETS, st.none())) if table else None
    return Zone("Small/Zone", draw(OFFSETS), table, rule)


@given(small_zones(), st.integers(-60, 60))
def test_all_instants_whose_wall_time_it_is(small: Zone, wall: int) -> None:
    """local.unique, local.gap-rejected, local.overlap-first: as if each instant were looked at."""
    assert instants_of(small, wall) == tuple(t for t in range(-90, 91) if wall_time(small, t) == wall)


@given(small_zones(), st.integers(-60, 60))
def test_a_wall_time_without_instant_lies_in_a_gap(small: Zone, wall: int) -> None:
    if resolve(small, wall) is None:
        gap = gap_around(small, wall)
        assert gap.before == offset_at(small, gap.at - 1)
        assert gap.after == offset_at(small, gap.at)


@given(st.sampled_from(zones.names()), st.integers(EARLIEST, LATEST))
def test_every_instant_is_among_those_of_its_wall_time(name: str, t: int) -> None:
    assert t in instants_of(zone(name), wall_time(zone(name), t))


@given(st.sampled_from(zones.names()), st.integers(EARLIEST, LATEST))
def test_no_wall_time_is_a_day_and_two_hours_off(name: str, t: int) -> None:
    """The bound within which the completeness of the instants is judged."""
    assert abs(wall_time(zone(name), t) - t) < WIDEST_OFFSET


def test_the_rule_takes_over_at_the_last_entry() -> None:
    """Neither before it, where the table still says otherwise, nor after it."""
    ruled = Zone("Small/Zone", 0, (Onset(0, 2 * HOUR), Onset(ms(2030, 7, 1), 0)), parse_rule("AAA0"))
    assert [offset_at(ruled, t) for t in (-1, 0, ms(2030, 7, 1) - 1, ms(2030, 7, 1))] == [
        0,
        2 * HOUR,
        2 * HOUR,
        0,
    ]
    always = Zone("Small/Zone", 5, (), parse_rule("AAA-1"))
    assert offset_at(always, EARLIEST) == HOUR
