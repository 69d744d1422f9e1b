"""The law's answer to a request of the adapter protocol.

A ruling is either what the command yields or the law's rejection with its clause. Pure commands only; what
the law does not specify yet has no ruling. Touches nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from schedule_spec import changes, fold, instants, json_text, profiles, rate
from schedule_spec.profiles import Profile
from schedule_spec.rejections import Code, Rejection

Request: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Granted:
    """The command is carried out; `result` is its JSON object, as the protocol shows it."""

    result: dict[str, Any]


Ruling: TypeAlias = Granted | Rejection

FEATURE_OF = {"decode": "decode", "fold": "fold", "advance": "rate"}
"""The commands that the law answers, with the feature of `hello` that each belongs to."""


def rule(request: Request, profile: Profile = Profile.V1) -> Ruling:
    """Return the law's answer to a request whose command is in FEATURE_OF, at a protocol level."""
    return _RULES[request["cmd"]](request, profile)


def _decode(request: Request, profile: Profile) -> Ruling:
    members: Any = request
    if "json" in request:
        text = request["json"]
        if not isinstance(text, str):
            return Rejection(
                Code.CORRUPT_SCHEDULE_LOG, "change.json", "the text of a change is a string", "json"
            )
        members = json_text.read(text)
        if isinstance(members, json_text.NotJson):
            message = f"no JSON: {members.message} after {members.position} characters"
            return Rejection(Code.CORRUPT_SCHEDULE_LOG, "change.json", message, "json")
    if not isinstance(members, Mapping) or "change" not in members:
        return Rejection(Code.CORRUPT_SCHEDULE_LOG, "change.strict", "there is no change", "change")
    decoded = profiles.decoder(profile)(members["change"])
    if isinstance(decoded, Rejection):
        return decoded
    return Granted({"change": changes.encode(decoded)})


def _fold(request: Request, profile: Profile) -> Ruling:
    events = request.get("events")
    if not isinstance(events, list):
        return Rejection(Code.CORRUPT_SCHEDULE_LOG, "fold.event", "the events of a log are a list", "events")
    folded = fold.fold(events, request.get("seedLength", 0), profiles.decoder(profile))
    if isinstance(folded, fold.Refused):
        return folded.rejection
    return Granted(fold.encode_state(folded))


def _advance(request: Request, profile: Profile) -> Ruling:
    advanced = rate.advance_record(request.get("record"), request.get("acceptedAt"))
    if isinstance(advanced, Rejection):
        return advanced
    result = {"occurrenceAt": instants.render(advanced.occurrence)}
    if advanced.next_target is not None:
        result["nextScheduledAt"] = instants.render(advanced.next_target)
    return Granted(result)


_RULES: dict[str, Callable[[Request, Profile], Ruling]] = {
    "decode": _decode,
    "fold": _fold,
    "advance": _advance,
}
