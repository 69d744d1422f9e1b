"""The transitions of one session: what it may do unseen, and what each observation makes of it.

Specifies deliver.*. A transition is a function from one situation to those that may follow; an empty answer
means that the clauses do not allow it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from schedule_spec import due, fold, framing, profiles
from schedule_spec.changes import Change, Create
from schedule_spec.delivery.barriers import begin_held
from schedule_spec.delivery.calls import appends, attempted, complete_head, operation_of, outcome
from schedule_spec.delivery.model import (
    Claimed,
    Ending,
    Following,
    Mode,
    Owner,
    Queued,
    Released,
    Resting,
    Session,
)
from schedule_spec.delivery.owners import (
    Moment,
    decision,
    foreseen,
    halted,
    is_due,
    may_deliver,
    mid_call,
    rearmed,
)
from schedule_spec.due import Wait
from schedule_spec.fold import State
from schedule_spec.json_text import Json
from schedule_spec.marks import defines
from schedule_spec.rejections import Rejection
from schedule_spec.tools import (
    Remove,
    Store,
)
from schedule_spec.values import canonical, same

HOST_EVENTS = (
    "agent/",
    "assistant/",
    "request/",
    "session/",
    "step/",
    "tool/",
    "turn/",
    "user/",
)
"""Beginnings of the types of events that make up the ordinary transcript (deliver.no-receipt)."""


def hidden(session: Session, moment: Moment) -> Iterator[Session]:
    """Yield the situations that one unseen step leads to."""
    if not session.live or session.held:
        return
    if session.script.holds and session.installed and isinstance(session.phase, Resting | Released):
        yield begin_held(session)
        looked = _idle(session, moment)
        if looked is not None:
            yield looked
    match session.phase:
        case Resting():
            yield from complete_head(session, moment)
            if not moment.shows_claims and session.owner_cleared and is_due(session, moment):
                yield from on_claim(session, moment, "ok")
        case Claimed(cleared):
            if session.script.followup_fails and cleared and may_deliver(session, moment):
                yield from not_queued(session, moment)
        case Queued() if session.script.fails("dispatch"):
            yield stopped(session)
    if not moment.shows_releases:
        yield from on_release(session)


@defines("deliver.no-dispatch-on-failure")
def not_queued(session: Session, moment: Moment) -> Iterator[Session]:
    """Yield the situation in which the follow-up of what is due was refused."""
    if is_due(session, moment):
        yield replace(session, phase=Ending(queued=False, complete=False), owner=halted(session.owner))


def closure(session: Session, moment: Moment) -> list[Session]:
    """Return the situation itself, and all that unseen steps lead to, nearest first."""
    reached = {session: None}
    frontier = [session]
    while frontier:
        frontier = [
            following
            for situation in frontier
            for following in hidden(situation, moment)
            if following not in reached and reached.setdefault(following) is None
        ]
    return list(reached)


@defines("deliver.append-failure-faults")
def stopped(session: Session) -> Session:
    """Return the situation in which the next dispatch could not be appended."""
    mode = Mode.DISPOSED if session.owner.mode is Mode.DISPOSED else Mode.STOPPED
    return replace(
        session,
        phase=Ending(queued=True, complete=False),
        owner=Owner(mode),
        script=attempted(session, "dispatch"),
    )


def on_claim(session: Session, moment: Moment, result: str) -> Following:
    """Return what may follow a claim of the idle phase that was granted (`ok`) or refused (`busy`)."""
    if not session.live or session.owner.mode in (Mode.ABSENT, Mode.DISPOSED, Mode.STOPPED):
        return []
    if result == "busy":
        return [session] if session.busy else []
    if result != "ok" or session.busy or session.held or mid_call(session):
        return []
    if not isinstance(session.phase, Resting):
        return []
    return [replace(session, phase=Claimed(session.owner_cleared))]


@defines("deliver.sequence", "owner.never-early", "frame.message", "deliver.at-least-once")
def on_followup(session: Session, moment: Moment, text: Json) -> Following:
    """Return what may follow a follow-up that was queued."""
    if not isinstance(session.phase, Claimed) or not session.phase.cleared:
        return []
    if session.script.followup_fails or not may_deliver(session, moment):
        return []
    found = decision(session, moment)
    if isinstance(found, Wait) or not same(text, framing.text_of(found)):
        return []
    return [replace(session, phase=Queued(due.dispatches(found)))]


@defines("deliver.parked", "deliver.sequence")
def on_release(session: Session) -> Following:
    """Return what may follow the release of the idle phase; a queued follow-up may now open its turn."""
    match session.phase:
        case Claimed():
            return [replace(session, phase=Resting())]
        case Ending(queued, complete):
            busy = session.busy or (queued and session.holds_turns)
            return [replace(session, phase=Released() if complete else Resting(), busy=busy)]
        case _:
            return []


def on_append(session: Session, moment: Moment, event: Json) -> Following:
    """Return what may follow an event that was appended."""
    if not session.live or not isinstance(event, dict):
        return []
    if event.get("type") != fold.EVENT_TYPE:
        return [_logged(session, event)] if is_transcript(event) else []
    change = profiles.decoder(moment.terms.profile)(event.get("data"))
    if isinstance(change, Rejection):
        return []
    if isinstance(session.phase, Queued):
        return _on_dispatch(session, session.phase.rest, change, event)
    return _on_call_append(session, moment, change, event)


@defines("deliver.no-receipt")
def is_transcript(event: Mapping[str, Json]) -> bool:
    """Tell whether an event is of the ordinary transcript, which the host writes."""
    type = event.get("type")
    return isinstance(type, str) and type.startswith(HOST_EVENTS)


def _logged(session: Session, event: Json) -> Session:
    log = session.log
    return replace(session, log=replace(log, events=(*log.events, canonical(event))))


def _changed(session: Session, change: Change, event: Json) -> Session | None:
    assert isinstance(session.log.state, State)
    state = fold.apply(session.log.state, change)
    if isinstance(state, Rejection):
        return None
    logged = _logged(session, event)
    return replace(logged, log=replace(logged.log, state=state), owner_cleared=False)


@defines("deliver.enqueue-before-dispatch", "due.batch", "due.one-decision-time")
def _on_dispatch(session: Session, rest: tuple[Change, ...], change: Change, event: Json) -> Following:
    if change != rest[0] or session.script.fails("dispatch"):
        return []
    following = _changed(session, change, event)
    if following is None:
        return []
    phase = Queued(rest[1:]) if rest[1:] else Ending(queued=True, complete=True)
    return [replace(following, phase=phase, script=attempted(session, "dispatch"))]


@defines("tool.create-result", "tool.delete-active", "id.fresh", "barrier.cancel")
def _on_call_append(session: Session, moment: Moment, change: Change, event: Json) -> Following:
    if not session.calls or session.held or not isinstance(session.phase, Resting):
        return []
    head = session.calls[0]
    if head.appended is not None or head.aborted or head.answered or not session.call_cleared:
        return []
    found = outcome(session, head, moment)
    if not isinstance(found, Store | Remove) or session.script.fails(operation_of(found)):
        return []
    if not appends(found, change):
        return []
    following = _changed(session, change, event)
    if following is None:
        return []
    appended = change.schedule if isinstance(change, Create) else change.id
    calls = (replace(head, appended=appended), *session.calls[1:])
    return [replace(following, calls=calls, script=attempted(session, operation_of(found)))]


@defines("deliver.no-loss", "owner.recompute", "owner.session-local")
def rest(session: Session, moment: Moment) -> Session | None:
    """Return the situation once nothing more happens by itself; None where something is still owed."""
    session = replace(session, dropped=()) if session.dropped else session
    if not session.live:
        return session
    if session.settling is not None or session.answers:
        return None
    quiet = replace(session, owner_cleared=False, owner=replace(session.owner, lull_now=False))
    if session.held:
        return _waiting(quiet, moment)
    if session.calls or not isinstance(session.phase, Resting):
        return None
    owner = replace(quiet.owner, renewed=False)
    return _idle(replace(quiet, call_cleared=False, owner=owner), moment)


def _waiting(session: Session, moment: Moment) -> Session:
    """Return the situation while a barrier is held: an owner with nothing due may have seen so already."""
    if not isinstance(foreseen(session, moment), Wait):
        return session
    return _idle(session, moment) or session


def _idle(session: Session, moment: Moment) -> Session | None:
    """Return the situation once the owner has looked and found nothing; None where it owes a delivery."""
    if session.owner.owed is None:
        return session
    owner = session.owner
    if not (session.busy or isinstance(foreseen(session, moment), Wait)):
        return None
    found = rearmed(session, moment)
    if owner.wake is not None and found.wake is not None:
        found = replace(found, wake=max(owner.wake, found.wake), split=owner.split or found.split)
    return replace(session, owner=found)
