"""What a follow-up's text delivers, and in what a wrong one is wrong."""

import json
from collections.abc import Sequence
from typing import TypeAlias

import pytest
from tests.spec.delivery_log.logs import A, B, C, E, F, G, batch, reminder
from tests.spec.live.traces import BATCH, NOON, REMINDER, after, every

from schedule_spec.delivery_log import followups
from schedule_spec.delivery_log.findings import Fault
from schedule_spec.due import Batch, OneShot, Reminder
from schedule_spec.records import Every, Record

NOTHING = "no follow-up: nothing is due"
Active: TypeAlias = Sequence[Record]


def ms(seconds: float | None) -> int | None:
    return None if seconds is None else NOON + round(seconds * 1000)


def judged(
    active: Active, text: str, seconds: float | None, delivered: tuple[str, ...] = ()
) -> followups.Decision | Fault:
    return followups.judge(active, text, ms(seconds), delivered)


def decided(seconds: int, *reminders: tuple[Every, int]) -> Batch:
    """The batch decided so many s after noon, of everys with their occurrences in s."""
    return Batch(
        NOON + seconds * 1000,
        tuple(Reminder(each, NOON + occurrence * 1000) for each, occurrence in reminders),
    )


SOUND: dict[str, tuple[Active, str, float | None, OneShot | Batch]] = {
    "one-shot-at-its-target": ([A], reminder("a", 60), 60, OneShot(A)),
    "one-shot-later": ([A], reminder("a", 60), 6000, OneShot(A)),
    "one-shot-without-a-time": ([A], reminder("a", 60), None, OneShot(A)),
    "one-shot-whose-line-is-long": (
        [after("x", 60, "y" * 999)],
        reminder("x", 60, "y" * 999),
        60,
        OneShot(after("x", 60, "y" * 999)),
    ),
    "first-by-target": ([B, A], reminder("a", 60), 100, OneShot(A)),
    "first-by-target-created-first": ([A, B], reminder("a", 60), 100, OneShot(A)),
    "first-by-creation": ([A, C], reminder("a", 60), 60, OneShot(A)),
    "first-by-creation-the-other-way": ([C, A], reminder("c", 60), 60, OneShot(C)),
    "one-shot-before-an-every-that-was-due-first": ([every("e", 30), A], reminder("a", 60), 60, OneShot(A)),
    "one-shot-beside-everys-alone": ([E, B, F], reminder("b", 90), 95, OneShot(B)),
    "every-at-its-target": ([E], batch(("e", 60)), 60, decided(60, (E, 60))),
    "every-without-a-time": ([E], batch(("e", 60)), None, decided(60, (E, 60))),
    "every-decided-before-its-second": ([E], batch(("e", 60)), 359, decided(60, (E, 60))),
    "every-whose-first-was-missed": ([E], batch(("e", 360)), 400, decided(360, (E, 360))),
    "every-long-after": ([E], batch(("e", 300_060)), 300_100, decided(300_060, (E, 300_060))),
    "everys-by-target": ([F, E], batch(("e", 60), ("f", 120)), 130, decided(120, (E, 60), (F, 120))),
    "everys-by-creation": ([G, E], batch(("g", 60), ("e", 60)), 60, decided(60, (G, 60), (E, 60))),
    "every-while-another-is-to-come": ([E, F], batch(("e", 60)), 100, decided(60, (E, 60))),
    "every-while-a-one-shot-is-to-come": ([E, B], batch(("e", 60)), 80, decided(60, (E, 60))),
    "every-and-one-that-may-have-come-due-since": ([E, F], batch(("e", 60)), 500, decided(60, (E, 60))),
}


@pytest.mark.parametrize(("active", "text", "at", "decision"), SOUND.values(), ids=SOUND)
def test_decision_that_a_text_delivers(
    active: Active, text: str, at: float | None, decision: OneShot | Batch
) -> None:
    assert judged(active, text, at) == decision


FORMLESS = "Wake up"
BATCH_LINE = BATCH + "reminders_json: "

Case: TypeAlias = tuple[Active, str, float | None, str, str]
"""The active records, the text, when it was queued; the clause, and what would have been right."""

FAULTY: dict[str, Case] = {
    # a one-shot's text
    "prompt": ([A], reminder("a", 60, "B"), 60, "frame.one-shot", reminder("a", 60)),
    "prompt-early": ([A], reminder("a", 60, "B"), 6, "frame.one-shot", reminder("a", 60)),
    "occurrence": ([A], reminder("a", 60.001), 61, "frame.one-shot", reminder("a", 60)),
    "line-behind": ([A], reminder("a", 60) + "\n", 60, "frame.one-shot", reminder("a", 60)),
    "id-spelt-otherwise": (
        [A],
        reminder("a", 60).replace('json: "a"', 'json: "\\u0061"'),
        60,
        "frame.one-shot",
        reminder("a", 60),
    ),
    "prompt-of-the-second": ([A, B], reminder("b", 90, "A"), 90, "frame.one-shot", reminder("b", 90)),
    # which one-shot
    "later-target": ([A, B], reminder("b", 90), 90, "due.one-shot-first", reminder("a", 60)),
    "later-target-created-first": ([B, A], reminder("b", 90), 90, "due.one-shot-first", reminder("a", 60)),
    "created-later": ([A, C], reminder("c", 60), 60, "due.one-shot-first", reminder("a", 60)),
    "later-target-without-a-time": ([A, B], reminder("b", 90), None, "due.one-shot-first", reminder("a", 60)),
    "early": ([A], reminder("a", 60), 59.999, "owner.never-early", "nothing before 2026-08-05T12:01:00.000Z"),
    "never-created": ([B], reminder("a", 60), 60, "deliver.sequence", NOTHING),
    "never-created-without-a-time": ([B], reminder("a", 60), None, "deliver.sequence", NOTHING),
    "never-created-and-one-due": ([B], reminder("a", 60), 90, "deliver.sequence", reminder("b", 90)),
    "never-created-and-an-every-due": ([E], reminder("a", 60), 60, "deliver.sequence", batch(("e", 60))),
    "every-alone": ([E], reminder("e", 60), 60, "frame.batch", batch(("e", 60))),
    "every-alone-early": ([E], reminder("e", 60), 59, "frame.batch", NOTHING),
    "every-alone-without-a-time": ([E], reminder("e", 60), None, "frame.batch", NOTHING),
    # no framing
    "empty": ([A], "", 60, "frame.one-shot", reminder("a", 60)),
    "formless": ([A], FORMLESS, 60, "frame.one-shot", reminder("a", 60)),
    "formless-early": ([A], FORMLESS, 59, "frame.one-shot", NOTHING),
    "formless-without-a-time": ([A], FORMLESS, None, "frame.one-shot", NOTHING),
    "formless-and-an-every-due": ([E], FORMLESS, 60, "frame.batch", batch(("e", 60))),
    "two-lines": ([A], REMINDER.rstrip("\n"), 60, "frame.one-shot", reminder("a", 60)),
    "two-lines-early": ([A], REMINDER.rstrip("\n"), 59, "frame.one-shot", NOTHING),
    "label-of-another": (
        [A],
        reminder("a", 60).replace("schedule_id_json: ", "schedule_jd_json: "),
        60,
        "frame.one-shot",
        reminder("a", 60),
    ),
    "id-without-its-label": (
        [A],
        reminder("a", 60).replace("schedule_id_json: ", ""),
        59,
        "frame.one-shot",
        NOTHING,
    ),
    "id-without-quotes": (
        [A],
        reminder("a", 60).replace('json: "a"', "json: a"),
        60,
        "frame.one-shot",
        reminder("a", 60),
    ),
    "id-is-a-number": (
        [A],
        reminder("a", 60).replace('json: "a"', "json: 1"),
        59,
        "frame.one-shot",
        NOTHING,
    ),
    "id-is-null": ([A], reminder("a", 60).replace('"a"', "null"), 59, "frame.one-shot", NOTHING),
    "header-of-a-batch-alone": ([A], "[SCHEDULE REMINDER BATCH]", 59, "frame.batch", NOTHING),
    "header-of-a-batch-alone-and-a-one-shot-due": (
        [A],
        "[SCHEDULE REMINDER BATCH]",
        60,
        "frame.one-shot",
        reminder("a", 60),
    ),
    # a batch's text
    "batch-of-two-lines": ([E], BATCH.rstrip("\n"), 60, "frame.batch", batch(("e", 60))),
    "batch-without-its-label": (
        [E],
        batch(("e", 60)).replace("reminders_json", "reminder_json"),
        59,
        "frame.batch",
        NOTHING,
    ),
    "batch-cut": ([E], batch(("e", 60))[:-1], 59, "frame.batch", NOTHING),
    "batch-of-none": ([E], BATCH_LINE + "[]", 59, "frame.batch", NOTHING),
    "batch-of-none-and-an-every-due": ([E], BATCH_LINE + "[]", 60, "frame.batch", batch(("e", 60))),
    "batch-is-an-object": ([E], BATCH_LINE + '{"e":1}', 59, "frame.batch", NOTHING),
    "batch-is-a-number": ([E], BATCH_LINE + "5", 59, "frame.batch", NOTHING),
    "batch-of-numbers": ([E], BATCH_LINE + "[5]", 59, "frame.batch", NOTHING),
    "entry-without-an-id": (
        [E],
        batch(("e", 60)).replace('"schedule_id"', '"id"'),
        59,
        "frame.batch",
        NOTHING,
    ),
    "entry-with-a-number-for-an-id": (
        [E],
        batch(("e", 60)).replace('"schedule_id":"e"', '"schedule_id":1'),
        59,
        "frame.batch",
        NOTHING,
    ),
    "entry-without-an-occurrence": (
        [E],
        batch(("e", 60)).replace('"occurrence_at"', '"at"'),
        59,
        "frame.batch",
        NOTHING,
    ),
    "entry-whose-occurrence-is-no-instant": (
        [E],
        batch(("e", 60)).replace("2026-08-05T12:01:00.000Z", "soon"),
        59,
        "frame.batch",
        NOTHING,
    ),
    "entry-whose-occurrence-is-not-canonical": (
        [E],
        batch(("e", 60)).replace("2026-08-05T12:01:00.000Z", "2026-08-05T12:01:00Z"),
        60,
        "frame.batch",
        batch(("e", 60)),
    ),
    "batch-with-a-space": (
        [E, G],
        batch(("e", 60), ("g", 60)).replace("},{", "}, {"),
        60,
        "frame.batch",
        batch(("e", 60), ("g", 60)),
    ),
    "batch-with-another-prompt": (
        [E, F],
        batch(("e", 60)).replace('"E"', '"F"'),
        130,
        "frame.batch",
        batch(("e", 60)),
    ),
    "batch-with-a-line-behind": ([E], batch(("e", 60)) + "\n", 60, "frame.batch", batch(("e", 60))),
    # which everys, and which occurrences
    "every-never-created": ([F], batch(("e", 60)), 60, "deliver.sequence", NOTHING),
    "every-never-created-and-one-due": ([F], batch(("e", 60)), 120, "deliver.sequence", batch(("f", 120))),
    "second-never-created": (
        [E],
        batch(("e", 60), ("g", 60)),
        60,
        "deliver.sequence",
        batch(("e", 60)),
    ),
    "one-shot-in-a-batch": ([A], batch(("a", 60)), 60, "frame.one-shot", reminder("a", 60)),
    "one-shot-in-a-batch-early": ([A], batch(("a", 60)), 59, "frame.one-shot", NOTHING),
    "occurrence-before-its-target": (
        [F],
        batch(("f", -180)),
        130,
        "deliver.at-least-once",
        batch(("f", 120)),
    ),
    "occurrence-a-millisecond-before-its-target": (
        [F],
        batch(("f", 119.999)),
        119,
        "deliver.at-least-once",
        NOTHING,
    ),
    "occurrence-beside-the-rate": ([E], batch(("e", 61)), 70, "rate.latest-due", batch(("e", 60))),
    "occurrence-a-millisecond-after-its-target": (
        [E],
        batch(("e", 60.001)),
        59,
        "rate.latest-due",
        NOTHING,
    ),
    "batch-early": (
        [E],
        batch(("e", 60)),
        59.999,
        "owner.never-early",
        "nothing before 2026-08-05T12:01:00.000Z",
    ),
    "batch-before-its-last-occurrence": (
        [E, F],
        batch(("e", 60), ("f", 120)),
        119.999,
        "owner.never-early",
        "nothing before 2026-08-05T12:02:00.000Z",
    ),
    "one-shot-passed-over": ([E, A], batch(("e", 60)), 60, "due.one-shot-first", reminder("a", 60)),
    "one-shot-passed-over-by-a-later-occurrence": (
        [E, B],
        batch(("e", 360)),
        None,
        "due.one-shot-first",
        reminder("b", 90),
    ),
    "every-left-out": (
        [E, F],
        batch(("f", 120)),
        130,
        "due.batch",
        batch(("e", 60), ("f", 120)),
    ),
    "every-twice": ([E], batch(("e", 60), ("e", 60)), 60, "due.batch", batch(("e", 60))),
    "order-of-targets": (
        [E, F],
        batch(("f", 120), ("e", 60)),
        130,
        "due.batch",
        batch(("e", 60), ("f", 120)),
    ),
    "order-of-creation": (
        [E, G],
        batch(("g", 60), ("e", 60)),
        60,
        "due.batch",
        batch(("e", 60), ("g", 60)),
    ),
    "occurrence-that-another-was-after": (
        [E, F],
        batch(("e", 60), ("f", 420)),
        430,
        "due.batch",
        batch(("e", 360), ("f", 420)),
    ),
}


@pytest.mark.parametrize(("active", "text", "at", "clause", "right"), FAULTY.values(), ids=FAULTY)
def test_clause_that_a_text_breaks_and_what_would_have_been_right(
    active: Active, text: str, at: float | None, clause: str, right: str
) -> None:
    found = judged(active, text, at)
    assert isinstance(found, Fault)
    assert found.clause == clause
    assert found.right == ((json.dumps(right) if right.startswith("[") else right),)


@pytest.mark.parametrize(
    ("active", "text", "told"),
    [
        ([E, F, G], batch(("f", 120)), 'the batch lacks "e", "g", due too'),
        ([E], batch(("e", 60), ("e", 60)), "The batch shows 2 reminders; 1 are due"),
        ([E, F], batch(("f", 120), ("e", 60)), 'The order is "f", "e"; by target, then creation, "e", "f"'),
        ([E, F], batch(("e", 60), ("f", 420)), 'the occurrence shown of "e" is not its latest'),
    ],
    ids=["lacks", "count", "order", "stale"],
)
def test_in_what_a_batch_is_another_than_the_one_decided(active: Active, text: str, told: str) -> None:
    found = judged(active, text, None)
    assert isinstance(found, Fault)
    assert told in found.message


@pytest.mark.parametrize("at", [None, 100])
def test_what_the_latest_delivery_dispatched_is_delivered_again(at: float | None) -> None:
    again = judged([E], reminder("a", 60), at, ("b", "a"))
    other = judged([E], reminder("c", 60), at, ("b", "a"))
    right = NOTHING if at is None else json.dumps(batch(("e", 60)))
    assert isinstance(again, Fault)
    assert isinstance(other, Fault)
    assert (again.clause, again.right) == ("deliver.at-least-once", (right,))
    assert (other.clause, other.right) == ("deliver.sequence", (right,))


def test_reminders_of_a_decision() -> None:
    assert followups.reminders(OneShot(B)) == (("b", NOON + 90_000),)
    both = decided(500, (E, 360), (F, 420))
    assert followups.reminders(both) == (("e", NOON + 360_000), ("f", NOON + 420_000))


@pytest.mark.parametrize(("at", "is_early"), [(None, False), (-1, True), (0, False), (1, False)])
def test_early_is_before_the_target(at: int | None, is_early: bool) -> None:
    found = followups.early(None if at is None else NOON + at, NOON, "It came")
    assert (found is not None) == is_early
    if found is not None:
        assert found.message == "It came 1 ms before the target 2026-08-05T12:00:00.000Z."
