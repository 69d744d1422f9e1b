"""What is wrong with a settled reply, beside its observations."""

from schedule_spec import fold, json_text, tools
from schedule_spec.delivery.model import Session, States
from schedule_spec.delivery.reasons.words import Fault, Object
from schedule_spec.fold import State
from schedule_spec.json_text import Json
from schedule_spec.rejections import quoted_names
from schedule_spec.values import canonical


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
    if (
        not states.terms.candidate
        or states.asked.rejects is None
        or rejected == states.asked.rejects
        or not (rejected or "result" in reply)
    ):
        return None
    if rejected:
        return "fold.candidate", "A candidate was refused with which the log would fold."
    return "fold.candidate", "A candidate was appended with which the log does not fold."


def log(session: Session, reply: Object) -> Fault | None:
    """Return where the log that is given back differs from what was appended."""
    result = reply.get("result")
    events = result.get("events") if isinstance(result, dict) else None
    if not isinstance(events, list):
        return None
    came = [_change_of(event) for event in events if _is_change(event)]
    held = [
        (at, _change_of(event))
        for at, event in enumerate(map(json_text.read, session.log.events))
        if _is_change(event)
    ]
    for number, (position, expected) in enumerate(held):
        if number >= len(came) or came[number] != expected:
            clause = "fork.history" if position < (session.log.seed or 0) else "deliver.no-loss"
            return clause, f"Event {position} of the log is not there as it was appended: {expected}."
    if len(came) > len(held):
        return "deliver.no-receipt", f"The log holds a change that was never appended: {came[len(held)]}."
    return None


def _is_change(event: object) -> bool:
    return isinstance(event, dict) and event.get("type") == fold.EVENT_TYPE


def _change_of(event: object) -> str:
    return canonical(event.get("data")) if isinstance(event, dict) else ""
