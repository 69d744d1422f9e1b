"""What the ledger must hold whatever its obligations come to: no clause and no contract of the law is left
out.

Every clause of the areas below has an obligation that is proved, confirmed or exhausted, or a reason why not;
every contract of the law, found by looking at the law, is listed by an obligation, or there is a reason why
not.
"""

from collections.abc import Iterable, Iterator

from proofs.ledger import STRENGTH, Ledger, Obligation, Verdict
from schedule_spec.register import AREAS
from schedule_spec.register.statements import Kind, statements

STRICT_AREAS = ("instant", "fold", "fork", "local", "rate", "due")
"""The areas of which every clause is shown, and not only searched."""


def clauses() -> tuple[str, ...]:
    """Return the ids of all clauses, in the register's order."""
    return tuple(clause.id for area in AREAS for clause in area.clauses)


def contracts() -> tuple[str, ...]:
    """Return all contracts of the law, each as `FUNCTION/CLAUSE`."""
    found = (f"{each.place}/{each.clause}" for each in statements() if each.kind is not Kind.DEFINITION)
    return tuple(dict.fromkeys(found))


def shown(obligation: Obligation) -> bool:
    """Tell whether the obligation shows something, rather than searches for a counterexample."""
    return STRENGTH[obligation.verdict] > STRENGTH[Verdict.SEARCHED]


def holes(ledger: Ledger) -> Iterator[str]:
    """Yield what the ledger leaves out, or names though it isn't there, each as a sentence."""
    known = clauses()
    yield from _clause_holes(ledger, known)
    yield from _contract_holes(ledger, contracts())
    named = [(each.id, clause) for each in ledger.obligations for clause in each.clauses]
    for id, clause in named:
        if clause not in known:
            yield f"{id} names the clause {clause}, which there is not."


def _clause_holes(ledger: Ledger, known: Iterable[str]) -> Iterator[str]:
    strong = {clause for each in ledger.obligations if shown(each) for clause in each.clauses}
    exempt = {each.subject for each in ledger.exempt}
    for clause in known:
        if clause.partition(".")[0] in STRICT_AREAS and clause not in strong | exempt:
            yield f"{clause} is shown by no obligation, and nothing says why."
    for clause in sorted(exempt & strong):
        yield f"{clause} is exempt, and yet it is shown."
    for clause in sorted(exempt - set(known)):
        yield f"The exempt clause {clause} is none."
    for part in ledger.parts:
        if part.clause not in strong:
            yield f"A part of {part.clause} is said to be shown, and nothing of it is."


def listed(entry: str, contract: str) -> bool:
    """Tell whether an obligation's entry, `FUNCTION/CLAUSE` or `FUNCTION/*`, means the contract."""
    return entry in (contract, f"{contract.partition('/')[0]}/*")


def _contract_holes(ledger: Ledger, known: tuple[str, ...]) -> Iterator[str]:
    entries = [entry for each in ledger.obligations for entry in each.contracts]
    outside = [each.subject for each in ledger.outside]
    for contract in known:
        if not any(listed(entry, contract) for entry in (*entries, *outside)):
            yield f"The contract {contract} is listed by no obligation, and nothing says why."
    for entry in dict.fromkeys((*entries, *outside)):
        if not any(listed(entry, contract) for contract in known):
            yield f"The ledger names the contract {entry}, which the law has not."
