"""Records and changes: what each shape admits, to the last number and member, and what a refusal names."""

from typing import Any

import pytest
from tests.impl.logs import create, delete, dispatch

from schedule_impl.changes import After, At, Change, Create, Delete, Dispatch, Every, check_change, target_of
from schedule_impl.codec import CHANGES, to_json
from schedule_impl.errors import ScheduleError

NEW_YEAR = "2030-01-01T00:00:00.000Z"


def refusal(value: Any) -> str:
    with pytest.raises(ScheduleError) as refused:
        CHANGES.convert(value)
    assert refused.value.code == "corrupt_schedule_log"
    return refused.value.message


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(create("a", "after", afterSeconds=1), id="after-least"),
        pytest.param(create("a", "after", afterSeconds=9_007_199_254_740_991), id="after-greatest"),
        pytest.param(create("a", "every", everySeconds=300), id="every-least"),
        pytest.param(create("a", "every", everySeconds=9_007_199_254_740), id="every-greatest"),
    ],
)
def test_a_number_at_the_edge_of_its_range_is_sound(value: dict[str, Any]) -> None:
    assert to_json(CHANGES.convert(value)) == value


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(create("a", "after", afterSeconds=0), id="after-none"),
        pytest.param(create("a", "after", afterSeconds=9_007_199_254_740_992), id="after-unsafe"),
        pytest.param(create("a", "every", everySeconds=299), id="every-too-frequent"),
        pytest.param(create("a", "every", everySeconds=9_007_199_254_741), id="every-unsafe-in-ms"),
    ],
)
def test_a_number_beyond_its_range_is_corrupt(value: dict[str, Any]) -> None:
    refusal(value)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(create("a", "after", everySeconds=300), id="after"),
        pytest.param(create("a", "at", afterSeconds=60), id="at"),
        pytest.param(create("a", "every", state="scheduled"), id="every"),
        pytest.param({**create("a"), "id": "a"}, id="create"),
        pytest.param(dict([*create("a").items(), (7, "a")]), id="create-no-name"),
        pytest.param({**delete("a"), "acceptedAt": NEW_YEAR}, id="delete"),
        pytest.param({**dispatch("a"), "occurrenceAt": NEW_YEAR}, id="dispatch"),
        pytest.param({**dispatch("a", NEW_YEAR), "prompt": "p"}, id="dispatch-every"),
    ],
)
def test_a_further_member_is_corrupt(value: dict[str, Any]) -> None:
    refusal(value)


@pytest.mark.parametrize(
    ("change", "member"),
    [
        pytest.param(Create(1, At("", "p", NEW_YEAR)), "id", id="empty-id"),
        pytest.param(Create(1, After(" a", "p", 60, NEW_YEAR)), "id", id="padded-id"),
        pytest.param(Create(1, At("a", "", NEW_YEAR)), "prompt", id="empty-prompt"),
        pytest.param(Create(1, Every("a", "p\ufeff", 300, NEW_YEAR)), "prompt", id="padded-prompt"),
        pytest.param(Create(1, At("", "", NEW_YEAR)), "id", id="both"),
        pytest.param(Create(1, At("a", "p", "2030-01-01")), "scheduledAt", id="target"),
        pytest.param(Delete(1, "a "), "id", id="delete"),
        pytest.param(Dispatch(1, ""), "id", id="dispatch"),
        pytest.param(Dispatch(1, "a", ""), "acceptedAt", id="decision-time"),
    ],
)
def test_a_refusal_names_the_member_that_is_not_sound(change: Change, member: str) -> None:
    with pytest.raises(ScheduleError, match=rf"^{member} ") as refused:
        check_change(change)
    assert refused.value.code == "corrupt_schedule_log"


def test_a_record_that_is_sound_has_the_target_that_it_names() -> None:
    assert target_of(At("a", "p", NEW_YEAR)) == 1_893_456_000_000
