"""The suite under pytest, as others run it: by its package's name, in a process and a folder of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from schedule_conformance.runs.ledger import frozen_ids

ADAPTER = """
import sys
import time

from schedule_cli.adapter import serve
from schedule_conformance.law import law_adapter

FAULT = sys.argv[1]


def handle(request):
    reply = law_adapter.handle(request)
    match FAULT, request["cmd"]:
        case "reverses", "fold" if "result" in reply:
            reply["result"]["active"].reverse()
        case "lacks-decode", "hello":
            reply["result"]["features"].remove("decode")
        case "lacks-due", "hello":
            reply["result"]["features"].remove("due")
        case "lacks-due", "due":
            return {"seq": request["seq"], "unsupported": {"feature": "due"}}
        case "hangs", "fold" if len(request["events"]) > 1:
            time.sleep(60)
    return reply


serve(handle, sys.stdin.buffer, sys.stdout.buffer)
"""

QUICK = ("--schedule-profile", "quick")


def run(
    folder: Path, *arguments: str, package: str = "schedule_conformance"
) -> subprocess.CompletedProcess[str]:
    """Run pytest with the suite in a folder that has nothing to do with it."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "--pyargs", package, *QUICK, "-rA", *arguments],
        cwd=folder,
        env={**clean, "COLUMNS": "200"},
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture
def sut(tmp_path: Path) -> str:
    """The command of an adapter that lacks only the name of its fault."""
    (tmp_path / "adapter.py").write_text(ADAPTER)
    return f"{sys.executable} adapter.py"


def ended(done: subprocess.CompletedProcess[str], outcome: str) -> list[str]:
    """The items that ended in some way, as the short summary lists them."""
    return re.findall(rf"^{outcome} runs/docket\.py::(\S+)", done.stdout, re.MULTILINE)


def test_without_a_system_the_bundled_one_is_tried_in_any_folder(tmp_path: Path) -> None:
    done = run(tmp_path, "-k", "hand-fold or frame-one-shots")
    assert done.returncode == 0, done.stdout
    assert "schedule_impl" in done.stdout
    assert "seed 20260101, profile quick" in done.stdout
    passed = ended(done, "PASSED")
    assert "vector/hand-fold-create" in passed
    assert "property/frame-one-shots" in passed
    assert len(passed) > 10
    assert all("hand-fold" in item or "frame-one-shots" in item for item in passed)


def test_a_failure_is_told_in_words_and_not_as_a_traceback(tmp_path: Path, sut: str) -> None:
    done = run(tmp_path, "--sut", f"{sut} reverses", "-k", "hand-fold-keeps-place or hand-decode")
    assert done.returncode == 1
    assert ended(done, "FAILED") == ["vector/hand-fold-keeps-place"]
    (told,) = re.findall(
        r"^_+ vector/hand-fold-keeps-place _+\n(.*?)^=", done.stdout, re.MULTILINE | re.DOTALL
    )
    assert told.startswith("fold.order (wrong-value)\n")
    for heading in ("asked", "allowed", "came", "replay"):
        assert re.search(f"^{heading} ", told, re.MULTILINE)
    assert f"--sut '{sut} reverses'" in told
    assert "Traceback" not in done.stdout
    assert "pytest_suite.py" not in told


def ledger(folder: Path, case: str, fault: str) -> None:
    (folder / "ledger.toml").write_text(
        'format = "schedule-spec-ledger-1"\n\n[[known]]\n'
        f'case = "{case}"\nclause = "fold.order"\nfaults = ["{fault}"]\nkind = "bug"\nlink = "the issue"\n'
    )


def test_a_known_failure_is_expected(tmp_path: Path, sut: str) -> None:
    ledger(tmp_path, "hand-fold-keeps-place", "wrong-value")
    done = run(tmp_path, "--sut", f"{sut} reverses", "--ledger", "ledger.toml", "-k", "hand-fold-keeps-place")
    assert done.returncode == 0, done.stdout
    assert ended(done, "XFAIL") == ["vector/hand-fold-keeps-place"]
    assert "fold.order (wrong-value)" in done.stdout


def test_a_known_failure_that_is_another_or_none_fails(tmp_path: Path, sut: str) -> None:
    ledger(tmp_path, "hand-fold-keeps-place", "wrong-rejection")
    other = run(
        tmp_path, "--sut", f"{sut} reverses", "--ledger", "ledger.toml", "-k", "hand-fold-keeps-place"
    )
    assert other.returncode == 1
    ledger(tmp_path, "hand-fold-keeps-place", "wrong-value")
    passing = run(tmp_path, "--sut", "law", "--ledger", "ledger.toml", "-k", "hand-fold-keeps-place")
    assert passing.returncode == 1
    assert "The ledger is stale" in passing.stdout


def test_what_is_unsupported_or_left_out_is_skipped_with_its_reason(tmp_path: Path, sut: str) -> None:
    done = run(tmp_path, "--sut", f"{sut} lacks-due", "-k", "hand-due or earlier-level")
    assert done.returncode == 0, done.stdout
    assert re.search(r"^SKIPPED .*does not support due$", done.stdout, re.MULTILINE)
    assert re.search(r"^SKIPPED .*of level v1-after; the implementation is of v1$", done.stdout, re.MULTILINE)
    assert ended(done, "FAILED") == []


def test_a_missing_core_feature_fails(tmp_path: Path, sut: str) -> None:
    done = run(tmp_path, "--sut", f"{sut} lacks-decode", "-k", "feature/")
    assert done.returncode == 1
    assert ended(done, "FAILED") == ["feature/decode"]
    assert ended(done, "PASSED") == ["feature/fold", "feature/create-or-tools"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--sut", f"{sys.executable} -c 0"], "cannot be judged"),
        (["--sut", "no-such-program --x"], "cannot be judged"),
        (["--sut", ""], "cannot be split into words"),
        (["--ledger", "missing.toml"], "missing.toml"),
        (["--sut-timeout", "nan"], "sut-timeout"),
    ],
)
def test_what_can_not_be_tried_is_a_wrong_usage(tmp_path: Path, arguments: list[str], words: str) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert words in done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_an_adapter_that_hangs_again_and_again_ends_the_session(tmp_path: Path, sut: str) -> None:
    done = run(tmp_path, "--sut", f"{sut} hangs", "--sut-timeout", "0.5", "-k", "hand-fold")
    assert done.returncode != 0
    assert 1 <= len(ended(done, "FAILED")) <= 4
    assert "stopping" in done.stdout or "Interrupted" in done.stdout
    assert "late" in done.stdout


def test_the_ids_are_the_same_in_every_worker(tmp_path: Path) -> None:
    done = run(tmp_path, "--numprocesses", "2", "-k", "hand-fold-create or hand-fold-delete")
    assert done.returncode == 0, done.stdout
    assert set(ended(done, "PASSED")) >= {"vector/hand-fold-create", "vector/hand-fold-delete"}


def test_one_case_can_be_named(tmp_path: Path) -> None:
    done = run(tmp_path, package="schedule_conformance.runs.docket::vector/hand-fold-create")
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_the_page_names_options_and_cases_that_there_are(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "pytest.md").read_text(encoding="utf-8")
    named = set(re.findall(r"vector/([a-z0-9-]+[a-z0-9])", page))
    assert named
    assert named <= frozen_ids()
    helped = run(tmp_path, "--help").stdout
    rows = re.findall(r"^\| `(--[a-z-]+)", page, re.MULTILINE)
    assert len(rows) == 5
    assert all(f"  {option}" in helped for option in rows)


def test_other_sessions_are_left_alone(tmp_path: Path) -> None:
    """Another project may have options of the same names, and pays nothing for the suite being installed."""
    (tmp_path / "conftest.py").write_text(
        "def pytest_addoption(parser):\n    parser.addoption('--sut')\n    parser.addoption('--ledger')\n"
    )
    (tmp_path / "test_own.py").write_text(
        "import sys\n\n\ndef test_own(request):\n"
        "    assert request.config.getoption('--sut') == 'mine'\n"
        "    assert not {'schedule_conformance', 'schedule_spec', 'schedule_impl'} & sys.modules.keys()\n"
    )
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--sut", "mine", "test_own.py"],
        cwd=tmp_path,
        env=clean,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "schedule-spec 0" not in done.stdout
