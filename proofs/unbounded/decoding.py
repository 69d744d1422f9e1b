"""Which integers a change or a record may hold, for all integers (change.version, record.*, number.*).

The law tells numbers from truths by their types, and an integer of the solver has a type of its own; so while
a theorem runs it passes for an `int`. Sentences are left out.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias
from unittest.mock import patch

from proofs.paths import Integer, claim
from proofs.unbounded.contracts import bare
from schedule_impl import numbers as impl_numbers
from schedule_spec import changes, fields, numbers, records
from schedule_spec.records import After, Every
from schedule_spec.rejections import Rejection

Number: TypeAlias = Any

GREATEST_SAFE = 9_007_199_254_740_991
LONGEST = 9_007_199_254_740
TARGET = 1_783_968_309_037
_STORED = {"id": "a", "prompt": "p", "scheduledAt": "2026-07-13T18:45:09.037Z"}


class _Whole(type):
    """What an integer of the solver is an instance of, as an `int` is."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, Integer | int)


class _Int(metaclass=_Whole):
    """Stands for `int`: integers are what they are."""

    def __new__(cls, value: Any) -> Any:
        return value


@contextmanager
def _integers_of_the_solver() -> Iterator[None]:
    """Let them pass for `int`, and let sentences be, while the block runs."""
    with (
        patch.object(numbers, "int", _Int, create=True),
        patch.object(impl_numbers, "int", _Int, create=True),
        patch.object(changes, "quoted", _no_words),
        patch.object(fields, "quoted", _no_words),
    ):
        yield


def _no_words(_: object) -> str:
    return ""


# --- safe integers ---

Reading: TypeAlias = Callable[[Number], Number | None]


def _safe(reading: Reading, number: Number) -> None:
    with _integers_of_the_solver():
        found = reading(number)
    if found is None:
        claim(number < -GREATEST_SAFE or number > GREATEST_SAFE, "number.safe-integer: it is not safe")
    else:
        claim(found == number, "number.safe-integer: it is what it is")
        claim(-GREATEST_SAFE <= number <= GREATEST_SAFE, "number.safe-integer: it is safe")


def the_safe_integers_are_those_below_2_to_the_53rd(number: Number) -> None:
    """The law's reading of an integer, and the implementation's."""
    _safe(numbers.safe_integer, number)
    _safe(impl_numbers.safe_integer, number)


def _up_to_2_to_the_53rd(number: Number) -> Number | None:
    """Take the first integer that is not safe for the last that is."""
    return number if -(2**53) <= number <= 2**53 else None


def one_more_is_safe(number: Number) -> None:
    """The same of a reading by the greatest double that is followed by a gap."""
    _safe(_up_to_2_to_the_53rd, number)


# --- versions ---

_CHANGES: tuple[dict[str, Any], ...] = (
    {"operation": "create", "schedule": {"kind": "at", **_STORED}},
    {"operation": "delete", "id": "a"},
    {"operation": "dispatch", "id": "a"},
    {"operation": "dispatch", "id": "a", "acceptedAt": _STORED["scheduledAt"]},
)
"""A change of each shape, without its version."""

Decoding: TypeAlias = Callable[[Any], Any]


def _versions(decode: Decoding, version: Number) -> None:
    for change in _CHANGES:
        with _integers_of_the_solver():
            found = decode({"version": version, **change})
        if isinstance(found, Rejection):
            claim(version != 1, "change.version: version 1 is accepted")
            claim(found.clause == "change.version", "change.version: the clause is named")
        else:
            claim(version == 1, "change.version: no other is")


def one_version_alone_is_accepted(version: Number) -> None:
    """The law's decoder, whatever integer stands for the version."""
    _versions(bare(changes.decode), version)


def _taking_later_ones(value: Any) -> Any:
    """Read a later version as this one."""
    return bare(changes.decode)({**value, "version": 1} if value["version"] > 1 else value)


def later_versions_are_accepted(version: Number) -> None:
    """The same of a decoder that takes later versions for its own."""
    _versions(_taking_later_ones, version)


# --- spans ---


def _delays(decode: Decoding, seconds: Number) -> None:
    with _integers_of_the_solver():
        found = decode({"kind": "after", **_STORED, "afterSeconds": seconds})
    if isinstance(found, Rejection):
        claim(seconds < 1 or seconds > GREATEST_SAFE, "record.after: every delay from 1 on is accepted")
    else:
        claim(1 <= seconds <= GREATEST_SAFE, "record.after: no other is")
        claim(_is_read(found, After, seconds), "record.after: it is read as it stands")


def _intervals(decode: Decoding, seconds: Number) -> None:
    with _integers_of_the_solver():
        found = decode({"kind": "every", **_STORED, "everySeconds": seconds})
    if isinstance(found, Rejection):
        claim(seconds < 300 or seconds > LONGEST, "record.every: every interval that is allowed is accepted")
    else:
        claim(300 <= seconds <= LONGEST, "record.every: no other is")
        claim(_is_read(found, Every, seconds), "record.every: it is read as it stands")
        claim(found.interval <= GREATEST_SAFE, "record.every: its ms are a safe integer")


def _is_read(found: object, kind: type, seconds: Number) -> object:
    """Tell whether a record was read as it stands, its span in s."""
    match found:
        case After(id, prompt, span, target) | Every(id, prompt, span, target):
            return (type(found), id, prompt, target) == (kind, "a", "p", TARGET) and span == seconds
        case _:
            return False


def all_delays_and_intervals_that_are_allowed_are_read_as_they_stand(seconds: Number) -> None:
    """The law's decoder of records, whatever integer stands for a span."""
    _delays(bare(records.decode), seconds)
    _intervals(bare(records.decode), seconds)


def _with_short_ones(value: Any) -> Any:
    """Accept an interval of 299 s, as if the bound were one that is left out."""
    found = bare(records.decode)(value)
    if isinstance(found, Rejection) and value.get("everySeconds") == 299:
        return Every("a", "p", 299, TARGET)
    return found


def a_shorter_interval_is_accepted(seconds: Number) -> None:
    """The same of a decoder whose bound is one too low."""
    _intervals(_with_short_ones, seconds)
