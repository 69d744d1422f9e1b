"""What the frozen cases cover: each clause met and broken, each once; and that their flags are true."""

import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.conformance.broken import BROKEN, Handler
from tests.conformance.broken_pure import BROKEN_PURE

from schedule_conformance import law_adapter, vectors
from schedule_conformance.bug_kinds import GRANTED, REFUSED
from schedule_conformance.judging import Failed, Refusal, judge_against
from schedule_conformance.running import REJECTING, REJECTING_AT_THE_EARLIER_LEVEL
from schedule_conformance.systems import InProcess
from schedule_conformance.trials import wire
from schedule_conformance.vectors import Vector
from schedule_spec.instants import EARLIEST, LATEST, parse
from schedule_spec.profiles import Profile
from schedule_spec.register import CLAUSES, Subject

SHOWN = {each.id for each in CLAUSES if each.subject in (Subject.PURE, Subject.LOG)}

ONLY_ANSWERS_BREAK_IT = "it says what the answer is; no request can break it"
NEVER_BROKEN_BY_A_REQUEST = {
    "text.json-string": ONLY_ANSWERS_BREAK_IT,
    "id.session-local": ONLY_ANSWERS_BREAK_IT,
    "record.immutable": ONLY_ANSWERS_BREAK_IT,
    "change.lossless": ONLY_ANSWERS_BREAK_IT,
    "fold.authority": "events of other types may hold anything",
    "fold.create": ONLY_ANSWERS_BREAK_IT,
    "fold.delete": "a delete of nothing is fold.inactive",
    "fold.dispatch-one-shot": "a dispatch of nothing is fold.inactive",
    "fold.dispatch-every": "a dispatch of nothing is fold.inactive, one too early rate.not-early",
    "fold.order": ONLY_ANSWERS_BREAK_IT,
    "fork.suffix": ONLY_ANSWERS_BREAK_IT,
    "fork.prefix-unread": "what was inherited may hold anything",
    "after.target": ONLY_ANSWERS_BREAK_IT,
    "at.offset-meaning": ONLY_ANSWERS_BREAK_IT,
    "at.utc-only": ONLY_ANSWERS_BREAK_IT,
    "zone.release": ONLY_ANSWERS_BREAK_IT,
    "local.unique": "a wall time that is not unique is local.gap-rejected or local.overlap-first",
    "every.first-target": ONLY_ANSWERS_BREAK_IT,
    "rate.latest-due": ONLY_ANSWERS_BREAK_IT,
    "rate.next": ONLY_ANSWERS_BREAK_IT,
    "rate.anchor-aligned": ONLY_ANSWERS_BREAK_IT,
    "rate.exact": ONLY_ANSWERS_BREAK_IT,
    "rate.skip": ONLY_ANSWERS_BREAK_IT,
    "rate.exhausted": ONLY_ANSWERS_BREAK_IT,
    "rate.independent": ONLY_ANSWERS_BREAK_IT,
    "view.fields": ONLY_ANSWERS_BREAK_IT,
    "view.state": ONLY_ANSWERS_BREAK_IT,
    "due.one-shot-first": ONLY_ANSWERS_BREAK_IT,
    "due.wait": ONLY_ANSWERS_BREAK_IT,
    "frame.one-shot": ONLY_ANSWERS_BREAK_IT,
    "frame.batch": ONLY_ANSWERS_BREAK_IT,
    "frame.injection": ONLY_ANSWERS_BREAK_IT,
}
"""The clauses that no case violates, with the reason."""

LIVE_ALONE = {
    "id.fresh": "what a creation calls its records is seen in a live session",
    "deliver.meaning": "a later turn is seen in a live session",
    "deliver.no-receipt": "what a delivery leaves is seen in a live session",
}
"""Clauses of these subjects that no pure command shows, with the reason."""


def _granted(vector: Vector) -> bool:
    return not isinstance(vector.expected, Refusal)


def _by_hand() -> list[Vector]:
    return [vector for vector in vectors.vectors() if vector.origin == "hand"]


@pytest.mark.parametrize("clause", sorted(SHOWN - LIVE_ALONE.keys()))
def test_a_case_by_hand_satisfies_each_clause_and_one_violates_it(clause: str) -> None:
    cases = [vector for vector in _by_hand() if clause in vector.clauses]
    assert any(_granted(vector) for vector in cases)
    refused = [vector for vector in cases if not _granted(vector)]
    if clause in NEVER_BROKEN_BY_A_REQUEST:
        assert clause not in {vector.clauses[0] for vector in refused}
    else:
        assert refused


def test_exempt_clauses_exist() -> None:
    assert NEVER_BROKEN_BY_A_REQUEST.keys() <= SHOWN
    assert LIVE_ALONE.keys() <= {each.id for each in CLAUSES}


@pytest.mark.parametrize("level", list(Profile))
def test_each_level_has_cases_of_each_command(level: Profile) -> None:
    commands = {vector.request["cmd"] for vector in vectors.vectors() if vector.profile is level}
    wanted = {"decode", "fold", "create", "view", "due", "frame"}
    assert commands == wanted | ({"advance", "frame_batch"} if level is Profile.V1 else set())


# --- no near-duplicates

RELEASED_TWINS = [{"hand-change-record-every", "hand-change-interval-least"}]
"""Cases that differ in nothing and were both released: ids stay."""


def _plain(value: Any, names: dict[str, str], key: str = "") -> Any:
    """Return a value in which plain ids and prompts, of one or two letters, are numbered as they come."""
    match value:
        case dict():
            return {member: _plain(each, names, member) for member, each in value.items()}
        case list():
            return [_plain(each, names) for each in value]
        case str() if key in ("id", "prompt") and re.fullmatch("[a-z]{1,2}", value):
            return names.setdefault(value, f"<{len(names)}>")
        case _:
            return value


def test_no_two_cases_by_hand_ask_the_same_under_the_same_clause() -> None:
    """The same but for the names of plain ids and prompts; the order of keys tells cases apart."""
    alike: defaultdict[str, set[str]] = defaultdict(set)
    for vector in _by_hand():
        asked = json.dumps(_plain(vector.request, {}))
        alike[f"{vector.profile} {vector.clauses[0]} {_granted(vector)} {asked}"].add(vector.id)
    assert [ids for ids in alike.values() if len(ids) > 1] == RELEASED_TWINS


# --- flags

NAMED = {
    "adoption": "adopts the parent's reminders",
    "ambient-zone": "assumes UTC",
    "ascii-digits": "accepts digits of other scripts",
    "calendar": "normalises 30 February",
    "clock": "shows any clock",
    "cross-talk": "moves every every",
    "drift": "counts from the decision time",
    "due-batch": "orders by creation",
    "due-choice": "takes the latest one-shot",
    "due-range": "decides beside the range",
    "due-time": "accepts at the occurrence",
    "due-wait": "waits for the last",
    "duplicate-key": "counts the first of duplicate keys",
    "early": "takes an early decision",
    "escape-form": "escapes all but ASCII",
    "event-shape": "skips events that are no objects",
    "exhaustion": "forgets exhaustion",
    "final-newline": "accepts a final newline",
    "foreign-events": "reads look-alike event types",
    "fork-boundary": "clamps the boundary",
    "fraction": "reads .5 as 5 ms",
    "frame-form": "puts spaces in batches",
    "future": "takes the present for the future",
    "gap-edge": "moves gaps forward",
    "gap-shift": "moves gaps back",
    "id-memory": "shares the parent's ids",
    "id-reuse": "resurrects ids",
    "inactive": "ignores what is not active",
    "input-kept": "keeps the offset",
    "lax-json": "lets control characters pass",
    "line-forging": "quotes without escaping",
    "loose-form": "accepts lower case",
    "loose-keys": "accepts extra members of a change",
    "loose-number": "reads numbers from strings",
    "loose-type": "accepts true as version",
    "loose-word": "compares operations without case",
    "loose-zone": "accepts abbreviations",
    "lossy": "replaces unpaired surrogates",
    "minimum": "takes intervals from 299",
    "narrow-zone": "minds the case of zones",
    "next-target": "stays on an aligned decision",
    "number-spelling": "refuses 300.0",
    "occurrence": "delivers the first occurrence",
    "offset-range": "accepts -00:00",
    "offset-sign": "turns offsets round",
    "order": "moves an advanced every to the end",
    "overlap": "takes the second of an overlap",
    "partial-state": "gives back a partial state",
    "prefix-read": "decodes the inherited part",
    "range-end": "ends delays at the range's end",
    "selector": "takes the first selector",
    "shape-mismatch": "ends an every by its id",
    "shift-range": "checks the range before the shift",
    "target": "stores targets of delays in seconds",
    "trim-set": "trims as Python does",
    "truncation": "cuts long texts",
    "unsafe-integer": "rounds delays",
    "untrimmed": "trims ids",
    "view-fields": "shows more",
    "view-state": "is overdue only past the target",
    "wrong-code": "looks at the zone first",
    "wrong-offset": "counts offsets in minutes",
    "wrong-record": "a delete ends nothing",
}
"""For each kind a broken system of the other tests that has this bug."""


def _normalising(request: dict[str, Any]) -> object:
    """Takes composed and decomposed spellings of an id for one."""
    composed = unicodedata.normalize("NFC", json.dumps(request, ensure_ascii=False))
    return law_adapter.handle(json.loads(composed))


def _on_advance(alter: Callable[[dict[str, Any], int, int], dict[str, Any] | None]) -> Handler:
    """The law, but an `advance` is asked otherwise where `alter` says so, from the target and the time."""

    def handle(request: dict[str, Any]) -> object:
        record, accepted = request.get("record"), request.get("acceptedAt")
        target = (
            parse(record["scheduledAt"]) if request["cmd"] == "advance" and isinstance(record, dict) else None
        )
        altered = alter(request, target, accepted) if target is not None and type(accepted) is int else None
        return law_adapter.handle(altered or request)

    return handle


def _clamped(request: dict[str, Any], _: int, accepted: int) -> dict[str, Any]:
    return {**request, "acceptedAt": min(max(accepted, EARLIEST), LATEST)}


def _in_32_bits(request: dict[str, Any], target: int, accepted: int) -> dict[str, Any]:
    return {**request, "acceptedAt": target + ((accepted - target) & 0xFFFFFFFF)}


def _enumerating(request: dict[str, Any]) -> object:
    """Gives up after a million occurrences."""
    record, accepted = request.get("record"), request.get("acceptedAt")
    if request["cmd"] == "advance" and isinstance(record, dict) and type(accepted) is int:
        missed = (accepted - (parse(record["scheduledAt"]) or 0)) // (record.get("everySeconds", 1) * 1000)
        if missed > 1_000_000:
            return {"seq": request["seq"], "error": {"message": "took too long"}}
    return law_adapter.handle(request)


def _corrupt_where(found: Callable[[str], bool]) -> Handler:
    """The law, but refuses what it grants where the JSON text of the request shows something."""

    def handle(request: dict[str, Any]) -> dict[str, Any]:
        reply = law_adapter.handle(request)
        refuses = "result" in reply and found(json.dumps(request))
        code = {"code": "invalid_rule" if request["cmd"] == "create" else "corrupt_schedule_log"}
        return {"seq": request["seq"], "rejected": code} if refuses else reply

    return handle


def _lenient(request: dict[str, Any]) -> object:
    """Reads instants of changes as a lenient parser does."""
    change = request.get("change")
    schedule = change.get("schedule") if isinstance(change, dict) else None
    if change is None or not isinstance(schedule, dict) or not isinstance(schedule.get("scheduledAt"), str):
        return law_adapter.handle(request)
    try:
        read = datetime.fromisoformat(schedule["scheduledAt"])
    except ValueError:
        return law_adapter.handle(request)
    instant = f"{read.isoformat()[:19]}.{read.microsecond // 1000:03}Z"
    return law_adapter.handle(
        {**request, "change": {**change, "schedule": {**schedule, "scheduledAt": instant}}}
    )


OF_ITS_OWN: dict[str, Handler] = {
    "accepted-range": _on_advance(_clamped),
    "enumeration": _enumerating,
    "id-identity": _normalising,
    "inexact": _on_advance(_in_32_bits),
    "key-order": _corrupt_where(lambda text: '"operation": "create", "version"' in text),
    "loose-instant": _lenient,
    "narrow-form": _corrupt_where(lambda text: '"at": "1' in text),
    "narrow-json": _corrupt_where(lambda text: r"\\u" in text),
    "narrow-instant": _corrupt_where(lambda text: '"19' in text),
    "over-strict": _corrupt_where(lambda text: '"prompt": "p"' in text),
    "level": law_adapter.adapter(Profile.V1),
}
"""For each other kind a system that has this bug."""


def _handler(kind: str) -> Handler:
    if kind in OF_ITS_OWN:
        return OF_ITS_OWN[kind]
    named = [each for each in (*BROKEN_PURE, *BROKEN) if each.name == NAMED[kind]]
    return named[0].handle


def test_each_kind_has_a_system_that_has_the_bug() -> None:
    assert NAMED.keys() | OF_ITS_OWN.keys() == vectors.kinds().keys()


@pytest.mark.parametrize("kind", vectors.kinds())
def test_the_cases_of_a_kind_catch_a_system_that_has_the_bug(kind: str) -> None:
    system = InProcess(kind, _handler(kind))
    flagged = [vector for vector in vectors.vectors() if kind in vector.flags]
    if kind != "level":
        flagged = [vector for vector in flagged if vector.profile is Profile.V1]
    assert any(_fails(system, vector) for vector in flagged)


def _fails(system: InProcess, vector: Vector) -> bool:
    request = {"seq": 1, **vector.request}
    reply = system.ask(wire(request))
    return isinstance(judge_against(vector.expected, request, reply, vector.profile), Failed)


def test_every_kind_is_used_by_cases() -> None:
    used = Counter(flag for vector in vectors.vectors() for flag in vector.flags)
    assert used.keys() == vectors.kinds().keys()


def test_kinds_are_told_in_a_sentence() -> None:
    for kind, sentence in vectors.kinds().items():
        assert re.fullmatch("[a-z]+(-[a-z]+)*", kind)
        assert sentence.endswith(".")
        assert 20 < len(sentence) < 140, kind


def test_whatever_a_case_may_stand_under_has_a_kind() -> None:
    assert {*REJECTING, REJECTING_AT_THE_EARLIER_LEVEL} <= REFUSED.keys()
    first = {
        vector.clauses[0] for vector in vectors.vectors() if _granted(vector) and vector.origin == "reference"
    }
    assert first <= GRANTED.keys()
    assert {*GRANTED.values(), *REFUSED.values()} <= vectors.kinds().keys()


def test_the_documentation_tells_every_kind_in_the_same_words() -> None:
    page = (Path(__file__).parents[2] / "docs" / "vectors.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| `")]
    told = {flag.strip("`"): sentence for flag, sentence in rows}
    assert vectors.kinds().items() <= told.items()
    assert [flag for flag in told if flag in vectors.kinds()] == list(vectors.kinds())
