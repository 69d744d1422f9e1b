"""Rules for the far future: what a TZ string says, and the offset it gives."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.spec.time.tz_files import made_file, ms, oracle, oracle_offset

from schedule_spec import posix_rules
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.posix_rules import (
    HOUR,
    JulianDay,
    Moment,
    Onset,
    Rule,
    Saving,
    WeekdayOfMonth,
    ZeroBasedDay,
    offset_at,
    onsets,
    parse,
)


def test_one_offset() -> None:
    assert parse("<+0545>-5:45") == Rule(5 * HOUR + 45 * 60_000, None)
    assert parse("MST7") == Rule(-7 * HOUR, None)
    assert parse("LMT-0:53:28") == Rule(3_208_000, None)
    assert parse("ABC+24:59:59") == Rule(-25 * HOUR + 1_000, None)


def test_two_offsets() -> None:
    """One hour more and 02:00 are what is meant where nothing is said."""
    first, last = WeekdayOfMonth(3, 2, 0), WeekdayOfMonth(11, 1, 0)
    saving = Saving(-4 * HOUR, Moment(first, 2 * HOUR), Moment(last, 2 * HOUR))
    assert parse("EST5EDT,M3.2.0,M11.1.0") == Rule(-5 * HOUR, saving)


def test_hours_beyond_a_day_and_below_it() -> None:
    saving = parse("<-02>2<-01>,M3.5.0/-1,M10.5.0/167:59:59").saving
    assert saving == Saving(
        -HOUR,
        Moment(WeekdayOfMonth(3, 5, 0), -HOUR),
        Moment(WeekdayOfMonth(10, 5, 0), 168 * HOUR - 1_000),
    )


def test_the_three_forms_of_a_day() -> None:
    saving = parse("AAA0BBB-2:30,J60/0,365/-0:30").saving
    assert saving == Saving(5 * HOUR // 2, Moment(JulianDay(60), 0), Moment(ZeroBasedDay(365), -HOUR // 2))


NO_RULES = [
    "",
    "UTC",
    "UT0",
    "5",
    " UTC0",
    "UTC0\n",
    "UTC٣",
    "<UTC>",
    "<é00>0",
    "UTC25",
    "UTC0:60",
    "UTC0:00:60",
    "UTC0000",
    "EST5EDT",
    "EST5EDT4",
    "EST5EDT,M3.2.0",
    "EST5EDT,M3.2.0,M11.1.0,",
    "EST5EDT,M0.2.0,M11.1.0",
    "EST5EDT,M13.2.0,M11.1.0",
    "EST5EDT,M3.0.0,M11.1.0",
    "EST5EDT,M3.6.0,M11.1.0",
    "EST5EDT,M3.2.7,M11.1.0",
    "EST5EDT,J0,M11.1.0",
    "EST5EDT,J366,M11.1.0",
    "EST5EDT,366,M11.1.0",
    "EST5EDT,M3.2.0/168,M11.1.0",
    "EST5EDT25,M3.2.0,M11.1.0",
]


@pytest.mark.parametrize("text", NO_RULES)
def test_no_rule(text: str) -> None:
    with pytest.raises(ValueError, match=r"TZ string|is not within|is in no year"):
        parse(text)


def test_days_of_different_forms_are_different() -> None:
    """Were they one value, what is kept of the one would be taken for the other."""
    assert len({JulianDay(59), ZeroBasedDay(59)}) == 2


def begins(day: str, year: int) -> int:
    """Return the day on which a saving offset begins at midnight UTC, as the instant."""
    saving = parse(f"AAA0BBB,{day}/0,300").saving
    assert saving is not None
    return next(onset.at for onset in onsets(saving, 0, year, year) if onset.offset == HOUR)


@pytest.mark.parametrize(
    ("day", "year", "month", "day_of_month"),
    [
        ("J1", 2027, 1, 1),
        ("J59", 2028, 2, 28),
        ("J60", 2028, 3, 1),
        ("J60", 2027, 3, 1),
        ("59", 2028, 2, 29),
        ("59", 2027, 3, 1),
        ("0", 2027, 1, 1),
        ("J365", 2028, 12, 31),
        ("365", 2028, 12, 31),
        ("M2.5.2", 2028, 2, 29),
        ("M2.5.2", 2027, 2, 23),
        ("M3.1.0", 2026, 3, 1),
        ("M3.2.0", 2026, 3, 8),
        ("M3.5.0", 2026, 3, 29),
        ("M8.5.6", 2026, 8, 29),
        ("M2.4.0", 2100, 2, 28),
    ],
)
def test_a_day_of_the_year(day: str, year: int, month: int, day_of_month: int) -> None:
    assert begins(day, year) == ms(year, month, day_of_month)


def test_the_day_365_of_a_year_without_it_is_the_next_new_year() -> None:
    assert begins("365", 2027) == ms(2028, 1, 1)


def test_saving_all_year_round() -> None:
    """Each year's end is the next one's beginning (RFC 9636, section 3.3.1): the clocks never change."""
    rule = parse("EST5EDT,0/0,J365/25")
    new_year = ms(2027, 1, 1, 5)
    for t in (new_year - HOUR, new_year - 1, new_year, new_year + 1, new_year + 4_000 * HOUR):
        assert offset_at(rule, t) == -4 * HOUR


def test_the_lesser_offset_all_year_round() -> None:
    """The beginning stands last, whichever offset is the greater."""
    rule = parse("IST-1GMT0,0/0,J365/23")
    for t in (ms(2026, 12, 31, 22), ms(2026, 12, 31, 23), ms(2027, 1, 1), ms(2027, 6, 1)):
        assert offset_at(rule, t) == 0


@pytest.mark.parametrize("day", [WeekdayOfMonth(1, 1, 0), WeekdayOfMonth(12, 5, 6)])
def test_the_first_and_the_last_of_months_weeks_and_weekdays(day: WeekdayOfMonth) -> None:
    saving = parse(f"AAA0BBB,M{day.month}.{day.week}.{day.weekday},J100").saving
    assert saving is not None
    assert saving.begins.day == day


def test_the_widest_offsets_and_times() -> None:
    """24 hours for an offset, 167 for a time: no more of either, in any place."""
    assert parse("AAA24BBB-24,0/167,1/-167") == Rule(
        -24 * HOUR,
        Saving(24 * HOUR, Moment(ZeroBasedDay(0), 167 * HOUR), Moment(ZeroBasedDay(1), -167 * HOUR)),
    )
    for text in ("AAA25", "AAA0BBB25,0,1", "AAA0BBB,0/168,1", "AAA0BBB,0,1/168"):
        with pytest.raises(ValueError, match="is not within"):
            parse(text)


def test_a_moment_may_leave_its_year() -> None:
    """The beginning of 2027 lies in the last days of 2026, the end of 2026 in the first of 2027."""
    early = parse("AAA0BBB,0/-167,J100")
    assert offset_at(early, ms(2026, 12, 25, 1) - 1) == 0
    assert offset_at(early, ms(2026, 12, 25, 1)) == HOUR
    late = parse("AAA0BBB,J100,J365/167")
    assert offset_at(late, ms(2027, 1, 6, 22) - 1) == HOUR
    assert offset_at(late, ms(2027, 1, 6, 22)) == 0


def test_the_lesser_offset_may_be_the_saving_one() -> None:
    ireland = parse("IST-1GMT0,M10.5.0,M3.5.0/1")
    assert [offset_at(ireland, ms(2050, month, 1)) for month in (1, 7)] == [0, HOUR]


CLOCKS = st.integers(-167 * 3_600, 167 * 3_600)
WEEKDAYS = st.builds("M{}.{}.{}".format, st.integers(2, 11), st.integers(1, 5), st.integers(0, 6))
JULIAN = st.builds("J{}".format, st.integers(60, 320))


def clock(seconds: int) -> str:
    sign, size = "-" if seconds < 0 else "", abs(seconds)
    return f"{sign}{size // 3600}:{size // 60 % 60:02}:{size % 60:02}"


@given(
    st.integers(-24 * 3_600 + 1, 24 * 3_600 - 1),
    st.integers(-24 * 3_600 + 1, 24 * 3_600 - 1),
    st.tuples(WEEKDAYS | JULIAN, CLOCKS),
    st.tuples(WEEKDAYS | JULIAN, CLOCKS),
    st.integers(1_990, 9_990),
)
def test_the_standard_library_reads_a_rule_alike(
    west: int, other_west: int, begin: tuple[str, int], end: tuple[str, int], year: int
) -> None:
    """Where it is right: days counted from 0 it takes one too early, and J59 of a leap year one too late.

    Moments that leave their year it does not see from the other year, nor that two close ones may be in
    another order there.
    """
    text = f"AAA{clock(west)}BBB{clock(other_west)},{begin[0]}/{clock(begin[1])},{end[0]}/{clock(end[1])}"
    rule = parse(text)
    assert rule.saving is not None
    made = onsets(rule.saving, rule.standard, year, year)
    assume(made[1].at - made[0].at > 30 * 24 * HOUR)
    second_opinion = oracle(made_file(footer=f"\n{text}\n".encode(), version=b"3"))
    for edge in made:
        for t in (edge.at - 1000, edge.at):
            assert offset_at(rule, t) == oracle_offset(second_opinion, t)


@given(st.integers(EARLIEST, LATEST))
def test_no_onset_lies_between_the_one_that_decides_and_the_instant(t: int) -> None:
    """Sought over many more years than the law looks at."""
    rule = parse("AAA0BBB,0/-167,J365/167")
    assert rule.saving is not None
    year = 1970 + t // (365 * 24 * HOUR)
    all_before = [edge for edge in onsets(rule.saving, 0, year - 40, year + 12) if edge.at <= t]
    assert max(all_before, key=lambda edge: edge.at).offset == offset_at(rule, t)


def test_onsets_come_by_time() -> None:
    southern = parse("AEST-10AEDT,M10.1.0,M4.1.0/3")
    assert southern.saving is not None
    assert onsets(southern.saving, southern.standard, 2026, 2026) == (
        Onset(ms(2026, 4, 4, 16), 10 * HOUR),
        Onset(ms(2026, 10, 3, 16), 11 * HOUR),
    )
    assert posix_rules.years_around(0, 0) == (1967, 1973)
