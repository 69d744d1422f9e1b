"""Arguments that meet the preconditions of an obligation, where the case that it is about is reached."""

from typing import Any

from proofs.symbolic.creation import Rule
from proofs.symbolic.decoding import Label, Word
from proofs.symbolic.due import Kinds
from proofs.symbolic.rate import Interval
from proofs.symbolic.states import Fate, Name, Operation
from schedule_spec.gregorian import Date

_HOUR = 3_600_000


def late_dispatch() -> dict[str, Any]:
    """Return a dispatch that misses two occurrences."""
    return {"target": 0, "interval_ms": 300_000, "accepted": 700_000}


def late_dispatch_of_a_record() -> dict[str, Any]:
    """Return the same of a stored record."""
    return {"every_seconds": 300, "target": 0, "accepted": 700_000}


def two_dispatches() -> dict[str, Any]:
    """Return two late dispatches, one after the other."""
    return {"target": 0, "interval": Interval.HOUR, "first": 5, "wait": 3 * _HOUR}


def an_aligned_instant() -> dict[str, Any]:
    """Return a late dispatch, and the occurrence it skips."""
    return {"target": 0, "interval": Interval.HOUR, "accepted": 2 * _HOUR + 1, "steps": 1}


def a_late_dispatch_after_many() -> dict[str, Any]:
    """Return a dispatch that comes late by more than an interval."""
    return {"anchor": 0, "interval": Interval.HOUR, "steps": 1000, "late": _HOUR + 1}


def a_text() -> dict[str, Any]:
    """Return an instant of a leap day."""
    return {"text": "2000-02-29T23:59:59.999Z"}


def a_short_text() -> dict[str, Any]:
    """Return an instant without milliseconds."""
    return {"text": "2000-02-29T23:59:59Z"}


def a_reading() -> dict[str, Any]:
    """Return the last millisecond before 1970."""
    return {"days": -1, "hour": 23, "minute": 59, "second": 59, "ms": 999}


def two_numbers() -> dict[str, Any]:
    """Return numbers of different length."""
    return {"one": 99, "other": 1000}


def a_leap_day() -> dict[str, Any]:
    """Return 29 February 2000."""
    return {"date": Date(2000, 2, 29)}


def a_day() -> dict[str, Any]:
    """Return the number of a day before the epoch."""
    return {"number": -1}


def an_instant() -> dict[str, Any]:
    """Return the last millisecond before 1970."""
    return {"ms": -1}


def an_interval() -> dict[str, Any]:
    """Return an hour."""
    return {"every_seconds": 3600}


def a_step() -> dict[str, Any]:
    """Return a late dispatch of an every."""
    return {
        "fate": Fate.EVERY,
        "seconds": 300,
        "target": 0,
        "operation": Operation.DISPATCH_EVERY,
        "name": Name.KNOWN,
        "interval": 300,
        "instant": 700_000,
    }


def three_due_records() -> dict[str, Any]:
    """Return everys that are due, in another order than that of their creation."""
    return {
        "kinds": Kinds.EEE,
        "first": 2,
        "second": 1,
        "third": 3,
        "now": 2,
    }


def a_wall_time() -> dict[str, Any]:
    """Return a wall time in the gap of a zone that sets its clocks forward by an hour."""
    return {"initial": 0, "at": 0, "offset": _HOUR, "wall": _HOUR // 2}


def a_wall_time_that_occurs_twice() -> dict[str, Any]:
    """Return a zone that sets its clocks forward and, a year later, back, to that wall time."""
    wall = 8766 * _HOUR
    return {"initial": 0, "at": 0, "offset": _HOUR, "then": wall, "last": 0, "wall": wall}


def a_wall_time_and_an_instant() -> dict[str, Any]:
    """Return the same, and its second instant."""
    return {**a_wall_time_that_occurs_twice(), "t": 8766 * _HOUR}


def a_padded_string() -> dict[str, Any]:
    """Return a letter between white space."""
    return {"string": "\ufeffa\n"}


def a_span() -> dict[str, Any]:
    """Return an hour after the epoch."""
    return {"rule": Rule.EVERY, "seconds": 3600, "now": 0}


def a_padded_id() -> dict[str, Any]:
    """Return an id of a dispatch that white space follows."""
    return {"place": Label.DISPATCH, "label": "a\u3000"}


def an_operation() -> dict[str, Any]:
    """Return an operation of another case."""
    return {"place": Word.BY_ID, "word": "Delete"}


def three_changes() -> dict[str, Any]:
    """Return the create of an every, its late dispatch, and its end."""
    return {
        "one": Operation.CREATE_EVERY,
        "two": Operation.DISPATCH_EVERY,
        "three": Operation.DELETE,
        "of_one": Name.NEW,
        "of_two": Name.NEW,
        "of_three": Name.NEW,
        "first": 0,
        "second": 700_000,
        "third": 0,
    }


def a_quoted_string() -> dict[str, Any]:
    """Return what looks as if it were escaped already."""
    return {"string": '\\"'}
