"""The machine-readable twins of the pages, beside them: JSON in ASCII, the same for the same checkout."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from schedule_spec import register

from . import asking, playing, stories
from .clauses import Told, of_area, told
from .evidence import evidence, twin


def write(folder: Path) -> None:
    """Write every twin below a folder."""
    for name, value in _twins():
        file = folder / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def _twins() -> Iterator[tuple[str, Any]]:
    every = [_clause(each) for each in told()]
    yield "clauses", {"terms": register.TERMS, "clauses": every}
    yield "evidence", twin()
    for each in told():
        whole = _clause(each) | {"example": _example(each), "evidence": evidence()[each.clause.id].as_json()}
        yield f"clauses/{each.clause.id}", whole
    for area in register.AREAS:
        yield (
            f"areas/{area.name}",
            {
                "name": area.name,
                "title": area.title,
                "preamble": area.preamble,
                "clauses": [_clause(each) for each in of_area(area.name)],
            },
        )


def _clause(each: Told) -> dict[str, Any]:
    """Return what `schedule-spec explain --json` prints of a clause, with its rationale and history."""
    return dict(each.explained) | {"rationale": each.rationale, "history": list(each.history)}


def _example(each: Told) -> dict[str, Any]:
    granted, refused = asking.granted(each.clause.id), asking.refused(each.clause.id)
    names = stories.OF_CLAUSE.get(each.clause.id, ())
    return {
        "accepted": granted
        and {"vector": granted.vector.id, "request": granted.vector.request, "reply": granted.reply},
        "refused": refused
        and {"vector": refused.vector.id, "request": refused.vector.request, "reply": refused.reply},
        "stories": {
            name: [{"request": step.request, "reply": step.reply} for step in playing.played(name)]
            for name in names
        },
    }
