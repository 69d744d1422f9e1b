"""Strategies for texts that are nearly a date, a time or an instant, by one slip of a kind in any place.

The kinds are those of lenient parsers and patterns: digits of other scripts, look-alikes of a separator, a
zero too few or too many, other fractions, a zone in other words, other orders, quotes, a sign, and what may
stand at either end. A slip may leave a text as it was; whether one is of a form is for the law to say.
"""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime

from hypothesis import strategies as st

Slip = Callable[[st.DrawFn, str], str]
"""From a text written as it should be to one that is nearly so."""

_ZEROS = "\u0660\u06f0\u0966\u09e6\u0e50\uff10\U0001d7ce\U0001d7f6"
"""The zeros of scripts whose ten digits stand in a row, two of them beyond the basic plane."""

_LOOK_ALIKES = {
    "-": (
        "\u2010",
        "\u2011",
        "\u2012",
        "\u2013",
        "\u2212",
        "\ufe63",
        "\uff0d",
        "\xad",
        ".",
        "/",
        "_",
        " ",
        "",
    ),
    ":": ("\uff1a", "\u2236", "\ua789", ".", "-", " ", ""),
    "T": ("t", " ", "  ", "_", "\u0422", "\uff34", "\xa0", "T ", "TT", ""),
    "+": ("\uff0b", "\ufe62", "\xb1", "++", " ", ""),
    ".": (",", "\uff0e", "\u066b", ":", ""),
    "Z": ("z", "\uff3a", "\u2124", "\u0396", "ZZ", ""),
}

_FRACTIONS = ("", "5", "50", "5000", "1230", "12345", "000000", "123000", "1230000", "1234567", "123456789")
_MARKS = st.sampled_from((".", ".", ".", ",", "\u066b"))

SUFFIXES: tuple[str, ...] = (
    *("z", "A", "B", "J", "M", "N", "Y", " Z", "ZZ", "Z Z"),
    *("UTC", " UTC", "GMT", " GMT", " EST", " CET", "UT", " utc", "UTC+01:00", "GMT+1", " UTC+1"),
    *("+00", "+0000", "+0:00", "+00:0", "+000:00", "+00:00:00", "+00:00.0", "-00", "-0000", "-00:00:00"),
    *("+01", "+0100", "+1:00", "+01:0", "+001:00", "+01:00:00", "+24:00", "+00:60"),
    *("\xb100:00", "\u221200:00", " +00:00", "+ 01:00", "+01:00 "),
    *("+00:00Z", "+01:00Z", "Z+00:00", "Z+01:00", "Z-01:00"),
    *("[UTC]", "Z[UTC]", "+00:00[UTC]", "Z[Etc/UTC]", "Z[u-ca=iso8601]", "Z[!u-ca=iso8601]", "Z (UTC)"),
    *(" AM", " PM", "am", " BC", "/P1D", "/2031-01-01T00:00:00Z"),
)
"""What zones are written as elsewhere, and what else may stand behind a time."""

ENDS: tuple[str, ...] = (
    *"\x00\x01\t\n\x0b\x0c\r\x1b\x1c\x1f \x7f\x85\xa0\xad",
    *"\u061c\u1680\u180e\u2003\u200b\u200d\u200e\u200f\u2028\u2029\u202e\u202f\u2060\u3000\ufe0f\ufeff\ufffe",
    *("\r\n", "\n\n", ".", ",", ";", "T", "Z", "0", "+", "-", "\xb1", "\u2212", "'", '"', "#", "x"),
)
"""Blanks, controls, invisible characters, signs and rubbish, as what may stand at either end of a text."""

SHELLS: tuple[tuple[str, str], ...] = (
    *(('"', '"'), ("'", "'"), ("`", "`"), ('\\"', '\\"'), ("\u201c", "\u201d"), ("\xab", "\xbb")),
    *(("(", ")"), ("[", "]"), ("<", ">"), ("{", "}"), ("#", "#"), ('["', '"]'), ("/Date(", ")/"), ("@", "")),
)
"""Quotes and brackets around a text."""

_PLACED = st.sampled_from(("front", "behind"))
_ONCE_OR_EVERYWHERE = st.sampled_from((1, -1))
_RUN = re.compile("[0-9]+")


def _digits(draw: st.DrawFn, text: str) -> str:
    """Write one run of digits, or all, in another script."""
    spans = [(0, len(text)), *(run.span() for run in _RUN.finditer(text))]
    first, end = draw(st.sampled_from(spans))
    zero = ord(draw(st.sampled_from(_ZEROS)))
    other = "".join(chr(zero + int(c)) if "0" <= c <= "9" else c for c in text[first:end])
    return text[:first] + other + text[end:]


def _separators(draw: st.DrawFn, text: str) -> str:
    """Write a separator as something that looks or works like it."""
    found = sorted(_LOOK_ALIKES.keys() & set(text))
    if not found:
        return text
    separator = draw(st.sampled_from(found))
    return text.replace(separator, draw(st.sampled_from(_LOOK_ALIKES[separator])), draw(_ONCE_OR_EVERYWHERE))


def _zeros(draw: st.DrawFn, text: str) -> str:
    """Leave a digit of one number out, or put a zero to it."""
    runs = [run.span() for run in _RUN.finditer(text)]
    if not runs:
        return text
    first, end = draw(st.sampled_from(runs))
    run = text[first:end]
    put = draw(st.sampled_from((run[1:], run[1:], f"0{run}", run[:-1], f"{run}0", f" {run[1:]}", f"+{run}")))
    return text[:first] + put + text[end:]


def _fraction(draw: st.DrawFn, text: str) -> str:
    """Give the seconds other digits behind them."""
    put = draw(_MARKS) + draw(st.sampled_from(_FRACTIONS))
    return re.sub(r"(?<=:[0-9]{2}:[0-9]{2})(?:\.[0-9]+)?", lambda _: put, text, count=1)


def _suffix(draw: st.DrawFn, text: str) -> str:
    """Write the zone in other words, or one where none belongs."""
    return re.sub(r"(?:Z|[+-][0-9]{2}:[0-9]{2})$", "", text) + draw(st.sampled_from(SUFFIXES))


def _end(draw: st.DrawFn, text: str) -> str:
    """Put a character to one end."""
    put = draw(st.sampled_from(ENDS))
    return put + text if draw(_PLACED) == "front" else text + put


def _shell(draw: st.DrawFn, text: str) -> str:
    """Put quotes or brackets around."""
    before, behind = draw(st.sampled_from(SHELLS))
    return f"{before}{text}{behind}"


def _order(draw: st.DrawFn, text: str) -> str:
    """Write the date, or the whole, in another form of the same."""
    found = re.match("[0-9]{4}-[0-9]{2}-[0-9]{2}", text)
    if found is None:
        return text.replace(":", "")
    day, rest = date.fromisoformat(found.group()), text[found.end() :]
    seconds = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
    week = day.isocalendar()
    return draw(
        st.sampled_from(
            (
                f"{day:%d-%m-}{day.year:04}{rest}",
                f"{day:%m/%d/}{day.year:04}{rest}",
                f"{day:%d.%m.}{day.year:04}{rest}",
                f"{day.year:04}{day:%m%d}{rest}",
                f"{day.year:04}{day:%m%d}{rest.replace(':', '')}",
                f"{day.year:04}-{day:%j}{rest}",
                f"{week.year:04}-W{week.week:02}-{week.weekday}{rest}",
                f"{day.year:04}-{day:%m}{rest}",
                f"{day.year % 100:02}-{day:%m-%d}{rest}",
                f"+{found.group()}{rest}",
                f"-{found.group()}{rest}",
                f"+00{found.group()}{rest}",
                f"0{found.group()}{rest}",
                f"1{found.group()}{rest}",
                f"{rest}{found.group()}",
                f"{seconds}",
                f"{seconds}000",
                f"{seconds}.0",
            )
        )
    )


_SLIPS: st.SearchStrategy[Slip] = st.sampled_from(
    (
        *(
            _digits,
            _digits,
            _separators,
            _separators,
            _separators,
            _zeros,
            _zeros,
            _zeros,
            _fraction,
            _fraction,
        ),
        *(_suffix, _suffix, _suffix, _end, _end, _end, _order, _order, _shell),
    )
)
"""As often as there are ways to it, roughly."""

_ENCLOSING: st.SearchStrategy[Slip] = st.sampled_from((_end, _end, _shell))


def slipped(draw: st.DrawFn, text: str) -> str:
    """Draw what a text that is a date, a time or both becomes by one slip."""
    slip: Slip = draw(_SLIPS)
    return slip(draw, text)


def enclosed(draw: st.DrawFn, text: str) -> str:
    """Draw any text with a character at one end, or with quotes or brackets around it."""
    enclose: Slip = draw(_ENCLOSING)
    return enclose(draw, text)
