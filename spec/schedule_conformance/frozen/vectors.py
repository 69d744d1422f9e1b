"""Frozen cases: requests with the answers that are allowed, each under an id that never changes.

The files lie in `vectors/`, one an area of the clauses, in the format of `schemas/vectors.json`. A case
stands in the area of its first clause: the one that a wrong acceptance breaks, or a wrong refusal first.
Reads package data, nothing else.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from schedule_conformance.judgement.judging import Expectation, Refusal
from schedule_conformance.law.rulings import Granted
from schedule_conformance.protocol.json_values import has_surrogate
from schedule_conformance.protocol.messages import URN, schema
from schedule_spec import json_text
from schedule_spec.profiles import Profile
from schedule_spec.rejections import Code

SCHEMA = f"{URN}:vectors"


@dataclass(frozen=True, slots=True)
class Vector:
    """One frozen case; `request` has no sequence number, `origin` is reference, hand or law.

    `flags` are the kinds of bugs that it catches, as `kinds()` has them. `releases` are those of the zone
    data under which the case holds; where there are none it holds under any.
    """

    id: str
    area: str
    clauses: tuple[str, ...]
    profile: Profile
    origin: str
    flags: tuple[str, ...]
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
    return Vector(
        entry["id"],
        area,
        clauses,
        Profile(entry["profile"]),
        entry["origin"],
        tuple(entry["flags"]),
        entry["note"],
        entry["request"],
        expected,
        tuple(entry.get("tzdata", {}).get("releases", ())),
    )


def folder() -> Traversable:
    """Return the package's folder of frozen cases."""
    return resources.files("schedule_conformance") / "vectors"


@cache
def files() -> tuple[tuple[str, dict[str, Any]], ...]:
    """Return the names and contents of the vector files, in the order of their names."""
    names = sorted(file.name for file in folder().iterdir() if file.name.endswith(".json"))
    return tuple((name, json.loads((folder() / name).read_text(encoding="utf-8"))) for name in names)


@cache
def vectors() -> tuple[Vector, ...]:
    """Return every frozen case of the package, in the order of the files."""
    return tuple(_vector(contents["area"], entry) for _, contents in files() for entry in contents["vectors"])


def read_anew() -> None:
    """Forget what was read of the files, which have changed."""
    files.cache_clear()
    vectors.cache_clear()


@cache
def kinds() -> Mapping[str, str]:
    """Return the kinds of bugs that cases are flagged with, each with a sentence on what goes wrong."""
    return {kind["const"]: kind["description"] for kind in schema("vectors")["$defs"]["kind"]["anyOf"]}


def text(area: str, entries: Iterable[Mapping[str, Any]]) -> str:
    """Return the text of an area's file: ASCII, one member of a case a line, the same for the same cases."""
    cases = ",\n".join(_entry_text(entry) for entry in entries)
    return f'{{\n "schema": "{SCHEMA}",\n "area": "{area}",\n "vectors": [\n{cases}\n ]\n}}\n'


def _entry_text(entry: Mapping[str, Any]) -> str:
    members = ",\n".join(f"   {json.dumps(key)}: {json.dumps(value)}" for key, value in entry.items())
    return f"  {{\n{members}\n  }}"
