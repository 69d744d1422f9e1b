"""Convert the reference's sample answers (tests/data/vectors) to frozen cases of the conformance package.

    python tools/import_reference_vectors.py [--check]

Writes `spec/schedule_conformance/vectors/reference-*.json`, byte for byte the same on every run; with
`--check` it writes nothing and ends with 1 where a file would change. A case's id comes from its request
alone, so that it stays when cases are added. The answers are the reference's; only the clauses that each
case is listed under are the law's.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from schedule_conformance.exercise import exercised
from schedule_conformance.rulings import rule
from schedule_spec.rejections import Rejection

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "tests" / "data" / "vectors"
PACKAGE = ROOT / "spec" / "schedule_conformance" / "vectors"
SCHEMA = "urn:schedule-spec:protocol:1:vectors"

Object = dict[str, Any]
Case = tuple[Object, Object, str]
"""A request without its number, what is expected, and a note."""

REJECTED: Object = {"rejected": {"codes": ["corrupt_schedule_log"]}}
CREATION = "2030-01-01T00:00:00.000Z"


def _expected(sample: Object, result: Callable[[Object], Object]) -> Object:
    return {"result": result(sample["expected"])} if sample["expected"]["ok"] else REJECTED


def decode_cases(sample: Object) -> Iterator[Case]:
    """`decode` by value, `decode_json` by text; creations belong to another command."""
    expect = (
        _expected(sample, lambda expected: {"change": expected["change"]}) if "decode" in sample["op"] else {}
    )
    match sample["op"]:
        case "decode":
            yield {"cmd": "decode", "change": sample["input"]["payload"]}, expect, ""
        case "decode_json":
            yield {"cmd": "decode", "json": f'{{"change":{sample["input"]["json"]}}}'}, expect, ""


def fold_cases(sample: Object) -> Iterator[Case]:
    """`fold`; the reference's own next id is not normative."""
    expect = _expected(sample, lambda expected: {"active": expected["active"], "seen": expected["seenIds"]})
    yield {"cmd": "fold", **sample["input"]}, expect, ""


def advance_cases(sample: Object) -> Iterator[Case]:
    """`every_occurrence` is the protocol's `advance`."""
    members = ("occurrenceAt", "nextScheduledAt")
    expect = _expected(sample, lambda expected: {key: expected[key] for key in members if key in expected})
    yield {"cmd": "advance", **sample["input"]}, expect, ""


def trim_cases(sample: Object) -> Iterator[Case]:
    """What the reference trims, seen through prompts: one is stored exactly if trimming leaves it alone."""
    if sample["op"] != "trim":
        return
    given, trimmed = sample["input"]["s"], sample["expected"]["trimmed"]
    for prompt in dict.fromkeys((given, trimmed)):
        change = {
            "version": 1,
            "operation": "create",
            "schedule": {"id": "a", "kind": "at", "prompt": prompt, "scheduledAt": CREATION},
        }
        stored = prompt == trimmed and prompt != ""
        expect = {"result": {"change": change}} if stored else REJECTED
        yield {"cmd": "decode", "change": change}, expect, f"the reference trims it to {json.dumps(trimmed)}"


SOURCES: dict[str, Callable[[Object], Iterator[Case]]] = {
    "decode": decode_cases,
    "numbers": decode_cases,
    "fold": fold_cases,
    "every_arithmetic": advance_cases,
    "trim": trim_cases,
}


def _canonical(value: Object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _clauses(request: Object, expect: Object) -> list[str]:
    numbered = {"seq": 0, **request}
    ruling = rule(numbered)
    tested = exercised(numbered, ruling)
    if ("rejected" in expect) != isinstance(ruling, Rejection):
        raise SystemExit(f"law and reference differ on {_canonical(request)}")
    leading = [ruling.clause] if isinstance(ruling, Rejection) else []
    return list(dict.fromkeys([*leading, *tested]))


def vector(area: str, case: Case) -> Object:
    """Return the frozen form of a case."""
    request, expect, note = case
    digest = sha256(_canonical(request).encode()).hexdigest()[:12]
    return {
        "id": f"reference-{area}-{digest}",
        "clauses": _clauses(request, expect),
        "profile": "v1",
        "origin": "reference",
        "note": note,
        "request": request,
        "expect": expect,
    }


def converted(source: str) -> bytes:
    """Return the file that one source becomes."""
    area = source.replace("_", "-")
    lines = (SAMPLES / f"{source}.jsonl").read_text(encoding="utf-8").split("\n")
    samples = [json.loads(line) for line in lines[1:] if line]
    cases = {
        vector(area, case)["id"]: vector(area, case) for sample in samples for case in SOURCES[source](sample)
    }
    contents = {"schema": SCHEMA, "area": area, "vectors": list(cases.values())}
    return (json.dumps(contents, indent=1, ensure_ascii=True) + "\n").encode()


def main() -> int:
    """Write the files, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; end with 1 where a file would change"
    )
    check = parser.parse_args().check
    changed = 0
    for source in SOURCES:
        path = PACKAGE / f"reference-{source.replace('_', '-')}.json"
        contents = converted(source)
        if path.exists() and path.read_bytes() == contents:
            continue
        changed += 1
        if check:
            print(f"{path} differs from what the samples say", file=sys.stderr)
        else:
            path.write_bytes(contents)
            print(f"{path} written")
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
