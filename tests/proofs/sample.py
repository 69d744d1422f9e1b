"""Small obligations that come to each verdict, for the tests of tools and runner."""

import time
from enum import Enum
from typing import Any

from icontract import ensure, require

from proofs.outcomes import Counterexample, Counts
from proofs.paths import assume, claim


class Letter(Enum):
    A = "a"
    B = "b"
    C = "c"


def squares_are_not_negative(number: Any) -> None:
    claim(number * number >= 0, "no square is negative")


def squares_exceed_their_roots(number: Any) -> None:
    claim(number * number > number, "a square exceeds its root")


def nothing_is_assumed_to_be(number: Any) -> None:
    assume(number > 0)
    assume(number < 0)
    claim(number == 7, "whatever")


def powers_never_meet(one: Any, other: Any, third: Any) -> None:
    assume(one > 0)
    assume(other > 0)
    assume(third > 0)
    claim(one * one * one + other * other * other != third * third * third, "Fermat's, for cubes")


def three_cases() -> Counts:
    return {"cases": 3}


def no_cases() -> Counts:
    return {"cases": 0}


def a_bad_case() -> Counts:
    raise Counterexample("the second of them")


def a_mistake() -> Counts:
    raise KeyError("nothing")


def sleeping() -> Counts:
    time.sleep(60)
    return {"cases": 1}


@ensure(lambda result, number: result > number, "rate.next: more")
@require(lambda number: number > 0, "rate.exact: positive")
def one_more(number: int) -> int:
    return number + 1


def a_negative_number() -> dict[str, Any]:
    return {"number": -1}


@ensure(lambda result, number: result > number, "rate.next: more")
@require(lambda number: number > 0, "rate.exact: positive")
def doubled_below_a_hundred(number: int) -> int:
    return number * 2 if number < 100 else number


@ensure(lambda result: result >= 0, "rate.next: not negative")
@require(lambda number: number > 0, "rate.exact: positive")
def counted_down(number: int) -> int:
    steps = 0
    while number > 0:
        number, steps = number - 1, steps + 1
    return steps


@ensure(lambda result: result is True, "rate.next: every path ends well")
@require(lambda number: number > 0, "rate.exact: positive")
def calling_against_a_contract(number: int) -> bool:
    return one_more(number - 5) > 0


@ensure(lambda result: result != 7, "rate.next: never seven")
def one_less(number: int) -> int:
    return number - 1


@ensure(lambda result: result is True, "rate.next: every path ends well")
def calling_what_breaks_its_own_contract(number: int) -> bool:
    return one_less(number) < number


@ensure(lambda result: result, "rate.next: all but one")
def the_last_pair_alone_is_bad(one: Letter, other: Letter) -> bool:
    return (one, other) != (Letter.C, Letter.B)


@ensure(lambda result: result == 7, "rate.next: whatever")
@require(lambda number: number > 0 and number < 0, "rate.exact: impossible")
def of_nothing(number: int) -> int:
    return number
