"""One run over worlds: frozen traces, the state machine, the walk; counts, failures, what was reached.

Deterministic for a system, a seed and a budget. Of each clause that breaks the first trace is kept, made
short.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from schedule_conformance.systems import System
from schedule_conformance.worlds import situations, traces, walk
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


FROZEN = "worlds: frozen traces"
MACHINE = "worlds: state machine"
WALK = "worlds: seeded walk"


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
    """Worlds and commands of one check, and the worlds in which a clause broke."""

    worlds: int = 0
    steps: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """A clause that broke: in which check, with the trace that shows it, and how often it was met."""

    check: str
    trace: Trace
    times: int

    @property
    def violation(self) -> Violation:
        """What is wrong at the end of the trace."""
        assert self.trace.violation is not None, "only failing traces are found"
        return self.trace.violation


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


@dataclass(frozen=True, slots=True)
class WorldsReport:
    """What a run over worlds found; `left_out` counts frozen traces that do not fit the system's terms."""

    checks: tuple[tuple[str, Count], ...]
    found: tuple[Found, ...]
    reached: tuple[Reached, ...]
    left_out: int

    @property
    def steps(self) -> int:
        """How many commands were asked."""
        return sum(count.steps for _, count in self.checks)

    @property
    def missed(self) -> tuple[Reached, ...]:
        """The situations below their floors."""
        return tuple(reached for reached in self.reached if reached.missed)

    @property
    def tried(self) -> Counter[str]:
        """For each clause, how often random worlds came through a situation that tries it."""
        return Counter(
            {
                clause: sum(each.count for each in self.reached if clause in each.situation.clauses)
                for clause in CLAUSES
            }
        )

    @property
    def failed(self) -> Counter[str]:
        """For each clause, in how many worlds it broke."""
        return Counter({found.violation.clause: found.times for found in self.found})


@dataclass(slots=True)
class Trying:
    """A run over worlds under way."""

    system: System
    terms: Terms
    surrogates: bool
    seed: int
    only: frozenset[str] = frozenset()
    checks: dict[str, Count] = field(default_factory=dict)
    found: dict[str, tuple[str, Trace]] = field(default_factory=dict)
    times: Counter[str] = field(default_factory=Counter)
    sightings: Sightings = field(default_factory=Sightings)
    left_out: int = 0
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
        self.sightings.see(judged)
        if world.violation is not None:
            self._fail(world, f"{self._check}, world {self.checks[self._check].worlds}, seed {self.seed}")
        return judged

    def try_frozen(self, trace: Trace) -> None:
        """Ask what a frozen trace asked, where it fits the system."""
        if trace.terms.profile is not self.terms.profile or (trace.needs_surrogates and not self.surrogates):
            self.left_out += 1
            return
        count = self.checks[self._check]
        world = replayed(self.system, self.terms, trace.steps)
        count.worlds += 1
        count.steps += len(world.exchanges)
        if world.violation is not None:
            self._fail(world, f"the frozen trace {trace.id}")

    def _fail(self, world: World, origin: str) -> None:
        violation = world.violation
        assert violation is not None, "a world that ended well does not fail"
        self.checks[self._check].failed += 1
        self.times[violation.clause] += 1
        if violation.clause in self.found or (self.only and violation.clause not in self.only):
            return
        meta = {"origin": "run", "system": self.system.name, "found": origin}
        name = f"{violation.clause.replace('.', '-')}-{self.seed}"
        trace = Trace(name, meta, self.terms, tuple(world.exchanges), violation)
        self.found[violation.clause] = (self._check, minimised(self.system, trace))

    @property
    def random_steps(self) -> int:
        """How many commands the machine and the walk asked."""
        return sum(count.steps for name, count in self.checks.items() if name != FROZEN)

    def report(self) -> WorldsReport:
        """Return what was found so far."""
        return WorldsReport(
            tuple(self.checks.items()),
            tuple(
                Found(check, trace, self.times[clause])
                for clause, (check, trace) in sorted(self.found.items())
            ),
            tuple(
                Reached(each, self.sightings.counts[each.name], situations.floor(each, self.random_steps))
                for each in SITUATIONS
                if self._is_due(each)
            ),
            self.left_out,
        )

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


def run(
    trying: Trying, budget: WorldBudget, progress: Callable[[str], None] = lambda _: None
) -> WorldsReport:
    """Try a system with worlds of every kind."""
    from schedule_conformance.worlds import machine  # noqa: PLC0415 - Hypothesis is slow to import

    progress(FROZEN)
    with trying.check(FROZEN):
        for trace in traces.frozen():
            trying.try_frozen(trace)
    progress(MACHINE)
    with trying.check(MACHINE):
        if budget.machine_runs:
            driver = machine.Driver(trying.begin, trying.ask, trying.surrogates)
            machine.run(driver, budget.machine_runs, budget.machine_steps, trying.seed)
    progress(WALK)
    with trying.check(WALK) as count:
        while trying.random_steps < budget.steps:
            source = walk.source_of(trying.seed, count.worlds)
            walk.stroll(trying.begin(), source, trying.surrogates, trying.ask)
    return trying.report()
