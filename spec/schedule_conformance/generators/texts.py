"""Strategies for JSON text: one value in many spellings, and texts that are no JSON by one slip.

Each text is unusual in one respect only (its numbers, its escapes, its white space, a repeated key, one
slip).
"""

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st

from schedule_conformance.generators.values import Object, changes, near_changes, plain_changes

_NUMBER = re.compile(r"(?<=:)[0-9]+(?=[,}])")


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def message(change: Any) -> Object:
    """Return the members of a `decode` request."""
    return {"change": change}


def spellings(number: str) -> tuple[str, ...]:
    """Return JSON texts for a number, as itself and as others that are nearly it."""
    return (
        f"{number}.0",
        f"{number}.000000000000",
        f"{number}e0",
        f"{number}E+0",
        f"{number}0e-1",
        f"{number[0]}.{number[1:] or '0'}e{len(number) - 1}",
        f"0.{number}e{len(number)}",
        f"{number}.00000000000000001",
        f"{number}.5",
        f"-{number}",
        f"{number}e400",
        f"{number}e-400",
        "9007199254740991",
        "9007199254740992",
        "9007199254740993",
        "9007199254740.0",
        "9007199254741",
        "9" * 400,
        "1" + "0" * 30 + "e-30",
        "-0",
        f'"{number}"',
    )


@cache
@st.composite
def renumbered(draw: st.DrawFn) -> str:
    """Valid changes whose one number is spelt in another way, as the same number or as another one."""
    text = _compact(message(draw(plain_changes())))
    places = list(_NUMBER.finditer(text))
    place = draw(st.sampled_from(places))
    return text[: place.start()] + draw(st.sampled_from(spellings(place.group()))) + text[place.end() :]


_SHORT_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def _escaped_unit(unit: int, upper: bool) -> str:
    return f"\\u{unit:04X}" if upper else f"\\u{unit:04x}"


def _escaped(character: str, upper: bool) -> str:
    code = ord(character)
    if code < 0x10000:
        return _escaped_unit(code, upper)
    high, low = divmod(code - 0x10000, 0x400)
    return _escaped_unit(0xD800 + high, upper) + _escaped_unit(0xDC00 + low, upper)


_ESCAPING = st.tuples(st.booleans(), st.integers(0, 2))


@st.composite
def _literal(draw: st.DrawFn, string: str) -> str:
    upper, rate = draw(_ESCAPING)
    spelt = []
    for character in string:
        must = character < " " or character in '"\\' or "\ud800" <= character <= "\udfff"
        if character in _SHORT_ESCAPES and rate < 2:
            spelt.append(_SHORT_ESCAPES[character])
        elif character == "/" and rate == 1:
            spelt.append("\\/")
        elif must or rate == 2:
            spelt.append(_escaped(character, upper))
        else:
            spelt.append(character)
    return '"' + "".join(spelt) + '"'


@st.composite
def _written(draw: st.DrawFn, value: Any, space: st.SearchStrategy[str]) -> str:
    if isinstance(value, dict):
        members = [
            f"{draw(space)}{draw(_literal(key))}{draw(space)}:"
            f"{draw(space)}{draw(_written(member, space))}{draw(space)}"
            for key, member in value.items()
        ]
        return "{" + (",".join(members) or draw(space)) + "}"
    if isinstance(value, str):
        return draw(_literal(value))
    return _compact(value)


@cache
@st.composite
def respaced(draw: st.DrawFn) -> str:
    """Plain changes with JSON's four white-space characters between the tokens."""
    space = st.sampled_from(("", " ", "\n", "\t", "\r\n", "  "))
    return draw(space) + draw(_written(message(draw(plain_changes())), space)) + draw(space)


@cache
@st.composite
def escaped(draw: st.DrawFn, surrogates: bool) -> str:
    """Valid changes with their strings spelt by escapes."""
    return draw(_written(message(draw(changes(surrogates))), st.just("")))


_OTHERS: st.SearchStrategy[Any] = st.sampled_from(
    (None, 2, "b", "2031-01-01T00:00:00.000Z", {}, "delete", "at", 600)
)


@cache
@st.composite
def repeated(draw: st.DrawFn) -> str:
    """Changes with one member given twice, first or last as it should be, the other time as it should not."""
    change = draw(plain_changes())
    inner = "schedule" in change and draw(st.booleans())
    place = change["schedule"] if inner else change
    key = draw(st.sampled_from(sorted(place)))
    other = draw(_OTHERS)
    pair = [f"{json.dumps(key)}:{_compact(place[key])}", f"{json.dumps(key)}:{_compact(other)}"]
    members = [f"{json.dumps(name)}:{_compact(value)}" for name, value in place.items() if name != key]
    first, last = draw(st.sampled_from((pair, pair[::-1])))
    spelt = "{" + ",".join([first, *members, last]) + "}"
    if inner:
        return '{"change":{"version":1,"operation":"create","schedule":' + spelt + "}}"
    return '{"change":' + spelt + "}"


def _replaced(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new, 1)


SLIPS: tuple[Callable[[str], str], ...] = (
    lambda text: text[:-1] + ",}",
    lambda text: text[:-2] + ",}}",
    lambda text: text[:-1],
    lambda text: text + "}",
    lambda text: text + "\x00",
    lambda text: text + " x",
    lambda text: text + text,
    lambda text: "\ufeff" + text,
    lambda text: "\u00a0" + text,
    lambda text: "\x0b" + text,
    lambda text: text + "\u2028",
    lambda text: "// a change\n" + text,
    lambda text: text.replace('"', "'"),
    lambda text: "",
    lambda text: " ",
    lambda text: "undefined",
    lambda text: f"({text})",
    _replaced('"version":1', '"version":NaN'),
    _replaced('"version":1', '"version":Infinity'),
    _replaced('"version":1', '"version":-Infinity'),
    _replaced('"version":1', '"version":01'),
    _replaced('"version":1', '"version":+1'),
    _replaced('"version":1', '"version":1.'),
    _replaced('"version":1', '"version":.1e1'),
    _replaced('"version":1', '"version":1e'),
    _replaced('"version":1', '"version":0x1'),
    _replaced('"version":1', '"version":1n'),
    _replaced('"version":1', '"version":1_0'),
    _replaced('"version":1', '"version":１'),
    _replaced('"version":1', '"version":--1'),
    _replaced('"version":1', "version:1"),
    _replaced('"version":1', '"version" 1'),
    _replaced('"version":1', '"version":1;'),
    _replaced('"version":1,', '"version":1,,'),
    _replaced('"id":"a"', '"id":"a\x00"'),
    _replaced('"id":"a"', '"id":"a\tb"'),
    _replaced('"id":"a"', '"id":"a\nb"'),
    _replaced('"id":"a"', '"id":"a\x1fb"'),
    _replaced('"id":"a"', '"id":"a\\x41"'),
    _replaced('"id":"a"', '"id":"a\\u12"'),
    _replaced('"id":"a"', '"id":"a\\u00g0"'),
    _replaced('"id":"a"', '"id":"a\\u 123"'),
    _replaced('"id":"a"', '"id":"a\\u+123"'),
    _replaced('"id":"a"', '"id":"a\\u٠٠٤١"'),
    _replaced('"id":"a"', '"id":"a\\'),
    _replaced('"id":"a"', '"id":"a\\0"'),
    _replaced('"id":"a"', '"id":"a\\\'"'),
    _replaced('"id":"a"', '"id":True'),
    _replaced('"id":"a"', '"id":nul'),
    _replaced('"id":"a"', '"id":nulll'),
    _replaced("{", "["),
)
"""Each turns a JSON text into one that is none, or leaves it where it does not apply."""


_SLIPS: st.SearchStrategy[Callable[[str], str]] = st.sampled_from(SLIPS)

SLIPS_OF_ANY_TEXT = tuple(slip for slip in SLIPS if slip("{}") != "{}")
"""Those that spoil the text of any object."""


@cache
@st.composite
def slipped(draw: st.DrawFn) -> str:
    """Texts that are no JSON by one slip."""
    slip: Callable[[str], str] = draw(_SLIPS)
    return slip(_compact(message(draw(plain_changes()))))


@cache
@st.composite
def mutated(draw: st.DrawFn) -> str:
    """JSON texts with one character changed, dropped or put in."""
    text = _compact(message(draw(plain_changes())))
    place = draw(st.integers(0, len(text)))
    put: str = draw(st.sampled_from(("", *'{}[]:,"\\0123456789.eE+- \n\t\x00\x1f\x7f\u2028aT')))
    return text[:place] + put + text[place + draw(st.integers(0, 1)) :]


class Tower(NamedTuple):
    """A text nested beyond what recursion can follow, told by how it is made: written out it is long."""

    frame: str
    opening: str
    depth: int
    closings: int

    def text(self) -> str:
        """Return the text itself."""
        closing = "]" if self.opening == "[" else "}"
        return self.frame.replace("%", f"{self.opening * self.depth}1{closing * self.closings}")


_FRAMES = (
    "%",
    '{"change":%}',
    '{"change":{"version":1,"operation":"delete","id":%}}',
    '{"change":{"version":1,"operation":"delete","id":"a","extra":%}}',
    '{"change":{"version":1,"operation":"delete","id":%,"id":"a"}}',
)


@cache
@st.composite
def deep(draw: st.DrawFn) -> Tower:
    """Texts nested beyond what recursion can follow, closed or cut off, alone or within a change."""
    depth = draw(st.sampled_from((600, 3, 5_000, 5_000, 600, 100_000)))
    short = draw(st.sampled_from((0, 0, 1)))
    return Tower(draw(st.sampled_from(_FRAMES)), draw(st.sampled_from(("[", '{"a":'))), depth, depth - short)


@cache
def near_texts() -> st.SearchStrategy[str]:
    """Nearly valid changes as plain JSON text."""
    return near_changes().map(lambda change: _compact(message(change)))


@cache
def not_of_changes() -> st.SearchStrategy[str]:
    """JSON that holds no object with a change."""
    return st.sampled_from(
        ("null", "1", '"a"', "[]", "{}", '{"Change":{}}', '{"change":null}', '[{"change":1}]')
    )


@cache
def change_texts(surrogates: bool) -> st.SearchStrategy[str]:
    """JSON texts of every sort for `decode`."""
    return st.one_of(
        renumbered(),
        respaced(),
        escaped(surrogates),
        repeated(),
        slipped(),
        mutated(),
        near_texts(),
        not_of_changes(),
    )
