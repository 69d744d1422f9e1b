"""Every combination of listed choices: what a plain loop over their product shows, and no more than that."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

from proofs.outcomes import Counts


def on_all(judged: Callable[..., str], *choices: Iterable[Any]) -> Counts:
    """Judge every combination of choices, and count the cases by what they came to.

    `judged` answers with a word for the kind of the case, or raises `Counterexample`.
    """
    return Counter(judged(*case) for case in product(*choices))
