"""Whole runs: nothing found in the law, broken systems caught under their clause, honest counts, seeds."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from tests.conformance.broken import BROKEN, Broken, Handler

from schedule_conformance import law_adapter, machine, properties, reporting, running
from schedule_conformance.creations import release_bound
from schedule_conformance.exhaustive import ALPHABET, Bounds
from schedule_conformance.exhaustive import cases as every_case
from schedule_conformance.running import BUDGETS, REJECTING, Budget, CannotJudgeError, Report, run
from schedule_conformance.systems import InProcess
from schedule_conformance.trials import Trial
from schedule_conformance.vectors import vectors
from schedule_spec.profiles import Profile
from schedule_spec.register import clause

SMALL = BUDGETS["quick"]
TINY = Budget("tiny", 10, 2, 5, Bounds(1, 1))
FEATURES = frozenset({"decode", "fold", "create", "rate", "view", "due", "frame", "surrogates"})
OF_THE_LOG = ("decode", "fold", "advance")
"""The commands by which a log is read; the other pure commands have their own broken systems."""
LAW = InProcess("law", law_adapter.handle)


@pytest.fixture(scope="module")
def of_the_law() -> Report:
    return run(LAW, SMALL)


def test_the_court_finds_nothing_on_the_law(of_the_law: Report) -> None:
    assert of_the_law.failures == ()
    assert not of_the_law.violated
    assert all(tally.executed == tally.passed > 0 for _, tally in of_the_law.checks)


def test_generated_cases_reach_every_clause_that_can_reject(of_the_law: Report) -> None:
    assert of_the_law.unreached == ()
    assert {name for name, count in of_the_law.reached if count} == set(REJECTING)


def test_at_the_earlier_level_the_court_finds_nothing_either_and_reaches_its_clause() -> None:
    system = InProcess("earlier", law_adapter.adapter(Profile.V1_AFTER))
    report = run(system, SMALL)
    assert report.failures == ()
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

    assert "profile.v1-after" in {failure.clause for failure in run(InProcess("x", handle), TINY).failures}


def _allowed(broken: Broken) -> set[str]:
    return {broken.clause, *broken.others, *clause(broken.clause).implied_by}


def _found(trial: Trial, broken: Broken) -> None:
    clauses = {failure.clause for failure in trial.failures}
    assert clauses, "nothing was found"
    if "*" not in broken.others:
        assert clauses <= _allowed(broken)


GENERATED_ONLY = ("breaks on deep nesting", "remembers logs")
"""What needs texts too deep to freeze, or the same question twice."""


@pytest.mark.parametrize(
    "broken", [each for each in BROKEN if each.name not in GENERATED_ONLY], ids=lambda broken: broken.name
)
def test_frozen_cases_and_short_logs_catch_a_broken_system(broken: Broken) -> None:
    trial = Trial(InProcess("x", broken.handle), Profile.V1, FEATURES)
    with trial.check("vectors", generated=False):
        for vector in vectors():
            if vector.profile is Profile.V1 and vector.request["cmd"] in OF_THE_LOG:
                failure = trial.hear(trial.frozen_case(vector), vector.id)
                if failure:
                    trial.record(failure)
    with trial.check("short logs", generated=False):
        for case in every_case(trial, Bounds(2, 1)):
            failure = trial.hear(case)
            if failure:
                trial.record(failure)
    _found(trial, broken)


PROPERTY_OF = {
    "accepts true as version": "decode: nearly valid changes",
    "trims as Python does": "decode: nearly valid changes",
    "accepts instants with a final newline": "decode: nearly valid changes",
    "keeps extra members of a record": "decode: nearly valid changes",
    "replaces unpaired surrogates": "decode: valid changes",
    "refuses 300.0": "decode: JSON text",
    "counts the first of duplicate keys": "decode: JSON text",
    "reads NaN and shallow JSON only": "decode: JSON text",
    "lets control characters pass": "decode: JSON text",
    "breaks on deep nesting": "decode: deep JSON text",
    "resurrects ids": "fold: logs",
    "decodes the inherited part": "fold: logs",
    "rounds occurrences to seconds": "advance: one dispatch",
    "gives null for no next target": "advance: one dispatch",
    "is one interval late": "advance: two dispatches",
}


@pytest.mark.parametrize(("name", "check"), PROPERTY_OF.items())
def test_generated_cases_catch_a_broken_system_by_themselves(name: str, check: str) -> None:
    broken = next(each for each in BROKEN if each.name == name)
    trial = Trial(InProcess("x", broken.handle), Profile.V1, FEATURES)
    prop = next(each for each in properties.properties(True) if each.name == check)
    properties.run(trial, prop, 400, base_seed=1)
    _found(trial, broken)


@pytest.mark.parametrize(
    "name",
    [
        "moves an advanced every to the end",
        "counts from the decision time",
        "forgets exhaustion",
        "shares the parent's ids",
        "adopts the parent's reminders",
        "gives back a partial state",
        "cuts the boundary's fraction off",
    ],
)
def test_the_machine_catches_a_broken_system_by_itself(name: str) -> None:
    broken = next(each for each in BROKEN if each.name == name)
    trial = Trial(InProcess("x", broken.handle), Profile.V1, FEATURES)
    machine.run(trial, 60, 20, base_seed=1)
    _found(trial, broken)


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
    broken = next(each for each in BROKEN if each.name == "refuses a decision at the target")
    trial = Trial(InProcess("x", broken.handle), Profile.V1, FEATURES)
    machine.run(trial, 40, 20, base_seed=1)
    (failure,) = trial.failures
    assert failure.clause == "rate.not-early"
    assert len(failure.case.request["events"]) == 2

    report = run(InProcess("x", broken.handle), TINY, seed=3)
    replayed = run(InProcess("x", broken.handle), TINY, seed=3, only=frozenset({"rate.not-early"}))
    assert {each.clause for each in replayed.failures} == {"rate.not-early"}
    assert 0 < replayed.executed < report.executed
    command = reporting.replay(report, report.failures[0])
    assert command == "schedule-spec verify --sut x --seed 3 --profile tiny --only rate.not-early"


def test_of_each_clause_the_smallest_failure_leads() -> None:
    broken = next(each for each in BROKEN if each.name == "accepts any version")
    report = run(InProcess("x", broken.handle), TINY)
    leading = {failure.clause: (failure, others) for failure, others in reporting.leading(report)}
    failure, others = leading["change.version"]
    sizes = [
        len(json.dumps(each.case.request)) for each in report.failures if each.clause == "change.version"
    ]
    assert len(json.dumps(failure.case.request)) == min(sizes)
    assert others >= len(sizes) - 1
    assert reporting.verdict(report).startswith("Not conformant: the law")


def test_the_clause_of_a_failure_is_one_that_its_case_exercises() -> None:
    for broken in BROKEN[::12]:
        report = run(InProcess("x", broken.handle), TINY)
        assert report.failures, broken.name
        for failure in report.failures:
            steady = failure.verdict.fault != "unsteady"
            assert not steady or failure.clause in failure.case.clauses, broken.name


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
    assert not no_rate.violated
    assert sum(tally.unsupported for _, tally in no_rate.checks) > 0
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
    assert report.left_out > 0
    assert not report.violated
    assert report.unreached == ()
    creations = [request for request in handle.asked if request["cmd"] == "create"]  # type: ignore[attr-defined]
    assert not any(release_bound(request) for request in creations)
    assert reporting.as_json(report)["leftOut"] == report.left_out


def test_frozen_cases_of_several_releases_are_asked_under_each(of_the_law: Report) -> None:
    def frozen_cases_asked(release: str | None) -> int:
        return dict(run(InProcess("x", _of_release(release)), TINY).checks)["vectors"].executed

    assert (
        frozen_cases_asked(None) < frozen_cases_asked("2025c") < dict(of_the_law.checks)["vectors"].executed
    )
    assert of_the_law.left_out == 0


def test_a_claimed_feature_that_is_unsupported_fails() -> None:
    def handle(request: dict[str, Any]) -> dict[str, Any]:
        if request["cmd"] == "advance":
            return {"seq": request["seq"], "unsupported": {"feature": "rate"}}
        return law_adapter.handle(request)

    report = run(InProcess("x", handle), TINY)
    assert {str(failure.verdict.fault) for failure in report.failures} == {"absent"}


def test_without_surrogates_none_is_sent() -> None:
    def handle(request: dict[str, Any]) -> dict[str, Any]:
        json.dumps(request, ensure_ascii=False).encode()
        reply = law_adapter.handle(request)
        if request["cmd"] == "hello":
            features = [each for each in reply["result"]["features"] if each != "surrogates"]
            return {**reply, "result": {**reply["result"], "features": features}}
        return reply

    assert run(InProcess("x", handle), TINY).failures == ()


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


def test_a_run_that_executed_nothing_cannot_be_judged() -> None:
    with pytest.raises(CannotJudgeError):
        run(LAW, TINY, only=frozenset({"owner.dispose"}))


def test_a_clause_that_no_generated_case_reached_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "REJECTING", (*REJECTING, "text.json-string"))
    report = run(LAW, TINY)
    assert "text.json-string" in report.unreached
    assert reporting.as_json(report)["verdict"] == "unjudged"


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
import json
from schedule_conformance import law_adapter, reporting
from schedule_conformance.exhaustive import Bounds
from schedule_conformance.running import Budget, run
from schedule_conformance.systems import InProcess
import hashlib

seen = hashlib.sha256()
def handle(request):
    seen.update(json.dumps(request).encode())
    return law_adapter.handle(request)

report = run(InProcess("law", handle), Budget("t", 40, 5, 10, Bounds(1, 1)), seed=5)
print(seen.hexdigest(), json.dumps(reporting.as_json(report)))
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
    assert SUMMARY.replace("seed=5", "seed=6") != SUMMARY


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
