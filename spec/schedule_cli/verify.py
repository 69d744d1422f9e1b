"""`schedule-spec verify`: hold an implementation against the clauses, and say what it breaks.

Reads package data and the ledger that is named. Writes to standard output, to standard error while it works
on a terminal, and no file but those that are asked for.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic

import click

from schedule_cli import verdicts
from schedule_cli.output import ExitCode, near, print_json, printable, put
from schedule_cli.systems import sut
from schedule_conformance.adapters.smoke import CannotJudgeError
from schedule_conformance.frozen import kept_cases
from schedule_conformance.judgement.cases import Failure
from schedule_conformance.judgement.narrowing import AREAS as TESTED
from schedule_conformance.protocol.systems import System
from schedule_conformance.rendering import report_json, telling
from schedule_conformance.runs import ledger, running
from schedule_conformance.runs.budgets import BUDGETS, DEFAULT_SEED
from schedule_conformance.runs.docket import Check, Docket
from schedule_conformance.runs.ledger import NOTHING_KNOWN, BrokenLedgerError, Ledger
from schedule_conformance.runs.reports import Report, Verdict, number
from schedule_conformance.runs.results import Finding
from schedule_conformance.runs.running import UnknownCheckError, first_failure
from schedule_conformance.worlds import traces
from schedule_spec.register import AREAS, CLAUSES

EXIT = {
    Verdict.CONFORMANT: ExitCode.SOUND,
    Verdict.VIOLATED: ExitCode.VIOLATION,
    Verdict.UNJUDGED: ExitCode.UNJUDGED,
    Verdict.STALE: ExitCode.STALE,
}


def _clauses(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> frozenset[str]:
    known = [clause.id for clause in CLAUSES]
    areas = [area.name for area in AREAS]
    chosen: set[str] = set()
    for value in values:
        named = [clause.id for clause in CLAUSES if value in (clause.id, clause.area)]
        if not named:
            hint = _of_feature(value) or ("" if "." in value else near(value, areas)) or near(value, known)
            raise click.BadParameter(f"{value!r} is neither a clause nor an area.{hint}")
        chosen.update(named)
    return frozenset(chosen)


def _of_feature(name: str) -> str:
    """Return which areas a feature's requests put to the test, nothing where there is no such feature."""
    if name not in TESTED:
        return ""
    tested = ", ".join(sorted(TESTED[name]))
    return f" It is a feature; its requests put clauses of these areas to the test: {tested}."


def _in_a_folder(_: click.Context, __: click.Parameter, value: Path | None) -> Path | None:
    """Refuse, before anything is tried, a file that could not be written in the end."""
    if value is not None and not value.parent.is_dir():
        raise click.BadParameter(f"there is no folder {str(value.parent)!r}.")
    return value


def _in_writable_place(_: click.Context, __: click.Parameter, value: Path | None) -> Path | None:
    """Refuse, before anything is tried, a folder that could not be made or written to in the end."""
    if value is not None:
        there = next(place for place in (value, *value.absolute().parents) if place.exists())
        if not there.is_dir():
            raise click.BadParameter(f"{str(there)!r} is no folder.")
        if not os.access(there, os.W_OK | os.X_OK):
            raise click.BadParameter(f"nothing can be written in {str(there)!r}.")
    return value


FILE = click.Path(dir_okay=False, writable=True, path_type=Path)


@dataclass(frozen=True, slots=True)
class _UnderWay:
    """What a terminal shows while a run works: the check, how much was asked, how long it has taken."""

    check: Check
    docket: Docket
    begun: float

    def __rich__(self) -> str:
        return f"{self.check.title} · {self.docket.asked} asked · {monotonic() - self.begun:.0f} s"


@contextmanager
def _progress() -> Iterator[Callable[[Check, Docket], object]]:
    """Show how a run gets on, on a terminal alone."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it

    begun = monotonic()
    with Console(stderr=True, markup=False, highlight=False).status("asking hello") as status:
        yield lambda check, docket: status.update(_UnderWay(check, docket, begun))


@click.command()
@sut
@click.option(
    "--profile",
    "budget",
    type=click.Choice(list(BUDGETS)),
    default="default",
    show_default=True,
    help="How much is tried.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=DEFAULT_SEED,
    show_default=True,
    help="Of all generated cases.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="CLAUSE",
    callback=_clauses,
    help="Only cases that put this clause, or a clause of this area, to the test; may be repeated.",
)
@click.option(
    "--only-case",
    "checks",
    multiple=True,
    metavar="ID",
    help="Only this frozen case, or this check, as a report names it; may be repeated.",
)
@click.option("--first", is_flag=True, help="Stop at the first failure.")
@click.option("--table", is_flag=True, help="Show every clause, and every situation of live sessions.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@click.option("--jsonl", type=FILE, callback=_in_a_folder, help="Write a report as JSON Lines, for compare.")
@click.option("--junit", type=FILE, callback=_in_a_folder, help="Write a report as JUnit XML.")
@click.option("--html", type=FILE, callback=_in_a_folder, help="Write a report as one HTML page.")
@click.option(
    "--failures",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    callback=_in_writable_place,
    help="Write each failure into a file of this folder, for replay.",
)
@click.option(
    "--ledger",
    "book",
    type=FILE,
    callback=_in_a_folder,
    help="The known failures of the implementation, in TOML; they count as known.",
)
@click.option("--update-ledger", is_flag=True, help="Bring the ledger up to date with what came.")
def verify(  # noqa: PLR0913, PLR0917 - one option each
    system: System,
    budget: str,
    seed: int,
    only: frozenset[str],
    checks: tuple[str, ...],
    first: bool,
    table: bool,
    as_json: bool,
    jsonl: Path | None,
    junit: Path | None,
    html: Path | None,
    folder: Path | None,
    book: Path | None,
    update_ledger: bool,
) -> None:
    """Hold an implementation against the clauses.

    Frozen cases, generated requests, logs grown event by event, every short log, and live sessions under
    virtual time. The same seed gives the same run. A failure is told with its clause, the smallest request or
    the shortest trace found, what was allowed, what came, and the command that replays it.

    \b
    Exit codes: 0 conformant, 1 a clause is violated, 2 wrong usage, 3 could not judge,
    4 the ledger lists what does not fail any more, and all else is well.
    """
    if update_ledger and book is None:
        raise click.UsageError("--update-ledger needs --ledger FILE.")
    known = _known(book, update_ledger)
    enough = {"enough": first_failure} if first else {}
    try:
        with _progress() as progress:
            report = running.run(
                system, BUDGETS[budget], seed, only, progress, known, frozenset(checks), **enough
            )
    except UnknownCheckError as problem:
        raise click.UsageError(f"{str(problem).capitalize()}.{near(problem.name, problem.known)}") from None
    except CannotJudgeError as problem:
        click.echo(f"Could not judge: {printable_lines(str(problem))}", err=True)
        if as_json:
            print_json(report_json.of_nothing(system.name, str(problem)))
        sys.exit(ExitCode.UNJUDGED)
    new = ledger.updated(known, report.results, report.stale) if update_ledger else known
    if update_ledger:
        report = running.rejudged(report, new)
    wanted = _wanted(report, jsonl, junit, html)
    files, unwritten = _kept(report, folder)
    if as_json:
        print_json(report_json.as_json(report))
    else:
        verdicts.show(report, files, in_full=table)
    unwritten += filter(None, [_problem(partial(_render, path, render)) for path, render in wanted])
    if book is not None and update_ledger and not unwritten:
        unwritten += filter(None, [_problem(partial(_bring_up_to_date, book, known, new))])
    for told in unwritten:
        click.echo(printable(told), err=True)
    sys.exit(ExitCode.UNJUDGED if unwritten else EXIT[report.verdict])


def printable_lines(text: str) -> str:
    """Return a text of several lines with what is not plainly visible escaped in each."""
    return "\n".join(printable(line) for line in text.split("\n"))


def _known(book: Path | None, update: bool) -> Ledger:
    if book is None or (update and not book.exists()):
        return NOTHING_KNOWN
    try:
        return ledger.read(book)
    except BrokenLedgerError as problem:
        told = str(problem)
        end = "" if told.endswith(("?", ".")) else "."
        raise click.UsageError(f"{book} is no ledger of known failures: {told}{end}") from None
    except OSError as problem:
        raise click.UsageError(f"{book} cannot be read: {problem.strerror}.") from None


def _bring_up_to_date(book: Path, known: Ledger, new: Ledger) -> None:
    """Write the ledger that says what came, and tell what is new in it."""
    old_text = book.read_text(encoding="utf-8") if book.exists() else ""
    text = ledger.rewritten(old_text, new)
    if text != old_text:
        put(book, text)
    before = {(entry.case, entry.id): entry for entry in known.entries}
    after = {(entry.case, entry.id): entry for entry in new.entries}
    added = [key for key in after if key not in before]
    changed = [key for key in after if key in before and after[key] != before[key]]
    gone = [key for key in before if key not in after]
    review = " New ones are unreviewed: say of each what kind it is, and where it is discussed."
    click.echo(
        f"{printable(str(book))}: {number(len(added), 'new entry', 'new entries')}, {len(changed)} changed, "
        f"{len(gone)} gone, {len(after)} in all.{review if added else ''}",
        err=True,
    )


def _problem(write: Callable[[], None]) -> str:
    """Write something; return what went wrong with which file, nothing where all went well."""
    try:
        write()
    except OSError as problem:
        return f"{problem.filename} could not be written: {problem.strerror}."
    return ""


def _kept(report: Report, folder: Path | None) -> tuple[dict[str, Path], list[str]]:
    """Write each finding of a report into a file; return the files by key, and what went wrong."""
    files: dict[str, Path] = {}
    if folder is None or not report.findings:
        return files, []

    def write() -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for finding in report.findings:
            name, text = _file(finding, report)
            path = folder / f"{name}.json"
            put(path, text)
            files[telling.key(finding)] = path

    return files, list(filter(None, [_problem(write)]))


def _file(finding: Finding, report: Report) -> tuple[str, str]:
    if isinstance(finding, Failure):
        told = report.circumstances
        found = f"{finding.check}, seed {told.seed}"
        case = kept_cases.kept(finding, told.implementation.profile, told.sut, found)
        return case.id, kept_cases.text(case)
    return finding.trace.id, traces.text(finding.trace)


def _wanted(
    report: Report, jsonl: Path | None, junit: Path | None, html: Path | None
) -> Iterator[tuple[Path, Callable[[], str]]]:
    """Yield the files that are asked for and what renders each; no other renderer is even imported."""
    if jsonl is not None:
        yield jsonl, partial(report_json.text, report)
    if junit is not None:
        from schedule_conformance.rendering import junit as junit_xml  # noqa: PLC0415

        yield junit, partial(junit_xml.junit, report)
    if html is not None:
        from schedule_conformance.rendering import html_page  # noqa: PLC0415

        yield html, partial(html_page.page, report)


def _render(path: Path, render: Callable[[], str]) -> None:
    put(path, render())
