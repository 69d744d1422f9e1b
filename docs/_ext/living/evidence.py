"""What stands behind each clause, joined from where it is kept.

The law itself (its statements), the frozen cases, the ledger of proofs, the registry of saboteurs, and the
evidence file of the package for what only a run can show. A part that this checkout does not have is None:
the pages then say so, and never call it a hole.
"""

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module, resources
from importlib.util import find_spec
from typing import Any

from schedule_conformance.vectors import vectors
from schedule_conformance.worlds import traces
from schedule_spec import register
from schedule_spec.register import Clause, Subject

from . import catching
from .clauses import told

RUN = (Subject.PURE, Subject.LOG, Subject.LIVE)
"""The subjects that cases of their own show."""


@dataclass(frozen=True, slots=True)
class Frozen:
    """A frozen case: a vector or a trace. `accepts` is None for a trace."""

    id: str
    origin: str
    note: str
    accepts: bool | None


@dataclass(frozen=True, slots=True)
class Proof:
    """An obligation of the ledger: what is shown, by what, for what, and how strongly."""

    sentence: str
    tool: str
    verdict: str
    scope: str
    control: str


@dataclass(frozen=True, slots=True)
class Sabotage:
    """An implementation that is broken in one clause, and what caught it."""

    name: str
    breaks: str
    about: str
    caught: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What stands behind one clause; None marks what this checkout does not have.

    `measured` is what the package's evidence file holds of it.
    """

    clause: str
    statements: tuple[Mapping[str, Any], ...]
    vectors: tuple[Frozen, ...]
    traces: tuple[Frozen, ...]
    proofs: tuple[Proof, ...] | None
    exemption: str
    saboteurs: tuple[Sabotage, ...] | None
    measured: Mapping[str, Any] | None

    def as_json(self) -> dict[str, Any]:
        """Return it as the evidence twin holds it."""
        return {
            "clause": self.clause,
            "statements": list(self.statements),
            "vectors": [each.id for each in self.vectors],
            "traces": [each.id for each in self.traces],
            "proofs": None if self.proofs is None else [_members(each) for each in self.proofs],
            "exemption": self.exemption or None,
            "saboteurs": None if self.saboteurs is None else [_members(each) for each in self.saboteurs],
            "measured": self.measured,
        }


STRENGTHS = ("proved", "confirmed", "exhausted", "searched")
"""The verdicts of obligations, the strongest first."""


def _members(value: Proof | Sabotage) -> dict[str, str]:
    return {name: getattr(value, name) for name in value.__slots__}


def holes(evidence: Evidence, clause: Clause) -> tuple[str, ...]:
    """Return which kinds of evidence a clause must have and has not, among those this checkout keeps."""
    if clause.subject not in RUN:
        return ()
    wanted = {
        "statement": evidence.statements,
        "case": (*evidence.vectors, *evidence.traces),
        "saboteur": evidence.saboteurs,
        "check": None if evidence.measured is None else evidence.measured["checks"],
    }
    return tuple(kind for kind, found in wanted.items() if found is not None and not found)


@cache
def evidence() -> Mapping[str, Evidence]:
    """Return the evidence of every clause by its id."""
    kept, lived = _vectors(), _traces()
    proofs, exemptions = _proofs()
    saboteurs, measured = _saboteurs(), _measured()
    return {
        each.clause.id: Evidence(
            each.clause.id,
            each.statements,
            tuple(kept[each.clause.id]),
            tuple(lived[each.clause.id]),
            None if proofs is None else tuple(proofs[each.clause.id]),
            exemptions.get(each.clause.id, ""),
            None if saboteurs is None else tuple(saboteurs[each.clause.id]),
            None if measured is None else measured.get(each.clause.id),
        )
        for each in told()
    }


def _vectors() -> Mapping[str, list[Frozen]]:
    found: defaultdict[str, list[Frozen]] = defaultdict(list)
    for vector in vectors():
        accepts = type(vector.expected).__name__ == "Granted"
        for clause in vector.clauses:
            found[clause].append(Frozen(vector.id, vector.origin, vector.note, accepts))
    return found


def _traces() -> Mapping[str, list[Frozen]]:
    found: defaultdict[str, list[Frozen]] = defaultdict(list)
    for trace in traces.frozen():
        note = str(trace.meta.get("note", ""))
        for clause in trace.clauses:
            found[clause].append(Frozen(trace.id, str(trace.meta.get("origin", "")), note, None))
    return found


def _proofs() -> tuple[Mapping[str, list[Proof]] | None, Mapping[str, str]]:
    if find_spec("proofs") is None or find_spec("proofs.ledger") is None:
        return None, {}
    module = import_module("proofs.ledger")
    ledger = module.read()
    if not ledger.obligations:
        return None, {}
    found: defaultdict[str, list[Proof]] = defaultdict(list)
    for each in ledger.obligations:
        proof = Proof(each.sentence, str(each.tool), str(each.verdict), each.scope, each.control)
        for clause in each.clauses:
            found[clause].append(proof)
    for proofs in found.values():
        proofs.sort(key=lambda proof: STRENGTHS.index(proof.verdict))
    return found, {each.subject: each.reason for each in ledger.exempt}


def _saboteurs() -> Mapping[str, list[Sabotage]] | None:
    if find_spec("tests.saboteurs") is None:
        return None
    registry = getattr(import_module("tests.saboteurs"), "ALL", None)
    if not registry:
        return None
    found: defaultdict[str, list[Sabotage]] = defaultdict(list)
    for each in registry:
        saboteur = Sabotage(each.name, each.breaks, each.about, catching.caught_by(each) or "")
        found[each.breaks].append(saboteur)
    return found


def _measured() -> Mapping[str, Mapping[str, Any]] | None:
    file = evidence_file()
    if file is None:
        return None
    return {each["id"]: each for each in file["clauses"]}


@cache
def evidence_file() -> Mapping[str, Any] | None:
    """Return the package's evidence file; None where there is none."""
    file = resources.files("schedule_conformance") / "evidence.json"
    if not file.is_file():
        return None
    contents: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return contents


def twin() -> dict[str, Any]:
    """Return what `evidence.json` of the site holds: the package's file where there is one."""
    file = evidence_file()
    if file is not None:
        return dict(file)
    return {"clauses": [evidence()[clause.id].as_json() for clause in register.CLAUSES]}
