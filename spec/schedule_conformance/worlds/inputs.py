"""What a world is asked next: a command that makes sense there, and its members.

Times are chosen about what is to come due, so that the instants just before, at and after a target are all
met. Nothing here knows what the answer should be.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from schedule_conformance.worlds import openings
from schedule_conformance.worlds.arguments import Surroundings, called
from schedule_conformance.worlds.openings import NOON, foreign
from schedule_conformance.worlds.situations import waiting_creates
from schedule_conformance.worlds.sources import Source, one_in, pick, weighed
from schedule_spec.delivery import Session, States
from schedule_spec.delivery.choices import Choice, enabled
from schedule_spec.delivery.model import Mode
from schedule_spec.delivery.owners import mid_call
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.numbers import MAX_SAFE
from schedule_spec.records import Every

Request = dict[str, Any]

MOST_SESSIONS = 3
MOST_DELIVERIES = 20
"""How many occurrences of everys one advance may pass at most: a bound on its cost."""
BEYOND_TIMERS = 2**31
"""The least number of ms that the timers of hosts such as Node cannot hold."""
SECRET = "ENOSPC: no space left on /var/lib/secret-7"
"""What a failing backend says; no answer may repeat it."""

WEIGHTS: Mapping[str, int] = {
    "advance_time": 24,
    "set_clock": 4,
    "call": 26,
    "abort": 5,
    "busy": 5,
    "turn": 4,
    "barrier": 8,
    "release": 12,
    "faults": 5,
    "append": 3,
    "crash": 2,
    "reopen": 3,
    "fork": 2,
    "dispose": 1,
    "log": 2,
    "open": 1,
}
"""How often each command is chosen where it makes sense."""

SCRIPTS = (
    ("fail",),
    ("missing",),
    ("hold",),
    ("ok", "hold"),
    ("ok", "hold"),
    ("ok", "hold"),
    ("ok", "fail"),
    ("ok", "missing"),
)
"""Outcomes of the next barriers that settle what a call or a delivery comes to."""

MOODS: Mapping[str, Mapping[str, int]] = {
    "calm": {},
    "unhurried": {"advance_time": 50},
    "crowded": {"call": 70, "barrier": 20, "abort": 12},
    "unsure": {"barrier": 30, "turn": 8},
    "failing": {"faults": 20, "turn": 8, "advance_time": 40, "reopen": 8},
    "crashing": {"crash": 14, "barrier": 24, "faults": 8, "advance_time": 40},
    "jumping": {"set_clock": 25, "busy": 10},
    "busy": {"busy": 25, "turn": 12},
    "shared": {"append": 22, "fork": 8},
    "ending": {"dispose": 8, "reopen": 10},
}
"""What a world may be like: the weights that differ from the usual."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a world is driven: its mood, and whether unpaired surrogates may occur."""

    mood: str = "calm"
    surrogates: bool = False

    def weight(self, command: str) -> int:
        """Return how often a command is chosen."""
        return MOODS[self.mood].get(command, WEIGHTS[command])


def first(source: Source, states: States, manner: Manner) -> Request:
    """Return the `open` that a world begins with."""
    return openings.opening(source, "s", states.terms.profile, manner.surrogates)


def following(source: Source, states: States, manner: Manner, number: int) -> Request:
    """Return the next command; `number` makes the names in it new."""
    choice = weighed(source, [(_weight(states, each, manner), each) for each in sensible(states)])
    return request(source, states, choice, manner, number)


def _weight(states: States, choice: Choice, manner: Manner) -> int:
    """Return how often a choice is made: what brings a session back to work is chosen more often."""
    usual = manner.weight(choice.command)
    session = next(iter(states.of(choice.session)), None)
    match choice.command:
        case "reopen" if session is not None and not session.live:
            return 8 * usual
        case "reopen" if session is not None and session.owner.mode in (Mode.STOPPED, Mode.DISPOSED):
            return 2 * usual
        case "busy" | "fork" if session is not None and _goes_on(session, choice.command):
            return 2 * usual
        case "call" if session is not None and not session.installed:
            return usual // 4
        case "advance_time" | "set_clock" | "release" | "abort":
            return _urgency(states) * usual
        case _:
            return usual


def _goes_on(session: Session, command: str) -> bool:
    """Tell whether a turn would end, or a fork be one of a fork."""
    return session.busy if command == "busy" else bool(session.log.seed)


def _urgency(states: States) -> int:
    """Return how much more often than usual time passes, or a call ends, while a barrier of it is held."""
    if _awaits_confirmation(states):
        return 3
    return 2 if any(waiting_creates(session) for session in _living(states)) else 1


def sensible(states: States) -> list[Choice]:
    """Return the commands that make sense, `open` for a further session among them."""
    room = len(states.sessions) < MOST_SESSIONS
    choices = [choice for choice in enabled(states) if choice.command != "fork" or _may_fork(states, choice)]
    return [*choices, Choice("open")] if room else choices


def _may_fork(states: States, choice: Choice) -> bool:
    """Tell whether a session may be forked: what a fork of one without the feature is, no clause says."""
    return len(states.sessions) < MOST_SESSIONS and states.of(choice.session)[0].installed


def request(source: Source, states: States, choice: Choice, manner: Manner, number: int) -> Request:
    """Return the request that a choice stands for."""
    asked: Request = {"cmd": choice.command}
    if choice.session:
        asked["session"] = choice.session
    if choice.command == "open":
        name = f"s{number}"
        return openings.opening(source, name, states.terms.profile, manner.surrogates, states.clock)
    members = _MEMBERS.get(choice.command)
    return asked if members is None else {**asked, **members(source, states, choice, manner, number)}


Members = Callable[[Source, States, Choice, Manner, int], Mapping[str, Any]]


def _call(source: Source, states: States, choice: Choice, manner: Manner, number: int) -> Mapping[str, Any]:
    own = states.of(choice.session)[0].log.own
    active = [record.id for record in own.active]
    strange = [
        record.id
        for name, situations in states.sessions
        if name != choice.session
        for record in situations[0].log.own.active
    ]
    ended = [id for id in own.seen if id not in active]
    about = Surroundings(states.clock, active, ended, strange, manner.surrogates)
    disposed = any(situation.owner.mode is Mode.DISPOSED for situation in states.of(choice.session))
    # Whether a disposed session still has its tools, and so checks shapes, no clause says.
    call = {"tool": "schedule_list", "arguments": {}} if disposed else called(source, about)
    match states.of(choice.session)[0].script.barriers:
        case ("ok", "hold", *_) if not one_in(source, 4):
            call = {"tool": "schedule_create", "arguments": {"prompt": "soon", "after_seconds": 1}}
        case ("ok", "fail" | "missing", *_) if active and not disposed and one_in(source, 2):
            call = {"tool": "schedule_delete", "arguments": {"id": pick(source, active)}}
        case ("hold", *_) if not disposed and one_in(source, 2):
            call = {"tool": "schedule_create", "arguments": {"prompt": "later", "after_seconds": 60}}
    return {"callId": f"c{number}", **call}


def _abort(source: Source, states: States, choice: Choice, manner: Manner, number: int) -> Mapping[str, Any]:
    return {"callId": choice.call}


def _busy(source: Source, states: States, choice: Choice, manner: Manner, number: int) -> Mapping[str, Any]:
    return {"on": states.of(choice.session)[0].busy == one_in(source, 8)}


def _barrier(
    source: Source, states: States, choice: Choice, manner: Manner, number: int
) -> Mapping[str, Any]:
    if one_in(source, 2):
        return {"outcomes": list(pick(source, SCRIPTS))}
    outcomes = [(6, "ok"), (2, "fail"), (2, "missing"), (5, "hold")]
    return {"outcomes": [weighed(source, outcomes) for _ in range(source.whole(0, 4))]}


def _release(
    source: Source, states: States, choice: Choice, manner: Manner, number: int
) -> Mapping[str, Any]:
    return {"outcome": weighed(source, [(4, "ok"), (1, "fail"), (1, "missing")])}


def _faults(source: Source, states: States, choice: Choice, manner: Manner, number: int) -> Mapping[str, Any]:
    everys = [r for r in states.of(choice.session)[0].log.own.active if isinstance(r, Every)]
    if len(everys) > 1 and one_in(source, 2):
        return {"append": {"operations": ["dispatch"], "skip": 1, "times": 1}}
    faults: dict[str, Any] = {}
    if one_in(source, 3):
        faults["followup"] = pick(source, ("fail", "ok"))
    if source.whole(0, 3):
        faults["append"] = {"skip": pick(source, (0, 0, 1, 1, 2)), "times": pick(source, (0, 1, 1, 2))}
        operations = pick(source, ((), ("dispatch",), ("dispatch",), ("create", "delete"), ("create",)))
        if operations:
            faults["append"]["operations"] = list(operations)
    if one_in(source, 2):
        faults["text"] = SECRET
    return faults


def _append(source: Source, states: States, choice: Choice, manner: Manner, number: int) -> Mapping[str, Any]:
    own = states.of(choice.session)[0].log.own
    about = Surroundings(states.clock, surrogates=manner.surrogates)
    return {"event": foreign(source, own, about, states.terms.profile)}


def _crash(source: Source, states: States, choice: Choice, manner: Manner, number: int) -> Mapping[str, Any]:
    situations = states.of(choice.session)
    durable = max(situation.log.durable for situation in situations)
    match source.whole(0, 4):
        case 0 | 1:
            return {"keep": durable}
        case 2:
            # What a barrier acknowledged is kept all the same.
            return {"keep": source.whole(0, durable)}
        case _:
            return {"keep": source.whole(durable, max(durable, *(len(s.log.events) for s in situations)))}


def _reopen(source: Source, states: States, choice: Choice, manner: Manner, number: int) -> Mapping[str, Any]:
    return {"now": _jump(source, states)} if one_in(source, 3) else {}


def _fork(source: Source, states: States, choice: Choice, manner: Manner, number: int) -> Mapping[str, Any]:
    situations = states.of(choice.session)
    length = min(len(situation.log.events) for situation in situations)
    boundary = min(situations[0].log.seed or 0, length)
    at = pick(source, (0, boundary, boundary, boundary, length, length, source.whole(0, length)))
    return {"at": at, "as": f"fork-{number}"}


def _advance_time(
    source: Source, states: States, choice: Choice, manner: Manner, number: int
) -> Mapping[str, Any]:
    longest = min(_affordable(states), MAX_SAFE - states.clock)
    return {"ms": max(0, min(_span(source, states), longest))}


def _set_clock(
    source: Source, states: States, choice: Choice, manner: Manner, number: int
) -> Mapping[str, Any]:
    return {"now": _jump(source, states)}


_MEMBERS: Mapping[str, Members] = {
    "call": _call,
    "abort": _abort,
    "busy": _busy,
    "barrier": _barrier,
    "release": _release,
    "faults": _faults,
    "append": _append,
    "crash": _crash,
    "reopen": _reopen,
    "fork": _fork,
    "advance_time": _advance_time,
    "set_clock": _set_clock,
}
"""The members of each command beside its session; the others have none."""


def _living(states: States) -> list[Session]:
    return [situations[0] for _, situations in states.sessions if situations[0].live]


def _awaits_confirmation(states: States) -> bool:
    """Tell whether some call has appended, and its second barrier is held."""
    return any(session.held and mid_call(session) for session in _living(states))


def _ahead(states: States) -> list[int]:
    """Return how far off, in ms, targets and the ends of waits are, nearest first."""
    living = _living(states)
    targets = [record.scheduled_at - states.clock for session in living for record in session.log.own.active]
    wakes = [session.owner.wake for session in living if session.owner.wake is not None]
    return sorted({span for span in (*targets, *wakes) if span > 0})


def _affordable(states: States) -> int:
    """Return the longest advance, in ms, that passes no more occurrences than allowed."""
    intervals = [
        record.every_seconds * 1000
        for session in _living(states)
        for record in session.log.own.active
        if isinstance(record, Every)
    ]
    return MOST_DELIVERIES * min(intervals) // len(intervals) if intervals else 2 * BEYOND_TIMERS


def _span(source: Source, states: States) -> int:
    ahead = _ahead(states)
    if not ahead or one_in(source, 8):
        return pick(source, (0, 1, 999, 1000, 60_000, 300_000, 900_000, BEYOND_TIMERS + 1))
    nearest, any_of_them, farthest = ahead[0], pick(source, ahead), ahead[-1]
    if _awaits_confirmation(states):
        return pick(source, (nearest, any_of_them, 2000, farthest + 1))
    spans = (nearest - 1, nearest, nearest, nearest, nearest + 1, any_of_them, any_of_them - 1, farthest + 1)
    return pick(source, spans)


def _jump(source: Source, states: States) -> int:
    """Return the clock after a jump: about a target, back, far off, or out of range."""
    ahead = _ahead(states)
    now = states.clock
    if ahead and one_in(source, 2):
        return _safe(now + pick(source, ahead) + pick(source, (-1, 0, 0, 1, 700_000, 10_000_000)))
    steps = (-10_000_000, -300_000, -1000, -1, 0, 1, 1000, 300_000, 10_000_000)
    if one_in(source, 12):
        return pick(source, (EARLIEST - 1, LATEST + 1, LATEST, EARLIEST, MAX_SAFE, -MAX_SAFE))
    return _safe(pick(source, (NOON, LATEST - 700_000, *(now + step for step in (*steps, *steps)))))


def _safe(ms: int) -> int:
    return min(max(ms, -MAX_SAFE), MAX_SAFE)
