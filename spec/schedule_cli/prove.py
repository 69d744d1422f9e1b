"""`schedule-spec prove`: run the proofs of a checkout, and hold what comes against their ledger.

The proofs are no part of what is installed: they stand beside the packages in a checkout, and are imported
from there.
"""

import json
import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

import schedule_spec
from schedule_cli.output import ExitCode, near

if TYPE_CHECKING:
    from proofs.judging import Judged
    from proofs.ledger import Ledger, Obligation

ROOT = Path(schedule_spec.__file__).parents[2]
TOOLS = ("crosshair", "z3")


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--fast", is_flag=True, help="Only the fast obligations.")
@click.option("--deep", is_flag=True, help="Also those that take longest.")
@click.option("--only", metavar="CLAUSE", help="Only obligations of a clause, or of an area.")
@click.option("--json", "as_json", is_flag=True, help="Print the run as one JSON object.")
@click.option("--page", is_flag=True, help="Print the page that tells what is proved, and run nothing.")
@click.option("--list", "listing", is_flag=True, help="List the obligations, and run nothing.")
def prove(  # noqa: PLR0913, PLR0917 - one for each option
    ids: tuple[str, ...], fast: bool, deep: bool, only: str | None, as_json: bool, page: bool, listing: bool
) -> None:
    """Run the proofs of law and implementation, and hold their verdicts against the ledger.

    Needs a checkout, with CrossHair and Z3 installed. Each obligation has a control that the same tool must
    refute. A weaker verdict, a control that is not refuted, and a contract or clause that the ledger leaves
    out are faults.

    \b
    Exit codes: 0 every verdict is as strong as the ledger says, 1 one is weaker or something is left out,
    2 wrong usage, 3 the proofs or their tools are not here.
    """
    _in_a_checkout()
    from proofs import coverage, ledger, pages, report, running  # noqa: PLC0415 - there in a checkout alone

    try:
        book = ledger.read()
    except ledger.LedgerError as problem:
        raise click.ClickException(f"The ledger cannot be read: {problem}.") from None
    if page:
        click.echo(pages.page(book), nl=False)
        return
    chosen = _chosen(book, ids, fast, deep, only)
    if listing:
        for each in chosen:
            click.echo(
                f"{each.verdict:<9}  {each.speed:<4}  {each.tool:<10}  {each.id}  [{', '.join(each.clauses)}]"
            )
        if len(chosen) < len(book.obligations):
            click.echo(
                f"{len(chosen)} of {len(book.obligations)}; --deep lists those that take longest as well",
                err=True,
            )
        return
    _with_its_tools(chosen)
    holes = [] if ids or only else list(coverage.holes(book))

    def progress(judged: "Judged") -> None:
        if not as_json:
            click.echo(report.line(judged))

    judged = running.run(chosen, os.cpu_count() or 1, progress)
    if as_json:
        click.echo(json.dumps(report.as_json(judged, holes), indent=2))
    else:
        not_shown = _not_shown(book, only) if only else ()
        told = (*report.summary(judged), _refuted(judged), *not_shown, *report.faults(judged), *holes)
        for text in ("", *told):
            click.echo(text)
    if holes or not all(each.met for each in judged):
        raise click.exceptions.Exit(ExitCode.VIOLATION)


def _refuted(judged: "Sequence[Judged]") -> str:
    """Return how many of the controls their tools refuted, in a line that stands below the verdicts."""
    from proofs.ledger import Verdict  # noqa: PLC0415 - there in a checkout alone

    refuted = sum(each.control.verdict is Verdict.REFUTED for each in judged)
    whole = "" if refuted == len(judged) else f" of {len(judged)}"
    noun = "control" if len(judged) == 1 else "controls"
    return f"{refuted:4}{whole} {noun} refuted, each by the tool of its obligation"


def _not_shown(book: "Ledger", only: str) -> list[str]:
    """Return a line for each clause that is asked for and shown in part: what no obligation shows."""
    return [
        f"not shown of {part.clause}: {part.without}"
        for part in book.parts
        if only in (part.clause, part.clause.partition(".")[0])
    ]


def _in_a_checkout() -> None:
    if not (ROOT / "proofs" / "ledger.toml").is_file():
        raise click.ClickException(
            "The proofs are not installed with this command; run it from a checkout of the repository."
        )
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))


def _with_its_tools(chosen: "list[Obligation]") -> None:
    missing = [
        tool for tool in TOOLS if find_spec(tool) is None and any(tool in each.tool for each in chosen)
    ]
    if missing:
        raise click.ClickException(
            f"{' and '.join(missing)} cannot be imported; `pip install -e '.[prove]'` installs it."
        )


def _chosen(
    book: "Ledger", ids: tuple[str, ...], fast: bool, deep: bool, only: str | None
) -> "list[Obligation]":
    from proofs.ledger import Speed  # noqa: PLC0415 - there in a checkout alone

    known = [each.id for each in book.obligations]
    clauses = {clause for each in book.obligations for clause in each.clauses}
    for id in ids:
        if id not in known:
            named = id in _with_areas(clauses)
            hint = f" Those of it are run by --only {id}." if named else near(id, known)
            raise click.UsageError(f"There is no obligation {id!r}.{hint}")
    _must_have_one(only, clauses)
    speeds = {Speed.FAST} if fast else {Speed.FAST, Speed.FULL} | ({Speed.DEEP} if deep else set())
    chosen = [
        each
        for each in book.obligations
        if (each.id in ids if ids else each.speed in speeds)
        and (only is None or any(only in (clause, clause.partition(".")[0]) for clause in each.clauses))
    ]
    if not chosen:
        raise click.UsageError("None of the obligations is of all the kinds that were asked for.")
    return chosen


def _with_areas(clauses: set[str]) -> set[str]:
    return clauses | {clause.partition(".")[0] for clause in clauses}


def _must_have_one(only: str | None, clauses: set[str]) -> None:
    known = sorted(_with_areas(clauses))
    if only is not None and only not in known:
        raise click.UsageError(f"No obligation is of a clause or area {only!r}.{near(only, known)}")
