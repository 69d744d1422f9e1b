"""The law's own contracts as theorems: what a function requires is assumed, what it ensures is claimed."""

from collections.abc import Callable, Mapping
from inspect import unwrap
from typing import Any

from proofs.paths import assume, claim


def bare(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that stands under the contracts and other decorators."""
    under: Callable[..., Any] = unwrap(function)
    return under


def keeps_its_contracts(
    contracted: Callable[..., Any], body: Callable[..., Any], arguments: Mapping[str, Any]
) -> Any:
    """Claim that a body, called as the contracts require, does what they ensure; return its result."""
    for group in getattr(contracted, "__preconditions__", ()):
        for contract in group:
            assume(_holds(contract, arguments))
    result = body(**arguments)
    for contract in getattr(contracted, "__postconditions__", ()):
        claim(_holds(contract, {**arguments, "result": result}), contract.description)
    return result


def _holds(contract: Any, values: Mapping[str, Any]) -> bool:
    return bool(contract.condition(**{name: values[name] for name in contract.condition_args}))
