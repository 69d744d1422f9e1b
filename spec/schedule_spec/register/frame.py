"""The clauses of `frame`: the text the model sees."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Profile, Subject
from schedule_spec.register.sources import S2_BATCH_FRAMING, S2_FRAMING, S2_MODEL_TOOLS

AREA: Final = Area(
    name="frame",
    title="the text the model sees",
    preamble="",
    clauses=(
        Clause(
            id="frame.one-shot",
            sentence=(
                "Exactly the five lines of S2's reminder framing, joined by U+000A, with "
                "`schedule_id_json`, `occurrence_at` (the target) and `reminder_prompt_json`."
            ),
            rationale="The model sees this text to the letter, so its wording is part of the behaviour.",
            note="S2",
            sources=(S2_FRAMING,),
            subject=Subject.PURE,
            implied_by=("text.json-string", "frame.injection", "frame.message", "frame.whole"),
        ),
        Clause(
            id="frame.batch",
            sentence=(
                "Exactly the three lines of S2's batch framing, also for a single every; `reminders_json` "
                "is a JSON array without spaces, each object with `schedule_id`, `occurrence_at`, "
                "`reminder_prompt` in that order."
            ),
            rationale=(
                "One text for several reminders, also when there happens to be one, so that a batch "
                "always looks like one."
            ),
            note="S2",
            sources=(S2_BATCH_FRAMING,),
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "text.json-string",
                "rate.latest-due",
                "due.batch",
                "frame.injection",
                "frame.message",
                "frame.whole",
            ),
        ),
        Clause(
            id="frame.injection",
            sentence=(
                "Ids and prompts stand only inside JSON string literals, and a line ends at U+000A alone: "
                "no id or prompt can add a line or forge a field."
            ),
            rationale=(
                "A prompt was written earlier, perhaps by someone else. It must not be able to pose as "
                "instructions, as another field, or as the end of its own."
            ),
            note="S2",
            sources=(S2_FRAMING, S2_BATCH_FRAMING),
            subject=Subject.PURE,
            implied_by=("text.json-string", "frame.one-shot", "frame.batch"),
        ),
        Clause(
            id="frame.message",
            sentence="The follow-up is one user-role message whose content is exactly that text.",
            rationale="Nothing beside the text may change what the model is told.",
            note="S2",
            sources=(S2_FRAMING,),
            subject=Subject.LIVE,
            implied_by=("deliver.sequence", "frame.one-shot", "frame.batch", "frame.whole"),
        ),
        Clause(
            id="frame.whole",
            sentence="Schedule truncates neither results nor framings.",
            rationale="A prompt that is cut can mean the opposite. Limits belong to where it is created.",
            note="S2",
            sources=(S2_MODEL_TOOLS,),
            subject=Subject.LIVE,
            implied_by=("tool.create-result", "tool.list", "frame.one-shot", "frame.batch"),
        ),
    ),
)
