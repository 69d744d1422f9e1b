"""The live law at work: a world that does what the clauses demand, in the reference's order, and no more.

It shows that the transition system can always go on, generates traces, and answers the world commands where
an implementation would. Of what the clauses leave open it takes the plainest: answers at once, no barrier but
those that are owed, `at` judged after the first barrier, ids `r1`, `r2`, …
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count

from schedule_spec import changes, fold, tools
from schedule_spec.changes import Create, Delete
from schedule_spec.delivery import barriers, calls, inputs, judge, owners, steps
from schedule_spec.delivery.model import (
    Claimed,
    Ending,
    Queued,
    Released,
    Resting,
    Session,
    States,
)
from schedule_spec.delivery.owners import Moment
from schedule_spec.delivery.reasons.words import Object
from schedule_spec.due import Wait
from schedule_spec.json_text import Json
from schedule_spec.rejections import Code
from schedule_spec.tools import Remove, Store

Reply = dict[str, Json]
Observation = Mapping[str, Json]

MESSAGES: Mapping[str, str] = {code: f"refused: {code}" for code in Code}
"""The message of each code."""


@dataclass(frozen=True, slots=True)
class Act:
    """What a session does next: the situation it leads to, and what is seen of it, None for nothing."""

    session: Session
    seen: Observation | None = None


def respond(states: States, request: Object) -> tuple[States, Reply]:
    """Return the world after a request, with its whole reply; ValueError where the request makes no sense.

    `states` is what `respond` returned before, or `judge.initial`: of each session there is one situation.
    """
    following = judge.after_input(states, request)
    observed: list[Json] = []
    while True:
        following, seen = _settle(following)
        observed += seen
        if following.left == 0:
            return following, _reply(following, request, observed)
        span = min([following.left, *judge.waits(following)])
        following = judge.passed(following, span)


def _reply(states: States, request: Object, observed: list[Json]) -> Reply:
    asked = states.asked
    if asked.rejects:
        return {"rejected": {"code": str(Code.CORRUPT_SCHEDULE_LOG)}}
    result: dict[str, Json] = {"observed": observed}
    if asked.command == "open":
        [session] = states.of(asked.session)
        result["tools"] = list(tools.NAMES) if session.installed else []
    if asked.command == "log":
        [session] = states.of(asked.session)
        result["events"] = [inputs.parsed(event) for event in session.log.events]
    return {"result": result}


def _settle(states: States) -> tuple[States, list[Json]]:
    """Return the world in which nothing more happens at this instant, with what was seen until then."""
    moment = Moment(states.terms, states.clock)
    observed: list[Json] = []
    sessions = []
    for name, (session, *_) in states.sessions:
        quiet, seen = _run(session, moment)
        sessions.append((name, (quiet,)))
        observed.extend({"at": moment.clock, "session": name, **each} for each in seen)
    return replace(states, sessions=tuple(sessions)), observed


def _run(session: Session, moment: Moment) -> tuple[Session, list[Observation]]:
    observed = []
    while (act := _next(session, moment)) is not None:
        session = act.session
        if act.seen is not None:
            observed.append(act.seen)
    quiet = steps.rest(session, moment)
    assert quiet is not None, "the world owes something, and does nothing"
    return quiet, observed


def _next(session: Session, moment: Moment) -> Act | None:  # noqa: PLR0911 - one situation each
    """Return what a session does next by itself, None where it is at rest."""
    if not session.live:
        return None
    if session.settling is not None:
        return _barrier(session, moment, session.settling)
    if session.answers:
        return _answer(session)
    if session.held:
        return None
    match session.phase:
        case Claimed():
            return _deliver(session, moment)
        case Queued(rest):
            if session.script.fails("dispatch"):
                return Act(steps.stopped(session))
            return _append(session, moment, changes.encode(rest[0]))
        case Ending():
            return _seen(steps.on_release(session), {"release": True}, moment.shows_releases)
        case Released():
            return _barrier(session, moment, None)
        case Resting():
            return _work(session, moment)


def _work(session: Session, moment: Moment) -> Act | None:
    if session.calls:
        return _serve(session, moment)
    owner = session.owner
    if owner.owed is None or session.busy:
        return None
    if isinstance(owners.foreseen(session, moment), Wait):
        return None
    if not session.owner_cleared:
        return _barrier(session, moment, None)
    return _seen(steps.on_claim(session, moment, "ok"), {"claim": "ok"}, moment.shows_claims)


def _serve(session: Session, moment: Moment) -> Act:
    head = session.calls[0]
    if not head.aborted:
        if not session.call_cleared or head.appended is not None:
            return _barrier(session, moment, None)
        found = calls.outcome(session, head, moment)
        if isinstance(found, Store | Remove) and not session.script.fails(calls.operation_of(found)):
            return _append(session, moment, _change(session, found))
    return Act(next(calls.complete_head(session, moment)))


def _change(session: Session, found: Store | Remove) -> Json:
    if isinstance(found, Remove):
        return changes.encode(Delete(found.id))
    fresh = (f"r{number}" for number in count(1))
    id = next(id for id in fresh if fold.is_fresh(session.log.own, id))
    return changes.encode(Create(tools.stored(found.record, id)))


def _deliver(session: Session, moment: Moment) -> Act:
    if session.script.followup_fails:
        return Act(next(steps.not_queued(session, moment)))
    text = owners.expected_followup(session, moment)
    return _seen(steps.on_followup(session, moment, text), {"followup": text}, shown=True)


def _append(session: Session, moment: Moment, data: Json) -> Act:
    event: Json = {"type": fold.EVENT_TYPE, "data": data}
    return _seen(steps.on_append(session, moment, event), {"append": event}, shown=True)


def _barrier(session: Session, moment: Moment, settling: str | None) -> Act:
    if settling is None and session.script.holds:
        return Act(barriers.begin_held(session))
    result = settling or (session.script.barriers[0] if session.script.barriers else "ok")
    return _seen(barriers.on_barrier(session, moment, result), {"barrier": result}, shown=True)


def _answer(session: Session) -> Act:
    [pending, *_] = session.answers
    answer: dict[str, Json] = {"callId": pending.id}
    if pending.answers:
        [settled, *_] = pending.answers
        value = tools.value_of(settled)
        if tools.is_error(value):
            assert isinstance(value, dict)
            value = value | {"message": MESSAGES[str(value["code"])]}
        answer["value"] = value
    else:
        answer["aborted"] = True
    return _seen(calls.on_answer(session, answer), {"answer": answer}, shown=True)


def _seen(following: list[Session], observation: Observation, shown: bool) -> Act:
    return Act(following[0], observation if shown else None)
