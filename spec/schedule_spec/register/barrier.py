"""The clauses of `barrier`: durability."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Subject
from schedule_spec.register.sources import S1_VIEWS, S2_COMPOSITION, S2_LIFECYCLE, S2_TOOLS

AREA: Final = Area(
    name="barrier",
    title="durability",
    preamble=(
        "The barrier is the session's flush: it succeeds when at least one persistence listener took part "
        "and none failed; then all events up to now are durable."
    ),
    clauses=(
        Clause(
            id="barrier.before-read",
            sentence=(
                "Every tool call, and every drive of the owner, waits for one successful barrier before it "
                "reads or decides from the fold."
            ),
            rationale=(
                "Reading what is not durable yet could show, or deliver, what a crash then takes back."
            ),
            note="S1, S2",
            sources=(S1_VIEWS, S2_COMPOSITION, S2_TOOLS, S2_LIFECYCLE),
            subject=Subject.LIVE,
            implied_by=("tool.list", "barrier.uncertain", "deliver.sequence"),
        ),
        Clause(
            id="barrier.after-append",
            sentence=(
                "A create and an actual delete wait for a second barrier after the append before they "
                "confirm."
            ),
            rationale="Saying done before it is durable is a promise that a crash can break.",
            note="S1, S2",
            sources=(S1_VIEWS, S2_COMPOSITION, S2_TOOLS),
            subject=Subject.LIVE,
            implied_by=("tool.create-result", "tool.delete-active", "barrier.uncertain"),
        ),
        Clause(
            id="barrier.uncertain",
            sentence=(
                "A missing, failed or detached barrier gives `persistence_uncertain` with `operation` "
                "(`create`, `list`, `delete`) and the id where one is known (delete always, create after "
                "its append, list never); never a list, a not-found or a success."
            ),
            rationale=(
                "When it is not known whether something is durable, this is said, with what is needed "
                "to look again; never a guess in either direction."
            ),
            note="S1, S2; fields D",
            sources=(S1_VIEWS, S2_COMPOSITION),
            decided="the fields",
            subject=Subject.LIVE,
            implied_by=(
                "tool.error-sound",
                "tool.create-result",
                "tool.list",
                "tool.delete-active",
                "tool.delete-unknown",
                "tool.errors-stable",
                "barrier.before-read",
                "barrier.after-append",
                "owner.activity-retry",
            ),
        ),
        Clause(
            id="barrier.recovers",
            sentence=(
                "After a failed second barrier the event stays in the log; the next successful preflight "
                "sees it and the owner, unless it has stopped for good, takes it up without a retry timer "
                "of its own."
            ),
            rationale=(
                "The event is in the log, whatever the barrier said. Taking it up later is right; "
                "taking it back is impossible."
            ),
            note="S2",
            sources=(S2_TOOLS,),
            subject=Subject.LIVE,
            implied_by=(
                "tool.list",
                "tool.delete-active",
                "barrier.uncertain",
                "due.batch",
                "owner.recompute",
                "owner.activity-retry",
                "deliver.no-loss",
            ),
        ),
        Clause(
            id="barrier.fifo",
            sentence=(
                "One queue per agent serializes tool calls and due work, each from its preflight through "
                "its last barrier."
            ),
            rationale="Two transactions in between each other would read states that never were.",
            note="S1, S2",
            sources=(S1_VIEWS, S2_TOOLS),
            subject=Subject.LIVE,
            implied_by=(
                "id.fresh",
                "tool.create-result",
                "tool.list",
                "barrier.before-read",
                "deliver.sequence",
            ),
        ),
        Clause(
            id="barrier.cancel",
            sentence="A call cancelled before its append appends nothing; its answer is the host's abort.",
            rationale="Before its append a call has changed nothing, and can be forgotten.",
            note="D",
            sources=(),
            decided="the whole clause",
            subject=Subject.LIVE,
            implied_by=(
                "tool.error-sound",
                "tool.create-result",
                "barrier.before-read",
                "barrier.uncertain",
                "barrier.fifo",
            ),
        ),
    ),
)
