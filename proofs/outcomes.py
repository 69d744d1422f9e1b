"""What running a target, or its control, came to."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from proofs.ledger import Verdict


class Counterexample(Exception):  # noqa: N818 - it is the answer, not a fault of this program
    """A case in which what was to be shown is false; the message tells it."""


Counts = Mapping[str, int]
"""How many of each kind of thing were tried. A count of none makes an obligation vacuous."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict with what there is to say of it: the counterexample, or what hindered."""

    verdict: Verdict
    detail: str = ""
    counts: Counts = field(default_factory=dict)
    seconds: float = 0.0
