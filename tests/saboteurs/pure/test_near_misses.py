"""What the clauses leave free in single requests is not taken for a fault."""

import pytest
from tests.saboteurs import pure
from tests.saboteurs.model import NearMiss
from tests.saboteurs.pure import near_misses
from tests.saboteurs.pure.ways import correct
from tests.saboteurs.questions import LITTLE, frozen, generated, trial_of, wrong


@pytest.mark.parametrize("near_miss", pure.NEAR_MISSES, ids=lambda near_miss: near_miss.name)
def test_it_passes(near_miss: NearMiss) -> None:
    trial = trial_of(near_miss.system())
    surrogates = "surrogates" in trial.features
    for paper in (frozen(trial.profile, surrogates), generated(trial.profile, surrogates, LITTLE)):
        assert [
            (question.check, question.case.request, reply) for question, reply in wrong(trial, paper)
        ] == []


NOT_FROZEN = ("is_lenient_with_unsound_records", "takes_zones_that_may_go_either_way")
"""Those that show in no frozen case: the suite does not ask, or has no answer to freeze."""


@pytest.mark.parametrize(
    "near_miss",
    [each for each in pure.NEAR_MISSES if each.name not in NOT_FROZEN],
    ids=lambda near_miss: near_miss.name,
)
def test_it_differs_from_the_correct_one(near_miss: NearMiss) -> None:
    """So that its passing says something; what the suite does not ask cannot differ."""
    trial = trial_of(near_miss.system())
    hello = {"seq": 0, "cmd": "hello", "protocol": 1, "suite": "0"}
    cases = (each.case.request for each in frozen(trial.profile, True).questions)
    spelt = (repr(near_miss.make()(request)) != repr(correct(request)) for request in (hello, *cases))
    assert any(spelt)


def test_a_zone_that_may_go_either_way_is_taken() -> None:
    at = {"date": "2030-06-15", "time": "12:00:00", "time_zone": "SystemV/EST5"}
    request = {"seq": 1, "cmd": "create", "id": "a", "prompt": "p", "at": at, "now": 0}
    assert "result" in near_misses.open_zones_taken(request)
    assert "rejected" in correct(request)


def test_leniency_with_unsound_records_is_not_asked_about() -> None:
    unsound = {"seq": 1, "cmd": "view", "record": {}, "now": 0}
    assert "result" in near_misses.lenient_with_unsound_records(unsound)
    assert "rejected" in correct(unsound)
