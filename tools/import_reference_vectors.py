"""Convert the reference's sample answers (tests/data/vectors) to frozen cases of the conformance package.

    python -m tools.import_reference_vectors [--check]

Puts them behind the other cases of each area in `spec/schedule_conformance/vectors/`, byte for byte the
same on every run; with `--check` it writes nothing and ends with 1 where a file would change. A case's id
comes from its request alone, so that it stays when cases are added. The answers are the reference's; the
clauses that each case is listed under are the law's, and so are the codes beside the reference's own where
several apply, and the changes of offset that a case relies on. What the protocol doesn't ask is left out: a
creation without a selector, a zone's name that may go either way, framings of what no sound log holds.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from schedule_conformance.frozen import vectors
from schedule_conformance.frozen.bug_kinds import flags_of
from schedule_conformance.judgement import blame
from schedule_conformance.judgement.creations import release_bound, zone_data_relied_on
from schedule_conformance.judgement.exercise import exercised
from schedule_conformance.law.rulings import Granted, refusals_of, rule
from schedule_spec import zones

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "tests" / "data" / "vectors"
PACKAGE = ROOT / "spec" / "schedule_conformance" / "vectors"
RELEASES = ("2025c", "2026e", "2026f")
"""The releases of the zone data under which the samples' answers are the same."""

Object = dict[str, Any]
Case = tuple[Object, Object, str]
"""A request without its number, what is expected, and a note."""

REJECTED: Object = {"rejected": {"codes": ["corrupt_schedule_log"]}}
CREATION = "2030-01-01T00:00:00.000Z"
SELECTORS = ("after_seconds", "at", "every_seconds")
ASSUMED: Object = {"id": "schedule-1", "prompt": "p"}
"""What the reference's creations go with where a sample says nothing else."""


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


def _created(sample: Object) -> Object:
    answer = sample["expected"]
    if answer["ok"]:
        return {"result": {"record": answer["record"]}}
    return {"rejected": {"codes": [answer["code"]]}}


def create_cases(sample: Object) -> Iterator[Case]:
    """Creations by values."""
    if sample["op"] in ("create_at", "create_after"):
        yield {"cmd": "create", **ASSUMED, **sample["input"]}, _created(sample), sample.get("tag", "")


def create_text_cases(sample: Object) -> Iterator[Case]:
    """Creations by JSON text; what is assumed stands before what the sample spells."""
    if sample["op"] not in ("create_after_json", "create_every_json"):
        return
    text = sample["input"]["json"]
    given = json.loads(text)
    if any(selector in given for selector in SELECTORS):
        assumed = "".join(f'"{key}":"{ASSUMED[key]}",' for key in ASSUMED if key not in given)
        yield {"cmd": "create", "json": "{" + assumed + text.removeprefix("{")}, _created(sample), ""


def number_cases(sample: Object) -> Iterator[Case]:
    """Numbers in the text of changes and of creations."""
    yield from decode_cases(sample)
    yield from create_text_cases(sample)


def text_cases(sample: Object) -> Iterator[Case]:
    """What is trimmed, seen through stored prompts and through created ones."""
    yield from trim_cases(sample)
    yield from create_cases(sample)


def zone_name_cases(sample: Object) -> Iterator[Case]:
    """Names, seen through a past wall time: whatever the offset, an accepted one leads to `not_future`."""
    name = sample["input"]["time_zone"]
    if zones.is_open(name):
        return
    accepted = sample["expected"]["ok"]
    at = {"date": "2012-06-15", "time": "12:00:00", "time_zone": name}
    codes = ["not_future" if accepted else "invalid_time_zone"]
    note = f"the reference {'accepts' if accepted else 'refuses'} the name"
    yield {"cmd": "create", **ASSUMED, "at": at, "now": 4102444800000}, {"rejected": {"codes": codes}}, note


def _one_shot_text(prompt_json: str) -> str:
    """Return the framing that the samples give a plain one-shot, with another prompt."""
    lines = (SAMPLES / "framing.jsonl").read_text(encoding="utf-8").split("\n")
    plain = next(sample for sample in map(json.loads, lines[1:]) if sample["op"] == "frame_one_shot")
    kept = plain["expected"]["text"].split("\n")[:4]
    return "\n".join([*kept, f"reminder_prompt_json: {prompt_json}"])


def framing_cases(sample: Object) -> Iterator[Case]:
    """Framings; a string's JSON text is seen through a prompt, between letters so that nothing is trimmed."""
    match sample["op"]:
        case "frame_one_shot":
            request = {"cmd": "frame", **sample["input"]}
        case "frame_every_batch":
            request = {"cmd": "frame_batch", **sample["input"]}
        case _:
            record = {"id": "schedule-1", "kind": "at", "prompt": f"x{sample['input']['s']}x"}
            framed = _one_shot_text(f'"x{sample["expected"]["text"][1:-1]}x"')
            request = {"cmd": "frame", "record": {**record, "scheduledAt": CREATION}}
            yield request, {"result": {"text": framed}}, ""
            return
    if isinstance(rule({"seq": 0, **request}), Granted):
        yield request, {"result": {"text": sample["expected"]["text"]}}, ""


SOURCES: dict[str, Callable[[Object], Iterator[Case]]] = {
    "decode": decode_cases,
    "numbers": number_cases,
    "fold": fold_cases,
    "every_arithmetic": advance_cases,
    "trim": text_cases,
    "offset_strings": create_cases,
    "local_strings": create_cases,
    "tz_transitions": create_cases,
    "zone_names": zone_name_cases,
    "framing": framing_cases,
}


def _canonical(value: Object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _judged(request: Object, expect: Object) -> tuple[list[str], Object]:
    """Return the clauses of a case, and what is expected with every code that the law admits.

    The first clause is the one that granting the case breaks, or, where it has to be granted, refusing it.
    """
    numbered = {"seq": 0, **request}
    ruling = rule(numbered)
    tested = exercised(numbered, ruling)
    refusals = refusals_of(ruling)
    if "result" in expect:
        agreed = isinstance(ruling, Granted)
    else:
        admitted = list(dict.fromkeys(str(refusal.code) for refusal in refusals))
        agreed = set(expect["rejected"]["codes"]) <= set(admitted)
        expect = {"rejected": {"codes": list(dict.fromkeys([*expect["rejected"]["codes"], *admitted]))}}
    if not agreed:
        raise SystemExit(f"law and reference differ on {_canonical(request)}")
    if isinstance(ruling, Granted):
        first = blame.of_wrong_rejection(numbered, ruling, None)
    else:
        first = refusals[0].clause
    return list(dict.fromkeys([first, *tested])), expect


def vector(source: str, case: Case) -> Object:
    """Return the frozen form of a case."""
    request, answer, note = case
    clauses, expect = _judged(request, answer)
    digest = sha256(_canonical(request).encode()).hexdigest()[:12]
    bound = request["cmd"] == "create" and release_bound(request)
    return {
        "id": f"reference-{source}-{digest}",
        "clauses": clauses,
        "profile": "v1",
        "origin": "reference",
        "flags": flags_of(request, clauses, expect),
        "note": note,
        **({"tzdata": {"releases": list(RELEASES), **zone_data_relied_on(request)}} if bound else {}),
        "request": request,
        "expect": expect,
    }


def converted(source: str) -> list[Object]:
    """Return the cases that one source becomes, each once."""
    name = source.replace("_", "-")
    lines = (SAMPLES / f"{source}.jsonl").read_text(encoding="utf-8").split("\n")
    samples = [json.loads(line) for line in lines[1:] if line]
    cases = [vector(name, case) for sample in samples for case in SOURCES[source](sample)]
    return list({case["id"]: case for case in cases}.values())


def texts() -> dict[Path, str]:
    """Return the files of all areas: what others wrote stays, what the reference answered comes behind it."""
    cases: defaultdict[str, list[Object]] = defaultdict(list)
    for _, contents in vectors.files():
        others = [entry for entry in contents["vectors"] if entry["origin"] != "reference"]
        cases[contents["area"]].extend(others)
    for source in SOURCES:
        for case in converted(source):
            cases[case["clauses"][0].partition(".")[0]].append(case)
    return {PACKAGE / f"{area}.json": vectors.text(area, entries) for area, entries in cases.items()}


def main() -> int:
    """Write the files, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; end with 1 where a file would change"
    )
    check = parser.parse_args().check
    changed = 0
    for path, text in texts().items():
        if path.exists() and path.read_text(encoding="ascii") == text:
            continue
        changed += 1
        if check:
            print(f"{path} differs from what the samples say", file=sys.stderr)
        else:
            path.write_text(text, encoding="ascii", newline="\n")
            print(f"{path} written")
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
