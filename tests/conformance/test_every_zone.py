"""The check of every zone name: what it asks, of whom, and how it tells of other zone data."""

from collections.abc import Callable
from typing import Any

import pytest

from schedule_conformance.checks import every_zone
from schedule_conformance.checks.trials import Trial
from schedule_conformance.law import law_adapter
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.runs.budgets import BUDGETS
from schedule_conformance.runs.docket import docket
from schedule_spec import local_time, zones
from schedule_spec.absolute import parse_offset_form
from schedule_spec.profiles import Profile

Handler = Callable[[dict[str, Any]], dict[str, Any]]
DAYS = every_zone.DAYS


def trial(handle: Handler = law_adapter.handle, tzdata: str | None = None) -> Trial:
    return Trial(InProcess("s", handle), Profile.V1, frozenset(), tzdata=tzdata or zones.release())


def moved(name: str, day: str) -> Handler:
    """The law, but for one zone on one day."""

    def handle(request: dict[str, Any]) -> dict[str, Any]:
        at = request.get("at")
        if isinstance(at, dict) and (at["time_zone"], at["date"]) == (name, day):
            return law_adapter.handle({**request, "at": {**at, "time": "13:00:00"}})
        return law_adapter.handle(request)

    return handle


@pytest.mark.parametrize("day", DAYS)
def test_noon_of_each_day_occurs_once_in_every_zone(day: str) -> None:
    wall = parse_offset_form(f"{day}T12:00:00Z")
    assert isinstance(wall, int)
    assert all(len(local_time.instants_of(zones.zone(name), wall)) == 1 for name in zones.names())


def test_its_cases_are_those_of_the_law() -> None:
    of_the_law = trial()
    for case in list(every_zone.cases(of_the_law, len(DAYS)))[::211]:
        assert case == of_the_law.case({key: each for key, each in case.request.items() if key != "seq"})


def test_each_name_is_asked_on_so_many_days() -> None:
    asked = trial()
    every_zone.run(asked, 1)
    assert asked.tallies[every_zone.ID].passed == len(zones.names())
    assert len(list(every_zone.cases(trial(), 3))) == 3 * len(zones.names())


def test_of_another_release_only_what_all_share_is_asked() -> None:
    other = trial(tzdata="2020a")
    every_zone.run(other, 1)
    tally = other.tallies[every_zone.ID]
    fixed = [name for name in zones.names() if name == "UTC" or name.startswith("Etc/")]
    assert (tally.executed, tally.left_out) == (len(fixed), len(zones.names()) - len(fixed))


def test_a_single_name_with_other_data_is_told_with_its_day() -> None:
    stale = trial(moved("Europe/Oslo", DAYS[0]))
    every_zone.run(stale, 1)
    (failure,) = stale.failures
    assert failure.clause == "local.unique"
    assert failure.case.request["at"]["time_zone"] == "Europe/Oslo"
    assert failure.case.request["at"]["date"] == DAYS[0]
    assert stale.tallies[every_zone.ID].failed == 1


def test_it_stands_on_the_docket_of_those_who_create_at_wall_times() -> None:
    for profile, listed in ((Profile.V1, True), (Profile.V1_AFTER, False)):
        checks = docket(InProcess("s", law_adapter.adapter(profile)), BUDGETS["quick"]).checks
        assert (every_zone.ID in {check.id for check in checks}) == listed
