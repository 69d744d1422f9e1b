"""The clauses of `due`: what the owner decides."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Profile, Subject
from schedule_spec.register.sources import S1_DELIVERY, S1_FIXED_RATE, S2_LIFECYCLE

AREA: Final = Area(
    name="due",
    title="what the owner decides",
    preamble=(
        "The owner is the live, disposable projection of one session: it holds timers, no state of its own."
    ),
    clauses=(
        Clause(
            id="due.one-shot-first",
            sentence="If a one-shot is due, exactly one is chosen: the least by target, then creation order.",
            rationale=(
                "One-shots are promises for one moment, so they go before what will come round again; "
                "one at a time, each as a turn of its own."
            ),
            note="S1, S2; order among one-shots D",
            sources=(S1_DELIVERY, S2_LIFECYCLE),
            decided="the order among one-shots",
            subject=Subject.PURE,
            implied_by=("fold.order", "due.batch", "due.wait", "deliver.sequence"),
        ),
        Clause(
            id="due.batch",
            sentence=(
                "Otherwise all due every records form one batch, ordered by stored target, then creation, "
                "each with its one latest occurrence; the dispatches are appended in that order."
            ),
            rationale="Ten intervals that are due together are one interruption, not ten.",
            note="S1, S2; dispatch order D",
            sources=(S1_FIXED_RATE, S1_DELIVERY, S2_LIFECYCLE),
            decided="the order of the dispatches",
            profiles=(Profile.V1,),
            subject=Subject.LIVE,
            implied_by=(
                "fold.order",
                "rate.latest-due",
                "rate.independent",
                "due.one-shot-first",
                "due.one-decision-time",
                "due.wait",
                "deliver.sequence",
                "frame.batch",
            ),
        ),
        Clause(
            id="due.one-decision-time",
            sentence=(
                "One clock sample decides the whole batch; every dispatch of it carries that same "
                "`acceptedAt`."
            ),
            rationale=(
                "One sample for the whole batch makes it one decision: what is due and what was "
                "delivered are told of the same instant."
            ),
            note="S1",
            sources=(S1_FIXED_RATE,),
            profiles=(Profile.V1,),
            subject=Subject.LIVE,
            implied_by=("rate.next", "due.batch", "deliver.sequence"),
        ),
        Clause(
            id="due.wait",
            sentence="Otherwise the owner waits for the earliest future target, or for nothing.",
            rationale="Nothing runs while nothing is due.",
            note="S1",
            sources=(S1_DELIVERY,),
            subject=Subject.PURE,
            implied_by=(
                "due.one-shot-first",
                "due.batch",
                "owner.recompute",
                "owner.bounded-wait",
                "owner.recheck",
                "owner.never-early",
                "deliver.no-loss",
            ),
        ),
        Clause(
            id="due.clock-range",
            sentence=(
                "A clock sample outside instant.range decides no every batch: nothing is queued, and the "
                "owner isn't stopped by it."
            ),
            rationale=(
                "A clock beyond the range cannot be written as a decision time. One-shots need none, so "
                "they are not held back."
            ),
            note="D",
            sources=(),
            decided="the whole clause",
            profiles=(Profile.V1,),
            subject=Subject.LIVE,
            implied_by=(
                "instant.range",
                "rate.accepted-range",
                "due.batch",
                "owner.session-local",
                "owner.recompute",
                "owner.never-early",
                "owner.idle-only",
                "deliver.append-failure-faults",
                "deliver.no-loss",
            ),
        ),
    ),
)
