"""The command `schedule-spec zones`: the accepted time zones, and the gaps and overlaps of one of them."""

import re
from collections import Counter
from collections.abc import Iterator
from textwrap import fill

import click

from schedule_cli.output import ExitCode, print_json, width
from schedule_cli.wall_times import (
    instant_text,
    kind,
    near_zones,
    offset_text,
    shown_around,
    span_text,
    transition_json,
    wall_text,
)
from schedule_spec import register, zones
from schedule_spec.gregorian import Date, day_number
from schedule_spec.instants import EARLIEST
from schedule_spec.local_time import instants_of
from schedule_spec.posix_rules import DAY, WIDEST_OFFSET
from schedule_spec.rejections import Code, quoted
from schedule_spec.zones import Transition, Zone, transitions_between

CLAUSE = "zone.names"
LISTED_TO = day_number(Date(2101, 1, 1)) * DAY
"""Until when the transitions of a zone are counted: a rule makes the same ones every year from then on."""


def _year(ctx: click.Context, param: click.Parameter, text: str | None) -> int | None:
    """Return a year, all four digits written: 27 is hardly ever meant to be the year 27."""
    if text is None:
        return None
    if re.fullmatch("[0-9]{4}", text) is None or text == "0000":
        message = f"{quoted(text)} is no year from 0001 to 9999, written with all four digits."
        raise click.BadParameter(message, ctx, param)
    return int(text)


@click.command("zones")
@click.argument("name", required=False, metavar="[ZONE]")
@click.argument("year", required=False, callback=_year)
@click.option(
    "--names",
    "part",
    is_flag=False,
    flag_value="",
    metavar="[TEXT]",
    help="List the accepted names, or those that hold TEXT.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, name: str | None, year: int | None, part: str | None, as_json: bool) -> None:
    """Show the tz database's release and what it accepts, or one zone's gaps and overlaps.

    Without arguments: the release, how many names are accepted, and in which areas. With a ZONE, in any ASCII
    case: when its offset changes. With a YEAR too: each gap and overlap of that year, with the instants that
    the wall times at its edges have. A name that is not accepted is answered as the clauses answer it.

    \b
    With --json the object has the members
      release      the tz database's release
    and, without ZONE,
      count        how many names are accepted
      areas        without --names: how many by what stands before the first /
      names        with --names: those that hold the text
    or, with ZONE,
      zone         the name in the release's spelling, null where it is not accepted
      rejection    null, or {code, clause, sentence, message}
      offsets      every offset that the zone ever has
      gaps, overlaps, first, last
                   without YEAR: how many until the year 2100, and the first and last transition
      recurring    without YEAR: whether there are two transitions each year from then on
      year, transitions
                   with YEAR: [{kind, at, before, after, from, to, lengthMs,
                   walls: [{wall, instants}]}]; of several instants the first counts

    \b
    Exit codes:
      0  shown
      1  the name is not accepted
      2  wrong usage
    """
    if name is None:
        _show_names(part, as_json)
        return
    if part is not None:
        raise click.UsageError("--names lists names; it does not go with a ZONE.")
    canonical = zones.canonical(name)
    if canonical is None:
        _refuse(name, as_json)
        ctx.exit(ExitCode.VIOLATION)
    zone = zones.zone(canonical)
    if year is None:
        _show_zone(zone, as_json)
    else:
        _show_year(zone, year, as_json)


def _show_names(part: str | None, as_json: bool) -> None:
    accepted = zones.names()
    if part is not None:
        found = [name for name in accepted if part.lower() in name.lower()]
        if as_json:
            print_json({"release": zones.release(), "count": len(accepted), "names": found})
            return
        for name in found:
            click.echo(name)
        click.echo(f"{len(found)} of {len(accepted)} accepted names, tzdata {zones.release()}", err=True)
        return
    areas = Counter(name.partition("/")[0] for name in accepted)
    if as_json:
        print_json({"release": zones.release(), "count": len(accepted), "areas": areas})
        return
    click.echo(f"tzdata {zones.release()}: {len(accepted)} accepted names")
    for area, count in areas.items():
        click.echo(f"  {area:12}{count:4}")
    click.echo(
        "`schedule-spec zones --names TEXT` lists names; `schedule-spec zones ZONE YEAR` shows a year."
    )


def _refuse(name: str, as_json: bool) -> None:
    sentence = register.clause(CLAUSE).sentence
    message = f"{quoted(name)} is no name that tzdata {zones.release()} gives.{_hint(name)}"
    if as_json:
        rejection = {
            "code": Code.INVALID_TIME_ZONE,
            "clause": CLAUSE,
            "sentence": sentence,
            "message": message,
        }
        print_json({"release": zones.release(), "zone": None, "rejection": rejection})
        return
    click.secho(f"rejected: {Code.INVALID_TIME_ZONE}", fg="red", bold=True)
    for text in (f"{CLAUSE}: {sentence}", message):
        click.echo(fill(text, width(), initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False))


def _hint(name: str) -> str:
    if zones.is_open(name):
        return " It is one of the fifteen that an implementation may accept."
    return near_zones(name)


def _show_zone(zone: Zone, as_json: bool) -> None:
    transitions = transitions_between(zone, EARLIEST, LISTED_TO)
    kinds = Counter(map(kind, transitions))
    recurring = zone.rule is not None and zone.rule.saving is not None
    if as_json:
        print_json(
            {
                **_head(zone),
                "gaps": kinds["gap"],
                "overlaps": kinds["overlap"],
                "first": transition_json(transitions[0]) if transitions else None,
                "last": transition_json(transitions[-1]) if transitions else None,
                "recurring": recurring,
            }
        )
        return
    click.secho(f"{zone.name}, tzdata {zones.release()}", bold=True)
    click.echo(
        fill(
            f"offsets  {', '.join(map(offset_text, zones.offsets(zone)))}",
            width(),
            initial_indent="  ",
            subsequent_indent=" " * 11,
            break_on_hyphens=False,
        )
    )
    if not transitions:
        click.echo("  The offset never changes: every wall time occurs once.")
        return
    click.echo(f"  until the year 2100: {_counted(kinds)}")
    click.echo(f"  first    {_heading(transitions[0])}")
    click.echo(f"  last     {_heading(transitions[-1])}")
    if recurring:
        click.echo("  A rule goes on making two each year, without end.")
    click.echo(f"`schedule-spec zones {zone.name} YEAR` shows the wall times of a year.")


def _show_year(zone: Zone, year: int, as_json: bool) -> None:
    found = transitions_of_year(zone, year)
    if as_json:
        shown = [{**transition_json(each), "walls": _walls_json(zone, each)} for each in found]
        print_json({**_head(zone), "year": year, "transitions": shown})
        return
    kinds = Counter(map(kind, found))
    click.secho(f"{zone.name} in {year:04}, tzdata {zones.release()}: {_counted(kinds)}", bold=True)
    for transition in found:
        click.echo()
        for line in _table(zone, transition):
            click.echo(line)


def transitions_of_year(zone: Zone, year: int) -> tuple[Transition, ...]:
    """Return the transitions whose gap or overlap holds a wall time of the year, by time."""
    begin = day_number(Date(year, 1, 1)) * DAY
    end = (day_number(Date(year, 12, 31)) + 1) * DAY
    near = transitions_between(zone, begin - WIDEST_OFFSET, end + WIDEST_OFFSET)
    return tuple(each for each in near if shown_around(each)[0] < end and begin < shown_around(each)[1])


def _head(zone: Zone) -> dict[str, object]:
    return {
        "release": zones.release(),
        "zone": zone.name,
        "rejection": None,
        "offsets": [offset_text(offset) for offset in zones.offsets(zone)],
    }


def _counted(kinds: Counter[str]) -> str:
    gaps, overlaps = kinds["gap"], kinds["overlap"]
    return f"{gaps} {'gap' if gaps == 1 else 'gaps'}, {overlaps} {'overlap' if overlaps == 1 else 'overlaps'}"


def _walls(transition: Transition) -> tuple[int, ...]:
    """Return the wall times that show a gap or overlap: one ms before, first, last, and first after it."""
    first, end = shown_around(transition)
    return first - 1, first, end - 1, end


def _walls_json(zone: Zone, transition: Transition) -> list[dict[str, object]]:
    return [
        {"wall": wall_text(wall), "instants": [instant_text(t) for t in instants_of(zone, wall)]}
        for wall in _walls(transition)
    ]


def _heading(transition: Transition) -> str:
    first, end = shown_around(transition)
    change = f"{offset_text(transition.before)} to {offset_text(transition.after)}"
    return f"{kind(transition)} of {span_text(end - first)} at {instant_text(transition.at)}, {change}"


def _table(zone: Zone, transition: Transition) -> Iterator[str]:
    yield _heading(transition)
    yield click.style(f"  {'wall time':25}{'first instant, chosen':26}second instant", dim=True)
    for wall in _walls(transition):
        instants = [instant_text(t) for t in instants_of(zone, wall)] or ["none"]
        yield f"  {wall_text(wall):25}" + "  ".join(f"{text:24}" for text in instants).rstrip()
