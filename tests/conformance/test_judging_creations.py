"""Judging creations: names that may go either way, several codes that apply, and the part a code slanders."""

from typing import Any

import pytest

from schedule_conformance.judgement.judging import Failed, Fault, Passed, judge

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


@pytest.mark.parametrize(
    ("code", "blamed"),
    [
        ("invalid_selector", "tool.create-selector"),
        ("not_future", "tool.create-prompt"),
        ("frequency_too_high", "tool.create-prompt"),
        ("internal_error", "tool.create-prompt"),
    ],
)
def test_a_code_that_does_not_apply_fails(code: str, blamed: str) -> None:
    verdict = judge(BOTH, {"seq": 1, "rejected": {"code": code}})
    assert isinstance(verdict, Failed)
    assert (verdict.fault, verdict.clause) == (Fault.WRONG_CODE, blamed)
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
