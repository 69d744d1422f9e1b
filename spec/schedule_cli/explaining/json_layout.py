"""JSON laid out for a reader: ASCII, on one line what fits on one, and otherwise in few lines.

What opens last in a line stays open at its end, so that what is nested takes no line to open, as in
`{"cmd": "fold", "events": [`.
"""

import json
from dataclasses import dataclass


def on_one_line(value: object) -> str:
    """Return JSON on one line."""
    return json.dumps(value)


USUAL_ORDER = (
    *("seq", "cmd", "at", "session", "type", "data", "version", "operation", "schedule"),
    *("id", "kind", "prompt", "afterSeconds", "everySeconds", "scheduledAt", "acceptedAt"),
)
"""The members of messages, events and records in the order in which they are usually written."""


def in_usual_order(value: object) -> object:
    """Return a JSON value with the members of its objects in their usual order, others after them."""
    match value:
        case dict():
            known = [name for name in USUAL_ORDER if name in value]
            rest = [name for name in value if name not in known]
            return {name: in_usual_order(value[name]) for name in (*known, *rest)}
        case list():
            return [in_usual_order(each) for each in value]
        case _:
            return value


def laid_out(value: object, width: int = 92) -> str:
    """Return JSON in lines of at most `width` characters, but for texts and numbers that are longer."""
    return _laid_out(value, "", "", width)


def _laid_out(value: object, key: str, margin: str, width: int) -> str:
    """Return JSON after the key of its member, often empty; `margin` is that of its line."""
    line = f"{key}{json.dumps(value)}"
    if len(margin) + len(line) <= width or not isinstance(value, (dict, list)) or not value:
        return line
    opened = _opened(value, width - len(margin) - len(key))
    inner = f"{margin}  "
    room = width - len(inner)
    items = [_laid_out(each, name, inner, width - 1) for name, each in opened.items]
    lines = items if opened.is_listed else _filled(items, room)
    body = f",\n{inner}".join(lines)
    return f"{key}{opened.start}\n{inner}{body}\n{margin}{opened.end}"


def _filled(items: list[str], room: int) -> list[str]:
    """Return items with those that stand on one line put together, as many as fit the room."""
    filled: list[str] = []
    for item in items:
        together = f"{filled[-1]}, {item}" if filled else ""
        if together and "\n" not in together and len(together) < room:
            filled[-1] = together
        else:
            filled.append(item)
    return filled


@dataclass(frozen=True, slots=True)
class _Opened:
    """Objects and lists that open in one line: what opens and closes them, and the innermost one's items."""

    start: str
    items: tuple[tuple[str, object], ...]
    end: str

    @property
    def is_listed(self) -> bool:
        """Whether the innermost is a list of objects or lists, which stand below each other."""
        return self.end.startswith("]") and any(isinstance(value, (dict, list)) for _, value in self.items)


def _opened(value: dict[str, object] | list[object], room: int) -> _Opened:
    if isinstance(value, list):
        return _Opened("[", tuple(("", each) for each in value), "]")
    members = tuple((f"{json.dumps(name)}: ", each) for name, each in value.items())
    *before, (name, last) = members
    if isinstance(last, (dict, list)) and last:
        head = "".join(f"{key}{json.dumps(each)}, " for key, each in before)
        inner = _opened(last, room - len(f"{{{head}{name}"))
        start = f"{{{head}{name}{inner.start}"
        if len(start) <= room:
            return _Opened(start, inner.items, f"{inner.end}}}")
    return _Opened("{", members, "}")
