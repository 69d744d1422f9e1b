"""Gap and overlap on a zone's wall clock: which instants show a wall time, none, one or two (local.*).

Time as it passes runs down on the left, the wall clock down on the right, both at one scale. A line leads
from an instant to what the clocks show then; where none arrives the wall time never occurs.
"""

from dataclasses import dataclass

from schedule_spec import creation, instants, local_time, zones
from schedule_spec.creation import Refusals
from schedule_spec.gregorian import Date, day_number
from schedule_spec.json_text import Json
from schedule_spec.records import At
from schedule_spec.zones import Transition, Zone

from .svg import WIDTH, Figure, circle, document, fact, path, rect, text


@dataclass(frozen=True, slots=True)
class Scene:
    """A zone, and the years whose widest gap and widest overlap are shown."""

    name: str
    zone: str
    gap_year: int
    overlap_year: int


SCENES = (
    Scene("clock-new-york", "America/New_York", 2030, 2030),
    Scene("clock-lord-howe", "Australia/Lord_Howe", 2030, 2030),
    Scene("clock-troll", "Antarctica/Troll", 2030, 2030),
    Scene("clock-apia", "Pacific/Apia", 2011, 1892),
)

_PASSING, _WALL, _STEP = 118, 216, 34
_GOOD, _SECOND = "stroke-good", "stroke-bad dashed"
_DAY = 86_400_000


def figures() -> tuple[Figure, ...]:
    """Return a picture for each scene."""
    return tuple(_figure(scene) for scene in SCENES)


def _widest(zone: Zone, year: int, sign: int) -> Transition:
    begin, end = (day_number(Date(each, 1, 1)) * _DAY for each in (year, year + 1))
    found = zones.transitions_between(zone, begin, end)
    return max(found, key=lambda transition: sign * (transition.after - transition.before))


@dataclass(frozen=True, slots=True)
class Span:
    """What is drawn of a transition: `lost` is the width of the gap or overlap, all in ms.

    Wall times from `low` on, `lost` long, occur never or twice; a width more is shown on either side.
    """

    zone: Zone
    transition: Transition

    @property
    def lost(self) -> int:
        """The width of the gap or overlap."""
        return abs(self.transition.after - self.transition.before)

    @property
    def is_gap(self) -> bool:
        """Whether the clocks are set forward."""
        return self.transition.after > self.transition.before

    @property
    def low(self) -> int:
        """The first wall time that occurs never, or twice."""
        return self.transition.at + min(self.transition.before, self.transition.after)

    @property
    def wall_times(self) -> range:
        """The wall times that are marked."""
        return range(self.low - self.lost, self.low + 2 * self.lost + 1, self.lost // 2)

    @property
    def passing(self) -> range:
        """The instants that are marked."""
        around = self.lost if self.is_gap else 2 * self.lost
        return range(self.transition.at - around, self.transition.at + around + 1, self.lost // 2)

    @property
    def height(self) -> int:
        """How long the longer of the two lines is drawn."""
        return _STEP * (max(len(self.wall_times), len(self.passing)) - 1)


def _duration(ms: int) -> str:
    minutes = ms // 60_000
    return f"{minutes // 60} h" if minutes % 60 == 0 else f"{minutes} min"


def _dated(ms: int) -> str:
    """Return date and time, to the second where that is not 0."""
    shown = instants.render(ms)[:19].replace("T", " ")
    return shown.removesuffix(":00")


def _labels(times: range) -> dict[int, str]:
    """Return how each is written: the date stands only where it is a new one."""
    labels, date = {}, ""
    for ms in times:
        shown = _dated(ms)
        labels[ms] = shown[11:] if shown[:10] == date else shown[5:]
        date = shown[:10]
    return labels


def _moved(span: Span) -> str:
    """Return from what to what the wall clock goes."""
    old, new = (
        _dated(span.transition.at + offset) for offset in (span.transition.before, span.transition.after)
    )
    return f"{old} → {new[11:] if new[:10] == old[:10] else new}"


@dataclass(frozen=True, slots=True)
class Answered:
    """What a create at the middle of the gap or overlap comes to: the written wall time and the answer."""

    written: str
    code: str | None
    scheduled_at: int | None

    @property
    def words(self) -> str:
        """The answer in words."""
        if self.scheduled_at is None:
            return f"is refused: {self.code}"
        return f"means the first, {_dated(self.scheduled_at)}Z"


def answered(span: Span) -> Answered:
    """Return what a create says to the wall time in the middle, asked ten days before."""
    middle = instants.render(span.low + span.lost // 2)
    asked: Json = {"date": middle[:10], "time": middle[11:19], "time_zone": span.zone.name}
    now = span.transition.at - 10 * _DAY
    created = creation.create({"id": "tea", "prompt": "tea", "at": asked, "now": now})
    written = f"{middle[:10]} {middle[11:19]}"
    if isinstance(created, Refusals):
        return Answered(written, str(created.codes[0]), None)
    assert isinstance(created, At)
    return Answered(written, None, created.scheduled_at)


def _panel(span: Span, top: int) -> tuple[list[str], int]:
    """Return what is drawn of a transition from `top` on, and where it ends."""
    start, first = top + 66, span.passing[0]
    shown_first = span.wall_times[0]

    def down(ms: int) -> float:
        return round(start + ms * 2 * _STEP / span.lost, 2)

    colour = "bad" if span.is_gap else "good"
    parts = [
        text(
            12,
            top,
            f"Set {'forward' if span.is_gap else 'back'} {_duration(span.lost)}: "
            f"{'a gap' if span.is_gap else 'an overlap'}",
            "strong",
        ),
        text(12, top + 18, _moved(span), "soft small"),
        text(_PASSING, top + 46, "UTC", "soft small", "end"),
        text(_WALL, top + 46, "wall clock", "soft small"),
        rect((_WALL, down(span.low - shown_first), WIDTH - _WALL - 8, 2 * _STEP), f"wash-{colour}", round=0),
        path(
            ((_PASSING, start - 8), (_PASSING, down(span.passing[-1] - first) + 8)),
            "stroke",
        ),
        path(((_WALL, start - 8), (_WALL, down(span.wall_times[-1] - shown_first) + 8)), "stroke"),
    ]
    for wall, label in _labels(span.wall_times).items():
        found = local_time.instants_of(span.zone, wall)
        meant = local_time.resolve(span.zone, wall)
        y = down(wall - shown_first)
        lines = [
            path(
                ((_PASSING, down(t - first)), (_WALL, y)),
                "stroke-good" if t == meant else "stroke-bad dashed",
            )
            for t in found
        ]
        mark = circle(_WALL, y, 4, "dot-good") if found else circle(_WALL, y, 4, "ring-soft")
        parts.append(
            fact(
                [*lines, mark, text(_WALL + 12, y + 4.5, label, "" if found else "bad")],
                kind="wall",
                wall=instants.render(wall)[:19],
                instants=" ".join(map(instants.render, found)),
                meant="" if meant is None else instants.render(meant),
            )
        )
    for words, row in (
        ("never occurs", 0) if span.is_gap else ("twice:", 0),
        ("refused", 1) if span.is_gap else ("first counts", 1),
    ):
        y = down(span.low - shown_first) + _STEP * (row + 0.5) + 4
        parts.append(text(_WALL + 12, y, words, f"{colour} small strong"))
    for t, label in _labels(span.passing).items():
        y = down(t - first)
        parts.append(
            fact(
                [circle(_PASSING, y, 3, "dot-ink"), text(_PASSING - 10, y + 4.5, label, "", "end")],
                kind="instant",
                at=instants.render(t),
                wall=instants.render(local_time.wall_time(span.zone, t))[:19],
            )
        )
    said = answered(span)
    end = start + span.height + 34
    parts.append(
        fact(
            [
                text(12, end, f"A create at {said.written}", "small"),
                text(12, end + 17, said.words, f"{colour} small strong"),
            ],
            kind="create",
            wall=said.written,
            code=said.code or "",
            scheduled_at="" if said.scheduled_at is None else instants.render(said.scheduled_at),
        )
    )
    return parts, end + 17


def _told(span: Span) -> str:
    """Return a transition in words."""
    said = answered(span)
    way, often = ("forward", "never") if span.is_gap else ("back", "twice")
    return (
        f"Clocks go {way} by {_duration(span.lost)} ({_moved(span)}). A create at {said.written}, "
        f"which occurs {often}, {said.words}."
    )


def _figure(scene: Scene) -> Figure:
    zone = zones.zone(scene.zone)
    gap = Span(zone, _widest(zone, scene.gap_year, 1))
    overlap = Span(zone, _widest(zone, scene.overlap_year, -1))
    above, middle = _panel(gap, 54)
    below, end = _panel(overlap, middle + 44)
    parts = [
        text(12, 24, scene.zone, "title"),
        fact(above, kind="transition", at=instants.render(gap.transition.at), lost=gap.lost),
        path(((12, middle + 18), (WIDTH - 12, middle + 18)), "stroke"),
        fact(below, kind="transition", at=instants.render(overlap.transition.at), lost=overlap.lost),
    ]
    alt = f"The wall clock of {scene.zone}. {_told(gap)} {_told(overlap)}"
    caption = (
        f"{scene.zone}: a gap of {_duration(gap.lost)} in {scene.gap_year} and an overlap of "
        f"{_duration(overlap.lost)} in {scene.overlap_year}. A line leads from an instant to what the clocks "
        "show then; dashed is the second time."
    )
    title = f"Gap and overlap in {scene.zone}"
    return Figure(scene.name, document(scene.name, end + 16, title, alt, parts), alt, caption)
