"""What random worlds have come through: situations, each counted, each with a floor.

A run that misses a situation has shown nothing of it, whatever its verdict; so below a floor it could not
judge. Floors are stated for `STATED_FOR` steps, at about a fifth of what is usual and four standard
deviations below it, or at 1, and grow with a run.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from schedule_conformance.worlds.openings import OTHER_EVENTS
from schedule_conformance.worlds.world import Judged, Moment, Reply, Request
from schedule_spec import due, fold, json_text
from schedule_spec.delivery import Session, States
from schedule_spec.delivery.model import Call, Mode, Resting
from schedule_spec.delivery.reasons.followups import framed
from schedule_spec.due import Wait
from schedule_spec.fold import Refused, State
from schedule_spec.instants import in_range, parse
from schedule_spec.records import Every
from schedule_spec.rejections import Code
from schedule_spec.tools import Creating

STATED_FOR = 20_000
"""The number of steps that the floors are stated for."""
A_HANDFUL = 4
LONGEST_TIMER = 2**31 - 1
"""The most ms that a timer of hosts such as Node holds."""


@dataclass(frozen=True, slots=True)
class Situation:
    """Something that worlds are to come through, how often at least, and the clauses that it tries.

    `needs` is what a system has to have said of itself for it to be reached: `candidate`, `v1`, or nothing.
    """

    name: str
    floor: int
    clauses: tuple[str, ...]
    needs: str = ""


_SOUND = ("tool.error-sound", "tool.errors-closed", "tool.errors-stable")

SITUATIONS: tuple[Situation, ...] = (
    Situation("answered invalid_prompt", 20, (*_SOUND, "tool.create-prompt", "tool.shape-first")),
    Situation("answered invalid_selector", 10, (*_SOUND, "tool.create-selector", "tool.shape-first")),
    Situation("answered invalid_rule", 80, (*_SOUND, "tool.shape-first")),
    Situation("answered invalid_time_zone", 2, _SOUND, "v1"),
    Situation("answered not_future", 30, _SOUND, "v1"),
    Situation("answered time_out_of_range", 40, _SOUND),
    Situation("answered frequency_too_high", 5, (*_SOUND, "tool.shape-first"), "v1"),
    Situation("answered corrupt_schedule_log", 40, (*_SOUND, "tool.corrupt")),
    Situation("answered internal_error", 1, (*_SOUND, "tool.internal-error")),
    Situation("uncertain create, before its append", 20, ("barrier.uncertain", "barrier.before-read")),
    Situation("uncertain create, after its append", 10, ("barrier.uncertain", "barrier.after-append")),
    Situation("uncertain list", 5, ("barrier.uncertain", "barrier.before-read")),
    Situation("uncertain delete", 8, ("barrier.uncertain",)),
    Situation("create confirmed", 150, ("tool.create-result", "barrier.after-append", "view.fields")),
    Situation("create confirmed after its target", 1, ("tool.create-result", "view.state")),
    Situation("list of several", 30, ("tool.list", "tool.case", "frame.whole", "tool.deterministic-text")),
    Situation("delete confirmed", 30, ("tool.delete-active", "barrier.after-append")),
    Situation("answered schedule_not_found", 50, ("tool.delete-unknown",)),
    Situation("call with ill-typed arguments", 30, ("tool.ill-typed",)),
    Situation("call in JSON text", 80, ("tool.ill-typed", "tool.case")),
    Situation("id created anew", 100, ("id.fresh", "id.never-reused")),
    Situation("append failed within a call", 8, ("tool.internal-error", "tool.errors-stable")),
    Situation("call without the feature", 30, ("owner.roots-only", "tool.internal-error")),
    Situation("opened for a child or existing agent", 10, ("owner.roots-only",)),
    Situation("opened without persistence", 2, ("owner.requires-persistence",)),
    Situation("held barrier with two calls behind it", 30, ("barrier.fifo", "barrier.before-read")),
    Situation("abort before the append", 20, ("barrier.cancel",)),
    Situation("abort after the append", 1, ("barrier.cancel",)),
    Situation(
        "create appended after time at its held barrier", 2, ("tool.create-result", "barrier.before-read")
    ),
    Situation("barrier released behind a cancelled create", 1, ("barrier.cancel",)),
    Situation("one-shot delivered", 100, ("frame.one-shot", "frame.message", "deliver.sequence", "due.wait")),
    Situation("batch delivered", 200, ("frame.batch", "due.batch", "due.one-decision-time"), "v1"),
    Situation("batch of three or more", 20, ("due.batch", "due.one-decision-time"), "v1"),
    Situation("one-shot before a due batch", 40, ("due.one-shot-first",), "v1"),
    Situation("one-shots due together", 20, ("due.one-shot-first",)),
    Situation("missed occurrences skipped", 50, ("due.batch",), "v1"),
    Situation("every exhausted", 8, ("due.batch", "deliver.sequence"), "v1"),
    Situation("hostile text framed", 200, ("frame.injection", "text.json-string")),
    Situation("advanced to a target, less 1 ms", 30, ("owner.never-early", "due.wait")),
    Situation("advanced to a target exactly", 100, ("due.wait", "deliver.no-loss", "owner.recheck")),
    Situation("wait longer than a timer holds", 1, ("owner.bounded-wait",)),
    Situation("clock set back while waiting", 20, ("owner.recheck", "owner.never-early")),
    Situation("clock set past a target", 50, ("owner.recheck",)),
    Situation("clock set past a target while busy", 10, ("owner.recheck", "owner.idle-only")),
    Situation("clock out of range with a due every", 1, ("due.clock-range",), "v1"),
    Situation("due while busy", 300, ("owner.idle-only", "owner.no-steer")),
    Situation("delivered on return to idle", 30, ("owner.idle-only", "owner.no-steer")),
    Situation("follow-up parked until the release", 50, ("deliver.parked", "owner.no-steer")),
    Situation("due work halted by a failed barrier", 15, ("owner.activity-retry", "barrier.before-read")),
    Situation("enqueue failed", 9, ("deliver.no-dispatch-on-failure", "owner.activity-retry")),
    Situation("retried after a failure", 20, ("owner.activity-retry", "barrier.recovers", "owner.recompute")),
    Situation("last barrier failed", 8, ("deliver.barrier-failure", "deliver.meaning")),
    Situation("owner stopped", 15, ("deliver.append-failure-faults",)),
    Situation("due work after the owner stopped", 1, ("deliver.append-failure-faults",)),
    Situation("batch appended in part", 1, ("deliver.append-failure-faults",), "v1"),
    Situation("duplicate after a crash", 1, ("deliver.at-least-once", "deliver.enqueue-before-dispatch")),
    Situation("crash that loses events", 10, ("deliver.no-loss", "deliver.at-least-once")),
    Situation("crash told to lose what is durable", 10, ("deliver.no-loss", "barrier.after-append")),
    Situation("crash while a barrier is held", 8, ("deliver.no-loss",)),
    Situation("reopened with overdue records", 80, ("owner.session-local", "deliver.at-least-once")),
    Situation("time passed while not live", 8, ("owner.session-local",)),
    Situation("fork at the end", 15, ("fork.suffix", "fork.no-adoption", "fork.history")),
    Situation("fork at its parent's boundary", 1, ("fork.suffix", "fork.prefix-unread")),
    Situation("fork inside the log", 1, ("fork.suffix", "fork.no-adoption")),
    Situation("delete of another session's id", 6, ("fork.no-adoption", "id.session-local")),
    Situation("delivered beside another session", 100, ("fork.no-adoption", "owner.session-local")),
    Situation("candidate refused", 50, ("fold.candidate",), "candidate"),
    Situation("candidate let in", 100, ("fold.candidate",), "candidate"),
    Situation("foreign record delivered", 20, ("fold.authority", "deliver.no-loss")),
    Situation("other events passed over", 10, ("fold.authority", "deliver.no-receipt")),
    Situation("time passed on a log that does not fold", 50, ("owner.corrupt",)),
    Situation("disposed with work to come", 30, ("owner.dispose",)),
    Situation("disposed with work in flight", 1, ("owner.dispose",)),
    Situation("due after disposal", 10, ("owner.dispose",)),
    Situation("log given back", 30, ("fork.history", "deliver.no-receipt")),
)
"""All situations, by subject."""


def floor(situation: Situation, steps: int) -> int:
    """Return how often a run of so many steps has to reach a situation.

    Of a shorter run what would be a handful is not demanded: chance alone could miss it.
    """
    scaled = situation.floor * steps // STATED_FOR
    return scaled if steps >= STATED_FOR or scaled >= A_HANDFUL else 0


@dataclass(slots=True)
class _Memory:
    """What happened to one session before: follow-ups queued, whether it crashed, foreign ids, the batch.

    `delayed` are the calls of creates that time passed over while their first barrier was held.
    """

    queued: set[tuple[Any, Any]] = field(default_factory=set)
    crashed: bool = False
    foreign: set[str] = field(default_factory=set)
    deleted: bool = False
    batch: int = 0
    appended: int = 0
    delayed: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Sightings:
    """Counts of situations over many worlds."""

    counts: Counter[str] = field(default_factory=Counter)
    _memory: dict[str, _Memory] = field(default_factory=dict)

    def begin(self) -> None:
        """Forget what happened in the world before."""
        self._memory = {}

    def see(self, judged: Judged) -> None:
        """Count what an exchange brought about."""
        request, reply = judged.exchange.request, judged.exchange.reply
        self._delay(judged.before, request)
        self.counts.update(_of_request(judged.before, request))
        self.counts.update(_of_reply(request, reply))
        for moment in judged.moments:
            name = moment.observation["session"]
            memory = self._memory.setdefault(name, _Memory())
            self.counts.update(_of_observation(moment, memory, request))
        if isinstance(judged.after, States):
            self.counts.update(_of_change(judged.before, judged.after, request))
            self.counts.update(self._of_batches(judged.after))
        self._remember(request, reply)

    def _delay(self, before: States, request: Request) -> None:
        """Remember the creates that time passes over while their first barrier is held."""
        if request["cmd"] not in ("advance_time", "set_clock"):
            return
        for name, situations in before.sessions:
            delayed = (call.id for call in waiting_creates(situations[0]) if not call.aborted)
            self._memory.setdefault(name, _Memory()).delayed.update(delayed)

    def _of_batches(self, after: States) -> Iterator[str]:
        for name, memory in self._memory.items():
            if memory.batch > memory.appended > 0 and any(
                situation.owner.mode is Mode.STOPPED for situation in after.of(name)
            ):
                yield "batch appended in part"
            memory.batch = memory.appended = 0

    def _remember(self, request: Request, reply: Reply) -> None:
        memory = self._memory.setdefault(str(request.get("session", "")), _Memory())
        if request["cmd"] == "crash":
            memory.crashed = True
        if request["cmd"] == "append" and "result" in reply:
            memory.foreign |= _created(request["event"])


def _created(event: Any) -> set[str]:
    match event:
        case {"data": {"operation": "create", "schedule": {"id": str(id)}}}:
            return {id}
        case _:
            return set()


# --- what is asked ---


def _of_request(before: States, request: Request) -> Iterator[str]:
    match request["cmd"]:
        case "open":
            yield from _of_open(request)
        case "advance_time":
            yield from _of_advance(before, request["ms"])
        case "set_clock":
            yield from _of_jump(before, request["now"])
        case _:
            for session in before.of(request["session"])[:1]:
                yield from _of_command(before, session, request)


def _of_command(before: States, session: Session, request: Request) -> Iterator[str]:
    match request["cmd"]:
        case "call":
            yield from _of_call(before, session, request)
        case "abort":
            for call in session.calls:
                if call.id == request["callId"] and not call.answered:
                    yield "abort before the append" if call.appended is None else "abort after the append"
        case "release" if request["outcome"] == "ok":
            if any(call.aborted for call in waiting_creates(session)):
                yield "barrier released behind a cancelled create"
        case "crash":
            yield from _of_crash(before.of(request["session"]), request["keep"])
        case "fork":
            yield from _of_fork(session, request["at"])
        case "append" if request["event"] in OTHER_EVENTS:
            yield "other events passed over"
        case "dispose" if session.owner.mode is not Mode.DISPOSED:
            if session.log.own.active:
                yield "disposed with work to come"
            if session.held or not isinstance(session.phase, Resting):
                yield "disposed with work in flight"


def _of_crash(situations: tuple[Session, ...], keep: int) -> Iterator[str]:
    if any(keep < len(situation.log.events) for situation in situations):
        yield "crash that loses events"
    if all(keep < situation.log.durable for situation in situations):
        yield "crash told to lose what is durable"
    if situations[0].held:
        yield "crash while a barrier is held"


def waiting_creates(session: Session) -> list[Call]:
    """Return the creates whose first barrier is held, or that stand behind it, and have not appended."""
    if not session.held:
        return []
    return [call for call in session.calls if call.appended is None and isinstance(call.request, Creating)]


def _of_open(request: Request) -> Iterator[str]:
    if request.get("agent", "root") != "root":
        yield "opened for a child or existing agent"
    if request.get("persistence", True) is False:
        yield "opened without persistence"


def _of_call(before: States, session: Session, request: Request) -> Iterator[str]:
    if not session.installed:
        yield "call without the feature"
    if "json" in request:
        yield "call in JSON text"
    given = request.get("arguments", json_text.read(request.get("json", "")))
    id = given.get("id") if isinstance(given, dict) else None
    if not isinstance(given, dict) or (request["tool"] == "schedule_delete" and not isinstance(id, str)):
        yield "call with ill-typed arguments"
    others = (situations[0].log.own for name, situations in before.sessions if name != request["session"])
    if isinstance(id, str) and id not in session.log.own.seen and any(id in own.seen for own in others):
        yield "delete of another session's id"
    if sum(not call.answered for call in session.calls) >= 2 and session.held:
        yield "held barrier with two calls behind it"


def _active(states: States) -> Iterator[tuple[Session, int]]:
    """Yield the target of each active record of a live owner."""
    for _, situations in states.sessions:
        session = situations[0]
        if session.live and session.owner.mode is Mode.LIVE:
            yield from ((session, record.scheduled_at) for record in session.log.own.active)


def _of_advance(before: States, ms: int) -> Iterator[str]:
    end = before.clock + ms
    targets = {target for _, target in _active(before) if target > before.clock}
    if ms and end + 1 in targets:
        yield "advanced to a target, less 1 ms"
    if end in targets:
        yield "advanced to a target exactly"
    for _, situations in before.sessions:
        session = situations[0]
        wake = session.owner.wake
        if wake is not None and LONGEST_TIMER < wake <= ms:
            yield "wait longer than a timer holds"
        passed = any(before.clock < record.scheduled_at <= end for record in session.log.own.active)
        if passed and not session.live:
            yield "time passed while not live"
        if ms and session.live and isinstance(session.log.state, Refused):
            yield "time passed on a log that does not fold"
        if passed and session.owner.mode is Mode.DISPOSED:
            yield "due after disposal"
        if passed and session.owner.mode is Mode.STOPPED:
            yield "due work after the owner stopped"


def _of_jump(before: States, now: int) -> Iterator[str]:
    for session, target in _active(before):
        if now < before.clock and session.owner.wake is not None:
            yield "clock set back while waiting"
        if before.clock < target <= now:
            yield "clock set past a target while busy" if session.busy else "clock set past a target"
            if not in_range(now) and any(isinstance(record, Every) for record in session.log.own.active):
                yield "clock out of range with a due every"


def _of_fork(parent: Session, at: int) -> Iterator[str]:
    if at == len(parent.log.events):
        yield "fork at the end"
    elif at and at == parent.log.seed:
        yield "fork at its parent's boundary"
    elif at:
        yield "fork inside the log"


# --- what is answered ---


def _of_reply(request: Request, reply: Reply) -> Iterator[str]:
    match request["cmd"]:
        case "append":
            yield "candidate refused" if "rejected" in reply else "candidate let in"
        case "log":
            yield "log given back"


def _of_observation(moment: Moment, memory: _Memory, request: Request) -> Iterator[str]:
    match moment.observation:
        case {"answer": {"value": dict(value)}}:
            yield from _of_value(value)
        case {"answer": {"value": [_, _, *_]}}:
            yield "list of several"
        case {"append": {"type": fold.EVENT_TYPE, "data": dict(data)}}:
            yield from _of_append(moment, memory, data)
        case {"followup": str(text)}:
            yield from _of_followup(moment, memory, text, request)


def _of_value(value: Mapping[str, Any]) -> Iterator[str]:
    match value:
        case {"code": Code.PERSISTENCE_UNCERTAIN, "operation": "create"}:
            yield f"uncertain create, {'after' if 'id' in value else 'before'} its append"
        case {"code": Code.PERSISTENCE_UNCERTAIN, "operation": str(operation)}:
            yield f"uncertain {operation}"
        case {"code": str(code)}:
            yield f"answered {code}"
        case {"deleted": True}:
            yield "delete confirmed"
        case {"state": state}:
            yield "create confirmed"
            if state == "overdue":
                yield "create confirmed after its target"


def _of_append(moment: Moment, memory: _Memory, data: Mapping[str, Any]) -> Iterator[str]:
    session = moment.states.of(moment.observation["session"])[0]
    match data:
        case {"operation": "create"}:
            if session.calls and session.calls[0].id in memory.delayed:
                yield "create appended after time at its held barrier"
            if len(session.log.own.seen) > len(session.log.own.active):
                yield "id created anew"
        case {"operation": "dispatch", "id": str(id)}:
            memory.appended += 1
            accepted = parse(str(data.get("acceptedAt", "")))
            ended = fold.find(session.log.own, id)
            if accepted is not None and isinstance(ended, Every):
                following = fold.step(session.log.own, moment.observation["append"])
                if isinstance(following, State) and fold.find(following, id) is None:
                    yield "every exhausted"
                if accepted >= ended.scheduled_at + ended.every_seconds * 1000:
                    yield "missed occurrences skipped"


def _of_followup(moment: Moment, memory: _Memory, text: str, request: Request) -> Iterator[str]:
    at, name = moment.observation["at"], moment.observation["session"]
    session = moment.states.of(name)[0]
    ids, occurrences = framed(text) or ([], [])
    due_now = [record for record in session.log.own.active if record.scheduled_at <= at]
    if isinstance(fold.find(session.log.own, str(ids[0] if ids else "")), Every):
        memory.batch, memory.appended = len(ids), 0
        yield "batch delivered"
        if len(ids) >= 3:
            yield "batch of three or more"
    else:
        yield "one-shot delivered"
        if any(isinstance(record, Every) for record in due_now):
            yield "one-shot before a due batch"
        if sum(not isinstance(record, Every) for record in due_now) >= 2:
            yield "one-shots due together"
    reminders = {(str(id), str(occurrence)) for id, occurrence in zip(ids, occurrences, strict=False)}
    if memory.crashed and reminders & memory.queued:
        yield "duplicate after a crash"
    memory.queued |= reminders
    if memory.foreign & {str(id) for id in ids}:
        yield "foreign record delivered"
    if any(hostile in text for hostile in ('\\"', "\\u0000", "\\n", "\u2028", "\\ud83d")):
        yield "hostile text framed"
    if session.holds_turns:
        yield "follow-up parked until the release"
    if request["cmd"] in ("busy", "turn"):
        yield "delivered on return to idle"
    if sum(situations[0].live for _, situations in moment.states.sessions) > 1:
        yield "delivered beside another session"


# --- what has become of it ---


def _of_change(before: States, after: States, request: Request) -> Iterator[str]:
    for name, situations in after.sessions:
        now, then = situations[0], next(iter(before.of(name)), None)
        mode = now.owner.mode
        was = then.owner.mode if then is not None else Mode.ABSENT
        overdue = not isinstance(due.decide(now.log.own.active, after.clock), Wait)
        if now.busy and overdue and mode is Mode.LIVE:
            yield "due while busy"
        if mode is Mode.STOPPED and was is not mode:
            yield "owner stopped"
        if mode is Mode.LULLED and was is not mode:
            yield "last barrier failed"
        if mode is Mode.HALTED and was is not mode and overdue:
            failed = now.script.followup_fails
            yield "enqueue failed" if failed else "due work halted by a failed barrier"
        if mode is Mode.LIVE and was in (Mode.HALTED, Mode.LULLED) and request["cmd"] != "reopen":
            yield "retried after a failure"
        if request["cmd"] == "reopen" and request["session"] == name and _overdue(then, after.clock):
            yield "reopened with overdue records"
        if then is not None and request["cmd"] == "call" and then.script.times > now.script.times:
            yield "append failed within a call"


def _overdue(session: Session | None, clock: int) -> bool:
    return session is not None and any(record.scheduled_at <= clock for record in session.log.own.active)
