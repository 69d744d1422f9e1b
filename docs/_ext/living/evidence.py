"""What stands behind each clause: the evidence file, with frozen cases by name and proofs in words."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import msgspec

from proofs import ledger
from schedule_conformance import evidence as kept_evidence
from schedule_conformance.evidence import Clause as Kept
from schedule_conformance.frozen.vectors import vectors
from schedule_conformance.law.rulings import Granted
from schedule_conformance.worlds import traces
from schedule_spec import register


@dataclass(frozen=True, slots=True)
class Frozen:
    """A frozen case: a vector or a trace. `accepts` is None for a trace."""

    id: str
    origin: str
    note: str
    accepts: bool | None


@dataclass(frozen=True, slots=True)
class Proof:
    """An obligation of the ledger: what is shown, by what, how strongly, for what and on which assumption."""

    id: str
    sentence: str
    tool: str
    verdict: str
    scope: str
    assumes: str
    control: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What stands behind one clause: `kept` in the evidence file.

    `left_out` says what of it the proofs leave out, `exemption` why there are none; both are often empty.
    """

    kept: Kept
    vectors: tuple[Frozen, ...]
    traces: tuple[Frozen, ...]
    proofs: tuple[Proof, ...]
    left_out: str
    exemption: str


STRENGTHS = ("proved", "confirmed", "exhausted", "searched")
"""The verdicts of obligations, the strongest first."""


class UnmeasuredError(LookupError):
    """The evidence file does not know a clause of the register."""


@cache
def evidence() -> Mapping[str, Evidence]:
    """Return the evidence of every clause by its id; UnmeasuredError where the file lacks one."""
    kept = {each.id: each for each in kept_evidence.evidence().clauses}
    unknown = [clause.id for clause in register.CLAUSES if clause.id not in kept]
    if unknown:
        raise UnmeasuredError(f"the evidence file lacks {', '.join(unknown)}; `make evidence` makes it anew")
    cases, lived = _vectors(), _traces()
    whole = ledger.read()
    proofs = _proofs(whole)
    left_out = {each.clause: each.without for each in whole.parts}
    exemptions = {each.subject: each.reason for each in whole.exempt}
    return {
        clause.id: Evidence(
            kept[clause.id],
            tuple(cases[clause.id]),
            tuple(lived[clause.id]),
            tuple(proofs[clause.id]),
            left_out.get(clause.id, ""),
            exemptions.get(clause.id, ""),
        )
        for clause in register.CLAUSES
    }


def twin() -> object:
    """Return what `evidence.json` of the site holds: the package's file."""
    return msgspec.to_builtins(kept_evidence.evidence())


def _vectors() -> Mapping[str, list[Frozen]]:
    found: defaultdict[str, list[Frozen]] = defaultdict(list)
    for vector in vectors():
        accepts = isinstance(vector.expected, Granted)
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


def _proofs(whole: ledger.Ledger) -> Mapping[str, list[Proof]]:
    found: defaultdict[str, list[Proof]] = defaultdict(list)
    for each in whole.obligations:
        scope, verdict = each.scope, str(each.verdict)
        proof = Proof(each.id, each.sentence, str(each.tool), verdict, scope, each.assumes, each.control)
        for clause in each.clauses:
            found[clause].append(proof)
    for proofs in found.values():
        proofs.sort(key=lambda proof: STRENGTHS.index(proof.verdict))
    return found
