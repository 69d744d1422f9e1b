"""Barriers: whose each may have been, and what follows from its outcome.

Specifies barrier.after-append, barrier.uncertain, barrier.recovers and deliver.barrier-failure.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from schedule_spec import tools
from schedule_spec.delivery.calls import completed
from schedule_spec.delivery.model import (
    Call,
    Claimed,
    Ending,
    Following,
    Mode,
    Owner,
    Queued,
    Reason,
    Released,
    Resting,
    Session,
)
from schedule_spec.delivery.owners import (
    Moment,
    foreseen,
    halted,
    lulled,
    mid_call,
    permitted,
    rearmed,
    triggered,
    unaware,
)
from schedule_spec.due import Wait
from schedule_spec.marks import defines
from schedule_spec.records import Record
from schedule_spec.tools import (
    Answer,
    Removed,
    Viewed,
)


def begin_held(session: Session) -> Session:
    """Return the situation in which the next barrier, which is to be held, has begun."""
    script = replace(session.script, barriers=session.script.barriers[1:])
    return replace(session, held=True, script=script)


def on_barrier(session: Session, moment: Moment, result: str) -> Following:
    """Return what may follow a barrier that settled with `ok`, `fail` or `missing`."""
    if not session.live:
        return []
    if session.settling == result:
        released = replace(session, settling=None)
        if session.orphan:
            return [_orphan_settled(replace(released, orphan=False), result)]
        return _settled(replace(released, held=False), moment, result)
    expected = session.script.barriers[0] if session.script.barriers else "ok"
    if expected != result:
        return []
    script = replace(session.script, barriers=session.script.barriers[1:])
    following = replace(session, script=script)
    if session.held:
        return [_acknowledged(following) if result == "ok" else following]
    return _settled(following, moment, result)


def _orphan_settled(session: Session, result: str) -> Session:
    """Return the situation after a cancelled call's barrier: if good, it was a preflight all the same."""
    return replace(_acknowledged(session), owner=permitted(session.owner)) if result == "ok" else session


def _acknowledged(session: Session) -> Session:
    return replace(session, log=replace(session.log, durable=len(session.log.events)))


def _settled(session: Session, moment: Moment, result: str) -> Following:
    if result != "ok":
        return _failed(session, moment)
    acknowledged = _acknowledged(session)
    return [_succeeded(acknowledged, moment), *_unconfirmed(acknowledged)]


@defines("barrier.after-append", "deliver.sequence", "tool.create-result", "tool.delete-active")
def _succeeded(session: Session, moment: Moment) -> Session:
    if isinstance(session.phase, Released):
        owner = triggered(session.owner, Reason.DELIVERED)
        return replace(session, phase=Resting(), owner=owner, owner_cleared=True, call_cleared=False)
    if mid_call(session):
        done = replace(session, owner_cleared=True)
        owner = triggered(session.owner, Reason.CONFIRMED)
        return completed(done, (_confirmation(session.calls[0], moment),), owner)
    return replace(session, owner_cleared=True, call_cleared=True, owner=_at_leisure(session, moment))


@defines("owner.recompute")
def _unconfirmed(session: Session) -> Iterator[Session]:
    """Yield what else may follow a good second barrier: a cancelled call need not count as confirmed."""
    if mid_call(session) and session.calls[0].aborted:
        owner = unaware(session.owner, _ids_created(session.calls[0]))
        yield completed(session, (), owner)


def _ids_created(call: Call) -> tuple[str, ...]:
    """Return the id of the record that a call has created, none where it has created none."""
    return (call.appended.id,) if isinstance(call.appended, Record) else ()


def _at_leisure(session: Session, moment: Moment) -> Owner:
    """Return the owner for which this may have been a look of its own: the laxer wait stands."""
    owner = session.owner
    if owner.owed is not None or owner.wake is None or not isinstance(foreseen(session, moment), Wait):
        return owner
    later = rearmed(session, moment)
    if later.wake is None:
        return replace(owner, wake=None)
    return replace(owner, wake=max(later.wake, owner.wake), split=later.split or owner.split)


def _confirmation(call: Call, moment: Moment) -> Answer:
    appended = call.appended
    assert appended is not None
    return Removed(appended) if isinstance(appended, str) else Viewed(appended, moment.clock)


@defines("barrier.uncertain", "barrier.recovers", "owner.activity-retry", "deliver.barrier-failure")
def _failed(session: Session, moment: Moment) -> Following:
    session = replace(session, owner_cleared=False)
    match session.phase:
        case Released():
            owner = lulled(session.owner, moment)
            return [replace(session, phase=Resting(), owner=owner, call_cleared=False)]
        case Claimed() | Queued() | Ending():
            return [session]
        case Resting():
            return _failed_at_rest(session)
    assert_never(session.phase)


def _failed_at_rest(session: Session) -> Following:
    if mid_call(session):
        head = session.calls[0]
        appended = None if isinstance(head.appended, str) or head.appended is None else head.appended.id
        owner = permitted(session.owner)
        if appended is not None:
            owner = replace(owner, unread=(*owner.unread, appended))
        return [completed(session, (tools.uncertain(head.request, appended),), owner)]
    following: Following = []
    if session.calls:
        head = session.calls[0]
        answers = () if head.aborted else (tools.uncertain(head.request),)
        following.append(completed(session, answers, session.owner))
    if session.owner.mode not in (Mode.ABSENT, Mode.STOPPED):
        # The preflight of an owner that has nothing to do now may be a barrier more, and is allowed.
        following.append(replace(session, owner=halted(session.owner)))
    owes = session.owner.mode is Mode.LIVE and session.owner.owed is not None
    if session.call_cleared or not (session.calls or owes):
        following.append(session)
    return following
