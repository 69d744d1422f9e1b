"""The command `clauses`: the register in the terminal.

With `--json` it prints one object, `{"clauses": […]}`. A clause has the keys `id`, `area`, `title` (the
area's), `sentence`, `revision`, `fingerprint`, `rationale`, `note`, `sources` (of `seed` and `section`),
`decided`, `profiles`, `subject`, `reason`, `implied_by` and `status`. What is absent is null. Keys may be
added; none changes its meaning.
"""

from collections.abc import Sequence
from itertools import groupby
from textwrap import shorten

import click

from schedule_cli.output import print_json, width
from schedule_spec import register
from schedule_spec.register import Area, Clause, Profile, Status, Subject

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
        print_json({"clauses": [described(clause) for clause in chosen]})
    else:
        _print_table(chosen)


def described(clause: Clause) -> dict[str, object]:
    """Return what `--json` prints of a clause."""
    return {
        "id": clause.id,
        "area": clause.area,
        "title": register.area(clause.area).title,
        "sentence": clause.sentence,
        "revision": clause.revision,
        "fingerprint": clause.fingerprint,
        "rationale": clause.rationale,
        "note": clause.note,
        "sources": [{"seed": source.seed, "section": source.section} for source in clause.sources],
        "decided": clause.decided,
        "profiles": clause.profiles,
        "subject": clause.subject,
        "reason": clause.reason,
        "implied_by": clause.implied_by,
        "status": clause.status,
    }


def _print_table(chosen: Sequence[Clause]) -> None:
    longest = max((len(clause.id) for clause in chosen), default=0)
    for name, group in groupby(chosen, key=lambda clause: clause.area):
        click.secho(heading(register.area(name)), bold=True)
        for clause in group:
            levels = "both" if len(clause.profiles) > 1 else clause.profiles[0]
            row = f"  {clause.id:{longest}}  {clause.subject:7}  {levels:8}  {clause.status:9}  "
            click.echo(row + shorten(clause.sentence, max(width() - len(row), 20), placeholder=" …"))
        click.echo()
    awaited = sum(clause.status is Status.AWAITED for clause in chosen)
    noun = "clause" if len(chosen) == 1 else "clauses"
    click.echo(f"{len(chosen)} {noun}: {len(chosen) - awaited} specified, {awaited} awaited.")


def heading(area: Area) -> str:
    """Return the line that names an area."""
    return f"{area.name}: {area.title}"
