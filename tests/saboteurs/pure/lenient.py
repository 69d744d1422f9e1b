"""What lenient readers make of texts: times in other forms, quotes, and what cannot be seen.

Each takes a text that is nearly of a form to one that is, and leaves most others as they are.
"""

import re
import unicodedata

from tests.saboteurs.pure.ways import rendered

_ZONE = r"(?:Z|[+-][0-9]{2}:[0-9]{2})"
_NUMBERS = re.compile(
    "([0-9]{1,4})-([0-9]{1,2})-([0-9]{1,2})T([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(.*)", re.DOTALL
)
_BASIC = re.compile("([0-9]{4})-?([0-9]{2})-?([0-9]{2})T([0-9]{2}):?([0-9]{2}):?([0-9]{2})(.*)", re.DOTALL)


def padded(text: str) -> str:
    """Give the numbers of a time the zeros that they lack."""
    found = _NUMBERS.fullmatch(text)
    if found is None:
        return text
    year, month, day, hour, minute, second, rest = found.groups()
    rest = re.sub(
        "([+-])([0-9]):", r"\g<1>0\2:", re.sub("(:[0-9])$", lambda end: f":0{end.group()[1]}", rest)
    )
    return f"{year:>04}-{month:>02}-{day:>02}T{hour:>02}:{minute:>02}:{second:>02}{rest}"


def extended(text: str) -> str:
    """Put the hyphens and colons of a time in where they lack."""
    found = _BASIC.fullmatch(text)
    return "{}-{}-{}T{}:{}:{}{}".format(*found.groups()) if found else text


def hyphened(text: str) -> str:
    """Write every dash as a hyphen."""
    return "".join("-" if unicodedata.category(character) == "Pd" else character for character in text)


def unsigned(text: str) -> str:
    """Take the sign, or a further zero, off a year of four digits."""
    return re.sub(r"^[+0](?=[0-9]{4}-)", "", text)


def zoned(text: str) -> str:
    """Write the words and letters for a zone as Z."""
    return re.sub(rf"(?<=[0-9]{{2}}) ?(?:(?:UTC|GMT|UT|EST)(?:{_ZONE})?|[A-IK-Y])$", "Z", text)


def unquoted(text: str) -> str:
    """Take quotes off a text."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'`" else text


def visible(text: str) -> str:
    """Leave controls and invisible characters out."""
    return "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf", "Zl", "Zp"))


def of_seconds(text: str) -> str:
    """Read ten digits as seconds since 1970."""
    return rendered(int(text) * 1000) if re.fullmatch("[0-9]{10}", text) else text
