"""A failing case of a pure command, kept as one JSON object that can be read, asked again, and promoted.

What a trace is to a world, a kept case is to a single request; `schemas/trace.json` says both in full. It
holds the request, what the clauses allow, and what came instead.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from schedule_conformance.judgement.cases import Failure
from schedule_conformance.judgement.judging import Failed
from schedule_conformance.protocol.json_values import (
    DEEPEST_MESSAGE,
    depth_within,
    has_surrogate,
    show,
    unreadable,
)
from schedule_conformance.protocol.messages import problems
from schedule_conformance.worlds import traces
from schedule_conformance.worlds.traces import NoTraceError, Trace
from schedule_spec import json_text
from schedule_spec.profiles import Profile

FORMAT = "schedule-spec-case-1"


@dataclass(frozen=True, slots=True)
class KeptCase:
    """A request without its number, and the reply that broke `clause`.

    `expected` is what was allowed, in the form of frozen cases; `allowed` and `got` say it in words.
    `releases` are those of the zone data under which that is expected; where there are none, under any.
    """

    id: str
    meta: Mapping[str, Any]
    profile: Profile
    request: dict[str, Any]
    clauses: tuple[str, ...]
    releases: tuple[str, ...]
    expected: dict[str, Any]
    reply: object
    clause: str
    fault: str
    allowed: str
    got: str

    @property
    def needs_surrogates(self) -> bool:
        """Whether the request holds an unpaired surrogate, also as an escape in its JSON text."""
        spelt = self.request.get("json")
        return has_surrogate(self.request) or (
            isinstance(spelt, str) and has_surrogate(json_text.read(spelt))
        )


def kept(failure: Failure, profile: Profile, system: str, found: str) -> KeptCase:
    """Return the form in which a failure is kept; `found` tells the check and the seed.

    Its id is that of the frozen case which failed, or says the clause and the request.
    """
    request = _without_number(failure.case.request)
    verdict = failure.verdict
    return KeptCase(
        failure.vector or f"{verdict.clause.replace('.', '-')}-{digest(request)}",
        {"origin": "run", "system": system, "found": found},
        profile,
        request,
        failure.case.clauses,
        failure.case.releases,
        verdict.allowed_reply,
        _showable(verdict.reply),
        verdict.clause,
        str(verdict.fault),
        verdict.allowed,
        verdict.got,
    )


def again(case: KeptCase, verdict: Failed, system: str) -> KeptCase:
    """Return a case as it failed when it was asked again."""
    return replace(
        case,
        meta={**case.meta, "system": system},
        expected=verdict.allowed_reply,
        reply=_showable(verdict.reply),
        clause=verdict.clause,
        fault=str(verdict.fault),
        allowed=verdict.allowed,
        got=verdict.got,
    )


def digest(value: object) -> str:
    """Return 12 hexadecimal digits that tell JSON values apart, whatever the order of their keys."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:12]


def _without_number(message: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key != "seq"}


def _showable(reply: object) -> object:
    """Return a reply without its number; as a text where it is none that a JSON file can hold."""
    bare = _without_number(reply) if isinstance(reply, dict) else reply
    if not depth_within(bare, DEEPEST_MESSAGE // 2):
        return show(bare)
    try:
        json.dumps(bare, allow_nan=False)
    except (TypeError, ValueError):
        return show(bare)
    return bare


def as_json(case: KeptCase) -> dict[str, Any]:
    """Return the JSON object that a case is kept as."""
    return {
        "format": FORMAT,
        "id": case.id,
        "meta": dict(case.meta),
        "profile": str(case.profile),
        "clauses": list(case.clauses),
        **({"releases": list(case.releases)} if case.releases else {}),
        "request": case.request,
        "expect": case.expected,
        "reply": case.reply,
        "violation": {"clause": case.clause, "fault": case.fault, "allowed": case.allowed, "got": case.got},
    }


def from_json(value: Any) -> KeptCase:
    """Return the case that a JSON value is; NoTraceError where it is none."""
    wrong = problems("trace#/$defs/case", value)
    if wrong:
        raise NoTraceError(wrong[0])
    violation = value["violation"]
    return KeptCase(
        value["id"],
        value["meta"],
        Profile(value["profile"]),
        value["request"],
        tuple(value["clauses"]),
        tuple(value.get("releases", ())),
        value["expect"],
        value["reply"],
        violation["clause"],
        violation["fault"],
        violation["allowed"],
        violation["got"],
    )


def text(case: KeptCase) -> str:
    """Return the text of a case's file: ASCII, one member a line."""
    members = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in as_json(case).items())
    return f"{{\n{members}\n}}\n"


def read(path: Path) -> Trace | KeptCase:
    """Return what a file holds; NoTraceError where that is neither, OSError where it cannot be read."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError) as fault:
        raise NoTraceError(f"no JSON text: {unreadable(fault)}") from None
    is_case = isinstance(value, dict) and value.get("format") == FORMAT
    return from_json(value) if is_case else traces.from_json(value)
