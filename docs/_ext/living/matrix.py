"""The matrix of all clauses: what stands behind each, at a glance."""

from .clauses import Told, told
from .evidence import STRENGTHS, Evidence, evidence, evidence_file, holes

MOST_NAMED = 12
"""Clauses with holes that are named above the matrix; if there are more, they are counted."""

COLUMNS = (
    "clause",
    "shown",
    "in the law",
    "accepted",
    "refused",
    "live",
    "checks",
    "proof",
    "saboteurs",
)


def matrix() -> str:
    """Return the matrix of all clauses as HTML: a row a clause, what must be there and is not marked."""
    heads = "".join(f'<th scope="col">{name}</th>' for name in COLUMNS)
    rows = "".join(_row(each, evidence()[each.clause.id]) for each in told())
    return (
        '<div class="matrix-scroll" tabindex="0" role="region" aria-label="All clauses">'
        '<table class="matrix">'
        "<caption>All clauses, and what stands behind each</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(each: Told, found: Evidence) -> str:
    clause, missing = each.clause, holes(found, each.clause)
    case_missing = "case" in missing
    cells = (
        f"<td>{clause.subject}</td>",
        _count(len(found.statements), "statement" in missing),
        _count(sum(case.accepts is True for case in found.vectors), case_missing),
        _count(sum(case.accepts is False for case in found.vectors), case_missing),
        _count(len(found.traces), case_missing),
        _unknown() if found.measured is None else _count(len(found.measured["checks"]), "check" in missing),
        _strongest(found),
        _unknown() if found.saboteurs is None else _count(len(found.saboteurs), "saboteur" in missing),
    )
    name = f'<th scope="row"><a href="clauses/{clause.id}.html">{clause.id}</a></th>'
    return f"<tr>{name}{''.join(cells)}</tr>"


def _count(count: int, hole: bool) -> str:
    if hole:
        return '<td class="hole" data-sort="-1">hole</td>'
    return f'<td class="number" data-sort="{count}">{count or "·"}</td>'


def _unknown() -> str:
    return '<td class="number" data-sort="-2">–</td>'


def _strongest(found: Evidence) -> str:
    if found.proofs is None:
        return _unknown()
    if not found.proofs:
        return '<td data-sort="0">·</td>'
    strongest = found.proofs[0].verdict
    return f'<td data-sort="{len(STRENGTHS) - STRENGTHS.index(strongest)}">{strongest}</td>'


def totals() -> str:
    """Return in a few sentences, as Markdown, what the matrix holds and which part is not in this build."""
    every = [(each.clause, evidence()[each.clause.id]) for each in told()]
    missing = [clause.id for clause, found in every if holes(found, clause)]
    listed = (
        f" in {', '.join(missing)}"
        if 0 < len(missing) <= MOST_NAMED
        else f": {len(missing)} clauses have one"
    )
    first = f"{len(every)} clauses; {f'holes{listed}' if missing else 'no holes'}."
    absent = [
        words
        for words, known in (
            ("the registry of saboteurs", every[0][1].saboteurs is not None),
            ("the ledger of proofs", every[0][1].proofs is not None),
            ("the evidence file", evidence_file() is not None),
        )
        if not known
    ]
    return f"{first} Not in this build: {', '.join(absent)}.\n" if absent else f"{first}\n"
