"""Fixed-rate advancement for all integers in range: what follows from the law, and that both sides agree.

The law's own contracts are confirmed on `schedule_spec.rate.advance` as it stands. Clauses: rate.*.
"""

from enum import Enum

from icontract import ensure, require

from proofs.symbolic.standing_in import without_words
from proofs.symbolic.twins import under_contracts_of
from schedule_impl import rate as implementation
from schedule_impl.errors import ScheduleError
from schedule_spec import rate as law
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.rate import Advance
from schedule_spec.records import LONGEST_INTERVAL, SHORTEST_INTERVAL, Every
from schedule_spec.rejections import Rejection


@under_contracts_of(law.advance)
def advance_to_the_occurrence_after(target: int, interval_ms: int, accepted: int) -> Advance:
    """Broken: delivers an occurrence at the decision time's next alignment, one too late."""
    occurrence = accepted - (accepted - target) % interval_ms + interval_ms
    following = occurrence + interval_ms
    return Advance(occurrence, following if following <= LATEST else None)


# -- what follows from the law ------------------------------------------------------------------------------


class Interval(Enum):
    """Intervals in ms: the two shortest, an hour, a day, a week, a leap year, and the longest."""

    SHORTEST = SHORTEST_INTERVAL * 1000
    ODD = (SHORTEST_INTERVAL + 1) * 1000
    HOUR = 3_600_000
    DAY = 86_400_000
    WEEK = 604_800_000
    LEAP_YEAR = 31_622_400_000
    LONGEST = LONGEST_INTERVAL * 1000


@ensure(
    lambda result: result[0] == result[1],
    "rate.path-independent: the way to the last decision is forgotten",
)
@require(
    lambda target, first, wait: EARLIEST <= target <= first <= LATEST and 0 <= wait <= LATEST - EARLIEST,
    "rate.accepted-range: target and decision times lie in the range",
)
def deciding_twice(target: int, interval: Interval, first: int, wait: int) -> tuple[int | None, int | None]:
    """Return what two dispatches leave, the second `wait` ms after what the first leaves, and it alone."""
    between = law.advance(target, interval.value, first).next_target
    if between is None or between + wait > LATEST:
        return None, None
    second = between + wait
    return (
        law.advance(between, interval.value, second).next_target,
        law.advance(target, interval.value, second).next_target,
    )


@under_contracts_of(deciding_twice)
def deciding_twice_from_the_decision(
    target: int, interval: Interval, first: int, wait: int
) -> tuple[int | None, int | None]:
    """Broken: the interval is counted from the first decision, as a timer that is set anew would."""
    second = first + interval.value + wait
    if second > LATEST:
        return None, None
    return (
        law.advance(first, interval.value, second).next_target,
        law.advance(target, interval.value, second).next_target,
    )


def _aligned(target: int, interval: Interval, steps: int) -> int:
    return target + steps * interval.value


@ensure(
    lambda result, target, interval, accepted, steps: (
        result.next_target is None
        or _aligned(target, interval, steps) <= accepted
        or result.next_target <= _aligned(target, interval, steps)
    ),
    "rate.next: no aligned instant after the decision time comes before the new target",
)
@ensure(
    lambda result, target, interval, accepted, steps: (
        _aligned(target, interval, steps) > accepted or _aligned(target, interval, steps) <= result.occurrence
    ),
    "rate.latest-due: no aligned instant up to the decision time comes after the occurrence",
)
@require(
    lambda target, accepted, steps: EARLIEST <= target <= accepted <= LATEST and steps >= 0,
    "rate.accepted-range: target and decision time lie in the range",
)
def advance_among_all_aligned(target: int, interval: Interval, accepted: int, steps: int) -> Advance:
    """Return what a dispatch delivers and leaves, to be held against any aligned instant: `steps` on."""
    return law.advance(target, interval.value, accepted)


@under_contracts_of(advance_among_all_aligned)
def advance_past_what_is_due_now(target: int, interval: Interval, accepted: int, steps: int) -> Advance:
    """Broken: what falls due at the very decision time is left for later."""
    occurrence = max(target, accepted - 1 - (accepted - 1 - target) % interval.value)
    return Advance(occurrence, occurrence + interval.value)


@ensure(
    lambda result, anchor, interval: result is None or (result - anchor) % interval.value == 0,
    "rate.anchor-aligned: a target that is aligned with the first leaves one that is",
)
@require(
    lambda anchor, steps, late: late >= 0 and steps >= 0 and EARLIEST <= anchor <= LATEST,
    "rate.anchor-aligned: the target is any number of intervals after the first",
)
def dispatching_without_drift(anchor: int, interval: Interval, steps: int, late: int) -> int | None:
    """Return what a dispatch leaves that comes `late` ms after a target `steps` intervals after the first."""
    target = anchor + steps * interval.value
    return None if target + late > LATEST else law.advance(target, interval.value, target + late).next_target


@under_contracts_of(dispatching_without_drift)
def dispatching_with_drift(anchor: int, interval: Interval, steps: int, late: int) -> int | None:
    """Broken: the next target is counted from when the dispatch came."""
    target = anchor + steps * interval.value
    return None if target + late > LATEST else target + late + interval.value


@ensure(
    lambda result, target, interval_ms: result is None or result >= target + interval_ms,
    "rate.exhausted: each dispatch takes the target at least one interval nearer to the end of the range",
)
@require(
    lambda target, interval_ms, accepted: EARLIEST <= target <= accepted <= LATEST and interval_ms > 0,
    "rate.accepted-range: target and decision time lie in the range, the interval is positive",
)
def dispatching_comes_to_an_end(target: int, interval_ms: int, accepted: int) -> int | None:
    """Return the target that a dispatch leaves, which bounds how many may follow."""
    return law.advance(target, interval_ms, accepted).next_target


@under_contracts_of(dispatching_comes_to_an_end)
def dispatching_on_time_stands_still(target: int, interval_ms: int, accepted: int) -> int | None:
    """Broken: at the very target an occurrence is delivered but not passed over."""
    return target + -(-(accepted - target) // interval_ms) * interval_ms


# -- law and implementation ---------------------------------------------------------------------------------


def _ruled(record: Every, accepted: int) -> Advance | None:
    """What the law says of a dispatch, None where it refuses it."""
    with without_words():
        answer = law.advance_every(record, accepted)
    return None if isinstance(answer, Rejection) else answer


@ensure(
    lambda result, every_seconds, target, accepted: (
        result == _ruled(Every("a", "p", every_seconds, target), accepted)
    ),
    "rate.latest-due, rate.next, rate.exhausted, rate.not-early: the implementation answers as the law",
)
@require(
    lambda every_seconds, target, accepted: (
        EARLIEST <= target <= LATEST
        and EARLIEST <= accepted <= LATEST
        and SHORTEST_INTERVAL <= every_seconds <= LONGEST_INTERVAL
    ),
    "record.every: what a record may hold, and a decision time in the range",
)
def implementation_advances(every_seconds: int, target: int, accepted: int) -> Advance | None:
    """Return what the implementation makes of a dispatch, None where it refuses it."""
    interval = every_seconds * 1000
    with without_words():
        try:
            return Advance(
                implementation.latest_due(target, interval, accepted),
                implementation.next_target(target, interval, accepted),
            )
        except ScheduleError:
            return None


@under_contracts_of(implementation_advances)
def implementation_advances_by_one(every_seconds: int, target: int, accepted: int) -> Advance | None:
    """Broken: each dispatch moves the target by one interval, however many were missed."""
    interval = every_seconds * 1000
    if accepted < target:
        return None
    following = target + interval
    return Advance(target, following if following <= LATEST else None)
