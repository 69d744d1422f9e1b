"""The clauses of `number`: numbers."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Subject
from schedule_spec.register.sources import S1_RECORDS

AREA: Final = Area(
    name="number",
    title="numbers",
    preamble="",
    clauses=(
        Clause(
            id="number.safe-integer",
            sentence=(
                "A safe integer is an integral number of magnitude at most 2^53−1. A JSON number is read "
                'as an IEEE 754 double: `300`, `300.0`, `3e2` are one number; `300.5`, `"300"`, `true`, '
                "`null`, numbers that round to 2^53 or beyond are no safe integers. `NaN` and `Infinity` "
                "are not JSON."
            ),
            rationale=(
                "JSON has one kind of number and most readers hold it as a double. What two readers "
                "could round differently is no integer here; what is merely spelt otherwise is."
            ),
            note="S1; reading D",
            sources=(S1_RECORDS,),
            decided="how JSON numbers are read",
            subject=Subject.PURE,
            implied_by=(
                "record.after",
                "record.every",
                "change.version",
                "change.create",
                "change.strict",
                "change.json",
                "change.lossless",
                "fork.bounds",
                "after.rule",
                "after.range",
                "at.range",
                "every.rule",
                "every.range",
                "tool.ill-typed",
            ),
        ),
    ),
)
