"""What was owed when nothing more came."""

from collections.abc import Mapping
from dataclasses import replace

from schedule_spec.delivery import calls, owners
from schedule_spec.delivery.model import (
    Answering,
    Claimed,
    Ending,
    Mode,
    Queued,
    Reason,
    Released,
    Resting,
    Session,
)
from schedule_spec.delivery.owners import Moment
from schedule_spec.delivery.reasons.answers import shown
from schedule_spec.delivery.reasons.words import Fault, described, what
from schedule_spec.rejections import quoted
from schedule_spec.tools import NotFound, Remove, Removed, Shown, Store, Uncertain, Viewed
from schedule_spec.values import canonical

_OWED: Mapping[Reason, str] = {
    Reason.OPENED: "owner.session-local",
    Reason.WOKE: "deliver.no-loss",
    Reason.IDLE: "owner.idle-only",
    Reason.PREFLIGHT: "owner.recompute",
    Reason.CONFIRMED: "owner.recompute",
    Reason.RETRIED: "owner.activity-retry",
    Reason.DELIVERED: "deliver.no-loss",
}
"""The clause that an owed drive rests on."""


def owed(session: Session, moment: Moment) -> Fault:  # noqa: PLR0911 - one reason each
    """Return what was still to come."""
    if session.settling is not None:
        clause, sentence = owed(replace(session, settling=None, held=False, orphan=False), moment)
        return clause, f"A held barrier was released, but its outcome was not seen. {sentence}"
    if session.owner.mode is Mode.DISPOSED and session.calls:
        return "owner.dispose", f"Call {quoted(session.calls[0].id)} was in flight, and was to be waited for."
    if session.held and session.answers:
        return _unanswered(session.answers[0])
    match session.phase:
        case Queued(rest):
            return (
                "deliver.sequence",
                f"A follow-up was queued; its {described(rest[0])} was to be appended.",
            )
        case Claimed() | Ending():
            return "deliver.sequence", "The idle phase was claimed and was to be released."
        case Released():
            return "deliver.sequence", "The dispatch was appended; the delivery's last barrier was to follow."
        case Resting():
            pass
    if session.answers:
        return _unanswered(session.answers[0])
    if session.calls:
        return _unfinished(session, moment)
    found = what(owners.decision(session, moment))
    reason = session.owner.owed or Reason.DELIVERED
    stage = "a barrier, the claim and its follow-up were to come"
    return _OWED[reason], f"The owner had to deliver {found}, because {reason}, and {stage}."


def _unanswered(pending: Answering) -> Fault:
    who = f"Call {quoted(pending.id)}"
    if not pending.answers:
        return "barrier.cancel", f"{who} was cancelled and was to end in the host's abort."
    if pending.broken:
        return "tool.shape-first", f"{who} breaks {pending.broken} and was to be refused before the queue."
    clauses: Mapping[type, str] = {
        Viewed: "tool.create-result",
        Shown: "tool.list",
        Removed: "tool.delete-active",
        NotFound: "tool.delete-unknown",
        Uncertain: "barrier.uncertain",
    }
    clause = clauses.get(type(pending.answers[0]), "tool.error-sound")
    return clause, f"{who} had come to {canonical(shown(pending.answers[0]))} and was to be answered."


def _unfinished(session: Session, moment: Moment) -> Fault:
    head = session.calls[0]
    who = f"Call {quoted(head.id)}"
    if head.aborted:
        return "barrier.cancel", f"{who} was cancelled and was to end in the host's abort."
    if head.appended is not None:
        return "barrier.after-append", f"{who} had appended its event; its second barrier was to follow."
    if not session.call_cleared:
        return "barrier.before-read", f"{who} was first in the queue; its barrier was to come."
    found = calls.outcome(session, head, moment)
    if isinstance(found, Store):
        return "tool.create-result", f"{who} had its barrier and was to append its create."
    if isinstance(found, Remove):
        return "tool.delete-active", f"{who} had its barrier and was to append its delete."
    return _unanswered(Answering(head.id, head.given, (found,)))
