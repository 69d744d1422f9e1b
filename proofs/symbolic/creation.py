"""Creation: what is answered to a request with a span, for all clock samples and all spans.

Mixtures of faults are `proofs.exhaustive.creation`'s subject. Clauses: after.*, every.*, tool.error-sound.
"""

from enum import Enum
from typing import Any

from icontract import ensure, require

from proofs.symbolic.standing_in import with_numbers_for_targets
from proofs.symbolic.twins import bare, under_contracts_of
from schedule_impl import creation as implementation
from schedule_impl.errors import ScheduleError
from schedule_spec import creation as law
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.numbers import MAX_SAFE
from schedule_spec.records import LONGEST_INTERVAL, SHORTEST_INTERVAL, After, Every


class Rule(Enum):
    """The selectors that give a span."""

    AFTER = "after_seconds"
    EVERY = "every_seconds"


@ensure(
    lambda result, rule, seconds, now: (
        result
        == (
            After("a", "p", seconds, now + seconds * 1000)
            if rule is Rule.AFTER
            else Every("a", "p", seconds, now + seconds * 1000)
        )
    ),
    "after.target, every.first-target: the clock sample plus the span",
)
@require(
    lambda rule, seconds, now: (
        (SHORTEST_INTERVAL if rule is Rule.EVERY else 1) <= seconds <= LONGEST_INTERVAL
        and -MAX_SAFE <= now <= MAX_SAFE
        and EARLIEST <= now + seconds * 1000 <= LATEST
    ),
    "after.range, every.range: a span that is allowed, a clock sample, and a target in the range",
)
def first_target(rule: Rule, seconds: int, now: int) -> law.Created:
    """Return what the law makes of a span and a clock sample that fit."""
    return bare(law.create)({"id": "a", "prompt": "p", rule.value: seconds, "now": now})


@under_contracts_of(first_target)
def first_target_in_seconds(rule: Rule, seconds: int, now: int) -> law.Created:
    """Broken: the clock sample is taken for seconds where it is small."""
    sample = 1000 if now == 1 else now
    return bare(law.create)({"id": "a", "prompt": "p", rule.value: seconds, "now": sample})


def _codes(rule: Rule, seconds: int, now: int) -> frozenset[str]:
    """Return the codes that apply to a span and a clock sample, by the clauses."""
    is_every = rule is Rule.EVERY
    codes = set()
    if abs(seconds) > MAX_SAFE or (not is_every and seconds < 1):
        codes.add("invalid_rule")
    elif is_every and seconds < SHORTEST_INTERVAL:
        codes.add("frequency_too_high")
    elif not EARLIEST <= now + seconds * 1000 <= LATEST:
        codes.add("time_out_of_range")
    elif is_every and seconds > LONGEST_INTERVAL:
        codes |= {"time_out_of_range", "invalid_rule"}
    if abs(now) > MAX_SAFE:
        codes.add("time_out_of_range")
    return frozenset(codes)


@ensure(
    lambda result, rule, seconds, now: (
        result in _codes(rule, seconds, now)
        if isinstance(result, str)
        else not _codes(rule, seconds, now) and result == (seconds, now + seconds * 1000)
    ),
    "tool.error-sound: a code that applies, or where none does the span and the target",
)
def implementation_first_target(rule: Rule, seconds: int, now: int) -> tuple[int, int] | str:
    """Return what the implementation makes of any span and clock sample: span and target, or a code."""
    with with_numbers_for_targets():
        try:
            record: Any = implementation.create({"id": "a", "prompt": "p", rule.value: seconds, "now": now})
        except ScheduleError as refusal:
            return refusal.code
    return (record.afterSeconds if rule is Rule.AFTER else record.everySeconds), record.scheduledAt


@under_contracts_of(implementation_first_target)
def implementation_first_target_at_once(rule: Rule, seconds: int, now: int) -> tuple[int, int] | str:
    """Broken: a delay of nothing is accepted."""
    if rule is Rule.AFTER and seconds == 0 and EARLIEST <= now <= LATEST:
        return 0, now
    return implementation_first_target(rule, seconds, now)
