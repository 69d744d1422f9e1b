"""The command `schedule-spec bench`: `check`, against only decoding; local time; tools and owner."""

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import click

from schedule_cli.bench_live import owner, tools
from schedule_cli.benchmarks import generate
from schedule_cli.benchmarks.child import measured

SIZES = (10_000, 100_000, 1_000_000)
FOLDED_AT_MOST = 100_000
"""The largest log that is folded in memory: there a figure an event no longer changes, and memory does."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """The best of several runs of one piece of work on one log.

    `seconds` is the work alone, `process_seconds` the whole process; `peak` is in bytes, None where the
    system does not say.
    """

    seconds: float
    process_seconds: float
    peak: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured of one log of `size` bytes; `fold` is None where the log is too large for it."""

    events: int
    size: int
    check: Measurement
    decode: Measurement
    fold: Measurement | None

    @property
    def ratio(self) -> float:
        """How many times as long as only decoding a check takes."""
        return self.check.seconds / self.decode.seconds


@click.group()
def bench() -> None:
    """Measure the bundled implementation."""


bench.add_command(tools)
bench.add_command(owner)


@bench.command(short_help="Measure `schedule-spec check`.")
@click.option(
    "--events",
    multiple=True,
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Events in a log; several times for several logs. [default: {', '.join(map(str, SIZES))}]",
)
@click.option("--seed", type=int, default=1, show_default=True, help="What the generated logs come from.")
@click.option(
    "--best-of", type=click.IntRange(min=1), default=3, show_default=True, help="Runs of each work."
)
@click.option(
    "--dir", "folder", type=click.Path(path_type=Path, file_okay=False), help="Keep the logs there."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object for all.")
def check(events: tuple[int, ...], seed: int, best_of: int, folder: Path | None, as_json: bool) -> None:
    """Measure `schedule-spec check` on generated logs of schedule events.

    A third of the events are creates of the three kinds in equal parts, half are dispatches, the rest
    deletes; at most 64 records are active; a line has about 180 bytes. The same seed gives the same logs.
    Each run is a process of its own. The yardstick is a loop that only decodes the same lines with msgspec,
    run in turns with the check. All figures are the best of the runs, memory the least.
    """
    with _folder(folder) as place:
        rows = []
        for size in events or SIZES:
            log = _generated(place, size, seed)
            rows.append(_measure(log, size, best_of))
            if not as_json:
                if len(rows) == 1:
                    click.echo(f"seed {seed}, best of {best_of}, Python {sys.version.split()[0]}")
                    click.echo(HEADING)
                click.echo(_line(rows[-1]))
    if as_json:
        click.echo(json.dumps(_json(rows, seed, best_of)))
        return
    for line in _growth(rows):
        click.echo(line)


@contextmanager
def _folder(folder: Path | None) -> Iterator[Path]:
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="schedule-bench-") as temporary:
            yield Path(temporary)
    else:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder


def _generated(folder: Path, events: int, seed: int) -> Path:
    log = folder / f"bench-{events}-{seed}.jsonl"
    with log.open("wb") as file:
        file.writelines(generate.lines(events, seed))
    return log


def _measure(log: Path, events: int, best_of: int) -> Row:
    works = ["check", "decode"] + (["fold"] if events <= FOLDED_AT_MOST else [])
    runs: dict[str, list[Measurement]] = {work: [] for work in works}
    for _ in range(best_of):
        for work in works:
            runs[work].append(_run(work, log, events))
    figures = {work: best(measured) for work, measured in runs.items()}
    return Row(events, log.stat().st_size, figures["check"], figures["decode"], figures.get("fold"))


def _run(work: str, log: Path, events: int) -> Measurement:
    figures, seconds = measured("work", work, str(log))
    if figures["events"] != events:
        raise click.ClickException(f"The run of {work} saw {figures['events']} events, not {events}.")
    return Measurement(figures["seconds"], seconds, figures["peak"])


def best(runs: list[Measurement]) -> Measurement:
    """Return the least of each figure over the runs."""
    peaks = [run.peak for run in runs if run.peak is not None]
    return Measurement(
        min(run.seconds for run in runs),
        min(run.process_seconds for run in runs),
        min(peaks) if peaks else None,
    )


HEADING = (
    "    events  log MB  check/decode  check s   events/s  check MB"
    "  decode s  decode MB  whole process s  fold us/event"
)


def _line(row: Row) -> str:
    fold = "-" if row.fold is None else f"{row.fold.seconds / row.events * 1e6:.2f}"
    return (
        f"{row.events:>10,}  {row.size / 1e6:>6.1f}  {row.ratio:>12.2f}  {row.check.seconds:>7.3f}"
        f"  {row.events / row.check.seconds:>9,.0f}  {_megabytes(row.check.peak):>8}"
        f"  {row.decode.seconds:>8.3f}  {_megabytes(row.decode.peak):>9}"
        f"  {row.check.process_seconds:>15.3f}  {fold:>13}"
    )


def _megabytes(size: int | None) -> str:
    return "-" if size is None else f"{size / 1e6:.1f}"


def _growth(rows: list[Row]) -> Iterator[str]:
    for before, after in pairwise(rows):
        events = after.events / before.events
        time = after.check.seconds / before.check.seconds
        memory = ""
        if before.check.peak is not None and after.check.peak is not None:
            growth = after.check.peak - before.check.peak
            memory = f", {growth / (after.events - before.events or 1):+.0f} bytes of memory an event"
        sizes = f"{before.events:,} to {after.events:,}"
        yield f"{sizes}: {events:.1f} times the events, {time:.1f} times the time{memory}"


def _json(rows: list[Row], seed: int, best_of: int) -> dict[str, object]:
    return {
        "seed": seed,
        "bestOf": best_of,
        "python": sys.version.split()[0],
        "logs": [
            {
                "events": row.events,
                "bytes": row.size,
                "ratio": row.ratio,
                "eventsPerSecond": row.events / row.check.seconds,
                "check": _measurement(row.check),
                "decode": _measurement(row.decode),
                "fold": None if row.fold is None else _measurement(row.fold),
            }
            for row in rows
        ],
    }


def _measurement(measured: Measurement) -> dict[str, object]:
    return {
        "seconds": measured.seconds,
        "processSeconds": measured.process_seconds,
        "peakBytes": measured.peak,
    }


WARM_CALLS = {"implementation": 10_000, "law": 500}
COLD_CALLS = 80


@bench.command("local-time", short_help="Measure what a local time takes to become an instant.")
@click.option(
    "--best-of", type=click.IntRange(min=1), default=5, show_default=True, help="Runs of each work."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object for all.")
def local_time(best_of: int, as_json: bool) -> None:
    """Measure how long a local time, given as date, time and zone, takes to become an instant.

    In one zone and in eight mixed, cold (the first in a zone: its file is read) and warm (any later one); for
    the bundled implementation, and for the law, which checks its contracts at every step, for scale.

    \b
    With --json the object has the members
      bestOf, python
      zones    the names of the eight zones, the one zone first
      figures  [{reading: implementation or law, zones: 1 or 8, state: cold or warm,
               calls, seconds, microsecondsPerCall, callsPerSecond}]
    """
    from schedule_cli.benchmarks.local_time import READINGS, ZONES, measure  # noqa: PLC0415 - this command's alone

    figures = []
    if not as_json:
        click.echo(f"best of {best_of}, Python {sys.version.split()[0]}")
        click.echo(f"{'reading':14}  zones  state  {'us/call':>9}  {'calls/s':>9}")
    for reading in READINGS:
        for names in (ZONES[:1], ZONES):
            for is_warm in (False, True):
                calls = WARM_CALLS[reading] if is_warm else COLD_CALLS
                figure = measure(reading, names, is_warm, calls, best_of)
                state = "warm" if is_warm else "cold"
                if not as_json:
                    speed = f"{figure.microseconds:>9.2f}  {figure.per_second:>9,.0f}"
                    click.echo(f"{reading:14}  {figure.zones:>5}  {state}   {speed}")
                figures.append(
                    {
                        "reading": reading,
                        "zones": figure.zones,
                        "state": state,
                        "calls": figure.calls,
                        "seconds": figure.seconds,
                        "microsecondsPerCall": figure.microseconds,
                        "callsPerSecond": figure.per_second,
                    }
                )
    if as_json:
        report = {"bestOf": best_of, "python": sys.version.split()[0], "zones": ZONES, "figures": figures}
        click.echo(json.dumps(report))
