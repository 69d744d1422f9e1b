"""JSON text read as ECMAScript's `JSON.parse` reads it, at any depth.

It differs from the fast decoder in what it admits: numbers are doubles, whatever their spelling; unpaired
surrogates stand; of duplicate keys the last counts, whatever the earlier ones held; nesting costs no stack.
Clauses: change.json, change.strict (duplicate keys), number.safe-integer.
"""

import re
from typing import Final, TypeAlias

from schedule_impl.numbers import whole

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_PLAIN: Final = re.compile(r'[^"\\\x00-\x1f]*')
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_HEX: Final = re.compile(r"[0-9a-fA-F]{4}")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LITERALS: Final[dict[str, tuple[str, Json]]] = {
    "t": ("true", True),
    "f": ("false", False),
    "n": ("null", None),
}
_ESCAPES: Final = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}


class NotJsonError(ValueError):
    """The text is no JSON; `position` is the index of the first character that cannot be."""

    def __init__(self, expected: str, position: int) -> None:
        super().__init__(f"not JSON: {expected} expected at character {position}")
        self.position = position


def parse(text: str) -> Json:
    """The value of a JSON text: safe integers come as int, all other numbers as float. NotJsonError."""
    root: list[Json] = []
    nesting: list[list[Json] | dict[str, Json]] = [root]
    keys: list[str] = []
    position = 0
    while True:
        value, position, opened = _begin(text, position, nesting, keys)
        if opened:
            continue
        position = _end(text, position, value, nesting, keys)
        if root:
            return root[0]


def _begin(
    text: str, position: int, nesting: list[list[Json] | dict[str, Json]], keys: list[str]
) -> tuple[Json, int, bool]:
    """Read a scalar or an empty container whole, or step into a container that holds something."""
    position = _skip(text, position)
    opening = text[position : position + 1]
    if opening == "{":
        position = _skip(text, position + 1)
        if text.startswith("}", position):
            return {}, position + 1, False
        key, position = _key(text, position)
        nesting.append({})
        keys.append(key)
        return None, position, True
    if opening == "[":
        position = _skip(text, position + 1)
        if text.startswith("]", position):
            return [], position + 1, False
        nesting.append([])
        return None, position, True
    value, position = _scalar(text, position, opening)
    return value, position, False


def _end(
    text: str, position: int, value: Json, nesting: list[list[Json] | dict[str, Json]], keys: list[str]
) -> int:
    """Store a complete value and each container that ends with it, up to where the next one begins."""
    while True:
        container = nesting[-1]
        if isinstance(container, list):
            container.append(value)
            closing = "]"
        else:
            container[keys.pop()] = value
            closing = "}"
        position = _skip(text, position)
        if len(nesting) == 1:
            if position != len(text):
                raise NotJsonError("the end of the text", position)
            return position
        following = text[position : position + 1]
        if following == ",":
            position += 1
            if closing == "}":
                key, position = _key(text, _skip(text, position))
                keys.append(key)
            return position
        if following != closing:
            raise NotJsonError(f"a comma or {closing}", position)
        position += 1
        value = nesting.pop()


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


def _key(text: str, position: int) -> tuple[str, int]:
    if not text.startswith('"', position):
        raise NotJsonError("a member's name", position)
    key, position = _string(text, position)
    position = _skip(text, position)
    if not text.startswith(":", position):
        raise NotJsonError("a colon", position)
    return key, position + 1


def _scalar(text: str, position: int, opening: str) -> tuple[Json, int]:
    if opening == '"':
        return _string(text, position)
    if opening in _LITERALS:
        word, value = _LITERALS[opening]
        if text.startswith(word, position):
            return value, position + len(word)
        raise NotJsonError(word, position)
    number = _NUMBER.match(text, position)
    if number is None:
        raise NotJsonError("a value", position)
    return whole(float(number.group())), number.end()


def _string(text: str, position: int) -> tuple[str, int]:
    """The string whose opening quote stands at `position`, and where it ends."""
    parts: list[str] = []
    position += 1
    while True:
        plain = _PLAIN.match(text, position)
        if plain is not None:
            parts.append(plain.group())
            position = plain.end()
        stop = text[position : position + 1]
        if stop == '"':
            return _joined(parts), position + 1
        if stop != "\\":
            raise NotJsonError("the rest of a string", position)
        escape = text[position + 1 : position + 2]
        if escape == "u":
            unit = _HEX.match(text, position + 2)
            if unit is None:
                raise NotJsonError("four hexadecimal digits", position + 2)
            parts.append(chr(int(unit.group(), 16)))
            position = unit.end()
        elif escape in _ESCAPES:
            parts.append(_ESCAPES[escape])
            position += 2
        else:
            raise NotJsonError("an escape", position + 1)


def _joined(parts: list[str]) -> str:
    """The string of its parts, in which surrogates that stand as a pair are the one character they encode."""
    if len(parts) == 1:
        return parts[0]
    text = "".join(parts)
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
