"""The suite as pytest's items: one a frozen case or generated check, under the ids that `verify` gives them.

A failing item is told in the suite's words, not as a traceback. What is unsupported or left out is skipped
with its reason; what the ledger of known failures expects is an expected failure, and an entry for a case
that passes, or fails otherwise, is a failure. What only a whole run shows is left to `verify`: whether
generated cases reached what they have to, and whether entries of the ledger for generated cases are stale.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from schedule_cli.systems import BUILT_IN, TIMEOUT, handler
from schedule_conformance.adapters.smoke import CannotJudgeError
from schedule_conformance.adapters.streams import ChildProcess, Limits
from schedule_conformance.protocol.systems import GivenUpError, InProcess, System
from schedule_conformance.protocol.visible_text import visible
from schedule_conformance.rendering import failed_checks
from schedule_conformance.runs import docket as dockets
from schedule_conformance.runs import ledger
from schedule_conformance.runs.budgets import BUDGETS, DEFAULT_SEED
from schedule_conformance.runs.docket import CORE_FEATURES, Check, Docket
from schedule_conformance.runs.ledger import NOTHING_KNOWN, BrokenLedgerError, Ledger
from schedule_conformance.runs.results import Outcome, Result

if TYPE_CHECKING:
    from _pytest._code.code import ExceptionInfo, TerminalRepr

HOME = Path(dockets.__file__)
"""The module that holds the checks; pytest shows it as the file of every item."""


@dataclass(frozen=True, slots=True)
class Suite:
    """What is tried in a session: all that is to be asked of a system, and what is known to fail."""

    system: System
    docket: Docket
    known: Ledger


SUITE = pytest.StashKey[Suite]()


class BrokenError(Exception):
    """A check failed; the message tells it in full."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what a run depends on."""
    group = parser.getgroup("schedule", "Schedule, version 1: what is tried, and how much")
    group.addoption(
        "--sut",
        default="bundled",
        metavar="bundled|law|COMMAND",
        help="the implementation: bundled (default), law, or the command of an adapter, run without a shell",
    )
    group.addoption(
        "--sut-timeout",
        type=_seconds,
        default=TIMEOUT,
        metavar="SECONDS",
        help=f"how long an adapter may take for a reply (default {TIMEOUT:g})",
    )
    group.addoption(
        "--schedule-profile",
        choices=list(BUDGETS),
        default="default",
        help="how much is tried (default: default)",
    )
    group.addoption(
        "--schedule-seed",
        type=_seed,
        default=DEFAULT_SEED,
        metavar="N",
        help=f"of all generated cases (default {DEFAULT_SEED})",
    )
    group.addoption("--ledger", metavar="FILE", help="the ledger of known failures")


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError("no time to wait")
    return value


def _seed(text: str) -> int:
    value = int(text)
    if value < 0:
        raise ValueError("a seed is not negative")
    return value


# --- a session ---


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Greet the system; a wrong usage where it can't be judged, before anything is collected."""
    config = session.config
    known = _ledger(config)
    system = _system(config.getoption("sut"), config.getoption("sut_timeout"))
    budget = BUDGETS[config.getoption("schedule_profile")]
    try:
        asked = dockets.docket(system, budget, config.getoption("schedule_seed"))
    except (CannotJudgeError, GivenUpError) as problem:
        _close(system)
        raise pytest.UsageError(f"{system.name} cannot be judged: {visible(str(problem))}") from None
    config.stash[SUITE] = Suite(system, asked, known)
    config.add_cleanup(lambda: _close(system))


def _ledger(config: pytest.Config) -> Ledger:
    name = config.getoption("ledger")
    if name is None:
        return NOTHING_KNOWN
    try:
        return ledger.read(config.invocation_params.dir / name)
    except (BrokenLedgerError, OSError) as problem:
        raise pytest.UsageError(f"--ledger {name}: {problem}") from None


def _system(name: str, timeout: float) -> System:
    if name in BUILT_IN:
        return InProcess(name, handler(name))
    try:
        return ChildProcess(name, Limits(reply=timeout))
    except ValueError as problem:
        raise pytest.UsageError(f"--sut {name!r} cannot be split into words: {problem}") from None


def _close(system: System) -> None:
    if isinstance(system, ChildProcess):
        system.close()


def pytest_report_header(config: pytest.Config) -> str:
    """Say what is tried."""
    of = config.stash[SUITE].docket.circumstances
    who = of.implementation
    return visible(
        f"schedule-spec {of.suite}: {who.name} {who.version} ({who.language}), level {who.profile}; "
        f"seed {of.seed}, profile {of.budget}"
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect the checks where pytest comes by the module that holds them."""
    return Checks.from_parent(parent, path=file_path) if file_path == HOME else None


# --- items ---


class Checks(pytest.File):
    """All checks of the suite that the system can be asked."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield an item for each core feature, then one for each check."""
        suite = self.config.stash[SUITE]
        for core in CORE_FEATURES:
            yield CoreFeature.from_parent(self, name=f"feature/{'-or-'.join(core)}", any_of=core)
        for check in suite.docket.checks:
            yield CheckItem.from_parent(self, name=check.id, check=check)


class ToldItem(pytest.Item):
    """An item whose failure is told in the suite's words."""

    def repr_failure(  # type: ignore[override] # the words are all that is to be shown
        self, excinfo: "ExceptionInfo[BaseException]"
    ) -> "str | TerminalRepr":
        """Return the words of a broken clause; of any other exception what pytest makes of it."""
        if isinstance(excinfo.value, BrokenError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return the module that holds the checks, no line, and the check's id."""
        return self.path, None, self.name


class CoreFeature(ToldItem):
    """Whether the implementation has a feature without which it can't be held to the specification."""

    def __init__(self, *, any_of: tuple[str, ...], **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type] # pytest's own arguments, handed through
        self.any_of = any_of

    def runtest(self) -> None:
        """Fail where `hello` does not name it."""
        features = self.config.stash[SUITE].docket.circumstances.implementation.features
        if features.isdisjoint(self.any_of):
            raise BrokenError(
                f"The core feature {' or '.join(self.any_of)} is missing: hello does not name it."
            )


class CheckItem(ToldItem):
    """One check of the suite."""

    def __init__(self, *, check: Check, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type] # pytest's own arguments, handed through
        self.check = check

    def runtest(self) -> None:
        """Ask the system, and end as the check does."""
        suite = self.config.stash[SUITE]
        try:
            result = ledger.judged(suite.known, self.check.run())
        except GivenUpError as problem:
            self.session.shouldstop = visible(str(problem))
            raise BrokenError(visible(str(problem))) from None
        _end(suite, result)


def _end(suite: Suite, result: Result) -> None:
    """Raise what pytest takes for the outcome of a check."""
    stale = ledger.stale(suite.known, [result]) if result.frozen else ()
    match result.outcome:
        case Outcome.FAILED:
            raise BrokenError(visible(failed_checks.in_full(result, suite.docket.circumstances)))
        case _ if stale:
            raise BrokenError("\n".join(f"The ledger is stale: {visible(each.why)}" for each in stale))
        case Outcome.KNOWN:
            pytest.xfail(visible("; ".join(f"{met.clause} ({met.fault})" for met in result.met)))
        case Outcome.UNSUPPORTED | Outcome.LEFT_OUT:
            pytest.skip(visible(result.reason or result.outcome))
        case Outcome.PASSED:
            pass
