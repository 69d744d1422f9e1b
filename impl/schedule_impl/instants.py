"""Points in time: integers of milliseconds since 1970-01-01T00:00:00Z, and their one durable spelling.

A canonical text is read as four slices, each looked up among its sound spellings, so that anything else
fails by construction. Those of hours are learnt as they come, and a bounded number of them is kept: together
the tables are small enough to stay in a processor's cache.
Clauses: instant.canonical, instant.range, instant.round-trip.
"""

from datetime import date
from functools import lru_cache
from typing import Final

MINIMUM: Final = -62_135_596_800_000
"""0001-01-01T00:00:00.000Z in ms."""
MAXIMUM: Final = 253_402_300_799_999
"""9999-12-31T23:59:59.999Z in ms."""

_DAY: Final = 86_400_000
_EPOCH: Final = date(1970, 1, 1).toordinal()
_KNOWN_HOURS: Final = 1 << 12

_clock: Final = {f"T{hour:02}:": hour * 3_600_000 for hour in range(24)}
_minutes: Final = {f"{minute:02}:": minute * 60_000 for minute in range(60)}
_seconds: Final = {f"{second:02}.": second * 1000 for second in range(60)}
_fractions: Final = {f"{ms:03}Z": ms for ms in range(1000)}
_hours: Final[dict[str, int]] = {}


def to_ms(text: str) -> int:
    """The instant that a canonical text names, in ms; ValueError for any other text (instant.canonical)."""
    try:
        return _hours[text[:14]] + _minutes[text[14:17]] + _seconds[text[17:20]] + _fractions[text[20:]]
    except KeyError:
        hour = _learn(text[:14])
    minute = _read(_minutes, text[14:17])
    return hour + minute + _read(_seconds, text[17:20]) + _read(_fractions, text[20:])


def _learn(hour: str) -> int:
    """The ms at which an hour begins; remembered, but never too many of them at once."""
    start = _read(_clock, hour[10:]) + _day(hour[:10])
    if len(_hours) >= _KNOWN_HOURS:
        _hours.clear()
    _hours[hour] = start
    return start


def _read(spellings: dict[str, int], text: str) -> int:
    if text not in spellings:
        raise ValueError("not of the form YYYY-MM-DDTHH:mm:ss.mmmZ")
    return spellings[text]


@lru_cache(maxsize=1024)
def _day(text: str) -> int:
    """The ms at which a date of ten characters begins."""
    figures = text[:4] + text[5:7] + text[8:]
    if not (figures.isascii() and figures.isdigit()) or text[4::3] != "--":
        raise ValueError("not of the form YYYY-MM-DDTHH:mm:ss.mmmZ")
    return (date(int(text[:4]), int(text[5:7]), int(text[8:])).toordinal() - _EPOCH) * _DAY


def to_text(ms: int) -> str:
    """The canonical text of an instant in ms; ValueError outside the range (instant.round-trip)."""
    if not MINIMUM <= ms <= MAXIMUM:
        raise ValueError("an instant lies in 0001-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z")
    days, rest = divmod(ms, _DAY)
    seconds, ms = divmod(rest, 1000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return f"{date.fromordinal(days + _EPOCH).isoformat()}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z"
