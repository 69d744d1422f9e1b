"""What came of mutants, kept from one run to the next so that a run can be resumed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from tests.mutation.sides import ROOT
from tests.mutation.trying import Status


@dataclass(frozen=True, slots=True)
class Kept:
    """What came of a mutant, and the digest of what that depends on."""

    status: Status
    why: str
    tried: int
    stamp: str

    @property
    def killed(self) -> bool:
        """Whether the mutant is dead; one that ran out of time is."""
        return self.status in (Status.KILLED, Status.TIMEOUT)


@cache
def digest(file: Path) -> str:
    """Return the digest of a file, the same for one that is not there."""
    return sha256(file.read_bytes() if file.is_file() else b"").hexdigest()


def stamp(status: Status, why: str, module: Path, whole: str) -> str:
    """Return the digest that a verdict on a mutant of a module's file holds for.

    That a killer kills depends, near enough, on its file and the module's; that none does, on all of them,
    of which `whole` is the digest.
    """
    if status is not Status.KILLED:
        return whole
    return f"{digest(module)}-{digest(ROOT / why.partition('::')[0])}"


def holds(kept: Kept, module: Path, whole: str, is_collected: Callable[[str], bool]) -> bool:
    """Tell whether a verdict on a mutant of a module's file still holds for the killers that are collected.

    That one killed it says nothing where that one is not asked; and a crash is no verdict.
    """
    if kept.status is Status.CRASHED or (kept.status is Status.KILLED and not is_collected(kept.why)):
        return False
    return kept.stamp == stamp(kept.status, kept.why, module, whole)


def read(file: Path) -> dict[str, Kept]:
    """Return what a file keeps by the keys of mutants, nothing where there is none."""
    if not file.exists():
        return {}
    kept = json.loads(file.read_text("utf-8"))
    return {key: Kept(**{**entry, "status": Status(entry["status"])}) for key, entry in kept.items()}


def add(file: Path, found: Mapping[str, Kept]) -> None:
    """Write what came beside what a file keeps of other mutants, whole or not at all."""
    kept = {**read(file), **found}
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_suffix(".new")
    new.write_text(json.dumps({key: asdict(entry) for key, entry in sorted(kept.items())}, indent=0), "utf-8")
    new.replace(file)
