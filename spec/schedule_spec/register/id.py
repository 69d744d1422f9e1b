"""The clauses of `id`: identities."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Subject
from schedule_spec.register.sources import S1_RECORDS, S1_REPLAY, S2_TOOLS

AREA: Final = Area(
    name="id",
    title="identities",
    preamble="",
    clauses=(
        Clause(
            id="id.shape",
            sentence="An id is a non-empty trimmed string, opaque otherwise.",
            rationale=(
                "Ids are compared as they are. An empty or padded one would look like another, or like "
                "none, to a person and to a tool that trims its arguments."
            ),
            note="S2 for delete; in the log D",
            sources=(S2_TOOLS,),
            decided="that it holds in the log too",
            subject=Subject.PURE,
            implied_by=(
                "text.trim",
                "change.create",
                "change.delete",
                "change.dispatch-one-shot",
                "change.dispatch-every",
                "change.strict",
                "change.lossless",
                "tool.shape-first",
            ),
        ),
        Clause(
            id="id.never-reused",
            sentence=(
                "Within a session's own part of the log an id is created at most once, whether or not its "
                "record is still active."
            ),
            rationale=(
                "An id in an old part of the log means the reminder of that time. If ids came back, a "
                "delete could end a reminder that it never meant."
            ),
            note="S1",
            sources=(S1_RECORDS,),
            subject=Subject.LOG,
            implied_by=("id.fresh", "fold.no-id-reuse", "fold.candidate"),
        ),
        Clause(
            id="id.fresh",
            sentence=(
                "Creation allocates an id that was never created before in that part. Its spelling is free."
            ),
            rationale=(
                "What is allocated must never have been used, so that a crash, a deletion or another "
                "writer cannot make two reminders one. How it is spelt helps nobody, so it is free."
            ),
            note="S2",
            sources=(S2_TOOLS,),
            subject=Subject.LIVE,
            implied_by=(
                "id.never-reused",
                "fold.no-id-reuse",
                "tool.error-sound",
                "tool.create-result",
                "barrier.fifo",
            ),
        ),
        Clause(
            id="id.session-local",
            sentence="An id means nothing outside its session: a fork may create an id its parent used.",
            rationale=(
                "A fork goes its own way. If its ids had to avoid its parent's, the inherited prefix "
                "would have to be read, and it is not."
            ),
            note="S1",
            sources=(S1_RECORDS, S1_REPLAY),
            subject=Subject.LOG,
            implied_by=(
                "fold.no-id-reuse",
                "fold.candidate",
                "fork.suffix",
                "fork.prefix-unread",
                "fork.no-adoption",
            ),
        ),
    ),
)
