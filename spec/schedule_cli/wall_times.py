"""Instants, wall times, offsets and spans as the commands `when` and `zones` show them; and zones by name."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

from schedule_spec import instants, zones
from schedule_spec.local_time import wall_time
from schedule_spec.zones import Transition, Zone, offset_at

SUGGESTED = 3
"""How many names are suggested for one that is not accepted."""
_ABBREVIATION = re.compile("[a-z]{2,4}([0-9]{1,2}([a-z]{2,4})?)?")
"""What an abbreviation of a zone looks like, in lower case: est, est5edt."""
_UNITS = (("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000), ("ms", 1))


def instant_text(ms: int) -> str:
    """Return an instant in its canonical form, or as bare ms where the years 0001 to 9999 don't hold it."""
    return instants.render(ms) if instants.in_range(ms) else f"{ms} ms"


def wall_text(wall: int) -> str:
    """Return a wall time, given in ms as if it were UTC, as `YYYY-MM-DD HH:mm:ss.mmm`.

    What clocks show within hours of the range's ends may have no date in the years 0001 to 9999.
    """
    if not instants.in_range(wall):
        return "before the year 0001" if wall < 0 else "after the year 9999"
    return instants.render(wall).replace("T", " ").removesuffix("Z")


def offset_text(offset: int) -> str:
    """Return an offset in ms as `+HH:MM`, with its seconds where it has any."""
    minutes, seconds = divmod(abs(offset) // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    tail = f":{seconds:02}" if seconds else ""
    return f"{'-' if offset < 0 else '+'}{hours:02}:{minutes:02}{tail}"


def span_text(ms: int) -> str:
    """Return a span of at least 0 ms in days, hours, minutes, seconds and ms, such as `1 d 30 min`."""
    parts = []
    for unit, size in _UNITS:
        number, ms = divmod(ms, size)
        if number:
            parts.append(f"{number:,} {unit}")
    return " ".join(parts) or "0 s"


def in_zone_text(ms: int, zone: Zone) -> str:
    """Return what the zone's clocks show at an instant, with the offset and the zone's name."""
    return f"{wall_text(wall_time(zone, ms))} {offset_text(offset_at(zone, ms))} {zone.name}"


def instant_json(ms: int, zone: Zone | None) -> dict[str, object]:
    """Return an instant for `--json`: `utc`, `ms`, `zone`, `wall`, `offset`.

    `utc` is null out of range, the last three are so too, and where no zone is asked for.
    """
    utc = instants.render(ms) if instants.in_range(ms) else None
    if zone is None or utc is None:
        return {"utc": utc, "ms": ms, "zone": None, "wall": None, "offset": None}
    wall, offset = wall_text(wall_time(zone, ms)), offset_text(offset_at(zone, ms))
    return {"utc": utc, "ms": ms, "zone": zone.name, "wall": wall, "offset": offset}


def transition_json(transition: Transition) -> dict[str, object]:
    """Return a transition for `--json`; the wall times from `from` up to before `to` are those concerned."""
    first, end = shown_around(transition)
    return {
        "kind": kind(transition),
        "at": instant_text(transition.at),
        "before": offset_text(transition.before),
        "after": offset_text(transition.after),
        "from": wall_text(first),
        "to": wall_text(end),
        "lengthMs": end - first,
    }


def kind(transition: Transition) -> str:
    """Return `gap` where the clocks are set forward, `overlap` where they are set back."""
    return "gap" if transition.after > transition.before else "overlap"


def shown_around(transition: Transition) -> tuple[int, int]:
    """Return the first wall time that is skipped or repeated, and the first after all of them."""
    shown = (transition.at + transition.before, transition.at + transition.after)
    return min(shown), max(shown)


def near_zones(name: str) -> str:
    """Return ` Did you mean …?` with a few accepted names that hold this text or are like it, or nothing.

    An abbreviation is said to be one: a name that only happens to hold its letters is another place.
    """
    spelling = {each.lower(): each for each in zones.names()}
    wanted = name.lower()
    found = _with_part(wanted, spelling)[:SUGGESTED]
    if not found and _ABBREVIATION.fullmatch(wanted):
        return (
            " It looks like an abbreviation, and none is accepted: several places share one. A name has a"
            " /, such as America/New_York; `schedule-spec zones --names TEXT` lists those with a text."
        )
    found = found or _holding(wanted, spelling)[:SUGGESTED] or get_close_matches(wanted, spelling, SUGGESTED)
    return f" Did you mean {' or '.join(spelling[each] for each in found)}?" if found else ""


def _with_part(wanted: str, names: Iterable[str]) -> list[str]:
    """Return the names of which the text is a whole part."""
    return [name for name in names if wanted in name.split("/")] if len(wanted) > 1 else []


def _holding(wanted: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if wanted in name] if len(wanted) > 1 else []
