"""Trying mutants: pytest collects the killers once, and each mutant meets them in a fork of that process.

What each killer runs of the mutated package is found out first, line by line, with nothing mutated; a killer
that fails then is an error. A mutant that does not run before its module is imported meets the killers where
they stand. For any other the project is imported and collected anew in its fork.
"""

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from tests.mutation.children import Answer, End, HarnessError, Outcome, in_child
from tests.mutation.choosing import Killer, Reach, in_order, in_turns
from tests.mutation.memory import Functions, Memory, functions
from tests.mutation.mutants import Module, Mutant
from tests.mutation.placing import Instead, exchange, forget_project
from tests.mutation.reaching import Hearing, KillersFailError, reach_of
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
"""How many files of killers are collected at most where a mutant needs the project imported anew."""


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

    def try_mutant(self, mutant: Mutant, first: str = "") -> Verdict:
        """Try killers on a mutant until one kills it; one of the id `first` goes first."""
        anew = not mutant.unit.runs or (str(mutant.of.file), mutant.unit.name) in self.reach.at_import
        return self._tried_anew(mutant, first) if anew else self._tried_here(mutant, first)

    def _tried_here(self, mutant: Mutant, first: str) -> Verdict:
        file = str(mutant.of.file)
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
            return self._tried_anew(mutant, first)
        return _verdict(outcome)

    def _tried_anew(self, mutant: Mutant, first: str) -> Verdict:
        tests = in_order(self._near(mutant), self.reach.near(str(mutant.of.file)), self.seconds)
        if not tests:
            return Verdict(Status.UNREACHED, "", 0)
        tests = _with_first(tests, self._named(first))
        return _verdict(self.anew(tests, mutant.module, str(mutant.of.file), mutant.code()))

    def _near(self, mutant: Mutant) -> tuple[Killer, ...]:
        """Return the tests that may tell of a mutant that runs at import: those nearest to its module."""
        file = str(mutant.of.file)
        tests = self.reach.of(file, mutant.lines) if mutant.unit.runs else ()
        if not tests:
            users = [each for each in self.side.modules().values() if _imports(each, mutant.module)]
            near = (mutant.of.file, *users)
            tests = tuple(dict.fromkeys(test for each in near for test in self.reach.of_file(str(each))))
        shares = self.reach.shares(tests)
        own = f"test_{mutant.module.rpartition('.')[2]}.py"
        nearest = sorted(shares, key=lambda name: (Path(name).name != own, -shares[name], name))
        files = nearest[:FILES_ANEW]
        return tuple(test for test in tests if test.file in files)

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
                answer({"killed": "conftest.py", "tried": 0})
            raise HarnessError(f"pytest ended with {int(status)}")

        return in_child(work, WALL)

    def control(self) -> None:
        """Try both ways with nothing mutated, and with what must be fatal; HarnessError where either errs."""
        cheap = in_turns(self.reach.tests, 0.0)[:CONTROLS]
        name, file = next(iter(self.side.modules().items()))
        same = compile(file.read_text("utf-8"), str(file), "exec", dont_inherit=True)
        outcome = in_child(
            lambda answer: self._meet([(self.items[test.id], _limit(test)) for test in cheap], answer), WALL
        )
        if _verdict(outcome).status is not Status.SURVIVED:
            raise HarnessError(f"with nothing mutated: {outcome}")
        some = in_turns([test for test in cheap if test.file == cheap[0].file], 1.0)
        if _verdict(self.anew(some, name, str(file), same)).status is not Status.SURVIVED:
            raise HarnessError("imported anew with nothing mutated, a killer fails")
        fatal = compile("raise RuntimeError", str(file), "exec", dont_inherit=True)
        near = in_turns(self.reach.of_file(str(file)) or self.reach.tests, 1.0)
        if _verdict(self.anew(near, name, str(file), fatal)).status is not Status.KILLED:
            raise HarnessError("a module that cannot be imported is not noticed")

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
            return Verdict(Status.TIMEOUT, "the whole took too long", 0)
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
    harness = Harness(side, seconds, body)
    status = pytest.main([*OPTIONS, *side.killers], plugins=[harness])
    if harness.fault is not None:
        raise harness.fault
    if harness.session is None:
        told = "\n".join(harness.problems) or f"pytest ended with {int(status)}"
        raise KillersFailError(told)


def mutants_of(modules: Sequence[Module]) -> Iterator[Mutant]:
    """Yield the mutants of modules, one module after another."""
    for module in modules:
        yield from module.mutants
