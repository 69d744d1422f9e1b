"""The list of survivors: mutants that no killer kills, each argued by hand to be no fault.

An entry that names no mutant, or one that is killed, is stale. `MOST` is the share of all mutants of a side
that may be argued away.
"""

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("survivors.toml")
MOST = 0.03


class ListError(ValueError):
    """The list is none; the message says what is wrong, and where."""


@dataclass(frozen=True, slots=True)
class Survivor:
    """An entry: the mutant's key, the side, where it stands, what it changes, and why that is no fault."""

    key: str
    side: str
    place: str
    what: str
    why: str


_MEMBERS = ("key", "side", "place", "what", "why")


def read(file: Path = FILE) -> tuple[Survivor, ...]:
    """Return the entries of a list; ListError where it is none."""
    try:
        entries = tomllib.loads(file.read_text("utf-8")).get("survivor", [])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise ListError(f"{file.name}: {problem}") from None
    found: list[Survivor] = []
    for number, entry in enumerate(entries, 1):
        place = f"{file.name}, entry {number}"
        if not isinstance(entry, dict) or set(entry) != set(_MEMBERS):
            raise ListError(f"{place}: exactly the members {', '.join(_MEMBERS)} are required")
        if not all(isinstance(value, str) and value.strip() for value in entry.values()):
            raise ListError(f"{place}: every member is a text that is not empty")
        if any(entry["key"] == other.key for other in found):
            raise ListError(f"{place}: {entry['key']} stands here twice")
        found.append(Survivor(*(entry[member] for member in _MEMBERS)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the list makes of a run: survivors that it does not know, and entries of it that are stale."""

    unlisted: tuple[str, ...]
    killed: tuple[Survivor, ...]
    unknown: tuple[Survivor, ...]
    too_many: bool

    @property
    def sound(self) -> bool:
        """Whether nothing is open, stale or over the share."""
        return not (self.unlisted or self.killed or self.unknown or self.too_many)


def judged(
    entries: Collection[Survivor], side: str, mutants: Collection[str], survived: Mapping[str, bool]
) -> Judgement:
    """Hold a run against the list.

    `mutants` are the keys of all mutants of the side, `survived` says of each that was tried whether it did.
    """
    own = [entry for entry in entries if entry.side == side]
    listed = {entry.key for entry in own}
    return Judgement(
        unlisted=tuple(key for key, alive in survived.items() if alive and key not in listed),
        killed=tuple(entry for entry in own if survived.get(entry.key) is False),
        unknown=tuple(entry for entry in own if entry.key not in mutants),
        too_many=len(own) > MOST * len(mutants),
    )
