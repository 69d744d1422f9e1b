"""The command's way with its arguments, its list and what it kept, without trying any mutant."""

import argparse
import io
import subprocess
import sys
from collections.abc import Iterable
from itertools import repeat
from pathlib import Path

import pytest
from tests.mutation import __main__ as command
from tests.mutation import report, results, survivors
from tests.mutation.children import HarnessError
from tests.mutation.reaching import STATE, stamp_of
from tests.mutation.results import Kept
from tests.mutation.sides import ROOT, SIDES
from tests.mutation.trying import Status, mutants_of


def test_mutants_are_listed_by_module_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["impl", "--list", "--module", "rate"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len({line.split()[0] for line in lines}) == len(lines) > 10
    assert all(line.split()[1].startswith("rate.") for line in lines)


def test_a_sample_depends_on_the_seed_alone(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = []
    for seed in ("1", "1", "2"):
        assert command.main(["impl", "--list", "--sample", "20", "--seed", seed]) == 0
        drawn.append(capsys.readouterr().out)
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(drawn[0].splitlines()) == 20


def test_mutants_that_are_argued_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["impl", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    argued = {entry.key for entry in survivors.read() if entry.side == "impl"}
    assert {line.split()[0] for line in lines if line.endswith("  argued")} == argued


def asked(monkeypatch: pytest.MonkeyPatch, codes: Iterable[int] = repeat(0)) -> list[argparse.Namespace]:
    """Let the command's calls of itself end with these codes; return the list of what they will ask for."""
    calls: list[argparse.Namespace] = []
    ends = iter(codes)

    def run(line: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        calls.append(command._options(line[3:]))
        return subprocess.CompletedProcess(line, next(ends))

    monkeypatch.setattr(subprocess, "run", run)
    return calls


def test_without_a_side_those_are_asked_that_have_what_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    mutants = {name: mutants_of(side) for name, side in SIDES.items()}
    monkeypatch.setattr(command, "mutants_of", lambda side: mutants[side.name])
    law, impl = (mutants[name][0].key for name in ("law", "impl"))
    calls = asked(monkeypatch)
    assert command.main(["--key", impl]) == 0
    assert [(each.side, each.key) for each in calls] == [("impl", [impl])]
    calls.clear()
    assert command.main(["--key", impl, law, "--seconds", "1"]) == 0
    assert [(each.side, each.key, each.seconds) for each in calls] == [("law", [law], 1), ("impl", [impl], 1)]
    calls.clear()
    assert command.main(["--module", "rate", "delivery"]) == 0
    assert [(each.side, each.module) for each in calls] == [("law", ["rate", "delivery"]), ("impl", ["rate"])]


@pytest.mark.parametrize(
    ("codes", "worst"), [((0, 0), 0), ((4, 1), 1), ((1, 3), 3), ((0, 4), 4), ((-9, 0), 3), ((2, 1), 2)]
)
def test_of_two_sides_the_gravest_exit_code_counts(
    codes: tuple[int, int], worst: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "mutants_of", lambda side: ())
    calls = asked(monkeypatch, codes)
    assert command.main([]) == worst
    assert [each.side for each in calls] == ["law", "impl"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["impl", "--module", "nothing"], "no module 'nothing'"),
        (["--module", "nothing"], "no module 'nothing'"),
        (["impl", "--key", "0"], "no mutant '0'"),
        (["--key", "0"], "no mutant '0'"),
        (["impl", "--killers", "tests/impl/none.py"], "no file or folder of tests 'tests/impl/none.py'"),
        (["--killers", "tests/impl"], "of one side"),
        (["impl", "--sample", "0"], "no mutant is left"),
    ],
)
def test_what_there_is_not_is_wrong_usage(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([*arguments, "--list"]) == 2
    assert said in capsys.readouterr().err


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    kept = {"k": Kept(Status.KILLED, "tests/x.py::test_a", 3, "s"), "l": Kept(Status.SURVIVED, "", 9, "s")}
    file = tmp_path / "deep" / "results.json"
    assert results.read(file) == {}
    results.add(file, kept)
    assert results.read(file) == kept
    results.add(file, {"k": kept["l"]})
    assert results.read(file) == {"k": kept["l"], "l": kept["l"]}
    assert [entry.killed for entry in kept.values()] == [True, False]


def test_a_killed_mutant_depends_on_its_killer_a_survivor_on_everything() -> None:
    here = Path(__file__)
    of_killed = results.stamp(Status.KILLED, "tests/mutation/test_command.py::test_a", here, "whole")
    assert of_killed != results.stamp(Status.KILLED, "tests/mutation/test_children.py::test_a", here, "whole")
    assert of_killed == results.stamp(Status.KILLED, "tests/mutation/test_command.py::test_b", here, "other")
    assert results.stamp(Status.SURVIVED, "", here, "whole") == "whole"


def test_the_table_counts_each_status_and_scores_the_dead() -> None:
    statuses = [("a", "killed"), ("a", "timeout"), ("a", "survived"), ("a", "argued"), ("b.c", "killed")]
    head, *rows = report.table("package", statuses).splitlines()
    assert head.split() == ["package", "mutants", *report.COLUMNS, "score"]
    assert [row.split() for row in rows] == [
        ["a", "4", "1", "1", "1", "1", "0", "0", "50.0%"],
        ["b.c", "1", "1", "0", "0", "0", "0", "0", "100.0%"],
        ["all", "5", "2", "1", "1", "1", "0", "0", "60.0%"],
    ]


def test_progress_is_plain_where_there_is_no_terminal() -> None:
    stream = io.StringIO()
    progress = report.Progress(3, stream)
    for number in (1, 2, 3):
        progress.tell(number, "1 alive  rate")
    assert stream.getvalue() == "3/3  1 alive  rate\n"


def test_a_kept_kill_counts_where_its_killer_is_asked_a_crash_never() -> None:
    here, killer = Path(__file__), "tests/mutation/test_command.py::test_a"

    def holds(status: Status, why: str, whole: str, *collected: str) -> bool:
        kept = Kept(status, why, 1, results.stamp(status, why, here, "whole"))
        return results.holds(kept, here, whole, collected.__contains__)

    assert holds(Status.KILLED, killer, "other", killer)
    assert not holds(Status.KILLED, killer, "whole", "tests/mutation/test_command.py::test_b")
    assert holds(Status.SURVIVED, "", "whole")
    assert not holds(Status.SURVIVED, "", "other")
    assert not holds(Status.TIMEOUT, killer, "other", killer)
    assert not holds(Status.CRASHED, "", "whole", "")


def test_that_a_mutant_survives_is_known_for_those_killers_alone() -> None:
    side, one, other = SIDES["impl"], *(f"tests/impl/core/test_rate.py::test_{name}" for name in "ab")
    assert stamp_of(side, [one, other]) == stamp_of(side, [other, one])
    assert len({stamp_of(side, killers) for killers in ([one], [other], [one, other])}) == 3


def test_some_killers_alone_leave_the_results_of_all_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    files: list[Path] = []

    def with_killers(side: object, seconds: float, run: command.Run) -> None:
        files.append(run.file)
        raise HarnessError("no more of it")

    monkeypatch.setattr(command, "with_killers", with_killers)
    for killers in ([], ["--killers", "tests/impl"]):
        assert command.main(["impl", "--module", "rate", *killers]) == 3
    assert files == [STATE / "impl.json", STATE / "impl-narrow.json"]


@pytest.mark.parametrize(
    ("side", "killers", "can_judge", "said"),
    [
        ("impl", "tests/impl/core/test_rate.py", True, "1/1  0 alive  rate"),
        ("law", "tests/spec/test_rate.py", True, "1/1  0 alive  rate"),
        ("impl", "tests/mutation/test_children.py", False, "no killer here runs anything of schedule_impl"),
    ],
)
def test_a_few_killers_are_enough_where_they_run_anything_of_the_side(
    side: str, killers: str, can_judge: bool, said: str, tmp_path: Path
) -> None:
    arguments = [side, "--module", "rate", "--sample", "1", "--killers", killers]
    command_line = [sys.executable, "-m", "tests.mutation", *arguments, "--results", str(tmp_path / "r.json")]
    ran = subprocess.run(command_line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode != 3) is can_judge, ran.stderr
    assert said in ran.stderr
    assert "collecting the killers of " in ran.stderr


def test_a_run_kills_what_its_killers_notice_and_goes_on_from_what_is_kept(tmp_path: Path) -> None:
    arguments = ["impl", "--module", "rate", "--killers", "tests/impl/test_vectors.py"]
    command_line = [sys.executable, "-m", "tests.mutation", *arguments, "--results", str(tmp_path / "r.json")]
    told = []
    for _ in range(2):
        ran = subprocess.run(command_line, cwd=ROOT, capture_output=True, text=True, check=False)
        assert ran.returncode == 1, ran.stderr
        told.append(ran.stdout)
    assert told[0] == told[1]
    kept = results.read(tmp_path / "r.json")
    killed = [entry for entry in kept.values() if entry.status is Status.KILLED]
    assert len(killed) > len(kept) // 2
    assert all(entry.why.startswith("tests/impl/test_vectors.py::") for entry in killed)
    alive = [line.split()[1] for line in told[0].splitlines() if line.startswith(("survived", "unreached"))]
    assert set(alive) == {key for key, entry in kept.items() if not entry.killed}
