"""Views: what tools show of an active reminder.

Specifies view.fields and view.state. A view is derived from a record and one clock sample each time it is
shown; nothing of it is stored.
"""

from enum import StrEnum

from schedule_spec import records
from schedule_spec.json_text import Json
from schedule_spec.marks import defines
from schedule_spec.numbers import safe_integer
from schedule_spec.records import Record
from schedule_spec.rejections import Code, Rejection, quoted

DELIVERY_MODE = "session-local"
"""The only delivery mode: the session itself must be live (view.fields)."""


class ScheduleState(StrEnum):
    """Where a target stands against the clock sample (view.state)."""

    SCHEDULED = "scheduled"
    """The target is still to come."""
    OVERDUE = "overdue"
    """The clock sample is at the target or past it."""


@defines("view.state")
def state_of(record: Record, now: int) -> ScheduleState:
    """Return the record's state under a clock sample in ms, any safe integer (view.state)."""
    return ScheduleState.OVERDUE if now >= record.scheduled_at else ScheduleState.SCHEDULED


@defines("view.fields")
def encode(record: Record, now: int) -> dict[str, Json]:
    """Return the view of a record under a clock sample in ms, as the JSON object that tools show."""
    shown: dict[str, Json] = {"state": str(state_of(record, now)), "deliveryMode": DELIVERY_MODE}
    return records.encode(record) | shown


def view(record: Json, now: Json) -> dict[str, Json] | Rejection:
    """Return the view of a stored record under a clock sample in ms, or why there is none."""
    decoded = records.decode(record)
    if isinstance(decoded, Rejection):
        return decoded.within("record")
    sample = safe_integer(now)
    if sample is None:
        sentence = f"now is {quoted(now)}; a whole number of magnitude at most 2^53-1 is required."
        return Rejection(Code.TIME_OUT_OF_RANGE, "number.safe-integer", sentence, "now")
    return encode(decoded, sample)
