"""The command `schedule-spec when`: what a selector means, and why, or which clause refuses it."""

import json
import time
from collections.abc import Iterator
from math import isfinite
from textwrap import wrap
from typing import NamedTuple

import click

from schedule_cli.meaning import Dispatch, Meaning, Target, meaning
from schedule_cli.output import ExitCode, print_json, width
from schedule_cli.wall_times import (
    in_zone_text,
    instant_json,
    instant_text,
    near_zones,
    offset_text,
    shown_around,
    span_text,
    transition_json,
    wall_text,
)
from schedule_spec import absolute, instants, json_text, records, register, zones
from schedule_spec.creation import Refusals
from schedule_spec.json_text import Json
from schedule_spec.numbers import safe_integer
from schedule_spec.records import Every
from schedule_spec.rejections import Rejection, quoted
from schedule_spec.zones import Zone

ID = "schedule-1"
MOST_OCCURRENCES = 1000


class Clock(NamedTuple):
    """The clock sample in ms, any number as the user wrote it, and whether it was given or read."""

    now: float
    is_given: bool


def _point_in_time(ctx: click.Context, param: click.Parameter, text: str | None) -> float | None:
    """Return the ms of an INSTANT; whether they are a safe integer and in range, the clauses say."""
    if text is None:
        return None
    number = written(text)
    if isinstance(number, int | float):
        return number
    instant = absolute.parse_offset_form(text)
    if isinstance(instant, int):
        return instant
    form = "ms since 1970, or YYYY-MM-DDTHH:mm:ss[.SSS] and Z or an offset such as +01:00, is required"
    raise click.BadParameter(f"{quoted(text)} is no instant: {form}.", ctx, param)


def _accepted_zone(ctx: click.Context, param: click.Parameter, text: str | None) -> Zone | None:
    """Return the zone of a name that zone.names accepts."""
    if text is None:
        return None
    name = zones.canonical(text)
    if name is None:
        raise click.BadParameter(f"{quoted(text)} is no accepted name.{near_zones(text)}", ctx, param)
    return zones.zone(name)


def written(text: str) -> int | float | str:
    """Return the number that a text is in JSON, else the text itself, which the clauses refuse.

    One beyond all doubles is left as text too: no JSON could show it.
    """
    value = json_text.read(text)
    if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
        return value
    return text


@click.command()
@click.option("--after", metavar="SECONDS", help="Once, so long after the clock sample.")
@click.option("--at", metavar="TEXT", help="Once, at an instant: 2027-01-15T09:00:00+01:00.")
@click.option(
    "--local",
    nargs=3,
    metavar="DATE TIME ZONE",
    help="Once, at a local time: 2027-01-15 09:00:00 Europe/Paris.",
)
@click.option("--every", metavar="SECONDS", help="Again and again, the first time after one interval.")
@click.option("--prompt", default="reminder", show_default=True, metavar="TEXT", help="What is reminded of.")
@click.option(
    "--now",
    callback=_point_in_time,
    metavar="INSTANT",
    help="The clock sample. [default: the clock is read once]",
)
@click.option(
    "--in", "zone", callback=_accepted_zone, metavar="ZONE", help="Show instants in this zone as well."
)
@click.option(
    "--accepted",
    callback=_point_in_time,
    metavar="INSTANT",
    help="With --every: what a dispatch that was decided then does to the new reminder.",
)
@click.option(
    "--count",
    type=click.IntRange(1, MOST_OCCURRENCES),
    metavar="K",
    help="With --every: how many occurrences to show. [default: 5]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def when(  # noqa: PLR0913, PLR0917 - one parameter an option
    ctx: click.Context,
    after: str | None,
    at: str | None,
    local: tuple[str, str, str] | None,
    every: str | None,
    prompt: str,
    now: float | None,
    zone: Zone | None,
    accepted: float | None,
    count: int | None,
    as_json: bool,
) -> None:
    """Say what a selector means: the record that is stored, the instant, and why it is that one.

    Or else which clause refuses it, in what words, and for a local time that the clocks skip where the gap
    lies. SECONDS is read as a JSON number (300, 300.0 and 3e2 are one); anything else is taken for a string,
    which the clauses refuse. An INSTANT is a number of ms since 1970, or date, time and Z or an offset.

    \b
    With --json the object has the members
      request      what was asked, as the command `create` of the adapter protocol takes it
      clock        {now, at, given}: the sample in ms and as an instant (null out of range),
                   and whether --now gave it
      verdict      accepted or rejected
      record       the record that is stored, null where none is
      target       null, or {instant, clause, sentence, candidates}: the instant that the selector
                   gives, why, and all that it was chosen from; also where it is refused as too early
      occurrences  the first occurrences of an every, as instants
      dispatch     null, or {accepted, occurrence, next, skipped}: with --accepted, what a
                   dispatch delivers, the next target or null, and how many it passes over
      rejections   [{code, clause, sentence, message, where}]: every refusal that applies; any of
                   the codes may be answered, the reference answers the first
      gap          null, or {zone, kind, at, before, after, from, to, lengthMs}
    An instant is {utc, ms, zone, wall, offset}; the last three are null without a zone, and
    all but ms out of range.

    \b
    Exit codes:
      0  accepted
      1  rejected by a clause
      2  wrong usage
    """
    selectors = _selectors(after, at, local, every)
    if every is None and (accepted is not None or count is not None):
        raise click.UsageError("--accepted and --count go with --every.")
    clock = Clock(time.time_ns() // 1_000_000, False) if now is None else Clock(now, True)
    request = {"id": ID, "prompt": prompt, **selectors, "now": clock.now}
    found = meaning(request, count or 5, accepted)
    if zone is None and local is not None and (name := zones.canonical(local[2])) is not None:
        zone = zones.zone(name)
    if as_json:
        print_json(_as_json(found, clock, zone))
    else:
        for line in _as_text(found, clock, zone):
            click.echo(line)
    ctx.exit(ExitCode.VIOLATION if found.rejections else ExitCode.SOUND)


def _selectors(
    after: str | None, at: str | None, local: tuple[str, str, str] | None, every: str | None
) -> dict[str, Json]:
    """Return the members of the request; that two of them are one too many, the clauses say."""
    if at is not None and local is not None:
        raise click.UsageError("--at and --local are two forms of one selector; give one of them.")
    selectors: dict[str, Json] = {}
    if after is not None:
        selectors["after_seconds"] = written(after)
    if at is not None:
        selectors["at"] = at
    if local is not None:
        selectors["at"] = dict(zip(absolute.MEMBERS, local, strict=True))
    if every is not None:
        selectors["every_seconds"] = written(every)
    if not selectors:
        raise click.UsageError("Give a selector: --after, --at, --local or --every.")
    return selectors


def _as_json(found: Meaning, clock: Clock, zone: Zone | None) -> dict[str, object]:
    sample = safe_integer(clock.now)
    return {
        "request": found.request,
        "clock": {
            "now": clock.now,
            "at": None if sample is None or not instants.in_range(sample) else instants.render(sample),
            "given": clock.is_given,
        },
        "verdict": "rejected" if found.rejections else "accepted",
        "record": None if isinstance(found.created, Refusals) else records.encode(found.created),
        "target": None if found.target is None else _target_json(found.target, zone),
        "occurrences": [instant_json(t, zone) for t in found.occurrences],
        "dispatch": _dispatch_json(found.dispatch, zone) if isinstance(found.dispatch, Dispatch) else None,
        "rejections": [_rejection_json(each) for each in found.rejections],
        "gap": None
        if found.gap is None
        else {"zone": found.gap.zone.name, **transition_json(found.gap.transition)},
    }


def _target_json(target: Target, zone: Zone | None) -> dict[str, object]:
    return {
        "instant": instant_json(target.ms, zone),
        "clause": target.clause,
        "sentence": target.sentence,
        "candidates": [instant_json(t, zone) for t in target.candidates],
    }


def _dispatch_json(dispatch: Dispatch, zone: Zone | None) -> dict[str, object]:
    following = dispatch.advance.next_target
    return {
        "accepted": instant_json(dispatch.accepted, zone),
        "occurrence": instant_json(dispatch.advance.occurrence, zone),
        "next": None if following is None else instant_json(following, zone),
        "skipped": dispatch.skipped,
    }


def _rejection_json(rejection: Rejection) -> dict[str, object]:
    return {
        "code": rejection.code.value,
        "clause": rejection.clause,
        "sentence": register.clause(rejection.clause).sentence,
        "message": rejection.message,
        "where": rejection.where,
    }


LABEL = 11


def _as_text(found: Meaning, clock: Clock, zone: Zone | None) -> Iterator[str]:
    if found.rejections:
        first = found.rejections[0]
        refused = (
            "rejected" if isinstance(found.created, Refusals) else "accepted, but its dispatch is rejected"
        )
        yield click.style(f"{refused}: {first.code.value}", fg="red", bold=True)
        yield from _row("clause", f"{first.clause}: {register.clause(first.clause).sentence}")
        yield from _row("found", first.message)
    else:
        yield click.style("accepted", fg="green", bold=True)
    yield from _gap_text(found)
    yield from _target_text(found, clock, zone)
    yield from _row("clock", _clock_text(clock))
    if not isinstance(found.created, Refusals):
        yield from _line("record", json.dumps(records.encode(found.created)))
    yield from _every_text(found, zone)
    yield from _hint(found)
    for position, other in enumerate(found.rejections[1:]):
        yield from _row("also" if position == 0 else "", _further(other, found.rejections[0]))


def _hint(found: Meaning) -> Iterator[str]:
    """Yield which accepted names are like one that is not accepted."""
    at = found.request.get("at")
    if isinstance(at, dict) and any(each.clause == "zone.names" for each in found.rejections):
        yield from _row("hint", near_zones(str(at["time_zone"])).strip())


def _further(other: Rejection, first: Rejection) -> str:
    """Return what a refusal beyond the first says; its code, if it is another, is as good an answer."""
    code = "" if other.code == first.code else f"{other.code.value} may be answered as well; "
    return f"{code}{other.clause}: {other.message}"


def _gap_text(found: Meaning) -> Iterator[str]:
    if found.gap is None:
        return
    transition = found.gap.transition
    first, end = shown_around(transition)
    yield from _row("gap", f"{wall_text(first)} up to {wall_text(end)}, {span_text(end - first)}")
    offsets = f"from {offset_text(transition.before)} to {offset_text(transition.after)}"
    yield from _row("at", f"{instant_text(transition.at)}, {found.gap.zone.name} goes {offsets}")


def _target_text(found: Meaning, clock: Clock, zone: Zone | None) -> Iterator[str]:
    target = found.target
    if target is None:
        return
    yield from _instant_rows("instant", target.ms, zone)
    yield from _row("because", f"{target.clause}: {target.sentence}")
    sample = safe_integer(clock.now)
    if sample is not None:
        side = "after" if target.ms > sample else "before"
        yield from _row("", f"It lies {span_text(abs(target.ms - sample))} {side} the clock sample.")


def _clock_text(clock: Clock) -> str:
    sample = safe_integer(clock.now)
    shown = quoted(clock.now) if sample is None else instant_text(sample)
    return f"{shown}, {'as given' if clock.is_given else 'read just now, for want of --now'}"


def _every_text(found: Meaning, zone: Zone | None) -> Iterator[str]:
    for position, t in enumerate(found.occurrences):
        yield from _instant_rows("due" if position == 0 else "", t, zone)
    if isinstance(found.created, Every) and found.occurrences[-1] + found.created.interval > instants.LATEST:
        yield from _row("", "No more: the next would lie after the year 9999 (rate.exhausted).")
    if found.occurrences and isinstance(found.dispatch, Dispatch):
        yield from _dispatch_text(found.dispatch, zone)


def _dispatch_text(dispatch: Dispatch, zone: Zone | None) -> Iterator[str]:
    yield from _instant_rows("dispatch", dispatch.accepted, zone)
    yield from _instant_rows("delivers", dispatch.advance.occurrence, zone)
    passed = "none before it is passed over" if dispatch.skipped == 0 else f"{dispatch.skipped:,} passed over"
    yield from _row("", f"The latest that is due (rate.latest-due); {passed} (rate.skip).")
    following = dispatch.advance.next_target
    if following is None:
        yield from _row("then", "It ends: the next target would lie after the year 9999 (rate.exhausted).")
    else:
        yield from _instant_rows("then", following, zone)
        yield from _row("", "The first after the decision time (rate.next).")


def _instant_rows(label: str, ms: int, zone: Zone | None) -> Iterator[str]:
    shown = "" if zone is None or not instants.in_range(ms) else f"  {in_zone_text(ms, zone)}"
    yield from _line(label, instant_text(ms) + shown)


def _row(label: str, text: str) -> Iterator[str]:
    """Yield a labelled paragraph, its lines under each other."""
    first = f"  {label:{LABEL}}"
    yield from wrap(
        text, width(), initial_indent=first, subsequent_indent=" " * len(first), break_on_hyphens=False
    )


def _line(label: str, text: str) -> Iterator[str]:
    """Yield a labelled line that is never broken, so that it can be copied."""
    yield f"  {label:{LABEL}}{text}"
