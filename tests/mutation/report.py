"""Telling of a run: the line of progress, and the table of scores."""

import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TextIO

COLUMNS = ("killed", "timeout", "argued", "survived", "unreached", "crashed")
EVERY = 5.0
"""Seconds between two lines of progress where there is no terminal."""


def say(text: str = "", stream: TextIO | None = None, end: str = "\n") -> None:
    """Write a line at once, to standard output where no other stream is given."""
    stream = stream or sys.stdout
    stream.write(text + end)
    stream.flush()


def table(title: str, statuses: Iterable[tuple[str, str]]) -> str:
    """Return the table of scores: `statuses` tells of each mutant its module and a name of `COLUMNS`.

    The score is the share that was killed, or ran out of time.
    """
    rows: dict[str, Counter[str]] = {}
    for module, status in statuses:
        rows.setdefault(module, Counter())[status] += 1
    rows["all"] = sum(rows.values(), Counter())
    width = max(map(len, [title, *rows]))
    head = f"{title:{width}}  mutants  " + "  ".join(f"{name:>9}" for name in COLUMNS) + "   score"
    return "\n".join([head, *(f"{name:{width}}  {_row(row)}" for name, row in rows.items())])


def _row(row: Mapping[str, int]) -> str:
    total = sum(row.values())
    counts = "  ".join(f"{row.get(column, 0):9}" for column in COLUMNS)
    return f"{total:7}  {counts}  {(row.get('killed', 0) + row.get('timeout', 0)) / (total or 1):6.1%}"


class Progress:
    """A line that is rewritten on a terminal, and elsewhere a line now and then."""

    def __init__(self, whole: int, stream: TextIO = sys.stderr) -> None:
        self._whole = whole
        self._stream = stream
        self._terminal = stream.isatty()
        self._told = time.monotonic()

    def tell(self, number: int, text: str) -> None:
        """Tell that so many are done, and what else there is to tell of them."""
        now = time.monotonic()
        last = number == self._whole
        if not last and now - self._told < (0.2 if self._terminal else EVERY):
            return
        self._told = now
        text = f"{number}/{self._whole}  {text}"
        if self._terminal:
            say(f"\r\x1b[K{text}", self._stream, end="\n" if last else "")
        else:
            say(text, self._stream)
