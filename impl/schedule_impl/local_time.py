"""From wall time in a zone to the instant that it is.

A wall time is a `datetime` without zone. Python reads it in a zone in two ways: with `fold=0` by the offset
that holds before a transition near it, with `fold=1` by the one after. Where the two readings differ, the
wall time lies in an overlap if the first is the earlier instant, and in a gap if it is the later one. No
instant is ever put into a `datetime`, so the ends of the calendar need no care. Clauses: local.*.
"""

from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


def resolve(zone: ZoneInfo, wall: datetime) -> int | None:
    """The first instant, in ms, at which the zone's clocks show the wall time; None where they never do.

    The instant may lie outside instant.range. Clauses: local.unique, local.gap-rejected, local.overlap-first.
    """
    before = wall.replace(tzinfo=zone, fold=0) - _EPOCH
    after = wall.replace(tzinfo=zone, fold=1) - _EPOCH
    return before // _MILLISECOND if before <= after else None
