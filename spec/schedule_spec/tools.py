"""The three management tools, as far as values go: what a call means, and what it may answer.

Specifies the clauses tool.* but for the moments they speak of, which are the live law's subject (`delivery`),
and what profile.v1-after says of arguments. A call has two stages. What the arguments alone show is a
`Refusal`, answered before the queue is touched, or a `Request` (`read`). What a request comes to after its
first barrier depends on the fold and one clock sample (`outcome`). Where several answers are allowed, all of
them are held.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from schedule_spec import absolute, creation, fold, json_text, views
from schedule_spec.creation import SELECTORS, Refusals
from schedule_spec.fields import is_id
from schedule_spec.fold import Refused, State
from schedule_spec.json_text import Json, NotJson
from schedule_spec.marks import defines
from schedule_spec.profiles import Profile
from schedule_spec.records import Record
from schedule_spec.rejections import Code, Rejection
from schedule_spec.text import trim
from schedule_spec.values import canonical, same

CREATE = "schedule_create"
LIST = "schedule_list"
DELETE = "schedule_delete"
NAMES = (CREATE, LIST, DELETE)
"""The tools that a root agent gets (owner.roots-only)."""
NOT_FOUND = "schedule_not_found"
"""The code in the value, not an error, that answers the deletion of an id that is not active."""

Codes: TypeAlias = tuple[Code, ...]


@dataclass(frozen=True, slots=True)
class Creating:
    """A create whose arguments show no fault that must be reported before the queue.

    `value` is the canonical JSON text of the selector's value. `early` are the codes that the value of `at`
    shows by itself, which may be reported before or after the first barrier (tool.shape-first).
    """

    prompt: str
    selector: str
    value: str
    early: Codes = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """A list."""


@dataclass(frozen=True, slots=True)
class Deleting:
    """A delete of an id that is well formed."""

    id: str


Request: TypeAlias = Creating | Listing | Deleting


@dataclass(frozen=True, slots=True)
class Refusal:
    """Arguments that are refused before the queue is touched (tool.shape-first).

    `codes` may be answered, and, where `by_host`, the host's own refusal outside them (tool.ill-typed).
    `clauses` are those that the arguments break.
    """

    codes: Codes
    by_host: bool
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shaped:
    """A request, and whether the host's own argument check may refuse it instead (tool.ill-typed)."""

    request: Request
    by_host: bool = False


@defines("tool.shape-first", "tool.create-selector", "tool.create-prompt", "tool.ill-typed", "tool.case")
def read(tool: str, arguments: Json | NotJson, profile: Profile = Profile.V1) -> Shaped | Refusal:
    """Return what a call's arguments show by themselves, before any queue, barrier, fold or clock."""
    if tool not in NAMES:
        return Refusal((Code.INTERNAL_ERROR,), True, ("tool.ill-typed",))
    if not isinstance(arguments, dict):
        return Refusal(tuple(Code), True, ("tool.ill-typed",))
    if tool == CREATE:
        return _read_create(arguments, profile)
    if tool == DELETE:
        return _read_delete(arguments)
    return Shaped(Listing(), by_host=bool(arguments))


def read_text(tool: str, text: str, profile: Profile = Profile.V1) -> Shaped | Refusal:
    """Return the same for arguments that are given as JSON text."""
    return read(tool, json_text.read(text), profile)


def _read_delete(arguments: Mapping[str, Json]) -> Shaped | Refusal:
    id = arguments.get("id")
    if not isinstance(id, str):
        return Refusal((Code.INVALID_RULE,), True, ("tool.ill-typed",))
    further = len(arguments) > 1
    if not is_id(id):
        return Refusal((Code.INVALID_RULE,), further, ("tool.shape-first",))
    return Shaped(Deleting(id), by_host=further)


def _read_create(arguments: Mapping[str, Json], profile: Profile) -> Shaped | Refusal:
    known = ("after_seconds",) if profile is Profile.V1_AFTER else tuple(SELECTORS)
    present = [name for name in known if name in arguments]
    prompt = arguments.get("prompt")
    unknown = any(name != "prompt" and name not in known for name in arguments)
    faults = [fault for name in present if name != "at" for fault in _faults(name, arguments[name])]
    early = _faults("at", arguments["at"]) if "at" in present else ()
    codes: list[Code] = []
    clauses: list[str] = []
    if len(present) != 1 or unknown:
        codes.append(Code.INVALID_SELECTOR)
        clauses.append("tool.create-selector")
    trimmed = trim(prompt) if isinstance(prompt, str) else ""
    if not trimmed:
        codes.append(Code.INVALID_PROMPT)
        clauses.append("tool.create-prompt" if isinstance(prompt, str) else "tool.ill-typed")
    codes += [fault.code for fault in faults]
    clauses += [fault.clause for fault in faults]
    by_host = unknown or not isinstance(prompt, str) or any(_ill_typed(n, arguments[n]) for n in present)
    if codes:
        return Refusal(tuple(dict.fromkeys([*codes, *(f.code for f in early)])), by_host, tuple(clauses))
    [selector] = present
    early_codes = tuple(dict.fromkeys(fault.code for fault in early))
    return Shaped(Creating(trimmed, selector, canonical(arguments[selector]), early_codes), by_host)


def _faults(selector: str, value: Json) -> tuple[Rejection, ...]:
    read_value = SELECTORS[selector](value)
    return read_value if isinstance(read_value, tuple) else ()


def _ill_typed(selector: str, value: Json) -> bool:
    """Tell whether a declared schema, or lossless JSON, excludes the value: the host may refuse it."""
    if selector == "at":
        if isinstance(value, dict):
            strings = all(isinstance(member, str) for member in value.values())
            return value.keys() != {*absolute.MEMBERS} or not strings
        return not isinstance(value, str)
    return isinstance(value, bool) or not isinstance(value, int | float) or value == 0 or value % 1 != 0


@dataclass(frozen=True, slots=True)
class Store:
    """A create that appends this record under a fresh id; its own `id` is empty."""

    record: Record


@dataclass(frozen=True, slots=True)
class Remove:
    """A delete that appends the end of this active id."""

    id: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The value of a list: the records as views under a clock sample in ms, in creation order (tool.list)."""

    records: tuple[Record, ...]
    now: int


@dataclass(frozen=True, slots=True)
class Viewed:
    """The value of a create: its record as a view under a clock sample in ms (tool.create-result)."""

    record: Record
    now: int


@dataclass(frozen=True, slots=True)
class Removed:
    """The value of a delete that ended a record (tool.delete-active)."""

    id: str


@dataclass(frozen=True, slots=True)
class NotFound:
    """The value of a delete that found nothing active (tool.delete-unknown)."""

    id: str


@dataclass(frozen=True, slots=True)
class Failed:
    """An error object with one of these codes."""

    codes: Codes


@dataclass(frozen=True, slots=True)
class Uncertain:
    """`persistence_uncertain`, with the operation and the id where one is known (barrier.uncertain)."""

    operation: str
    id: str | None


Answer: TypeAlias = Shown | Viewed | Removed | NotFound | Failed | Uncertain
Outcome: TypeAlias = Store | Remove | Shown | NotFound | Failed


@defines("tool.list", "tool.delete-active", "tool.delete-unknown", "tool.corrupt", "tool.error-sound")
def outcome(request: Request, log: State | Refused, now: int) -> Outcome:
    """Return what a request comes to after its first barrier, under the fold and a clock sample in ms."""
    if isinstance(log, Refused):
        return Failed(_corrupt_codes(request, log))
    match request:
        case Listing():
            return Shown(log.active, now)
        case Deleting(id):
            return NotFound(id) if fold.find(log, id) is None else Remove(id)
        case Creating(prompt, selector, value):
            created = _created(prompt, selector, value, now)
            return Failed(created.codes) if isinstance(created, Refusals) else Store(created)


@defines("fold.event")
def _corrupt_codes(request: Request, log: Refused) -> Codes:
    """Return the codes of the stage after the first barrier: of `at`, what the value shows may come first."""
    unread = (Code.INTERNAL_ERROR,) if log.rejection.clause == "fold.event" else ()
    early = request.early if isinstance(request, Creating) else ()
    return (Code.CORRUPT_SCHEDULE_LOG, *unread, *early)


@lru_cache(maxsize=4096)
def _created(prompt: str, selector: str, value: str, now: int) -> Record | Refusals:
    given = json_text.read(value)
    assert not isinstance(given, NotJson)
    return creation.create({"id": "", "prompt": prompt, selector: given, "now": now})


def uncertain(request: Request, appended: str | None = None) -> Uncertain:
    """Return the answer where a barrier did not succeed; `appended` is the id a create has appended."""
    match request:
        case Creating():
            return Uncertain("create", appended)
        case Listing():
            return Uncertain("list", None)
        case Deleting(id):
            return Uncertain("delete", id)


def stored(record: Record, id: str) -> Record:
    """Return the record of a `Store` under the id it was given."""
    return replace(record, id=id)


def value_of(answer: Answer) -> Json:
    """Return the JSON value of an answer; of an error the first code, and no message."""
    match answer:
        case Shown(shown, now):
            return [views.encode(record, now) for record in shown]
        case Viewed(record, now):
            return views.encode(record, now)
        case Removed(id):
            return {"id": id, "deleted": True}
        case NotFound(id):
            return {"id": id, "deleted": False, "code": NOT_FOUND}
        case Failed(codes):
            return {"code": str(codes[0])}
        case Uncertain(operation, id):
            fields: dict[str, Json] = {} if id is None else {"id": id}
            return {"code": str(Code.PERSISTENCE_UNCERTAIN), "operation": operation} | fields


def is_error(value: Json) -> bool:
    """Tell whether a call's value is an error object rather than a result."""
    return isinstance(value, dict) and "code" in value and "deleted" not in value


@defines("tool.errors-closed", "barrier.uncertain", "view.fields", "view.state")
def fits(answer: Answer, value: Json) -> bool:
    """Tell whether a call's value is that answer; of an error the message is free."""
    if not isinstance(answer, Failed | Uncertain):
        return same(value, value_of(answer))
    if not isinstance(value, dict):
        return False
    bare = {
        name: member for name, member in value.items() if name != "message" or not isinstance(member, str)
    }
    if isinstance(answer, Failed):
        return any(same(bare, {"code": str(code)}) for code in answer.codes)
    return same(bare, value_of(answer))
