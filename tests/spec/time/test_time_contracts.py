"""The contracts of time are in force, each notices what it is there for, and every clause is carried."""

import icontract
import pytest
from tests.spec.time.tz_files import ms
from tests.spec.twins import (
    BadCall,
    Twin,
    assert_every_contract_fires,
    broken_promises,
    law_functions,
    postconditions,
    preconditions,
)

from schedule_spec import absolute, creation, local_time, posix_rules, tzif, views, zones
from schedule_spec.json_text import Json
from schedule_spec.posix_rules import HOUR
from schedule_spec.records import At, Every
from schedule_spec.register import CLAUSES
from schedule_spec.zones import Transition, zone

MODULES = (posix_rules, tzif, zones, local_time, absolute, creation, views)
AREAS = ("after", "at", "zone", "local", "every", "view")

NEW_YORK = zone("America/New_York")
OVERLAP = ms(2027, 11, 7, 1, 30)
FIRST, SECOND = OVERLAP + 4 * HOUR, OVERLAP + 5 * HOUR
GAP = ms(2027, 3, 14, 2, 30)
PAST: dict[str, Json] = {"id": "a", "prompt": "p", "at": "2030-01-01T00:00:00Z", "now": ms(2030, 1, 1)}


BROKEN_TWINS: dict[str, Twin] = {
    "a third offset": (posix_rules.offset_at, lambda rule, t: HOUR, (posix_rules.parse("AAA0"), 0)),
    "an offset of 26 hours": (zones.offset_at, lambda zone, t: 26 * HOUR, (NEW_YORK, 0)),
    "a transition outside the window": (
        zones.transitions_between,
        lambda zone, from_ms, to_ms: (Transition(10, 0, HOUR),),
        (NEW_YORK, 0, 10),
    ),
    "an instant with another wall time": (
        local_time.instants_of,
        lambda zone, wall_ms: (FIRST, SECOND + 1),
        (NEW_YORK, OVERLAP),
    ),
    "the later instant first": (
        local_time.instants_of,
        lambda zone, wall_ms: (SECOND, FIRST),
        (NEW_YORK, OVERLAP),
    ),
    "the later instant left out": (
        local_time.instants_of,
        lambda zone, wall_ms: (FIRST,),
        (NEW_YORK, OVERLAP),
    ),
    "a gap where none is": (local_time.instants_of, lambda zone, wall_ms: (), (NEW_YORK, OVERLAP)),
    "another gap": (
        local_time.gap_around,
        lambda zone, wall_ms: Transition(ms(2026, 3, 8, 7), -5 * HOUR, -4 * HOUR),
        (NEW_YORK, GAP),
    ),
    "a target at the clock sample": (creation.create, lambda request: At("a", "p", ms(2030, 1, 1)), (PAST,)),
    "an interval that no log holds": (creation.create, lambda request: Every("a", "p", 299, 0), (PAST,)),
}

BAD_CALLS: dict[str, BadCall] = {
    "a zone in another case": (zones.zone, ("europe/paris",), "zone.names"),
    "a zone that is a path": (zones.zone, ("../zones",), "zone.names"),
    "a gap around a time that occurs": (local_time.gap_around, (NEW_YORK, OVERLAP), "local.gap-rejected"),
}


@pytest.mark.parametrize("twin", BROKEN_TWINS)
def test_a_broken_twin_is_noticed(twin: str) -> None:
    assert broken_promises(*BROKEN_TWINS[twin])


@pytest.mark.parametrize("call", BAD_CALLS)
def test_a_bad_call_is_noticed(call: str) -> None:
    law, arguments, clause = BAD_CALLS[call]
    with pytest.raises(icontract.ViolationError, match=rf"{clause}: "):
        law(*arguments)


def test_every_contract_is_shown_to_fire() -> None:
    assert_every_contract_fires(law_functions(MODULES), BROKEN_TWINS.values(), BAD_CALLS.values())


def test_every_clause_of_these_areas_is_carried() -> None:
    marked = {clause for law in law_functions(MODULES) for clause in getattr(law, "__clauses__", ())}
    described = {
        description.split(":")[0]
        for law in law_functions(MODULES)
        for description in (*preconditions(law), *postconditions(law))
    }
    known = {clause.id for clause in CLAUSES}
    assert {clause.id for clause in CLAUSES if clause.area in AREAS} <= marked | described <= known
