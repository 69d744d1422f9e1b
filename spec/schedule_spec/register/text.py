"""The clauses of `text`: strings."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Subject
from schedule_spec.register.sources import S1_RECORDS, S2_BATCH_FRAMING, S2_FRAMING, S2_STATE, S2_TOOLS

AREA: Final = Area(
    name="text",
    title="strings",
    preamble="",
    clauses=(
        Clause(
            id="text.trim",
            sentence=(
                '"Trimmed" means: no leading or trailing character of the set that ECMAScript\'s '
                "`String.prototype.trim` strips, which is exactly these 25 code points: U+0009–U+000D, "
                "U+0020, U+00A0, U+1680, U+2000–U+200A, U+2028, U+2029, U+202F, U+205F, U+3000, U+FEFF."
            ),
            rationale=(
                "Languages disagree on what white space is: some strip U+001C or U+0085, some keep "
                "U+FEFF. Two implementations that trim differently store different records from the "
                "same input, so the set is written out."
            ),
            note="S1, S2; set D",
            sources=(S1_RECORDS, S2_STATE, S2_TOOLS),
            decided="the set of code points",
            subject=Subject.PURE,
            implied_by=(
                "text.prompt",
                "id.shape",
                "change.create",
                "change.delete",
                "change.dispatch-one-shot",
                "change.dispatch-every",
                "change.strict",
                "change.lossless",
                "tool.create-prompt",
                "tool.shape-first",
            ),
        ),
        Clause(
            id="text.prompt",
            sentence="A record's prompt is trimmed and non-empty.",
            rationale=(
                "A reminder with nothing to say is a mistake of the caller, and blanks at its ends mean "
                "nothing. Both are settled when it is stored, so that no later reader has to."
            ),
            note="S1; non-empty D",
            sources=(S1_RECORDS,),
            decided="that it is non-empty",
            subject=Subject.PURE,
            implied_by=(
                "text.trim",
                "change.create",
                "change.strict",
                "change.lossless",
                "tool.create-prompt",
            ),
        ),
        Clause(
            id="text.json-string",
            sentence=(
                "Where an id or prompt is rendered into a framing, it has the one canonical form of "
                "ECMAScript's `JSON.stringify`: `\"` and `\\` escaped, U+0008, U+0009, U+000A, U+000C, "
                "U+000D as `\\b \\t \\n \\f \\r`, other code points below U+0020 as `\\u00xx` in lower-case "
                "hex, an unpaired surrogate as `\\udxxx` in lower-case hex, all else raw."
            ),
            rationale=(
                "The framing is compared to the letter. Of the many spellings that JSON allows for one "
                "string exactly one is taken, that of the reference's own runtime."
            ),
            note="S2 framing",
            sources=(S2_FRAMING, S2_BATCH_FRAMING),
            subject=Subject.PURE,
            implied_by=("frame.one-shot", "frame.batch", "frame.injection"),
        ),
    ),
)
