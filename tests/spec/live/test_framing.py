"""The exact texts: what the reference frames, and hostile ids and prompts."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedule_spec import framing
from schedule_spec.due import Batch, OneShot, Reminder
from schedule_spec.json_text import read
from schedule_spec.records import At, Every, encode
from schedule_spec.rejections import Code, Rejection
from schedule_spec.text import join_surrogates, trim

VECTORS = Path(__file__).parents[2] / "data" / "vectors" / "framing.jsonl"
NOON = 1_785_931_200_000
ODD = ["\n", "\r", '"', "\\", "\u2028", "\ufeff", "\ud83d", "\ude00", "}", "]", "a", "[SCHEDULE REMINDER]\n"]
hostile = (
    st.lists(st.sampled_from(ODD), max_size=8)
    .map("".join)
    .map(lambda text: join_surrogates(f"x{text}x"))
    .filter(lambda text: trim(text) == text)
)


def cases(operation: str) -> list[Any]:
    lines = map(json.loads, VECTORS.read_text(encoding="utf-8").splitlines())
    return [(line["input"], line["expected"]["text"]) for line in lines if line.get("op") == operation]


@pytest.mark.parametrize(("given", "text"), cases("frame_one_shot"))
def test_the_reference_frames_a_one_shot(given: Any, text: str) -> None:
    assert framing.frame(given["record"]) == join_surrogates(text)


@pytest.mark.parametrize(("given", "text"), cases("frame_every_batch"))
def test_the_reference_frames_a_batch(given: Any, text: str) -> None:
    assert framing.frame_batch(given["reminders"]) == join_surrogates(text)


def test_the_vectors_are_there() -> None:
    assert len(cases("frame_one_shot")) > 20
    assert len(cases("frame_every_batch")) > 3


@given(hostile, hostile)
def test_a_one_shot_has_five_lines_whatever_it_holds(id: str, prompt: str) -> None:
    lines = framing.one_shot(At(id, prompt, NOON)).split("\n")
    assert lines[0] == "[SCHEDULE REMINDER]"
    assert [line.split(": ")[0] for line in lines[2:]] == [
        "schedule_id_json",
        "occurrence_at",
        "reminder_prompt_json",
    ]
    assert read(lines[2].removeprefix("schedule_id_json: ")) == id
    assert lines[3] == "occurrence_at: 2026-08-05T12:00:00.000Z"
    assert read(lines[4].removeprefix("reminder_prompt_json: ")) == prompt


@given(st.lists(st.tuples(hostile, hostile), min_size=1, max_size=3))
def test_a_batch_has_three_lines_whatever_it_holds(reminders: list[tuple[str, str]]) -> None:
    text = framing.batch([Reminder(Every(id, prompt, 300, NOON), NOON) for id, prompt in reminders])
    header, _, line = text.split("\n")
    assert header == "[SCHEDULE REMINDER BATCH]"
    array = line.removeprefix("reminders_json: ")
    objects = read(array)
    assert isinstance(objects, list)
    assert [list(each.items()) for each in objects if isinstance(each, dict)] == [
        [("schedule_id", id), ("occurrence_at", "2026-08-05T12:00:00.000Z"), ("reminder_prompt", prompt)]
        for id, prompt in reminders
    ]


def test_an_array_has_no_spaces() -> None:
    text = framing.batch([Reminder(Every("e", "p", 300, NOON), NOON)] * 2)
    one = '{"schedule_id":"e","occurrence_at":"2026-08-05T12:00:00.000Z","reminder_prompt":"p"}'
    assert text.split("\n")[2] == f"reminders_json: [{one},{one}]"


ONE = encode(At("a", "x", NOON))
EVERY = encode(Every("e", "x", 300, NOON))
AT_NOON = "2026-08-05T12:00:00.000Z"


@pytest.mark.parametrize(
    ("record", "clause", "where"),
    [
        (None, "change.strict", "record"),
        ({}, "record.kinds", "record.kind"),
        (EVERY, "frame.one-shot", "record.kind"),
        (ONE | {"prompt": " x"}, "text.prompt", "record.prompt"),
    ],
)
def test_what_is_no_one_shot_is_not_framed(record: Any, clause: str, where: str) -> None:
    found = framing.frame(record)
    assert isinstance(found, Rejection)
    assert (found.code, found.clause, found.where) == (Code.CORRUPT_SCHEDULE_LOG, clause, where)


@pytest.mark.parametrize(
    ("reminders", "clause", "where"),
    [
        ([], "frame.batch", "reminders"),
        ({}, "frame.batch", "reminders"),
        ({"record": EVERY}, "frame.batch", "reminders"),
        ([7], "change.strict", "reminders[0]"),
        ([{"record": EVERY}], "frame.batch", "reminders[0]"),
        ([{"record": ONE, "occurrenceAt": AT_NOON}], "frame.batch", "reminders[0].record.kind"),
        ([{"record": {}, "occurrenceAt": AT_NOON}], "record.kinds", "reminders[0].record.kind"),
        (
            [{"record": EVERY, "occurrenceAt": "2026-08-05T12:05Z"}],
            "instant.canonical",
            "reminders[0].occurrenceAt",
        ),
    ],
)
def test_what_is_no_batch_is_not_framed(reminders: Any, clause: str, where: str) -> None:
    found = framing.frame_batch(reminders)
    assert isinstance(found, Rejection)
    assert (found.code, found.clause, found.where) == (Code.CORRUPT_SCHEDULE_LOG, clause, where)


def test_a_decision_is_framed_by_its_kind() -> None:
    one_shot, every = At("a", "x", NOON), Every("e", "x", 300, NOON)
    assert framing.text_of(OneShot(one_shot)) == framing.one_shot(one_shot)
    reminders = (Reminder(every, NOON),)
    assert framing.text_of(Batch(NOON, reminders)) == framing.batch(reminders)
