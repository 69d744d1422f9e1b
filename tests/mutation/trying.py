"""Trying mutants: pytest collects the killers once, and each mutant meets them in a fork of that process.

What each killer runs of the mutated package is found out first, line by line, with nothing mutated; a killer
that fails then is an error. A mutant that does not run before its module is imported meets the killers where
they stand. For any other the project is imported and collected anew in its fork.

A killer is believed only where it passes in the same way with nothing mutated, in the same state of all files
that this stands on. The mutated package and the file of the killer must be as they were when the run began,
for what comes is kept as true of them.
"""

import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from tests.mutation import standing
from tests.mutation.children import Answer, End, HarnessError, Outcome, in_child
from tests.mutation.choosing import Killer, Reach, in_order, in_turns
from tests.mutation.memory import Functions, Memory, functions
from tests.mutation.mutants import Module, Mutant
from tests.mutation.placing import Instead, exchange, forget_project
from tests.mutation.reaching import Hearing, KillersFailError, reach_of
from tests.mutation.report import say
from tests.mutation.sides import ROOT, Side

settings.register_profile(
    "mutation",
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)

OPTIONS = (
    "--override-ini=addopts=",
    "--import-mode=importlib",
    "--assert=plain",
    "--capture=no",
    "--hypothesis-profile=mutation",
    "-p",
    "no:terminal",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
)
CONTROLS = 40
"""How many killers are run with nothing mutated before a run."""
WALL = 900.0
"""Seconds of the clock after which a child is given up in any case."""
FILES_ANEW = 12
"""How many files of killers are collected at first where a mutant needs the project imported anew; the others
follow where it survives them."""
TIMES = 5
"""How often a mutant is tried at most where files are changed in the course of it."""
CONFTEST = "tests/conftest.py"
"""What stands for a killer where not even the tests' configuration can be imported."""
TOO_LONG = "the whole took too long"


class Status(StrEnum):
    """What came of a mutant."""

    KILLED = "killed"
    TIMEOUT = "timeout"
    SURVIVED = "survived"
    UNREACHED = "unreached"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a mutant: the killer, or why there is none, and how many tests were tried."""

    status: Status
    why: str
    tried: int


@dataclass(slots=True, eq=False)
class Harness:
    """A pytest plugin that takes the place of running tests: `body` is called once they are collected."""

    side: Side
    seconds: float
    body: Callable[["Harness"], None]
    items: dict[str, pytest.Item] = field(default_factory=dict)
    session: pytest.Session | None = None
    fault: BaseException | None = None
    problems: list[str] = field(default_factory=list)
    _hear: Hearing = lambda report: None
    _memory: Memory | None = None
    _functions: Functions = field(default_factory=dict)
    _reach: Reach | None = None
    _files: frozenset[str] = frozenset()
    _package: frozenset[Path] = frozenset()
    _shared: frozenset[Path] = frozenset()
    _passed: set[tuple[str, bool, tuple[int, int]]] = field(default_factory=set)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note what could not be collected."""
        if report.failed:
            self.problems.append(f"{report.nodeid}: {report.longreprtext}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Hand on how a test went."""
        self._hear(report)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Do what is to be done with the collected killers instead of running them once."""
        self.session = session
        self.items = {item.nodeid: item for item in session.items}
        try:
            self._must_be_collected()
            self._files = frozenset(id.partition("::")[0] for id in self.items)
            self._package = frozenset(self.side.directory.rglob("*.py"))
            own = self._package | {ROOT / file for file in self._files}
            standing.must_stand(own)
            self._shared = standing.stood_on() - own
            self._memory = Memory(self.side.package)
            files = frozenset(str(file) for file in self.side.modules().values())
            self._functions = functions(files)
            gc.collect()
            gc.freeze()
            self.body(self)
        except BaseException as fault:
            self.fault = fault
        return True

    def _must_be_collected(self) -> None:
        if self.problems:
            raise KillersFailError("\n".join(self.problems))

    @property
    def reach(self) -> Reach:
        """What each killer runs, found out at the first use; KillersFailError where one fails."""
        if self._reach is None:
            self._reach = reach_of(self.side, self.items, self._run_heard)
        return self._reach

    def _run_heard(self, item: pytest.Item, hear: Hearing) -> None:
        self._hear = hear
        self._run(item, None)

    def _run(self, item: pytest.Item, following: pytest.Item | None) -> None:
        assert self._memory is not None
        self._memory.restore()
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)

    def is_collected(self, killer: str) -> bool:
        """Tell whether there is a killer, or a file of killers, of that name."""
        return killer in self.items or killer in self._files or killer == CONFTEST

    def try_mutant(self, mutant: Mutant, first: str = "") -> Verdict:
        """Try killers on a mutant until one kills it; one of the id `first` goes first.

        HarnessError where the package or the killer's file was changed since the run began, or where other
        files are changed again and again; KillersFailError where the killer fails with nothing mutated too.
        """
        for _ in range(TIMES):
            state = standing.state_of(self._shared)
            here = self._tried_here(mutant, first)
            verdict = self._tried_anew(mutant, first) if here is None else here
            killer = verdict.why if verdict.status in (Status.KILLED, Status.TIMEOUT) else ""
            shown = (killer, here is None, state)
            passes = killer in ("", TOO_LONG) or shown in self._passed or self._passes(mutant.of, *shown[:2])
            own = self._files & {killer.partition("::")[0]}
            standing.must_stand([*self._package, *(ROOT / file for file in own)])
            if standing.state_of(self._shared) != state:
                continue
            if not passes:
                raise KillersFailError(f"with nothing mutated this fails: {killer}")
            self._passed.add(shown)
            return verdict
        raise HarnessError("what killers read is changed again and again")

    def _passes(self, module: Module, killer: str, anew: bool) -> bool:
        """Tell whether a killer, or one of a file of killers, passes with nothing mutated."""
        test = next(
            (test for test in self.reach.tests if killer in (test.id, test.file)), self.reach.tests[0]
        )
        outcome = (
            self.anew([test], module.name, str(module.file), module.code())
            if anew
            else in_child(lambda answer: self._meet([(self.items[test.id], _limit(test))], answer), WALL)
        )
        return _verdict(outcome).status is Status.SURVIVED

    def _tried_here(self, mutant: Mutant, first: str) -> Verdict | None:
        """Return what came of a mutant in a fork; None where it cannot be put in place there."""
        file = str(mutant.of.file)
        if not mutant.unit.runs or (file, mutant.unit.name) in self.reach.at_import:
            return None
        tests = in_order(self.reach.of(file, mutant.lines), self.reach.near(file), self.seconds)
        if not tests:
            return Verdict(Status.UNREACHED, "", 0)
        tests = _with_first(tests, self._named(first))
        code = mutant.code()

        def work(answer: Answer) -> None:
            if not exchange(self._functions, file, mutant.unit.name, code):
                answer({"exchanged": False})
            self._meet([(self.items[test.id], _limit(test)) for test in tests], answer)

        outcome = in_child(work, WALL)
        if outcome.end is End.ANSWERED and outcome.answer.get("exchanged") is False:
            return None
        return _verdict(outcome)

    def _tried_anew(self, mutant: Mutant, first: str) -> Verdict:
        """Return what came of a mutant where all is imported anew, first with the nearest files of tests."""
        file = str(mutant.of.file)
        tests = self._telling(mutant)
        files = self._nearest_first(mutant, tests)
        verdict, tried, begin = Verdict(Status.UNREACHED, "", 0), 0, self._named(first)
        for some in (files[:FILES_ANEW], files[FILES_ANEW:]):
            own = [test for test in tests if test.file in some]
            if own:
                chosen = _with_first(in_order(own, self.reach.near(file), self.seconds), begin)
                verdict = _verdict(self.anew(chosen, mutant.module, file, mutant.code()))
                tried, begin = tried + verdict.tried, None
                if verdict.status is not Status.SURVIVED:
                    break
        return replace(verdict, tried=tried)

    def _telling(self, mutant: Mutant) -> tuple[Killer, ...]:
        """Return the tests that may tell of a mutant that runs at import."""
        tests = self.reach.of(str(mutant.of.file), mutant.lines) if mutant.unit.runs else ()
        if tests:
            return tests
        users = [each for each in self.side.modules().values() if _imports(each, mutant.module)]
        near = (mutant.of.file, *users)
        return tuple(dict.fromkeys(test for each in near for test in self.reach.of_file(str(each))))

    def _nearest_first(self, mutant: Mutant, tests: Sequence[Killer]) -> list[str]:
        shares = self.reach.shares(tests)
        own = f"test_{mutant.module.rpartition('.')[2]}.py"
        return sorted(shares, key=lambda name: (Path(name).name != own, -shares[name], name))

    def anew(self, tests: Sequence[Killer], module: str, file: str, code: Any) -> Outcome:
        """Import and collect anew in a child, with other code for one module, and run the tests there."""

        def work(answer: Answer) -> None:
            gc.unfreeze()
            forget_project()
            sys.meta_path.insert(0, Instead(module, file, code))
            limits = {test.id: _limit(test) for test in tests}
            inner = _Anew(self, limits, answer)
            _limit_time(60)
            paths = list(dict.fromkeys(test.file for test in tests))
            status = pytest.main([*OPTIONS, *paths], plugins=[inner])
            if status in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERRUPTED):
                answer({"killed": CONFTEST, "tried": 0})
            raise HarnessError(f"pytest ended with {int(status)}")

        return in_child(work, WALL)

    def control(self) -> None:
        """Try both ways with nothing mutated, and with what must be fatal; HarnessError where either errs."""
        modules = [
            (name, file) for name, file in self.side.modules().items() if self.reach.of_file(str(file))
        ]
        if not modules:
            raise HarnessError(
                f"{', '.join(self.side.killers)}: no killer here runs anything of {self.side.package}"
            )
        name, file = modules[0]
        say(f"trying the harness: nothing mutated, then {name} that cannot be imported", sys.stderr)
        cheap = in_turns(self.reach.tests, 0.0)[:CONTROLS]
        same = Module(name, file).code()
        outcome = in_child(
            lambda answer: self._meet([(self.items[test.id], _limit(test)) for test in cheap], answer), WALL
        )
        if _verdict(outcome).status is not Status.SURVIVED:
            raise HarnessError(f"with nothing mutated: {outcome}")
        some = in_turns([test for test in cheap if test.file == cheap[0].file], 1.0)
        if _verdict(self.anew(some, name, str(file), same)).status is not Status.SURVIVED:
            raise HarnessError("imported anew with nothing mutated, a killer fails")
        fatal = compile("raise RuntimeError", str(file), "exec", dont_inherit=True)
        near = in_turns(self.reach.of_file(str(file)), 1.0)
        if _verdict(self.anew(near, name, str(file), fatal)).status is not Status.KILLED:
            raise HarnessError(f"that {name} cannot be imported is not noticed")

    def _named(self, id: str) -> Killer | None:
        return next((test for test in self.reach.tests if test.id == id), None) if id else None

    def _meet(self, pairs: Sequence[tuple[pytest.Item, float]], answer: Answer) -> None:
        """Run killers one after another, each within its time, and answer at the first that fails."""
        tried = 0

        def hear(report: pytest.TestReport) -> None:
            if report.failed:
                answer({"killed": report.nodeid, "tried": tried})

        def late(*_: object) -> None:
            answer({"late": pairs[tried - 1][0].nodeid, "tried": tried})

        self._hear = hear
        signal.signal(signal.SIGPROF, late)
        signal.signal(signal.SIGALRM, late)
        following = [item for item, _ in pairs[1:]]
        for (item, limit), after in zip(pairs, [*following, None], strict=True):
            tried += 1
            _limit_time(limit)
            self._run(item, after)
        _limit_time(0)
        answer({"survived": True, "tried": tried})


@dataclass(slots=True, eq=False)
class _Anew:
    """The plugin of a session that was collected anew for one mutant."""

    outer: Harness
    limits: dict[str, float]
    answer: Answer

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Take a module that cannot be collected for a killed mutant."""
        if report.failed:
            self.answer({"killed": report.nodeid, "tried": 0})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Hand on how a test went."""
        self.outer._hear(report)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the chosen killers."""
        items = {item.nodeid: item for item in session.items}
        self.outer._memory = Memory(self.outer.side.package)
        pairs = [(items[id], limit) for id, limit in self.limits.items() if id in items]
        self.outer._meet(pairs, self.answer)
        return True


def _imports(file: Path, module: str) -> bool:
    text = file.read_text("utf-8")
    package, _, last = module.rpartition(".")
    return f"from {module} import" in text or any(
        line.startswith(f"from {package} import") and last in line for line in text.splitlines()
    )


def _with_first(tests: tuple[Killer, ...], first: Killer | None) -> tuple[Killer, ...]:
    return tests if first is None else (first, *(test for test in tests if test is not first))


def _limit(test: Killer) -> float:
    return 1.5 + 6 * test.seconds


def _limit_time(seconds: float) -> None:
    """Let a signal come after so much processor time, and after much more of the clock's; 0 for never."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds and 60 + 10 * seconds)


def _verdict(outcome: Outcome) -> Verdict:
    match outcome:
        case Outcome(End.TIMEOUT):
            return Verdict(Status.TIMEOUT, TOO_LONG, 0)
        case Outcome(End.CRASHED, why=why):
            return Verdict(Status.CRASHED, why, 0)
        case Outcome(answer={"killed": str(killer), "tried": int(tried)}):
            return Verdict(Status.KILLED, killer, tried)
        case Outcome(answer={"late": str(killer), "tried": int(tried)}):
            return Verdict(Status.TIMEOUT, killer, tried)
        case Outcome(answer={"survived": True, "tried": int(tried)}):
            return Verdict(Status.SURVIVED, "", tried)
    raise HarnessError(f"a child answered {outcome.answer!r}")


def with_killers(side: Side, seconds: float, body: Callable[[Harness], None]) -> None:
    """Collect the killers of a side and call `body` with what tries mutants; raises what it raises."""
    os.chdir(ROOT)
    say(f"collecting the killers of {side.package}", sys.stderr)
    harness = Harness(side, seconds, body)
    status = pytest.main([*OPTIONS, *side.killers], plugins=[harness])
    if harness.fault is not None:
        raise harness.fault
    if harness.session is None:
        told = "\n".join(harness.problems) or f"pytest ended with {int(status)}"
        raise KillersFailError(told)


def mutants_of(side: Side) -> tuple[Mutant, ...]:
    """Return the mutants of a side, one module after another."""
    modules = (Module(name, file) for name, file in side.modules().items())
    return tuple(mutant for module in modules for mutant in module.mutants)
