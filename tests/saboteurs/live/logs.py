"""Saboteurs of the log of a live session: candidates, forks, crashes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.saboteurs.live.puppet import Object, Puppet, breaking, patch, remembering, replaced
from tests.saboteurs.model import Make, Saboteur

from schedule_spec import changes, fold
from schedule_spec.delivery import barriers, inputs
from schedule_spec.fold import State
from schedule_spec.rejections import Rejection


def let_in(puppet: Puppet, request: Object) -> Object:
    reply = puppet.ask(request)
    if request["cmd"] == "append" and "rejected" in reply:
        return {"seq": request["seq"], "result": {"observed": []}}
    return reply


def kept_out(puppet: Puppet, request: Object) -> Object:
    if request["cmd"] == "append":
        return {"seq": request["seq"], "rejected": {"code": "corrupt_schedule_log"}}
    return puppet.ask(request)


def by_shape(puppet: Puppet, request: Object) -> Object:
    """A candidate that decodes is let in, whether or not it applies."""
    reply = puppet.ask(request)
    event = request.get("event")
    if request["cmd"] != "append" or "rejected" not in reply or not isinstance(event, dict):
        return reply
    if isinstance(changes.decode(event.get("data")), Rejection):
        return reply
    return {"seq": request["seq"], "result": {"observed": []}}


def kept_out_by_type(puppet: Puppet, request: Object) -> Object:
    """A candidate of another type is refused."""
    event = request.get("event")
    if request["cmd"] == "append" and isinstance(event, dict) and event.get("type") != fold.EVENT_TYPE:
        return {"seq": request["seq"], "rejected": {"code": "corrupt_schedule_log"}}
    return puppet.ask(request)


def ended_all_the_same(own: Any, session: Any, request: Any, terms: Any) -> Any:
    """A candidate dispatch takes its record out of memory, and is refused for its shape then."""
    following = own(session, request, terms)
    match request.get("event"):
        case {"data": {"operation": "dispatch", "id": str(id)}} if following.log == session.log:
            state = session.log.own
            kept = tuple(record for record in state.active if record.id != id)
            return replace(session, log=replace(session.log, state=State(kept, state.seen)))
    return following


def awaited_no_more(own: Any, session: Any, request: Any, terms: Any) -> Any:
    """A candidate dispatch ends the wait for its record, and is refused then."""
    following = own(session, request, terms)
    if following.log != session.log or _operation(request) != "dispatch":
        return following
    return replace(following, owner=replace(following.owner, owed=None, wake=None))


def _operation(request: Object) -> object:
    match request.get("event"):
        case {"data": {"operation": operation}}:
            return operation
    return None


def read_by_beginning(own: Any, log: Any, event: Any, terms: Any) -> bool:
    """Candidates of all types that begin as Schedule's one does have to fold."""
    if isinstance(event, dict) and str(event.get("type")).startswith("schedule/"):
        return bool(own(log, {**event, "type": fold.EVENT_TYPE}, terms))
    return bool(own(log, event, terms))


def whole_log(puppet: Puppet, request: Object) -> Object:
    """A session is refused where its whole log does not fold, the inherited part with it."""
    if request["cmd"] == "open" and not isinstance(fold.fold(request.get("events", [])), State):
        puppet.ask(request)
        return {"seq": request["seq"], "rejected": {"code": "corrupt_schedule_log"}}
    return puppet.ask(request)


def forgetful_fork(puppet: Puppet, request: Object) -> Object:
    """A fork does not keep the inherited events."""
    reply = puppet.ask(request)
    if request["cmd"] == "fork":
        puppet.memory[request["as"]] = request["at"]
    if request["cmd"] == "log" and request["session"] in puppet.memory:
        events = reply["result"]["events"][puppet.memory[request["session"]] :]
        return {**reply, "result": {**reply["result"], "events": events}}
    return reply


def handed_back(alter: Callable[[list[Any], int], list[Any]]) -> Make:
    """The events of a log are handed back otherwise, given how many of them are inherited."""

    def fault(puppet: Puppet, request: Object) -> Object:
        reply = puppet.ask(request)
        if request["cmd"] in ("open", "fork"):
            child = str(request.get("as", request["session"]))
            puppet.memory[child] = request.get("at", request.get("seedLength"))
        if request["cmd"] != "log":
            return reply
        events, seed = reply["result"]["events"], puppet.memory[request["session"]]
        altered = alter(events, int(seed) if seed in range(len(events) + 1) else 0)
        return {**reply, "result": {**reply["result"], "events": altered}}

    return breaking(fault)


def inherited_as(alter: Callable[[Object], Object]) -> Make:
    """The inherited events are handed back otherwise."""

    def altered(events: list[Any], seed: int) -> list[Any]:
        return [alter(event) if isinstance(event, dict) else event for event in events[:seed]] + events[seed:]

    return handed_back(altered)


def is_schedules(event: object) -> bool:
    return isinstance(event, dict) and event.get("type") == fold.EVENT_TYPE


def own_of_one_type(events: list[Any], seed: int) -> list[Any]:
    return events[:seed] + list(filter(is_schedules, events[seed:]))


def without_null(event: Object) -> Object:
    return {key: value for key, value in event.items() if value is not None}


def inherited_of_one_type(own: Any, parent: Any, request: Any, terms: Any) -> Any:
    """A fork copies the events that Schedule reads, and no others."""
    child = own(parent, request, terms)
    kept = tuple(text for text in child.log.events if is_schedules(inputs.parsed(text)))
    return replace(child, log=inputs.read_log(kept, len(kept), terms))


def with_the_parents_ids(own: Any, parent: Any, request: Any, terms: Any) -> Any:
    """The child takes the ids that its parent used for its own."""
    child = own(parent, request, terms)
    whole = inputs.read_log(child.log.events, 0, terms)
    return replace(child, log=replace(child.log, state=State((), whole.own.seen)))


def whole_at_0(own: Any, parent: Any, request: Any, terms: Any) -> Any:
    """A boundary of 0 is taken for none, and so for the end."""
    return own(parent, {**request, "at": request["at"] or len(parent.log.events)}, terms)


def adopted(own: Any, parent: Any, request: Any, terms: Any) -> Any:
    """The child begins with what was active in the parent at the fork."""
    child = own(parent, request, terms)
    whole = inputs.read_log(child.log.events, 0, terms)
    return (
        replace(child, log=replace(child.log, state=State(whole.own.active, ())))
        if whole.own.active
        else child
    )


def taken_for_written(memory: Object) -> Any:
    """What a barrier failed to write counts as written, so that the next one finds nothing to write."""

    def failed(own: Any, session: Any, moment: Any) -> Any:
        memory["taken"] = session.log.events
        return own(session, moment)

    def acknowledged(own: Any, session: Any) -> Any:
        return session if session.log.events == memory.get("taken") else own(session)

    return patch(barriers, "_failed", failed), patch(barriers, "_acknowledged", acknowledged)


def last_event_lost(own: Any, session: Any, least: int, terms: Any) -> Any:
    """Of what a crash leaves the last event is missing, durable or not."""
    return own(session, max(least - 1, session.log.seed or 0, 0), terms)


SABOTEURS = (
    Saboteur(
        "lets_any_candidate_in", "fold.candidate", "Foreign events are not looked at.", breaking(let_in)
    ),
    Saboteur(
        "keeps_every_candidate_out", "fold.candidate", "No foreign writer may append.", breaking(kept_out)
    ),
    Saboteur(
        "keeps_other_types_out",
        "fold.candidate",
        "Only events of Schedule may be appended.",
        breaking(kept_out_by_type),
    ),
    Saboteur(
        "ends_what_a_refused_dispatch_names",
        "deliver.no-loss",
        "A step of the fold changes memory before it has found that it must refuse.",
        replaced(patch(inputs.COMMANDS, "append", ended_all_the_same)),
    ),
    Saboteur(
        "awaits_no_more_what_a_refused_dispatch_names",
        "deliver.no-loss",
        "A dispatch clears the timer before it is known to be one of the log's.",
        replaced(patch(inputs.COMMANDS, "append", awaited_no_more)),
    ),
    Saboteur(
        "judges_candidates_by_the_beginning_of_their_type",
        "fold.candidate",
        "Events of every type that begins with schedule/ are taken for changes.",
        replaced(patch(inputs, "refuses", read_by_beginning)),
    ),
    Saboteur(
        "drops_events_of_other_types",
        "fold.authority",
        "A log is written anew from what Schedule reads of it.",
        handed_back(own_of_one_type),
    ),
    Saboteur(
        "judges_candidates_by_shape",
        "fold.candidate",
        "A candidate has to decode; whether it applies to the state is not asked.",
        breaking(by_shape),
    ),
    Saboteur(
        "refuses_sessions_for_their_inherited_part",
        "fold.candidate",
        "A session is opened only if its whole log folds, the inherited prefix included.",
        breaking(whole_log),
    ),
    Saboteur(
        "drops_the_inherited_events",
        "fork.history",
        "The child's log begins at the fork.",
        breaking(forgetful_fork),
    ),
    Saboteur(
        "keeps_the_last_hundred_events",
        "fold.authority",
        "A log is a ring: the hundred-and-first event takes the place of the first.",
        handed_back(lambda events, seed: events[-100:]),
    ),
    Saboteur(
        "forks_at_0_at_the_end",
        "fork.history",
        "A boundary of 0 is asked for as if there were none.",
        replaced(patch(inputs, "forked", whole_at_0)),
    ),
    Saboteur(
        "inherits_its_own_events_alone",
        "fork.history",
        "A fork leaves out the events of other types.",
        replaced(patch(inputs, "forked", inherited_of_one_type)),
    ),
    Saboteur(
        "inherits_data_of_null_where_there_are_none",
        "fork.history",
        "A fork copies events with a serializer that writes the data which an event does not have as null.",
        inherited_as(lambda event: {"data": None, **event}),
    ),
    Saboteur(
        "inherits_no_data_of_null",
        "fork.history",
        "A fork copies events with a serializer that writes no member which is null.",
        inherited_as(without_null),
    ),
    Saboteur(
        "refuses_a_parents_ids",
        "fold.candidate",
        "A fork keeps the parent's ids for seen, so that no writer may create one of them.",
        replaced(patch(inputs, "forked", with_the_parents_ids)),
    ),
    Saboteur(
        "delivers_the_parents_reminders",
        "fork.no-adoption",
        "A child of a fork takes over what was active in its parent.",
        replaced(patch(inputs, "forked", adopted)),
    ),
    Saboteur(
        "acknowledges_without_writing",
        "deliver.no-loss",
        "A barrier succeeds though nothing was written: what the crash leaves is a matter of luck.",
        replaced(patch(barriers, "_acknowledged", lambda own, session: session)),
    ),
    Saboteur(
        "takes_an_unwritten_tail_for_durable",
        "deliver.no-loss",
        "The mark of what is written moves before the write, and stays there where that fails.",
        remembering(taken_for_written),
    ),
    Saboteur(
        "loses_the_last_durable_event",
        "deliver.no-loss",
        "Recovery cuts off the last event as if it were torn.",
        replaced(patch(inputs, "_kept", last_event_lost)),
    ),
)
