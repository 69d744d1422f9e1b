"""Broken systems of creation, views, decisions and framings: each is caught and named by frozen cases alone,
and those that frozen cases cannot foresee by generated ones; what is allowed to differ passes.
"""

from functools import cache
from typing import Any

import pytest
from tests.conformance.broken import Broken
from tests.conformance.broken_pure import BROKEN_PURE

from schedule_conformance import law_adapter, properties
from schedule_conformance.judging import Failed, Fault, Passed, judge
from schedule_conformance.systems import InProcess
from schedule_conformance.trials import Case, Trial
from schedule_conformance.vectors import vectors
from schedule_spec import zones
from schedule_spec.profiles import Profile
from schedule_spec.register import CLAUSES, clause

FEATURES = frozenset({"decode", "fold", "create", "rate", "view", "due", "frame", "surrogates"})
COMMANDS = ("create", "view", "due", "frame", "frame_batch")


def _trial(broken: Broken) -> Trial:
    return Trial(InProcess("x", broken.handle), Profile.V1, FEATURES, tzdata=zones.release())


@cache
def _frozen() -> tuple[tuple[str, Case], ...]:
    """The cases worked out by hand, made once."""
    trial = Trial(InProcess("law", law_adapter.handle), Profile.V1, FEATURES, tzdata=zones.release())
    return tuple(
        (vector.id, trial.frozen_case(vector))
        for vector in vectors()
        if vector.origin == "hand" and vector.profile is Profile.V1 and vector.request["cmd"] in COMMANDS
    )


def _found(trial: Trial, broken: Broken) -> None:
    clauses = {failure.clause for failure in trial.failures}
    assert clauses, "nothing was found"
    if "*" not in broken.others:
        assert clauses <= {broken.clause, *broken.others, *clause(broken.clause).implied_by}
    for failure in trial.failures:
        assert failure.clause in failure.case.clauses


@pytest.mark.parametrize("broken", BROKEN_PURE, ids=lambda broken: broken.name)
def test_frozen_cases_catch_a_broken_system_under_its_clause(broken: Broken) -> None:
    trial = _trial(broken)
    with trial.check("vectors", generated=False):
        for name, case in _frozen():
            failure = trial.hear(case, name)
            if failure is not None:
                trial.record(failure)
    _found(trial, broken)


PROPERTY_OF = {
    "assumes UTC": "create: strings",
    "accepts -00:00": "create: strings",
    "accepts a final newline": "create: strings",
    "accepts digits of other scripts": "create: strings",
    "normalises 30 February": "create: strings",
    "reads .5 as 5 ms": "create: strings",
    "turns offsets round": "create: strings",
    "takes the present for the future": "create: strings",
    "checks the range before the shift": "create: strings",
    "keeps the offset": "create: strings",
    "looks at the zone first": "create: wall times",
    "accepts further members": "create: wall times",
    "moves gaps forward": "create: wall times",
    "takes the second of an overlap": "create: wall times",
    "takes whichever of an overlap is to come": "create: wall times",
    "counts offsets in minutes": "create: wall times",
    "minds the case of zones": "create: zone names",
    "accepts abbreviations": "create: zone names",
    "folds case as Unicode does": "create: zone names",
    "trims names": "create: zone names",
    "takes intervals from 299": "create: delays and intervals",
    "takes intervals from 301": "create: delays and intervals",
    "calls zero a bad rule": "create: delays and intervals",
    "ends delays at the range's end": "create: delays and intervals",
    "rounds anchors to seconds": "create: delays and intervals",
    "reads JSON numbers as text": "create: JSON text",
    "trims as Python does": "create: prompts",
    "accepts blank prompts": "create: prompts",
    "takes the first selector": "create: selectors",
    "passes over nulls": "create: selectors",
    "shows more": "view",
    "is overdue only past the target": "view",
    "takes the latest one-shot": "due",
    "takes the last of equal one-shots": "due",
    "orders by creation": "due",
    "orders by occurrence": "due",
    "accepts at the occurrence": "due",
    "decides beside the range": "due",
    "escapes all but ASCII": "frame: one-shots",
    "leaves surrogates raw": "frame: one-shots",
    "quotes without escaping": "frame: one-shots",
    "cuts framings": "frame: one-shots",
    "puts spaces in batches": "frame: batches",
    "turns keys of batches": "frame: batches",
}


@pytest.mark.parametrize(("name", "check"), PROPERTY_OF.items())
def test_generated_cases_catch_a_broken_system_by_themselves(name: str, check: str) -> None:
    broken = next(each for each in BROKEN_PURE if each.name == name)
    trial = _trial(broken)
    prop = next(each for each in properties.properties(True) if each.name == check)
    properties.run(trial, prop, 400, base_seed=1)
    _found(trial, broken)


def test_every_clause_of_these_areas_that_values_show_has_a_broken_system() -> None:
    shown = {
        each.id for each in CLAUSES if each.area in ("after", "at", "zone", "local", "every", "view", "due")
    }
    # Zone data of another release is found out by the cases of local times, whatever differs in it.
    assert shown - {broken.clause for broken in BROKEN_PURE} == {"zone.release"}
    framed = {"frame.one-shot", "frame.batch", "frame.injection", "frame.whole", "text.json-string"}
    assert framed <= {broken.clause for broken in BROKEN_PURE}


OPEN = {
    "seq": 1,
    "cmd": "create",
    "id": "a",
    "prompt": " p ",
    "at": {"date": "2012-06-15", "time": "12:00:00", "time_zone": "us/pacific-new"},
    "now": 0,
}
RECORD = {"id": "a", "kind": "at", "prompt": "p", "scheduledAt": "2012-06-15T19:00:00.000Z"}


@pytest.mark.parametrize(
    "reply",
    [
        {"result": {"record": RECORD}},
        {"result": {"record": {**RECORD, "scheduledAt": "2012-06-15T20:00:00.000Z"}}},
        {"rejected": {"code": "invalid_time_zone"}},
        {"rejected": {"code": "not_future", "message": "any"}},
    ],
)
def test_an_open_zone_name_may_go_either_way(reply: dict[str, Any]) -> None:
    assert judge(OPEN, {"seq": 1, **reply}) == Passed()


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ({"result": {"record": {**RECORD, "prompt": " p "}}}, Fault.WRONG_VALUE),
        ({"result": {"record": {**RECORD, "id": "b"}}}, Fault.WRONG_VALUE),
        ({"result": {"record": {**RECORD, "scheduledAt": "2012-06-15"}}}, Fault.MALFORMED),
        ({"rejected": {"code": "invalid_prompt"}}, Fault.WRONG_CODE),
        ({"error": {"message": "no such file"}}, Fault.ERROR),
    ],
)
def test_an_open_zone_name_excuses_nothing_else(reply: dict[str, Any], fault: Fault) -> None:
    verdict = judge(OPEN, {"seq": 1, **reply})
    assert isinstance(verdict, Failed)
    assert (verdict.fault, verdict.clause) == (fault, "zone.names")


BOTH = {"seq": 1, "cmd": "create", "id": "a", "prompt": " ", "after_seconds": 0, "now": 0.5}


@pytest.mark.parametrize("code", ["invalid_prompt", "invalid_rule", "time_out_of_range"])
def test_any_code_that_applies_passes(code: str) -> None:
    assert judge(BOTH, {"seq": 1, "rejected": {"code": code}}) == Passed()


@pytest.mark.parametrize("code", ["invalid_selector", "not_future", "frequency_too_high", "internal_error"])
def test_a_code_that_does_not_apply_fails(code: str) -> None:
    verdict = judge(BOTH, {"seq": 1, "rejected": {"code": code}})
    assert isinstance(verdict, Failed)
    assert (verdict.fault, verdict.clause) == (Fault.WRONG_CODE, "tool.create-prompt")
    assert "after_seconds" in verdict.allowed


@pytest.mark.parametrize(
    ("zone", "date", "code", "blamed"),
    [
        ("Europe/Paris", "2012-06-15", "invalid_time_zone", "zone.names"),
        ("Europe/Paris", "2012-02-30", "invalid_time_zone", "zone.names"),
        ("Europe/Paris", "2012-02-30", "not_future", "at.real-date"),
        ("No/Such", "2012-06-15", "invalid_rule", "zone.names"),
    ],
)
def test_a_code_is_blamed_on_the_part_that_it_slanders(zone: str, date: str, code: str, blamed: str) -> None:
    request = {**OPEN, "at": {"date": date, "time": "12:00:00", "time_zone": zone}}
    verdict = judge(request, {"seq": 1, "rejected": {"code": code}})
    assert isinstance(verdict, Failed)
    assert verdict.clause == blamed
