"""The law's source as pages: every module with a link target a line, and the piece that states a clause."""

import ast
from functools import cache
from pathlib import Path

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from .clauses import ROOT

SPEC = ROOT / "spec"
LAW = SPEC / "schedule_spec"


def modules() -> tuple[Path, ...]:
    """Return the files of the law, without the register, in the order of their names."""
    files = (path for path in LAW.rglob("*.py") if "register" not in path.relative_to(LAW).parts)
    return tuple(sorted(files))


def page(file: Path) -> str:
    """Return the name of a module's page, without suffix, below the site's folder `law`."""
    parts = file.relative_to(LAW).with_suffix("").parts
    named = parts[:-1] if parts[-1] == "__init__" else parts
    return ".".join(("schedule_spec", *named))


def page_of(file: str) -> str:
    """Return the page of a file that a statement names, such as `schedule_spec/rate.py`."""
    return page(SPEC / file)


def html(file: Path) -> str:
    """Return the source as HTML, each line an element with the id `L-` and its number."""
    formatter = HtmlFormatter(linespans="L", cssclass="highlight law-source", wrapcode=True)
    return str(highlight(file.read_text("utf-8"), PythonLexer(stripnl=False), formatter))


def stating(file: str, place: str, clause: str) -> str:
    """Return what states a clause in a function or class of the law.

    That is its decorators that name the clause and the rest of its source; other decorators are left out, and
    of a class all but its docstring is.
    """
    node, lines = _node(file, place.removeprefix(_module(file) + "."))
    kept, skipped = [], False
    for decorator in node.decorator_list:
        text = "\n".join(lines[decorator.lineno - 1 : decorator.end_lineno])
        if f'"{clause}:' in text or f'"{clause}"' in text:
            kept.append(text)
        else:
            skipped = True
    indent = " " * node.col_offset
    if skipped:
        kept.append(f"{indent}# … with further contracts")
    end = node.end_lineno or node.lineno
    if isinstance(node, ast.ClassDef):
        first = node.body[0]
        end = (first.end_lineno or first.lineno) if _is_docstring(first) else node.lineno
    text = "\n".join([*kept, *lines[node.lineno - 1 : end]])
    return "\n".join(line.removeprefix(indent) for line in text.splitlines())


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _module(file: str) -> str:
    return file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


@cache
def _tree(file: str) -> tuple[ast.Module, list[str]]:
    text = (SPEC / file).read_text("utf-8")
    return ast.parse(text), text.splitlines()


def _node(file: str, name: str) -> tuple[ast.FunctionDef | ast.ClassDef, list[str]]:
    tree, lines = _tree(file)
    scope: ast.AST = tree
    for part in name.split("."):
        scope = next(
            node
            for node in ast.iter_child_nodes(scope)
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == part
        )
    assert isinstance(scope, (ast.FunctionDef, ast.ClassDef))
    return scope, lines
