"""Code on built pages: the lines of blocks wrap under their own indent; instants and options stay whole.

Works on the HTML of a page, since how code is coloured is not known before. No text changes.
"""

import re
from typing import Any

WRAPPED = ("default", "go", "json", "none", "python", "text")
"""The languages whose lines may wrap; what a command prints stands in columns and may not."""

_BLOCK = re.compile(
    rf'(<div class="highlight-(?:{"|".join(WRAPPED)}) notranslate"><div class="highlight"><pre>)'
    r"(.*?)(</pre>)",
    re.DOTALL,
)
_OPTION = re.compile(r'<span class="pre">(?=--[a-z])')
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def wrap(_app: object, _page: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """Make the code of a page wrap where it may."""
    body = context.get("body")
    if isinstance(body, str):
        context["body"] = wrapped(body)


def wrapped(html: str) -> str:
    """Return the HTML of a page in which code wraps where it may."""
    marked = _OPTION.sub('<span class="pre option">', html)
    return _BLOCK.sub(lambda found: f"{found[1]}{_lines(found[2])}{found[3]}", marked)


def _lines(code: str) -> str:
    whole = _INSTANT.sub(lambda found: f'<span class="whole">{found[0]}</span>', code)
    return "".join(map(_line, whole.removeprefix("<span></span>").splitlines(keepends=True)))


def _line(line: str) -> str:
    bare = re.sub(r"<[^>]*>", "", line)
    indent = len(bare) - len(bare.lstrip(" "))
    return f'<span class="line" style="--indent: {indent}">{line}</span>'
