"""The host's events, as far as they show what became of reminders and of calls to the three tools.

An inbox event inserts messages; those whose source is the plugin `schedule` are follow-ups, whatever the
others say. A tool call and its result share a call id. All else of an event is passed over unread.
"""

from dataclasses import dataclass
from typing import TypeAlias

from schedule_spec import tools
from schedule_spec.json_text import Json
from schedule_spec.numbers import safe_integer

TYPES = ("agent/inbox/spliced", "tool/call", "tool/result", "turn/start", "session/end-seed")
"""The types of the host's events that are read."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A message of Schedule that was queued.

    `text` is its content, None where that is not one text; `target` says which turn it waits for.
    """

    text: str | None
    role: Json
    target: Json


@dataclass(frozen=True, slots=True)
class Spliced:
    """A change of the inbox: the follow-ups among what was inserted, and whether something was taken out."""

    follow_ups: tuple[FollowUp, ...]
    removes: bool


@dataclass(frozen=True, slots=True)
class Called:
    """The begin of a call to one of the three tools; `arguments` is JSON text, or the value itself."""

    call_id: str
    tool: str
    arguments: Json


@dataclass(frozen=True, slots=True)
class Answered:
    """The result of some tool call.

    `text` is None where the content is not one text; `refused` tells that the host's own argument check
    answered.
    """

    call_id: str
    text: str | None
    is_error: bool
    refused: bool


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A turn begins."""


@dataclass(frozen=True, slots=True)
class Reopened:
    """The session was opened anew: what came before may have ended in a crash."""


HostEvent: TypeAlias = Spliced | Called | Answered | TurnStarted | Reopened


def time_of(event: Json) -> int | None:
    """Return the host's clock when it appended the event, in ms; None where the event does not say."""
    return safe_integer(event.get("time")) if isinstance(event, dict) else None


def read(event: Json) -> HostEvent | None:
    """Return what the event shows; None where that is nothing."""
    match event:
        case {"type": "agent/inbox/spliced", "data": dict(data)}:
            return _spliced(data)
        case {
            "type": "tool/call",
            "data": {"callId": str(call_id), "name": str(tool), "arguments": arguments},
        } if tool in tools.NAMES:
            return Called(call_id, tool, arguments)
        case {"type": "tool/result", "data": dict(data)}:
            return _answered(data)
        case {"type": "turn/start"}:
            return TurnStarted()
        case {"type": "session/end-seed"}:
            return Reopened()
    return None


def _spliced(data: dict[str, Json]) -> Spliced:
    inserted = data.get("inserted")
    follow_ups = tuple(
        FollowUp(_one_text(message.get("content")), message.get("role"), data.get("target"))
        for message in (inserted if isinstance(inserted, list) else [])
        if isinstance(message, dict) and _is_of_schedule(message.get("source"))
    )
    removed = safe_integer(data.get("removedCount"))
    return Spliced(follow_ups, removes=removed is not None and removed > 0)


def _is_of_schedule(source: Json) -> bool:
    match source:
        case {"kind": "plugin", "plugin": "schedule"}:
            return True
    return False


def _answered(data: dict[str, Json]) -> Answered | None:
    match data.get("message"):
        case {"source": {"callId": str(call_id)}, "content": [dict(result)]}:
            text = _one_text(result.get("content"))
            return Answered(call_id, text, result.get("isError") is True, _is_refusal(data, text))
    return None


def _is_refusal(data: dict[str, Json], text: str | None) -> bool:
    match data.get("error"):
        case {"code": "INVALID_ARGS"}:
            return True
        case _:
            return text is not None and text.startswith("Error: invalid arguments")


def _one_text(content: Json) -> str | None:
    match content:
        case str(text):
            return text
        case [{"type": "text", "text": str(text)}]:
            return text
    return None
