"""What holds in all of the live law's state space: safety on every edge, liveness from every node.

The logs are judged here by reading their events, not by the law that moves them. Liveness is under strong
fairness: a step that is possible again and again is taken at last. In a finite space that is so exactly where
from every node some path of the session's own steps, with surroundings that mean well, leads to where nothing
due is left.
"""

import json
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, TypeAlias

from proofs.exhaustive.live_law import (
    DEEP,
    NOON,
    WIDE,
    Edge,
    Left,
    Node,
    Scope,
    helped,
    outer,
    own,
    rested,
    start,
)
from proofs.outcomes import Counterexample, Counts
from proofs.refinement.relation import abstracts
from schedule_impl import fold as impl_fold
from schedule_spec import fold
from schedule_spec.changes import Change, DispatchEvery, DispatchOneShot
from schedule_spec.delivery.model import Claimed, Ending, Mode, Queued, Released, Resting, Session
from schedule_spec.fold import State
from schedule_spec.instants import parse
from schedule_spec.records import Every

Behaviour: TypeAlias = Callable[[Node], Iterator[Edge]]
"""What a session does by itself."""

NARROW = Scope(WIDE.records, WIDE.points, Left(crashes=1, barriers=1, faults=0, calls=0, turns=0))
"""A scope that is walked in seconds."""


def _reached(scope: Scope, behaviour: Behaviour) -> Iterator[tuple[Node, list[Edge], list[Edge]]]:
    """Yield every node once, with the edges of the session and those of its surroundings."""
    begin = start(scope)
    seen, waiting = {begin}, deque([begin])
    while waiting:
        node = waiting.popleft()
        inner = _inner(node, behaviour)
        if not inner and not node.settled:
            raise Counterexample(f"something is owed, and nothing can be done: {told(node)}")
        outside = list(outer(node, scope))
        yield node, inner, outside
        for edge in (*inner, *outside):
            if edge.node not in seen:
                seen.add(edge.node)
                waiting.append(edge.node)


def told(node: Node) -> str:
    """Tell a node in a line: clock, owner, phase, and what is in the log."""
    session = node.session
    log = [data.get("id") or data["schedule"]["id"] for data in map(_data, session.log.events)]
    return (
        f"at {node.clock - NOON:+} ms the owner is {session.owner.mode}, the phase {session.phase}, busy "
        f"{session.busy}, held {session.held}; its log is of {', '.join(log)}, {session.log.durable} of it "
        "durable"
    )


@cache
def _data(event: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(event)["data"]
    return data


# --- safety ---


def _safe(scope: Scope, behaviour: Behaviour) -> Counts:
    counts: Counter[str] = Counter()
    for node, inner, outside in _reached(scope, behaviour):
        _sound(node.session)
        for edge in (*inner, *outside):
            counts[edge.label.partition(" ")[0]] += 1
            _check(node, edge)
        counts["states"] += 1
        counts["transitions"] += len(inner) + len(outside)
    return dict(counts)


def _sound(session: Session) -> None:
    """Hold the state to what the implementation's fold makes of the events.

    Nothing is lost, nothing invented.
    """
    if session.log.state != _meaning(session.log.events):
        raise Counterexample(f"deliver.no-loss: {session.log.events} means {session.log.state}")
    if not session.log.durable <= len(session.log.events):
        raise Counterexample("deliver.no-loss: more is durable than there is")


@cache
def _meaning(events: tuple[str, ...]) -> State:
    return abstracts(impl_fold.fold([json.loads(event) for event in events]))


def _check(node: Node, edge: Edge) -> None:
    before, after = node.session, edge.node.session
    old, new = before.log.events, after.log.events
    match edge.label:
        case "append":
            if new[:-1] != old:
                raise _fault("fold.authority: an append changed what was there", node)
        case "crash":
            if new != old[: len(new)] or len(new) < before.log.durable:
                raise _fault("deliver.no-loss: a crash took something durable", node)
        case _:
            if new != old:
                raise _fault(f"fold.authority: {edge.label} changed the log", node)
    if edge.label == "followup":
        for change in _queued(after):
            _admitted(node, change)
    elif isinstance(after.phase, Queued) and not isinstance(before.phase, Queued):
        raise _fault("deliver.sequence: a dispatch is to come without a follow-up", node)
    if edge.label == "append" and _data(new[-1])["operation"] == "dispatch":
        _announced(node, _data(new[-1]))
    if edge.label not in ("crash", "reopen"):
        _in_sequence(node, edge)


def _in_sequence(node: Node, edge: Edge) -> None:
    """Hold a delivery to its order: barrier, claim, follow-up, all of its dispatches, release, barrier."""
    before, after = node.session, edge.node.session
    if after.owner_cleared and not before.owner_cleared and edge.label != "barrier ok":
        raise _fault(f"deliver.sequence: {edge.label} stands for a barrier", node)
    if before.phase != after.phase and not _is_next(before, after, edge.label):
        raise _fault(f"deliver.sequence: {edge.label} leads to {after.phase}", node)


def _is_next(before: Session, after: Session, label: str) -> bool:  # noqa: PLR0911 - one phase each
    """Tell whether the phase is one that may come after the one before."""
    match before.phase, after.phase:
        case Resting(), Claimed(cleared):
            return before.owner_cleared or not cleared
        case Claimed(cleared), Queued():
            return cleared and label == "followup"
        case Queued(rest), Queued(left):
            return left == rest[1:] and label == "append"
        case Queued(rest), Ending(True, complete):
            all_done = len(rest) == 1 and label == "append"
            return all_done if complete else after.owner.mode in (Mode.STOPPED, Mode.DISPOSED)
        case Ending(_, complete), latter:
            return label == "release" and isinstance(latter, Released if complete else Resting)
        case former, latter:
            if isinstance(former, Released):
                return latter == Resting() and label.startswith("barrier")
            return isinstance(former, Claimed) and latter in (Resting(), Ending(False, False))


def _queued(session: Session) -> tuple[Change, ...]:
    return session.phase.rest if isinstance(session.phase, Queued) else ()


def _fault(sentence: str, node: Node) -> Counterexample:
    return Counterexample(f"{sentence}; {told(node)}")


def _admitted(node: Node, change: Change) -> None:
    """Hold what a follow-up delivers to be due, and not durably dispatched; the agent is idle."""
    session = node.session
    assert isinstance(change, DispatchOneShot | DispatchEvery)
    record = fold.find(session.log.own, change.id)
    if record is None or record.scheduled_at > node.clock:
        raise _fault(f"owner.never-early: {change.id} is queued before its target", node)
    if session.busy:
        raise _fault("owner.idle-only: the agent is busy", node)
    occurrence = record.scheduled_at
    while isinstance(record, Every) and occurrence + record.interval <= node.clock:
        occurrence += record.interval
    for event in session.log.events[: session.log.durable]:
        data = _data(event)
        if data["operation"] == "dispatch" and data["id"] == change.id:
            accepted = parse(data["acceptedAt"]) if "acceptedAt" in data else None
            if accepted is None or occurrence <= accepted:
                raise _fault(
                    f"deliver.at-least-once: {change.id} is durably dispatched, and queued again", node
                )


def _announced(node: Node, data: dict[str, Any]) -> None:
    """Hold a dispatch to be the next of those that its follow-up told of."""
    rest = _queued(node.session)
    if not rest or getattr(rest[0], "id", None) != data["id"]:
        raise _fault(
            f"deliver.enqueue-before-dispatch: {data['id']} is dispatched without its follow-up", node
        )


def nothing_goes_wrong_in_the_wide_space() -> Counts:
    """Safety with two records and every kind of trouble."""
    return _safe(WIDE, own)


def nothing_goes_wrong_in_the_deep_space() -> Counts:
    """Safety with three records and four clock points."""
    return _safe(DEEP, own)


def nothing_goes_wrong_in_the_narrow_space() -> Counts:
    """Safety with two records and little trouble."""
    return _safe(NARROW, own)


def _impatient(node: Node) -> Iterator[Edge]:
    """Deliver a record as soon as the phase is claimed, due or not."""
    yield from own(node)
    session = node.session
    if not node.settled and isinstance(session.phase, Claimed):
        for record in session.log.own.active:
            if not isinstance(record, Every):
                queued = _with(node, phase=Queued((DispatchOneShot(record.id),)))
                yield Edge("followup", queued)


def _with(node: Node, **members: Any) -> Node:
    return node._replace(session=replace(node.session, **members))


def an_impatient_owner_in_the_narrow_space() -> Counts:
    """The same of an owner that delivers what is not due yet."""
    return _safe(NARROW, _impatient)


def _forgetful(node: Node) -> Iterator[Edge]:
    """Append a dispatch without having queued anything."""
    yield from own(node)
    if not node.settled and isinstance(node.session.phase, Claimed):
        due = [record for record in node.session.log.own.active if record.scheduled_at <= node.clock]
        if due and not isinstance(due[0], Every):
            yield Edge("unseen", _with(node, phase=Queued((DispatchOneShot(due[0].id),))))


def a_forgetful_owner_in_the_narrow_space() -> Counts:
    """The same of an owner that dispatches what it has not queued."""
    return _safe(NARROW, _forgetful)


def _losing(node: Node) -> Iterator[Edge]:
    """Lose what was queued when a barrier fails: the record is taken out of the state, not of the log."""
    for edge in own(node):
        if edge.label == "barrier fail" and edge.node.session.log.own.active:
            log = edge.node.session.log
            lost = replace(log.own, active=log.own.active[1:])
            yield Edge(edge.label, _with(edge.node, log=replace(log, state=lost)))
        else:
            yield edge


def a_losing_owner_in_the_narrow_space() -> Counts:
    """The same of an owner that loses a record when a barrier fails."""
    return _safe(NARROW, _losing)


# --- liveness ---


def _live(scope: Scope, behaviour: Behaviour) -> Counts:
    """Show that from every node, when surroundings mean well, nothing due is left at last."""
    space = Leading()
    for node, inner, _ in _reached(scope, behaviour):
        space.add(node, inner)
    while space.extra:
        node = space.extra.popleft()
        space.add(node, _inner(node, behaviour))
    return space.all_lead_to_goals()


@dataclass(slots=True)
class Leading:
    """Which node may follow which when surroundings mean well; `goals` are where nothing due is left."""

    numbers: dict[Node, int] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)
    before: list[list[int]] = field(default_factory=list)
    done: set[int] = field(default_factory=set)
    goals: list[int] = field(default_factory=list)
    extra: deque[Node] = field(default_factory=deque)
    """Nodes that surroundings which mean well lead to, and that may not be known yet."""

    def add(self, node: Node, inner: list[Edge]) -> None:
        """Add a node with all that a session may do there."""
        number = self._number(node)
        if number in self.done:
            return
        self.done.add(number)
        following = [edge.node for edge in inner]
        if node.settled and (better := helped(node)) is not None:
            following.append(better)
        elif node.settled:
            self._end(node, number)
        for each in following:
            self.before[self._number(each)].append(number)

    def _number(self, node: Node) -> int:
        number = self.numbers.setdefault(node, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
            self.before.append([])
            self.extra.append(node)
        return number

    def _end(self, node: Node, number: int) -> None:
        overdue = [record.id for record in node.session.log.own.active if record.scheduled_at <= node.clock]
        if overdue:
            raise _fault(f"deliver.no-loss: {', '.join(overdue)} stays undelivered", node)
        self.goals.append(number)

    def all_lead_to_goals(self) -> Counts:
        """Hold every node to lead to a goal; `Counterexample` with the first that does not."""
        found, waiting = set(self.goals), deque(self.goals)
        while waiting:
            new = [former for former in self.before[waiting.popleft()] if former not in found]
            found.update(new)
            waiting += new
        for number, node in enumerate(self.nodes):
            if number not in found:
                raise _fault("deliver.no-loss: nothing leads from here to a delivery", node)
        transitions = sum(map(len, self.before))
        return {"states": len(self.nodes), "transitions": transitions, "settled": len(self.goals)}


def _inner(node: Node, behaviour: Behaviour) -> list[Edge]:
    inner = list(behaviour(node))
    quiet = rested(node)
    if quiet is not None and not node.settled:
        inner.append(Edge("settled", quiet))
    return inner


def all_that_is_due_is_dispatched_in_the_wide_space() -> Counts:
    """Liveness with two records and every kind of trouble."""
    return _live(WIDE, own)


def all_that_is_due_is_dispatched_in_the_deep_space() -> Counts:
    """Liveness with three records and four clock points."""
    return _live(DEEP, own)


def all_that_is_due_is_dispatched_in_the_narrow_space() -> Counts:
    """Liveness with two records and little trouble."""
    return _live(NARROW, own)


def _sleepy(node: Node) -> Iterator[Edge]:
    """Never deliver an every that is late by more than one interval."""
    late = any(
        isinstance(record, Every) and record.scheduled_at + record.interval <= node.clock
        for record in node.session.log.own.active
    )
    for edge in own(node):
        if edge.label != "followup" or not late:
            yield edge


def a_sleepy_owner_in_the_narrow_space() -> Counts:
    """The same of an owner that forgets what is late by more than an interval."""
    return _live(NARROW, _sleepy)
