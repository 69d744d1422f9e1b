"""The evidence joined from where it is kept: register, law, frozen cases, ledger of proofs, saboteurs, and
what was measured."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from tests.saboteurs import ALL
from tools.evidence.measuring import Measurements

from proofs import ledger
from schedule_conformance.evidence import (
    FORMAT,
    Catch,
    Check,
    Clause,
    Contract,
    Evidence,
    Measured,
    Mutant,
    Proof,
    Saboteur,
    Situation,
    Vectors,
)
from schedule_conformance.frozen import vectors
from schedule_conformance.judgement.judging import Refusal
from schedule_conformance.worlds import traces
from schedule_conformance.worlds.situations import SITUATIONS
from schedule_spec import register
from schedule_spec.register.statements import Kind, Statement, statements

LIVE_LAW = "schedule_spec.delivery."
"""Where the law's definitions are transitions."""


def joined(found: Measurements, measured: Measured) -> Evidence:
    """Return the whole evidence."""
    stated = _by_clause(statements())
    counted, lived, proved, broken = _vectors(), _traces(), _proofs(), _saboteurs(found.caught)
    return Evidence(
        FORMAT,
        measured,
        tuple(
            Clause(
                id=clause.id,
                sentence=clause.sentence,
                revision=clause.revision,
                fingerprint=clause.fingerprint,
                sources=tuple(f"{source.seed}, {source.section}" for source in clause.sources),
                decided=clause.decided,
                profiles=tuple(str(profile) for profile in clause.profiles),
                subject=clause.subject,
                reason=clause.reason,
                contracts=tuple(
                    _contract(each, found) for each in stated[clause.id] if each.kind is not Kind.DEFINITION
                ),
                definitions=_places(stated[clause.id], live=False),
                transitions=_places(stated[clause.id], live=True),
                checks=tuple(Check(*each) for each in sorted(found.checks.get(clause.id, {}).items())),
                situations=_situations(clause.id, found.situations),
                vectors=tuple(Vectors(*each) for each in counted[clause.id]),
                traces=tuple(lived[clause.id]),
                proofs=tuple(proved[clause.id]),
                saboteurs=tuple(broken[clause.id]),
            )
            for clause in register.CLAUSES
        ),
    )


def measurements(kept: Evidence) -> Measurements:
    """Return the measured part of an evidence, so that the rest can be joined anew."""
    found = Measurements()
    by_name = {(each.clause, each.place, str(each.kind), each.words): each for each in statements()}
    for clause in kept.clauses:
        for check in clause.checks:
            found.checks[clause.id][check.id] = check.cases
        for situation in clause.situations:
            found.situations[situation.name] = situation.times
        for contract in clause.contracts:
            statement = by_name.get((clause.id, contract.place, contract.kind, contract.words))
            if statement is not None:
                found.contracts[statement] = contract.evaluated, contract.mutant
        found.caught |= {each.name: each.caught for each in clause.saboteurs if each.caught}
    return found


def _by_clause(stated: Sequence[Statement]) -> Mapping[str, list[Statement]]:
    found: defaultdict[str, list[Statement]] = defaultdict(list)
    for each in stated:
        found[each.clause].append(each)
    return found


def _contract(statement: Statement, found: Measurements) -> Contract:
    nothing: tuple[int, Mutant | None] = (0, None)
    evaluated, mutant = found.contracts.get(statement, nothing)
    return Contract(statement.place, str(statement.kind), statement.words or "", evaluated, mutant)


def _places(stated: Sequence[Statement], *, live: bool) -> tuple[str, ...]:
    return tuple(
        each.place
        for each in stated
        if each.kind is Kind.DEFINITION and each.place.startswith(LIVE_LAW) is live
    )


def _situations(clause: str, seen: Mapping[str, int]) -> tuple[Situation, ...]:
    return tuple(
        Situation(each.name, seen.get(each.name, 0)) for each in SITUATIONS if clause in each.clauses
    )


def _vectors() -> Mapping[str, list[tuple[str, int, int]]]:
    counts: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for vector in vectors.vectors():
        for clause in vector.clauses:
            counts[clause][vector.origin][isinstance(vector.expected, Refusal)] += 1
    found: defaultdict[str, list[tuple[str, int, int]]] = defaultdict(list)
    for clause, origins in counts.items():
        found[clause] = [(origin, *counted) for origin, counted in sorted(origins.items())]  # type: ignore[misc]
    return found


def _traces() -> Mapping[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for trace in traces.frozen():
        for clause in trace.clauses:
            found[clause].append(trace.id)
    return found


def _proofs() -> Mapping[str, list[Proof]]:
    found: defaultdict[str, list[Proof]] = defaultdict(list)
    for each in ledger.read().obligations:
        for clause in each.clauses:
            found[clause].append(Proof(each.id, str(each.tool), str(each.verdict), each.scope))
    return found


def _saboteurs(caught: Mapping[str, Catch]) -> Mapping[str, list[Saboteur]]:
    found: defaultdict[str, list[Saboteur]] = defaultdict(list)
    for each in ALL:
        found[each.breaks].append(Saboteur(each.name, each.about, caught.get(each.name)))
    return found
