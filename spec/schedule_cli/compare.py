"""`schedule-spec compare`: what changed between two runs, or between two implementations.

Reads two JSON Lines reports of `verify --jsonl`, writes to standard output.
"""

import sys
from pathlib import Path

import click

from schedule_cli.output import ExitCode, print_json, printable, say, table
from schedule_conformance.rendering import comparing
from schedule_conformance.rendering.comparing import (
    COUNTS,
    DIFFERENCES,
    BrokenReportError,
    Comparison,
    Recorded,
)

MOST_SHOWN = 20
"""Lines of a list of ids that are shown; --json has all."""

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("first", metavar="A", type=FILE)
@click.argument("second", metavar="B", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def compare(first: Path, second: Path, as_json: bool) -> None:
    """Say what changed between two runs, or between two implementations.

    A and B are reports that `verify --jsonl` wrote. A failure is a clause broken by a kind of fault, in a
    frozen case or by generated cases. What a ledger knows is shown, and is no failure.

    \b
    Exit codes: 0 B has no failure that A has not, 1 it has one, 2 wrong usage,
    3 a file is no whole report.
    """
    comparison = comparing.compared(_read(first), _read(second))
    if as_json:
        print_json(comparing.as_json(comparison))
    else:
        _print(comparison)
    sys.exit(ExitCode.VIOLATION if comparison.new else ExitCode.SOUND)


def _read(path: Path) -> Recorded:
    try:
        return comparing.read(path)
    except BrokenReportError as problem:
        click.echo(f"{printable(str(path))} is no whole report: {printable(str(problem))}", err=True)
    except OSError as problem:
        click.echo(f"{printable(str(path))} cannot be read: {problem.strerror}", err=True)
    sys.exit(ExitCode.UNJUDGED)


def _print(comparison: Comparison) -> None:
    say(_verdict(comparison), bold=True, fg="red" if comparison.new else "green")
    say()
    first, second = comparison.first, comparison.second
    told = [(name, str(tell(first)), str(tell(second))) for name, tell in DIFFERENCES]
    _lines(table(("", "A", "B"), told, words=3))
    counts = [(name, str(first.end[name]), str(second.end[name])) for name in _shown_counts(comparison)]
    _lines(table(("cases", "A", "B"), counts, words=3))
    _list("Newly failing", [f"{case}: {clause} ({fault})" for case, clause, fault in comparison.new])
    _list("Fixed", [f"{case}: {clause} ({fault})" for case, clause, fault in comparison.fixed])
    _list("Ended otherwise", [f"{each.id}: {each.before} → {each.after}" for each in comparison.changed])
    _list("Only in A", list(comparison.only_first))
    _list("Only in B", list(comparison.only_second))
    say(_verdict(comparison), bold=True, fg="red" if comparison.new else "green")


def _shown_counts(comparison: Comparison) -> list[str]:
    ends = (comparison.first.end, comparison.second.end)
    return [name for name in COUNTS if any(end[name] for end in ends)]


def _lines(lines: list[str]) -> None:
    for line in lines:
        say(line)
    say()


def _list(heading: str, items: list[str]) -> None:
    if not items:
        return
    say(f"{heading}: {len(items)}", bold=True)
    for item in items[:MOST_SHOWN]:
        say(f"  {item}")
    if len(items) > MOST_SHOWN:
        say(f"  and {len(items) - MOST_SHOWN} more; --json lists them all")
    say()


def _verdict(comparison: Comparison) -> str:
    new, fixed, changed = len(comparison.new), len(comparison.fixed), len(comparison.changed)
    if new:
        return f"B has {new} {'failure' if new == 1 else 'failures'} that A has not."
    if fixed or changed:
        return f"B has no failure that A has not; {fixed} fixed, {changed} ended otherwise."
    return "B has no failure that A has not, and all that both tried ended alike."
