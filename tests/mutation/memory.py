"""What modules keep between calls: caches, and containers that fill. A mutant must not answer from them."""

import gc
import sys
from collections.abc import Callable, Iterator
from copy import copy
from types import FunctionType, ModuleType
from typing import Any, TypeAlias

Functions: TypeAlias = dict[tuple[str, str, int], list[FunctionType]]
"""Functions by the file, the qualified name and the first line of their code."""


def _modules(package: str) -> dict[str, ModuleType]:
    """Return the loaded modules of a package by name."""
    return {
        name: module
        for name, module in sorted(sys.modules.items())
        if f"{name}.".startswith(f"{package}.") and isinstance(module, ModuleType)
    }


class Memory:
    """The memory of a package's modules as it is now, to be brought back later."""

    def __init__(self, package: str) -> None:
        modules = _modules(package)
        self._kept = [
            (value, copy(value))
            for module in modules.values()
            for value in vars(module).values()
            if type(value) in (dict, list, set)
        ]
        self._clear = tuple(_caches(modules))

    def restore(self) -> None:
        """Empty the caches and bring the containers back to what they held."""
        for clear in self._clear:
            clear()
        for value, before in self._kept:
            if value != before:
                _refill(value, before)


def _refill(value: Any, before: Any) -> None:
    value.clear()
    if isinstance(value, list):
        value.extend(before)
    else:
        value.update(before)


def _caches(modules: dict[str, ModuleType]) -> Iterator[Callable[[], object]]:
    found: dict[int, Callable[[], object]] = {}
    for module in modules.values():
        for value in vars(module).values():
            if callable(getattr(value, "cache_clear", None)) and not isinstance(value, type):
                found[id(value)] = value.cache_clear
    yield from found.values()


def functions(files: frozenset[str]) -> Functions:
    """Return every function whose code stands in one of the files, decorated and nested ones too."""
    found: Functions = {}
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename in files:
            code = each.__code__
            place = (code.co_filename, code.co_qualname, code.co_firstlineno)
            found.setdefault(place, []).append(each)
    return found
