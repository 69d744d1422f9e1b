"""Fixed-rate advancement (rate.*), for all integers.

T is a target, I an interval, A a decision time; `law` and `implementation` are what the two advance by.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from proofs.paths import Truth, assume, claim, hinted, multiple, multiple_bounds
from proofs.unbounded.contracts import bare, keeps_its_contracts
from schedule_impl import rate as impl_rate
from schedule_spec import rate
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.numbers import MAX_SAFE
from schedule_spec.rate import Advance
from schedule_spec.records import LONGEST_INTERVAL

Number: TypeAlias = Any
Advancing: TypeAlias = Callable[[Number, Number, Number], Advance]

law: Advancing = bare(rate.advance)


def from_the_decision(target: Number, interval: Number, accepted: Number) -> Advance:
    """Count the next interval from the decision: each delay is kept for good."""
    found = law(target, interval, accepted)
    return Advance(found.occurrence, accepted + interval if accepted + interval <= LATEST else None)


def ending_early(target: Number, interval: Number, accepted: Number) -> Advance:
    """End the record where the new target is the last instant of the range."""
    found = law(target, interval, accepted)
    return Advance(found.occurrence, None if found.occurrence + interval >= LATEST else found.next_target)


def in_range(*instants: Number) -> None:
    """Assume that instants lie in the range."""
    for instant in instants:
        assume(instant >= EARLIEST)
        assume(instant <= LATEST)


def _given(target: Number, interval: Number, accepted: Number) -> None:
    in_range(target, accepted)
    assume(interval > 0)
    assume(target <= accepted)


def advance_keeps_its_contracts(target: Number, interval_ms: Number, accepted: Number) -> None:
    """All contracts of the law's `advance`, whatever the integers."""
    arguments = {"target": target, "interval_ms": interval_ms, "accepted": accepted}
    keeps_its_contracts(rate.advance, law, arguments)


def counting_from_the_decision_keeps_them(target: Number, interval_ms: Number, accepted: Number) -> None:
    """The same of `from_the_decision`."""

    def body(target: Number, interval_ms: Number, accepted: Number) -> Advance:
        return from_the_decision(target, interval_ms, accepted)

    arguments = {"target": target, "interval_ms": interval_ms, "accepted": accepted}
    keeps_its_contracts(rate.advance, body, arguments)


def _nothing_between(
    advance: Advancing, target: Number, interval: Number, accepted: Number, k: Number
) -> None:
    _given(target, interval, accepted)
    assume(k >= 0)
    found = advance(target, interval, accepted)
    aligned = target + multiple(k, interval)
    if aligned <= accepted:
        claim(aligned <= found.occurrence, "rate.latest-due: no due aligned instant is later")
    elif found.next_target is not None:
        claim(found.next_target <= aligned, "rate.next: no aligned instant after the decision is earlier")
    else:
        claim(aligned > LATEST, "rate.exhausted: no aligned instant after the decision is in range")


def no_aligned_instant_lies_between(target: Number, interval: Number, accepted: Number, k: Number) -> None:
    """Against every aligned instant T + k·I.

    The occurrence is the last not after A, the next the first after.
    """
    _nothing_between(law, target, interval, accepted, k)


@hinted(target=LATEST - 300_000, interval=300_000, accepted=LATEST - 1, k=1)
def one_lies_between_when_ending_early(target: Number, interval: Number, accepted: Number, k: Number) -> None:
    """The same of `ending_early`."""
    _nothing_between(ending_early, target, interval, accepted, k)


def _stays_aligned(advance: Advancing, first: Number, interval: Number, k: Number, accepted: Number) -> None:
    assume(interval > 0)
    target = first + k * interval
    _given(target, interval, accepted)
    found = advance(target, interval, accepted)
    steps = (accepted - target) // interval
    claim(
        found.occurrence == first + (k + steps) * interval,
        "rate.anchor-aligned: the occurrence is first + k·I",
    )
    if found.next_target is not None:
        claim(
            found.next_target == first + (k + steps + 1) * interval,
            "rate.anchor-aligned: the new target is first + k·I again",
        )


def every_dispatch_keeps_the_anchor(first: Number, interval: Number, k: Number, accepted: Number) -> None:
    """The step of the induction over dispatches: from first + k·I to first + k'·I. Its base is k = 0."""
    _stays_aligned(law, first, interval, k, accepted)


def the_anchor_is_lost_from_the_decision(
    first: Number, interval: Number, k: Number, accepted: Number
) -> None:
    """The same of `from_the_decision`."""
    _stays_aligned(from_the_decision, first, interval, k, accepted)


def _path_independent(advance: Advancing, target: Number, interval: Number, a1: Number, a2: Number) -> None:
    in_range(a2)
    _given(target, interval, a1)
    first = advance(target, interval, a1)
    assume(first.next_target is not None)
    assume(first.next_target <= a2)
    second, at_once = advance(first.next_target, interval, a2), advance(target, interval, a2)
    claim(second.occurrence == at_once.occurrence, "rate.path-independent: the same occurrence")
    claim(
        (second.next_target is None) == (at_once.next_target is None),
        "rate.path-independent: both end, or none",
    )
    if second.next_target is not None:
        claim(second.next_target == at_once.next_target, "rate.path-independent: the same target")


def two_dispatches_leave_what_the_later_leaves(
    target: Number, interval: Number, a1: Number, a2: Number
) -> None:
    """Dispatching at A1 and then at A2 leaves the same as dispatching at A2 alone."""
    _path_independent(law, target, interval, a1, a2)


def two_from_the_decision_leave_another(target: Number, interval: Number, a1: Number, a2: Number) -> None:
    """The same of `from_the_decision`."""
    _path_independent(from_the_decision, target, interval, a1, a2)


def _ends(advance: Advancing, target: Number, interval: Number, accepted: Number) -> None:
    _given(target, interval, accepted)
    found = advance(target, interval, accepted)
    following = found.occurrence + interval
    claim(
        (found.next_target is None) == (following > LATEST), "rate.exhausted: ended exactly beyond the range"
    )
    claim(found.occurrence >= target, "rate.not-early: nothing before the target is delivered")
    if found.next_target is not None:
        claim(found.next_target > target, "rate.next: the target moves on")


def a_record_ends_exactly_beyond_the_range(target: Number, interval: Number, accepted: Number) -> None:
    """A dispatch ends the record exactly where the new target would leave the range."""
    _ends(law, target, interval, accepted)


def a_record_ends_too_early(target: Number, interval: Number, accepted: Number) -> None:
    """The same of `ending_early`."""
    _ends(ending_early, target, interval, accepted)


def _stays_safe(advance: Advancing, target: Number, seconds: Number, accepted: Number) -> None:
    assume(seconds >= 1)
    assume(seconds <= LONGEST_INTERVAL)
    interval = seconds * 1000
    _given(target, interval, accepted)
    found = advance(target, interval, accepted)
    claim(interval <= MAX_SAFE, "rate.exact: the interval is a safe integer")
    claim((found.occurrence >= -MAX_SAFE), "rate.exact: the occurrence is a safe integer")
    claim(found.occurrence <= LATEST, "rate.exact: the occurrence is in range")
    claim(accepted - target <= MAX_SAFE, "rate.exact: the delay is a safe integer")
    if found.next_target is not None:
        claim(found.next_target <= LATEST, "rate.exact: the new target is in range")
    elif found.occurrence + interval > MAX_SAFE:
        claim(MAX_SAFE > LATEST, "rate.exact: a sum that is rounded is still beyond the range")


def nothing_overflows_a_double(target: Number, seconds: Number, accepted: Number) -> None:
    """Doubles do as well as integers.

    What is kept is safe, and what is not safe is beyond the range anyway.
    """
    _stays_safe(law, target, seconds, accepted)


def without_an_end(target: Number, interval: Number, accepted: Number) -> Advance:
    """Go on beyond the year 9999."""
    occurrence = accepted - (accepted - target) % interval
    return Advance(occurrence, occurrence + interval)


def it_overflows_without_an_end(target: Number, seconds: Number, accepted: Number) -> None:
    """The same of `without_an_end`."""
    _stays_safe(without_an_end, target, seconds, accepted)


def _same(
    next_target: Callable[[Number, Number, Number], Number],
    target: Number,
    interval: Number,
    accepted: Number,
) -> None:
    _given(target, interval, accepted)
    expected = law(target, interval, accepted)
    claim(
        impl_rate.latest_due(target, interval, accepted) == expected.occurrence,
        "rate.latest-due: the implementation finds the law's occurrence",
    )
    following = next_target(target, interval, accepted)
    claim(
        (following is None) == (expected.next_target is None),
        "rate.exhausted: the implementation ends what the law ends",
    )
    if following is not None:
        claim(following == expected.next_target, "rate.next: the implementation finds the law's target")


def the_implementation_advances_as_the_law_does(target: Number, interval: Number, accepted: Number) -> None:
    """The running code of the implementation against the running code of the law."""
    _same(impl_rate.next_target, target, interval, accepted)


def _without_its_short_cut(target: Number, interval: Number, accepted: Number) -> Number:
    """Take the short cut of one interval also where the decision is exactly one interval late."""
    if target <= accepted <= target + interval:
        return target + interval if target + interval <= LATEST else None
    return impl_rate.next_target(target, interval, accepted)


def a_short_cut_too_long_is_seen(target: Number, interval: Number, accepted: Number) -> None:
    """The same of an implementation whose short cut is one instant too long."""
    _same(_without_its_short_cut, target, interval, accepted)


def _keep_their_distance(times: Number, number: Number) -> None:
    for bound in multiple_bounds(times.term, number.term):
        claim(Truth(bound), f"{bound} is what the solver is told of multiples, and")


def multiples_keep_their_distance(times: Number, number: Number) -> None:
    """What `proofs.paths` tells the solver of products.

    A multiple of a positive number is 0 or that far from it.
    """
    assume(number > 0)
    _keep_their_distance(times, number)


def multiples_of_any_number_do_not(times: Number, number: Number) -> None:
    """The same without the assumption."""
    _keep_their_distance(times, number)
