"""Which tests are tried on a mutant, and in what order: those that ran its lines, the cheapest first.

Tests of one function take turns with those of others, so that a hundred cases of one kind do not stand before
the first of another.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest

GENERATED = "::test_a_check_is_passed"
"""What a test is called that stands for one of the court's checks."""


@dataclass(frozen=True, slots=True)
class Killer:
    """A test: its id and how many seconds of processor time it takes when nothing is wrong."""

    id: str
    seconds: float

    @property
    def function(self) -> str:
        """The id without the case; of frozen cases, those that begin with the same two words are together."""
        name, _, case = self.id.partition("[")
        if case.startswith(("vector/", "trace/")):
            return f"{name}[{'-'.join(case.split('-')[:2])}"
        return self.id if "/" in case and name.endswith(GENERATED) else name

    @property
    def file(self) -> str:
        """The file that the test stands in."""
        return self.id.partition("::")[0]


@dataclass(frozen=True, slots=True)
class Reach:
    """What each test ran: for a file's name, for a line, the numbers of tests as bits of an integer."""

    tests: tuple[Killer, ...]
    lines: Mapping[str, Mapping[int, int]]
    at_import: frozenset[tuple[str, str]]
    """The file and qualified name of functions that run while modules are imported."""

    def of(self, file: str, lines: Iterable[int]) -> tuple[Killer, ...]:
        """Return the tests that ran one of these lines."""
        known = self.lines.get(file, {})
        bits = 0
        for line in lines:
            bits |= known.get(line, 0)
        return self._of_bits(bits)

    def of_file(self, file: str) -> tuple[Killer, ...]:
        """Return the tests that ran anything of a file."""
        return self.of(file, self.lines.get(file, {}))

    def _of_bits(self, bits: int) -> tuple[Killer, ...]:
        return tuple(test for number, test in enumerate(self.tests) if bits >> number & 1)


def in_turns(tests: Iterable[Killer], seconds: float) -> tuple[Killer, ...]:
    """Return tests in the order of trying: one of each function, then more while `seconds` last for them."""
    by_function: dict[str, list[Killer]] = {}
    for test in sorted(tests, key=lambda test: test.seconds):
        by_function.setdefault(test.function, []).append(test)
    chosen = [each[0] for each in by_function.values()]
    total = 0.0
    for turn in zip_longest(*(each[1:] for each in by_function.values())):
        for test in turn:
            if test is not None and total + test.seconds <= seconds:
                total += test.seconds
                chosen.append(test)
    return tuple(chosen)
