"""A log judged event by event: what its host's events show of delivery and of the tools.

Applies deliver.*, due.one-decision-time and owner.no-steer, and what `followups` and `answers` apply. The log
must fold: its schedule changes are taken as they are. `step` takes the events of a session's own part in
their order, `end` says what only the end shows; a situation is no larger than what is active and open.
"""

from dataclasses import dataclass, replace

from schedule_spec import due, fold, instants, profiles
from schedule_spec.changes import Change, DispatchEvery, DispatchOneShot
from schedule_spec.delivery_log import answers, followups, host_events
from schedule_spec.delivery_log.answers import Active, Call, Clock
from schedule_spec.delivery_log.findings import Checked, Fault, Finding, Note, NotShown, Suspicion
from schedule_spec.delivery_log.followups import Decision, Delivered
from schedule_spec.delivery_log.host_events import Answered, Called, FollowUp, Spliced, TurnStarted
from schedule_spec.due import Batch, OneShot
from schedule_spec.fold import EVENT_TYPE, State
from schedule_spec.json_text import Json
from schedule_spec.profiles import Profile
from schedule_spec.rejections import Rejection, quoted, quoted_names

Reminders = tuple[tuple[str, int], ...]
"""Ids with the occurrences that were queued, in ms."""

FOLLOW_UP_ROLE = "user"
LATER_TURN = "next-turn"
"""Where an inbox event puts what does not touch the current turn."""


@dataclass(frozen=True, slots=True)
class Queued:
    """A follow-up whose dispatches have not all come.

    `active` are the records when it was queued, at `at` ms by the host's clock; `done` counts its dispatches,
    and `accepted_at` is what those of a batch carry, None before the first.
    """

    position: int
    decision: Decision
    active: Active
    at: int | None
    done: int = 0
    accepted_at: int | None = None

    @property
    def reminders(self) -> Reminders:
        """All that was queued."""
        return followups.reminders(self.decision)

    @property
    def left(self) -> Reminders:
        """What was queued and is not dispatched."""
        return self.reminders[self.done :]


@dataclass(frozen=True, slots=True)
class Situation:
    """Where the judge stands in a log.

    `stopped_at` is the position of a follow-up whose append failed since the session was last opened, `left`
    what the latest one that was cut short left undispatched, `delivered` the ids of the latest delivery.
    `has_inbox` and `has_tools` tell which of the host's events the log has shown.
    """

    active: Active = ()
    queued: Queued | None = None
    stopped_at: int | None = None
    left: Reminders = ()
    delivered: Delivered = ()
    calls: tuple[Call, ...] = ()
    has_inbox: bool = False
    has_tools: bool = False


BEGIN = Situation()
"""Before the first event of a session's own part."""

Findings = tuple[Finding, ...]
Step = tuple[Situation, Findings]


def step(situation: Situation, event: Json, position: int, profile: Profile = Profile.V1) -> Step:
    """Return the situation after the event at that position, and what is to be said of it.

    ValueError where the event is a schedule change that does not follow from those before it.
    """
    time = host_events.time_of(event)
    if isinstance(event, dict) and event.get("type") == EVENT_TYPE:
        change = profiles.decoder(profile)(event.get("data"))
        if isinstance(change, Rejection):
            raise ValueError(f"the log does not fold: {change.message}")
        return _changed(situation, change, time)
    match host_events.read(event):
        case Spliced() as spliced:
            return _spliced(situation, spliced, position, time)
        case Called() as called:
            return _called(situation, called, time)
        case Answered() as answered:
            return _answered(situation, answered, time, profile)
        case TurnStarted():
            return _interrupted(situation, "a turn began")
        case other:
            return (situation, ()) if other is None else _reopened(situation)


def _reopened(situation: Situation) -> Step:
    after, findings = end(situation, "the session was opened anew")
    return replace(after, stopped_at=None), findings


def end(situation: Situation, why: str = "the log ends") -> Step:
    """Return the situation in which nothing is open any more, and what is to be said of what was."""
    after, findings = _interrupted(situation, why)
    unanswered = (NotShown.NO_RESULT,) * len(situation.calls)
    return replace(after, calls=()), (*findings, *unanswered)


def _interrupted(situation: Situation, why: str) -> Step:
    """Take it that a follow-up's missing dispatches do not come: a crash or a failed append explains it."""
    queued = situation.queued
    if queued is None:
        return situation, ()
    ids = quoted_names([id for id, _ in queued.left])
    dispatched = f"{queued.done} of {len(queued.reminders)} reminders were dispatched" if queued.done else ""
    fate = f"{dispatched}, {ids} not" if dispatched else f"no dispatch of {ids} followed"
    note = Note(queued.position, f"The follow-up was queued and {fate}; then {why}.")
    after = replace(situation, queued=None, stopped_at=queued.position, left=queued.left)
    return after, (note,)


# ---- deliveries


def _spliced(situation: Situation, spliced: Spliced, position: int, time: int | None) -> Step:
    after, findings = replace(situation, has_inbox=True), list[Finding]()
    if spliced.follow_ups and spliced.removes:
        return after, (NotShown.MOVED,)
    for follow_up in spliced.follow_ups:
        after, found = _followed_up(after, follow_up, position, time)
        findings += found
    return after, tuple(findings)


def _followed_up(situation: Situation, follow_up: FollowUp, position: int, time: int | None) -> Step:
    fault = _out_of_turn(situation, position) or _misaddressed(follow_up)
    if fault is not None:
        return situation, (fault,)
    assert follow_up.text is not None
    decision = followups.judge(situation.active, follow_up.text, time, situation.delivered)
    if isinstance(decision, Fault):
        return situation, (decision,)
    queued = Queued(position, decision, situation.active, time)
    again = [id for id, occurrence in queued.reminders if (id, occurrence) in situation.left]
    notes: Findings = (Note(position, f"{quoted_names(again)} came again, never dispatched before."),)
    untimed: Findings = () if time is not None else (NotShown.NO_TIME,)
    return replace(situation, queued=queued), (*(notes if again else ()), *untimed)


def _out_of_turn(situation: Situation, position: int) -> Fault | None:
    """Return the fault of a follow-up after one that was not dispatched, while the session stayed open."""
    queued, stopped_at = situation.queued, situation.stopped_at
    if queued is not None and queued.position in {position, position - 1}:
        sentence = f"A second follow-up comes right after that of seq {queued.position}, before its dispatch."
        return Fault("deliver.sequence", sentence, _dispatches(queued))
    before = stopped_at if queued is None else queued.position
    if before is None:
        return None
    sentence = (
        f"The follow-up of seq {before} was never wholly dispatched and the session was not opened anew"
        " since: its owner queues nothing more."
    )
    return Fault("deliver.append-failure-faults", sentence, ("no follow-up before the session is reopened",))


def _dispatches(queued: Queued) -> tuple[str, ...]:
    return tuple(f"a dispatch of {quoted(id)}" for id, _ in queued.left[:1])


def _misaddressed(follow_up: FollowUp) -> Fault | None:
    if follow_up.role != FOLLOW_UP_ROLE or follow_up.text is None:
        came = (
            f"role {quoted(follow_up.role)}" if follow_up.text is not None else "content that is not one text"
        )
        sentence = f"The follow-up has {came}."
        return Fault("frame.message", sentence, ("one user-role message whose content is the framing alone",))
    if isinstance(follow_up.target, str) and follow_up.target != LATER_TURN:
        sentence = f"The follow-up was queued for {quoted(follow_up.target)}."
        return Fault("owner.no-steer", sentence, (f"a follow-up for {LATER_TURN}",))
    return None


def _dispatched(situation: Situation, change: DispatchOneShot | DispatchEvery, time: int | None) -> Step:
    queued = situation.queued
    if queued is None:
        return situation, (Suspicion(_not_queued(situation, change)),)
    fault = _unlike(queued, change) or _untimely(queued, change, time)
    if fault is not None:
        return situation, (fault,)
    accepted_at = change.accepted_at if isinstance(change, DispatchEvery) else None
    queued = replace(queued, done=queued.done + 1, accepted_at=accepted_at)
    if queued.left:
        return replace(situation, queued=queued), ()
    delivered = tuple(id for id, _ in queued.reminders)
    return replace(situation, queued=None, delivered=delivered), (Checked.DELIVERY,)


def _not_queued(situation: Situation, change: DispatchOneShot | DispatchEvery) -> Fault:
    sentence = f"{quoted(change.id)} is dispatched, and no follow-up of it was queued just before."
    if situation.stopped_at is not None:
        sentence += f" That of seq {situation.stopped_at} was over."
    return Fault("deliver.enqueue-before-dispatch", sentence, ("the follow-up, then its dispatch",))


def _unlike(queued: Queued, change: DispatchOneShot | DispatchEvery) -> Fault | None:
    """Return the fault of a dispatch that is not the follow-up's next."""
    expected, _ = queued.left[0]
    if change.id == expected:
        return None
    if all(change.id != id for id, _ in queued.left):
        sentence = f"{quoted(change.id)} is dispatched, and the follow-up shows {quoted(expected)}."
        return Fault("deliver.enqueue-before-dispatch", sentence, _dispatches(queued))
    sentence = f"{quoted(change.id)} is dispatched before {quoted(expected)}, which the batch shows earlier."
    return Fault("due.batch", sentence, _dispatches(queued))


def _untimely(queued: Queued, change: DispatchOneShot | DispatchEvery, time: int | None) -> Fault | None:
    """Return the fault of a dispatch whose decision time cannot be that of its follow-up."""
    if isinstance(queued.decision, OneShot):
        target = queued.decision.record.scheduled_at
        return followups.early(time, target, f"{quoted(change.id)} was dispatched")
    assert isinstance(change, DispatchEvery), "the log folds"
    accepted = change.accepted_at
    shown = instants.render(accepted)
    if queued.accepted_at is not None:
        right = instants.render(queued.accepted_at)
        sentence = f"acceptedAt is {shown}; the batch was decided at {right}."
        return None if accepted == queued.accepted_at else _mistimed(sentence, f"acceptedAt {right}")
    for moment, what in ((queued.at, "the follow-up was queued"), (time, "the dispatch was appended")):
        if moment is not None and moment < accepted:
            sentence = f"acceptedAt is {shown}, and {what} {accepted - moment} ms before that."
            return _mistimed(sentence, "an acceptedAt that is not after the follow-up")
    decision = due.decide(queued.active, accepted)
    if isinstance(decision, OneShot):
        return followups.passed_over(decision)
    assert isinstance(decision, Batch), "the log folds: what is dispatched was due by then"
    if decision.reminders != queued.decision.reminders:
        return followups.another_batch(decision, queued.decision.reminders)
    return None


def _mistimed(sentence: str, right: str) -> Fault:
    return Fault("due.one-decision-time", sentence, (right,))


# ---- changes and tools


def _changed(situation: Situation, change: Change, time: int | None) -> Step:
    # The ids seen are of no account: the log folds.
    state = fold.apply(State(situation.active, ()), change)
    if isinstance(state, Rejection):
        raise ValueError(f"the log does not fold: {state.message}")  # noqa: TRY004 - a value, not a type
    after, findings = situation, Findings()
    if isinstance(change, DispatchOneShot | DispatchEvery):
        after, findings = _dispatched(situation, change, time)
    elif not situation.calls:
        findings = (NotShown.NO_CALL,)
    calls = tuple(call.after(change, state.active, time) for call in after.calls)
    return replace(after, active=state.active, calls=calls), findings


def _called(situation: Situation, called: Called, time: int | None) -> Step:
    others = tuple(
        replace(call, clock=call.clock.read(time), alone=False)
        for call in situation.calls
        if call.begun.call_id != called.call_id
    )
    forgotten = (NotShown.NO_RESULT,) * (len(situation.calls) - len(others))
    call = Call(called, Clock().read(time), (situation.active,), not others)
    return replace(situation, calls=(*others, call), has_tools=True), forgotten


def _answered(situation: Situation, answered: Answered, time: int | None, profile: Profile) -> Step:
    call = next((call for call in situation.calls if call.begun.call_id == answered.call_id), None)
    if call is None:
        return situation, ()
    found = answers.judge(call, answered, time, profile)
    if isinstance(found, Fault):
        return situation, (found,)
    others = tuple(
        replace(other.without(found.change), clock=other.clock.read(time))
        for other in situation.calls
        if other is not call
    )
    return replace(situation, calls=others), found.said
