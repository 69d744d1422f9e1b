"""What is shown of records: views, decisions, framings.

What such a request puts to the test, and which clause a wrong answer to it breaks. Requests hold records of a
sound log alone; only their clock sample may be none. Touches nothing.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from schedule_conformance.law.rulings import Granted, Request, Ruling, refusals_of
from schedule_conformance.protocol.json_values import same
from schedule_spec import instants

LONG = 2_000
"""Characters of an id or a prompt from which on a framing shows whether it is whole."""

MARK = 40
"""Characters that may stand for what was cut off: an ellipsis, or a word about it."""

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_PRINTABLE = set(map(chr, range(0x20, 0x7F))) - set('"\\')
_LINE_ENDS = set("\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")


def exercised(request: Request, ruling: Ruling) -> list[str]:
    """Return the clauses that a wrong answer to `view`, `due`, `frame` or `frame_batch` would break."""
    if not isinstance(ruling, Granted):
        return [refusal.clause for refusal in refusals_of(ruling)]
    odd_clock = ["number.safe-integer"] if isinstance(request.get("now"), float) else []
    match request["cmd"]:
        case "view":
            return ["view.fields", "view.state", *odd_clock]
        case "due":
            return [*_of_decision(request, ruling.result), *odd_clock]
        case _:
            return _of_framing(request)


def _clock_in_range(request: Request) -> bool:
    return instants.in_range(int(request["now"]))


def _of_decision(request: Request, decision: Mapping[str, Any]) -> list[str]:
    found = [] if _clock_in_range(request) else ["due.clock-range"]
    match decision["kind"]:
        case "one-shot":
            return [*found, "due.one-shot-first"]
        case "batch":
            return [*found, "due.batch", "due.one-decision-time", "rate.latest-due", "rate.anchor-aligned"]
        case _:
            return [*found, "due.wait"]


def _framed_records(request: Request) -> list[dict[str, Any]]:
    if request["cmd"] == "frame":
        return [request["record"]]
    return [reminder["record"] for reminder in request["reminders"]]


def _own_texts(request: Request) -> list[str]:
    return [record[key] for record in _framed_records(request) for key in ("id", "prompt")]


def _clause_of_form(request: Request) -> str:
    return "frame.one-shot" if request["cmd"] == "frame" else "frame.batch"


def _is_long(request: Request) -> bool:
    return any(len(text) >= LONG for text in _own_texts(request))


def _has_line_ends(request: Request) -> bool:
    return any(not _LINE_ENDS.isdisjoint(text) for text in _own_texts(request))


def _of_framing(request: Request) -> list[str]:
    found = [_clause_of_form(request), "text.json-string"]
    found += (
        ["frame.injection"] if not all(_PRINTABLE.issuperset(text) for text in _own_texts(request)) else []
    )
    return [*found, "frame.whole"] if _is_long(request) else found


def blame_for_rejection(request: Request, granted: Granted) -> str:
    """Return the clause that refusing such a request breaks."""
    if isinstance(request.get("now"), float):
        return "number.safe-integer"
    match request["cmd"]:
        case "view":
            return "view.state"
        case "due":
            return _clause_of_decision(request, granted.result["kind"])
        case _:
            return "frame.whole" if _is_long(request) else _clause_of_form(request)


def _clause_of_decision(request: Request, kind: str) -> str:
    if not _clock_in_range(request):
        return "due.clock-range"
    return {"one-shot": "due.one-shot-first", "batch": "due.batch"}.get(kind, "due.wait")


def blame_for_value(request: Request, granted: Granted, got: Mapping[str, Any]) -> str:
    """Return the clause that another view, decision or framing than the law's breaks."""
    match request["cmd"]:
        case "view":
            return _blame_for_view(granted.result["view"], got.get("view"))
        case "due":
            return _blame_for_decision(request, granted.result, got)
        case _:
            return _blame_for_text(request, granted.result["text"], got.get("text"))


def _blame_for_view(allowed: dict[str, Any], came: Any) -> str:
    other_state = isinstance(came, dict) and same({**came, "state": None}, {**allowed, "state": None})
    return "view.state" if other_state else "view.fields"


def _blame_for_decision(request: Request, allowed: Mapping[str, Any], came: Mapping[str, Any]) -> str:
    match allowed["kind"], came.get("kind"):
        case "one-shot", _:
            return "due.one-shot-first"
        case "wait", "batch" if not _clock_in_range(request):
            return "due.clock-range"
        case "wait", _:
            return "due.wait"
    return _blame_for_batch(allowed, came)


def _blame_for_batch(allowed: Mapping[str, Any], came: Mapping[str, Any]) -> str:
    if came.get("kind") != "batch":
        return "due.batch"
    if allowed["acceptedAt"] != came.get("acceptedAt"):
        return "due.one-decision-time"
    came_ids = [reminder.get("id") for reminder in came.get("reminders", []) if isinstance(reminder, dict)]
    if came_ids != [reminder["id"] for reminder in allowed["reminders"]]:
        return "due.batch"
    return "rate.latest-due"


def _blame_for_text(request: Request, allowed: str, came: Any) -> str:
    if not isinstance(came, str):
        return _clause_of_form(request)
    wanted, lines = allowed.split("\n"), came.split("\n")
    if len(lines) < len(wanted) and _is_cut(came, allowed):
        return "frame.whole"
    if len(lines) != len(wanted):
        return "frame.injection" if _has_line_ends(request) else _clause_of_form(request)
    differing = [(want, line) for want, line in zip(wanted, lines, strict=True) if want != line]
    return _blame_for_line(request, *differing[0]) if differing else _clause_of_form(request)


def _blame_for_line(request: Request, want: str, line: str) -> str:
    """Tell apart, in the first line that differs, a string spelt otherwise from a line of another form."""
    key, _, literal = want.partition(": ")
    if not literal or not line.startswith(f"{key}: ") or key == "occurrence_at":
        return _clause_of_form(request)
    came = line.removeprefix(f"{key}: ")
    if not _is_json(came):
        return "frame.whole" if _is_cut(came, literal) else "text.json-string"
    if (strings := _strings(came)) != (wanted := _strings(literal)):
        return "frame.whole" if any(map(_is_cut, strings, wanted)) else _clause_of_form(request)
    return "text.json-string" if _skeleton(came) == _skeleton(literal) else _clause_of_form(request)


def _is_cut(came: str, wanted: str) -> bool:
    """Whether a long text ends early, at most with a short mark; an escape spelt otherwise is no such end."""
    differing = (place for place, pair in enumerate(zip(came, wanted, strict=False)) if len(set(pair)) > 1)
    kept = next(differing, min(len(came), len(wanted)))
    escape = "\\" in wanted[max(0, kept - 5) : kept + 1]
    marked = len(came) - kept <= MARK and not escape and not wanted.endswith(came[kept:])
    return LONG <= len(wanted) > len(came) and (kept == len(came) or marked)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _strings(text: str) -> list[Any]:
    return [json.loads(literal) for literal in _STRING.findall(text)]


def _skeleton(text: str) -> str:
    return _STRING.sub('""', text)
