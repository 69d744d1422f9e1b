"""The implementation stepped through the live law's space: every path of inputs up to a depth, judged by the
law.

An implementation's process cannot be set back, so each path is asked anew from its beginning. A path that
only prolongs another is judged on the way: paths of the full depth are enough.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from proofs.exhaustive.live_law import MINUTE, NOON, WIDE
from proofs.outcomes import Counterexample, Counts
from schedule_conformance.worlds.world import World, begun
from schedule_impl.adapter import handle
from schedule_spec import changes, fold
from schedule_spec.changes import Create
from schedule_spec.delivery import Terms

Request: TypeAlias = dict[str, Any]
Answering: TypeAlias = Callable[[Any], Any]

DEPTH = 4
SHORT_DEPTH = 3
SPANS = (MINUTE, 5 * MINUTE)
"""How far time may advance: to the first targets, and by one interval."""


def _inputs(world: World) -> Iterator[Request]:
    """Yield what may be asked next of a world with one session."""
    [situation, *_] = world.states.of("s")
    if not situation.live:
        yield {"cmd": "reopen"}
        return
    for span in SPANS:
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


def _opening() -> Request:
    events = [{"type": fold.EVENT_TYPE, "data": changes.encode(Create(record))} for record in WIDE.records]
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


def _all_paths(answering: Answering, depth: int) -> Counts:
    paths = steps = 0
    waiting: list[tuple[Request, ...]] = [(_opening(),)]
    while waiting:
        path = waiting.pop()
        world = _walked(answering, path)
        paths, steps = paths + 1, steps + len(path)
        if len(path) <= depth:
            waiting += ((*path, following) for following in _inputs(world))
    return {"paths": paths, "steps": steps}


def the_implementation_is_right_on_every_short_path() -> Counts:
    """Every path of inputs up to the short depth."""
    return _all_paths(handle, SHORT_DEPTH)


def the_implementation_is_right_on_every_path() -> Counts:
    """Every path of inputs up to the full depth."""
    return _all_paths(handle, DEPTH)


def _not_looking_again(request: Any) -> Any:
    """Hide the follow-ups that come while time advances: an owner without timers."""
    reply = handle(request)
    if request.get("cmd") == "advance_time" and "result" in reply:
        observed = [each for each in reply["result"]["observed"] if "followup" not in each]
        return {**reply, "result": {**reply["result"], "observed": observed}}
    return reply


def an_owner_without_timers_on_every_path() -> Counts:
    """The same of an implementation whose timers do nothing."""
    return _all_paths(_not_looking_again, SHORT_DEPTH)
