"""What of a program are words for people: texts that the clauses leave free, and what feeds nothing else.

A text is one with a space in it; in a framing, whose text a clause says letter by letter, only the sentence
of a refusal is one. What is computed for such texts alone is not mutated either: a variable that only they
name, a choice between two of them, a function that answers with nothing but them, or one of a module's own
that is called for them alone.
"""

import ast
from collections.abc import Iterator

_VERBATIM = ("framing",)
"""Modules whose texts a clause says letter by letter."""
_FORMED = {"join", "format", "strip"}


def words_of(module: str, tree: ast.Module) -> frozenset[ast.AST]:
    """Return the nodes of a module that make nothing but words for people."""
    if module.rpartition(".")[2] in _VERBATIM:
        return frozenset(_sentences(tree))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    found = frozenset(node for function in functions for node in _of_unit(function))
    found |= frozenset(node for statement in tree.body for node in _marked(statement, frozenset()))
    while True:
        told = _named_within(tree, found)
        more = [each for each in functions if each.name.startswith("_") and each.name in told]
        if found.issuperset(more):
            return found
        found |= frozenset(node for function in more for node in ast.walk(function))


def _sentences(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield what is assigned to a variable of the name that the sentences of refusals have."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign([ast.Name("sentence")]):
                yield from ast.walk(node)


def _of_unit(unit: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[ast.AST]:
    names: frozenset[str] = frozenset()
    while True:
        found = frozenset(_marked(unit, names))
        more = _named_within(unit, found)
        if more <= names:
            break
        names |= more
    if _answers_with(unit, found):
        return frozenset(ast.walk(unit))
    return found


def _marked(unit: ast.AST, names: frozenset[str]) -> Iterator[ast.AST]:
    """Yield the texts and all their parts, and assignments to names that only texts use."""
    for node in ast.walk(unit):
        if isinstance(node, ast.expr) and _is_text(node):
            yield from ast.walk(node)
        match node:
            case ast.Assign([ast.Name(id)]) | ast.AnnAssign(ast.Name(id)) if id in names:
                yield from ast.walk(node)


def _is_text(node: ast.expr) -> bool:
    match node:
        case ast.Constant(str(text)):
            return " " in text.strip()
        case ast.JoinedStr(parts):
            return any(isinstance(each, ast.Constant) and " " in str(each.value) for each in parts)
        case ast.IfExp(_, body, orelse):
            return _is_text(body) and _is_text(orelse)
        case ast.BinOp(left, ast.Add() | ast.Mod(), right):
            return _is_text(left) or _is_text(right)
        case ast.Call(ast.Attribute(value, name), _, _) if name in _FORMED:
            return _is_text(value)
        case _:
            return False


def _named_within(unit: ast.AST, words: frozenset[ast.AST]) -> frozenset[str]:
    """Return the variables that are read within words and nowhere else."""
    read = [node for node in ast.walk(unit) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    within = {node.id for node in read if node in words}
    return frozenset(within - {node.id for node in read if node not in words})


def _answers_with(function: ast.FunctionDef | ast.AsyncFunctionDef, words: frozenset[ast.AST]) -> bool:
    answers = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    return bool(answers) and all(answer in words for answer in answers)
