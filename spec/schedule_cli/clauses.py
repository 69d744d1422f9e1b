"""The commands `clauses` and `explain`: the register in the terminal.

With `--json` both print one object, `{"clauses": […]}`. A clause has the keys `id`, `area`, `title` (the
area's), `sentence`, `revision`, `fingerprint`, `note`, `sources` (of `seed` and `section`), `decided`,
`profiles`, `subject`, `reason`, `implied_by` and `status`; under `explain` also `stated_by` (of `kind`,
`place`, `file`, `line` and `words`). What is absent is null. Keys may be added; none changes its meaning.
"""

from collections.abc import Sequence
from itertools import groupby
from textwrap import fill, shorten

import click

from schedule_cli.output import near, print_json, width
from schedule_spec import register
from schedule_spec.register import Area, Clause, Profile, Seed, Status, Subject

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


AREA = click.Choice([area.name for area in register.AREAS])


@click.command()
@click.argument("area", type=AREA, required=False, metavar="[AREA]")
@click.option("--area", "only", type=AREA, help="Only this area; the same as AREA.")
@click.option(
    "--subject", type=click.Choice([each.value for each in Subject]), help="Only what is shown in this way."
)
@click.option(
    "--profile", type=click.Choice([each.value for each in Profile]), help="Only what holds at this level."
)
@click.option(
    "--status",
    type=click.Choice([each.value for each in Status]),
    help="Only what the law states, or does not yet.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def clauses(  # noqa: PLR0913, PLR0917 - one parameter an option
    area: str | None,
    only: str | None,
    subject: str | None,
    profile: str | None,
    status: str | None,
    as_json: bool,
) -> None:
    """List the clauses, or those of an AREA: id, subject, profile, status and first words.

    The subject is how a clause is shown to hold: by pure commands, by a log, by a live session, or not by any
    case of its own. `schedule-spec explain CLAUSE` says all that is known of one.
    """
    if None not in (area, only) and area != only:
        raise click.UsageError(f"Two areas are asked for, {area} and {only}; give one of them.")
    chosen = [
        clause
        for clause in register.CLAUSES
        if (area or only) in (None, clause.area)
        and subject in (None, clause.subject)
        and (profile is None or profile in clause.profiles)
        and status in (None, clause.status)
    ]
    if as_json:
        print_json({"clauses": [_as_json(clause) for clause in chosen]})
    else:
        _print_table(chosen)


@click.command()
@click.argument("targets", nargs=-1, required=True, metavar="CLAUSE...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def explain(targets: tuple[str, ...], as_json: bool) -> None:
    """Explain clauses, or every clause of an area.

    CLAUSE is the id of a clause (`rate.next`) or the name of an area (`rate`, or `rate.*`).
    """
    named = [_named(target) for target in targets]
    if as_json:
        stated_by = _stated_by()
        chosen = [each for one in named for each in (one.clauses if isinstance(one, Area) else (one,))]
        print_json({"clauses": [_as_json(each) | {"stated_by": stated_by[each.id]} for each in chosen]})
        return
    for position, one in enumerate(named):
        if position > 0:
            click.echo()
        if isinstance(one, Area):
            _print_area(one)
        else:
            _print_clause(one)


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


def _as_json(clause: Clause) -> dict[str, object]:
    return {
        "id": clause.id,
        "area": clause.area,
        "title": register.area(clause.area).title,
        "sentence": clause.sentence,
        "revision": clause.revision,
        "fingerprint": clause.fingerprint,
        "note": clause.note,
        "sources": [{"seed": source.seed, "section": source.section} for source in clause.sources],
        "decided": clause.decided,
        "profiles": clause.profiles,
        "subject": clause.subject,
        "reason": clause.reason,
        "implied_by": clause.implied_by,
        "status": clause.status,
    }


def _stated_by() -> dict[str, list[dict[str, object]]]:
    """Return, for each clause, where the law states it; this imports the whole law."""
    from schedule_spec.register.statements import statements  # noqa: PLC0415 - the law is slow to import

    stated_by: dict[str, list[dict[str, object]]] = {clause.id: [] for clause in register.CLAUSES}
    for each in statements():
        stated_by[each.clause].append(
            {
                "kind": each.kind,
                "place": each.place,
                "file": each.file,
                "line": each.line,
                "words": each.words,
            }
        )
    return stated_by


def _print_table(chosen: Sequence[Clause]) -> None:
    longest = max((len(clause.id) for clause in chosen), default=0)
    for name, group in groupby(chosen, key=lambda clause: clause.area):
        click.secho(_heading(register.area(name)), bold=True)
        for clause in group:
            levels = "both" if len(clause.profiles) > 1 else clause.profiles[0]
            row = f"  {clause.id:{longest}}  {clause.subject:7}  {levels:8}  {clause.status:9}  "
            click.echo(row + shorten(clause.sentence, max(width() - len(row), 20), placeholder=" …"))
        click.echo()
    awaited = sum(clause.status is Status.AWAITED for clause in chosen)
    noun = "clause" if len(chosen) == 1 else "clauses"
    click.echo(f"{len(chosen)} {noun}: {len(chosen) - awaited} specified, {awaited} awaited.")


def _print_area(area: Area) -> None:
    click.secho(_heading(area), bold=True)
    if area.preamble:
        click.echo("\n" + fill(area.preamble, width()))
    for clause in area.clauses:
        click.echo()
        click.secho(clause.id, bold=True)
        click.echo(_indented(clause.sentence, 2))
    click.echo("\n" + fill(f"`schedule-spec explain {area.clauses[0].id}` says more of one clause.", width()))


def _print_clause(clause: Clause) -> None:
    area = register.area(clause.area)
    click.secho(clause.id, bold=True, nl=False)
    click.echo(f" (of {_heading(area)})\n")
    click.echo(_indented(clause.sentence, 2) + "\n")
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
    _row("Revision", f"{clause.revision}, fingerprint {clause.fingerprint}")
    if clause.status is Status.AWAITED:
        _row("Status", "awaited: the law does not state it yet")
    for stated in _stated_by()[clause.id]:
        words = f": {stated['words']}" if stated["words"] else ""
        # In one piece, so that an editor can be sent there.
        _label("Stated by")
        click.echo(f"spec/{stated['file']}:{stated['line']}")
        _row("", f"{stated['place']}, {stated['kind']}{words}")
    _row("Terms", f"{area.preamble} {register.TERMS}".strip())


def _heading(area: Area) -> str:
    return f"{area.name}: {area.title}"


def _row(label: str, text: str) -> None:
    _label(label)
    click.echo(_indented(text, LABEL + 2).lstrip())


def _label(label: str) -> None:
    click.secho(f"  {label:{LABEL}}", dim=True, nl=False)


def _indented(text: str, columns: int) -> str:
    margin = " " * columns
    return fill(text, width(), initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)
