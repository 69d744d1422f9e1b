"""The frozen cases: well formed, told apart, kept from the reference to the letter, and passed by the law."""

from collections import Counter
from functools import cache
from typing import Any

import pytest

from schedule_conformance.frozen import vectors
from schedule_conformance.judgement.creations import release_bound, zone_data_relied_on
from schedule_conformance.judgement.exercise import exercised
from schedule_conformance.judgement.judging import Passed, Refusal, judge_against
from schedule_conformance.law.law_adapter import adapter
from schedule_conformance.law.rulings import Ruling, refusals_of, rule
from schedule_conformance.protocol import messages
from schedule_conformance.protocol.messages import wire
from schedule_conformance.runs.running import REJECTING
from schedule_spec.register import CLAUSES
from tools import import_reference_vectors as converter


@pytest.mark.parametrize(
    ("name", "contents"), vectors.files(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_file_holds_to_its_schema_and_its_area(name: str, contents: dict[str, Any]) -> None:
    assert messages.problems("vectors", contents) == []
    assert {entry["clauses"][0].partition(".")[0] for entry in contents["vectors"]} == {contents["area"]}
    assert name == f"{contents['area']}.json"


@pytest.mark.parametrize(
    ("name", "contents"), vectors.files(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_file_is_written_in_the_one_way(name: str, contents: dict[str, Any]) -> None:
    """So that what is added by a program and by hand differs in nothing but what is added."""
    text = (vectors.folder() / name).read_text(encoding="utf-8")
    assert text == vectors.text(contents["area"], contents["vectors"])
    assert text.isascii()


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


@cache
def _ruled() -> tuple[tuple[vectors.Vector, Ruling], ...]:
    """Every case with the law's ruling."""
    return tuple((vector, rule({"seq": 1, **vector.request}, vector.profile)) for vector in vectors.vectors())


def test_a_rejected_case_leads_with_the_clause_that_the_law_names() -> None:
    for vector, ruling in _ruled():
        if refusals := refusals_of(ruling):
            assert vector.clauses[0] == refusals[0].clause, vector.id


def test_a_rejected_case_admits_exactly_what_the_law_admits() -> None:
    for vector, ruling in _ruled():
        if isinstance(vector.expected, Refusal):
            assert set(vector.expected.codes) == {refusal.code for refusal in refusals_of(ruling)}, vector.id


def test_every_rejecting_clause_has_a_case_worked_out_by_hand() -> None:
    leading = {v.clauses[0] for v in vectors.vectors() if v.origin == "hand" and "rejected" in _expect(v)}
    assert set(REJECTING) - leading == set()
    assert "profile.v1-after" in leading


def _expect(vector: vectors.Vector) -> str:
    return "rejected" if hasattr(vector.expected, "codes") else "result"


def test_accepted_cases_exercise_what_they_are_listed_under() -> None:
    """Reference cases only: their clauses are computed, so that they must be what the court computes now."""
    for vector, ruling in _ruled():
        if vector.origin == "reference":
            tested = exercised({"seq": 1, **vector.request}, ruling)
            assert set(vector.clauses) == set(tested), vector.id


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


def test_each_area_of_creation_has_cases_of_both_outcomes() -> None:
    seen = Counter((v.area, _expect(v)) for v in vectors.vectors() if v.origin == "hand")
    for area in ("after", "at", "local", "zone", "every"):
        assert min(seen[area, "result"], seen[area, "rejected"]) >= 6, area


def test_reference_cases_are_what_the_samples_say() -> None:
    texts = converter.texts()
    for file, text in texts.items():
        assert file.read_text(encoding="ascii") == text, file.name
    assert {file.stem for file in texts} == {contents["area"] for _, contents in vectors.files()}
