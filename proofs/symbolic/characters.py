"""Characters of every class that a rule about strings tells apart, and short strings of them."""

from enum import Enum


class Character(Enum):
    """One character of each class, the ends of the ranges among them; NONE makes a string shorter."""

    NONE = ""
    NUL = "\0"
    BACKSPACE = "\b"
    TAB = "\t"
    LINE_FEED = "\n"
    VERTICAL_TAB = "\v"
    FORM_FEED = "\f"
    RETURN = "\r"
    LAST_CONTROL = "\x1f"
    SPACE = " "
    QUOTE = '"'
    SLASH = "/"
    LETTER = "n"
    BACKSLASH = "\\"
    DELETE = "\x7f"
    NEXT_LINE = "\x85"
    LINE_SEPARATOR = "\u2028"
    FIRST_HIGH_SURROGATE = "\ud800"
    LAST_HIGH_SURROGATE = "\udbff"
    FIRST_LOW_SURROGATE = "\udc00"
    LAST_LOW_SURROGATE = "\udfff"
    BYTE_ORDER_MARK = "\ufeff"
    ASTRAL = "\U0001f600"


class Plain(Enum):
    """A few of them, for strings of three and more."""

    NONE = ""
    LINE_FEED = "\n"
    QUOTE = '"'
    BACKSLASH = "\\"
    LETTER = "u"
    HIGH_SURROGATE = "\ud83d"
    LOW_SURROGATE = "\ude00"
