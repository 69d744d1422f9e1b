"""Putting a mutant in place: the code of a function is exchanged, or its module is executed anew.

A function's code is exchanged in the function itself, so that every name for it, and every decorator around
it, runs the mutant. What runs while modules are imported cannot be reached so: for such a mutant the
project's modules are forgotten, and whoever imports the mutated module next gets the mutant.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, ModuleType

from tests.mutation.memory import Functions
from tests.mutation.sides import ROOT


def exchange(functions: Functions, file: str, name: str, code: CodeType) -> bool:
    """Let the functions of a qualified name run what a mutated module's code has for them; whether any could.

    All of one name are taken, such as a property's getter and setter: each finds its own by its line.
    """
    found = False
    for changed in _codes(code):
        if changed.co_qualname != name:
            continue
        for function in functions.get((file, name, changed.co_firstlineno), ()):
            if len(function.__code__.co_freevars) != len(changed.co_freevars):
                return False
            function.__code__ = changed
            found = True
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def loaded() -> dict[str, Path]:
    """Return the files of the checkout's modules that are loaded, by their names."""
    files = {name: getattr(module, "__file__", None) for name, module in list(sys.modules.items())}
    found = {name: Path(file) for name, file in files.items() if file is not None}
    return {
        name: file for name, file in found.items() if file.is_relative_to(ROOT) and not _is_installed(file)
    }


def forget_project() -> None:
    """Take the checkout's modules out of the interpreter, so that the next import executes them anew."""
    for name in loaded():
        del sys.modules[name]


def _is_installed(file: Path) -> bool:
    return file.relative_to(ROOT).parts[0].startswith(".venv")


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        return self._code


class Instead(importlib.abc.MetaPathFinder):
    """Finds one module, and gives it other code than its file's."""

    def __init__(self, module: str, file: str, code: CodeType) -> None:
        self._module = module
        self._file = file
        self._code = code

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the module's place and loader; None for any other module."""
        if fullname != self._module:
            return None
        return importlib.util.spec_from_file_location(
            fullname, self._file, loader=_Loader(fullname, self._file, self._code)
        )
