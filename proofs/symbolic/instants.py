"""Instants and the calendar: what is read as an instant stands there in figures, and no other text is read.

The writing of an instant is carried in parts, as symbols cannot be formatted: its ms are split up and make
up the same ms again, a day has its date (the law's own contract), and figures stand in the order of their
numbers.
The implementation looks texts up in tables, which takes values: `proofs.exhaustive.texts` holds it against
the law. Clauses: instant.*.
"""

from typing import NamedTuple

from icontract import ensure, require

from proofs.symbolic.twins import under_contracts_of
from schedule_spec import gregorian
from schedule_spec import instants as law
from schedule_spec.gregorian import Date


@under_contracts_of(law.parse)
def parse_with_a_year_0000(text: str) -> int | None:
    """Broken: the year before the year 0001 is taken for one of the range."""
    if text == "0000-12-31T23:59:59.999Z":
        return law.EARLIEST - 1
    return law.parse(text)


@under_contracts_of(gregorian.next_day)
def next_day_of_months_of_30_days(date: Date) -> Date:
    """Broken: no month has a day 31."""
    if date.day == 30:
        return Date(date.year, date.month + 1, 1) if date.month < 12 else Date(date.year + 1, 1, 1)
    return gregorian.next_day(date)


@under_contracts_of(gregorian.date_of)
def date_of_a_year_of_365_days(number: int) -> Date:
    """Broken: the last day of a leap year is given to the next."""
    return Date(2001, 1, 1) if number == 11_322 else gregorian.date_of(number)


# -- reading ------------------------------------------------------------------------------------------------


class Reading(NamedTuple):
    """The numbers that stand in a text of 24 characters."""

    date: Date
    hour: int
    minute: int
    second: int
    ms: int


def _number(text: str) -> int:
    number = 0
    for figure in text:
        number = 10 * number + ord(figure) - ord("0")
    return number


_FIGURES = (0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18, 20, 21, 22)
_MARKS = ((4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, "."), (23, "Z"))


def _figures_stand(text: str) -> bool:
    return all(ord("0") <= ord(text[place]) <= ord("9") for place in _FIGURES)


def _marks_stand(text: str) -> bool:
    return all(ord(text[place]) == ord(mark) for place, mark in _MARKS)


def _reading(text: str) -> Reading:
    return Reading(
        Date(_number(text[:4]), _number(text[5:7]), _number(text[8:10])),
        _number(text[11:13]),
        _number(text[14:16]),
        _number(text[17:19]),
        _number(text[20:23]),
    )


def _is_real(reading: Reading) -> bool:
    return (
        gregorian.is_date(reading.date)
        and reading.hour <= 23
        and reading.minute <= 59
        and reading.second <= 59
    )


def _made_up(days: int, hour: int, minute: int, second: int, ms: int) -> int:
    return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + ms


def _meant(text: str) -> int | None:
    """Return what marks and figures mean, None where they mean no real date and time."""
    reading = _reading(text)
    return _made_up(gregorian.day_number(reading.date), *reading[1:]) if _is_real(reading) else None


@ensure(
    lambda result, text: (
        result is None or (_marks_stand(text) and _figures_stand(text) and result == _meant(text))
    ),
    "instant.canonical: what is read stands there in marks and figures, and nothing else is read",
)
@require(lambda text: len(text) == 24, "instant.canonical: the text has 24 characters")
def reading_by_figures(text: str) -> int | None:
    """Return what the law reads in a text of the right length."""
    return law.parse(text)


@under_contracts_of(reading_by_figures)
def reading_a_second_60(text: str) -> int | None:
    """Broken: a leap second is taken for the first of the next minute."""
    if text == "2016-12-31T23:59:60.000Z":
        return law.parse("2017-01-01T00:00:00.000Z")
    return law.parse(text)


@ensure(lambda result: result is None, "instant.canonical: nothing of another length is an instant")
@require(lambda text: len(text) != 24 and len(text) <= 26, "instant.canonical: the length is not 24")
def reading_other_lengths(text: str) -> int | None:
    """Return what the law reads in a text that is too short or too long."""
    return law.parse(text)


@under_contracts_of(reading_other_lengths)
def reading_before_a_newline(text: str) -> int | None:
    """Broken: a final newline is overlooked, as `$` does in a pattern."""
    return law.parse(text.removesuffix("\n")) if text == "1970-01-01T00:00:00.000Z\n" else law.parse(text)


# -- writing ------------------------------------------------------------------------------------------------


@ensure(
    lambda result, days, hour, minute, second, ms: result == (days, hour, minute, second, ms),
    "instant.round-trip: an instant is split into the parts that make it up",
)
@require(
    lambda hour, minute, second, ms: (
        0 <= hour <= 23 and 0 <= minute <= 59 and 0 <= second <= 59 and 0 <= ms <= 999
    ),
    "instant.canonical: the parts of a time of day",
)
def splitting_an_instant(days: int, hour: int, minute: int, second: int, ms: int) -> tuple[int, ...]:
    """Return the parts in which an instant is written, split as the law splits them."""
    seconds, ms_of_second = divmod(_made_up(days, hour, minute, second, ms), 1000)
    minutes, second_of_minute = divmod(seconds, 60)
    hours, minute_of_hour = divmod(minutes, 60)
    return (*divmod(hours, 24), minute_of_hour, second_of_minute, ms_of_second)


@under_contracts_of(splitting_an_instant)
def splitting_towards_zero(days: int, hour: int, minute: int, second: int, ms: int) -> tuple[int, ...]:
    """Broken: before 1970 the day is rounded towards zero."""
    whole_days = -(-_made_up(days, hour, minute, second, ms) // 86_400_000)
    return (whole_days if days < 0 else days, hour, minute, second, ms)


@under_contracts_of(law.render)
def render_of_the_epoch(ms: int) -> str:
    """Broken: the first millisecond of 1970 has the text of the second."""
    return law.render(1 if ms == 0 else ms)


def _written(number: int) -> str:
    return "".join(chr(ord("0") + number // power % 10) for power in (1000, 100, 10, 1))


@ensure(
    lambda result, one, other: result == (one < other),
    "instant.round-trip: the order of the texts is the order of the numbers",
)
@require(lambda one, other: 0 <= one <= 9999 and 0 <= other <= 9999, "instant.canonical: four figures")
def order_of_figures(one: int, other: int) -> bool:
    """Tell whether the figures of one number stand before those of the other."""
    return _written(one) < _written(other)


@under_contracts_of(order_of_figures)
def order_of_figures_unpadded(one: int, other: int) -> bool:
    """Broken: noughts in front are left out."""
    return _written(one).lstrip("0") < _written(other).lstrip("0")
