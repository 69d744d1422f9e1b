"""The clauses of `profile`: protocol levels."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Profile, Subject
from schedule_spec.register.sources import S3_RECORDS, S3_REPLAY, S3_VIEWS

AREA: Final = Area(
    name="profile",
    title="protocol levels",
    preamble="",
    clauses=(
        Clause(
            id="profile.v1-after",
            sentence=(
                "The earlier level of S3: `after` alone. Kinds `at` and `every` and dispatches with "
                "`acceptedAt` are rejected, the arguments `at` and `every_seconds` are `invalid_selector`, "
                "and `invalid_time_zone`, `not_future` and `frequency_too_high` do not exist."
            ),
            rationale=(
                "Sessions and implementations of the earlier level still exist. Their level is stated, "
                "so that they can be judged by what they promised."
            ),
            note="S3; code D",
            sources=(S3_RECORDS, S3_REPLAY, S3_VIEWS),
            decided="the code",
            profiles=(Profile.V1_AFTER,),
            subject=Subject.PURE,
            implied_by=(
                "record.at",
                "record.every",
                "record.kinds",
                "change.dispatch-every",
                "change.strict",
                "tool.create-selector",
                "tool.error-sound",
                "tool.errors-closed",
            ),
        ),
        Clause(
            id="profile.upward",
            sentence="Every log that folds under v1-after folds to the same state under v1.",
            rationale=(
                "An implementation of version 1 can open every session of the earlier level, without "
                "conversion."
            ),
            note="D: follows",
            sources=(),
            decided="follows from other clauses",
            subject=Subject.DERIVED,
            reason=(
                "It follows from profile.v1-after, which only refuses more: what it lets through means the "
                "same at both levels."
            ),
            implied_by=(
                "fold.create",
                "fold.delete",
                "fold.dispatch-one-shot",
                "fold.deterministic",
                "profile.v1-after",
            ),
        ),
    ),
)
