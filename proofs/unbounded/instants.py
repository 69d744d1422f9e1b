"""How instants are written (instant.canonical, instant.round-trip), for every instant and for every digit."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, TypeAlias
from unittest.mock import patch

from proofs.paths import assume, claim, read
from proofs.unbounded.contracts import bare, keeps_its_contracts
from schedule_spec import instants
from schedule_spec.gregorian import Date, date_of, day_number, is_date
from schedule_spec.instants import EARLIEST, LATEST

Number: TypeAlias = Any

FORM = "{04}-{02}-{02}T{02}:{02}:{02}.{03}Z"
"""The canonical form: seven numbers, each with zeros before it up to its width."""
BOUNDS = (9999, 12, 31, 23, 59, 59, 999)
"""The greatest that each number may be: none is wider than its place."""
PLACES = (9999, 99, 99, 99, 99, 99, 999)
"""The greatest number that each place holds."""


def _means(fields: tuple[Number, ...]) -> Number:
    year, month, day, hours, minutes, seconds, ms = fields
    return (((day_number(Date(year, month, day)) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms


def _written(render: Callable[[Number], str], ms: Number) -> None:
    assume(ms >= EARLIEST)
    assume(ms <= LATEST)
    form, found = read(render(ms))
    fields: tuple[Number, ...] = found
    claim(form == FORM, "instant.canonical: the form is the canonical one")
    for field, most in zip(fields, BOUNDS, strict=True):
        claim(field >= 0, "instant.canonical: no number is negative")
        claim(field <= most, "instant.canonical: each number fits its place")
    year, month, day, *_ = fields
    claim(is_date(Date(year, month, day)), "instant.canonical: the date is real")
    claim(_means(fields) == ms, "instant.round-trip: what is written means the instant")


def what_is_written_is_canonical_and_means_the_instant(ms: Number) -> None:
    """The law's `render`, whatever the instant."""
    _written(bare(instants.render), ms)


def _rounding_to_seconds(ms: Number) -> str:
    """Count seconds towards zero, as integer division in C does: wrong before the epoch."""
    seconds = ms // 1000 if ms >= 0 else -(-ms // 1000)
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    year, month, day = date_of(days)
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms % 1000:03}Z"


def what_is_rounded_means_the_instant(ms: Number) -> None:
    """The same of seconds that are rounded towards zero."""
    _written(_rounding_to_seconds, ms)


@contextmanager
def _standing_in_a_text(fields: tuple[Number, ...]) -> Iterator[None]:
    """Let the law's pattern find these numbers in any text, already read, while the block runs."""
    pattern = SimpleNamespace(fullmatch=lambda _: SimpleNamespace(groups=lambda: fields))
    with patch.object(instants, "_CANONICAL", pattern), patch.object(instants, "int", _same, create=True):
        yield


def _same(number: Number) -> Number:
    return number


def _by_the_law(fields: tuple[Number, ...]) -> Number | None:
    """Return what the law's `parse` makes of a text in which these numbers stand."""
    with _standing_in_a_text(fields):
        return bare(instants.parse)("")


def _read(reading: Callable[[tuple[Number, ...]], Number | None], fields: tuple[Number, ...]) -> None:
    for field, most in zip(fields, PLACES, strict=True):
        assume(field >= 0)
        assume(field <= most)
    year, month, day, hours, minutes, seconds, _ = fields
    found = reading(fields)
    real = bool(is_date(Date(year, month, day)) and hours <= 23 and minutes <= 59 and seconds <= 59)
    claim(real == (found is not None), "instant.canonical: read where date and time are real, and only there")
    if found is not None:
        claim(found == _means(fields), "instant.round-trip: what is read is what the numbers mean")
        keeps_its_contracts(instants.parse, lambda text: found, {"text": ""})


def all_numbers_in_a_text_are_read_as_they_mean(  # noqa: PLR0913, PLR0917 - seven numbers
    year: Number, month: Number, day: Number, hours: Number, minutes: Number, seconds: Number, ms: Number
) -> None:
    """The law's `parse`, whatever numbers stand in the text."""
    _read(_by_the_law, (year, month, day, hours, minutes, seconds, ms))


def _with_leap_seconds(fields: tuple[Number, ...]) -> Number | None:
    """Take a second 60 for the first of the next minute."""
    *before, seconds, ms = fields
    if seconds != 60:
        return _by_the_law(fields)
    last = _by_the_law((*before, 59, ms))
    return None if last is None else last + 1000


def leap_seconds_are_read_as_they_mean(  # noqa: PLR0913, PLR0917 - seven numbers
    year: Number, month: Number, day: Number, hours: Number, minutes: Number, seconds: Number, ms: Number
) -> None:
    """The same of a reading that knows leap seconds."""
    _read(_with_leap_seconds, (year, month, day, hours, minutes, seconds, ms))


def _number(digits: tuple[Number, ...]) -> Number:
    value = digits[0]
    for digit in digits[1:]:
        value = value * 10 + digit
    return value


def _digits_order(one: tuple[Number, ...], other: tuple[Number, ...], value: Callable[..., Number]) -> None:
    for digit in (*one, *other):
        assume(digit >= 0)
        assume(digit <= 9)
    claim(
        (one < other) == (value(one) < value(other)), "instant.round-trip: digits compare as their numbers do"
    )


def digits_compare_as_their_numbers(  # noqa: PLR0913, PLR0917 - eight digits
    a: Number, b: Number, c: Number, d: Number, e: Number, f: Number, g: Number, h: Number
) -> None:
    """Of two numbers of the same width, the text that is less is the lesser number: up to four digits."""
    _digits_order((a, b, c, d), (e, f, g, h), _number)


def digits_read_backwards_compare(  # noqa: PLR0913, PLR0917 - eight digits
    a: Number, b: Number, c: Number, d: Number, e: Number, f: Number, g: Number, h: Number
) -> None:
    """The same of numbers whose last digit counts most."""
    _digits_order((a, b, c, d), (e, f, g, h), lambda digits: _number(digits[::-1]))


def _order(
    day: Number,
    time: Number,
    other_day: Number,
    other_time: Number,
    parts: Callable[[Number], tuple[Number, ...]],
) -> None:
    """Compare two instants by their day and then by their time of day, part by part."""
    first, second = parts(time), parts(other_time)
    day_ms = 86_400_000
    assume(time >= 0)
    assume(time < day_ms)
    assume(other_time >= 0)
    assume(other_time < day_ms)
    claim(
        ((day, *first) < (other_day, *second)) == (day * day_ms + time < other_day * day_ms + other_time),
        "instant.round-trip: the order of the parts is the order of the times",
    )


def _parts(time: Number) -> tuple[Number, ...]:
    """Return hours, minutes, seconds and ms."""
    parts = []
    for size in (3_600_000, 60_000, 1000):
        part, time = divmod(time, size)
        parts.append(part)
    return (*parts, time)


def parts_in_order_mean_times_in_order(
    day: Number, time: Number, other_day: Number, other_time: Number
) -> None:
    """Day, hours, minutes, seconds and ms, compared in this order, compare as the instants do."""
    _order(day, time, other_day, other_time, _parts)


def parts_of_the_american_clock_in_order(
    day: Number, time: Number, other_day: Number, other_time: Number
) -> None:
    """The same where hours after noon are counted anew."""
    _order(day, time, other_day, other_time, lambda time: _parts(time % 43_200_000))
