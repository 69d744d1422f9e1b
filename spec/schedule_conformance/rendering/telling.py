"""A finding in words: the clause with its sentence, what was asked and allowed, what came, how to replay it.

Every rendering of a run tells its failures from this.
"""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from schedule_conformance.judgement.cases import Failure
from schedule_conformance.protocol.json_values import show
from schedule_conformance.runs.reports import Circumstances, Report
from schedule_conformance.runs.results import Finding
from schedule_conformance.worlds import telling as world_telling
from schedule_spec.register import CLAUSES

MAX_SHOWN = 1_000_000
"""Characters up to which requests are compared by length."""

_SENTENCES = {clause.id: clause.sentence for clause in CLAUSES}


@dataclass(frozen=True, slots=True)
class Told:
    """A finding in words.

    `asked` and `seen` hold a line each for a request and for what had been seen before it; `seen` and
    `broken`, what is wrong in a sentence, are empty for a single request. `others` counts the further cases
    that fail under the clause; `replay` is the command that asks again.
    """

    clause: str
    sentence: str
    fault: str
    check: str
    frozen: str | None
    asked: tuple[str, ...]
    seen: tuple[str, ...]
    broken: str
    allowed: str
    came: str
    others: int
    replay: str

    @property
    def rows(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Headings with the lines under each; only those that have any."""
        more = "1 more case fails" if self.others == 1 else f"{self.others} more cases fail"
        also = f"{more} under this clause" if self.others else ""
        rows = (
            ("found by", (self.check,)),
            ("asked", self.asked),
            ("seen", self.seen),
            ("broken", (self.broken,)),
            ("allowed", (self.allowed,)),
            ("came", (self.came,)),
            ("also", (also,)),
            ("replay", (self.replay,)),
        )
        return tuple((heading, lines) for heading, lines in rows if any(lines))


def told(finding: Finding, circumstances: Circumstances, others: int = 0, file: Path | None = None) -> Told:
    """Return a finding in words; `file` is where it is kept, if it is."""
    replay = _replay(finding, circumstances, file)
    common = (finding.clause, sentence(finding.clause), finding.fault, finding.check, finding.frozen)
    if isinstance(finding, Failure):
        verdict = finding.verdict
        asked = (show(finding.case.request),)
        return Told(*common, asked, (), "", verdict.allowed, verdict.got, others, replay)
    trace = finding.trace
    return Told(
        *common,
        world_telling.asked(trace),
        world_telling.seen(trace),
        finding.violation.sentence,
        world_telling.allowed(trace),
        world_telling.came(trace),
        others,
        replay,
    )


def sentence(clause: str) -> str:
    """Return the clause's sentence."""
    return _SENTENCES.get(clause, "")


def plain(finding: Told) -> str:
    """Return a told finding as lines of plain text."""
    lines = [f"{finding.clause} ({finding.fault})", finding.sentence]
    for heading, texts in finding.rows:
        lines += [f"{'' if number else heading:<10}{text}" for number, text in enumerate(texts)]
    return "\n".join(lines)


def _replay(finding: Finding, circumstances: Circumstances, file: Path | None) -> str:
    sut = shlex.quote(circumstances.sut)
    if file is not None:
        return f"schedule-spec replay {shlex.quote(str(file))} --sut {sut}"
    if finding.frozen is not None:
        return f"schedule-spec verify --sut {sut} --only-case {finding.frozen}"
    budget = f" --profile {circumstances.budget}" if circumstances.budget != "default" else ""
    return (
        f"schedule-spec verify --sut {sut} --seed {circumstances.seed}{budget} "
        f"--only-case {finding.check} --only {finding.clause}"
    )


def unknown(report: Report) -> Iterator[Finding]:
    """Yield the evidence of the failures that no ledger knows."""
    for result in report.results:
        known = {(met.clause, met.fault) for met in result.met if met.known}
        yield from (each for each in result.findings if (each.clause, each.fault) not in known)


def leading(report: Report, files: Mapping[str, Path] | None = None) -> tuple[Told, ...]:
    """Return, for each broken clause, in the order of `Report.broken`, its smallest finding in words.

    `files` are where findings are kept, by `key`.
    """
    kept = files or {}
    failed = {count.clause: count.counts.failed for count in report.clauses}
    smallest: dict[str, Finding] = {}
    for finding in sorted(unknown(report), key=_size):
        smallest.setdefault(finding.clause, finding)
    return tuple(
        told(
            smallest[clause],
            report.circumstances,
            max(0, failed.get(clause, 1) - 1),
            kept.get(key(smallest[clause])),
        )
        for clause in report.broken
    )


def _size(finding: Finding) -> tuple[int, int]:
    """Return a measure of how much there is to read: single requests before worlds, by length."""
    if isinstance(finding, Failure):
        return (0, len(show(finding.case.request, MAX_SHOWN)))
    return (len(finding.trace.steps), 0)


def key(finding: Finding) -> str:
    """Return what tells a finding from every other one of a run."""
    return f"{finding.check} {finding.clause} {finding.fault}"
