"""The clauses of `after`: after_seconds."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Subject
from schedule_spec.register.sources import S1_RECORDS, S3_RECORDS

AREA: Final = Area(
    name="after",
    title="`after_seconds`",
    preamble="",
    clauses=(
        Clause(
            id="after.target",
            sentence=(
                "`scheduledAt` is the creation's clock sample plus `after_seconds` · 1000 ms; the delay is "
                "kept in the record."
            ),
            rationale=(
                "Adding to one sample of the clock is plain, and needs no zone. The delay is kept, so "
                "that the request can still be seen."
            ),
            note="S1, S3",
            sources=(S1_RECORDS, S3_RECORDS),
            subject=Subject.PURE,
            implied_by=("record.after", "tool.create-result"),
        ),
        Clause(
            id="after.rule",
            sentence="A delay that is not a positive safe integer is `invalid_rule`.",
            rationale="A delay in words, a fraction or zero is not guessed at.",
            note="S1; code D",
            sources=(S1_RECORDS,),
            decided="the code",
            subject=Subject.PURE,
            implied_by=(
                "number.safe-integer",
                "record.after",
                "tool.shape-first",
                "tool.error-sound",
                "tool.ill-typed",
            ),
        ),
        Clause(
            id="after.range",
            sentence=(
                "A target outside instant.range, or a clock sample that is no safe integer, is "
                "`time_out_of_range`."
            ),
            rationale=(
                "A target without a text could not be stored; a clock that reads nonsense makes every "
                "target nonsense."
            ),
            note="S1; code D",
            sources=(S1_RECORDS,),
            decided="the code",
            subject=Subject.PURE,
            implied_by=("number.safe-integer", "instant.range", "tool.error-sound"),
        ),
    ),
)
