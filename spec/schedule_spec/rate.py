"""Fixed-rate advancement: what one dispatch of an every delivers, and what it leaves.

Specifies the clauses rate.*. Of a record with target T and interval I the aligned instants are T + k·I for
k ≥ 0; a dispatch at A delivers the last of them not after A and leaves the first after A. Those between are
never looked at.
"""

from dataclasses import dataclass

from icontract import ensure, require

from schedule_spec import fields, instants, records
from schedule_spec.fields import CorruptError
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.json_text import Json
from schedule_spec.marks import defines
from schedule_spec.records import Every
from schedule_spec.rejections import Rejection, corrupt, quoted


@dataclass(frozen=True, slots=True)
class Advance:
    """What a dispatch does to an every, in ms.

    `occurrence` is the one it delivers, `next_target` the target it leaves, None where the record ends.
    """

    occurrence: int
    next_target: int | None


@defines("rate.exact", "rate.skip")
@ensure(
    lambda result, interval_ms: (result.next_target is None) == (result.occurrence + interval_ms > LATEST),
    "rate.exhausted: the record ends exactly when the new target would leave the range",
)
@ensure(
    lambda result, target, interval_ms, accepted: (
        result.next_target is None
        or (
            (result.next_target - target) % interval_ms == 0
            and result.next_target - interval_ms <= accepted < result.next_target
        )
    ),
    "rate.next: the new target is the least aligned instant after the decision time",
)
@ensure(
    lambda result, target, interval_ms: (result.occurrence - target) % interval_ms == 0,
    "rate.anchor-aligned: the occurrence is congruent to the target modulo the interval",
)
@ensure(
    lambda result, target, interval_ms, accepted: (
        target <= result.occurrence <= accepted < result.occurrence + interval_ms
    ),
    "rate.latest-due: no aligned instant lies between the occurrence and the decision time",
)
@require(lambda target, accepted: target <= accepted, "rate.not-early: a dispatch cannot precede its target")
@require(
    lambda target, interval_ms, accepted: (
        EARLIEST <= target <= LATEST and EARLIEST <= accepted <= LATEST and interval_ms > 0
    ),
    "rate.accepted-range: target and decision time lie in the range, the interval is positive",
)
def advance(target: int, interval_ms: int, accepted: int) -> Advance:
    """Return what a dispatch at `accepted` delivers and leaves, all in ms (rate.latest-due, rate.next)."""
    occurrence = accepted - (accepted - target) % interval_ms
    next_target = occurrence + interval_ms
    return Advance(occurrence, next_target if next_target <= LATEST else None)


@defines("rate.not-early")
def advance_every(record: Every, accepted_at: int) -> Advance | Rejection:
    """Return what a dispatch at an instant in range delivers and leaves, or its refusal (rate.not-early)."""
    if accepted_at < record.scheduled_at:
        sentence = (
            f"acceptedAt is {instants.render(accepted_at)}; nothing of {quoted(record.id)} is due before its "
            f"target {instants.render(record.scheduled_at)}."
        )
        return corrupt("rate.not-early", sentence, "acceptedAt")
    return advance(record.scheduled_at, record.interval, accepted_at)


@defines("rate.accepted-range")
def advance_record(record: Json, accepted_at: Json) -> Advance | Rejection:
    """Return what a dispatch of a stored record at `accepted_at`, in ms, delivers and leaves, or why not."""
    decoded = records.decode(record)
    if isinstance(decoded, Rejection):
        return decoded.within("record")
    if not isinstance(decoded, Every):
        sentence = f"The record {quoted(decoded.id)} is a one-shot; only an every is advanced."
        return corrupt("fold.shape-match", sentence, "record.kind")
    try:
        accepted = fields.safe_integer(accepted_at, "acceptedAt")
    except CorruptError as error:
        return error.rejection
    if not instants.in_range(accepted):
        sentence = f"acceptedAt is {accepted} ms; {EARLIEST} to {LATEST} (the years 0001 to 9999) is allowed."
        return corrupt("rate.accepted-range", sentence, "acceptedAt")
    return advance_every(decoded, accepted)
