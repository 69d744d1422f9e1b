"""How instants are written (instant.canonical, instant.round-trip), for every instant and for every digit."""

from collections.abc import Callable
from typing import Any, TypeAlias

from proofs.paths import assume, claim, read
from proofs.unbounded.contracts import bare
from schedule_spec import instants
from schedule_spec.gregorian import Date, date_of, day_number, is_date
from schedule_spec.instants import EARLIEST, LATEST

Number: TypeAlias = Any

FORM = "{04}-{02}-{02}T{02}:{02}:{02}.{03}Z"
"""The canonical form: seven numbers, each with zeros before it up to its width."""
BOUNDS = (9999, 12, 31, 23, 59, 59, 999)
"""The greatest that each number may be: none is wider than its place."""


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


def _order(day: Number, time: Number, other_day: Number, other_time: Number, parts: tuple[int, ...]) -> None:
    """Compare two instants by their day and then by their time of day, part by part."""
    first, second = _parts(time, parts), _parts(other_time, parts)
    day_ms = 86_400_000
    assume(time >= 0)
    assume(time < day_ms)
    assume(other_time >= 0)
    assume(other_time < day_ms)
    claim(
        ((day, *first) < (other_day, *second)) == (day * day_ms + time < other_day * day_ms + other_time),
        "instant.round-trip: the order of the parts is the order of the times",
    )


def _parts(time: Number, sizes: tuple[int, ...]) -> tuple[Number, ...]:
    parts = []
    for size in sizes:
        part, time = divmod(time, size)
        parts.append(part)
    return (*parts, time)


def parts_in_order_mean_times_in_order(
    day: Number, time: Number, other_day: Number, other_time: Number
) -> None:
    """Day, hours, minutes, seconds and ms, compared in this order, compare as the instants do."""
    _order(day, time, other_day, other_time, (3_600_000, 60_000, 1000))


def parts_of_the_american_clock_in_order(
    day: Number, time: Number, other_day: Number, other_time: Number
) -> None:
    """The same where hours after noon are counted anew."""
    first, second = time % 43_200_000, other_time % 43_200_000
    assume(time >= 0)
    assume(time < 86_400_000)
    assume(other_time >= 0)
    assume(other_time < 86_400_000)
    claim(
        ((day, first) < (other_day, second))
        == (day * 86_400_000 + time < other_day * 86_400_000 + other_time),
        "instant.round-trip: the order of the parts is the order of the times",
    )
