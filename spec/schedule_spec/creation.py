"""Creation: from what a caller writes to the record that is stored.

Specifies the clauses after.* and every.*, at.future, at.range and at.utc-only, for requests that hold a clock
sample of their own; it depends on them and on zone data alone. Of the tools' clauses those that speak of the
selector and the prompt are named where they refuse.

Of several codes that apply any may be answered (tool.error-sound). A refusal here is therefore all of them,
in the reference's order: the selector; the prompt; what the value of each selector that is there shows by
itself; then, where one selector was given and read, what its target shows: range before future.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from icontract import ensure

from schedule_spec import absolute, json_text, records
from schedule_spec.absolute import Faults
from schedule_spec.fields import is_id
from schedule_spec.instants import in_range, render
from schedule_spec.json_text import Json, NotJson
from schedule_spec.marks import defines
from schedule_spec.numbers import safe_integer
from schedule_spec.records import LONGEST_INTERVAL, SHORTEST_INTERVAL, After, At, Every, Record
from schedule_spec.rejections import Code, Rejection, quoted
from schedule_spec.text import trim


@dataclass(frozen=True, slots=True)
class Delay:
    """What `after_seconds` gives: a positive number of s after the clock sample."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Instant:
    """What `at` gives: a point in time, in ms, in range or not."""

    ms: int


@dataclass(frozen=True, slots=True)
class Interval:
    """What `every_seconds` gives: a number of s, 300 or more."""

    seconds: int


Rule: TypeAlias = Delay | Instant | Interval
"""What a selector's value gives, if nothing is wrong with the value by itself."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """A rule and the first target, in ms, that it has under a clock sample."""

    rule: Rule
    target: int


@dataclass(frozen=True, slots=True)
class Refusals:
    """A creation that is refused: every rejection that applies, in the reference's order; never empty."""

    rejections: tuple[Rejection, ...]

    @property
    def codes(self) -> tuple[Code, ...]:
        """The codes that may be answered, each once; the first is the reference's."""
        return tuple(dict.fromkeys(rejection.code for rejection in self.rejections))


Created: TypeAlias = Record | Refusals


@defines("at.no-ambient")
@ensure(
    lambda result, request: not isinstance(result, At) or result.scheduled_at > request["now"],
    "at.future: the target is strictly after the clock sample",
)
@ensure(
    lambda result: isinstance(result, Refusals) or not is_id(result.id) or _is_storable(result),
    "record.kinds: what is created is a record that a log may hold",
)
def create(request: Mapping[str, Json]) -> Created:
    """Return the record that a creation stores, or every refusal that applies (tool.error-sound).

    The request's members are `id`, taken as given, `prompt`, exactly one of `SELECTORS`, and `now`, the clock
    sample in ms; others are not looked at. A selector that is null is present, and of a wrong type.
    """
    present = tuple(name for name in SELECTORS if name in request)
    prompt, id, plan = _prompt(request), _id(request), _plan(request, present)
    if isinstance(prompt, str) and isinstance(id, str) and isinstance(plan, _Plan):
        return _record(id, prompt, plan)
    return Refusals(
        (
            *_selector_faults(present),
            *(part for part in (prompt, id) if isinstance(part, Rejection)),
            *(plan if isinstance(plan, tuple) else ()),
        )
    )


def create_text(text: Json) -> Created:
    """Return the same for a JSON text of the request; what holds no request may be refused with any code."""
    request = json_text.read(text) if isinstance(text, str) else text
    if isinstance(text, str) and isinstance(request, dict):
        return create(request)
    came = request.message if isinstance(request, NotJson) else quoted(request)
    sentence = f"The text of one JSON object is required; {came}."
    first = Code.INVALID_SELECTOR
    codes = (first, *(code for code in Code if code != first))
    return Refusals(tuple(Rejection(code, "tool.ill-typed", sentence, "json") for code in codes))


@defines("profile.v1-after")
def create_v1_after(request: Mapping[str, Json]) -> Created:
    """Return what a creation stores at the earlier level, which knows no `at` and no `every_seconds`."""
    later = [name for name in ("at", "every_seconds") if name in request]
    created = create({name: value for name, value in request.items() if name not in later})
    if not later:
        return created
    sentence = f"The request has {' and '.join(later)}; the level v1-after knows after_seconds alone."
    unknown = Rejection(Code.INVALID_SELECTOR, "profile.v1-after", sentence)
    return Refusals((unknown, *(created.rejections if isinstance(created, Refusals) else ())))


def _selector_faults(present: tuple[str, ...]) -> Faults:
    if len(present) == 1:
        return ()
    sentence = f"Exactly one of {', '.join(SELECTORS)} is required; the request has {_listed(present)}."
    return (Rejection(Code.INVALID_SELECTOR, "tool.create-selector", sentence),)


def _listed(present: tuple[str, ...]) -> str:
    return " and ".join(present) if present else "none"


@defines("text.prompt")
def _prompt(request: Mapping[str, Json]) -> str | Rejection:
    """Return the prompt as it is stored: trimmed."""
    value = request.get("prompt")
    if not isinstance(value, str):
        sentence = f"prompt is {_came(request, 'prompt')}; a string is required."
        return Rejection(Code.INVALID_PROMPT, "tool.ill-typed", sentence, "prompt")
    trimmed = trim(value)
    if trimmed:
        return trimmed
    sentence = f"prompt is {quoted(value)}; something must be left of it once it is trimmed."
    return Rejection(Code.INVALID_PROMPT, "tool.create-prompt", sentence, "prompt")


def _id(request: Mapping[str, Json]) -> str | Rejection:
    value = request.get("id")
    if isinstance(value, str):
        return value
    sentence = f"id is {_came(request, 'id')}; a string is required."
    return Rejection(Code.INVALID_RULE, "tool.ill-typed", sentence, "id")


def _came(request: Mapping[str, Json], member: str) -> str:
    return quoted(request[member]) if member in request else "missing"


@defines("after.rule")
def _delay(value: Json) -> Delay | Faults:
    seconds = safe_integer(value)
    if seconds is not None and seconds > 0:
        return Delay(seconds)
    sentence = f"after_seconds is {quoted(value)}; a whole number from 1 to 2^53-1 is required."
    return (Rejection(Code.INVALID_RULE, "after.rule", sentence, "after_seconds"),)


def _instant(value: Json) -> Instant | Faults:
    ms = absolute.instant_of(value)
    return Instant(ms) if isinstance(ms, int) else ms


@defines("every.rule", "every.minimum")
def _interval(value: Json) -> Interval | Faults:
    seconds = safe_integer(value)
    if seconds is None:
        sentence = (
            f"every_seconds is {quoted(value)}; a whole number of magnitude at most 2^53-1 is required."
        )
        return (Rejection(Code.INVALID_RULE, "every.rule", sentence, "every_seconds"),)
    if seconds >= SHORTEST_INTERVAL:
        return Interval(seconds)
    sentence = f"every_seconds is {seconds}; at least {SHORTEST_INTERVAL} is required."
    return (Rejection(Code.FREQUENCY_TOO_HIGH, "every.minimum", sentence, "every_seconds"),)


SELECTORS: Mapping[str, Callable[[Json], Rule | Faults]] = {
    "after_seconds": _delay,
    "at": _instant,
    "every_seconds": _interval,
}
"""The three selectors, each with what reads its value."""

_RANGE_CLAUSES = {"after_seconds": "after.range", "at": "at.range", "every_seconds": "every.range"}


def _plan(request: Mapping[str, Json], present: tuple[str, ...]) -> _Plan | Faults:
    """Return what the one selector and the clock sample give, or what is wrong with either.

    Without exactly one selector there is no target, so that none of its faults applies.
    """
    given = [SELECTORS[name](request[name]) for name in present]
    faults = tuple(fault for value in given if isinstance(value, tuple) for fault in value)
    now = safe_integer(request.get("now"))
    if now is None:
        return (*faults, _clock_fault(request, present))
    match given:
        case [Delay() | Instant() | Interval() as rule]:
            return _planned(rule, now)
        case _:
            return faults


@defines("after.range", "at.range", "every.range")
def _clock_fault(request: Mapping[str, Json], present: tuple[str, ...]) -> Rejection:
    sentence = f"now is {_came(request, 'now')}; a whole number of magnitude at most 2^53-1 is required."
    clause = _RANGE_CLAUSES[present[0]] if len(present) == 1 else "number.safe-integer"
    return Rejection(Code.TIME_OUT_OF_RANGE, clause, sentence, "now")


def _planned(rule: Rule, now: int) -> _Plan | Faults:
    target = first_target(rule, now)
    faults = (*_range_faults(rule, target), *_future_faults(rule, target, now))
    return faults or _Plan(rule, target)


@defines("after.target", "every.first-target")
def first_target(rule: Rule, now: int) -> int:
    """Return a rule's first target under a clock sample, both in ms; it need not be in range."""
    match rule:
        case Delay(seconds) | Interval(seconds):
            return now + seconds * 1000
        case Instant(ms):
            return ms
    assert_never(rule)


@defines("after.range", "at.range", "every.range")
def _range_faults(rule: Rule, target: int) -> Faults:
    match rule:
        case Delay():
            clause, where = "after.range", "after_seconds"
        case Instant():
            clause, where = "at.range", "at"
        case Interval():
            clause, where = "every.range", "every_seconds"
    if not in_range(target):
        sentence = f"The target is {target} ms; the years 0001 to 9999 end at 9999-12-31T23:59:59.999Z."
        return (Rejection(Code.TIME_OUT_OF_RANGE, clause, sentence, where),)
    if isinstance(rule, Interval) and rule.seconds > LONGEST_INTERVAL:
        return _longer_than_a_record_holds(rule)
    return ()


@defines("record.every")
def _longer_than_a_record_holds(rule: Interval) -> Faults:
    """Refuse an interval that no record may hold though its first target is in range.

    That takes a clock sample thousands of centuries before the year 1. No clause names the code: two fit.
    """
    sentence = f"every_seconds is {rule.seconds}; a record holds at most {LONGEST_INTERVAL}."
    codes = (Code.TIME_OUT_OF_RANGE, Code.INVALID_RULE)
    return tuple(Rejection(code, "record.every", sentence, "every_seconds") for code in codes)


@defines("at.future")
def _future_faults(rule: Rule, target: int, now: int) -> Faults:
    if not isinstance(rule, Instant) or target > now:
        return ()
    sentence = f"The target is {_text(target)}, which is not after the clock sample, {_text(now)}."
    return (Rejection(Code.NOT_FUTURE, "at.future", sentence, "at"),)


def _text(ms: int) -> str:
    return render(ms) if in_range(ms) else f"{ms} ms"


@defines("at.utc-only")
def _record(id: str, prompt: str, plan: _Plan) -> Record:
    match plan.rule:
        case Delay(seconds):
            return After(id, prompt, seconds, plan.target)
        case Instant():
            return At(id, prompt, plan.target)
        case Interval(seconds):
            return Every(id, prompt, seconds, plan.target)
    assert_never(plan.rule)


def _is_storable(record: Record) -> bool:
    return records.decode(records.encode(record)) == record
