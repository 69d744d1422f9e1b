"""The clauses of `owner`: live timing."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Subject
from schedule_spec.register.sources import (
    S1_DELIVERY,
    S1_OVERVIEW,
    S1_VIEWS,
    S2_COMPOSITION,
    S2_LIFECYCLE,
    S2_LIMITS,
    S2_OVERVIEW,
    S2_TOOLS,
)

AREA: Final = Area(
    name="owner",
    title="live timing",
    preamble="",
    clauses=(
        Clause(
            id="owner.session-local",
            sentence=(
                "Only a live session works: a cold one does nothing and notifies nobody; reopened, it "
                "rebuilds its timers from the fold and past targets are overdue."
            ),
            rationale=(
                "A reminder comes back as a turn of its session, so the session must be open. Nothing "
                "wakes a closed one, and opened again it catches up."
            ),
            note="S1",
            sources=(S1_OVERVIEW, S1_VIEWS, S1_DELIVERY),
            subject=Subject.LIVE,
            implied_by=(
                "due.wait",
                "owner.recompute",
                "owner.idle-only",
                "owner.dispose",
                "deliver.at-least-once",
                "deliver.no-loss",
            ),
        ),
        Clause(
            id="owner.roots-only",
            sentence=(
                "Only root agents created after the feature is loaded get the three tools and an owner; "
                "existing agents and children do not."
            ),
            rationale=(
                "Reminders are for the conversation with the person. A child agent's work ends before "
                "they would come."
            ),
            note="S2",
            sources=(S2_OVERVIEW, S2_COMPOSITION, S2_LIMITS),
            subject=Subject.LIVE,
            implied_by=(
                "tool.internal-error",
                "owner.session-local",
            ),
        ),
        Clause(
            id="owner.requires-persistence",
            sentence=(
                "Composed without a persistence service the feature fails to load; it never runs without "
                "durability in silence."
            ),
            rationale=(
                "A reminder that lives in memory alone looks like one that lasts. Rather none at all "
                "than that."
            ),
            note="S2",
            sources=(S2_COMPOSITION,),
            subject=Subject.LIVE,
            implied_by=("barrier.before-read", "barrier.uncertain"),
        ),
        Clause(
            id="owner.recompute",
            sentence=(
                "After every successful tool preflight, and again after a confirmed create or delete, the "
                "owner derives its next wake anew."
            ),
            rationale="Each transaction may have changed what comes next, also one by another writer.",
            note="S2; the second D",
            sources=(S2_TOOLS,),
            decided="the second: after a confirmed create or delete",
            subject=Subject.LIVE,
            implied_by=(
                "barrier.recovers",
                "due.wait",
                "owner.recheck",
                "owner.activity-retry",
                "deliver.no-loss",
            ),
        ),
        Clause(
            id="owner.bounded-wait",
            sentence=(
                "Waits longer than the host's timers can hold are split; such a reminder never fires at "
                "once or early."
            ),
            rationale=(
                "Timers of some hosts hold 31 bits of milliseconds, under 25 days, and fire at once "
                "beyond that."
            ),
            note="S2",
            sources=(S2_LIFECYCLE,),
            subject=Subject.LIVE,
            implied_by=("due.wait", "owner.recheck", "owner.never-early", "deliver.no-loss"),
        ),
        Clause(
            id="owner.recheck",
            sentence=(
                "Every wake reads the wall clock anew: after a clock set back nothing fires early; after a "
                "clock set forward what has become due is taken up at the next wake, which the jump itself "
                "need not cause."
            ),
            rationale=(
                "Timers measure elapsed time, targets are on the wall clock, and the two drift apart "
                "when the clock is set or the machine sleeps."
            ),
            note="S1, S2",
            sources=(S1_DELIVERY, S2_LIFECYCLE),
            subject=Subject.LIVE,
            implied_by=(
                "due.batch",
                "due.one-decision-time",
                "due.wait",
                "owner.bounded-wait",
                "owner.never-early",
                "deliver.no-loss",
            ),
        ),
        Clause(
            id="owner.never-early",
            sentence="No reminder is queued before its target by the clock sample that decided it.",
            rationale="A reminder that comes early is wrong in a way that one a little late is not.",
            note="S1, S2",
            sources=(S1_DELIVERY, S2_LIFECYCLE),
            subject=Subject.LIVE,
            implied_by=(
                "rate.not-early",
                "due.one-shot-first",
                "due.batch",
                "due.wait",
                "owner.bounded-wait",
                "owner.recheck",
                "deliver.sequence",
                "deliver.no-loss",
            ),
        ),
        Clause(
            id="owner.idle-only",
            sentence=(
                "Due work waits until the agent is fully idle; a refused claim leaves the records active "
                "and waits once for idle."
            ),
            rationale="A turn in progress is not interrupted; when the agent is busy the reminder keeps.",
            note="S2",
            sources=(S2_LIFECYCLE,),
            subject=Subject.LIVE,
            implied_by=(
                "owner.no-steer",
                "owner.activity-retry",
                "deliver.sequence",
                "deliver.parked",
                "deliver.no-loss",
            ),
        ),
        Clause(
            id="owner.no-steer",
            sentence=(
                "Delivery never interrupts or steers the current turn: it opens one ordinary later turn."
            ),
            rationale=(
                "A reminder is a new thing to talk about. Put into a running turn it could bend what "
                "that turn is doing."
            ),
            note="S1",
            sources=(S1_DELIVERY,),
            subject=Subject.LIVE,
            implied_by=("owner.idle-only", "deliver.sequence", "deliver.parked", "frame.message"),
        ),
        Clause(
            id="owner.activity-retry",
            sentence=(
                "After a failed preflight, framing or enqueue the records stay active and no private retry "
                "timer starts, for future targets either; a return to idle or a successful tool preflight "
                "tries again."
            ),
            rationale=(
                "A broken disk does not mend faster by being asked every second. The next sign of life "
                "is soon enough."
            ),
            note="S2; future targets D",
            sources=(S2_LIMITS,),
            decided="that it holds for future targets too",
            subject=Subject.LIVE,
            implied_by=(
                "barrier.recovers",
                "due.wait",
                "owner.recompute",
                "owner.idle-only",
                "deliver.no-dispatch-on-failure",
                "deliver.barrier-failure",
                "deliver.no-loss",
            ),
        ),
        Clause(
            id="owner.corrupt",
            sentence="On a log that does not fold the owner queues and appends nothing.",
            rationale="From a state that cannot be read nothing may be delivered.",
            note="D",
            sources=(),
            decided="the whole clause",
            subject=Subject.LIVE,
            implied_by=("fold.all-or-nothing", "tool.corrupt", "deliver.sequence"),
        ),
        Clause(
            id="owner.dispose",
            sentence=(
                "Disposal cancels timers and idle waits, starts nothing new, waits for what is in flight, "
                "and deletes no durable record."
            ),
            rationale=(
                "To close a session is not to cancel its reminders: they are there when it is opened again."
            ),
            note="S2",
            sources=(S2_LIFECYCLE,),
            subject=Subject.LIVE,
            implied_by=("owner.session-local", "deliver.no-loss"),
        ),
    ),
)
