"""The command's way with its arguments, its list and what it kept, without trying any mutant."""

import io
import subprocess
import sys
from pathlib import Path

import pytest
from tests.mutation import __main__ as command
from tests.mutation import report, results
from tests.mutation.results import Kept
from tests.mutation.sides import ROOT
from tests.mutation.trying import Status


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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--module", "nothing"], "no module 'nothing'"), (["--key", "0"], "no mutant '0'")],
)
def test_what_there_is_not_is_wrong_usage(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["impl", "--list", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    kept = {"k": Kept(Status.KILLED, "tests/x.py::test_a", 3, "s"), "l": Kept(Status.SURVIVED, "", 9, "s")}
    file = tmp_path / "deep" / "results.json"
    assert results.read(file) == {}
    results.write(file, kept)
    assert results.read(file) == kept
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
        progress.tell(number, 1, "rate")
    assert stream.getvalue() == "3/3  1 alive  rate\n"


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
