"""Changes from JSON and back, strictly (change.*).

Whoever reads text tries the fast decoder first. It admits nothing that the clauses refuse, but refuses some
that they admit (`300.0`, unpaired surrogates, a duplicate key whose earlier value is ill-typed); so what it
refuses is read once more by `ecma_json`, whose values are converted here, and that reading decides.
"""

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

import msgspec

from schedule_impl.changes import Change, Record, check_change, target_of
from schedule_impl.ecma_json import Json, NotJsonError, parse
from schedule_impl.errors import corrupt
from schedule_impl.numbers import whole
from schedule_impl.text import plain

REFUSALS: Final = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What the fast decoder raises for a text that it cannot take."""

MAX_ODD_LINE: Final = 8 << 20
"""The longest line in bytes that is read by `ecma_json`, which can take 50 times that in memory, and 5 s."""

_RECORD_LEVEL: Final = 2

T = TypeVar("T")


class Codec(Generic[T]):
    """One type's way from a JSON value; what is none of the type is refused with `corrupt_schedule_log`."""

    __slots__ = ("_check", "_holder", "_type")

    def __init__(self, kind: Any, check: Callable[[T], object]) -> None:
        self._type = kind
        # What msgspec works out of a union it forgets after each call; of a struct's fields it does not.
        self._holder: Any = msgspec.defstruct("Holder", [("value", kind)])
        self._check = check

    def convert(self, value: object) -> T:
        """The value that a JSON value is, whatever the spelling of its numbers was."""
        try:
            built: T = msgspec.convert({"value": value}, self._holder).value
        except (msgspec.MsgspecError, UnicodeError):
            built = self._convert_plain(value)
        self._check(built)
        return built

    def _convert_plain(self, value: object) -> T:
        """The value once more, in plain types: most are so already, and to make them so takes time."""
        try:
            built: T = msgspec.convert(_plain(value, _RECORD_LEVEL), self._type)
        except msgspec.MsgspecError as problem:
            raise corrupt(str(problem)) from None
        except UnicodeError:
            raise corrupt("a member's name, an operation or a kind holds an unpaired surrogate") from None
        return built


CHANGES: Final[Codec[Change]] = Codec(Change, check_change)
RECORDS: Final[Codec[Record]] = Codec(Record, target_of)


def to_json(value: Change | Record) -> dict[str, Any]:
    """The JSON object of a change or record: equal to the one it was decoded from (change.lossless)."""
    built: dict[str, Any] = msgspec.to_builtins(value)
    return built


def read_json(text: str) -> Json:
    """The value of a JSON text; `corrupt_schedule_log` for text that is none (change.json)."""
    try:
        return parse(text)
    except NotJsonError as problem:
        raise corrupt(str(problem)) from None


def _plain(value: object, levels: int) -> object:
    """The value with numbers as integers where they are, and texts as `str` proper, in its outermost levels.

    Whatever lies deeper is ill-typed.
    """
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, float):
        return whole(value)
    if isinstance(value, dict) and levels:
        return {
            plain(name) if isinstance(name, str) else name: _plain(member, levels - 1)
            for name, member in value.items()
        }
    return value
