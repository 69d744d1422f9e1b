"""Views: a record, and where its target stands."""

import pytest

from schedule_spec import instants, records
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.json_text import Json
from schedule_spec.numbers import MAX_SAFE
from schedule_spec.records import After, At, Every, Record
from schedule_spec.rejections import Rejection
from schedule_spec.views import view

NOON = 1_900_000_000_000
RECORDS: list[Record] = [After("a", "p", 60, NOON), At("a", "p", NOON), Every("a", "p", 300, NOON)]


@pytest.mark.parametrize("record", RECORDS)
def test_a_view_is_the_record_and_two_fields(record: Record) -> None:
    """view.fields"""
    stored = records.encode(record)
    shown = view(stored, NOON)
    assert isinstance(shown, dict)
    assert shown.pop("deliveryMode") == "session-local"
    assert type(shown.pop("state")) is str
    assert shown == stored


@pytest.mark.parametrize(
    ("now", "state"),
    [
        (NOON - 1, "scheduled"),
        (NOON, "overdue"),
        (NOON + 1, "overdue"),
        (float(NOON - 1), "scheduled"),
        (-MAX_SAFE, "scheduled"),
        (MAX_SAFE, "overdue"),
    ],
)
@pytest.mark.parametrize("record", RECORDS)
def test_a_target_is_overdue_once_it_is_reached(record: Record, now: Json, state: str) -> None:
    """view.state"""
    shown = view(records.encode(record), now)
    assert isinstance(shown, dict)
    assert shown["state"] == state


@pytest.mark.parametrize("target", [EARLIEST, LATEST])
def test_a_target_at_an_end_of_the_range(target: int) -> None:
    shown = view(records.encode(At("a", "p", target)), target - 1)
    assert isinstance(shown, dict)
    assert (shown["state"], shown["scheduledAt"]) == ("scheduled", instants.render(target))


@pytest.mark.parametrize("now", [None, True, "0", 0.5, 2.0**53, float("nan"), 2**53, [], {}])
def test_a_clock_that_is_no_safe_integer(now: Json) -> None:
    refused = view(records.encode(RECORDS[0]), now)
    assert isinstance(refused, Rejection)
    assert (refused.code, refused.clause, refused.where) == (
        "time_out_of_range",
        "number.safe-integer",
        "now",
    )


@pytest.mark.parametrize(("record", "where"), [(None, "record"), ({"kind": "cron"}, "record.kind")])
def test_a_record_that_no_log_could_hold(record: Json, where: str) -> None:
    refused = view(record, 0)
    assert isinstance(refused, Rejection)
    assert (refused.code, refused.where) == ("corrupt_schedule_log", where)
