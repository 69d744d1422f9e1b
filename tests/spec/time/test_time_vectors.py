"""What the reference answers, and what the law answers: the sample vectors of creation and of zone names.

The reference's code must be the first that the law gives, whose order is the reference's; others may be
admitted beside it.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from schedule_spec import records, zones
from schedule_spec.creation import Created, Refusals, create, create_text
from schedule_spec.json_text import Json

VECTORS = Path(__file__).parents[2] / "data" / "vectors"
ASSUMED: dict[str, Json] = {"id": "schedule-1", "prompt": "p"}
"""What the reference's answers go with where a case says nothing else."""


def cases(file: str, *operations: str) -> list[Any]:
    lines = (VECTORS / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        pytest.param(case["input"], case["expected"], id=f"{file}-{number}")
        for number, case in enumerate(map(json.loads, lines), 1)
        if case.get("op") in operations
    ]


CREATED = [
    case
    for file in ("offset_strings", "local_strings", "tz_transitions", "trim")
    for case in cases(file, "create_at", "create_after")
]
CREATED_FROM_TEXT = cases("numbers", "create_after_json", "create_every_json")
NAMES = cases("zone_names", "canonicalize_time_zone")


def answer(created: Created) -> Json:
    if isinstance(created, Refusals):
        return {"ok": False, "code": created.codes[0].value}
    return {"ok": True, "record": records.encode(created)}


@pytest.mark.parametrize(("given", "expected"), CREATED)
def test_create(given: Any, expected: Any) -> None:
    assert answer(create(ASSUMED | given)) == expected


def assumed_text(text: str) -> str:
    """Put what is assumed before the text's own members, which count where they say it again."""
    members = json.dumps(ASSUMED).removesuffix("}")
    return f"{members}, {text.removeprefix('{')}"


def is_expressible(given: Any) -> bool:
    """Tell whether the case has a selector: the reference was asked for a delay that is not there at all.

    The command `create` counts selectors, so that such a request breaks another rule there.
    """
    return any(selector in json.loads(given["json"]) for selector in ("after_seconds", "every_seconds"))


@pytest.mark.parametrize(
    ("given", "expected"), [case for case in CREATED_FROM_TEXT if is_expressible(case.values[0])]
)
def test_create_text(given: Any, expected: Any) -> None:
    assert answer(create_text(assumed_text(given["json"]))) == expected


def test_one_vector_is_not_expressible() -> None:
    passed_over = [case.values for case in CREATED_FROM_TEXT if not is_expressible(case.values[0])]
    assert passed_over == [({"json": '{"now":0}'}, {"ok": False, "code": "invalid_rule"})]


@pytest.mark.parametrize(("given", "expected"), NAMES)
def test_zone_name(given: Any, expected: Any) -> None:
    """The spelling that a runtime makes of a name is its own; what counts is that the law accepts it."""
    assert (zones.canonical(given["time_zone"]) is not None) == expected["ok"]


@pytest.mark.parametrize(("given", "expected"), NAMES)
def test_zone_name_in_a_creation(given: Any, expected: Any) -> None:
    at = {"date": "2030-06-15", "time": "12:00:00", "time_zone": given["time_zone"]}
    created = create(ASSUMED | {"at": at, "now": 0})
    if expected["ok"]:
        assert not isinstance(created, Refusals)
    else:
        assert isinstance(created, Refusals)
        assert created.codes == ("invalid_time_zone",)


def test_the_vectors_are_there() -> None:
    assert (len(CREATED), len(CREATED_FROM_TEXT), len(NAMES)) == (48 + 42 + 499 + 8, 26, 118)
