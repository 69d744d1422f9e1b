"""What a tool result in a log answers, held against its call and what the log holds between the two.

Applies tool.*, view.* and barrier.uncertain. Calls may overlap: what was appended while several were open may
be any one's, and a list may show any of the states in between. Nothing is held against a foreign writer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from schedule_spec import absolute, instants, json_text, tools, views
from schedule_spec.changes import Change, Create, Delete, named_id
from schedule_spec.delivery_log.findings import Checked, Fault, NotShown
from schedule_spec.delivery_log.host_events import Answered, Called
from schedule_spec.json_text import Json, NotJson
from schedule_spec.profiles import Profile
from schedule_spec.records import After, At, Every, Record
from schedule_spec.rejections import Code, quoted, quoted_names
from schedule_spec.text import trim
from schedule_spec.tools import Creating, Deleting, Failed, Listing, NotFound, Refusal, Removed, Request
from schedule_spec.values import canonical, same
from schedule_spec.views import ScheduleState

MOST_CHANGES = 100
"""How many schedule changes are remembered of one open call."""

Active: TypeAlias = tuple[Record, ...]
Said: TypeAlias = tuple[Checked | NotShown, ...]
Shown: TypeAlias = tuple[Record, ScheduleState]
"""A record with the state that a view of it shows."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The host's clock over some events: the least and the latest time in ms, None without any.

    `steady` tells that every event had a time, and none an earlier one than that before it.
    """

    least: int | None = None
    latest: int | None = None
    steady: bool = True

    def read(self, time: int | None) -> "Clock":
        """Return the clock after one more event."""
        if time is None:
            return replace(self, steady=False)
        if self.latest is None:
            return replace(self, least=time, latest=time)
        return Clock(self.least, max(self.latest, time), self.steady and time >= self.latest)


@dataclass(frozen=True, slots=True)
class Call:
    """A call whose result has not come.

    `states` are the active records when it began and after each change since; `alone` tells that no other
    call was open meanwhile; `changes` are those since that no other call has accounted for.
    `lost` tells that more happened than is remembered.
    """

    begun: Called
    clock: Clock
    states: tuple[Active, ...]
    alone: bool
    changes: tuple[Change, ...] = ()
    lost: bool = False

    def after(self, change: Change, active: Active, time: int | None) -> "Call":
        """Return the open call after a change that leaves these active records."""
        if len(self.states) > MOST_CHANGES:
            return replace(self, lost=True)
        states, changes = (*self.states, active), (*self.changes, change)
        return replace(self, clock=self.clock.read(time), states=states, changes=changes)

    def without(self, claimed: Change | None) -> "Call":
        """Return the open call, where another call has accounted for a change."""
        return replace(self, changes=tuple(change for change in self.changes if change != claimed))


@dataclass(frozen=True, slots=True)
class Accounted:
    """A result with which nothing is wrong: what was checked or not shown, and the change it accounts for."""

    said: Said
    change: Create | Delete | None = None


def judge(call: Call, answered: Answered, time: int | None, profile: Profile) -> Accounted | Fault:
    """Return what a result shows, or what is wrong with it, by the host's clock in ms at its event."""
    if call.lost:
        return Accounted((NotShown.TOO_MUCH,))
    call = replace(call, clock=call.clock.read(time))
    shaped = _read(call.begun, profile)
    if answered.refused or answered.text is None:
        return _by_host(call, shaped, answered)
    value = json_text.read(answered.text)
    if isinstance(value, NotJson):
        return _by_host(call, shaped, answered)
    return _judge_error(call, shaped, value) if tools.is_error(value) else _judge_value(call, shaped, value)


def _judge_value(call: Call, shaped: Request | Refusal, value: Json) -> Accounted | Fault:
    match shaped:
        case Refusal(codes, _, clauses):
            sentence = f"The arguments were to be refused, and the result is {quoted(value)}."
            return Fault(clauses[0], sentence, _any_code(codes))
        case Creating():
            return _judge_create(call, shaped, value)
        case Listing():
            return _judge_list(call, value)
        case Deleting(id):
            return _judge_delete(call, id, value)


def _read(begun: Called, profile: Profile) -> Request | Refusal:
    given: Json = begun.arguments
    if isinstance(given, str) and not trim(given):
        given = {}
    if isinstance(given, str):
        shaped = tools.read_text(begun.tool, given, profile)
    else:
        shaped = tools.read(begun.tool, given, profile)
    return shaped if isinstance(shaped, Refusal) else shaped.request


def _by_host(call: Call, shaped: Request | Refusal, answered: Answered) -> Accounted | Fault:
    """Judge a result that is no JSON: the host's refusal, an abort, or a text put in the result's place."""
    if not answered.is_error:
        return Accounted((NotShown.FORM,))
    if not answered.refused:
        return Accounted((NotShown.BY_HOST,))
    own = _own(call, shaped)
    if call.alone and own:
        sentence = f"The arguments were refused, and {_append(own[0])}."
        return Fault("tool.ill-typed", sentence, ("a refusal before which nothing is appended",))
    return Accounted((Checked.ANSWER,))


def _own(call: Call, shaped: Request | Refusal) -> tuple[Create | Delete, ...]:
    """Return the changes since the call began that are what it asked for, whoever appended them."""
    match shaped:
        case Creating():
            return tuple(
                create
                for create in _creates(call)
                if not isinstance(_as_asked(shaped, create.schedule), Fault)
            )
        case Listing():
            return ()
        case Deleting(id):
            return (Delete(id),) if Delete(id) in call.changes else ()
        case Refusal():
            prompt = _prompt(call.begun.arguments)
            return tuple(create for create in _creates(call) if create.schedule.prompt == prompt)


def _creates(call: Call) -> tuple[Create, ...]:
    if call.begun.tool != tools.CREATE:
        return ()
    return tuple(change for change in call.changes if isinstance(change, Create))


def _prompt(arguments: Json) -> str | None:
    """Return the prompt, trimmed, of arguments that may be anything."""
    value = json_text.read(arguments) if isinstance(arguments, str) else arguments
    match value:
        case {"prompt": str(prompt)}:
            return trim(prompt)
    return None


def _append(change: Create | Delete) -> str:
    what = "create" if isinstance(change, Create) else "delete"
    return f"a {what} of {quoted(named_id(change))} was appended meanwhile"


# ---- errors


def _judge_error(call: Call, shaped: Request | Refusal, value: Json) -> Accounted | Fault:
    assert isinstance(value, dict)
    code = next((code for code in Code if code == value["code"]), None)
    if code is None:
        sentence = f"The code {quoted(value['code'])} does not exist."
        return Fault("tool.errors-closed", sentence, _any_code(_codes(shaped)))
    if code not in _codes(shaped):
        sentence = f"The code is {code}, and its condition does not hold."
        return Fault("tool.error-sound", sentence, _any_code(_codes(shaped)))
    own = _own(call, shaped)
    if code is Code.PERSISTENCE_UNCERTAIN and not isinstance(shaped, Refusal):
        return _judge_uncertain(call, shaped, value)
    if call.alone and own and code is not Code.INTERNAL_ERROR:
        sentence = f"The result is the error {code}, and {_append(own[0])}."
        return Fault("tool.create-result", sentence, ("the result that tells of what was appended",))
    if not tools.fits(Failed((code,)), value) and code is not Code.PERSISTENCE_UNCERTAIN:
        sentence = f"The error has other members than code and message: {quoted_names(value)}."
        return Fault("tool.errors-closed", sentence, (canonical({"code": str(code), "message": "…"}),))
    return Accounted((Checked.ANSWER,))


def _judge_uncertain(call: Call, request: Request, value: Json) -> Accounted | Fault:
    own = _own(call, request)
    known = tuple(map(named_id, own))
    ids = known if known and call.alone else (None, *known)
    allowed = tuple(tools.uncertain(request, id) for id in ids)
    fitting = next((answer for answer in allowed if tools.fits(answer, value)), None)
    if fitting is None:
        right = tuple(dict.fromkeys(canonical(tools.value_of(answer)) for answer in allowed))
        sentence = f"The error does not name the operation and the id that are known: {canonical(value)}"
        return Fault("barrier.uncertain", sentence, right)
    return Accounted((Checked.ANSWER,), next((it for it in own if named_id(it) == fitting.id), None))


_ALWAYS = (Code.PERSISTENCE_UNCERTAIN, Code.INTERNAL_ERROR)
_OF_AT = (Code.INVALID_RULE, Code.INVALID_TIME_ZONE, Code.NOT_FUTURE, Code.TIME_OUT_OF_RANGE)


def _codes(shaped: Request | Refusal) -> tuple[Code, ...]:
    """Return the codes that may answer on a log that folds, whatever the clock, disk and zone data were."""
    match shaped:
        case Refusal(codes=codes):
            return (*codes, Code.INTERNAL_ERROR)
        case Creating(selector="at"):
            return (*_ALWAYS, *_OF_AT)
        case Creating():
            return (*_ALWAYS, Code.TIME_OUT_OF_RANGE)
        case _:
            return _ALWAYS


def _any_code(codes: Sequence[Code]) -> tuple[str, ...]:
    return tuple(f"an error with the code {code}" for code in dict.fromkeys(codes))


# ---- results


def _judge_create(call: Call, request: Creating, value: Json) -> Accounted | Fault:
    created = _creates(call)
    shown = value.get("id") if isinstance(value, dict) else None
    change = next((change for change in created if change.schedule.id == shown), None)
    if change is None:
        right = tuple(_view(call.clock, change.schedule) for change in created)
        sentence = f"The result shows the id {quoted(shown)}, and no create of it was appended meanwhile."
        return Fault("tool.create-result", sentence, right or ("an error: nothing was appended",))
    record = change.schedule
    said = _judge_view(call, record, value, "tool.create-result")
    if isinstance(said, Fault):
        return said
    asked = _as_asked(request, record)
    if isinstance(asked, Fault):
        return asked
    return Accounted((Checked.ANSWER, *said, *asked), change)


def _as_asked(request: Creating, record: Record) -> tuple[NotShown, ...] | Fault:
    """Hold the stored record to the arguments of the create."""
    if record.prompt != request.prompt:
        sentence = f"The stored prompt is {quoted(record.prompt)}; {quoted(request.prompt)} was asked for."
        return Fault("tool.create-prompt", sentence, (f"the prompt {quoted(request.prompt)}",))
    given = json_text.read(request.value)
    assert not isinstance(given, NotJson)
    match request.selector, record:
        case "after_seconds", After(after_seconds=seconds):
            return _same_seconds("after.target", seconds, given)
        case "every_seconds", Every(every_seconds=seconds):
            return _same_seconds("every.first-target", seconds, given)
        case "at", At(scheduled_at=target):
            return _same_target(target, given)
    sentence = f"{request.selector} was given, and the record is of another kind."
    return Fault("tool.create-result", sentence, (f"the record that {request.selector} asks for",))


def _same_seconds(clause: str, seconds: int, given: Json) -> tuple[NotShown, ...] | Fault:
    if same(seconds, given):
        return ()
    sentence = f"The record has {seconds} s; the call gave another number."
    return Fault(clause, sentence, ("the number of seconds that was given",))


_OF_ZONE_DATA = ("zone.names", "local.gap-rejected")
"""The clauses that an `at` breaks or not with the release of the zone data."""


def _same_target(target: int, given: Json) -> tuple[NotShown, ...] | Fault:
    meant = absolute.instant_of(given)
    if meant == target:
        return ()
    if isinstance(meant, int):
        if not isinstance(given, str):
            return (NotShown.ZONE,)
        sentence = f"The target is {instants.render(target)}; {quoted(given)} means another."
        return Fault("at.offset-meaning", sentence, (f"the target {instants.render(meant)}",))
    faults = [fault for fault in meant if fault.clause not in _OF_ZONE_DATA]
    if not faults:
        return (NotShown.ZONE,)
    return Fault(faults[0].clause, faults[0].message, _any_code([fault.code for fault in faults]))


def _view(clock: Clock, record: Record) -> str:
    """Return the text of a record's view at the latest of the times, as far as these tell."""
    return canonical(views.encode(record, instants.EARLIEST if clock.latest is None else clock.latest))


def _judge_view(call: Call, record: Record, value: Json, clause: str) -> tuple[NotShown, ...] | Fault:
    shown = _shown(record, value)
    if shown is None:
        right = _view(call.clock, record)
        sentence = f"The view of {quoted(record.id)} is not that of the record: {_strays(record, value)}."
        return Fault(clause, sentence, (right,))
    return _judge_states(call.clock, (shown,))


def _shown(record: Record, value: Json) -> Shown | None:
    """Return the record with the state that a view of it shows; None where the value is no view of it."""
    view = views.encode(record, record.scheduled_at)
    return next(((record, state) for state in ScheduleState if same(value, view | {"state": state})), None)


def _strays(record: Record, value: Json) -> str:
    """Return the members in which a view is another than the record's."""
    if not isinstance(value, dict):
        return f"it is {quoted(value)}"
    right = views.encode(record, record.scheduled_at)
    wrong = [
        name
        for name in dict.fromkeys((*right, *value))
        if (name in value) != (name in right)
        or (name != "state" and not same(value.get(name), right.get(name)))
    ]
    return f"it differs in {quoted_names(wrong or ['state'])}"


def _judge_states(clock: Clock, shown: Sequence[Shown]) -> tuple[NotShown, ...] | Fault:
    """Hold states to the times between which the clock was sampled, where these tell."""
    if not clock.steady:
        return (NotShown.STATE,) if shown else ()
    assert clock.least is not None
    assert clock.latest is not None
    unclear = False
    for record, state in shown:
        earliest, latest = views.state_of(record, clock.least), views.state_of(record, clock.latest)
        unclear |= earliest is not latest
        if earliest is latest and state is not latest:
            target = instants.render(record.scheduled_at)
            sentence = f"{quoted(record.id)} is shown as {state}; with the target {target} it was {latest}."
            return Fault("view.state", sentence, (f"the state {latest}",))
    return (NotShown.STATE,) if unclear else ()


def _judge_list(call: Call, value: Json) -> Accounted | Fault:
    latest = call.states[-1]
    if not isinstance(value, list):
        return _wrong_list(call.clock, latest, f"The result is {quoted(value)}; an array is required.")
    for active in dict.fromkeys(call.states):
        shown = [each for each in map(_shown, active, value) if each is not None]
        if len(shown) == len(active) == len(value):
            return _listed(call.clock, shown)
    return _wrong_list(call.clock, latest, _list_difference(latest, value))


def _listed(clock: Clock, shown: Sequence[Shown]) -> Accounted | Fault:
    """Judge the states of a list that shows the right records: one clock sample must give them all."""
    overdue = [record for record, state in shown if state is ScheduleState.OVERDUE]
    scheduled = [record for record, state in shown if state is ScheduleState.SCHEDULED]
    latest = max(overdue, key=lambda record: record.scheduled_at, default=None)
    earliest = min(scheduled, key=lambda record: record.scheduled_at, default=None)
    if latest is not None and earliest is not None and earliest.scheduled_at <= latest.scheduled_at:
        sentence = (
            f"{quoted(latest.id)} is shown as overdue and {quoted(earliest.id)}, whose target is no later, as"
            " scheduled: no one clock sample gives both."
        )
        return Fault("tool.list", sentence, ("states under one clock sample",))
    said = _judge_states(clock, shown)
    return said if isinstance(said, Fault) else Accounted((Checked.ANSWER, *said))


def _wrong_list(clock: Clock, active: Active, sentence: str) -> Fault:
    views_then = ",".join(_view(clock, record) for record in active)
    return Fault("tool.list", sentence, (f"[{views_then}]",))


def _list_difference(active: Active, value: list[Json]) -> str:
    came = [view.get("id") if isinstance(view, dict) else view for view in value]
    wanted = [record.id for record in active]
    if came != wanted:
        return f"The list shows {_ids(came)}; active are {_ids(wanted)}, in this order."
    wrong = next(_wrong_views(active, value), "it differs")
    return f"The list shows the active ids, and of a record another view: {wrong}."


def _ids(ids: Sequence[Json]) -> str:
    return quoted_names(ids) if ids else "none"


def _wrong_views(active: Active, value: list[Json]) -> Iterator[str]:
    for record, view in zip(active, value, strict=True):
        if _shown(record, view) is None:
            yield f"{quoted(record.id)}, {_strays(record, view)}"


def _judge_delete(call: Call, id: str, value: Json) -> Accounted | Fault:
    change = Delete(id) if Delete(id) in call.changes else None
    was_away = any(all(record.id != id for record in active) for active in call.states)
    removed, not_found = tools.value_of(Removed(id)), tools.value_of(NotFound(id))
    if same(value, removed):
        if change is not None:
            return Accounted((Checked.ANSWER,), change)
        sentence = f"The result says that {quoted(id)} was deleted, and no delete of it was appended."
        return Fault("tool.delete-active", sentence, (_delete_right(was_away, removed, not_found),))
    if same(value, not_found):
        if was_away and not (change is not None and call.alone):
            return Accounted((Checked.ANSWER,))
        fate = "was active" if change is None else "was deleted by this call"
        sentence = f"The result says that {quoted(id)} was not found, and it {fate}."
        return Fault("tool.delete-unknown", sentence, (canonical(removed),))
    clause = "tool.delete-unknown" if change is None and was_away else "tool.delete-active"
    sentence = f"The result does not answer the deletion of {quoted(id)}: {quoted(value)}."
    right = _delete_right(was_away, removed, not_found) if change is None else canonical(removed)
    return Fault(clause, sentence, (right,))


def _delete_right(was_away: bool, removed: Json, not_found: Json) -> str:
    if was_away:
        return canonical(not_found)
    return f"a delete in the log before {canonical(removed)}"
