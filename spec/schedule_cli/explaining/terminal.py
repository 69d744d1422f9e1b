"""Examples laid out for a terminal: lines of at most so many characters, in which nothing is lost."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from schedule_cli.explaining.parts import Listing, Part, Said, Steps, Table
from schedule_cli.output import printable

STEP = 2
"""Columns by which what belongs to something stands further in."""


def lines(parts: Sequence[Part], room: int) -> Iterator[str]:
    """Yield the lines of parts, an empty one between two of them, in `room` characters where words allow."""
    for place, part in enumerate(parts):
        if place > 0:
            yield ""
        yield from _part(part, room)


def _part(part: Part, room: int) -> Iterator[str]:
    match part:
        case str():
            yield from _filled(part, room)
        case Listing():
            yield from _listing(part, room)
        case Table():
            yield from _table(part)
        case Steps():
            for number, step in enumerate(part.steps, 1):
                mark = f"{number}. "
                yield from _said(step.asked, mark, room)
                for seen in step.seen:
                    yield from _said(seen, f"{' ' * len(mark)}- ", room)


def _said(said: Said, mark: str, room: int) -> Iterator[str]:
    margin = " " * len(mark)
    yield from _filled(f"{mark}{said.words}", room, margin)
    if said.listing:
        yield from (f"{margin}{line}" for line in _listing(said.listing, room - len(margin)))


def _listing(listing: Listing, room: int) -> Iterator[str]:
    if listing.label:
        yield from _filled(f"{listing.label}:", room)
    for line in listing.text.split("\n"):
        inner = " " * (STEP + len(line) - len(line.lstrip(" ")))
        yield from _filled(f"{inner}{line.lstrip(' ')}", room, f"{inner}  ")


def _table(table: Table) -> Iterator[str]:
    rows = [tuple(map(printable, row)) for row in (table.heads, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.rjust(width) if place in table.numbers else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield f"{' ' * STEP}{'  '.join(cells)}".rstrip()


def _filled(text: str, room: int, margin: str = "") -> list[str]:
    """Return a text in lines of at most `room` characters, all but the first with a margin before them."""
    inner = max(room, 20 + len(margin))
    return wrap(printable(text), inner, subsequent_indent=margin, break_on_hyphens=False) or [""]
