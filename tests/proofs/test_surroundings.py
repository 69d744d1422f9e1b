"""The search for surroundings: what a fold must not know of is found, what it may is not."""

import ast

import pytest

from proofs.exhaustive.surroundings import ambient, kept


@pytest.mark.parametrize(
    "source",
    [
        "import time",
        "from os import environ",
        "from zoneinfo import ZoneInfo",
        "x = datetime.now()",
        "x = hash(y)",
        "x = getattr(y, 'no' + 'w')()",
        "for x in {1, 2}: pass",
        "for x in set(y): pass",
        "x = [y for y in {*z}]",
        "x = tuple(set(y))",
        "x = (*frozenset(y), 1)",
    ],
)
def test_what_depends_on_more_than_arguments_is_found(source: str) -> None:
    assert list(ambient(ast.parse(source))) != []


@pytest.mark.parametrize(
    "source",
    [
        "import re",
        "x = y.id",
        "x = 1 in {1, 2}",
        "x = sorted(set(y))",
        "for x in (1, 2): pass",
        "x = {y for y in z}",
    ],
)
def test_what_depends_on_arguments_alone_is_not(source: str) -> None:
    assert list(ambient(ast.parse(source))) == []


@pytest.mark.parametrize(
    "source",
    [
        "x = []\ndef f(y): x.append(y)",
        "x = {}\ndef f(y): x[y] = 1",
        "x: dict = {}\ndef f(y): del x[y]",
        "x = 0\ndef f():\n    global x\n    x = 1",
        "x = {}\nf = lambda y: x.setdefault(y, 1)",
    ],
)
def test_what_a_module_changes_of_its_own_is_found(source: str) -> None:
    assert list(kept(ast.parse(source))) == ["x"]


@pytest.mark.parametrize(
    "source",
    ["x = []\ndef f(y):\n    z = []\n    z.append(y)", "x = {}\ndef f(y): return x[y]", "x = {}\nx[1] = 2"],
)
def test_what_a_call_changes_of_its_own_is_not(source: str) -> None:
    assert list(kept(ast.parse(source))) == []
