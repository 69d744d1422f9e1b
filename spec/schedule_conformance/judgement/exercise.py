"""Which clauses a case puts to the test: those whose violation its reply could show.

The table of a run counts cases by these, so a clause is listed only where some wrong reply to this very
request would break it.
"""

from collections.abc import Sequence
from typing import Any

from schedule_conformance.judgement import creations, showings
from schedule_conformance.judgement.spelling import change_oddity, has_odd_edges, text_oddity
from schedule_conformance.law.rulings import Granted, Request, Ruling, refusals_of
from schedule_conformance.law.stories import Step, Story, boundary, created_ids, is_every, told
from schedule_conformance.protocol.json_values import as_object
from schedule_spec import json_text, text
from schedule_spec.changes import Create, Delete, DispatchEvery, DispatchOneShot
from schedule_spec.fold import State
from schedule_spec.instants import parse
from schedule_spec.profiles import Profile
from schedule_spec.records import After
from schedule_spec.rejections import Rejection

NOT_OF_CHANGES = ("fold", "fork", "rate")
"""Areas whose rejections have nothing to do with how one change is formed."""

MANY = 1_000_000
"""So many missed occurrences that enumerating them would show."""


def exercised(request: Request, ruling: Ruling, profile: Profile = Profile.V1) -> tuple[str, ...]:
    """Return the clauses that a wrong reply to this request would break, each once, in a stable order."""
    found = _OF_COMMAND[request["cmd"]](request, ruling, profile)
    return tuple(sorted(set(found)))


def _of_decode(request: Request, ruling: Ruling, _: Profile) -> list[str]:
    spelt = request.get("json")
    if isinstance(ruling, Rejection) and ruling.clause == "change.json":
        return [ruling.clause]
    source = as_object(json_text.read(spelt)) if isinstance(spelt, str) else request
    change: Any = (source or {}).get("change")
    found = ["change.json"] if isinstance(spelt, str) else []
    if isinstance(ruling, Rejection):
        return [*found, *_of_rejected_change(change, ruling)]
    oddity = text_oddity(spelt) if isinstance(spelt, str) else None
    return [*found, *([oddity] if oddity else []), *of_lawful_change(change)]


def _of_rejected_change(change: Any, rejection: Rejection) -> list[str]:
    found = [rejection.clause]
    if rejection.clause != "change.json" and rejection.clause.split(".")[0] not in NOT_OF_CHANGES:
        found.append("change.strict")
    if rejection.clause in ("text.prompt", "id.shape") and _only_padded(change):
        found.append("text.trim")
    if rejection.clause == "instant.canonical" and _in_year_zero(change):
        found.append("instant.range")
    return found


def _places(change: Any) -> list[dict[str, Any]]:
    outer = as_object(change)
    inner = as_object(outer.get("schedule")) if outer else None
    return [place for place in (outer, inner) if place]


def _only_padded(change: Any) -> bool:
    texts = [place.get(key) for place in _places(change) for key in ("id", "prompt")]
    return any(isinstance(string, str) and string and not text.is_trimmed(string) for string in texts)


def _in_year_zero(change: Any) -> bool:
    instants = [place.get(key) for place in _places(change) for key in ("scheduledAt", "acceptedAt")]
    return any(isinstance(instant, str) and instant.startswith("0000-") for instant in instants)


def of_lawful_change(change: dict[str, Any]) -> list[str]:
    """Return the clauses that refusing or altering a lawful change would break."""
    found = ["change.lossless", "change.version", "id.shape", lawful_shape(change)]
    oddity = change_oddity(change)
    if oddity:
        found.append(oddity)
    if oddity in ("id.shape", "text.prompt") and has_odd_edges(change):
        found.append("text.trim")
    if change["operation"] == "create":
        found += ["change.create", "text.prompt", "instant.canonical"]
        found += ["number.safe-integer"] if change["schedule"]["kind"] != "at" else []
    elif "acceptedAt" in change:
        found.append("instant.canonical")
    return found


def lawful_shape(change: dict[str, Any]) -> str:
    """Return the clause that gives a lawful change its shape."""
    match change["operation"]:
        case "create":
            return f"record.{change['schedule']['kind']}"
        case "delete":
            return "change.delete"
        case _:
            return "change.dispatch-every" if "acceptedAt" in change else "change.dispatch-one-shot"


def _of_fold(request: Request, ruling: Ruling, profile: Profile) -> list[str]:
    events = request["events"]
    if isinstance(ruling, Rejection):
        return of_refused_log(events, ruling)
    begin = boundary(events, request.get("seedLength", 0)) or 0
    story = told(events[begin:], profile)
    found = [clause for step in story.steps for clause in of_step(step)]
    found += ["number.safe-integer"] if isinstance(request.get("seedLength"), float) else []
    return [*found, *of_sound_log(events[:begin], told(events[:begin], profile), story, profile)]


def of_refused_log(events: Any, rejection: Rejection) -> list[str]:
    """Return the clauses that accepting a log, which the law refuses with this rejection, would break."""
    found = [rejection.clause]
    if rejection.clause != "fork.bounds" and isinstance(events, list):
        found.append("fold.all-or-nothing")
    if rejection.clause.split(".")[0] not in NOT_OF_CHANGES:
        found.append("change.strict")
    if rejection.clause == "fold.no-id-reuse":
        found.append("id.never-reused")
    return found


def of_step(step: Step) -> list[str]:
    """Return the clauses that treating one accepted event wrongly would break."""
    match step.change:
        case None:
            return ["fold.authority"] if "type" in step.event else ["fold.authority", "fold.event"]
        case Create():
            return ["fold.create", *of_lawful_change(step.event["data"])]
        case Delete():
            return ["fold.delete", "change.delete", *_of_others(step)]
        case DispatchOneShot():
            return ["fold.dispatch-one-shot", "change.dispatch-one-shot", *_of_others(step)]
        case DispatchEvery(id=every_id, accepted_at=accepted):
            before, after = step.record_before(every_id), step.record_after(every_id)
            found = ["fold.dispatch-every", "change.dispatch-every", "record.immutable", *_of_others(step)]
            found += (
                ["rate.exhausted"] if after is None else ["rate.next", "rate.anchor-aligned", "fold.order"]
            )
            found += ["rate.not-early"] if accepted == before.scheduled_at else []
            found += (
                ["rate.skip"] if accepted - before.scheduled_at > MANY * before.every_seconds * 1000 else []
            )
            return found
    raise AssertionError(f"no change of the law: {step.change!r}")


def _of_others(step: Step) -> list[str]:
    others = [record for record in step.before.active if record in step.after.active]
    found = ["record.immutable"] if others else []
    return [*found, "rate.independent"] if any(map(is_every, others)) else found


def of_sound_log(inherited: Sequence[Any], parent: Story, own: Story, profile: Profile) -> list[str]:
    """Return the clauses that a wrong state for a whole log would break, beside those of its own steps."""
    found = ["fold.authority"]
    if isinstance(own.end, State) and len(own.end.active) > 1:
        found.append("fold.order")
    if inherited:
        found += ["fork.suffix", "fork.bounds"]
        reused = created_ids(inherited)
        if isinstance(parent.end, Rejection):
            found.append("fork.prefix-unread")
        elif parent.end.active:
            found.append("fork.no-adoption")
        if any(isinstance(step.change, Create) and step.change.schedule.id in reused for step in own.steps):
            found.append("id.session-local")
    if profile is Profile.V1 and all(map(_of_earlier_level, own.changes)):
        found.append("profile.upward")
    return found


def _of_earlier_level(step: Step) -> bool:
    match step.change:
        case Create(schedule=schedule):
            return isinstance(schedule, After)
        case DispatchEvery():
            return False
        case _:
            return True


def _of_advance(request: Request, ruling: Ruling, _: Profile) -> list[str]:
    if not isinstance(ruling, Granted):
        return [refusal.clause for refusal in refusals_of(ruling)]
    target, interval, accepted = advance_figures(request)
    found = ["rate.latest-due", "rate.anchor-aligned", "rate.exact"]
    found.append("rate.next" if "nextScheduledAt" in ruling.result else "rate.exhausted")
    if accepted == target:
        found.append("rate.not-early")
    if accepted - target > MANY * interval:
        found.append("rate.skip")
    return found


def advance_figures(request: Request) -> tuple[int, int, int]:
    """Return target, interval and decision time, all in ms, of an `advance` that the law grants."""
    record = request["record"]
    target = parse(record["scheduledAt"])
    if target is None:
        raise AssertionError("the law granted an advance of no instant")
    return target, int(record["everySeconds"]) * 1000, int(request["acceptedAt"])


def _of_create(request: Request, ruling: Ruling, _: Profile) -> list[str]:
    return creations.exercised(request, ruling)


def _of_showing(request: Request, ruling: Ruling, _: Profile) -> list[str]:
    return showings.exercised(request, ruling)


_OF_COMMAND = {
    "decode": _of_decode,
    "fold": _of_fold,
    "create": _of_create,
    "advance": _of_advance,
    "view": _of_showing,
    "due": _of_showing,
    "frame": _of_showing,
    "frame_batch": _of_showing,
}
