"""Playing the stories: the law does what they ask, and the live law judges that as it judges any system.

`spoilt` then lets one step go wrong, and lets the law say what is wrong with that.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from schedule_cli.explaining.json_layout import on_one_line
from schedule_cli.explaining.lapses import LAPSES
from schedule_cli.explaining.parts import code
from schedule_cli.explaining.stories import OF_CLAUSE, START, STORIES, TEA, Request
from schedule_cli.explaining.telling import named
from schedule_conformance.law import law_adapter
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.worlds.world import Exchange, begun, observed
from schedule_spec import framing, instants, register
from schedule_spec.delivery import States, Terms, Violation, after_exchange, initial
from schedule_spec.profiles import Profile

Observation = dict[str, Any]
Reply = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Spoilt:
    """A story with one step gone wrong: which, from 0, how, and what the law says of it."""

    story: str
    step: int
    change: str
    reply: Reply
    violation: Violation


class UnsoundStoryError(AssertionError):
    """The law does not allow what the law does."""


@cache
def played(name: str) -> tuple[Exchange, ...]:
    """Return what the law did in a story; UnsoundStoryError where the live law does not allow it."""
    return exchanges(STORIES[name].requests)


def exchanges(requests: tuple[Request, ...]) -> tuple[Exchange, ...]:
    """Return what the law does in a new world; UnsoundStoryError where the live law does not allow it."""
    world = begun(InProcess("law", law_adapter.adapter(Profile.V1)), Terms())
    for request in requests:
        world.ask(request)
        if world.violation is not None:
            raise UnsoundStoryError(f"{request}: {world.violation.sentence}")
    return tuple(world.exchanges)


@cache
def spoilt(clause: str) -> Spoilt | None:
    """Return a story of a clause gone wrong in one step, by which it is broken; None where none is known."""
    if clause in LAPSES:
        return _lapsed(clause)
    # The last story is the one that the reader has before the eyes.
    for name in reversed(OF_CLAUSE.get(clause, ())):
        for found in _spoilt(name):
            if found.violation.clause == clause:
                return found
    return None


def _lapsed(clause: str) -> Spoilt:
    lapse = LAPSES[clause]
    told = played(lapse.story)
    states = next(islice(_moments(told), lapse.step, None)).states
    reply = lapse.wrong(dict(told[lapse.step].reply))
    verdict = after_exchange(states, dict(told[lapse.step].request), reply)
    if not isinstance(verdict, Violation) or verdict.clause not in (
        clause,
        *register.clause(clause).implied_by,
    ):
        raise UnsoundStoryError(f"the live law finds no fault of {clause} in the reply of LAPSES: {verdict}")
    return Spoilt(lapse.story, lapse.step, f"the implementation {lapse.does}", reply, verdict)


@cache
def _spoilt(name: str) -> tuple[Spoilt, ...]:
    """Return every single change to a story that the law finds at fault."""
    return tuple(_judged_changes(name))


def _judged_changes(name: str) -> Iterator[Spoilt]:
    told = played(name)
    everything = [each for exchange in told for each in observed(exchange.reply)]
    moments = tuple(_moments(told))
    changes = (
        *((place, *each) for place, moment in enumerate(moments) for each in _altered(moment.seen)),
        *(
            (place, *each)
            for place, moment in enumerate(moments)
            for each in _intruded(moment.seen, everything, moment.clock)
        ),
    )
    for place, change, altered in changes:
        reply = _with(told[place], altered)
        verdict = after_exchange(moments[place].states, dict(told[place].request), reply)
        if isinstance(verdict, Violation):
            yield Spoilt(name, place, change, reply, verdict)


@dataclass(frozen=True, slots=True)
class _Moment:
    """A step of a story: what was possible before it, what was seen in it, and the clock after it, in ms."""

    states: States
    seen: list[Observation]
    clock: int


def _moments(told: tuple[Exchange, ...]) -> Iterator[_Moment]:
    states, clock = initial(Terms()), START
    for exchange in told:
        seen = [dict(each) for each in observed(exchange.reply)]
        clock = _clock_after(clock, exchange)
        yield _Moment(states, seen, clock)
        states = _sound(after_exchange(states, dict(exchange.request), _with(exchange, seen)))


def _clock_after(clock: int, exchange: Exchange) -> int:
    match exchange.request:
        case {"cmd": "advance_time", "ms": int(ms)}:
            return clock + ms
        case {"cmd": "set_clock" | "open" | "reopen", "now": int(now)}:
            return now
        case _:
            return clock


def _with(exchange: Exchange, seen: list[Observation]) -> Reply:
    """Return the reply of an exchange with other observations; as it is where it has none."""
    result = exchange.reply.get("result")
    return {"result": {**result, "observed": seen}} if isinstance(result, dict) else dict(exchange.reply)


def _sound(states: States | Violation) -> States:
    if isinstance(states, Violation):
        raise UnsoundStoryError(states.sentence)
    return states


def _altered(seen: list[Observation]) -> Iterator[tuple[str, list[Observation]]]:
    """Yield observations with one left out, doubled, changed, or moved, and what was done."""
    for place, each in enumerate(seen):
        before, rest, words = seen[:place], seen[place + 1 :], named(each)
        yield f"{words} is missing", before + rest
        for further, other in enumerate(rest):
            moved = [*rest[: further + 1], each, *rest[further + 1 :]]
            yield f"{words} comes only after {named(other)}", [*before, *moved]
        for other, difference in _others(each):
            yield f"{words} comes {difference}", [*before, other, *rest]
        yield f"{words} comes twice", [*before, each, each, *rest]


def _others(observation: Observation) -> Iterator[tuple[Observation, str]]:
    """Yield observations that differ in one place, and the difference in words."""
    match observation:
        case {"answer": {"value": dict(value)} as answer}:
            for key, member in value.items():
                rest = {name: each for name, each in value.items() if name != key}
                yield observation | {"answer": answer | {"value": rest}}, f"without {code(key)}"
                for other in _members(key, member):
                    changed = observation | {"answer": answer | {"value": value | {key: other}}}
                    yield changed, f"with {code(on_one_line({key: other}))}"
        case {"answer": {"value": list(values)} as answer}:
            yield observation | {"answer": answer | {"value": values[:-1]}}, "without its last element"
            yield observation | {"answer": answer | {"value": values[::-1]}}, "in the reverse order"
        case {"followup": str(text)}:
            for old, new in (("untrusted", "trusted"), ("\\n", "\n"), (".000Z", "Z")):
                if old in text:
                    changed = observation | {"followup": text.replace(old, new)}
                    yield changed, f"with {code(new)} in place of {code(old)}"
            yield observation | {"followup": text[:-4] + text[-1:]}, "cut short"
            yield (
                observation | {"followup": f"Please note:\n{text}"},
                "with a line of the host's own before it",
            )
        case {"append": {"data": dict(data)} as event}:
            later = {"acceptedAt": instants.render(int(observation["at"]) + 1)}
            if "acceptedAt" in data:
                yield (
                    observation | {"append": event | {"data": data | later}},
                    f"with {code(on_one_line(later))}",
                )
            if "schedule" in data:
                renamed = data | {"schedule": data["schedule"] | {"id": "r1"}}
                yield observation | {"append": event | {"data": renamed}}, f"with the id {code('r1')}"
            yield observation | {"append": event | {"type": "schedule/receipt"}}, "as a receipt event"
        case {"barrier": "ok"}:
            yield observation | {"barrier": "fail"}, "as a failure"


def _members(key: str, member: Any) -> Iterator[Any]:
    match key, member:
        case "code", _:
            yield from ("internal_error", "not_future", "no_such_code")
        case "message", str():
            yield "disk 7 is full"
        case "state", _:
            yield "overdue" if member == "scheduled" else "scheduled"
        case "id", _:
            yield "r9"
        case "deleted", bool():
            yield not member


def _intruded(
    seen: list[Observation], everything: list[Any], clock: int
) -> Iterator[tuple[str, list[Observation]]]:
    """Yield observations with a further one at the end: one of the story, or what never should be seen."""
    here: Observation = {"at": clock, "session": "s"}
    reminder = framing.frame(TEA)
    strangers: list[Observation] = [
        {"followup": reminder},
        {"steer": reminder},
        {"append": {"type": "schedule/change", "data": {"version": 1, "operation": "dispatch", "id": "tea"}}},
        {"append": {"type": "schedule/receipt", "data": {"id": "tea"}}},
        {"answer": {"callId": "c1", "value": []}},
        {"answer": {"callId": "c3", "value": []}},
        {"barrier": "ok"},
    ]
    told = [dict(each) for each in everything if "followup" in each or "append" in each]
    for each in [*strangers, *told]:
        further = each | here
        yield f"{named(further)} comes too", [*seen, further]
        if seen:
            early = further | {"at": seen[0]["at"]}
            yield f"{named(early)} comes first", [early, *seen]
