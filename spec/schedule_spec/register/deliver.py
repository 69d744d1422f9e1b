"""The clauses of `deliver`: one admitted delivery."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Subject
from schedule_spec.register.sources import S1_DELIVERY, S1_REPLAY, S2_LIFECYCLE

AREA: Final = Area(
    name="deliver",
    title="one admitted delivery",
    preamble="",
    clauses=(
        Clause(
            id="deliver.sequence",
            sentence=(
                "In order: barrier; claim the idle phase; fold again and sample one decision time; build "
                "the framing; enqueue exactly one follow-up; append its dispatch(es); release the phase; "
                "barrier. If the second decision finds nothing due, the phase is released with nothing "
                "queued or appended; if it finds something else due, that is delivered."
            ),
            rationale=(
                "Each step makes the next one safe: durable before it is read, claimed before it is "
                "decided, decided again because time has passed, queued before it is recorded."
            ),
            note="S1, S2",
            sources=(S1_DELIVERY, S2_LIFECYCLE),
            subject=Subject.LIVE,
            implied_by=(
                "barrier.before-read",
                "barrier.fifo",
                "due.one-shot-first",
                "due.batch",
                "due.one-decision-time",
                "owner.never-early",
                "owner.idle-only",
                "deliver.parked",
                "deliver.enqueue-before-dispatch",
                "deliver.no-dispatch-on-failure",
                "deliver.barrier-failure",
                "deliver.at-least-once",
                "deliver.no-loss",
            ),
        ),
        Clause(
            id="deliver.parked",
            sentence=(
                "What the follow-up wakes is not processed before the phase is released, so no turn starts "
                "between enqueue and dispatch."
            ),
            rationale=(
                "If the turn began before the dispatch was written, it could see its own reminder as "
                "still to come."
            ),
            note="S2",
            sources=(S2_LIFECYCLE,),
            subject=Subject.LIVE,
            implied_by=("owner.idle-only", "owner.no-steer", "deliver.sequence"),
        ),
        Clause(
            id="deliver.enqueue-before-dispatch",
            sentence="No dispatch is appended without its follow-up having been queued first.",
            rationale=(
                "In the other order a crash in between would lose the reminder without a trace. In this "
                "one it can at worst come twice."
            ),
            note="S1, S2",
            sources=(S1_DELIVERY, S2_LIFECYCLE),
            subject=Subject.LIVE,
            implied_by=(
                "deliver.sequence",
                "deliver.no-dispatch-on-failure",
                "deliver.meaning",
                "deliver.at-least-once",
                "deliver.no-loss",
            ),
        ),
        Clause(
            id="deliver.no-dispatch-on-failure",
            sentence="If framing or enqueue fails, nothing is appended and the reminder stays active.",
            rationale="What was not queued was not delivered, and must not be recorded as if it had been.",
            note="S1",
            sources=(S1_DELIVERY,),
            subject=Subject.LIVE,
            implied_by=(
                "owner.recompute",
                "owner.activity-retry",
                "deliver.sequence",
                "deliver.enqueue-before-dispatch",
                "deliver.no-loss",
            ),
        ),
        Clause(
            id="deliver.append-failure-faults",
            sentence=(
                "If an append fails after the enqueue the owner stops for good: the message may already be "
                "queued, and it is not queued again by that owner. What a batch had appended before stays."
            ),
            rationale=(
                "The message may be on its way already. An owner that tried again could repeat it "
                "without end, so it stops and leaves the rest to the next one."
            ),
            note="S2; partial batch D",
            sources=(S2_LIFECYCLE,),
            decided="what holds of a batch appended in part",
            subject=Subject.LIVE,
            implied_by=(
                "barrier.recovers",
                "owner.activity-retry",
                "deliver.sequence",
                "deliver.at-least-once",
            ),
        ),
        Clause(
            id="deliver.barrier-failure",
            sentence=(
                "A failed last barrier leaves the dispatch in the log: nothing is queued again, no retry "
                "timer starts, a later preflight makes it durable."
            ),
            rationale=(
                "The dispatch is in the log and the message is queued; only its durability is unknown. "
                "To queue it again would repeat it for certain."
            ),
            note="S2",
            sources=(S2_LIFECYCLE,),
            subject=Subject.LIVE,
            implied_by=(
                "barrier.recovers",
                "owner.activity-retry",
                "deliver.sequence",
                "deliver.at-least-once",
            ),
        ),
        Clause(
            id="deliver.meaning",
            sentence=(
                "Dispatch means queued: neither that the model succeeded nor that anyone read it. A later "
                "failed turn takes nothing back."
            ),
            rationale=(
                "Whether a model succeeded, or a person read it, is nothing that the Schedule can know."
            ),
            note="S1; last sentence D",
            sources=(S1_REPLAY,),
            decided="the last sentence",
            subject=Subject.MEANING,
            reason=(
                "It says how a dispatch is to be understood; no behaviour of a model or a reader is within "
                "an adapter's reach."
            ),
            implied_by=("deliver.enqueue-before-dispatch", "deliver.no-receipt", "deliver.at-least-once"),
        ),
        Clause(
            id="deliver.no-receipt",
            sentence=(
                "Delivery leaves only the ordinary transcript and its dispatches; there is no receipt event."
            ),
            rationale="A second record of the same fact could only contradict the first.",
            note="S1, S2",
            sources=(S1_DELIVERY, S2_LIFECYCLE),
            subject=Subject.LIVE,
            implied_by=("change.strict", "fold.authority", "deliver.sequence"),
        ),
        Clause(
            id="deliver.at-least-once",
            sentence=(
                "A due occurrence whose dispatch is not durable is delivered again after recovery, unless "
                "a newer occurrence of the same every supersedes it; one whose dispatch is durable is not. "
                "A duplicate needs a crash or a failed append between enqueue and durable dispatch."
            ),
            rationale=(
                "Between queueing a message and making its record durable there is always a gap. A "
                "crash in it must lead to a repeat or to a loss, and a repeat can be seen."
            ),
            note="S1",
            sources=(S1_DELIVERY,),
            subject=Subject.LIVE,
            implied_by=(
                "fold.dispatch-one-shot",
                "fold.dispatch-every",
                "due.batch",
                "owner.session-local",
                "deliver.sequence",
                "deliver.append-failure-faults",
                "deliver.barrier-failure",
                "deliver.no-loss",
            ),
        ),
        Clause(
            id="deliver.no-loss",
            sentence=(
                "No crash loses a durable record; and once faults are over, with an owner that has not "
                "stopped, enough idle periods and triggers, every due record is dispatched."
            ),
            rationale=(
                "Losing reminders in silence is the one failure that would make the feature worthless."
            ),
            note="S1 best-effort at least once; form D",
            sources=(S1_DELIVERY,),
            decided="its form",
            subject=Subject.LIVE,
            implied_by=(
                "id.fresh",
                "tool.list",
                "tool.delete-active",
                "barrier.recovers",
                "due.one-shot-first",
                "due.batch",
                "due.wait",
                "owner.session-local",
                "owner.recompute",
                "owner.bounded-wait",
                "owner.recheck",
                "owner.idle-only",
                "owner.activity-retry",
                "deliver.sequence",
                "deliver.at-least-once",
            ),
        ),
    ),
)
