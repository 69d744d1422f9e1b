"""The clauses of `local`: wall time to instant."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Profile, Subject
from schedule_spec.register.sources import S1_ABSOLUTE

AREA: Final = Area(
    name="local",
    title="wall time to instant",
    preamble="",
    clauses=(
        Clause(
            id="local.unique",
            sentence="A wall time that occurs once in the zone is that instant.",
            rationale="Most wall times occur once, and then there is nothing to decide.",
            note="S1",
            sources=(S1_ABSOLUTE,),
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "at.no-ambient",
                "at.future",
                "at.range",
                "zone.release",
                "local.gap-rejected",
                "local.overlap-first",
            ),
        ),
        Clause(
            id="local.gap-rejected",
            sentence=(
                "A wall time that occurs never (a gap of any length: 30 minutes, 1 hour, 2 hours, 24 "
                "hours) is `invalid_rule`."
            ),
            rationale=(
                "A time that the clock never shows is an error of the input. To shift it, forward or "
                "backward, would be to choose for the person."
            ),
            note="S1; code D",
            sources=(S1_ABSOLUTE,),
            decided="the code",
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "at.no-ambient",
                "at.future",
                "at.range",
                "zone.release",
                "local.unique",
                "tool.error-sound",
            ),
        ),
        Clause(
            id="local.overlap-first",
            sentence=(
                "A wall time that occurs more than once is the first, earlier instant, also when the first "
                "is past and the second is not (then `not_future`)."
            ),
            rationale=(
                "Two readings are possible, one must be taken everywhere, and a reminder too early is "
                "better than one too late. Whether it is past does not change which one is meant."
            ),
            note="S1",
            sources=(S1_ABSOLUTE,),
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=("at.no-ambient", "at.future", "at.range", "zone.release", "local.unique"),
        ),
    ),
)
