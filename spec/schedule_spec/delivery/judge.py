"""The judge: all situations of a world that are possible given what was seen, or the clause that was broken.

A trace is requests, each followed by observations and a settled reply. `initial`, `after_input`,
`after_observation` and `settled` carry the possible situations along; `after_exchange` does all three for
one request and its reply. Time passes only where a world has settled: on the way to a later instant every
wait that elapses is an instant of its own, and what it obliges to must have been seen there.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from schedule_spec.delivery import barriers, calls, explain, inputs, steps
from schedule_spec.delivery.model import (
    Answering,
    Asked,
    Call,
    Message,
    Mode,
    Owner,
    Reason,
    Session,
    States,
    Terms,
    Violation,
)
from schedule_spec.delivery.owners import Moment, foreseen
from schedule_spec.due import Wait
from schedule_spec.json_text import Json
from schedule_spec.marks import defines
from schedule_spec.numbers import safe_integer
from schedule_spec.rejections import quoted

Object = Mapping[str, Json]


def initial(terms: Terms = Terms()) -> States:  # noqa: B008 - a frozen value
    """Return the world before its first command, without sessions."""
    return States(terms)


# --- inputs ---


def after_input(states: States, request: Object) -> States:
    """Return the situations after a world command; ValueError where the request is none that makes sense."""
    command = inputs.name_of(request, "cmd")
    match command:
        case "advance_time":
            ms = inputs.whole(request, "ms")
            if ms < 0:
                raise ValueError(f"ms is {ms}; time does not run backwards")
            return replace(states, left=ms, asked=Asked(command))
        case "set_clock":
            return replace(states, clock=inputs.whole(request, "now"), asked=Asked(command))
        case _:
            return _commanded(states, request, Asked(command, inputs.name_of(request)))


def _commanded(states: States, request: Object, asked: Asked) -> States:
    match asked.command:
        case "open":
            began = replace(states, clock=inputs.whole(request, "now"), asked=asked)
            return _with(began, asked.session, (inputs.opened(request, states.terms),))
        case "fork":
            parent = _known(states, asked.session)[0]
            child = inputs.forked(parent, request, states.terms)
            return _with(replace(states, asked=asked), inputs.name_of(request, "as"), (child,))
        case _:
            return _changed(states, request, asked)


def _changed(states: States, request: Object, asked: Asked) -> States:
    change = inputs.COMMANDS.get(asked.command)
    if change is None:
        raise ValueError(f"cmd is {quoted(asked.command)}; that is no world command")
    situations = _known(states, asked.session)
    if asked.command == "reopen" and "now" in request:
        states = replace(states, clock=inputs.whole(request, "now"))
    if asked.command == "append" and states.terms.candidate:
        event = request.get("event")
        refuses = {inputs.refuses(situation.log, event, states.terms) for situation in situations}
        asked = replace(asked, rejects=refuses.pop() if len(refuses) == 1 else None)
    text = request.get("text")
    if asked.command == "faults" and isinstance(text, str) and text not in ("", *states.secrets):
        states = replace(states, secrets=(*states.secrets, text))
    readings = [change, inputs.OTHERWISE.get(asked.command, change)]
    changed = tuple(
        dict.fromkeys(
            reading(situation, request, states.terms) for situation in situations for reading in readings
        )
    )
    return _with(replace(states, asked=asked), asked.session, changed)


def _known(states: States, name: str) -> tuple[Session, ...]:
    situations = states.of(name)
    if not situations:
        raise ValueError(f"session is {quoted(name)}; no such session was opened")
    return situations


def _with(states: States, name: str, situations: tuple[Session, ...]) -> States:
    kept = [pair for pair in states.sessions if pair[0] != name]
    position = next((at for at, pair in enumerate(states.sessions) if pair[0] == name), len(kept))
    kept.insert(position, (name, situations))
    return replace(states, sessions=tuple(kept))


# --- observations ---


def after_observation(states: States, observation: Object) -> States | Violation:
    """Return the situations in which the observation is possible, or the clause that forbids it."""
    name = observation.get("session")
    situations = states.of(name) if isinstance(name, str) else ()
    if not isinstance(name, str) or not situations:
        return explain.stranger(observation)
    moved = _moved_to(states, observation)
    if isinstance(moved, Violation):
        return moved
    moment = Moment(moved.terms, moved.clock)
    step = _step(observation, moment)
    following = _following(moved.of(name), moment, step)
    if not following:
        return explain.refused(moved.of(name), moment, name, observation)
    noted = _noted(moved, situations, name, observation)
    return noted if isinstance(noted, Violation) else _with(noted, name, following)


Step = Callable[[Session], list[Session]]


def _forbidden(session: Session) -> list[Session]:
    """Allow nothing: a steer, or what is no observation, follows no situation."""
    return []


def _following(situations: tuple[Session, ...], moment: Moment, step: Step) -> tuple[Session, ...]:
    return tuple(
        dict.fromkeys(
            following
            for situation in situations
            for reached in steps.closure(situation, moment)
            for following in step(reached)
        )
    )


@defines("owner.no-steer")
def _step(observation: Object, moment: Moment) -> Step:  # noqa: PLR0911 - one kind of observation each
    match observation:
        case {"followup": text}:
            return lambda session: steps.on_followup(session, moment, text)
        case {"append": event}:
            return lambda session: steps.on_append(session, moment, event)
        case {"answer": dict(answer)}:
            return lambda session: calls.on_answer(session, answer)
        case {"barrier": str(result)}:
            return lambda session: barriers.on_barrier(session, moment, result)
        case {"claim": str(result)}:
            return lambda session: steps.on_claim(session, moment, result)
        case {"release": True}:
            return steps.on_release
        case _:
            return _forbidden


@defines("tool.errors-stable")
def _noted(
    states: States, situations: tuple[Session, ...], name: str, observation: Object
) -> States | Violation:
    """Return the situations with an error's message noted, or the violation that it is another one now."""
    match observation:
        case {"answer": {"callId": call, "value": {"code": str(code), "message": str(text)}}}:
            given = _given(situations, call)
        case _:
            return states
    leaked = next((secret for secret in states.secrets if secret in text), None)
    if leaked is not None:
        return explain.leaking(name, observation, leaked)
    before = next((m for m in states.messages if (m.given, m.code) == (given, code)), None)
    if before is None:
        return replace(states, messages=(*states.messages, Message(given, code, text)))
    return states if before.text == text else explain.unstable(name, observation, before)


def _given(situations: tuple[Session, ...], call: Json) -> str:
    """Return the tool and arguments of a call that awaits its answer, as it does in every situation."""
    [session, *_] = situations
    awaiting: tuple[Answering | Call, ...] = (*session.answers, *session.calls)
    return next(each.given for each in awaiting if each.id == call)


# --- time ---


def _moved_to(states: States, observation: Object) -> States | Violation:
    at = safe_integer(observation.get("at"))
    if at is None or not states.clock <= at <= states.clock + states.left:
        return explain.misplaced(states, observation)
    return _elapsed(states, at - states.clock)


@defines("owner.bounded-wait", "owner.recheck", "due.wait")
def _elapsed(states: States, delta: int) -> States | Violation:
    """Return the situations after a time in ms, at whose end what is owed there may still come."""
    while delta > 0:
        quiet = _at_rest(states)
        if isinstance(quiet, Violation):
            return quiet
        span = min([delta, *waits(quiet)])
        states = passed(quiet, span)
        delta -= span
    return states


def waits(states: States) -> list[int]:
    """Return the waits, in ms of timer time, that the owners may have set."""
    return [
        session.owner.wake
        for _, situations in states.sessions
        for session in situations
        if session.owner.wake is not None
    ]


def passed(states: States, span: int) -> States:
    """Return the situations after a time in ms within which no wait elapses but at its end."""
    moment = Moment(states.terms, states.clock + span)
    sessions = tuple(
        (name, tuple(dict.fromkeys(_awaited(session, span, moment) for session in situations)))
        for name, situations in states.sessions
    )
    return replace(states, clock=states.clock + span, left=states.left - span, sessions=sessions)


def _awaited(session: Session, span: int, moment: Moment) -> Session:
    owner = session.owner
    if owner.wake is None:
        return session
    if owner.wake > span:
        return replace(session, owner=_looking(session, owner.wake - span, moment))
    owed = owner.owed if owner.mode is not Mode.LIVE else owner.owed or Reason.WOKE
    renewed = owner.renewed or session.held
    return replace(session, owner=replace(owner, wake=None, split=False, owed=owed, renewed=renewed))


@defines("owner.bounded-wait", "owner.recheck")
def _looking(session: Session, left: int, moment: Moment) -> Owner:
    """Return the owner with that much of its wait left; one that looks in between derives it anew."""
    found = foreseen(session, moment) if session.owner.split else None
    if isinstance(found, Wait) and found.until is not None:
        left = max(left, found.until - moment.clock)
    return replace(session.owner, wake=left)


def _at_rest(states: States) -> States | Violation:
    """Return the situations in which nothing is owed, or the violation that in all of them something is."""
    moment = Moment(states.terms, states.clock)
    sessions = []
    for name, situations in states.sessions:
        resting = [
            quiet
            for situation in situations
            for reached in steps.closure(situation, moment)
            if (quiet := steps.rest(reached, moment)) is not None
        ]
        if not resting:
            return explain.unmet(situations, moment, name)
        sessions.append((name, tuple(dict.fromkeys(resting))))
    return replace(states, sessions=tuple(sessions))


# --- replies ---


def settled(states: States, reply: Object) -> States | Violation:
    """Return the situations once the world has settled, or what was still owed or is wrong in the reply.

    The reply is the whole object, `{"result": …}` or `{"rejected": …}`; its observations were judged before.
    """
    elapsed = _elapsed(states, states.left)
    quiet = elapsed if isinstance(elapsed, Violation) else _at_rest(elapsed)
    if isinstance(quiet, Violation):
        return quiet
    wrong = explain.wrong_reply(states, reply)
    if wrong is not None:
        return wrong
    if states.asked.command == "open" and "rejected" in reply:
        return replace(quiet, sessions=tuple(p for p in quiet.sessions if p[0] != states.asked.session))
    return quiet


def after_exchange(states: States, request: Object, reply: Object) -> States | Violation:
    """Return the situations after a request and its reply with all observations in it."""
    result = reply.get("result")
    observed = result.get("observed", []) if isinstance(result, dict) else []
    following: States | Violation = after_input(states, request)
    for observation in observed if isinstance(observed, list) else [observed]:
        if isinstance(following, Violation):
            return following
        if not isinstance(observation, dict):
            return explain.stranger({"observed": observation})
        following = after_observation(following, observation)
    return following if isinstance(following, Violation) else settled(following, reply)
