"""Mutants of the law: functions with one small change, put in place while nothing else is touched.

A mutant exchanges the code of the innermost function, so that contracts, caches and every module that
imported the function go on using it.
"""

import ast
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import CodeType, FunctionType, ModuleType

from tests.mutation.operators import COMPARISONS

import schedule_spec

LONGEST = 160


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the law: where it stands, what runs, and the places of the functions that it mentions."""

    place: str
    runs: FunctionType
    code: CodeType
    mentions: frozenset[str]

    @property
    def module(self) -> str:
        """The module that it stands in."""
        return self.runs.__module__

    @property
    def name(self) -> str:
        """The function's own name."""
        return self.runs.__name__


@dataclass(frozen=True, slots=True)
class Change:
    """A changed body of a function, told as what stood there and what stands there instead."""

    function: Function
    told: str
    code: CodeType

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Let the law run with the change."""
        self.function.runs.__code__ = self.code
        forget()
        try:
            yield
        finally:
            self.function.runs.__code__ = self.function.code
            forget()


@cache
def modules() -> tuple[ModuleType, ...]:
    """Return the modules of the law but for its register."""
    names = [module.name for module in walk_packages(schedule_spec.__path__, "schedule_spec.")]
    return tuple(import_module(name) for name in names if not name.startswith("schedule_spec.register"))


def forget() -> None:
    """Empty every cache of the law."""
    for module in modules():
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


@cache
def functions() -> tuple[Function, ...]:
    """Return the functions of the law's modules, in the order of their places in the text."""
    found = []
    for module in modules():
        for value in vars(module).values():
            runs = inspect.unwrap(value) if callable(value) else None
            if isinstance(runs, FunctionType) and runs.__module__ == module.__name__ and not runs.__closure__:
                code = runs.__code__
                found.append(Function(f"{module.__name__}.{runs.__qualname__}", runs, code, mentions(runs)))
    return tuple(each for each in found if "<lambda>" not in each.place)


def place_of(function: FunctionType) -> str:
    """Return where a function stands: its module and its name in it."""
    return f"{function.__module__}.{function.__qualname__}"


def mentions(function: FunctionType) -> frozenset[str]:
    """Return the places of the functions that a function's text mentions, its own way or as a module's."""
    names, within = _names(function.__code__), function.__globals__
    spaces = [within, *(vars(value) for value in map(within.get, names) if isinstance(value, ModuleType))]
    values = [space.get(name) for space in spaces for name in names]
    runs = [inspect.unwrap(value) for value in values if callable(value)]
    return frozenset(place_of(each) for each in runs if isinstance(each, FunctionType))


def _names(code: CodeType) -> frozenset[str]:
    within = (_names(each) for each in code.co_consts if isinstance(each, CodeType))
    return frozenset(code.co_names).union(*within)


def called(places: frozenset[str]) -> tuple[Function, ...]:
    """Return the functions of the law at these places, then those that they call, directly or not."""
    found: dict[str, Function] = {}
    while places:
        reached = [each for each in functions() if each.place in places and each.place not in found]
        found |= {each.place: each for each in reached}
        places = frozenset(place for each in reached for place in each.mentions)
        if not reached:
            break
    return tuple(found.values())


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text("utf-8"))


def changes(function: Function) -> Iterator[Change]:
    """Yield the changes of a function, in the order of its text."""
    definition = _definition(function)
    if definition is None:
        return
    bare = ast.FunctionDef(
        **{name: value for name, value in ast.iter_fields(definition) if name != "decorator_list"},
        decorator_list=[],
    )
    ast.copy_location(bare, definition)
    whole = ast.Module([bare], [])
    for parent in _in_order(bare):
        for field, place, node in _children(parent):
            for changed in _changed(node):
                ast.copy_location(changed, node)
                _put(parent, field, place, changed)
                ast.fix_missing_locations(changed)
                code = _code(whole, function)
                told = f"{_told(node)} becomes {_told(changed)}"
                _put(parent, field, place, node)
                if code is not None:
                    yield Change(function, told, code)


def by_hand(function: Function, before: str, after: str) -> Change:
    """Return the change of a function in which one piece of the text is exchanged; ValueError without it."""
    definition = _definition(function)
    assert definition is not None, f"{function.place} has no text of its own"
    definition = deepcopy(definition)
    definition.decorator_list = []
    text = ast.unparse(definition)
    if text.count(before) != 1:
        raise ValueError(f"{function.place} does not say {before!r} once")
    code = _code(ast.parse(text.replace(before, after)), function)
    assert code is not None, f"{function.place} changed is no function"
    return Change(function, f"{before} becomes {after}", code)


def _definition(function: Function) -> ast.FunctionDef | None:
    for node in ast.walk(_tree(function.code.co_filename)):
        if isinstance(node, ast.FunctionDef) and node.name == function.name:
            begin = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if function.code.co_firstlineno in (begin, node.lineno):
                return node
    return None


def _code(whole: ast.Module, function: Function) -> CodeType | None:
    compiled = compile(whole, function.code.co_filename, "exec", dont_inherit=True)
    found = [
        each for each in compiled.co_consts if isinstance(each, CodeType) and each.co_name == function.name
    ]
    return found[0] if found and not found[0].co_freevars else None


Place = int | None


def _in_order(definition: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the nodes whose parts may be changed: those of the body, but for annotations."""
    waiting: list[ast.AST] = [definition]
    while waiting:
        node = waiting.pop(0)
        yield node
        waiting = [child for _, _, child in _children(node)] + waiting


def _children(node: ast.AST) -> list[tuple[str, Place, ast.AST]]:
    """Return the parts of a node with where they stand in it."""
    if isinstance(node, ast.FunctionDef):
        return [("body", place, each) for place, each in enumerate(node.body)]
    parts: list[tuple[str, Place, ast.AST]] = []
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "args", "op", "ops", "ctx", "pattern"):
            if field == "args" and isinstance(value, list):
                parts += [(field, place, each) for place, each in enumerate(value)]
        elif isinstance(value, ast.AST):
            parts.append((field, None, value))
        elif isinstance(value, list):
            parts += [(field, place, each) for place, each in enumerate(value) if isinstance(each, ast.AST)]
    return parts


def _put(parent: ast.AST, field: str, place: Place, node: ast.AST) -> None:
    if place is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[place] = node


_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}


def _changed(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the changes of one node; its parts are changed on their own."""
    match node:
        case ast.Compare(left, operators, others):
            for place, operator in enumerate(operators):
                for other in COMPARISONS[type(operator)]:
                    yield ast.Compare(left, [*operators[:place], other(), *operators[place + 1 :]], others)
        case ast.BinOp(left, operator, right) if type(operator) in _ARITHMETIC:
            yield ast.BinOp(left, _ARITHMETIC[type(operator)](), right)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.If(test, body, orelse):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Return(ast.expr()):
            yield ast.Return(ast.Constant(None))
        case _:
            yield from _changed_value(node)


def _changed_value(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Tuple(elements, ast.Load()) if elements:
            yield ast.Tuple(elements[1:], ast.Load())
            if len(elements) > 1:
                yield ast.Tuple(elements[:-1], ast.Load())
                yield ast.Tuple([*elements[1:], elements[0]], ast.Load())
        case ast.Call(ast.Name("sorted"), [items], []):
            yield ast.Call(ast.Name("tuple", ast.Load()), [items], [])
            descending = ast.keyword("reverse", ast.Constant(True))
            yield ast.Call(ast.Name("sorted", ast.Load()), [items], [descending])
        case ast.Call(ast.Name("min" | "max" as name), arguments, keywords):
            yield ast.Call(ast.Name("max" if name == "min" else "min", ast.Load()), arguments, keywords)


def _told(node: ast.AST) -> str:
    lines = ast.unparse(node).splitlines()
    told = " ".join(line.strip() for line in lines[:1])
    return told if len(told) <= LONGEST else f"{told[: LONGEST - 1]}…"
