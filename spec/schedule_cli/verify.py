"""`schedule-spec verify`: hold an implementation against the clauses, and say what it breaks.

Reads nothing but package data, writes to standard output, and to standard error while it works on a
terminal.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from schedule_cli.output import ExitCode, colour, near, print_json, width
from schedule_conformance import law_adapter, reporting
from schedule_conformance.json_values import show
from schedule_conformance.running import BUDGETS, DEFAULT_SEED, CannotJudgeError, Report, run
from schedule_conformance.systems import InProcess, System
from schedule_conformance.trials import Failure
from schedule_spec.register import CLAUSES


def _bundled() -> System:
    from schedule_impl import adapter  # noqa: PLC0415 - only where it is what is tried

    return InProcess("bundled", adapter.handle)


def _system(_: click.Context, __: click.Parameter, value: str) -> System:
    match value:
        case "law":
            return InProcess("law", law_adapter.handle)
        case "bundled":
            return _bundled()
        case _:
            raise click.BadParameter(f"{value!r} cannot be tried: this version offers only law and bundled.")


def _clauses(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> frozenset[str]:
    known = [clause.id for clause in CLAUSES]
    for value in values:
        if value not in known:
            raise click.BadParameter(f"{value!r} is no clause.{near(value, known)}")
    return frozenset(values)


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
@click.option(
    "--sut",
    "system",
    callback=_system,
    default="bundled",
    show_default=True,
    help="What is tried: bundled, the implementation that comes along; or law, the specification itself.",
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
    help="Only cases that put this clause to the test; may be repeated.",
)
@click.option(
    "--profile",
    "budget",
    type=click.Choice(list(BUDGETS)),
    default="default",
    show_default=True,
    help="How much is tried.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def verify(system: System, seed: int, only: frozenset[str], budget: str, as_json: bool) -> None:
    """Hold an implementation against the clauses.

    Frozen cases, generated requests, logs grown event by event, and every short log. The same seed gives
    the same run. A failure is told with its clause, the smallest request found, what was allowed, what came,
    and the command that replays it.

    \b
    Exit codes: 0 conformant, 1 a clause is violated, 2 wrong usage, 3 could not judge.
    """
    try:
        with _progress() as progress:
            report = run(system, BUDGETS[budget], seed, only, progress)
    except CannotJudgeError as problem:
        click.echo(f"Could not judge: {problem}", err=True)
        sys.exit(ExitCode.UNJUDGED)
    if as_json:
        print_json(reporting.as_json(report))
    else:
        _print(report)
    sys.exit(_exit_code(report))


def _exit_code(report: Report) -> ExitCode:
    if report.violated:
        return ExitCode.VIOLATION
    return ExitCode.UNJUDGED if report.unreached else ExitCode.SOUND


def _print(report: Report) -> None:
    console = Console(
        no_color=colour() is False, width=width(), highlight=False, markup=False, emoji=False, soft_wrap=False
    )
    who = report.implementation
    console.print(
        f"{who.name} {who.version} ({who.language}), level {who.profile}; seed {report.seed}, {report.budget}"
    )
    console.print()
    console.print(_table(report))
    console.print()
    console.print(_checks(report))
    console.print()
    _print_remarks(console, report)
    for failure, others in reporting.leading(report):
        _print_failure(console, report, failure, others)
    console.print(Text(reporting.verdict(report), style="bold red" if report.violated else "bold"))


def _table(report: Report) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("clause", no_wrap=True)
    for heading in ("cases", "passed", "failed", "unsupported"):
        table.add_column(heading, justify="right")
    table.add_column("")
    area = ""
    for row in reporting.rows(report):
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
            "also", Text(f"{others} more cases fail under this clause; --json lists the frozen ones")
        )
    grid.add_row("replay", Text(reporting.replay(report, failure)))
    console.print(grid)
    console.print()
