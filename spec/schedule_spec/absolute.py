"""Absolute input: what a value given as `at` means.

Specifies at.offset-form, at.offset-meaning, at.offset-range, at.offset-required, at.fraction, at.real-date,
at.local-form and at.no-ambient: nothing is read here but the value and zone data. What means no instant is
answered with every refusal that applies, in the reference's order (tool.error-sound). Instants are ms and may
lie outside the range: at.range is judged where the clock sample is known.
"""

import re
from collections.abc import Mapping
from typing import TypeAlias

from schedule_spec import instants, local_time, zones
from schedule_spec.gregorian import Date, day_number, is_date
from schedule_spec.json_text import Json
from schedule_spec.marks import defines
from schedule_spec.posix_rules import DAY, HOUR, SECOND
from schedule_spec.rejections import Code, Rejection, quoted, quoted_names
from schedule_spec.zones import Zone

MINUTE = 60 * SECOND
MEMBERS = ("date", "time", "time_zone")
"""The members of the structured form, all of them required (at.local-form)."""

Faults: TypeAlias = tuple[Rejection, ...]
"""Every refusal that applies, in the reference's order."""

_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,3})?"
_OFFSET = r"Z|[+-][0-9]{2}:[0-9]{2}"
_DATE_FORM = re.compile(_DATE)
_TIME_FORM = re.compile(_TIME)
_OFFSET_FORM = re.compile(f"({_DATE})T({_TIME})({_OFFSET})")
_WITHOUT_OFFSET = re.compile(f"{_DATE}T{_TIME}")


@defines("at.local-form", "at.no-ambient")
def instant_of(value: Json) -> int | Faults:
    """Return the instant, in ms, that a value given as `at` means, or why it means none."""
    match value:
        case str():
            return parse_offset_form(value)
        case dict():
            return parse_local_form(value)
        case _:
            sentence = f"at is {quoted(value)}; a string or an object is required."
            return (_invalid_rule("at.local-form", sentence, "at"),)


def _invalid_rule(clause: str, sentence: str, where: str) -> Rejection:
    return Rejection(Code.INVALID_RULE, clause, sentence, where)


def _parts_or_faults(parts: tuple[int | Rejection, ...]) -> tuple[tuple[int, ...], Faults]:
    """Tell apart what was read and what was refused."""
    read = tuple(part for part in parts if isinstance(part, int))
    return read, tuple(part for part in parts if isinstance(part, Rejection))


@defines("at.offset-form", "at.offset-meaning", "at.offset-required")
def parse_offset_form(text: str) -> int | Faults:
    """Return the instant, in ms, that a string means: its reading less its offset (at.offset-meaning)."""
    form = _OFFSET_FORM.fullmatch(text)
    if form is None:
        return (_formless(text),)
    date, time, offset = form.groups()
    parts, faults = _parts_or_faults((_days(date, "at"), _time_of_day(time, "at"), _offset(offset)))
    if faults:
        return faults
    days, time_of_day, east = parts
    return days * DAY + time_of_day - east


def _formless(text: str) -> Rejection:
    if _WITHOUT_OFFSET.fullmatch(text):
        sentence = f"at is {quoted(text)}, without an offset; Z or an offset such as +01:00 is required."
        return _invalid_rule("at.offset-required", sentence, "at")
    sentence = f"at is {quoted(text)}; YYYY-MM-DDTHH:mm:ss[.S|.SS|.SSS](Z|±HH:MM) is required."
    return _invalid_rule("at.offset-form", sentence, "at")


@defines("at.real-date")
def _days(text: str, where: str) -> int | Rejection:
    """Return the day number of a date that is written as it should be, if it is real."""
    date = Date(*map(int, text.split("-")))
    if is_date(date):
        return day_number(date)
    return _invalid_rule("at.real-date", f"There is no date {text} in the years 0001 to 9999.", where)


@defines("at.real-date")
def _time_of_day(text: str, where: str) -> int | Rejection:
    """Return the ms since midnight of a time that is written as it should be, if it is real."""
    clock, _, fraction = text.partition(".")
    hours, minutes, seconds = map(int, clock.split(":"))
    if hours <= 23 and minutes <= 59 and seconds <= 59:
        return hours * HOUR + minutes * MINUTE + seconds * SECOND + milliseconds(fraction)
    return _invalid_rule("at.real-date", f"There is no time {text}; it ends at 23:59:59.999.", where)


@defines("at.fraction")
def milliseconds(fraction: str) -> int:
    """Return the ms that none to three digits after the full stop mean: right-padded (at.fraction)."""
    return int(fraction.ljust(3, "0"))


@defines("at.offset-range")
def _offset(text: str) -> int | Rejection:
    """Return the ms east of UTC of an offset that is written as it should be, if it is allowed."""
    if text == "Z":
        return 0
    hours, minutes = map(int, text[1:].split(":"))
    if hours > 23 or minutes > 59 or text == "-00:00":
        sentence = f"The offset is {text}; -23:59 to +23:59 is allowed, and -00:00 is not."
        return _invalid_rule("at.offset-range", sentence, "at")
    size = hours * HOUR + minutes * MINUTE
    return -size if text.startswith("-") else size


@defines("at.local-form", "zone.names")
def parse_local_form(value: Mapping[str, Json]) -> int | Faults:
    """Return the instant, in ms, that a date and a time in a zone mean (at.local-form, local.gap-rejected).

    A key or the type of date or time that is not as it should be hides the type of the zone (at.local-form),
    and nothing else: a zone's name, for one, is accepted or not whatever stands beside it.
    """
    wrong_keys = _key_faults(value)
    if wrong_keys:
        return wrong_keys + _zone_name_faults(value.get("time_zone"))
    date, time, zone = (value[member] for member in MEMBERS)
    parts, faults = _parts_or_faults((_local_date(date), _local_time(time)))
    if not isinstance(zone, str):
        hidden = not (isinstance(date, str) and isinstance(time, str))
        return faults if hidden else (_zone_type_fault(zone), *faults)
    name = zones.canonical(zone)
    if faults or name is None:
        return faults + _zone_name_faults(zone)
    days, time_of_day = parts
    return _resolved(zones.zone(name), days * DAY + time_of_day)


def _key_faults(value: Mapping[str, Json]) -> Faults:
    missing = [member for member in MEMBERS if member not in value]
    extra = [member for member in value if member not in MEMBERS]
    sentences = [f"at lacks {quoted_names(missing)}"] * bool(missing) + [
        f"at also has {quoted_names(extra)}"
    ] * bool(extra)
    exactly = f"its members are exactly {', '.join(MEMBERS)}"
    return tuple(_invalid_rule("at.local-form", f"{sentence}; {exactly}.", "at") for sentence in sentences)


def _local_date(value: Json) -> int | Rejection:
    if isinstance(value, str) and _DATE_FORM.fullmatch(value):
        return _days(value, "at.date")
    sentence = f"date is {quoted(value)}; a string YYYY-MM-DD is required."
    return _invalid_rule("at.local-form", sentence, "at.date")


def _local_time(value: Json) -> int | Rejection:
    if isinstance(value, str) and _TIME_FORM.fullmatch(value):
        return _time_of_day(value, "at.time")
    sentence = f"time is {quoted(value)}; a string HH:mm:ss[.S|.SS|.SSS] is required."
    return _invalid_rule("at.local-form", sentence, "at.time")


def _zone_type_fault(value: Json) -> Rejection:
    sentence = f"time_zone is {quoted(value)}; a string is required."
    return Rejection(Code.INVALID_TIME_ZONE, "at.local-form", sentence, "at.time_zone")


def _zone_name_faults(value: Json) -> Faults:
    if not isinstance(value, str) or zones.canonical(value) is not None:
        return ()
    sentence = (
        f"time_zone is {quoted(value)}; UTC, or a name with a / of the tz database's release "
        f"{zones.release()}, such as Europe/Paris, is required."
    )
    return (Rejection(Code.INVALID_TIME_ZONE, "zone.names", sentence, "at.time_zone"),)


def _resolved(zone: Zone, wall: int) -> int | Faults:
    instant = local_time.resolve(zone, wall)
    if instant is not None:
        return instant
    gap = local_time.gap_around(zone, wall)
    sentence = (
        f"{_wall_text(wall)} does not occur in {zone.name}: "
        f"the clocks go from {_wall_text(gap.at + gap.before)} straight to {_wall_text(gap.at + gap.after)}."
    )
    return (_invalid_rule("local.gap-rejected", sentence, "at"),)


def _wall_text(wall: int) -> str:
    return instants.render(wall).removesuffix("Z")
