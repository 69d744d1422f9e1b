"""Running Python functions on integers of the solver, along every path that they can take.

A theorem here is a function of integers. It assumes (`assume`), calls the law's or the implementation's own
code, and claims (`claim`). Its parameters stand for all integers at once: arithmetic builds terms for Z3, and
where the code asks for a truth value each answer that is possible is followed in turn. The theorem holds when
no path leads to a claim that may be false. Division and remainder are stated as Euclid does, by a quotient
and a remainder that the divisor bounds: what solvers can reason about with an unknown divisor.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, TypeAlias

import z3

Answer: TypeAlias = bool | int
Theorem: TypeAlias = Callable[..., None]
MOST_VALUES = 64
"""How many values an integer may have where the code needs the value itself, as `range` does."""


class UnmetError(Exception):
    """An assumption does not hold on this path, which is left. Never leaves this module."""


class UndecidedError(Exception):
    """The solver could not tell whether a path can be taken."""


@dataclass(frozen=True, slots=True)
class FalseClaim(Exception):  # noqa: N818 - it is the answer, not a fault of this program
    """A claim fails for these integers."""

    claim: str
    values: Mapping[str, int]

    def __str__(self) -> str:
        """Say which claim, and for which integers."""
        where = ", ".join(f"{name} = {value}" for name, value in self.values.items())
        return f"{self.claim} fails for {where}"


@dataclass(frozen=True, slots=True)
class Division:
    """A term divided: `term == quotient * divisor + remainder`, the remainder from 0 up to the divisor."""

    term: z3.ArithRef
    divisor: z3.ArithRef
    quotient: z3.ArithRef
    remainder: z3.ArithRef


def multiple_bounds(times: z3.ArithRef, number: z3.ArithRef) -> Iterator[z3.BoolRef]:
    """Yield how far a multiple of a positive number is from 0 at least."""
    yield z3.Implies(times >= 1, times * number >= number)
    yield z3.Implies(times <= -1, times * number <= -number)


@dataclass(slots=True)
class Walk:
    """One run along one path: `given` are the answers to repeat, `answers` all that were given."""

    solver: z3.Solver
    given: Sequence[Answer]
    hints: Sequence[Mapping[str, int]]
    answers: list[Answer] = field(default_factory=list)
    open: list[tuple[Answer, ...]] = field(default_factory=list)
    """The beginnings of other paths that were found on the way."""
    claims: int = 0
    numbers: int = 0
    divisions: list[Division] = field(default_factory=list)
    fields: list[tuple[z3.ArithRef, str]] = field(default_factory=list)
    """The integers that were written into texts, each with its format."""

    def fresh(self, letter: str) -> z3.ArithRef:
        """Return an integer that stands for nothing yet."""
        self.numbers += 1
        return z3.Int(f"{letter}!{self.numbers}")

    def divided(self, term: z3.ArithRef, divisor: z3.ArithRef) -> tuple[z3.ArithRef, z3.ArithRef]:
        """Return quotient and remainder of a division by what must be positive."""
        for division in self.divisions:
            if division.term.eq(term) and division.divisor.eq(divisor):
                return division.quotient, division.remainder
        if self.possible(divisor <= 0):
            raise UndecidedError(f"{divisor} is a divisor and need not be positive")
        new = Division(term, divisor, self.fresh("q"), self.fresh("r"))
        self.solver.add(
            term == new.quotient * divisor + new.remainder, new.remainder >= 0, new.remainder < divisor
        )
        if not z3.is_int_value(divisor):
            self.solver.add(*self._compared(new))
        self.divisions.append(new)
        return new.quotient, new.remainder

    def multiplied(self, times: z3.ArithRef, number: z3.ArithRef) -> None:
        """Note a multiple of what must be positive: a division without remainder, whose quotient is known."""
        if self.possible(number <= 0):
            raise UndecidedError(f"{number} need not be positive")
        new = Division(times * number, number, times, z3.IntVal(0))
        self.solver.add(*self._compared(new))
        self.divisions.append(new)

    def _compared(self, new: Division) -> Iterator[z3.BoolRef]:
        """Yield what holds of any multiple of a positive number, for the multiples that occur on this path.

        A multiple by 1 or more is no less than the number, one by -1 or less no more than its negative:
        theorems of integers that the solver, which decides no arithmetic with products, would not think of by
        itself.
        """
        quotients = [each.quotient for each in self.divisions if each.divisor.eq(new.divisor)]
        sums = [one + other for one, other in combinations(quotients, 2)]
        for known in (z3.IntVal(0), *quotients, *sums):
            for shift in (-1, 0, 1):
                yield from multiple_bounds(new.quotient - known + shift, new.divisor)

    def possible(self, condition: z3.BoolRef) -> bool:
        """Tell whether the condition can hold on this path."""
        self.solver.push()
        self.solver.add(condition)
        found = self._by_hint()
        if found == z3.unknown:
            found = self.solver.check()
        self.solver.pop()
        if found == z3.unknown:
            raise UndecidedError(f"{condition} ({self.solver.reason_unknown()})")
        return bool(found == z3.sat)

    def _by_hint(self) -> z3.CheckSatResult:
        """Search at the integers that the theorem suggests.

        Enough to find what is there, never to exclude.
        """
        for hint in self.hints:
            self.solver.push()
            self.solver.add(*(z3.Int(name) == value for name, value in hint.items()))
            found = self.solver.check()
            self.solver.pop()
            if found == z3.sat:
                return found
        return z3.unknown

    def choose(self, condition: z3.BoolRef) -> bool:
        """Return the truth of a condition on this path, and note the other if it is possible too."""
        simple = z3.simplify(condition)
        if z3.is_true(simple) or z3.is_false(simple):
            return bool(z3.is_true(simple))
        if len(self.answers) < len(self.given):
            answer = bool(self.given[len(self.answers)])
        else:
            answer = self.possible(condition)
            if answer and self.possible(z3.Not(condition)):
                self.open.append((*self.answers, False))
        self.answers.append(answer)
        self.solver.add(condition if answer else z3.Not(condition))
        return answer

    def written(self, term: z3.ArithRef, spec: str) -> str:
        """Return the one character that stands for a term in a text that is being written."""
        self.fields.append((term, spec))
        return chr(_FIELDS + len(self.fields) - 1)

    def value(self, term: z3.ArithRef) -> int:
        """Return one value that a term can have on this path, and note that there may be others."""
        for _ in range(MOST_VALUES):
            if len(self.answers) + 1 < len(self.given):
                value = int(self.given[len(self.answers)])
            else:
                if self.solver.check() != z3.sat:
                    raise UndecidedError(f"the values of {term}")
                value = self.solver.model().eval(term, model_completion=True).as_long()
            self.answers.append(value)
            if self.choose(term == value):
                return value
        raise UndecidedError(f"{term} has more than {MOST_VALUES} values")


_FIELDS = 0xE000
"""The first of the characters that stand for integers in a text: no text of the law holds one."""

_walks: list[Walk] = []


def _walk() -> Walk:
    return _walks[-1]


class Truth:
    """A truth value that may depend on the path."""

    __slots__ = ("term",)

    def __init__(self, term: z3.BoolRef) -> None:
        self.term = term

    def __bool__(self) -> bool:
        return _walk().choose(self.term)

    def __eq__(self, other: object) -> Any:
        if isinstance(other, Truth):
            return Truth(self.term == other.term)
        return Truth(self.term == other) if isinstance(other, bool) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


class Integer:
    """All integers at once."""

    __slots__ = ("term",)

    def __init__(self, term: z3.ArithRef) -> None:
        self.term = term

    def __add__(self, other: "Integer | int") -> "Integer":
        return Integer(self.term + _term(other))

    def __radd__(self, other: int) -> "Integer":
        return Integer(other + self.term)

    def __sub__(self, other: "Integer | int") -> "Integer":
        return Integer(self.term - _term(other))

    def __rsub__(self, other: int) -> "Integer":
        return Integer(other - self.term)

    def __mul__(self, other: "Integer | int") -> "Integer":
        return Integer(self.term * _term(other))

    __rmul__ = __mul__

    def __neg__(self) -> "Integer":
        return Integer(-self.term)

    def __abs__(self) -> "Integer":
        return Integer(z3.If(self.term < 0, -self.term, self.term))

    def __divmod__(self, other: "Integer | int") -> "tuple[Integer, Integer]":
        quotient, remainder = _walk().divided(self.term, _term(other))
        return Integer(quotient), Integer(remainder)

    def __floordiv__(self, other: "Integer | int") -> "Integer":
        return divmod(self, other)[0]

    def __mod__(self, other: "Integer | int") -> "Integer":
        return divmod(self, other)[1]

    def __lt__(self, other: "Integer | int") -> Truth:
        return Truth(self.term < _term(other))

    def __le__(self, other: "Integer | int") -> Truth:
        return Truth(self.term <= _term(other))

    def __gt__(self, other: "Integer | int") -> Truth:
        return Truth(self.term > _term(other))

    def __ge__(self, other: "Integer | int") -> Truth:
        return Truth(self.term >= _term(other))

    def __eq__(self, other: object) -> Any:
        return Truth(self.term == _term(other)) if isinstance(other, Integer | int) else NotImplemented

    def __ne__(self, other: object) -> Any:
        return Truth(self.term != _term(other)) if isinstance(other, Integer | int) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return _walk().choose(self.term != 0)

    def __index__(self) -> int:
        return _walk().value(self.term)

    def __format__(self, spec: str) -> str:
        return _walk().written(self.term, spec)


def _term(value: Integer | int) -> Any:
    return value.term if isinstance(value, Integer) else z3.IntVal(value)


def multiple(times: Integer, number: Integer) -> Integer:
    """Return a multiple of a positive number; how it lies to other multiples of it is told the solver."""
    _walk().multiplied(times.term, number.term)
    return times * number


_PIECES = re.compile(r"([0-9]+)|([\ue000-\uf8ff])|([^0-9\ue000-\uf8ff]+)")


def read(text: str) -> tuple[str, tuple[Integer | int, ...]]:
    """Return what a text looks like, with the format of each number in braces, and the numbers in it."""
    known = _walk().fields
    form: list[str] = []
    numbers: list[Integer | int] = []
    for digits, place, rest in _PIECES.findall(text):
        if digits:
            form.append(f"{{0{len(digits)}}}")
            numbers.append(int(digits))
        elif place:
            term, spec = known[ord(place) - _FIELDS]
            form.append(f"{{{spec}}}")
            numbers.append(Integer(term))
        else:
            form.append(rest)
    return "".join(form), tuple(numbers)


def hinted(**values: int) -> Callable[[Theorem], Theorem]:
    """Tell where the solver may look for an example first; what is not found there is sought everywhere."""

    def hint(theorem: Theorem) -> Theorem:
        theorem.hints = (*getattr(theorem, "hints", ()), values)  # type: ignore[attr-defined]
        return theorem

    return hint


def assume(condition: object) -> None:
    """Go on only where the condition holds."""
    if not condition:
        raise UnmetError


def claim(condition: object, sentence: str) -> None:
    """State that the condition holds on every path that comes here."""
    walk = _walk()
    walk.claims += 1
    if not condition:
        if walk.solver.check() != z3.sat:
            raise UndecidedError(sentence)
        model = walk.solver.model()
        values = {str(name): model[name].as_long() for name in model if "!" not in str(name)}
        raise FalseClaim(sentence, dict(sorted(values.items())))


def walks(theorem: Theorem, names: Sequence[str], hints: Sequence[Mapping[str, int]] = ()) -> Iterator[Walk]:
    """Yield a walk for each path of the theorem on which its assumptions hold.

    `FalseClaim` where a claim fails, `UndecidedError` where the solver does not know.
    """
    beginnings: list[tuple[Answer, ...]] = [()]
    while beginnings:
        walk = Walk(z3.Solver(), beginnings.pop(), hints)
        _walks.append(walk)
        try:
            theorem(*(Integer(z3.Int(name)) for name in names))
        except UnmetError:
            continue
        else:
            yield walk
        finally:
            _walks.pop()
            beginnings += walk.open
