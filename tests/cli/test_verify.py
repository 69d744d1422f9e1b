"""`schedule-spec verify`: exit codes, what is shown, files, the ledger, and failures told in words."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from schedule_cli import systems
from schedule_cli.__main__ import main
from schedule_cli.output import ExitCode
from schedule_cli.verify import verify
from schedule_conformance.checks.exhaustive import Bounds
from schedule_conformance.law import law_adapter
from schedule_conformance.protocol.messages import problems
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.runs.budgets import BUDGETS, Budget
from schedule_spec.register import CLAUSES

SMALL = Budget("quick", 20, 2, 5, Bounds(1, 1))
QUICK = ("--profile", "quick")
NEARLY_VALID = "property/decode-nearly-valid-changes"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run small enough for tests that aren't about how much is tried."""
    monkeypatch.setitem(BUDGETS, "quick", SMALL)


def lenient(request: dict[str, Any]) -> dict[str, Any]:
    """The law, but `true` passes for version 1."""
    change = request.get("change")
    if isinstance(change, dict) and change.get("version") is True:
        return {"seq": request["seq"], "result": {"change": {**change, "version": 1}}}
    return law_adapter.handle(request)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, small: None) -> None:
    """The bundled implementation breaks change.version, and little is tried."""
    monkeypatch.setattr(systems, "bundled", lambda: InProcess("bundled", lenient))


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(verify, list(arguments))


def test_the_law_is_conformant() -> None:
    result = invoke("--sut", "law", *QUICK)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == lines[-1]
    assert lines[0].startswith("Conformant: the law")
    assert re.search(r"^all +134 ", result.stdout, re.MULTILINE)
    assert "Reach: generated cases were rejected under" in result.stdout
    assert "rate.latest-due" not in result.stdout, "clauses are shown by --table alone"
    assert not [line for line in lines if line != line.rstrip()]
    assert "\x1b" not in result.stdout
    assert result.stderr == ""


@pytest.mark.usefixtures("small")
def test_the_table_has_every_clause() -> None:
    result = invoke("--sut", "law", *QUICK, "--only-case", "hand-change-version-true", "--table")
    assert result.exit_code == 0, result.output
    shown = [line.split()[0] for line in result.stdout.splitlines() if re.match(r"[a-z]+\.[a-z]", line)]
    assert shown == [clause.id for clause in CLAUSES]
    assert not [line for line in result.stdout.splitlines() if line != line.rstrip()]


@pytest.mark.usefixtures("small")
def test_json_is_one_object_with_every_clause() -> None:
    result = invoke("--sut", "law", *QUICK, "--json", "--only", "rate.next")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert problems("report#/$defs/report", report) == []
    assert report["verdict"] == "conformant"
    assert report["executed"] == report["passed"] > 0
    assert [row["clause"] for row in report["clauses"]] == [clause.id for clause in CLAUSES]
    remarks = {row["clause"]: row["remark"] for row in report["clauses"]}
    assert remarks["owner.dispose"] == "no live sessions tried"
    assert remarks["view.state"] == "not tried"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--sut", "no-such-command adapter.js"], "no-such-command"),
        (["--sut", "/"], "'/' is a directory"),
        (["--only", "ratee"], "Did you mean rate"),
        (["--only", "decode"], "areas to the test: change, id"),
        (["--only", "rate.nxt"], "rate.next"),
        (["--only-case", "hand-change-version-ture"], "hand-change-version-true"),
        (["--seed", "x"], "--seed"),
        (["--profile", "slow"], "--profile"),
        (["--update-ledger"], "--ledger FILE"),
        (["--ledger", "no/such/folder/ledger.toml"], "no folder"),
        (["--jsonl", "no/such/folder/report.jsonl"], "no folder"),
        (["--ledger", "no-such-ledger.toml"], "cannot be read"),
    ],
)
def test_wrong_usage_ends_with_2(arguments: list[str], words: str) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 2, result.output
    assert words in " ".join(result.stderr.split())


@pytest.mark.usefixtures("small")
def test_cases_of_other_zone_data_are_said_to_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def of_no_release(request: dict[str, Any]) -> dict[str, Any]:
        reply = law_adapter.handle(request)
        if request["cmd"] == "hello":
            del reply["result"]["tzdata"]
        return reply

    monkeypatch.setattr(systems, "bundled", lambda: InProcess("bundled", of_no_release))
    result = invoke(*QUICK, "--only", "local.unique", "--only", "zone.names")
    assert result.exit_code in (0, 3), result.output
    assert re.search(r"Left out: [1-9]\d* cases: .*zone data", " ".join(result.stdout.split()))


@pytest.mark.usefixtures("small")
def test_nothing_executed_ends_with_3_and_says_why() -> None:
    result = invoke("--sut", "law", *QUICK, "--only", "deliver.meaning", "--json")
    assert result.exit_code == 3
    assert "Could not judge: no case was executed.\n  deliver.meaning: no run shows it" in result.stderr
    told = json.loads(result.stdout)
    assert problems("report#/$defs/unjudged", told) == []
    assert "deliver.meaning" in told["summary"]


@pytest.mark.usefixtures("broken")
def test_a_violation_is_told_in_words() -> None:
    result = invoke(*QUICK, "--only", "change.version")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == lines[-1]
    assert lines[0].endswith("breaks change.version.")
    text = " ".join(result.stdout.split())
    assert "change.version (wrong-accept) `version` is the number 1; anything else is rejected." in text
    assert '"version": true' in text
    assert "allowed a rejection as corrupt_schedule_log, because" in text
    assert "replay schedule-spec verify --sut bundled --only-case hand-change-version-true" in text
    assert re.search(r"broken clause +failed how +first met in change\.version +\d+ +wrong-accept", text)


@pytest.mark.usefixtures("broken")
def test_the_first_failure_is_enough() -> None:
    result = invoke(*QUICK, "--first", "--json")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert report["failed"] == len(report["failures"]) == 1
    assert report["stopped"] == "Stopped at the first failure."


@pytest.mark.usefixtures("broken")
def test_one_case_is_tried_alone() -> None:
    good = invoke(*QUICK, "--only-case", "hand-change-version-two", "--json")
    bad = invoke(*QUICK, "--only-case", "hand-change-version-true", "--json")
    assert (good.exit_code, bad.exit_code) == (0, 1)
    assert json.loads(good.stdout)["executed"] == json.loads(bad.stdout)["executed"] == 1


@pytest.mark.usefixtures("broken")
def test_each_failure_is_kept_in_a_file_that_can_be_replayed(tmp_path: Path) -> None:
    folder = tmp_path / "failures"
    result = invoke(*NARROW, "--failures", str(folder))
    assert result.exit_code == 1
    files = sorted(folder.iterdir())
    assert folder / "hand-change-version-true.json" in files
    kept = json.loads((folder / "hand-change-version-true.json").read_text())
    assert kept["violation"]["clause"] == "change.version"
    text = "".join(result.stdout.split())
    assert "".join(f"schedule-spec replay {folder}".split()) in text
    again = CliRunner().invoke(main, ["replay", str(files[0])])
    assert again.exit_code == 1, again.output


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("kept", [True, False])
def test_how_to_keep_failures_is_said_where_they_are_not_kept(kept: bool, tmp_path: Path) -> None:
    result = invoke(*NARROW, *(["--failures", str(tmp_path / "failures")] if kept else []))
    assert result.exit_code == 1
    assert ("To keep each failure" in result.stdout) is not kept


def test_failures_that_could_not_be_kept_are_refused_before_anything_is_tried(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = invoke("--sut", "law", *NARROW, "--failures", str(tmp_path / "file" / "failures"))
    assert result.exit_code == 2
    assert "is no folder" in " ".join(result.stderr.replace("│", "").split())
    assert result.stdout == ""


@pytest.mark.usefixtures("small")
def test_nothing_is_written_unless_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "failures"
    result = invoke("--sut", "law", *NARROW, "--failures", str(folder))
    assert result.exit_code == 0, result.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("broken")
def test_reports_are_written_where_they_are_asked_for(tmp_path: Path) -> None:
    paths = {name: tmp_path / f"report.{name}" for name in ("jsonl", "junit", "html")}
    options = [word for name, path in paths.items() for word in (f"--{name}", str(path))]
    result = invoke(*NARROW, *options)
    assert result.exit_code == 1, result.output
    lines = [json.loads(line) for line in paths["jsonl"].read_text().splitlines()]
    assert [line["type"] for line in (lines[0], lines[-1])] == ["run", "end"]
    assert paths["junit"].read_text().startswith("<?xml")
    assert "change.version" in paths["html"].read_text()


# --- the ledger ---


NARROW = (*QUICK, "--only-case", "hand-change-version-true", "--only-case", NEARLY_VALID)


def with_ledger(book: Path, *more: str) -> Result:
    return invoke(*NARROW, "--ledger", str(book), *more)


@pytest.mark.usefixtures("broken")
def test_a_ledger_is_written_and_then_the_failures_are_known(tmp_path: Path) -> None:
    book = tmp_path / "known.toml"
    written = with_ledger(book, "--update-ledger")
    assert written.exit_code == 0, written.output
    assert re.search(r"[1-9]\d* new entries, 0 changed, 0 gone", written.stderr)
    assert "unreviewed" in written.stderr
    text = book.read_text()
    assert 'case = "hand-change-version-true"' in text

    known = with_ledger(book, "--json")
    assert known.exit_code == 0
    report = json.loads(known.stdout)
    assert report["verdict"] == "conformant"
    assert report["failed"] == 0
    assert report["known"] > 0
    assert report["executed"] == report["passed"] + report["known"]
    assert all(failure["known"] for failure in report["failures"])
    shown = with_ledger(book).stdout
    assert re.search(r"Known: \d+ failures, as the ledger says, of change\.version\.", shown)

    assert with_ledger(book, "--update-ledger").exit_code == 0
    assert book.read_text() == text, "what is up to date stays as it is"


def test_a_ledger_of_what_passes_is_stale(tmp_path: Path, small: None) -> None:
    book = tmp_path / "known.toml"
    book.write_text(LEDGER)
    result = with_ledger(book, "--sut", "law")
    assert result.exit_code == 4, result.output
    assert "Stale in the ledger: hand-change-version-true: it passes." in result.stdout
    assert result.stdout.startswith("Stale: 1 entry of the ledger does not say what came; else the law")


@pytest.mark.usefixtures("broken")
def test_a_failure_of_another_kind_than_the_ledger_says_is_a_violation(tmp_path: Path) -> None:
    book = tmp_path / "known.toml"
    book.write_text(LEDGER.replace("wrong-accept", "wrong-code"))
    result = with_ledger(book)
    assert result.exit_code == 1
    stale = (
        "Stale in the ledger: hand-change-version-true: it fails otherwise: change.version (wrong-accept)."
    )
    assert stale in " ".join(result.stdout.split())


def never_overdue_and_local(request: dict[str, Any]) -> dict[str, Any]:
    """The law, but nothing is ever overdue, and of what is not the delivery mode is told otherwise."""
    reply = law_adapter.handle(request)
    view = reply.get("result", {}).get("view") if request["cmd"] == "view" else None
    if isinstance(view, dict):
        if view["state"] == "overdue":
            view["state"] = "scheduled"
        else:
            view["deliveryMode"] = "local"
    return reply


def test_a_known_failure_hides_no_other_one(
    tmp_path: Path, small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(systems, "bundled", lambda: InProcess("bundled", never_overdue_and_local))
    narrowed = (*QUICK, "--only-case", "property/view", "--json")
    found = json.loads(invoke(*narrowed).stdout)
    met = {each["clause"]: each["fault"] for check in found["checks"] for each in check["broken"]}
    assert len(met) == 2
    for known, fault in met.items():
        book = tmp_path / f"{known}.toml"
        book.write_text(
            f'format = "schedule-spec-ledger-1"\n\n[[known]]\nclause = "{known}"\n'
            f'faults = ["{fault}"]\nkind = "bug"\nlink = ""\n'
        )
        result = invoke(*narrowed, "--ledger", str(book))
        assert result.exit_code == 1, result.output
        report = json.loads(result.stdout)
        standing = {row["clause"]: row["standing"] for row in report["clauses"]}
        (other,) = met.keys() - {known}
        assert (standing[known], standing[other]) == ("known", "broken")
        assert other in report["summary"]
        assert {each["clause"]: each["known"] for each in report["failures"]} == {known: True, other: False}


@pytest.mark.parametrize("option", ["--jsonl", "--junit", "--html"])
@pytest.mark.parametrize("file", ["/dev/full", "/proc/x"])
def test_a_report_that_cannot_be_written_is_named_after_the_verdict(option: str, file: str) -> None:
    result = invoke("--sut", "law", *QUICK, "--only-case", "hand-change-version-true", option, file)
    assert result.exit_code == 3, result.output
    assert result.stdout.startswith("Conformant")
    assert f"{file} could not be written: " in result.stderr


def test_a_broken_ledger_is_wrong_usage(tmp_path: Path) -> None:
    book = tmp_path / "known.toml"
    book.write_text(LEDGER.replace("hand-change-version-true", "hand-change-version-ture"))
    result = invoke("--sut", "law", "--ledger", str(book))
    assert result.exit_code == 2
    told = " ".join(result.stderr.split())
    assert "line 3: this suite has no frozen case 'hand-change-version-ture'" in told
    assert "did you mean hand-change-version-true" in told


LEDGER = """format = "schedule-spec-ledger-1"

[[known]]
case = "hand-change-version-true"
clause = "change.version"
faults = ["wrong-accept"]
kind = "bug"
link = "https://example.org/1"
"""


def test_a_closed_pipe_is_no_violation() -> None:
    command = [sys.executable, "-m", "schedule_cli", "verify", *QUICK, "--only-case", "hand-rate-at-target"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        process.wait()
    assert process.returncode == ExitCode.PIPE_CLOSED


RUN = """
import re, sys
from schedule_cli.__main__ import main
from schedule_conformance.runs.budgets import BUDGETS, Budget
from schedule_conformance.checks.exhaustive import Bounds
from schedule_conformance.worlds.trying import WorldBudget
BUDGETS["quick"] = Budget("quick", 10, 2, 5, Bounds(1, 1), WorldBudget(2, 10, 100))
names = ["hand-rate-at-target", "machine/logs", "property/create-wall-times", "machine/worlds", "walk/worlds"]
chosen = [word for name in names for word in ("--only-case", name)]
main(["verify", "--sut", "law", "--profile", "quick", "--jsonl", sys.argv[1], *chosen])
"""


def test_two_runs_show_the_same_to_the_byte_but_for_times(tmp_path: Path) -> None:
    def once(hash_seed: str) -> tuple[str, str]:
        path = tmp_path / f"{hash_seed}.jsonl"
        command = [sys.executable, "-c", RUN, str(path)]
        environment = {"PYTHONHASHSEED": hash_seed, "PATH": "", "LC_ALL": "C.UTF-8", "COLUMNS": "100"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        shown = re.sub(r"^Took \S+ s\.$", "", done.stdout, flags=re.MULTILINE)
        return shown, re.sub(r', "seconds": [0-9.]+\}$', "}", path.read_text(), flags=re.MULTILINE)

    assert once("1") == once("2")
