"""The fixed rate: the next target is worked out at once, and only where it is not the very next."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedule_impl import rate
from schedule_impl.errors import ScheduleError
from schedule_impl.instants import MAXIMUM, MINIMUM
from schedule_impl.rate import latest_due, next_target


@given(st.integers(0, 10**6), st.integers(300_000, 10**12), st.integers(MINIMUM, MAXIMUM))
def test_the_next_target_is_the_first_aligned_one_after_the_decision(
    k: int, interval: int, target: int
) -> None:
    accepted = min(target + k * interval + interval // 2, MAXIMUM)
    occurrence = latest_due(target, interval, accepted)
    assert occurrence <= accepted < occurrence + interval
    assert (occurrence - target) % interval == 0
    following = next_target(target, interval, accepted)
    assert following == (None if occurrence + interval > MAXIMUM else occurrence + interval)


@pytest.mark.parametrize(
    ("accepted", "following"),
    [
        pytest.param(1_000, 301_000, id="at-the-target"),
        pytest.param(300_999, 301_000, id="just-before-the-next"),
        pytest.param(301_000, 601_000, id="at-the-next"),
        pytest.param(3_000_999, 3_001_000, id="nine-were-missed"),
        pytest.param(253_402_300_500_000, 253_402_300_501_000, id="the-last"),
        pytest.param(253_402_300_501_000, None, id="none-in-the-range"),
    ],
)
def test_the_next_target_by_hand(accepted: int, following: int | None) -> None:
    """Targets are 1 s, 301 s, 601 s … after 1970 began; the last ms of the range is 299 s after the last."""
    assert next_target(1_000, 300_000, accepted) == following


def test_the_end_of_the_range_is_a_target_like_any() -> None:
    assert next_target(253_402_300_499_999, 300_000, 253_402_300_499_999) == 253_402_300_799_999
    assert next_target(253_402_300_500_000, 300_000, 253_402_300_500_000) is None


def test_no_decision_is_taken_before_the_target() -> None:
    with pytest.raises(ScheduleError) as refusal:
        next_target(1_000, 300_000, 999)
    assert refusal.value.code == "corrupt_schedule_log"


@pytest.mark.parametrize("accepted", [1_000, 2_000, 300_999])
def test_a_decision_before_the_next_target_takes_no_division(
    accepted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate, "latest_due", lambda *_: pytest.fail("the next target is the very next"))
    assert next_target(1_000, 300_000, accepted) == 301_000
