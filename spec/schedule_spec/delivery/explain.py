"""Why a trace is not allowed: the clause, and the reason in words.

Nothing here decides what is allowed; `steps` and `judge` do. What they refuse is looked at once more, from
the situation nearest to what was seen, to find the clause that it breaks and to say what was known, what was
owed, and because of what.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from schedule_spec import fold
from schedule_spec.delivery import calls, owners, replies, steps
from schedule_spec.delivery.model import (
    Claimed,
    Ending,
    Message,
    Queued,
    Released,
    Resting,
    Session,
    States,
    Violation,
)
from schedule_spec.delivery.owners import Moment
from schedule_spec.delivery.reasons import answers, appends, followups, owed, phases
from schedule_spec.delivery.reasons.words import Fault, Object, at, described, what
from schedule_spec.due import Wait
from schedule_spec.rejections import quoted
from schedule_spec.tools import Remove, Store
from schedule_spec.values import canonical

PLACED: Mapping[str, str] = {
    "followup": "owner.recheck",
    "append": "deliver.sequence",
    "answer": "tool.create-result",
    "barrier": "barrier.before-read",
    "claim": "owner.idle-only",
    "release": "deliver.parked",
    "steer": "owner.no-steer",
}
"""The clause under which an observation is reported whose own instant cannot be."""


def kind_of(observation: Object) -> str:
    """Return what kind of observation it is; empty for none that is known."""
    return next((kind for kind in PLACED if kind in observation), "")


def _violation(fault: Fault, allowed: Sequence[str], observation: Object | None, name: str) -> Violation:
    came = None if observation is None else canonical(dict(observation))
    return Violation(fault[0], fault[1], tuple(allowed), came, name)


def stranger(observation: Object) -> Violation:
    """Explain an observation of a session that is not there, or of no session at all."""
    sentence = (
        f"It is an observation of session {quoted(observation.get('session'))}, which was never opened."
    )
    return _violation(("owner.session-local", sentence), (), observation, "")


def misplaced(states: States, observation: Object) -> Violation:
    """Explain an observation whose `at` is no time at which the request could have brought it."""
    placed = observation.get("at")
    clause = _clause_of_instant(observation)
    if isinstance(placed, int) and placed < states.clock and "followup" in observation:
        clause = "owner.never-early"
    window = at(states.clock)
    if states.left:
        window += f" to {at(states.clock + states.left)}"
    said = at(placed) if isinstance(placed, int) else quoted(placed)
    sentence = f"It is said to have come at {said}; the wall clock read {window}."
    name = observation.get("session")
    return _violation(
        (clause, sentence), (f"at: {window}",), observation, name if isinstance(name, str) else ""
    )


def _clause_of_instant(observation: Object) -> str:
    match observation:
        case {"answer": dict(answer)}:
            return answers.clause_of(answer)
        case {"append": {"data": {"operation": "create"}}}:
            return "tool.create-result"
        case {"append": {"data": {"operation": "delete"}}}:
            return "tool.delete-active"
        case _:
            return PLACED.get(kind_of(observation), "owner.recheck")


def leaking(name: str, observation: Object, secret: str) -> Violation:
    """Explain a message that carries the text of a backend failure."""
    sentence = f"The message carries the backend's own words, {quoted(secret)}."
    return _violation(("tool.errors-stable", sentence), (), observation, name)


def unstable(name: str, observation: Object, before: Message) -> Violation:
    """Explain a message that differs from an earlier one for the same code and input."""
    sentence = (
        f"For the same input the code {before.code} came with the message {quoted(before.text)} before."
    )
    return _violation(("tool.errors-stable", sentence), (before.text,), observation, name)


def refused(situations: Sequence[Session], moment: Moment, name: str, observation: Object) -> Violation:
    """Explain an observation that is not allowed in any of the possible situations."""
    reached = [other for session in situations for other in steps.closure(session, moment)]
    session = _nearest(reached, observation)
    match observation:
        case {"followup": text}:
            fault = followups.followup(session, moment, text)
        case {"append": event}:
            fault = appends.append(session, moment, event)
        case {"answer": dict(answer)}:
            fault = answers.answer(session, moment, answer)
        case {"barrier": result}:
            fault = phases.barrier(session, result)
        case {"claim": result}:
            fault = phases.claim(session, result)
        case {"release": _}:
            fault = phases.release(session)
        case {"steer": _}:
            fault = ("owner.no-steer", "Delivery steered the current turn; it opens a later one instead.")
        case _:
            fault = ("deliver.no-receipt", "It is none of the observations that a delivery or a call leaves.")
    return _violation(fault, possible(reached, moment), observation, name)


def _nearest(reached: Sequence[Session], observation: Object) -> Session:
    """Return the situation that an observation of that kind would most likely have followed."""
    match observation:
        case {"answer": {"callId": str(id)}}:
            through = (s for s in reached if any(pending.id == id for pending in s.answers))
            return next(through, reached[0])
        case {"followup": str(text)}:
            return min(reached, key=lambda session: _distance(session, text))
        case _:
            return _in_phase(reached, kind_of(observation))


def _distance(session: Session, text: str) -> tuple[bool, int]:
    """Return how far a situation is from a follow-up: its phase, and how many of the framed ids it lacks.

    Where a crash may have lost the end of the log or not, the reminders that came tell which it was.
    """
    ids, _ = followups.framed(text) or ([], [])
    missing = [id for id in ids if not (isinstance(id, str) and fold.find(session.log.own, id))]
    return not isinstance(session.phase, Claimed), len(missing)


def _in_phase(reached: Sequence[Session], kind: str) -> Session:
    wanted: Mapping[str, type | tuple[type, ...]] = {
        "append": Queued,
        "release": (Queued, Claimed, Ending),
    }
    phases = wanted.get(kind)
    if phases is None:
        return reached[0]
    return next((session for session in reached if isinstance(session.phase, phases)), reached[0])


def possible(reached: Sequence[Session], moment: Moment) -> tuple[str, ...]:
    """Return in words what might come next, each once."""
    return tuple(dict.fromkeys(words for session in reached for words in _possible(session, moment)))


def _possible(session: Session, moment: Moment) -> list[str]:  # noqa: PLR0911 - one situation each
    if not session.live:
        return ["nothing: the session is not live"]
    words = [f"the answer of call {quoted(pending.id)}" for pending in session.answers]
    if session.settling is not None:
        return [*words, f"barrier: {session.settling} (the one that was released)"]
    if session.held:
        return [*words, "nothing: a barrier is held"]
    match session.phase:
        case Queued(rest):
            return [*words, f"append: {described(rest[0])}"]
        case Claimed():
            found = owners.decision(session, moment)
            follow = [] if isinstance(found, Wait) else [f"followup: {what(found)}"]
            return [*words, *follow, "release"]
        case Ending():
            return [*words, "release"]
        case Released():
            return [*words, "barrier: the last one of the delivery"]
        case Resting():
            return [*words, *_possible_at_rest(session, moment)]


def _possible_at_rest(session: Session, moment: Moment) -> list[str]:
    words = []
    if (session.calls and not session.call_cleared) or owners.mid_call(session):
        words.append(f"a barrier for call {quoted(session.calls[0].id)}")
    elif session.calls:
        found = calls.outcome(session, session.calls[0], moment)
        if isinstance(found, Store | Remove):
            words.append(f"append: the {calls.operation_of(found)} of call {quoted(session.calls[0].id)}")
    if owners.is_due(session, moment) and owners.may_deliver(session, moment):
        words.append("claim: ok" if session.owner_cleared else "a barrier before due work is looked for")
    return words


def unmet(situations: Sequence[Session], moment: Moment, name: str) -> Violation:
    """Explain a world that settled, or let time pass, while something was owed in every situation."""
    reached = [other for session in situations for other in steps.closure(session, moment)]
    fault = owed.owed(situations[0], moment)
    sentence = f"{fault[1]} Yet at {at(moment.clock)} nothing more came."
    return _violation((fault[0], sentence), possible(reached, moment), None, name)


def not_held(states: States, name: str, came: str) -> Violation | None:
    """Explain a release that cannot be carried out because the barrier to be held was never begun.

    None where nothing obliged it to begin one.
    """
    moment = Moment(states.terms, states.clock)
    for session in states.of(name):
        free = replace(session, held=False, orphan=False)
        if free.calls or free.owner.owed is not None or not isinstance(free.phase, Resting):
            clause, sentence = owed.owed(free, moment)
            sentence = f"No barrier had begun that could be released. {sentence}"
            return Violation(clause, sentence, ("a barrier, which is held",), came, name)
    return None


def wrong_reply(states: States, reply: Object) -> Violation | None:
    """Explain what a settled reply says, beside its observations, that the clauses do not allow."""
    fault = replies.fault_of(states, reply)
    return None if fault is None else _violation(fault, (), None, states.asked.session)
