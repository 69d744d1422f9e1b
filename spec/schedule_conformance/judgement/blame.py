"""Which clause a wrong answer breaks.

A wrong acceptance stands under the clause of the law's rejection. For a wrong rejection and for a wrong
value the clause is found here, from what is unusual about the request and from where the two values differ.
Of a log, the last event is blamed: a trial looks for the shortest log that fails. The clause found is one
of those exercised, or instant.canonical where an instant is written otherwise in a result.
"""

from typing import Any

from schedule_conformance.judgement import creations, showings
from schedule_conformance.judgement.exercise import MANY, advance_figures, lawful_shape
from schedule_conformance.judgement.spelling import (
    change_oddity,
    misspells_instant,
    repeats_key,
    text_oddity,
)
from schedule_conformance.law.rulings import Granted, Request
from schedule_conformance.law.stories import Step, Story, boundary, created_ids, told
from schedule_conformance.protocol.json_values import same
from schedule_spec import instants
from schedule_spec.changes import Create, Delete, DispatchEvery, DispatchOneShot
from schedule_spec.profiles import Profile
from schedule_spec.records import Every
from schedule_spec.rejections import Rejection

OF_IDS = ("text.trim", "id.shape")
"""What is odd about an id alone; once its create was taken, no other change is refused for it."""

OF_SCHEDULE = "schedule/"
"""How the types of events begin that look like Schedule's own."""


def of_wrong_rejection(
    request: Request, granted: Granted, code: str | None, profile: Profile = Profile.V1
) -> str:
    """Return the clause that rejecting a request breaks which the law grants; `code` is what came, if any."""
    match request["cmd"]:
        case "decode":
            oddity = text_oddity(request["json"]) if "json" in request else None
            given = granted.result["change"] if "json" in request else request["change"]
            return oddity or change_oddity(given) or lawful_shape(given)
        case "fold":
            return _of_refused_fold(request, profile)
        case "create":
            return creations.blame_for_rejection(request, code)
        case "advance":
            return _of_refused_advance(request, granted)
        case _:
            return showings.blame_for_rejection(request, granted)


def of_wrong_value(
    request: Request, granted: Granted, got: dict[str, Any], profile: Profile = Profile.V1
) -> str:
    """Return the clause that an answer breaks which accepts what the law accepts, with another value."""
    match request["cmd"]:
        case "decode":
            return (
                "change.strict" if "json" in request and repeats_key(request["json"]) else "change.lossless"
            )
        case "create":
            return creations.blame_for_record(request, granted, got)
        case _ if misspells_instant(granted.result, got):
            return "instant.canonical"
        case "fold":
            return _of_other_state(request, granted, got, profile)
        case "advance":
            return _of_other_advance(request, granted, got)
        case _:
            return showings.blame_for_value(request, granted, got)


def _of_refused_advance(request: Request, granted: Granted) -> str:
    target, interval, accepted = advance_figures(request)
    if "nextScheduledAt" not in granted.result:
        return "rate.exhausted"
    if accepted == target:
        return "rate.not-early"
    return "rate.skip" if accepted - target > MANY * interval else "rate.latest-due"


def _of_other_advance(request: Request, granted: Granted, got: dict[str, Any]) -> str:
    target, interval, _ = advance_figures(request)
    for member, clause in (("occurrenceAt", "rate.latest-due"), ("nextScheduledAt", "rate.next")):
        allowed, came = granted.result.get(member), got.get(member)
        if same(allowed, came):
            continue
        if allowed is None or came is None:
            return "rate.exhausted" if member == "nextScheduledAt" else clause
        instant = instants.parse(came) if isinstance(came, str) else None
        return clause if instant is None or (instant - target) % interval == 0 else "rate.anchor-aligned"
    return "rate.exhausted" if "nextScheduledAt" not in granted.result else "rate.next"


def _of_refused_fold(request: Request, profile: Profile) -> str:
    """Blame the last event, or the inherited part where there is none; shorter logs are answered well."""
    events = request["events"]
    if isinstance(request.get("seedLength"), float):
        return "number.safe-integer"
    begin = boundary(events, request.get("seedLength", 0)) or 0
    story = told(events[begin:], profile)
    if not story.steps:
        return _of_refused_inheritance(told(events[:begin], profile))
    return _of_refused_step(story.steps[-1], created_ids(events[:begin]))


def _of_refused_inheritance(parent: Story) -> str:
    """Blame the inherited part alone; what lies among others there is not to blame before it lies alone."""
    odd = [_is_oddly_foreign(step) for step in parent.steps]
    if isinstance(parent.end, Rejection) or (any(odd) and not all(odd)):
        return "fork.prefix-unread"
    if not odd:
        return "fold.authority"
    return _clause_of_step(parent.steps[-1]) if all(odd) else "fork.bounds"


def _is_oddly_foreign(step: Step) -> bool:
    """Whether an event is none of Schedule's, and one that a system may stumble over."""
    kind = step.event.get("type")
    return step.change is None and ("data" not in step.event or str(kind).startswith(OF_SCHEDULE))


def _of_refused_step(step: Step, inherited: list[str]) -> str:
    if step.change is None:
        return "fold.authority" if "type" in step.event else "fold.event"
    if isinstance(step.change, Create) and step.change.schedule.id in inherited:
        return "id.session-local"
    if isinstance(step.change, DispatchEvery):
        due_now = step.change.accepted_at == step.record_before(step.change.id).scheduled_at
        return _clause_of_end(step) or ("rate.not-early" if due_now else "fold.dispatch-every")
    oddity = change_oddity(step.event["data"])
    known_id = oddity in OF_IDS and not isinstance(step.change, Create)
    return _clause_of_step(step) if oddity is None or known_id else oddity


def _clause_of_end(step: Step) -> str | None:
    ended = isinstance(step.change, DispatchEvery) and not step.record_after(step.change.id)
    return "rate.exhausted" if ended else None


def _clause_of_step(step: Step) -> str:
    match step.change:
        case None:
            return "fold.authority" if "type" in step.event else "fold.event"
        case Create():
            return "fold.create"
        case Delete():
            return "fold.delete"
        case DispatchOneShot():
            return "fold.dispatch-one-shot"
        case DispatchEvery():
            return "fold.dispatch-every"
    raise AssertionError(f"no change of the law: {step.change!r}")


def _records(value: Any) -> dict[str, dict[str, Any]]:
    listed = value if isinstance(value, list) else []
    return {
        record["id"]: record
        for record in listed
        if isinstance(record, dict) and isinstance(record.get("id"), str)
    }


def _of_other_state(request: Request, granted: Granted, got: dict[str, Any], profile: Profile) -> str:
    """Blame the last event, whose step the system takes otherwise; shorter logs are answered well."""
    events = request["events"]
    begin = boundary(events, request.get("seedLength", 0)) or 0
    story = told(events[begin:], profile)
    if not story.steps:
        return "fork.suffix" if begin else "fold.authority"
    step = story.steps[-1]
    allowed, came = _records(granted.result["active"]), _records(got.get("active"))
    if isinstance(step.change, DispatchEvery):
        return _of_other_advance_in_log(step, step.change, allowed, came)
    if step.change is None or allowed.keys() != came.keys():
        return _clause_of_step(step)
    if list(allowed) != list(came):
        return "fold.order"
    differing = [record_id for record_id in allowed if not same(allowed[record_id], came[record_id])]
    if any(
        not isinstance(step.change, Create) or record_id != step.change.schedule.id for record_id in differing
    ):
        return "record.immutable"
    return "fold.create"


def _of_other_advance_in_log(
    step: Step, change: DispatchEvery, allowed: dict[str, Any], came: dict[str, Any]
) -> str:
    if allowed.keys() != came.keys():
        return (change.id in came and _clause_of_end(step)) or "fold.dispatch-every"
    if list(allowed) != list(came):
        return "fold.order"
    for record_id, record in allowed.items():
        other = came[record_id]
        if same(record, other):
            continue
        if not same({**record, "scheduledAt": None}, {**other, "scheduledAt": None}):
            return "record.immutable"
        if record_id != change.id:
            return "rate.independent" if record["kind"] == "every" else "record.immutable"
        return _of_other_target(step.record_before(change.id), other.get("scheduledAt"))
    return "fold.create"


def _of_other_target(record: Every, came: object) -> str:
    instant = instants.parse(came) if isinstance(came, str) else None
    aligned = instant is None or (instant - record.scheduled_at) % record.interval == 0
    return "rate.next" if aligned else "rate.anchor-aligned"
