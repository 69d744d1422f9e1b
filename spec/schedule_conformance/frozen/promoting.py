"""Promotion: what a run found becomes a frozen case, which holds what is allowed and not what came.

Everything is judged anew first. A kept case of a pure command becomes a vector with the law's answer, so of
origin `law`; a trace becomes a frozen trace of origin `hand`, with the replies that the law gives. An id is
made of what is asked, so that it was never given to anything else. Reads and writes files of frozen cases.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from schedule_conformance.frozen import vectors
from schedule_conformance.frozen.bug_kinds import flags_of
from schedule_conformance.frozen.kept_cases import KeptCase, digest
from schedule_conformance.judgement import blame
from schedule_conformance.judgement.creations import release_bound, zone_data_relied_on
from schedule_conformance.judgement.exercise import exercised
from schedule_conformance.judgement.judging import Fault, Passed, judge
from schedule_conformance.law import law_adapter
from schedule_conformance.law.rulings import EitherWay, Granted, Ruling, refusals_of, rule
from schedule_conformance.protocol.json_values import unreadable
from schedule_conformance.protocol.messages import problems, wire
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.worlds import recorded, traces
from schedule_conformance.worlds.replaying import replayed
from schedule_conformance.worlds.traces import Trace
from schedule_spec import zones
from schedule_spec.delivery import Terms

WORLDS = "hand-world.json"
"""The file that promoted traces go into."""


class NotPromotedError(ValueError):
    """Something that cannot become a frozen case; the message says why."""


@dataclass(frozen=True, slots=True)
class Promoted:
    """A frozen case as it was written: its id and clauses, its file, and what it allows, in words."""

    id: str
    clauses: tuple[str, ...]
    file: Path
    allowed: str


def promote(found: Trace | KeptCase, into: Path | None = None) -> Promoted:
    """Freeze what was found, in a file of frozen cases; the package's own one of its area unless `into` says.

    NotPromotedError where the law allows what came, where the same is frozen already, or where the file is
    none of such cases; OSError where it cannot be read or written.
    """
    return _promote_trace(found, into) if isinstance(found, Trace) else _promote_case(found, into)


# --- pure commands ---


def _promote_case(case: KeptCase, into: Path | None) -> Promoted:
    entry = vector_of(case)
    area = entry["clauses"][0].partition(".")[0]
    file = into or Path(str(vectors.folder())) / f"{area}.json"
    before = _entries(file, area)
    present = [each for _, contents in vectors.files() for each in contents["vectors"]] + before
    _refuse_twice(entry["id"], [each["id"] for each in present if _asks_the_same(each, entry)])
    place = sum(each["origin"] != "reference" for each in before)
    _write(file, vectors.text(area, [*before[:place], entry, *before[place:]]))
    return Promoted(entry["id"], tuple(entry["clauses"]), file, json.dumps(entry["expect"]))


def _asks_the_same(entry: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    asked = [json.dumps([each["profile"], each["request"]]) for each in (entry, other)]
    return asked[0] == asked[1]


def _entries(file: Path, area: str) -> list[dict[str, Any]]:
    """Return the cases of a file, which may be a new one."""
    contents = _contents(file, "vectors")
    if contents is not None and contents["area"] != area:
        raise NotPromotedError(f"{file} holds the area {contents['area']}; the case is one of {area}")
    return [] if contents is None else list(contents["vectors"])


def vector_of(case: KeptCase) -> dict[str, Any]:
    """Return the vector that a kept case becomes; NotPromotedError where it becomes none."""
    numbered = wire({"seq": 1, **case.request})
    _refuse_allowed(case, numbered)
    ruling = rule(numbered, case.profile)
    if isinstance(ruling, EitherWay):
        raise NotPromotedError("its zone is one of the names that may go either way: no answer is the one")
    clauses = _clauses(case, numbered, ruling)
    expect = _expect(ruling)
    bound = case.request["cmd"] == "create" and release_bound(numbered)
    return {
        "id": f"law-{clauses[0].partition('.')[0]}-{digest([str(case.profile), case.request])}",
        "clauses": list(clauses),
        "profile": str(case.profile),
        "origin": "law",
        "flags": flags_of(case.request, clauses, expect),
        "note": f"from a run in which {case.clause} was broken",
        **({"tzdata": {"releases": [zones.release()], **zone_data_relied_on(numbered)}} if bound else {}),
        "request": case.request,
        "expect": expect,
    }


def _refuse_allowed(case: KeptCase, numbered: dict[str, Any]) -> None:
    """Raise where the law allows what came; an answer that changed from time to time says nothing."""
    reply = {"seq": 1, **case.reply} if isinstance(case.reply, dict) else case.reply
    if case.fault != Fault.UNSTEADY and isinstance(judge(numbered, reply, case.profile), Passed):
        raise NotPromotedError("the law allows what came: there is nothing to hold anybody to")


def _clauses(case: KeptCase, numbered: dict[str, Any], ruling: Ruling) -> tuple[str, ...]:
    """Return the clauses of a case; the first is the broken one, or, for a refusal, the law's."""
    tested = exercised(numbered, ruling, case.profile)
    if isinstance(ruling, Granted):
        usual = blame.of_wrong_rejection(numbered, ruling, None, case.profile)
        first = case.clause if case.clause in tested else usual
    else:
        first = refusals_of(ruling)[0].clause
    return tuple(dict.fromkeys([first, *tested]))


def _expect(ruling: Ruling) -> dict[str, Any]:
    if isinstance(ruling, Granted):
        return {"result": ruling.result}
    return {"rejected": {"codes": list(dict.fromkeys(str(refusal.code) for refusal in refusals_of(ruling)))}}


# --- worlds ---


def _promote_trace(trace: Trace, into: Path | None) -> Promoted:
    kept = trace_of(trace)
    file = into or Path(str(traces.folder())) / WORLDS
    before = (
        () if _contents(file, "trace#/$defs/traces") is None else traces.read_file(file.read_text("utf-8"))
    )
    same = [each.id for each in (*traces.frozen(), *before) if _requests(each) == _requests(kept)]
    _refuse_twice(kept.id, same)
    _write(file, traces.file_text((*before, kept)))
    return Promoted(kept.id, kept.clauses, file, f"the law's replies to {len(kept.steps)} requests")


def trace_of(trace: Trace) -> Trace:
    """Return the frozen trace that a trace becomes; NotPromotedError where it becomes none."""
    if trace.violation is not None and recorded.rejudged(trace).violation is None:
        raise NotPromotedError("the law allows what the trace shows: there is nothing to hold anybody to")
    terms = Terms(profile=trace.terms.profile)
    law = InProcess("law", law_adapter.adapter(trace.terms.profile))
    world = replayed(law, terms, trace.steps)
    if world.violation is not None:
        raise NotPromotedError(f"the law as a system breaks {world.violation.clause}: a fault of the suite")
    if not world.exchanges:
        raise NotPromotedError("the trace asks nothing")
    kept = replace(trace, terms=terms, steps=tuple(world.exchanges), violation=None)
    tried = recorded.tried(kept)
    if trace.violation is None and not tried:
        raise NotPromotedError("the trace puts no clause to the test")
    broken = trace.violation.clause if trace.violation else tried[0]
    clauses = list(dict.fromkeys([broken, *tried]))
    note = f"from a run in which {broken} was broken" if trace.violation else str(trace.meta.get("note", ""))
    meta = {"origin": "hand", "note": note, "area": broken.partition(".")[0], "clauses": clauses}
    return replace(kept, id=f"world-{broken.replace('.', '-')}-{digest(_requests(kept))}", meta=meta)


def _requests(trace: Trace) -> list[dict[str, Any]]:
    return [dict(step.request) for step in trace.steps]


# --- files ---


def _refuse_twice(id: str, same: list[str]) -> None:
    if same:
        known = "under this id" if same[0] == id else f"as {same[0]}"
        raise NotPromotedError(f"the same is frozen already, {known}")


def _contents(file: Path, schema: str) -> dict[str, Any] | None:
    """Return what a file of frozen cases holds, None where there is no such file."""
    if not file.exists():
        return None
    try:
        contents = json.loads(file.read_text("utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError) as fault:
        raise NotPromotedError(f"{file} is no file of frozen cases: {unreadable(fault)}") from None
    if wrong := problems(schema, contents):
        raise NotPromotedError(f"{file} is no file of frozen cases: {wrong[0]}")
    return dict(contents)


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="ascii", newline="\n")
    vectors.read_anew()
    traces.files.cache_clear()
