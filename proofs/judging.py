"""What came, held against the ledger: an obligation is met, or there are reasons why it is not."""

from collections.abc import Iterator
from dataclasses import dataclass

from proofs.ledger import STRENGTH, Obligation, Verdict
from proofs.outcomes import Outcome


@dataclass(frozen=True, slots=True)
class Judged:
    """An obligation with what its target and its control came to, and why it is not met, if it isn't."""

    obligation: Obligation
    target: Outcome
    control: Outcome
    faults: tuple[str, ...]

    @property
    def met(self) -> bool:
        """Whether everything is as the ledger says."""
        return not self.faults

    @property
    def seconds(self) -> float:
        """How long target and control took together."""
        return self.target.seconds + self.control.seconds


def judged(obligation: Obligation, target: Outcome, control: Outcome) -> Judged:
    """Return the obligation with what is wrong about what came."""
    return Judged(obligation, target, control, tuple(_faults(obligation, target, control)))


def _faults(obligation: Obligation, target: Outcome, control: Outcome) -> Iterator[str]:
    expected = obligation.verdict
    if STRENGTH.get(target.verdict, 0) < STRENGTH[expected]:
        yield _sentence(f"{target.verdict}, where {expected} is expected", target.detail)
    elif not dict(obligation.counts).items() <= dict(target.counts).items():
        yield f"counted {_told(dict(target.counts))}, where the ledger has {_told(dict(obligation.counts))}"
    if control.verdict is not Verdict.REFUTED:
        yield _sentence(f"the control {obligation.control} is {control.verdict}, not refuted", control.detail)


def _sentence(what: str, detail: str) -> str:
    return f"{what}: {detail}" if detail else what


def _told(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
