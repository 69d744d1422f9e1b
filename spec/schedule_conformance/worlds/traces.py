"""Traces: what happened in a world, as one JSON object that can be kept, read, and asked again.

The one format for what a run found and for frozen scenarios of the reference; `schemas/trace.json` says it
in full. A trace stands for itself: it holds the terms, every request and reply, and what was found.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from schedule_conformance.json_values import DEEPEST_MESSAGE, depth_within, has_surrogate
from schedule_conformance.messages import problems
from schedule_conformance.worlds.world import Exchange
from schedule_spec.delivery import Terms, Violation
from schedule_spec.profiles import Profile

FORMAT = "schedule-spec-trace-1"


class NoTraceError(ValueError):
    """A file that holds no trace; the message says what is wrong, and where."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace: `meta` tells where it comes from, `assumes` what it binds only those to who chose the same.

    `violation` is what was found at its last step, None where nothing was.
    """

    id: str
    meta: Mapping[str, Any]
    terms: Terms
    steps: tuple[Exchange, ...]
    violation: Violation | None = None
    assumes: tuple[str, ...] = ()

    @property
    def needs_surrogates(self) -> bool:
        """Whether unpaired surrogates occur in its requests."""
        return any(has_surrogate(dict(step.request)) for step in self.steps)


def as_json(trace: Trace) -> dict[str, Any]:
    """Return the JSON object that a trace is kept as."""
    found = trace.violation
    return {
        "format": FORMAT,
        "id": trace.id,
        "meta": dict(trace.meta),
        "terms": {
            "profile": str(trace.terms.profile),
            "observes": list(trace.terms.observes),
            "candidate": trace.terms.candidate,
            "assumes": list(trace.assumes),
        },
        "steps": [{"request": step.request, "reply": step.reply} for step in trace.steps],
        "violation": None
        if found is None
        else {
            "clause": found.clause,
            "sentence": found.sentence,
            "allowed": list(found.allowed),
            "observation": found.observation,
            "session": found.session,
        },
    }


def from_json(value: Any) -> Trace:
    """Return the trace that a JSON value is; NoTraceError where it is none."""
    if not depth_within(value, DEEPEST_MESSAGE):
        raise NoTraceError(f"nested more than {DEEPEST_MESSAGE} levels deep")
    wrong = problems("trace#/$defs/trace", value)
    if wrong:
        raise NoTraceError(wrong[0])
    terms, found = value["terms"], value["violation"]
    return Trace(
        value["id"],
        value["meta"],
        Terms(tuple(terms["observes"]), Profile(terms["profile"]), terms["candidate"]),
        tuple(Exchange(step["request"], step["reply"]) for step in value["steps"]),
        None if found is None else Violation(**{**found, "allowed": tuple(found["allowed"])}),
        tuple(terms["assumes"]),
    )


def text(trace: Trace) -> str:
    """Return the text of a trace's file: ASCII, one step a line."""
    kept = as_json(trace)
    steps = ",\n".join(f"  {json.dumps(step)}" for step in kept.pop("steps"))
    rest = json.dumps({key: value for key, value in kept.items() if key != "violation"}, indent=1)
    violation = json.dumps(kept["violation"], indent=1)
    return f'{rest[:-2]},\n "steps": [\n{steps}\n ],\n "violation": {violation}\n}}\n'


def read(path: Path) -> Trace:
    """Return the trace in a file; NoTraceError where it holds none, OSError where it cannot be read."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError) as fault:
        raise NoTraceError(f"no JSON text: {fault}") from None
    return from_json(value)


@cache
def frozen() -> tuple[Trace, ...]:
    """Return the frozen traces of the package, in the order of their file."""
    file = resources.files("schedule_conformance") / "vectors" / "worlds" / "reference-world.json"
    return tuple(from_json(value) for value in json.loads(file.read_text(encoding="utf-8"))["traces"])
