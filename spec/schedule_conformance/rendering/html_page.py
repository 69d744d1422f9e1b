"""A run's report as one HTML page that needs nothing else: no network, no fonts, and no script to be read.

The verdict first, then each broken clause as it is told everywhere, then the clauses, the checks, what random
worlds came through, and the circumstances of the run. A small script filters and sorts the clauses where it
may run. Whatever an implementation says is escaped, and a policy in the page forbids all that it does not
bring itself. Reads two files of this package; the same report gives the same page.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from html import escape
from importlib.resources import files

from schedule_conformance.protocol.visible_text import visible
from schedule_conformance.rendering import telling
from schedule_conformance.rendering.telling import Told
from schedule_conformance.runs.reports import (
    Area,
    ClauseCount,
    Group,
    Report,
    Standing,
    Verdict,
    areas,
    groups,
    verdict_sentence,
)
from schedule_conformance.runs.results import Counts, Result
from schedule_spec import register

WORDS = {
    Verdict.CONFORMANT: "Conformant",
    Verdict.VIOLATED: "Not conformant",
    Verdict.UNJUDGED: "Could not judge",
    Verdict.STALE: "The ledger is stale",
}
"""The verdicts in the page's title."""

FIGURES = ("cases", "passed", "failed", "known", "unsupported")
"""The columns of figures that clauses and checks have alike."""

LISTED = 100
"""Checks that are listed by id below a broken clause; of more the number is said."""


def page(report: Report) -> str:
    """Return the report as a page, to be written as UTF-8."""
    style, script = _own_file("html_page.css"), _own_file("html_page.js")
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    who = report.circumstances.implementation
    name = f"{who.name} {who.version}".strip()
    sections = [each for each in _sections(report) if each]
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="generator" content="schedule-spec {_text(report.circumstances.suite)}">
<title>{_text(name)}: {WORDS[report.verdict]} · Schedule, version 1</title>
<style>{style}</style>
</head>
<body>
<header>
<p class="muted">Conformance to the session-local Schedule, version 1</p>
<h1>{_text(name)}</h1>
<p class="verdict {report.verdict}">{_text(verdict_sentence(report))}</p>
{_figures(report.counts)}
<nav aria-label="Sections"><ul>
{"".join(f'<li><a href="#{anchor}">{title}</a></li>' for anchor, title, _ in sections)}
</ul></nav>
</header>
<main>
{"".join(_section(*each) for each in sections)}
</main>
<script>{script}</script>
</body>
</html>
"""


Section = tuple[str, str, str]
"""A section's anchor, its heading, and its content."""


def _sections(report: Report) -> Iterator[Section | None]:
    yield _broken(report)
    yield _unjudged(report)
    yield _stale(report)
    yield _known(report)
    yield "clauses", "Clauses", _clauses(report)
    yield "checks", "Checks", _checks(report)
    yield _situations(report)
    yield _reach(report)
    yield "run", "The run", _circumstances(report)


def _section(anchor: str, title: str, content: str) -> str:
    heading = f'<h2 id="{anchor}-h">{title}</h2>'
    return f'<section id="{anchor}" aria-labelledby="{anchor}-h">\n{heading}\n{content}\n</section>\n'


def _own_file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"


def _text(text: object) -> str:
    """Escape what is to stand in text or in a quoted attribute."""
    return escape(visible(str(text)), quote=True)


def _sentence(clause: str) -> str:
    """A clause's sentence, with what it quotes as code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", _text(register.clause(clause).sentence))


def _number(figure: int) -> str:
    return f"{figure:,}"


def _list(pairs: Iterable[tuple[str, str]], kind: str) -> str:
    """A description list; the values are HTML already."""
    items = "\n".join(f"<dt>{_text(term)}</dt><dd>{value}</dd>" for term, value in pairs)
    return f'<dl class="{kind}">\n{items}\n</dl>'


def _figures(counts: Counts) -> str:
    figures = [
        ("cases", counts.executed),
        ("passed", counts.passed),
        ("failed", counts.failed),
        ("known failures", counts.known),
        ("unsupported", counts.unsupported),
        ("left out", counts.left_out),
        ("commands in worlds", counts.commands),
    ]
    marked = {"failed": " class=bad", "known failures": " class=doubt"}
    items = "\n".join(
        f"<div{marked.get(term, '') if figure else ''}><dt>{term}</dt><dd>{_number(figure)}</dd></div>"
        for term, figure in figures
    )
    return f'<dl class="figures">\n{items}\n</dl>'


# What is wrong


def _broken(report: Report) -> Section | None:
    absent = [
        f'<article><h3>{_text(feature)}</h3><p class="fault">missing</p>'
        "<p>An implementation without this core feature can't be held to the specification.</p></article>"
        for feature in report.absent
    ]
    told = [_article(each, report.results) for each in telling.leading(report)]
    if not told and not absent:
        return None
    intro = (
        "<p>Of each clause the smallest case that was found. "
        "What is not plainly visible in a text is escaped.</p>"
    )
    return "broken", "Broken clauses", "\n".join([intro, *absent, *told])


def _article(told: Told, results: Iterable[Result]) -> str:
    rows = "\n".join(
        f'<dt>{_text(heading)}</dt><dd class="{_text(heading)}"><pre>{_text(chr(10).join(lines))}</pre></dd>'
        for heading, lines in told.rows
    )
    return (
        f'<article id="broken-{_text(told.clause)}">\n'
        f'<h3 class="id">{_text(told.clause)}</h3>\n<p class="fault">{_text(told.fault)}</p>\n'
        f'<p>{_sentence(told.clause)}</p>\n<dl class="told">\n{rows}\n</dl>\n'
        f"{_met_in(told.clause, results)}</article>"
    )


def _met_in(clause: str, results: Iterable[Result]) -> str:
    checks = [
        (result.check, sum(met.times for met in result.met if met.clause == clause and not met.known))
        for result in results
    ]
    broken = [(check, times) for check, times in checks if times]
    if not broken:
        return ""
    items = [f'<li class="id">{_text(check)}: {_number(times)}</li>' for check, times in broken[:LISTED]]
    if len(broken) > LISTED:
        items.append(f"<li>and {_number(len(broken) - LISTED)} more checks</li>")
    count = f"{_number(len(broken))} checks broke it" if len(broken) > 1 else "1 check broke it"
    return f"<details><summary>{count}</summary><ul>{''.join(items)}</ul></details>\n"


def _unjudged(report: Report) -> Section | None:
    clauses = [
        f"No generated case was rejected under <code>{_text(each)}</code> alone." for each in report.unreached
    ]
    worlds = [
        f"{_text(each.situation.name)}: random worlds came through it {_number(each.count)} times, "
        f"of at least {_number(each.floor)}."
        for each in report.situations
        if each.missed
    ]
    if not clauses and not worlds:
        return None
    items = "".join(f"<li>{line}</li>" for line in [*clauses, *worlds])
    return (
        "unreached",
        "Not reached",
        f"<p>What the run had to reach to say anything, and did not.</p><ul>{items}</ul>",
    )


def _stale(report: Report) -> Section | None:
    if not report.stale:
        return None
    items = "".join(
        f'<li><span class="id">{_text(each.entry.id)}</span>: {_text(each.why)}</li>' for each in report.stale
    )
    return "stale", "Stale entries of the ledger", f"<ul>{items}</ul>"


def _known(report: Report) -> Section | None:
    rows = [
        f'<tr><th scope="row" class="id">{_text(result.check)}</th>'
        f'<td class="id words">{_text(met.clause)}</td>'
        f'<td class="words">{_text(met.fault)}</td>{_figure(met.times)}</tr>'
        for result in report.results
        for met in result.met
        if met.known
    ]
    if not rows:
        return None
    head = _head("check", "clause", "fault", "times", words=("clause", "fault"))
    return (
        "known",
        "Known failures",
        _table("known", "Failures that the ledger expects", head, f"<tbody>{''.join(rows)}</tbody>"),
    )


# Tables


def _table(anchor: str, caption: str, head: str, bodies: str) -> str:
    """A table that scrolls by itself where the page is narrow, from the keyboard too."""
    return (
        f'<div class="scroll" role="region" aria-labelledby="{anchor}-caption" tabindex="0">\n'
        f'<table id="{anchor}-table">\n<caption id="{anchor}-caption"><span>{caption}</span></caption>\n'
        f"<thead>{head}</thead>\n{bodies}\n</table>\n</div>"
    )


def _head(*headings: str, words: tuple[str, ...] = ()) -> str:
    cells = (
        f'<th scope="col"{" class=words" if heading in words else ""}>{heading}</th>' for heading in headings
    )
    return f"<tr>{''.join(cells)}</tr>"


def _figure(figure: int) -> str:
    """A cell with a number; a zero is there for the order, and shown as next to nothing."""
    shown = _number(figure) if figure else '<span class="zero">·</span>'
    return f'<td data-figure="{figure}">{shown}</td>'


def _cells(cases: int, counts: Counts) -> str:
    figures = (cases, counts.passed, counts.failed, counts.known, counts.unsupported)
    return "".join(_figure(figure) for figure in figures)


COLOURS = {Standing.BROKEN: " class=bad", Standing.KNOWN: " class=doubt"}
"""The attribute of a line that stands out."""

FILTERS = {
    "all": "all",
    Standing.BROKEN: "broken",
    Standing.KNOWN: "broken, and known",
    Standing.HELD: "held",
    Standing.UNSUPPORTED: "unsupported",
    Standing.NOT_TRIED: "not tried",
}
"""What the clauses can be filtered by, and how it is called."""


def _clauses(report: Report) -> str:
    options = "".join(f'<option value="{value}">{name}</option>' for value, name in FILTERS.items())
    controls = (
        '<div class="controls" id="clause-controls" hidden>\n'
        '<label>Words <input type="search" id="clause-words" autocomplete="off"></label>\n'
        f'<label>Show <select id="clause-standing">{options}</select></label>\n'
        '<span class="muted" id="clause-shown" role="status"></span>\n</div>\n'
    )
    caption = "Each clause with its cases; a case counts under every clause that it puts to the test"
    head = _head("clause", *FIGURES, "remark", words=("remark",))
    return controls + _table("clause", caption, head, "\n".join(map(_area_body, areas(report.clauses))))


def _area_body(area: Area) -> str:
    heading = f"{_text(area.name)}: {_text(register.area(area.name).title)}"
    lines = "\n".join(map(_clause_row, area.clauses))
    first = f'<tr><th scope="rowgroup" colspan="{len(FIGURES) + 2}">{heading}</th></tr>'
    return f"<tbody>\n{first}\n{lines}\n</tbody>"


def _clause_row(row: ClauseCount) -> str:
    name = _text(row.clause).replace(".", ".<wbr>")
    return (
        f'<tr data-standing="{row.standing}"{COLOURS.get(row.standing, "")}><th scope="row">'
        f'<details><summary class="id">{name}</summary><p>{_sentence(row.clause)}</p></details></th>'
        f'{_cells(row.cases, row.counts)}<td class="words">{_text(row.remark)}</td></tr>'
    )


def _checks(report: Report) -> str:
    head = _head("check", *FIGURES, "left out", "commands", "seconds")
    caption = "What was tried; in worlds a case is a whole world of many commands"
    rows = "\n".join(map(_check_row, groups(report.results)))
    return _table("check", caption, head, f"<tbody>\n{rows}\n</tbody>")


def _check_row(group: Group) -> str:
    counts = group.counts
    colour = COLOURS[Standing.BROKEN] if counts.failed else COLOURS[Standing.KNOWN] if counts.known else ""
    return (
        f'<tr{colour}><th scope="row">{_text(group.title)}</th>{_cells(counts.executed, counts)}'
        f"{_figure(counts.left_out)}{_figure(counts.commands)}<td>{group.seconds:.1f}</td></tr>"
    )


def _situations(report: Report) -> Section | None:
    if not report.situations:
        return None
    rows = "".join(
        f"<tr{COLOURS[Standing.BROKEN] if each.missed else ''}>"
        f'<th scope="row">{_text(each.situation.name)}</th>'
        f"{_figure(each.count)}{_figure(each.floor)}</tr>"
        for each in report.situations
    )
    caption = "What random worlds came through, and how often they had to"
    content = _table("situation", caption, _head("situation", "times", "at least"), f"<tbody>{rows}</tbody>")
    return "situations", "Situations", content


def _reach(report: Report) -> Section | None:
    if not report.reached:
        return None
    rows = "".join(
        f"<tr{COLOURS[Standing.BROKEN] if clause in report.unreached else ''}>"
        f'<th scope="row" class="id">{_text(clause)}</th>{_figure(count)}</tr>'
        for clause, count in report.reached
    )
    caption = "How often the law rejected a generated case under this clause alone"
    table = _table("reach", caption, _head("clause", "times"), f"<tbody>{rows}</tbody>")
    return (
        "reach",
        "Reach",
        f"<details><summary>{len(report.reached)} clauses that can reject</summary>{table}</details>",
    )


def _circumstances(report: Report) -> str:
    of, who = report.circumstances, report.circumstances.implementation
    facts = [
        ("suite", f"schedule-spec {_text(of.suite)}"),
        ("implementation", f"{_text(who.name)} {_text(who.version)}"),
        ("language", _text(who.language)),
        ("driven as", f"<code>{_text(of.sut)}</code>"),
        ("level", _text(who.profile)),
        ("features", _text(", ".join(sorted(who.features)))),
        ("observes", _text(", ".join(who.observes) or "nothing")),
        ("zone data", _text(who.tzdata or "it names no release")),
        ("seed", f"<code>{of.seed}</code>"),
        ("profile", _text(of.budget)),
        ("narrowed to", _text(", ".join(sorted(of.only)) or "nothing: all clauses")),
        ("time", f"{report.seconds:.1f} s{f'. {_text(report.stopped)}' if report.stopped else ''}"),
    ]
    return _list(facts, "facts")
