"""What a caller may give as `at`: one string of date, time and offset, or a local date, time and zone.

Both are read from end to end, ASCII digits alone, and nothing is put right: a date that does not exist is
refused. The instants may lie outside instant.range; whoever makes a record of them looks to that.
Clauses: at.*, zone.names, local.gap-rejected.
"""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from schedule_impl import zones
from schedule_impl.ecma_json import Json
from schedule_impl.errors import ScheduleError, quoted
from schedule_impl.local_time import resolve

_DATE: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME: Final = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,3})?"
_OFFSET: Final = r"([+-])([01][0-9]|2[0-3]):([0-5][0-9])"
_DATE_FORM: Final = re.compile(_DATE)
_TIME_FORM: Final = re.compile(_TIME)
_OFFSET_FORM: Final = re.compile(rf"({_DATE}T{_TIME})(?:Z|{_OFFSET})")

_LOCAL_KEYS: Final = frozenset({"date", "time", "time_zone"})
_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001
_MILLISECOND: Final = timedelta(milliseconds=1)


def read_at(value: Json) -> int:
    """The instant in ms that a value of `at` names.

    `invalid_rule`, or `invalid_time_zone` for an unknown zone. Clauses: at.offset-form, at.local-form.
    """
    if isinstance(value, str):
        return read_offset_form(value)
    if isinstance(value, dict):
        return read_local_form(value)
    raise _invalid("at is neither a string nor an object")


def read_offset_form(text: str) -> int:
    """The instant in ms of `YYYY-MM-DDTHH:mm:ss[.S|.SS|.SSS](Z|±HH:MM)`; `invalid_rule` for any other text.

    Clauses: at.offset-form, at.offset-meaning, at.offset-range, at.offset-required, at.fraction,
    at.real-date.
    """
    parts = _OFFSET_FORM.fullmatch(text)
    if parts is None:
        raise _invalid(f"at {quoted(text)} is no YYYY-MM-DDTHH:mm:ss[.SSS] followed by Z or an offset ±HH:MM")
    reading, sign, hours, minutes = parts.groups()
    local = (_wall_time(reading) - _EPOCH) // _MILLISECOND
    if sign is None:
        return local
    offset = (int(hours) * 60 + int(minutes)) * 60_000
    if sign == "+":
        return local - offset
    if offset == 0:
        raise _invalid("at has the offset -00:00, which says that the offset is not known")
    return local + offset


def read_local_form(value: Mapping[str, Json]) -> int:
    """The instant in ms of `{date, time, time_zone}`, the first of two where the wall time occurs twice.

    What is wrong is told in the order keys, types of date and time, type of the zone, forms, calendar, zone,
    gap: `invalid_rule`, or `invalid_time_zone` for the zone. Clauses: at.local-form, at.fraction,
    at.real-date, zone.names, local.*.
    """
    if value.keys() != _LOCAL_KEYS:
        raise _invalid("at does not have exactly the members date, time and time_zone")
    date, time, name = value["date"], value["time"], value["time_zone"]
    if not isinstance(date, str) or not isinstance(time, str):
        raise _invalid("at.date and at.time are not both strings")
    if not isinstance(name, str):
        raise ScheduleError("invalid_time_zone", "at.time_zone is no string")
    if _DATE_FORM.fullmatch(date) is None:
        raise _invalid(f"at.date {quoted(date)} is no YYYY-MM-DD")
    if _TIME_FORM.fullmatch(time) is None:
        raise _invalid(f"at.time {quoted(time)} is no HH:mm:ss[.SSS]")
    wall = _wall_time(f"{date}T{time}")
    zone = zones.canonical(name)
    if zone is None:
        raise ScheduleError(
            "invalid_time_zone",
            f"at.time_zone {quoted(name)} is neither UTC nor a zone of tzdata {zones.RELEASE}",
        )
    instant = resolve(zones.load(zone), wall)
    if instant is None:
        raise _invalid(f"the clocks in {zone} skip {date} {time}")
    return instant


def _wall_time(text: str) -> datetime:
    """The date and time of a text of the right form; `invalid_rule` for no real date (at.real-date)."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise _invalid(f"at names {text}, a date that does not exist") from None


def _invalid(message: str) -> ScheduleError:
    return ScheduleError("invalid_rule", message)
