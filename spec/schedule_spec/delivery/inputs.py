"""The world commands: what each input of the suite makes of a session.

Requests are those of the adapter protocol. They are the suite's own, so that one that makes no sense is a
mistake of its writer: a `ValueError`, which names the member.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from schedule_spec import fold, forks, json_text, profiles, tools
from schedule_spec.delivery.model import (
    Answering,
    Call,
    Log,
    Mode,
    Owner,
    Reason,
    Resting,
    Script,
    Session,
    Terms,
)
from schedule_spec.delivery.owners import permitted, triggered
from schedule_spec.fold import State
from schedule_spec.json_text import Json, NotJson
from schedule_spec.marks import defines
from schedule_spec.numbers import safe_integer
from schedule_spec.rejections import Code, Rejection, quoted
from schedule_spec.tools import Failed, Refusal
from schedule_spec.values import canonical

Request = Mapping[str, Json]
OUTCOMES = ("ok", "fail", "missing", "hold")
OPERATIONS = ("create", "delete", "dispatch")


def _malformed(member: str, value: object, required: str) -> ValueError:
    return ValueError(f"{member} is {quoted(value)}; {required} is required")


def whole(request: Request, name: str) -> int:
    """Return a member that is a safe integer; ValueError where it is none."""
    integer = safe_integer(request.get(name))
    if integer is None:
        raise _malformed(name, request.get(name), "a whole number")
    return integer


def name_of(request: Request, member: str = "session") -> str:
    """Return a member that is a string; ValueError where it is none."""
    name = request.get(member)
    if not isinstance(name, str):
        raise _malformed(member, name, "a string")
    return name


def read_log(events: tuple[str, ...], seed_length: Json, terms: Terms) -> Log:
    """Return a log with its state; all its events are on the disk."""
    values = [parsed(event) for event in events]
    begin = forks.boundary(values, seed_length)
    state = fold.fold(values, seed_length, profiles.decoder(terms.profile))
    length = len(events)
    return Log(events, None if isinstance(begin, Rejection) else begin, state, length, length)


def parsed(event: str) -> Json:
    """Return the event that a canonical text is."""
    value = json_text.read(event)
    assert not isinstance(value, NotJson)
    return value


def _started(session: Session) -> Session:
    """Return the session as it begins to live: timers are derived from the fold (owner.session-local)."""
    owner = Owner(Mode.LIVE, owed=Reason.OPENED) if session.installed else Owner()
    return Session(
        session.log,
        agent=session.agent,
        persistence=session.persistence,
        busy=session.busy,
        holds_turns=session.holds_turns,
        script=session.script,
        owner=owner,
    )


@defines("owner.roots-only", "owner.requires-persistence", "owner.session-local")
def opened(request: Request, terms: Terms) -> Session:
    """Return the session that `open` begins."""
    events = request.get("events", [])
    if not isinstance(events, list):
        raise _malformed("events", events, "an array")
    log = read_log(tuple(canonical(event) for event in events), request.get("seedLength", 0), terms)
    agent = request.get("agent", "root")
    if agent not in ("root", "child", "existing"):
        raise _malformed("agent", agent, "root, child or existing")
    return _started(
        Session(
            log,
            agent=str(agent),
            persistence=request.get("persistence", True) is True,
            busy=request.get("busy", False) is True,
            holds_turns=request.get("turns", "none") == "hold",
        )
    )


@defines("deliver.at-least-once", "deliver.no-loss")
def crashed(session: Session, request: Request, terms: Terms) -> Session:
    """Return the session after `crash`: a prefix of the log is left, at least what a barrier acknowledged."""
    return _kept(session, max(whole(request, "keep"), session.log.durable), terms)


def crashed_since_opened(session: Session, request: Request, terms: Terms) -> Session:
    """Return the same where what the session was opened with counts as durable."""
    log = session.log
    return _kept(session, max(whole(request, "keep"), log.durable, log.survived), terms)


def _kept(session: Session, least: int, terms: Terms) -> Session:
    log = session.log
    keep = min(least, len(log.events))
    kept = replace(log, events=log.events[:keep], survived=min(log.survived, keep))
    if keep < len(log.events) and log.seed is not None:
        state = read_log(kept.events, log.seed, terms).state if log.seed <= keep else log.state
        kept = replace(kept, state=state)
    return _cut_off(replace(session, log=kept))


def _cut_off(session: Session) -> Session:
    waiting = (call.id for call in session.calls if not call.answered)
    calls = (*waiting, *(pending.id for pending in session.answers))
    return replace(
        session,
        live=False,
        busy=False,
        owner=Owner(),
        phase=Resting(),
        calls=(),
        answers=(),
        held=False,
        orphan=False,
        settling=None,
        call_cleared=False,
        owner_cleared=False,
        dropped=calls,
    )


def reopened(session: Session, request: Request, terms: Terms) -> Session:
    """Return the session after `reopen`, whether it was live or not; a clean close loses nothing."""
    closed = _cut_off(session)
    log = replace(closed.log, survived=len(closed.log.events))
    return replace(
        _started(replace(closed, log=log, busy=request.get("busy", False) is True)), dropped=closed.dropped
    )


@defines("fork.no-adoption", "fork.suffix")
def forked(parent: Session, request: Request, terms: Terms) -> Session:
    """Return the child that `fork` begins."""
    at = whole(request, "at")
    if not 0 <= at <= len(parent.log.events):
        raise ValueError(f"at is {at}; 0 to {len(parent.log.events)} is allowed")
    events, seed_length = forks.fork(parent.log.events, at)
    return _started(
        Session(
            Log(events, seed_length, fold.EMPTY, len(events), len(events)),
            agent=parent.agent,
            persistence=parent.persistence,
            holds_turns=parent.holds_turns,
        )
    )


@defines("owner.dispose")
def disposed(session: Session, request: Request, terms: Terms) -> Session:
    """Return the session after `dispose`: what is in flight may end, nothing new starts."""
    owner = Owner(Mode.DISPOSED) if session.owner.mode is not Mode.ABSENT else session.owner
    calls = tuple(replace(call, closing=True) for call in session.calls)
    return replace(session, owner=owner, calls=calls)


def called(session: Session, request: Request, terms: Terms) -> Session:
    """Return the session after `call`: the call is refused at once, or stands in the queue."""
    id, tool = name_of(request, "callId"), name_of(request, "tool")
    if "json" in request:
        text = name_of(request, "json")
        given, shaped = canonical([tool, "json", text]), tools.read_text(tool, text, terms.profile)
    else:
        arguments = request.get("arguments")
        given, shaped = canonical([tool, arguments]), tools.read(tool, arguments, terms.profile)
    if not session.live or not session.installed:
        return _answered(session, Answering(id, given, (Failed((Code.INTERNAL_ERROR,)),), by_host=True))
    closing = session.owner.mode is Mode.DISPOSED
    if isinstance(shaped, Refusal):
        answers, broken = (Failed(shaped.codes),), shaped.clauses[0]
        return _answered(session, Answering(id, given, answers, shaped.by_host or closing, broken=broken))
    call = Call(id, shaped.request, given, shaped.by_host, closing=closing)
    cleared = session.call_cleared and bool(session.calls)
    return replace(session, calls=(*session.calls, call), call_cleared=cleared)


def _answered(session: Session, answer: Answering) -> Session:
    return replace(session, answers=(*session.answers, answer))


@defines("barrier.cancel")
def aborted(session: Session, request: Request, terms: Terms) -> Session:
    """Return the session after `abort`; a call that has ended already is left alone."""
    id = name_of(request, "callId")
    calls = tuple(replace(call, aborted=True) if call.id == id else call for call in session.calls)
    return replace(session, calls=calls)


def occupied(session: Session, request: Request, terms: Terms) -> Session:
    """Return the session after `busy`."""
    if request.get("on") is True:
        return replace(session, busy=True)
    if session.busy:
        return _became_idle(session)
    return replace(session, owner=permitted(session.owner))


def turned(session: Session, request: Request, terms: Terms) -> Session:
    """Return the session after `turn`."""
    return _became_idle(session)


@defines("owner.idle-only", "owner.activity-retry")
def _became_idle(session: Session) -> Session:
    owner = replace(triggered(session.owner, Reason.IDLE), renewed=session.held)
    return replace(session, busy=False, owner=owner)


def scripted(session: Session, request: Request, terms: Terms) -> Session:
    """Return the session after `barrier`: these outcomes replace those that were still to come."""
    outcomes = request.get("outcomes")
    if not isinstance(outcomes, list) or any(outcome not in OUTCOMES for outcome in outcomes):
        raise _malformed("outcomes", outcomes, f"an array of {', '.join(OUTCOMES)}")
    return replace(session, script=replace(session.script, barriers=tuple(map(str, outcomes))))


def released(session: Session, request: Request, terms: Terms) -> Session:
    """Return the session after `release`: the held barrier settles, if one is held."""
    outcome = request.get("outcome")
    if outcome not in ("ok", "fail", "missing"):
        raise _malformed("outcome", outcome, "ok, fail or missing")
    return replace(session, settling=str(outcome)) if session.held or session.orphan else session


def faulted(session: Session, request: Request, terms: Terms) -> Session:
    """Return the session after `faults`: these failures replace all others but the barriers'."""
    append = request.get("append", {})
    if not isinstance(append, dict):
        raise _malformed("append", append, "an object")
    operations = append.get("operations", list(OPERATIONS))
    if not isinstance(operations, list):
        raise _malformed("append.operations", operations, "an array")
    times = append.get("times", 1 if "append" in request else 0)
    return replace(
        session,
        script=Script(
            barriers=session.script.barriers,
            followup_fails=request.get("followup", "ok") == "fail",
            operations=tuple(sorted(map(str, operations))) if times else (),
            skip=whole({"skip": append.get("skip", 0)}, "skip"),
            times=whole({"times": times}, "times"),
        ),
    )


def refuses(log: Log, event: Json, terms: Terms) -> bool:
    """Tell whether a candidate event is to be refused: the log does not fold, or would not with it."""
    return isinstance(fold.candidate(log.state, event, profiles.decoder(terms.profile)), Rejection)


@defines("fold.candidate")
def intruded(session: Session, request: Request, terms: Terms) -> Session:
    """Return the session after `append`: what a foreign writer adds counts like any other event."""
    event = request.get("event")
    if terms.candidate and refuses(session.log, event, terms):
        return session
    log = session.log
    events = (*log.events, canonical(event))
    if not isinstance(log.state, State):
        return replace(session, log=replace(log, events=events))
    state = fold.step(log.state, event, profiles.decoder(terms.profile))
    if isinstance(state, Rejection):
        refused = fold.Refused(len(log.events), log.state, state)
        return replace(session, log=replace(log, events=events, state=refused))
    new = tuple(id for id in fold.ids(state) if fold.find(log.state, id) is None)
    owner = replace(session.owner, unread=(*session.owner.unread, *new))
    return replace(session, owner=owner, log=replace(log, events=events, state=state))


def unchanged(session: Session, request: Request, terms: Terms) -> Session:
    """Return the session after a command that only asks."""
    return session


Command: TypeAlias = Callable[[Session, Request, Terms], Session]
COMMANDS: Mapping[str, Command] = {
    "call": called,
    "abort": aborted,
    "busy": occupied,
    "turn": turned,
    "barrier": scripted,
    "release": released,
    "faults": faulted,
    "append": intruded,
    "crash": crashed,
    "reopen": reopened,
    "dispose": disposed,
    "log": unchanged,
}
"""The commands that change one session that is there."""
OTHERWISE: Mapping[str, Command] = {"crash": crashed_since_opened}
"""Commands that may be read in a second way."""
