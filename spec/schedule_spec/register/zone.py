"""The clauses of `zone`: time-zone names."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Profile, Subject
from schedule_spec.register.sources import S1_ABSOLUTE

AREA: Final = Area(
    name="zone",
    title="time-zone names",
    preamble="",
    clauses=(
        Clause(
            id="zone.names",
            sentence=(
                "Accepted: exactly `UTC`, or a zone or link name with at least one `/` of the tzdata "
                "release in use, compared without regard to ASCII case (`america/new_york`, `Etc/GMT+5`, "
                "`Europe/Kiev`). Everything else is `invalid_time_zone`: abbreviations, `GMT`, `utc`, "
                "`EST5EDT`, `Z`, offsets, `localtime`, `posix/…`, `right/…`, padded names, path tricks, "
                "look-alikes, unknown names. Fifteen names that some runtimes carry beside the release may "
                "go either way: `US/Pacific-New`, `Canada/East-Saskatchewan` and the thirteen `SystemV/…`."
            ),
            rationale=(
                "Abbreviations are ambiguous, offsets are no zones, and what the system happens to "
                "carry beside the release differs from machine to machine. The names of the release are "
                "the same for everyone."
            ),
            note="S1; case and the fifteen D",
            sources=(S1_ABSOLUTE,),
            decided="the regard of case, and the fifteen names",
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=("at.local-form", "zone.release", "tool.error-sound"),
        ),
        Clause(
            id="zone.release",
            sentence=(
                "Zone data is the default build (without backzone) of one stated tzdata release. A case "
                "whose answer differs between releases is judged only under the release it names."
            ),
            rationale=(
                "Governments change zones. Where the answer depends on the release, a case says which "
                "one it speaks of; otherwise an implementation would fail for having newer data."
            ),
            note="D",
            sources=(),
            decided="the whole clause",
            profiles=(Profile.V1,),
            subject=Subject.PURE,
            implied_by=(
                "at.future",
                "at.range",
                "zone.names",
                "local.unique",
                "local.gap-rejected",
                "local.overlap-first",
            ),
        ),
    ),
)
