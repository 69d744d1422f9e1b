"""Fingerprints of what the evidence was measured of: source text without its comments and docstrings.

So that a word in a comment leaves the evidence fresh, and anything that is executed makes it stale. The same
on every version of Python.
"""

import ast
import io
import tokenize
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from schedule_conformance.evidence import Fingerprints

ROOT = Path(__file__).resolve().parents[2]
SPEC = ROOT / "spec"
LAW = SPEC / "schedule_spec"
COURT = SPEC / "schedule_conformance"
SABOTEURS = ROOT / "tests" / "saboteurs"

ENTRIES = ("schedule_conformance.runs.running", "schedule_conformance.law.law_adapter")
"""The modules of the court that a run begins at."""


def fingerprints() -> Fingerprints:
    """Return the fingerprints of this checkout."""
    return Fingerprints(
        _of_files(LAW.rglob("*.py")),
        _of_files((*_reached(ENTRIES), *(COURT / "vectors").rglob("*.json"))),
        _of_files(file for file in SABOTEURS.rglob("*.py") if not _only_judges(file)),
    )


def _only_judges(file: Path) -> bool:
    """Tell whether a file beside the saboteurs says nothing of what they do."""
    return file.name.startswith("test_") or file.name == "matrix.py"


def _of_files(files: Iterable[Path]) -> str:
    digest = sha256()
    for file in sorted(files):
        contents = file.read_text("utf-8")
        executed = stripped(contents) if file.suffix == ".py" else contents
        digest.update(f"{file.relative_to(ROOT).as_posix()}\n{executed}\n".encode())
    return digest.hexdigest()[:16]


def stripped(source: str) -> str:
    """Return source text without comments, docstrings and blank lines."""
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for begin, end in _docstrings(ast.parse(source)):
        lines[begin - 1 : end] = [""] * (end - begin + 1)
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """Yield the first and last lines of statements that are a string alone."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.lineno, node.end_lineno or node.lineno


def _reached(entries: Iterable[str]) -> Iterator[Path]:
    """Yield the modules of the court that some modules import, directly or not, and those modules."""
    seen: set[Path] = set()
    waiting = [path for name in entries for path in _files_of(name)]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        yield path
        waiting += [file for name in _imported(path) for file in _files_of(name)]


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _files_of(name: str) -> Iterator[Path]:
    """Yield the files of a module of the court with the packages it lies in; nothing for another name."""
    parts = name.split(".")
    if parts[0] != COURT.name:
        return
    for end in range(1, len(parts) + 1):
        place = SPEC.joinpath(*parts[:end])
        yield from (file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file())
