"""`schedule-spec replay`: ask again what a failure asked, and say whether it still breaks what it broke.

Reads one file, of a world's trace or of a single failing case, and writes to standard output. With
`--promote` nobody is asked: what the file holds is judged anew and becomes a frozen case.
"""

import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import NoReturn

import click

from schedule_cli.output import ExitCode, print_json, width
from schedule_cli.systems import sut
from schedule_conformance.adapters.smoke import CannotJudgeError, greet
from schedule_conformance.frozen import frozen_history, kept_cases, promoting
from schedule_conformance.frozen.kept_cases import KeptCase
from schedule_conformance.frozen.promoting import NotPromotedError
from schedule_conformance.judgement.judging import Failed, Unsupported, judge, unfulfilled
from schedule_conformance.judgement.judging import expectation as expected_by
from schedule_conformance.law.law_adapter import suite_version
from schedule_conformance.law.rulings import rule
from schedule_conformance.protocol.json_values import show
from schedule_conformance.protocol.messages import wire
from schedule_conformance.protocol.systems import GivenUpError, System
from schedule_conformance.runs.docket import agreed
from schedule_conformance.worlds import telling, traces
from schedule_conformance.worlds.replaying import replayed
from schedule_conformance.worlds.traces import NoTraceError, Trace


class Outcome(StrEnum):
    """What came of a replay, against what the file says."""

    SAME = "same"
    ANOTHER = "another"
    NONE = "none"


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@sut
@click.option("--json", "as_json", is_flag=True, help="Print what came as JSON, with `outcome` beside it.")
@click.option("--promote", is_flag=True, help="Make a frozen case of it; nobody is asked.")
@click.option(
    "--into",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --promote: the file of frozen cases to add it to, rather than the suite's own.",
)
def replay(file: Path, system: System, as_json: bool, promote: bool, into: Path | None) -> None:
    """Ask a system again what a failure asked, and judge its answers anew.

    FILE is one that `verify --failures` wrote: a world's trace, or a single case. Ids that the system chose
    when a trace was made are respelt as it chooses them now.

    With --promote it becomes a frozen case, which holds what is allowed by the law and not what came.

    \b
    Exit codes: 0 nothing is violated (any more), or it was promoted; 1 the same clause or another one is
    violated; 2 wrong usage; 3 could not judge, or not promote.
    """
    if into is not None and not promote:
        raise click.UsageError("--into says where --promote writes to: give both.")
    try:
        old = kept_cases.read(file)
        if promote:
            _promote(old, into)
            return
        outcome = (
            _replay_trace(old, system, as_json)
            if isinstance(old, Trace)
            else _replay_case(old, system, as_json)
        )
    except NoTraceError as problem:
        _give_up(f"{file} holds no trace: {problem}")
    except NotPromotedError as problem:
        _give_up(f"Not promoted: {problem}.")
    except OSError as problem:
        _give_up(f"{problem.filename or file} cannot be read or written: {problem.strerror}")
    except (CannotJudgeError, GivenUpError) as problem:
        _give_up(f"Could not judge: {problem}")
    sys.exit(ExitCode.SOUND if outcome is Outcome.NONE else ExitCode.VIOLATION)


def _give_up(sentence: str) -> NoReturn:
    click.echo(sentence, err=True)
    sys.exit(ExitCode.UNJUDGED)


# --- traces ---


def _replay_trace(old: Trace, system: System, as_json: bool) -> Outcome:
    new = _replayed(old, system)
    outcome = compared(old, new)
    if as_json:
        print_json({"outcome": str(outcome), "trace": traces.as_json(new)})
    else:
        _print_trace(old, new, outcome, system)
    return outcome


def compared(old: Trace, new: Trace) -> Outcome:
    """Return how what was found now relates to what the trace says: the clause decides."""
    before = old.violation.clause if old.violation else None
    return _compared(before, new.violation.clause if new.violation else None)


def _compared(before: str | None, now: str | None) -> Outcome:
    if now is None:
        return Outcome.NONE
    return Outcome.SAME if before == now else Outcome.ANOTHER


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


def _print_trace(old: Trace, new: Trace, outcome: Outcome, system: System) -> None:
    click.echo(f"{old.id}: {len(new.steps)} of {len(old.steps)} steps asked of {system.name}.")
    for line in telling.asked(new):
        _echo("asked", line)
    if new.violation is not None:
        for line in telling.seen(new):
            _echo("seen", line)
        _echo("broken", f"{new.violation.clause}. {new.violation.sentence}")
        _echo("allowed", telling.allowed(new))
        _echo("came", telling.came(new))
    before = old.violation.clause if old.violation else None
    click.echo(_verdict(before, new.violation.clause if new.violation else "", outcome))


# --- single cases ---


def _replay_case(old: KeptCase, system: System, as_json: bool) -> Outcome:
    new = _asked_again(old, system)
    outcome = _compared(old.clause, None if new is None else new.clause)
    if as_json:
        told = {**kept_cases.as_json(old if new is None else new), **({} if new else {"violation": None})}
        print_json({"outcome": str(outcome), "case": told})
    else:
        _print_case(old, new, outcome, system)
    return outcome


def _asked_again(old: KeptCase, system: System) -> KeptCase | None:
    """Return the case as it fails now; None where it does not fail any more."""
    implementation = greet(system)
    if implementation.profile is not old.profile:
        raise CannotJudgeError(f"the case is of level {old.profile}, the system of {implementation.profile}.")
    if old.needs_surrogates and "surrogates" not in implementation.features:
        raise CannotJudgeError("the case holds unpaired surrogates, which the system does not take.")
    if old.releases and implementation.tzdata not in old.releases:
        held = ", ".join(old.releases)
        raise CannotJudgeError(
            f"the case holds under the zone data of {held}; the system has {implementation.tzdata}."
        )
    request = wire({"seq": 1, **old.request})
    reply = system.ask(wire(request))
    verdict = judge(request, reply, old.profile)
    if isinstance(verdict, Unsupported):
        if verdict.feature not in implementation.features:
            raise CannotJudgeError(f"the system does not have the feature {verdict.feature}.")
        verdict = unfulfilled(expected_by(rule(request, old.profile)), request, reply, old.profile)
    return kept_cases.again(old, verdict, system.name) if isinstance(verdict, Failed) else None


def _print_case(old: KeptCase, new: KeptCase | None, outcome: Outcome, system: System) -> None:
    click.echo(f"{old.id}: asked of {system.name}.")
    _echo("asked", show(old.request))
    if new is not None:
        _echo("broken", new.clause)
        _echo("allowed", new.allowed)
        _echo("came", new.got)
    click.echo(_verdict(old.clause, new.clause if new else "", outcome))


def _echo(heading: str, line: str) -> None:
    room = max(width() - 10, 20)
    for start in range(0, len(line), room):
        click.echo(f"  {heading if start == 0 else '':<8}{line[start : start + room]}")


def _verdict(before: str | None, clause: str, outcome: Outcome) -> str:
    match outcome:
        case Outcome.SAME:
            return f"The same violation: {clause}."
        case Outcome.ANOTHER:
            return f"Another violation: {clause}; the file says {before or 'nothing'}."
        case Outcome.NONE:
            return "No violation." if before is None else f"No violation; the file says {before}."


# --- promotion ---


def _promote(found: Trace | KeptCase, into: Path | None) -> None:
    promoted = promoting.promote(found, into)
    click.echo(f"{promoted.id} written to {promoted.file}.")
    _echo("clauses", ", ".join(promoted.clauses))
    _echo("allowed", promoted.allowed)
    if into is None:
        release = frozen_history.next_minor(suite_version())
        line = frozen_history.lines(((promoted.id, frozen_history.fingerprints()[promoted.id]),)).strip()
        click.echo(f"Try it: schedule-spec verify --only-case {promoted.id}")
        click.echo(f'Add to the history of frozen cases, under ["{release}"]:\n{line}')
