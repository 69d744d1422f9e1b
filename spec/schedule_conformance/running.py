"""One run: smoke, vectors, properties, machine, every short log, worlds; then a report with honest counts.

Deterministic for a seed and a budget. Hypothesis is imported only when generated checks run.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from schedule_conformance import exhaustive, vectors
from schedule_conformance.exhaustive import Bounds
from schedule_conformance.law_adapter import suite_version
from schedule_conformance.messages import PROTOCOL, validate_reply
from schedule_conformance.systems import System
from schedule_conformance.trials import Failure, Tally, Trial
from schedule_conformance.worlds import trying
from schedule_conformance.worlds.trying import Trying, UnseenError, WorldBudget, WorldsReport
from schedule_spec import register
from schedule_spec.delivery import Terms
from schedule_spec.profiles import Profile

DEFAULT_SEED = 20_260_101
"""The seed of a run that is given none; fixed, so that two runs are the same."""

CORE_FEATURES = (("decode",), ("fold",), ("create", "tools"))
"""Features of each of which one has to be there."""

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


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a run does: examples of a property, runs and steps of the machine, bounds of the logs, worlds.

    Without a budget for worlds none are tried.
    """

    name: str
    examples: int
    machine_runs: int
    machine_steps: int
    bounds: Bounds
    worlds: WorldBudget | None = None


BUDGETS = {
    budget.name: budget
    for budget in (
        Budget("quick", 120, 15, 20, Bounds(2, 2), WorldBudget(10, 30, 2_500)),
        Budget("default", 450, 50, 25, Bounds(4, 3), WorldBudget(100, 40, 20_000)),
        Budget("deep", 10_000, 1_500, 50, Bounds(5, 3), WorldBudget(1_000, 60, 500_000)),
    )
}


class CannotJudgeError(Exception):
    """The system cannot be judged: its adapter is broken, or nothing could be asked of it."""


@dataclass(frozen=True, slots=True)
class Implementation:
    """What `hello` says: name, version, language, protocol level, features, its zone data's release, and the
    kinds of observations that it shows."""

    name: str
    version: str
    language: str
    profile: Profile
    features: frozenset[str]
    tzdata: str | None
    observes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClauseCount:
    """Cases of one clause: those that exercised it, passed, or were unsupported, and those that broke it.

    A case exercises several clauses and, where it fails, breaks one: passed and failed need not add up.
    """

    clause: str
    cases: int
    passed: int
    failed: int
    unsupported: int


@dataclass(frozen=True, slots=True)
class Report:
    """What a run found.

    `reached` counts generated rejections by clause, `unreached` names those at zero; `left_out` counts cases
    that hold under other releases of the zone data than the system's. `worlds` is what live sessions showed,
    None where none were tried.
    """

    sut: str
    implementation: Implementation
    seed: int
    budget: str
    checks: tuple[tuple[str, Tally], ...]
    clauses: tuple[ClauseCount, ...]
    failures: tuple[Failure, ...]
    absent: tuple[str, ...]
    reached: tuple[tuple[str, int], ...]
    unreached: tuple[str, ...] = ()
    left_out: int = 0
    worlds: WorldsReport | None = None

    @property
    def executed(self) -> int:
        """How many cases the system was asked; each command of a world counts as one."""
        return sum(tally.executed for _, tally in self.checks) + (self.worlds.steps if self.worlds else 0)

    @property
    def violated(self) -> bool:
        """Whether the system breaks a clause or lacks a core feature."""
        return bool(self.failures or self.absent or (self.worlds and self.worlds.found))

    @property
    def missed(self) -> tuple[str, ...]:
        """What generated cases and random worlds had to reach and did not."""
        worlds = self.worlds.missed if self.worlds else ()
        return (*self.unreached, *(reached.situation.name for reached in worlds))


def greet(system: System) -> Implementation:
    """Return what the system says of itself; raise CannotJudgeError where its adapter is not sane."""
    request = {"seq": 0, "cmd": "hello", "protocol": PROTOCOL, "suite": suite_version()}
    reply = system.ask(dict(request))
    problems = validate_reply(request, reply)
    if problems or not isinstance(reply, dict) or "result" not in reply:
        raise CannotJudgeError(f"hello was not answered with a result: {'; '.join(problems) or reply}")
    unknown = {"seq": 1, "cmd": "no-such-command"}
    answer = system.ask(dict(unknown))
    if validate_reply(unknown, answer) or not isinstance(answer, dict) or "unsupported" not in answer:
        raise CannotJudgeError(f"an unknown command was not answered with unsupported: {answer}")
    result = reply["result"]
    who = result["implementation"]
    return Implementation(
        who["name"],
        who["version"],
        who["language"],
        Profile(result["profile"]),
        frozenset(result["features"]),
        result.get("tzdata"),
        tuple(result.get("observes", ())),
    )


def run(
    system: System,
    budget: Budget = BUDGETS["default"],
    seed: int = DEFAULT_SEED,
    only: frozenset[str] = frozenset(),
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Try a system and report; raise CannotJudgeError where nothing could be judged.

    `only` narrows the run to cases that exercise one of these clauses; `progress` is told each check's name.
    """
    implementation = greet(system)
    trial = Trial(system, implementation.profile, implementation.features, only, implementation.tzdata)
    _try_vectors(trial, progress)
    _try_generated(trial, budget, seed, progress)
    if "fold" in trial.features:
        name = f"fold: every log of up to {budget.bounds.length} events"
        progress(name)
        with trial.check(name, generated=False):
            exhaustive.run(trial, budget.bounds)
    worlds = _try_worlds(trial, implementation, budget, seed, progress)
    report = replace(_report(trial, implementation, budget, seed, _counts(trial, worlds)), worlds=worlds)
    if report.executed == 0:
        raise CannotJudgeError("no case was executed")
    return report


def _try_vectors(trial: Trial, progress: Callable[[str], None]) -> None:
    progress("vectors")
    with trial.check("vectors", generated=False):
        for vector in vectors.vectors():
            if vector.profile is not trial.profile:
                continue
            if vector.needs_surrogates and "surrogates" not in trial.features:
                continue
            case = trial.frozen_case(vector)
            failure = trial.hear(case, vector.id)
            if failure is not None:
                trial.record(failure)


def _try_generated(trial: Trial, budget: Budget, seed: int, progress: Callable[[str], None]) -> None:
    from schedule_conformance import machine, properties, steady  # noqa: PLC0415 - Hypothesis is slow to import

    with steady.same_questions():
        for prop in properties.properties("surrogates" in trial.features, trial.profile):
            progress(prop.name)
            properties.run(trial, prop, budget.examples, seed)
        progress(machine.NAME)
        machine.run(trial, budget.machine_runs, budget.machine_steps, seed)


def agreed(implementation: Implementation) -> Terms | None:
    """Return the terms on which a system's live sessions are judged, None where it claims none."""
    try:
        return trying.terms_of(implementation.profile, implementation.features, implementation.observes)
    except UnseenError as problem:
        raise CannotJudgeError(str(problem)) from None


def _try_worlds(
    trial: Trial, implementation: Implementation, budget: Budget, seed: int, progress: Callable[[str], None]
) -> WorldsReport | None:
    terms = agreed(implementation)
    if budget.worlds is None or terms is None or (trial.only and trial.only.isdisjoint(trying.CLAUSES)):
        return None
    attempt = Trying(trial.system, terms, "surrogates" in implementation.features, seed, trial.only)
    return trying.run(attempt, budget.worlds, progress)


def _counts(trial: Trial, worlds: WorldsReport | None) -> tuple[ClauseCount, ...]:
    """Return the cases of each clause; a situation that a random world came through counts as a case."""
    counts = {clause: replace(tally) for clause, tally in trial.counts.items()}
    for clause, times in worlds.tried.items() if worlds else ():
        if times and (not trial.only or clause in trial.only):
            tally = counts.setdefault(clause, Tally())
            tally.executed += times
            tally.passed += times
    for clause, times in worlds.failed.items() if worlds else ():
        tally = counts.setdefault(clause, Tally())
        tally.executed += times
        tally.failed += times
    return tuple(
        ClauseCount(clause, tally.executed, tally.passed, tally.failed, tally.unsupported)
        for clause, tally in sorted(counts.items())
    )


def _report(
    trial: Trial,
    implementation: Implementation,
    budget: Budget,
    seed: int,
    clauses: tuple[ClauseCount, ...],
) -> Report:
    wanted = [*REJECTING, *([REJECTING_AT_THE_EARLIER_LEVEL] if trial.profile is Profile.V1_AFTER else [])]
    due = [clause for clause in wanted if _is_due(clause, trial)]
    return Report(
        sut=trial.system.name,
        implementation=implementation,
        seed=seed,
        budget=budget.name,
        checks=tuple(trial.tallies.items()),
        clauses=clauses,
        failures=tuple(trial.failures),
        absent=tuple(" or ".join(core) for core in CORE_FEATURES if trial.features.isdisjoint(core)),
        reached=tuple((clause, trial.reached[clause]) for clause in due),
        unreached=tuple(clause for clause in due if not trial.reached[clause]),
        left_out=trial.left_out,
    )


def _is_due(clause: str, trial: Trial) -> bool:
    """Whether generated cases have to reach a clause: it is tried, and says something at the level."""
    levels = {str(level) for level in register.clause(clause).profiles}
    return str(trial.profile) in levels and (not trial.only or clause in trial.only)
