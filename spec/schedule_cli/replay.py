"""`schedule-spec replay`: ask again what a trace asked, and say whether it still breaks what it broke.

Reads one file, writes to standard output.
"""

import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

import click

from schedule_cli.output import ExitCode, print_json, width
from schedule_cli.systems import sut
from schedule_conformance.running import CannotJudgeError, agreed, greet
from schedule_conformance.systems import System
from schedule_conformance.worlds import telling, traces
from schedule_conformance.worlds.replaying import replayed
from schedule_conformance.worlds.traces import NoTraceError, Trace


class Outcome(StrEnum):
    """What came of a replay, against what the trace says."""

    SAME = "same"
    ANOTHER = "another"
    NONE = "none"


@click.command()
@click.argument("file", metavar="TRACE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@sut
@click.option(
    "--json", "as_json", is_flag=True, help="Print the new trace as JSON, with `outcome` beside it."
)
def replay(file: Path, system: System, as_json: bool) -> None:
    """Ask a system again what a trace asked, and judge its answers anew.

    TRACE is a file that `verify --traces` wrote, or one of the same format. Ids that the system chose when
    the trace was made are respelt as it chooses them now.

    \b
    Exit codes: 0 nothing is violated (any more), 1 the same clause or another one is violated,
    2 wrong usage, 3 could not judge.
    """
    try:
        old = traces.read(file)
        new = _replayed(old, system)
    except NoTraceError as problem:
        click.echo(f"{file} holds no trace: {problem}", err=True)
        sys.exit(ExitCode.UNJUDGED)
    except OSError as problem:
        click.echo(f"{file} cannot be read: {problem.strerror}", err=True)
        sys.exit(ExitCode.UNJUDGED)
    except CannotJudgeError as problem:
        click.echo(f"Could not judge: {problem}", err=True)
        sys.exit(ExitCode.UNJUDGED)
    outcome = compared(old, new)
    if as_json:
        print_json({"outcome": str(outcome), "trace": traces.as_json(new)})
    else:
        _print(old, new, outcome, system)
    sys.exit(ExitCode.SOUND if outcome is Outcome.NONE else ExitCode.VIOLATION)


def compared(old: Trace, new: Trace) -> Outcome:
    """Return how what was found now relates to what the trace says: the clause decides."""
    if new.violation is None:
        return Outcome.NONE
    same = old.violation is not None and old.violation.clause == new.violation.clause
    return Outcome.SAME if same else Outcome.ANOTHER


def _replayed(old: Trace, system: System) -> Trace:
    implementation = greet(system)
    terms = agreed(implementation)
    if terms is None:
        raise CannotJudgeError("hello claims no live sessions (features tools and delivery).")
    if terms.profile is not old.terms.profile:
        raise CannotJudgeError(f"the trace is of level {old.terms.profile}, the system of {terms.profile}.")
    if old.needs_surrogates and "surrogates" not in implementation.features:
        raise CannotJudgeError("the trace holds unpaired surrogates, which the system does not take.")
    world = replayed(system, terms, old.steps)
    return replace(old, terms=terms, steps=tuple(world.exchanges), violation=world.violation)


def _print(old: Trace, new: Trace, outcome: Outcome, system: System) -> None:
    click.echo(f"{old.id}: {len(new.steps)} of {len(old.steps)} steps asked of {system.name}.")
    for line in telling.asked(new):
        _echo("asked", line)
    if new.violation is not None:
        for line in telling.seen(new):
            _echo("seen", line)
        _echo("broken", f"{new.violation.clause}. {new.violation.sentence}")
        _echo("allowed", telling.allowed(new))
        _echo("came", telling.came(new))
    click.echo(_verdict(old, new, outcome))


def _echo(heading: str, line: str) -> None:
    room = max(width() - 10, 20)
    for start in range(0, len(line), room):
        click.echo(f"  {heading if start == 0 else '':<8}{line[start : start + room]}")


def _verdict(old: Trace, new: Trace, outcome: Outcome) -> str:
    clause = new.violation.clause if new.violation else ""
    before = old.violation.clause if old.violation else "nothing"
    match outcome:
        case Outcome.SAME:
            return f"The same violation: {clause}."
        case Outcome.ANOTHER:
            return f"Another violation: {clause}; the trace says {before}."
        case Outcome.NONE:
            return "No violation." if old.violation is None else f"No violation; the trace says {before}."
