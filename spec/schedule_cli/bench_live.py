"""The commands `schedule-spec bench tools` and `bench owner`: a live session as its log or records grow."""

import json
import sys
from itertools import pairwise
from typing import Any

import click

from schedule_cli.benchmarks.child import measured

CALLS = (500, 1000, 2000, 4000, 8000, 16_000)
RECORDS = (1000, 10_000, 100_000)

Figures = dict[str, Any]


@click.command(short_help="Measure the N-th tool call in a session.")
@click.option(
    "--calls",
    multiple=True,
    type=click.IntRange(min=20),
    metavar="N",
    help=f"Calls in a session; several times for several. [default: {', '.join(map(str, CALLS))}]",
)
@click.option("--best-of", type=click.IntRange(min=1), default=3, show_default=True, help="Runs of each.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object for all.")
def tools(calls: tuple[int, ...], best_of: int, as_json: bool) -> None:
    """Measure the N-th tool call in a session: does it cost more as the log grows?

    What is timed are the last 500 calls of N: creates, lists and deletes in turn, with 16 records active. The
    storage is memory that acknowledges at once, so that no disk is measured. Each run is a process of its
    own; the figures are the best of the runs, memory the least.

    \b
    With --json the object has the members
      bestOf, python
      sessions  [{calls, timed, seconds, microsecondsPerCall, peakBytes}]
    """
    rows = [_best("tools", number, best_of, ("seconds", "peak")) for number in calls or CALLS]
    for row in rows:
        row["microsecondsPerCall"] = row["seconds"] / row["timed"] * 1e6
    if as_json:
        _print_json("sessions", rows, best_of)
        return
    _print_heading(best_of)
    click.echo(f"{'calls':>8}  {'us/call':>8}  {'calls/s':>8}  {'MB':>6}")
    for row in rows:
        per_call = row["microsecondsPerCall"]
        line = f"{row['calls']:>8,}  {per_call:>8.1f}  {1e6 / per_call:>8,.0f}  {_megabytes(row):>6}"
        click.echo(line)
    for before, after in pairwise([rows[0], rows[-1]] if len(rows) > 1 else rows):
        growth = after["microsecondsPerCall"] / before["microsecondsPerCall"]
        times = after["calls"] / before["calls"]
        sizes = f"{before['calls']:,} to {after['calls']:,}"
        click.echo(f"{sizes}: {times:.1f} times the calls, {growth:.2f} times the time a call")


@click.command(short_help="Measure a live owner over N active records.")
@click.option(
    "--records",
    multiple=True,
    type=click.IntRange(min=8),
    metavar="N",
    help=f"Active records; several times for several. [default: {', '.join(map(str, RECORDS))}]",
)
@click.option("--best-of", type=click.IntRange(min=1), default=3, show_default=True, help="Runs of each.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object for all.")
def owner(records: tuple[int, ...], best_of: int, as_json: bool) -> None:
    """Measure a live owner over N active records.

    `open` is from the log's lines to the owner that waits; `wake` from a timer that ends to the dispatch of
    the one reminder that is due, both barriers included, over 200 of them; `batch` the same for up to 1,000
    every records that are due together, for each of them. The storage is memory that acknowledges at once.
    Each run is a process of its own; the figures are the best of the runs, memory the least.

    \b
    With --json the object has the members
      bestOf, python
      sessions  [{records, openSeconds, wakes, wakeSeconds, microsecondsPerWake,
                batch, batchSeconds, microsecondsPerBatched, peakBytes}]
    """
    least = ("openSeconds", "wakeSeconds", "batchSeconds", "peak")
    rows = [_best("owner", number, best_of, least) for number in records or RECORDS]
    for row in rows:
        row["microsecondsPerWake"] = row["wakeSeconds"] / row["wakes"] * 1e6
        row["microsecondsPerBatched"] = row["batchSeconds"] / row["batch"] * 1e6
    if as_json:
        _print_json("sessions", rows, best_of)
        return
    _print_heading(best_of)
    click.echo(f"{'records':>9}  {'open s':>7}  {'us/wake':>8}  {'batch of':>8}  {'us/each':>8}  {'MB':>6}")
    for row in rows:
        click.echo(
            f"{row['records']:>9,}  {row['openSeconds']:>7.3f}  {row['microsecondsPerWake']:>8.1f}"
            f"  {row['batch']:>8,}  {row['microsecondsPerBatched']:>8.1f}  {_megabytes(row):>6}"
        )


def _best(work: str, number: int, best_of: int, least: tuple[str, ...]) -> Figures:
    """The figures of several runs, of some of them the least; None where the system does not say."""
    runs = [measured("live", work, str(number))[0] for _ in range(best_of)]
    best: Figures = dict(runs[0])
    for name in least:
        known = [run[name] for run in runs if run[name] is not None]
        best[name] = min(known, default=None)
    return best


def _print_heading(best_of: int) -> None:
    click.echo(f"best of {best_of}, Python {sys.version.split()[0]}")


def _print_json(name: str, rows: list[Figures], best_of: int) -> None:
    listed = [{("peakBytes" if member == "peak" else member): row[member] for member in row} for row in rows]
    click.echo(json.dumps({"bestOf": best_of, "python": sys.version.split()[0], name: listed}))


def _megabytes(row: Figures) -> str:
    return "-" if row["peak"] is None else f"{row['peak'] / 1e6:.1f}"
