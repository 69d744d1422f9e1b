"""Wall time to instant (local.*): named transitions, and all zones against the way from instant to wall time.

The named cases were taken from the release's data with `zdump`, which reads it by code of its own.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.impl.time.support import local, scheduled

from schedule_impl import zones
from schedule_impl.local_time import resolve

MS = timedelta(milliseconds=1)
FIRST = datetime(1, 1, 1)  # noqa: DTZ001
LAST = datetime(9999, 12, 31, 23, 59, 59, 999_000)  # noqa: DTZ001
EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001


GAPS = [
    ("America/New_York", "2027-03-14 02:00:00", "2027-03-14 03:00:00", "2027-03-14T07:00:00.000Z"),
    ("Europe/Dublin", "2027-03-28 01:00:00", "2027-03-28 02:00:00", "2027-03-28T01:00:00.000Z"),
    ("Australia/Lord_Howe", "2027-10-03 02:00:00", "2027-10-03 02:30:00", "2027-10-02T15:30:00.000Z"),
    ("Antarctica/Troll", "2027-03-28 01:00:00", "2027-03-28 03:00:00", "2027-03-28T01:00:00.000Z"),
    ("Antarctica/Casey", "2020-10-04 00:01:00", "2020-10-04 03:01:00", "2020-10-03T16:01:00.000Z"),
    ("Pacific/Apia", "2011-12-30 00:00:00", "2011-12-31 00:00:00", "2011-12-30T10:00:00.000Z"),
    ("Pacific/Kwajalein", "1993-08-21 00:00:00", "1993-08-22 00:00:00", "1993-08-21T12:00:00.000Z"),
    ("Asia/Manila", "1844-12-31 00:00:00", "1845-01-01 00:00:00", "1844-12-31T15:56:08.000Z"),
    ("America/Toronto", "1919-03-30 23:30:00", "1919-03-31 00:30:00", "1919-03-31T04:30:00.000Z"),
    ("Africa/Monrovia", "1972-01-07 00:00:00", "1972-01-07 00:44:30", "1972-01-07T00:44:30.000Z"),
    # By rules for the far future: 50 hours into a Thursday, an hour before a Sunday, 24 into a Saturday.
    ("Asia/Gaza", "2099-03-28 02:00:00", "2099-03-28 03:00:00", "2099-03-28T00:00:00.000Z"),
    ("Asia/Gaza", "9998-03-28 02:00:00", "9998-03-28 03:00:00", "9998-03-28T00:00:00.000Z"),
    ("America/Nuuk", "2099-03-28 23:00:00", "2099-03-29 00:00:00", "2099-03-29T01:00:00.000Z"),
    ("America/Santiago", "2098-09-07 00:00:00", "2098-09-07 01:00:00", "2098-09-07T04:00:00.000Z"),
    ("Africa/Cairo", "2098-04-25 00:00:00", "2098-04-25 01:00:00", "2098-04-24T22:00:00.000Z"),
    ("America/New_York", "9998-03-08 02:00:00", "9998-03-08 03:00:00", "9998-03-08T07:00:00.000Z"),
]

OVERLAPS = [
    ("America/New_York", "9998-11-01 01:00:00", "9998-11-01 02:00:00", "9998-11-01T05:00:00.000Z"),
    ("Europe/Dublin", "2027-10-31 01:00:00", "2027-10-31 02:00:00", "2027-10-31T00:00:00.000Z"),
    ("Australia/Lord_Howe", "2027-04-04 01:30:00", "2027-04-04 02:00:00", "2027-04-03T14:30:00.000Z"),
    ("Antarctica/Troll", "2027-10-31 01:00:00", "2027-10-31 03:00:00", "2027-10-30T23:00:00.000Z"),
    ("Antarctica/Casey", "2020-03-08 00:00:00", "2020-03-08 03:00:00", "2020-03-07T13:00:00.000Z"),
    ("America/Juneau", "1867-10-18 15:33:32", "1867-10-19 15:33:32", "1867-10-18T00:31:13.000Z"),
    ("Asia/Gaza", "2099-10-24 01:00:00", "2099-10-24 02:00:00", "2099-10-23T22:00:00.000Z"),
    ("America/Nuuk", "2099-10-24 23:00:00", "2099-10-25 00:00:00", "2099-10-25T00:00:00.000Z"),
    ("America/Santiago", "2098-04-05 23:00:00", "2098-04-06 00:00:00", "2098-04-06T02:00:00.000Z"),
    ("Africa/Cairo", "2098-10-30 23:00:00", "2098-10-31 00:00:00", "2098-10-30T20:00:00.000Z"),
]


def read(text: str) -> datetime:
    return datetime.fromisoformat(text)


def at_wall(wall: datetime, zone: str) -> str:
    date, time = wall.isoformat(timespec="milliseconds").split("T")
    answer = local(date, time, zone)
    assert isinstance(answer, str)
    return answer


def plus(instant: str, span: timedelta) -> str:
    moment = datetime.fromisoformat(instant) + span
    return moment.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


@pytest.mark.parametrize(("zone", "begin", "end", "instant"), GAPS)
def test_no_instant_within_a_gap(zone: str, begin: str, end: str, instant: str) -> None:
    """No wall time from `begin` up to `end` is ever shown; `instant` is when the clocks are put forward."""
    skipped, next_shown = read(begin), read(end)
    for wall in (skipped, skipped + MS, skipped + (next_shown - skipped) / 2, next_shown - MS):
        assert at_wall(wall, zone) == "invalid_rule"
    assert at_wall(skipped - MS, zone) == plus(instant, -MS)
    assert at_wall(next_shown, zone) == instant


@pytest.mark.parametrize(("zone", "begin", "end", "instant"), OVERLAPS)
def test_the_first_of_two(zone: str, begin: str, end: str, instant: str) -> None:
    """Wall times from `begin` up to `end` come twice; `instant` is when the first of them comes first."""
    repeated, single = read(begin), read(end)
    for span in (-MS, 0 * MS, MS, (single - repeated) / 2, single - repeated - MS):
        assert at_wall(repeated + span, zone) == plus(instant, span)
    assert at_wall(single, zone) == plus(instant, 2 * (single - repeated))


def test_a_wall_time_does_not_say_itself_which_of_two_it_is() -> None:
    zone = zones.load("Europe/London")
    wall = datetime(2027, 10, 31, 1, 30)  # noqa: DTZ001
    assert resolve(zone, wall) == resolve(zone, wall.replace(fold=1)) == 1_824_942_600_000


def test_the_first_of_two_even_when_it_is_past() -> None:
    at = {"date": "2027-10-31", "time": "01:30:00", "time_zone": "Europe/London"}
    first = 1_824_942_600_000
    assert scheduled(at, now=first - 1) == "2027-10-31T00:30:00.000Z"
    assert scheduled(at, now=first) == "not_future"
    assert scheduled(at, now=first + 1_800_000) == "not_future"


def test_offsets_of_whole_seconds() -> None:
    assert local("1891-03-15", "23:59:59.999", "Europe/Paris") == "1891-03-15T23:50:38.999Z"
    assert local("1950-01-01", "00:00:00.001", "Africa/Monrovia") == "1950-01-01T00:44:30.001Z"
    assert local("0001-01-01", "00:00:00", "America/New_York") == "0001-01-01T04:56:02.000Z"


@pytest.mark.parametrize(
    ("date", "time", "zone", "answer"),
    [
        ("0001-01-01", "00:00:00", "UTC", "0001-01-01T00:00:00.000Z"),
        ("0001-01-01", "00:00:00", "Etc/GMT+12", "0001-01-01T12:00:00.000Z"),
        ("0001-01-01", "13:59:59.999", "Etc/GMT-14", "time_out_of_range"),
        ("0001-01-01", "14:00:00", "Etc/GMT-14", "0001-01-01T00:00:00.000Z"),
        ("0001-01-01", "00:09:20.999", "Europe/Paris", "time_out_of_range"),
        ("0001-01-01", "00:09:21", "Europe/Paris", "0001-01-01T00:00:00.000Z"),
        ("9999-12-31", "23:59:59.999", "Etc/GMT-14", "9999-12-31T09:59:59.999Z"),
        ("9999-12-31", "23:59:59.999", "Asia/Tokyo", "9999-12-31T14:59:59.999Z"),
        ("9999-12-31", "23:59:59.999", "Pacific/Auckland", "9999-12-31T10:59:59.999Z"),
        ("9999-12-31", "11:59:59.999", "Etc/GMT+12", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31", "12:00:00", "Etc/GMT+12", "time_out_of_range"),
        ("9999-12-31", "18:59:59.999", "America/New_York", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31", "19:00:00", "America/New_York", "time_out_of_range"),
    ],
)
def test_both_ends_of_the_range(date: str, time: str, zone: str, answer: str) -> None:
    assert local(date, time, zone) == answer


def shown(zone: ZoneInfo, instant: datetime) -> datetime:
    """What the clocks in the zone show at an instant in UTC."""
    return instant.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None, fold=0)


def instants_of(zone: ZoneInfo, wall: datetime) -> list[datetime]:
    """All instants that show the wall time: tried by each offset that holds within two days of it."""
    offsets = {
        shown(zone, near) - near for near in (wall + timedelta(hours=hours) for hours in range(-48, 49, 6))
    }
    return sorted(wall - offset for offset in offsets if shown(zone, wall - offset) == wall)


def least(zone: ZoneInfo, wall: datetime) -> int | None:
    instants = instants_of(zone, wall)
    return (instants[0] - EPOCH) // MS if instants else None


@given(
    st.sampled_from(zones.names()),
    st.datetimes(FIRST + timedelta(days=4), LAST - timedelta(days=4)),
)
def test_the_least_instant_that_shows_the_wall_time(name: str, wall: datetime) -> None:
    zone = zones.load(name)
    wall = wall.replace(microsecond=wall.microsecond // 1000 * 1000)
    assert resolve(zone, wall) == least(zone, wall)


def change_within(zone: ZoneInfo, begin: datetime, end: datetime) -> datetime:
    """The first second of the new offset between two instants with different ones."""
    before = shown(zone, begin) - begin
    while end - begin > timedelta(seconds=1):
        middle = begin + (end - begin) // timedelta(seconds=2) * timedelta(seconds=1)
        begin, end = (middle, end) if shown(zone, middle) - middle == before else (begin, middle)
    return end


@pytest.mark.parametrize("year", [1883, 1911, 1942, 1970, 1999, 2026, 2095, 9994])
def test_around_the_changes_of_a_zone(year: int) -> None:
    """Each tenth zone, another tenth each time: every change of offset in three years, and its edges."""
    changes = 0
    for name in zones.names()[year % 10 :: 10]:
        zone = zones.load(name)
        day = datetime(year, 1, 1)  # noqa: DTZ001
        for _ in range(3 * 73):
            following = day + timedelta(days=5)
            before, after = shown(zone, day) - day, shown(zone, following) - following
            if before != after:
                changes += 1
                instant = change_within(zone, day, following)
                low, high = instant + min(before, after), instant + max(before, after)
                for wall in (low - MS, low, low + MS, low + (high - low) / 2, high - MS, high, high + MS):
                    assert resolve(zone, wall) == least(zone, wall), (name, wall)
            day = following
    assert changes > 0
