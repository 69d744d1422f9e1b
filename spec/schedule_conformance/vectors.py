"""Frozen cases: requests with the answers that are allowed, each under an id that never changes.

The files lie in `vectors/`, one an area, in the format of `schemas/vectors.json`. Of a vector's clauses the
first is the one that a wrong acceptance breaks.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from schedule_conformance.json_values import has_surrogate
from schedule_conformance.judging import Expectation, Refusal
from schedule_conformance.rulings import Granted
from schedule_spec import json_text
from schedule_spec.profiles import Profile
from schedule_spec.rejections import Code


@dataclass(frozen=True, slots=True)
class Vector:
    """One frozen case; `request` has no sequence number, `origin` is reference, hand or law.

    `releases` are those of the zone data under which the case holds; where there are none it holds under any.
    """

    id: str
    area: str
    clauses: tuple[str, ...]
    profile: Profile
    origin: str
    note: str
    request: dict[str, Any]
    expected: Expectation
    releases: tuple[str, ...] = ()

    @property
    def needs_surrogates(self) -> bool:
        """Whether the case needs a system that takes unpaired surrogates."""
        spelt = self.request.get("json")
        return has_surrogate(self.request) or (
            isinstance(spelt, str) and has_surrogate(json_text.read(spelt))
        )


def _vector(area: str, entry: dict[str, Any]) -> Vector:
    expect = entry["expect"]
    clauses = tuple(entry["clauses"])
    if "result" in expect:
        expected: Expectation = Granted(expect["result"])
    else:
        codes = tuple(Code(code) for code in expect["rejected"]["codes"])
        expected = Refusal(clauses[0], codes, entry["note"] or "the case is frozen so")
    profile = Profile(entry["profile"])
    return Vector(
        entry["id"],
        area,
        clauses,
        profile,
        entry["origin"],
        entry["note"],
        entry["request"],
        expected,
        tuple(entry.get("tzdata", {}).get("releases", ())),
    )


@cache
def files() -> tuple[tuple[str, dict[str, Any]], ...]:
    """Return the names and contents of the vector files, in the order of their names."""
    folder = resources.files(__package__) / "vectors"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".json"))
    return tuple((name, json.loads((folder / name).read_text(encoding="utf-8"))) for name in names)


def vectors() -> Iterator[Vector]:
    """Yield every frozen case of the package."""
    for _, contents in files():
        for entry in contents["vectors"]:
            yield _vector(contents["area"], entry)
