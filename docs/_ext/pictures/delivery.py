"""The delivery machine: where one due reminder can stand, what leads on, and what a crash there costs.

The places and the ways between them are found by walking the live law with one reminder, one fault at a
time and the clock set back once (deliver.*, owner.activity-retry, barrier.*). Barriers beyond those that are
owed are left out: they may make the log durable sooner, and change nothing else. What a crash costs is asked
of the law too: the session is crashed with all that the disk may have kept, reopened, and looked at.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from schedule_spec import changes
from schedule_spec.changes import Create
from schedule_spec.delivery import barriers, inputs, judge, owners, steps
from schedule_spec.delivery.model import (
    Claimed,
    Ending,
    Mode,
    Queued,
    Released,
    Resting,
    Session,
    States,
    Terms,
)
from schedule_spec.delivery.owners import Moment
from schedule_spec.due import Wait
from schedule_spec.fold import EVENT_TYPE
from schedule_spec.json_text import Json
from schedule_spec.records import At

from .svg import WIDTH, Figure, arrow, document, fact, rect, text, upright

NAME = "delivery"
TARGET = 1_893_456_060_000
"""2030-01-01T00:01:00.000Z, in ms: when the one reminder is due."""
BEFORE = TARGET - 60_000


class Place(StrEnum):
    """Where a delivery stands, in the words of the picture; `/` breaks a line."""

    WAITING = "Waiting"
    DUE = "Due"
    READY = "Log is durable"
    CLAIMED = "Idle phase claimed"
    QUEUED = "Follow-up queued"
    APPENDED = "Dispatch appended"
    RELEASED = "Phase released"
    DONE = "Dispatch durable"
    HALTED = "Still active,/awaits a trigger"
    STOPPED = "Owner stopped/for good"
    UNSURE = "In the log,/not yet durable"


@dataclass(frozen=True, slots=True)
class Node:
    """A situation of the session at a clock time in ms; `queued` tells whether the follow-up ever was."""

    session: Session
    clock: int
    queued: bool = False

    @property
    def moment(self) -> Moment:
        """Where its transitions take place."""
        return Moment(Terms(), self.clock)


Way = tuple[str, Node]
"""What happens, in the words of the picture, and where it leads."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What the walk has found: the ways between places, and whether a crash in a place repeats a follow-up.

    `crashes` holds for each place the answers that are possible: whether a follow-up that was queued already
    is queued again after a crash.
    """

    ways: tuple[tuple[Place, str, Place], ...]
    crashes: tuple[tuple[Place, tuple[bool, ...]], ...]

    def repeats(self, place: Place) -> tuple[bool, ...]:
        """Return the answers that are possible in a place."""
        return next(answers for found, answers in self.crashes if found is place)


def _begin() -> Node:
    record = At("tea", "take the tea out", TARGET)
    event: Json = {"type": EVENT_TYPE, "data": changes.encode(Create(record))}
    opened = inputs.opened({"cmd": "open", "session": "s", "now": BEFORE, "events": [event]}, Terms())
    return Node(opened, BEFORE)


def place_of(node: Node) -> Place:
    """Return where a situation belongs."""
    session = node.session
    if session.owner.mode is Mode.STOPPED:
        return Place.STOPPED
    match session.phase:
        case Claimed():
            return Place.CLAIMED
        case Queued():
            return Place.QUEUED
        case Ending(queued):
            return Place.APPENDED if queued else Place.HALTED
        case Released():
            return Place.RELEASED
        case Resting():
            return _resting(node)


def _resting(node: Node) -> Place:
    session = node.session
    if not session.log.own.active:
        return Place.DONE if session.log.durable == len(session.log.events) else Place.UNSURE
    if session.owner.mode is Mode.HALTED:
        return Place.HALTED
    if not owners.is_due(session, node.moment):
        return Place.WAITING
    return Place.READY if session.owner_cleared else Place.DUE


def ways_from(node: Node) -> Iterator[Way]:
    """Yield what may happen next."""
    session, moment = node.session, node.moment
    match session.phase:
        case Resting():
            yield from _ways_at_rest(node)
        case Claimed():
            yield from _ways_of_the_decision(replace(node, clock=BEFORE))
            yield from _ways_of_the_decision(node)
        case Queued(rest):
            event: Json = {"type": EVENT_TYPE, "data": changes.encode(rest[0])}
            yield from _each("append", node, steps.on_append(session, moment, event))
            failing = inputs.faulted(session, {"append": {"operations": ["dispatch"]}}, Terms())
            yield from _each("append fails", node, steps.hidden(failing, moment))
        case Ending():
            yield from _each("release", node, steps.on_release(session))
        case Released():
            yield from _barrier(node)


def _ways_at_rest(node: Node) -> Iterator[Way]:
    session, moment, place = node.session, node.moment, place_of(node)
    if session.owner.mode in (Mode.HALTED, Mode.LULLED):
        quiet = steps.rest(session, moment)
        assert quiet is not None
        yield "a trigger", replace(node, session=inputs.turned(quiet, {}, Terms()))
    elif place is Place.WAITING:
        quiet = steps.rest(session, moment)
        assert quiet is not None
        span = TARGET - node.clock
        passed = judge.passed(States(Terms(), node.clock, span, (("s", (quiet,)),)), span)
        yield "target reached", Node(passed.of("s")[0], passed.clock, node.queued)
    elif place in (Place.DUE, Place.UNSURE) and session.owner.mode is Mode.LIVE:
        yield from _barrier(node)
    elif place is Place.READY:
        yield from _each("claim", node, steps.on_claim(session, moment, "ok"))


def _ways_of_the_decision(node: Node) -> Iterator[Way]:
    """Yield what the second decision leads to."""
    session, moment = node.session, node.moment
    if isinstance(owners.decision(session, moment), Wait):
        yield from _each("not due after all", node, steps.on_release(session))
        return
    followup = steps.on_followup(session, moment, owners.expected_followup(session, moment))
    yield from _each("enqueue", replace(node, queued=True), followup)
    failing = inputs.faulted(session, {"followup": "fail"}, Terms())
    yield from _each("enqueue fails", node, steps.hidden(failing, moment))


def _barrier(node: Node) -> Iterator[Way]:
    for outcome in ("ok", "fail", "missing"):
        scripted = inputs.scripted(node.session, {"outcomes": [outcome]}, Terms())
        following = barriers.on_barrier(scripted, node.moment, outcome)
        yield from _each("barrier" if outcome == "ok" else "barrier fails", node, following)


def _each(label: str, node: Node, sessions: list[Session] | Iterator[Session]) -> Iterator[Way]:
    for session in sessions:
        yield label, replace(node, session=inputs.faulted(session, {}, Terms()))


def _again(node: Node) -> Iterator[bool]:
    """Yield, for all that a crash may leave of the log, whether a queued follow-up is queued again."""
    log = node.session.log
    for keep in range(log.durable, len(log.events) + 1):
        crashed = inputs.crashed(node.session, {"keep": keep}, Terms())
        reopened = inputs.reopened(crashed, {}, Terms())
        yield node.queued and owners.is_due(reopened, Moment(Terms(), TARGET))


def machine() -> Machine:
    """Return all that is reached from a reminder that waits."""
    begin = _begin()
    reached, frontier = {begin}, [begin]
    ways: dict[tuple[Place, str, Place], None] = {}
    crashes: dict[Place, set[bool]] = {}
    while frontier:
        node = frontier.pop()
        place = place_of(node)
        crashes.setdefault(place, set()).update(_again(node))
        for label, following in ways_from(node):
            if place_of(following) is not place:
                ways[place, label, place_of(following)] = None
            if following not in reached:
                reached.add(following)
                frontier.append(following)
    order = list(Place)
    return Machine(
        tuple(sorted(ways, key=lambda way: (order.index(way[0]), order.index(way[2]), way[1]))),
        tuple((place, tuple(sorted(crashes[place]))) for place in order if place in crashes),
    )


# --- layout ---

_MAIN, _SIDE = (33, 138), (224, 108)
"""Left edge and width of the boxes of either column."""
_TOP, _PITCH, _BOX = 66, 66, 36
_ROWS = {
    Place.WAITING: 0,
    Place.DUE: 1,
    Place.READY: 2,
    Place.CLAIMED: 3,
    Place.QUEUED: 4,
    Place.APPENDED: 5,
    Place.RELEASED: 6,
    Place.DONE: 7,
    Place.HALTED: 2,
    Place.STOPPED: 4,
    Place.UNSURE: 6,
}
_ASIDE = (Place.HALTED, Place.STOPPED, Place.UNSURE)


def _middle(place: Place) -> float:
    return _TOP + _ROWS[place] * _PITCH + _BOX / 2


def _box(place: Place, repeats: tuple[bool, ...]) -> str:
    left, width = _SIDE if place in _ASIDE else _MAIN
    y = _middle(place)
    lines = place.split("/")
    style = {Place.DONE: "box-good", Place.HALTED: "box-still"}.get(
        place, "box-bad" if True in repeats else "box"
    )
    first = y + 4.5 - 7.5 * (len(lines) - 1)
    size = "small" if len(lines) > 1 else ""
    shown = [text(left + width / 2, first + 15 * row, line, size, "middle") for row, line in enumerate(lines)]
    height = _BOX + 4 * (len(lines) - 1)
    parts = [rect((left, y - height / 2, width, height), style), *shown]
    crash = {(True,): "again", (False, True): "again-unless-kept", (False,): "no-repeat"}[repeats]
    return fact(parts, kind="place", place=place.name.lower(), crash=crash)


def _way(origin: Place, label: str, goal: Place) -> str:
    fails = "fails" in label
    colour = "bad" if fails else "ink"
    drawn = _route(origin, label, goal, colour, f"{'bad' if fails else 'soft'} small")
    return fact(drawn, kind="way", origin=origin.name.lower(), label=label, goal=goal.name.lower())


def _route(origin: Place, label: str, goal: Place, colour: str, style: str) -> list[str]:
    """Return an arrow with its words; the shape depends on how the two places lie."""
    match origin in _ASIDE, goal in _ASIDE:
        case False, False:
            return _along(_middle(origin), _middle(goal), label, colour, style)
        case False, True:
            return _aside(_middle(origin), _middle(goal), label, colour, style)
        case True, False:
            return _back(_middle(origin), _middle(goal), label, colour, style)
        case _:
            raise NotImplementedError(f"{origin.name} to {goal.name}: both stand aside")


_CENTRE, _RIGHT, _HALF = _MAIN[0] + _MAIN[1] / 2, sum(_MAIN), _BOX / 2


def _along(begin: float, end: float, label: str, colour: str, style: str) -> list[str]:
    """Return a way within the main column: straight down, or up on its left."""
    if end > begin:
        down = arrow(((_CENTRE, begin + _HALF), (_CENTRE, end - _HALF)), colour)
        return [down, text(_CENTRE + 9, (begin + end) / 2 + 3, label, style)]
    left, lane = _MAIN[0], _MAIN[0] - 14
    up = arrow(((left, begin), (lane, begin), (lane, end), (left, end)), colour)
    return [up, upright(lane - 5, (begin + end) / 2, label, style)]


def _aside(begin: float, end: float, label: str, colour: str, style: str) -> list[str]:
    """Return a way out of the main column."""
    first, _, second = label.partition(" ")
    if begin == end:
        x = (_RIGHT + _SIDE[0]) / 2 - 1
        return [
            arrow(((_RIGHT, begin), (_SIDE[0], end)), colour),
            text(x, begin - 6, first, style, "middle"),
            text(x, begin + 15, second, style, "middle"),
        ]
    x = _SIDE[0] + 20
    if end > begin:
        level = begin + 8
        return [
            arrow(((_RIGHT, level), (x, level), (x, end - _HALF - 2)), colour),
            text(x + 6, level + 15, first, style),
            text(x + 6, level + 29, second, style),
        ]
    up = arrow(((_RIGHT, begin), (x, begin), (x, end + _HALF + 2)), colour)
    return [up, text(x + 6, begin - 5, label, style)]


def _back(begin: float, end: float, label: str, colour: str, style: str) -> list[str]:
    """Return a way back into the main column."""
    x = _SIDE[0] + 86
    if end > begin:
        down = arrow(((x, begin + _HALF + 2), (x, end), (_RIGHT, end)), colour)
        return [down, text(_RIGHT + 14, end - 6, f"a later {label}", style)]
    level = end - 8
    up = arrow(((x, begin - _HALF - 2), (x, level), (_RIGHT, level)), colour)
    return [up, text(_RIGHT + 36, level - 6, label, style)]


def figure() -> Figure:
    """Return the picture."""
    found = machine()
    window = [place for place, repeats in found.crashes if True in repeats]
    top = min(map(_middle, window)) - _BOX / 2 - 24
    end = max(map(_middle, window)) + _BOX / 2 + 10
    aside = _SIDE[0] + _SIDE[1] / 2
    band = fact(
        [
            rect((2, top, WIDTH - 4, end - top), "wash-bad"),
            text(aside, top + 18, "Crash window", "bad strong", "middle"),
            *(
                text(aside, _middle(Place.APPENDED) - 11 + 16 * row, words, "bad small", "middle")
                for row, words in enumerate(("a crash in here", "may bring the", "message again"))
            ),
        ],
        kind="crash-window",
        places=" ".join(place.name.lower() for place in window),
    )
    parts = [
        text(12, 24, "One delivery, step by step", "title"),
        text(12, 43, "Steps run down, failures lead aside", "soft small"),
        band,
        *(_way(*way) for way in found.ways),
        *(_box(place, repeats) for place, repeats in found.crashes),
    ]
    plain = {place: place.replace("/", " ").lower() for place in Place}
    alt = (
        "The states of one delivery. "
        + " ".join(f"From “{plain[a]}” {label} leads to “{plain[b]}”." for a, label, b in found.ways)
        + f" The crash window is: {', '.join(plain[place] for place in window)}."
    )
    caption = (
        "The states of one delivery of a one-shot. Between queueing the message and a durable dispatch lies "
        "the crash window: there alone can a crash bring the message a second time. A crash before it "
        "repeats nothing, and one after it delivers nothing anew."
    )
    height = round(_middle(Place.DONE) + _BOX / 2) + 18
    title = "The states of a delivery, with the crash window"
    return Figure(NAME, document(NAME, height, title, alt, parts), alt, caption)
