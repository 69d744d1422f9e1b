"""One world of a system under trial: each exchange is judged by the live law as it comes.

A world begins with `hello`, which clears away what was there before. It ends with its first violation. A
reply that is none of the protocol, or says that the system broke, ends it too, and so does a process that
breaks down: nothing that the clauses speak of can be seen any more.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from schedule_conformance.law.law_adapter import suite_version
from schedule_conformance.protocol.json_values import show
from schedule_conformance.protocol.messages import PROTOCOL, validate_reply, wire
from schedule_conformance.protocol.systems import Breakdown, System, Trouble
from schedule_conformance.worlds import replies
from schedule_spec.delivery import (
    States,
    Terms,
    Violation,
    after_input,
    after_observation,
    initial,
    settled,
)
from schedule_spec.delivery.explain import not_held

Request = Mapping[str, Any]
Reply = Mapping[str, Any]
Observation = Mapping[str, Any]

SHOWN_BY: Mapping[str, str] = {
    "open": "owner.session-local",
    "call": "tool.errors-closed",
    "abort": "barrier.cancel",
    "advance_time": "owner.recheck",
    "set_clock": "owner.recheck",
    "busy": "owner.idle-only",
    "turn": "owner.idle-only",
    "barrier": "barrier.before-read",
    "release": "barrier.before-read",
    "faults": "deliver.append-failure-faults",
    "append": "fold.candidate",
    "crash": "deliver.no-loss",
    "reopen": "owner.session-local",
    "fork": "fork.suffix",
    "dispose": "owner.dispose",
    "log": "fork.history",
}
"""For each world command the clause that cannot be shown where it isn't answered as the protocol says."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request without its number, and the reply without it."""

    request: Request
    reply: Reply


@dataclass(frozen=True, slots=True)
class Moment:
    """An observation, and what was possible just before it."""

    states: States
    observation: Observation


@dataclass(frozen=True, slots=True)
class Judged:
    """An exchange with what was possible before it, at each observation, and after it or why nothing is."""

    before: States
    exchange: Exchange
    moments: tuple[Moment, ...]
    after: States | Violation


@dataclass(slots=True)
class World:
    """A world of a system, with all that was asked and seen so far; `states` is what is possible now.

    `trouble` is what the system's process came to, where the world ended by that.
    """

    system: System
    states: States
    exchanges: list[Exchange] = field(default_factory=list)
    violation: Violation | None = None
    trouble: Trouble | None = None

    def ask(self, request: Request) -> Judged:
        """Ask one command and judge the reply; ValueError where it makes no sense in this world."""
        before, request = self.states, wire(dict(request))
        asked = after_input(before, request)
        numbered = {"seq": len(self.exchanges) + 1, **request}
        answer = self.system.ask(wire(numbered))
        if isinstance(answer, Breakdown):
            self.trouble = answer.trouble
        broken = _breakdown(before, numbered, answer)
        bare = _without_number(answer)
        exchange = Exchange(request, bare)
        moments, after = ((), broken) if broken else _judged(asked, bare)
        self.exchanges.append(exchange)
        if isinstance(after, Violation):
            self.violation = after
        else:
            self.states = after
        return Judged(before, exchange, moments, after)


def begun(system: System, terms: Terms) -> World:
    """Return a new world of a system, without sessions."""
    system.ask({"seq": 0, "cmd": "hello", "protocol": PROTOCOL, "suite": suite_version()})
    return World(system, initial(terms))


def observed(reply: Reply) -> Iterator[Observation]:
    """Yield the observations of a reply, none where it has no list of any."""
    result = reply.get("result")
    seen = result.get("observed") if isinstance(result, dict) else None
    yield from seen if isinstance(seen, list) else ()


def _judged(asked: States, reply: Reply) -> tuple[tuple[Moment, ...], States | Violation]:
    moments = []
    states: States | Violation = asked
    for observation in observed(reply):
        if isinstance(states, Violation):
            break
        moments.append(Moment(states, observation))
        states = after_observation(states, observation)
    if isinstance(states, States):
        states = settled(states, reply)
    return tuple(moments), states


def _breakdown(before: States, request: Request, answer: object) -> Violation | None:
    """Return why a reply cannot be judged, None where it can."""
    if replies.is_sound(request, answer):
        return None
    allowed = "a result with all observations until the world has settled"
    session = str(request.get("session", ""))
    if request["cmd"] == "release" and isinstance(answer, dict) and not validate_reply(request, answer):
        unheld = not_held(before, session, _came(answer))
        if unheld is not None:
            return replace(unheld, sentence=f"{_not_done(request, answer)}. {unheld.sentence}")
    return Violation(SHOWN_BY[request["cmd"]], _why(request, answer), (allowed,), _came(answer), session)


def _why(request: Request, answer: object) -> str:
    if isinstance(answer, Breakdown):
        return f"There is no reply to {request['cmd']}. {answer.sentence}"
    problems = validate_reply(request, answer)
    if problems:
        return f"The reply is none of the protocol: {'; '.join(problems)}."
    return _not_done(request, answer)


def _came(answer: object) -> str:
    return show(answer.as_json() if isinstance(answer, Breakdown) else answer)


def _not_done(request: Request, answer: object) -> str:
    reply = answer if isinstance(answer, dict) else {}
    if "error" in reply:
        return f"The system broke on {request['cmd']}: {show(reply['error'].get('message'))}"
    if "unsupported" in reply:
        return f"The system claims live sessions, and yet says that {request['cmd']} is unsupported."
    return f"The command {request['cmd']} is never rejected; the reply is {show(answer)}."


def _without_number(answer: object) -> Reply:
    if isinstance(answer, Breakdown):
        return answer.as_json()
    return {key: value for key, value in answer.items() if key != "seq"} if isinstance(answer, dict) else {}
