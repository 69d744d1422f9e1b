"""The evidence: what stands behind each clause, as the package's file `evidence.json` holds it.

For each clause: where the law states it and that its contracts can fail, which checks and frozen cases put it
to the test, what is proved of it, and which broken implementations are caught under it. The file is generated
(`tools/make_evidence.py`) and read here; `schemas/evidence.json` says its form in full. Reads package data,
nothing else.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec

from schedule_spec.register import Subject

FORMAT = "schedule-spec-evidence-1"
SHOWN_BY_RUNS = (Subject.PURE, Subject.LOG, Subject.LIVE)
"""The subjects of the clauses that cases of their own show."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mutant of the law under which a contract fails.

    `place` is the function that is changed, `change` what stood there and what stands there instead; `case`
    is the check in which the contract is seen to fail.
    """

    place: str
    change: str
    case: str


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract of the law at the function `place`.

    `evaluated` says how often the measured run evaluated it; it was true each time. `mutant` is None where no
    mutant that was tried makes it fail.
    """

    place: str
    kind: str
    words: str
    evaluated: int
    mutant: Mutant | None


@dataclass(frozen=True, slots=True)
class Check:
    """A generated check, and in how many cases of the measured run it put the clause to the test."""

    id: str
    cases: int


@dataclass(frozen=True, slots=True)
class Situation:
    """Something that random worlds come through and that tries the clause, and how often they did."""

    name: str
    times: int


@dataclass(frozen=True, slots=True)
class Vectors:
    """How many vectors of one origin put the clause to the test, by what they expect."""

    origin: str
    accepted: int
    refused: int


@dataclass(frozen=True, slots=True)
class Proof:
    """An obligation with the verdict that the ledger of proofs holds it to, and for what that is shown."""

    id: str
    tool: str
    verdict: str
    scope: str


@dataclass(frozen=True, slots=True)
class Catch:
    """How a saboteur was caught: the check, and the clause that the failure was reported under."""

    check: str
    reported: str


@dataclass(frozen=True, slots=True)
class Saboteur:
    """An implementation that breaks the clause; `caught` is None where the measured run missed it."""

    name: str
    about: str
    caught: Catch | None


class Missing(StrEnum):
    """The kinds of holes: what must stand behind a clause and does not."""

    LAW = "no contract, definition or transition of the law states it"
    CONTRACT = "a contract of it was never evaluated, or never seen to fail"
    CHECK = "no property or machine puts it to the test"
    CASE = "no vector or trace puts it to the test"
    SABOTEUR = "no saboteur that breaks it is caught"
    UNCAUGHT = "a saboteur that breaks it is not caught"
    REASON = "nothing says why no case of its own shows it"
    DERIVATION = "it follows from others, and neither a proof nor a check confirms that"


@dataclass(frozen=True, slots=True)
class Clause:
    """All that stands behind one clause.

    `sentence` to `reason` are the register's. `contracts`, `definitions` and `transitions` are the places of
    the law that state it; a transition is a definition within the live law.
    """

    id: str
    sentence: str
    revision: int
    fingerprint: str
    sources: tuple[str, ...]
    decided: str | None
    profiles: tuple[str, ...]
    subject: Subject
    reason: str | None
    contracts: tuple[Contract, ...]
    definitions: tuple[str, ...]
    transitions: tuple[str, ...]
    checks: tuple[Check, ...]
    situations: tuple[Situation, ...]
    vectors: tuple[Vectors, ...]
    traces: tuple[str, ...]
    proofs: tuple[Proof, ...]
    saboteurs: tuple[Saboteur, ...]

    @property
    def area(self) -> str:
        """The clause's area."""
        return self.id.partition(".")[0]

    @property
    def caught(self) -> tuple[Saboteur, ...]:
        """The saboteurs that were caught."""
        return tuple(each for each in self.saboteurs if each.caught)

    @property
    def holes(self) -> tuple[Missing, ...]:
        """What is missing behind the clause, by what its subject asks for."""
        return tuple(_holes(self))


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """What the measured part was measured of: the text of the law, of the court, and of the saboteurs."""

    law: str
    court: str
    saboteurs: str


@dataclass(frozen=True, slots=True)
class Measured:
    """The run that the measured part comes from."""

    budget: str
    seed: int
    of: Fingerprints


@dataclass(frozen=True, slots=True)
class Evidence:
    """The whole file: the clauses, in the register's order."""

    format: str
    measured: Measured
    clauses: tuple[Clause, ...]


def _holes(clause: Clause) -> Iterator[Missing]:
    if any(not each.evaluated or each.mutant is None for each in clause.contracts):
        yield Missing.CONTRACT
    if len(clause.caught) < len(clause.saboteurs):
        yield Missing.UNCAUGHT
    if clause.subject in SHOWN_BY_RUNS:
        wanted = {
            Missing.LAW: (*clause.contracts, *clause.definitions, *clause.transitions),
            Missing.CHECK: clause.checks,
            Missing.CASE: (*clause.vectors, *clause.traces),
            Missing.SABOTEUR: clause.caught,
        }
        yield from (hole for hole, found in wanted.items() if not found)
        return
    if not clause.reason:
        yield Missing.REASON
    if clause.subject is Subject.DERIVED and not (clause.proofs or clause.checks):
        yield Missing.DERIVATION


def file() -> Traversable:
    """Return the package's evidence file."""
    return resources.files(__package__) / "evidence.json"


@cache
def evidence() -> Evidence:
    """Return the package's evidence."""
    return read(file().read_bytes())


def read(contents: bytes) -> Evidence:
    """Return the evidence that a file holds; `msgspec.ValidationError` where it holds none."""
    return msgspec.json.decode(contents, type=Evidence)


def text(kept: Evidence) -> bytes:
    """Return the contents of the file: ASCII, one value a line, the same for the same evidence."""
    import json  # noqa: PLC0415 - only the generator writes

    return (json.dumps(msgspec.to_builtins(kept), indent=1) + "\n").encode()
