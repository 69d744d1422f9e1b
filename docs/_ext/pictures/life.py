"""The record's life: which changes begin, move and end it, and which are refused (change.*, fold.*).

Found by trying every change on every stage of a record of every kind.
"""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from schedule_spec import fold
from schedule_spec.changes import Change, Create, Delete, DispatchEvery, DispatchOneShot
from schedule_spec.fold import EMPTY, State
from schedule_spec.instants import LATEST
from schedule_spec.records import After, At, Every, Record
from schedule_spec.rejections import Rejection

from .svg import WIDTH, Figure, arrow, document, fact, path, rect, text

NAME = "record-life"
TARGET = LATEST - 450_000
"""A target, in ms, after which one interval of 300 s fits into the range and two do not."""
RECORDS: tuple[Record, ...] = (
    After("a", "p", 60, TARGET),
    At("a", "p", TARGET),
    Every("a", "p", 300, TARGET),
)


class Stage(StrEnum):
    """Where a record stands in its life, in the words of the picture."""

    UNUSED = "never created"
    ONE_SHOT = "one-shot"
    EVERY = "every"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Move:
    """What a change makes of a record; `moves` tells whether the target moves."""

    origin: Stage
    change: str
    goal: Stage
    moves: bool


@dataclass(frozen=True, slots=True)
class Refusal:
    """A change that is refused at a stage, by a clause."""

    clause: str
    origin: Stage
    change: str


def _changes(record: Record) -> Iterator[tuple[str, Change]]:
    yield "create", Create(record)
    yield "delete", Delete(record.id)
    yield "dispatch by id", DispatchOneShot(record.id)
    yield "dispatch with acceptedAt", DispatchEvery(record.id, record.scheduled_at)
    yield "dispatch with the last acceptedAt", DispatchEvery(record.id, LATEST)
    yield "dispatch before its target", DispatchEvery(record.id, record.scheduled_at - 1)


def _lives(record: Record) -> Iterator[State]:
    """Yield the states before, during and after a record's life."""
    active = fold.apply(EMPTY, Create(record))
    assert isinstance(active, State)
    ended = fold.apply(active, Delete(record.id))
    assert isinstance(ended, State)
    yield from (EMPTY, active, ended)


def _stage(state: State) -> Stage:
    if not state.active:
        return Stage.ENDED if state.seen else Stage.UNUSED
    return Stage.EVERY if isinstance(state.active[0], Every) else Stage.ONE_SHOT


def moves_and_refusals() -> tuple[tuple[Move, ...], tuple[Refusal, ...]]:
    """Return what every change makes of every stage, each once."""
    moves: dict[Move, None] = {}
    refusals: dict[Refusal, None] = {}
    for record in RECORDS:
        for state in _lives(record):
            for label, change in _changes(record):
                following = fold.apply(state, change)
                if isinstance(following, Rejection):
                    refusals[Refusal(following.clause, _stage(state), label)] = None
                else:
                    moved = following.active != state.active and len(following.active) == len(state.active)
                    moves[Move(_stage(state), label, _stage(following), moved)] = None
    return tuple(moves), tuple(refusals)


# --- layout ---

_BOXES = {
    Stage.UNUSED: (90, 58, 146, 34),
    Stage.ONE_SHOT: (10, 144, 130, 96),
    Stage.EVERY: (156, 144, 160, 96),
    Stage.ENDED: (10, 304, 306, 34),
}
"""Left, top, width and height of each stage's box."""
_WORDS = {
    Stage.UNUSED: ("id never created",),
    Stage.ONE_SHOT: ("after, at", "active"),
    Stage.EVERY: ("every", "active"),
    Stage.ENDED: ("ended; its id is never free again",),
}
_SHORT = {
    "dispatch by id": "dispatch",
    "dispatch with acceptedAt": "dispatch",
    "dispatch with the last acceptedAt": "last dispatch",
}


def _box(stage: Stage) -> str:
    left, top, width, height = _BOXES[stage]
    words = _WORDS[stage]
    style = "box-good" if stage in (Stage.ONE_SHOT, Stage.EVERY) else "box"
    first = top + 25 if stage is Stage.EVERY else top + height / 2 + 4.5 - 9 * (len(words) - 1)
    lines = [
        text(left + width / 2, first + 18 * row, line, "" if row else "strong", "middle")
        for row, line in enumerate(words)
    ]
    return fact([rect((left, top, width, height), style), *lines], kind="stage", stage=stage)


def _arrow(origin: Stage, goal: Stage, moves: list[Move]) -> str:
    """Return the one arrow of all moves between two stages, with their words."""
    x0, y0, w0, h0 = _BOXES[origin]
    x1, y1, w1, _ = _BOXES[goal]
    words = list(dict.fromkeys(_SHORT.get(move.change, move.change) for move in moves))
    if origin is goal:
        right, low, high = x0 + w0, y0 + 30, y0 + h0 - 14
        moved = (f"{' or '.join(words)}:", "the target moves on")
        parts = [
            arrow(((right, high), (right + 16, high), (right + 16, low), (right, low)), "good"),
            *(
                text(x0 + w0 / 2, y0 + 68 + 17 * row, line, "good small", "middle")
                for row, line in enumerate(moved)
            ),
        ]
    elif goal is Stage.ENDED:
        x = x0 + w0 / 2
        parts = [arrow(((x, y0 + h0), (x, y1)))]
        parts += [text(x + 9, y0 + h0 + 26 + 17 * row, line, "small") for row, line in enumerate(words)]
    else:
        x = max(x0 + 24, min(x1 + w1 / 2, x0 + w0 - 24))
        parts = [arrow(((x, y0 + h0), (x, y1)))]
        parts += [text(x + 9, (y0 + h0 + y1) / 2 + 4, line, "small") for line in words]
    facts = [
        fact([], kind="move", origin=move.origin, change=move.change, goal=move.goal, moves=move.moves)
        for move in moves
    ]
    return fact([*parts, *facts])


_ACCEPTED = ("dispatch with acceptedAt", "dispatch with the last acceptedAt", "dispatch before its target")


def _summed(labels: list[str]) -> tuple[str, ...]:
    """Return the changes, with one word for all dispatches where all are among them."""
    if not set(_ACCEPTED) <= set(labels):
        return tuple(labels)
    others = [label for label in labels if label not in _ACCEPTED]
    if "dispatch by id" in others:
        return (*(label for label in others if label != "dispatch by id"), "any dispatch")
    return (*others, "dispatch with acceptedAt")


def _refused(refusals: tuple[Refusal, ...], top: float) -> tuple[list[str], float]:
    """Return the list of what is refused from `top` on, and where it ends."""
    parts, y = [text(12, top, "All else is refused, by these clauses:", "strong")], top
    for clause in dict.fromkeys(each.clause for each in refusals):
        there: dict[Stage, list[str]] = {}
        for each in refusals:
            if each.clause == clause:
                there.setdefault(each.origin, []).append(each.change)
        by_changes: dict[tuple[str, ...], list[Stage]] = {}
        for stage, labels in there.items():
            by_changes.setdefault(_summed(labels), []).append(stage)
        y += 26
        lines = [text(12, y, clause, "bad strong small")]
        for summed, stages in by_changes.items():
            *others, last = (stage for stage in Stage if stage in stages)
            where = f"{', '.join(others)} or {last}" if others else last
            words = f"{where}: {', '.join(summed)}"
            for line in textwrap.wrap(words, 44):
                y += 17
                lines.append(text(24, y, line, "small"))
        facts = [
            fact([], kind="refusal", clause=clause, origin=each.origin, change=each.change)
            for each in refusals
            if each.clause == clause
        ]
        parts.append(fact([*lines, *facts]))
    return parts, y


def figure() -> Figure:
    """Return the picture."""
    moves, refusals = moves_and_refusals()
    pairs = dict.fromkeys((move.origin, move.goal) for move in moves)
    arrows = [
        _arrow(origin, goal, [move for move in moves if (move.origin, move.goal) == (origin, goal)])
        for origin, goal in pairs
    ]
    listed, end = _refused(refusals, 382)
    parts = [
        text(12, 24, "The life of a record", "title"),
        text(12, 43, "Only these changes begin, move or end it", "soft small"),
        *(_box(stage) for stage in Stage),
        *arrows,
        path(((12, 358), (WIDTH - 12, 358)), "stroke"),
        *listed,
    ]
    alt = (
        "The life of a record. "
        + " ".join(
            f"{move.origin}: {move.change} "
            + ("moves the target." if move.moves else f"leads to “{move.goal}”.")
            for move in moves
        )
        + " Refused: "
        + " ".join(f"{each.change} of “{each.origin}” ({each.clause})." for each in refusals)
    )
    caption = (
        "A create begins a record, a delete ends it. A dispatch ends a one-shot; of an every it moves the "
        "target on, and ends it only where no further target is in range."
    )
    return Figure(NAME, document(NAME, round(end) + 18, "The life of a record", alt, parts), alt, caption)
