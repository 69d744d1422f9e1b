"""What Z3 is asked: Python code along every path, for all integers."""

from collections.abc import Callable
from inspect import signature
from typing import Any

import pytest

from proofs.paths import FalseClaim, Integer, UndecidedError, assume, claim, multiple, read, walks

Theorem = Callable[..., None]


def counted(theorem: Theorem) -> tuple[int, int]:
    """Return over how many paths a theorem holds, and how many claims they come through."""
    found = list(walks(theorem, tuple(signature(theorem).parameters)))
    return len(found), sum(walk.claims for walk in found)


def test_each_way_of_a_branch_is_taken() -> None:
    taken = set()

    def theorem(number: Any) -> None:
        sign = "negative" if number < 0 else "zero" if number == 0 else "positive"
        taken.add(sign)
        claim(True, "always")

    assert counted(theorem) == (3, 3)
    assert taken == {"negative", "zero", "positive"}


def test_a_path_that_nothing_takes_is_left_out() -> None:
    def theorem(number: Any) -> None:
        assume(number > 3)
        claim(not number < 2, "no number over three is below two")

    assert counted(theorem) == (1, 1)


def test_a_false_claim_names_integers_for_which_it_is_false() -> None:
    def theorem(number: Any) -> None:
        assume(number > 41)
        assume(number < 43)
        claim(number != 42, "it is not the answer")

    with pytest.raises(FalseClaim) as found:
        counted(theorem)
    assert found.value.values == {"number": 42}
    assert str(found.value) == "it is not the answer fails for number = 42"


@pytest.mark.parametrize("number", [-7, -1, 0, 1, 6, 7, 10**18])
@pytest.mark.parametrize("divisor", [1, 3, 7])
def test_division_is_python_s(number: int, divisor: int) -> None:
    def theorem(dividend: Any) -> None:
        assume(dividend == number)
        claim(dividend // divisor == number // divisor, "the quotient")
        claim(dividend % divisor == number % divisor, "the remainder")

    assert counted(theorem) == (1, 2)


def test_division_by_what_may_be_zero_or_negative_is_undecided() -> None:
    def theorem(number: Any, divisor: Any) -> None:
        assume(divisor >= 0)
        claim(number % divisor >= 0, "remainders")

    with pytest.raises(UndecidedError, match="need not be positive"):
        counted(theorem)


def test_an_unknown_answer_is_no_proof() -> None:
    def theorem(one: Any, other: Any, third: Any) -> None:
        assume(one > 0)
        assume(other > 0)
        assume(third > 0)
        cubes = [number * number * number for number in (one, other, third)]
        claim(cubes[0] + cubes[1] != cubes[2], "Fermat's, for cubes")

    import z3  # noqa: PLC0415 - slow to import

    z3.set_param("timeout", 200)
    try:
        with pytest.raises(UndecidedError):
            counted(theorem)
    finally:
        z3.set_param("timeout", 4_294_967_295)


def test_a_value_that_code_needs_is_tried_for_each_that_there_is() -> None:
    seen = []

    def theorem(number: Any) -> None:
        assume(number >= 2)
        assume(number <= 5)
        seen.append(len(range(number)))
        claim(sum(range(number)) * 2 == number * (number - 1), "Gauss's")

    assert counted(theorem) == (4, 4)
    assert sorted(seen) == [2, 3, 4, 5]


def test_too_many_values_are_not_cut_short() -> None:
    def theorem(number: Any) -> None:
        assume(number >= 0)
        claim(sum(range(number)) >= 0, "sums")

    with pytest.raises(UndecidedError, match="more than"):
        counted(theorem)


def test_multiples_of_an_unknown_number_are_compared() -> None:
    def theorem(times: Any, number: Any, other: Any) -> None:
        assume(number > 0)
        assume(multiple(times, number) <= other)
        claim(times <= other // number, "the quotient is the greatest")

    assert counted(theorem)[1] == 1


def test_a_text_tells_the_numbers_in_it() -> None:
    def theorem(number: Any) -> None:
        form, numbers = read(f"{number:03}-07 {number}")
        claim(form == "{03}-{02} {}", "the form")
        claim(isinstance(numbers[0], Integer) and numbers[1] == 7, "the numbers")
        claim(numbers[0] == numbers[2], "the same number")

    assert counted(theorem) == (1, 3)
