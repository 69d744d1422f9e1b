"""JSON values: one text for each, and when two are the same."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from schedule_spec.values import canonical, same


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (300.0, "300"),
        (-0.0, "0"),
        (1.5, "1.5"),
        ("é\ud800", '"\\u00e9\\ud800"'),
        ([1, [2.0], {}], "[1,[2],{}]"),
        ({"b": 1, "a": [None, "\ud83d\ude00"]}, '{"a":[null,"\\ud83d\\ude00"],"b":1}'),
    ],
)
def test_a_value_has_one_text(value: Any, text: str) -> None:
    assert canonical(value) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (300.0, 300),
        (-0.0, 0),
        ({"a": [300.0], "b": "\ud83d\ude00"}, {"b": "😀", "a": [300]}),
        ({"\ud83d\ude00": None}, {"😀": None}),
        ({"\ud83d\ude00": 1, "\uffff": 2}, {"😀": 1, "\uffff": 2}),
    ],
)
def test_values_that_are_the_same(one: Any, other: Any) -> None:
    assert same(one, other)
    assert same(other, one)


DIFFERENT: list[Any] = [None, True, False, 0, 1, 1.5, 2.5, "", "1", "null", [], [0], [[]], {}, {"a": 0}]


def test_values_that_are_different() -> None:
    """`true` is no number, and a number no string."""
    assert all(same(value, value) for value in DIFFERENT)
    assert not any(same(one, other) for one, other in combinations(DIFFERENT, 2))


class Bottomless(list[Any]):
    """An array in which nesting has no end."""

    def __iter__(self) -> Iterator[Any]:
        raise RecursionError


def test_an_array_without_an_end_equals_nothing() -> None:
    assert not same(Bottomless(), Bottomless())
    assert not same(Bottomless(), ["nested too deeply to be compared"])


def test_what_is_nested_too_deeply_equals_nothing() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert not same(deep, deep)
