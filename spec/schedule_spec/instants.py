"""Instants: points in time, and the one durable form in which they are written.

Specifies instant.canonical, instant.range and instant.round-trip. An instant is an integer of milliseconds
since 1970-01-01T00:00:00Z, on the proleptic Gregorian calendar without leap seconds.
"""

import re

from icontract import ensure, require

from schedule_spec.gregorian import Date, date_of, day_number, is_date
from schedule_spec.marks import defines

EARLIEST = -62_135_596_800_000
"""0001-01-01T00:00:00.000Z in ms."""
LATEST = 253_402_300_799_999
"""9999-12-31T23:59:59.999Z in ms."""

_CANONICAL = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.([0-9]{3})Z")


@defines("instant.range")
def in_range(ms: int) -> bool:
    """Tell whether the years 0001 to 9999 hold the instant (instant.range)."""
    return EARLIEST <= ms <= LATEST


@defines("instant.canonical")
@ensure(lambda result: result is None or in_range(result), "instant.range: the years are 0001 to 9999")
def parse(text: str) -> int | None:
    """Return the ms of a canonical instant, None for every other text (instant.canonical)."""
    fields = _CANONICAL.fullmatch(text)
    if fields is None:
        return None
    year, month, day, hours, minutes, seconds, ms = map(int, fields.groups())
    date = Date(year, month, day)
    if not (is_date(date) and hours <= 23 and minutes <= 59 and seconds <= 59):
        return None
    return (((day_number(date) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms


@ensure(lambda result, ms: parse(result) == ms, "instant.round-trip: the text reads back as the instant")
@require(in_range, "instant.range: only an instant of the years 0001 to 9999 has a text")
def render(ms: int) -> str:
    """Return the canonical text of an instant in range (instant.canonical)."""
    seconds, ms_of_second = divmod(ms, 1000)
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    year, month, day = date_of(days)
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms_of_second:03}Z"
