"""The clauses of `rate`: fixed-rate advancement."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Profile, Subject
from schedule_spec.register.sources import S1_FIXED_RATE, S1_RECORDS, S1_REPLAY, S2_LIFECYCLE, S2_LIMITS

AREA: Final = Area(
    name="rate",
    title="fixed-rate advancement",
    preamble="Let T be the record's target, I its interval in ms, A the decision time (`acceptedAt`).",
    clauses=(
        Clause(
            id="rate.latest-due",
            sentence="The occurrence is the greatest T + k·I (k ≥ 0) not after A.",
            rationale=(
                "After a pause one wants to know how things are, not to be told once for each time missed."
            ),
            note="S1",
            sources=(S1_FIXED_RATE, S1_REPLAY),
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "rate.next",
                "rate.anchor-aligned",
                "rate.exact",
                "rate.skip",
                "due.batch",
                "frame.batch",
            ),
        ),
        Clause(
            id="rate.next",
            sentence=(
                "The new target is the least T + k·I strictly after A: `scheduledAt` is always the "
                "earliest aligned occurrence not yet dispatched."
            ),
            rationale=(
                "The target that is stored is the one thing that is still owed; so nothing can be owed twice."
            ),
            note="S1",
            sources=(S1_RECORDS, S1_FIXED_RATE),
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "fold.dispatch-every",
                "rate.latest-due",
                "rate.anchor-aligned",
                "rate.exact",
                "rate.skip",
                "rate.path-independent",
                "rate.exhausted",
            ),
        ),
        Clause(
            id="rate.anchor-aligned",
            sentence=(
                "Every target and occurrence of a record, after any sequence of dispatches, is congruent "
                "to its first target modulo I: no drift, whatever the delays."
            ),
            rationale=(
                "Computing the next target from the moment of the decision would let each delay add up. "
                "From the anchor, delays are forgotten."
            ),
            note="S1",
            sources=(S1_RECORDS, S1_FIXED_RATE),
            profiles=(Profile.V1,),
            subject=Subject.LOG,
            implied_by=(
                "fold.dispatch-every",
                "every.first-target",
                "rate.latest-due",
                "rate.next",
                "rate.exact",
                "rate.path-independent",
                "rate.exhausted",
            ),
        ),
        Clause(
            id="rate.not-early",
            sentence="A before T is corrupt; A = T is due.",
            rationale=(
                "A dispatch before the target says that something was delivered which was not due yet."
            ),
            note="S1: latest due; code D",
            sources=(S1_REPLAY,),
            decided="the code",
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "fold.dispatch-every",
                "rate.latest-due",
                "rate.next",
                "rate.exhausted",
                "due.batch",
                "owner.never-early",
            ),
        ),
        Clause(
            id="rate.exact",
            sentence="The results are those of exact integer arithmetic over the whole range.",
            rationale=(
                "Over ten thousand years in milliseconds, doubles and rounded divisions go wrong at the "
                "edges. Integers do not."
            ),
            note="S2",
            sources=(S2_LIFECYCLE,),
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "fold.dispatch-every",
                "rate.latest-due",
                "rate.next",
                "rate.anchor-aligned",
                "rate.skip",
                "rate.path-independent",
                "rate.exhausted",
            ),
        ),
        Clause(
            id="rate.skip",
            sentence=(
                "Missed occurrences are never enumerated, stored or replayed: 10^9 of them take no longer "
                "than one."
            ),
            rationale=(
                "A laptop closed for years must not make the session hang while occurrences are counted "
                "one by one."
            ),
            note="S1, S2",
            sources=(S1_FIXED_RATE, S2_LIFECYCLE, S2_LIMITS),
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "fold.dispatch-every",
                "rate.latest-due",
                "rate.next",
                "rate.exact",
                "rate.path-independent",
                "rate.exhausted",
                "due.batch",
            ),
        ),
        Clause(
            id="rate.path-independent",
            sentence=(
                "Where A1 does not end the record and A2 is at or after the target that A1 leaves, "
                "dispatching at A1 and then at A2 leaves the same target as dispatching at A2 alone."
            ),
            rationale=(
                "It must not matter how often one was awake in between. In the end all come to the same "
                "target."
            ),
            note="D: follows",
            sources=(),
            decided="follows from other clauses",
            profiles=(Profile.V1,),
            subject=Subject.DERIVED,
            reason=(
                "It follows from rate.next and rate.anchor-aligned: the least aligned instant after A2 "
                "does not depend on which aligned target it is counted from."
            ),
            implied_by=(
                "fold.dispatch-every",
                "rate.next",
                "rate.anchor-aligned",
                "rate.exact",
                "rate.exhausted",
            ),
        ),
        Clause(
            id="rate.exhausted",
            sentence="When the new target would leave instant.range the dispatch ends the record.",
            rationale=(
                "Beyond the year 9999 no target can be written. The record ends quietly with its last "
                "occurrence."
            ),
            note="S1",
            sources=(S1_FIXED_RATE,),
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=("instant.range", "fold.dispatch-every", "fold.inactive", "rate.next", "rate.exact"),
        ),
        Clause(
            id="rate.accepted-range",
            sentence="A outside instant.range is rejected.",
            rationale="A decision time without a text could not have been stored by a sound writer.",
            note="D",
            sources=(),
            decided="the whole clause",
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "instant.canonical",
                "instant.range",
                "change.dispatch-every",
                "change.strict",
                "fold.dispatch-every",
                "due.clock-range",
            ),
        ),
        Clause(
            id="rate.independent",
            sentence="No dispatch of one record changes another; no gate or cooldown is shared.",
            rationale="Reminders are separate promises. One that comes often must not hold back another.",
            note="S1",
            sources=(S1_FIXED_RATE,),
            profiles=(Profile.V1,),
            subject=Subject.LOG,
            implied_by=(
                "record.immutable",
                "fold.delete",
                "fold.dispatch-one-shot",
                "fold.dispatch-every",
                "fold.order",
                "due.batch",
            ),
        ),
    ),
)
