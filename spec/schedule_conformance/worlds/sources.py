"""Where choices come from, and how one is made. The machine has a source of its own, Hypothesis."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

T = TypeVar("T")


class Source(Protocol):
    """Something that chooses whole numbers."""

    def whole(self, least: int, most: int) -> int:
        """Return a number within the bounds, both included."""


@dataclass(frozen=True, slots=True)
class Seeded:
    """Choices that a seed determines."""

    random: random.Random

    def whole(self, least: int, most: int) -> int:
        """Return a number within the bounds, all equally likely."""
        return self.random.randint(least, most)


def pick(source: Source, options: Sequence[T]) -> T:
    """Return one of the options, of which there is at least one."""
    return options[source.whole(0, len(options) - 1)]


def one_in(source: Source, number: int) -> bool:
    """Return true once in so many times."""
    return source.whole(1, number) == number


def weighed(source: Source, options: Sequence[tuple[int, T]]) -> T:
    """Return one of the options, each as often as its weight says; one of them at least weighs something."""
    place = source.whole(1, sum(weight for weight, _ in options))
    for weight, option in options:
        place -= weight
        if place <= 0:
            return option
    raise AssertionError("the weights add up to less than their sum")
