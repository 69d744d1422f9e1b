"""JSON text read as ECMAScript's `JSON.parse` reads it, at any depth.

It differs from the fast decoder in what it admits: numbers are doubles, whatever their spelling; unpaired
surrogates stand; of duplicate keys the last counts, whatever the earlier ones held; nesting costs no stack,
and hardly any memory, as what lies deeper than any value that Schedule reads is not kept.
Clauses: change.json, change.strict (duplicate keys), number.safe-integer.
"""

import re
from typing import Final, TypeAlias

from schedule_impl.numbers import whole
from schedule_impl.text import joined

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

KEPT_DEPTH: Final = 64
"""How deep containers may nest to be kept; those deeper that hold anything are checked, and come as null."""

_SPACE: Final = r"[ \t\n\r]*+"
_PLAIN: Final = re.compile(r'[^"\\\x00-\x1f]*+')
_VALUE: Final = re.compile(
    rf"""{_SPACE}(?:
        "({_PLAIN.pattern})"
        | (-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)
        | (true|false|null)
        | (\[{_SPACE}\]) | (\{{{_SPACE}\}})
        | (\[) | (\{{) | (")
    )""",
    re.VERBOSE,
)
_TEXT, _NUMBER, _WORD, _EMPTY_ARRAY, _EMPTY_OBJECT, _ARRAY, _OBJECT, _ODD_TEXT = range(1, 9)
_KEY: Final = re.compile(rf'{_SPACE}"({_PLAIN.pattern})"{_SPACE}:')
_FOLLOWING: Final = re.compile(rf"{_SPACE}(.?)", re.DOTALL)
_HEX: Final = re.compile(r"[0-9a-fA-F]{4}")
_WORDS: Final[dict[str, Json]] = {"true": True, "false": False, "null": None}
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
    nesting = _Nesting(text)
    position = 0
    while True:
        found = _VALUE.match(text, position)
        if found is None:
            raise NotJsonError("a value", _following(text, position)[1])
        kind, position = found.lastindex, found.end()
        if kind == _ARRAY:
            nesting.enter_array()
            continue
        if kind == _OBJECT:
            position = nesting.enter_object(position)
            continue
        value: Json
        if kind == _ODD_TEXT:
            value, position = _string(text, position)
        else:
            value = _simple(kind, found)
        value, position = nesting.put(value, position)
        if nesting.closing:
            continue
        following, position = _following(text, position)
        if following:
            raise NotJsonError("the end of the text", position)
        return value


class _Nesting:
    """The containers that are open: each by the character that closes it, those that are kept themselves."""

    __slots__ = ("_containers", "_keys", "_text", "closing")

    def __init__(self, text: str) -> None:
        self._text = text
        self._containers: list[list[Json] | dict[str, Json]] = []
        self._keys: list[str] = []
        self.closing: list[str] = []

    def enter_array(self) -> None:
        """Open an array that is not empty."""
        if len(self.closing) < KEPT_DEPTH:
            self._containers.append([])
        self.closing.append("]")

    def enter_object(self, position: int) -> int:
        """Open an object that is not empty; where its first value begins."""
        if len(self.closing) < KEPT_DEPTH:
            self._containers.append({})
        self.closing.append("}")
        return self._name(position)

    def put(self, value: Json, position: int) -> tuple[Json, int]:
        """Store a complete value that ends at `position`, and each container that ends with it.

        The last thing that ended, and where what follows it begins.
        """
        text, closing = self._text, self.closing
        while closing:
            if len(closing) <= KEPT_DEPTH:
                container = self._containers[-1]
                if isinstance(container, list):
                    container.append(value)
                else:
                    container[self._keys.pop()] = value
            following = text[position : position + 1]
            if following <= " ":
                following, position = _following(text, position)
            if following == ",":
                return value, self._name(position + 1) if closing[-1] == "}" else position + 1
            if following != closing[-1]:
                raise NotJsonError(f"a comma or {closing[-1]}", position)
            closing.pop()
            value = self._containers.pop() if len(closing) < KEPT_DEPTH else None
            position += 1
        return value, position

    def _name(self, position: int) -> int:
        """Read a member's name; where its value begins."""
        key, position = _key(self._text, position)
        if len(self.closing) <= KEPT_DEPTH:
            self._keys.append(key)
        return position


def _simple(kind: int | None, found: re.Match[str]) -> Json:
    """The value of a match that is one whole."""
    if kind == _TEXT:
        return joined(found[_TEXT])
    if kind == _NUMBER:
        return whole(float(found[_NUMBER]))
    if kind == _WORD:
        return _WORDS[found[_WORD]]
    return [] if kind == _EMPTY_ARRAY else {}


def _following(text: str, position: int) -> tuple[str, int]:
    """The first character from `position` on that is no white space, empty at the end, and where it is."""
    found = _FOLLOWING.match(text, position)
    assert found is not None
    return found[1], found.start(1)


def _key(text: str, position: int) -> tuple[str, int]:
    """The name of the member that begins at `position`, and where its value begins."""
    found = _KEY.match(text, position)
    if found is not None:
        return joined(found[1]), found.end()
    quote, position = _following(text, position)
    if quote != '"':
        raise NotJsonError("a member's name", position)
    key, position = _string(text, position + 1)
    colon, position = _following(text, position)
    if colon != ":":
        raise NotJsonError("a colon", position)
    return key, position + 1


def _string(text: str, position: int) -> tuple[str, int]:
    """The string whose opening quote stands before `position`, and where it ends."""
    parts: list[str] = []
    while True:
        plain = _PLAIN.match(text, position)
        assert plain is not None
        parts.append(plain.group())
        position = plain.end()
        stop = text[position : position + 1]
        if stop == '"':
            return joined("".join(parts)), position + 1
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
