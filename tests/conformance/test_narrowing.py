"""Narrowing: a check generates nothing where it could ask nothing, and is never silent where it could."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest

from schedule_conformance.checks import every_zone, exhaustive, machine, properties
from schedule_conformance.checks.exhaustive import Bounds
from schedule_conformance.checks.trials import Trial
from schedule_conformance.judgement.narrowing import AREAS, concerned
from schedule_conformance.law import law_adapter
from schedule_conformance.protocol.systems import InProcess
from schedule_spec.profiles import Profile
from schedule_spec.register import CLAUSES

LAW = InProcess("law", law_adapter.handle)
EXAMPLES, SEED = 20, 1


def checks(profile: Profile) -> list[tuple[str, str, Callable[[Trial], None]]]:
    """Return each generated check of single requests: its id, its feature, and what runs it."""
    return [
        *(
            (prop.id, prop.feature, lambda trial, prop=prop: properties.run(trial, prop, EXAMPLES, SEED))
            for prop in properties.properties(surrogates=True, profile=profile)
        ),
        (machine.ID, "fold", lambda trial: machine.run(trial, 8, 20, SEED)),
        (exhaustive.ID, "fold", lambda trial: exhaustive.run(trial, Bounds(2, 1))),
        *(
            [(every_zone.ID, "create", lambda trial: every_zone.run(trial, 1))]
            if profile is Profile.V1
            else []
        ),
    ]


def narrowed(only: frozenset[str], profile: Profile = Profile.V1) -> Trial:
    return Trial(LAW, profile, frozenset({*AREAS, "surrogates"}), only, "2026f")


def area(clause: str) -> str:
    return clause.partition(".")[0]


@pytest.mark.parametrize("profile", Profile)
def test_a_check_tries_no_clause_of_an_area_that_it_is_not_said_to_touch(profile: Profile) -> None:
    trial = narrowed(frozenset(), profile)
    met: dict[str, set[str]] = defaultdict(set)
    for id, feature, run in checks(profile):
        run(trial)
        assert trial.tallies[id].clauses, f"{id} met nothing"
        met[feature] |= set(map(area, trial.tallies[id].clauses))
    assert all(met[feature] <= AREAS[feature] for feature in AREAS), met


def test_the_areas_are_areas() -> None:
    assert frozenset().union(*AREAS.values()) <= {clause.area for clause in CLAUSES}


@pytest.mark.parametrize("name", ["view", "fork", "zone"])
def test_a_check_that_is_not_concerned_generates_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    only = frozenset(clause.id for clause in CLAUSES if clause.area == name)
    made: list[Any] = []
    plain = Trial.case

    def counted(trial: Trial, request: dict[str, Any], *more: Any) -> Any:
        made.append(request["cmd"])
        return plain(trial, request, *more)

    monkeypatch.setattr(Trial, "case", counted)
    trial = narrowed(only)
    for _, _, run in checks(Profile.V1):
        run(trial)
    feature = {"view": "view", "fork": "fold", "zone": "create"}[name]
    assert set(made) == {feature}
    assert any(tally.executed for tally in trial.tallies.values())


def test_a_run_that_is_not_narrowed_concerns_all() -> None:
    assert all(concerned(frozenset(), feature) for feature in AREAS)
