"""The clauses of `every`: every_seconds."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Profile, Subject
from schedule_spec.register.sources import S1_FIXED_RATE, S1_RECORDS

AREA: Final = Area(
    name="every",
    title="`every_seconds`",
    preamble="",
    clauses=(
        Clause(
            id="every.first-target",
            sentence=(
                "The first target is the creation's clock sample plus the interval; that sample is the "
                "anchor."
            ),
            rationale=(
                "The clock sample of the creation is the anchor of all that follows; no alignment to "
                "full hours is intended."
            ),
            note="S1",
            sources=(S1_FIXED_RATE,),
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=("record.every", "rate.anchor-aligned", "tool.create-result"),
        ),
        Clause(
            id="every.rule",
            sentence="An interval that is not a safe integer is `invalid_rule`.",
            rationale="What is no integer is not rounded to one.",
            note="S1; code D",
            sources=(S1_RECORDS,),
            decided="the code",
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "number.safe-integer",
                "record.every",
                "every.minimum",
                "tool.shape-first",
                "tool.error-sound",
                "tool.ill-typed",
            ),
        ),
        Clause(
            id="every.minimum",
            sentence="A safe integer below 300, zero and negative included, is `frequency_too_high`.",
            rationale=(
                "Reminders cost the session a turn each. Zero and negative intervals are integers that "
                "are too small, so they are refused for that reason and with that code."
            ),
            note="S1",
            sources=(S1_RECORDS, S1_FIXED_RATE),
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=("record.every", "every.rule", "tool.shape-first", "tool.error-sound"),
        ),
        Clause(
            id="every.range",
            sentence=(
                "A first target outside instant.range, or a clock sample that is no safe integer, is "
                "`time_out_of_range`."
            ),
            rationale="The first target must have a text, like every other.",
            note="S1; code D",
            sources=(S1_RECORDS,),
            decided="the code",
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=("number.safe-integer", "instant.range", "record.every", "tool.error-sound"),
        ),
    ),
)
