"""Dotted names: how the ledger says which function is meant."""

from collections.abc import Callable
from importlib import import_module
from inspect import signature
from typing import Any


class UnknownNameError(Exception):
    """A dotted name that leads to no function."""


def resolve(name: str) -> Callable[..., Any]:
    """Return the function of a dotted name, `package.module.function`.

    `UnknownNameError` where there is none.
    """
    module, _, attribute = name.rpartition(".")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as problem:
        raise UnknownNameError(f"{name}: {problem}") from problem
    if not callable(found):
        raise UnknownNameError(f"{name} is no function")
    function: Callable[..., Any] = found
    return function


def parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of a function's parameters, in order."""
    return tuple(signature(function).parameters)
