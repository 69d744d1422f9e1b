"""A run's report in words and as JSON.

Failures come first-class: the clause with its sentence, the smallest request that shows the fault, what was
allowed, what came, and the command that replays it.
"""

import shlex
from dataclasses import dataclass
from typing import Any

from schedule_conformance.json_values import show
from schedule_conformance.running import ClauseCount, Report
from schedule_conformance.trials import Failure
from schedule_conformance.worlds import traces
from schedule_conformance.worlds.trying import WorldsReport
from schedule_spec.register import CLAUSES
from schedule_spec.register.model import Clause, Profile, Status, Subject

MAX_SHOWN = 1_000_000
"""Characters up to which requests are compared by length."""

_SENTENCES = {clause.id: clause.sentence for clause in CLAUSES}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table of clauses; `remark` says why a clause has no cases, where it has none."""

    clause: str
    area: str
    count: ClauseCount
    remark: str


def rows(report: Report) -> list[Row]:
    """Return a line for every clause that is specified or was tried, in the register's order."""
    counts = {count.clause: count for count in report.clauses}
    return [
        Row(clause.id, clause.area, counts.get(clause.id, _none(clause.id)), _remark(clause, counts, report))
        for clause in CLAUSES
        if clause.status is Status.SPECIFIED or clause.id in counts
    ]


def awaited(report: Report) -> list[str]:
    """Return the clauses that no run can try yet."""
    counted = {count.clause for count in report.clauses}
    return [clause.id for clause in CLAUSES if clause.status is Status.AWAITED and clause.id not in counted]


def _none(clause: str) -> ClauseCount:
    return ClauseCount(clause, 0, 0, 0, 0)


def _remark(clause: Clause, counts: dict[str, ClauseCount], report: Report) -> str:
    count = counts.get(clause.id)
    if count is not None and count.cases:
        return _of_tried(count)
    if Profile(report.implementation.profile) not in clause.profiles or clause.id.startswith("profile."):
        return "another level"
    match clause.subject:
        case Subject.DERIVED:
            return "follows from others"
        case Subject.MEANING | Subject.SCOPE:
            return "no run shows it"
        case Subject.LIVE:
            return "no live sessions tried"
        case _:
            return "not tried"


def _of_tried(count: ClauseCount) -> str:
    if count.unsupported == count.cases:
        return "unsupported"
    elsewhere = count.cases - count.passed - count.failed - count.unsupported
    return f"{elsewhere} failed under another clause" if elsewhere else ""


def sentence(clause: str) -> str:
    """Return the clause's sentence."""
    return _SENTENCES.get(clause, "")


def replay(report: Report, failure: Failure) -> str:
    """Return the command that tries the failure's clause again with the same seed."""
    profile = f" --profile {report.budget}" if report.budget != "default" else ""
    sut = shlex.quote(report.sut)
    return f"schedule-spec verify --sut {sut} --seed {report.seed}{profile} --only {failure.clause}"


def leading(report: Report) -> list[tuple[Failure, int]]:
    """Return, for each broken clause, the failure with the smallest request and the count of the others."""
    failed = {count.clause: count.failed for count in report.clauses}
    smallest: dict[str, Failure] = {}
    for failure in sorted(report.failures, key=lambda each: len(show(each.case.request, MAX_SHOWN))):
        smallest.setdefault(failure.clause, failure)
    return [(failure, max(0, failed.get(clause, 1) - 1)) for clause, failure in sorted(smallest.items())]


def verdict(report: Report) -> str:
    """Return the one sentence that a run ends with."""
    name = f"{report.implementation.name} {report.implementation.version}".strip()
    level = report.implementation.profile
    if report.violated:
        found = report.worlds.found if report.worlds else ()
        clauses = [failure.clause for failure in report.failures] + [each.violation.clause for each in found]
        broken = list(dict.fromkeys(clauses))
        missing = [f"the core feature {feature} is missing" for feature in report.absent]
        return f"Not conformant: {name} breaks {', '.join([*broken, *missing])}."
    if report.missed:
        return f"Could not judge: generated cases did not reach, or too seldom: {', '.join(report.missed)}."
    tried = sum(1 for count in report.clauses if count.passed)
    return (
        f"Conformant: {name} keeps the {tried} clauses tried (level {level}) in all {report.executed} cases."
    )


def as_json(report: Report) -> dict[str, Any]:
    """Return the report as one JSON object.

    Members: `sut`, `implementation` (name, version, language, profile, features, tzdata), `seed`, `profile`
    (of the run), `verdict` (conformant, violated, unjudged), `summary`, `executed`, `passed`, `failed`,
    `unsupported`, `checks`, `clauses` (each with `cases`, `passed`, `failed`, `unsupported`, `remark`),
    `awaited`, `reached`, `unreached`, `absent`, `leftOut` (how many cases hold under other releases of the
    zone data alone), and `failures` (each with `clause`, `sentence`, `fault`, `check`, `vector`, `request`,
    `allowed`, `allowedReply`, `got`, `reply`, `replay`); `worlds` is null or as `worlds_as_json` has it.
    """
    tallies = [tally for _, tally in report.checks]
    outcome = "violated" if report.violated else "unjudged" if report.missed else "conformant"
    return {
        "sut": report.sut,
        "implementation": {
            "name": report.implementation.name,
            "version": report.implementation.version,
            "language": report.implementation.language,
            "profile": str(report.implementation.profile),
            "features": sorted(report.implementation.features),
            "tzdata": report.implementation.tzdata,
        },
        "seed": report.seed,
        "profile": report.budget,
        "verdict": outcome,
        "summary": verdict(report),
        "executed": report.executed,
        "passed": sum(tally.passed for tally in tallies),
        "failed": sum(tally.failed for tally in tallies),
        "unsupported": sum(tally.unsupported for tally in tallies),
        "checks": [
            {
                "check": name,
                "executed": tally.executed,
                "passed": tally.passed,
                "failed": tally.failed,
                "unsupported": tally.unsupported,
            }
            for name, tally in report.checks
        ],
        "clauses": [
            {
                "clause": row.clause,
                "cases": row.count.cases,
                "passed": row.count.passed,
                "failed": row.count.failed,
                "unsupported": row.count.unsupported,
                "remark": row.remark,
            }
            for row in rows(report)
        ],
        "awaited": awaited(report),
        "reached": dict(report.reached),
        "unreached": list(report.unreached),
        "absent": list(report.absent),
        "leftOut": report.left_out,
        "failures": [_failure_as_json(report, failure) for failure in report.failures],
        "worlds": None if report.worlds is None else worlds_as_json(report.worlds),
    }


def worlds_as_json(worlds: WorldsReport) -> dict[str, Any]:
    """Return what live sessions showed as one JSON object.

    Members: `steps`, `leftOut` (frozen traces that do not fit the system), `checks` (each with `worlds`,
    `steps`, `failed`), `situations` (each with `count` and `floor`), and `violations` (each with `clause`,
    `sentence`, `check`, `times`, and the whole `trace`).
    """
    return {
        "steps": worlds.steps,
        "leftOut": worlds.left_out,
        "checks": [
            {"check": name, "worlds": count.worlds, "steps": count.steps, "failed": count.failed}
            for name, count in worlds.checks
        ],
        "situations": [
            {"situation": each.situation.name, "count": each.count, "floor": each.floor}
            for each in worlds.reached
        ],
        "violations": [
            {
                "clause": each.violation.clause,
                "sentence": sentence(each.violation.clause),
                "check": each.check,
                "times": each.times,
                "trace": traces.as_json(each.trace),
            }
            for each in worlds.found
        ],
    }


def _failure_as_json(report: Report, failure: Failure) -> dict[str, Any]:
    return {
        "clause": failure.clause,
        "sentence": sentence(failure.clause),
        "fault": str(failure.verdict.fault),
        "check": failure.check,
        "vector": failure.vector,
        "request": failure.case.request,
        "allowed": failure.verdict.allowed,
        "allowedReply": failure.verdict.allowed_reply,
        "got": failure.verdict.got,
        "reply": show(failure.verdict.reply),
        "replay": replay(report, failure),
    }
