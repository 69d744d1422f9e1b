"""Contracts taken off the law, to be put on something that breaks them."""

from collections.abc import Callable, Iterable, Iterator
from inspect import isfunction, unwrap
from types import ModuleType
from typing import Any, TypeAlias

import icontract

from schedule_spec import (
    changes,
    fields,
    fold,
    forks,
    gregorian,
    instants,
    json_text,
    marks,
    numbers,
    profiles,
    rate,
    records,
    rejections,
    text,
)

MODULES = (
    marks,
    text,
    numbers,
    json_text,
    gregorian,
    instants,
    rejections,
    fields,
    records,
    changes,
    rate,
    forks,
    fold,
    profiles,
)
"""The law of the durable log, each module after those that it depends on."""


Twin: TypeAlias = tuple[Callable[..., Any], Callable[..., Any], tuple[Any, ...]]
"""A function of the law, another body for it, and arguments for which that body breaks a promise."""

BadCall: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...], str]
"""A function of the law, arguments that it must not be called with, and the clause that says so."""


def law_functions(modules: Iterable[ModuleType] = MODULES) -> Iterator[Callable[..., Any]]:
    """Yield every function of those modules, each once."""
    for module in modules:
        for value in vars(module).values():
            if getattr(value, "__module__", None) == module.__name__ and isfunction(unwrap(value)):
                yield value


def name(function: Callable[..., Any]) -> str:
    return f"{function.__module__.removeprefix('schedule_spec.')}.{function.__name__}"


def preconditions(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the function's preconditions by their descriptions."""
    groups = getattr(function, "__preconditions__", [])
    return {contract.description: contract for group in groups for contract in group}


def postconditions(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the function's postconditions by their descriptions."""
    return {contract.description: contract for contract in getattr(function, "__postconditions__", [])}


def promising(contract: Any, body: Callable[..., Any]) -> Callable[..., Any]:
    """Return the body under that one postcondition of the law."""
    promise: Callable[[Callable[..., Any]], Callable[..., Any]] = icontract.ensure(
        contract.condition, contract.description
    )
    return promise(body)


def broken_promises(
    law: Callable[..., Any], body: Callable[..., Any], arguments: tuple[Any, ...]
) -> set[str]:
    """Return the descriptions of the law's postconditions that another body, so called, breaks."""
    broken = set()
    for description, contract in postconditions(law).items():
        try:
            promising(contract, body)(*arguments)
        except icontract.ViolationError as violation:
            assert description in str(violation)  # noqa: PT017 - not every contract must break
            broken.add(description)
    return broken


def assert_every_contract_fires(
    functions: Iterable[Callable[..., Any]], twins: Iterable[Twin], bad_calls: Iterable[BadCall]
) -> None:
    """See that twins and bad calls break each contract of the functions, and name none that there is not."""
    functions = tuple(functions)
    promised = {(name(law), description) for law in functions for description in postconditions(law)}
    broken = {
        (name(law), description)
        for law, body, arguments in twins
        for description in broken_promises(law, body, arguments)
    }
    assert broken == promised
    required = {
        (name(law), description.split(":")[0]) for law in functions for description in preconditions(law)
    }
    assert {(name(law), clause) for law, _, clause in bad_calls} == required
