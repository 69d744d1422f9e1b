"""Worlds of one system under trial: frozen traces, the state machine, the walk; counts, failures, what was
reached.

Deterministic for a system, a seed and a budget. Of each clause and kind of fault the first trace is kept,
made short; of a frozen trace that fails, its own.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from schedule_conformance.judgement.judging import Fault
from schedule_conformance.protocol.systems import System
from schedule_conformance.worlds import situations, walk
from schedule_conformance.worlds.faults import fault
from schedule_conformance.worlds.inputs import Request
from schedule_conformance.worlds.minimise import minimised
from schedule_conformance.worlds.replaying import replayed
from schedule_conformance.worlds.situations import SITUATIONS, Sightings, Situation
from schedule_conformance.worlds.traces import Trace
from schedule_conformance.worlds.world import Judged, World, begun
from schedule_spec.delivery import Terms, Violation
from schedule_spec.profiles import Profile

MANDATORY = ("followup", "append", "answer", "barrier")
"""Kinds of observations without which a live session cannot be judged."""


class UnseenError(Exception):
    """A system claims live sessions, and shows too little of them to be judged."""


def terms_of(profile: Profile, features: frozenset[str], observes: tuple[str, ...]) -> Terms | None:
    """Return the terms on which live sessions are judged, None where a system claims none.

    Raises UnseenError where it does not observe what is mandatory.
    """
    if not features.issuperset(("tools", "delivery")):
        return None
    hidden = [kind for kind in MANDATORY if kind not in observes]
    if hidden:
        raise UnseenError(f"hello claims live sessions and does not observe {', '.join(hidden)}")
    known = tuple(kind for kind in Terms().observes if kind in observes)
    return Terms(known, profile, "candidate" in features)


MACHINE = "machine/worlds"
"""The check in which a state machine tries worlds."""

WALK = "walk/worlds"
"""The check that walks through worlds."""

CLAUSES = frozenset(clause for situation in SITUATIONS for clause in situation.clauses)
"""The clauses that worlds put to the test."""


@dataclass(frozen=True, slots=True)
class WorldBudget:
    """How much is tried: runs and commands a run of the machine, and random commands in all."""

    machine_runs: int
    machine_steps: int
    steps: int


@dataclass(slots=True)
class Count:
    """Worlds and commands of one check, and the worlds in which a clause broke, by the kind of fault too.

    `clauses` are those that its worlds put to the test. `aside` counts worlds that say nothing of what the
    run is narrowed to, because they do not come to it or end before it.
    """

    worlds: int = 0
    steps: int = 0
    aside: int = 0
    met: Counter[tuple[str, str]] = field(default_factory=Counter)
    clauses: set[str] = field(default_factory=set)

    @property
    def failed(self) -> int:
        """In how many worlds a clause broke."""
        return self.met.total()


@dataclass(frozen=True, slots=True)
class Found:
    """A clause that broke in a check, with the trace that shows it; `frozen` is the frozen trace's id."""

    check: str
    trace: Trace
    frozen: str | None = None

    @property
    def violation(self) -> Violation:
        """What is wrong at the end of the trace."""
        assert self.trace.violation is not None, "only failing traces are found"
        return self.trace.violation

    @property
    def clause(self) -> str:
        """The clause that broke."""
        return self.violation.clause

    @property
    def fault(self) -> str:
        """The kind of fault."""
        return fault(self.trace)


@dataclass(frozen=True, slots=True)
class Reached:
    """A situation, how often random worlds came through it, and how often they had to."""

    situation: Situation
    count: int
    floor: int

    @property
    def missed(self) -> bool:
        """Whether it was reached too rarely for the run to say anything of it."""
        return self.count < self.floor


@dataclass(slots=True)
class Trying:
    """A system under trial in worlds, and what was counted and found so far."""

    system: System
    terms: Terms
    surrogates: bool
    seed: int
    only: frozenset[str] = frozenset()
    checks: dict[str, Count] = field(default_factory=dict)
    found: list[Found] = field(default_factory=list)
    sightings: Sightings = field(default_factory=Sightings)
    random_steps: int = 0
    _check: str = ""

    @contextmanager
    def check(self, name: str) -> Iterator[Count]:
        """Count what happens within under a check's name."""
        self._check = name
        yield self.checks.setdefault(name, Count())

    def begin(self) -> World:
        """Return a new world that random commands are asked."""
        self.sightings.begin()
        self.checks[self._check].worlds += 1
        return begun(self.system, self.terms)

    def ask(self, world: World, request: Request) -> Judged:
        """Ask a random command, count it, and keep what breaks."""
        judged = world.ask(request)
        self.checks[self._check].steps += 1
        self.random_steps += 1
        self.sightings.see(judged)
        if world.violation is not None:
            self._fail(world, f"{self._check}, world {self.checks[self._check].worlds}, seed {self.seed}")
        return judged

    def fits(self, trace: Trace) -> bool:
        """Tell whether the system can be asked what a frozen trace asked."""
        return trace.terms.profile is self.terms.profile and (self.surrogates or not trace.needs_surrogates)

    def try_frozen(self, trace: Trace) -> None:
        """Ask what a frozen trace asked, which has to fit the system."""
        count, sightings = self.checks[self._check], Sightings()
        world = replayed(self.system, self.terms, trace.steps, sightings.see)
        count.worlds += 1
        count.steps += len(world.exchanges)
        count.clauses |= {
            clause for each in SITUATIONS if sightings.counts[each.name] for clause in each.clauses
        }
        if world.violation is not None:
            self._fail(world, f"the frozen trace {trace.id}", trace.id)
        elif self.only and self.only.isdisjoint(count.clauses):
            count.aside += 1

    def _fail(self, world: World, origin: str, frozen: str | None = None) -> None:
        violation = world.violation
        assert violation is not None, "a world that ended well does not fail"
        count = self.checks[self._check]
        if self.only and violation.clause not in self.only:
            count.aside += 1
            return
        count.clauses.add(violation.clause)
        meta = {"origin": "run", "system": self.system.name, "found": origin}
        trace = Trace("", meta, self.terms, tuple(world.exchanges), violation)
        alike = (violation.clause, fault(trace))
        count.met[alike] += 1
        new = all((each.clause, each.fault) != alike for each in self.found)
        if not new and frozen is None:
            return
        name = f"{violation.clause.replace('.', '-')}-{frozen or f'{alike[1]}-{self.seed}'}"
        trace = replace(trace, id=name)
        worth_it = new and alike[1] != Fault.LATE
        self.found.append(Found(self._check, minimised(self.system, trace) if worth_it else trace, frozen))

    def reached(self) -> tuple[Reached, ...]:
        """Return the situations that random worlds have to come through, and how often they did."""
        return tuple(
            Reached(each, self.sightings.counts[each.name], situations.floor(each, self.random_steps))
            for each in SITUATIONS
            if self._is_due(each)
        )

    def tried(self) -> Counter[str]:
        """Return for each clause how often random worlds came through a situation that tries it."""
        tried: Counter[str] = Counter()
        for each in SITUATIONS:
            if self._is_due(each) and self.sightings.counts[each.name]:
                tried.update(dict.fromkeys(each.clauses, self.sightings.counts[each.name]))
        return tried

    def _is_due(self, situation: Situation) -> bool:
        if self.only and self.only.isdisjoint(situation.clauses):
            return False
        match situation.needs:
            case "candidate":
                return self.terms.candidate
            case "v1":
                return self.terms.profile is Profile.V1
            case _:
                return True


def explore(trying: Trying, budget: WorldBudget) -> None:
    """Let the state machine try worlds."""
    from schedule_conformance.worlds import machine  # noqa: PLC0415 - Hypothesis is slow to import

    with trying.check(MACHINE) as count:
        if budget.machine_runs:
            driver = machine.Driver(trying.begin, trying.ask, trying.surrogates)
            machine.run(driver, budget.machine_runs, budget.machine_steps, trying.seed)
        count.clauses |= trying.tried().keys()


def wander(trying: Trying, budget: WorldBudget) -> None:
    """Walk through worlds until the random commands of the budget were asked."""
    with trying.check(WALK) as count:
        while trying.random_steps < budget.steps:
            source = walk.source_of(trying.seed, count.worlds)
            walk.stroll(trying.begin(), source, trying.surrogates, trying.ask)
        count.clauses |= trying.tried().keys()
