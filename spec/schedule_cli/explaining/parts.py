"""What an example is made of, before it is laid out for a page or a terminal.

Words are plain text in which only code spans (between backticks) are marked up.
"""

import re
from dataclasses import dataclass

from schedule_conformance.protocol.visible_text import visible


@dataclass(frozen=True, slots=True)
class Listing:
    """A text to the letter, with the language it is in, and what it is (`asked`, `answered`; often empty)."""

    text: str
    language: str = "text"
    label: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table; its cells are words. The columns in `numbers` hold numbers."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """Words, and the text that they introduce."""

    words: str
    listing: Listing | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a story: what is asked, and what is then seen."""

    asked: Said
    seen: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """A story, step by step."""

    steps: tuple[Step, ...]


Part = str | Listing | Table | Steps
"""A paragraph of words, or one of the others."""


def code(text: str) -> str:
    """Return a code span of one line; what is not plainly visible is shown escaped."""
    shown = visible(text).replace("\n", " ")
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"
