"""The frozen cases: well formed, told apart, kept from the reference to the letter, and passed by the law."""

import importlib.util
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from schedule_conformance import messages, vectors
from schedule_conformance.creations import release_bound, zone_data_relied_on
from schedule_conformance.exercise import exercised
from schedule_conformance.judging import Passed, Refusal, judge_against
from schedule_conformance.law_adapter import adapter
from schedule_conformance.rulings import refusals_of, rule
from schedule_conformance.running import REJECTING
from schedule_conformance.trials import wire
from schedule_spec.register import CLAUSES

ROOT = Path(__file__).resolve().parents[2]


def _converter() -> ModuleType:
    spec = importlib.util.spec_from_file_location("converter", ROOT / "tools" / "import_reference_vectors.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CONVERTER = _converter()


@pytest.mark.parametrize(
    ("name", "contents"), vectors.files(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_file_holds_to_its_schema(name: str, contents: dict[str, Any]) -> None:
    assert messages.problems("vectors", contents) == []
    origins = {entry["origin"] for entry in contents["vectors"]}
    assert origins == {"reference" if name.startswith("reference-") else "hand"}


def test_ids_are_told_apart_and_clauses_exist() -> None:
    everything = list(vectors.vectors())
    assert [vector_id for vector_id, count in Counter(v.id for v in everything).items() if count > 1] == []
    known = {clause.id for clause in CLAUSES}
    assert {clause for vector in everything for clause in vector.clauses} <= known


def test_the_law_passes_every_case() -> None:
    for vector in vectors.vectors():
        request = {"seq": 1, **vector.request}
        assert messages.validate_request(request) == [], vector.id
        reply = adapter(vector.profile)(wire(request))
        assert isinstance(judge_against(vector.expected, request, reply, vector.profile), Passed), vector.id


def test_a_rejected_case_leads_with_the_clause_that_the_law_names() -> None:
    for vector in vectors.vectors():
        ruling = rule({"seq": 1, **vector.request}, vector.profile)
        if refusals := refusals_of(ruling):
            assert vector.clauses[0] == refusals[0].clause, vector.id


def test_a_rejected_case_admits_exactly_what_the_law_admits() -> None:
    for vector in vectors.vectors():
        if isinstance(vector.expected, Refusal):
            refusals = refusals_of(rule({"seq": 1, **vector.request}, vector.profile))
            assert set(vector.expected.codes) == {refusal.code for refusal in refusals}, vector.id


def test_every_rejecting_clause_has_a_case_worked_out_by_hand() -> None:
    leading = {v.clauses[0] for v in vectors.vectors() if v.origin == "hand" and "rejected" in _expect(v)}
    assert set(REJECTING) - leading == set()
    assert "profile.v1-after" in leading


def _expect(vector: vectors.Vector) -> str:
    return "rejected" if hasattr(vector.expected, "codes") else "result"


def test_accepted_cases_exercise_what_they_are_listed_under() -> None:
    """Reference cases only: their clauses are computed, so that they must be what the court computes now."""
    for vector in vectors.vectors():
        if vector.origin == "reference":
            request = {"seq": 1, **vector.request}
            assert set(vector.clauses) == set(exercised(request, rule(request))), vector.id


def test_cases_hang_on_no_zone_data_or_say_which() -> None:
    for vector in vectors.vectors():
        bound = vector.request["cmd"] == "create" and release_bound(vector.request)
        assert bool(vector.releases) == bound, vector.id


def test_the_law_reads_the_transitions_that_cases_rely_on() -> None:
    """A later release that moves one of them has to be met by new cases, not by new answers."""
    relying = [entry for _, contents in vectors.files() for entry in contents["vectors"] if "tzdata" in entry]
    assert sum(bool(entry["tzdata"].get("transitions")) for entry in relying) > 300
    for entry in relying:
        told = {key: value for key, value in entry["tzdata"].items() if key != "releases"}
        assert told == zone_data_relied_on(entry["request"]), entry["id"]


def test_each_area_of_creation_and_showing_has_cases_of_both_outcomes() -> None:
    seen = Counter((v.area, _expect(v)) for v in vectors.vectors() if v.origin == "hand")
    for area in ("at", "local", "zone", "creation"):
        assert min(seen[area, "result"], seen[area, "rejected"]) >= 6, area


@pytest.mark.parametrize("source", CONVERTER.SOURCES)
def test_reference_cases_are_what_the_samples_say(source: str) -> None:
    file = ROOT / "spec" / "schedule_conformance" / "vectors" / f"reference-{source.replace('_', '-')}.json"
    assert file.read_bytes() == CONVERTER.converted(source)
