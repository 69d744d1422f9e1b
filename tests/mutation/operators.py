"""The operators: for one node of a syntax tree, the nodes that a mutant puts in its place.

Each is one small fault of the kind that is made by hand: a bound that is off by one, a condition turned
round, a step left out. A node's parts are mutated on their own.
"""

import ast
from collections.abc import Iterator
from typing import TypeAlias, TypeVar

Item = TypeVar("Item")

Edit: TypeAlias = tuple[str, ast.AST]
"""The operator's name and the node that it puts in place."""

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
"""What a comparison may be taken for: the bound off by one, and the opposite."""
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
}
_TWINS = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}


def _without(items: list[Item], place: int) -> list[Item]:
    return [*items[:place], *items[place + 1 :]]


def edits(node: ast.AST) -> Iterator[Edit]:
    """Yield what a mutant may put in the node's place."""
    if isinstance(node, ast.expr):
        yield from _of_expression(node)
    elif isinstance(node, ast.stmt):
        yield from _of_statement(node)
    elif isinstance(node, ast.ExceptHandler):
        yield from _of_handler(node)
    elif isinstance(node, ast.comprehension):
        for place in range(len(node.ifs)):
            rest = _without(node.ifs, place)
            yield "filter dropped", ast.comprehension(node.target, node.iter, rest, node.is_async)
    elif isinstance(node, ast.match_case) and node.guard is not None:
        yield "guard dropped", ast.match_case(node.pattern, None, node.body)
        yield "guard never met", ast.match_case(node.pattern, ast.Constant(False), node.body)


def _of_expression(node: ast.expr) -> Iterator[Edit]:
    match node:
        case ast.Compare(left, operators, others):
            for place, operator in enumerate(operators):
                for other in COMPARISONS[type(operator)]:
                    changed = [*operators[:place], other(), *operators[place + 1 :]]
                    yield "comparison", ast.Compare(left, changed, others)
        case ast.BinOp(left, ast.BitOr(), right):
            yield "operand dropped", left
            yield "operand dropped", right
        case ast.BinOp(left, operator, right) if type(operator) in _ARITHMETIC:
            yield "arithmetic", ast.BinOp(left, _ARITHMETIC[type(operator)](), right)
        case ast.BoolOp(operator, values):
            yield "and/or", ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
            for place in range(len(values)):
                rest = _without(values, place)
                yield "operand dropped", rest[0] if len(rest) == 1 else ast.BoolOp(operator, rest)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield "sign dropped", operand
        case _:
            yield from _of_other_expression(node)


def _of_other_expression(node: ast.expr) -> Iterator[Edit]:
    match node:
        case ast.IfExp(_, body, orelse):
            yield "always the first", body
            yield "always the second", orelse
        case ast.Slice(lower, upper, step):
            if lower is not None:
                yield "slice bound", ast.Slice(None, upper, step)
            if upper is not None:
                yield "slice bound", ast.Slice(lower, None, step)
        case ast.Call(function, arguments, keywords):
            if isinstance(function, ast.Name) and function.id in _TWINS:
                yield "twin called", ast.Call(ast.Name(_TWINS[function.id], ast.Load()), arguments, keywords)
            for place, keyword in enumerate(keywords):
                if keyword.arg not in (None, "message"):
                    yield "keyword dropped", ast.Call(function, arguments, _without(keywords, place))
        case ast.Dict(keys, values):
            for place, key in enumerate(keys):
                if isinstance(key, ast.Constant):
                    yield "member dropped", ast.Dict(_without(keys, place), _without(values, place))
        case ast.Constant(value):
            yield from _of_constant(value)


def _of_constant(value: object) -> Iterator[Edit]:
    match value:
        case bool():
            yield "constant", ast.Constant(not value)
        case int():
            yield "constant", ast.Constant(value + 1)
            yield "constant", ast.Constant(value - 1)
        case str():
            yield "constant", ast.Constant(f"{value}~")
        case bytes():
            yield "constant", ast.Constant(value + b"~")


def _of_statement(node: ast.stmt) -> Iterator[Edit]:
    match node:
        case ast.If(test, body, orelse) if not isinstance(test, ast.Constant):
            yield "always", ast.If(ast.Constant(True), body, orelse)
            yield "never", ast.If(ast.Constant(False), body, orelse)
        case ast.While(test, body, orelse) if not isinstance(test, ast.Constant):
            yield "never", ast.While(ast.Constant(False), body, orelse)
        case ast.Return(ast.expr() as value) if not _is_as_false_as_none(value):
            yield "returns None", ast.Return(ast.Constant(None))
        case ast.AugAssign(target, operator, value):
            if type(operator) in _ARITHMETIC:
                yield "arithmetic", ast.AugAssign(target, _ARITHMETIC[type(operator)](), value)
            yield "statement dropped", ast.Pass()
        case ast.Expr() | ast.Raise() | ast.Delete():
            yield "statement dropped", ast.Pass()
        case ast.Assign(targets) if any(isinstance(each, ast.Attribute | ast.Subscript) for each in targets):
            yield "statement dropped", ast.Pass()
        case ast.Continue():
            yield "loop left", ast.Break()
        case ast.Break():
            yield "loop goes on", ast.Continue()
        case ast.Match(subject, cases) if len(cases) > 1:
            for place in range(len(cases)):
                yield "case dropped", ast.Match(subject, _without(cases, place))


def _of_handler(node: ast.ExceptHandler) -> Iterator[Edit]:
    match node.type:
        case ast.Tuple(elements, _):
            kinds = [_without(elements, place) for place in range(len(elements))]
        case ast.expr():
            kinds = [[]]
        case _:
            kinds = []
    for kept in kinds:
        yield "not caught", ast.ExceptHandler(ast.Tuple([*kept], ast.Load()), node.name, node.body)


def _is_as_false_as_none(value: ast.expr) -> bool:
    """Tell whether the value is None, or False, which callers take None for; True instead is tried."""
    return isinstance(value, ast.Constant) and (value.value is None or value.value is False)
