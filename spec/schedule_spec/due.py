"""Due work: what the owner of a session decides from the active records and one clock sample.

Specifies the clauses due.*. The decision is a value: a one-shot to deliver, a batch of everys, or a wait. It
depends on the records and the sample alone; when it is taken is the live law's subject (`delivery`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from icontract import ensure

from schedule_spec import instants, rate, records
from schedule_spec.changes import Change, DispatchEvery, DispatchOneShot
from schedule_spec.json_text import Json
from schedule_spec.marks import defines
from schedule_spec.numbers import safe_integer
from schedule_spec.records import Every, Record
from schedule_spec.rejections import Code, Rejection, corrupt, quoted


@dataclass(frozen=True, slots=True)
class OneShot:
    """One due one-shot is delivered, alone (due.one-shot-first)."""

    record: Record

    @property
    def id(self) -> str:
        """The id of the record."""
        return self.record.id


@dataclass(frozen=True, slots=True)
class Reminder:
    """An every of a batch, with the one occurrence it contributes, in ms."""

    record: Every
    occurrence: int


@dataclass(frozen=True, slots=True)
class Batch:
    """All due everys are delivered at once (due.batch).

    `accepted_at` is the decision time in ms that all of their dispatches carry (due.one-decision-time).
    """

    accepted_at: int
    reminders: tuple[Reminder, ...]


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing is delivered; `until` is the earliest future target in ms, None for none (due.wait)."""

    until: int | None


Decision: TypeAlias = OneShot | Batch | Wait


def _due(active: Sequence[Record], now: int) -> list[Record]:
    """Return the due records by stored target, then creation."""
    return sorted((record for record in active if record.scheduled_at <= now), key=lambda r: r.scheduled_at)


@defines("due.one-shot-first", "due.batch", "due.one-decision-time", "due.wait")
@ensure(
    lambda result, now: not isinstance(result, Batch) or instants.in_range(now),
    "due.clock-range: a clock sample outside the range decides no batch",
)
@ensure(
    lambda result, now: not isinstance(result, Wait) or result.until is None or result.until > now,
    "due.wait: what is waited for is still to come",
)
def decide(active: Sequence[Record], now: int) -> Decision:
    """Return what the owner does about the records, in creation order, under a clock sample in ms."""
    due = _due(active, now)
    one_shots = [record for record in due if not isinstance(record, Every)]
    if one_shots:
        return OneShot(one_shots[0])
    everys = [record for record in due if isinstance(record, Every)]
    if everys and instants.in_range(now):
        return Batch(now, tuple(_reminder(record, now) for record in everys))
    return Wait(min((record.scheduled_at for record in active if record.scheduled_at > now), default=None))


@defines("rate.latest-due")
def _reminder(record: Every, now: int) -> Reminder:
    return Reminder(record, rate.advance(record.scheduled_at, record.interval, now).occurrence)


@defines("due.batch", "due.one-decision-time")
def dispatches(decision: Decision) -> tuple[Change, ...]:
    """Return the changes that delivering a decision appends, in order; none for a wait."""
    match decision:
        case OneShot(record):
            return (DispatchOneShot(record.id),)
        case Batch(accepted_at, reminders):
            return tuple(DispatchEvery(reminder.record.id, accepted_at) for reminder in reminders)
        case Wait():
            return ()


def encode(decision: Decision) -> dict[str, Json]:
    """Return the decision as the JSON object of the command `due`."""
    match decision:
        case OneShot(record):
            return {"kind": "one-shot", "id": record.id}
        case Batch(accepted_at, reminders):
            return {
                "kind": "batch",
                "acceptedAt": instants.render(accepted_at),
                "reminders": [
                    {"id": reminder.record.id, "occurrenceAt": instants.render(reminder.occurrence)}
                    for reminder in reminders
                ],
            }
        case Wait(until):
            return {"kind": "wait"} if until is None else {"kind": "wait", "until": instants.render(until)}
    assert_never(decision)


def due(active: Json, now: Json) -> dict[str, Json] | Rejection:
    """Return the decision about stored records, in creation order, under a clock sample in ms, or why not.

    A list that no sound log could hold is corrupt, a sample that is no safe integer `time_out_of_range`.
    """
    decoded = _records(active)
    if isinstance(decoded, Rejection):
        return decoded
    sample = safe_integer(now)
    if sample is None:
        sentence = f"now is {quoted(now)}; a whole number of magnitude at most 2^53-1 is required."
        return Rejection(Code.TIME_OUT_OF_RANGE, "number.safe-integer", sentence, "now")
    return encode(decide(decoded, sample))


def _records(values: Json) -> tuple[Record, ...] | Rejection:
    if not isinstance(values, list):
        sentence = f"records is {quoted(values)}; an array is required."
        return corrupt("change.strict", sentence, "records")
    decoded: list[Record] = []
    for position, value in enumerate(values):
        record = records.decode(value)
        where = f"records[{position}]"
        if isinstance(record, Rejection):
            return record.within(where)
        if any(other.id == record.id for other in decoded):
            sentence = f"The id {quoted(record.id)} stands there twice."
            return corrupt("id.never-reused", sentence, f"{where}.id")
        decoded.append(record)
    return tuple(decoded)
