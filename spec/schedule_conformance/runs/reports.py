"""A run's report as data: its circumstances, a result for every check, a count for every clause, the verdict.

Renderings (the terminal, JSON, JSON Lines, JUnit, HTML) read this and compute nothing of their own.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from operator import add

from schedule_conformance.adapters.smoke import Implementation
from schedule_conformance.runs.ledger import Stale
from schedule_conformance.runs.results import FROZEN, Counts, Finding, Result
from schedule_conformance.worlds.trying import Reached
from schedule_spec.profiles import Profile
from schedule_spec.register import CLAUSES
from schedule_spec.register.model import Clause, Subject


class Verdict(StrEnum):
    """What a run says of a system."""

    CONFORMANT = "conformant"
    VIOLATED = "violated"
    """A clause is broken, or a core feature is missing."""

    UNJUDGED = "unjudged"
    """Nothing was found, and too little was tried to say anything."""

    STALE = "stale"
    """Nothing new was found, and the ledger of known failures lists what does not fail any more."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a run depends on: the suite's version, the system as the command line names it, seed and budget.

    `only` holds the clauses that the run is narrowed to; there are none where it is not.
    """

    suite: str
    sut: str
    implementation: Implementation
    seed: int
    budget: str
    only: tuple[str, ...] = ()


class Standing(StrEnum):
    """How a clause came out of a run."""

    HELD = "held"
    BROKEN = "broken"
    KNOWN = "known"
    UNSUPPORTED = "unsupported"
    NOT_TRIED = "not tried"


@dataclass(frozen=True, slots=True)
class ClauseCount:
    """Cases that put a clause to the test; a case does so for several clauses and, failing, breaks one.

    `elsewhere` counts those that failed under another clause. A situation that a random world came through
    counts as a case. `remark` says why a clause has no cases, where it has none.
    """

    clause: str
    counts: Counts
    elsewhere: int = 0
    remark: str = ""

    @property
    def area(self) -> str:
        """The clause's area."""
        return self.clause.partition(".")[0]

    @property
    def cases(self) -> int:
        """How many cases put the clause to the test."""
        return self.counts.executed + self.elsewhere

    @property
    def standing(self) -> Standing:
        """How the clause came out."""
        counts = self.counts
        for standing, count in (
            (Standing.BROKEN, counts.failed),
            (Standing.KNOWN, counts.known),
            (Standing.HELD, counts.passed),
            (Standing.UNSUPPORTED, counts.unsupported),
        ):
            if count:
                return standing
        return Standing.NOT_TRIED


@dataclass(frozen=True, slots=True)
class Report:
    """What a run found.

    `clauses` has a count for every clause of the register, in its order. `reached` counts generated
    rejections by clause, `unreached` names those that a whole run had to reach and did not. `absent` names
    missing core features. `stopped` says why a run ended before it had tried everything, where it did.
    """

    circumstances: Circumstances
    results: tuple[Result, ...]
    clauses: tuple[ClauseCount, ...]
    absent: tuple[str, ...] = ()
    reached: tuple[tuple[str, int], ...] = ()
    unreached: tuple[str, ...] = ()
    situations: tuple[Reached, ...] = ()
    stale: tuple[Stale, ...] = ()
    stopped: str = ""
    seconds: float = 0.0

    def __post_init__(self) -> None:
        met = {(met.clause, met.fault) for result in self.results for met in result.met}
        assert {(each.clause, each.fault) for each in self.findings} == met, "all evidence is counted"

    @property
    def counts(self) -> Counts:
        """All cases by how they ended."""
        return reduce(add, (result.counts for result in self.results), Counts())

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The evidence of every failure, also of those that are known."""
        return tuple(finding for result in self.results for finding in result.findings)

    @property
    def broken(self) -> tuple[str, ...]:
        """The clauses that are broken otherwise than the ledger says, those first that failed most often."""
        failed = [count for count in self.clauses if count.counts.failed]
        return tuple(count.clause for count in sorted(failed, key=lambda count: -count.counts.failed))

    @property
    def known(self) -> tuple[str, ...]:
        """The clauses that are broken as the ledger says, in the register's order."""
        return tuple(count.clause for count in self.clauses if count.counts.known)

    @property
    def missed(self) -> tuple[str, ...]:
        """What generated cases and random worlds had to reach and did not.

        Worlds that end in a known failure come to less than they had to; then nothing is asked of them.
        """
        short = any(result.counts.known for result in self.results if result.counts.commands)
        missed = () if short else tuple(each.situation.name for each in self.situations if each.missed)
        return (*self.unreached, *missed)

    @property
    def verdict(self) -> Verdict:
        """What the run says of the system."""
        if self.counts.failed or self.absent:
            return Verdict.VIOLATED
        if self.missed or self.stopped:
            return Verdict.UNJUDGED
        return Verdict.STALE if self.stale else Verdict.CONFORMANT


@dataclass(frozen=True, slots=True)
class Group:
    """The results of checks of one title: all frozen cases together, and each generated check."""

    title: str
    counts: Counts
    checks: int
    seconds: float


def groups(results: Iterable[Result]) -> tuple[Group, ...]:
    """Return the checks of a run, the frozen cases of each kind as one, in the order of trying."""
    found: dict[str, Group] = {}
    for result in results:
        group = found.get(result.title, Group(result.title, Counts(), 0, 0.0))
        found[result.title] = Group(
            result.title, group.counts + result.counts, group.checks + 1, group.seconds + result.seconds
        )
    return tuple(found.values())


def frozen_results(results: Iterable[Result]) -> Iterator[Result]:
    """Yield the results of frozen cases."""
    return (result for result in results if result.kind in FROZEN)


@dataclass(frozen=True, slots=True)
class Area:
    """How the clauses of an area came out."""

    name: str
    clauses: tuple[ClauseCount, ...]

    def standing(self, standing: Standing) -> int:
        """Return how many clauses came out so."""
        return sum(count.standing is standing for count in self.clauses)


def narrowed_to(clauses: Iterable[str]) -> tuple[str, ...]:
    """Return what a run is narrowed to, in the register's order; whole areas by their names."""
    chosen = set(clauses)
    by_area: dict[str, list[str]] = {}
    for clause in CLAUSES:
        by_area.setdefault(clause.area, []).append(clause.id)
    return tuple(
        name
        for area, ids in by_area.items()
        for name in ([area] if chosen.issuperset(ids) else [id for id in ids if id in chosen])
    )


def areas(clauses: Iterable[ClauseCount]) -> tuple[Area, ...]:
    """Return clauses by area, in the register's order."""
    found: dict[str, list[ClauseCount]] = {}
    for count in clauses:
        found.setdefault(count.area, []).append(count)
    return tuple(Area(name, tuple(counts)) for name, counts in found.items())


def remark(clause: Clause, cases: int, counts: Counts, profile: Profile) -> str:
    """Return why a clause has no cases, or how many of its cases failed under another; else nothing."""
    if cases:
        elsewhere = cases - counts.executed
        return f"{elsewhere} failed under another clause" if elsewhere else ""
    if str(profile) not in {str(level) for level in clause.profiles} or clause.id.startswith("profile."):
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


def clause_counts(cases: dict[str, tuple[int, Counts]], profile: Profile) -> tuple[ClauseCount, ...]:
    """Return a count for every clause, from how many cases tried it and how they ended under it."""
    counted = []
    for clause in CLAUSES:
        tried, counts = cases.get(clause.id, (0, Counts()))
        why = remark(clause, tried, counts, profile)
        counted.append(ClauseCount(clause.id, counts, max(0, tried - counts.executed), why))
    return tuple(counted)


def verdict_sentence(report: Report) -> str:
    """Return the one sentence that says what a run found."""
    who = report.circumstances.implementation
    name = f"{who.name} {who.version}".strip()
    counts = report.counts
    match report.verdict:
        case Verdict.VIOLATED:
            missing = [f"lacks the core feature {feature}" for feature in report.absent]
            breaks = [f"breaks {', '.join(report.broken)}"] if report.broken else []
            return f"Not conformant: {name} {' and '.join([*breaks, *missing])}.{_ended(report)}"
        case Verdict.UNJUDGED:
            missed = f" Not reached, or too seldom: {', '.join(report.missed)}." if report.missed else ""
            return f"Could not judge {name}.{missed}{_ended(report)}"
        case _:
            held = sum(count.standing is Standing.HELD for count in report.clauses)
            broken = (
                f"; it breaks {number(len(report.known), 'clause')} as the ledger says"
                if report.known
                else ""
            )
            cases = number(counts.executed, "case")
            known = f", {number(counts.known, 'known failure')} among them{broken}" if counts.known else ""
            kept = f"{name} keeps {number(held, 'clause')} (level {who.profile}) in {cases}"
            if report.verdict is Verdict.STALE:
                entries = number(len(report.stale), "entry", "entries")
                do = "does" if len(report.stale) == 1 else "do"
                return f"Stale: {entries} of the ledger {do} not say what came; else {kept}{known}."
            return f"Conformant: {kept}{known}."


def number(count: int, one: str, several: str = "") -> str:
    """Return a number of things in words: `1 case`, `2 cases`."""
    return f"{count} {one if count == 1 else several or one + 's'}"


def _ended(report: Report) -> str:
    return f" {report.stopped}" if report.stopped else ""
