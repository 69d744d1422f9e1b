"""The matrix of all clauses: what stands behind each, at a glance."""

from schedule_cli.explaining.explanation import explanation
from schedule_conformance.evidence import Missing
from schedule_spec import register
from schedule_spec.register import Clause

from .evidence import STRENGTHS, Evidence, evidence

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


OF_WORDS = ("clause", "shown", "proof")
"""The columns that hold words."""


def matrix() -> str:
    """Return the matrix of all clauses as HTML: a row a clause, what must be there and is not marked."""
    heads = "".join(f'<th scope="col" class="{_kind(name)}">{name}</th>' for name in COLUMNS)
    rows = "".join(_row(clause, evidence()[clause.id]) for clause in register.CLAUSES)
    return (
        '<p class="hint">The table goes on to the right: push it aside.</p>'
        '<div class="matrix-scroll" tabindex="0" role="region" aria-label="All clauses">'
        '<table class="matrix">'
        "<caption>All clauses, and what stands behind each</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _kind(column: str) -> str:
    return "words" if column in OF_WORDS else "number"


def _row(clause: Clause, found: Evidence) -> str:
    missing = set(found.kept.holes)
    unstated = not missing.isdisjoint((Missing.LAW, Missing.CONTRACT))
    uncaught = not missing.isdisjoint((Missing.SABOTEUR, Missing.UNCAUGHT))
    cases = (
        sum(case.accepts is True for case in found.vectors),
        sum(case.accepts is False for case in found.vectors),
        len(found.traces),
    )
    cells = (
        f"<td>{clause.subject}</td>",
        _count(len(explanation(clause).statements), unstated),
        *(_count(count, Missing.CASE in missing) for count in cases),
        _count(len(found.kept.checks), Missing.CHECK in missing),
        _strongest(found, not missing.isdisjoint((Missing.DERIVATION, Missing.REASON))),
        _count(len(found.kept.caught), uncaught),
    )
    name = f'<th scope="row"><a href="clauses/{clause.id}.html">{clause.id}</a></th>'
    begins = ' class="first"' if clause is register.area(clause.area).clauses[0] else ""
    return f"<tr{begins}>{name}{''.join(cells)}</tr>"


def _count(count: int, hole: bool) -> str:
    if hole:
        return '<td class="hole" data-sort="-1">hole</td>'
    return f'<td class="number" data-sort="{count}">{count or "·"}</td>'


def _strongest(found: Evidence, hole: bool) -> str:
    if hole:
        return _count(0, hole)
    if not found.proofs:
        return '<td data-sort="0">·</td>'
    strongest = found.proofs[0].verdict
    return f'<td data-sort="{len(STRENGTHS) - STRENGTHS.index(strongest)}">{strongest}</td>'


def totals() -> str:
    """Return in a few sentences, as Markdown, what the matrix holds."""
    missing = [id for id, found in evidence().items() if found.kept.holes]
    listed = (
        f" in {', '.join(missing)}"
        if 0 < len(missing) <= MOST_NAMED
        else f": {len(missing)} clauses have one"
    )
    return f"{len(evidence())} clauses; {f'holes{listed}' if missing else 'no holes'}.\n"


def standing() -> str:
    """Return in a line, as Markdown, how much of everything stands behind the clauses."""
    every = evidence().values()
    cases = {case.id: case for found in every for case in (*found.vectors, *found.traces)}
    lived = sum(case.accepts is None for case in cases.values())
    proofs = {proof.id for found in every for proof in found.proofs}
    saboteurs = {each.name: each.caught for found in every for each in found.kept.saboteurs}
    caught = sum(catch is not None for catch in saboteurs.values())
    counts = (
        f"**{len(register.CLAUSES)}** clauses in {len(register.AREAS)} areas",
        f"**{len(cases) - lived:,}** frozen requests",
        f"**{lived}** frozen sessions",
        f"**{len(proofs)}** proof obligations",
        f"**{caught}** of {len(saboteurs)} broken implementations caught",
    )
    return f"{{.standing}}\n{' · '.join(counts)}\n"
