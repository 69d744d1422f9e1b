"""Writing Markdown: text that stays what it is, whatever characters it holds."""

import json
import re
from collections.abc import Iterable

from schedule_conformance.visible_text import visible

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|$~])")


def plain(text: str) -> str:
    """Return Markdown that shows a text as it is."""
    return _SPECIAL.sub(r"\\\1", visible(text).replace("\n", " "))


def code(text: str) -> str:
    """Return a code span of one line; what is not plainly visible is shown escaped."""
    shown = visible(text).replace("\n", " ")
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def block(text: str, language: str = "text") -> str:
    """Return a code block."""
    shown = visible(text)
    ticks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    return f"{ticks}{{code-block}} {language}\n{shown}\n{ticks}\n"


def raw(html: str) -> str:
    """Return HTML that is taken as it is."""
    ticks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", html)), default=0))
    return f"{ticks}{{raw}} html\n{html}\n{ticks}\n"


def json_text(value: object) -> str:
    """Return JSON in ASCII on one line."""
    return json.dumps(value)


def json_lines(value: object, width: int = 88) -> str:
    """Return JSON in ASCII, with each object or list on one line where it fits."""
    return _laid_out(value, "", width)


def _laid_out(value: object, margin: str, width: int) -> str:
    line = json.dumps(value)
    if len(margin) + len(line) <= width or not isinstance(value, (dict, list)) or not value:
        return line
    inner = margin + "  "
    if isinstance(value, dict):
        parts = [f"{inner}{json.dumps(key)}: {_laid_out(each, inner, width)}" for key, each in value.items()]
        return "{\n" + ",\n".join(parts) + f"\n{margin}}}"
    return "[\n" + ",\n".join(inner + _laid_out(each, inner, width) for each in value) + f"\n{margin}]"


def indented(text: str, margin: str) -> str:
    """Return a text with every line but the first moved to the right."""
    first, *rest = text.splitlines()
    return "\n".join([first, *(margin + line if line else "" for line in rest)])


def bullets(items: Iterable[str]) -> str:
    """Return a list of items, each of any number of lines."""
    return "".join(f"- {indented(item, '  ')}\n" for item in items)
