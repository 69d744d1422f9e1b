"""Convert the reference's world scenarios into frozen traces of the suite; with `--check`, only compare.

The scenarios lie in `tests/data/vectors/world.jsonl`. What their format leaves out is filled in as
`tests/world_traces.py` tells; the clauses that each puts to the test are the law's. Run it as
`python -m tools.import_world_traces` from the repository's root.
"""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

from tests.world_traces import WORLD, Exchange, Scenario, converted

from schedule_conformance.worlds import recorded, traces
from schedule_conformance.worlds.traces import Trace
from schedule_conformance.worlds.world import Exchange as Step
from schedule_spec.delivery import Terms

TARGET = (
    Path(__file__).resolve().parents[1] / "spec" / "schedule_conformance" / "vectors" / "worlds"
) / "reference-world.json"


def trace(line: str) -> Trace:
    """Return the frozen trace that one line of the file becomes."""
    told = json.loads(line)
    scenario: Scenario = converted(told)
    meta = {"origin": "reference", "area": told["area"], "note": told["what"]}
    kept = Trace(
        f"world-{told['id']}", meta, Terms(), tuple(map(_step, scenario.exchanges)), None, scenario.assumes
    )
    return replace(kept, meta={**meta, "clauses": list(recorded.tried(kept))})


def _step(exchange: Exchange) -> Step:
    request = {key: value for key, value in exchange.request.items() if key != "busy" or value is not False}
    return Step(request, exchange.reply)


def contents() -> bytes:
    """Return the file of frozen traces."""
    lines = WORLD.read_text(encoding="utf-8").splitlines()
    return traces.file_text(map(trace, lines)).encode()


def main() -> int:
    """Write the file, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; end with 1 where it would change"
    )
    check = parser.parse_args().check
    made = contents()
    if TARGET.exists() and TARGET.read_bytes() == made:
        return 0
    if check:
        print(f"{TARGET} differs from what the samples say", file=sys.stderr)
        return 1
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_bytes(made)
    print(f"{TARGET} written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
