"""Text as ECMAScript knows it: its white space, which is not Python's, and its surrogates.

`str.strip()` would take U+001C–U+001F and U+0085 too, and leave U+FEFF.
Clauses: text.trim, text.prompt, id.shape.
"""

import re
from typing import Final

WHITE_SPACE: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""The 25 code points that `String.prototype.trim` strips."""

_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def plain(text: str) -> str:
    """The text itself, where a program hands over a subclass of `str`, such as a member of an enumeration."""
    return str.__str__(text)


def joined(text: str) -> str:
    """The text in which surrogates that stand as a pair are the one character that they encode."""
    return _PAIR.sub(_character, text)


def _character(pair: re.Match[str]) -> str:
    high, low = map(ord, pair.group())
    return chr(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00)


def trim(text: str) -> str:
    """The text without leading and trailing white space (text.trim)."""
    return text.strip(WHITE_SPACE)


def is_label(text: str) -> bool:
    """Whether the text may be an id or a prompt: not empty, and trimmed (id.shape, text.prompt)."""
    return text.strip(WHITE_SPACE) == text != ""
