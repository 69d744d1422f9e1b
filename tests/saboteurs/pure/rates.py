"""Saboteurs of rate.*: what one dispatch of an every delivers and leaves, asked alone and within logs."""

from tests.saboteurs.pure.ways import (
    Advanced,
    Object,
    advancing,
    answering,
    correct,
    sabotage,
)

from schedule_spec import rate
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.rejections import Rejection, corrupt

EARLY = corrupt("rate.not-early", "Refused by a saboteur.")
MANY = 1_000_000


def rightly(target: int, interval: int, accepted: int) -> Advanced | None:
    """Return occurrence and next target as they should be, None before the target."""
    if not EARLIEST <= target <= accepted <= LATEST:
        return None
    advance = rate.advance(target, interval, accepted)
    return advance.occurrence, advance.next_target


def _in_range(target: int) -> int | None:
    return target if target <= LATEST else None


def first_occurrence(target: int, interval: int, accepted: int) -> Advanced | None:
    due = rightly(target, interval, accepted)
    return (target, due[1]) if due else None


def nearest_occurrence(target: int, interval: int, accepted: int) -> Advanced | None:
    due = rightly(target, interval, accepted)
    if due is None or due[1] is None or due[1] - accepted > accepted - due[0]:
        return None
    return due[1], due[1]


def decision_as_occurrence(target: int, interval: int, accepted: int) -> Advanced | None:
    due = rightly(target, interval, accepted)
    return (accepted, due[1]) if due else None


def occurrence_in_seconds(target: int, interval: int, accepted: int) -> Advanced | None:
    due = rightly(target, interval, accepted)
    return (due[0] // 1000 * 1000, due[1]) if due else None


def from_decision_time(target: int, interval: int, accepted: int) -> Advanced | None:
    due = rightly(target, interval, accepted)
    return (due[0], _in_range(accepted + interval)) if due else None


def one_step(target: int, interval: int, accepted: int) -> Advanced | None:
    due = rightly(target, interval, accepted)
    return (due[0], _in_range(target + interval)) if due else None


def stays_when_aligned(target: int, interval: int, accepted: int) -> Advanced | None:
    due = rightly(target, interval, accepted)
    return (accepted, accepted) if due and due[0] == accepted else None


def one_too_far(target: int, interval: int, accepted: int) -> Advanced | None:
    due = rightly(target, interval, accepted)
    return (due[0], _in_range(due[1] + interval)) if due and due[1] is not None else None


def on_the_clock(target: int, interval: int, accepted: int) -> Advanced | None:
    due = rightly(target, interval, accepted)
    return (due[0], _in_range((accepted // interval + 1) * interval)) if due else None


def next_in_seconds(target: int, interval: int, accepted: int) -> Advanced | None:
    due = rightly(target, interval, accepted)
    return (due[0], due[1] // 1000 * 1000) if due and due[1] is not None else None


def refuses_equality(target: int, _: int, accepted: int) -> Rejection | None:
    return EARLY if accepted == target else None


def takes_early(target: int, interval: int, accepted: int) -> Advanced | None:
    return (target, _in_range(target + interval)) if EARLIEST <= accepted < target else None


def takes_early_and_stays(target: int, interval: int, accepted: int) -> Advanced | None:
    return (target, target) if EARLIEST <= accepted < target else None


def takes_almost_due(target: int, interval: int, accepted: int) -> Advanced | None:
    almost = EARLIEST <= accepted < target <= accepted + 999
    return (target, _in_range(target + interval)) if almost else None


def in_32_bits(target: int, interval: int, accepted: int) -> Advanced | None:
    if not EARLIEST <= target <= accepted <= LATEST:
        return None
    missed = ((accepted - target) & 0xFFFFFFFF) // interval
    occurrence = target + missed * interval
    return occurrence, _in_range(occurrence + interval)


def by_float_division(target: int, interval: int, accepted: int) -> Advanced | None:
    """Divide in single precision, which is off where many occurrences were missed."""
    if not EARLIEST <= target <= accepted <= LATEST:
        return None
    missed = _single((accepted - target) / interval)
    occurrence = target + missed * interval
    return min(occurrence, LATEST), _in_range(occurrence + interval)


def _single(quotient: float) -> int:
    whole = int(quotient)
    lost = max(whole.bit_length() - 24, 0)
    return whole >> lost << lost


def gives_up(target: int, interval: int, accepted: int) -> Rejection | None:
    return EARLY if (accepted - target) // interval > MANY else None


def capped(target: int, interval: int, accepted: int) -> Advanced | None:
    if rightly(target, interval, accepted) is None or (accepted - target) // interval <= 1000:
        return None
    return target + 1000 * interval, target + 1001 * interval


def forgets_exhaustion(target: int, interval: int, accepted: int) -> Advanced | None:
    due = rightly(target, interval, accepted)
    return (due[0], target) if due and due[1] is None else None


def ends_at_the_last_instant(target: int, interval: int, accepted: int) -> Advanced | None:
    due = rightly(target, interval, accepted)
    return (due[0], LATEST) if due and due[1] is None else None


def ends_too_soon(target: int, interval: int, accepted: int) -> Advanced | None:
    due = rightly(target, interval, accepted)
    return (due[0], None) if due and due[1] is not None and due[1] > LATEST - interval else None


def refuses_exhaustion(target: int, interval: int, accepted: int) -> Rejection | None:
    due = rightly(target, interval, accepted)
    return EARLY if due and due[1] is None else None


def ends_at_the_very_end(target: int, interval: int, accepted: int) -> Advanced | None:
    due = rightly(target, interval, accepted)
    return (due[0], None) if due and due[1] == LATEST else None


def clamps_decisions(request: Object) -> Object:
    """Bring a decision time into the range."""
    accepted = request.get("acceptedAt")
    if request["cmd"] != "advance" or type(accepted) is not int or abs(accepted) >= 2**53:
        return correct(request)
    return correct({**request, "acceptedAt": min(max(accepted, EARLIEST), LATEST)})


def ends_at_epoch(target: int, interval: int, accepted: int) -> Advanced | None:
    due = rightly(target, interval, accepted)
    return (due[0], None) if due and due[1] == 0 else None


SABOTEURS = (
    sabotage(
        "delivers_the_first_missed_occurrence",
        "rate.latest-due",
        "Delivers the stored target and not the latest occurrence that is due.",
        advancing(first_occurrence),
    ),
    sabotage(
        "delivers_the_nearest_occurrence",
        "rate.latest-due",
        "Rounds to the nearest occurrence, so that one to come is delivered.",
        advancing(nearest_occurrence),
    ),
    sabotage(
        "delivers_at_the_decision_time",
        "rate.latest-due",
        "Calls the decision time itself the occurrence.",
        advancing(decision_as_occurrence),
    ),
    sabotage(
        "rounds_occurrences_to_seconds",
        "rate.latest-due",
        "Computes occurrences in whole seconds.",
        advancing(occurrence_in_seconds),
    ),
    sabotage(
        "advances_from_decision_time",
        "rate.anchor-aligned",
        "Counts the next target from the decision time, so that each delay is kept for good.",
        advancing(from_decision_time),
    ),
    sabotage(
        "advances_on_the_clock",
        "rate.anchor-aligned",
        "Puts the next target on multiples of the interval since the epoch.",
        advancing(on_the_clock),
    ),
    sabotage(
        "advances_to_whole_seconds",
        "rate.anchor-aligned",
        "Computes targets in whole seconds.",
        advancing(next_in_seconds),
    ),
    sabotage(
        "advances_by_one_interval",
        "rate.next",
        "Advances by one interval, so that each missed occurrence is replayed.",
        advancing(one_step),
    ),
    sabotage(
        "stays_on_an_aligned_decision",
        "rate.next",
        "Takes the target for the least occurrence not before the decision time.",
        advancing(stays_when_aligned),
    ),
    sabotage(
        "skips_an_occurrence",
        "rate.next",
        "Advances one interval too far.",
        advancing(one_too_far),
    ),
    sabotage(
        "refuses_decision_at_the_target",
        "rate.not-early",
        "Takes a decision at the very target for an early one.",
        advancing(refuses_equality),
    ),
    sabotage(
        "advances_early_decisions",
        "rate.not-early",
        "Advances though the target has not come.",
        advancing(takes_early),
    ),
    sabotage(
        "ignores_early_decisions",
        "rate.not-early",
        "Leaves the target where it is though the decision was early: it divides towards zero.",
        advancing(takes_early_and_stays),
    ),
    sabotage(
        "advances_within_the_second",
        "rate.not-early",
        "Compares seconds, so that a decision some milliseconds early passes.",
        advancing(takes_almost_due),
    ),
    sabotage(
        "counts_in_32_bits",
        "rate.exact",
        "Holds the elapsed milliseconds in 32 bits, which wrap after 49 days.",
        advancing(in_32_bits),
    ),
    sabotage(
        "divides_in_single_precision",
        "rate.exact",
        "Divides in floating point, and is off where many occurrences were missed.",
        advancing(by_float_division),
    ),
    sabotage(
        "gives_up_after_a_million_occurrences",
        "rate.skip",
        "Walks through missed occurrences one by one and gives up.",
        advancing(gives_up),
    ),
    sabotage(
        "catches_up_a_thousand_at_most",
        "rate.skip",
        "Walks through missed occurrences one by one, a thousand in one go.",
        advancing(capped),
    ),
    sabotage(
        "keeps_exhausted_everys",
        "rate.exhausted",
        "Leaves an every active whose next target lies outside the range.",
        advancing(forgets_exhaustion),
    ),
    sabotage(
        "waits_at_the_last_instant",
        "rate.exhausted",
        "Brings a next target outside the range to the range's end.",
        advancing(ends_at_the_last_instant),
    ),
    sabotage(
        "ends_everys_an_interval_too_soon",
        "rate.exhausted",
        "Ends an every whose next but one target would leave the range.",
        advancing(ends_too_soon),
    ),
    sabotage(
        "ends_everys_at_the_last_instant",
        "rate.exhausted",
        "Takes the range's last instant for outside of it.",
        advancing(ends_at_the_very_end),
    ),
    sabotage(
        "refuses_the_last_dispatch",
        "rate.exhausted",
        "Calls a log corrupt whose every has no next target.",
        advancing(refuses_exhaustion),
    ),
    sabotage(
        "gives_null_for_no_next_target",
        "rate.exhausted",
        "Gives null for a next target that does not exist.",
        answering("advance", lambda _, result: {"nextScheduledAt": None, **result}),
    ),
    sabotage(
        "clamps_decision_times",
        "rate.accepted-range",
        "Brings a decision time outside the range into it.",
        clamps_decisions,
    ),
    sabotage(
        "ends_everys_at_the_epoch",
        "rate.next",
        "Asks whether there is a next target by whether it is true, and 0 ms is not.",
        advancing(ends_at_epoch),
    ),
)
