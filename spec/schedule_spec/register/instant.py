"""The clauses of `instant`: points in time."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Subject
from schedule_spec.register.sources import S1_RECORDS, S2_STATE

AREA: Final = Area(
    name="instant",
    title="points in time",
    preamble="",
    clauses=(
        Clause(
            id="instant.canonical",
            sentence=(
                "A durable instant is exactly `YYYY-MM-DDTHH:mm:ss.mmmZ`: 24 ASCII characters, three "
                "fraction digits, capital `T` and `Z`, years 0001 to 9999, a real calendar date, hours "
                "00–23, minutes and seconds 00–59."
            ),
            rationale=(
                "One spelling for one instant: equal instants are equal texts, sorting texts sorts "
                "times, and nothing has to be normalised on reading."
            ),
            note="S1, S2: four-digit-year RFC 3339 UTC; exact form D",
            sources=(S1_RECORDS, S2_STATE),
            decided="the exact form",
            subject=Subject.PURE,
            implied_by=(
                "instant.range",
                "instant.round-trip",
                "change.create",
                "change.dispatch-every",
                "change.strict",
                "change.lossless",
            ),
        ),
        Clause(
            id="instant.range",
            sentence="The range is 0001-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z.",
            rationale=(
                "Four digits of a year must do, and the year 0000 is one that many calendars do not "
                "have. Beyond the range an instant has no text, so nothing may be stored there."
            ),
            note="S1; no year 0000 D",
            sources=(S1_RECORDS,),
            decided="that there is no year 0000",
            subject=Subject.PURE,
            implied_by=(
                "instant.canonical",
                "change.create",
                "change.dispatch-every",
                "change.strict",
                "after.range",
                "at.range",
                "every.range",
                "rate.exhausted",
                "rate.accepted-range",
            ),
        ),
        Clause(
            id="instant.round-trip",
            sentence=(
                "Formatting and parsing are inverse on the whole range, and the order of the texts is the "
                "order of the times."
            ),
            rationale=(
                "Everything else leans on it: a time may be written and read any number of times and "
                "stays what it was."
            ),
            note="D: follows",
            sources=(),
            decided="follows from other clauses",
            subject=Subject.DERIVED,
            reason=(
                "It follows from instant.canonical and instant.range: each instant of the range has "
                "exactly one text, whose fields are fixed in width and stand from the greatest to the "
                "least."
            ),
            implied_by=("instant.canonical", "instant.range", "change.lossless"),
        ),
    ),
)
