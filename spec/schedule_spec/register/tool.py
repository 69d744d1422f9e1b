"""The clauses of `tool`: the three management tools."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Subject
from schedule_spec.register.sources import S1_RECORDS, S1_REPLAY, S1_VIEWS, S2_TOOLS

AREA: Final = Area(
    name="tool",
    title="the three management tools",
    preamble=(
        "A call ends in a value, in one error object with `code` and `message` (and `operation`, `id` for "
        "`persistence_uncertain`), or, where the host cancels it, in the host's own abort."
    ),
    clauses=(
        Clause(
            id="tool.case",
            sentence="Arguments are snake_case, the fields of results camelCase.",
            rationale=(
                "Arguments are written by a model, in the style of its tools; results are the records "
                "as they are stored."
            ),
            note="S2",
            sources=(S2_TOOLS,),
            subject=Subject.LIVE,
            implied_by=(
                "view.fields",
                "tool.create-selector",
                "tool.create-prompt",
                "tool.error-sound",
                "tool.create-result",
                "tool.list",
                "tool.delete-active",
                "tool.delete-unknown",
            ),
        ),
        Clause(
            id="tool.create-selector",
            sentence=(
                "Exactly one of `after_seconds`, `at`, `every_seconds`, and for create no unknown "
                "argument, else `invalid_selector`."
            ),
            rationale=(
                "With no selector there is nothing to do, with two it is unclear which; guessing would "
                "hide a mistake of the model."
            ),
            note="S2; unknown arguments and code D",
            sources=(S2_TOOLS,),
            decided="unknown arguments and the code",
            subject=Subject.LIVE,
            implied_by=("tool.shape-first", "tool.error-sound", "tool.ill-typed", "profile.v1-after"),
        ),
        Clause(
            id="tool.create-prompt",
            sentence=(
                "A prompt empty after trimming is `invalid_prompt`; the stored prompt is the trimmed one."
            ),
            rationale=(
                "The stored prompt is the trimmed one, so that what is shown and what is delivered agree."
            ),
            note="S1; code D",
            sources=(S1_RECORDS,),
            decided="the code",
            subject=Subject.PURE,
            implied_by=("text.trim", "text.prompt", "tool.shape-first", "tool.error-sound", "tool.ill-typed"),
        ),
        Clause(
            id="tool.shape-first",
            sentence=(
                "Failures that the input alone shows (selector, prompt, integer and minimum checks; a "
                "delete id that is empty or padded, which is `invalid_rule`) are reported before the queue "
                "and the barrier are touched. Syntax, calendar and zone of `at` may be checked before or "
                "after the first barrier; range and future after it."
            ),
            rationale=(
                "What the input alone shows needs no disk. The model gets its answer at once, even when "
                "persistence is down."
            ),
            note="S2; codes and the latitude for `at` D",
            sources=(S2_TOOLS,),
            decided="the codes, and the latitude for `at`",
            subject=Subject.LIVE,
            implied_by=(
                "id.shape",
                "after.rule",
                "every.rule",
                "every.minimum",
                "tool.create-selector",
                "tool.create-prompt",
                "tool.error-sound",
                "tool.corrupt",
                "tool.ill-typed",
                "barrier.uncertain",
                "barrier.fifo",
            ),
        ),
        Clause(
            id="tool.error-sound",
            sentence=(
                "Each code is returned only when its own condition holds, and an input to which any "
                "condition applies is never accepted. Within what tool.shape-first leaves open the "
                "reference's order is: selector, prompt, integer, minimum; `persistence_uncertain`; "
                "`corrupt_schedule_log`; then for `at`: keys, date and time types, zone type, date and "
                "time syntax, calendar, zone name, gap, range, future; the suite accepts any applicable "
                "code of the same stage."
            ),
            rationale=(
                "Several things can be wrong at once, and implementations look in different orders. Any "
                "code that is true will do; none that is false, and never success."
            ),
            note="S2; order D",
            sources=(S2_TOOLS,),
            decided="the order",
            subject=Subject.LIVE,
            implied_by=(
                "after.rule",
                "after.range",
                "at.offset-form",
                "at.offset-range",
                "at.offset-required",
                "at.real-date",
                "at.local-form",
                "at.future",
                "at.range",
                "zone.names",
                "local.gap-rejected",
                "every.rule",
                "every.minimum",
                "every.range",
                "tool.create-selector",
                "tool.create-prompt",
                "tool.shape-first",
                "tool.errors-closed",
                "tool.corrupt",
                "tool.internal-error",
                "tool.ill-typed",
                "barrier.uncertain",
            ),
        ),
        Clause(
            id="tool.create-result",
            sentence=(
                "A create that returns a view has appended exactly one create event, holding that record; "
                "an error has appended none, except `persistence_uncertain` or a host cancellation after "
                "the append. The target comes from one clock sample after the first barrier; the view's "
                "state from one after the second, so it may be `overdue`."
            ),
            rationale=(
                "A confirmation must mean that the reminder exists, once. The view is of a later moment "
                "than the target, since the second barrier may have taken long."
            ),
            note="S2; samples D",
            sources=(S2_TOOLS,),
            decided="the clock samples",
            subject=Subject.LIVE,
            implied_by=(
                "id.fresh",
                "fold.create",
                "after.target",
                "at.utc-only",
                "every.first-target",
                "view.fields",
                "view.state",
                "tool.error-sound",
                "barrier.after-append",
                "barrier.uncertain",
                "barrier.cancel",
            ),
        ),
        Clause(
            id="tool.list",
            sentence="All active records as views, in creation order, under one clock sample.",
            rationale="One clock sample for all, or a list could show an order of events that never was.",
            note="S2; sample D",
            sources=(S2_TOOLS,),
            decided="the one clock sample",
            subject=Subject.LIVE,
            implied_by=("fold.order", "view.fields", "view.state", "barrier.before-read"),
        ),
        Clause(
            id="tool.delete-active",
            sentence=(
                "Deleting an active id appends exactly one delete and, after the second barrier, returns "
                "`{id, deleted: true}`."
            ),
            rationale="Success is reported when the deletion can no longer be lost.",
            note="S2",
            sources=(S2_TOOLS,),
            subject=Subject.LIVE,
            implied_by=("fold.delete", "tool.case", "tool.delete-unknown", "barrier.after-append"),
        ),
        Clause(
            id="tool.delete-unknown",
            sentence=(
                'Any other id returns the value `{id, deleted: false, code: "schedule_not_found"}` and '
                "appends nothing."
            ),
            rationale=(
                "Nothing to delete is no failure: the aim is reached. It is a value, so that a model "
                "does not try to recover from it."
            ),
            note="S2",
            sources=(S2_TOOLS,),
            subject=Subject.LIVE,
            implied_by=(
                "fold.inactive",
                "tool.case",
                "tool.error-sound",
                "tool.delete-active",
                "tool.errors-closed",
            ),
        ),
        Clause(
            id="tool.errors-closed",
            sentence=(
                "The error codes are exactly `invalid_prompt, invalid_selector, invalid_rule, "
                "invalid_time_zone, not_future, time_out_of_range, frequency_too_high, "
                "corrupt_schedule_log, persistence_uncertain, internal_error`."
            ),
            rationale=(
                "A closed set of codes can be handled completely. Whatever else happens inside is "
                "`internal_error`."
            ),
            note="S2 closed, S1 stable",
            sources=(S2_TOOLS, S1_VIEWS),
            subject=Subject.LIVE,
            implied_by=("tool.error-sound", "tool.delete-unknown", "tool.internal-error", "tool.ill-typed"),
        ),
        Clause(
            id="tool.errors-stable",
            sentence=(
                "A message depends on the code and the input alone; it never carries the text of a backend "
                "failure."
            ),
            rationale=(
                "Words of the disk or the database say nothing to the model, and may hold what should "
                "not be in a transcript."
            ),
            note="S2",
            sources=(S2_TOOLS,),
            subject=Subject.LIVE,
            implied_by=("tool.internal-error", "tool.deterministic-text", "barrier.uncertain"),
        ),
        Clause(
            id="tool.corrupt",
            sentence=(
                "On a log that does not fold, every call that passes its shape checks and its first "
                "barrier returns `corrupt_schedule_log` and appends nothing."
            ),
            rationale="An answer from a log that cannot be read would be invented.",
            note="S1; place D",
            sources=(S1_VIEWS, S1_REPLAY),
            decided="its place among the checks",
            subject=Subject.LIVE,
            implied_by=(
                "fold.all-or-nothing",
                "tool.error-sound",
                "barrier.before-read",
                "barrier.uncertain",
            ),
        ),
        Clause(
            id="tool.internal-error",
            sentence=(
                "A throwing append or clock, a log that cannot be read, or a call on behalf of another "
                "agent returns `internal_error`; nothing more is appended and no second barrier is "
                "claimed."
            ),
            rationale=(
                "When something throws in the middle, it is unknown what holds. Nothing more is done "
                "and nothing is claimed."
            ),
            note="D",
            sources=(),
            decided="the whole clause",
            subject=Subject.LIVE,
            implied_by=(
                "tool.error-sound",
                "tool.list",
                "tool.delete-active",
                "tool.errors-closed",
                "tool.errors-stable",
                "barrier.uncertain",
            ),
        ),
        Clause(
            id="tool.ill-typed",
            sentence=(
                "What the tool's declared argument schema or lossless JSON excludes (a missing prompt or "
                "id, a number for a string, members missing or too many in `at`, `-0`) is refused and "
                "nothing is appended: by the host's own argument check before the tool, outside the closed "
                "codes, or by the code that fits."
            ),
            rationale=(
                "Some hosts check the arguments against the schema and some leave it to the tool. Both "
                "refuse, and only that matters."
            ),
            note="D",
            sources=(),
            decided="the whole clause",
            subject=Subject.LIVE,
            implied_by=(
                "number.safe-integer",
                "after.rule",
                "at.local-form",
                "every.rule",
                "tool.create-selector",
                "tool.create-prompt",
                "tool.shape-first",
                "tool.error-sound",
                "tool.errors-closed",
            ),
        ),
        Clause(
            id="tool.deterministic-text",
            sentence=(
                "The rendered result is the JSON of the value, the same text for the same value; key order "
                "is free."
            ),
            rationale=(
                "The text becomes part of the transcript. One that varied would make equal runs unequal."
            ),
            note="S2",
            sources=(S2_TOOLS,),
            subject=Subject.SCOPE,
            reason=(
                "An adapter hands over the value of a call; the text rendered from it stays within the host."
            ),
            implied_by=("tool.case", "tool.errors-stable", "frame.whole"),
        ),
    ),
)
