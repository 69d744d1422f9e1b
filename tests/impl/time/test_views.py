"""Views: the record, its state under one clock sample, and the one way of delivery (view.*)."""

from typing import Any

import pytest
from tests.impl.time.support import ask, create

RECORDS: list[dict[str, Any]] = [
    create(after_seconds=300, now=0, prompt="\ud83d"),
    create(every_seconds=300, now=0),
    create(at="1970-01-01T00:05:00Z", now=0),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["kind"])
@pytest.mark.parametrize(
    ("now", "state"),
    [
        (299_999, "scheduled"),
        (300_000, "overdue"),
        (300_000.0, "overdue"),
        (300_001, "overdue"),
        (-(2**53) + 1, "scheduled"),
        (2**53 - 1, "overdue"),
    ],
)
def test_the_record_and_its_state(record: dict[str, Any], now: Any, state: str) -> None:
    assert ask("view", record=record, now=now) == {
        "view": {**record, "state": state, "deliveryMode": "session-local"}
    }


@pytest.mark.parametrize("now", [None, True, "0", 0.5, 2**53, float("nan"), [], {}], ids=repr)
def test_the_clock_is_a_safe_integer(now: Any) -> None:
    assert ask("view", record=RECORDS[0], now=now) == "time_out_of_range"


@pytest.mark.parametrize("record", [None, [], "a", {}, {**RECORDS[0], "state": "overdue"}], ids=repr)
def test_no_view_of_what_is_no_record(record: Any) -> None:
    assert ask("view", record=record, now=0) == "corrupt_schedule_log"
