"""What the site knows of a clause: what `schedule-spec explain` says, why it is so, and how it changed."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from schedule_cli.__main__ import main
from schedule_spec import register
from schedule_spec.register import Clause, Profile

ROOT = Path(__file__).parents[3]
"""The checkout."""

HISTORY = ROOT / "tests" / "data" / "register-history.toml"
RATIONALE = Path(__file__).parent / "rationale.toml"


LEVELS = {
    (Profile.V1_AFTER, Profile.V1): "v1 and v1-after",
    (Profile.V1,): "v1",
    (Profile.V1_AFTER,): "v1-after",
}
"""The levels at which a clause says something, in words."""


@dataclass(frozen=True, slots=True)
class Told:
    """A clause as its page tells it.

    `explained` is the object that `schedule-spec explain --json` prints; `history` the fingerprints of its
    sentence, one a revision.
    """

    clause: Clause
    explained: Mapping[str, Any]
    rationale: str
    history: tuple[str, ...]

    @property
    def statements(self) -> tuple[Mapping[str, Any], ...]:
        """Where the law states it: `kind`, `place`, `file`, `line`, `words`."""
        return tuple(self.explained["stated_by"])

    @property
    def fault_of(self) -> tuple[str, ...]:
        """The clauses whose faults may also be reported under this one."""
        return tuple(each.id for each in register.CLAUSES if self.clause.id in each.implied_by)


@cache
def told() -> tuple[Told, ...]:
    """Return every clause, in the register's order; KeyError where one has no rationale or no history."""
    explained = {each["id"]: each for each in _explained()}
    rationale = tomllib.loads(RATIONALE.read_text("utf-8"))
    history = tomllib.loads(HISTORY.read_text("utf-8"))
    return tuple(
        Told(
            clause,
            explained[clause.id],
            rationale[clause.area][_name(clause)].strip(),
            tuple(history[clause.area][_name(clause)]),
        )
        for clause in register.CLAUSES
    )


def of_area(area: str) -> tuple[Told, ...]:
    """Return the clauses of an area."""
    return tuple(each for each in told() if each.clause.area == area)


def neighbours(clause: Clause) -> tuple[str | None, str | None]:
    """Return the ids before and after a clause in reading order."""
    ids = [None, *(each.id for each in register.CLAUSES), None]
    place = ids.index(clause.id)
    return ids[place - 1], ids[place + 1]


def _name(clause: Clause) -> str:
    return clause.id.partition(".")[2]


def _explained() -> list[dict[str, Any]]:
    """Ask the command itself, so that page and terminal cannot differ."""
    run = CliRunner().invoke(main, ["explain", *(area.name for area in register.AREAS), "--json"])
    if run.exit_code != 0:
        raise RuntimeError(f"`schedule-spec explain --json` ended with {run.exit_code}: {run.output}")
    clauses: list[dict[str, Any]] = json.loads(run.stdout)["clauses"]
    return clauses
