"""A run's report as JSON: one object, or JSON Lines that two runs can be compared by.

`schemas/report.json` says both in full. Two runs of the same give the same bytes, but for the members named
`seconds`, which stand last.
"""

import json
from collections.abc import Iterator
from typing import Any

from schedule_conformance.judgement.cases import Failure
from schedule_conformance.protocol.json_values import DEEPEST_MESSAGE, depth_within, show
from schedule_conformance.rendering.telling import told, unknown
from schedule_conformance.runs.reports import Circumstances, ClauseCount, Report, verdict_sentence
from schedule_conformance.runs.results import FROZEN, Counts, Finding, Result
from schedule_conformance.worlds import traces

FORMAT = "schedule-spec-report-1"

Line = dict[str, Any]


def lines(report: Report) -> Iterator[Line]:
    """Yield the lines of a report: the run, its frozen cases, its checks, failures, clauses, and the end."""
    written = [*_before_the_end(report)]
    yield from written
    yield {"type": "end", "lines": len(written) + 1, **_end(report)}


def _before_the_end(report: Report) -> Iterator[Line]:
    yield {"type": "run", **_run(report.circumstances)}
    frozen = [result for result in report.results if result.kind in FROZEN]
    yield from ({"type": "case", **_case(result)} for result in frozen)
    generated = [result for result in report.results if result.kind not in FROZEN]
    yield from ({"type": "check", **_check(result)} for result in generated)
    yield from ({"type": "failure", **line} for line in _failures(report))
    yield from ({"type": "clause", **_clause(count)} for count in report.clauses)


def text(report: Report) -> str:
    """Return a report as JSON Lines, in ASCII."""
    return "".join(f"{json.dumps(line)}\n" for line in lines(report))


def as_json(report: Report) -> dict[str, Any]:
    """Return a report as one JSON object: what the lines hold, without the frozen cases that did not fail."""
    generated = [result for result in report.results if result.kind not in FROZEN]
    return {
        **_run(report.circumstances),
        "checks": [_check(result) for result in generated],
        "failures": list(_failures(report)),
        "clauses": [_clause(count) for count in report.clauses],
        **_end(report),
    }


def of_nothing(sut: str, why: str) -> dict[str, Any]:
    """Return the JSON object of a run that could not judge anything."""
    return {"format": FORMAT, "sut": sut, "verdict": "unjudged", "summary": f"Could not judge: {why}"}


def _run(circumstances: Circumstances) -> Line:
    who = circumstances.implementation
    return {
        "format": FORMAT,
        "suite": circumstances.suite,
        "sut": circumstances.sut,
        "implementation": {
            "name": who.name,
            "version": who.version,
            "language": who.language,
            "profile": str(who.profile),
            "features": sorted(who.features),
            "observes": list(who.observes),
            "tzdata": who.tzdata,
        },
        "seed": circumstances.seed,
        "profile": circumstances.budget,
        "only": list(circumstances.only),
    }


def _case(result: Result) -> Line:
    return {
        "id": result.frozen,
        "kind": str(result.kind),
        "clauses": list(result.clauses),
        "outcome": str(result.outcome),
        "broken": _broken(result),
        "reason": result.reason,
    }


def _check(result: Result) -> Line:
    return {
        "id": result.check,
        "kind": str(result.kind),
        "title": result.title,
        "clauses": list(result.clauses),
        "outcome": str(result.outcome),
        "broken": _broken(result),
        **_counts(result.counts),
        "seconds": round(result.seconds, 3),
    }


def _broken(result: Result) -> list[Line]:
    return [
        {"clause": met.clause, "fault": met.fault, "times": met.times, "known": met.known}
        for met in result.met
    ]


def _counts(counts: Counts) -> Line:
    return {
        "executed": counts.executed,
        "passed": counts.passed,
        "failed": counts.failed,
        "known": counts.known,
        "unsupported": counts.unsupported,
        "leftOut": counts.left_out,
        "commands": counts.commands,
    }


def _failures(report: Report) -> Iterator[Line]:
    new = {id(finding) for finding in unknown(report)}
    for finding in report.findings:
        words = told(finding, report.circumstances)
        yield {
            "clause": words.clause,
            "fault": words.fault,
            "known": id(finding) not in new,
            "check": words.check,
            "case": words.frozen,
            "sentence": words.sentence,
            "broken": words.broken,
            "allowed": words.allowed,
            "came": words.came,
            "replay": words.replay,
            **_evidence(finding),
        }


def _evidence(finding: Finding) -> Line:
    if isinstance(finding, Failure):
        verdict = finding.verdict
        request = finding.case.request
        return {
            "request": request if depth_within(request, DEEPEST_MESSAGE) else show(request),
            "allowedReply": verdict.allowed_reply,
            "reply": show(verdict.reply),
        }
    return {"trace": traces.as_json(finding.trace)}


def _clause(count: ClauseCount) -> Line:
    return {
        "clause": count.clause,
        "standing": str(count.standing),
        "cases": count.cases,
        "passed": count.counts.passed,
        "failed": count.counts.failed,
        "known": count.counts.known,
        "unsupported": count.counts.unsupported,
        "elsewhere": count.elsewhere,
        "remark": count.remark,
    }


def _end(report: Report) -> Line:
    return {
        "verdict": str(report.verdict),
        "summary": verdict_sentence(report),
        **_counts(report.counts),
        "absent": list(report.absent),
        "reached": dict(report.reached),
        "unreached": list(report.unreached),
        "situations": [
            {"situation": each.situation.name, "count": each.count, "floor": each.floor}
            for each in report.situations
        ],
        "stale": [{"id": each.entry.id, "why": each.why} for each in report.stale],
        "stopped": report.stopped,
        "seconds": round(report.seconds, 3),
    }
