"""One run: the checks of the docket one after another; then a report with honest counts.

Deterministic for a system, a seed and a budget, but for the seconds.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from time import perf_counter
from typing import TypeAlias

from schedule_conformance.adapters.smoke import CannotJudgeError, Implementation
from schedule_conformance.checks.trials import Trial
from schedule_conformance.protocol.systems import GivenUpError, System
from schedule_conformance.runs import ledger
from schedule_conformance.runs.budgets import BUDGETS, DEFAULT_SEED, Budget
from schedule_conformance.runs.docket import NARROWED, Check, Docket, absent, docket
from schedule_conformance.runs.ledger import NOTHING_KNOWN, Ledger
from schedule_conformance.runs.reports import Report, clause_counts, frozen_results
from schedule_conformance.runs.results import Counts, Kind, Outcome, Result
from schedule_spec import register
from schedule_spec.profiles import Profile
from schedule_spec.register.model import Clause, Subject

REJECTING = (
    "after.range",
    "after.rule",
    "at.future",
    "at.local-form",
    "at.offset-form",
    "at.offset-range",
    "at.offset-required",
    "at.range",
    "at.real-date",
    "change.create",
    "change.delete",
    "change.dispatch-every",
    "change.dispatch-one-shot",
    "change.json",
    "change.strict",
    "change.version",
    "every.minimum",
    "every.range",
    "every.rule",
    "fold.event",
    "fold.inactive",
    "fold.no-id-reuse",
    "fold.shape-match",
    "fork.bounds",
    "fork.no-adoption",
    "id.shape",
    "instant.canonical",
    "local.gap-rejected",
    "number.safe-integer",
    "rate.accepted-range",
    "rate.not-early",
    "record.after",
    "record.at",
    "record.every",
    "record.kinds",
    "text.prompt",
    "tool.create-prompt",
    "tool.create-selector",
    "tool.ill-typed",
    "zone.names",
)
"""The clauses under which the law rejects in pure commands; generated cases have to reach each.

A case reaches the clause that alone rejects it.
"""

REJECTING_AT_THE_EARLIER_LEVEL = "profile.v1-after"


class UnknownCheckError(LookupError):
    """A run is narrowed to a check that it does not have; `known` are the names that it has."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"there is no check and no frozen case {name!r}")
        self.name = name
        self.known = known


Progress: TypeAlias = Callable[[Check, Docket], object]
"""Is told a check before it runs, and the docket, which counts what is asked."""

AT_THE_FIRST = "Stopped at the first failure."


def first_failure(result: Result) -> bool:
    """Tell whether a result is a failure that no ledger knows; enough for a run that stops at the first."""
    return result.outcome is Outcome.FAILED


def _never(_: Result) -> bool:
    return False


def run(  # noqa: PLR0913, PLR0917 - what a run depends on
    system: System,
    budget: Budget = BUDGETS["default"],
    seed: int = DEFAULT_SEED,
    only: frozenset[str] = frozenset(),
    progress: Progress = lambda *_: None,
    known: Ledger = NOTHING_KNOWN,
    checks: frozenset[str] = frozenset(),
    enough: Callable[[Result], bool] = _never,
) -> Report:
    """Try a system and report; raise CannotJudgeError where nothing could be judged.

    `only` narrows the run to cases that put one of these clauses to the test, `checks` to the checks or
    frozen cases of these ids; raises UnknownCheckError where there is none. `progress` is told each check
    before it runs. `known` is the ledger of known failures. After a result of which `enough` says so nothing
    more is tried.
    """
    begun = perf_counter()
    listed = docket(system, budget, seed, only)
    results: list[Result] = []
    stopped = ""
    for check in _chosen(listed, checks):
        progress(check, listed)
        try:
            result = ledger.judged(known, check.run())
        except GivenUpError as fault:
            results.append(ledger.judged(known, check.so_far()))
            stopped = str(fault)
            break
        if result.outcome is not Outcome.LEFT_OUT or result.reason != NARROWED:
            results.append(result)
        if enough(result):
            stopped = AT_THE_FIRST
            break
    report = _report(listed, tuple(results), known, stopped, whole=not (stopped or checks))
    if not report.counts.executed and not report.absent:
        raise CannotJudgeError(stopped or _nothing_executed(listed))
    return replace(report, seconds=perf_counter() - begun)


def _chosen(listed: Docket, names: frozenset[str]) -> tuple[Check, ...]:
    unknown = names.difference(*((check.id, check.frozen or "") for check in listed.checks))
    if unknown:
        known = (check.frozen or check.id for check in listed.checks)
        raise UnknownCheckError(min(unknown), tuple(known))
    return tuple(check for check in listed.checks if not names or names & {check.id, check.frozen})


def _report(
    listed: Docket, results: tuple[Result, ...], known: Ledger, stopped: str, *, whole: bool
) -> Report:
    """Return what a run found; what it had to reach is asked only where it tried the `whole` docket."""
    trial, profile = listed.trial, listed.circumstances.implementation.profile
    wanted = [*REJECTING, *([REJECTING_AT_THE_EARLIER_LEVEL] if profile is Profile.V1_AFTER else [])]
    due = [clause for clause in wanted if whole and _is_due(clause, trial)]
    return Report(
        circumstances=listed.circumstances,
        results=results,
        clauses=clause_counts(_cases(listed, results), profile),
        absent=absent(listed.circumstances.implementation),
        reached=tuple((clause, trial.reached[clause]) for clause in due),
        unreached=tuple(clause for clause in due if not trial.reached[clause]),
        situations=listed.attempt.reached() if listed.attempt and whole else (),
        stale=ledger.stale(known, results if whole else frozen_results(results)),
        stopped=stopped,
    )


def rejudged(report: Report, known: Ledger) -> Report:
    """Return the report of the same run held against another ledger."""
    results = tuple(ledger.judged(known, result) for result in report.results)
    met = [met for result in results for met in result.met]
    clauses = tuple(
        replace(
            count,
            counts=replace(
                count.counts,
                failed=sum(each.times for each in met if each.clause == count.clause and not each.known),
                known=sum(each.times for each in met if each.clause == count.clause and each.known),
            ),
        )
        for count in report.clauses
    )
    return replace(report, results=results, clauses=clauses, stale=ledger.stale(known, results))


def _is_due(clause: str, trial: Trial) -> bool:
    """Whether generated cases have to reach a clause: it is tried, and says something at the level."""
    levels = {str(level) for level in register.clause(clause).profiles}
    return str(trial.profile) in levels and (not trial.only or clause in trial.only)


def _cases(listed: Docket, results: Iterable[Result]) -> dict[str, tuple[int, Counts]]:
    """Return for each clause how many cases tried it, and how they ended under it."""
    only = listed.trial.only
    tried: Counter[str] = Counter()
    counts: defaultdict[str, Counts] = defaultdict(Counts)
    for clause, tally in listed.trial.counts.items():
        tried[clause] += tally.executed
        counts[clause] += Counts(passed=tally.passed, unsupported=tally.unsupported)
    passed: Counter[str] = Counter(listed.attempt.tried() if listed.attempt else {})
    for result in results:
        if result.kind is Kind.TRACE and result.counts.passed:
            passed.update(result.clauses)
        for met in result.met:
            counts[met.clause] += Counts(known=met.times) if met.known else Counts(failed=met.times)
            tried[met.clause] += met.times if result.counts.commands else 0
    for clause, times in passed.items():
        if not only or clause in only:
            tried[clause] += times
            counts[clause] += Counts(passed=times)
    return {clause: (tried[clause], count) for clause, count in counts.items()}


def _nothing_executed(listed: Docket) -> str:
    """Return why a run asked nothing, clause by clause where it was narrowed to some."""
    implementation, budget = listed.circumstances.implementation, listed.circumstances.budget
    reasons: dict[str, list[str]] = {}
    for clause in listed.circumstances.only:
        reasons.setdefault(_why_not_tried(clause, implementation, budget), []).append(clause)
    told = "".join(f"\n  {', '.join(clauses)}: {why}" for why, clauses in reasons.items())
    return f"no case was executed.{told}"


def _why_not_tried(clause: str, implementation: Implementation, budget: str) -> str:
    registered = register.clause(clause)
    levels = [str(level) for level in registered.profiles]
    missing = [name for name in ("tools", "delivery") if name not in implementation.features]
    if str(implementation.profile) not in levels:
        return f"speaks of level {' and '.join(levels)} alone; hello says {implementation.profile}"
    if registered.subject in (Subject.MEANING, Subject.SCOPE):
        return "no run shows it"
    if registered.subject is Subject.LIVE:
        needed = f"hello does not name the feature {' and '.join(missing)}"
        here = needed if missing else f"the profile {budget} tries no worlds that reach it"
        return f"is shown by live sessions alone, and {here}"
    if registered.subject is Subject.DERIVED:
        return f"follows from other clauses, and no case of its own tries it: try {_neighbours(registered)}"
    return "no check that was chosen tries it"


def _neighbours(clause: Clause) -> str:
    return ", ".join(clause.implied_by) or f"the area {clause.area}"
