"""What a clause is: the form in which the register holds each rule, and the words it is described with."""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256


class Seed(StrEnum):
    """The three documents that the clauses restate."""

    S1 = "S1"
    """The subsystem page, with `after`, `at` and `every`."""

    S2 = "S2"
    """The README of the reference's package, version 0.1.1-rc.2."""

    S3 = "S3"
    """The earlier subsystem page, with `after` alone."""


class Profile(StrEnum):
    """The protocol levels."""

    V1 = "v1"
    """Version 1: `after`, `at` and `every`."""

    V1_AFTER = "v1-after"
    """The earlier level: `after` alone (`profile.v1-after`)."""


class Subject(StrEnum):
    """How a clause is shown to hold: the simplest means that shows the whole of it."""

    PURE = "pure"
    """By pure commands of the adapter protocol: values in, a value out."""

    LOG = "log"
    """By folding a session's log, or a part of one."""

    LIVE = "live"
    """By a live session: world commands under virtual time."""

    DERIVED = "derived"
    """By no case of its own: it follows from other clauses, and properties confirm that it does."""

    MEANING = "meaning"
    """By no run: it says what something means."""

    SCOPE = "scope"
    """By no run: what it speaks of lies outside what an adapter can show."""


class Status(StrEnum):
    """Whether the law states the clause yet."""

    SPECIFIED = "specified"
    """The law states it, or it follows from clauses that the law states."""

    AWAITED = "awaited"
    """It stands in the register; the law does not state it yet."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a seed says it: the document, and its section in an English gloss."""

    seed: Seed
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One normative statement.

    `id` is never renumbered or reused. `sentence` is verbatim, in Markdown; a change of it raises `revision`.
    `rationale` says why the rule is as it is, in Markdown too; nothing follows from it.
    `note` is the origin as the list of requirements gives it; `sources` and `decided` tell it in full: where
    the seeds say it, and what was decided where they are silent (None: nothing was).
    `profiles` are the levels at which the clause still says something once `profile.v1-after` has taken away
    what it takes. `reason` says why no case of its own shows the clause (None: cases do).
    `implied_by` names the other clauses under which the same fault may rightly be reported.
    """

    id: str
    sentence: str
    rationale: str
    note: str
    sources: tuple[Source, ...]
    decided: str | None = None
    profiles: tuple[Profile, ...] = (Profile.V1_AFTER, Profile.V1)
    subject: Subject
    reason: str | None = None
    implied_by: tuple[str, ...]
    status: Status = Status.SPECIFIED
    revision: int = 1

    @property
    def area(self) -> str:
        """The name of the clause's area: what stands before the first full stop of its id."""
        return self.id.partition(".")[0]

    @property
    def fingerprint(self) -> str:
        """The sentence's identity: the first 16 hexadecimal digits of the SHA-256 of its UTF-8."""
        return sha256(self.sentence.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Area:
    """A subject of the specification: its clauses, and the words they share (`preamble`, often empty)."""

    name: str
    title: str
    preamble: str
    clauses: tuple[Clause, ...]
