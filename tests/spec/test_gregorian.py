from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from schedule_spec.gregorian import EPOCH, Date, date_of, day_number, is_date, next_day
from schedule_spec.instants import EARLIEST, LATEST

DAY = 86_400_000
EPOCH_ORDINAL = date(1970, 1, 1).toordinal()


def civil(day: date) -> Date:
    return Date(day.year, day.month, day.day)


def test_every_month_of_every_year_begins_and_ends_where_datetime_says() -> None:
    for year in range(1, 10_000):
        for month in range(1, 13):
            first = date(year, month, 1)
            assert day_number(civil(first)) == first.toordinal() - EPOCH_ORDINAL
            following = date(year + month // 12, month % 12 + 1, 1) if (year, month) != (9999, 12) else None
            last = following - timedelta(days=1) if following else date.max
            assert is_date(civil(last))
            assert not is_date(Date(year, month, last.day + 1))
            assert day_number(civil(last)) == last.toordinal() - EPOCH_ORDINAL


def test_every_year_turns_where_datetime_says() -> None:
    for year in range(1, 10_000):
        for day in (date(year, 1, 1), date(year, 12, 31)):
            assert date_of(day.toordinal() - EPOCH_ORDINAL) == civil(day)


def test_the_epoch() -> None:
    assert day_number(EPOCH) == 0
    assert date_of(0) == EPOCH


@given(st.dates(max_value=date.max - timedelta(days=1)))
def test_the_next_day_is_one_more(day: date) -> None:
    assert next_day(civil(day)) == civil(day + timedelta(days=1))


def test_february_of_every_year_ends_as_datetime_says() -> None:
    for year in range(1, 10_000):
        assert next_day(Date(year, 2, 28)) == civil(date(year, 2, 28) + timedelta(days=1))


def test_months_and_years_turn_as_datetime_says() -> None:
    for year in (1, 1900, 2000, 2027, 9998):
        for month in range(1, 13):
            first = date(year + month // 12, month % 12 + 1, 1)
            assert next_day(civil(first - timedelta(days=1))) == civil(first)
    assert next_day(Date(9999, 12, 31)) == Date(10_000, 1, 1)


@given(st.dates())
def test_dates_and_their_numbers(day: date) -> None:
    assert day_number(civil(day)) == day.toordinal() - EPOCH_ORDINAL
    assert date_of(day.toordinal() - EPOCH_ORDINAL) == civil(day)


def test_the_ends_of_the_calendar_are_those_of_the_range() -> None:
    assert date_of(EARLIEST // DAY) == Date(1, 1, 1)
    assert date_of(LATEST // DAY) == Date(9999, 12, 31)


def test_what_is_no_date() -> None:
    impossible = [(0, 1, 1), (10_000, 1, 1), (2030, 0, 1), (2030, 13, 1), (2030, 1, 0), (2030, 4, 31)]
    assert not any(is_date(Date(*fields)) for fields in impossible)
    assert [year for year in (1600, 1700, 1900, 2000, 2024, 2030, 2100) if is_date(Date(year, 2, 29))] == [
        1600,
        2000,
        2024,
    ]
