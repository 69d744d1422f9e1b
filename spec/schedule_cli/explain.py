"""The command `explain`: all that is known of a clause.

With `--json` it prints one object, `{"clauses": […]}`. A clause has the keys that it has under `clauses`, and
also `stated_by` (of `kind`, `place`, `file`, `line` and `words`), `fault_of` (the clauses whose faults may be
reported under it), `template` (the text that it prescribes), `kept` and `broken` (examples, each with the
requests and replies that it consists of), and `unbroken` (why no example breaks it). What is absent is null.
Keys may be added; none changes its meaning.
"""

from collections.abc import Sequence
from textwrap import fill

import click

from schedule_cli.clauses import described, heading
from schedule_cli.explaining.explanation import Example, Explanation, explanation
from schedule_cli.explaining.parts import Listing, Part
from schedule_cli.explaining.terminal import lines
from schedule_cli.output import near, print_json, width
from schedule_spec import register
from schedule_spec.register import Area, Clause, Seed, Status, Subject

SHOWN = {
    Subject.PURE: "by pure commands: values in, a value out",
    Subject.LOG: "by folding a session's log",
    Subject.LIVE: "by a live session under virtual time",
    Subject.DERIVED: "by no case of its own, but by properties: it follows from other clauses",
    Subject.MEANING: "by no run: it says what something means",
    Subject.SCOPE: "by no run: it lies outside what an adapter can show",
}
SEEDS = {
    Seed.S1: "the subsystem page, with after, at and every",
    Seed.S2: "the README of the reference's package, version 0.1.1-rc.2",
    Seed.S3: "the earlier subsystem page, with after alone",
}
"""What the three documents are that the clauses restate."""

LABEL = 14
MARGIN = 4


@click.command()
@click.argument("targets", nargs=-1, required=True, metavar="CLAUSE...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def explain(targets: tuple[str, ...], as_json: bool) -> None:
    """Explain clauses, or every clause of an area.

    CLAUSE is the id of a clause (`rate.next`) or the name of an area (`rate`, or `rate.*`). Of a clause it
    tells the sentence, why it is so, where it comes from, where the law states it, what is related to it, and
    examples that are run now: one that keeps it, and one that breaks it.
    """
    named = [_named(target) for target in targets]
    if as_json:
        chosen = [each for one in named for each in (one.clauses if isinstance(one, Area) else (one,))]
        print_json({"clauses": [explained(explanation(each)) for each in chosen]})
        return
    for position, one in enumerate(named):
        if position > 0:
            click.echo()
        if isinstance(one, Area):
            _print_area(one)
        else:
            _print_clause(explanation(one))


def explained(each: Explanation) -> dict[str, object]:
    """Return what `--json` prints of a clause."""
    return described(each.clause) | {
        "stated_by": [
            {
                "kind": stated.kind,
                "place": stated.place,
                "file": stated.file,
                "line": stated.line,
                "words": stated.words,
            }
            for stated in each.statements
        ],
        "fault_of": each.fault_of,
        "template": each.template,
        "kept": [dict(example.data) | {"kind": example.kind} for example in each.kept],
        "broken": [dict(example.data) for example in each.broken],
        "unbroken": each.unbroken,
    }


def _named(target: str) -> Area | Clause:
    """Return the clause or area of that name; UsageError where there is none."""
    known: dict[str, Area | Clause] = {area.name: area for area in register.AREAS}
    known |= {f"{area.name}.*": area for area in register.AREAS}
    known |= {clause.id: clause for clause in register.CLAUSES}
    if target not in known:
        names = [name for name in known if not name.endswith(".*")]
        hint = near(target.removesuffix(".*"), names)
        raise click.UsageError(f"There is no clause or area {target!r}.{hint}")
    return known[target]


def _print_area(area: Area) -> None:
    click.secho(heading(area), bold=True)
    if area.preamble:
        click.echo("\n" + fill(area.preamble, width()))
    for clause in area.clauses:
        click.echo()
        click.secho(clause.id, bold=True)
        click.echo(_indented(clause.sentence, 2))
    click.echo("\n" + fill(f"`schedule-spec explain {area.clauses[0].id}` says more of one clause.", width()))


def _print_clause(each: Explanation) -> None:
    clause, area = each.clause, register.area(each.clause.area)
    click.secho(clause.id, bold=True, nl=False)
    click.echo(f" (of {heading(area)})\n")
    click.echo(_indented(clause.sentence, 2) + "\n")
    _row("Why", clause.rationale)
    for source in clause.sources:
        _row("Source", f"{source.seed}, {source.section}")
    for seed in sorted({source.seed for source in clause.sources}):
        _row("", f"{seed} is {SEEDS[seed]}.")
    if clause.decided:
        _row("Decided here", clause.decided)
    _row("Profile", " and ".join(clause.profiles))
    _row("Shown", SHOWN[clause.subject])
    if clause.reason:
        _row("", clause.reason)
    _row("Related", f"a fault may also be reported under {', '.join(clause.implied_by)}")
    others = [id for id in each.fault_of if id not in clause.implied_by]
    if others:
        _row("", f"and under it faults of {', '.join(others)}")
    _row("Revision", f"{clause.revision}, fingerprint {clause.fingerprint}")
    if clause.status is Status.AWAITED:
        _row("Status", "awaited: the law does not state it yet")
    for stated in each.statements:
        words = f": {stated.words}" if stated.words else ""
        # In one piece, so that an editor can be sent there.
        _label("Stated by")
        click.echo(f"spec/{stated.file}:{stated.line}")
        _row("", f"{stated.place}, {stated.kind}{words}")
    _row("Terms", f"{area.preamble} {register.TERMS}".strip())
    if each.template:
        _print_block("The text, with gaps for what is a reminder's own", (Listing(each.template),))
    for example in _shown(each):
        _print_block(example.kind, example.parts)
    if each.unbroken:
        _print_block("Not broken by an answer", (each.unbroken,))


def _shown(each: Explanation) -> tuple[Example, ...]:
    """Return an example that keeps the clause, and where there is one an example that breaks it.

    The one that breaks it may refer to the one that keeps it, as far as they are shown on the clause's page.
    """
    if not each.broken:
        return each.kept[:1]
    broken = each.broken[0]
    return each.kept[broken.changes or 0], broken


def _print_block(title: str, parts: Sequence[Part]) -> None:
    click.echo()
    click.secho(f"  {title}", bold=True)
    click.echo()
    for line in lines(parts, width() - MARGIN):
        click.echo(f"{' ' * MARGIN}{line}".rstrip())


def _row(label: str, text: str) -> None:
    _label(label)
    click.echo(_indented(text, LABEL + 2).lstrip())


def _label(label: str) -> None:
    click.secho(f"  {label:{LABEL}}", dim=True, nl=False)


def _indented(text: str, columns: int) -> str:
    margin = " " * columns
    return fill(text, width(), initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)
