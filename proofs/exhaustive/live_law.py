"""The live law's whole reachable state space at a small scope, and what holds in all of it.

A node is one situation of one session with the wall clock, settled or not. Edges are what the clauses allow:
the owner's and the tools' own steps, in whatever order (`own`), and what surroundings do (`outer`): time, the
outcome of barriers, busy agents, failing appends, calls, a crash at any moment. Everything that the law
permits is followed, not only what the law's own machine would do.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from schedule_spec import changes, fold, tools
from schedule_spec.changes import Change, Create
from schedule_spec.delivery import barriers, calls, inputs, judge, owners, steps
from schedule_spec.delivery.model import Mode, Queued, Session, States, Terms
from schedule_spec.delivery.owners import Moment
from schedule_spec.due import Wait
from schedule_spec.json_text import Json
from schedule_spec.records import After, At, Every, Record
from schedule_spec.tools import Remove, Store

NAME = "s"
TERMS = Terms()


class Node(NamedTuple):
    """A situation.

    `settled` tells that nothing more comes by itself; `left` is what surroundings may still do.
    """

    session: Session
    clock: int
    settled: bool
    left: "Left"


class Left(NamedTuple):
    """How many of each may still come.

    Crashes, barriers that do not succeed, failing appends, calls, busy agents.
    """

    crashes: int
    barriers: int
    faults: int
    calls: int
    turns: int


@dataclass(frozen=True, slots=True)
class Scope:
    """What a space is spanned by: records, clock points in ms (ascending), what surroundings may do."""

    records: tuple[Record, ...]
    points: tuple[int, ...]
    left: Left
    calls: tuple[tuple[str, str], ...] = ()
    """Tools with the JSON text of their arguments."""


class Edge(NamedTuple):
    """What happens, in a word, and where it leads."""

    label: str
    node: Node


NOON = 1_800_000_000_000
MINUTE = 60_000
SHORT = 300
"""The interval of the everys, in s."""

WIDE = Scope(
    (
        At("a", "p", NOON + MINUTE),
        Every("b", "p", SHORT, NOON + MINUTE),
    ),
    (NOON, NOON + MINUTE, NOON + 6 * MINUTE),
    Left(crashes=1, barriers=1, faults=1, calls=1, turns=1),
    (("schedule_delete", '{"id":"a"}'),),
)
DEEP = Scope(
    (
        After("a", "p", 60, NOON + MINUTE),
        Every("b", "p", SHORT, NOON + MINUTE),
        Every("c", "p", SHORT, NOON + 2 * MINUTE),
    ),
    (NOON, NOON + MINUTE, NOON + 2 * MINUTE, NOON + 12 * MINUTE),
    Left(crashes=1, barriers=1, faults=0, calls=0, turns=0),
)


def start(scope: Scope) -> Node:
    """Return the session with the scope's records in its log, just opened."""
    events: list[Json] = [
        {"type": fold.EVENT_TYPE, "data": changes.encode(Create(record))} for record in scope.records
    ]
    request: dict[str, Json] = {"cmd": "open", "session": NAME, "now": scope.points[0], "events": events}
    return Node(inputs.opened(request, TERMS), scope.points[0], False, scope.left)


# --- what the session does by itself ---


def own(node: Node) -> Iterator[Edge]:
    """Yield everything that the clauses allow a session to do by itself."""
    if node.settled or not node.session.live:
        return
    session, moment = node.session, Moment(TERMS, node.clock)
    for label, following in _steps(session, moment):
        yield Edge(label, node._replace(session=following))


def _steps(session: Session, moment: Moment) -> Iterator[tuple[str, Session]]:
    yield from (("unseen", following) for following in steps.hidden(session, moment))
    for result in _outcomes(session):
        yield from ((f"barrier {result}", each) for each in barriers.on_barrier(session, moment, result))
    for result in ("ok", "busy"):
        yield from ((f"claim {result}", each) for each in steps.on_claim(session, moment, result))
    yield from (("release", following) for following in steps.on_release(session))
    text = owners.expected_followup(session, moment)
    if text is not None:
        yield from (("followup", following) for following in steps.on_followup(session, moment, text))
    for change in _appends(session, moment):
        event: Json = {"type": fold.EVENT_TYPE, "data": changes.encode(change)}
        yield from (("append", following) for following in steps.on_append(session, moment, event))
    for answer in _answers(session):
        yield from (("answer", following) for following in calls.on_answer(session, answer))


def _outcomes(session: Session) -> tuple[str, ...]:
    expected = session.script.barriers[0] if session.script.barriers else "ok"
    results = (expected,) if session.settling is None else (session.settling, expected)
    return tuple(dict.fromkeys(result for result in results if result != "hold"))


def _appends(session: Session, moment: Moment) -> tuple[Change, ...]:
    if isinstance(session.phase, Queued):
        return session.phase.rest[:1]
    if not session.calls or not session.call_cleared:
        return ()
    found = calls.outcome(session, session.calls[0], moment)
    match found:
        case Remove(id):
            return (changes.Delete(id),)
        case Store(record):
            return (Create(tools.stored(record, "new")),)
        case _:
            return ()


def _answers(session: Session) -> Iterator[dict[str, Json]]:
    for pending in session.answers:
        for answer in pending.answers:
            value = tools.value_of(answer)
            if isinstance(value, dict) and tools.is_error(value):
                value = value | {"message": "m"}
            yield {"callId": pending.id, "value": value}
        if pending.aborted:
            yield {"callId": pending.id, "aborted": True}


def rested(node: Node) -> Node | None:
    """Return the node once nothing more comes, None where something is still owed."""
    if node.settled:
        return node
    quiet = steps.rest(node.session, Moment(TERMS, node.clock))
    return None if quiet is None else node._replace(session=quiet, settled=True)


# --- what its surroundings do ---


def outer(node: Node, scope: Scope) -> Iterator[Edge]:
    """Yield all that the surroundings may do.

    A crash at any moment, all else once the session has settled.
    """
    yield from _crashes(node)
    if not node.settled:
        return
    if not node.session.live:
        yield commanded(node, "reopen")
        return
    yield from _later(node, scope)
    yield from _barriers(node)
    yield from _disturbances(node)
    for tool, text in scope.calls if node.left.calls else ():
        spent = node._replace(left=node.left._replace(calls=node.left.calls - 1))
        yield commanded(spent, "call", callId="k", tool=tool, json=text)


def commanded(node: Node, command: str, **members: Json) -> Edge:
    """Return what a world command makes of a node."""
    request = {"cmd": command, "session": NAME, **members}
    session = inputs.COMMANDS[command](node.session, request, TERMS)
    return Edge(command, node._replace(session=session, settled=False))


def _crashes(node: Node) -> Iterator[Edge]:
    session = node.session
    if not session.live or not node.left.crashes:
        return
    spent = node._replace(left=node.left._replace(crashes=node.left.crashes - 1))
    for keep in range(session.log.durable, len(session.log.events) + 1):
        crashed = commanded(spent, "crash", keep=keep).node
        yield Edge("crash", crashed._replace(settled=True))


def _later(node: Node, scope: Scope) -> Iterator[Edge]:
    """Yield the next instant: of the scope's clock points, or where a wait elapses before."""
    points = [point for point in scope.points if point > node.clock]
    if not points:
        return
    world = States(TERMS, node.clock, 0, ((NAME, (node.session,)),))
    span = min([points[0] - node.clock, *judge.waits(world)])
    (_, (session,)) = judge.passed(world, span).sessions[0]
    yield Edge("time", node._replace(session=session, clock=node.clock + span, settled=False))


def _barriers(node: Node) -> Iterator[Edge]:
    session = node.session
    if session.held or session.orphan:
        for outcome in ("ok", "fail", "missing"):
            yield commanded(node, "release", outcome=outcome)
    if node.left.barriers and not session.script.barriers:
        spent = node._replace(left=node.left._replace(barriers=node.left.barriers - 1))
        for outcome in ("fail", "missing", "hold"):
            yield commanded(spent, "barrier", outcomes=[outcome])
            yield commanded(spent, "barrier", outcomes=["ok", outcome])


def _disturbances(node: Node) -> Iterator[Edge]:
    session, left = node.session, node.left
    if session.busy:
        yield commanded(node, "busy", on=False)
    elif left.turns:
        yield commanded(node._replace(left=left._replace(turns=left.turns - 1)), "busy", on=True)
    if left.faults and not (session.script.times or session.script.followup_fails):
        spent = node._replace(left=left._replace(faults=left.faults - 1))
        yield commanded(spent, "faults", append={"operations": ["dispatch"]})
        yield commanded(spent, "faults", append={"operations": ["dispatch"], "skip": 1})
        yield commanded(spent, "faults", followup="fail")


def helped(node: Node) -> Node | None:  # noqa: PLR0911 - one trouble each
    """Return what surroundings that mean well do with a settled node; None where nothing is left to do.

    They reopen what is closed or has stopped, end failures, settle a held barrier, free the agent, and give a
    turn.
    """
    session = node.session
    if not session.live or session.owner.mode is Mode.STOPPED:
        return commanded(node, "reopen").node
    if session.held or session.orphan:
        return commanded(node, "release", outcome="ok").node
    if session.script.barriers:
        return commanded(node, "barrier", outcomes=[]).node
    if session.script.times or session.script.followup_fails:
        return commanded(node, "faults").node
    if session.busy:
        return commanded(node, "busy", on=False).node
    if not isinstance(owners.decision(session, Moment(TERMS, node.clock)), Wait):
        return commanded(node, "turn").node
    return None
