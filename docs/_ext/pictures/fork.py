"""Fork and seed: what a child inherits, and what of it counts (fork.*, id.session-local)."""

from dataclasses import dataclass

from schedule_spec import changes, fold, forks
from schedule_spec.changes import Change, Create, Delete, DispatchOneShot
from schedule_spec.fold import EVENT_TYPE, State
from schedule_spec.json_text import Json
from schedule_spec.records import At, Every

from .svg import Figure, arrow, document, fact, path, rect, text

NAME = "fork"
NINE = 1_893_488_400_000
"""2030-01-01T09:00:00.000Z, in ms."""


@dataclass(frozen=True, slots=True)
class Told:
    """An event, and how the picture names it."""

    words: str
    event: Json


def _changed(words: str, change: Change) -> Told:
    return Told(words, {"type": EVENT_TYPE, "data": changes.encode(change)})


FORK_AT = 3
PARENT = (
    _changed("create tea", Create(At("tea", "take the tea out", NINE))),
    _changed("create mail", Create(Every("mail", "answer the mail", 3600, NINE))),
    Told("a message", {"type": "user/message", "data": "shall we try it another way?"}),
    _changed("dispatch tea", DispatchOneShot("tea")),
)
"""The parent's log; the fork is taken before its last event."""
CHILD = (_changed("create tea", Create(At("tea", "water the tea plant", NINE))),)
"""What the child appends of its own: an id that its parent used."""
TRIED = _changed("delete mail", Delete("mail"))
"""What the child then tries."""

_LOGS, _COLUMNS = ("parent", "child"), (10, 180)
_BOX, _HIGH, _PITCH, _TOP = 150, 28, 36, 76


def _events(told: tuple[Told, ...]) -> list[Json]:
    return [each.event for each in told]


def _active(events: list[Json], seed_length: int) -> str:
    state = fold.fold(events, seed_length)
    assert isinstance(state, State)
    return ", ".join(fold.ids(state)) or "none"


def _row(column: int, y: float, position: int, words: str, part: str) -> str:
    x = _COLUMNS[column]
    style, colour = {"own": ("box", ""), "inherited": ("box-still", "soft")}[part]
    parts = [
        rect((x, y, _BOX, _HIGH), style),
        text(x + 9, y + 19, str(position), "soft small"),
        text(x + 28, y + 19, words, colour),
    ]
    return fact(parts, kind="event", log=_LOGS[column], position=position, part=part, words=words)


def _state(column: int, y: float, active: str) -> str:
    x = _COLUMNS[column]
    parts = [rect((x, y, _BOX, 32), "box-good"), text(x + 9, y + 21, f"active: {active}", "good strong")]
    return fact(parts, kind="state", log=_LOGS[column], active=active)


def figure() -> Figure:
    """Return the picture."""
    inherited, seed_length = forks.fork(_events(PARENT), FORK_AT)
    own = [*inherited, *_events(CHILD)]
    refused = fold.fold([*own, TRIED.event], seed_length)
    assert isinstance(refused, fold.Refused)
    refusal = refused.rejection
    at_fork, parent, child = (
        _active(list(inherited), seed_length),
        _active(_events(PARENT), 0),
        _active(own, seed_length),
    )
    boundary = _TOP + seed_length * _PITCH
    gap = 50

    def y(position: int) -> float:
        return _TOP + position * _PITCH + (gap if position >= seed_length else 0)

    tried = y(len(own))
    end = tried + _PITCH + 24
    parts = [
        text(12, 24, "A fork inherits history, no reminders", "title"),
        text(12, 43, "Each log runs down; numbers are positions", "soft small"),
        text(_COLUMNS[0], _TOP - 8, "the parent’s log", "strong"),
        text(_COLUMNS[1], _TOP - 8, "the child’s log", "strong"),
        *(_row(0, y(position), position, each.words, "own") for position, each in enumerate(PARENT)),
        *(
            _row(1, y(position), position, PARENT[position].words, "inherited")
            for position in range(len(inherited))
        ),
        *(
            _row(1, y(position), position, each.words, "own")
            for position, each in enumerate(CHILD, len(inherited))
        ),
        fact(
            [
                path(((_COLUMNS[0], boundary + 20), (_COLUMNS[1] - 10, boundary + 20)), "stroke-ink dashed"),
                arrow(((_COLUMNS[0] + _BOX, boundary + 20), (_COLUMNS[1], boundary + 20)), "ink", "dashed"),
                text(_COLUMNS[0], boundary + 14, "the fork is taken", "small"),
                text(_COLUMNS[1] + 6, boundary + 15, f"seedLength: {seed_length}", "strong"),
                text(_COLUMNS[1] + 6, boundary + 33, f"active: {at_fork}", "good strong"),
            ],
            kind="boundary",
            seed_length=seed_length,
            active=at_fork,
        ),
        fact(
            [
                rect((_COLUMNS[1], tried, _BOX, _HIGH), "box-bad dashed"),
                text(_COLUMNS[1] + 9, tried + 19, f"{TRIED.words}: refused", "bad"),
                text(_COLUMNS[1] + 9, tried + _HIGH + 16, f"by {refusal.clause}", "bad small"),
            ],
            kind="tried",
            words=TRIED.words,
            code=str(refusal.code),
            clause=refusal.clause,
        ),
        _state(0, end, parent),
        _state(1, end, child),
    ]
    alt = (
        f"The parent’s log has {len(PARENT)} events. The child is forked with seedLength {seed_length} and "
        f"inherits the first {len(inherited)} of them, which do not count: active in it are then {at_fork}. "
        f"It creates tea of its own; {TRIED.words} is refused by {refusal.clause}. In the end active in the "
        f"parent: {parent}; in the child: {child}."
    )
    caption = (
        "The child keeps the inherited events as history, in grey, and none of them is read: nothing is "
        "active at first, an id of the parent is free, and the parent’s reminders are not the child’s to end."
    )
    return Figure(NAME, document(NAME, round(end) + 46, "Fork and seed", alt, parts), alt, caption)
