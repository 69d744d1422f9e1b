"""What a selector means under a clock sample: the record or the refusals, and why.

The law decides; what is added here is what it reckoned with: which of the two instants of a wall time, which
gap, which offset, and for a fixed rate the occurrences to come. Values in, values out. All times are in ms.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from schedule_cli.wall_times import instant_text, offset_text
from schedule_spec import absolute, instants, local_time, rate, records, zones
from schedule_spec.creation import SELECTORS, Created, Instant, Refusals, create, first_target
from schedule_spec.json_text import Json
from schedule_spec.numbers import safe_integer
from schedule_spec.rate import Advance
from schedule_spec.records import Every
from schedule_spec.rejections import Rejection
from schedule_spec.zones import Transition, Zone


@dataclass(frozen=True, slots=True)
class Target:
    """The instant that a selector gives, whether or not a reminder may be set for it, and why it is that.

    `candidates` are all instants that were to choose from: two where a wall time occurs twice.
    """

    ms: int
    clause: str
    sentence: str
    candidates: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """Why a wall time has no instant: the transition at which the zone's clocks skip it."""

    zone: Zone
    transition: Transition


@dataclass(frozen=True, slots=True)
class Dispatch:
    """What a dispatch of the new every does: the `advance`, and how many occurrences it passes over."""

    accepted: int
    advance: Advance
    skipped: int


@dataclass(frozen=True, slots=True)
class Meaning:
    """All that is said of a selector; `dispatch` is a rejection where the clauses refuse it."""

    request: Mapping[str, Json]
    created: Created
    target: Target | None
    gap: Gap | None
    occurrences: tuple[int, ...]
    dispatch: Dispatch | Rejection | None

    @property
    def rejections(self) -> tuple[Rejection, ...]:
        """Every refusal that applies, the reference's first; none where all is accepted."""
        if isinstance(self.created, Refusals):
            return self.created.rejections
        return (self.dispatch,) if isinstance(self.dispatch, Rejection) else ()


def meaning(request: Mapping[str, Json], count: int, accepted: float | None) -> Meaning:
    """Return what a creation's request means.

    For an every, up to `count` of its occurrences from the first on; where `accepted`, a decision time, is
    not None, also what a dispatch then does.
    """
    created = create(request)
    every = created if isinstance(created, Every) else None
    return Meaning(
        request,
        created,
        _target(request),
        _gap(request.get("at")),
        () if every is None else _occurrences(every, count),
        None if every is None or accepted is None else _dispatch(every, accepted),
    )


def _target(request: Mapping[str, Json]) -> Target | None:
    present = [name for name in SELECTORS if name in request]
    now = safe_integer(request.get("now"))
    if len(present) != 1 or now is None:
        return None
    value = request[present[0]]
    rule = SELECTORS[present[0]](value)
    if isinstance(rule, tuple):
        return None
    if isinstance(rule, Instant):
        return _written(value, rule.ms)
    seconds = f"{rule.seconds:,} s after the clock sample"
    ms = first_target(rule, now)
    if present[0] == "every_seconds":
        return Target(ms, "every.first-target", f"{seconds}, which is the anchor of all that follow.", (ms,))
    return Target(ms, "after.target", f"{seconds}.", (ms,))


def _written(value: Json, ms: int) -> Target:
    """Return why a written instant or local time, known to be sound, means that instant."""
    if isinstance(value, str):
        offset = "Z" if value.endswith("Z") else value[-6:]
        sentence = (
            "The reading is in UTC already." if offset == "Z" else f"The reading less its offset, {offset}."
        )
        return Target(ms, "at.offset-meaning", sentence, (ms,))
    zone, wall = _local(value)
    found = local_time.instants_of(zone, wall)
    if len(found) == 1:
        sentence = f"The wall time occurs once in {zone.name}, at the offset {offset_text(wall - ms)}."
        return Target(ms, "local.unique", sentence, found)
    shown = [f"{instant_text(t)} ({offset_text(wall - t)})" for t in found]
    times = "twice" if len(found) == 2 else f"{len(found)} times"
    sentence = f"The wall time occurs {times} in {zone.name}: {' and '.join(shown)}. The first counts."
    return Target(ms, "local.overlap-first", sentence, found)


def _local(value: Json) -> tuple[Zone, int]:
    """Return the zone and the wall time of a structured form that is sound, a gap apart; else TypeError."""
    if isinstance(value, dict):
        name = zones.canonical(str(value["time_zone"]))
        wall = absolute.parse_offset_form(f"{value['date']}T{value['time']}Z")
        if name is not None and isinstance(wall, int):
            return zones.zone(name), wall
    raise TypeError("no sound structured form")


def _gap(value: Json) -> Gap | None:
    if not isinstance(value, dict):
        return None
    faults = absolute.parse_local_form(value)
    if isinstance(faults, int) or faults[0].clause != "local.gap-rejected":
        return None
    zone, wall = _local(value)
    return Gap(zone, local_time.gap_around(zone, wall))


def _occurrences(record: Every, count: int) -> tuple[int, ...]:
    """Return the first occurrences of an every that lie in range, at most `count`."""
    end = min(instants.LATEST + 1, record.scheduled_at + count * record.interval)
    return tuple(range(record.scheduled_at, end, record.interval))


def _dispatch(record: Every, accepted: float) -> Dispatch | Rejection:
    advance = rate.advance_record(records.encode(record), accepted)
    if isinstance(advance, Rejection):
        return advance
    skipped = (advance.occurrence - record.scheduled_at) // record.interval
    return Dispatch(int(accepted), advance, skipped)
