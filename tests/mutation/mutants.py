"""Mutants of a module: where they stand, what they change, the key that they are known by, and their code.

Left out: docstrings, annotations (but for those that a decoder reads), imports, marks and contracts and all
other decorators, functions that contracts alone call, assertions, how a value is stored, and words for people
(see `wording`).
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import CodeType
from typing import TypeAlias

from tests.mutation.operators import edits
from tests.mutation.wording import words_of

Place: TypeAlias = tuple[ast.AST, str, int | None]
"""A node's parent, the field that it stands in, and its place there where the field is a list."""

_UNMUTATED = (ast.Assert, ast.Import, ast.ImportFrom, ast.Pass, ast.Global, ast.Nonlocal)
_STORED = {"frozen", "slots", "gc", "eq", "order", "kw_only", "maxsize", "weakref"}
"""Keywords that say how a value is stored or kept."""
_TYPING = {"cast", "assert_never", "TypeVar", "NewType", "namedtuple"}
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Unit:
    """A function, its defaults, or a statement of a module or class; `runs` is true of functions alone."""

    name: str
    node: ast.stmt
    runs: bool


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: `lines` are those of the statement that it stands in, from the first to the last."""

    key: str
    of: "Module" = field(repr=False)
    unit: Unit
    operator: str
    before: str
    after: str
    lines: range
    place: Place = field(repr=False)
    put: ast.AST = field(repr=False)

    @property
    def module(self) -> str:
        """The name of the module that it is of."""
        return self.of.name

    def code(self) -> CodeType:
        """Return the code of its module with the mutant in place."""
        parent, name, place = self.place
        before = _get(parent, name, place)
        _set(parent, name, place, self.put)
        try:
            return self.of.code()
        finally:
            _set(parent, name, place, before)

    @property
    def told(self) -> str:
        """The change in words, without the module."""
        line = getattr(self.put, "lineno", self.lines.start)
        return f"{self.unit.name}:{line} {self.operator}: {self.before} -> {self.after}"


class Module:
    """A module that is mutated."""

    def __init__(self, name: str, file: Path) -> None:
        self.name = name
        self.file = file
        self.tree = ast.parse(file.read_text("utf-8"))

    def code(self) -> CodeType:
        """Return its code with nothing mutated."""
        return compile(self.tree, str(self.file), "exec", dont_inherit=True)

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """The mutants in the order of the text; no two of them have the same text."""
        words = words_of(self.name, self.tree)
        contracts = _of_contracts(self.tree)
        units = [unit for unit in _units(self.tree.body, "") if unit.name not in contracts]
        return tuple(mutant for unit in units for mutant in self._of(unit, words))

    def _of(self, unit: Unit, words: frozenset[ast.AST]) -> Iterator[Mutant]:
        source = ast.unparse(_without_docstring(unit.node))
        seen: dict[tuple[str, str, str], int] = {}
        for (parent, name, place), lines in _places(unit):
            node = _get(parent, name, place)
            if node in words:
                continue
            for operator, put in edits(node):
                for part in ast.walk(put):
                    if not hasattr(part, "lineno") and hasattr(node, "lineno"):
                        ast.copy_location(part, node)
                ast.fix_missing_locations(put)
                before, after = _told(node), _told(put)
                number = seen[operator, before, after] = seen.get((operator, before, after), 0) + 1
                parts = (self.name, unit.name, source, operator, before, after, str(number))
                key = sha256("\0".join(parts).encode()).hexdigest()[:12]
                where = (parent, name, place)
                yield Mutant(key, self, unit, operator, _short(before), _short(after), lines, where, put)


def _of_contracts(tree: ast.Module) -> frozenset[str]:
    """Return the module's own functions that contracts alone call, directly or not."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    within = {part for node in functions for decorator in node.decorator_list for part in ast.walk(decorator)}
    read = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    while True:
        elsewhere = {node.id for node in read if node not in within}
        named = {node.id for node in read if node in within} - elsewhere
        more = [node for node in functions if node.name.startswith("_") and node.name in named]
        if within.issuperset(more):
            return frozenset(node.name for node in more)
        within |= {part for node in more for part in ast.walk(node)}


def _units(body: Sequence[ast.stmt], within: str) -> Iterator[Unit]:
    for node in body:
        if _is_typing(node):
            continue
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield Unit(within + node.name, node, runs=True)
                yield Unit(f"{within}{node.name}.<defaults>", node, runs=False)
            case ast.ClassDef():
                yield Unit(within + node.name, node, runs=False)
                yield from _units(node.body, f"{within}{node.name}.")
            case ast.Expr(ast.Constant()) | ast.Import() | ast.ImportFrom():
                pass
            case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
                if name not in ("__slots__", "__all__"):
                    yield Unit(within + name, node, runs=False)
            case _:
                yield Unit(f"{within}<line>", node, runs=False)


def _places(unit: Unit) -> Iterator[tuple[Place, range]]:
    """Yield the places of a unit whose nodes may be mutated, in the order of the text."""
    node, lines = unit.node, range(unit.node.lineno, (unit.node.end_lineno or unit.node.lineno) + 1)
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            if unit.runs:
                yield from _within(_body(node), lines, unit.runs)
                return
            for name, values in (("defaults", node.args.defaults), ("kw_defaults", node.args.kw_defaults)):
                for place, value in enumerate(values):
                    if value is not None:
                        yield from _within([(node.args, name, place)], lines, unit.runs)
        case ast.ClassDef(keywords=keywords):
            for keyword in keywords:
                if keyword.arg not in _STORED:
                    yield from _within([(keyword, "value", None)], lines, unit.runs)
        case ast.AnnAssign(annotation=ast.Subscript(ast.Name("Annotated" | "Literal"))):
            yield from _within([(node, "annotation", None)], lines, unit.runs)
            yield from _within(_parts(node), lines, unit.runs)
        case _:
            yield from _within(_parts(node), lines, unit.runs)


def _within(places: Sequence[Place], lines: range, runs: bool) -> Iterator[tuple[Place, range]]:
    for place in places:
        node = _get(*place)
        if isinstance(node, _UNMUTATED) or _is_typing(node) or (not runs and _is_union(node)):
            continue
        own = (
            _lines(node)
            if runs and isinstance(node, ast.stmt | ast.match_case | ast.ExceptHandler)
            else lines
        )
        yield place, own
        yield from _within(_parts(node), own, runs)


def _lines(node: ast.stmt | ast.match_case | ast.ExceptHandler) -> range:
    """Return the lines of a statement, of one with a body those of its head and of what it runs first."""
    begin, end = _begin(node), _end(node)
    match node:
        case ast.match_case(pattern):
            end = _end(pattern) + 1
        case ast.If(test) | ast.While(test):
            begin, end = _begin(test), _end(test)
        case ast.Match(subject):
            end = _end(subject)
        case ast.For() | ast.AsyncFor() | ast.With() | ast.AsyncWith() | ast.ExceptHandler():
            end = max(begin, _begin(node.body[0]) - 1)
        case ast.Try() | ast.FunctionDef() | ast.AsyncFunctionDef():
            end = _begin(node.body[0])
    return range(begin, end + 1)


def _begin(node: ast.AST) -> int:
    line: int = node.pattern.lineno if isinstance(node, ast.match_case) else getattr(node, "lineno")  # noqa: B009
    return line


def _end(node: ast.AST) -> int:
    end: int | None = getattr(node, "end_lineno", None)
    return _begin(node) if end is None else end


def _body(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[Place]:
    return [(node, "body", place) for place, each in enumerate(node.body) if not _is_text_alone(each)]


def _is_text_alone(node: ast.stmt) -> bool:
    """Tell whether a statement is a docstring or `...`."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _parts(node: ast.AST) -> list[Place]:
    """Return the places of a node's parts that may be mutated."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return _body(node)
    parts: list[Place] = []
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "args") and not isinstance(node, ast.Call):
            continue
        if isinstance(value, list):
            listed = [(place, each) for place, each in enumerate(value) if isinstance(each, ast.AST)]
            parts += [(node, name, place) for place, each in listed if not _is_kept(each)]
        elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context | ast.operator):
            parts.append((node, name, None))
    return parts


def _is_kept(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg in _STORED
    return isinstance(node, ast.cmpop) or (isinstance(node, ast.stmt) and _is_text_alone(node))


def _is_typing(node: ast.AST) -> bool:
    match node:
        case ast.Call(ast.Name(name)) | ast.Expr(ast.Call(ast.Name(name))) if name in _TYPING:
            return True
        case ast.Raise(ast.Call(ast.Name("AssertionError" | "NotImplementedError"))):
            return True
        case ast.AnnAssign(annotation=ast.Name("TypeAlias")):
            return True
        case ast.If(ast.Name("TYPE_CHECKING")):
            return True
        case _:
            return False


def _is_union(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)


def _without_docstring(node: ast.stmt) -> ast.stmt:
    """Return a unit as its key knows it: of a class its head alone, of a function all but the docstring."""
    match node:
        case ast.ClassDef():
            return ast.ClassDef(node.name, node.bases, node.keywords, [ast.Pass()], [])
        case ast.FunctionDef() | ast.AsyncFunctionDef() if len(node.body) > 1 and _is_text_alone(
            node.body[0]
        ):
            bare = type(node)(node.name, node.args, node.body[1:], [], node.returns)
            return ast.copy_location(bare, node)
        case _:
            return node


def _told(node: ast.AST) -> str:
    match node:
        case ast.Pass():
            told = "nothing"
        case ast.If(test) | ast.While(test):
            told = ast.unparse(test)
        case ast.Slice(lower, upper, step):
            told = ":".join(ast.unparse(part) if part else "" for part in (lower, upper, step))
        case ast.comprehension() | ast.match_case():
            told = ast.unparse(node).strip().split("\n")[0]
        case ast.ExceptHandler(kind):
            told = f"except {ast.unparse(kind) if kind else ''}"
        case ast.Match(_, cases):
            told = "cases " + ", ".join(ast.unparse(case.pattern) for case in cases)
        case _:
            told = ast.unparse(node)
    return " ".join(told.split())


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _get(parent: ast.AST, name: str, place: int | None) -> ast.AST:
    value = getattr(parent, name)
    found: ast.AST = value if place is None else value[place]
    return found


def _set(parent: ast.AST, name: str, place: int | None, node: ast.AST) -> None:
    if place is None:
        setattr(parent, name, node)
    else:
        getattr(parent, name)[place] = node
