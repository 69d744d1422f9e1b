"""Rules for the far future: what holds in a zone after the last transition its table lists.

Part of local.unique, local.gap-rejected and local.overlap-first. A rule is what the footer of a TZif file
says (RFC 9636, section 3.3): a TZ string of POSIX, whose times of day may lie between -167 and 167 hours. It
tells for each year when the saving offset begins and when the standard one begins again; at any moment that
offset holds whose onset was the last. Offsets are ms east of UTC, instants ms.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias, assert_never

from icontract import ensure

from schedule_spec.gregorian import Date, day_number, is_leap_year, month_length
from schedule_spec.rejections import quoted

SECOND = 1_000
HOUR = 3_600 * SECOND
DAY = 24 * HOUR
WIDEST_OFFSET = 26 * HOUR
"""What no offset reaches, east or west (RFC 9636, section 3.2)."""


class Onset(NamedTuple):
    """From the instant `at` on, the offset is `offset`; both in ms."""

    at: int
    offset: int


@dataclass(frozen=True, slots=True)
class JulianDay:
    """The day `Jn` of a year, 1 to 365: 29 February is never counted."""

    number: int


@dataclass(frozen=True, slots=True)
class ZeroBasedDay:
    """The day `n` of a year, 0 to 365: 29 February is counted."""

    number: int


@dataclass(frozen=True, slots=True)
class WeekdayOfMonth:
    """The day `Mm.w.d`: the w-th weekday d (0 is Sunday) of the month; w = 5 is the last."""

    month: int
    week: int
    weekday: int


DayOfYear: TypeAlias = JulianDay | ZeroBasedDay | WeekdayOfMonth


@dataclass(frozen=True, slots=True)
class Moment:
    """A day of each year, and a time on the clock in ms after the beginning of that day."""

    day: DayOfYear
    time: int


@dataclass(frozen=True, slots=True)
class Saving:
    """The other offset of a rule: it holds from `begins`, by the standard clock, to `ends`, by its own.

    It may be the lesser of the two, as in Ireland.
    """

    offset: int
    begins: Moment
    ends: Moment


@dataclass(frozen=True, slots=True)
class Rule:
    """An offset that always holds, or two that take turns each year."""

    standard: int
    saving: Saving | None


_NAME = r"(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)"
_CLOCK = r"[+-]?[0-9]{1,3}(?::[0-9]{2}){0,2}"
_DAY = r"(?:J[0-9]{1,3}|[0-9]{1,3}|M[0-9]{1,2}\.[0-9]\.[0-9])"
_RULE = re.compile(
    rf"{_NAME}({_CLOCK})(?:{_NAME}({_CLOCK})?,({_DAY})(?:/({_CLOCK}))?,({_DAY})(?:/({_CLOCK}))?)?"
)
_DEFAULT_TIME = "2"


def parse(text: str) -> Rule:
    """Return the rule that a TZ string states; ValueError, which says why, for every other text."""
    found = _RULE.fullmatch(text)
    if found is None:
        raise ValueError(f"the rule {quoted(text)} is no TZ string that states its days")
    west, saving_west, first_day, first_time, last_day, last_time = found.groups()
    standard = -_clock(west, 24)
    if first_day is None:
        return Rule(standard, None)
    return Rule(
        standard,
        Saving(
            standard + HOUR if saving_west is None else -_clock(saving_west, 24),
            Moment(_day(first_day), _clock(first_time or _DEFAULT_TIME, 167)),
            Moment(_day(last_day), _clock(last_time or _DEFAULT_TIME, 167)),
        ),
    )


def _clock(text: str, most_hours: int) -> int:
    hours, minutes, seconds = ([int(field) for field in text.lstrip("+-").split(":")] + [0, 0])[:3]
    if hours > most_hours or minutes > 59 or seconds > 59:
        raise ValueError(
            f"the time {quoted(text)} is not within {most_hours} hours, 59 minutes and 59 seconds"
        )
    ms = hours * HOUR + (minutes * 60 + seconds) * SECOND
    return -ms if text.startswith("-") else ms


def _day(text: str) -> DayOfYear:
    day: DayOfYear
    match text[0]:
        case "J":
            day, sound = JulianDay(int(text[1:])), 1 <= int(text[1:]) <= 365
        case "M":
            day = WeekdayOfMonth(*map(int, text[1:].split(".")))
            sound = 1 <= day.month <= 12 and 1 <= day.week <= 5 and day.weekday <= 6
        case _:
            day, sound = ZeroBasedDay(int(text)), int(text) <= 365
    if not sound:
        raise ValueError(f"the day {quoted(text)} is in no year")
    return day


_EPOCH_WEEKDAY = 4


def _day_number(day: DayOfYear, year: int) -> int:
    """Count the days from 1970-01-01 to the day of that year."""
    new_year = day_number(Date(year, 1, 1))
    match day:
        case JulianDay(number):
            return new_year + number - 1 + (is_leap_year(year) and number >= 60)
        case ZeroBasedDay(number):
            return new_year + number
        case WeekdayOfMonth(month, week, weekday):
            first = day_number(Date(year, month, 1))
            days = range(first, first + month_length(year, month))
            matching = [number for number in days if (number + _EPOCH_WEEKDAY) % 7 == weekday]
            return matching[min(week, len(matching)) - 1]
    assert_never(day)


@lru_cache(maxsize=8192)
def onsets(saving: Saving, standard: int, first_year: int, last_year: int) -> tuple[Onset, ...]:
    """Return what the moments of those years begin, by time.

    Where one year's end meets the next year's beginning, the beginning stands last: saving all year round.
    """

    def at(moment: Moment, year: int, offset: int) -> int:
        return _day_number(moment.day, year) * DAY + moment.time - offset

    unsorted = [
        onset
        for year in range(first_year, last_year + 1)
        for onset in (
            Onset(at(saving.begins, year, standard), saving.offset),
            Onset(at(saving.ends, year, saving.offset), standard),
        )
    ]
    return tuple(sorted(unsorted, key=lambda onset: onset.at))


_MEAN_YEAR = 31_556_952 * SECOND


def years_around(first: int, last: int) -> tuple[int, int]:
    """Return years such that every moment between two instants, in ms, belongs to them or those between.

    The moment before the first and that after the last do too: a moment leaves its year by a week at most.
    """
    return 1970 + first // _MEAN_YEAR - 3, 1970 + last // _MEAN_YEAR + 3


def offsets(rule: Rule) -> tuple[int, ...]:
    """Return the one or two offsets that a rule knows, in ms."""
    return (rule.standard,) if rule.saving is None else (rule.standard, rule.saving.offset)


@ensure(lambda result, rule: result in offsets(rule), "local.unique: a rule knows no third offset")
def offset_at(rule: Rule, t: int) -> int:
    """Return the offset, in ms, that a rule gives at an instant: that of the last onset not after it."""
    if rule.saving is None:
        return rule.standard
    around = onsets(rule.saving, rule.standard, *years_around(t, t))
    return next(onset.offset for onset in reversed(around) if onset.at <= t)
