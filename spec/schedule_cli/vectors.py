"""The command `vectors`: the frozen cases listed, shown, written to a folder, and held against their history.

With `--json` it prints one object: `{"areas": […], "worlds": …}`, an area with the keys `area`, `cases`,
`results`, `rejections` and `origins`; with `--kinds` `{"kinds": […]}`; for what is named
`{"vectors": […], "traces": […]}`, as the files have them.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import fill, indent
from typing import Any, TypeAlias

import click

from schedule_cli.output import ExitCode, near, print_json, printable, width
from schedule_conformance.frozen import frozen_history, publishing, vectors
from schedule_conformance.frozen.frozen_history import BrokenHistoryError, Drift
from schedule_conformance.frozen.publishing import StrangeFilesError
from schedule_conformance.law.law_adapter import suite_version
from schedule_conformance.worlds import traces
from schedule_conformance.worlds.traces import Trace
from schedule_spec import register

WORLDS = "worlds"
"""What the traces of live sessions are listed under."""

Entry: TypeAlias = dict[str, Any]
"""A vector as its file has it."""

LABEL = 10


@click.command("vectors")
@click.argument("what", required=False, metavar="[AREA|CLAUSE|KIND|ID]")
@click.option("--kinds", is_flag=True, help="List the kinds of bugs that cases are flagged with.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--write",
    "folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the whole set with its schemas and an index, for use without this program.",
)
@click.option(
    "--check",
    "history",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Hold the set against the fingerprints of every released case.",
)
def command(what: str | None, kinds: bool, as_json: bool, folder: Path | None, history: Path | None) -> None:
    """List the frozen cases: how many of each area, or those of an AREA, a CLAUSE or a KIND of bug.

    A single ID is shown in full. The area `worlds` holds the traces of live sessions.

    \b
    Exit codes: 0 done, 1 with --check: the set differs from its history, 2 wrong usage,
    3 could not judge, or not write.
    """
    if sum([what is not None, kinds, folder is not None, history is not None]) > 1:
        raise click.UsageError("Give one of AREA, CLAUSE, KIND or ID, --kinds, --write and --check.")
    if folder is not None:
        _write(folder)
    elif history is not None:
        _check(history)
    elif kinds:
        _print_kinds(as_json)
    elif what is None:
        _print_areas(as_json)
    else:
        _print_named(what, as_json)


# --- listing ---


def _entries() -> list[tuple[str, Entry]]:
    """Return every vector with the area that it stands in."""
    return [(contents["area"], entry) for _, contents in vectors.files() for entry in contents["vectors"]]


def _areas() -> list[str]:
    """Return the areas that have cases, in the order of the register."""
    present = {contents["area"] for _, contents in vectors.files()}
    return [area.name for area in register.AREAS if area.name in present]


def _print_areas(as_json: bool) -> None:
    entries = _entries()
    rows = [_counts(area, [entry for its, entry in entries if its == area]) for area in _areas()]
    kept = traces.frozen()
    if as_json:
        worlds = {"cases": len(kept), "origins": dict(Counter(trace.meta["origin"] for trace in kept))}
        print_json({"areas": rows, "worlds": worlds})
        return
    click.echo(f"{'area':<10}{'cases':>7}{'granted':>9}{'rejected':>10}  origins")
    for row in rows:
        origins = ", ".join(f"{count} {origin}" for origin, count in row["origins"].items())
        counts = f"{row['cases']:>7}{row['results']:>9}{row['rejections']:>10}"
        click.echo(f"{row['area']:<10}{counts}  {origins}")
    origins = ", ".join(
        f"{count} {origin}"
        for origin, count in sorted(Counter(trace.meta["origin"] for trace in kept).items())
    )
    click.echo(f"{WORLDS:<10}{len(kept):>7}{'':>19}  {origins}")
    click.echo(f"{len(entries)} vectors and {len(kept)} traces, of suite {suite_version()}.")


def _counts(area: str, entries: Sequence[Entry]) -> dict[str, Any]:
    granted = sum("result" in entry["expect"] for entry in entries)
    return {
        "area": area,
        "cases": len(entries),
        "results": granted,
        "rejections": len(entries) - granted,
        "origins": dict(sorted(Counter(entry["origin"] for entry in entries).items())),
    }


def _print_kinds(as_json: bool) -> None:
    counts = Counter(flag for _, entry in _entries() for flag in entry["flags"])
    told = vectors.kinds()
    if as_json:
        print_json(
            {"kinds": [{"kind": kind, "sentence": told[kind], "cases": counts[kind]} for kind in told]}
        )
        return
    for kind, sentence in told.items():
        click.echo(f"{kind} ({counts[kind]})")
        click.echo(indent(_wrapped(sentence), "  "))


# --- what is named ---


def _print_named(what: str, as_json: bool) -> None:
    entries, kept = _named(what)
    if as_json:
        print_json({"vectors": entries, "traces": [traces.as_json(trace) for trace in kept]})
    elif [what] == [entry["id"] for entry in entries]:
        _print_entry(entries[0])
    elif [what] == [trace.id for trace in kept]:
        _print_trace(kept[0])
    else:
        _print_list(what, entries, kept)


def _named(what: str) -> tuple[list[Entry], list[Trace]]:
    """Return the vectors and traces of a name; UsageError where there is no such name."""
    entries, kept = [entry for _, entry in _entries()], list(traces.frozen())
    areas, clauses = [*_areas(), WORLDS], [clause.id for clause in register.CLAUSES]
    if what == WORLDS:
        return [], kept
    if what in areas:
        return [entry for area, entry in _entries() if area == what], []
    if what in clauses:
        return (
            [entry for entry in entries if what in entry["clauses"]],
            [trace for trace in kept if what in trace.clauses],
        )
    if what in vectors.kinds():
        return [entry for entry in entries if what in entry["flags"]], []
    found = [entry for entry in entries if entry["id"] == what], [trace for trace in kept if trace.id == what]
    if not any(found):
        ids = [*(entry["id"] for entry in entries), *(trace.id for trace in kept)]
        hint = near(what, [*areas, *vectors.kinds(), *clauses, *ids])
        raise click.UsageError(f"There is no area, clause, kind of bug or case {what!r}.{hint}")
    return found


def _print_list(what: str, entries: Sequence[Entry], kept: Sequence[Trace]) -> None:
    longest = max((len(each) for each in [*(e["id"] for e in entries), *(t.id for t in kept)]), default=0)
    for entry in entries:
        click.echo(f"{entry['id']:<{longest}}  {entry['clauses'][0]}  {_allowed_briefly(entry)}")
    for trace in kept:
        click.echo(
            f"{trace.id:<{longest}}  {len(trace.steps)} steps  {printable(trace.meta.get('note', ''))}"
        )
    counts = [f"{len(entries)} vectors"] if entries or not kept else []
    counts += [f"{len(kept)} traces"] if kept else []
    click.echo(f"{what}: {' and '.join(counts)}.")


def _allowed_briefly(entry: Entry) -> str:
    return "granted" if "result" in entry["expect"] else " or ".join(entry["expect"]["rejected"]["codes"][:3])


def _print_entry(entry: Entry) -> None:
    told = vectors.kinds()
    click.echo(entry["id"])
    rows: list[tuple[str, str]] = [
        ("clauses", ", ".join(entry["clauses"])),
        ("level", entry["profile"]),
        ("origin", entry["origin"]),
        *(("catches", f"{flag}: {told[flag]}") for flag in entry["flags"]),
        *([("note", entry["note"])] if entry["note"] else []),
        *([("zone data", json.dumps(entry["tzdata"]))] if "tzdata" in entry else []),
        ("asked", json.dumps(entry["request"])),
        ("allowed", _allowed(entry["expect"])),
    ]
    _print_rows(rows)
    click.echo(f"Ask it alone: schedule-spec verify --only-case {entry['id']}")


def _allowed(expect: Entry) -> str:
    if "result" in expect:
        return json.dumps(expect["result"])
    codes = expect["rejected"]["codes"]
    return f"a rejection as {codes[0]}" if len(codes) == 1 else f"a rejection as one of {', '.join(codes)}"


def _print_trace(trace: Trace) -> None:
    click.echo(trace.id)
    rows = [
        ("clauses", ", ".join(trace.clauses)),
        ("level", str(trace.terms.profile)),
        ("origin", trace.meta["origin"]),
        *([("note", trace.meta["note"])] if trace.meta.get("note") else []),
        *([("assumes", ", ".join(trace.assumes))] if trace.assumes else []),
    ]
    for step in trace.steps:
        rows.append(("asked", json.dumps(step.request)))
        rows.append(("came", json.dumps(step.reply)))
    _print_rows(rows)
    click.echo(f"Ask it alone: schedule-spec verify --only-case {trace.id}")


def _print_rows(rows: Iterable[tuple[str, str]]) -> None:
    """Print rows of a label and a text; JSON is cut at the width alone, so that no space of it is lost."""
    before = ""
    for label, text in rows:
        shown = "" if label == before and label == "catches" else label
        lines = _cut(text) if text.startswith("{") else _wrapped(printable(text)).splitlines()
        for place, line in enumerate(lines):
            click.echo(f"  {shown if place == 0 else '':<{LABEL}}{line}")
        before = label


def _cut(text: str) -> list[str]:
    room = max(width(), 40) - LABEL - 2
    return [text[start : start + room] for start in range(0, len(text), room)]


def _wrapped(text: str) -> str:
    return fill(text, max(width(), 40) - LABEL - 2, break_on_hyphens=False)


# --- the set as a whole ---


def _write(folder: Path) -> None:
    try:
        files = publishing.write(folder)
    except StrangeFilesError as problem:
        raise click.UsageError(f"{problem}; give another folder, or empty this one.") from None
    except OSError as problem:
        click.echo(f"{folder} cannot be written: {problem.strerror}", err=True)
        sys.exit(ExitCode.UNJUDGED)
    counts = publishing.index()["counts"]
    click.echo(
        f"{counts['vectors']} vectors and {counts['traces']} traces written to {folder}: "
        f"{len(files)} files, of which readme.md tells how to use them."
    )


def _check(file: Path) -> None:
    try:
        found = frozen_history.drift(frozen_history.read(file))
    except BrokenHistoryError as problem:
        click.echo(f"{file} holds no history of frozen cases: {problem}", err=True)
        sys.exit(ExitCode.UNJUDGED)
    except OSError as problem:
        click.echo(f"{file} cannot be read: {problem.strerror}", err=True)
        sys.exit(ExitCode.UNJUDGED)
    for line in told(found):
        click.echo(line)
    sys.exit(ExitCode.VIOLATION if found else ExitCode.SOUND)


def told(drift: Drift) -> list[str]:
    """Return how the set differs from its history, line by line; the last lines can be added to it."""
    if not drift:
        return ["Every released case answers as it did, and none is new."]
    lines = [
        f"changed: {id}. A released answer never changes: give the new case a new id." for id in drift.changed
    ]
    lines += [
        f"vanished: {id}. A released case stays, or is withdrawn with a reason." for id in drift.vanished
    ]
    lines += [f"withdrawn: {id}. It came back; a withdrawn id is never given again." for id in drift.returned]
    if drift.new:
        release = frozen_history.next_minor(suite_version())
        lines += [f'new: {len(drift.new)}. Add these lines to the history, under ["{release}"]:']
        lines += frozen_history.lines(drift.new).splitlines()
    return lines
