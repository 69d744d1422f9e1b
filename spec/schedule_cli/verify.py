"""`schedule-spec verify`: hold an implementation against the clauses, and say what it breaks.

Reads nothing but package data, writes to standard output, and to standard error while it works on a
terminal.
"""

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from schedule_cli.output import ExitCode, colour, near, print_json, width
from schedule_cli.systems import sut
from schedule_conformance import reporting
from schedule_conformance.json_values import show
from schedule_conformance.running import BUDGETS, DEFAULT_SEED, CannotJudgeError, Report, run
from schedule_conformance.systems import System
from schedule_conformance.trials import Failure
from schedule_conformance.worlds import telling, traces
from schedule_conformance.worlds.trying import Found, WorldsReport
from schedule_spec.register import CLAUSES


def _clauses(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> frozenset[str]:
    known = [clause.id for clause in CLAUSES]
    chosen: set[str] = set()
    for value in values:
        named = [clause.id for clause in CLAUSES if value in (clause.id, clause.area)]
        if not named:
            raise click.BadParameter(f"{value!r} is neither a clause nor an area.{near(value, known)}")
        chosen.update(named)
    return frozenset(chosen)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """Show which check runs, on a terminal alone."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status("starting") as status:
        yield lambda check: status.update(Text(check))


@click.command()
@sut
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
    "--profile",
    "budget",
    type=click.Choice(list(BUDGETS)),
    default="default",
    show_default=True,
    help="How much is tried.",
)
@click.option(
    "--traces",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each violation that a live session showed into a file of this folder, for replay.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def verify(  # noqa: PLR0913, PLR0917 - one option each
    system: System, seed: int, only: frozenset[str], budget: str, folder: Path | None, as_json: bool
) -> None:
    """Hold an implementation against the clauses.

    Frozen cases, generated requests, logs grown event by event, every short log, and live sessions under
    virtual time. The same seed gives the same run. A failure is told with its clause, the smallest request or
    the shortest trace found, what was allowed, what came, and the command that replays it.

    \b
    Exit codes: 0 conformant, 1 a clause is violated, 2 wrong usage, 3 could not judge.
    """
    if not as_json:
        click.echo(_announced(system, seed, budget))
    try:
        with _progress() as progress:
            report = run(system, BUDGETS[budget], seed, only, progress)
    except CannotJudgeError as problem:
        click.echo(f"Could not judge: {problem}", err=True)
        sys.exit(ExitCode.UNJUDGED)
    files = _kept(report, folder)
    if as_json:
        print_json(reporting.as_json(report))
    else:
        _print(report, files, only)
    sys.exit(_exit_code(report))


def _announced(system: System, seed: int, budget: str) -> str:
    worlds = BUDGETS[budget].worlds
    live = "no worlds"
    if worlds is not None:
        machine = f"{worlds.machine_runs} of them by machine, each of {worlds.machine_steps} commands"
        live = f"worlds of {worlds.steps} commands in all ({machine})"
    return f"Trying {system.name}: seed {seed}, profile {budget}, {live}."


def _kept(report: Report, folder: Path | None) -> dict[str, Path]:
    """Write the traces of a report, and return the file of each by its id."""
    if folder is None or report.worlds is None or not report.worlds.found:
        return {}
    folder.mkdir(parents=True, exist_ok=True)
    files = {each.trace.id: folder / f"{each.trace.id}.json" for each in report.worlds.found}
    for each in report.worlds.found:
        files[each.trace.id].write_text(traces.text(each.trace), encoding="ascii")
    return files


def _exit_code(report: Report) -> ExitCode:
    if report.violated:
        return ExitCode.VIOLATION
    return ExitCode.UNJUDGED if report.missed else ExitCode.SOUND


class _PipeConsole(Console):
    """Leaves it to the command what a closed pipe means; rich itself would end with 1, a violation's code."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _print(report: Report, files: Mapping[str, Path], only: frozenset[str]) -> None:
    console = _PipeConsole(
        no_color=colour() is False, width=width(), highlight=False, markup=False, emoji=False, soft_wrap=False
    )
    who = report.implementation
    console.print(
        f"{who.name} {who.version} ({who.language}), level {who.profile}; seed {report.seed}, {report.budget}"
    )
    console.print()
    console.print(_table(report, only))
    console.print()
    console.print(_checks(report))
    console.print()
    if report.worlds is not None:
        _print_worlds(console, report.worlds)
    _print_remarks(console, report)
    for failure, others in reporting.leading(report):
        _print_failure(console, report, failure, others)
    for found in report.worlds.found if report.worlds else ():
        _print_found(console, report, found, files)
    console.print(Text(reporting.verdict(report), style="bold red" if report.violated else "bold"))


def _table(report: Report, only: frozenset[str]) -> Table:
    """Lay out the clauses, with `--only` those alone: of the others only some cases were tried."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("clause", no_wrap=True)
    for heading in ("cases", "passed", "failed", "unsupported"):
        table.add_column(heading, justify="right")
    table.add_column("")
    area = ""
    shown = [row for row in reporting.rows(report) if not only or row.clause in only]
    for row in shown:
        if area and row.area != area:
            table.add_row()
        area = row.area
        count = row.count
        figures = [
            str(figure) if figure else "·"
            for figure in (count.cases, count.passed, count.failed, count.unsupported)
        ]
        table.add_row(row.clause, *figures, row.remark, style="red" if count.failed else None)
    return table


def _checks(report: Report) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("check")
    for heading in ("executed", "passed", "failed", "unsupported"):
        table.add_column(heading, justify="right")
    for name, tally in report.checks:
        figures = (tally.executed, tally.passed, tally.failed, tally.unsupported)
        table.add_row(name, *(str(figure) if figure else "·" for figure in figures))
    return table


def _print_remarks(console: Console, report: Report) -> None:
    waiting = reporting.awaited(report)
    if waiting:
        areas = ", ".join(dict.fromkeys(clause.split(".")[0] for clause in waiting))
        console.print(f"Awaited: {len(waiting)} clauses that this version does not try yet ({areas}).")
    if report.left_out:
        release = report.implementation.tzdata or "no release of the zone data"
        console.print(f"Left out: {report.left_out} cases of other zone data; hello says {release}.")
    if report.reached:
        _print_reach(console, report)
    console.print()


def _print_reach(console: Console, report: Report) -> None:
    least = sorted(report.reached, key=lambda pair: pair[1])[:3]
    rarest = ", ".join(f"{clause} {count}" for clause, count in least)
    console.print(
        f"Reach: generated cases were rejected under {len(report.reached) - len(report.unreached)} of the "
        f"{len(report.reached)} clauses that can reject; the rarest: {rarest}."
    )
    for clause in report.unreached:
        console.print(Text(f"Never reached: {clause}", style="red"))


def _print_failure(console: Console, report: Report, failure: Failure, others: int) -> None:
    console.print(Text(failure.clause, style="bold red"), Text(f"({failure.verdict.fault})"))
    console.print(Text(reporting.sentence(failure.clause)))
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    grid.add_row("found by", Text(f"{failure.check}{f', case {failure.vector}' if failure.vector else ''}"))
    grid.add_row("asked", Text(show(failure.case.request)))
    grid.add_row("allowed", Text(failure.verdict.allowed))
    grid.add_row("came", Text(failure.verdict.got))
    if others:
        grid.add_row(
            "also", Text(f"{others} more cases fail under this clause; --json lists those of the vectors")
        )
    grid.add_row("replay", Text(reporting.replay(report, failure)))
    console.print(grid)
    console.print()


def _print_worlds(console: Console, worlds: WorldsReport) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("live sessions", "worlds", "commands", "failed"):
        table.add_column(heading, justify="left" if heading == "live sessions" else "right")
    for name, count in worlds.checks:
        table.add_row(
            name, *(str(figure) if figure else "·" for figure in (count.worlds, count.steps, count.failed))
        )
    console.print(table)
    console.print()
    reached = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("situation that random worlds came through", "times", "at least"):
        reached.add_column(heading, justify="left" if heading.startswith("situation") else "right")
    for each in worlds.reached:
        style = "red" if each.missed else None
        reached.add_row(each.situation.name, str(each.count), str(each.floor), style=style)
    console.print(reached)
    console.print()


def _print_found(console: Console, report: Report, found: Found, files: Mapping[str, Path]) -> None:
    console.print(Text(found.violation.clause, style="bold red"), Text("(live)"))
    console.print(Text(reporting.sentence(found.violation.clause)))
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    grid.add_row("found by", Text(found.check))
    for number, line in enumerate(telling.asked(found.trace)):
        grid.add_row("" if number else "asked", Text(line))
    for number, line in enumerate(telling.seen(found.trace)):
        grid.add_row("" if number else "seen", Text(line))
    grid.add_row("broken", Text(found.violation.sentence))
    grid.add_row("allowed", Text(telling.allowed(found.trace)))
    grid.add_row("came", Text(telling.came(found.trace)))
    if found.times > 1:
        grid.add_row("also", Text(f"{found.times - 1} more worlds break this clause"))
    grid.add_row("replay", Text(_replay(report, found, files)))
    console.print(grid)
    console.print()


def _replay(report: Report, found: Found, files: Mapping[str, Path]) -> str:
    name = shlex.quote(report.sut)
    if found.trace.id in files:
        return f"schedule-spec replay {shlex.quote(str(files[found.trace.id]))} --sut {name}"
    profile = f" --profile {report.budget}" if report.budget != "default" else ""
    again = f"schedule-spec verify --sut {name} --seed {report.seed}{profile} --only {found.violation.clause}"
    return f"{again} --traces DIR, then schedule-spec replay"
