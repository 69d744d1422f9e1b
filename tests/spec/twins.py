"""Contracts taken off the law, to be put on something that breaks them."""

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

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


def law_functions() -> Iterator[FunctionType]:
    """Yield every function of those modules, each once."""
    for module in MODULES:
        for value in vars(module).values():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__:
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
