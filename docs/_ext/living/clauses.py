"""What the site knows of a clause beside its explanation: levels in words, neighbours, and its history."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from schedule_spec import register
from schedule_spec.register import Clause, Profile

ROOT = Path(__file__).parents[3]
"""The checkout."""

HISTORY = ROOT / "tests" / "data" / "register-history.toml"

LEVELS = {
    (Profile.V1_AFTER, Profile.V1): "v1 and v1-after",
    (Profile.V1,): "v1",
    (Profile.V1_AFTER,): "v1-after",
}
"""The levels at which a clause says something, in words."""


def history(clause: Clause) -> tuple[str, ...]:
    """Return the fingerprints of a clause's sentence, one a revision; KeyError where none is recorded."""
    return tuple(_histories()[clause.area][clause.id.partition(".")[2]])


@cache
def _histories() -> Mapping[str, Any]:
    return tomllib.loads(HISTORY.read_text("utf-8"))


def neighbours(clause: Clause) -> tuple[str | None, str | None]:
    """Return the ids before and after a clause in reading order."""
    ids = [None, *(each.id for each in register.CLAUSES), None]
    place = ids.index(clause.id)
    return ids[place - 1], ids[place + 1]
