"""The kinds of bugs that a case of a pure command catches, told from its first clause and what is odd in it.

For cases that nobody flagged by hand: the reference's, and those promoted from runs. The kinds are those of
`schemas/vectors.json`.
"""

import json
from collections.abc import Sequence
from typing import Any

from schedule_conformance.judgement.spelling import odd_number, repeats_key

Object = dict[str, Any]

GRANTED = {
    "text.trim": "trim-set",
    "text.prompt": "lossy",
    "text.json-string": "escape-form",
    "number.safe-integer": "number-spelling",
    "instant.canonical": "narrow-instant",
    "instant.range": "range-end",
    "id.shape": "id-identity",
    "id.session-local": "id-memory",
    "record.after": "over-strict",
    "record.at": "over-strict",
    "record.every": "over-strict",
    "change.delete": "over-strict",
    "change.dispatch-one-shot": "over-strict",
    "change.dispatch-every": "over-strict",
    "change.strict": "key-order",
    "change.json": "narrow-json",
    "change.lossless": "lossy",
    "fold.authority": "foreign-events",
    "fold.event": "event-shape",
    "fold.create": "wrong-record",
    "fold.delete": "wrong-record",
    "fold.dispatch-one-shot": "wrong-record",
    "fold.dispatch-every": "next-target",
    "fold.order": "order",
    "fork.suffix": "fork-boundary",
    "fork.bounds": "fork-boundary",
    "fork.prefix-unread": "prefix-read",
    "after.target": "target",
    "after.rule": "over-strict",
    "after.range": "range-end",
    "every.first-target": "target",
    "every.rule": "over-strict",
    "every.minimum": "minimum",
    "every.range": "range-end",
    "at.offset-form": "narrow-form",
    "at.offset-meaning": "offset-sign",
    "at.offset-range": "offset-range",
    "at.fraction": "fraction",
    "at.real-date": "calendar",
    "at.local-form": "narrow-form",
    "at.future": "future",
    "at.range": "shift-range",
    "zone.names": "narrow-zone",
    "local.unique": "wrong-offset",
    "local.overlap-first": "overlap",
    "rate.latest-due": "occurrence",
    "rate.next": "next-target",
    "rate.anchor-aligned": "drift",
    "rate.not-early": "early",
    "rate.exact": "inexact",
    "rate.skip": "enumeration",
    "rate.exhausted": "exhaustion",
    "tool.create-prompt": "over-strict",
    "frame.one-shot": "frame-form",
    "frame.batch": "frame-form",
    "frame.injection": "line-forging",
    "frame.whole": "truncation",
    "change.version": "number-spelling",
    "change.create": "over-strict",
    "rate.independent": "cross-talk",
    "record.immutable": "cross-talk",
    "at.utc-only": "input-kept",
    "view.fields": "view-fields",
    "view.state": "view-state",
    "due.one-shot-first": "due-choice",
    "due.batch": "due-batch",
    "due.one-decision-time": "due-time",
    "due.wait": "due-wait",
    "due.clock-range": "due-range",
}
"""What goes wrong where a case is refused or answered with another value that has to be granted."""

REFUSED = {
    "text.prompt": "untrimmed",
    "number.safe-integer": "unsafe-integer",
    "instant.canonical": "loose-instant",
    "id.shape": "untrimmed",
    "record.after": "loose-keys",
    "record.at": "loose-keys",
    "record.every": "loose-keys",
    "record.kinds": "loose-word",
    "change.version": "loose-word",
    "change.create": "loose-keys",
    "change.delete": "loose-keys",
    "change.dispatch-one-shot": "loose-keys",
    "change.dispatch-every": "loose-keys",
    "change.strict": "loose-word",
    "change.json": "lax-json",
    "fold.event": "event-shape",
    "fold.shape-match": "shape-mismatch",
    "fold.no-id-reuse": "id-reuse",
    "fold.inactive": "inactive",
    "fork.bounds": "fork-boundary",
    "fork.no-adoption": "adoption",
    "after.rule": "loose-number",
    "after.range": "range-end",
    "every.rule": "loose-number",
    "every.minimum": "minimum",
    "every.range": "range-end",
    "at.offset-form": "loose-form",
    "at.offset-range": "offset-range",
    "at.offset-required": "ambient-zone",
    "at.real-date": "calendar",
    "at.local-form": "loose-form",
    "at.future": "future",
    "at.range": "shift-range",
    "zone.names": "loose-zone",
    "local.gap-rejected": "gap-shift",
    "rate.not-early": "early",
    "rate.accepted-range": "accepted-range",
    "tool.create-prompt": "untrimmed",
    "tool.create-selector": "selector",
    "tool.ill-typed": "lax-json",
    "profile.v1-after": "level",
}
"""What goes wrong where a case is granted that has to be refused."""

IMPOSSIBLE = ("T24:", ":60", "-02-29", "-02-30", "-04-31", "-06-31", "-09-31", "-11-31", "-00", "-13-", "-32")


def flags_of(request: Object, clauses: Sequence[str], expect: Object) -> list[str]:
    """Return the kinds of bugs that a case catches; `clauses` lead with the one that it stands under.

    The request has no number; `expect` is in the form of frozen cases.
    """
    lead = clauses[0]
    if "result" in expect:
        return list(
            dict.fromkeys([GRANTED.get(lead, "over-strict"), *_unusual(request), *_further(clauses[1:])])
        )
    return [_of_refused(request, lead), *_beside(request, clauses)]


def _of_refused(request: Object, lead: str) -> str:
    text = json.dumps(_values(request), ensure_ascii=False)
    if lead in ("instant.canonical", "at.offset-form", "at.local-form", "at.real-date"):
        if any(character.isdigit() and not character.isascii() for character in text):
            return "ascii-digits"
        if '\\n"' in text:
            return "final-newline"
    if lead == "instant.canonical" and any(part in text for part in IMPOSSIBLE):
        return "calendar"
    if lead == "instant.canonical" and '"0000-' in text:
        return "range-end"
    if lead in ("after.rule", "every.rule", "number.safe-integer") and _odd_values(request):
        return "loose-number"
    return "loose-type" if _of_wrong_type(request, lead) else REFUSED[lead]


MEMBERS: dict[str, tuple[str, tuple[type, ...]]] = {
    "change.version": ("version", (int, float)),
    "text.prompt": ("prompt", (str,)),
    "id.shape": ("id", (str,)),
    "instant.canonical": ("scheduledAt", (str,)),
}
"""For a clause, the member of a change that it speaks of, and the types that it may have."""


def _of_wrong_type(request: Object, lead: str) -> bool:
    change = request.get("change")
    if lead not in MEMBERS or not isinstance(change, dict):
        return lead == "change.strict" and "change" in request and not isinstance(change, dict)
    member, types = MEMBERS[lead]
    schedule = change.get("schedule")
    given = [place[member] for place in (change, schedule) if isinstance(place, dict) and member in place]
    return any(isinstance(value, bool) or not isinstance(value, types) for value in given)


def _beside(request: Object, clauses: Sequence[str]) -> list[str]:
    """Return what a case that has to be refused shows beside: that a name is known, or what is trimmed."""
    if clauses[0] == "at.future" and isinstance(request.get("at"), dict):
        return ["narrow-zone"]
    return ["trim-set"] if "text.trim" in clauses else []


def _values(request: Object) -> Any:
    return {key: value for key, value in request.items() if key not in ("cmd", "id", "prompt")}


def _odd_values(request: Object) -> bool:
    """Whether the number in question is none at all."""
    numbers = ("after_seconds", "every_seconds", "now", "acceptedAt", "afterSeconds", "everySeconds")
    schedule = request.get("change", {})
    places = [request, schedule.get("schedule", {}) if isinstance(schedule, dict) else {}]
    given = [place[key] for place in places if isinstance(place, dict) for key in numbers if key in place]
    return any(isinstance(value, bool) or not isinstance(value, int | float) for value in given)


def _unusual(request: Object) -> list[str]:
    found = []
    spelt = request.get("json")
    if isinstance(spelt, str):
        found += ["duplicate-key"] if repeats_key(spelt) else []
        found += ["number-spelling"] if odd_number(spelt) else []
    if any(id in json.dumps(request) for id in ('"__proto__"', '"constructor"')):
        found.append("id-identity")
    if request["cmd"] == "frame" and not json.dumps(request, ensure_ascii=False).isascii():
        found.append("escape-form")
    return found


RARE = ("fold.order", "rate.exhausted", "rate.skip", "fork.prefix-unread", "id.session-local", "text.trim")


def _further(clauses: Sequence[str]) -> list[str]:
    """Return the kinds of clauses that few cases show."""
    rare = (
        "fold.order",
        "rate.exhausted",
        "rate.skip",
        "fork.prefix-unread",
        "id.session-local",
        "text.trim",
    )
    return [GRANTED[clause] for clause in clauses if clause in rare]
