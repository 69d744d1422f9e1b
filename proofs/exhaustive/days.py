"""All days of the years 0001 to 9999, and all times of day: law, implementation and calendar against each
other.

The contracts of the law's calendar are taken off here, where every day is tried; what they say is checked
instead.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date as PythonDate  # noqa: N812 - beside the law's dates

from proofs.outcomes import Counterexample, Counts
from proofs.unbounded.contracts import bare
from schedule_impl import instants as impl_instants
from schedule_spec import instants
from schedule_spec.gregorian import Date, date_of, day_number, next_day
from schedule_spec.instants import EARLIEST

DAY = 86_400_000
FIRST, LAST = Date(1, 1, 1), Date(9999, 12, 31)
FIRST_NUMBER = EARLIEST // DAY
_ORDINAL = PythonDate(1970, 1, 1).toordinal()

_next_day: Callable[[Date], Date] = bare(next_day)
_date_of: Callable[[int], Date] = bare(date_of)
_render: Callable[[int], str] = bare(instants.render)


def _days(follows: Callable[[Date], Date]) -> Iterator[tuple[int, Date]]:
    """Yield each day's number and date: the first day, then what follows, one number each."""
    number, date = FIRST_NUMBER, FIRST
    while date <= LAST:
        yield number, date
        number, date = number + 1, follows(date)


def _the_calendar(follows: Callable[[Date], Date]) -> Counts:
    count = 0
    for number, date in _days(follows):
        if day_number(date) != number:
            raise Counterexample(f"{date} has the number {day_number(date)}, not {number}")
        if _date_of(number) != date:
            raise Counterexample(f"the day {number} is {_date_of(number)}, not {date}")
        if (python := PythonDate.fromordinal(number + _ORDINAL)).timetuple()[:3] != date:
            raise Counterexample(f"{date} is {python} in Python's calendar")
        count += 1
    return {"days": count}


def every_day_has_its_number_and_its_date() -> Counts:
    """The law's calendar in both directions, day by day, by the rule of what follows, and Python's."""
    return _the_calendar(_next_day)


def _without_its_leap_centuries(date: Date) -> Date:
    """Forget that every fourth century has its 29 February."""
    return (
        Date(date.year, 3, 1)
        if date.month == 2 and date.day == 28 and date.year % 100 == 0
        else _next_day(date)
    )


def days_without_leap_centuries() -> Counts:
    """The same of a calendar without leap centuries."""
    return _the_calendar(_without_its_leap_centuries)


def _the_texts(
    to_text: Callable[[int], str], to_ms: Callable[[str], int], days: Iterator[tuple[int, Date]]
) -> Counts:
    count, before = 0, ""
    for number, date in days:
        ms = number * DAY + number % DAY
        text = to_text(ms)
        if text[:10] != f"{date.year:04}-{date.month:02}-{date.day:02}":
            raise Counterexample(f"{ms} ms is written {text}, and the date is {date}")
        if to_ms(text) != ms:
            raise Counterexample(f"{text} is read as {to_ms(text)} ms, not {ms}")
        if text <= before:
            raise Counterexample(f"{text} does not come after {before}")
        count, before = count + 1, text
    return {"days": count}


def the_implementation_writes_and_reads_every_day() -> Counts:
    """The implementation's texts in both directions, an instant of each day, in the order of time."""
    return _the_texts(impl_instants.to_text, impl_instants.to_ms, _days(_next_day))


def _rounded(ms: int) -> str:
    """Take the ms of a negative instant for those after the second before: right for whole seconds alone."""
    text = impl_instants.to_text(ms)
    return f"{text[:20]}{abs(ms) % 1000:03}Z"


def rounded_texts_of_every_day() -> Counts:
    """The same of texts whose ms are counted towards zero."""
    return _the_texts(_rounded, impl_instants.to_ms, _days(_next_day))


def the_law_writes_and_reads_every_day() -> Counts:
    """The law's texts in both directions, an instant of each day, in the order of time."""
    return _the_texts(_render, _parsed, _days(_next_day))


def _parsed(text: str) -> int:
    ms = instants.parse(text)
    return EARLIEST - 1 if ms is None else ms


def rounded_texts_of_every_day_under_the_law() -> Counts:
    """The same of texts whose ms are counted towards zero, read by the law."""
    return _the_texts(_rounded, _parsed, _days(_next_day))


def _the_clock(seconds: Mapping[int, str], to_ms: Callable[[str], int]) -> Counts:
    """Read every second of one day, at its first and its last ms, and every ms of one second."""
    tried = 0
    for second, clock in seconds.items():
        for ms in range(1000) if second == 43_200 else (0, 999):
            text = f"2000-02-29T{clock}.{ms:03}Z"
            expected = 951_782_400_000 + second * 1000 + ms
            for found in (to_ms(text), _parsed(text)):
                if found != expected:
                    raise Counterexample(f"{text} is read as {found} ms, not {expected}")
            for written in (impl_instants.to_text(expected), _render(expected)):
                if written != text:
                    raise Counterexample(f"{expected} ms is written {written}, not {text}")
            tried += 1
    return {"times": tried}


def _clocks() -> dict[int, str]:
    clocks = (f"{h:02}:{m:02}:{s:02}" for h in range(24) for m in range(60) for s in range(60))
    return dict(enumerate(clocks))


def every_time_of_day_is_read_and_written_alike() -> Counts:
    """Law and implementation on every second of a day, and on every ms of a second."""
    return _the_clock(_clocks(), impl_instants.to_ms)


def midnight_is_read_as_noon() -> Counts:
    """The same of an implementation that reads 12 as 0, as the American clock does."""
    return _the_clock(_clocks(), lambda text: impl_instants.to_ms(text) % 43_200_000 + 951_782_400_000)
