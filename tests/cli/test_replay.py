"""`schedule-spec replay`: the same violation, another one, or none, with the exit code of each."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.conformance.worlds.test_trying import broken, of_frozen
from tests.saboteurs import named

from schedule_cli import systems
from schedule_cli.__main__ import main
from schedule_cli.verify import verify
from schedule_conformance.checks.exhaustive import Bounds
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.runs.budgets import BUDGETS, Budget
from schedule_conformance.worlds import traces
from schedule_conformance.worlds.traces import Trace
from schedule_conformance.worlds.trying import WorldBudget
from schedule_spec.delivery import Violation

FAULT = "deletes_without_an_event"


@pytest.fixture(scope="module")
def trace() -> Trace:
    found = of_frozen(broken(FAULT)).found[0]
    return found.trace


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bundled implementation is a broken one."""
    handle = named(FAULT).make()
    monkeypatch.setattr(systems, "bundled", lambda: InProcess("bundled", handle))


def replayed(trace: Trace, folder: Path, *arguments: str) -> Result:
    path = folder / "trace.json"
    path.write_text(traces.text(trace), encoding="ascii")
    return CliRunner().invoke(main, ["replay", str(path), *arguments])


@pytest.mark.usefixtures("faulty")
def test_the_same_violation(trace: Trace, tmp_path: Path) -> None:
    result = replayed(trace, tmp_path)
    assert result.exit_code == 1, result.output
    assert len(trace.steps) <= 4
    assert f"{len(trace.steps)} of {len(trace.steps)} steps asked of bundled." in result.stdout
    assert result.stdout.splitlines()[-1] == "The same violation: tool.delete-active."
    for word in ("asked", "broken", "allowed", "came"):
        assert f"\n  {word}" in result.stdout


@pytest.mark.usefixtures("faulty")
def test_another_violation(trace: Trace, tmp_path: Path) -> None:
    other = replace(trace, violation=Violation("due.batch", "Otherwise."))
    result = replayed(other, tmp_path)
    assert result.exit_code == 1
    expected = "Another violation: tool.delete-active; the file says due.batch."
    assert result.stdout.splitlines()[-1] == expected


def test_no_violation(trace: Trace, tmp_path: Path) -> None:
    result = replayed(trace, tmp_path, "--sut", "law")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "No violation; the file says tool.delete-active."
    quiet = replayed(replace(trace, violation=None), tmp_path)
    assert quiet.exit_code == 0
    assert quiet.stdout.splitlines()[-1] == "No violation."


@pytest.mark.usefixtures("faulty")
def test_json_is_the_new_trace(trace: Trace, tmp_path: Path) -> None:
    result = replayed(trace, tmp_path, "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert told["outcome"] == "same"
    assert traces.from_json(told["trace"]).violation == trace.violation


def test_what_cannot_be_judged_ends_with_3(trace: Trace, tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    path.write_text('{"format": 1}', encoding="ascii")
    result = CliRunner().invoke(main, ["replay", str(path)])
    assert result.exit_code == 3
    assert "holds no trace" in result.stderr
    earlier = replace(trace, terms=replace(trace.terms, profile=type(trace.terms.profile)("v1-after")))
    result = replayed(earlier, tmp_path)
    assert result.exit_code == 3
    assert "the trace is of level v1-after, the system of v1" in result.stderr


def test_wrong_usage_ends_with_2(trace: Trace, tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["replay", str(tmp_path / "absent.json")]).exit_code == 2
    result = replayed(trace, tmp_path, "--sut", "other")
    assert result.exit_code == 2
    assert "neither bundled nor law" in " ".join(result.stderr.split())


@pytest.mark.usefixtures("faulty")
def test_verify_writes_what_replay_reads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small = Budget("quick", 1, 1, 1, Bounds(1, 1), WorldBudget(0, 0, 200))
    monkeypatch.setitem(BUDGETS, "quick", small)
    folder = tmp_path / "traces"
    arguments = ["--profile", "quick", "--only-case", "walk/worlds", "--failures", str(folder)]
    result = CliRunner().invoke(verify, [*arguments, "--only", "tool.delete-active"])
    assert result.exit_code == 1, result.output
    (written,) = folder.iterdir()
    text = " ".join(result.stdout.split())
    assert "tool.delete-active (unexpected)" in text
    assert "schedule-spec replay" in text
    again = CliRunner().invoke(main, ["replay", str(written)])
    assert again.exit_code == 1
    assert "The same violation: tool.delete-active." in again.stdout
