"""Making a failing trace short: steps are left out, and those that stay made plain, while it fails alike.

It fails alike where the same clause is broken by the same kind of fault. Nothing is proved to be the
shortest; what is left is such that no single step can go.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from schedule_conformance.protocol.systems import GivenUpError, System
from schedule_conformance.worlds.faults import fault
from schedule_conformance.worlds.replaying import replayed
from schedule_conformance.worlds.traces import Trace
from schedule_conformance.worlds.world import Exchange, Request

MOST_TRIES = 400
"""How often at most a trace is asked again."""


def minimised(system: System, trace: Trace) -> Trace:
    """Return a short trace that fails alike; the same one where it does not fail again.

    Where the system broke down too often to be asked again, it is the shortest that was found until then.
    """
    shortest = trace
    try:
        for shorter in _ever_shorter(system, trace):
            shortest = shorter
    except GivenUpError:
        return shortest
    return shortest


def _ever_shorter(system: System, trace: Trace) -> Iterator[Trace]:
    found = _failing(system, trace, trace.steps)
    if found is None:
        yield replace(trace, meta={**trace.meta, "steady": False})
        return
    yield found
    tries = MOST_TRIES
    progress = True
    while progress and tries > 0:
        progress = False
        for steps in _smaller(found.steps):
            tries -= 1
            smaller = _failing(system, found, steps)
            if smaller is not None:
                found, progress = smaller, True
                yield found
                break
            if tries == 0:
                break


def _failing(system: System, trace: Trace, steps: tuple[Exchange, ...]) -> Trace | None:
    assert trace.violation is not None, "only a failing trace is made short"
    world = replayed(system, trace.terms, steps)
    if world.violation is None or world.violation.clause != trace.violation.clause:
        return None
    again = replace(trace, steps=tuple(world.exchanges), violation=world.violation)
    return again if fault(again) == fault(trace) else None


def _smaller(steps: tuple[Exchange, ...]) -> Iterator[tuple[Exchange, ...]]:
    """Yield the steps with some left out, many at once first; then with one of them made plainer."""
    size = len(steps) // 2
    while size:
        for begin in range(len(steps) - size, -1, -size):
            yield steps[:begin] + steps[begin + size :]
        size //= 2
    for place, step in enumerate(steps):
        for request in _plainer(step.request):
            yield (*steps[:place], replace(step, request=request), *steps[place + 1 :])


def _plainer(request: Request) -> Iterator[dict[str, Any]]:
    """Yield a request with one thing less in it."""
    kept = dict(request)
    match kept:
        case {"cmd": "open", "events": [_, *_] as events} if "seedLength" not in kept:
            for place in range(len(events)):
                yield {**kept, "events": events[:place] + events[place + 1 :]}
        case {"cmd": "barrier", "outcomes": [_, *_] as outcomes}:
            for place in range(len(outcomes)):
                yield {**kept, "outcomes": outcomes[:place] + outcomes[place + 1 :]}
        case {"cmd": "call", "arguments": {"prompt": str(prompt)} as arguments} if prompt != "x":
            yield {**kept, "arguments": {**arguments, "prompt": "x"}}
    for member in ("turns", "busy", "followup", "append", "text", "now"):
        if (
            member in kept
            and kept["cmd"] in ("open", "faults", "reopen")
            and (kept["cmd"], member) != ("open", "now")
        ):
            yield {key: value for key, value in kept.items() if key != member}
