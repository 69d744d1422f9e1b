"""What came of the checks of a run: one result a check, with counts, what broke, and the evidence.

A check is a frozen case (a vector or a trace), a property, a machine, every short log, or random worlds.
Counts are of cases: one request with its reply, or one world. Plain data; touches nothing.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from schedule_conformance.judgement.cases import Failure
from schedule_conformance.worlds.trying import Found

Finding: TypeAlias = Failure | Found
"""A broken clause with the evidence: a request and its reply, or the trace of a world.

Both have `check`, `clause`, `fault` (the kind of fault) and `frozen` (the id of the frozen case, or None).
"""


class Kind(StrEnum):
    """The kinds of checks, in the order in which they are tried: what is cheap first."""

    VECTOR = "vector"
    """One frozen request."""

    TRACE = "trace"
    """One frozen world."""

    PROPERTY = "property"
    """Generated requests of one command."""

    MACHINE = "machine"
    """Generated logs or worlds, command by command, by Hypothesis."""

    EXHAUSTIVE = "exhaustive"
    """Every case up to a bound."""

    WALK = "walk"
    """Random worlds, one after another."""


FROZEN = (Kind.VECTOR, Kind.TRACE)
"""The kinds of checks that are one frozen case each, whose id they bear."""


class Outcome(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    KNOWN = "known"
    """It failed, as the ledger of known failures says."""

    UNSUPPORTED = "unsupported"
    """The implementation lacks what the check needs."""

    LEFT_OUT = "left-out"
    """It was not asked: it holds elsewhere, or puts nothing to the test that the run is narrowed to."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Cases by how they ended, and the commands that were asked within worlds."""

    passed: int = 0
    failed: int = 0
    known: int = 0
    unsupported: int = 0
    left_out: int = 0
    commands: int = 0

    @property
    def executed(self) -> int:
        """How many cases the system was asked."""
        return self.passed + self.failed + self.known + self.unsupported

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.passed + other.passed,
            self.failed + other.failed,
            self.known + other.known,
            self.unsupported + other.unsupported,
            self.left_out + other.left_out,
            self.commands + other.commands,
        )


@dataclass(frozen=True, slots=True)
class Met:
    """How many cases of a check broke a clause by one kind of fault; `known` where the ledger has it."""

    clause: str
    fault: str
    times: int
    known: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one check.

    `check` is its id, stable and readable (`vector/hand-at-z`, `trace/world-…`, `property/decode-json-text`);
    `clauses` are those that its cases put to the test. `met` is all that broke, `findings` the evidence: a
    generated check gives it only for what no earlier check of the run had shown. `reason` says why a check
    was left out or is unsupported. `seconds` is how long it took, and no part of equality.
    """

    check: str
    kind: Kind
    title: str
    clauses: tuple[str, ...]
    counts: Counts
    met: tuple[Met, ...] = ()
    findings: tuple[Finding, ...] = ()
    reason: str = ""
    seconds: float = 0.0

    @property
    def frozen(self) -> str | None:
        """The id of the frozen case that the check is, None for a generated check."""
        return self.check.partition("/")[2] if self.kind in FROZEN else None

    @property
    def outcome(self) -> Outcome:
        """How the check ended, by its counts."""
        counts = self.counts
        for outcome, count in ((Outcome.FAILED, counts.failed), (Outcome.KNOWN, counts.known)):
            if count:
                return outcome
        if not counts.executed:
            return Outcome.LEFT_OUT
        return Outcome.PASSED if counts.passed else Outcome.UNSUPPORTED
