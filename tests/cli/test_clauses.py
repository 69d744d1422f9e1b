"""The command's group, and its command `clauses`."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType

import click
import pytest
from click.testing import CliRunner, Result

from schedule_cli.__main__ import COMMANDS, Entry, main
from schedule_cli.output import ExitCode
from schedule_spec.register import AREAS, CLAUSES, Subject, clause

KEYS = {
    "id",
    "area",
    "title",
    "sentence",
    "revision",
    "fingerprint",
    "rationale",
    "note",
    "sources",
    "decided",
    "profiles",
    "subject",
    "reason",
    "implied_by",
    "status",
}


def run(*arguments: str, env: dict[str, str] | None = None, color: bool = False) -> Result:
    return CliRunner(env=env).invoke(main, arguments, prog_name="schedule-spec", color=color)


def child(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "schedule_cli", *arguments]
    return subprocess.run(command, capture_output=True, check=False, env=os.environ | environment)


# -- the group


def test_help_lists_the_commands_and_the_exit_codes() -> None:
    ended = run("--help")
    assert ended.exit_code == 0
    for name, entry in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(entry.summary)}$", ended.output, re.MULTILINE)
    for code in ("0  sound", "1  a violation", "2  wrong usage", "3  could not judge", "4  the ledger"):
        assert f"\n    {code}" in ended.output


@pytest.mark.parametrize("arguments", [["--help"], ["clauses"], ["clauses", "--json"]])
def test_start_imports_nothing_heavy(arguments: list[str]) -> None:
    heavy = ["icontract", "hypothesis", "rich", "msgspec", "jsonschema", "zstandard", "schedule_impl"]
    code = (
        "import sys\nfrom schedule_cli.__main__ import main\n"
        f"try:\n    main({arguments})\n"
        f"finally:\n    sys.stderr.write(str([name for name in {heavy} if name in sys.modules]))\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "[]")


def test_version() -> None:
    assert run("--version").output == "schedule-spec, version 0.1.0\n"


def test_an_unknown_command_is_wrong_usage_and_told_what_is_near() -> None:
    ended = run("clases")
    assert ended.exit_code == ExitCode.USAGE
    assert "There is no command 'clases'. Did you mean clauses?" in ended.output


@pytest.mark.parametrize("words", [(), ("bench",)])
def test_without_a_command_the_help_is_shown_line_by_line(words: tuple[str, ...]) -> None:
    ended = run(*words)
    assert ended.exit_code == ExitCode.USAGE
    assert "\nOptions:\n" in ended.output
    assert "\\n" not in ended.output
    assert "..." not in ended.output.partition("\nCommands:\n")[2]


def test_an_unknown_option_is_wrong_usage() -> None:
    assert run("--nonesuch").exit_code == ExitCode.USAGE
    assert run("clauses", "--nonesuch").exit_code == ExitCode.USAGE


Planted = Callable[[Callable[[], object]], None]


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Planted:
    """Plant a command `planted` that does what the test says."""

    def plant(behaviour: Callable[[], object]) -> None:
        module = ModuleType("planted")
        module.__dict__["command"] = click.Command("planted", callback=behaviour)
        monkeypatch.setitem(sys.modules, "planted", module)
        monkeypatch.setitem(COMMANDS, "planted", Entry("planted:command", "A command of this test."))

    return plant


def fail(problem: BaseException) -> Callable[[], object]:
    def behaviour() -> object:
        raise problem

    return behaviour


def test_ctrl_c_ends_quietly(planted: Planted) -> None:
    planted(fail(KeyboardInterrupt()))
    ended = run("planted")
    assert (ended.exit_code, ended.output) == (130, "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["zones", "a", "2027", "\x1b]0;x\x07"],
        ["clauses", "--subject", "\x1b[31m"],
        ["clauses", "--\x1b[31m"],
        ["\x1b[31m"],
        ["--\x1b[31m"],
        ["when", "\x1b[31m"],
    ],
)
def test_no_argument_reaches_the_terminal_as_it_came(arguments: list[str]) -> None:
    ended = run(*arguments)
    assert ended.exit_code == ExitCode.USAGE
    assert "Usage:" in ended.stderr
    assert "\\x1b" in ended.stderr
    assert all(line.isprintable() for line in ended.output.split("\n"))


def test_a_fault_of_the_program_is_no_violation(planted: Planted) -> None:
    planted(fail(ValueError("a bug")))
    ended = run("planted")
    assert ended.exit_code == ExitCode.UNJUDGED
    assert "ValueError: a bug" in ended.stderr
    assert "a fault of schedule-spec itself" in ended.stderr


def test_what_click_cannot_read_is_no_violation(planted: Planted) -> None:
    planted(fail(click.FileError("log.jsonl", "gone")))
    ended = run("planted")
    assert ended.exit_code == ExitCode.UNJUDGED
    assert "log.jsonl" in ended.stderr


@pytest.mark.parametrize("code", [ExitCode.VIOLATION, ExitCode.STALE])
def test_a_commands_own_exit_code_is_kept(planted: Planted, code: ExitCode) -> None:
    planted(lambda: sys.exit(code))
    assert run("planted").exit_code == code
    planted(lambda: click.get_current_context().exit(code))
    assert run("planted").exit_code == code


@pytest.mark.parametrize("arguments", [["--help"], ["clauses"], ["explain", "rate"]])
def test_a_closed_pipe_ends_quietly(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "schedule_cli", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        complaint = process.stderr.read()
    assert (process.returncode, complaint) == (141, b"")


def test_an_encoding_without_the_characters_is_no_crash() -> None:
    ended = child("explain", "rate.latest-due", PYTHONIOENCODING="latin-1")
    assert ended.returncode == 0
    assert b"T + k\xb7I (k \\u2265 0)" in ended.stdout


# -- clauses


def listed(ended: Result) -> list[str]:
    assert ended.exit_code == 0
    return re.findall(r"^  ([a-z0-9-]+\.[a-z0-9-]+) ", ended.output, re.MULTILINE)


def test_the_table_lists_all_clauses_by_area_in_order() -> None:
    ended = run("clauses")
    assert listed(ended) == [each.id for each in CLAUSES]
    assert [
        line for line in ended.output.split("\n") if line.startswith(tuple("abcdefghijklmnopqrstuvwxyz"))
    ] == [f"{area.name}: {area.title}" for area in AREAS]


def test_a_row_shows_subject_profile_status_and_first_words() -> None:
    row = next(line for line in run("clauses").output.split("\n") if " rate.next " in line)
    assert row.split()[1:4] == ["pure", "v1", "specified"]
    assert " The new target is the" in row
    row = next(line for line in run("clauses").output.split("\n") if " owner.dispose " in line)
    assert row.split()[1:4] == ["live", "both", "specified"]


def test_rows_fit_the_terminal() -> None:
    wide = run("clauses", env={"COLUMNS": "90"}).output
    assert max(map(len, wide.split("\n"))) <= 90
    assert run("clauses", env={"COLUMNS": "1"}).exit_code == 0


def test_filters_choose() -> None:
    assert listed(run("clauses", "--area", "number")) == ["number.safe-integer"]
    assert "\n1 clause: 1 specified, 0 awaited.\n" in run("clauses", "--area", "number").output
    derived = [each.id for each in CLAUSES if each.subject is Subject.DERIVED]
    assert listed(run("clauses", "--subject", "derived")) == derived
    assert listed(run("clauses", "--subject", "derived", "--area", "rate")) == ["rate.path-independent"]
    assert listed(run("clauses", "--status", "specified")) == [each.id for each in CLAUSES]
    earlier, later = (
        listed(run("clauses", "--profile", "v1-after")),
        listed(run("clauses", "--profile", "v1")),
    )
    assert "profile.v1-after" in earlier
    assert "profile.v1-after" not in later
    assert "rate.next" in later
    assert "rate.next" not in earlier


def test_an_area_may_be_given_without_an_option() -> None:
    assert run("clauses", "rate").output == run("clauses", "--area", "rate").output
    assert run("clauses", "rate", "--area", "rate").output == run("clauses", "rate").output
    assert run("clauses", "rate", "--area", "fork").exit_code == ExitCode.USAGE
    assert run("clauses", "rates").exit_code == ExitCode.USAGE


def test_filters_may_leave_nothing() -> None:
    ended = run("clauses", "--area", "at", "--profile", "v1-after")
    assert (ended.exit_code, ended.output) == (0, "0 clauses: 0 specified, 0 awaited.\n")


def test_an_unknown_area_is_wrong_usage() -> None:
    ended = run("clauses", "--area", "rates")
    assert ended.exit_code == ExitCode.USAGE
    assert "'rate'" in ended.output


def test_json_holds_all_that_the_register_holds() -> None:
    output = run("clauses", "--json").output
    clauses = json.loads(output)["clauses"]
    assert output.isascii()
    assert [each["id"] for each in clauses] == [each.id for each in CLAUSES]
    assert all(set(each) == KEYS for each in clauses)
    (rate_next,) = (each for each in clauses if each["id"] == "rate.next")
    assert rate_next | {"sentence": "", "fingerprint": "", "rationale": "", "implied_by": []} == {
        "id": "rate.next",
        "area": "rate",
        "title": "fixed-rate advancement",
        "sentence": "",
        "revision": 1,
        "fingerprint": "",
        "rationale": "",
        "note": "S1",
        "sources": [
            {"seed": "S1", "section": "Durable records"},
            {"seed": "S1", "section": "Fixed-rate input and catching up"},
        ],
        "decided": None,
        "profiles": ["v1"],
        "subject": "pure",
        "reason": None,
        "implied_by": [],
        "status": "specified",
    }
    assert rate_next["sentence"] == clause("rate.next").sentence
    assert rate_next["rationale"] == clause("rate.next").rationale
    assert "rate.exact" in rate_next["implied_by"]


def test_colour_is_for_terminals_that_want_it() -> None:
    assert "\x1b[" in run("clauses", color=True).output
    assert "\x1b[" not in run("clauses").output
    assert "\x1b[" not in run("clauses", color=True, env={"NO_COLOR": "1"}).output
    assert "\x1b[" not in run("explain", "rate.next", color=True, env={"TERM": "dumb"}).output
