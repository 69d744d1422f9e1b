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
            rationale=(
                "A reader that guesses at a version it does not know would fold it wrongly in silence."
            ),
            note="S1",
            sources=(S1_REPLAY,),
            subject=Subject.PURE,
            implied_by=("number.safe-integer", "change.strict"),
        ),
        Clause(
            id="change.create",
            sentence='Exactly `version, operation: "create", schedule: RECORD`.',
            rationale=(
                "Exactly the members that are needed: a member that some readers skip and others obey "
                "makes two states of one log."
            ),
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
            rationale="An id is all that a delete needs.",
            note="S1",
            sources=(S1_REPLAY,),
            subject=Subject.PURE,
            implied_by=("id.shape", "change.strict", "change.lossless"),
        ),
        Clause(
            id="change.dispatch-one-shot",
            sentence='Exactly `version, operation: "dispatch", id`.',
            rationale="A one-shot has one target, so nothing is to be said but which one was queued.",
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
            rationale=(
                "Which occurrence was delivered, and what the next target is, both follow from the "
                "decision time. So this alone is stored, and every reader computes the same."
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
            rationale=(
                "The log is the only state there is. What is not understood cannot be skipped without "
                "risking another state than the writer's, so it is refused, always with the same code."
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
            rationale=(
                "Parsers are lenient in different ways. The standard is the one point on which all can "
                "agree; text that is none was written by something broken."
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
            rationale=(
                "Decoding that quietly drops, adds or changes something would let two implementations "
                "disagree over a log that both accept."
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
