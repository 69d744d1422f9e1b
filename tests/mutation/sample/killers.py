"""The killers of the sample; one that no mutant is in the way of stands first."""

import os

import pytest
from tests.mutation.sample.bounds.clamping import Bound, clamped, steps
from tests.mutation.sample.bounds.limits import MOST

ALREADY = steps(4)
"""Asked while this is collected, so that its answer is in the cache."""


BROKEN = "TESTS_MUTATION_SAMPLE_IS_BROKEN"
"""The variable of the environment that breaks a killer while it is set."""


def test_a_cheap_one() -> None:
    assert callable(clamped)


@pytest.mark.parametrize(("value", "within"), [(2, 3), (4, 4), (11, 10)])
def test_a_number_is_held(value: int, within: int) -> None:
    assert clamped(value) == within


def test_steps() -> None:
    assert steps(4) == ALREADY
    assert steps(5) == 2


def test_a_property() -> None:
    assert Bound(0).value == 3


def test_the_most() -> None:
    assert clamped(99) == MOST == 10


def test_one_that_may_break() -> None:
    assert clamped(MOST) == MOST
    assert BROKEN not in os.environ
