"""Hypothesis profiles for every test here, and what holds for all of them.

`dev` explores anew on each run and keeps a database; `ci` tries the same examples always; `ci-seeded`
explores from the seed that is passed as `--hypothesis-seed` (the gate derives it from the commit), so that
new ground is covered with each commit and a failure is replayed from the printed seed; `deep` is for long
budgets.
"""

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from schedule_conformance.frozen import vectors
from schedule_conformance.generators.steady import same_questions
from schedule_conformance.worlds import traces

SLOW_BUT_SOUND = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile("dev", deadline=None, print_blob=True)
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=SLOW_BUT_SOUND,
)
settings.register_profile(
    "ci-seeded", deadline=None, database=None, print_blob=True, suppress_health_check=SLOW_BUT_SOUND
)
settings.register_profile(
    "deep",
    deadline=None,
    database=None,
    print_blob=True,
    max_examples=5_000,
    stateful_step_count=100,
    suppress_health_check=SLOW_BUT_SOUND,
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_configure(config: pytest.Config) -> None:
    """Make examples independent of what was collected before, and texts of the terminal's width.

    A run that a shell put in the background ignores SIGINT, and so would every command that tests interrupt.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)
    steady = ExitStack()
    steady.enter_context(same_questions())
    config.add_cleanup(steady.close)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--no-skips`: the gate counts a skipped test as a failure, never as a pass."""
    parser.addoption("--no-skips", action="store_true", help="fail the run when any test was skipped")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Turn a passed run with skips into a failed one under `--no-skips`."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not session.config.getoption("--no-skips"):
        return
    skipped = reporter.stats.get("skipped", [])
    if skipped and exitstatus == pytest.ExitCode.OK:
        reporter.write_line(f"\n{len(skipped)} skipped, and --no-skips was given", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package's frozen cases in a folder of their own."""
    copy = tmp_path / "vectors"
    shutil.copytree(str(vectors.folder()), copy)
    monkeypatch.setattr(vectors, "folder", lambda: copy)
    monkeypatch.setattr(traces, "folder", lambda: copy / "worlds")
    yield copy
    vectors.read_anew()
    traces.files.cache_clear()
