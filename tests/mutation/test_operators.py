"""Each operator puts in place what it says, and nothing else."""

import ast
from textwrap import dedent

import pytest
from tests.mutation.operators import edits


def expression(text: str) -> ast.AST:
    return ast.parse(text, mode="eval").body


def statement(text: str) -> ast.AST:
    return ast.parse(dedent(text)).body[0]


def told(node: ast.AST) -> list[tuple[str, str]]:
    return [(name, ast.unparse(put)) for name, put in edits(node)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a < b", [("comparison", "a <= b"), ("comparison", "a >= b")]),
        ("a <= b", [("comparison", "a < b"), ("comparison", "a > b")]),
        ("a == b", [("comparison", "a != b")]),
        ("a is None", [("comparison", "a is not None")]),
        ("a not in b", [("comparison", "a in b")]),
        (
            "a <= b < c",
            [
                ("comparison", "a < b < c"),
                ("comparison", "a > b < c"),
                ("comparison", "a <= b <= c"),
                ("comparison", "a <= b >= c"),
            ],
        ),
        ("a + b", [("arithmetic", "a - b")]),
        ("a // b", [("arithmetic", "a * b")]),
        ("a % b", [("arithmetic", "a // b")]),
        ("a | b", [("operand dropped", "a"), ("operand dropped", "b")]),
        ("a and b", [("and/or", "a or b"), ("operand dropped", "b"), ("operand dropped", "a")]),
        (
            "a or b or c",
            [
                ("and/or", "a and b and c"),
                ("operand dropped", "b or c"),
                ("operand dropped", "a or c"),
                ("operand dropped", "a or b"),
            ],
        ),
        ("not a", [("sign dropped", "a")]),
        ("-a", [("sign dropped", "a")]),
        ("~a", []),
        ("a if b else c", [("always the first", "a"), ("always the second", "c")]),
        ("True", [("constant", "False")]),
        ("1", [("constant", "2"), ("constant", "0")]),
        ("'at'", [("constant", "'at~'")]),
        ("b'at'", [("constant", "b'at~'")]),
        ("None", []),
        ("min(a, b)", [("twin called", "max(a, b)")]),
        ("f(a, key=b)", [("keyword dropped", "f(a)")]),
        ("f(a, **b)", []),
        ("{'a': b, c: d}", [("member dropped", "{c: d}")]),
        ("a", []),
    ],
)
def test_expressions(text: str, wanted: list[tuple[str, str]]) -> None:
    assert told(expression(text)) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("if a: b", [("always", "if True:\n    b"), ("never", "if False:\n    b")]),
        ("while a: b", [("never", "while False:\n    b")]),
        ("while True: b", []),
        ("return a", [("returns None", "return None")]),
        ("return None", []),
        ("return", []),
        ("f(a)", [("statement dropped", "pass")]),
        ("raise a", [("statement dropped", "pass")]),
        ("del a[b]", [("statement dropped", "pass")]),
        ("a = b", []),
        ("a.b = c", [("statement dropped", "pass")]),
        ("a[b] = c", [("statement dropped", "pass")]),
        ("a += b", [("arithmetic", "a -= b"), ("statement dropped", "pass")]),
        ("continue", [("loop left", "break")]),
        ("break", [("loop goes on", "continue")]),
    ],
)
def test_statements(text: str, wanted: list[tuple[str, str]]) -> None:
    assert told(statement(text)) == wanted


def test_slices() -> None:
    node = expression("a[b:c]")
    assert isinstance(node, ast.Subscript)
    assert [put for _, put in told(node.slice)] == [":c", "b:"]


def test_filters_of_comprehensions() -> None:
    node = expression("[a for a in b if c if d]")
    assert isinstance(node, ast.ListComp)
    assert [put.strip() for _, put in told(node.generators[0])] == ["for a in b if d", "for a in b if c"]


def test_handlers() -> None:
    node = statement(
        """
        try: a
        except (B, C): d
        except E: f
        except: g
        """
    )
    assert isinstance(node, ast.Try)
    kinds = [[put.splitlines()[0] for _, put in told(handler)] for handler in node.handlers]
    assert kinds == [["except (C,):", "except (B,):"], ["except ():"], []]


def test_cases_and_guards() -> None:
    node = statement(
        """
        match a:
            case 1 if b: c
            case _: d
        """
    )
    assert isinstance(node, ast.Match)
    patterns = [
        [ast.unparse(case.pattern) for case in put.cases]
        for _, put in edits(node)
        if isinstance(put, ast.Match)
    ]
    assert patterns == [["_"], ["1"]]
    assert [name for name, _ in edits(node.cases[0])] == ["guard dropped", "guard never met"]
    assert told(node.cases[1]) == []
