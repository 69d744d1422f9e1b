"""The pages that are generated whole: one a clause, one a module of the law, and their lists."""

from collections.abc import Iterator
from html import escape

from schedule_cli.explain import SEEDS, SHOWN
from schedule_cli.explaining.explanation import Explanation, explanation
from schedule_spec import register
from schedule_spec.register import Clause, Subject

from . import law_source
from .clauses import LEVELS, history, neighbours
from .evidence import evidence
from .evidence_text import evidence_text
from .examples import examples
from .markdown import block, bullets, plain, raw

ORPHAN = "---\norphan: true\n---\n\n"
"""The beginning of a page that is reached from lists and links, so that the side bar stays short."""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name, without suffix, and the Markdown of every generated page."""
    yield "clauses/index", _clause_list()
    for clause in register.CLAUSES:
        yield f"clauses/{clause.id}", clause_page(explanation(clause))
    yield "law/index", _law_list()
    for file in law_source.modules():
        yield f"law/{law_source.page(file)}", _law_page(law_source.page(file), law_source.html(file))


# --- one clause ---


def clause_page(each: Explanation) -> str:
    """Return the page of a clause as Markdown; NoExampleError where no example of it runs."""
    clause = each.clause
    return "\n".join(
        (
            f"{ORPHAN}# {clause.id}\n",
            f"{{.sentence}}\n> {clause.sentence}\n",
            _facts(clause),
            f"## Why\n\n{clause.rationale}\n",
            *_template(each),
            f"## Example\n\n{examples(each)}",
            f"## In the law\n\n{_law(each)}",
            f"## Evidence\n\n{evidence_text(clause.id, evidence()[clause.id])}",
            f"## Related clauses\n\n{_related(each)}",
            f"## Revisions\n\n{_history(clause)}",
            _feet(clause),
        )
    )


def _facts(clause: Clause) -> str:
    area = register.area(clause.area)
    rows = [
        ("Area", f"[{area.name}: {area.title}](../areas/{area.name}.md)"),
        ("Level", f"[{LEVELS[clause.profiles]}](../profiles.md)"),
        ("Shown", SHOWN[clause.subject]),
    ]
    for seed in dict.fromkeys(source.seed for source in clause.sources):
        sections = "; ".join(plain(source.section) for source in clause.sources if source.seed is seed)
        place = f"[{seed}](../glossary.md#{str(seed).lower()})"
        rows.append(("Source", f"{place}, {SEEDS[seed]}: {sections}"))
    if clause.decided:
        rows.append(("Decided here", plain(clause.decided)))
    if clause.reason:
        rows.append(("No case because", plain(clause.reason)))
    if area.preamble:
        rows.append(("Terms", area.preamble))
    return "{.facts}\n" + "".join(f"{name}\n: {text}\n\n" for name, text in rows)


def _template(each: Explanation) -> tuple[str, ...]:
    if each.template is None:
        return ()
    return (f"## The text\n\nWith gaps for what is a reminder's own.\n\n{block(each.template)}",)


def _feet(clause: Clause) -> str:
    before, after = neighbours(clause)
    links = [f"[← {before}]({before}.md)"] if before else []
    links += [f"[{after} →]({after}.md)"] if after else []
    twin = raw(f'<p>For machines: <a href="{clause.id}.json">{clause.id}.json</a></p>')
    return f"---\n\n{' · '.join(links)}\n\n{twin}"


def _law(each: Explanation) -> str:
    if not each.statements:
        return "No function of the law states it; " + (
            "it follows from other clauses.\n"
            if each.clause.subject is Subject.DERIVED
            else "no run can show it.\n"
        )
    parts = []
    for stated in each.statements:
        href = f"../law/{law_source.page_of(stated.file)}.html#L-{stated.line}"
        place = f"{stated.file}:{stated.line}"
        link = f'<a class="reference internal" href="{escape(href)}"><code>{escape(place)}</code></a>'
        kind = str(stated.kind).capitalize()
        parts.append(raw(f'<p class="stated"><strong>{kind}</strong> in {link}</p>'))
        parts.append(block(law_source.stating(stated.file, stated.place, each.clause.id), "python"))
    return "\n".join(parts)


def _related(each: Explanation) -> str:
    parts = []
    if each.clause.implied_by:
        parts.append("A fault here may also be reported under\n")
        parts.append(bullets(f"{id}: {register.clause(id).sentence}" for id in each.clause.implied_by))
    others = [id for id in each.fault_of if id not in each.clause.implied_by]
    if others:
        parts.append(f"Faults of these may be reported under {each.clause.id}: {', '.join(others)}.\n")
    return "\n".join(parts) or "No other clause takes its faults.\n"


def _history(clause: Clause) -> str:
    rows = [
        f"| {number} | `{fingerprint}` |{' the sentence above' if number == clause.revision else ''} |\n"
        for number, fingerprint in enumerate(history(clause), 1)
    ]
    return "| revision | fingerprint of the sentence | |\n|---:|---|---|\n" + "".join(rows)


# --- lists ---


def listed(area: str) -> str:
    """Return the clauses of an area as Markdown: each with its sentence and why."""
    return "".join(
        f"{{.clause}}\n**[{clause.id}](../clauses/{clause.id}.md)** {clause.sentence}\n\n"
        f"{{.why}}\n{clause.rationale}\n\n"
        for clause in register.area(area).clauses
    )


def _clause_list() -> str:
    parts = [
        "# All clauses\n",
        f"The {len(register.CLAUSES)} clauses in reading order. [The matrix](../matrix.md) shows what "
        "stands behind each.\n",
    ]
    for area in register.AREAS:
        parts.append(f"## {area.name}: {area.title}\n")
        parts.append(bullets(f"[{each.id}]({each.id}.md): {each.sentence}" for each in area.clauses))
    return "\n".join(parts)


def _law_list() -> str:
    names = [law_source.page(file) for file in law_source.modules()]
    items = bullets(f"[{name}]({name}.md)" for name in names)
    return (
        "# The law's source\n\nThe modules that the pages of the clauses point into, as they ran when this "
        "site was built. The register of the clauses itself is left out: its contents are those pages.\n\n"
        f"{items}"
    )


def _law_page(name: str, html: str) -> str:
    return f"{ORPHAN}# {name}\n\n{raw(html)}"
