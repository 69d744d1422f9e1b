"""A mutant runs wherever its function is known by a name, and a module is found with other code."""

import importlib
import sys
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from tests.mutation.memory import Memory, functions
from tests.mutation.mutants import Module
from tests.mutation.placing import Instead, exchange

TEXT = """
from functools import cache, wraps

KNOWN = {}

def behind(function):
    @wraps(function)
    def wrapper(*arguments):
        return function(*arguments)
    return wrapper

@behind
@behind
def decorated():
    return 1

@cache
def cached():
    return 1

def remembered(name):
    return KNOWN.setdefault(name, 1)

class Base:
    def value(self):
        return 0

class Thing(Base):
    def value(self):
        return super().value() + 1

    @property
    def shown(self):
        return 1

    @shown.setter
    def shown(self, value):
        self.kept = 1

    @classmethod
    def made(cls):
        return 1
"""


@pytest.fixture
def subject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "mutated_subject.py").write_text(TEXT, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("mutated_subject")
    sys.modules.pop("mutated_subject", None)


def put(subject: Any, unit: str, told: str) -> bool:
    module = Module("mutated_subject", Path(subject.__file__))
    (mutant,) = [each for each in module.mutants if each.unit.name == unit and told in each.told]
    return exchange(functions(frozenset({str(module.file)})), str(module.file), unit, mutant.code())


def test_a_decorated_function_that_was_imported_by_name(subject: Any) -> None:
    imported = subject.decorated
    assert put(subject, "decorated", "1 -> 2")
    assert imported() == 2


def test_methods_properties_and_class_methods(subject: Any) -> None:
    thing = subject.Thing()
    assert put(subject, "Thing.value", "1 -> 2")
    assert put(subject, "Thing.made", "1 -> 2")
    assert (thing.value(), subject.Thing.made()) == (2, 2)


def test_a_setter_is_told_from_its_getter(subject: Any) -> None:
    module = Module("mutated_subject", Path(subject.__file__))
    own = [each for each in module.mutants if each.unit.name == "Thing.shown" and "1 -> 2" in each.told]
    assert len(own) == 2
    known = functions(frozenset({str(module.file)}))
    assert exchange(known, str(module.file), "Thing.shown", own[1].code())
    thing = subject.Thing()
    thing.shown = 0
    assert (thing.shown, thing.kept) == (1, 2)


def test_a_function_that_is_not_there_is_not_exchanged(subject: Any) -> None:
    module = Module("mutated_subject", Path(subject.__file__))
    assert not exchange({}, str(module.file), "decorated", module.mutants[0].code())


def test_what_was_remembered_is_forgotten(subject: Any) -> None:
    memory = Memory("mutated_subject")
    assert (subject.cached(), subject.remembered("a")) == (1, 1)
    assert put(subject, "cached", "1 -> 2")
    assert put(subject, "remembered", "1 -> 2")
    assert (subject.cached(), subject.remembered("a")) == (1, 1)
    memory.restore()
    assert (subject.cached(), subject.remembered("a")) == (2, 2)


def test_a_module_is_found_with_other_code(subject: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    code = compile("A = 5", subject.__file__, "exec")
    monkeypatch.setattr(
        sys, "meta_path", [Instead("mutated_subject", subject.__file__, code), *sys.meta_path]
    )
    del sys.modules["mutated_subject"]
    assert importlib.import_module("mutated_subject").A == 5


def test_functions_are_found_behind_caches_too(subject: Any) -> None:
    found = functions(frozenset({subject.__file__}))
    names = {name for _, name, _ in found}
    assert {"cached", "decorated", "Thing.value", "behind.<locals>.wrapper"} <= names
    assert all(isinstance(each, FunctionType) for several in found.values() for each in several)
    assert isinstance(subject.cached, type(cache(len)))
