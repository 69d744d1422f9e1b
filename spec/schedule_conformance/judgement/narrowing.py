"""Narrowing: which generated checks have anything to do with the clauses that a run is narrowed to.

Generating requests costs more than asking them, so a check that could ask none of them generates none.
Touches nothing.
"""

from collections.abc import Set as AbstractSet

OF_CHANGES = frozenset({"change", "id", "instant", "number", "profile", "record", "text"})
"""The areas of the clauses by which one change is sound."""

AREAS = {
    "decode": OF_CHANGES,
    "fold": OF_CHANGES | {"fold", "fork", "rate"},
    "rate": OF_CHANGES | {"fold", "rate"},
    "create": OF_CHANGES | {"after", "at", "every", "local", "tool", "zone"},
    "view": frozenset({"number", "view"}),
    "due": frozenset({"due", "number", "rate"}),
    "frame": frozenset({"frame", "text"}),
}
"""The areas of all clauses that generated requests of a feature can put to the test."""


def concerned(only: AbstractSet[str], feature: str) -> bool:
    """Whether generated requests of a feature can put one of these clauses to the test, or there are none."""
    return not only or any(clause.partition(".")[0] in AREAS[feature] for clause in only)
