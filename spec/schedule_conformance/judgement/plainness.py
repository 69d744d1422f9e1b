"""What is odd about a request made plain, one thing at a time.

A wrong answer is blamed on what is odd about the request. Whatever can be made plain while the answer stays
wrong was not to blame. Only `decode` and `create` have much that may be odd, `view` and `due` their clock;
nothing is asked here.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import isfinite
from typing import Any

from schedule_conformance.protocol.json_values import DEEPEST_MESSAGE
from schedule_spec import json_text

Request = Mapping[str, Any]

INSTANT = "2030-01-01T00:00:00.000Z"
PLAIN: Mapping[str, Any] = {"prompt": "p", "id": "a", "scheduledAt": INSTANT, "acceptedAt": INSTANT}
"""For members that are texts, what nobody stumbles over."""

_DATE_AND_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,3})?(?=Z|[+-])"
)


def plainer(request: Request) -> Iterator[Callable[[Request], dict[str, Any] | None]]:
    """Yield what makes a request plainer in one thing each, or gives None where that thing is plain."""
    if request["cmd"] in ("view", "due"):
        yield _with_whole_numbers
    if request["cmd"] not in ("decode", "create"):
        return
    yield _without_text
    for name in PLAIN:
        yield partial(_with_plain, name=name)
    yield _with_whole_numbers
    yield _at_a_plain_time


def _without_text(request: Request) -> dict[str, Any] | None:
    """Give the values that a JSON text holds instead of the text."""
    text = request.get("json")
    if not isinstance(text, str) or max(text.count("["), text.count("{")) > DEEPEST_MESSAGE:
        return None
    value = json_text.read(text)
    if not isinstance(value, dict) or not _finite(value):
        return None
    if request["cmd"] == "create":
        return {**value, "cmd": "create"} if value.keys().isdisjoint(("seq", "json")) else None
    return {"cmd": "decode", "change": value["change"]} if "change" in value else None


def _finite(value: Any) -> bool:
    match value:
        case dict():
            return all(map(_finite, value.values()))
        case list():
            return all(map(_finite, value))
        case _:
            return not isinstance(value, float) or isfinite(value)


def _altered(request: Request, alter: Callable[[str, Any], Any]) -> dict[str, Any] | None:
    """Alter the members of a request, or of a change and its record; None where all stay as they are."""
    if request["cmd"] != "decode":
        altered = {key: alter(key, value) for key, value in request.items()}
    else:
        change = request.get("change")
        if not isinstance(change, dict):
            return None
        altered = {**request, "change": _altered_change(change, alter)}
    return altered if repr(altered) != repr(dict(request)) else None


def _altered_change(change: dict[str, Any], alter: Callable[[str, Any], Any]) -> dict[str, Any]:
    outer = {key: alter(key, value) for key, value in change.items()}
    schedule = change.get("schedule")
    if isinstance(schedule, dict):
        outer["schedule"] = {key: alter(key, value) for key, value in schedule.items()}
    return outer


def _with_plain(request: Request, *, name: str) -> dict[str, Any] | None:
    return _altered(
        request, lambda key, value: PLAIN[name] if key == name and isinstance(value, str) else value
    )


def _with_whole_numbers(request: Request) -> dict[str, Any] | None:
    return _altered(
        request,
        lambda _, value: int(value) if isinstance(value, float) and value.is_integer() else value,
    )


def _at_a_plain_time(request: Request) -> dict[str, Any] | None:
    """Move an `at` that is a string to an ordinary day, and the clock before it."""
    at = request.get("at")
    if not isinstance(at, str) or request["cmd"] != "create" or not _DATE_AND_TIME.match(at):
        return None
    moved = {**request, "at": _DATE_AND_TIME.sub("2030-06-15T12:00:00", at), "now": 0}
    return moved if moved != request else None
