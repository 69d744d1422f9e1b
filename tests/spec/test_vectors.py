"""What the reference answers, and what the law answers: the sample vectors of the areas specified so far."""

import json
from pathlib import Path
from typing import Any

import pytest

from schedule_spec import changes, fold, instants, rate, text
from schedule_spec.fold import Refused
from schedule_spec.rejections import Rejection

VECTORS = Path(__file__).parent.parent / "data" / "vectors"


def cases(file: str, operation: str) -> list[Any]:
    lines = (VECTORS / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        pytest.param(case["input"], case["expected"], id=f"{file}-{number}")
        for number, case in enumerate(map(json.loads, lines), 1)
        if case.get("op") == operation
    ]


def judged(rejection: Rejection) -> dict[str, Any]:
    return {"ok": False, "code": rejection.code.value}


@pytest.mark.parametrize(("given", "expected"), cases("decode", "decode"))
def test_decode(given: Any, expected: Any) -> None:
    change = changes.decode(given["payload"])
    assert (
        judged(change) if isinstance(change, Rejection) else {"ok": True, "change": changes.encode(change)}
    ) == expected


@pytest.mark.parametrize(
    ("given", "expected"), [*cases("decode", "decode_json"), *cases("numbers", "decode_json")]
)
def test_decode_text(given: Any, expected: Any) -> None:
    value = changes.read_text(given["json"])
    change = value if isinstance(value, Rejection) else changes.decode(value)
    if expected.get("code") == "json_syntax":
        assert isinstance(change, Rejection)
        assert change.clause == "change.json"
    elif isinstance(change, Rejection):
        assert judged(change) == expected
        assert change.clause != "change.json"
    else:
        assert {"ok": True, "change": changes.encode(change)} == expected


@pytest.mark.parametrize(("given", "expected"), cases("fold", "fold"))
def test_fold(given: Any, expected: Any) -> None:
    state = fold.fold(given["events"], given.get("seedLength", 0))
    if isinstance(state, Refused):
        assert judged(state.rejection) == expected
    else:
        assert expected["ok"]
        assert fold.encode_state(state) == {"active": expected["active"], "seen": expected["seenIds"]}


@pytest.mark.parametrize(("given", "expected"), cases("every_arithmetic", "every_occurrence"))
def test_advance(given: Any, expected: Any) -> None:
    advance = rate.advance_record(given["record"], given["acceptedAt"])
    if isinstance(advance, Rejection):
        assert judged(advance) == expected
    else:
        answer = {"ok": True, "occurrenceAt": instants.render(advance.occurrence)}
        if advance.next_target is not None:
            answer["nextScheduledAt"] = instants.render(advance.next_target)
        assert answer == expected


@pytest.mark.parametrize(("given", "expected"), cases("trim", "trim"))
def test_trim(given: Any, expected: Any) -> None:
    assert text.trim(given["s"]) == expected["trimmed"]


@pytest.mark.parametrize(("given", "expected"), cases("framing", "json_stringify"))
def test_json_string(given: Any, expected: Any) -> None:
    assert text.json_string(given["s"]) == expected["text"]


@pytest.mark.parametrize(
    ("file", "operation"),
    [
        ("decode", "decode"),
        ("decode", "decode_json"),
        ("numbers", "decode_json"),
        ("fold", "fold"),
        ("every_arithmetic", "every_occurrence"),
        ("trim", "trim"),
        ("framing", "json_stringify"),
    ],
)
def test_the_vectors_are_there(file: str, operation: str) -> None:
    assert len(cases(file, operation)) > 2
