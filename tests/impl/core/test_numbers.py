"""Numbers: which are safe integers, however they are spelt, and which stay what they are."""

import pytest

from schedule_impl.numbers import is_integer, safe_integer, whole


@pytest.mark.parametrize(
    ("value", "number"),
    [(0, 0), (-0.0, 0), (300.0, 300), (2**53 - 1, 2**53 - 1), (-(2.0**53) + 1, -(2**53) + 1)],
)
def test_a_whole_number_is_a_safe_integer_however_it_is_spelt(value: object, number: int) -> None:
    assert safe_integer(value) == number


@pytest.mark.parametrize(
    "value", [True, False, None, "1", [1], {}, 0.5, 2**53, -(2**53), 2.0**53, float("inf"), float("nan")]
)
def test_anything_else_is_no_safe_integer(value: object) -> None:
    assert safe_integer(value) is None


@pytest.mark.parametrize("number", [0.0, -5.0, 300.0, 9_007_199_254_740_991.0, -9_007_199_254_740_991.0])
def test_a_double_that_is_a_safe_integer_becomes_one(number: float) -> None:
    assert type(whole(number)) is int
    assert whole(number) == number


@pytest.mark.parametrize(
    "number", [0.5, 9_007_199_254_740_992.0, -9_007_199_254_740_992.0, 1e300, float("inf")]
)
def test_any_other_double_stays_one(number: float) -> None:
    assert type(whole(number)) is float
    assert whole(number) == number


@pytest.mark.parametrize("value", [0, -1, 2**53, 10**400])
def test_an_integer_of_any_size_is_one(value: object) -> None:
    assert is_integer(value)


@pytest.mark.parametrize("value", [True, False, 1.0, "1", None])
def test_nothing_else_is_an_integer(value: object) -> None:
    assert is_integer(value) is False
