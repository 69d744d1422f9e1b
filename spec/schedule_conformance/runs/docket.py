"""The docket of a run: the checks that are made of one system, each under an id that stays the same.

What is cheap stands first: frozen cases, frozen worlds, properties, logs grown event by event, every short
log, every zone name, random worlds. Each check may be run alone. Hypothesis is imported only where generated
checks run.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

from schedule_conformance.adapters.smoke import CannotJudgeError, Implementation, greet
from schedule_conformance.checks import every_zone, exhaustive
from schedule_conformance.checks.trials import Tally, Trial
from schedule_conformance.frozen import vectors
from schedule_conformance.frozen.vectors import Vector
from schedule_conformance.law.law_adapter import suite_version
from schedule_conformance.protocol.systems import System
from schedule_conformance.runs.budgets import BUDGETS, DEFAULT_SEED, Budget
from schedule_conformance.runs.reports import Circumstances
from schedule_conformance.runs.results import FROZEN, Counts, Kind, Met, Result
from schedule_conformance.worlds import traces, trying
from schedule_conformance.worlds.traces import Trace
from schedule_conformance.worlds.trying import Count, Trying, UnseenError, WorldBudget
from schedule_spec.delivery import Terms
from schedule_spec.profiles import Profile

CORE_FEATURES = (("decode",), ("fold",), ("create", "tools"))
"""Features of each of which one has to be there."""

NARROWED = "puts nothing to the test that the run is narrowed to"
"""Why a check says nothing in a run that is narrowed to some clauses."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a docket: `ask` puts its questions, `so_far` says what came of them up to now."""

    id: str
    kind: Kind
    title: str
    ask: Callable[[], None]
    so_far: Callable[[], Result]

    @property
    def frozen(self) -> str | None:
        """The id of the frozen case that the check is, None for a generated check."""
        return self.id.partition("/")[2] if self.kind in FROZEN else None

    def run(self) -> Result:
        """Try the system with this check alone, and time it."""
        begun = perf_counter()
        self.ask()
        return replace(self.so_far(), seconds=perf_counter() - begun)


@dataclass(frozen=True, slots=True)
class Docket:
    """All that is to be tried of one system, and what has been counted of it so far.

    Each check may be run in any order, once. `attempt` is None where no worlds are tried.
    """

    circumstances: Circumstances
    trial: Trial
    attempt: Trying | None
    checks: tuple[Check, ...]

    @property
    def asked(self) -> int:
        """How many cases, and commands of worlds, were asked so far."""
        worlds = self.attempt.checks if self.attempt else {}
        cases = sum(tally.executed for tally in list(self.trial.tallies.values()))
        return cases + sum(count.steps for count in list(worlds.values()))


def docket(
    system: System,
    budget: Budget = BUDGETS["default"],
    seed: int = DEFAULT_SEED,
    only: frozenset[str] = frozenset(),
) -> Docket:
    """Return what is to be tried of a system; raise CannotJudgeError where its adapter is not sane.

    `only` narrows the run to cases that put one of these clauses to the test.
    """
    implementation = greet(system)
    told = Circumstances(suite_version(), system.name, implementation, seed, budget.name, tuple(sorted(only)))
    trial = Trial(system, implementation.profile, implementation.features, only, implementation.tzdata)
    terms = agreed(implementation)
    attempt = None
    if budget.worlds is not None and terms is not None and not (only and only.isdisjoint(trying.CLAUSES)):
        attempt = Trying(system, terms, "surrogates" in implementation.features, seed, only)
    checks = [_vector_check(trial, vector) for vector in vectors.vectors()]
    if attempt:
        checks += [_trace_check(attempt, trace) for trace in traces.frozen()]
    checks += _generated_checks(trial, budget, seed)
    if attempt and budget.worlds:
        checks += _world_checks(attempt, budget.worlds)
    return Docket(told, trial, attempt, tuple(checks))


def absent(implementation: Implementation) -> tuple[str, ...]:
    """Return the core features that an implementation lacks, in words."""
    return tuple(" or ".join(core) for core in CORE_FEATURES if implementation.features.isdisjoint(core))


def agreed(implementation: Implementation) -> Terms | None:
    """Return the terms on which a system's live sessions are judged, None where it claims none."""
    try:
        return trying.terms_of(implementation.profile, implementation.features, implementation.observes)
    except UnseenError as problem:
        raise CannotJudgeError(str(problem)) from None


# --- pure commands ---


def _vector_check(trial: Trial, vector: Vector) -> Check:
    id = f"{Kind.VECTOR}/{vector.id}"

    def ask() -> None:
        with trial.check(id, generated=False):
            if _elsewhere(trial, vector):
                trial.tallies[id].left_out += not (trial.only and trial.only.isdisjoint(vector.clauses))
                return
            failure = trial.hear(trial.frozen_case(vector), vector.id)
            if failure is not None:
                trial.record(failure)

    def so_far() -> Result:
        result = _of_cases(trial, id, Kind.VECTOR, "frozen cases")
        clauses = tuple(dict.fromkeys((*vector.clauses, *result.clauses)))
        return replace(result, clauses=clauses, reason=_reason(trial, vector, result))

    return Check(id, Kind.VECTOR, "frozen cases", ask, so_far)


def _elsewhere(trial: Trial, vector: Vector) -> str:
    """Return why a system is not asked a frozen case, nothing where it is."""
    if vector.profile is not trial.profile:
        return f"of level {vector.profile}; the implementation is of {trial.profile}"
    if vector.needs_surrogates and "surrogates" not in trial.features:
        return "needs unpaired surrogates, which the implementation does not take"
    return ""


def _reason(trial: Trial, vector: Vector, result: Result) -> str:
    if result.counts.unsupported:
        return f"the implementation does not support {vector.request['cmd']}"
    if result.counts.executed:
        return ""
    if not result.counts.left_out:
        return NARROWED
    of_release = f"holds under zone data {' or '.join(vector.releases)}; hello says {trial.tzdata or 'none'}"
    return _elsewhere(trial, vector) or of_release


def _of_cases(trial: Trial, id: str, kind: Kind, title: str) -> Result:
    """Return what came of a check of single requests."""
    tally = trial.tallies.get(id, Tally())
    counts = Counts(tally.passed, tally.failed, 0, tally.unsupported, tally.left_out)
    met = tuple(Met(clause, fault, times) for (clause, fault), times in sorted(tally.met.items()))
    found = tuple(failure for failure in trial.failures if failure.check == id)
    return Result(id, kind, title, tuple(sorted(tally.clauses)), counts, met, found)


def _pure_check(trial: Trial, id: str, kind: Kind, title: str, ask: Callable[[], None]) -> Check:
    return Check(id, kind, title, ask, partial(_of_cases, trial, id, kind, title))


def _generated_checks(trial: Trial, budget: Budget, seed: int) -> Iterator[Check]:
    from schedule_conformance.checks import machine, properties  # noqa: PLC0415 - Hypothesis is slow to import
    from schedule_conformance.generators import steady  # noqa: PLC0415

    for prop in properties.properties("surrogates" in trial.features, trial.profile):
        held = steady.asking(partial(properties.run, trial, prop, budget.examples, seed))
        yield _pure_check(trial, prop.id, Kind.PROPERTY, prop.name, held)
    grown = partial(machine.run, trial, budget.machine_runs, budget.machine_steps, seed)
    yield _pure_check(trial, machine.ID, Kind.MACHINE, machine.NAME, steady.asking(grown))
    if "fold" in trial.features:
        title = f"fold: every log of up to {budget.bounds.length} events"
        every = partial(exhaustive.run, trial, budget.bounds)
        yield _pure_check(trial, exhaustive.ID, Kind.EXHAUSTIVE, title, every)
    if budget.days and "create" in trial.features and trial.profile is Profile.V1:
        title = "create: every zone name, now and in the past"
        named = partial(every_zone.run, trial, budget.days)
        yield _pure_check(trial, every_zone.ID, Kind.EXHAUSTIVE, title, named)


# --- worlds ---


def _trace_check(attempt: Trying, trace: Trace) -> Check:
    id, title = f"{Kind.TRACE}/{trace.id}", "worlds: frozen traces"

    def ask() -> None:
        with attempt.check(id):
            if attempt.fits(trace):
                attempt.try_frozen(trace)

    def so_far() -> Result:
        result = _of_worlds(attempt, id, Kind.TRACE, title)
        if not attempt.fits(trace):
            return replace(result, counts=Counts(left_out=1), reason=_unfit(attempt, trace))
        area = f"{trace.meta.get('area')}."
        clauses = tuple(sorted(result.clauses, key=lambda clause: not clause.startswith(area)))
        return replace(result, clauses=clauses, reason="" if result.counts.executed else NARROWED)

    return Check(id, Kind.TRACE, title, ask, so_far)


def _unfit(attempt: Trying, trace: Trace) -> str:
    if trace.terms.profile is not attempt.terms.profile:
        return f"of level {trace.terms.profile}; the implementation is of {attempt.terms.profile}"
    return "needs unpaired surrogates, which the implementation does not take"


def _of_worlds(attempt: Trying, id: str, kind: Kind, title: str) -> Result:
    """Return what came of a check of worlds."""
    count = attempt.checks.get(id, Count())
    counts = Counts(count.worlds - count.failed - count.aside, count.failed, commands=count.steps)
    met = tuple(Met(clause, fault, times) for (clause, fault), times in sorted(count.met.items()))
    found = tuple(each for each in attempt.found if each.check == id)
    return Result(id, kind, title, tuple(sorted(count.clauses)), counts, met, found)


def _world_checks(attempt: Trying, budget: WorldBudget) -> Iterator[Check]:
    from schedule_conformance.generators import steady  # noqa: PLC0415 - Hypothesis is slow to import

    explored = steady.asking(partial(trying.explore, attempt, budget))
    yield _world_check(attempt, trying.MACHINE, Kind.MACHINE, "worlds: state machine", explored)
    wandered = partial(trying.wander, attempt, budget)
    yield _world_check(attempt, trying.WALK, Kind.WALK, "worlds: seeded walk", wandered)


def _world_check(attempt: Trying, id: str, kind: Kind, title: str, ask: Callable[[], None]) -> Check:
    return Check(id, kind, title, ask, partial(_of_worlds, attempt, id, kind, title))
