"""Saboteurs of the log of a live session: candidates, forks, crashes."""

from dataclasses import replace
from typing import Any

from tests.saboteurs.live.puppet import Object, Puppet, breaking, patch, replaced
from tests.saboteurs.model import Saboteur

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


def adopted(own: Any, parent: Any, request: Any, terms: Any) -> Any:
    """The child begins with what was active in the parent at the fork."""
    child = own(parent, request, terms)
    whole = inputs.read_log(child.log.events, 0, terms)
    return (
        replace(child, log=replace(child.log, state=State(whole.own.active, ())))
        if whole.own.active
        else child
    )


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
        "loses_the_last_durable_event",
        "deliver.no-loss",
        "Recovery cuts off the last event as if it were torn.",
        replaced(patch(inputs, "_kept", last_event_lost)),
    ),
)
