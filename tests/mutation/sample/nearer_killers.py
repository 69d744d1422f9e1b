"""Killers of the sample that are nearer to its limits than the others, and notice less."""

from tests.mutation.sample.bounds.limits import doubled


def test_a_double() -> None:
    assert doubled(3) == 6
