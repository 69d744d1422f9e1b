"""Strings: what trimmed means, and the one form in which a string is rendered.

Specifies text.trim and text.json-string. A string is a sequence of code points in which an unpaired
surrogate may stand, as it may in ECMAScript and in JSON.
"""

from schedule_spec.marks import defines

TRIM_SET = "".join(
    map(
        chr,
        (
            *range(0x0009, 0x000E),
            0x0020,
            0x00A0,
            0x1680,
            *range(0x2000, 0x200B),
            0x2028,
            0x2029,
            0x202F,
            0x205F,
            0x3000,
            0xFEFF,
        ),
    )
)
"""The 25 code points of text.trim; neither U+0085, U+180E nor U+200B is among them."""


@defines("text.trim")
def trim(string: str) -> str:
    """Return the string without its leading and trailing characters of `TRIM_SET` (text.trim)."""
    return string.strip(TRIM_SET)


def is_trimmed(string: str) -> bool:
    """Tell whether no character of `TRIM_SET` stands at either end (text.trim)."""
    return trim(string) == string


def join_surrogates(string: str) -> str:
    """Return the string with each high surrogate that a low one follows joined to the code point they mean.

    ECMAScript reads strings as UTF-16 units, where such a pair and its code point are one and the same.
    """
    return string.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def _json_character(character: str) -> str:
    code = ord(character)
    if code < 0x20 or 0xD800 <= code <= 0xDFFF:
        return _ESCAPES.get(character, f"\\u{code:04x}")
    return _ESCAPES.get(character, character)


@defines("text.json-string")
def json_string(string: str) -> str:
    """Return the string's canonical JSON literal, quotes included (text.json-string)."""
    return '"' + "".join(map(_json_character, join_surrogates(string))) + '"'
