"""Try the sample's mutants and print what came of each, as JSON: `python -m tests.mutation.sample FOLDER`."""

import json
import os
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from tests.mutation import reaching, standing, trying
from tests.mutation.children import HarnessError
from tests.mutation.mutants import Mutant
from tests.mutation.reaching import KillersFailError
from tests.mutation.sample.killers import BROKEN
from tests.mutation.sides import ROOT, Side
from tests.mutation.trying import Harness, mutants_of, with_killers

FILE = "tests/mutation/sample/killers.py"
FILES = (FILE, "tests/mutation/sample/nearer_killers.py")
SIDE = Side("sample", "tests.mutation.sample.bounds", ROOT, FILES, {})


def tried(harness: Harness) -> None:
    """Try all mutants and tell, of some also what is said where their killer cannot be believed."""
    harness.control()
    mutants = mutants_of(SIDE)
    one_of_each_way = [
        next(each for each in mutants if each.unit.name == name) for name in ("clamped", "MOST")
    ]
    disbelieved = [_with_a_broken_killer(harness, mutant) for mutant in one_of_each_way]
    changed = [_with_a_changed_package(harness, mutants), _with_files_that_change(harness, mutants)]
    found = [(mutant.told, harness.try_mutant(mutant)) for mutant in mutants]
    verdicts = [[told, verdict.status, verdict.why] for told, verdict in found]
    sys.stdout.write(json.dumps({"verdicts": verdicts, "disbelieved": disbelieved, "changed": changed}))


def _with_a_broken_killer(harness: Harness, mutant: Mutant) -> str:
    os.environ[BROKEN] = "1"
    try:
        return str(harness.try_mutant(mutant, f"{FILE}::test_one_that_may_break"))
    except KillersFailError as problem:
        return str(problem)
    finally:
        del os.environ[BROKEN]


def _with_a_changed_package(harness: Harness, mutants: Sequence[Mutant]) -> str:
    began, standing.BEGAN = standing.BEGAN, 0.0
    try:
        return str(harness.try_mutant(mutants[0]))
    except HarnessError as problem:
        return str(problem)
    finally:
        standing.BEGAN = began


def _with_files_that_change(harness: Harness, mutants: Sequence[Mutant]) -> str:
    state_of, states = standing.state_of, count()
    standing.state_of = lambda files: (next(states), 0)
    try:
        return str(harness.try_mutant(mutants[0]))
    except HarnessError as problem:
        return f"{next(states)} times looked: {problem}"
    finally:
        standing.state_of = state_of


if __name__ == "__main__":
    reaching.STATE = Path(sys.argv[1])
    trying.FILES_ANEW = 1
    with_killers(SIDE, 3.0, tried)
