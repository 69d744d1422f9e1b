"""Every case up to a bound: a function that tries them all and counts what it tried.

A contract of the law that is broken on the way is a counterexample too.
"""

from icontract import ViolationError

from proofs.ledger import Verdict
from proofs.naming import resolve
from proofs.outcomes import Counterexample, Outcome


def run(name: str, seconds: int) -> Outcome:
    """Return what the function of that name comes to."""
    return counted(name, Verdict.EXHAUSTED)


def counted(name: str, verdict: Verdict) -> Outcome:
    """Return the verdict, with what was counted, where a function finds no counterexample."""
    try:
        counts = dict(resolve(name)())
    except (Counterexample, ViolationError) as found:
        return Outcome(Verdict.REFUTED, str(found))
    if not counts or 0 in counts.values():
        return Outcome(Verdict.VACUOUS, "nothing of some kind was tried", counts)
    return Outcome(verdict, counts=counts)
