"""Ways to break a correct implementation in one thing: what it is shown, what it answers, how it folds.

The correct one is the bundled implementation, seen from outside; of the law's parts those are used that a
broken fold or a broken reading has to be built from.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.saboteurs.model import Handler, Saboteur

from schedule_impl import adapter
from schedule_spec import changes, fold, forks, instants, json_text, numbers, records
from schedule_spec.changes import Change, Create, DispatchEvery
from schedule_spec.fold import State
from schedule_spec.instants import LATEST
from schedule_spec.records import Every
from schedule_spec.rejections import Rejection, corrupt

Object = dict[str, Any]
Alter = Callable[[Any], Any]

CORRUPT = "corrupt_schedule_log"
INSTANTS = ("scheduledAt", "acceptedAt")
SELECTORS = ("after_seconds", "at", "every_seconds")


_REMEMBERED: dict[int, tuple[Object, Object]] = {}
"""Replies to requests that are asked of many systems, by the identity of the request, which is kept alive."""


def correct(request: Object) -> Object:
    """Return the right reply to a request, which nobody may change."""
    known = _REMEMBERED.get(id(request))
    return adapter.handle(request) if known is None else known[1]


def remembered(request: Object) -> Object:
    """Return the right reply to this very request, and keep it for those who ask the same again."""
    reply: Object = adapter.handle(request)
    _REMEMBERED[id(request)] = (request, reply)
    return reply


def sabotage(name: str, breaks: str, about: str, handle: Handler) -> Saboteur:
    """Return the saboteur that a handler without memory is."""
    return Saboteur(name, breaks, about, lambda: handle)


# --- answers


def refused(request: Object, code: str = CORRUPT) -> Object:
    """Return the reply that refuses."""
    return {"seq": request["seq"], "rejected": {"code": code}}


def granted(request: Object, result: Object) -> Object:
    """Return the reply that grants."""
    return {"seq": request["seq"], "result": result}


def code_of(reply: Object) -> str | None:
    """Return the code of a reply that refuses."""
    rejected = reply.get("rejected")
    return rejected["code"] if isinstance(rejected, dict) else None


def answering(command: str, alter: Callable[[Object, Object], Object]) -> Handler:
    """Alter what a command yields; `alter` is given the request and the result."""

    def handle(request: Object) -> Object:
        reply = correct(request)
        if request["cmd"] != command or "result" not in reply:
            return reply
        return granted(request, alter(request, reply["result"]))

    return handle


def refusing(is_wrongly_bad: Callable[[Object], bool], code: str = CORRUPT, *commands: str) -> Handler:
    """Refuse requests out of hand: of some commands, or of `decode`."""
    return lambda request: (
        refused(request, code)
        if request["cmd"] in (commands or ("decode",)) and is_wrongly_bad(request)
        else correct(request)
    )


def coded(due: str, code: str, applies: Callable[[Object], bool] = lambda _: True) -> Handler:
    """Refuse a creation with another code than the one that is due, where it is such a creation."""

    def handle(request: Object) -> Object:
        reply = correct(request)
        if request["cmd"] == "create" and code_of(reply) == due and applies(members(request)):
            return refused(request, code)
        return reply

    return handle


# --- changes and records


def on_changes(alter: Alter) -> Handler:
    """Show every change altered, in `decode` and within logs."""

    def handle(request: Object) -> Object:
        match request:
            case {"cmd": "decode", "json": str(text)}:
                value = json_text.read(text)
                if isinstance(value, dict) and "change" in value:
                    return correct({"seq": request["seq"], "cmd": "decode", "change": alter(value["change"])})
            case {"cmd": "decode", "change": change}:
                return correct({**request, "change": alter(change)})
            case {"cmd": "fold", "events": list(events)}:
                return correct({**request, "events": [_altered(event, alter) for event in events]})
        return correct(request)

    return handle


def _altered(event: Any, alter: Alter) -> Any:
    return {**event, "data": alter(event.get("data"))} if is_schedule_event(event) else event


def is_schedule_event(event: Any) -> bool:
    """Tell whether an event is one that the fold reads."""
    return isinstance(event, dict) and event.get("type") == "schedule/change"


def on_records(alter: Callable[[Object], Object]) -> Handler:
    """Show every record of a create altered."""

    def altered(change: Any) -> Any:
        if isinstance(change, dict) and isinstance(change.get("schedule"), dict):
            return {**change, "schedule": alter(change["schedule"])}
        return change

    return on_changes(altered)


def on_field(name: str, alter: Alter) -> Handler:
    """Show one field altered wherever it stands, in changes and in their records."""

    def fixed(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        inner = {**value, "schedule": fixed(value["schedule"])} if "schedule" in value else value
        return {**inner, name: alter(inner[name])} if name in inner else inner

    return on_changes(fixed)


def on_instants(alter: Callable[[str], str]) -> Handler:
    """Show every durable instant of a change that is a string altered."""

    def fixed(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        inner = {**value, "schedule": fixed(value["schedule"])} if "schedule" in value else value
        return {
            key: alter(given) if key in INSTANTS and isinstance(given, str) else given
            for key, given in inner.items()
        }

    return on_changes(fixed)


def change_of(request: Object) -> Any:
    """Return the change that a `decode` is asked about."""
    if "json" not in request:
        return request.get("change")
    value = json_text.read(request["json"]) if isinstance(request["json"], str) else None
    return value.get("change") if isinstance(value, dict) else None


def record_in(request: Object) -> Object:
    """Return the record within the change that a `decode` is asked about, empty where there is none."""
    change = change_of(request)
    schedule = change.get("schedule") if isinstance(change, dict) else None
    return schedule if isinstance(schedule, dict) else {}


def text_through(parse: Callable[[str], Any]) -> Handler:
    """Read the JSON text of changes by another parser; what that refuses is refused."""

    def handle(request: Object) -> Object:
        if request["cmd"] != "decode" or not isinstance(request.get("json"), str):
            return correct(request)
        try:
            value = parse(request["json"])
        except (ValueError, RecursionError):
            return refused(request)
        found = value if isinstance(value, dict) else {}
        return correct({"seq": request["seq"], "cmd": "decode", "change": found.get("change")})

    return handle


# --- logs

Step = Callable[[State, Any], State | Rejection]


def folding(
    step: Step = fold.step,
    *,
    begin: Callable[[list[Any], Any], Any] = lambda _, seed_length: seed_length,
    shown: Callable[[State], Object] = fold.encode_state,
) -> Handler:
    """Fold otherwise: by another step, from another position, or with another rendering."""

    def handle(request: Object) -> Object:
        if request["cmd"] != "fold":
            return correct(request)
        events = request["events"]
        position = forks.boundary(events, begin(events, request.get("seedLength", 0)))
        if isinstance(position, Rejection):
            return refused(request)
        state = fold.EMPTY
        for event in events[position:]:
            following = step(state, event)
            if isinstance(following, Rejection):
                return refused(request)
            state = following
        return granted(request, shown(state))

    return handle


Apply = Callable[[State, Change], State | Rejection | None]


def on_change(apply: Apply) -> Step:
    """The right step, but for changes for which another outcome is given."""

    def step(state: State, event: Any) -> State | Rejection:
        if is_schedule_event(event):
            change = changes.decode(event.get("data"))
            outcome = None if isinstance(change, Rejection) else apply(state, change)
            if outcome is not None:
                return outcome
        return fold.step(state, event)

    return step


def applying(apply: Apply) -> Handler:
    """Fold otherwise those changes for which another outcome is given."""
    return folding(on_change(apply))


def ended(state: State, id: str) -> State:
    """Return the state without an active record."""
    return State(tuple(record for record in state.active if record.id != id), state.seen)


def retargeted(state: State, record: Every, target: int) -> State:
    """Return the state with another target of an every; one beyond the range ends it."""
    if target > LATEST:
        return ended(state, record.id)
    moved = replace(record, scheduled_at=target)
    return State(tuple(moved if other.id == record.id else other for other in state.active), state.seen)


def every_of(state: State, change: Change) -> Every | None:
    """Return the active every that a dispatch in time names."""
    if not isinstance(change, DispatchEvery):
        return None
    found = fold.find(state, change.id)
    return found if isinstance(found, Every) and change.accepted_at >= found.scheduled_at else None


def is_created(state: State, change: Change) -> bool:
    """Tell whether a change creates an id that was seen before."""
    return isinstance(change, Create) and change.schedule.id in state.seen


REFUSED = corrupt("change.strict", "Refused by a saboteur.")
"""A rejection of which only that it is one is shown."""


# --- fixed rate

Advanced = tuple[int, int | None]
Rate = Callable[[int, int, int], Advanced | Rejection | None]
"""From target, interval and decision time to occurrence and next target, all in ms, a refusal, or None."""


def advancing(rate: Rate) -> Handler:
    """Advance everys otherwise, asked alone and within logs."""
    in_logs = applying(lambda state, change: _dispatched(state, change, rate))

    def handle(request: Object) -> Object:
        return _advanced(request, rate) if request["cmd"] == "advance" else in_logs(request)

    return handle


def _dispatched(state: State, change: Change, rate: Rate) -> State | Rejection | None:
    record = fold.find(state, change.id) if isinstance(change, DispatchEvery) else None
    if not isinstance(change, DispatchEvery) or not isinstance(record, Every):
        return None
    outcome = rate(record.scheduled_at, record.interval, change.accepted_at)
    if outcome is None or isinstance(outcome, Rejection):
        return outcome
    return ended(state, record.id) if outcome[1] is None else retargeted(state, record, outcome[1])


def _advanced(request: Object, rate: Rate) -> Object:
    record, accepted = records.decode(request.get("record")), numbers.safe_integer(request.get("acceptedAt"))
    if not isinstance(record, Every) or accepted is None:
        return correct(request)
    outcome = rate(record.scheduled_at, record.interval, accepted)
    if outcome is None:
        return correct(request)
    if isinstance(outcome, Rejection):
        return refused(request)
    occurrence, following = outcome
    result = {"occurrenceAt": rendered(occurrence)}
    if following is not None:
        result["nextScheduledAt"] = rendered(following)
    return granted(request, result)


def rendered(ms: int) -> str:
    """Return the canonical text of an instant, brought into the range where it lies outside."""
    return instants.render(min(max(ms, instants.EARLIEST), LATEST))


# --- creations


def members(request: Object) -> Object:
    """Return the members of a creation, those of its JSON text where it is given as one."""
    value = json_text.read(request["json"]) if isinstance(request.get("json"), str) else None
    return value if isinstance(value, dict) else request


def creating(alter: Callable[[Object], Object]) -> Handler:
    """Show every creation altered, read from its JSON text where it is given as one."""

    def handle(request: Object) -> Object:
        if request["cmd"] != "create":
            return correct(request)
        return correct({**alter(members(request)), "seq": request["seq"], "cmd": "create"})

    return handle


def on_member(name: str, alter: Alter) -> Handler:
    """Show one member of every creation altered."""
    return creating(lambda given: {**given, name: alter(given[name])} if name in given else given)


def on_prompt(alter: Callable[[str], str]) -> Handler:
    """Show the prompt of every creation altered."""
    return on_member("prompt", lambda prompt: alter(prompt) if isinstance(prompt, str) else prompt)


def on_string(alter: Callable[[str], str]) -> Handler:
    """Show every `at` that is a string altered."""
    return on_member("at", lambda at: alter(at) if isinstance(at, str) else at)


def on_local(name: str, alter: Callable[[str], str]) -> Handler:
    """Show one member of every structured `at` altered, where it is a string."""

    def altered(at: Any) -> Any:
        if isinstance(at, dict) and isinstance(at.get(name), str):
            return {**at, name: alter(at[name])}
        return at

    return on_member("at", altered)


def on_created(kind: str, alter: Callable[[Object, Object], Object]) -> Handler:
    """Alter the record that a creation of a kind stores; `alter` is given the creation's members too."""
    return answering(
        "create",
        lambda request, result: (
            {"record": alter(members(request), result["record"])}
            if result["record"]["kind"] == kind
            else result
        ),
    )


def moved(record: Object, move: Callable[[int], int]) -> Object:
    """Return a record with another target."""
    return {**record, "scheduledAt": rendered(move(instants.parse(record["scheduledAt"]) or 0))}
