"""Live systems that use a freedom which the clauses leave: the court has to let them pass."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.saboteurs.live.puppet import (
    Object,
    Puppet,
    answering,
    breaking,
    observed,
    patch,
    replaced,
    seeing,
    with_observed,
)
from tests.saboteurs.model import Make, NearMiss

from schedule_spec.delivery import barriers, calls, inputs, judge, machine, owners, steps
from schedule_spec.delivery.model import Answering, Mode, Queued, Reason, Terms
from schedule_spec.due import Wait
from schedule_spec.fold import State
from schedule_spec.json_text import Json
from schedule_spec.tools import Creating, Failed
from schedule_spec.values import canonical

# --- spellings ---

_ANYWHERE = (
    r'(?<=_id_json: )"(?:x )?r[0-9]+"|(?<="schedule_id":)"(?:x )?r[0-9]+"|(?<="id": )"(?:id )?r[0-9]+"'
)


def _there(id: str) -> str:
    """The law's spelling of an id: `id r1` is its own r1, a foreign r1 is `x r1`."""
    if re.fullmatch("id r[0-9]+", id):
        return id.removeprefix("id ")
    return f"x {id}" if re.fullmatch("r[0-9]+", id) else id


def _back(id: str) -> str:
    if re.fullmatch("x r[0-9]+", id):
        return id.removeprefix("x ")
    return f"id {id}" if re.fullmatch("r[0-9]+", id) else id


def respelt(puppet: Puppet, request: Object) -> Object:
    """Ids are spelt `id r1` instead of `r1`, wherever they stand."""
    heard = _renamed(request, _there)
    if "json" in heard:
        heard["json"] = re.sub(_ANYWHERE, lambda found: f'"{_there(found[0][1:-1])}"', heard["json"])
    reply: Object = _renamed(puppet.ask(heard), _back)
    for one in observed(reply):
        if "followup" in one:
            text = one["followup"]
            one["followup"] = re.sub(_ANYWHERE, lambda found: f'"{_back(found[0][1:-1])}"', text)
    return reply


def _renamed(value: Any, rename: Callable[[str], str]) -> Any:
    match value:
        case dict():
            return {
                key: rename(member) if key == "id" and isinstance(member, str) else _renamed(member, rename)
                for key, member in value.items()
            }
        case list():
            return [_renamed(element, rename) for element in value]
        case _:
            return value


def in_german(value: Any) -> Any:
    return (
        {**value, "message": f"Fehler: {value['code']}"}
        if isinstance(value, dict) and "message" in value
        else value
    )


def silent(value: Any) -> Any:
    return {k: v for k, v in value.items() if k != "message"} if isinstance(value, dict) else value


def turned_keys(value: Any) -> Any:
    """Members in another order, whole numbers as doubles."""
    if isinstance(value, dict):
        return {key: turned_keys(member) for key, member in reversed(value.items())}
    if isinstance(value, list):
        return [turned_keys(member) for member in value]
    return float(value) if type(value) is int else value


# --- answers ---


def delay_before_prompt(puppet: Puppet, request: Object) -> Object:
    """Where prompt and delay are both wrong, the delay is told."""
    reply = puppet.ask(request)
    if request.get("arguments") != {"prompt": "", "after_seconds": 0}:
        return reply

    def altered(one: Object) -> Object:
        value = one.get("answer", {}).get("value", {})
        if not isinstance(value, dict) or value.get("code") != "invalid_prompt":
            return one
        return {**one, "answer": {**one["answer"], "value": {**value, "code": "invalid_rule"}}}

    return with_observed(reply, map(altered, observed(reply)))


def at_first(own: Any, session: Any, request: Any, terms: Any) -> Any:
    """What the value of `at` shows is told at once, and not after the barrier."""
    following = own(session, request, terms)
    if not following.calls or len(following.calls) == len(session.calls):
        return following
    call = following.calls[-1]
    if not isinstance(call.request, Creating) or not call.request.early:
        return following
    answer = Answering(call.id, call.given, (Failed(call.request.early),))
    return replace(following, calls=following.calls[:-1], answers=(*following.answers, answer))


def refused_by_host(puppet: Puppet, request: Object) -> Object:
    """The host's own check refuses, before any tool is called, what is no object, or part of a second."""
    reply = puppet.ask(request)
    if request["cmd"] != "call" or not _is_ill_typed(request.get("arguments", {})):
        return reply

    def refused(one: Object) -> Object:
        if one.get("answer", {}).get("callId") != request["callId"] or "value" not in one["answer"]:
            return one
        return {**one, "answer": {"callId": request["callId"], "refused": "ill-typed"}}

    return with_observed(reply, map(refused, observed(reply)))


def _is_ill_typed(arguments: object) -> bool:
    if not isinstance(arguments, dict):
        return True
    return any(
        isinstance(arguments.get(name), float) and arguments[name] % 1
        for name in ("after_seconds", "every_seconds")
    )


def behind_due_work(seen: list[Object]) -> list[Object]:
    """A call's answer comes after the due work of the same instant."""
    answers = [one for one in seen if "answer" in one]
    return [*(one for one in seen if "answer" not in one), *answers] if len(answers) == 1 else seen


def left_at_once(own: Any, session: Any, request: Any, terms: Any) -> Any:
    """A cancelled call whose first barrier is held leaves the queue, and the barrier behind."""
    following = own(session, request, terms)
    head = following.calls[0] if following.calls else None
    if not head or not head.aborted or head.answered or head.appended is not None or not following.held:
        return following
    if following.orphan or head.id != request["callId"]:
        return following
    answer = Answering(head.id, head.given, (), aborted=True)
    return replace(
        following, calls=following.calls[1:], held=False, orphan=True, answers=(*following.answers, answer)
    )


def place_kept(own: Any, session: Any, request: Any, terms: Any) -> Any:
    """A call cancelled behind the head is answered at once, and keeps its place in the queue."""
    following = own(session, request, terms)
    for position, call in enumerate(following.calls):
        if position > 0 and call.id == request["callId"] and not call.answered:
            answer = Answering(call.id, call.given, (), aborted=True)
            rest = following.calls[position + 1 :]
            waiting = (*following.calls[:position], replace(call, answered=True), *rest)
            return replace(following, calls=waiting, answers=(*following.answers, answer))
    return following


def place_served(own: Any, session: Any, moment: Any) -> Any:
    """The place of a cancelled call has its preflight, and the owner looks for due work behind it."""
    if not session.calls[0].answered:
        return own(session, moment)
    if not session.call_cleared:
        return machine._barrier(session, moment, None)
    return machine.Act(calls.completed(session, (), owners.triggered(session.owner, Reason.PREFLIGHT)))


def cancelled_unheard(own: Any, session: Any, moment: Any, result: Any) -> Any:
    """Nobody tells the owner of what a call that was cancelled has appended."""
    following = own(session, moment, result)
    return following[-1:] if result == "ok" else following


# --- barriers, claims, waits ---


def more_barriers(puppet: Puppet, request: Object) -> Object:
    """A call claims its first barrier twice, where none is scripted."""
    reply = puppet.ask(request)
    if request["cmd"] == "barrier":
        puppet.memory[request["session"]] = True
    if request["cmd"] != "call" or puppet.memory.get(request["session"]):
        return reply
    seen = observed(reply)
    if seen and seen[0].get("barrier") == "ok":
        return with_observed(reply, [seen[0], *seen])
    return reply


def refused_claims(puppet: Puppet, request: Object) -> Object:
    """A busy agent is asked for its idle phase all the same, in vain."""
    reply = puppet.ask(request)
    if request["cmd"] == "busy" and request["on"] and puppet.memory.get("plain") == request["session"]:
        refused = {"at": puppet.now, "session": request["session"], "claim": "busy"}
        return with_observed(reply, [*observed(reply), refused])
    if request["cmd"] == "open" and not {"agent", "persistence"} & set(request):
        puppet.memory["plain"] = request["session"]
    if request["cmd"] in ("dispose", "crash", "faults"):
        puppet.memory["plain"] = None
    return reply


def claimed_in_vain(own: Any, session: Any, moment: Any) -> Any:
    """An owner that has a reason to look claims the idle phase before it knows whether anything is due."""
    owner = session.owner
    if session.calls or owner.mode is not Mode.LIVE or owner.owed is None or session.busy:
        return own(session, moment)
    if not session.owner_cleared:
        return machine._barrier(session, moment, None)
    return machine._seen(steps.on_claim(session, moment, "ok"), {"claim": "ok"}, moment.shows_claims)


def nothing_found(own: Any, session: Any, moment: Any) -> Any:
    if not isinstance(owners.decision(session, moment), Wait):
        return own(session, moment)
    looked = replace(session, owner=owners.rearmed(session, moment))
    return machine._seen(steps.on_release(looked), {"release": True}, moment.shows_releases)


def at_most(span: int) -> Callable[..., Any]:
    """Waits are cut to a span, after which the owner looks at the clock and waits on."""

    def rearmed(own: Any, session: Any, moment: Any) -> Any:
        owner = own(session, moment)
        return owner if owner.wake is None else replace(owner, wake=min(owner.wake, span))

    return rearmed


def woken_by_the_jump(own: Any, states: Any, request: Any) -> Any:
    """A clock that is set makes every owner look."""
    following = own(states, request)
    if request["cmd"] != "set_clock":
        return following
    return replace(
        following,
        sessions=tuple((name, tuple(map(_woken, situations))) for name, situations in following.sessions),
    )


def _woken(session: Any) -> Any:
    live = session.live and session.owner.mode is Mode.LIVE
    return replace(session, owner=replace(session.owner, owed=Reason.WOKE)) if live else session


# --- logs ---


def transcript(own: Any, session: Any, moment: Any, data: Any) -> Any:
    """The host writes the follow-up into its transcript before the dispatch."""
    event: Json = {"type": "agent/inbox/spliced", "data": {"count": 1}}
    if isinstance(session.phase, Queued) and "spliced" not in (session.log.events or ("",))[-1]:
        return machine.Act(steps.on_append(session, moment, event)[0], {"append": event})
    return own(session, moment, data)


def tools_named(puppet: Puppet, request: Object) -> Object:
    """Replies to reopen and fork name the tools, as that to open does."""
    reply = puppet.ask(request)
    if request["cmd"] == "open":
        puppet.memory[request["session"]] = reply["result"]["tools"]
    if request["cmd"] == "fork":
        puppet.memory[request["as"]] = puppet.memory[request["session"]]
    if request["cmd"] not in ("fork", "reopen") or "result" not in reply:
        return reply
    names = puppet.memory[request["as" if request["cmd"] == "fork" else "session"]]
    return {**reply, "result": {**reply["result"], "tools": names}}


def refused_corrupt(puppet: Puppet, request: Object) -> Object:
    """A session whose own part does not fold is refused as a whole."""
    if request["cmd"] != "open":
        return puppet.ask(request)
    events = request.get("events", [])
    log = inputs.read_log(tuple(map(canonical, events)), request.get("seedLength", 0), Terms())
    installed = request.get("agent", "root") == "root" and request.get("persistence", True)
    if isinstance(log.state, State) or not installed:
        return puppet.ask(request)
    return {"seq": request["seq"], "rejected": {"code": "corrupt_schedule_log"}}


# --- hello ---


def greeting(alter: Callable[[Object], Object], *kinds: str) -> Make:
    """`hello` says something else; observations of these kinds are not shown."""

    def fault(puppet: Puppet, request: Object) -> Object:
        reply = puppet.ask(request)
        if request["cmd"] == "hello":
            return {**reply, "result": alter(reply["result"])}
        return with_observed(reply, (one for one in observed(reply) if not set(kinds) & set(one)))

    return breaking(fault)


def hiding(*kinds: str) -> Make:
    return greeting(
        lambda result: {**result, "observes": [kind for kind in result["observes"] if kind not in kinds]},
        *kinds,
    )


def lacking(feature: str) -> Callable[[Object], Object]:
    return lambda result: {**result, "features": [name for name in result["features"] if name != feature]}


def unchecked() -> Make:
    """`candidate` is absent, and foreign events are let in."""
    inner = replaced(patch(inputs, "refuses", lambda own, *given: False))

    def make() -> Any:
        handle = inner()

        def greeted(request: Object) -> Object:
            reply = handle(request)
            if request["cmd"] == "hello":
                return {**reply, "result": lacking("candidate")(reply["result"])}
            return reply

        return greeted

    return make


NEAR_MISSES: tuple[NearMiss, ...] = (
    NearMiss("spells_other_ids", "The spelling of ids is free.", breaking(respelt)),
    NearMiss("tells_other_messages", "The text of a message is free.", answering(in_german)),
    NearMiss("tells_no_messages", "A message is optional on the wire.", answering(silent)),
    NearMiss(
        "turns_keys_and_spells_doubles",
        "Values compare as JSON values: the order of keys is free, and 300.0 is 300.",
        answering(turned_keys),
    ),
    NearMiss(
        "tells_another_code_of_the_stage",
        "Of several codes of one stage any may be told.",
        breaking(delay_before_prompt),
    ),
    NearMiss(
        "judges_at_before_the_barrier",
        "What the value of at shows may be told before the first barrier.",
        replaced(patch(inputs.COMMANDS, "call", at_first)),
    ),
    NearMiss(
        "lets_the_host_refuse", "Ill-typed arguments may be refused by the host.", breaking(refused_by_host)
    ),
    NearMiss(
        "answers_behind_due_work",
        "Within a settled reply an answer may come after due work of the same instant.",
        seeing(behind_due_work),
    ),
    NearMiss(
        "leaves_the_queue_when_cancelled",
        "A cancelled call may leave at once, while its barrier is still held.",
        replaced(patch(inputs.COMMANDS, "abort", left_at_once)),
    ),
    NearMiss(
        "carries_out_the_preflight_of_a_call_cancelled_in_the_queue",
        "A cancelled call appends nothing; its preflight may be carried out all the same.",
        replaced(patch(inputs.COMMANDS, "abort", place_kept), patch(machine, "_serve", place_served)),
    ),
    NearMiss(
        "looks_for_nothing_that_a_cancelled_call_appended",
        "What a call cancelled behind its append has done is confirmed to nobody.",
        replaced(patch(barriers, "_settled", cancelled_unheard)),
    ),
    NearMiss("claims_extra_barriers", "More barriers than are owed do no harm.", breaking(more_barriers)),
    NearMiss(
        "claims_while_busy",
        "A claim may be tried while the agent is busy, in vain.",
        breaking(refused_claims),
    ),
    NearMiss(
        "claims_and_finds_nothing",
        "A claim may end without a follow-up, where nothing is due.",
        replaced(patch(machine, "_work", claimed_in_vain), patch(machine, "_deliver", nothing_found)),
    ),
    NearMiss(
        "looks_every_six_hours",
        "An owner may wake more often than it has to.",
        replaced(patch(steps, "rearmed", at_most(6 * 3_600_000))),
    ),
    NearMiss(
        "splits_long_waits",
        "A wait that no timer holds is split.",
        replaced(patch(steps, "rearmed", at_most(2**31 - 1))),
    ),
    NearMiss(
        "looks_at_once_after_a_clock_jump",
        "A clock set forward may be noticed at once, and need not be.",
        replaced(patch(judge, "after_input", woken_by_the_jump)),
    ),
    NearMiss(
        "writes_a_transcript",
        "The host's own events may stand between follow-up and dispatch.",
        replaced(patch(machine, "_append", transcript)),
    ),
    NearMiss("names_tools_again", "Replies to reopen and fork may name the tools.", breaking(tools_named)),
    NearMiss(
        "refuses_to_open_what_does_not_fold",
        "A session whose own part does not fold may be refused as a whole.",
        breaking(refused_corrupt),
    ),
    NearMiss("hides_claims", "Claims need not be shown.", hiding("claim")),
    NearMiss(
        "hides_claims_and_releases", "Neither claims nor releases need be shown.", hiding("claim", "release")
    ),
    NearMiss(
        "takes_no_lone_surrogates", "Unpaired surrogates need not be taken.", greeting(lacking("surrogates"))
    ),
    NearMiss("checks_no_candidates", "Foreign events need not be checked.", unchecked()),
)
"""Systems that differ from the law where it leaves a choice."""
