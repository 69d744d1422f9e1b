"""Examples laid out as Markdown."""

from collections.abc import Iterable

from schedule_cli.explaining.explanation import Explanation
from schedule_cli.explaining.parts import Listing, Part, Said, Steps, Table

from .markdown import block, indented, prose


def examples(each: Explanation) -> str:
    """Return all examples of a clause."""
    told = [f"**{example.kind}.** {parts(example.parts)}" for example in (*each.kept, *each.broken)]
    if each.unbroken:
        told.append(f"**Not broken by an answer.** {prose(each.unbroken)}\n")
    return "\n".join(["Run on the law when this page was built.\n", *told])


def parts(told: Iterable[Part]) -> str:
    """Return parts of an example one after the other; the first may continue a line."""
    first, *rest = told
    begun = _part(first) if isinstance(first, str) else f"\n\n{_part(first)}"
    return "\n".join([begun, *map(_part, rest)])


def _part(part: Part) -> str:
    match part:
        case str():
            return f"{prose(part)}\n"
        case Listing():
            return _listing(part)
        case Table():
            return _table(part)
        case Steps():
            return _steps(part)


def _listing(listing: Listing) -> str:
    label = f"{{.label}}\n{prose(listing.label)}\n\n" if listing.label else ""
    return f"{label}{block(listing.text, listing.language)}"


def _table(table: Table) -> str:
    rules = ("---:" if place in table.numbers else "---" for place in range(len(table.heads)))
    rows = (map(prose, table.heads), rules, *(map(prose, row) for row in table.rows))
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _steps(told: Steps) -> str:
    """Return a story as a numbered list: what is asked, and under it what is seen."""
    items = []
    for number, step in enumerate(told.steps, 1):
        margin = " " * len(f"{number}. ")
        lines = [f"{number}. {indented(_said(step.asked), margin)}"]
        lines += [f"{margin}- {indented(_said(seen), margin + '  ')}" for seen in step.seen]
        items.append("\n".join(lines))
    return "\n".join(items) + "\n"


def _said(said: Said) -> str:
    return f"{prose(said.words)}\n{_listing(said.listing)}" if said.listing else prose(said.words)
