"""What a trace recorded, judged anew: the law looks at the replies that it holds, and nobody is asked."""

from dataclasses import dataclass
from typing import Any

from schedule_conformance.worlds.situations import SITUATIONS, Sightings
from schedule_conformance.worlds.traces import Trace
from schedule_conformance.worlds.world import World, begun


@dataclass(slots=True)
class _Record:
    """A system that gives the replies of a trace, one after another."""

    trace: Trace
    given: int = 0
    name: str = "recorded"

    def ask(self, request: dict[str, Any]) -> object:
        """Return the next reply under the number that it is asked for."""
        if request["cmd"] == "hello":
            return {"seq": request["seq"], "result": {}}
        reply = self.trace.steps[self.given].reply
        self.given += 1
        return {"seq": request["seq"], **reply}


def rejudged(trace: Trace) -> World:
    """Return the world that a trace recorded, up to its first violation.

    ValueError where a step makes no sense in it.
    """
    world, _ = _walked(trace)
    return world


def tried(trace: Trace) -> tuple[str, ...]:
    """Return the clauses that the situations of a trace put to the test, in the order of their names."""
    _, sightings = _walked(trace)
    clauses = {clause for each in SITUATIONS if sightings.counts[each.name] for clause in each.clauses}
    return tuple(sorted(clauses))


def _walked(trace: Trace) -> tuple[World, Sightings]:
    world, sightings = begun(_Record(trace), trace.terms), Sightings()
    sightings.begin()
    for step in trace.steps:
        sightings.see(world.ask(step.request))
        if world.violation is not None:
            break
    return world, sightings
