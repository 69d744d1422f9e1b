"""Why an event was not to be appended."""

from collections.abc import Sequence
from dataclasses import replace

from schedule_spec import fold, profiles, records
from schedule_spec.changes import Create, Delete, DispatchEvery, DispatchOneShot, named_id
from schedule_spec.delivery import calls
from schedule_spec.delivery.model import Call, Mode, Queued, Resting, Session
from schedule_spec.delivery.owners import Moment
from schedule_spec.delivery.reasons.words import Fault, described, no_delivery
from schedule_spec.fold import State
from schedule_spec.json_text import Json
from schedule_spec.records import Record
from schedule_spec.rejections import Rejection, quoted, quoted_names
from schedule_spec.tools import Answer, Failed, NotFound, Remove, Store, Uncertain
from schedule_spec.values import canonical


def append(session: Session, moment: Moment, event: Json) -> Fault:
    """Return why no event, or not this one, was to be appended."""
    type = event.get("type") if isinstance(event, dict) else None
    if not isinstance(event, dict) or type != fold.EVENT_TYPE:
        return "deliver.no-receipt", f"An event of type {quoted(type)} was appended; Schedule writes none."
    change = profiles.decoder(moment.terms.profile)(event.get("data"))
    if isinstance(change, Rejection):
        return change.clause, f"What was appended is no change: {change.message}"
    if isinstance(change, Create | Delete):
        return _call_append(session, moment, change)
    return _dispatch(session, moment, change)


def _deletes(session: Session, moment: Moment, id: str) -> bool:
    """Tell whether the head of the queue is to append the delete of an id."""
    if not session.calls or not session.call_cleared:
        return False
    return calls.outcome(session, session.calls[0], moment) == Remove(id)


def _dispatch(session: Session, moment: Moment, change: DispatchOneShot | DispatchEvery) -> Fault:  # noqa: PLR0911 - one reason each
    came = f"The {described(change)} was appended"
    if not isinstance(session.phase, Queued):
        if _deletes(session, moment, change.id):
            return "tool.delete-active", f"{came}; its delete was to be appended, as the call asks."
        if session.script.followup_fails or session.owner.mode is Mode.HALTED:
            return "deliver.no-dispatch-on-failure", f"{came}, though no follow-up could be queued."
        fault = no_delivery(session, came)
        return fault or ("deliver.enqueue-before-dispatch", f"{came} without its follow-up queued first.")
    rest = session.phase.rest
    if session.script.fails("dispatch"):
        return "deliver.append-failure-faults", f"{came}, though this append was to fail."
    same_id = next((expected for expected in rest if named_id(expected) == change.id), None)
    if same_id is None:
        return "deliver.enqueue-before-dispatch", f"{came}; its follow-up was not the one queued."
    if type(same_id) is not type(change):
        return "fold.shape-match", f"{came}; its follow-up calls for the {described(same_id)}."
    if same_id != change:
        return "due.one-decision-time", f"{came}; the batch was decided as the {described(same_id)}."
    return "due.batch", f"{came} out of order; the {described(rest[0])} comes first."


def _call_append(session: Session, moment: Moment, change: Create | Delete) -> Fault:  # noqa: PLR0911 - one reason each
    came = f"The {described(change)} was appended"
    clause = "tool.create-result" if isinstance(change, Create) else "tool.delete-active"
    if not session.live:
        return "owner.session-local", f"{came} in a session that is not live."
    if not isinstance(session.log.state, State):
        return "tool.corrupt", f"{came} to a log that does not fold."
    if not session.calls:
        if isinstance(session.phase, Queued):
            return "deliver.sequence", f"{came}; the {described(session.phase.rest[0])} was to be appended."
        refused = next((pending for pending in session.answers if pending.broken), None)
        if refused is not None:
            return refused.broken, f"{came}, though call {quoted(refused.id)} was to be refused."
        if isinstance(change, Delete) and Uncertain("create", change.id) in _outcomes(session):
            return "barrier.recovers", f"{came}, though what a failed barrier follows stays in the log."
        return clause, f"{came}, though no call was under way that had not been answered or appended yet."
    head = session.calls[0]
    if head.aborted:
        return "barrier.cancel", f"{came} for call {quoted(head.id)}, which had been cancelled before."
    if head.appended is not None:
        return clause, f"{came}; call {quoted(head.id)} had appended its one event already."
    if session.held or not isinstance(session.phase, Resting):
        return "barrier.fifo", f"{came} while another transaction held the queue."
    if not session.call_cleared:
        return "barrier.before-read", f"{came} before call {quoted(head.id)} had a successful barrier."
    return _wrong_call_append(session, moment, head, change)


def _outcomes(session: Session) -> list[Answer]:
    """Return what the calls whose answers have not been seen yet may have come to."""
    return [answer for pending in session.answers for answer in pending.answers]


def _wrong_call_append(session: Session, moment: Moment, head: Call, change: Create | Delete) -> Fault:  # noqa: PLR0911 - one reason each
    came = f"The {described(change)} was appended"
    found = calls.outcome(session, head, moment)
    behind = _asked_by(session.calls[1:], session, moment, change)
    if behind is not None and not (isinstance(found, Store | Remove) and calls.appends(found, change)):
        return "barrier.fifo", f"{came} for call {quoted(behind.id)}; call {quoted(head.id)} comes first."
    match found:
        case Store() if isinstance(change, Create):
            if not fold.is_fresh(session.log.own, change.schedule.id):
                return "id.fresh", f"{came}; an id of that spelling was created before."
            if session.script.fails("create"):
                return "tool.internal-error", f"{came}, though this append was to fail."
            return _wrong_record(came, found.record, change.schedule)
        case Remove(id) if isinstance(change, Delete):
            if id == change.id:
                return "tool.internal-error", f"{came}, though this append was to fail."
            return "tool.delete-active", f"{came}; call {quoted(head.id)} deletes {quoted(id)}."
        case NotFound(id) if isinstance(change, Delete):
            return "tool.delete-unknown", f"{came}; {quoted(id)} was not active."
        case Failed(codes):
            return "tool.error-sound", f"{came}; the call was to be refused with {quoted_names(codes)}."
        case _:
            sentence = f"{came}; call {quoted(head.id)}, the first in the queue, appends no such event."
            return "barrier.fifo", sentence


def _asked_by(
    waiting: Sequence[Call], session: Session, moment: Moment, change: Create | Delete
) -> Call | None:
    """Return the first of some calls that would append the change."""
    for call in waiting:
        found = calls.outcome(session, call, moment)
        if isinstance(found, Store | Remove) and calls.appends(found, change):
            return call
    return None


def _wrong_record(came: str, expected: Record, schedule: Record) -> Fault:
    if schedule.prompt != expected.prompt:
        return "tool.create-prompt", f"{came}; the prompt to store is {quoted(expected.prompt)}."
    told = canonical(records.encode(replace(expected, id=schedule.id)))
    return "tool.create-result", f"{came}; the record to store, the spelling of its id aside, is {told}."
