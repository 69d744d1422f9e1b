"""Saboteurs of durability: when a call may read, confirm, leave, and what it may say."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.saboteurs.live.puppet import (
    Object,
    Puppet,
    breaking,
    erring,
    observed,
    patch,
    remembering,
    replaced,
    seeing,
    unheard,
    with_observed,
)
from tests.saboteurs.model import Make, Saboteur

from schedule_spec import fold
from schedule_spec.delivery import barriers, calls, inputs, owners
from schedule_spec.delivery.model import Released, Resting
from schedule_spec.fold import State
from schedule_spec.rejections import Code
from schedule_spec.tools import Deleting, Failed, Listing, NotFound, Shown, Uncertain, Viewed


def last_dropped(seen: list[Object]) -> list[Object]:
    """No barrier between an append and its answer."""
    return [
        one
        for place, one in enumerate(seen)
        if not ("barrier" in one and place and "append" in seen[place - 1])
    ]


def preflight_dropped(seen: list[Object]) -> list[Object]:
    return seen[1:] if seen and "barrier" in seen[0] else seen


def taken_for_good(concerns: Callable[[Any, str], bool]) -> Make:
    """Some barriers that did not succeed count as successful, though nothing is durable."""

    def settled(own: Any, session: Any, moment: Any, result: str) -> Any:
        if not concerns(session, result):
            return own(session, moment, result)
        durable = session.log.durable
        following = own(session, moment, "ok")
        return [replace(each, log=replace(each.log, durable=durable)) for each in following]

    return replaced(patch(barriers, "_settled", settled))


def behind_a_delete(session: Any, result: str) -> bool:
    deleting = owners.mid_call(session) and isinstance(session.calls[0].appended, str)
    return deleting and result == "missing"


def before_due_work(session: Any, result: str) -> bool:
    return isinstance(session.phase, Resting) and not session.calls and result == "missing"


def behind_a_delivery(session: Any, result: str) -> bool:
    return isinstance(session.phase, Released) and result == "missing"


def on_uncertain(told: Callable[[Any, Any], Any]) -> Make:
    """Where a barrier of a call failed, something else is answered than that."""

    def other(own: Any, session: Any, answers: Any, owner: Any) -> Any:
        if len(answers) == 1 and isinstance(answers[0], Uncertain):
            return own(session, (told(session, answers[0]),), owner)
        return own(session, answers, owner)

    return replaced(patch(barriers, "completed", other))


def last_known(session: Any, uncertain: Uncertain) -> Any:
    request = session.calls[0].request
    return Shown(session.log.own.active, 0) if isinstance(request, Listing) else uncertain


def none_found(session: Any, uncertain: Uncertain) -> Any:
    request = session.calls[0].request
    unknown = isinstance(request, Deleting) and fold.find(session.log.own, request.id) is None
    return NotFound(request.id) if unknown else uncertain


def done_all_the_same(session: Any, uncertain: Uncertain) -> Any:
    appended = session.calls[0].appended
    return uncertain if appended is None or isinstance(appended, str) else Viewed(appended, 0)


def retracted(seen: list[Object]) -> list[Object]:
    """A create whose second barrier failed is deleted again."""
    more = []
    for one in seen:
        match one:
            case {"answer": {"value": {"operation": "create", "id": str(id)}}}:
                data = {"version": 1, "operation": "delete", "id": id}
                event = {"type": fold.EVENT_TYPE, "data": data}
                more.append({"at": one["at"], "session": one["session"], "append": event})
        more.append(one)
    return more


def unconfirmed_forgotten(memory: Object) -> Any:
    """A record whose create was not confirmed is dropped from memory, though its event stands in the log."""

    def failed(own: Any, session: Any) -> Any:
        head = session.calls[0] if session.calls else None
        appended = head.appended if head is not None else None
        following = own(session)
        if appended is None or isinstance(appended, str):
            return following
        state = session.log.own
        kept = tuple(record for record in state.active if record.id != appended.id)
        return [replace(each, log=replace(each.log, state=State(kept, state.seen))) for each in following]

    return (patch(barriers, "_failed_at_rest", failed),)


def out_of_turn(puppet: Puppet, request: Object) -> Object:
    """A list that stands behind another call is answered at once."""
    reply = puppet.ask(request)
    if request["cmd"] != "call":
        return reply
    waiting = puppet.memory.setdefault("waiting", {})
    if observed(reply) or request["tool"] != "schedule_list" or not waiting.get(request["session"]):
        waiting[request["session"]] = not observed(reply)
        return reply
    answer = {"callId": request["callId"], "value": []}
    return with_observed(reply, [{"at": puppet.now, "session": request["session"], "answer": answer}])


def newest_first(own: Any, session: Any, request: Any, terms: Any) -> Any:
    """Of the calls that wait, the last to come is served first."""
    following = own(session, request, terms)
    if len(following.calls) < 3 or len(following.calls) == len(session.calls):
        return following
    head, *rest = following.calls
    return replace(following, calls=(head, rest[-1], *rest[:-1]))


def appended_after_abort(puppet: Puppet, request: Object) -> Object:
    """A cancelled call answers at once, and works on."""
    memory = puppet.memory.setdefault(request.get("session", ""), {"open": set(), "gone": set()})
    if request["cmd"] == "call":
        memory["open"].add(request["callId"])
    if request["cmd"] == "abort" and request["callId"] in memory["open"]:
        memory["open"].discard(request["callId"])
        memory["gone"].add(request["callId"])
        answer = {"callId": request["callId"], "aborted": True}
        reply = {"seq": request["seq"], "result": {"observed": []}}
        return with_observed(reply, [{"at": puppet.now, "session": request["session"], "answer": answer}])
    reply = puppet.ask(request)
    seen = []
    for one in observed(reply):
        call = one.get("answer", {}).get("callId")
        memory = puppet.memory.setdefault(one["session"], {"open": set(), "gone": set()})
        memory["open"].discard(call)
        if call not in memory["gone"]:
            seen.append(one)
    return with_observed(reply, seen)


def place_kept(memory: Object) -> Any:
    """A call that is cancelled while it waits keeps its place for good, and nobody comes after it."""

    def aborted(own: Any, session: Any, request: Any, terms: Any) -> Any:
        waiting = any(call.id == request["callId"] for call in session.calls[1:])
        memory["stuck"] = memory.get("stuck", False) or waiting
        return own(session, request, terms)

    def called(own: Any, session: Any, request: Any, terms: Any) -> Any:
        return session if memory.get("stuck") else own(session, request, terms)

    return patch(inputs.COMMANDS, "abort", aborted), patch(inputs.COMMANDS, "call", called)


def aborted_as_error(own: Any, session: Any, answers: Any, owner: Any) -> Any:
    """What is cancelled ends in an error of the tool, and not in the host's abort."""
    if session.calls and session.calls[0].aborted and not session.calls[0].answered:
        return own(session, (Failed((Code.INTERNAL_ERROR,)),), owner)
    return own(session, answers, owner)


def cancelling(others: Callable[[list[str]], list[str]]) -> Make:
    """An abort cancels these of the other open calls too; the oldest stands first."""

    def fault(puppet: Puppet, request: Object) -> Object:
        reply = puppet.ask(request)
        calls_of = puppet.memory.setdefault("open", {}).setdefault(request.get("session", ""), [])
        if request["cmd"] == "call":
            calls_of.append(request["callId"])
        if request["cmd"] == "abort" and request["callId"] in calls_of:
            for other in others([each for each in calls_of if each != request["callId"]]):
                reply = puppet.also(reply, cmd="abort", session=request["session"], callId=other)
        for one in observed(reply):
            answered = puppet.memory["open"].get(one["session"], [])
            if one.get("answer", {}).get("callId") in answered:
                answered.remove(one["answer"]["callId"])
        return reply

    return breaking(fault)


def circuit_opened(puppet: Puppet, request: Object) -> Object:
    """Once five barriers of tools have failed in a row, calls are answered without one."""
    if request["cmd"] == "call" and puppet.memory.get(request["session"], 0) >= 5:
        value = {"code": "persistence_uncertain", "operation": request["tool"][9:], "message": "later"}
        answer = {"callId": request["callId"], "value": value}
        seen = [{"at": puppet.now, "session": request["session"], "answer": answer}]
        return {"seq": request["seq"], "result": {"observed": seen}}
    reply = puppet.ask(request)
    for one in observed(reply):
        if "barrier" in one and request["cmd"] == "call":
            failed = puppet.memory.get(one["session"], 0) + 1
            puppet.memory[one["session"]] = 0 if one["barrier"] == "ok" else failed
    return reply


def taken_back(puppet: Puppet, request: Object) -> Object:
    """A create that is cancelled behind its append is deleted again once its barrier is through."""
    if request["cmd"] == "abort":
        puppet.memory[request["callId"]] = True
    reply = puppet.ask(request)
    more = []
    for one in observed(reply):
        match one:
            case {"answer": {"callId": call, "value": {"state": _, "id": id}}} if call in puppet.memory:
                data = {"version": 1, "operation": "delete", "id": id}
                event = {"type": fold.EVENT_TYPE, "data": data}
                more.append({"at": one["at"], "session": one["session"], "append": event})
        more.append(one)
    return with_observed(reply, more)


SABOTEURS = (
    Saboteur(
        "reads_before_the_barrier",
        "barrier.before-read",
        "A call reads the fold in memory, and waits for nothing.",
        seeing(preflight_dropped, "call"),
    ),
    Saboteur(
        "confirms_before_second_barrier",
        "barrier.after-append",
        "A create or delete is confirmed as soon as it is appended.",
        seeing(last_dropped, "call", "release"),
    ),
    Saboteur(
        "takes_a_failed_barrier_for_good",
        "barrier.uncertain",
        "The flush's failure is logged, and the call goes on.",
        taken_for_good(lambda session, result: result == "fail"),
    ),
    Saboteur(
        "takes_a_missing_barrier_for_good",
        "barrier.uncertain",
        "A flush in which no listener took part counts as one in which none failed.",
        taken_for_good(lambda session, result: result == "missing"),
    ),
    Saboteur(
        "confirms_a_delete_that_nobody_wrote",
        "barrier.uncertain",
        "Of the barrier behind a delete it is asked whether it failed, and not whether it was one.",
        taken_for_good(behind_a_delete),
    ),
    Saboteur(
        "takes_up_due_work_that_nobody_wrote",
        "owner.activity-retry",
        "Of the barrier before due work it is asked whether it failed, and not whether it was one.",
        taken_for_good(before_due_work),
    ),
    Saboteur(
        "goes_on_after_a_delivery_that_nobody_wrote",
        "barrier.before-read",
        "Of the barrier behind a delivery it is asked whether it failed, and not whether it was one.",
        taken_for_good(behind_a_delivery),
    ),
    Saboteur(
        "asks_for_no_barrier_after_five_failures",
        "barrier.uncertain",
        "A circuit breaker spares the backend: after five failures calls are uncertain without a barrier.",
        breaking(circuit_opened),
    ),
    Saboteur(
        "lists_from_memory_where_the_barrier_failed",
        "barrier.uncertain",
        "A list falls back to what it knows.",
        on_uncertain(last_known),
    ),
    Saboteur(
        "says_not_found_where_the_barrier_failed",
        "barrier.uncertain",
        "An id that memory does not know is not found, durable or not.",
        on_uncertain(none_found),
    ),
    Saboteur(
        "confirms_where_the_second_barrier_failed",
        "barrier.uncertain",
        "The event stands in the log, so the create is confirmed.",
        on_uncertain(done_all_the_same),
    ),
    Saboteur(
        "forgets_the_id_of_what_is_uncertain",
        "barrier.uncertain",
        "The answer of a create or delete that is uncertain names no id.",
        erring(lambda value: {k: v for k, v in value.items() if k != "id"}, "persistence_uncertain"),
    ),
    Saboteur(
        "forgets_the_operation_of_what_is_uncertain",
        "barrier.uncertain",
        "The answer does not say what is uncertain.",
        erring(lambda value: {k: v for k, v in value.items() if k != "operation"}, "persistence_uncertain"),
    ),
    Saboteur(
        "calls_a_failed_barrier_internal",
        "barrier.uncertain",
        "A failed flush is an error like any other.",
        erring(lambda value: {"code": "internal_error", "message": "failed"}, "persistence_uncertain"),
    ),
    Saboteur(
        "retracts_an_unconfirmed_create",
        "barrier.recovers",
        "After a failed second barrier the create is deleted again.",
        seeing(retracted),
    ),
    Saboteur(
        "forgets_an_unconfirmed_create",
        "barrier.recovers",
        "After a failed second barrier the record is dropped from memory, though its event is in the log.",
        remembering(unconfirmed_forgotten),
    ),
    Saboteur(
        "answers_out_of_turn",
        "barrier.fifo",
        "A list is answered from memory while another call is under way.",
        breaking(out_of_turn),
    ),
    Saboteur(
        "serves_the_newest_call_first",
        "barrier.fifo",
        "What waits is a stack.",
        replaced(patch(inputs.COMMANDS, "call", newest_first)),
    ),
    Saboteur(
        "keeps_the_place_of_a_cancelled_call",
        "barrier.fifo",
        "A call that is cancelled while it waits for the lock never hands it on.",
        remembering(place_kept),
    ),
    Saboteur(
        "never_aborts", "barrier.cancel", "A cancelled call goes on as if nothing were.", unheard("abort")
    ),
    Saboteur(
        "appends_after_an_abort",
        "barrier.cancel",
        "The caller is told of the abort at once; the work goes on and appends.",
        breaking(appended_after_abort),
    ),
    Saboteur(
        "answers_an_abort_with_an_error",
        "barrier.cancel",
        "A cancelled call ends in internal_error.",
        replaced(patch(calls, "completed", aborted_as_error), patch(barriers, "completed", aborted_as_error)),
    ),
    Saboteur(
        "takes_a_cancelled_create_back",
        "tool.delete-active",
        "What was appended for a call that is cancelled then is deleted again.",
        breaking(taken_back),
    ),
    Saboteur(
        "cancels_every_call",
        "barrier.cancel",
        "All calls of a session share one token, so that an abort cancels them all.",
        cancelling(lambda open: open),
    ),
)
