"""Make the evidence file of the package anew; with `--check`, only compare.

Measures for some minutes. Run it as `python -m tools.make_evidence` from the repository's root, or with
`make evidence`.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.evidence.fingerprints import COURT, fingerprints
from tools.evidence.joining import joined
from tools.evidence.measuring import BUDGET, measure

from schedule_conformance.evidence import Evidence, Measured, text
from schedule_conformance.runs.budgets import DEFAULT_SEED

TARGET = COURT / "evidence.json"


def made() -> Evidence:
    """Measure, and return the evidence."""
    of = fingerprints()
    return joined(measure(_say), Measured(BUDGET.name, DEFAULT_SEED, of))


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def differences(file: Path, contents: bytes) -> Iterator[str]:
    """Yield in which clauses a file differs from what it should hold; one sentence where it holds none."""
    if not file.exists():
        yield f"There is no {file.name}."
        return
    kept, wanted = json.loads(file.read_bytes()), json.loads(contents)
    if kept["measured"] != wanted["measured"]:
        yield "It was measured of another law, court, or other saboteurs."
    by_id = {clause["id"]: clause for clause in kept["clauses"]}
    for clause in wanted["clauses"]:
        old = by_id.get(clause["id"], {})
        parts = [name for name, value in clause.items() if old.get(name) != value]
        if parts:
            yield f"{clause['id']} differs in {', '.join(parts)}."


def main() -> int:
    """Write the file, or compare it; end with 1 where it differs or where there is a hole."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; end with 1 where it would change"
    )
    check = parser.parse_args().check
    evidence = made()
    contents = text(evidence)
    stale = list(differences(TARGET, contents)) if check else []
    if not check:
        TARGET.write_bytes(contents)
    for problem in stale:
        _say(problem)
    holes = [f"{clause.id}: {hole}" for clause in evidence.clauses for hole in clause.holes]
    for hole in holes:
        _say(hole)
    return int(bool(stale or holes))


if __name__ == "__main__":
    sys.exit(main())
