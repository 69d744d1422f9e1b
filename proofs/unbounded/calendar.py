"""The Gregorian calendar (instant.canonical, instant.range), for all dates and all day numbers.

`next_day` says which date follows which; that the numbers follow, and where they begin, determines
`day_number`.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from proofs.paths import assume, claim
from proofs.unbounded.contracts import bare, keeps_its_contracts
from schedule_spec import gregorian
from schedule_spec.gregorian import EPOCH, Date, day_number, is_date

Number: TypeAlias = Any

_next_day: Callable[[Date], Date] = bare(gregorian.next_day)
_date_of: Callable[[Number], Date] = bare(gregorian.date_of)


def each_next_day_has_the_next_number(year: Number, month: Number, day: Number) -> None:
    """The successor theorem.

    The contracts of the law's `next_day`: a real date, or the first of the year 10000, whose number is one
    more; and the base, that the epoch's number is 0.
    """
    claim(day_number(EPOCH) == 0, "instant.canonical: the epoch is day 0")
    _follows(_next_day, Date(year, month, day))


def _follows(next_day: Callable[[Date], Date], date: Date) -> None:
    keeps_its_contracts(gregorian.next_day, next_day, {"date": date})


def _julian_next_day(date: Date) -> Date:
    """Follow the Julian calendar, in which every fourth year is a leap year."""
    year, month, day = date
    if month == 2 and day == 28 and year % 4 == 0:
        return Date(year, 2, 29)
    return _next_day(date)


def each_julian_day_has_the_next_number(year: Number, month: Number, day: Number) -> None:
    """The same of the Julian calendar."""
    _follows(_julian_next_day, Date(year, month, day))


def every_day_number_leads_to_its_date(number: Number) -> None:
    """The contracts of the law's `date_of`: a real date, whose number is the one that was given."""
    keeps_its_contracts(gregorian.date_of, _date_of, {"number": number})


def _date_by_the_estimate_alone(number: Number) -> Date:
    """Take the estimated year for the year: right but for some days at the year's turn."""
    days = number - day_number(Date(1, 1, 1))
    year = days * 400 // 146097 + 1
    days = days - (day_number(Date(year, 1, 1)) - day_number(Date(1, 1, 1)))
    starts = [day_number(Date(year, month, 1)) - day_number(Date(year, 1, 1)) for month in range(1, 13)]
    month = max((month for month in range(1, 13) if starts[month - 1] <= days), default=12)
    return Date(year, month, days - starts[month - 1] + 1)


def every_day_number_leads_to_an_estimate(number: Number) -> None:
    """The same of a date by the estimated year alone."""
    keeps_its_contracts(gregorian.date_of, _date_by_the_estimate_alone, {"number": number})


def _ordered(  # noqa: PLR0913, PLR0917 - two dates of one year
    number_of: Callable[[Date], Number],
    year: Number,
    month: Number,
    day: Number,
    months: Number,
    days: Number,
) -> None:
    former, latter = Date(year, month, day), Date(year, months, days)
    assume(is_date(former))
    assume(is_date(latter))
    if former < latter:
        claim(number_of(former) < number_of(latter), "instant.round-trip: dates of a year in order")
    assume(former == latter)
    claim(
        number_of(Date(year, 12, 31)) + 1 == number_of(Date(year + 1, 1, 1)),
        "instant.round-trip: years follow",
    )


def dates_in_order_have_numbers_in_order(
    year: Number, month: Number, day: Number, months: Number, days: Number
) -> None:
    """Within a year dates are in the order of their numbers; each year follows the one before."""
    _ordered(day_number, year, month, day, months, days)


def _thirty_days_each(date: Date) -> Number:
    """Count as if every month had 30 days, which confuses the 31st with the 1st."""
    return date.year * 365 + (date.month - 1) * 30 + date.day


def dates_of_thirty_day_months_are_in_order(
    year: Number, month: Number, day: Number, months: Number, days: Number
) -> None:
    """The same of months of thirty days."""
    _ordered(_thirty_days_each, year, month, day, months, days)
