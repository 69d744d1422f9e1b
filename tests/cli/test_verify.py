"""`schedule-spec verify`: exit codes, the table, JSON, and failures told in words."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from schedule_cli import systems
from schedule_cli.output import ExitCode
from schedule_cli.verify import verify
from schedule_conformance import law_adapter, reporting
from schedule_conformance.exhaustive import Bounds
from schedule_conformance.running import BUDGETS, Budget, ClauseCount, run
from schedule_conformance.systems import InProcess
from schedule_spec.register import CLAUSES

SMALL = Budget("quick", 20, 2, 5, Bounds(1, 1))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run small enough for tests that aren't about how much is tried."""
    monkeypatch.setitem(BUDGETS, "quick", SMALL)


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(verify, list(arguments))


def test_the_law_is_conformant() -> None:
    result = invoke("--sut", "law", "--profile", "quick")
    assert result.exit_code == 0, result.output
    last = result.stdout.strip().splitlines()[-1]
    assert last.startswith("Conformant: the law")
    assert "rate.latest-due" in result.stdout
    assert "Reach: generated cases were rejected under" in result.stdout
    assert "local.overlap-first" in result.stdout
    assert result.stderr == ""


@pytest.mark.usefixtures("small")
def test_json_is_one_object_with_every_clause() -> None:
    result = invoke("--sut", "law", "--profile", "quick", "--json", "--only", "rate.next")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["verdict"] == "conformant"
    assert report["executed"] == report["passed"] > 0
    assert {row["clause"] for row in report["clauses"]} > {"rate.next", "text.trim"}
    remarks = {row["clause"]: row["remark"] for row in report["clauses"]}
    assert remarks["owner.dispose"]
    assert remarks["view.state"] == "not tried"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--sut", "node adapter.js"], "only law and bundled"),
        (["--only", "rate.nxt"], "rate.next"),
        (["--seed", "x"], "--seed"),
        (["--profile", "slow"], "--profile"),
    ],
)
def test_wrong_usage_ends_with_2(arguments: list[str], words: str) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr


@pytest.mark.usefixtures("small")
def test_cases_of_other_zone_data_are_said_to_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def of_no_release(request: dict[str, Any]) -> dict[str, Any]:
        reply = law_adapter.handle(request)
        if request["cmd"] == "hello":
            del reply["result"]["tzdata"]
        return reply

    monkeypatch.setattr(systems, "bundled", lambda: InProcess("bundled", of_no_release))
    result = invoke("--profile", "quick", "--only", "local.unique", "--only", "zone.names")
    assert result.exit_code in (0, 3), result.output
    text = " ".join(result.stdout.split())
    assert "cases of other zone data; hello says no release of the zone data." in text
    assert "Left out: 0" not in text


@pytest.mark.usefixtures("small")
def test_nothing_executed_ends_with_3() -> None:
    result = invoke("--sut", "law", "--profile", "quick", "--only", "owner.dispose")
    assert result.exit_code == 3
    assert "Could not judge: no case was executed" in result.stderr


@pytest.mark.usefixtures("small")
def test_a_violation_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def lenient(request: dict[str, Any]) -> dict[str, Any]:
        change = request.get("change")
        if isinstance(change, dict) and change.get("version") is True:
            return {"seq": request["seq"], "result": {"change": {**change, "version": 1}}}
        return law_adapter.handle(request)

    monkeypatch.setattr(systems, "bundled", lambda: InProcess("bundled", lenient))
    result = invoke("--profile", "quick", "--only", "change.version")
    assert result.exit_code == 1
    text = " ".join(result.stdout.split())
    assert "change.version (wrong-accept) `version` is the number 1; anything else is rejected." in text
    assert '"version": true' in text
    assert "a rejection as corrupt_schedule_log, because" in text
    assert "schedule-spec verify --sut bundled --seed 20260101 --profile quick --only change.version" in text
    assert text.splitlines()[-1].endswith("breaks change.version.")


@pytest.mark.usefixtures("small")
def test_only_shows_the_clauses_of_an_area_alone() -> None:
    shown = invoke("--sut", "law", "--profile", "quick", "--only", "rate").stdout
    rows = [line.split()[0] for line in shown.splitlines() if re.match(r"[a-z]+\.[a-z-]+ +\S+ +\S+ +·", line)]
    assert rows == [clause.id for clause in CLAUSES if clause.area == "rate"]


def test_a_closed_pipe_is_no_violation() -> None:
    command = [sys.executable, "-m", "schedule_cli", "verify", "--profile", "quick", "--only", "rate.skip"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        process.wait()
    assert process.returncode == ExitCode.PIPE_CLOSED


def test_a_row_says_how_many_of_its_cases_failed_elsewhere() -> None:
    count = ClauseCount("rate.next", cases=5, passed=2, failed=1, unsupported=0)
    report = replace(run(InProcess("law", law_adapter.handle), SMALL, 1), clauses=(count,))
    (row,) = [row for row in reporting.rows(report) if row.clause == "rate.next"]
    assert row.remark == "2 failed under another clause"
