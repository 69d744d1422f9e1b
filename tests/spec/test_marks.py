"""What carries each clause of the law's areas: a contract, a definition, or a property among these tests."""

import ast
import re
from pathlib import Path

from tests.spec.twins import law_functions, postconditions, preconditions

from schedule_spec.marks import defines

HERE = Path(__file__).parent
REQUIREMENTS = HERE.parent / "data" / "requirements.md"
AREAS = ("text", "number", "instant", "id", "record", "change", "fold", "fork", "rate", "profile")
PROPERTIES_ALONE = {
    "fold.prefix",
    "fold.incremental",
    "fold.deterministic",
    "rate.path-independent",
}
"""Theorems: they follow from other clauses, and are stated best by a property."""


def clauses() -> set[str]:
    """Return the ids of the clauses of these areas, from the requirements."""
    ids = re.findall(r"^- \*\*([a-z0-9.-]+)\*\*", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE)
    return {id for id in ids if id.split(".")[0] in AREAS}


def carried() -> set[str]:
    """Return the ids that the law's contracts and marks name."""
    marked = {clause for law in law_functions() for clause in getattr(law, "__clauses__", ())}
    described = {
        description.split(":")[0]
        for law in law_functions()
        for description in (*preconditions(law), *postconditions(law))
    }
    return marked | described


def properties() -> set[str]:
    """Return the ids with which the docstrings of these tests begin."""
    found: set[str] = set()
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                beginning = re.match(r"[a-z.,\s-]+(?=[:.])", ast.get_docstring(node) or "")
                found |= set(re.split(r",\s*", beginning[0])) if beginning else set()
    return found


def test_every_clause_is_carried() -> None:
    assert len(clauses()) == 56
    assert clauses() - carried() == PROPERTIES_ALONE
    assert properties() >= PROPERTIES_ALONE


def test_no_mark_or_contract_names_a_clause_that_does_not_exist() -> None:
    assert carried() <= clauses()


def test_a_mark_changes_nothing() -> None:
    def function() -> int:
        return 1

    assert defines("text.trim")(function) is function
    assert getattr(function, "__clauses__") == ("text.trim",)  # noqa: B009
