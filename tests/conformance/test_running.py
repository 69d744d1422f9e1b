"""Whole runs: nothing found in the law, broken systems caught under their clause, honest counts, seeds."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from tests.saboteurs import named, pure
from tests.saboteurs.model import Handler, Saboteur

from schedule_conformance.adapters.smoke import CannotJudgeError
from schedule_conformance.checks import machine, properties
from schedule_conformance.checks.exhaustive import ALPHABET, Bounds
from schedule_conformance.checks.exhaustive import cases as every_case
from schedule_conformance.checks.trials import Trial
from schedule_conformance.frozen.vectors import vectors
from schedule_conformance.judgement.cases import Failure
from schedule_conformance.judgement.creations import release_bound
from schedule_conformance.law import law_adapter
from schedule_conformance.protocol.systems import GivenUpError, InProcess
from schedule_conformance.rendering import telling
from schedule_conformance.runs import running
from schedule_conformance.runs.budgets import BUDGETS, Budget
from schedule_conformance.runs.docket import docket
from schedule_conformance.runs.reports import Report, Verdict, groups, verdict_sentence
from schedule_conformance.runs.results import Kind, Outcome
from schedule_conformance.runs.running import REJECTING, UnknownCheckError, first_failure, run
from schedule_spec import zones
from schedule_spec.profiles import Profile

SMALL = BUDGETS["quick"]
TINY = Budget("tiny", 10, 2, 5, Bounds(1, 1))
FEATURES = frozenset({"decode", "fold", "create", "rate", "view", "due", "frame", "surrogates"})
LAW = InProcess("law", law_adapter.handle)


@pytest.fixture(scope="module")
def of_the_law() -> Report:
    return run(LAW, SMALL)


def test_the_court_finds_nothing_on_the_law(of_the_law: Report) -> None:
    assert of_the_law.findings == ()
    assert of_the_law.verdict is Verdict.CONFORMANT
    assert all(group.counts.executed == group.counts.passed > 0 for group in groups(of_the_law.results))


def test_counts_add_up(of_the_law: Report) -> None:
    counts = of_the_law.counts
    assert counts.executed == sum(group.counts.executed for group in groups(of_the_law.results))
    assert counts.left_out == sum(vector.profile is not Profile.V1 for vector in vectors())
    frozen = {result.frozen for result in of_the_law.results if result.kind is Kind.VECTOR}
    assert frozen == {vector.id for vector in vectors()}
    assert all(count.cases == count.counts.executed + count.elsewhere for count in of_the_law.clauses)


def test_what_is_cheap_is_tried_first(of_the_law: Report) -> None:
    kinds = list(dict.fromkeys(result.kind for result in of_the_law.results))
    assert kinds == list(Kind)
    assert len({result.check for result in of_the_law.results}) == len(of_the_law.results)


def test_generated_cases_reach_every_clause_that_can_reject(of_the_law: Report) -> None:
    assert of_the_law.unreached == ()
    assert {name for name, count in of_the_law.reached if count} == set(REJECTING)


def test_at_the_earlier_level_the_court_finds_nothing_either_and_reaches_its_clause() -> None:
    system = InProcess("earlier", law_adapter.adapter(Profile.V1_AFTER))
    report = run(system, SMALL)
    assert report.findings == ()
    assert report.unreached == ()
    assert dict(report.reached)["profile.v1-after"] > 0
    assert "at.offset-form" not in dict(report.reached)


def test_a_system_of_a_later_level_that_claims_the_earlier_is_found_out() -> None:
    def handle(request: dict[str, Any]) -> dict[str, Any]:
        reply = law_adapter.handle(request)
        return (
            {**reply, "result": {**reply["result"], "profile": "v1-after"}}
            if request["cmd"] == "hello"
            else reply
        )

    assert "profile.v1-after" in run(InProcess("x", handle), TINY).broken


def _found(trial: Trial, saboteur: Saboteur) -> None:
    clauses = {failure.clause for failure in trial.failures}
    assert clauses, "nothing was found"
    assert clauses <= saboteur.clauses


@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("accepts_true_as_version", "decode: nearly valid changes"),
        ("replaces_unpaired_surrogates", "decode: valid changes"),
        ("lets_the_first_duplicate_count", "decode: JSON text"),
        ("breaks_on_deep_nesting", "decode: deep JSON text"),
        ("forgets_ended_ids", "fold: logs"),
        ("decodes_the_inherited_part", "fold: logs"),
        ("rounds_occurrences_to_seconds", "advance: one dispatch"),
        ("skips_an_occurrence", "advance: two dispatches"),
        ("accepts_minus_zero_offset", "create: strings"),
        ("resolves_gap_forward", "create: wall times"),
        ("minds_the_case_of_zones", "create: zone names"),
        ("takes_intervals_from_299", "create: delays and intervals"),
        ("minds_the_spelling_of_numbers", "create: JSON text"),
        ("trims_as_python_does", "create: prompts"),
        ("takes_the_first_of_several_selectors", "create: selectors"),
        ("is_overdue_only_past_the_target", "view"),
        ("orders_batches_by_creation", "due"),
        ("escapes_all_but_ascii", "frame: one-shots"),
        ("puts_spaces_in_batches", "frame: batches"),
    ],
)
def test_generated_cases_catch_a_saboteur_by_themselves(name: str, check: str) -> None:
    saboteur = named(name)
    trial = Trial(saboteur.system(), Profile.V1, FEATURES, tzdata=zones.release())
    prop = next(each for each in properties.properties(True) if each.name == check)
    properties.run(trial, prop, 400, base_seed=1)
    _found(trial, saboteur)


@pytest.mark.parametrize(
    "name",
    [
        "moves_advanced_everys_to_the_end",
        "advances_from_decision_time",
        "ends_every_by_id",
        "shares_the_parents_ids",
        "lets_children_delete_parents_reminders",
        "passes_over_a_corrupt_last_event",
        "cuts_the_boundarys_fraction_off",
    ],
)
def test_the_machine_catches_a_saboteur_by_itself(name: str) -> None:
    saboteur = named(name)
    trial = Trial(saboteur.system(), Profile.V1, FEATURES)
    machine.run(trial, 60, 20, base_seed=1)
    _found(trial, saboteur)


def test_a_system_that_answers_in_two_ways_is_told_to_be_unsteady() -> None:
    answers: set[str] = set()

    def handle(request: dict[str, Any]) -> dict[str, Any]:
        reply = law_adapter.handle(request)
        key = json.dumps(request)
        if request["cmd"] != "fold" or "result" not in reply or key in answers:
            return reply
        answers.add(key)
        return {**reply, "result": {"active": [], "seen": ["once"]}}

    trial = Trial(InProcess("x", handle), Profile.V1, FEATURES)
    prop = next(each for each in properties.properties(True) if each.name == "fold: logs")
    properties.run(trial, prop, 20, base_seed=1)
    assert [(failure.clause, str(failure.verdict.fault)) for failure in trial.failures] == [
        ("fold.deterministic", "unsteady")
    ]


def test_a_failure_is_shrunk_and_replayed_by_its_command() -> None:
    broken = named("refuses_decision_at_the_target").make()
    trial = Trial(InProcess("x", broken), Profile.V1, FEATURES)
    machine.run(trial, 40, 20, base_seed=1)
    found = {failure.clause: failure for failure in trial.failures}
    assert found.keys() == {"rate.not-early", "rate.exhausted"}
    assert all(len(failure.case.request["events"]) == 2 for failure in found.values())
    assert {clause for clause, _ in trial.tallies[machine.ID].met} == found.keys()

    report = run(InProcess("x", broken), TINY, seed=3)
    replayed = run(InProcess("x", broken), TINY, seed=3, only=frozenset({"rate.not-early"}))
    assert "rate.not-early" in replayed.broken
    assert 0 < replayed.counts.executed < report.counts.executed


NEARLY_VALID = "property/decode-nearly-valid-changes"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("hand-change-version-two", "--only-case hand-change-version-two"),
        (NEARLY_VALID, f"--seed 3 --profile tiny --only-case {NEARLY_VALID} --only change.version"),
    ],
)
def test_the_command_of_a_failure_tries_that_case_alone(name: str, arguments: str) -> None:
    broken = named("accepts_any_version").make()
    system = InProcess("node x.js", broken)
    first = run(system, TINY, 3, checks=frozenset({name}))
    finding = next(each for each in first.findings if each.clause == "change.version")
    told = telling.told(finding, first.circumstances)
    assert told.replay == f"schedule-spec verify --sut 'node x.js' {arguments}"
    only = frozenset({"change.version"} if "--only " in arguments else ())
    again = run(system, TINY, 3, only, checks=frozenset({name}))
    assert [result.check for result in again.results] == [finding.check]
    assert again.broken == ("change.version",)


def test_of_each_clause_the_smallest_failure_leads() -> None:
    broken = named("accepts_any_version").make()
    report = run(InProcess("x", broken), TINY)
    leading = {told.clause: told for told in telling.leading(report)}
    sizes = [
        len(json.dumps(each.case.request))
        for each in report.findings
        if isinstance(each, Failure) and each.clause == "change.version"
    ]
    told = leading["change.version"]
    assert len(told.asked[0]) == min(sizes)
    assert told.others >= len(sizes) - 1
    assert verdict_sentence(report).startswith("Not conformant: schedule_impl")


def test_the_clause_of_a_failure_is_one_that_its_case_exercises() -> None:
    for saboteur in pure.SABOTEURS[::40]:
        report = run(saboteur.system(), TINY)
        assert report.findings, saboteur.name
        for failure in report.findings:
            assert isinstance(failure, Failure)
            steady = failure.fault != "unsteady"
            assert not steady or failure.clause in failure.case.clauses, saboteur.name


def test_a_feature_that_is_not_claimed_is_unsupported_and_a_core_one_is_missed() -> None:
    def without(feature: str, *others: str) -> InProcess:
        commands = {"rate": "advance", "decode": "decode", "fold": "fold", "create": "create"}

        def handle(request: dict[str, Any]) -> dict[str, Any]:
            reply = law_adapter.handle(request)
            if request["cmd"] == "hello":
                missing = (feature, *others)
                features = [each for each in reply["result"]["features"] if each not in missing]
                return {**reply, "result": {**reply["result"], "features": features}}
            if request["cmd"] == commands[feature]:
                return {"seq": request["seq"], "unsupported": {"feature": feature}}
            return reply

        return InProcess(feature, handle)

    no_rate = run(without("rate"), TINY)
    assert no_rate.verdict is not Verdict.VIOLATED
    counts = no_rate.counts
    assert counts.unsupported > 0
    assert counts.executed == counts.passed + counts.unsupported
    (frozen,) = (each for each in no_rate.results if each.frozen == "hand-rate-at-target")
    assert (frozen.outcome, frozen.reason) == (
        Outcome.UNSUPPORTED,
        "the implementation does not support advance",
    )
    assert run(without("decode"), TINY).absent == ("decode",)
    assert run(without("create", "tools", "delivery"), TINY).absent == ("create or tools",)


def test_tools_stand_in_for_create() -> None:
    def handle(request: dict[str, Any]) -> dict[str, Any]:
        reply = law_adapter.handle(request)
        if request["cmd"] == "hello":
            kept = [
                each for each in reply["result"]["features"] if each not in ("create", "tools", "delivery")
            ]
            features = [*kept, "tools"]
            return {**reply, "result": {**reply["result"], "features": features}}
        if request["cmd"] == "create":
            return {"seq": request["seq"], "unsupported": {"feature": "create"}}
        return reply

    assert run(InProcess("x", handle), TINY).absent == ()


def _of_release(release: str | None) -> Handler:
    """The law, which says that its zone data is of another release or says nothing of it."""

    def handle(request: dict[str, Any]) -> dict[str, Any]:
        asked.append(request)
        reply = law_adapter.handle(request)
        if request["cmd"] == "hello":
            told = {key: value for key, value in reply["result"].items() if key != "tzdata"}
            return {**reply, "result": {**told, **({"tzdata": release} if release else {})}}
        return reply

    asked: list[dict[str, Any]] = []
    handle.asked = asked  # type: ignore[attr-defined]
    return handle


@pytest.mark.parametrize("release", [None, "2001a", "none"])
def test_of_another_release_nothing_is_asked_that_hangs_on_it(release: str | None) -> None:
    handle = _of_release(release)
    report = run(InProcess("x", handle), SMALL)
    assert report.counts.left_out > 0
    assert report.verdict is Verdict.CONFORMANT
    assert report.unreached == ()
    creations = [request for request in handle.asked if request["cmd"] == "create"]  # type: ignore[attr-defined]
    assert not any(release_bound(request) for request in creations)
    reasons = {each.reason for each in report.results if each.outcome is Outcome.LEFT_OUT}
    assert any(reason.endswith(f"hello says {release or 'none'}") for reason in reasons)


def test_frozen_cases_of_several_releases_are_asked_under_each(of_the_law: Report) -> None:
    def frozen_cases_asked(release: str | None) -> int:
        return groups(run(InProcess("x", _of_release(release)), TINY).results)[0].counts.executed

    of_all = groups(of_the_law.results)[0].counts.executed
    assert frozen_cases_asked(None) < frozen_cases_asked("2025c") < of_all


def test_a_claimed_feature_that_is_unsupported_fails() -> None:
    def handle(request: dict[str, Any]) -> dict[str, Any]:
        if request["cmd"] == "advance":
            return {"seq": request["seq"], "unsupported": {"feature": "rate"}}
        return law_adapter.handle(request)

    report = run(InProcess("x", handle), TINY)
    assert {failure.fault for failure in report.findings} == {"absent"}


def test_without_surrogates_none_is_sent() -> None:
    def handle(request: dict[str, Any]) -> dict[str, Any]:
        json.dumps(request, ensure_ascii=False).encode()
        reply = law_adapter.handle(request)
        if request["cmd"] == "hello":
            features = [each for each in reply["result"]["features"] if each != "surrogates"]
            return {**reply, "result": {**reply["result"], "features": features}}
        return reply

    assert run(InProcess("x", handle), TINY).findings == ()


@pytest.mark.parametrize(
    "handle",
    [
        lambda request: None,
        lambda request: {"seq": request["seq"], "error": {"message": "no"}},
        lambda request: {"seq": request["seq"], "result": {}},
        lambda request: law_adapter.handle({**request, "cmd": "hello", "protocol": 1, "suite": "1"}),
    ],
)
def test_a_broken_adapter_cannot_be_judged(handle: Any) -> None:
    with pytest.raises(CannotJudgeError):
        run(InProcess("x", handle), TINY)


@pytest.mark.parametrize(
    ("level", "clause", "why"),
    [
        (Profile.V1, "owner.dispose", "live sessions alone, and the profile tiny tries no worlds"),
        (Profile.V1, "deliver.meaning", "no run shows it"),
        (Profile.V1_AFTER, "due.batch", "speaks of level v1 alone; hello says v1-after"),
        (Profile.V1, "instant.round-trip", "follows from other clauses"),
    ],
)
def test_a_run_that_executed_nothing_says_why(level: Profile, clause: str, why: str) -> None:
    system = InProcess("x", law_adapter.adapter(level))
    with pytest.raises(CannotJudgeError, match="no case was executed") as raised:
        run(system, TINY, only=frozenset({clause}))
    assert f"{clause}: " in str(raised.value)
    assert why in str(raised.value)


def test_a_live_clause_says_which_features_are_missing() -> None:
    def handle(request: dict[str, Any]) -> dict[str, Any]:
        reply = law_adapter.handle(request)
        if request["cmd"] == "hello":
            reply["result"]["features"].remove("delivery")
        return reply

    with pytest.raises(CannotJudgeError, match="hello does not name the feature delivery"):
        run(InProcess("x", handle), SMALL, only=frozenset({"owner.dispose"}))


def test_a_run_can_stop_at_the_first_failure() -> None:
    broken = named("accepts_any_version").make()
    report = run(InProcess("x", broken), TINY, enough=first_failure)
    assert report.verdict is Verdict.VIOLATED
    assert [result.outcome for result in report.results].count(Outcome.FAILED) == 1
    assert report.results[-1].outcome is Outcome.FAILED
    assert verdict_sentence(report).endswith("Stopped at the first failure.")


def test_a_check_that_there_is_not_is_told_with_those_that_there_are() -> None:
    with pytest.raises(UnknownCheckError) as raised:
        run(LAW, TINY, checks=frozenset({"property/decode"}))
    assert "property/decode-json-text" in raised.value.known


def test_each_check_of_a_docket_stands_for_itself() -> None:
    listed = docket(LAW, TINY)
    names = ("machine/logs", "property/view", "vector/hand-rate-at-target")
    for check in (each for each in listed.checks if each.id in names):
        result = check.run()
        assert result.outcome is Outcome.PASSED
        assert result.check == check.id
    assert listed.asked > 0


def test_what_was_found_before_a_system_was_given_up_counts() -> None:
    broken = named("accepts_any_version").make()
    left = [2_000]

    def handle(request: dict[str, Any]) -> object:
        left[0] -= 1
        if left[0] < 0:
            raise GivenUpError("It broke down too often.")
        return broken(request)

    report = run(InProcess("x", handle), TINY)
    assert report.verdict is Verdict.VIOLATED
    assert report.stopped == "It broke down too often."
    assert report.missed == ()
    assert report.counts.executed < 2_000


def test_a_system_that_was_given_up_at_once_cannot_be_judged() -> None:
    begun: list[bool] = []

    def handle(request: dict[str, Any]) -> object:
        if begun:
            raise GivenUpError("It broke down too often.")
        return law_adapter.handle(request)

    with pytest.raises(CannotJudgeError, match="too often"):
        run(InProcess("x", handle), TINY, progress=lambda *_: begun.append(True))


def test_a_clause_that_no_generated_case_reached_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "REJECTING", (*REJECTING, "text.json-string"))
    report = run(LAW, TINY)
    assert "text.json-string" in report.unreached
    assert report.verdict is Verdict.UNJUDGED


def test_the_stated_number_of_short_logs_is_tried() -> None:
    bounds = Bounds(3, 2)
    trial = Trial(LAW, Profile.V1, FEATURES)
    requests = [json.dumps(case.request, sort_keys=True) for case in every_case(trial, bounds)]
    assert len(requests) == len(set(requests)) == bounds.size
    assert bounds.size == 1 + 10 + 100 + 1000 + 1 + 20 + 300
    assert BUDGETS["default"].bounds.size == 15_432
    assert len(ALPHABET) == 10


def test_short_logs_are_ruled_as_any_log_is() -> None:
    """The table of beginnings that the exhaustive check keeps must say what the law says of the whole log."""
    trial = Trial(LAW, Profile.V1, FEATURES)
    for case in list(every_case(trial, Bounds(2, 2)))[::7]:
        plain = trial.case({key: value for key, value in case.request.items() if key != "seq"})
        assert plain.expected == case.expected
        assert plain.clauses == case.clauses


SUMMARY = """
import json, re
from schedule_conformance.law import law_adapter
from schedule_conformance.rendering import report_json
from schedule_conformance.checks.exhaustive import Bounds
from schedule_conformance.runs.budgets import Budget
from schedule_conformance.runs.running import run
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.worlds.trying import WorldBudget
import hashlib

seen = hashlib.sha256()
def handle(request):
    seen.update(json.dumps(request).encode())
    return law_adapter.handle(request)

budget = Budget("t", 40, 5, 10, Bounds(1, 1), WorldBudget(3, 10, 200))
report = run(InProcess("law", handle), budget, seed=5)
text = report_json.text(report) + json.dumps(report_json.as_json(report))
print(seen.hexdigest(), re.sub(r', "seconds": [0-9.]+}', "}", text))
"""


def test_a_seed_gives_the_same_run_whatever_the_hash_seed() -> None:
    def once(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", SUMMARY], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    first = once("1")
    assert first == once("1") == once("2")


def test_another_seed_gives_another_run() -> None:
    def asked(seed: int) -> list[str]:
        heard: list[str] = []

        def handle(request: dict[str, Any]) -> dict[str, Any]:
            heard.append(json.dumps(request))
            return law_adapter.handle(request)

        run(InProcess("law", handle), TINY, seed=seed)
        return heard

    assert asked(1) == asked(1)
    assert asked(1) != asked(2)
