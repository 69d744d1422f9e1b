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
            rationale=(
                "The delay is kept beside the target so that one can see what was asked for. A delay of "
                "zero or less is no reminder of later."
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
            rationale=(
                "Keeping the offset or the zone would tempt a reader to work the instant out again "
                "under other zone data. The instant is what was agreed on."
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
            rationale=(
                "Five minutes is the least that does not become a nuisance, and the interval's "
                "milliseconds must be an exact integer wherever they are computed with."
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
            rationale=(
                "Calendar rules, recurrence zones and cooldowns each bring questions that a "
                "session-local reminder does not need. A log with one of them is of another protocol."
            ),
            note="S1",
            sources=(S1_RECORDS, S1_FIXED_RATE),
            subject=Subject.PURE,
            implied_by=("record.after", "record.at", "record.every", "change.create", "change.strict"),
        ),
        Clause(
            id="record.immutable",
            sentence="A record is never edited: only an every's `scheduledAt` moves, and only by a dispatch.",
            rationale=(
                "An append-only log knows no edits. To change a reminder is to delete it and to create "
                "another; only the target of an interval moves, by its own rule."
            ),
            note="S1",
            sources=(S1_RECORDS, S1_REPLAY),
            subject=Subject.LOG,
            implied_by=(
                "fold.create",
                "fold.dispatch-every",
                "fold.no-id-reuse",
                "rate.anchor-aligned",
                "rate.independent",
                "deliver.no-loss",
            ),
        ),
    ),
)
