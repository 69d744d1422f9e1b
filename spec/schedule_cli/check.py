"""The command `schedule-spec check`: is a session log sound, and if not, which event breaks which clause?"""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import click

from schedule_cli.checking import law_scan, processes
from schedule_cli.checking.judging import (
    Outcome,
    Scanner,
    Verdict,
    cannot_be_read,
    judge_stream,
    unreadable,
)
from schedule_cli.checking.progress import Meter
from schedule_cli.checking.report import as_json, as_text, salvage_hint, salvage_json, salvage_text, summary
from schedule_cli.checking.salvage import NotSalvaged, Salvage, salvage
from schedule_cli.checking.sources import STANDARD_INPUT, Source, Unreachable, expand, opened
from schedule_cli.output import ExitCode, printable
from schedule_impl import scan as implementation
from schedule_spec.profiles import Profile

EXIT_CODES = {
    Outcome.SOUND: ExitCode.SOUND,
    Outcome.VIOLATION: ExitCode.VIOLATION,
    Outcome.UNJUDGED: ExitCode.UNJUDGED,
}


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option("--json", "as_json_lines", is_flag=True, help="One JSON object a log, as JSON Lines.")
@click.option(
    "--profile",
    type=click.Choice([profile.value for profile in Profile]),
    default=Profile.V1.value,
    show_default=True,
    help="The protocol level that the logs are held to.",
)
@click.option("--law", is_flag=True, help="Let the law fold everything itself: a second opinion, far slower.")
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), default=1, metavar="N", help="Judge N logs at a time."
)
@click.option(
    "--salvage",
    "out",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Write the longest prefix of one LOG that folds to the new file OUT; if named .zst(d), compressed.",
)
@click.pass_context
def check(  # noqa: PLR0913, PLR0917 - one parameter an option
    ctx: click.Context,
    logs: tuple[str, ...],
    as_json_lines: bool,
    profile: str,
    law: bool,
    jobs: int,
    out: Path | None,
) -> None:
    """Judge session logs: files, folders (all *.jsonl below them, *.jsonl.zstd and *.jsonl.zst too), or -
    for standard input.

    For each log: sound, with its active reminders; or the first violation, with its line, its seq, the
    clause, the state before it, what came and what would have been accepted; or why it could not be judged.
    A last line or compressed frame that a crash cut is left out with a note, and is no violation.
    Where the log holds the host's inbox and tool events, follow-ups and tool results are judged too; what a
    crash or a failed append explains is a note, and what no log shows is counted as that.

    \b
    With --json each line is an object with the members
      log         the log's name as it was found
      verdict     sound, violation or unjudged
      session     the session's id, null without a header
      parent      the session it was forked from, null for none
      seedLength  how many events it inherited, null where the header does not say it
      events      complete events passed over or accepted
      changes     schedule changes accepted in the session's own part
      active      the active records at the end, or before the event that the fold refuses
      torn        null, or {line, kind: line or frame, bytes}
      violation   null, or {line, seq, clause, sentence, message, state: {active, seen},
                  came: the line, its first 4,096 characters, accepted: [sentence]};
                  clause is null where only seq is wrong
      behind      null, or the same of the event that the fold refuses, where what violation tells
                  is a fault of delivery before it; events are counted up to here
      unjudged    null, or {kind: unreadable, header, bytes, limit, disagreement or fault, line, message}
      delivery    null where the log holds no host's events, or {checked: {deliveries, answers},
                  notes: [{line, seq, message}], furtherNotes, notCheckable: [{reason, count}]}
      salvage     with --salvage: null, or {out, events, unsynced: why its folder could not be synced,
                  or null, leftOut: {count, changes: {count, first: [{line, seq, operation, id, kind}]},
                  others: [{type, count}], unread: why what follows cannot be read, or null}}

    \b
    Exit codes:
      0  every log is sound
      1  a violation was found
      2  wrong usage
      3  a log could not be judged, or nothing could be salvaged
    """
    scan = law_scan.scan if law else implementation.scan
    places = [place for argument in logs for place in expand(argument)]
    if sum(place.name == STANDARD_INPUT for place in places) > 1:
        raise click.UsageError("Standard input can be read only once.")
    if out is not None:
        place = _checked_target(places, out)
        ctx.exit(_report_saved(*_save(place, Profile(profile), scan, out), as_json_lines))
    outcomes = []
    for verdict in _verdicts(places, Profile(profile), scan, jobs):
        if as_json_lines:
            click.echo(json.dumps(as_json(verdict)))
        else:
            _print(as_text(verdict))
            _print(() if verdict.log == STANDARD_INPUT else salvage_hint(verdict))
        outcomes.append(verdict.outcome)
    if len(outcomes) > 1 and not as_json_lines:
        click.echo(summary(outcomes))
    ctx.exit(max(EXIT_CODES[outcome] for outcome in outcomes))


Place = Source | Unreachable


def _verdicts(places: list[Place], profile: Profile, scan: Scanner, jobs: int) -> Iterator[Verdict]:
    """Judge the places in their order, with `jobs` processes where that is more than one."""
    files = [place for place in places if isinstance(place, Source) and place.name != STANDARD_INPUT]
    workers = min(jobs, len(files))
    with closing(processes.verdicts(files if workers > 1 else (), profile, scan, workers)) as judged:
        for place in places:
            if workers > 1 and place in files:
                yield next(judged)
            else:
                yield _judge(place, profile, scan)


def _judge(place: Place, profile: Profile, scan: Scanner) -> Verdict:
    if isinstance(place, Unreachable):
        return unreadable(place.name, place.message)
    with Meter(printable(place.name)) as meter:
        return processes.shielded(place, profile, scan, meter)


def _checked_target(places: list[Place], out: Path) -> Place:
    """Return the one log to salvage from; UsageError where there are more, or `out` is no new file."""
    if len(places) != 1:
        raise click.UsageError(f"--salvage takes exactly one log; here are {len(places)}.")
    if str(out) == STANDARD_INPUT:
        raise click.UsageError("--salvage writes a file, and - is none.")
    if os.path.lexists(out):
        raise click.UsageError(f"{printable(str(out))} exists; --salvage writes a new file only.")
    if not os.path.isdir(out.parent):
        raise click.UsageError(f"There is no folder {printable(str(out.parent))} to write to.")
    return places[0]


def _save(place: Place, profile: Profile, scan: Scanner, out: Path) -> tuple[Verdict, Salvage | NotSalvaged]:
    """Judge a log and write what is sound of it, both from one reading of standard input."""
    if isinstance(place, Unreachable):
        return unreadable(place.name, place.message), NotSalvaged("there is no log.")
    try:
        with opened(place) as stream, Meter(printable(place.name)) as meter:
            verdict = judge_stream(place.name, stream, profile, scan, meter)
            return verdict, salvage(stream, verdict, profile, out)
    except OSError as error:
        return unreadable(place.name, cannot_be_read(error)), NotSalvaged("there is no log.")


def _report_saved(verdict: Verdict, saved: Salvage | NotSalvaged, as_json_lines: bool) -> ExitCode:
    """Print both answers; nothing salvaged is an exit code of its own."""
    kept = saved if isinstance(saved, Salvage) else None
    if as_json_lines:
        click.echo(json.dumps({**as_json(verdict), "salvage": None if kept is None else salvage_json(kept)}))
    else:
        _print(as_text(verdict))
        _print(() if kept is None else salvage_text(kept))
    if isinstance(saved, NotSalvaged):
        click.echo(f"Nothing was salvaged: {saved.message}", err=True)
        return ExitCode.UNJUDGED
    return EXIT_CODES[verdict.outcome]


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)
