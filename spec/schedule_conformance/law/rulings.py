"""The law's answer to a request of the adapter protocol.

A ruling is what the command yields, the law's rejection with its clause, every rejection that applies where
the clauses leave the choice (tool.error-sound), or that the answer may go either way. Pure commands only.
Touches nothing but the zone data of the law.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from schedule_spec import (
    changes,
    creation,
    due,
    fold,
    framing,
    instants,
    json_text,
    profiles,
    rate,
    records,
    views,
    zones,
)
from schedule_spec.creation import Refusals
from schedule_spec.profiles import Profile
from schedule_spec.rejections import Code, Rejection
from schedule_spec.text import trim

Request: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Granted:
    """The command is carried out; `result` is its JSON object, as the protocol shows it."""

    result: dict[str, Any]


@dataclass(frozen=True, slots=True)
class EitherWay:
    """A creation in a zone of one of the names that may go either way (zone.names).

    Where it is granted, `record` is what is stored but for the instant, which the clauses leave open.
    """

    record: dict[str, Any]


Ruling: TypeAlias = Granted | Rejection | Refusals | EitherWay

FEATURE_OF = {
    "decode": "decode",
    "fold": "fold",
    "create": "create",
    "advance": "rate",
    "view": "view",
    "due": "due",
    "frame": "frame",
    "frame_batch": "frame",
}
"""The commands that the law answers, with the feature of `hello` that each belongs to."""


def rule(request: Request, profile: Profile = Profile.V1) -> Ruling:
    """Return the law's answer to a request whose command is in FEATURE_OF, at a protocol level."""
    return _RULES[request["cmd"]](request, profile)


def _decode(request: Request, profile: Profile) -> Ruling:
    members: Any = changes.read_text(request["json"]) if "json" in request else request
    if isinstance(members, Rejection):
        return members.within("json")
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


def _create(request: Request, profile: Profile) -> Ruling:
    created = _created(request, profile)
    if not isinstance(created, Refusals):
        return Granted({"record": records.encode(created)})
    members = members_of_creation(request)
    at = members.get("at")
    named = at.get("time_zone") if isinstance(at, dict) else None
    if isinstance(named, str) and zones.is_open(named) and _only_the_name(created):
        return EitherWay({"id": members["id"], "kind": "at", "prompt": trim(members["prompt"])})
    return created


def _created(request: Request, profile: Profile) -> creation.Created:
    if "json" in request and not members_of_creation(request):
        return creation.create_text(request["json"])
    stores = creation.create if profile is Profile.V1 else creation.create_v1_after
    return stores(members_of_creation(request))


def members_of_creation(request: Request) -> Mapping[str, Any]:
    """Return the members of a `create`: the request's own, or those of its JSON text; none if it has none."""
    if "json" not in request:
        return {key: value for key, value in request.items() if key not in ("seq", "cmd")}
    text = request["json"]
    value = json_text.read(text) if isinstance(text, str) else None
    return value if isinstance(value, dict) else {}


def _only_the_name(refusals: Refusals) -> bool:
    return all(rejection.clause == "zone.names" for rejection in refusals.rejections)


def _advance(request: Request, profile: Profile) -> Ruling:
    advanced = rate.advance_record(request.get("record"), request.get("acceptedAt"))
    if isinstance(advanced, Rejection):
        return advanced
    result = {"occurrenceAt": instants.render(advanced.occurrence)}
    if advanced.next_target is not None:
        result["nextScheduledAt"] = instants.render(advanced.next_target)
    return Granted(result)


def _view(request: Request, _: Profile) -> Ruling:
    shown = views.view(request.get("record"), request.get("now"))
    return shown if isinstance(shown, Rejection) else Granted({"view": shown})


def _due(request: Request, _: Profile) -> Ruling:
    decided = due.due(request.get("records"), request.get("now"))
    return decided if isinstance(decided, Rejection) else Granted(decided)


def _frame(request: Request, _: Profile) -> Ruling:
    framed = framing.frame(request.get("record"))
    return framed if isinstance(framed, Rejection) else Granted({"text": framed})


def _frame_batch(request: Request, _: Profile) -> Ruling:
    framed = framing.frame_batch(request.get("reminders"))
    return framed if isinstance(framed, Rejection) else Granted({"text": framed})


def refusals_of(ruling: Ruling) -> tuple[Rejection, ...]:
    """Return every rejection that a ruling consists of, in the reference's order; none where it has none."""
    match ruling:
        case Rejection():
            return (ruling,)
        case Refusals(rejections):
            return rejections
        case _:
            return ()


_RULES: dict[str, Callable[[Request, Profile], Ruling]] = {
    "decode": _decode,
    "fold": _fold,
    "create": _create,
    "advance": _advance,
    "view": _view,
    "due": _due,
    "frame": _frame,
    "frame_batch": _frame_batch,
}
