"""Traces: what happened in a world, as one JSON object that can be kept, read, and asked again.

The one format for what a run found and for frozen scenarios; `schemas/trace.json` says it in full. A trace
stands for itself: it holds the terms, every request and reply, and what was found.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from math import isfinite
from pathlib import Path
from typing import Any

from schedule_conformance.protocol.json_values import DEEPEST_MESSAGE, depth_within, has_surrogate, unreadable
from schedule_conformance.protocol.messages import URN, WORLD_COMMANDS, problems, validate_request
from schedule_conformance.worlds.world import Exchange
from schedule_spec.delivery import Terms, Violation
from schedule_spec.profiles import Profile

FORMAT = "schedule-spec-trace-1"
SCHEMA = f"{URN}:trace"


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
    def clauses(self) -> tuple[str, ...]:
        """The clauses that a frozen trace puts to the test; none where it does not say."""
        return tuple(self.meta.get("clauses", ()))

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
    """Return the trace that a JSON value is; NoTraceError where it is none, or asks what no suite asks."""
    trace = _read(value)
    for number, step in enumerate(trace.steps, 1):
        place = f"request {number}"
        if not _is_json(step.request):
            raise NoTraceError(f"{place}: a number in it is not finite, and so no JSON")
        if wrong := validate_request({"seq": number, **step.request}):
            raise NoTraceError(f"{place}: {wrong[0]}")
        if step.request["cmd"] not in WORLD_COMMANDS:
            raise NoTraceError(f"{place}: cmd is {step.request['cmd']!r}, which is no command of a world")
    return trace


def _is_json(value: Any) -> bool:
    """Tell whether all numbers in a value are finite."""
    match value:
        case float():
            return isfinite(value)
        case dict():
            return all(map(_is_json, value.values()))
        case list():
            return all(map(_is_json, value))
        case _:
            return True


def _read(value: Any) -> Trace:
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
        raise NoTraceError(f"no JSON text: {unreadable(fault)}") from None
    return from_json(value)


def file_text(kept: Iterable[Trace]) -> str:
    """Return the text of a file of frozen traces: ASCII, one step a line."""
    texts = ",\n".join(text(trace).rstrip() for trace in kept)
    return f'{{"schema": "{SCHEMA}",\n"traces": [\n{texts}\n]}}\n'


def folder() -> Traversable:
    """Return the package's folder of frozen traces."""
    return resources.files("schedule_conformance") / "vectors" / "worlds"


@cache
def files() -> tuple[tuple[str, tuple[Trace, ...]], ...]:
    """Return the names of the files of frozen traces with their traces, in the order of the names."""
    names = sorted(file.name for file in folder().iterdir() if file.name.endswith(".json"))
    return tuple((name, read_file((folder() / name).read_text(encoding="utf-8"))) for name in names)


def read_file(contents: str) -> tuple[Trace, ...]:
    """Return the traces of a file of frozen traces; NoTraceError where one is none."""
    return tuple(_read(value) for value in json.loads(contents)["traces"])


def frozen() -> tuple[Trace, ...]:
    """Return the frozen traces of the package, in the order of their files."""
    return tuple(trace for _, kept in files() for trace in kept)
