"""The clauses of `fork`: a session that inherits a prefix."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Subject
from schedule_spec.register.sources import S1_REPLAY, S2_STATE, S3_REPLAY

AREA: Final = Area(
    name="fork",
    title="a session that inherits a prefix",
    preamble="",
    clauses=(
        Clause(
            id="fork.suffix",
            sentence=(
                "With `seedLength` n the state is that of the events at and after position n alone; n "
                "absent means 0."
            ),
            rationale=(
                "The parent goes on with its reminders. If the child had them too, each would be "
                "delivered twice, in two conversations."
            ),
            note="S1, S2, S3",
            sources=(S1_REPLAY, S2_STATE, S3_REPLAY),
            subject=Subject.LOG,
            implied_by=(
                "id.session-local",
                "fold.create",
                "fold.no-id-reuse",
                "fold.inactive",
                "fork.prefix-unread",
                "fork.bounds",
                "fork.no-adoption",
                "tool.list",
            ),
        ),
        Clause(
            id="fork.prefix-unread",
            sentence="Events before n are not even decoded: a malformed inherited prefix does no harm.",
            rationale=(
                "What cannot matter must not be able to do harm: an old session with a damaged reminder "
                "can still be forked."
            ),
            note="S2",
            sources=(S2_STATE,),
            subject=Subject.LOG,
            implied_by=(
                "id.session-local",
                "change.version",
                "change.strict",
                "fold.event",
                "fork.suffix",
                "fork.bounds",
                "fork.no-adoption",
            ),
        ),
        Clause(
            id="fork.bounds",
            sentence="n is an integer from 0 to the number of events; anything else is corrupt.",
            rationale="A boundary outside the log says that header and log do not belong together.",
            note="D",
            sources=(),
            decided="the whole clause",
            subject=Subject.LOG,
            implied_by=(
                "number.safe-integer",
                "fold.authority",
                "fold.event",
                "fork.suffix",
                "fork.prefix-unread",
            ),
        ),
        Clause(
            id="fork.no-adoption",
            sentence=(
                "No parent reminder is active in the child; a child's delete or dispatch of an id that the "
                "child did not create is corrupt."
            ),
            rationale=(
                "A child that could end its parent's reminders would have adopted them. It does not "
                "know them."
            ),
            note="S1",
            sources=(S1_REPLAY,),
            subject=Subject.LOG,
            implied_by=(
                "id.session-local",
                "fold.inactive",
                "fork.suffix",
                "tool.list",
            ),
        ),
        Clause(
            id="fork.history",
            sentence="The inherited events stay in the child's log.",
            rationale=(
                "The transcript is one story. That its first part was inherited takes nothing out of it."
            ),
            note="S1, S3",
            sources=(S1_REPLAY, S3_REPLAY),
            subject=Subject.LIVE,
            implied_by=("fork.suffix", "deliver.no-receipt", "deliver.no-loss"),
        ),
    ),
)
