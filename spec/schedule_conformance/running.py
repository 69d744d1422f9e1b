"""One run: smoke, vectors, properties, the machine, every short log; then a report with honest counts.

Deterministic for a seed and a budget. Hypothesis is imported only when generated checks run.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from schedule_conformance import exhaustive, vectors
from schedule_conformance.exhaustive import Bounds
from schedule_conformance.law_adapter import suite_version
from schedule_conformance.messages import PROTOCOL, validate_reply
from schedule_conformance.systems import System
from schedule_conformance.trials import Failure, Tally, Trial
from schedule_spec.profiles import Profile

DEFAULT_SEED = 20_260_101
"""The seed of a run that is given none; fixed, so that two runs are the same."""

CORE_FEATURES = ("decode", "fold")
"""Features whose absence is a failure."""

REJECTING = (
    "change.create",
    "change.delete",
    "change.dispatch-every",
    "change.dispatch-one-shot",
    "change.json",
    "change.strict",
    "change.version",
    "fold.event",
    "fold.inactive",
    "fold.no-id-reuse",
    "fold.shape-match",
    "fork.bounds",
    "fork.no-adoption",
    "id.shape",
    "instant.canonical",
    "number.safe-integer",
    "rate.accepted-range",
    "rate.not-early",
    "record.after",
    "record.at",
    "record.every",
    "record.kinds",
    "text.prompt",
)
"""The clauses under which the law rejects; generated cases have to reach each."""

REJECTING_AT_THE_EARLIER_LEVEL = "profile.v1-after"


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a run does: examples of a property, runs and steps of the machine, bounds of the logs."""

    name: str
    examples: int
    machine_runs: int
    machine_steps: int
    bounds: Bounds


BUDGETS = {
    budget.name: budget
    for budget in (
        Budget("quick", 150, 25, 20, Bounds(2, 2)),
        Budget("default", 700, 100, 25, Bounds(4, 3)),
        Budget("deep", 10_000, 1_500, 50, Bounds(5, 3)),
    )
}


class CannotJudgeError(Exception):
    """The system cannot be judged: its adapter is broken, or nothing could be asked of it."""


@dataclass(frozen=True, slots=True)
class Implementation:
    """What `hello` says: name, version, language, protocol level and features."""

    name: str
    version: str
    language: str
    profile: Profile
    features: frozenset[str]


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
    """What a run found; `reached` counts generated rejections by clause, `unreached` names those at zero."""

    sut: str
    implementation: Implementation
    seed: int
    budget: str
    checks: tuple[tuple[str, Tally], ...]
    clauses: tuple[ClauseCount, ...]
    failures: tuple[Failure, ...]
    absent: tuple[str, ...]
    reached: tuple[tuple[str, int], ...]
    unreached: tuple[str, ...] = field(default=())

    @property
    def executed(self) -> int:
        """How many cases the system was asked."""
        return sum(tally.executed for _, tally in self.checks)

    @property
    def violated(self) -> bool:
        """Whether the system breaks a clause or lacks a core feature."""
        return bool(self.failures or self.absent)


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
    trial = Trial(system, implementation.profile, implementation.features, only)
    _try_vectors(trial, progress)
    _try_generated(trial, budget, seed, progress)
    if "fold" in trial.features:
        name = f"fold: every log of up to {budget.bounds.length} events"
        progress(name)
        with trial.check(name, generated=False):
            exhaustive.run(trial, budget.bounds)
    report = _report(trial, implementation, budget, seed)
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
    from schedule_conformance import machine, properties  # noqa: PLC0415 - Hypothesis is slow to import

    for prop in properties.properties("surrogates" in trial.features):
        progress(prop.name)
        properties.run(trial, prop, budget.examples, seed)
    progress(machine.NAME)
    machine.run(trial, budget.machine_runs, budget.machine_steps, seed)


def _report(trial: Trial, implementation: Implementation, budget: Budget, seed: int) -> Report:
    clauses = tuple(
        ClauseCount(clause, tally.executed, tally.passed, tally.failed, tally.unsupported)
        for clause, tally in sorted(trial.counts.items())
    )
    wanted = [*REJECTING, *([REJECTING_AT_THE_EARLIER_LEVEL] if trial.profile is Profile.V1_AFTER else [])]
    due = [clause for clause in wanted if not trial.only or clause in trial.only]
    return Report(
        sut=trial.system.name,
        implementation=implementation,
        seed=seed,
        budget=budget.name,
        checks=tuple(trial.tallies.items()),
        clauses=clauses,
        failures=tuple(trial.failures),
        absent=tuple(feature for feature in CORE_FEATURES if feature not in trial.features),
        reached=tuple((clause, trial.reached[clause]) for clause in due),
        unreached=tuple(clause for clause in due if not trial.reached[clause]),
    )
