"""Contracts on other bodies: an obligation's on its broken twin, the law's on arguments that are built."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from icontract import ensure, require

Body = TypeVar("Body", bound=Callable[..., Any])


def under_contracts_of(model: Callable[..., Any]) -> Callable[[Body], Body]:
    """Put a function under the pre- and postconditions of another, whose parameters have the same names."""

    def decorate(body: Body) -> Body:
        for contract in _preconditions(model):
            body = require(contract.condition, contract.description)(body)
        for contract in _postconditions(model):
            body = ensure(contract.condition, contract.description)(body)
        return body

    return decorate


def bare(function: Body) -> Body:
    """Return the function without its contracts."""
    while _postconditions(function):
        function = cast(Any, function).__wrapped__
    return function


def keeps(function: Callable[..., Any], result: object, **arguments: object) -> bool:
    """Tell whether the result is one that the function's postconditions allow for the arguments.

    With this an obligation states the law's own contract for arguments that it builds from bounded parts.
    """
    values = {"result": result, **arguments}
    return all(
        contract.condition(**{name: values[name] for name in contract.condition_args})
        for contract in _postconditions(function)
    )


def admits(function: Callable[..., Any], **arguments: object) -> bool:
    """Tell whether the arguments are such that the function's preconditions allow them."""
    return all(
        contract.condition(**{name: arguments[name] for name in contract.condition_args})
        for contract in _preconditions(function)
    )


def _preconditions(function: Callable[..., Any]) -> list[Any]:
    return [contract for group in getattr(function, "__preconditions__", ()) for contract in group]


def _postconditions(function: Callable[..., Any]) -> list[Any]:
    return list(getattr(function, "__postconditions__", ()))
