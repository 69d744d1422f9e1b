"""Which tests are tried on a mutant, and in what order: those that ran its lines, the cheapest first.

One case of each test function comes first; then what stands near the module, for there are its many small
cases; then further cases of all functions in turns, so that a hundred of one kind do not stand before the
second of another.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest

GENERATED = "::test_a_check_is_passed"
"""What a test is called that stands for one of the court's checks."""

NEAR = 0.9
"""The share of a file's tests that run a module, from which on the file is near to it."""


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

    def near(self, file: str) -> frozenset[str]:
        """Return the files of tests of which nearly all ran something of a file."""
        return frozenset(name for name, share in self.shares(self.of_file(file)).items() if share >= NEAR)

    def shares(self, tests: Iterable[Killer]) -> dict[str, float]:
        """Return for each file that some tests stand in which share of its tests they are."""
        some = Counter(test.file for test in tests)
        whole = Counter(test.file for test in self.tests)
        return {name: count / whole[name] for name, count in some.items()}

    def _of_bits(self, bits: int) -> tuple[Killer, ...]:
        return tuple(test for number, test in enumerate(self.tests) if bits >> number & 1)


def in_order(tests: Iterable[Killer], near: frozenset[str], seconds: float) -> tuple[Killer, ...]:
    """Return tests in the order of trying: one of each function, those of near files, others in turns.

    What comes after the first ones is bounded: `seconds` for what is near, and as many again for the turns.
    """
    known = tuple(tests)
    first = in_turns(known, 0.0)
    chosen = dict.fromkeys(first)
    total = 0.0
    for test in sorted(known, key=lambda test: test.seconds):
        if test.file in near and test not in chosen and total + test.seconds <= seconds:
            total += test.seconds
            chosen[test] = None
    return tuple(dict.fromkeys([*chosen, *in_turns(known, seconds)]))


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
