"""Saboteurs of the owner and of delivery: what is due, when it comes, in which order, and in which words."""

import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.saboteurs.live.puppet import (
    Object,
    Puppet,
    asking,
    breaking,
    each,
    forgetting,
    framing,
    observed,
    patch,
    remembering,
    replaced,
    seeing,
    standing,
    swapped,
    unheard,
    with_observed,
)
from tests.saboteurs.model import Make, Saboteur

from schedule_spec import due, fold, instants
from schedule_spec.changes import named_id
from schedule_spec.delivery import barriers, calls, inputs, machine, owners, steps
from schedule_spec.delivery.model import Ending, Mode, Owner, Queued, Reason, Released, Resting
from schedule_spec.delivery.reasons.followups import framed
from schedule_spec.due import Batch, OneShot, Wait
from schedule_spec.fold import Refused, State
from schedule_spec.framing import text_of
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.records import Every
from schedule_spec.rejections import Code
from schedule_spec.tools import Failed, Listing, NotFound, Shown

LONGEST = 2**31 - 1
"""The most ms that a timer of hosts such as Node holds."""


def deciding(other: Callable[..., Any]) -> Make:
    """What is due is decided otherwise."""
    return replaced(patch(due, "decide", other))


def _data(one: Object) -> Object:
    data = one.get("append", {}).get("data")
    return data if isinstance(data, dict) else {}


# --- due ---


def reversed_reminders(text: str) -> str:
    head, mark, rest = text.partition("reminders_json: ")
    if not mark:
        return text
    reminders = json.loads(rest)[::-1]
    return head + mark + json.dumps(reminders, ensure_ascii=False, separators=(",", ":"))


def first_of_the_batch(own: Any, active: Any, now: int) -> Any:
    found = own(active, now)
    return replace(found, reminders=found.reminders[:1]) if isinstance(found, Batch) else found


def ten_of_the_batch(own: Any, active: Any, now: int) -> Any:
    found = own(active, now)
    return replace(found, reminders=found.reminders[:10]) if isinstance(found, Batch) else found


def in_creation_order(own: Any, active: Any, now: int) -> Any:
    found = own(active, now)
    if not isinstance(found, Batch):
        return found
    order = [record.id for record in active]
    return replace(
        found, reminders=tuple(sorted(found.reminders, key=lambda reminder: order.index(reminder.record.id)))
    )


def with_stored_targets(own: Any, active: Any, now: int) -> Any:
    found = own(active, now)
    if not isinstance(found, Batch):
        return found
    reminders = [replace(each_, occurrence=each_.record.scheduled_at) for each_ in found.reminders]
    return replace(found, reminders=tuple(reminders))


def batch_first(own: Any, active: Any, now: int) -> Any:
    everys = [record for record in active if isinstance(record, Every)]
    found = own(everys, now)
    return found if isinstance(found, Batch) else own(active, now)


def created_first(own: Any, active: Any, now: int) -> Any:
    for record in active:
        if not isinstance(record, Every) and record.scheduled_at <= now:
            return OneShot(record)
    return own(active, now)


def partly_appended(seen: list[Object]) -> list[Object]:
    """Of a batch only the first dispatch is appended."""
    kept, skipping = [], False
    for one in seen:
        dispatch = "acceptedAt" in _data(one)
        if not (dispatch and skipping):
            kept.append(one)
        skipping = dispatch
    return kept


def accepted_apart(seen: list[Object]) -> list[Object]:
    """Each dispatch of a batch reads the clock for itself."""
    number, apart = 0, []
    for one in seen:
        data = _data(one)
        number = number + 1 if "acceptedAt" in data else 0
        if number > 1:
            accepted = instants.parse(data["acceptedAt"])
            assert accepted is not None
            later = instants.render(min(accepted + number - 1, LATEST))
            one = {**one, "append": {**one["append"], "data": {**data, "acceptedAt": later}}}  # noqa: PLW2901
        apart.append(one)
    return apart


def accepted_at_target(own: Any, decision: Any) -> Any:
    dispatches = own(decision)
    if not isinstance(decision, Batch):
        return dispatches
    return tuple(
        replace(dispatch, accepted_at=reminder.occurrence)
        for dispatch, reminder in zip(dispatches, decision.reminders, strict=True)
    )


def clamped(own: Any, active: Any, now: int) -> Any:
    return own(active, min(max(now, EARLIEST), LATEST))


def nothing_out_of_range(own: Any, active: Any, now: int) -> Any:
    return own(active, now) if instants.in_range(now) else Wait(None)


def stopped_out_of_range(own: Any, session: Any, moment: Any) -> Any:
    owner = own(session, moment)
    everys = any(isinstance(record, Every) for record in session.log.own.active)
    return owner if instants.in_range(moment.clock) or not everys else replace(owner, mode=Mode.STOPPED)


def no_wait_until_0(own: Any, session: Any, moment: Any) -> Any:
    """A target that is 0 is taken for none."""
    owner = own(session, moment)
    ahead = [r.scheduled_at for r in session.log.own.active if r.scheduled_at > moment.clock]
    return replace(owner, wake=None) if ahead and min(ahead) == 0 else owner


def nothing_before_1970(own: Any, active: Any, now: int) -> Any:
    return own(active, now) if now >= 0 else Wait(None)


DUE = (
    Saboteur(
        "waits_for_no_target_at_0",
        "due.wait",
        "The target 1970-01-01T00:00:00.000Z is 0 in milliseconds, which is asked for as if it were none.",
        replaced(patch(steps, "rearmed", no_wait_until_0)),
    ),
    Saboteur(
        "delivers_nothing_before_1970",
        "deliver.no-loss",
        "A negative clock is taken to be none.",
        deciding(nothing_before_1970),
    ),
    Saboteur(
        "frames_a_batch_backwards",
        "due.batch",
        "The reminders of a batch stand in the opposite order.",
        framing(reversed_reminders),
    ),
    Saboteur(
        "orders_a_batch_by_creation",
        "due.batch",
        "A batch is in creation order, whatever the targets.",
        deciding(in_creation_order),
    ),
    Saboteur(
        "delivers_everys_one_by_one",
        "due.batch",
        "Each every has a follow-up of its own.",
        deciding(first_of_the_batch),
    ),
    Saboteur(
        "delivers_ten_everys_at_a_time",
        "due.batch",
        "A batch has room for ten everys.",
        deciding(ten_of_the_batch),
    ),
    Saboteur(
        "frames_the_first_missed_occurrence",
        "due.batch",
        "The occurrence of a batch is the stored target, and not the latest that is due.",
        deciding(with_stored_targets),
    ),
    Saboteur(
        "delivers_the_batch_first", "due.one-shot-first", "Everys go before one-shots.", deciding(batch_first)
    ),
    Saboteur(
        "delivers_one_shots_by_creation",
        "due.one-shot-first",
        "Of several one-shots the one that was created first comes first.",
        deciding(created_first),
    ),
    Saboteur(
        "dispatches_the_first_of_a_batch_alone",
        "deliver.sequence",
        "A batch is queued as one, and only its first record is dispatched.",
        seeing(partly_appended),
    ),
    Saboteur(
        "reads_the_clock_for_each_dispatch",
        "due.one-decision-time",
        "Each dispatch of a batch has its own acceptedAt.",
        seeing(accepted_apart),
    ),
    Saboteur(
        "accepts_at_the_occurrence",
        "due.one-decision-time",
        "The acceptedAt of a dispatch is its occurrence, and not the clock that decided.",
        replaced(patch(due, "dispatches", accepted_at_target)),
    ),
    Saboteur(
        "clamps_the_clock_into_range",
        "due.clock-range",
        "A clock out of range is taken for the nearest instant within.",
        deciding(clamped),
    ),
    Saboteur(
        "stops_on_a_clock_out_of_range",
        "due.clock-range",
        "A clock out of range is an internal error that ends the owner.",
        replaced(patch(steps, "rearmed", stopped_out_of_range)),
    ),
)


# --- owner ---


def once(own: Any, owner: Any, reason: Reason) -> Any:
    """A delivery is taken to have done all that there was to do."""
    return replace(owner, owed=None) if reason is Reason.DELIVERED else own(owner, reason)


def without_overdue(own: Any, session: Any) -> Any:
    """Timers are rebuilt for targets to come; what is past counts as missed for good."""
    started = own(session)
    return replace(started, owner=replace(started.owner, unread=fold.ids(started.log.own)))


def outliving(puppet: Puppet, request: Object) -> Object:
    """What crashed is opened again behind the scenes."""
    reply = puppet.ask(request)
    if request["cmd"] != "crash" or "result" not in reply:
        return reply
    return puppet.also(reply, cmd="reopen", session=request["session"])


def without_timers(own: Any, session: Any) -> Any:
    started = own(session)
    return replace(started, owner=replace(started.owner, owed=None))


def deaf_to(*reasons: Reason, modes: tuple[Mode, ...] = (Mode.LIVE, Mode.HALTED, Mode.LULLED)) -> Make:
    """What is a reason to look for due work leaves an owner of these modes alone."""

    def other(own: Any, owner: Any, reason: Reason) -> Any:
        return owner if reason in reasons and owner.mode in modes else own(owner, reason)

    return replaced(*(patch(place, "triggered", other) for place in (inputs, calls, barriers)))


def no_long_waits(own: Any, session: Any, moment: Any) -> Any:
    owner = own(session, moment)
    return replace(owner, wake=None) if (owner.wake or 0) > LONGEST else owner


def overflowing(own: Any, active: Any, now: int) -> Any:
    """A one-shot for which no timer can wait is taken to be due."""
    found = own(active, now)
    for record in active:
        if isinstance(found, Wait) and not isinstance(record, Every) and record.scheduled_at - now > LONGEST:
            return OneShot(record)
    return found


def never_back(memory: Object) -> Any:
    """The clock that decides never goes back."""

    def decide(own: Any, active: Any, now: int) -> Any:
        if instants.in_range(now):
            memory["latest"] = max(now, memory.get("latest", now))
        return own(active, max(now, memory.get("latest", now)))

    return (patch(due, "decide", decide),)


def ahead(clock: Callable[[int], int]) -> Callable[..., Any]:
    """Of one-shots a clock decides that is ahead."""

    def decide(own: Any, active: Any, now: int) -> Any:
        one_shots = [record for record in active if not isinstance(record, Every)]
        found = own(one_shots, clock(now))
        return found if isinstance(found, OneShot) else own(active, now)

    return decide


def no_timer(own: Any, session: Any, moment: Any) -> Any:
    return replace(own(session, moment), wake=None)


def woken_before(own: Any, session: Any, moment: Any) -> Any:
    owner = own(session, moment)
    return owner if owner.wake is None else replace(owner, wake=max(owner.wake - 1, 1))


def steered(seen: list[Object]) -> list[Object]:
    return [{("steer" if key == "followup" else key): value for key, value in one.items()} for one in seen]


def retrying_after(ms: int) -> Callable[..., Any]:
    def other(own: Any, owner: Any, *more: Any) -> Any:
        following = own(owner, *more)
        gone = following.mode not in (Mode.HALTED, Mode.LULLED)
        return following if gone else Owner(Mode.LIVE, wake=ms, unread=following.unread)

    return other


def armed_all_the_same(own: Any, session: Any, moment: Any, *more: Any) -> Any:
    """After a failed preflight the timers of targets to come run on."""
    ahead = [r.scheduled_at - moment.clock for r in session.log.own.active if r.scheduled_at > moment.clock]
    wake = min(ahead, default=None)
    return [
        replace(each_, owner=Owner(Mode.LIVE, wake=wake)) if each_.owner.mode is Mode.HALTED else each_
        for each_ in own(session, moment, *more)
    ]


def stopping(own: Any, owner: Any, *more: Any) -> Any:
    following = own(owner, *more)
    return Owner(Mode.STOPPED) if following.mode in (Mode.HALTED, Mode.LULLED) else following


def sound_part(own: Any, events: Any, seed_length: Any, terms: Any) -> Any:
    log = own(events, seed_length, terms)
    return replace(log, state=log.state.state) if isinstance(log.state, Refused) else log


def from_sound_part(own: Any, session: Any, call: Any, moment: Any) -> Any:
    log = session.log
    if isinstance(log.state, Refused) and isinstance(call.request, Listing):
        return Shown(log.state.state.active, moment.clock)
    return own(session, call, moment)


def corrupt_for_tools(own: Any, session: Any, call: Any, moment: Any) -> Any:
    log = session.log
    begin = -1 if log.seed is None else log.seed
    refused = fold.fold([inputs.parsed(event) for event in log.events], begin)
    return own(session, call, moment) if isinstance(refused, State) else Failed((Code.CORRUPT_SCHEDULE_LOG,))


def corrupt_for_writers(own: Any, log: Any, event: Any, terms: Any) -> bool:
    begin = -1 if log.seed is None else log.seed
    state = fold.fold([inputs.parsed(each_) for each_ in log.events], begin)
    return isinstance(state, Refused) or bool(own(log, event, terms))


def disposal_deletes(puppet: Puppet, request: Object) -> Object:
    reply = puppet.ask(request)
    if request["cmd"] == "log" and request["session"] in puppet.memory:
        return {**reply, "result": {**reply["result"], "events": reply["result"]["events"][:-1]}}
    if request["cmd"] == "dispose":
        puppet.memory[request["session"]] = True
    return reply


def abandoned(own: Any, session: Any, request: Any, terms: Any) -> Any:
    """Disposal cuts off what is in flight."""
    disposed = own(session, request, terms)
    return replace(disposed, calls=(), answers=(), held=False, phase=Resting())


def feature_for(*agents: str) -> Make:
    def heard(request: Object) -> Object:
        return {k: v for k, v in request.items() if k != "agent" or v not in agents}

    return asking(heard, "open")


def owner_for_children(own: Any, session: Any) -> Any:
    started = own(session)
    child = session.agent == "child" and session.persistence
    return replace(started, owner=Owner(Mode.LIVE, owed=Reason.OPENED)) if child else started


def not_for_roots(request: Object) -> Object:
    return {"agent": "existing", **request}


def given_up(memory: Object) -> Any:
    """After the fifth preflight in a row that failed the owner looks for due work no more."""

    def failed(own: Any, session: Any) -> Any:
        if session.calls or session.owner.owed is None:
            return own(session)
        memory["failed"] = memory.get("failed", 0) + 1
        gone = memory["failed"] >= 5
        return [replace(each_, owner=Owner(Mode.STOPPED)) if gone else each_ for each_ in own(session)]

    def settled(own: Any, session: Any, moment: Any, result: str) -> Any:
        if result == "ok":
            memory["failed"] = 0
        return own(session, moment, result)

    return patch(barriers, "_failed_at_rest", failed), patch(barriers, "_settled", settled)


def enqueued_ten_times(memory: Object) -> Any:
    """After the tenth follow-up in a row that was refused the owner queues nothing more."""

    def halted(own: Any, owner: Any) -> Any:
        memory["refused"] = memory.get("refused", 0) + 1
        return Owner(Mode.STOPPED) if memory["refused"] >= 10 else own(owner)

    return (patch(steps, "halted", halted),)


def disposed_at_leisure(own: Any, session: Any, request: Any, terms: Any) -> Any:
    """Disposal finds the owner waiting for a barrier, and leaves it to go on."""
    due_work = session.held and not session.calls
    return session if due_work else own(session, request, terms)


def without_timers_of_a_child(own: Any, session: Any) -> Any:
    started = own(session)
    return replace(started, owner=replace(started.owner, owed=None)) if session.log.seed else started


def with_the_parents_owner(own: Any, parent: Any, request: Any, terms: Any) -> Any:
    """A child takes over the owner of its parent where that has stopped."""
    child = own(parent, request, terms)
    return replace(child, owner=parent.owner) if parent.owner.mode is Mode.STOPPED else child


def ended_with_its_parent(puppet: Puppet, request: Object) -> Object:
    """With a process its forks are gone too."""
    if request["cmd"] == "fork":
        puppet.memory.setdefault(request["session"], []).append(request["as"])
    if request["cmd"] == "crash":
        for child in puppet.memory.get(request["session"], []):
            puppet.law({"seq": 0, "cmd": "dispose", "session": child})
    return puppet.ask(request)


def unmoved_by_what_is_not_found(own: Any, session: Any, answers: Any, owner: Any) -> Any:
    """A delete that found nothing is no reason to look anew."""
    found_none = answers and isinstance(answers[0], NotFound)
    return own(session, answers, session.owner if found_none else owner)


def busy_together(puppet: Puppet, request: Object) -> Object:
    """All sessions share one agent: while one is busy, all are."""
    sessions = puppet.memory.setdefault("sessions", [])
    if request["cmd"] in ("open", "fork"):
        sessions.append(request.get("as", request["session"]))
    reply = puppet.ask(request)
    if request["cmd"] == "busy":
        for other in sessions:
            if other != request["session"]:
                reply = puppet.also(reply, cmd="busy", session=other, on=request["on"])
    return reply


def busy_by_count(puppet: Puppet, request: Object) -> Object:
    """An agent that became busy twice has to become idle twice."""
    if request["cmd"] != "busy":
        return puppet.ask(request)
    depth = puppet.memory.get(request["session"], 0)
    puppet.memory[request["session"]] = max(0, depth + (1 if request["on"] else -1))
    counts = depth > 0 if request["on"] else depth > 1
    return puppet.ask({"seq": request["seq"], "cmd": "advance_time", "ms": 0} if counts else request)


OWNER = (
    Saboteur(
        "gives_up_after_five_failed_preflights",
        "owner.activity-retry",
        "Whatever failed five times in a row is thought to fail for good.",
        remembering(given_up),
    ),
    Saboteur(
        "gives_up_after_ten_refused_followups",
        "owner.activity-retry",
        "A host that refused ten follow-ups is asked no more.",
        remembering(enqueued_ten_times),
    ),
    Saboteur(
        "delivers_on_when_disposed_at_a_barrier",
        "owner.dispose",
        "Disposal cancels timers, and not what goes on when a barrier is through.",
        replaced(patch(inputs.COMMANDS, "dispose", disposed_at_leisure)),
    ),
    Saboteur(
        "arms_no_timer_where_something_is_inherited",
        "owner.session-local",
        "The timers of a session with an inherited part are left to its parent.",
        replaced(patch(inputs, "_started", without_timers_of_a_child)),
    ),
    Saboteur(
        "gives_a_fork_the_stopped_owner_of_its_parent",
        "owner.session-local",
        "A fork copies the flag that its parent's owner has stopped.",
        replaced(patch(inputs, "forked", with_the_parents_owner)),
    ),
    Saboteur(
        "ends_forks_with_their_parent",
        "owner.session-local",
        "The owners of forks live in the process of their parent, and end with it.",
        breaking(ended_with_its_parent),
    ),
    Saboteur(
        "makes_all_sessions_busy_at_once",
        "deliver.no-loss",
        "Whether the agent is busy is one flag of the process.",
        breaking(busy_together),
    ),
    Saboteur(
        "counts_how_often_an_agent_is_busy",
        "owner.idle-only",
        "Busy is a count, and what is told twice has to end twice.",
        breaking(busy_by_count),
    ),
    Saboteur(
        "ignores_what_a_delete_did_not_find",
        "owner.recompute",
        "The preflight of a delete that finds nothing lets the owner sleep on.",
        replaced(patch(calls, "completed", unmoved_by_what_is_not_found)),
    ),
    Saboteur(
        "works_when_cold",
        "owner.session-local",
        "A session goes on delivering when it is gone, from a service that outlives it.",
        breaking(outliving),
    ),
    Saboteur(
        "forgets_overdue_on_reopen",
        "owner.session-local",
        "A reopened session takes what is past for missed, and waits for what is to come.",
        replaced(patch(inputs, "_started", without_overdue), commands=("reopen",)),
    ),
    Saboteur(
        "arms_no_timer_on_reopen",
        "owner.session-local",
        "A reopened session looks at its records when it is next called.",
        replaced(patch(inputs, "_started", without_timers)),
    ),
    Saboteur(
        "child_gets_owner", "owner.roots-only", "Child agents get tools and owner.", feature_for("child")
    ),
    Saboteur(
        "child_gets_owner_without_tools",
        "owner.roots-only",
        "Child agents are given no tools, and an owner all the same.",
        replaced(patch(inputs, "_started", owner_for_children)),
    ),
    Saboteur(
        "existing_agent_gets_tools",
        "owner.roots-only",
        "Agents that were there before the feature get it too.",
        feature_for("existing"),
    ),
    Saboteur(
        "root_gets_no_tools",
        "owner.roots-only",
        "Root agents are passed over.",
        asking(not_for_roots, "open"),
    ),
    Saboteur(
        "runs_without_persistence",
        "owner.requires-persistence",
        "Without a persistence service the feature runs in memory.",
        forgetting("persistence", "open"),
    ),
    Saboteur(
        "ignores_a_confirmed_create",
        "owner.recompute",
        "The timer is set when the session opens, and not anew when a reminder is created.",
        deaf_to(Reason.CONFIRMED, Reason.PREFLIGHT, modes=(Mode.LIVE,)),
    ),
    Saboteur(
        "ignores_a_preflight",
        "owner.recompute",
        "A list or a delete that found nothing lets the owner sleep on.",
        deaf_to(Reason.PREFLIGHT, modes=(Mode.LIVE,)),
    ),
    Saboteur(
        "fires_at_once_beyond_2_31_ms",
        "owner.bounded-wait",
        "A timer of more than 2^31-1 ms overflows and fires at once.",
        deciding(overflowing),
    ),
    Saboteur(
        "never_fires_beyond_2_31_ms",
        "owner.bounded-wait",
        "A wait that no timer holds is not set at all.",
        replaced(patch(steps, "rearmed", no_long_waits)),
    ),
    Saboteur(
        "ignores_a_clock_set_back",
        "owner.recheck",
        "What decides is a clock that never goes back.",
        remembering(never_back),
    ),
    Saboteur(
        "fires_a_millisecond_early",
        "owner.never-early",
        "Timers are 1 ms early, and what they were set for is not looked at again.",
        replaced(patch(due, "decide", ahead(lambda now: now + 1)), patch(steps, "rearmed", woken_before)),
    ),
    Saboteur(
        "decides_by_whole_seconds",
        "owner.never-early",
        "The clock that decides is rounded to seconds.",
        deciding(ahead(lambda now: -(-now // 1000) * 1000)),
    ),
    Saboteur(
        "interrupts_a_busy_agent",
        "owner.idle-only",
        "Whether the agent is busy is not asked.",
        asking(lambda request: {**request, "on": False}, "busy"),
    ),
    Saboteur(
        "forgets_to_wait_for_idle",
        "owner.idle-only",
        "After a refused claim nothing waits for the agent to become idle.",
        deaf_to(Reason.IDLE, modes=(Mode.LIVE,)),
    ),
    Saboteur(
        "steers_the_running_turn",
        "owner.no-steer",
        "Reminders are put into the current turn.",
        seeing(steered),
    ),
    Saboteur(
        "retries_on_timer_after_failed_preflight",
        "owner.activity-retry",
        "A failed barrier of due work is tried again a second later.",
        replaced(patch(barriers, "halted", retrying_after(1000))),
    ),
    Saboteur(
        "retries_on_timer_after_failed_enqueue",
        "owner.activity-retry",
        "A failed enqueue is tried again a second later.",
        replaced(patch(steps, "halted", retrying_after(1000))),
    ),
    Saboteur(
        "keeps_timers_after_failed_preflight",
        "owner.activity-retry",
        "After a failed preflight targets to come are waited for as before.",
        replaced(patch(barriers, "_failed", armed_all_the_same)),
    ),
    Saboteur(
        "ignores_idle_after_a_failure",
        "owner.activity-retry",
        "After a failure a return to idle tries nothing again.",
        deaf_to(Reason.IDLE, modes=(Mode.HALTED, Mode.LULLED)),
    ),
    Saboteur(
        "ignores_preflight_after_a_failure",
        "owner.activity-retry",
        "After a failure a successful tool preflight tries nothing again.",
        deaf_to(Reason.PREFLIGHT, Reason.CONFIRMED, modes=(Mode.HALTED, Mode.LULLED)),
    ),
    Saboteur(
        "stops_after_failed_preflight",
        "owner.activity-retry",
        "A failed preflight ends the owner for good.",
        replaced(patch(barriers, "halted", stopping)),
    ),
    Saboteur(
        "stops_after_failed_enqueue",
        "owner.activity-retry",
        "A failed enqueue ends the owner for good.",
        replaced(patch(steps, "halted", stopping)),
    ),
    Saboteur(
        "delivers_from_a_corrupt_log",
        "owner.corrupt",
        "The owner works with the sound part of a log that does not fold.",
        replaced(
            patch(inputs, "read_log", sound_part),
            patch(calls, "outcome", corrupt_for_tools),
            patch(steps, "outcome", corrupt_for_tools),
            patch(inputs, "refuses", corrupt_for_writers),
        ),
    ),
    Saboteur(
        "lists_the_sound_part_of_a_corrupt_log",
        "tool.corrupt",
        "Tools answer from the sound part of a log that does not fold.",
        replaced(patch(calls, "outcome", from_sound_part)),
    ),
    Saboteur("goes_on_after_disposal", "owner.dispose", "Disposal cancels no timer.", unheard("dispose")),
    Saboteur("deletes_on_disposal", "owner.dispose", "Disposal deletes records.", breaking(disposal_deletes)),
    Saboteur(
        "abandons_what_is_in_flight",
        "owner.dispose",
        "Disposal drops the calls that wait for a barrier.",
        replaced(patch(inputs.COMMANDS, "dispose", abandoned)),
    ),
)


# --- deliver ---


def preflight_dropped(seen: list[Object]) -> list[Object]:
    """No barrier before a claim."""
    return [
        one
        for place, one in enumerate(seen)
        if not ("barrier" in one and place + 1 < len(seen) and "claim" in seen[place + 1])
    ]


def last_dropped(seen: list[Object]) -> list[Object]:
    """No barrier after a release."""
    return [
        one
        for place, one in enumerate(seen)
        if not ("barrier" in one and place and "release" in seen[place - 1])
    ]


def queued_twice(seen: list[Object]) -> list[Object]:
    return [copy for one in seen for copy in ([one, one] if "followup" in one else [one])]


def decided_before(memory: Object) -> Any:
    """What is delivered was decided before the barrier."""

    def looked(own: Any, session: Any, moment: Any) -> Any:
        act = own(session, moment)
        if act is not None and act.session.held:
            memory["decided"] = owners.foreseen(session, moment)
        return act

    def deliver(own: Any, session: Any, moment: Any) -> Any:
        found = memory.pop("decided", None)
        if not isinstance(found, OneShot | Batch) or found == owners.decision(session, moment):
            return own(session, moment)
        if not {named_id(change) for change in due.dispatches(found)} <= set(session.log.own.seen):
            return own(session, moment)
        return machine.Act(
            replace(session, phase=Ending(queued=True, complete=True)), {"followup": text_of(found)}
        )

    return patch(machine, "_work", looked), patch(machine, "_deliver", deliver)


def decided_by_an_old_clock(memory: Object) -> Any:
    """The fold is read again after the barrier; the clock is the one from before it."""

    def looked(own: Any, session: Any, moment: Any) -> Any:
        act = own(session, moment)
        if act is not None and act.session.held:
            memory["clock"] = moment.clock
        return act

    def deliver(own: Any, session: Any, moment: Any) -> Any:
        before = replace(moment, clock=memory.pop("clock", moment.clock))
        return own(session, before if owners.is_due(session, before) else moment)

    return patch(machine, "_work", looked), patch(machine, "_deliver", deliver)


def claimed_beside_a_call(own: Any, session: Any, moment: Any) -> Any:
    """While a create or delete waits for its second barrier, the owner claims for what is due."""
    act = own(session, moment)
    if act is not None or session.owner.owed is None or session.busy or not owners.mid_call(session):
        return act
    if isinstance(owners.foreseen(session, moment), Wait):
        return act
    return machine.Act(replace(session, owner=replace(session.owner, owed=None)), {"claim": "ok"})


def dispatched_unqueued(own: Any, session: Any, moment: Any) -> Any:
    """A failed enqueue is not noticed."""
    found = owners.decision(session, moment)
    if session.script.followup_fails and not isinstance(found, Wait):
        return machine.Act(replace(session, phase=Queued(due.dispatches(found))))
    return own(session, moment)


def undying(own: Any, session: Any) -> Any:
    """An owner whose append failed tries the whole delivery again."""
    stopped = own(session)
    if stopped.owner.mode is not Mode.STOPPED:
        return stopped
    return replace(stopped, owner=Owner(Mode.LIVE, owed=Reason.DELIVERED))


def retried_later(own: Any, session: Any) -> Any:
    """An owner whose append failed takes that for a failed enqueue."""
    stopped = own(session)
    return replace(stopped, owner=Owner(Mode.HALTED)) if stopped.owner.mode is Mode.STOPPED else stopped


def appended_again(own: Any, session: Any, moment: Any) -> Any:
    """A dispatch that could not be appended is appended once more at once."""
    if isinstance(session.phase, Queued) and session.script.fails("dispatch"):
        return own(replace(session, script=calls.attempted(session, "dispatch")), moment)
    return own(session, moment)


def queued_again(puppet: Puppet, request: Object) -> Object:
    """After a failed last barrier the follow-up is queued once more, where the agent is certainly idle."""
    if request["cmd"] == "busy" or {"turns", "busy"} & set(request):
        puppet.memory[request["session"]] = "may be busy"
    reply = puppet.ask(request)
    seen = observed(reply)
    more: list[Object] = []
    for place, one in enumerate(seen):
        more.append(one)
        failed = one.get("barrier") in ("fail", "missing") and place and "release" in seen[place - 1]
        text = next((other["followup"] for other in reversed(seen[:place]) if "followup" in other), None)
        if failed and text is not None and one["session"] not in puppet.memory:
            whose = {"at": one["at"], "session": one["session"]}
            more += [{**whose, "claim": "ok"}, {**whose, "followup": text}]
    return with_observed(reply, more)


def receipt(seen: list[Object]) -> list[Object]:
    more = []
    for one in seen:
        if "release" in one:
            event = {"type": "schedule/receipt", "data": {}}
            more.append({"at": one["at"], "session": one["session"], "append": event})
        more.append(one)
    return more


def remembered(puppet: Puppet, request: Object) -> Object:
    """What was queued before a crash is never queued again."""
    known = puppet.memory.setdefault("queued", set())

    def decide(own: Any, active: Any, now: int) -> Any:
        return own([r for r in active if (r.id, instants.render(r.scheduled_at)) not in known], now)

    lost = request["cmd"] == "reopen"
    if lost:
        known |= puppet.memory.pop("last", set())
    with standing([patch(due, "decide", decide)]):
        reply = puppet.ask(request)
    for one in observed(reply):
        ids, occurrences = framed(one.get("followup", "")) or ([], [])
        puppet.memory.setdefault("last", set()).update(zip(ids, occurrences, strict=False))
    return reply


def repeated_on_reopen(puppet: Puppet, request: Object) -> Object:
    """What was delivered last is delivered again when the session is reopened; its dispatch is in the log."""
    reply = puppet.ask(request)
    queued, last = puppet.memory.setdefault("queued", {}), puppet.memory.setdefault("last", {})
    if request["cmd"] == "crash":
        last.pop(request["session"], None)
    for one in observed(reply):
        if "followup" in one:
            queued[one["session"]] = one["followup"]
        if _data(one).get("operation") == "dispatch":
            last[one["session"]] = queued[one["session"]]
    seen = observed(reply)
    if request["cmd"] != "reopen" or request["session"] not in last or seen:
        return reply
    whose = {"at": puppet.now, "session": request["session"]}
    text = last[request["session"]]
    return with_observed(reply, [{**whose, "claim": "ok"}, {**whose, "followup": text}])


def fifty_times(memory: Object) -> Any:
    """After fifty deliveries the owner has done its part."""

    def settled(own: Any, session: Any, moment: Any, result: str) -> Any:
        following = own(session, moment, result)
        if not isinstance(session.phase, Released):
            return following
        memory["delivered"] = memory.get("delivered", 0) + 1
        gone = memory["delivered"] >= 50
        return [replace(each_, owner=Owner(Mode.STOPPED)) if gone else each_ for each_ in following]

    return (patch(barriers, "_settled", settled),)


DELIVER = (
    Saboteur(
        "delivers_fifty_times_in_a_life",
        "deliver.no-loss",
        "An owner that has delivered fifty times is taken for one that runs wild, and ended.",
        remembering(fifty_times),
    ),
    Saboteur(
        "claims_without_a_barrier",
        "deliver.sequence",
        "Due work is taken up without a barrier before it.",
        seeing(preflight_dropped),
    ),
    Saboteur(
        "ends_without_a_barrier",
        "deliver.sequence",
        "A delivery has no last barrier.",
        seeing(last_dropped),
    ),
    Saboteur(
        "releases_after_the_last_barrier",
        "deliver.sequence",
        "The phase is kept until the last barrier is through.",
        seeing(swapped("release", "barrier")),
    ),
    Saboteur("queues_twice", "deliver.sequence", "Each follow-up is queued twice.", seeing(queued_twice)),
    Saboteur(
        "delivers_what_was_decided_before_the_barrier",
        "deliver.sequence",
        "The fold is not read again once the phase is claimed.",
        remembering(decided_before),
    ),
    Saboteur(
        "decides_by_the_clock_before_the_barrier",
        "deliver.sequence",
        "The clock is read once, when due work is taken up, and not again after its barrier.",
        remembering(decided_by_an_old_clock),
    ),
    Saboteur(
        "claims_while_a_call_is_under_way",
        "barrier.fifo",
        "Due work takes no place in the queue.",
        replaced(patch(machine, "_next", claimed_beside_a_call)),
    ),
    Saboteur(
        "releases_before_dispatch",
        "deliver.parked",
        "The phase is released as soon as the follow-up is queued.",
        seeing(swapped("append", "release")),
    ),
    Saboteur(
        "dispatches_before_followup",
        "deliver.enqueue-before-dispatch",
        "The dispatch is appended, and then the follow-up queued.",
        seeing(swapped("followup", "append")),
    ),
    Saboteur(
        "dispatches_without_followup",
        "deliver.enqueue-before-dispatch",
        "The follow-up gets lost, and the dispatch is appended.",
        seeing(each(lambda one: None if "followup" in one else one)),
    ),
    Saboteur(
        "dispatches_what_failed",
        "deliver.no-dispatch-on-failure",
        "That the enqueue failed is not noticed.",
        replaced(patch(machine, "_deliver", dispatched_unqueued)),
    ),
    Saboteur(
        "requeues_after_failed_append",
        "deliver.append-failure-faults",
        "A dispatch that could not be appended is delivered again at once.",
        replaced(patch(steps, "stopped", undying)),
    ),
    Saboteur(
        "retries_after_failed_append",
        "deliver.append-failure-faults",
        "A dispatch that could not be appended is delivered again when the agent is next idle.",
        replaced(patch(steps, "stopped", retried_later)),
    ),
    Saboteur(
        "appends_again_after_failed_append",
        "deliver.append-failure-faults",
        "A dispatch that could not be appended is appended once more.",
        replaced(patch(machine, "_next", appended_again)),
    ),
    Saboteur(
        "queues_again_after_failed_last_barrier",
        "deliver.barrier-failure",
        "After a failed last barrier the reminder is queued again.",
        breaking(queued_again),
    ),
    Saboteur(
        "retries_on_timer_after_failed_last_barrier",
        "deliver.barrier-failure",
        "After a failed last barrier due work is looked for again a second later.",
        replaced(patch(barriers, "lulled", retrying_after(1000))),
    ),
    Saboteur(
        "leaves_a_receipt",
        "deliver.no-receipt",
        "Each delivery leaves a receipt in the log.",
        seeing(receipt),
    ),
    Saboteur(
        "repeats_the_last_on_reopen",
        "deliver.at-least-once",
        "What was delivered last comes again after each reopening, though its dispatch is in the log.",
        breaking(repeated_on_reopen),
    ),
    Saboteur(
        "remembers_deliveries_across_a_crash",
        "deliver.no-loss",
        "A file beside the log says what was queued; after a crash it counts for delivered.",
        breaking(remembered),
    ),
    Saboteur(
        "delivers_nothing_under_a_clock_out_of_range",
        "deliver.no-loss",
        "A clock that no instant can hold decides nothing, one-shots with the rest.",
        deciding(nothing_out_of_range),
    ),
    Saboteur(
        "never_wakes", "deliver.no-loss", "Timers do not fire.", replaced(patch(steps, "rearmed", no_timer))
    ),
    Saboteur(
        "delivers_one_at_each_wake",
        "deliver.no-loss",
        "After a delivery nothing looks for what else is due.",
        replaced(patch(barriers, "triggered", once)),
    ),
)


# --- frame ---


def raw_prompt(text: str) -> str:
    head, mark, literal = text.partition("\nreminder_prompt_json: ")
    return text if not mark else f"{head}{mark}{json.loads(literal)}"


def ascii_prompt(text: str) -> str:
    head, mark, literal = text.partition("\nreminder_prompt_json: ")
    return text if not mark else f"{head}{mark}{json.dumps(json.loads(literal))}"


def stale_occurrence(text: str) -> str:
    """The occurrence of a one-shot is the moment before its target."""
    head, mark, rest = text.partition("\noccurrence_at: ")
    target = instants.parse(rest[:24]) if mark else None
    return text if target is None else f"{head}{mark}{instants.render(max(target - 1, 0))}{rest[24:]}"


def spaced(text: str) -> str:
    head, mark, rest = text.partition("reminders_json: ")
    return text if not mark else head + mark + rest.replace('","', '", "')


FRAME = (
    Saboteur(
        "puts_a_line_before_the_framing",
        "frame.message",
        "The message begins with a line of the host's own.",
        framing(lambda text: f"Reminder\n{text}"),
    ),
    Saboteur(
        "cuts_long_framings",
        "frame.whole",
        "A message is cut to a length that is thought to be enough.",
        framing(lambda text: text[:170]),
    ),
    Saboteur(
        "cuts_framings_at_64_kib",
        "frame.whole",
        "A message of the host has 65,536 characters at most.",
        framing(lambda text: text[:65_536]),
    ),
    Saboteur(
        "frames_in_a_normal_form",
        "text.json-string",
        "The text of a follow-up is composed (NFC).",
        framing(lambda text: unicodedata.normalize("NFC", text)),
    ),
    Saboteur(
        "frames_with_another_header",
        "frame.one-shot",
        "The first line of a reminder has another word.",
        framing(lambda text: re.sub(r"\A\[SCHEDULE REMINDER\]", "[SCHEDULE NOTE]", text)),
    ),
    Saboteur(
        "frames_the_clock_before_the_target",
        "frame.one-shot",
        "The occurrence of a one-shot is another moment than its target.",
        framing(stale_occurrence),
    ),
    Saboteur("puts_spaces_into_a_batch", "frame.batch", "The JSON of a batch has spaces.", framing(spaced)),
    Saboteur(
        "frames_raw_prompts",
        "frame.injection",
        "The prompt stands in the text as it is.",
        framing(raw_prompt),
    ),
    Saboteur(
        "escapes_what_stands_raw",
        "text.json-string",
        "Characters beyond ASCII are escaped.",
        framing(ascii_prompt),
    ),
)

SABOTEURS = (*DUE, *OWNER, *DELIVER, *FRAME)
