"""The implementation as the conformance suite's protocol addresses it: one request object in, one reply out.

Nothing escapes as an exception: a refusal by the clauses is `rejected`, a request that the protocol doesn't
know `unsupported` or `error`.
"""

import reprlib
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct, json

from schedule_impl.changes import Change, Create, Every, check_change
from schedule_impl.codec import CHANGES, RECORDS, REFUSALS, read_json, to_json
from schedule_impl.creation import create, create_text
from schedule_impl.due import Agenda, BatchDue, OneShotDue, Reminder, Wait
from schedule_impl.errors import Code, ScheduleError, corrupt
from schedule_impl.fold import fold
from schedule_impl.framing import batch, one_shot
from schedule_impl.instants import MAXIMUM, MINIMUM, to_ms, to_text
from schedule_impl.numbers import safe_integer
from schedule_impl.rate import latest_due, next_target
from schedule_impl.simulation.commands import WORLD_COMMANDS, begin
from schedule_impl.text import plain
from schedule_impl.views import view
from schedule_impl.zones import RELEASE

PROTOCOL: Final = 1
"""The number of the adapter protocol."""
VERSION: Final = "0.1.0"
"""The version of this implementation."""

Request = dict[str, Any]


class _DecodeRequest(Struct):
    change: Change


_decode_request: Final = json.Decoder(_DecodeRequest)


class _ProtocolError(Exception):
    """The request is none of this protocol."""


def handle(request: object) -> dict[str, Any]:
    """Answer one request."""
    if not isinstance(request, dict) or "seq" not in request:
        return {"seq": None, "error": {"message": "a request is an object with seq"}}
    return {"seq": request["seq"], **_answer(request)}


def _answer(request: Request) -> dict[str, Any]:
    command = request.get("cmd")
    try:
        if not isinstance(command, str):
            return {"unsupported": {"feature": reprlib.repr(command)}}
        if command not in _COMMANDS:
            return {"unsupported": {"feature": command}}
        return {"result": _COMMANDS[command](request)}
    except ScheduleError as refusal:
        return {"rejected": {"code": refusal.code, "message": refusal.message}}
    except _ProtocolError as problem:
        return {"error": {"message": str(problem)}}
    except Exception as problem:
        return {"error": {"message": f"{type(problem).__name__}: {problem}"}}


def _hello(request: Request) -> dict[str, Any]:
    if safe_integer(request.get("protocol")) != PROTOCOL:
        raise _ProtocolError(f"this adapter speaks protocol {PROTOCOL} alone")
    begin()
    return {
        "protocol": PROTOCOL,
        "implementation": {"name": "schedule_impl", "version": VERSION, "language": "python"},
        "profile": "v1",
        "features": [
            "decode",
            "fold",
            "create",
            "rate",
            "view",
            "due",
            "frame",
            "tools",
            "delivery",
            "candidate",
            "surrogates",
        ],
        "observes": ["followup", "append", "answer", "barrier", "claim", "release"],
        "tzdata": RELEASE,
    }


def _decode(request: Request) -> dict[str, Any]:
    if "json" not in request:
        return {"change": to_json(CHANGES.convert(request.get("change")))}
    return {"change": to_json(_read_change(_text(request, "corrupt_schedule_log")))}


def _read_change(text: str) -> Change:
    """The member `change` of a JSON text; the others are not looked at."""
    try:
        change = _decode_request.decode(text).change
    except REFUSALS:
        members = read_json(text)
        return CHANGES.convert(members.get("change") if isinstance(members, dict) else None)
    check_change(change)
    return change


def _fold(request: Request) -> dict[str, Any]:
    events = request.get("events")
    if not isinstance(events, list):
        raise corrupt("events is no array")
    state = fold(events, request.get("seedLength", 0))
    return {"active": [to_json(record) for record in state.active()], "seen": state.seen()}


def _create(request: Request) -> dict[str, Any]:
    if "json" not in request:
        return {"record": to_json(create(request))}
    return {"record": to_json(create_text(_text(request, "invalid_rule")))}


def _text(request: Request, code: Code) -> str:
    text = request["json"]
    if not isinstance(text, str):
        raise ScheduleError(code, "json is no text")
    return plain(text)


def _view(request: Request) -> dict[str, Any]:
    return {"view": view(RECORDS.convert(request.get("record")), request.get("now"))}


def _advance(request: Request) -> dict[str, Any]:
    record = RECORDS.convert(request.get("record"))
    if not isinstance(record, Every):
        raise corrupt("only an every record advances")
    accepted = safe_integer(request.get("acceptedAt"))
    if accepted is None or not MINIMUM <= accepted <= MAXIMUM:
        raise corrupt("acceptedAt is no integer of ms within the range of instants")
    target, interval = to_ms(record.scheduledAt), record.everySeconds * 1000
    result = {"occurrenceAt": to_text(latest_due(target, interval, accepted))}
    following = next_target(target, interval, accepted)
    if following is not None:
        result["nextScheduledAt"] = to_text(following)
    return result


def _due(request: Request) -> dict[str, Any]:
    records, now = request.get("records"), safe_integer(request.get("now"))
    if not isinstance(records, list):
        raise corrupt("records is no array")
    if now is None:
        raise ScheduleError("time_out_of_range", "now is no safe integer of milliseconds")
    agenda = Agenda()
    for record in records:
        agenda.apply(Create(1, RECORDS.convert(record)))
    match agenda.decide(now):
        case OneShotDue(reminder):
            return {"kind": "one-shot", "id": reminder.id}
        case BatchDue(accepted, reminders):
            listed = [{"id": item.id, "occurrenceAt": to_text(item.occurrence)} for item in reminders]
            return {"kind": "batch", "acceptedAt": to_text(accepted), "reminders": listed}
        case Wait(until):
            return {"kind": "wait"} if until is None else {"kind": "wait", "until": to_text(until)}


def _frame(request: Request) -> dict[str, Any]:
    record = RECORDS.convert(request.get("record"))
    if isinstance(record, Every):
        raise corrupt("an every record is framed in a batch")
    return {"text": one_shot(Reminder(record.id, record.prompt, to_ms(record.scheduledAt)))}


def _frame_batch(request: Request) -> dict[str, Any]:
    reminders = request.get("reminders")
    if not isinstance(reminders, list) or not reminders:
        raise corrupt("reminders is no array, or empty")
    return {"text": batch([_reminder(item) for item in reminders])}


def _reminder(item: object) -> Reminder:
    if not isinstance(item, dict):
        raise corrupt("a reminder is no object")
    record = RECORDS.convert(item.get("record"))
    text: Any = item.get("occurrenceAt")
    if not isinstance(record, Every):
        raise corrupt("only every records make up a batch")
    try:
        occurrence = to_ms(plain(text))
    except (TypeError, ValueError):
        raise corrupt("occurrenceAt is no canonical instant") from None
    return Reminder(record.id, record.prompt, occurrence)


_COMMANDS: Final[dict[str, Callable[[Request], dict[str, Any]]]] = {
    "hello": _hello,
    "decode": _decode,
    "fold": _fold,
    "create": _create,
    "advance": _advance,
    "view": _view,
    "due": _due,
    "frame": _frame,
    "frame_batch": _frame_batch,
    **WORLD_COMMANDS,
}
