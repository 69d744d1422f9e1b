"""Changes: one durable mutation each, decoded strictly.

Specifies the clauses change.*: a change is what an event of type `schedule/change` carries as `data`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from icontract import ensure

from schedule_spec import fields, instants, json_text, numbers, records
from schedule_spec.fields import CorruptError
from schedule_spec.json_text import Json, NotJson
from schedule_spec.marks import defines
from schedule_spec.records import Record
from schedule_spec.rejections import Rejection, corrupt, quoted

VERSION = 1
"""The only version there is (change.version)."""


@dataclass(frozen=True, slots=True)
class Create:
    """Begins a reminder (change.create)."""

    schedule: Record


@dataclass(frozen=True, slots=True)
class Delete:
    """Ends a reminder that is not wanted any more (change.delete)."""

    id: str


@dataclass(frozen=True, slots=True)
class DispatchOneShot:
    """Ends a one-shot whose follow-up was queued (change.dispatch-one-shot)."""

    id: str


@dataclass(frozen=True, slots=True)
class DispatchEvery:
    """Advances a fixed-rate reminder whose follow-up was queued (change.dispatch-every).

    `accepted_at` is the decision time in ms.
    """

    id: str
    accepted_at: int


Change = Create | Delete | DispatchOneShot | DispatchEvery
Decoder = Callable[[Json], Change | Rejection]
"""Reads the `data` of an event as a change, under one profile."""


def named_id(change: Change) -> str:
    """Return the id of the one reminder that a change is about."""
    return change.schedule.id if isinstance(change, Create) else change.id


@defines(
    "change.version",
    "change.create",
    "change.delete",
    "change.dispatch-one-shot",
    "change.dispatch-every",
    "change.strict",
)
@ensure(
    lambda result, value: isinstance(result, Rejection) or encode(result) == value,
    "change.lossless: what is accepted is handed back unchanged",
)
def decode(value: Json) -> Change | Rejection:
    """Return the change that the value is, or the refusal that names the first clause it breaks."""
    try:
        return _change(value)
    except CorruptError as error:
        return error.rejection


@defines("change.json", "change.strict")
def read_text(text: Json) -> Json | Rejection:
    """Return the value that a JSON text holds, or the refusal of what is none (change.json)."""
    if not isinstance(text, str):
        return corrupt("change.json", f"The text is {quoted(text)}; JSON text is required.")
    value = json_text.read(text)
    if isinstance(value, NotJson):
        return corrupt(
            "change.json", f"The text is no JSON: {value.message} after {value.position} characters."
        )
    return value


def _change(value: Json) -> Change:
    members = fields.members(value, "The change")
    if numbers.safe_integer(members.get("version")) != VERSION:
        came = quoted(members["version"]) if "version" in members else "missing"
        raise CorruptError(
            corrupt("change.version", f"version is {came}; the number 1 is required.", "version")
        )
    match members.get("operation"):
        case "create":
            fields.exactly(members, ("version", "operation", "schedule"), "change.create", "The create")
            return Create(_schedule(members["schedule"]))
        case "delete":
            fields.exactly(members, ("version", "operation", "id"), "change.delete", "The delete")
            return Delete(fields.identity(members["id"]))
        case "dispatch" if "acceptedAt" in members:
            fields.exactly(
                members,
                ("version", "operation", "id", "acceptedAt"),
                "change.dispatch-every",
                "The dispatch with acceptedAt",
            )
            return DispatchEvery(
                fields.identity(members["id"]), fields.instant(members["acceptedAt"], "acceptedAt")
            )
        case "dispatch":
            fields.exactly(
                members,
                ("version", "operation", "id"),
                "change.dispatch-one-shot",
                "The dispatch without acceptedAt",
            )
            return DispatchOneShot(fields.identity(members["id"]))
        case other:
            came = quoted(other) if "operation" in members else "missing"
            sentence = f"operation is {came}; create, delete and dispatch are the only operations."
            raise CorruptError(corrupt("change.strict", sentence, "operation"))


def _schedule(value: Json) -> Record:
    record = records.decode(value)
    if isinstance(record, Rejection):
        raise CorruptError(record.within("schedule"))
    return record


def encode(change: Change) -> dict[str, Json]:
    """Return the change as the JSON object that an event carries."""
    match change:
        case Create(schedule):
            return {"version": VERSION, "operation": "create", "schedule": records.encode(schedule)}
        case Delete(id):
            return {"version": VERSION, "operation": "delete", "id": id}
        case DispatchOneShot(id):
            return {"version": VERSION, "operation": "dispatch", "id": id}
        case DispatchEvery(id, accepted_at):
            return {
                "version": VERSION,
                "operation": "dispatch",
                "id": id,
                "acceptedAt": instants.render(accepted_at),
            }
    assert_never(change)
