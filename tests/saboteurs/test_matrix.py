"""The kill matrix that is kept is the one that comes, and its page is written from it."""

import pytest
from tests.saboteurs import ALL, NEAR_MISSES, matrix, pure
from tests.saboteurs.matrix import DATA, PAGE, Findings
from tests.saboteurs.model import Saboteur

HOW = "python -m tests.saboteurs.matrix --write"


def _of_frozen(caught: dict[str, list[object]]) -> dict[str, list[object]]:
    return {check: how for check, how in caught.items() if check.startswith("vector/")}


def test_names_are_given_once() -> None:
    names = [each.name for each in ALL] + [each.name for each in NEAR_MISSES]
    assert sorted(names) == sorted(set(names))


def test_every_saboteur_stands_in_it() -> None:
    assert list(matrix.kept()) == [each.name for each in ALL], HOW


@pytest.mark.parametrize("saboteur", pure.SABOTEURS[::5], ids=lambda saboteur: saboteur.name)
def test_frozen_cases_catch_as_it_says(saboteur: Saboteur) -> None:
    """Of each fifth; `make deep` tries all, and all checks."""
    row = matrix.by_questions(saboteur, frozen_alone=True)
    known = matrix.kept()[saboteur.name]
    assert matrix.as_json([row])[saboteur.name]["caught"] == _of_frozen(known["caught"]), HOW
    assert known["breaks"] == saboteur.breaks
    assert not row.strays


def test_nothing_is_missed_and_each_clause_fits() -> None:
    kept = matrix.kept()
    assert Findings(kept).missed == []
    strays = [
        (each.name, check, clause)
        for each in ALL
        for check, (_, clause) in kept[each.name]["caught"].items()
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


def test_what_a_matrix_tells() -> None:
    told = Findings(SMALL)
    assert told.missed == ["d"]
    assert told.frozen_missed == ["c", "d"]
    assert told.alone == {"vector/text": ["b"]}
    assert told.order == [("property/x", 2), ("vector/text", 1)]


def test_an_unknown_name_is_told() -> None:
    with pytest.raises(LookupError, match="no_such"):
        matrix.chosen(["no_such"])
