"""`schedule-spec compare`: exit codes, what is shown, and files that are no reports."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.saboteurs import named

from schedule_cli.__main__ import main
from schedule_conformance.checks.exhaustive import Bounds
from schedule_conformance.law import law_adapter
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.rendering import report_json
from schedule_conformance.runs.budgets import Budget
from schedule_conformance.runs.running import run

TINY = Budget("tiny", 5, 1, 3, Bounds(1, 1))
CHECKS = frozenset({"hand-change-version-true", "hand-rate-at-target", "property/view"})


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The report of the law, and of a law that accepts any version."""
    folder = tmp_path_factory.mktemp("reports")
    loose = named("accepts_any_version").make()
    paths = (folder / "good.jsonl", folder / "bad.jsonl")
    for path, handle, seed in zip(paths, (law_adapter.handle, loose), (1, 2), strict=True):
        report = run(InProcess("x", handle), TINY, seed, checks=CHECKS)
        path.write_text(report_json.text(report))
    return paths


def compare(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


def test_a_new_failure_ends_with_1(reports: tuple[Path, Path]) -> None:
    good, bad = reports
    result = compare(good, bad)
    assert result.exit_code == 1, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == lines[-1] == "B has 1 failure that A has not."
    assert "Newly failing: 1" in lines
    assert "  hand-change-version-true: change.version (wrong-accept)" in lines
    assert "Ended otherwise: 1" in lines
    assert ["seed", "1", "2"] in [line.split() for line in lines]
    assert ["failed", "0", "1"] in [line.split() for line in lines]
    assert not [line for line in lines if line != line.rstrip()]


def test_what_is_fixed_ends_with_0(reports: tuple[Path, Path]) -> None:
    good, bad = reports
    result = compare(bad, good)
    assert result.exit_code == 0
    assert "Fixed: 1" in result.stdout
    assert result.stdout.startswith("B has no failure that A has not; 1 fixed, 1 ended otherwise.")


def test_a_run_beside_itself_ends_with_0(reports: tuple[Path, Path]) -> None:
    result = compare(reports[1], reports[1])
    assert result.exit_code == 0
    assert result.stdout.startswith("B has no failure that A has not, and all that both tried ended alike.")


def test_json_has_it_all(reports: tuple[Path, Path]) -> None:
    told = json.loads(compare(*reports, "--json").stdout)
    assert told["new"] == [
        {"case": "hand-change-version-true", "clause": "change.version", "fault": "wrong-accept"}
    ]
    assert told["counts"]["failed"] == {"first": 0, "second": 1}
    assert told["runs"]["seed"] == {"first": 1, "second": 2}
    assert [each["id"] for each in told["changed"]] == ["hand-change-version-true"]


def test_a_file_that_is_cut_ends_with_3(reports: tuple[Path, Path], tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_text(reports[0].read_text()[:-40])
    result = compare(reports[0], cut)
    assert result.exit_code == 3
    assert f"{cut} is no whole report: line" in result.stderr
    assert compare(reports[0], tmp_path / "none.jsonl").exit_code == 2
