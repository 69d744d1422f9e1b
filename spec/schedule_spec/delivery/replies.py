"""What is wrong with a settled reply, beside its observations.

Specifies, of what a reply can show: owner.roots-only, owner.requires-persistence, fold.candidate,
fold.authority, fork.history, deliver.no-loss, deliver.no-receipt.
"""

from collections.abc import Iterable, Sequence

from schedule_spec import fold, json_text, tools
from schedule_spec.delivery.model import Session, States
from schedule_spec.delivery.reasons.words import Fault, Object
from schedule_spec.fold import State
from schedule_spec.json_text import Json, NotJson
from schedule_spec.rejections import quoted_names
from schedule_spec.values import canonical

Numbered = tuple[int, Json]
"""An event of the log with its position."""


def fault_of(states: States, reply: Object) -> Fault | None:
    """Return what no situation allows of a reply to the command that was asked."""
    situations = states.of(states.asked.session)
    match states.asked.command:
        case "open":
            [situation, *_] = situations
            return opened(situation, reply)
        case "append":
            return candidate(states, reply)
        case "log":
            faults = [log(situation, reply) for situation in situations]
            return None if None in faults else faults[0]
    return None


def opened(session: Session, reply: Object) -> Fault | None:
    """Return what is wrong with the reply to `open`: its tools, or that it was refused."""
    result = reply.get("result")
    names = sorted(_tool_names(result.get("tools") if isinstance(result, dict) else None))
    if not session.persistence:
        return ("owner.requires-persistence", "The feature loaded without persistence.") if names else None
    if "rejected" in reply:
        refusable = not isinstance(session.log.state, State)
        return None if refusable else ("fold.candidate", "A session was refused though its log folds.")
    if not isinstance(result, dict):
        return None
    expected = sorted(tools.NAMES) if session.installed else []
    if names == expected:
        return None
    sentence = f"An agent ({session.agent}) has the tools {quoted_names(names) or 'none'}; "
    return "owner.roots-only", sentence + (
        f"{quoted_names(expected)} are due." if expected else "it gets none."
    )


def _tool_names(value: Json) -> list[str]:
    named = (
        [tool.get("name") if isinstance(tool, dict) else tool for tool in value]
        if isinstance(value, list)
        else []
    )
    return [name for name in named if isinstance(name, str)]


def candidate(states: States, reply: Object) -> Fault | None:
    """Return whether a foreign append was wrongly refused or let in."""
    rejected = "rejected" in reply
    if not states.terms.candidate or states.asked.rejects is None or rejected == states.asked.rejects:
        return None
    sentence = (
        "A candidate was refused with which the log would fold."
        if rejected
        else "A candidate was appended with which the log does not fold."
    )
    return "fold.candidate", sentence


def log(session: Session, reply: Object) -> Fault | None:
    """Return where the log that is given back differs from what was appended.

    A host may write events of its own into it; what Schedule knows of an event is its type and its data.
    """
    result = reply.get("result")
    events = result.get("events") if isinstance(result, dict) else None
    if not isinstance(events, list):
        return None
    held = tuple(enumerate(map(_event, session.log.events)))
    changes = [(position, event) for position, event in held if _is_change(event)]
    came = [event for event in events if _is_change(event)]
    return (
        _lost(session, "deliver.no-loss", changes, came)
        or _added(came[len(changes) :])
        or _lost(session, "fold.authority", held, events)
    )


def _lost(session: Session, own: str, held: Iterable[Numbered], came: Sequence[Json]) -> Fault | None:
    """Return the first event that is not there in its turn: a fault of `own` in the session's own part."""
    left = iter([_substance(event) for event in came])
    for position, event in held:
        if _substance(event) not in left:
            inherited = session.log.seed is not None and position < session.log.seed
            sentence = f"Event {position} of the log is not there as it was appended: {_substance(event)}."
            return "fork.history" if inherited else own, sentence
    return None


def _added(changes: Sequence[Json]) -> Fault | None:
    if not changes:
        return None
    return "deliver.no-receipt", f"The log holds a change that was never appended: {_substance(changes[0])}."


def _event(text: str) -> Json:
    event = json_text.read(text)
    assert not isinstance(event, NotJson)
    return event


def _is_change(event: Json) -> bool:
    return isinstance(event, dict) and event.get("type") == fold.EVENT_TYPE


def _substance(event: Json) -> str:
    """Return what of an event is compared, as text."""
    if isinstance(event, dict):
        return canonical({name: event[name] for name in ("type", "data") if name in event})
    return canonical(event)
