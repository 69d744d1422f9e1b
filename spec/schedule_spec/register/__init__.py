"""The register: all clauses of the specification, each with what is known of it.

One module an area, in the order of the list of requirements. Data only, and cheap to import: the register
knows nothing of the law's functions, which name the clauses they state (see `register.statements`).
"""

from collections.abc import Iterable
from typing import Final

from schedule_spec.register import (
    after,
    at,
    barrier,
    change,
    deliver,
    due,
    every,
    fold,
    fork,
    frame,
    id,
    instant,
    local,
    number,
    owner,
    profile,
    rate,
    record,
    text,
    tool,
    view,
    zone,
)
from schedule_spec.register.model import Area, Clause, Profile, Seed, Source, Status, Subject

__all__ = [
    "AREAS",
    "CLAUSES",
    "TERMS",
    "Area",
    "Clause",
    "Profile",
    "Seed",
    "Source",
    "Status",
    "Subject",
    "area",
    "clause",
]

TERMS: Final = (
    "Times are integers of milliseconds since 1970-01-01T00:00:00Z on the proleptic Gregorian calendar "
    "without leap seconds. A *clock sample* is one reading of the wall clock. A session's *own part* of the "
    "log is what follows its inherited prefix."
)
"""The words that clauses of every area use."""

AREAS: Final = (
    text.AREA,
    number.AREA,
    instant.AREA,
    id.AREA,
    record.AREA,
    change.AREA,
    fold.AREA,
    fork.AREA,
    after.AREA,
    at.AREA,
    zone.AREA,
    local.AREA,
    every.AREA,
    rate.AREA,
    view.AREA,
    tool.AREA,
    barrier.AREA,
    due.AREA,
    owner.AREA,
    deliver.AREA,
    frame.AREA,
    profile.AREA,
)
"""The areas, in document order."""

CLAUSES: Final = tuple(clause for area in AREAS for clause in area.clauses)
"""The clauses, in document order."""

_AREA_BY_NAME: Final = {area.name: area for area in AREAS}
_CLAUSE_BY_ID: Final = {clause.id: clause for clause in CLAUSES}


def clause(id: str) -> Clause:
    """Return the clause of this id; LookupError, naming the ids most like it, where there is none."""
    if found := _CLAUSE_BY_ID.get(id):
        return found
    raise LookupError(f"there is no clause {id!r}{_near(id, _CLAUSE_BY_ID)}")


def area(name: str) -> Area:
    """Return the area of this name; LookupError, naming the areas most like it, where there is none."""
    if found := _AREA_BY_NAME.get(name):
        return found
    raise LookupError(f"there is no area {name!r}{_near(name, _AREA_BY_NAME)}")


def _near(name: str, names: Iterable[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only an error needs it

    found = get_close_matches(name, names)
    return f"; near it: {', '.join(found)}" if found else ""
