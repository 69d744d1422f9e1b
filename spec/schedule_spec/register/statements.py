"""Where the law states a clause: found by looking at the law itself, so that it cannot be out of date.

A function states a clause by a mark (`schedule_spec.marks.defines`) or by a contract whose description begins
with the clause's id. Importing this module is cheap; `statements` imports the whole law.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from inspect import getsourcelines, isclass, isfunction, unwrap
from pkgutil import walk_packages
from types import FunctionType, ModuleType
from typing import TypeAlias

import schedule_spec

Stating: TypeAlias = FunctionType | type

CONTRACT = re.compile(r"([a-z0-9-]+\.[a-z0-9-]+): (.*)", re.DOTALL)


class Kind(StrEnum):
    """In which way a function of the law carries a clause."""

    DEFINITION = "definition"
    """The function's body is the definition."""

    PRECONDITION = "precondition"
    """A contract: what must hold of the arguments."""

    POSTCONDITION = "postcondition"
    """A contract: what holds of the result."""

    INVARIANT = "invariant"
    """A contract: what holds of every value of a class."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One place of the law that states a clause.

    `place` is the function or class as it is imported; `file` (from the root of the packages) and `line` are
    where it begins; `words` are the contract's own, None for a definition.
    """

    clause: str
    kind: Kind
    place: str
    file: str
    line: int
    words: str | None


def statements() -> tuple[Statement, ...]:
    """Return every statement of the law, by module and then by line."""
    found = [statement for module in _law() for value in _own(module) for statement in _stated_by(value)]
    return tuple(sorted(found, key=lambda statement: (statement.file, statement.line)))


def _law() -> Iterator[ModuleType]:
    for module in walk_packages(schedule_spec.__path__, "schedule_spec."):
        if not module.name.startswith("schedule_spec.register"):
            yield import_module(module.name)


def _own(module: ModuleType) -> Iterator[Stating]:
    """Yield the functions and classes that a module defines, and the functions within its classes."""
    for value in vars(module).values():
        if getattr(value, "__module__", None) != module.__name__:
            continue
        if isclass(value):
            yield value
            yield from (member for member in vars(value).values() if isfunction(member))
        elif isfunction(unwrap(value)):
            yield value


def _stated_by(value: Stating) -> Iterator[Statement]:
    place = f"{value.__module__}.{value.__qualname__}"
    file, line = _position(value)
    for clause in vars(value).get("__clauses__", ()):
        yield Statement(clause, Kind.DEFINITION, place, file, line, None)
    for kind, description in _contracts(value):
        if match := CONTRACT.fullmatch(description or ""):
            yield Statement(match[1], kind, place, file, line, match[2])


def _contracts(value: Stating) -> Iterator[tuple[Kind, str | None]]:
    """Yield what icontract keeps on a function or class; nothing where contracts are switched off."""
    for alternatives in getattr(value, "__preconditions__", ()):
        for contract in alternatives:
            yield Kind.PRECONDITION, contract.description
    for contract in getattr(value, "__postconditions__", ()):
        yield Kind.POSTCONDITION, contract.description
    for contract in vars(value).get("__invariants__", ()):
        yield Kind.INVARIANT, contract.description


def _position(value: Stating) -> tuple[str, int]:
    if isclass(value):
        return f"{value.__module__.replace('.', '/')}.py", getsourcelines(value)[1]
    code = unwrap(value).__code__
    return f"{value.__module__.replace('.', '/')}.py", code.co_firstlineno
