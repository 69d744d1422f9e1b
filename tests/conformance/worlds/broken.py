"""Live systems with one fault each, as puppets of the law: what is asked, or what is seen of it, is altered.

A puppet's law keeps its own log and clock; once the fault has shown, the two may go apart as they like.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from schedule_conformance import law_adapter
from schedule_spec import fold, instants
from schedule_spec.fold import State
from schedule_spec.profiles import Profile

Object = dict[str, Any]
Handler = Callable[[Object], Object]


@dataclass(slots=True)
class Puppet:
    """The law, with a place for what a fault has to remember."""

    law: Handler = field(default_factory=lambda: law_adapter.adapter(Profile.V1))
    memory: Object = field(default_factory=dict)

    def ask(self, request: Object) -> Object:
        """The law's reply, and nothing remembered of the world before a new one."""
        if request["cmd"] == "hello":
            self.memory.clear()
        return self.law(request)

    def also(self, reply: Object, request: Object) -> Object:
        """The reply, with what the law does on a further request behind it."""
        more = self.law({"seq": 0, **request})
        return with_observed(reply, [*observed(reply), *observed(more)])


Fault = Callable[[Puppet, Object], Object]


@dataclass(frozen=True, slots=True)
class Broken:
    """A fault, the clause that it breaks, and others that it may rightly be reported under."""

    name: str
    clause: str
    fault: Fault
    others: tuple[str, ...] = ()

    def handler(self) -> Handler:
        puppet = Puppet()
        return lambda request: self.fault(puppet, request)


def observed(reply: Object) -> list[Object]:
    return list(reply.get("result", {}).get("observed", []))


def with_observed(reply: Object, seen: Iterable[Object]) -> Object:
    if "observed" not in reply.get("result", {}):
        return reply
    return {**reply, "result": {**reply["result"], "observed": list(seen)}}


# --- ways to break ---


def asking(alter: Callable[[Object], Object]) -> Fault:
    """The law hears something else."""
    return lambda puppet, request: {**puppet.ask(alter(request)), "seq": request["seq"]}


def seeing(alter: Callable[[list[Object]], list[Object]], *commands: str) -> Fault:
    """Something else is seen of the law, after any command or these alone."""

    def fault(puppet: Puppet, request: Object) -> Object:
        reply = puppet.ask(request)
        if commands and request["cmd"] not in commands:
            return reply
        return with_observed(reply, alter(observed(reply)))

    return fault


def each(alter: Callable[[Object], Object | None]) -> Callable[[list[Object]], list[Object]]:
    """Alter observations one by one; None leaves one out."""
    return lambda seen: [altered for one in seen if (altered := alter(one)) is not None]


def framing(alter: Callable[[str], str]) -> Fault:
    return seeing(each(lambda one: {**one, "followup": alter(one["followup"])} if "followup" in one else one))


def changing(operation: str, alter: Callable[[Object], Object | None]) -> Fault:
    """The data of an appended change are others; None appends nothing."""

    def altered(one: Object) -> Object | None:
        data = one.get("append", {}).get("data", {})
        if data.get("operation") != operation:
            return one
        other = alter(data)
        return None if other is None else {**one, "append": {**one["append"], "data": other}}

    return seeing(each(altered))


def answering(alter: Callable[[Any], Any]) -> Fault:
    """The values of answers are others."""

    def altered(one: Object) -> Object:
        answer = one.get("answer", {})
        return {**one, "answer": {**answer, "value": alter(answer["value"])}} if "value" in answer else one

    return seeing(each(altered))


def coding(codes: dict[str, str]) -> Fault:
    """Errors have other codes."""

    def altered(value: Any) -> Any:
        if isinstance(value, dict) and "message" in value and value.get("code") in codes:
            return {"code": codes[value["code"]], "message": value["message"]}
        return value

    return answering(altered)


def swapped(first: str, second: str) -> Callable[[list[Object]], list[Object]]:
    """Where one kind comes right before another, they change places."""

    def alter(seen: list[Object]) -> list[Object]:
        seen = list(seen)
        place = 0
        while place + 1 < len(seen):
            if first in seen[place] and second in seen[place + 1]:
                seen[place], seen[place + 1] = seen[place + 1], seen[place]
                place += 1
            place += 1
        return seen

    return alter


def without(command: str, **members: Any) -> Fault:
    """The law is never told of a command (where it has these members); a harmless one stands in for it."""

    def fault(puppet: Puppet, request: Object) -> Object:
        named = all(request.get(name) == value for name, value in members.items())
        if request["cmd"] == command and named:
            return {**puppet.ask({"seq": request["seq"], "cmd": "advance_time", "ms": 0})}
        return puppet.ask(request)

    return fault


def forgetting(member: str, command: str) -> Fault:
    """The law never sees a member of a command."""

    def alter(request: Object) -> Object:
        return {k: v for k, v in request.items() if k != member} if request["cmd"] == command else request

    return asking(alter)


# --- faults that need a few lines ---


def last_barrier_dropped(seen: list[Object]) -> list[Object]:
    """No barrier after an append or a release."""
    return [
        one
        for place, one in enumerate(seen)
        if not ("barrier" in one and place and ("append" in seen[place - 1] or "release" in seen[place - 1]))
    ]


def first_barrier_dropped(seen: list[Object]) -> list[Object]:
    """No barrier before a claim or an answer."""
    return [
        one
        for place, one in enumerate(seen)
        if not ("barrier" in one and place + 1 < len(seen) and "claim" in seen[place + 1])
    ]


def preflight_dropped(seen: list[Object]) -> list[Object]:
    """A call has no barrier before it reads."""
    return seen[1:] if seen and "barrier" in seen[0] else seen


def retrying(puppet: Puppet, request: Object) -> Object:
    """A failed barrier of due work is tried again after a second, as if the agent had been active."""
    reply = puppet.ask(request)
    if any(one.get("barrier") in ("fail", "missing") for one in observed(reply)):
        name = observed(reply)[0]["session"]
        reply = puppet.also(reply, {"cmd": "turn", "session": name})
    return reply


def undying(puppet: Puppet, request: Object) -> Object:
    """An owner whose append failed goes on as if it had just been opened."""
    reply = puppet.ask(request)
    seen = observed(reply)
    for place, one in enumerate(seen):
        rest = seen[place + 1 : place + 2]
        if "followup" in one and not any("append" in after for after in rest):
            return puppet.also(reply, {"cmd": "reopen", "session": one["session"]})
    return reply


def eager(puppet: Puppet, request: Object) -> Object:
    """A delay that no timer holds fires at once."""
    reply = puppet.ask(request)
    for one in observed(reply):
        schedule = one.get("append", {}).get("data", {}).get("schedule", {})
        target = instants.parse(schedule.get("scheduledAt", ""))
        if target is not None and target - one["at"] > 2**31 - 1:
            jump = puppet.law({"seq": 0, "cmd": "set_clock", "now": target})
            turn = puppet.law({"seq": 0, "cmd": "turn", "session": one["session"]})
            puppet.law({"seq": 0, "cmd": "set_clock", "now": one["at"]})
            early = [{**each, "at": one["at"]} for each in (*observed(jump), *observed(turn))]
            return with_observed(reply, [*observed(reply), *early])
    return reply


def early_by_one(puppet: Puppet, request: Object) -> Object:
    """The clock that decides is 1 ms ahead."""
    if request["cmd"] != "advance_time" or request["ms"] == 0:
        return puppet.ask(request)
    reply = puppet.ask({**request, "ms": request["ms"] + 1})
    end = max((one["at"] for one in observed(reply)), default=0)
    return with_observed(reply, ({**one, "at": one["at"] - (one["at"] == end)} for one in observed(reply)))


def unsplit_batch(seen: list[Object]) -> list[Object]:
    """Of a batch only the first is framed and dispatched; the others are dropped in silence."""
    kept, skipping = [], False
    for one in seen:
        data = one.get("append", {}).get("data", {})
        if "acceptedAt" in data and skipping:
            continue
        skipping = "acceptedAt" in data
        kept.append(one)
    return kept


def reordered(text: str) -> str:
    """The reminders of a batch in another order."""
    head, mark, rest = text.partition("reminders_json: ")
    if not mark:
        return text
    reminders = json.loads(rest)
    return head + mark + json.dumps(reminders[::-1], ensure_ascii=False, separators=(",", ":"))


def spaced(text: str) -> str:
    head, mark, rest = text.partition("reminders_json: ")
    return text if not mark else head + mark + rest.replace('","', '", "')


def raw_prompt(text: str) -> str:
    """The prompt stands in the framing as it is."""
    head, mark, literal = text.partition("\nreminder_prompt_json: ")
    return text if not mark else f"{head}{mark}{json.loads(literal)}"


def escaped_non_ascii(text: str) -> str:
    head, mark, literal = text.partition("\nreminder_prompt_json: ")
    return text if not mark else f"{head}{mark}{json.dumps(json.loads(literal))}"


def stale_occurrence(text: str) -> str:
    """The occurrence of a one-shot is the moment before its target."""
    head, mark, rest = text.partition("\noccurrence_at: ")
    if not mark:
        return text
    target = instants.parse(rest[:24])
    return text if target is None else f"{head}{mark}{instants.render(max(target - 1, 0))}{rest[24:]}"


def reusing(puppet: Puppet, request: Object) -> Object:
    """Ids are numbered by the active records alone."""
    reply = puppet.ask(request)
    seen = []
    for one in observed(reply):
        data = one.get("append", {}).get("data", {})
        ended = puppet.memory.setdefault("ended", {}).setdefault(one["session"], [])
        if data.get("operation") == "create" and ended:
            schedule = {**data["schedule"], "id": ended[-1]}
            one = {**one, "append": {**one["append"], "data": {**data, "schedule": schedule}}}  # noqa: PLW2901
        if data.get("operation") == "delete":
            ended.append(data["id"])
        seen.append(one)
    return with_observed(reply, seen)


def adopting(puppet: Puppet, request: Object) -> Object:
    """A fork takes over its parent's reminders."""
    if request["cmd"] == "open":
        puppet.memory["turns"] = {
            **puppet.memory.get("turns", {}),
            request["session"]: request.get("turns", "none"),
        }
    if request["cmd"] != "fork":
        return puppet.ask(request)
    log = puppet.law({"seq": 0, "cmd": "log", "session": request["session"]})["result"]["events"]
    if not isinstance(fold.fold(log[: request["at"]]), State):
        return puppet.ask(request)
    fresh = {"now": puppet.memory["now"], "turns": puppet.memory["turns"].get(request["session"], "none")}
    opened = {"cmd": "open", "session": request["as"], "events": log[: request["at"]], **fresh}
    return puppet.ask({"seq": request["seq"], **opened})


def forgetful_fork(puppet: Puppet, request: Object) -> Object:
    """A fork does not keep the inherited events."""
    reply = puppet.ask(request)
    if request["cmd"] == "fork":
        puppet.memory[request["as"]] = request["at"]
    if request["cmd"] == "log" and request["session"] in puppet.memory:
        events = reply["result"]["events"][puppet.memory[request["session"]] :]
        return {**reply, "result": {**reply["result"], "events": events}}
    return reply


def with_the_time(fault: Fault) -> Fault:
    """A fault that knows the clock."""

    def timed(puppet: Puppet, request: Object) -> Object:
        if "now" in request:
            puppet.memory["now"] = request["now"]
        if request["cmd"] == "advance_time":
            puppet.memory["now"] += request["ms"]
        return fault(puppet, request)

    return timed


def lossy(puppet: Puppet, request: Object) -> Object:
    """A crash loses the last event, durable or not."""
    if request["cmd"] != "crash":
        return puppet.ask(request)
    log = puppet.law({"seq": 0, "cmd": "log", "session": request["session"]})["result"]["events"]
    puppet.memory[request["session"]] = log[: max(0, request["keep"] - 1)]
    return puppet.ask(request)


def lossy_when_reopened(puppet: Puppet, request: Object) -> Object:
    kept = puppet.memory.get(request.get("session", ""))
    if request["cmd"] == "reopen" and kept is not None:
        del puppet.memory[request["session"]]
        now = request.get("now", puppet.memory["now"])
        opened = {"cmd": "open", "session": request["session"], "now": now, "events": kept}
        reply = puppet.ask({"seq": request["seq"], **opened})
        return {**reply, "result": {"observed": observed(reply)}}
    return lossy(puppet, request)


def chatty(puppet: Puppet, request: Object) -> Object:
    """Error messages carry what the backend said."""
    if request["cmd"] == "faults":
        puppet.memory["text"] = request.get("text", "")
    reply = puppet.ask(request)

    def altered(one: Object) -> Object:
        answer = one.get("answer", {})
        value = answer.get("value")
        if isinstance(value, dict) and value.get("code") == "internal_error" and "message" in value:
            told = {**value, "message": puppet.memory.get("text") or value["message"]}
            return {**one, "answer": {**answer, "value": told}}
        return one

    return with_observed(reply, map(altered, observed(reply)))


def counted_messages(puppet: Puppet, request: Object) -> Object:
    """Error messages are numbered."""
    reply = puppet.ask(request)

    def altered(one: Object) -> Object:
        answer = one.get("answer", {})
        value = answer.get("value")
        if isinstance(value, dict) and "message" in value:
            puppet.memory["count"] = puppet.memory.get("count", 0) + 1
            told = {**value, "message": f"{value['message']} ({puppet.memory['count']})"}
            return {**one, "answer": {**answer, "value": told}}
        return one

    return with_observed(reply, map(altered, observed(reply)))


def steered(seen: list[Object]) -> list[Object]:
    """Follow-ups are put into the current turn."""
    return [{("steer" if key == "followup" else key): value for key, value in one.items()} for one in seen]


def receipt(seen: list[Object]) -> list[Object]:
    """Each follow-up leaves a receipt in the log."""
    more = []
    for one in seen:
        more.append(one)
        if "release" in one:
            event = {"type": "schedule/receipt", "data": {}}
            more.insert(-1, {"at": one["at"], "session": one["session"], "append": event})
    return more


def view_with(**members: Any) -> Fault:
    def altered(value: Any) -> Any:
        if isinstance(value, list):
            return [{**view, **members} for view in value]
        return {**value, **members} if isinstance(value, dict) and "state" in value else value

    return answering(altered)


def snake(value: Any) -> Any:
    if isinstance(value, dict) and "scheduledAt" in value:
        return {("scheduled_at" if key == "scheduledAt" else key): member for key, member in value.items()}
    return value


def moved_target(data: Object) -> Object:
    schedule = data["schedule"]
    target = instants.parse(schedule["scheduledAt"])
    assert target is not None
    return {**data, "schedule": {**schedule, "scheduledAt": instants.render(max(target - 1, 0))}}


def untrimmed(data: Object) -> Object:
    return {**data, "schedule": {**data["schedule"], "prompt": data["schedule"]["prompt"] + "."}}


def accepted_apart(seen: list[Object]) -> list[Object]:
    """Each dispatch of a batch has a clock sample of its own."""
    number = 0
    changed = []
    for one in seen:
        data = one.get("append", {}).get("data", {})
        if "acceptedAt" in data:
            accepted = instants.parse(data["acceptedAt"])
            assert accepted is not None
            later = instants.render(min(accepted + number, instants.LATEST))
            one = {**one, "append": {**one["append"], "data": {**data, "acceptedAt": later}}}  # noqa: PLW2901
            number += 1
        else:
            number = 0
        changed.append(one)
    return changed


def one_in_front(seen: list[Object]) -> list[Object]:
    """Dispatch first, then enqueue."""
    return swapped("followup", "append")(seen)


def dispatch_on_failure(puppet: Puppet, request: Object) -> Object:
    """A failed enqueue is taken for a good one: the follow-up is lost, the dispatch appended."""
    if request["cmd"] == "faults" and request.get("followup") == "fail":
        puppet.memory[request["session"]] = True
        return puppet.ask({key: value for key, value in request.items() if key != "followup"})
    if request["cmd"] == "faults":
        puppet.memory[request["session"]] = False
    reply = puppet.ask(request)
    seen = [one for one in observed(reply) if not ("followup" in one and puppet.memory.get(one["session"]))]
    return with_observed(reply, seen)


def out_of_turn(puppet: Puppet, request: Object) -> Object:
    """A list does not wait for the call before it: it is answered at once."""
    reply = puppet.ask(request)
    if request["cmd"] != "call":
        return reply
    waiting = puppet.memory.setdefault("waiting", {})
    if observed(reply) or request["tool"] != "schedule_list" or not waiting.get(request["session"]):
        waiting[request["session"]] = not observed(reply)
        return reply
    answer = {"callId": request["callId"], "value": []}
    one = {"at": puppet.memory["now"], "session": request["session"], "answer": answer}
    return with_observed(reply, [one])


def tools_for_all(puppet: Puppet, request: Object) -> Object:
    heard = {k: v for k, v in request.items() if k != "agent"} if request["cmd"] == "open" else request
    return puppet.ask(heard)


def always_ok(puppet: Puppet, request: Object) -> Object:
    """A failed barrier is taken for a good one, though its outcome is reported."""
    if request["cmd"] == "barrier":
        outcomes = ["ok" if outcome in ("fail", "missing") else outcome for outcome in request["outcomes"]]
        puppet.memory.setdefault(request["session"], []).clear()
        puppet.memory[request["session"]].extend(o for o in request["outcomes"] if o != "hold")
        return puppet.ask({**request, "outcomes": outcomes})
    reply = puppet.ask(request)
    seen = []
    for one in observed(reply):
        left = puppet.memory.get(one["session"], [])
        seen.append({**one, "barrier": left.pop(0)} if "barrier" in one and left else one)
    return with_observed(reply, seen)


def candidates_let_in(puppet: Puppet, request: Object) -> Object:
    reply = puppet.ask(request)
    if request["cmd"] == "append" and "rejected" in reply:
        return {"seq": request["seq"], "result": {"observed": []}}
    return reply


def candidates_kept_out(puppet: Puppet, request: Object) -> Object:
    if request["cmd"] == "append":
        return {"seq": request["seq"], "rejected": {"code": "corrupt_schedule_log"}}
    return puppet.ask(request)


def closed_loses(puppet: Puppet, request: Object) -> Object:
    """Disposal deletes the active records."""
    reply = puppet.ask(request)
    if request["cmd"] == "log" and puppet.memory.get(request["session"]):
        return {**reply, "result": {**reply["result"], "events": reply["result"]["events"][:-1]}}
    if request["cmd"] == "dispose":
        puppet.memory[request["session"]] = True
    return reply


def due_twice(seen: list[Object]) -> list[Object]:
    """Each follow-up is queued twice."""
    return [copy for one in seen for copy in ([one, one] if "followup" in one else [one])]


BROKEN: tuple[Broken, ...] = (
    Broken("reuses ids", "id.fresh", reusing, ("id.never-reused", "fold.no-id-reuse", "tool.create-result")),
    Broken("lets any candidate in", "fold.candidate", candidates_let_in),
    Broken("lets no candidate in", "fold.candidate", candidates_kept_out),
    Broken(
        "a fork adopts", "fork.no-adoption", with_the_time(adopting), ("fork.suffix", "owner.never-early")
    ),
    Broken("a fork forgets", "fork.history", forgetful_fork, ("deliver.no-loss",)),
    Broken("snake case results", "tool.case", answering(snake), ("tool.create-result", "view.fields")),
    Broken("no code for two selectors", "tool.create-selector", coding({"invalid_selector": "invalid_rule"})),
    Broken("no code for the prompt", "tool.create-prompt", coding({"invalid_prompt": "invalid_rule"})),
    Broken(
        "stores another prompt", "tool.create-prompt", changing("create", untrimmed), ("tool.create-result",)
    ),
    Broken("another code", "tool.error-sound", coding({"not_future": "invalid_rule"})),
    Broken("another target", "tool.create-result", changing("create", moved_target), ("after.target",)),
    Broken("list in another order", "tool.list", answering(lambda v: v[::-1] if isinstance(v, list) else v)),
    Broken("never overdue", "view.state", view_with(state="scheduled"), ("tool.list", "tool.create-result")),
    Broken("one field more", "view.fields", view_with(zone="UTC"), ("tool.list", "tool.create-result")),
    Broken("deletes nothing", "tool.delete-active", changing("delete", lambda data: None)),
    Broken(
        "not found is no value",
        "tool.delete-unknown",
        answering(
            lambda v: (
                {"code": "invalid_rule", "message": "no"}
                if isinstance(v, dict) and v.get("code") == "schedule_not_found"
                else v
            )
        ),
        ("tool.error-sound",),
    ),
    Broken("a code of its own", "tool.errors-closed", coding({"time_out_of_range": "out_of_range"})),
    Broken("tells the backend's text", "tool.errors-stable", chatty),
    Broken("numbers its messages", "tool.errors-stable", counted_messages),
    Broken("another code for a bad log", "tool.corrupt", coding({"corrupt_schedule_log": "internal_error"})),
    Broken("blames durability", "tool.internal-error", coding({"internal_error": "invalid_rule"})),
    Broken("reads before the barrier", "barrier.before-read", seeing(preflight_dropped, "call")),
    Broken("confirms at once", "barrier.after-append", seeing(last_barrier_dropped, "call")),
    Broken("takes a failed barrier for good", "barrier.uncertain", always_ok),
    Broken("serves out of turn", "barrier.fifo", with_the_time(out_of_turn)),
    Broken("never aborts", "barrier.cancel", without("abort")),
    Broken("batch in another order", "due.batch", framing(reordered), ("frame.batch",)),
    Broken("batch by parts", "due.batch", seeing(unsplit_batch), ("deliver.sequence", "deliver.parked")),
    Broken("one sample each", "due.one-decision-time", seeing(accepted_apart)),
    Broken("tools for all", "owner.roots-only", tools_for_all),
    Broken("needs no persistence", "owner.requires-persistence", forgetting("persistence", "open")),
    Broken("a delay overflows", "owner.bounded-wait", eager, ("owner.never-early",)),
    Broken(
        "early by 1 ms",
        "owner.never-early",
        early_by_one,
        ("owner.recheck", "due.wait"),
    ),
    Broken(
        "interrupts", "owner.idle-only", asking(lambda r: {**r, "on": False} if r["cmd"] == "busy" else r)
    ),
    Broken("steers", "owner.no-steer", seeing(steered)),
    Broken("retries by itself", "owner.activity-retry", retrying, ("barrier.before-read",)),
    Broken("no retry on idle", "owner.activity-retry", without("turn"), ("*",)),
    Broken("goes on after disposal", "owner.dispose", without("dispose")),
    Broken("disposal deletes", "owner.dispose", closed_loses),
    Broken("stays cold", "owner.session-local", seeing(lambda seen: [], "reopen")),
    Broken("never wakes", "deliver.no-loss", without("advance_time")),
    Broken("releases first", "deliver.parked", seeing(swapped("append", "release")), ("deliver.sequence",)),
    Broken("dispatches first", "deliver.enqueue-before-dispatch", seeing(one_in_front)),
    Broken("dispatches what failed", "deliver.no-dispatch-on-failure", dispatch_on_failure, ("*",)),
    Broken("goes on after a failed append", "deliver.append-failure-faults", undying),
    Broken("no barrier before the claim", "deliver.sequence", seeing(first_barrier_dropped)),
    Broken("no last barrier", "deliver.sequence", seeing(last_barrier_dropped, "advance_time", "open")),
    Broken("queues twice", "deliver.sequence", seeing(due_twice), ("deliver.at-least-once",)),
    Broken("leaves a receipt", "deliver.no-receipt", seeing(receipt)),
    Broken("loses a durable event", "deliver.no-loss", with_the_time(lossy_when_reopened), ("*",)),
    Broken("another header", "frame.one-shot", framing(lambda text: text.replace("REMINDER]", "NOTE]"))),
    Broken("another occurrence", "frame.one-shot", framing(stale_occurrence)),
    Broken("spaces in the array", "frame.batch", framing(spaced)),
    Broken("raw prompts", "frame.injection", framing(raw_prompt), ("frame.one-shot",)),
    Broken("escapes what is raw", "text.json-string", framing(escaped_non_ascii), ("frame.one-shot",)),
    Broken("cuts long texts", "frame.whole", framing(lambda text: text[:170])),
)
"""`*` among the others: the fault shows in many ways, and only that it is caught is asked."""


# --- what is allowed ---


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


def renaming(puppet: Puppet, request: Object) -> Object:
    """Ids are spelt in another way."""
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


def more_barriers(puppet: Puppet, request: Object) -> Object:
    """After a clock jump and a log each session with nothing scripted claims a barrier more."""
    reply = puppet.ask(request)
    if request["cmd"] == "barrier":
        puppet.memory[request["session"]] = True
    if request["cmd"] not in ("call",) or puppet.memory.get(request["session"]):
        return reply
    seen = observed(reply)
    if seen and "barrier" in seen[0] and seen[0]["barrier"] == "ok":
        return with_observed(reply, [seen[0], *seen])
    return reply


def other_messages(puppet: Puppet, request: Object) -> Object:
    return answering(
        lambda v: {**v, "message": f"Fehler: {v['code']}"} if isinstance(v, dict) and "message" in v else v
    )(puppet, request)


def last_code(puppet: Puppet, request: Object) -> Object:
    """Where prompt and delay are both wrong, the delay is told."""
    reply = puppet.ask(request)
    if request.get("arguments") != {"prompt": "", "after_seconds": 0}:
        return reply

    def altered(one: Object) -> Object:
        value = one.get("answer", {}).get("value", {})
        if value.get("code") != "invalid_prompt":
            return one
        return {**one, "answer": {**one["answer"], "value": {**value, "code": "invalid_rule"}}}

    return with_observed(reply, map(altered, observed(reply)))


def idle_claims(puppet: Puppet, request: Object) -> Object:
    """A busy agent is asked for its idle phase all the same, in vain."""
    reply = puppet.ask(request)
    if request["cmd"] == "busy" and request["on"]:
        refused = {"at": puppet.memory["now"], "session": request["session"], "claim": "busy"}
        if puppet.memory.get("plain") == request["session"]:
            return with_observed(reply, [*observed(reply), refused])
    if request["cmd"] == "open" and not {"agent", "persistence"} & set(request):
        puppet.memory["plain"] = request["session"]
    if request["cmd"] in ("dispose", "crash", "faults"):
        puppet.memory["plain"] = None
    return reply


def hidden(*kinds: str) -> Fault:
    """Claims or releases are not shown, as `hello` says."""

    def fault(puppet: Puppet, request: Object) -> Object:
        reply = puppet.ask(request)
        if request["cmd"] == "hello":
            shown = [kind for kind in reply["result"]["observes"] if kind not in kinds]
            return {**reply, "result": {**reply["result"], "observes": shown}}
        if "observed" not in reply.get("result", {}):
            return reply
        return with_observed(reply, (one for one in observed(reply) if not set(kinds) & set(one)))

    return fault


def late_answers(seen: list[Object]) -> list[Object]:
    """A call's answer comes after the due work of the same instant."""
    answers = [one for one in seen if "answer" in one]
    return [*(one for one in seen if "answer" not in one), *answers] if len(answers) == 1 else seen


def refusing_ill_typed(puppet: Puppet, request: Object) -> Object:
    """The host's own check refuses arguments that are no object."""
    reply = puppet.ask(request)
    if request["cmd"] != "call" or isinstance(request.get("arguments", {}), dict):
        return reply
    return with_observed(
        reply,
        (
            {**one, "answer": {"callId": one["answer"]["callId"], "refused": "no object"}}
            if one.get("answer", {}).get("callId") == request["callId"]
            else one
            for one in observed(reply)
        ),
    )


NEAR_MISSES: tuple[tuple[str, Fault], ...] = (
    ("other ids", renaming),
    ("more barriers", more_barriers),
    ("other messages", other_messages),
    ("another code of the same stage", last_code),
    ("claims in vain", with_the_time(idle_claims)),
    ("hides claims", hidden("claim")),
    ("hides releases", hidden("claim", "release")),
    ("answers late", seeing(late_answers)),
    ("refuses by the host", refusing_ill_typed),
)
"""Systems that differ from the law where it leaves a choice."""
