"""The proleptic Gregorian calendar of the years 1 to 9999: dates, and the days counted between them.

Part of instant.canonical ("a real calendar date"). What the calendar is, `next_day` says: which date follows
which. `day_number` counts days so that the epoch is 0 and each next day is one more, which determines it.
"""

from typing import NamedTuple

from icontract import ensure, require

from schedule_spec.marks import defines

FIRST_YEAR = 1
LAST_YEAR = 9999


class Date(NamedTuple):
    """A year, a month from 1 to 12, and a day of the month from 1; real only where `is_date` says so."""

    year: int
    month: int
    day: int


EPOCH = Date(1970, 1, 1)
"""The date whose day number is 0."""


def is_leap_year(year: int) -> bool:
    """Tell whether the year has a 29 February."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def month_length(year: int, month: int) -> int:
    """Return the number of days of a month from 1 to 12."""
    if month == 2:
        return 29 if is_leap_year(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


@defines("instant.canonical")
def is_date(date: Date) -> bool:
    """Tell whether the date exists in the years 0001 to 9999 (instant.canonical)."""
    return (
        FIRST_YEAR <= date.year <= LAST_YEAR
        and 1 <= date.month <= 12
        and 1 <= date.day <= month_length(date.year, date.month)
    )


@require(is_date, "instant.canonical: only a real date has a next day")
@ensure(
    lambda result, date: day_number(result) == day_number(date) + 1,
    "instant.canonical: the next day's number is one more",
)
@ensure(
    lambda result: is_date(result) or result == Date(LAST_YEAR + 1, 1, 1),
    "instant.canonical: what follows is a real date, or the first of the year 10000",
)
def next_day(date: Date) -> Date:
    """Return the date that follows; after 9999-12-31 it is 10000-01-01, which `is_date` excludes."""
    year, month, day = date
    if day < month_length(year, month):
        return Date(year, month, day + 1)
    return Date(year, month + 1, 1) if month < 12 else Date(year + 1, 1, 1)


def _days_before_year(year: int) -> int:
    """Count the days from 0001-01-01 to the year's first day."""
    past = year - 1
    return past * 365 + past // 4 - past // 100 + past // 400


def _days_before_month(year: int, month: int) -> int:
    """Count the days from the year's first day to the month's first day."""
    return sum(month_length(year, earlier) for earlier in range(1, month))


_EPOCH_DAYS = _days_before_year(EPOCH.year)


def day_number(date: Date) -> int:
    """Return the number of days from 1970-01-01 to a date, negative before it."""
    return (
        _days_before_year(date.year) + _days_before_month(date.year, date.month) + date.day - 1 - _EPOCH_DAYS
    )


@ensure(
    lambda result, number: day_number(result) == number,
    "instant.round-trip: a date's number leads back to the date",
)
@ensure(lambda result: is_date(result), "instant.canonical: a real calendar date")  # noqa: PLW0108
@require(
    lambda number: -_EPOCH_DAYS <= number < _days_before_year(LAST_YEAR + 1) - _EPOCH_DAYS,
    "instant.range: the years are 0001 to 9999",
)
def date_of(number: int) -> Date:
    """Return the date with that day number: the last year, and in it the last month, that begins by then."""
    days = number + _EPOCH_DAYS
    estimate = days * 400 // 146097 + 1
    year = max(year for year in (estimate, estimate + 1) if _days_before_year(year) <= days)
    days -= _days_before_year(year)
    month = max(month for month in range(1, 13) if _days_before_month(year, month) <= days)
    return Date(year, month, days - _days_before_month(year, month) + 1)
