"""The owner of a session: what it would decide, what it may do, and what makes it look for due work.

Specifies due.wait and of owner.* when the owner works, and when it does not.
"""

from dataclasses import dataclass, replace

from schedule_spec import due, framing
from schedule_spec.delivery.model import (
    Mode,
    Owner,
    Reason,
    Session,
    Terms,
)
from schedule_spec.due import Batch, Decision, OneShot, Wait
from schedule_spec.marks import defines


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a transition takes place: the agreed terms, and the wall clock in ms."""

    terms: Terms
    clock: int

    @property
    def shows_claims(self) -> bool:
        """Whether a claim would have been seen."""
        return "claim" in self.terms.observes

    @property
    def shows_releases(self) -> bool:
        """Whether a release would have been seen."""
        return "release" in self.terms.observes


@defines("owner.corrupt")
def decision(session: Session, moment: Moment) -> Decision:
    """Return what the owner decides now; a log that does not fold leaves nothing to do (owner.corrupt)."""
    return due.decide(session.log.own.active, moment.clock)


@defines("owner.corrupt", "barrier.recovers")
def foreseen(session: Session, moment: Moment) -> Decision:
    """Return what the owner would decide now of the records that it had cause to read of."""
    unread = session.owner.unread
    known = [record for record in session.log.own.active if record.id not in unread]
    return due.decide(known, moment.clock)


def is_due(session: Session, moment: Moment) -> bool:
    """Tell whether anything is to be delivered by the clock, whoever may do it."""
    return not isinstance(decision(session, moment), Wait)


@defines("owner.activity-retry", "deliver.barrier-failure", "owner.idle-only", "barrier.fifo")
def may_deliver(session: Session, moment: Moment) -> bool:
    """Tell whether the owner may deliver due work now, a barrier and a claim provided."""
    owner = session.owner
    if session.busy or mid_call(session):
        return False
    if owner.mode is Mode.LULLED:
        since = owner.lull or 0
        return owner.lull_now or any(
            since < record.scheduled_at <= moment.clock for record in session.log.own.active
        )
    return owner.mode is Mode.LIVE


def mid_call(session: Session) -> bool:
    """Tell whether the head of the queue has appended and waits for its second barrier."""
    return bool(session.calls) and session.calls[0].appended is not None


@defines("owner.recompute", "owner.activity-retry", "barrier.recovers")
def triggered(owner: Owner, reason: Reason) -> Owner:
    """Return the owner that owes a drive; one that is gone or has stopped owes nothing."""
    match owner.mode:
        case Mode.LIVE if reason is Reason.IDLE:
            return replace(owner, owed=reason)
        case Mode.LIVE:
            return Owner(Mode.LIVE, owed=reason)
        case Mode.HALTED | Mode.LULLED:
            return Owner(Mode.LIVE, owed=Reason.RETRIED)
        case _:
            return owner


def permitted(owner: Owner) -> Owner:
    """Return the owner that may try again, but need not."""
    return replace(owner, mode=Mode.LIVE) if owner.mode in (Mode.HALTED, Mode.LULLED) else owner


@defines("owner.recompute")
def unaware(owner: Owner, created: tuple[str, ...]) -> Owner:
    """Return the owner that knows of a call's preflight, and not of what the call has appended since.

    One that waits, and has read of every record, waits on.
    """
    waits = owner.wake is not None and not owner.unread
    return replace(owner if waits else triggered(owner, Reason.PREFLIGHT), unread=created)


def halted(owner: Owner) -> Owner:
    """Return the owner after a failed preflight, framing or enqueue: no wake (owner.activity-retry)."""
    if owner.mode is Mode.DISPOSED:
        return owner
    return Owner(Mode.LIVE if owner.renewed else Mode.HALTED)


def lulled(owner: Owner, moment: Moment) -> Owner:
    """Return the owner after a failed last barrier: what is due now waits (deliver.barrier-failure)."""
    if owner.mode in (Mode.STOPPED, Mode.DISPOSED):
        return owner
    if owner.renewed:
        return Owner(Mode.LIVE)
    return Owner(Mode.LULLED, lull=moment.clock, lull_now=True)


LONGEST_TIMER = 2**31 - 1
"""The longest time, in ms, that the timers of every host hold (owner.bounded-wait)."""


@defines("due.wait", "owner.recheck", "owner.bounded-wait")
def rearmed(session: Session, moment: Moment) -> Owner:
    """Return the owner that has looked and found nothing to deliver: it waits for the earliest target."""
    found = foreseen(session, moment)
    until = found.until if isinstance(found, Wait) else None
    wake = None if until is None else until - moment.clock
    return replace(session.owner, owed=None, wake=wake, split=wake is not None and wake > LONGEST_TIMER)


def expected_followup(session: Session, moment: Moment) -> str | None:
    """Return the text of the follow-up that is due now, None where nothing is."""
    found = decision(session, moment)
    return framing.text_of(found) if isinstance(found, OneShot | Batch) else None
