"""Creation: what is answered to a request, for all clock samples and spans, and for mixtures of faults.

Clauses: after.*, every.*, at.future, at.range, tool.create-selector, tool.create-prompt, tool.error-sound,
profile.v1-after.
"""

from enum import Enum
from typing import Any

from icontract import ensure, require

from proofs.symbolic.standing_in import with_numbers_for_targets
from proofs.symbolic.twins import bare, keeps, under_contracts_of
from proofs.symbolic.values import on_values
from schedule_impl import creation as implementation
from schedule_impl.codec import to_json
from schedule_impl.errors import ScheduleError
from schedule_spec import creation as law
from schedule_spec import records
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.numbers import MAX_SAFE
from schedule_spec.records import LONGEST_INTERVAL, SHORTEST_INTERVAL, After, Every


class Rule(Enum):
    """The selectors that give a span."""

    AFTER = "after_seconds"
    EVERY = "every_seconds"


# -- targets ------------------------------------------------------------------------------------------------


@ensure(
    lambda result, rule, seconds, now: (
        result
        == (
            After("a", "p", seconds, now + seconds * 1000)
            if rule is Rule.AFTER
            else Every("a", "p", seconds, now + seconds * 1000)
        )
    ),
    "after.target, every.first-target: the clock sample plus the span",
)
@require(
    lambda rule, seconds, now: (
        (SHORTEST_INTERVAL if rule is Rule.EVERY else 1) <= seconds <= LONGEST_INTERVAL
        and -MAX_SAFE <= now <= MAX_SAFE
        and EARLIEST <= now + seconds * 1000 <= LATEST
    ),
    "after.range, every.range: a span that is allowed, a clock sample, and a target in the range",
)
def first_target(rule: Rule, seconds: int, now: int) -> law.Created:
    """Return what the law makes of a span and a clock sample that fit."""
    return bare(law.create)({"id": "a", "prompt": "p", rule.value: seconds, "now": now})


@under_contracts_of(first_target)
def first_target_in_seconds(rule: Rule, seconds: int, now: int) -> law.Created:
    """Broken: the clock sample is taken for seconds where it is small."""
    sample = 1000 if now == 1 else now
    return bare(law.create)({"id": "a", "prompt": "p", rule.value: seconds, "now": sample})


def _codes(rule: Rule, seconds: int, now: int) -> frozenset[str]:
    """Return the codes that apply to a span and a clock sample, by the clauses."""
    is_every = rule is Rule.EVERY
    codes = set()
    if abs(seconds) > MAX_SAFE or (not is_every and seconds < 1):
        codes.add("invalid_rule")
    elif is_every and seconds < SHORTEST_INTERVAL:
        codes.add("frequency_too_high")
    elif not EARLIEST <= now + seconds * 1000 <= LATEST:
        codes.add("time_out_of_range")
    elif is_every and seconds > LONGEST_INTERVAL:
        codes |= {"time_out_of_range", "invalid_rule"}
    if abs(now) > MAX_SAFE:
        codes.add("time_out_of_range")
    return frozenset(codes)


@ensure(
    lambda result, rule, seconds, now: (
        result in _codes(rule, seconds, now)
        if isinstance(result, str)
        else not _codes(rule, seconds, now) and result == (seconds, now + seconds * 1000)
    ),
    "tool.error-sound: a code that applies, or where none does the span and the target",
)
def implementation_first_target(rule: Rule, seconds: int, now: int) -> tuple[int, int] | str:
    """Return what the implementation makes of any span and clock sample: span and target, or a code."""
    with with_numbers_for_targets():
        try:
            record: Any = implementation.create({"id": "a", "prompt": "p", rule.value: seconds, "now": now})
        except ScheduleError as refusal:
            return refusal.code
    return (record.afterSeconds if rule is Rule.AFTER else record.everySeconds), record.scheduledAt


@under_contracts_of(implementation_first_target)
def implementation_first_target_at_once(rule: Rule, seconds: int, now: int) -> tuple[int, int] | str:
    """Broken: a delay of nothing is accepted."""
    if rule is Rule.AFTER and seconds == 0 and EARLIEST <= now <= LATEST:
        return 0, now
    return implementation_first_target(rule, seconds, now)


# -- mixtures of faults -------------------------------------------------------------------------------------


class Prompt(Enum):
    """Prompts: one to be trimmed, one of white space alone, none, and one of another type."""

    PADDED = " p\n"
    BLANK = "\u3000"
    ABSENT = None
    NUMBER = 5


class Selectors(Enum):
    """Which selectors a request has."""

    NONE = ()
    AFTER = ("after_seconds",)
    AT = ("at",)
    EVERY = ("every_seconds",)
    TWO = ("after_seconds", "every_seconds")
    WITH_AT = ("at", "every_seconds")


class Given(Enum):
    """What the selectors hold: the numeral names an entry of `_GIVEN`."""

    NULL = 0
    TRUE = 1
    ZERO = 2
    SHORT = 3
    ENOUGH = 4
    BROKEN = 5
    TOO_LONG = 6
    UNSAFE = 7
    EPOCH = 8
    BEFORE_THE_RANGE = 9
    NO_DATE = 10
    NO_OFFSET = 11
    LOCAL = 12
    LOCAL_IN_A_GAP = 13
    LOCAL_IN_NO_ZONE = 14
    LOCAL_WITHOUT_ZONE = 15


_GIVEN: tuple[Any, ...] = (
    None,
    True,
    0,
    SHORTEST_INTERVAL - 1,
    SHORTEST_INTERVAL,
    300.5,
    LONGEST_INTERVAL + 1,
    MAX_SAFE + 1,
    "1970-01-01T00:00:00Z",
    "0001-01-01T00:00:00+00:01",
    "1970-02-30T00:00:00-00:00",
    "1970-01-01T00:00:00",
    {"date": "2026-10-25", "time": "02:30:00", "time_zone": "Europe/Paris"},
    {"date": "2026-03-29", "time": "02:30:00", "time_zone": "Europe/Paris"},
    {"date": "2026-02-29", "time": "02:30:00", "time_zone": "Europe/Nowhere"},
    {"date": "2026-02-29", "time": "02:30:00"},
)


class Clock(Enum):
    """Clock samples: usual, exactly a target, near both ends of the range, beyond, and none."""

    USUAL = -1
    EPOCH = 0
    LATE = LATEST - SHORTEST_INTERVAL * 1000
    TOO_LATE = LATEST - SHORTEST_INTERVAL * 1000 + 1
    LONG_AGO = -MAX_SAFE
    UNSAFE = MAX_SAFE + 1
    NOTHING = None


def _request(prompt: Prompt, selectors: Selectors, given: Given, clock: Clock) -> dict[str, Any]:
    request = {"id": "a", "now": clock.value, **dict.fromkeys(selectors.value, _GIVEN[given.value])}
    return request if prompt is Prompt.ABSENT else {**request, "prompt": prompt.value}


@ensure(lambda result: result, "at.future, record.kinds: as the law states")
@on_values
def creation_under_the_law(prompt: Prompt, selectors: Selectors, given: Given, clock: Clock) -> bool:
    """Tell whether the answer to a request keeps the contracts of `schedule_spec.creation.create`."""
    request = _request(prompt, selectors, given, clock)
    return keeps(law.create, bare(law.create)(request), request=request)


@under_contracts_of(creation_under_the_law)
@on_values
def creation_for_the_present(prompt: Prompt, selectors: Selectors, given: Given, clock: Clock) -> bool:
    """Broken: a target at the clock sample is accepted."""
    request = _request(prompt, selectors, given, clock)
    created = bare(law.create)({**request, "now": -1} if clock is Clock.EPOCH else request)
    return keeps(law.create, created, request=request)


@on_values
def _is_right(
    answer: str | dict[str, Any], prompt: Prompt, selectors: Selectors, given: Given, clock: Clock
) -> bool:
    """Tell whether the law allows the answer."""
    created = law.create(_request(prompt, selectors, given, clock))
    if isinstance(created, law.Refusals):
        return answer in created.codes
    return answer == records.encode(created)


@ensure(
    lambda result, prompt, selectors, given, clock: _is_right(result, prompt, selectors, given, clock),
    "tool.error-sound: the implementation answers with a code that applies, or with the law's record",
)
@on_values
def implementation_creates(
    prompt: Prompt, selectors: Selectors, given: Given, clock: Clock
) -> str | dict[str, Any]:
    """Return the implementation's answer to a request: the record, or its code."""
    try:
        return to_json(implementation.create(_request(prompt, selectors, given, clock)))
    except ScheduleError as refusal:
        return refusal.code


@under_contracts_of(implementation_creates)
@on_values
def implementation_creates_unnamed(
    prompt: Prompt, selectors: Selectors, given: Given, clock: Clock
) -> str | dict[str, Any]:
    """Broken: a prompt of white space is stored."""
    return implementation_creates(
        Prompt.PADDED if prompt is Prompt.BLANK else prompt, selectors, given, clock
    )
