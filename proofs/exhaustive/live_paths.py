"""The implementation along every path of inputs up to a depth, judged by the live law.

An implementation's process cannot be set back, so each path is asked anew from its beginning. A path that
only prolongs another is judged on the way: paths of the full depth are enough. The paths begin with the
records of the wide space or of the deep one; how far they lead is bounded by their depth alone.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from proofs.exhaustive.live_law import DEEP, MINUTE, NOON, WIDE
from proofs.outcomes import Counterexample, Counts
from schedule_conformance.worlds.world import World, begun
from schedule_impl.adapter import handle
from schedule_spec import changes, fold
from schedule_spec.changes import Create
from schedule_spec.delivery import Terms
from schedule_spec.records import Record

Request: TypeAlias = dict[str, Any]
Answering: TypeAlias = Callable[[Any], Any]

DEPTH = 4
SHORT_DEPTH = 3


@dataclass(frozen=True, slots=True)
class Opening:
    """What paths begin with: the records of a session, and how far time may advance at once, in ms."""

    records: tuple[Record, ...]
    spans: tuple[int, ...]


TWO = Opening(WIDE.records, (MINUTE, 5 * MINUTE))
"""Time advances to the first targets, and by one interval."""
THREE = Opening(DEEP.records, (MINUTE, 2 * MINUTE, 10 * MINUTE))
"""Time advances to the first targets, to all of them, and by two intervals."""


def _inputs(world: World, spans: tuple[int, ...]) -> Iterator[Request]:
    """Yield what may be asked next of a world with one session."""
    [situation, *_] = world.states.of("s")
    if not situation.live:
        yield {"cmd": "reopen"}
        return
    for span in spans:
        yield {"cmd": "advance_time", "ms": span}
    if all(each.held or each.orphan for each in world.states.of("s")):
        yield from ({"cmd": "release", "outcome": outcome} for outcome in ("ok", "fail", "missing"))
    yield from (
        {"cmd": "barrier", "outcomes": outcomes}
        for outcomes in (["fail"], ["missing"], ["hold"], ["ok", "fail"])
    )
    yield {"cmd": "busy", "on": not situation.busy}
    yield {"cmd": "turn"}
    yield {"cmd": "faults", "append": {"operations": ["dispatch"]}}
    yield {"cmd": "faults", "followup": "fail"}
    yield {"cmd": "call", "tool": "schedule_delete", "arguments": {"id": "a"}}
    yield from ({"cmd": "crash", "keep": keep} for keep in (0, len(situation.log.events)))


def _opened(records: tuple[Record, ...]) -> Request:
    events = [{"type": fold.EVENT_TYPE, "data": changes.encode(Create(record))} for record in records]
    return {"cmd": "open", "now": NOON, "events": events}


class _Asked:
    """A function as a system of the court."""

    def __init__(self, answering: Answering) -> None:
        self.name = "the implementation"
        self._answering = answering

    def ask(self, request: Any) -> Any:
        return self._answering(request)


def _walked(answering: Answering, path: tuple[Request, ...]) -> World:
    world = begun(_Asked(answering), Terms())
    for number, request in enumerate(path):
        call = {"callId": f"call-{number}"} if request["cmd"] == "call" else {}
        session = {} if request["cmd"] == "advance_time" else {"session": "s"}
        world.ask({**request, **call, **session})
        if world.violation is not None:
            said = ", ".join(each["cmd"] for each in path[: number + 1])
            raise Counterexample(f"{world.violation.clause} after {said}: {world.violation.sentence}")
    return world


def _all_paths(answering: Answering, opening: Opening, depth: int) -> Counts:
    paths = steps = 0
    waiting: list[tuple[Request, ...]] = [(_opened(opening.records),)]
    while waiting:
        path = waiting.pop()
        world = _walked(answering, path)
        paths, steps = paths + 1, steps + len(path)
        if len(path) <= depth:
            waiting += ((*path, following) for following in _inputs(world, opening.spans))
    return {"paths": paths, "steps": steps}


def the_implementation_is_right_on_every_short_path() -> Counts:
    """Every path of inputs up to the short depth."""
    return _all_paths(handle, TWO, SHORT_DEPTH)


def the_implementation_is_right_on_every_path() -> Counts:
    """Every path of inputs up to the full depth."""
    return _all_paths(handle, TWO, DEPTH)


def the_implementation_is_right_on_every_short_path_with_three_records() -> Counts:
    """Every path of inputs up to the short depth, from three records."""
    return _all_paths(handle, THREE, SHORT_DEPTH)


def _not_looking_again(request: Any) -> Any:
    """Hide the follow-ups that come while time advances: an owner without timers."""
    reply = handle(request)
    if request.get("cmd") == "advance_time" and "result" in reply:
        observed = [each for each in reply["result"]["observed"] if "followup" not in each]
        return {**reply, "result": {**reply["result"], "observed": observed}}
    return reply


def an_owner_without_timers_on_every_path() -> Counts:
    """The same of an implementation whose timers do nothing."""
    return _all_paths(_not_looking_again, TWO, SHORT_DEPTH)


def _dispatching_the_first_alone(request: Any) -> Any:
    """Hide the second dispatch of a batch."""
    reply = handle(request)
    observed = reply.get("result", {}).get("observed", [])
    for place, each in enumerate(observed):
        if "},{" in each.get("followup", ""):
            shortened = [*observed[: place + 2], *observed[place + 3 :]]
            return {**reply, "result": {**reply["result"], "observed": shortened}}
    return reply


def an_owner_that_dispatches_the_first_alone_on_every_path() -> Counts:
    """The same, from three records, of an implementation that dispatches only the first of a batch."""
    return _all_paths(_dispatching_the_first_alone, THREE, SHORT_DEPTH)
