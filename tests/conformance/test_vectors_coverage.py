"""What the frozen cases cover: each clause met and broken, each once; and that their flags are true."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.saboteurs import named
from tests.saboteurs.model import Handler

from schedule_conformance.frozen import vectors
from schedule_conformance.frozen.bug_kinds import GRANTED, REFUSED
from schedule_conformance.frozen.vectors import Vector
from schedule_conformance.judgement.judging import Failed, Refusal, judge_against
from schedule_conformance.law import law_adapter
from schedule_conformance.protocol.messages import wire
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.runs.running import REJECTING, REJECTING_AT_THE_EARLIER_LEVEL
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
    "accepted-range": "clamps_decision_times",
    "adoption": "lets_children_delete_parents_reminders",
    "ambient-zone": "assumes_utc",
    "ascii-digits": "accepts_digits_of_other_scripts",
    "calendar": "normalises_30_february",
    "clock": "shows_views_by_any_clock",
    "cross-talk": "advances_every_every",
    "drift": "advances_from_decision_time",
    "due-batch": "orders_batches_by_creation",
    "due-choice": "chooses_the_latest_one_shot",
    "due-range": "decides_batches_beside_the_range",
    "due-time": "decides_at_the_occurrence",
    "due-wait": "waits_for_the_last_target",
    "duplicate-key": "lets_the_first_duplicate_count",
    "early": "advances_early_decisions",
    "enumeration": "gives_up_after_a_million_occurrences",
    "escape-form": "escapes_all_but_ascii",
    "event-shape": "skips_events_that_are_no_objects",
    "exhaustion": "keeps_exhausted_everys",
    "final-newline": "accepts_at_with_final_newline",
    "foreign-events": "reads_look_alike_types",
    "fork-boundary": "clamps_the_boundary",
    "fraction": "reads_point_5_as_5_milliseconds",
    "frame-form": "puts_spaces_in_batches",
    "future": "takes_the_present_for_the_future",
    "gap-edge": "ends_gaps_a_millisecond_early",
    "gap-shift": "resolves_gap_backward",
    "id-identity": "normalises_ids",
    "id-memory": "shares_the_parents_ids",
    "id-reuse": "resurrects_ended_id",
    "inactive": "ignores_what_is_not_active",
    "inexact": "counts_in_32_bits",
    "input-kept": "keeps_the_offset",
    "key-order": "minds_the_order_of_keys",
    "lax-json": "reads_raw_control_characters",
    "level": "reads_every_of_the_later_level",
    "line-forging": "quotes_without_escaping",
    "loose-form": "accepts_at_in_lower_case",
    "loose-instant": "parses_instants_leniently",
    "loose-keys": "ignores_unknown_members_of_changes",
    "loose-number": "reads_stored_numbers_from_texts",
    "loose-type": "accepts_true_as_version",
    "loose-word": "compares_operations_without_case",
    "loose-zone": "accepts_abbreviations",
    "lossy": "replaces_unpaired_surrogates",
    "minimum": "takes_intervals_from_299",
    "narrow-instant": "refuses_instants_before_1970",
    "narrow-json": "refuses_escapes_of_unicode",
    "narrow-zone": "minds_the_case_of_zones",
    "next-target": "stays_on_an_aligned_decision",
    "number-spelling": "refuses_300_point_0",
    "occurrence": "delivers_the_first_missed_occurrence",
    "offset-range": "accepts_minus_zero_offset",
    "offset-sign": "turns_offsets_round",
    "order": "moves_advanced_everys_to_the_end",
    "overlap": "takes_the_second_of_an_overlap",
    "partial-state": "skips_what_is_corrupt",
    "prefix-read": "decodes_the_inherited_part",
    "range-end": "ends_delayed_targets_at_the_range",
    "selector": "takes_the_first_of_several_selectors",
    "shape-mismatch": "ends_every_by_id",
    "shift-range": "checks_the_range_before_the_shift",
    "target": "stores_delayed_targets_in_seconds",
    "trim-set": "trims_as_python_does",
    "truncation": "cuts_long_texts_off",
    "unsafe-integer": "rounds_delays",
    "untrimmed": "trims_ids",
    "view-fields": "shows_further_fields",
    "view-state": "is_overdue_only_past_the_target",
    "wrong-code": "looks_at_the_zones_type_first",
    "wrong-offset": "rounds_offsets_to_minutes",
    "wrong-record": "deletes_nothing",
}
"""For each kind a saboteur that has this bug."""


def _corrupt_where(found: Callable[[str], bool]) -> Handler:
    """The law, but refuses what it grants where the JSON text of the request shows something."""

    def handle(request: dict[str, Any]) -> dict[str, Any]:
        reply = law_adapter.handle(request)
        refuses = "result" in reply and found(json.dumps(request))
        code = {"code": "invalid_rule" if request["cmd"] == "create" else "corrupt_schedule_log"}
        return {"seq": request["seq"], "rejected": code} if refuses else reply

    return handle


OF_ITS_OWN: dict[str, Handler] = {
    "narrow-form": _corrupt_where(lambda text: '"at": "1' in text),
    "over-strict": _corrupt_where(lambda text: '"prompt": "p"' in text),
}
"""For each other kind a system that has this bug."""


def _handler(kind: str) -> Handler:
    return OF_ITS_OWN[kind] if kind in OF_ITS_OWN else named(NAMED[kind]).make()


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
