"""Try the sample's mutants and print what came of each, as JSON: `python -m tests.mutation.sample FOLDER`."""

import json
import sys
from pathlib import Path

from tests.mutation import reaching
from tests.mutation.mutants import Module
from tests.mutation.sides import ROOT, Side
from tests.mutation.trying import Harness, mutants_of, with_killers

SIDE = Side("sample", "tests.mutation.sample.bounds", ROOT, ("tests/mutation/sample/killers.py",), {})


def tried(harness: Harness) -> None:
    """Try all mutants and tell."""
    harness.control()
    mutants = mutants_of([Module(name, file) for name, file in SIDE.modules().items()])
    found = [(mutant.told, harness.try_mutant(mutant)) for mutant in mutants]
    sys.stdout.write(json.dumps([[told, verdict.status, verdict.why] for told, verdict in found]))


if __name__ == "__main__":
    reaching.STATE = Path(sys.argv[1])
    with_killers(SIDE, 3.0, tried)
