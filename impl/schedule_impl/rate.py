"""Fixed-rate advancement in exact integers; nothing is enumerated (rate.*).

All times are ms; `interval` is a record's `everySeconds` in ms.
"""

from schedule_impl.errors import corrupt
from schedule_impl.instants import MAXIMUM, to_text


def latest_due(target: int, interval: int, accepted: int) -> int:
    """The greatest `target + k · interval` not after `accepted`, which is refused before the target."""
    if accepted < target:
        raise corrupt(f"acceptedAt {to_text(accepted)} is before the target {to_text(target)}")
    return accepted - (accepted - target) % interval


def next_target(target: int, interval: int, accepted: int) -> int | None:
    """The least `target + k · interval` after `accepted`, or None where that leaves the range."""
    following = target + interval
    if not target <= accepted < following:
        following = latest_due(target, interval, accepted) + interval
    return following if following <= MAXIMUM else None
