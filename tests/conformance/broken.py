"""Broken systems: the law with one fault each, to see whether the court notices and names the clause."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from schedule_conformance import law_adapter
from schedule_spec import changes, fold, forks, instants, json_text
from schedule_spec.changes import Change, Create, DispatchEvery, DispatchOneShot
from schedule_spec.fold import State
from schedule_spec.instants import LATEST
from schedule_spec.records import Every
from schedule_spec.rejections import Rejection, corrupt
from schedule_spec.text import trim

Object = dict[str, Any]
Handler = Callable[[Object], object]


@dataclass(frozen=True, slots=True)
class Broken:
    """A system with one fault, the clause that it breaks, and others it may rightly be reported under."""

    name: str
    clause: str
    handle: Handler
    others: tuple[str, ...] = ()


def rejected(request: Object) -> Object:
    return {"seq": request["seq"], "rejected": {"code": "corrupt_schedule_log"}}


def on_changes(alter: Callable[[Any], Any]) -> Handler:
    """The law, to which every change is shown altered."""

    def seen(request: Object) -> Object:
        match request:
            case {"cmd": "decode", "json": str(text)}:
                value = json_text.read(text)
                if isinstance(value, dict) and "change" in value:
                    return {"seq": request["seq"], "cmd": "decode", "change": alter(value["change"])}
            case {"cmd": "decode"}:
                return {**request, "change": alter(request["change"])}
            case {"cmd": "fold", "events": list(events)}:
                return {**request, "events": [altered_event(event) for event in events]}
        return request

    def altered_event(event: Any) -> Any:
        if isinstance(event, dict) and event.get("type") == "schedule/change":
            return {**event, "data": alter(event.get("data"))}
        return event

    return lambda request: law_adapter.handle(seen(request))


def on_records(alter: Callable[[Object], Object]) -> Handler:
    """The law, to which every record is shown altered."""

    def altered(change: Any) -> Any:
        if isinstance(change, dict) and isinstance(change.get("schedule"), dict):
            return {**change, "schedule": alter(change["schedule"])}
        return change

    return on_changes(altered)


def refusing(is_wrongly_bad: Callable[[Object], bool]) -> Handler:
    """The law, but for requests that are refused out of hand."""
    return lambda request: (
        rejected(request)
        if request["cmd"] != "hello" and is_wrongly_bad(request)
        else law_adapter.handle(request)
    )


def strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for member in value.values():
            yield from strings_in(member)
    elif isinstance(value, list):
        for item in value:
            yield from strings_in(item)


def text_through(parse: Callable[[str], Any]) -> Handler:
    """The law, but JSON text is read by another parser; what that refuses is refused."""

    def handle(request: Object) -> object:
        if request.get("cmd") != "decode" or "json" not in request:
            return law_adapter.handle(request)
        try:
            value = parse(request["json"])
        except (ValueError, RecursionError):
            return rejected(request)
        members = value if isinstance(value, dict) else {}
        return law_adapter.handle({"seq": request["seq"], "cmd": "decode", "change": members.get("change")})

    return handle


Step = Callable[[State, Any], State | Rejection]


def folding(
    step: Step = fold.step,
    *,
    begin: Callable[[list[Any], Any], Any] = lambda _, seed_length: seed_length,
    shown: Callable[[State], Object] = fold.encode_state,
) -> Handler:
    """The law, but for the fold: another step, another boundary, or another rendering."""

    def handle(request: Object) -> object:
        if request["cmd"] != "fold":
            return law_adapter.handle(request)
        events = request["events"]
        position = forks.boundary(events, begin(events, request.get("seedLength", 0)))
        if isinstance(position, Rejection):
            return rejected(request)
        state = fold.EMPTY
        for event in events[position:]:
            following = step(state, event)
            if isinstance(following, Rejection):
                return rejected(request)
            state = following
        return {"seq": request["seq"], "result": shown(state)}

    return handle


def on_change(apply: Callable[[State, Change], State | Rejection | None]) -> Step:
    """The law's step, but for changes for which another outcome is given."""

    def step(state: State, event: Any) -> State | Rejection:
        if isinstance(event, dict) and event.get("type") == "schedule/change":
            change = changes.decode(event.get("data"))
            outcome = None if isinstance(change, Rejection) else apply(state, change)
            if outcome is not None:
                return outcome
        return fold.step(state, event)

    return step


def ended(state: State, record_id: str) -> State:
    return State(tuple(record for record in state.active if record.id != record_id), state.seen)


def retargeted(state: State, record: Every, target: int) -> State:
    moved = replace(record, scheduled_at=target)
    return State(tuple(moved if other.id == record.id else other for other in state.active), state.seen)


def every_of(state: State, change: Change) -> Every | None:
    """The active every that a dispatch in time names."""
    if not isinstance(change, DispatchEvery):
        return None
    found = fold.find(state, change.id)
    return found if isinstance(found, Every) and change.accepted_at >= found.scheduled_at else None


def resurrects(state: State, change: Change) -> State | None:
    if (
        isinstance(change, Create)
        and change.schedule.id in state.seen
        and not fold.find(state, change.schedule.id)
    ):
        return State((*state.active, change.schedule), state.seen)
    return None


def replaces(state: State, change: Change) -> State | None:
    if isinstance(change, Create) and fold.find(state, change.schedule.id):
        return State((*ended(state, change.schedule.id).active, change.schedule), state.seen)
    return None


def ignores_inactive(state: State, change: Change) -> State | None:
    return state if not isinstance(change, Create) and not fold.find(state, change.id) else None


def moves_to_the_end(state: State, change: Change) -> State | None:
    record = every_of(state, change)
    after = fold.apply(state, change)
    if record is None or not isinstance(after, State):
        return None
    moved = fold.find(after, record.id)
    return State((*ended(after, record.id).active, moved), after.seen) if moved else None


def drifts(state: State, change: Change) -> State | None:
    record = every_of(state, change)
    if record is None or not isinstance(change, DispatchEvery):
        return None
    target = change.accepted_at + record.interval
    return retargeted(state, record, target) if target <= LATEST else ended(state, record.id)


def steps_once(state: State, change: Change) -> State | None:
    record = every_of(state, change)
    if record is None:
        return None
    target = record.scheduled_at + record.interval
    return retargeted(state, record, target) if target <= LATEST else ended(state, record.id)


def stays_when_aligned(state: State, change: Change) -> State | None:
    record = every_of(state, change)
    if record is None or not isinstance(change, DispatchEvery):
        return None
    due_again = (change.accepted_at - record.scheduled_at) % record.interval == 0
    return retargeted(state, record, change.accepted_at) if due_again else None


def refuses_equality(state: State, change: Change) -> Rejection | None:
    record = every_of(state, change)
    if record is None or not isinstance(change, DispatchEvery) or change.accepted_at != record.scheduled_at:
        return None
    return corrupt("rate.not-early", "")


def takes_early(state: State, change: Change) -> State | None:
    if not isinstance(change, DispatchEvery):
        return None
    record = fold.find(state, change.id)
    early = isinstance(record, Every) and change.accepted_at < record.scheduled_at
    return state if early else None


def forgets_exhaustion(state: State, change: Change) -> State | None:
    record = every_of(state, change)
    after = fold.apply(state, change)
    return state if record and isinstance(after, State) and not fold.find(after, record.id) else None


def ends_too_soon(state: State, change: Change) -> State | None:
    record = every_of(state, change)
    after = fold.apply(state, change)
    if record is None or not isinstance(after, State):
        return None
    moved = fold.find(after, record.id)
    return ended(after, record.id) if moved and moved.scheduled_at > LATEST - record.interval else None


def ends_every_by_id(state: State, change: Change) -> State | None:
    if isinstance(change, DispatchOneShot) and isinstance(fold.find(state, change.id), Every):
        return ended(state, change.id)
    return None


def ends_one_shot_with_time(state: State, change: Change) -> State | None:
    found = fold.find(state, change.id) if isinstance(change, DispatchEvery) else None
    return ended(state, found.id) if found and not isinstance(found, Every) else None


def moves_all(state: State, change: Change) -> State | None:
    record = every_of(state, change)
    after = fold.apply(state, change)
    if record is None or not isinstance(after, State):
        return None
    others = [other for other in after.active if isinstance(other, Every) and other.id != record.id]
    for other in others:
        if other.scheduled_at + other.interval <= LATEST:
            after = retargeted(after, other, other.scheduled_at + other.interval)
    return after


def delete_ends_all(state: State, change: Change) -> State | None:
    return (
        State((), state.seen) if isinstance(change, changes.Delete) and fold.find(state, change.id) else None
    )


def delete_ends_none(state: State, change: Change) -> State | None:
    return state if isinstance(change, changes.Delete) and fold.find(state, change.id) else None


def dispatch_ends_none(state: State, change: Change) -> State | None:
    found = fold.find(state, change.id) if isinstance(change, DispatchOneShot) else None
    return state if found and not isinstance(found, Every) else None


def reads_other_types(state: State, event: Any) -> State | Rejection:
    if isinstance(event, dict) and isinstance(event.get("type"), str):
        return fold.step(state, {**event, "type": event["type"].strip().lower()})
    return fold.step(state, event)


def refuses_other_types(state: State, event: Any) -> State | Rejection:
    if isinstance(event, dict) and not isinstance(event.get("type"), str):
        return corrupt("fold.event", "")
    return fold.step(state, event)


def skips_what_is_no_object(state: State, event: Any) -> State | Rejection:
    return state if not isinstance(event, dict) else fold.step(state, event)


def skips_what_is_corrupt(state: State, event: Any) -> State | Rejection:
    following = fold.step(state, event)
    return state if isinstance(following, Rejection) else following


def without_prefix_reading(events: list[Any], seed_length: Any) -> Any:
    return seed_length


def clamped(events: list[Any], seed_length: Any) -> Any:
    return len(events) if isinstance(seed_length, int) and seed_length > len(events) else seed_length


def truncated(_: list[Any], seed_length: Any) -> Any:
    return int(seed_length) if isinstance(seed_length, float) and 0 < seed_length < 1 else seed_length


def prefix_decoding(request: Object) -> object:
    if request.get("cmd") == "fold":
        begin = request.get("seedLength", 0)
        decoded = [changes.decode(e.get("data")) for e in request["events"] if _is_change(e)]
        if isinstance(begin, int) and any(isinstance(change, Rejection) for change in decoded):
            return rejected(request)
    return law_adapter.handle(request)


def _is_change(event: Any) -> bool:
    return isinstance(event, dict) and event.get("type") == "schedule/change"


def shared_ids(request: Object) -> object:
    """Counts the parent's ids as seen in the child."""
    begin = request.get("seedLength", 0)
    if request.get("cmd") == "fold" and isinstance(begin, int) and 0 < begin <= len(request["events"]):
        inherited = fold.fold(request["events"][:begin])
        seen = inherited.seen if isinstance(inherited, State) else ()
        for event in request["events"][begin:]:
            change = changes.decode(event.get("data")) if _is_change(event) else None
            if isinstance(change, Create) and change.schedule.id in seen:
                return rejected(request)
    return law_adapter.handle(request)


def adopting(request: Object) -> object:
    """Passes over what a child does to reminders of its parent alone."""
    reply = law_adapter.handle(request)
    if request.get("cmd") != "fold":
        return reply
    folded = fold.fold(request["events"], request.get("seedLength", 0))
    if not isinstance(folded, fold.Refused) or folded.rejection.clause != "fork.no-adoption":
        return reply
    kept = [event for position, event in enumerate(request["events"]) if position != folded.position]
    return adopting({**request, "events": kept})


def first_of_duplicates(pairs: list[tuple[str, Any]]) -> Object:
    return dict(reversed(pairs))


def altered_result(alter: Callable[[Object], Object], command: str) -> Handler:
    def handle(request: Object) -> object:
        reply = law_adapter.handle(request)
        if request["cmd"] == command and "result" in reply:
            return {**reply, "result": alter(reply["result"])}
        return reply

    return handle


def altered_rejection(alter: Callable[[Object], Object]) -> Handler:
    def handle(request: Object) -> object:
        reply = law_adapter.handle(request)
        return {"seq": reply["seq"], **alter(reply)} if "rejected" in reply else reply

    return handle


def raising(request: Object) -> object:
    if len(str(request.get("json", ""))) > 100_000:
        raise RecursionError("maximum recursion depth exceeded")
    return law_adapter.handle(request)


def later(instant: str, ms: int) -> str:
    parsed = instants.parse(instant)
    return instants.render(min(LATEST, (parsed or 0) + ms))


def _once_more(memory: set[str]) -> Handler:
    """Answers a log rightly the first time, and as an empty one from then on."""

    def handle(request: Object) -> object:
        key = json.dumps(request, sort_keys=True)
        reply = law_adapter.handle(request)
        if request["cmd"] == "fold" and "result" in reply and key in memory:
            return {**reply, "result": {"active": [], "seen": ["again"]}}
        memory.add(key)
        return reply

    return handle


def _padded_trimmed(record: Object) -> Object:
    prompt = record.get("prompt")
    return {**record, "prompt": trim(prompt)} if isinstance(prompt, str) else record


def _blank_prompt(record: Object) -> Object:
    return {**record, "prompt": "p"} if record.get("prompt") == "" else record


def _known_keys(record: Object) -> Object:
    names = {"id", "kind", "prompt", "afterSeconds", "everySeconds", "scheduledAt"}
    return {key: value for key, value in record.items() if key in names}


def _numbered(key: str, fix: Callable[[Any], Any]) -> Callable[[Object], Object]:
    return lambda record: {**record, key: fix(record[key])} if key in record else record


def _instant_stripped(record: Object) -> Object:
    instant = record.get("scheduledAt")
    return {**record, "scheduledAt": instant.removesuffix("\n")} if isinstance(instant, str) else record


def _instant_year_one(record: Object) -> Object:
    instant = record.get("scheduledAt")
    if isinstance(instant, str) and re.fullmatch(r"0000-.{18}Z", instant):
        return {**record, "scheduledAt": f"0004{instant[4:]}"}
    return record


def _ascii_digits(record: Object) -> Object:
    instant = record.get("scheduledAt")
    if not isinstance(instant, str):
        return record
    return {**record, "scheduledAt": "".join(str(int(c)) if c.isdecimal() else c for c in instant)}


def _versioned(change: Any) -> Any:
    return {**change, "version": 1} if isinstance(change, dict) and change.get("version") is True else change


def _any_version(change: Any) -> Any:
    return {**change, "version": 1} if isinstance(change, dict) and "version" in change else change


def _without_extras(change: Any) -> Any:
    if not isinstance(change, dict):
        return change
    return {
        key: value
        for key, value in change.items()
        if key in {"version", "operation", "schedule", "id", "acceptedAt"}
    }


def _lower_operation(change: Any) -> Any:
    if isinstance(change, dict) and isinstance(change.get("operation"), str):
        return {**change, "operation": change["operation"].lower()}
    return change


def _delete_with_time(change: Any) -> Any:
    if isinstance(change, dict) and change.get("operation") == "delete":
        return {key: value for key, value in change.items() if key != "acceptedAt"}
    return change


def _unpadded_id(change: Any) -> Any:
    if isinstance(change, dict) and isinstance(change.get("id"), str):
        return {**change, "id": trim(change["id"])}
    return change


def has_float(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(has_float, value.values()))
    return isinstance(value, float)


def _spells_float(request: Object) -> bool:
    if "json" in request:
        try:
            return has_float(json.loads(request["json"]))
        except (ValueError, RecursionError):
            return False
    return has_float(request.get("change"))


def _python_trimmed(request: Object) -> bool:
    place = request.get("change")
    schedule = place.get("schedule") if isinstance(place, dict) else None
    prompt = schedule.get("prompt") if isinstance(schedule, dict) else None
    return isinstance(prompt, str) and prompt != prompt.strip()


def _float_advance(request: Object) -> object:
    """Computes the occurrence in floating-point seconds."""
    reply = law_adapter.handle(request)
    if request["cmd"] == "advance" and "result" in reply:
        instant = instants.parse(reply["result"]["occurrenceAt"]) or 0
        return {
            **reply,
            "result": {**reply["result"], "occurrenceAt": instants.render(instant // 1000 * 1000)},
        }
    return reply


SHAPES = ("change.strict",)

BROKEN: tuple[Broken, ...] = (
    Broken("accepts true as version", "change.version", on_changes(_versioned), SHAPES),
    Broken("accepts any version", "change.version", on_changes(_any_version), SHAPES),
    Broken(
        "accepts extra members of a change",
        "change.strict",
        on_changes(_without_extras),
        ("change.create", "change.delete", "change.dispatch-one-shot", "change.dispatch-every"),
    ),
    Broken("compares operations without case", "change.strict", on_changes(_lower_operation)),
    Broken("accepts a delete with acceptedAt", "change.delete", on_changes(_delete_with_time), SHAPES),
    Broken("trims ids", "id.shape", on_changes(_unpadded_id), ("text.trim", *SHAPES)),
    Broken("trims prompts", "text.prompt", on_records(_padded_trimmed), ("text.trim", *SHAPES)),
    Broken("accepts an empty prompt", "text.prompt", on_records(_blank_prompt), SHAPES),
    Broken("trims as Python does", "text.trim", refusing(_python_trimmed), ("text.prompt",)),
    Broken(
        "keeps extra members of a record",
        "record.after",
        on_records(_known_keys),
        ("record.at", "record.every", *SHAPES),
    ),
    Broken(
        "rounds intervals",
        "number.safe-integer",
        on_records(_numbered("everySeconds", lambda n: int(n) if isinstance(n, float) and n < 1e15 else n)),
        ("record.every", *SHAPES),
    ),
    Broken(
        "reads numbers from strings",
        "number.safe-integer",
        on_records(_numbered("afterSeconds", lambda n: int(n) if n in {"300", "60"} else n)),
        SHAPES,
    ),
    Broken(
        "raises short intervals",
        "record.every",
        on_records(_numbered("everySeconds", lambda n: max(n, 300) if type(n) is int else n)),
        SHAPES,
    ),
    Broken(
        "takes zero as a delay",
        "record.after",
        on_records(_numbered("afterSeconds", lambda n: 1 if n == 0 and type(n) is int else n)),
        SHAPES,
    ),
    Broken("refuses 300.0", "number.safe-integer", refusing(_spells_float), ("change.version",)),
    Broken(
        "accepts instants with a final newline", "instant.canonical", on_records(_instant_stripped), SHAPES
    ),
    Broken(
        "accepts the year 0000",
        "instant.range",
        on_records(_instant_year_one),
        ("instant.canonical", *SHAPES),
    ),
    Broken("accepts digits of other scripts", "instant.canonical", on_records(_ascii_digits), SHAPES),
    Broken(
        "counts the first of duplicate keys",
        "change.strict",
        text_through(lambda text: json.loads(text, object_pairs_hook=first_of_duplicates)),
        ("change.json", "change.lossless"),
    ),
    Broken(
        "reads NaN and shallow JSON only",
        "change.json",
        text_through(lambda text: json.loads(text, parse_constant=lambda _: 1)),
    ),
    Broken(
        "lets control characters pass",
        "change.json",
        text_through(lambda text: json.loads(text, strict=False)),
    ),
    Broken(
        "reads past a byte-order mark",
        "change.json",
        text_through(lambda text: json.loads(text.removeprefix("\ufeff"))),
    ),
    Broken(
        "replaces unpaired surrogates",
        "change.lossless",
        altered_result(
            lambda result: json.loads(json.dumps(result, ensure_ascii=False).encode("utf-8", "replace")),
            "decode",
        ),
    ),
    Broken("resurrects ids", "fold.no-id-reuse", folding(on_change(resurrects)), ("id.never-reused",)),
    Broken("replaces active records", "fold.no-id-reuse", folding(on_change(replaces)), ("id.never-reused",)),
    Broken(
        "ignores what is not active",
        "fold.inactive",
        folding(on_change(ignores_inactive)),
        ("fork.no-adoption",),
    ),
    Broken("moves an advanced every to the end", "fold.order", folding(on_change(moves_to_the_end))),
    Broken(
        "sorts by target",
        "fold.order",
        folding(
            shown=lambda state: fold.encode_state(
                State(tuple(sorted(state.active, key=lambda record: record.scheduled_at)), state.seen)
            )
        ),
    ),
    Broken(
        "forgets ended ids",
        "fold.create",
        folding(shown=lambda state: fold.encode_state(State(state.active, fold.ids(state)))),
        ("id.never-reused", "fold.no-id-reuse"),
    ),
    Broken(
        "counts from the decision time", "rate.anchor-aligned", folding(on_change(drifts)), ("rate.next",)
    ),
    Broken(
        "moves by one interval only",
        "rate.next",
        folding(on_change(steps_once)),
        ("rate.exhausted", "rate.not-early"),
    ),
    Broken(
        "stays on an aligned decision",
        "rate.next",
        folding(on_change(stays_when_aligned)),
        ("rate.exhausted",),
    ),
    Broken("refuses a decision at the target", "rate.not-early", folding(on_change(refuses_equality))),
    Broken("takes an early decision", "rate.not-early", folding(on_change(takes_early))),
    Broken(
        "forgets exhaustion", "rate.exhausted", folding(on_change(forgets_exhaustion)), ("fold.inactive",)
    ),
    Broken(
        "ends an every too soon",
        "rate.exhausted",
        folding(on_change(ends_too_soon)),
        ("fold.dispatch-every",),
    ),
    Broken("ends an every by its id", "fold.shape-match", folding(on_change(ends_every_by_id))),
    Broken(
        "ends a one-shot with acceptedAt", "fold.shape-match", folding(on_change(ends_one_shot_with_time))
    ),
    Broken("moves every every", "rate.independent", folding(on_change(moves_all))),
    Broken("a delete ends all", "fold.delete", folding(on_change(delete_ends_all)), ("record.immutable",)),
    Broken("a delete ends nothing", "fold.delete", folding(on_change(delete_ends_none)), ("fold.inactive",)),
    Broken(
        "a dispatch ends nothing",
        "fold.dispatch-one-shot",
        folding(on_change(dispatch_ends_none)),
        ("fold.inactive",),
    ),
    Broken("reads look-alike event types", "fold.authority", folding(reads_other_types)),
    Broken("refuses events without a type", "fold.event", folding(refuses_other_types), ("fold.authority",)),
    Broken("skips events that are no objects", "fold.event", folding(skips_what_is_no_object)),
    Broken("gives back a partial state", "fold.all-or-nothing", folding(skips_what_is_corrupt), ("*",)),
    Broken(
        "folds the parent's part",
        "fork.suffix",
        folding(begin=lambda _, __: 0),
        ("fork.prefix-unread", "fork.no-adoption", "id.session-local", "fork.bounds"),
    ),
    Broken("decodes the inherited part", "fork.prefix-unread", prefix_decoding),
    Broken("shares the parent's ids", "id.session-local", shared_ids),
    Broken("adopts the parent's reminders", "fork.no-adoption", adopting, ("fold.inactive",)),
    Broken("clamps the boundary", "fork.bounds", folding(begin=clamped)),
    Broken("cuts the boundary's fraction off", "fork.bounds", folding(begin=truncated)),
    Broken(
        "rounds occurrences to seconds",
        "rate.latest-due",
        _float_advance,
        ("rate.anchor-aligned", "rate.exact"),
    ),
    Broken(
        "gives null for no next target",
        "rate.exhausted",
        altered_result(lambda result: {"nextScheduledAt": None, **result}, "advance"),
    ),
    Broken(
        "is one interval late",
        "rate.next",
        altered_result(
            lambda result: (
                {**result, "nextScheduledAt": later(result["nextScheduledAt"], 300_000)}
                if "nextScheduledAt" in result
                else result
            ),
            "advance",
        ),
        ("rate.anchor-aligned",),
    ),
    Broken(
        "answers error for a rejection",
        "change.strict",
        altered_rejection(lambda _: {"error": {"message": "corrupt_schedule_log"}}),
        ("*",),
    ),
    Broken(
        "answers another code",
        "change.strict",
        altered_rejection(lambda _: {"rejected": {"code": "invalid_rule"}}),
        ("*",),
    ),
    Broken(
        "answers a code of its own",
        "change.strict",
        altered_rejection(lambda _: {"rejected": {"code": "corrupt"}}),
        ("*",),
    ),
    Broken("answers nothing", "change.strict", altered_rejection(lambda _: {}), ("*",)),
    Broken("breaks on deep nesting", "change.json", raising, ("*",)),
    Broken("remembers logs", "fold.deterministic", _once_more(set()), ("*",)),
)
