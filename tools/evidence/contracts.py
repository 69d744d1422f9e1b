"""The contracts of the law, watched: how often each is evaluated, and how often it is false."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import FunctionType
from typing import Any

from schedule_spec.register.statements import Kind, Statement, statements


@dataclass(slots=True)
class Watched:
    """A contract of the law, and what was seen of it so far."""

    statement: Statement
    contract: Any
    condition: FunctionType
    evaluated: int = 0
    false: int = 0


@contextmanager
def watched() -> Iterator[tuple[Watched, ...]]:
    """Watch every contract of the law."""
    contracts = tuple(
        Watched(each, contract, contract.condition)
        for each in statements()
        if each.kind is not Kind.DEFINITION
        for contract in [_contract(each)]
    )
    for each in contracts:
        each.contract.condition = _counting(each)
    try:
        yield contracts
    finally:
        for each in contracts:
            each.contract.condition = each.condition


def _contract(statement: Statement) -> Any:
    """Return what icontract keeps of a contract; a place of the law is a module's function."""
    module, _, name = statement.place.rpartition(".")
    function = getattr(import_module(module), name)
    groups: Sequence[Sequence[Any]] = (
        function.__preconditions__ if statement.kind is Kind.PRECONDITION else [function.__postconditions__]
    )
    (found,) = [
        each
        for group in groups
        for each in group
        if each.description == f"{statement.clause}: {statement.words}"
    ]
    return found


def _counting(seen: Watched) -> Callable[..., object]:
    def evaluated(**arguments: Any) -> object:
        holds = seen.condition(**arguments)
        seen.evaluated += 1
        seen.false += not holds
        return holds

    return evaluated
