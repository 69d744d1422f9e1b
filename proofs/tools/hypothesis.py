"""Hypothesis: a function that searches at random, the same examples each time, and counts what it tried."""

from proofs.ledger import Verdict
from proofs.outcomes import Outcome
from proofs.tools.exhaustive import counted


def run(name: str, seconds: int) -> Outcome:
    """Return what the function of that name comes to."""
    return counted(name, Verdict.SEARCHED)
