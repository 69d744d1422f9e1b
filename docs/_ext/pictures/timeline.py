"""The fixed-rate timeline: what decisions deliver, what they leave and what they pass over (rate.*)."""

from dataclasses import dataclass, replace

from schedule_spec import creation, instants, rate
from schedule_spec.records import Every
from schedule_spec.rejections import Rejection

from .svg import WIDTH, Figure, arrow, circle, document, fact, path, rect, text

NAME = "timeline"
CREATED = 1_893_488_400_000
"""2030-01-01T09:00:00.000Z, in ms."""
EVERY_SECONDS = 300
DECISIONS = (CREATED + 302_000, CREATED + 1_325_000, CREATED + 1_503_000)
"""When the owner decides, in ms: on time, then after a long silence, then on time again."""

_AXIS, _TOP, _PER_MINUTE = 84, 74, 17


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision at `accepted`: what it delivers, what it leaves, and what was missed before, all in ms."""

    accepted: int
    occurrence: int
    next_target: int
    missed: tuple[int, ...]


def decisions(record: Every) -> tuple[Decision, ...]:
    """Return what each decision makes of the record that the one before it left."""
    taken = []
    for accepted in DECISIONS:
        advance = rate.advance_every(record, accepted)
        assert not isinstance(advance, Rejection)
        assert advance.next_target is not None
        missed = tuple(range(record.scheduled_at, advance.occurrence, record.interval))
        taken.append(Decision(accepted, advance.occurrence, advance.next_target, missed))
        record = replace(record, scheduled_at=advance.next_target)
    return tuple(taken)


def _record() -> Every:
    record = creation.create(
        {"id": "poll", "prompt": "poll the build", "every_seconds": EVERY_SECONDS, "now": CREATED}
    )
    assert isinstance(record, Every)
    return record


def _y(ms: int) -> float:
    return _TOP + (ms - CREATED) * _PER_MINUTE / 60_000


def _time(ms: int) -> str:
    shown = instants.render(ms)[11:19]
    return shown.removesuffix(":00") if ms % 60_000 == 0 else shown


def _occurrence(at: int, fate: str) -> str:
    y = _y(at)
    rings = {"delivered": ("dot-good", ""), "missed": ("ring-soft", "soft"), "next": ("ring-good", "good")}
    ring, colour = rings[fate]
    note = {"delivered": "", "missed": "missed: not made up for", "next": "the target from now on"}[fate]
    parts = [
        text(_AXIS - 14, y + 4.5, _time(at), colour or "strong", "end"),
        circle(_AXIS, y, 6, ring),
        text(_AXIS + 24, y + 4.5, note, f"{colour} small") if note else "",
    ]
    return fact(parts, kind="occurrence", at=instants.render(at), fate=fate)


def _decision(taken: Decision) -> str:
    y, x = _y(taken.accepted), _AXIS + 40
    parts = [
        arrow(((x, y), (_AXIS + 9, _y(taken.occurrence))), "good"),
        rect((x, y - 15, WIDTH - x - 8, 38), "box-good"),
        text(x + 8, y + 1, f"decided at {_time(taken.accepted)}", "strong"),
        text(
            x + 8, y + 17, f"delivers {_time(taken.occurrence)}, leaves {_time(taken.next_target)}", "small"
        ),
    ]
    return fact(
        parts,
        kind="decision",
        accepted_at=instants.render(taken.accepted),
        occurrence=instants.render(taken.occurrence),
        next=instants.render(taken.next_target),
    )


def figure() -> Figure:
    """Return the picture."""
    record = _record()
    taken = decisions(record)
    last = taken[-1].next_target
    missed = [at for each in taken for at in each.missed]
    late = next(each for each in taken if each.missed)
    created = fact(
        [
            text(_AXIS - 14, _TOP + 4.5, _time(CREATED), "strong", "end"),
            rect((_AXIS - 5, _TOP - 5, 10, 10), "dot-ink", round=0),
            text(_AXIS + 24, _TOP + 4.5, "created: the anchor", "small"),
        ],
        kind="created",
        at=instants.render(CREATED),
        every_seconds=record.every_seconds,
    )
    parts = [
        text(12, 24, "An every of 5 minutes", "title"),
        text(12, 43, "Time runs down; a morning in UTC", "soft small"),
        path(((_AXIS, _TOP), (_AXIS, _y(last) + 22)), "stroke"),
        created,
        *(_occurrence(at, "missed") for at in missed),
        *(_decision(each) for each in taken),
        *(_occurrence(each.occurrence, "delivered") for each in taken),
        _occurrence(last, "next"),
    ]
    listed = " and ".join(_time(at) for at in missed)
    alt = (
        f"A reminder every five minutes, created at {_time(CREATED)}. "
        + " ".join(
            f"Decided at {_time(each.accepted)}: {_time(each.occurrence)} is delivered, "
            f"{_time(each.next_target)} is the next target."
            for each in taken
        )
        + f" {listed} are missed and not made up for."
    )
    caption = (
        f"The decision at {_time(late.accepted)} delivers the latest occurrence that is due and leaves the "
        f"first one after it. What was missed, {listed}, is passed over, and the grid does not shift."
    )
    title = "Fixed-rate advancement with missed occurrences"
    return Figure(NAME, document(NAME, round(_y(last)) + 34, title, alt, parts), alt, caption)
