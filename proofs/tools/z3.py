"""Z3: a theorem over all integers, run along every path of the code that it calls.

The solver's release and its seeds are pinned, so that what it can decide does not vary.
"""

import z3

from proofs.ledger import Verdict
from proofs.naming import parameters, resolve
from proofs.outcomes import Outcome
from proofs.paths import FalseClaim, UndecidedError, walks

RELEASE = (5, 4, 1, 0)
SEED = 20_270_115


def run(name: str, seconds: int) -> Outcome:
    """Return what the theorem of that name comes to."""
    if z3.get_version() != RELEASE:
        return Outcome(Verdict.BROKEN, f"this is Z3 {z3.get_version_string()}; {RELEASE} is required")
    z3.set_param("smt.random_seed", SEED)
    z3.set_param("sat.random_seed", SEED)
    z3.set_param("timeout", seconds * 1000)
    theorem = resolve(name)
    paths = claims = 0
    try:
        for walk in walks(theorem, parameters(theorem), getattr(theorem, "hints", ())):
            paths += 1
            claims += walk.claims
    except FalseClaim as found:
        return Outcome(Verdict.REFUTED, str(found))
    except UndecidedError as problem:
        return Outcome(Verdict.UNDECIDED, str(problem))
    counts = {"paths": paths, "claims": claims}
    return Outcome(Verdict.PROVED if claims else Verdict.VACUOUS, counts=counts)
