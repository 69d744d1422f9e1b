"""Creation: what is answered to requests in which everything may be wrong at once.

Prompts, selectors, what they hold and clock samples are listed; every combination is tried. Clauses: at.*,
after.rule, every.minimum, record.kinds, tool.create-selector, tool.create-prompt, tool.error-sound.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from proofs.exhaustive.cases import on_all
from proofs.outcomes import Counterexample, Counts
from schedule_impl import creation as implementation
from schedule_impl.codec import to_json
from schedule_impl.errors import ScheduleError
from schedule_spec import creation, records
from schedule_spec.creation import Refusals
from schedule_spec.instants import LATEST
from schedule_spec.numbers import MAX_SAFE
from schedule_spec.records import LONGEST_INTERVAL, SHORTEST_INTERVAL

Request: TypeAlias = dict[str, Any]

PROMPTS: tuple[Request, ...] = ({"prompt": " p\n"}, {"prompt": "\u3000"}, {}, {"prompt": 5})
"""One to be trimmed, one of white space alone, none, and one of another type."""
SELECTORS: tuple[tuple[str, ...], ...] = (
    (),
    ("after_seconds",),
    ("at",),
    ("every_seconds",),
    ("after_seconds", "every_seconds"),
    ("at", "every_seconds"),
)
"""Which selectors a request has."""
GIVEN: tuple[Any, ...] = (
    None,
    True,
    0,
    1,
    1.0,
    SHORTEST_INTERVAL - 1,
    SHORTEST_INTERVAL,
    300.5,
    LONGEST_INTERVAL,
    LONGEST_INTERVAL + 1,
    MAX_SAFE,
    MAX_SAFE + 1,
    "300",
    "1970-01-01T00:00:00Z",
    "1970-01-01T00:00:00.001Z",
    "1970-01-01T00:00:00.1Z",
    "1970-01-01T05:29:59.99+05:30",
    "1969-12-31T00:01:00-23:59",
    "1970-01-01T00:00:00+24:00",
    "1970-01-01T00:00:00.0001Z",
    "1970-01-01t00:00:00z",
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59.999Z",
    "9999-12-31T23:59:00-00:01",
    "1970-02-30T00:00:00-00:00",
    "2000-02-29T23:59:60Z",
    "1970-01-01T00:00:00",
    "1970-01-01",
    {"date": "2026-10-25", "time": "02:30:00", "time_zone": "Europe/Paris"},
    {"date": "2026-10-25", "time": "02:30:00.5", "time_zone": "europe/PARIS"},
    {"date": "2026-03-29", "time": "02:30:00", "time_zone": "Europe/Paris"},
    {"date": "1970-01-01", "time": "00:00:00", "time_zone": "UTC"},
    {"date": "1970-01-01", "time": "00:00:00", "time_zone": "utc"},
    {"date": "2026-02-29", "time": "02:30:00", "time_zone": "Europe/Nowhere"},
    {"date": "2026-02-28", "time": "02:30", "time_zone": "Europe/Paris"},
    {"date": "2026-02-28", "time": "02:30:00", "time_zone": 1},
    {"date": 20260228, "time": "02:30:00", "time_zone": 1},
    {"date": "2026-02-29", "time": "02:30:00"},
    {"date": "2026-02-28", "time": "02:30:00", "time_zone": "UTC", "fold": 1},
)
"""What the selectors hold."""
CLOCKS = (-1, 0, 1.0, LATEST - SHORTEST_INTERVAL * 1000, LATEST, -MAX_SAFE, MAX_SAFE + 1, None)
"""Usual samples, exactly a target, one as a double, near the end of the range, at it, beyond, and none."""


def _request(prompt: Request, selectors: tuple[str, ...], given: Any, clock: Any) -> Request:
    return {"id": "a", "now": clock, **prompt, **dict.fromkeys(selectors, given)}


# --- the law's contracts ---


def _in_the_future(created: creation.Created, request: Request) -> str:
    """Hold what is created at an instant to lie after the clock sample."""
    if isinstance(created, Refusals):
        return "refused"
    if "at" in request and created.scheduled_at <= request["now"]:
        raise Counterexample(f"at.future: {request} creates {created}")
    return "created"


def _created_by_law(*case: Any) -> str:
    request = _request(*case)
    return _in_the_future(creation.create(request), request)


def a_creation_keeps_what_the_law_states_of_it() -> Counts:
    """The law's creation, its contracts in force."""
    return on_all(_created_by_law, PROMPTS, SELECTORS, GIVEN, CLOCKS)


def _created_for_the_present(*case: Any) -> str:
    """Accept a target at the clock sample."""
    request = _request(*case)
    sample = {**request, "now": -1} if request["now"] == 0 else request
    return _in_the_future(creation.create(sample), request)


def creations_for_the_present() -> Counts:
    """The same of a creation that accepts a target at the clock sample."""
    return on_all(_created_for_the_present, PROMPTS, SELECTORS, GIVEN, CLOCKS)


# --- law and implementation ---

Answering: TypeAlias = Callable[[Request], str | dict[str, Any]]
"""Answers a request with the record, or with a code."""


def _answer(request: Request) -> str | dict[str, Any]:
    try:
        return to_json(implementation.create(request))
    except ScheduleError as refusal:
        return refusal.code


def _as_the_law(answering: Answering, *case: Any) -> str:
    request = _request(*case)
    created, answer = creation.create(request), answering(request)
    if isinstance(created, Refusals):
        if answer not in created.codes:
            raise Counterexample(f"{request} is answered with {answer}, not one of {created.codes}")
        return "refused"
    if answer != records.encode(created):
        raise Counterexample(f"{request} is answered with {answer}, not {records.encode(created)}")
    return "created"


def the_implementation_creates_as_the_law() -> Counts:
    """The implementation answers with a code that applies, or with the law's record."""
    return on_all(lambda *case: _as_the_law(_answer, *case), PROMPTS, SELECTORS, GIVEN, CLOCKS)


def _storing_blanks(request: Request) -> str | dict[str, Any]:
    """Store a prompt of white space."""
    return _answer({**request, "prompt": "p"} if request.get("prompt") == "\u3000" else request)


def prompts_of_white_space_are_stored() -> Counts:
    """The same of an implementation that stores a prompt of white space."""
    return on_all(lambda *case: _as_the_law(_storing_blanks, *case), PROMPTS, SELECTORS, GIVEN, CLOCKS)
