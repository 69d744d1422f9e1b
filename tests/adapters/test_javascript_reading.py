"""The reading in JavaScript, over standard streams: it is conformant, and broken it is caught."""

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from schedule_cli.verify import verify

NODE = shutil.which("node")
HERE = Path(__file__).parent / "javascript"

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not on this machine")


def verified(program: str, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Run `verify --json` on one of the programs; return its exit code and report."""
    command = shlex.join([NODE or "node", str(HERE / program), *arguments[:1]])
    sut = ["--sut", command, "--profile", "quick", "--json"]
    result = CliRunner().invoke(verify, [*sut, *arguments[1:]])
    report: dict[str, Any] = json.loads(result.stdout)
    return result.exit_code, report


def test_the_reading_is_conformant() -> None:
    code, report = verified("adapter.mjs")
    assert (report["failures"], code) == ([], 0)
    assert report["implementation"]["language"] == "JavaScript"
    assert report["executed"] > 5_000
    assert report["situations"], "live sessions were tried"


BROKEN = {
    "drifts": {"rate.anchor-aligned", "rate.next"},
    "escapes_beyond_ascii": {"text.json-string"},
    "accepts_unknown_offset": {"at.offset-range"},
    "accepts_version_as_text": {"change.version"},
    "skips_barriers": {"barrier.before-read"},
}


@pytest.mark.parametrize(("way", "clauses"), BROKEN.items(), ids=BROKEN)
def test_a_broken_reading_is_caught_under_its_clause(way: str, clauses: set[str]) -> None:
    narrowed = [argument for clause in sorted(clauses) for argument in ("--only", clause)]
    code, report = verified("broken.mjs", way, "--first", *narrowed)
    assert code == 1
    assert {failure["clause"] for failure in report["failures"]} <= clauses
    assert report["failures"]


def test_a_crash_is_no_rejection() -> None:
    code, report = verified("broken.mjs", "crashes_on_corrupt", "--first", "--only", "change.version")
    assert code == 1
    (failure,) = report["failures"]
    assert (failure["clause"], failure["fault"]) == ("change.version", "error")
