"""The clauses of `fold`: from log to state."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Profile, Subject
from schedule_spec.register.sources import S1_ABSOLUTE, S1_FIXED_RATE, S1_REPLAY, S2_STATE, S2_TOOLS

AREA: Final = Area(
    name="fold",
    title="from log to state",
    preamble="",
    clauses=(
        Clause(
            id="fold.authority",
            sentence=(
                "Events of type `schedule/change` are the only state there is; events of every other type "
                "are passed over unread."
            ),
            rationale=(
                "The host writes much into the same log. If the Schedule took any of it for state, a "
                "change to the host would change reminders."
            ),
            note="S1",
            sources=(S1_REPLAY,),
            subject=Subject.LOG,
            implied_by=("change.strict", "fold.event", "fold.create", "fold.all-or-nothing"),
        ),
        Clause(
            id="fold.event",
            sentence=(
                "An event that is no object is refused (`corrupt_schedule_log`, or `internal_error` where "
                "a tool answers); an object without that type, or without any, is no schedule event."
            ),
            rationale=(
                "An event that is no object shows that the log itself is damaged; an object of another "
                "type is simply not for the Schedule."
            ),
            note="D",
            sources=(),
            decided="the whole clause",
            subject=Subject.LOG,
            implied_by=("change.strict", "fold.authority", "fold.all-or-nothing"),
        ),
        Clause(
            id="fold.create",
            sentence="A create makes the record active and its id seen.",
            rationale=(
                "The record becomes active, and its id stays seen for good: that is what makes ids unique."
            ),
            note="S1",
            sources=(S1_REPLAY,),
            subject=Subject.LOG,
            implied_by=(
                "text.prompt",
                "instant.canonical",
                "instant.range",
                "id.never-reused",
                "id.session-local",
                "record.immutable",
                "fold.authority",
                "fold.no-id-reuse",
                "fold.order",
            ),
        ),
        Clause(
            id="fold.delete",
            sentence="A delete ends exactly the active record it names.",
            rationale=(
                "What was confirmed as deleted must be gone, and all else must stay, or what a person was "
                "told and what the log says drift apart."
            ),
            note="S1",
            sources=(S1_REPLAY,),
            subject=Subject.LOG,
            implied_by=(
                "id.never-reused",
                "fold.no-id-reuse",
                "fold.inactive",
                "fold.order",
                "rate.independent",
            ),
        ),
        Clause(
            id="fold.dispatch-one-shot",
            sentence="An id-only dispatch ends exactly the active after or at record it names.",
            rationale="Once its message is queued a one-shot has done its work.",
            note="S1",
            sources=(S1_REPLAY,),
            subject=Subject.LOG,
            implied_by=(
                "id.never-reused",
                "fold.shape-match",
                "fold.no-id-reuse",
                "fold.inactive",
                "fold.order",
                "rate.independent",
            ),
        ),
        Clause(
            id="fold.dispatch-every",
            sentence=(
                "A dispatch with `acceptedAt` advances the active every record it names (see rate.*), or "
                "ends it (rate.exhausted)."
            ),
            rationale="An interval goes on: the dispatch moves it to its next target instead of ending it.",
            note="S1",
            sources=(S1_REPLAY, S1_FIXED_RATE),
            profiles=(Profile.V1,),
            subject=Subject.LOG,
            implied_by=(
                "record.immutable",
                "fold.shape-match",
                "fold.inactive",
                "fold.order",
                "rate.latest-due",
                "rate.next",
                "rate.anchor-aligned",
                "rate.not-early",
                "rate.exact",
                "rate.path-independent",
                "rate.exhausted",
                "rate.accepted-range",
                "rate.independent",
            ),
        ),
        Clause(
            id="fold.shape-match",
            sentence=(
                "An every dispatched by id alone, or a one-shot dispatched with `acceptedAt`, is corrupt."
            ),
            rationale=(
                "The two shapes of dispatch mean different things. One that meets the wrong kind of "
                "record was written by something that mistook the state."
            ),
            note="S1",
            sources=(S1_REPLAY,),
            profiles=(Profile.V1,),
            subject=Subject.LOG,
            implied_by=(
                "change.dispatch-one-shot",
                "change.dispatch-every",
                "fold.dispatch-one-shot",
                "fold.dispatch-every",
            ),
        ),
        Clause(
            id="fold.no-id-reuse",
            sentence="A create whose id was seen before is corrupt, also after that record ended.",
            rationale=(
                "A second create of an id would make the past ambiguous. The log is refused rather than "
                "one of its two readings chosen."
            ),
            note="S1",
            sources=(S1_REPLAY,),
            subject=Subject.LOG,
            implied_by=("id.never-reused", "fold.create", "fold.candidate"),
        ),
        Clause(
            id="fold.inactive",
            sentence="A delete or dispatch of an id that is not active (never created, or ended) is corrupt.",
            rationale=(
                "Ending what is not there shows that writer and reader disagree on the state; going on "
                "would only hide that."
            ),
            note="S1",
            sources=(S1_REPLAY,),
            subject=Subject.LOG,
            implied_by=(
                "fold.delete",
                "fold.dispatch-one-shot",
                "fold.dispatch-every",
                "fold.candidate",
                "fork.no-adoption",
            ),
        ),
        Clause(
            id="fold.order",
            sentence="Active records stand in creation order; an advanced every keeps its place.",
            rationale=(
                "Lists and batches are shown in this order, so it must be the same everywhere, also "
                "after an interval has moved."
            ),
            note="S2; place D",
            sources=(S2_TOOLS,),
            decided="the place of an advanced every",
            subject=Subject.LOG,
            implied_by=(
                "fold.create",
                "fold.dispatch-every",
                "fold.deterministic",
                "tool.list",
                "due.one-shot-first",
                "due.batch",
            ),
        ),
        Clause(
            id="fold.all-or-nothing",
            sentence="A corrupt event makes the whole fold fail; there is no partial state.",
            rationale=(
                "A state folded around a broken event would be a guess. Reminders could be missing, or "
                "be delivered twice, without a sign."
            ),
            note="S1",
            sources=(S1_REPLAY,),
            subject=Subject.LOG,
            implied_by=(
                "text.prompt",
                "number.safe-integer",
                "instant.canonical",
                "instant.range",
                "id.shape",
                "id.never-reused",
                "record.after",
                "record.at",
                "record.every",
                "record.kinds",
                "change.version",
                "change.create",
                "change.delete",
                "change.dispatch-one-shot",
                "change.dispatch-every",
                "change.strict",
                "change.json",
                "fold.event",
                "fold.shape-match",
                "fold.no-id-reuse",
                "fold.inactive",
                "fork.bounds",
                "fork.no-adoption",
                "rate.not-early",
                "rate.accepted-range",
                "tool.corrupt",
                "owner.corrupt",
                "profile.v1-after",
            ),
        ),
        Clause(
            id="fold.prefix",
            sentence="Every prefix of a log that folds also folds, down to the inherited prefix.",
            rationale=(
                "A log that grows soundly was sound at each step. So what a crash leaves of a sound log "
                "is sound, and a salvage can keep it."
            ),
            note="D: follows",
            sources=(),
            decided="follows from other clauses",
            subject=Subject.DERIVED,
            reason=(
                "It follows from the other clauses of fold: each event is judged by the events before it "
                "alone."
            ),
            implied_by=(
                "fold.create",
                "fold.delete",
                "fold.dispatch-one-shot",
                "fold.dispatch-every",
                "fold.no-id-reuse",
                "fold.inactive",
                "fold.order",
                "fold.all-or-nothing",
                "fold.incremental",
                "fold.deterministic",
            ),
        ),
        Clause(
            id="fold.incremental",
            sentence=(
                "Applying events one by one gives the same state, or the same rejection at the same event, "
                "as folding the whole."
            ),
            rationale=(
                "An implementation may keep its state and apply each event as it comes, as it must to "
                "be fast. That this is the same thing is not to be taken on trust."
            ),
            note="D: follows",
            sources=(),
            decided="follows from other clauses",
            subject=Subject.DERIVED,
            reason=(
                "It follows from the other clauses of fold: each says what one event does to the state "
                "before it."
            ),
            implied_by=(
                "fold.create",
                "fold.delete",
                "fold.dispatch-one-shot",
                "fold.dispatch-every",
                "fold.no-id-reuse",
                "fold.inactive",
                "fold.order",
                "fold.all-or-nothing",
                "fold.prefix",
                "fold.deterministic",
                "fold.candidate",
            ),
        ),
        Clause(
            id="fold.deterministic",
            sentence=(
                "The state depends on the events alone: not on clock, process zone, zone data, locale or "
                "hash seed."
            ),
            rationale=(
                "The same log must mean the same everywhere and for ever, or a session could not move "
                "between machines, nor be looked into later."
            ),
            note="S1",
            sources=(S1_REPLAY, S1_ABSOLUTE),
            subject=Subject.DERIVED,
            reason=(
                "It follows from the other clauses of fold: they give each sequence of events one state, "
                "and leave nothing to its surroundings to decide."
            ),
            implied_by=(
                "instant.canonical",
                "instant.round-trip",
                "fold.create",
                "fold.delete",
                "fold.dispatch-one-shot",
                "fold.dispatch-every",
                "fold.order",
                "fold.incremental",
                "rate.next",
            ),
        ),
        Clause(
            id="fold.candidate",
            sentence=(
                "With the invariant companion present, a candidate event is refused before it is appended "
                "exactly when the log extended by it would not fold, and a session whose existing own part "
                "does not fold is refused as a whole."
            ),
            rationale=(
                "It is far better to refuse one event than to find the session unreadable the next time "
                "it is opened."
            ),
            note="S2",
            sources=(S2_STATE,),
            subject=Subject.LIVE,
            implied_by=(
                "change.strict",
                "fold.shape-match",
                "fold.no-id-reuse",
                "fold.inactive",
                "fold.all-or-nothing",
                "fold.incremental",
                "fork.no-adoption",
                "rate.not-early",
                "tool.list",
                "owner.session-local",
            ),
        ),
    ),
)
