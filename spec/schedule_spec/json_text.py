"""JSON text, read as ECMAScript's `JSON.parse` reads it.

Specifies change.json, and of change.strict that the last of duplicate keys counts. Nesting of any depth is
read with a stack of our own: Python's must not be what limits a log.
"""

import re
from dataclasses import dataclass
from typing import TypeAlias

from schedule_spec.marks import defines
from schedule_spec.numbers import number
from schedule_spec.text import join_surrogates

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
"""A JSON value: safe integers are `int`, other numbers `float`, surrogates that make a pair are joined."""


@dataclass(frozen=True, slots=True)
class NotJson:
    """What is wrong with a text that is no JSON.

    `position` counts the characters before the fault, `message` says what was expected there.
    """

    position: int
    message: str


@defines("change.json")
def read(text: str) -> Json | NotJson:
    """Return the value that a JSON text of RFC 8259 holds, or what makes it none (change.json)."""
    try:
        return _Reader(text).document()
    except _FaultError as fault:
        return NotJson(fault.position, fault.message)


class _FaultError(Exception):
    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position = position
        self.message = message


_WHITE_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_PLAIN_CHARACTERS = re.compile(r'[^"\\\x00-\x1f]*')
_FOUR_HEX_DIGITS = re.compile(r"[0-9A-Fa-f]{4}")
_ESCAPED = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LITERALS: dict[str, bool | None] = {"true": True, "false": False, "null": None}


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def document(self) -> Json:
        enclosing: list[_Array | _Object] = []
        while True:
            opened = self.opening()
            if opened is not None and not self.take(opened.closing):
                opened.prepare(self)
                enclosing.append(opened)
                continue
            value = self.scalar() if opened is None else opened.value
            while enclosing:
                innermost = enclosing[-1]
                innermost.add(value)
                if self.take(","):
                    innermost.prepare(self)
                    break
                self.expect(innermost.closing, f"a comma or {innermost.closing}")
                value = enclosing.pop().value
            else:
                self.end()
                return value

    def opening(self) -> "_Array | _Object | None":
        if self.take("["):
            return _Array()
        return _Object() if self.take("{") else None

    def scalar(self) -> Json:
        if self.text.startswith('"', self.position):
            return self.string("a value")
        for literal, value in _LITERALS.items():
            if self.text.startswith(literal, self.position):
                self.position += len(literal)
                return value
        return number(self.matched(_NUMBER, "a value"))

    def string(self, expected: str) -> str:
        self.expect('"', expected)
        pieces: list[str] = []
        while True:
            pieces.append(self.matched(_PLAIN_CHARACTERS, "a string"))
            following = self.text[self.position : self.position + 1]
            if following == '"':
                self.position += 1
                return join_surrogates("".join(pieces))
            if following != "\\":
                raise self.fault("a string's closing quote, not a control character or the text's end,")
            self.position += 1
            pieces.append(self.escaped())

    def escaped(self) -> str:
        letter = self.text[self.position : self.position + 1]
        if letter == "u":
            self.position += 1
            return chr(int(self.matched(_FOUR_HEX_DIGITS, "four hexadecimal digits"), 16))
        if letter not in _ESCAPED:
            raise self.fault("one of the escapes of JSON")
        self.position += 1
        return _ESCAPED[letter]

    def end(self) -> None:
        self.skip_white_space()
        if self.position < len(self.text):
            raise self.fault("the end of the text")

    def skip_white_space(self) -> None:
        self.matched(_WHITE_SPACE, "white space")

    def take(self, character: str) -> bool:
        self.skip_white_space()
        if not self.text.startswith(character, self.position):
            return False
        self.position += len(character)
        return True

    def expect(self, character: str, expected: str) -> None:
        if not self.take(character):
            raise self.fault(expected)

    def matched(self, pattern: re.Pattern[str], expected: str) -> str:
        found = pattern.match(self.text, self.position)
        if found is None:
            raise self.fault(expected)
        self.position = found.end()
        return found[0]

    def fault(self, expected: str) -> _FaultError:
        return _FaultError(self.position, f"{expected} is expected")


class _Array:
    closing = "]"

    def __init__(self) -> None:
        self.value: list[Json] = []

    def prepare(self, reader: _Reader) -> None:
        """Elements have nothing before them."""

    def add(self, value: Json) -> None:
        self.value.append(value)


class _Object:
    closing = "}"

    def __init__(self) -> None:
        self.value: dict[str, Json] = {}
        self.key = ""

    def prepare(self, reader: _Reader) -> None:
        self.key = reader.string("a key in quotes")
        reader.expect(":", "a colon")

    def add(self, value: Json) -> None:
        self.value[self.key] = value
