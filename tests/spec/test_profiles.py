import pytest
from hypothesis import given
from tests.spec.strategies import NOON, broken_logs, json_values

from schedule_spec import changes as v1
from schedule_spec.changes import Change, Create, Delete, DispatchEvery, DispatchOneShot, encode
from schedule_spec.fold import State, fold
from schedule_spec.json_text import Json
from schedule_spec.profiles import Profile, decoder
from schedule_spec.records import After, At, Every
from schedule_spec.rejections import Rejection

v1_after = decoder(Profile.V1_AFTER)


@pytest.mark.parametrize("change", [Create(After("a", "p", 1, NOON)), Delete("a"), DispatchOneShot("a")])
def test_what_both_levels_know(change: Change) -> None:
    assert v1_after(encode(change)) == change
    assert decoder(Profile.V1)(encode(change)) == change


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (Create(At("a", "p", NOON)), "schedule.kind"),
        (Create(Every("a", "p", 300, NOON)), "schedule.kind"),
        (DispatchEvery("a", NOON), "acceptedAt"),
    ],
)
def test_what_the_earlier_level_lacks(change: Change, where: str) -> None:
    """profile.v1-after."""
    rejection = v1_after(encode(change))
    assert isinstance(rejection, Rejection)
    assert (rejection.clause, rejection.where) == ("profile.v1-after", where)
    assert decoder(Profile.V1)(encode(change)) == change


@given(json_values)
def test_what_no_level_knows_is_refused_alike(value: Json) -> None:
    assert v1_after(value) == v1.decode(value)


@given(broken_logs)
def test_a_log_of_the_earlier_level_means_the_same_at_the_later(log: list[Json]) -> None:
    """profile.upward."""
    earlier = fold(log, 0, v1_after)
    later = fold(log)
    if isinstance(earlier, State) or earlier.rejection.clause != "profile.v1-after":
        assert later == earlier


def test_the_profiles_are_named() -> None:
    assert [profile.value for profile in Profile] == ["v1", "v1-after"]
