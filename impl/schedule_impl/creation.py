"""From what a caller asks for to the record that is stored.

It goes in two steps, for in a session a barrier lies between them: `read_request` finds whatever the input
alone can show, and `schedule` makes the record from one clock sample. `create` is both in a row. Of several
faults the one told is the first in the order selector, prompt, integer, minimum; for `at` its form, calendar,
zone and gap; range; future. Clauses: after.*, every.*, at.future, at.range, at.utc-only,
tool.create-selector, tool.create-prompt, tool.error-sound.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from schedule_impl.absolute import read_at
from schedule_impl.changes import MAX_EVERY_SECONDS, MIN_EVERY_SECONDS, After, At, Every, Record
from schedule_impl.ecma_json import Json, NotJsonError, parse
from schedule_impl.errors import ScheduleError
from schedule_impl.instants import to_text
from schedule_impl.numbers import safe_integer
from schedule_impl.text import plain, trim


@dataclass(frozen=True, slots=True)
class Delay:
    """Once, `seconds` after the creation."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Moment:
    """Once, at the instant `ms`, which may lie outside instant.range."""

    ms: int


@dataclass(frozen=True, slots=True)
class Interval:
    """Every `seconds`, counted from the creation."""

    seconds: int


Selector: TypeAlias = Delay | Moment | Interval
"""When a reminder is to come."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for, sound as far as the input alone can show: a trimmed prompt, and when."""

    prompt: str
    selector: Selector


def create(arguments: Mapping[str, Json]) -> Record:
    """The record of a creation with `id`, `prompt`, one selector and the clock sample `now` in ms.

    The id is taken as given, whoever asks allocates it; ScheduleError with the code of the first fault,
    `invalid_rule` for an id that is no string.
    """
    request = read_request(arguments)
    identity = arguments.get("id")
    if not isinstance(identity, str):
        raise ScheduleError("invalid_rule", "id is no string")
    return schedule(plain(identity), request, arguments.get("now"))


def create_text(text: str) -> Record:
    """The record of a creation whose arguments are the members of a JSON text.

    ScheduleError as of `create`; text that is no JSON, or no object, is `invalid_rule`.
    """
    try:
        arguments = parse(text)
    except NotJsonError as problem:
        raise ScheduleError("invalid_rule", str(problem)) from None
    if not isinstance(arguments, dict):
        raise ScheduleError("invalid_rule", "the arguments are no object")
    return create(arguments)


def read_request(arguments: Mapping[str, Json]) -> Request:
    """What is asked for by `prompt` and exactly one of the selectors; further members are not looked at.

    A selector that is null is there, and of a wrong type. ScheduleError with any code but those of the clock.
    """
    given = [name for name in _SELECTORS if name in arguments]
    if len(given) != 1:
        raise ScheduleError("invalid_selector", f"exactly one of {', '.join(_SELECTORS)} is to be given")
    (selector,) = given
    prompt = arguments.get("prompt")
    if not isinstance(prompt, str) or not (prompt := trim(prompt)):
        raise ScheduleError("invalid_prompt", "prompt is no string, or nothing but white space")
    return Request(plain(prompt), _SELECTORS[selector](arguments[selector]))


def schedule(identity: str, request: Request, now: Json) -> Record:
    """The record of a sound request under the clock sample `now` in ms.

    `time_out_of_range` where the sample is no safe integer or the target leaves instant.range; `not_future`
    for a moment that is not after the sample. Clauses: after.target, every.first-target, at.future, at.range.
    """
    sample = clock_sample(now)
    match request.selector:
        case Delay(seconds):
            return After(identity, request.prompt, seconds, _target(sample + seconds * 1000))
        case Interval(seconds):
            return Every(identity, request.prompt, seconds, _target(sample + seconds * 1000))
        case Moment(ms):
            target = _target(ms)
            if ms <= sample:
                raise ScheduleError("not_future", f"at is {target}, which is not after now")
            return At(identity, request.prompt, target)


def clock_sample(now: Json) -> int:
    """One reading of the wall clock, in ms; `time_out_of_range` where it is no safe integer."""
    sample = safe_integer(now)
    if sample is None:
        raise ScheduleError("time_out_of_range", "now is no safe integer of milliseconds")
    return sample


def _target(ms: int) -> str:
    try:
        return to_text(ms)
    except ValueError:
        raise ScheduleError(
            "time_out_of_range", "the target lies outside the years 0001 to 9999 (UTC)"
        ) from None


def _delay(value: Json) -> Delay:
    seconds = safe_integer(value)
    if seconds is None or seconds < 1:
        raise ScheduleError("invalid_rule", "after_seconds is no positive safe integer")
    return Delay(seconds)


def _moment(value: Json) -> Moment:
    return Moment(read_at(value))


def _interval(value: Json) -> Interval:
    seconds = safe_integer(value)
    if seconds is None:
        raise ScheduleError("invalid_rule", "every_seconds is no safe integer")
    if seconds < MIN_EVERY_SECONDS:
        raise ScheduleError("frequency_too_high", f"every_seconds is less than {MIN_EVERY_SECONDS}")
    if seconds > MAX_EVERY_SECONDS:
        raise ScheduleError("time_out_of_range", f"every_seconds is more than {MAX_EVERY_SECONDS}")
    return Interval(seconds)


_SELECTORS: Final[dict[str, Callable[[Json], Selector]]] = {
    "after_seconds": _delay,
    "at": _moment,
    "every_seconds": _interval,
}
