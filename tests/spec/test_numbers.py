import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedule_spec.numbers import MAX_SAFE, number, safe_integer


@pytest.mark.parametrize(
    ("value", "integer"),
    [
        (300, 300),
        (300.0, 300),
        (-0.0, 0),
        (2**53 - 1, 2**53 - 1),
        (float(2**53 - 1), 2**53 - 1),
        (-(2**53) + 1, -(2**53) + 1),
        (2**53, None),
        (float(2**53), None),
        (-(2**53), None),
        (10**400, None),
        (300.5, None),
        (math.nan, None),
        (math.inf, None),
        (-math.inf, None),
        (1e308, None),
        (True, None),
        (False, None),
        ("300", None),
        ("", None),
        (None, None),
        ([300], None),
        ({}, None),
        (b"1", None),
    ],
)
def test_safe_integers(value: object, integer: int | None) -> None:
    answer = safe_integer(value)
    assert answer == integer
    assert type(answer) is type(integer)


@pytest.mark.parametrize(
    ("spelling", "value"),
    [
        ("300", 300),
        ("300.0", 300),
        ("3e2", 300),
        ("30000E-2", 300),
        ("-0", 0),
        ("300.5", 300.5),
        ("0.99999999999999999", 1),
        ("9007199254740990.4", 2**53 - 2),
        ("9007199254740991.4", 2**53 - 1),
        ("9007199254740991.5", float(2**53)),
        ("9007199254740993", float(2**53)),
        ("1e400", math.inf),
        ("-1e400", -math.inf),
        ("1e-400", 0),
    ],
)
def test_numbers_are_read_as_doubles(spelling: str, value: float) -> None:
    assert number(spelling) == value
    assert type(number(spelling)) is type(value)


def test_spellings_of_any_length_are_read() -> None:
    assert number("9" * 5000) == math.inf
    assert number("0." + "0" * 5000 + "1") == 0
    assert number("300." + "0" * 5000) == 300
    assert safe_integer(10**5000) is None


@given(st.integers(-(10**20), 10**20), st.integers(1, 10**6))
def test_the_nearest_double_is_meant(numerator: int, scale: int) -> None:
    spelling = f"{numerator}.{scale}"
    exact = Fraction(spelling)
    read = Fraction(number(spelling))
    neighbours = (math.nextafter(float(read), math.inf), math.nextafter(float(read), -math.inf))
    assert all(abs(read - exact) <= abs(Fraction(neighbour) - exact) for neighbour in neighbours)


def test_the_bound_is_the_last_integer_that_a_double_tells_from_its_neighbours() -> None:
    assert float(MAX_SAFE) != float(MAX_SAFE + 1)
    assert float(MAX_SAFE + 1) == float(MAX_SAFE + 2)
