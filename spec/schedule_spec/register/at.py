"""The clauses of `at`: absolute input."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Profile, Subject
from schedule_spec.register.sources import S1_ABSOLUTE, S1_RECORDS, S2_ABSOLUTE, S2_COMPOSITION, S2_LIMITS

AREA: Final = Area(
    name="at",
    title="absolute input",
    preamble="",
    clauses=(
        Clause(
            id="at.offset-form",
            sentence=(
                "A string is exactly `YYYY-MM-DDTHH:mm:ss[.S|.SS|.SSS](Z|±HH:MM)`, ASCII digits, the whole "
                "string, nothing around it; else `invalid_rule`."
            ),
            rationale=(
                "Date parsers accept very different things. One exact form is accepted everywhere or "
                "nowhere, so that a reminder does not depend on the parser."
            ),
            note="S2; code D",
            sources=(S2_ABSOLUTE,),
            decided="the code",
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "at.offset-range",
                "at.offset-required",
                "at.fraction",
                "at.real-date",
                "tool.error-sound",
            ),
        ),
        Clause(
            id="at.offset-meaning",
            sentence=(
                "The instant is the written local reading minus the offset, to the minute: "
                "`09:00:00+08:00` is 01:00:00Z, `20:30:00-05:30` is 02:00:00Z of the next day."
            ),
            rationale=(
                "The usual meaning of an offset, said to the minute, because adding where one should "
                "subtract goes unnoticed near UTC."
            ),
            note="S2, RFC 3339",
            sources=(S2_ABSOLUTE,),
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=("at.offset-form", "at.no-ambient", "at.future", "at.range"),
        ),
        Clause(
            id="at.offset-range",
            sentence="Offset hours 00–23, minutes 00–59; `-00:00` is `invalid_rule`, `+00:00` is accepted.",
            rationale=(
                "`-00:00` says that the offset is unknown, and then so is the instant. `+00:00` says "
                "that it is zero."
            ),
            note="S1 invalid offsets; bounds D, RFC 3339 §4.3 unknown offset",
            sources=(S1_ABSOLUTE,),
            decided="the bounds; the unknown offset as of RFC 3339 §4.3",
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=("at.offset-form", "at.offset-meaning", "tool.error-sound"),
        ),
        Clause(
            id="at.offset-required",
            sentence="A string without `Z` or an offset is `invalid_rule`; no zone is ever assumed.",
            rationale=(
                "Whose nine o'clock? The process may stand in another zone than the person. Without an "
                "answer in the input there is none."
            ),
            note="S1; code D",
            sources=(S1_ABSOLUTE,),
            decided="the code",
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=("at.offset-form", "at.no-ambient", "tool.error-sound"),
        ),
        Clause(
            id="at.fraction",
            sentence=(
                "One to three fraction digits are right-padded to milliseconds: `.5` is 500 ms, `.05` is "
                "50 ms."
            ),
            rationale="`.5` is half a second and not five milliseconds.",
            note="S2; padding D",
            sources=(S2_ABSOLUTE,),
            decided="the padding",
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=("at.offset-form", "at.local-form", "at.future", "at.range"),
        ),
        Clause(
            id="at.real-date",
            sentence=(
                "A calendar date that would need normalization (30 February) is `invalid_rule`; so are "
                "hour 24, second 60 and year 0000."
            ),
            rationale=(
                "A parser that turns 30 February into 2 March reminds someone on a day that nobody named."
            ),
            note="S2; the last three and code D",
            sources=(S2_ABSOLUTE,),
            decided="hour 24, second 60 and year 0000; the code",
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "instant.range",
                "at.offset-form",
                "at.fraction",
                "at.local-form",
                "at.range",
                "tool.error-sound",
            ),
        ),
        Clause(
            id="at.local-form",
            sentence=(
                'The structured form is exactly `date: "YYYY-MM-DD"`, `time: "HH:mm:ss[.S|.SS|.SSS]"`, '
                "`time_zone`, all strings; a missing or extra key, or a date or time of another type or "
                "form, is `invalid_rule`; then a `time_zone` of another type is `invalid_time_zone`. A "
                "value that is neither string nor object is `invalid_rule`."
            ),
            rationale=(
                "Date, time and zone apart, each in one form, so that nothing about them has to be inferred."
            ),
            note="S2; codes D; see tool.ill-typed",
            sources=(S2_ABSOLUTE,),
            decided="the codes (see tool.ill-typed)",
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=("at.fraction", "at.real-date", "zone.names", "tool.error-sound", "tool.ill-typed"),
        ),
        Clause(
            id="at.no-ambient",
            sentence=(
                "The result depends on the input, the clock sample and the zone data alone: no path of "
                "Schedule reads the process zone, a browser, a connection, model context or a zone from a "
                "session header."
            ),
            rationale=(
                "A process runs where it runs; the person may be elsewhere, and move. Only what the "
                "input says counts."
            ),
            note="S1, S2",
            sources=(S1_ABSOLUTE, S2_COMPOSITION, S2_ABSOLUTE, S2_LIMITS),
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "at.offset-meaning",
                "at.offset-required",
                "at.future",
                "at.range",
                "zone.names",
                "zone.release",
                "local.unique",
                "local.gap-rejected",
                "local.overlap-first",
            ),
        ),
        Clause(
            id="at.future",
            sentence="A target not strictly after the clock sample is `not_future`.",
            rationale=(
                "A reminder of the past cannot be meant. At the very moment of asking it is too late as well."
            ),
            note="S1",
            sources=(S1_ABSOLUTE,),
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=("local.overlap-first", "tool.error-sound"),
        ),
        Clause(
            id="at.range",
            sentence=(
                "A target outside instant.range, also when only the shift to UTC leaves it, or a clock "
                "sample that is no safe integer, is `time_out_of_range`."
            ),
            rationale=(
                "An instant that only the shift to UTC takes out of the range is out of it: what is "
                "stored is the UTC text."
            ),
            note="S1; code D",
            sources=(S1_RECORDS,),
            decided="the code",
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "number.safe-integer",
                "instant.range",
                "at.real-date",
                "at.future",
                "tool.error-sound",
            ),
        ),
        Clause(
            id="at.utc-only",
            sentence="The record holds only the canonical UTC instant, so that replay needs no zone data.",
            rationale=(
                "Zone rules change by law, often at short notice. A log that has to be read with zone "
                "data would change its meaning with an update."
            ),
            note="S1",
            sources=(S1_RECORDS, S1_ABSOLUTE),
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=("instant.canonical", "record.at", "tool.create-result"),
        ),
    ),
)
