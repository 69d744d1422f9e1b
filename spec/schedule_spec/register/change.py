"""The clauses of `change`: one durable mutation."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Profile, Subject
from schedule_spec.register.sources import S1_REPLAY

AREA: Final = Area(
    name="change",
    title="one durable mutation",
    preamble="",
    clauses=(
        Clause(
            id="change.version",
            sentence="`version` is the number 1; anything else is rejected.",
            note="S1",
            sources=(S1_REPLAY,),
            subject=Subject.PURE,
            implied_by=("number.safe-integer", "change.strict"),
        ),
        Clause(
            id="change.create",
            sentence='Exactly `version, operation: "create", schedule: RECORD`.',
            note="S1",
            sources=(S1_REPLAY,),
            subject=Subject.PURE,
            implied_by=(
                "record.after",
                "record.at",
                "record.every",
                "record.kinds",
                "change.strict",
                "change.lossless",
            ),
        ),
        Clause(
            id="change.delete",
            sentence='Exactly `version, operation: "delete", id`.',
            note="S1",
            sources=(S1_REPLAY,),
            subject=Subject.PURE,
            implied_by=("id.shape", "change.strict", "change.lossless"),
        ),
        Clause(
            id="change.dispatch-one-shot",
            sentence='Exactly `version, operation: "dispatch", id`.',
            note="S1",
            sources=(S1_REPLAY,),
            subject=Subject.PURE,
            implied_by=(
                "id.shape",
                "change.dispatch-every",
                "change.strict",
                "change.lossless",
                "fold.shape-match",
            ),
        ),
        Clause(
            id="change.dispatch-every",
            sentence=(
                'Exactly `version, operation: "dispatch", id, acceptedAt` with `acceptedAt` a canonical '
                "instant."
            ),
            note="S1; canonical D",
            sources=(S1_REPLAY,),
            decided="that it is canonical",
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "instant.canonical",
                "id.shape",
                "change.dispatch-one-shot",
                "change.strict",
                "change.lossless",
                "fold.shape-match",
                "rate.accepted-range",
            ),
        ),
        Clause(
            id="change.strict",
            sentence=(
                "An unknown version, operation or kind, a missing or extra key, a value of another type or "
                "outside its range, or anything that is no object is rejected as `corrupt_schedule_log`. "
                "Key order is free; of duplicate keys in JSON text the last counts."
            ),
            note="S1; code, order and duplicates D",
            sources=(S1_REPLAY,),
            decided="the code, the order of keys, and duplicates",
            subject=Subject.PURE,
            implied_by=(
                "text.prompt",
                "number.safe-integer",
                "instant.canonical",
                "instant.range",
                "id.shape",
                "record.after",
                "record.at",
                "record.every",
                "record.kinds",
                "change.version",
                "change.create",
                "change.delete",
                "change.dispatch-one-shot",
                "change.dispatch-every",
                "change.json",
                "change.lossless",
                "fold.all-or-nothing",
            ),
        ),
        Clause(
            id="change.json",
            sentence=(
                "Durable text is JSON as of RFC 8259: text that is none (a raw control character in a "
                "string, `NaN`, a trailing comma) is corrupt."
            ),
            note="S1 strict; D",
            sources=(S1_REPLAY,),
            decided="that durable text is RFC 8259 to the letter",
            subject=Subject.PURE,
            implied_by=("number.safe-integer", "change.strict", "change.lossless", "fold.all-or-nothing"),
        ),
        Clause(
            id="change.lossless",
            sentence=(
                "What decoding accepts it hands back unchanged: encoding the decoded change gives an equal "
                "JSON value."
            ),
            note="D",
            sources=(),
            decided="the whole clause",
            subject=Subject.PURE,
            implied_by=(
                "text.prompt",
                "number.safe-integer",
                "instant.canonical",
                "instant.round-trip",
                "id.shape",
                "record.after",
                "record.at",
                "record.every",
                "change.create",
                "change.delete",
                "change.dispatch-one-shot",
                "change.dispatch-every",
                "change.strict",
                "change.json",
            ),
        ),
    ),
)
