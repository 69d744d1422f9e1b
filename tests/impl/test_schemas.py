"""The published schemas accept what the decoder and the tools accept, and what the tools give."""

import calendar
import json
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests.impl.logs import create, delete, dispatch, vectors

from schedule_impl import durable_schemas, tool_schemas
from schedule_impl.codec import CHANGES, RECORDS, Codec
from schedule_impl.due import Reminder
from schedule_impl.durable_schemas import INSTANT, LABEL
from schedule_impl.errors import ScheduleError
from schedule_impl.framing import batch
from schedule_impl.text import is_label

CHANGE = Draft202012Validator(durable_schemas.CHANGE)
RECORD = Draft202012Validator(durable_schemas.RECORD)

PUBLISHED = {
    name: schema
    for module in (durable_schemas, tool_schemas)
    for name, schema in vars(module).items()
    if isinstance(schema, dict) and "$schema" in schema
}


def decodes(codec: Codec[Any], value: object) -> bool:
    try:
        codec.convert(value)
    except ScheduleError:
        return False
    return True


TEXTS = st.sampled_from(["a", " a", "a\n", "a\ufeff", "\u0085", "a b", "", " ", "\ud800", "\x1fa", "a\nb"])
INSTANTS = st.sampled_from(
    [
        "2028-02-29T23:59:59.999Z",
        "2027-02-29T00:00:00.000Z",
        "2100-02-29T00:00:00.000Z",
        "2000-02-29T00:00:00.000Z",
        "0000-01-01T00:00:00.000Z",
        "0001-01-01T00:00:00.000Z",
        "9999-12-31T23:59:59.999Z",
        "2027-01-01T24:00:00.000Z",
        "2027-01-01T00:00:60.000Z",
        "2027-01-01T00:00:00.000Z\n",
        "2027-01-01T00:00:00.00Z",
        "2027-01-01t00:00:00.000z",
        "٢٠٢٧-01-01T00:00:00.000Z",
    ]
)
NUMBERS = st.sampled_from(
    [0, 1, 1.0, -1, 299, 300, 300.0, 300.5, True, 9_007_199_254_740, 9_007_199_254_741]
) | st.sampled_from([2**53 - 1, 2**53, 1e300, float("inf")])
SCALARS = TEXTS | INSTANTS | NUMBERS | st.none() | st.text(max_size=3)
SEEDS = st.sampled_from(
    [
        create("a", "after"),
        create("b", "at"),
        create("c", "every"),
        delete("d"),
        dispatch("e"),
        dispatch("f", "2027-01-01T00:00:00.000Z"),
    ]
)
NAMES = st.sampled_from(
    [
        "version",
        "operation",
        "schedule",
        "id",
        "kind",
        "prompt",
        "afterSeconds",
        "everySeconds",
        "scheduledAt",
    ]
) | st.sampled_from(["acceptedAt", "x"])


@st.composite
def damaged(draw: st.DrawFn, sound: st.SearchStrategy[dict[str, Any]]) -> Any:
    """A sound object with up to three members set, added or taken away, at either level."""
    value: dict[str, Any] = json.loads(json.dumps(draw(sound)))
    for _ in range(draw(st.integers(0, 3))):
        inner = value.get("schedule")
        target = inner if isinstance(inner, dict) and draw(st.booleans()) else value
        name = draw(st.sampled_from(sorted(target)) if target and draw(st.booleans()) else NAMES)
        if draw(st.booleans()):
            target.pop(name, None)
        else:
            target[name] = draw(SCALARS | SEEDS)
    return value


@given(damaged(SEEDS) | SCALARS | st.lists(SCALARS, max_size=2))
@example({"version": True, "operation": "delete", "id": "a"})
@example({"version": 1.0, "operation": "delete", "id": "a"})
def test_the_schema_of_changes_accepts_exactly_what_the_decoder_accepts(value: object) -> None:
    assert CHANGE.is_valid(value) == decodes(CHANGES, value)


@given(
    damaged(SEEDS.filter(lambda change: "schedule" in change).map(lambda change: change["schedule"]))
    | SCALARS
)
def test_the_schema_of_records_accepts_exactly_what_the_decoder_accepts(value: object) -> None:
    assert RECORD.is_valid(value) == decodes(RECORDS, value)


def test_the_reference_agrees_with_the_schema_on_every_sample() -> None:
    asked = 0
    for case in vectors("decode"):
        if case["op"] == "decode":
            asked += 1
            assert CHANGE.is_valid(case["input"]["payload"]) == case["expected"]["ok"], case
    assert asked > 50


@pytest.mark.parametrize("year", [0, 1, 4, 100, 400, 1900, 1996, 2000, 2023, 2024, 2100, 2400, 9996, 9999])
def test_the_pattern_of_instants_knows_the_calendar(year: int) -> None:
    pattern = re.compile(INSTANT["pattern"])
    for month in range(14):
        days = calendar.monthrange(year, month)[1] if year and 1 <= month <= 12 else 0
        for day in range(33):
            text = f"{year:04}-{month:02}-{day:02}T00:00:00.000Z"
            assert bool(pattern.search(text)) == (1 <= day <= days), text


def test_the_schema_of_labels_knows_each_character_that_is_trimmed() -> None:
    padded = re.compile(LABEL["not"]["pattern"])
    for point in range(0x10000):
        for text in (f"x{chr(point)}", f"{chr(point)}x"):
            assert bool(padded.search(text)) != is_label(text), hex(point)


@pytest.mark.parametrize("name", PUBLISHED)
def test_each_schema_is_one_and_has_a_title(name: str) -> None:
    Draft202012Validator.check_schema(PUBLISHED[name])
    assert PUBLISHED[name]["title"]
    assert json.loads(json.dumps(PUBLISHED[name])) == PUBLISHED[name]


def test_what_a_batch_lists_fits_its_schema() -> None:
    text = batch([Reminder("a", "p\n", 0), Reminder('"', "\ud800", 10**12)]).split("\n")[2]
    listed = json.loads(text.removeprefix("reminders_json: "))
    validator = Draft202012Validator(tool_schemas.REMINDERS)
    assert not validator.is_valid(listed), "a prompt is never padded"
    listed[0]["reminder_prompt"] = "p"
    assert validator.is_valid(listed)
    assert not validator.is_valid([])
