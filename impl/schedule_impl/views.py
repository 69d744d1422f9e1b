"""What the tools show of a record (view.*)."""

from typing import Any, Final

from schedule_impl.changes import Record, target_of
from schedule_impl.codec import to_json
from schedule_impl.creation import clock_sample
from schedule_impl.ecma_json import Json

DELIVERY_MODE: Final = "session-local"
"""The one way in which version 1 delivers (view.fields)."""


def view(record: Record, now: Json) -> dict[str, Any]:
    """The record with `state` and `deliveryMode`, under the clock sample `now` in ms.

    `time_out_of_range` where the sample is no safe integer, `corrupt_schedule_log` for a record that no sound
    log holds. Clauses: view.fields, view.state.
    """
    state = "overdue" if target_of(record) <= clock_sample(now) else "scheduled"
    return {**to_json(record), "state": state, "deliveryMode": DELIVERY_MODE}
