"""The ledger of known failures: what an implementation is known to break, kept beside it in a TOML file.

An entry for a case covers that frozen case; one for a clause covers what generated cases break of it. What is
listed is tried like all else: it counts as known where it fails as the entry says, as failed where it fails
otherwise, and the entry is stale where it does not fail. `schemas/ledger.json` says the format in full.
"""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any

from schedule_conformance.frozen import vectors
from schedule_conformance.protocol.json_values import unreadable
from schedule_conformance.protocol.messages import problems
from schedule_conformance.runs import ledger_text
from schedule_conformance.runs.results import Met, Outcome, Result
from schedule_conformance.worlds import traces
from schedule_spec.register import CLAUSES


class BrokenLedgerError(ValueError):
    """A file that is no ledger; the message names what is wrong, and its line where there is one."""


class EntryKind(StrEnum):
    """Why a failure is listed."""

    UNREVIEWED = "unreviewed"
    BUG = "bug"
    DELIBERATE = "deliberate"
    RARE = "rare"
    """It is met in some runs only: where it is not, the entry is not stale."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A known failure: of the frozen case `case`, or of generated cases where that is None.

    It is the expected one where it breaks `clause` by one of the kinds of `faults`.
    """

    case: str | None
    clause: str
    faults: tuple[str, ...]
    kind: EntryKind = EntryKind.UNREVIEWED
    link: str = ""

    @property
    def id(self) -> str:
        """The case, or the clause."""
        return self.case or self.clause

    def expects(self, met: Met) -> bool:
        """Tell whether a failure is the one that the entry speaks of."""
        return met.clause == self.clause and met.fault in self.faults


@dataclass(frozen=True, slots=True)
class Ledger:
    """The entries of a ledger, in the order of its file."""

    entries: tuple[Entry, ...]

    def of_case(self, case: str) -> Entry | None:
        """Return the entry of a frozen case."""
        return next((entry for entry in self.entries if entry.case == case), None)

    def of_clause(self, clause: str) -> Entry | None:
        """Return the entry of what generated cases break of a clause."""
        return next((entry for entry in self.entries if entry.case is None and entry.clause == clause), None)

    def covering(self, result: Result, met: Met) -> Entry | None:
        """Return the entry that speaks of a failure of a check, whether or not it expects it so."""
        return self.of_case(result.frozen) if result.frozen else self.of_clause(met.clause)


NOTHING_KNOWN = Ledger(())
"""The ledger of an implementation that has none."""


@dataclass(frozen=True, slots=True)
class Stale:
    """An entry that does not say what came, and why."""

    entry: Entry
    why: str


# --- reading ---


def read(path: Path) -> Ledger:
    """Return the ledger in a file; BrokenLedgerError where it holds none, OSError where it is unreadable."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as fault:
        raise BrokenLedgerError(f"it is no text: {unreadable(fault)}") from None
    return parsed(text)


def parsed(text: str) -> Ledger:
    """Return the ledger that a text holds; BrokenLedgerError where it holds none."""
    try:
        value = tomllib.loads(text)
    except RecursionError:
        raise BrokenLedgerError("it is nested too deep") from None
    except ValueError as fault:
        raise BrokenLedgerError(f"it is no TOML: {fault}") from None
    raws = value.get("known", [])
    lines = ledger_text.entry_lines(text)
    if isinstance(raws, list) and len(raws) == len(lines):
        for raw, line in zip(raws, lines, strict=True):
            wrong = problems("ledger#/$defs/entry", raw)
            _check([each.replace("the message: ", "the entry: ", 1) for each in wrong], line)
    _check(problems("ledger#/$defs/ledger", value), None)
    if len(lines) != len(raws) or ("known" in value and not raws):
        raise BrokenLedgerError("each entry has to begin with a line [[known]] of its own")
    entries = [_entry(raw) for raw in raws]
    for place, (entry, line) in enumerate(zip(entries, lines, strict=True)):
        _check([*_unknown(entry), *_repeated(entry, entries[:place])], line)
    return Ledger(tuple(entries))


def _check(wrong: list[str], line: int | None) -> None:
    if wrong:
        raise BrokenLedgerError(f"line {line}: {wrong[0]}" if line else wrong[0])


def _entry(raw: dict[str, Any]) -> Entry:
    return Entry(raw.get("case"), raw["clause"], tuple(raw["faults"]), EntryKind(raw["kind"]), raw["link"])


def _unknown(entry: Entry) -> Iterator[str]:
    clauses = [clause.id for clause in CLAUSES]
    if entry.clause not in clauses:
        yield f"there is no clause {entry.clause!r}{_near(entry.clause, clauses)}"
    cases = frozen_ids()
    if entry.case is not None and entry.case not in cases:
        yield f"this suite has no frozen case {entry.case!r}{_near(entry.case, cases)}"


def _near(name: str, names: Iterable[str]) -> str:
    found = get_close_matches(name, list(names))
    return f"; did you mean {' or '.join(found)}?" if found else ""


def _repeated(entry: Entry, before: list[Entry]) -> Iterator[str]:
    if any((one.case, one.id) == (entry.case, entry.id) for one in before):
        yield f"{entry.id} is listed twice"


def frozen_ids() -> frozenset[str]:
    """Return the ids of all frozen cases of the suite."""
    return frozenset((*(vector.id for vector in vectors.vectors()), *(trace.id for trace in traces.frozen())))


# --- holding results against it ---


def judged(ledger: Ledger, result: Result) -> Result:
    """Return a result whose known failures are counted as known."""
    met = tuple(replace(each, known=_is_known(ledger, result, each)) for each in result.met)
    known = sum(each.times for each in met if each.known)
    counts = replace(result.counts, failed=sum(each.times for each in met) - known, known=known)
    return replace(result, met=met, counts=counts)


def _is_known(ledger: Ledger, result: Result, met: Met) -> bool:
    entry = ledger.covering(result, met)
    return entry is not None and entry.expects(met)


def stale(ledger: Ledger, results: Iterable[Result]) -> tuple[Stale, ...]:
    """Return the entries that do not say what came; one of which nothing was tried is not judged.

    Give generated checks all or none: an entry for a clause holds where any of them breaks it.
    """
    tried = tuple(results)
    of_cases = {result.frozen: result for result in tried if result.frozen}
    generated = [result for result in tried if not result.frozen and result.outcome in _JUDGED]
    found = []
    for entry in ledger.entries:
        if entry.case is not None:
            result = of_cases.get(entry.case)
            why = _why_of_case(entry, result) if result else ""
        else:
            why = _why_of_clause(entry, generated)
        if why:
            found.append(Stale(entry, why))
    return tuple(found)


_JUDGED = (Outcome.PASSED, Outcome.FAILED, Outcome.KNOWN)


def _why_of_case(entry: Entry, result: Result) -> str:
    match result.outcome:
        case Outcome.PASSED:
            return "" if entry.kind is EntryKind.RARE else "it passes"
        case Outcome.UNSUPPORTED:
            return "it is unsupported now"
        case Outcome.FAILED:
            return f"it fails otherwise: {', '.join(f'{met.clause} ({met.fault})' for met in result.met)}"
        case _:
            return ""


def _why_of_clause(entry: Entry, generated: list[Result]) -> str:
    tried = [result for result in generated if entry.clause in result.clauses]
    met = [met for result in generated for met in result.met if met.clause == entry.clause]
    others = sorted({each.fault for each in met} - set(entry.faults))
    if others:
        return f"it fails otherwise: {', '.join(others)}"
    return "it holds" if tried and not met and entry.kind is not EntryKind.RARE else ""


# --- bringing it up to date ---


def updated(ledger: Ledger, results: Iterable[Result], gone: Iterable[Stale]) -> Ledger:
    """Return the ledger that says what came: clauses first, then cases, each sorted by id.

    What was not tried stays as it is, what was `gone` goes, what fails otherwise says so now, and what is new
    is unreviewed.
    """
    left = {each.entry for each in gone}
    entries = {_key(entry): entry for entry in ledger.entries if entry not in left}
    old = {_key(entry): entry for entry in ledger.entries}
    for result in results:
        for met in result.met:
            key = (result.frozen or "", met.clause if result.frozen is None else "")
            entries[key] = _with(entries.get(key) or old.get(key), result.frozen, met)
    return Ledger(tuple(entry for _, entry in sorted(entries.items())))


def _key(entry: Entry) -> tuple[str, str]:
    return (entry.case, "") if entry.case is not None else ("", entry.clause)


def _with(entry: Entry | None, case: str | None, met: Met) -> Entry:
    if entry is None:
        return Entry(case, met.clause, (met.fault,))
    if entry.expects(met):
        return entry
    faults = entry.faults if case is None else ()
    return replace(entry, clause=met.clause, faults=tuple(sorted({*faults, met.fault})))


def rewritten(text: str, ledger: Ledger) -> str:
    """Return the text of a ledger's file, made to say what `ledger` says; comments of what stays are kept."""
    old = parsed(text) if text.strip() else NOTHING_KNOWN
    places = {(entry.case, entry.id): place for place, entry in enumerate(old.entries)}
    blocks = []
    for entry in ledger.entries:
        place = places.get((entry.case, entry.id))
        members = _members(entry)
        if place is None:
            blocks.append(ledger_text.Block(None, members, members))
        else:
            before = _members(old.entries[place])
            blocks.append(
                ledger_text.Block(place, members, {k: v for k, v in members.items() if before[k] != v})
            )
    return ledger_text.rewritten(text, blocks)


def _members(entry: Entry) -> dict[str, Any]:
    case = {} if entry.case is None else {"case": entry.case}
    return {
        **case,
        "clause": entry.clause,
        "faults": list(entry.faults),
        "kind": str(entry.kind),
        "link": entry.link,
    }
