"""The machine-readable twins of the pages, and the message schemas, beside them.

JSON in ASCII, the same for the same checkout.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from schedule_cli.clauses import described
from schedule_cli.explain import explained
from schedule_cli.explaining.explanation import explanation
from schedule_conformance.protocol import messages
from schedule_spec import register
from schedule_spec.register import Clause

from .clauses import history
from .evidence import evidence, twin


def write(folder: Path) -> None:
    """Write every twin below a folder."""
    for name, value in _twins():
        file = folder / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def _twins() -> Iterator[tuple[str, Any]]:
    yield "clauses", {"terms": register.TERMS, "clauses": list(map(_listed, register.CLAUSES))}
    yield "evidence", twin()
    for subject in messages.SUBJECTS:
        yield f"schemas/{subject}", messages.schema(subject)
    for clause in register.CLAUSES:
        yield f"clauses/{clause.id}", _whole(clause)
    for area in register.AREAS:
        yield (
            f"areas/{area.name}",
            {
                "name": area.name,
                "title": area.title,
                "preamble": area.preamble,
                "clauses": list(map(_listed, area.clauses)),
            },
        )


def _listed(clause: Clause) -> dict[str, object]:
    """Return what `schedule-spec clauses --json` prints of a clause, with its history."""
    return described(clause) | {"history": history(clause)}


def _whole(clause: Clause) -> dict[str, object]:
    """Return what `schedule-spec explain --json` prints of a clause, with its history and its evidence."""
    return {
        **explained(explanation(clause)),
        "history": history(clause),
        "evidence": msgspec.to_builtins(evidence()[clause.id].kept),
    }
