"""The clauses of `record`: what a create stores."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Profile, Subject
from schedule_spec.register.sources import S1_FIXED_RATE, S1_RECORDS, S1_REPLAY, S2_STATE, S3_RECORDS

AREA: Final = Area(
    name="record",
    title="what a create stores",
    preamble="",
    clauses=(
        Clause(
            id="record.after",
            sentence=(
                'Exactly `id, kind: "after", prompt, afterSeconds, scheduledAt`; `afterSeconds` is a '
                "positive safe integer."
            ),
            note="S1, S3",
            sources=(S1_RECORDS, S3_RECORDS),
            subject=Subject.PURE,
            implied_by=(
                "number.safe-integer",
                "change.create",
                "change.strict",
                "change.lossless",
                "after.rule",
            ),
        ),
        Clause(
            id="record.at",
            sentence=(
                'Exactly `id, kind: "at", prompt, scheduledAt`: neither offset, local fields nor zone of '
                "the input survive."
            ),
            note="S1, S2",
            sources=(S1_RECORDS, S2_STATE),
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=("change.create", "change.strict", "change.lossless", "at.utc-only"),
        ),
        Clause(
            id="record.every",
            sentence=(
                'Exactly `id, kind: "every", prompt, everySeconds, scheduledAt`; `everySeconds` is a safe '
                "integer ≥ 300 whose milliseconds are a safe integer too (so at most 9007199254740)."
            ),
            note="S1; millisecond bound D",
            sources=(S1_RECORDS, S1_FIXED_RATE),
            decided="the bound of the milliseconds",
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "number.safe-integer",
                "change.create",
                "change.strict",
                "change.lossless",
                "every.rule",
                "every.minimum",
                "every.range",
            ),
        ),
        Clause(
            id="record.kinds",
            sentence=(
                "No other kind exists: no calendar or Cron rule, no recurrence zone, no cooldown or gate "
                "field."
            ),
            note="S1",
            sources=(S1_RECORDS, S1_FIXED_RATE),
            subject=Subject.PURE,
            implied_by=("record.after", "record.at", "record.every", "change.create", "change.strict"),
        ),
        Clause(
            id="record.immutable",
            sentence="A record is never edited: only an every's `scheduledAt` moves, and only by a dispatch.",
            note="S1",
            sources=(S1_RECORDS, S1_REPLAY),
            subject=Subject.LOG,
            implied_by=(
                "fold.create",
                "fold.dispatch-every",
                "fold.no-id-reuse",
                "rate.anchor-aligned",
                "rate.independent",
            ),
        ),
    ),
)
