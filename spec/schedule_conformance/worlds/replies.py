"""Replies to world commands, looked at fast.

The schemas say what a reply is; a long run has no time to ask them each time. What passes here passes there;
what does not is shown to them, so that they find the words.
"""

from collections.abc import Callable, Mapping
from typing import Any

from schedule_spec.numbers import safe_integer

OUTCOMES = ("ok", "fail", "missing")
ENDS = ("value", "refused", "aborted")
REJECTABLE = ("open", "append")
"""Commands that may be answered with a rejection (fold.candidate)."""


def is_sound(request: Mapping[str, Any], reply: object) -> bool:
    """Tell whether a reply can be judged: a well-formed result, or a rejection where one may come."""
    if not isinstance(reply, dict) or not _is(reply.get("seq"), request["seq"]):
        return False
    match reply:
        case {"result": dict(result), **rest} if rest.keys() == {"seq"}:
            return _is_result(request["cmd"], result)
        case {"rejected": {"code": "corrupt_schedule_log", **more}, **rest} if rest.keys() == {"seq"}:
            return request["cmd"] in REJECTABLE and _is_message(dict(more))
        case _:
            return False


def _is(value: object, number: int) -> bool:
    return safe_integer(value) == number


def _is_message(more: Mapping[Any, Any]) -> bool:
    return not more or (more.keys() == {"message"} and isinstance(more["message"], str))


def _is_result(command: str, result: Mapping[str, Any]) -> bool:
    observed = result.get("observed")
    if not isinstance(observed, list) or not all(map(_is_observation, observed)):
        return False
    match command:
        case "reopen" | "fork" if "tools" in result:
            return result.keys() == {"observed", "tools"} and _are_names(result["tools"])
        case "open":
            return result.keys() == {"observed", "tools"} and _are_names(result["tools"])
        case "log":
            return result.keys() == {"observed", "events"} and isinstance(result["events"], list)
        case _:
            return result.keys() == {"observed"}


def _are_names(value: object) -> bool:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        return False
    return len(set(value)) == len(value)


def _is_observation(value: object) -> bool:
    if not isinstance(value, dict) or len(value) != 3 or safe_integer(value.get("at")) is None:
        return False
    session = value.get("session")
    if not isinstance(session, str) or not session:
        return False
    return any(kind in value and is_kind(value[kind]) for kind, is_kind in _KINDS.items())


def _is_append(value: object) -> bool:
    return isinstance(value, dict) and value.keys() == {"type", "data"} and isinstance(value["type"], str)


def _is_answer(value: object) -> bool:
    if not isinstance(value, dict) or len(value) != 2:
        return False
    call = value.get("callId")
    return isinstance(call, str) and bool(call) and any(end in value for end in ENDS)


_KINDS: Mapping[str, Callable[[object], bool]] = {
    "followup": lambda value: isinstance(value, str),
    "append": _is_append,
    "answer": _is_answer,
    "barrier": lambda value: value in OUTCOMES,
    "claim": lambda value: value in ("ok", "busy"),
    "release": lambda value: value is True,
    "steer": lambda value: isinstance(value, str),
}
