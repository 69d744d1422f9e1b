"""What came of mutants, kept from one run to the next so that a run can be resumed."""

import json
from collections.abc import Mapping
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

    That a killer kills depends, near enough, on its file and the module's; that none does, on all of them.
    """
    if status is not Status.KILLED:
        return whole
    return f"{digest(module)}-{digest(ROOT / why.partition('::')[0])}"


def read(file: Path) -> dict[str, Kept]:
    """Return what a file keeps by the keys of mutants, nothing where there is none."""
    if not file.exists():
        return {}
    kept = json.loads(file.read_text("utf-8"))
    return {key: Kept(**{**entry, "status": Status(entry["status"])}) for key, entry in kept.items()}


def write(file: Path, kept: Mapping[str, Kept]) -> None:
    """Write what came, whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_suffix(".new")
    new.write_text(json.dumps({key: asdict(entry) for key, entry in sorted(kept.items())}, indent=0), "utf-8")
    new.replace(file)
