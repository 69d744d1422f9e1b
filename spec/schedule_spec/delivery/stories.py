"""The story behind a violation: what had been seen of the reminders and calls that it concerns, and when."""

import re
from collections.abc import Iterable, Iterator, Mapping

from schedule_spec import json_text
from schedule_spec.delivery.model import Violation
from schedule_spec.delivery.reasons.followups import framed
from schedule_spec.delivery.reasons.words import at
from schedule_spec.json_text import Json
from schedule_spec.rejections import quoted, quoted_names

Object = Mapping[str, Json]

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def story(exchanges: Iterable[tuple[Object, Object]], violation: Violation) -> tuple[str, ...]:
    """Return what led to a violation, oldest first: a sentence for each observation that it is about.

    `exchanges` are the requests and whole replies of the trace, the last one included.
    """
    concerned = _strings(violation.sentence) | _strings(violation.observation or "")
    return tuple(
        f"{_time(observation)}: {words}."
        for _, reply in exchanges
        for observation in _observed(reply)
        if observation.get("session") == violation.session
        for words, about in [_told(observation)]
        if not about.isdisjoint(concerned)
    )


def _strings(text: str) -> set[str]:
    """Return the strings whose JSON literals stand in a text, and in those in turn."""
    found = {value for literal in _QUOTED.findall(text) if isinstance(value := json_text.read(literal), str)}
    inner = [framed(value) for value in found if "\n" in value]
    return found | {id for ids, _ in filter(None, inner) for id in ids if isinstance(id, str)}


def _observed(reply: Object) -> Iterator[Object]:
    result = reply.get("result")
    observed = result.get("observed") if isinstance(result, dict) else None
    yield from (each for each in observed if isinstance(each, dict)) if isinstance(observed, list) else ()


def _time(observation: Object) -> str:
    placed = observation.get("at")
    return at(placed) if isinstance(placed, int) else quoted(placed)


def _told(observation: Object) -> tuple[str, set[str]]:
    """Return an observation in words, and the ids that it is about."""
    match observation:
        case {"followup": str(text)} if (found := framed(text)) is not None:
            ids = [id for id in found[0] if isinstance(id, str)]
            return f"the follow-up of {quoted_names(ids)} was queued", set(ids)
        case {"append": {"data": {"operation": "create", "schedule": {"id": str(id)}}}}:
            return f"the create of {quoted(id)} was appended", {id}
        case {"append": {"data": {"operation": str(operation), "id": str(id)}}}:
            return f"the {operation} of {quoted(id)} was appended", {id}
        case {"answer": {"callId": str(id)}}:
            return f"call {quoted(id)} was answered", {id}
        case _:
            return "", set()
