"""Each sample case of what the reference answered in the areas after, at, zone, local and every."""

import json
from typing import Any

import pytest
from tests.impl.time.support import ask, create, vectors

from schedule_impl import zones

SELECTORS = {"after_seconds", "at", "every_seconds"}


def cases(name: str, *operations: str) -> list[Any]:
    chosen = [
        pytest.param(case, id=f"{name}-{number}")
        for number, case in enumerate(vectors(name), 2)
        if case["op"] in operations
    ]
    assert chosen
    return chosen


def expected(case: dict[str, Any]) -> Any:
    """The expected record, but for its id, which the reference chose itself; or the code."""
    answer = case["expected"]
    return {**answer["record"], "id": "a"} if answer["ok"] else answer["code"]


def expressible(case: dict[str, Any]) -> bool:
    """Whether the case has the selector that `create` asks for, and the reference's own function did not."""
    return not SELECTORS.isdisjoint(json.loads(case["input"]["json"]))


@pytest.mark.parametrize(
    "case",
    [
        *cases("offset_strings", "create_at"),
        *cases("local_strings", "create_at"),
        *cases("tz_transitions", "create_at"),
        *cases("trim", "create_after"),
    ],
)
def test_creation_from_values(case: dict[str, Any]) -> None:
    assert create(**case["input"]) == expected(case)


@pytest.mark.parametrize(
    "case", [c for c in cases("numbers", "create_after_json") if expressible(c.values[0])]
)
def test_creation_from_json_text(case: dict[str, Any]) -> None:
    # The reference was given an id, and the prompt p where the case has none.
    text = case["input"]["json"].removeprefix("{")
    assert create(json='{"id":"a","prompt":"p",' + text) == expected(case)


def test_only_the_case_without_a_selector_is_left_out() -> None:
    left_out = [
        case for case in vectors("numbers") if case["op"] == "create_after_json" and not expressible(case)
    ]
    assert [case["input"]["json"] for case in left_out] == ['{"now":0}']


@pytest.mark.parametrize("case", cases("zone_names", "canonicalize_time_zone"))
def test_zone_names(case: dict[str, Any]) -> None:
    name = case["input"]["time_zone"]
    at = {"date": "2030-06-15", "time": "12:00:00", "time_zone": name}
    answer = ask("create", id="a", prompt="p", at=at, now=0)
    if case["expected"]["ok"]:
        assert answer["record"]["kind"] == "at"
        # The reference's spelling may be that of a link's target; here a name keeps to its own.
        spelling = zones.canonical(name)
        assert spelling is not None
        assert spelling.lower() == name.lower()
    else:
        assert answer == case["expected"]["code"]
        assert zones.canonical(name) is None
