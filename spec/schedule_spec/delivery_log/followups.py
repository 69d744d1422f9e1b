"""What a follow-up in a log frames, held against the records that are active there.

Applies frame.*, due.one-shot-first, due.batch, owner.never-early and deliver.at-least-once. A text does not
tell its decision time, and need not: which one-shot comes first does not depend on it, and a batch is the one
decided at the latest occurrence it shows, for nothing else has become due between that and the decision.
"""

from collections.abc import Sequence
from typing import TypeAlias

from schedule_spec import due, framing, instants, json_text
from schedule_spec.delivery_log.findings import Fault
from schedule_spec.due import Batch, OneShot, Reminder, Wait
from schedule_spec.json_text import Json, NotJson
from schedule_spec.records import Every, Record
from schedule_spec.rejections import quoted, quoted_names
from schedule_spec.text import json_string

Decision: TypeAlias = OneShot | Batch
Delivered: TypeAlias = tuple[str, ...]
"""The ids that the latest delivery dispatched."""

_ID, _REMINDERS = "schedule_id_json: ", "reminders_json: "


def judge(active: Sequence[Record], text: str, at: int | None, delivered: Delivered) -> Decision | Fault:
    """Return the decision that a follow-up's text delivers, or what is wrong with it.

    `active` are the records at that place, `at` the host's clock in ms when it was queued. Of a batch, the
    decision time is the least that gives this text.
    """
    lines = text.split("\n")
    if lines[0] == framing.BATCH_HEADER[0]:
        return _judge_batch(active, text, lines, at)
    return _judge_one_shot(active, text, lines, at, delivered)


def reminders(decision: Decision) -> tuple[tuple[str, int], ...]:
    """Return the ids that a decision delivers with their occurrences in ms, in dispatch order."""
    if isinstance(decision, OneShot):
        return ((decision.id, decision.record.scheduled_at),)
    return tuple((reminder.record.id, reminder.occurrence) for reminder in decision.reminders)


def early(at: int | None, target: int, what: str) -> Fault | None:
    """Return the fault of what happened before its target by the host's clock (owner.never-early)."""
    if at is None or at >= target:
        return None
    since = target - at
    return Fault(
        "owner.never-early",
        f"{what} {since} ms before the target {instants.render(target)}.",
        (f"nothing before {instants.render(target)}",),
    )


def _judge_one_shot(
    active: Sequence[Record], text: str, lines: list[str], at: int | None, delivered: Delivered
) -> Decision | Fault:
    id = _labelled(lines, 2, _ID)
    if not isinstance(id, str):
        return _formless(active, text, at)
    record = next((record for record in active if record.id == id), None)
    if record is None:
        return _inactive(active, id, at, delivered)
    if isinstance(record, Every):
        sentence = f"{quoted(id)} is an every; it is framed in a batch."
        return Fault("frame.batch", sentence, _right(active, at))
    right = framing.one_shot(record)
    if text != right:
        return Fault("frame.one-shot", _difference(text, right), (json_string(right),))
    first = _first(active)
    if first is not record:
        sentence = (
            f"{quoted(id)} was chosen, and {quoted(first.id)} with the target"
            f" {instants.render(first.scheduled_at)} comes before it."
        )
        return Fault("due.one-shot-first", sentence, (json_string(framing.one_shot(first)),))
    return early(at, record.scheduled_at, f"The follow-up of {quoted(id)} was queued") or OneShot(record)


def _first(active: Sequence[Record]) -> Record:
    """Return the one-shot that is chosen whenever one is due: the least by target, then creation."""
    return min(
        (record for record in active if not isinstance(record, Every)), key=lambda record: record.scheduled_at
    )


def _judge_batch(active: Sequence[Record], text: str, lines: list[str], at: int | None) -> Decision | Fault:
    framed = _labelled(lines, 2, _REMINDERS)
    if not isinstance(framed, list) or not framed:
        return _formless(active, text, at)
    shown: list[Reminder] = []
    for value in framed:
        reminder = _reminder(active, value, text, at)
        if isinstance(reminder, Fault):
            return reminder
        shown.append(reminder)
    right = framing.batch(shown)
    if text != right:
        return Fault("frame.batch", _difference(text, right), (json_string(right),))
    accepted = max(reminder.occurrence for reminder in shown)
    premature = early(at, accepted, "The batch was queued")
    return premature or _held(active, tuple(shown), accepted)


def _reminder(active: Sequence[Record], value: Json, text: str, at: int | None) -> Reminder | Fault:
    """Return the reminder that an entry of a batch names, with the occurrence it shows."""
    match value:
        case {"schedule_id": str(id), "occurrence_at": str(shown)} if instants.parse(shown) is not None:
            occurrence = instants.parse(shown)
            assert occurrence is not None
        case _:
            return _formless(active, text, at)
    record = next((record for record in active if record.id == id), None)
    if record is None:
        sentence = f"No active every bears the id {quoted(id)}: it has ended, or was never created here."
        return Fault("deliver.sequence", sentence, _right(active, at))
    if not isinstance(record, Every):
        sentence = f"{quoted(id)} is a one-shot; it is framed alone."
        return Fault("frame.one-shot", sentence, _right(active, at))
    if occurrence < record.scheduled_at:
        sentence = (
            f"The occurrence {shown} of {quoted(id)} comes before its target"
            f" {instants.render(record.scheduled_at)}: it was dispatched before, or is none."
        )
        return Fault("deliver.at-least-once", sentence, _right(active, at))
    if (occurrence - record.scheduled_at) % record.interval:
        sentence = f"{shown} is no occurrence of {quoted(id)}."
        return Fault("rate.latest-due", sentence, _right(active, at))
    return Reminder(record, occurrence)


def _held(active: Sequence[Record], shown: tuple[Reminder, ...], accepted: int) -> Decision | Fault:
    """Return the batch decided at that time, or in what the shown one is another."""
    decision = due.decide(active, accepted)
    if isinstance(decision, OneShot):
        return passed_over(decision)
    assert isinstance(decision, Batch), "what is shown is due at its latest occurrence"
    if decision.reminders == shown:
        return decision
    return another_batch(decision, shown)


def passed_over(decision: OneShot) -> Fault:
    """Return the fault of a batch that was delivered while a one-shot was due."""
    record = decision.record
    sentence = (
        f"The one-shot {quoted(record.id)} has been due since {instants.render(record.scheduled_at)} and was"
        " passed over."
    )
    return Fault("due.one-shot-first", sentence, (json_string(framing.one_shot(record)),))


def another_batch(decision: Batch, shown: Sequence[Reminder]) -> Fault:
    """Return in what a shown batch is not the one decided."""
    right = (json_string(framing.batch(decision.reminders)),)
    when = instants.render(decision.accepted_at)
    framed = [reminder.record.id for reminder in shown]
    wanted = [reminder.record.id for reminder in decision.reminders]
    missing = [id for id in wanted if id not in framed]
    if missing:
        sentence = f"At {when} the batch lacks {quoted_names(missing)}, due too."
    elif len(framed) != len(wanted):
        sentence = f"The batch shows {len(framed)} reminders; {len(wanted)} are due at {when}."
    elif framed != wanted:
        sentence = f"The order is {quoted_names(framed)}; by target, then creation, {quoted_names(wanted)}."
    else:
        stale = [reminder.record.id for reminder in shown if reminder not in decision.reminders]
        sentence = f"At {when} the occurrence shown of {quoted_names(stale)} is not its latest."
    return Fault("due.batch", sentence, right)


def _formless(active: Sequence[Record], text: str, at: int | None) -> Fault:
    """Return the fault of a text that is no framing at all."""
    decision = _decided(active, at)
    if not isinstance(decision, Wait):
        right = framing.text_of(decision)
        clause = "frame.one-shot" if isinstance(decision, OneShot) else "frame.batch"
        return Fault(clause, _difference(text, right), (json_string(right),))
    batch = text.startswith(framing.BATCH_HEADER[0])
    sentence = f"The text is no framing: {quoted(text)}."
    return Fault("frame.batch" if batch else "frame.one-shot", sentence, _right(active, at))


def _inactive(active: Sequence[Record], id: str, at: int | None, delivered: Delivered) -> Fault:
    if id in delivered:
        sentence = f"The dispatch of {quoted(id)} is in the log already, so that it is not delivered again."
        return Fault("deliver.at-least-once", sentence, _right(active, at))
    sentence = f"No active one-shot bears the id {quoted(id)}: it has ended, or was never created here."
    return Fault("deliver.sequence", sentence, _right(active, at))


def _decided(active: Sequence[Record], at: int | None) -> due.Decision:
    return Wait(None) if at is None else due.decide(active, at)


def _right(active: Sequence[Record], at: int | None) -> tuple[str, ...]:
    """Return what would have been right at that time by the host's clock."""
    decision = _decided(active, at)
    if isinstance(decision, Wait):
        return ("no follow-up: nothing is due",)
    return (json_string(framing.text_of(decision)),)


def _labelled(lines: list[str], position: int, label: str) -> Json | NotJson:
    """Return the JSON value behind a label in one line of a framing; None where there is no such line."""
    if len(lines) <= position or not lines[position].startswith(label):
        return None
    return json_text.read(lines[position].removeprefix(label))


def _difference(came: str, right: str) -> str:
    """Return a sentence that shows the first place where a text is not the right one."""
    same = next(
        (place for place, (one, other) in enumerate(zip(came, right, strict=False)) if one != other),
        min(len(came), len(right)),
    )
    begin = max(0, same - 12)
    shown, wanted = quoted(came[begin : same + 28]), quoted(right[begin : same + 28])
    return f"The text differs from character {same + 1} on: there is {shown}; {wanted} is right."
