"""The kill matrix that is kept is the one that comes, and its page is written from it."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.saboteurs import ALL, NEAR_MISSES, matrix, pure
from tests.saboteurs.matrix import DATA, PAGE, Findings
from tests.saboteurs.model import Saboteur

MATRIX = "python -m tests.saboteurs.matrix"
HOW = f"{MATRIX} --write"


def _kept(saboteur: Saboteur) -> dict[str, Any]:
    """The row that is kept of a saboteur; the test fails where there is none, and says what makes one."""
    row: dict[str, Any] | None = matrix.kept().get(saboteur.name)
    if row is None:
        pytest.fail(
            f"{saboteur.name} is not in the kill matrix yet: {MATRIX} --only {saboteur.name} --write",
            pytrace=False,
        )
    return row


def _of_frozen(caught: dict[str, list[object]]) -> dict[str, list[object]]:
    return {check: how for check, how in caught.items() if check.startswith("vector/")}


def test_names_are_given_once() -> None:
    names = [each.name for each in ALL] + [each.name for each in NEAR_MISSES]
    assert sorted(names) == sorted(set(names))


def test_every_saboteur_stands_in_it() -> None:
    names = [each.name for each in ALL]
    lacking = [name for name in names if name not in matrix.kept()]
    assert not lacking, f"not in the kill matrix yet: {MATRIX} --only {' '.join(lacking)} --write"
    assert list(matrix.kept()) == names, f"others stand there, or in another order: {HOW}"


def test_a_saboteur_that_is_not_in_it_is_told_with_what_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    new, *known = ALL
    monkeypatch.setattr(matrix, "kept", lambda: {each.name: {"breaks": each.breaks} for each in known})
    with pytest.raises(pytest.fail.Exception, match=rf"matrix --only {new.name} --write"):
        _kept(new)
    with pytest.raises(AssertionError, match=rf"matrix --only {new.name} --write"):
        test_every_saboteur_stands_in_it()
    assert _kept(known[0]) == {"breaks": known[0].breaks}


@pytest.mark.parametrize("saboteur", pure.SABOTEURS[::5], ids=lambda saboteur: saboteur.name)
def test_frozen_cases_catch_as_it_says(saboteur: Saboteur) -> None:
    """Of each fifth; `make deep` tries all, and all checks."""
    known = _kept(saboteur)
    row = matrix.by_questions(saboteur, frozen_alone=True)
    assert matrix.as_json([row])[saboteur.name]["caught"] == _of_frozen(known["caught"]), HOW
    assert known["breaks"] == saboteur.breaks
    assert not row.strays


def test_nothing_is_missed_and_each_clause_fits() -> None:
    assert Findings(matrix.kept()).missed == []
    strays = [
        (each.name, check, clause)
        for each in ALL
        for check, (_, clause) in _kept(each)["caught"].items()
        if clause not in each.clauses
    ]
    assert strays == []


def test_the_file_and_its_page_are_written_by_the_command() -> None:
    kept = matrix.kept()
    assert DATA.read_text(encoding="utf-8") == matrix.text_of(kept), HOW
    assert PAGE.read_text(encoding="utf-8") == matrix.page(kept), HOW


SMALL = {
    "a": {"breaks": "text.trim", "caught": {"vector/text": [3, "text.trim"], "property/x": [1, "text.trim"]}},
    "b": {"breaks": "text.trim", "caught": {"vector/text": [9, "text.trim"]}},
    "c": {"breaks": "text.trim", "caught": {"property/x": [2, "text.trim"], "property/y": [1, "text.trim"]}},
    "d": {"breaks": "text.trim", "caught": {}},
}
ROW = matrix.Row(ALL[0], {"vector/x": (12, ALL[0].breaks), "property/y": (3, ALL[0].breaks)}, 0.25)


def test_what_the_page_looks_up_is_there() -> None:
    looked_up = re.findall(r"grep '\"(.+?)\"'", matrix.PAGE_TEXT)
    known = {*matrix.kept(), *Findings(matrix.kept()).by_check}
    assert looked_up
    assert set(looked_up) <= known


def test_what_a_matrix_tells() -> None:
    told = Findings(SMALL)
    assert told.missed == ["d"]
    assert told.frozen_missed == ["c", "d"]
    assert told.alone == {"vector/text": ["b"]}
    assert told.order == [("property/x", 2), ("vector/text", 1)]
    assert told.redundant == ["property/x", "property/y"]
    assert told.resting == ["c"]


def test_its_page_says_what_would_get_away_without_all_that_could_go_alone() -> None:
    assert "if all of them went, 1 of the saboteurs would get away" in " ".join(matrix.page(SMALL).split())


def test_what_catches_a_saboteur_is_told_in_full() -> None:
    heading, _, *checks = matrix.in_full(ROW)
    name, clause = ALL[0].name, ALL[0].breaks
    assert heading == f"{name} breaks {clause}: caught by 2 checks, first after 0.250 s"
    assert [line.split() for line in checks] == [["property/y", "3", clause], ["vector/x", "12", clause]]
    assert matrix.in_full(replace(ROW, caught={}, seconds=None)) == [
        f"{name} breaks {clause}: no check catches it"
    ]


def test_a_clause_that_does_not_fit_is_told() -> None:
    strange = replace(ROW, caught={"vector/x": (1, "rate.next")})
    assert matrix.in_full(strange)[-1].split(maxsplit=2) == ["vector/x", "1", "rate.next, which does not fit"]
    assert matrix.in_brief(strange) == [
        f"{ALL[0].name} ({ALL[0].breaks}): caught by 1; vector/x reports rate.next"
    ]
    assert matrix.in_brief(ROW) == []


@pytest.fixture
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A matrix of its own, with nothing in it, and one saboteur of which is known what catches it."""
    monkeypatch.setattr(matrix, "DATA", tmp_path / "kill-matrix.json")
    monkeypatch.setattr(matrix, "PAGE", tmp_path / "kill-matrix.md")
    monkeypatch.setattr(matrix, "tried", lambda _: ROW)
    return tmp_path


def test_what_is_not_kept_is_told_and_kept_by_write(apart: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = ALL[0].name
    assert matrix.main(["--only", name]) == 1
    assert capsys.readouterr().out.splitlines() == [
        *matrix.in_full(ROW),
        f"{name}: not kept: --write keeps it",
    ]
    assert list(apart.iterdir()) == []

    assert matrix.main(["--only", name, "--write"]) == 0
    assert "not kept" not in capsys.readouterr().out
    assert matrix.kept() == json.loads(json.dumps(matrix.as_json([ROW])))
    assert "- Saboteurs: 1\n" in matrix.PAGE.read_text("utf-8")

    assert matrix.main(["--only", name]) == 0
    assert capsys.readouterr().out.splitlines() == matrix.in_full(ROW)


def test_what_is_kept_otherwise_is_told(
    apart: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert matrix.main(["--only", ALL[0].name, "--write"]) == 0
    monkeypatch.setattr(matrix, "tried", lambda _: replace(ROW, caught={"vector/x": (2, ALL[0].breaks)}))
    assert matrix.main(["--only", ALL[0].name]) == 1
    assert f"{ALL[0].name}: what is kept differs: --write" in capsys.readouterr().out


def test_an_unknown_name_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(LookupError, match="no_such"):
        matrix.chosen(["no_such"])
    with pytest.raises(SystemExit, match="2"):
        matrix.main(["--only", ALL[0].name[:-1]])
    assert f"Did you mean {ALL[0].name}" in capsys.readouterr().err
