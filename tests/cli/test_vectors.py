"""`schedule-spec vectors`: what it lists, shows, writes and finds changed, with the exit code of each."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from schedule_cli import vectors as command
from schedule_cli.__main__ import main
from schedule_conformance.frozen import frozen_history, publishing, vectors
from schedule_conformance.frozen.frozen_history import Drift
from schedule_conformance.worlds import traces
from schedule_spec import register

HISTORY = Path(__file__).parents[1] / "data" / "vectors-history.toml"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["vectors", *arguments])


def test_areas_stand_in_the_order_of_the_register_with_true_counts() -> None:
    result = run()
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    rows = [line.split() for line in lines[1:-1]]
    names = [area.name for area in register.AREAS]
    assert [row[0] for row in rows] == [*(name for name in names if name in {r[0] for r in rows}), "worlds"]
    for area, cases, granted, rejected, *_ in rows[:-1]:
        assert int(cases) == int(granted) + int(rejected)
        assert int(cases) == sum(vector.area == area for vector in vectors.vectors())
    total = sum(int(row[1]) for row in rows[:-1])
    assert lines[-1].startswith(f"{total} vectors and {len(traces.frozen())} traces, of suite ")


def test_an_area_a_clause_and_a_kind_list_their_cases() -> None:
    for what, ids in (
        ("due", [v.id for v in vectors.vectors() if v.area == "due"]),
        ("rate.skip", [v.id for v in vectors.vectors() if "rate.skip" in v.clauses]),
        ("gap-shift", [v.id for v in vectors.vectors() if "gap-shift" in v.flags]),
    ):
        result = run(what)
        assert result.exit_code == 0
        listed = [line.split()[0] for line in result.stdout.splitlines()]
        assert listed[:-1] == ids
        assert result.stdout.splitlines()[-1] == f"{what}: {len(ids)} vectors."


def test_worlds_are_listed_and_found_by_clause() -> None:
    result = run("worlds")
    assert [line.split()[0] for line in result.stdout.splitlines()[:-1]] == [t.id for t in traces.frozen()]
    by_clause = run("barrier.fifo")
    expected = [trace.id for trace in traces.frozen() if "barrier.fifo" in trace.clauses]
    assert expected
    assert [line.split()[0] for line in by_clause.stdout.splitlines()[:-1]] == expected


def test_a_case_is_shown_in_full() -> None:
    result = run("hand-local-gap-nuuk")
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    for words in (
        "clauses local.gap-rejected",
        f"gap-shift: {vectors.kinds()['gap-shift']}",
        f"gap-edge: {vectors.kinds()['gap-edge']}",
        "note a gap of an hour before midnight, by a rule that goes on",
        'zone data {"releases": ["2026f"], "zone": "America/Nuuk"',
        "allowed a rejection as invalid_rule",
        "verify --only-case hand-local-gap-nuuk",
    ):
        assert words in text, words


def test_json_is_never_wrapped_but_cut() -> None:
    """Spaces within a string count: what is cut at the width can be put together again."""
    lines = run("hand-text-trim-all").stdout.splitlines()
    asked = next(place for place, line in enumerate(lines) if line.startswith("  asked"))
    allowed = next(place for place, line in enumerate(lines) if line.startswith("  allowed"))
    whole = "".join(line[12:] for line in lines[asked:allowed])
    (vector,) = [each for each in vectors.vectors() if each.id == "hand-text-trim-all"]
    assert json.loads(whole) == vector.request


def test_several_codes_are_told_as_one_of() -> None:
    (vector,) = [each for each in vectors.vectors() if each.id == "hand-zone-name-and-clock"]
    assert "a rejection as one of invalid_time_zone, time_out_of_range" in run(vector.id).stdout


def test_a_trace_is_shown_step_by_step() -> None:
    trace = next(trace for trace in traces.frozen() if trace.meta["origin"] == "hand")
    text = run(trace.id).stdout
    assert text.startswith(trace.id)
    assert text.count("\n  asked") == text.count("\n  came") == len(trace.steps)


def test_hostile_cases_do_not_reach_the_terminal() -> None:
    for vector in vectors.vectors():
        if vector.area in ("text", "frame"):
            text = run(vector.id).stdout
            assert all(character.isprintable() or character == "\n" for character in text), vector.id


def test_json_is_what_the_files_have() -> None:
    told = json.loads(run("--json").stdout)
    assert {row["area"] for row in told["areas"]} == {vector.area for vector in vectors.vectors()}
    assert sum(row["cases"] for row in told["areas"]) == len(vectors.vectors())
    assert told["worlds"]["cases"] == len(traces.frozen())
    due = json.loads(run("due", "--json").stdout)
    contents = next(contents for name, contents in vectors.files() if name == "due.json")
    assert due == {"vectors": contents["vectors"], "traces": []}
    kinds = json.loads(run("--kinds", "--json").stdout)["kinds"]
    assert {kind["kind"]: kind["sentence"] for kind in kinds} == vectors.kinds()
    assert all(kind["cases"] > 0 for kind in kinds)


def test_kinds_are_listed_with_their_sentences() -> None:
    text = " ".join(run("--kinds").stdout.split())
    for kind, sentence in vectors.kinds().items():
        assert f"{kind} (" in text
        assert sentence in text


def test_what_there_is_not_is_wrong_usage_with_a_hint() -> None:
    result = run("gapshift")
    assert result.exit_code == 2
    assert "Did you mean gap-shift?" in result.stderr
    assert run("due", "--kinds").exit_code == 2
    assert run("--check", "no-such-file").exit_code == 2


def test_the_set_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    result = run("--write", str(folder))
    assert result.exit_code == 0
    assert f"{len(vectors.vectors())} vectors and {len(traces.frozen())} traces written" in result.stdout
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files == publishing.published().keys()
    (folder / "mine").write_text("1", encoding="utf-8")
    again = run("--write", str(folder))
    assert again.exit_code == 2
    assert "holds mine" in again.stderr


def test_a_place_that_cannot_be_written_ends_with_3(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("1", encoding="utf-8")
    result = run("--write", str(tmp_path / "file" / "set"))
    assert result.exit_code == 3
    assert "cannot be written" in result.stderr


def test_the_set_is_held_against_its_history(tmp_path: Path) -> None:
    result = run("--check", str(HISTORY))
    assert result.exit_code == 0, result.stdout
    assert result.stdout == "Every released case answers as it did, and none is new.\n"
    known = frozen_history.fingerprints()
    file = tmp_path / "history.toml"
    kept = {**known, "hand-due-nothing": "0" * 16, "gone": "1" * 16}
    del kept["hand-due-one-future"]
    file.write_text('["0.1.0"]\n' + frozen_history.lines(tuple(kept.items())), encoding="utf-8")
    result = run("--check", str(file))
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].startswith("changed: hand-due-nothing.")
    assert lines[1].startswith("vanished: gone.")
    assert lines[-2].startswith("new: 1.")
    assert lines[-1] == f'hand-due-one-future = "{known["hand-due-one-future"]}"'


def test_a_withdrawn_id_that_came_back_is_told() -> None:
    assert command.told(Drift((), (), ("a",), ()))[0].startswith("withdrawn: a. It came back")


@pytest.mark.parametrize("text", ["x", '["0.1.1"]\na = "0000000000000000"'])
def test_what_is_no_history_ends_with_3(tmp_path: Path, text: str) -> None:
    file = tmp_path / "history.toml"
    file.write_text(text, encoding="utf-8")
    result = run("--check", str(file))
    assert result.exit_code == 3
    assert "holds no history" in result.stderr
