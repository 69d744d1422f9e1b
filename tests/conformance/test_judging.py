"""Judging one reply: every kind of fault is told, and what is equal as JSON is no fault."""

from typing import Any

import pytest

from schedule_conformance.judgement.judging import Failed, Fault, Passed, Unsupported, judge
from schedule_conformance.protocol.json_values import depth_within, has_surrogate, same, show
from schedule_spec.profiles import Profile

T = "2030-01-01T00:00:00.000Z"
EVERY = {"id": "a", "kind": "every", "prompt": "p", "everySeconds": 300, "scheduledAt": T}
CREATE = {"version": 1, "operation": "create", "schedule": EVERY}
GOOD = {"seq": 1, "cmd": "decode", "change": CREATE}
BAD = {"seq": 1, "cmd": "decode", "change": {**CREATE, "version": True}}
REJECTION = {"seq": 1, "rejected": {"code": "corrupt_schedule_log"}}


def failed(request: dict[str, Any], reply: object) -> Failed:
    verdict = judge(request, reply)
    assert isinstance(verdict, Failed)
    return verdict


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        (GOOD, {"seq": 1, "result": {"change": CREATE}}),
        (GOOD, {"seq": 1.0, "result": {"change": {**CREATE, "version": 1.0}}}),
        (GOOD, {"result": {"change": dict(reversed(CREATE.items()))}, "seq": 1}),
        (BAD, REJECTION),
        (BAD, {"seq": 1, "rejected": {"code": "corrupt_schedule_log", "message": "any"}}),
    ],
)
def test_right_replies_pass(request_: dict[str, Any], reply: object) -> None:
    assert judge(request_, reply) == Passed()


@pytest.mark.parametrize(
    ("request_", "reply", "fault", "clause"),
    [
        (BAD, {"seq": 1, "result": {"change": CREATE}}, Fault.WRONG_ACCEPT, "change.version"),
        (GOOD, REJECTION, Fault.WRONG_REJECT, "record.every"),
        (BAD, {"seq": 1, "rejected": {"code": "invalid_rule"}}, Fault.WRONG_CODE, "change.version"),
        (BAD, {"seq": 1, "rejected": {"code": "corrupt"}}, Fault.MALFORMED, "change.version"),
        (BAD, {"seq": 1, "error": {"message": "corrupt_schedule_log"}}, Fault.ERROR, "change.version"),
        (GOOD, {"seq": 1, "error": {}}, Fault.ERROR, "record.every"),
        (GOOD, {"seq": 2, "result": {"change": CREATE}}, Fault.MALFORMED, "change.lossless"),
        (GOOD, {"seq": 1, "result": {"change": CREATE, "more": 1}}, Fault.MALFORMED, "change.lossless"),
        (
            GOOD,
            {"seq": 1, "result": {"change": {**CREATE, "schedule": {**EVERY, "everySeconds": 301}}}},
            Fault.WRONG_VALUE,
            "change.lossless",
        ),
        (
            GOOD,
            {"seq": 1, "result": {"change": {**CREATE, "version": True}}},
            Fault.MALFORMED,
            "change.lossless",
        ),
        (GOOD, None, Fault.MALFORMED, "record.every"),
        (GOOD, {"seq": 1}, Fault.MALFORMED, "record.every"),
        (GOOD, {"seq": 1, **REJECTION, "result": {"change": CREATE}}, Fault.MALFORMED, "change.lossless"),
    ],
)
def test_wrong_replies_are_told_apart(
    request_: dict[str, Any], reply: object, fault: Fault, clause: str
) -> None:
    verdict = failed(request_, reply)
    assert (verdict.fault, verdict.clause) == (fault, clause)


def test_a_failure_says_what_was_allowed_and_what_came() -> None:
    verdict = failed(BAD, {"seq": 1, "result": {"change": CREATE}})
    assert verdict.allowed_reply == {"rejected": {"codes": ["corrupt_schedule_log"]}}
    assert "version" in verdict.allowed
    assert '"operation": "create"' in verdict.got


def test_unsupported_is_neither_passed_nor_failed() -> None:
    assert judge(GOOD, {"seq": 1, "unsupported": {"feature": "decode"}}) == Unsupported("decode")


def test_the_earlier_level_is_judged_by_its_own_law() -> None:
    assert isinstance(judge(GOOD, REJECTION, Profile.V1_AFTER), Passed)
    accepted = judge(GOOD, {"seq": 1, "result": {"change": CREATE}}, Profile.V1_AFTER)
    assert isinstance(accepted, Failed)
    assert accepted.clause == "profile.v1-after"


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (300, 300.0, True),
        (1, True, False),
        (0, False, False),
        (None, False, False),
        ("1", 1, False),
        (2**53, float(2**53), True),
        (2**53 + 1, float(2**53), False),
        ({"a": 1, "b": [1, {}]}, {"b": [1.0, {}], "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ([1, 2], [2, 1], False),
        ([], {}, False),
        ("é", "e\u0301", False),
    ],
)
def test_equality_is_that_of_json(left: object, right: object, equal: bool) -> None:
    assert same(left, right) is equal
    assert same(right, left) is equal


def test_values_of_any_depth_can_be_compared_and_shown() -> None:
    deep: Any = 1
    for _ in range(50_000):
        deep = [deep]
    assert same(deep, deep)
    assert not depth_within(deep, 100)
    assert "nested" in show(deep)


def test_what_is_shown_is_short_ascii() -> None:
    assert show("\ud800\x1b[31m") == '"\\ud800\\u001b[31m"'
    assert len(show("x" * 10_000, 100)) < 140


def test_surrogates_are_seen_in_keys_too() -> None:
    assert has_surrogate([{"\ud800": 1}])
    assert not has_surrogate([{"😀": 1}])
