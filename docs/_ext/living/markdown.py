"""Writing Markdown: text that stays what it is, whatever characters it holds."""

import re
from collections.abc import Iterable

from schedule_conformance.protocol.visible_text import visible

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|$~])")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")


def plain(text: str) -> str:
    """Return Markdown that shows a text as it is."""
    return _SPECIAL.sub(r"\\\1", visible(text).replace("\n", " "))


def prose(text: str) -> str:
    """Return Markdown that shows words: code spans as such, all else as it is."""
    pieces = _CODE_SPAN.split(text)
    spans = [match.group() for match in _CODE_SPAN.finditer(text)]
    return "".join(f"{plain(piece)}{span}" for piece, span in zip(pieces[::3], [*spans, ""], strict=True))


def block(text: str, language: str = "text") -> str:
    """Return a code block."""
    shown = visible(text)
    ticks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    return f"{ticks}{{code-block}} {language}\n{shown}\n{ticks}\n"


def raw(html: str) -> str:
    """Return HTML that is taken as it is."""
    ticks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", html)), default=0))
    return f"{ticks}{{raw}} html\n{html}\n{ticks}\n"


def indented(text: str, margin: str) -> str:
    """Return a text with every line but the first moved to the right."""
    first, *rest = text.splitlines()
    return "\n".join([first, *(margin + line if line else "" for line in rest)])


def bullets(items: Iterable[str]) -> str:
    """Return a list of items, each of any number of lines."""
    return "".join(f"- {indented(item, '  ')}\n" for item in items)
