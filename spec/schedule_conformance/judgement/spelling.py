"""What is unusual about a change or its JSON text.

A system that refuses an unusual but lawful spelling most likely trips over just that; these observations
name the clause that the spelling stands under. They look at what was sent, never at an answer.
"""

import json
import re
from typing import Any

from schedule_conformance.judgement.plainness import PLAIN
from schedule_conformance.protocol.json_values import DEEPEST_MESSAGE
from schedule_spec import instants

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_PRINTABLE = re.compile("[ -~]*")
_PLAIN_TEXT = re.compile(r"[ -\[\]-~]*")
_ODD_NUMBER = re.compile(r"[0-9][.eE]|-0(?![0-9.])")

BEYOND_32_BITS = "2038-01-19T03:14:08"
"""The first second that a signed integer of 32 bits does not hold."""

OF_EVERY_OBJECT = ("__proto__", "constructor", "hasOwnProperty", "toString", "valueOf")
"""Texts that are a member of every plain object of ECMAScript, so that they do not serve as its keys."""

LONG = 64
"""Characters of a stored text beyond which a column or a check may not hold it."""

OF_PEOPLE = ("id", "prompt")
"""The members whose texts are free, so that they may look like an instant and be none."""

BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0")
"""Letters that look like blanks."""


def odd_edges(value: object) -> bool:
    """Whether a string begins or ends with something other than visible ASCII."""
    return isinstance(value, str) and bool(value) and not ("!" <= value[0] <= "~" and "!" <= value[-1] <= "~")


def strippable_edges(value: object) -> bool:
    """Whether a string has odd edges that somebody may strip; nobody strips letters that can be seen."""
    return isinstance(value, str) and any(map(_is_strippable, (value[:1], value[-1:])))


def _is_strippable(edge: str) -> bool:
    return odd_edges(edge) and (edge in BLANK_LETTERS or not edge.isalnum())


def has_odd_edges(change: dict[str, Any]) -> bool:
    """Whether a text of a change or of its record has odd edges."""
    return any(odd_edges(text) for text, _ in _texts(_place(change)))


def misspells_instant(allowed: Any, came: Any) -> bool:
    """Whether somewhere in what came a text that is no instant stands where an instant is allowed."""
    match allowed, came:
        case dict(), dict():
            members = (allowed.keys() & came.keys()).difference(OF_PEOPLE)
            return any(misspells_instant(allowed[key], came[key]) for key in members)
        case list(), list():
            return len(allowed) == len(came) and any(map(misspells_instant, allowed, came))
        case str(), str():
            return instants.parse(allowed) is not None and instants.parse(came) is None
        case _:
            return False


def change_oddity(change: dict[str, Any]) -> str | None:
    """Return the clause under which a lawful change is spelt unusually, or nothing."""
    place = _place(change)
    numbers = [change.get("version"), place.get("afterSeconds"), place.get("everySeconds")]
    if any(isinstance(number, float) for number in numbers):
        return "number.safe-integer"
    oddity = _oddity_of_texts(place)
    if oddity is not None:
        return oddity
    for instant in (place.get("scheduledAt"), change.get("acceptedAt")):
        if isinstance(instant, str) and (instant[:4] == "0001" or instant >= BEYOND_32_BITS):
            return "instant.range"
        if isinstance(instant, str) and (instant < "1970" or instant[5:10] == "02-29"):
            return "instant.canonical"
    if _out_of_order(change) or _out_of_order(place):
        return "change.strict"
    return _oddity_of_length({**change, **place})


def _oddity_of_length(members: dict[str, Any]) -> str | None:
    """Return the clause of a long text where no other text can be to blame, each of them being plain."""
    odd = [name for name, plain in PLAIN.items() if members.get(name, plain) != plain]
    if len(odd) != 1 or len(str(members[odd[0]])) <= LONG:
        return None
    return {"id": "id.shape", "prompt": "text.prompt"}.get(odd[0])


def _place(change: dict[str, Any]) -> dict[str, Any]:
    schedule = change.get("schedule")
    return schedule if isinstance(schedule, dict) else change


def _texts(place: dict[str, Any]) -> tuple[tuple[Any, str], ...]:
    return (place.get("id"), "id.shape"), (place.get("prompt"), "text.prompt")


def _oddity_of_texts(place: dict[str, Any]) -> str | None:
    texts = _texts(place)
    if any(strippable_edges(text) for text, _ in texts):
        return "text.trim"
    odd = (clause for text, clause in texts if isinstance(text, str) and _is_odd(text))
    return next(odd, None)


def _is_odd(text: str) -> bool:
    return text in OF_EVERY_OBJECT or not _PRINTABLE.fullmatch(text)


_ORDER = (
    "version",
    "operation",
    "schedule",
    "id",
    "kind",
    "prompt",
    "afterSeconds",
    "everySeconds",
    "scheduledAt",
    "acceptedAt",
)


def _out_of_order(value: dict[str, Any]) -> bool:
    places = [_ORDER.index(key) for key in value if key in _ORDER]
    return places != sorted(places)


def text_oddity(text: str) -> str | None:
    """Return the clause under which a JSON text is spelt unusually, or nothing."""
    if max(text.count("["), text.count("{")) > DEEPEST_MESSAGE:
        return "change.json"
    if repeats_key(text):
        return "change.strict"
    if odd_number(text):
        return "number.safe-integer"
    return None if _PLAIN_TEXT.fullmatch(text) else "change.json"


def odd_number(text: str) -> bool:
    """Whether a JSON text spells some number with a fraction or exponent, or as minus zero."""
    return _ODD_NUMBER.search(_STRING.sub('""', text)) is not None


def repeats_key(text: str) -> bool:
    """Whether an object in a JSON text has a key twice; no, where the text is none or too deep to tell."""
    repeated = False

    def pairs(members: list[tuple[str, Any]]) -> None:
        nonlocal repeated
        repeated = repeated or len({key for key, _ in members}) < len(members)

    try:
        json.loads(text, object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return False
    return repeated
