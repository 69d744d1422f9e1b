"""Decision times about the ends of the range and about targets, as stored records are advanced (rate.*)."""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from proofs.outcomes import Counterexample, Counts
from schedule_impl.adapter import handle
from schedule_spec import rate
from schedule_spec.instants import EARLIEST, LATEST, render
from schedule_spec.rejections import Rejection

Advancing: TypeAlias = Callable[[dict[str, Any], int], bool]
SECONDS = 300
SPAN = 700
"""How many ms on either side of each place are tried."""


def _places() -> Iterator[tuple[int, int]]:
    """Yield targets with the places about which decisions are made."""
    for target in (EARLIEST, 0, LATEST - SECONDS * 1000, LATEST):
        for place in (EARLIEST, target, target + SECONDS * 1000, LATEST):
            yield target, place


def _accepted(advancing: Advancing) -> Counts:
    counts = {"accepted": 0, "rejected": 0}
    for target, place in _places():
        record = {
            "id": "e",
            "kind": "every",
            "prompt": "p",
            "everySeconds": SECONDS,
            "scheduledAt": render(target),
        }
        for decision in range(place - SPAN, place + SPAN + 1):
            expected = decision in range(target, LATEST + 1)
            if (found := advancing(record, decision)) != expected:
                said = "accepted" if found else "rejected"
                raise Counterexample(f"the target {target} and the decision {decision} ms are {said}")
            counts["accepted" if expected else "rejected"] += 1
    return counts


def _by_the_law(record: dict[str, Any], decision: int) -> bool:
    return not isinstance(rate.advance_record(record, decision), Rejection)


def _by_the_implementation(record: dict[str, Any], decision: int) -> bool:
    reply = handle({"seq": 1, "cmd": "advance", "record": record, "acceptedAt": decision})
    return "result" in reply


def _by_both(record: dict[str, Any], decision: int) -> bool:
    law, implementation = _by_the_law(record, decision), _by_the_implementation(record, decision)
    if law != implementation:
        raise Counterexample(
            f"of {record} at {decision} ms the law says {law}, the implementation {implementation}"
        )
    return law


def decisions_before_the_target_or_outside_the_range_are_rejected() -> Counts:
    """Law and implementation, at every ms about each place."""
    return _accepted(_by_both)


def _early_by_a_little(record: dict[str, Any], decision: int) -> bool:
    """Take what is due within half a second for due."""
    return _by_the_law(record, decision) or (decision <= LATEST - 500 and _by_the_law(record, decision + 500))


def decisions_a_little_early_are_accepted() -> Counts:
    """The same of what rounds to the second."""
    return _accepted(_early_by_a_little)
