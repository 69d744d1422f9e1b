"""The words of reasons: times, changes and decisions as a reader sees them."""

from collections.abc import Mapping

from schedule_spec import instants
from schedule_spec.changes import Change, Create, Delete, DispatchEvery, DispatchOneShot
from schedule_spec.delivery.model import Mode, Session
from schedule_spec.due import Batch, Decision, OneShot, Wait
from schedule_spec.fold import State
from schedule_spec.json_text import Json
from schedule_spec.rejections import quoted, quoted_names

Object = Mapping[str, Json]
Fault = tuple[str, str]
"""A clause, and the sentence that says how it is broken."""

_NEVER_AGAIN: Mapping[Mode, Fault] = {
    Mode.ABSENT: ("owner.session-local", "The session has no owner."),
    Mode.STOPPED: (
        "deliver.append-failure-faults",
        "An append had failed after its follow-up was queued, so that the owner had stopped for good.",
    ),
    Mode.DISPOSED: ("owner.dispose", "The owner had been disposed of; it starts nothing new."),
}


def at(ms: int) -> str:
    """Return a time as a reader may see it."""
    return instants.render(ms) if instants.in_range(ms) else f"{ms} ms"


def what(found: Decision) -> str:
    """Return what a decision delivers, within a sentence."""
    match found:
        case OneShot(record):
            return f"the one-shot {quoted(record.id)} (target {at(record.scheduled_at)})"
        case Batch(_, reminders):
            names = quoted_names([reminder.record.id for reminder in reminders])
            return f"the batch of {names} (earliest target {at(reminders[0].record.scheduled_at)})"
        case Wait(until):
            return "nothing" if until is None else f"nothing before {at(until)}"


def described(change: Change) -> str:
    """Return a change as a reader may see it."""
    match change:
        case Create(schedule):
            return f"create of {quoted(schedule.id)}"
        case Delete(id):
            return f"delete of {quoted(id)}"
        case DispatchOneShot(id):
            return f"dispatch of {quoted(id)}"
        case DispatchEvery(id, accepted_at):
            return f"dispatch of {quoted(id)} accepted at {at(accepted_at)}"


def no_delivery(session: Session, came: str) -> Fault | None:
    """Return why a session delivers nothing at all, if it does not."""
    if not session.persistence:
        return "owner.requires-persistence", f"{came} in a session that has no persistence."
    if not session.installed:
        return "owner.roots-only", f"{came} for an agent ({session.agent}) that gets no owner."
    if not session.live:
        return "owner.session-local", f"{came} in a session that is not live."
    if session.owner.mode in _NEVER_AGAIN:
        clause, why = _NEVER_AGAIN[session.owner.mode]
        return clause, f"{came}. {why}"
    if not isinstance(session.log.state, State):
        why = session.log.state.rejection.message
        return "owner.corrupt", f"{came}, though the log does not fold: {why}"
    return None


def sentence_case(words: str) -> str:
    """Return the words with a capital at their beginning."""
    return words[:1].upper() + words[1:]
