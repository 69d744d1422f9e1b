"""A run's report on a terminal: the verdict first and last, what is broken in full, all else in brief."""

from collections.abc import Mapping
from pathlib import Path

from schedule_cli.output import indented, say, table, width
from schedule_conformance.rendering import telling
from schedule_conformance.rendering.telling import Told
from schedule_conformance.runs import reports
from schedule_conformance.runs.reports import Report, Standing, Verdict
from schedule_conformance.runs.results import Counts

COLOURS = {
    Verdict.CONFORMANT: "green",
    Verdict.VIOLATED: "red",
    Verdict.UNJUDGED: "yellow",
    Verdict.STALE: "yellow",
}


def show(report: Report, files: Mapping[str, Path], *, in_full: bool) -> None:
    """Print a report; `in_full` with every clause and situation. `files` are where findings are kept."""
    _verdict(report)
    say()
    _circumstances(report)
    say()
    _broken(report)
    if in_full:
        _clauses(report)
        _situations(report)
    else:
        _areas(report)
    _checks(report)
    _remarks(report)
    for told in telling.leading(report, files):
        _told(told)
    if report.findings and not files:
        say("To keep each failure as a file that replays under any version of the suite: --failures FOLDER")
    say(f"Took {report.seconds:.1f} s.")
    _verdict(report)


def _verdict(report: Report) -> None:
    style = {"fg": COLOURS[report.verdict], "bold": True}
    for line in indented("", reports.verdict_sentence(report), width() + 10):
        say(line.strip(), **style)


def _circumstances(report: Report) -> None:
    told = report.circumstances
    who = told.implementation
    zones = f"zone data {who.tzdata}" if who.tzdata else "zone data not named"
    say(f"{who.name} {who.version} ({who.language}), level {who.profile}, {zones}; tried as {told.sut}")
    narrowed = f", narrowed to {', '.join(reports.narrowed_to(told.only))}" if told.only else ""
    say(f"suite {told.suite}, seed {told.seed}, profile {told.budget}{narrowed}")


def _lines(lines: list[str]) -> None:
    for number, line in enumerate(lines):
        say(line, **({} if number else {"bold": True}))
    say()


def _broken(report: Report) -> None:
    """Print the broken clauses, one a line, with the kinds of faults and where they were met first."""
    rows = []
    counts = {count.clause: count for count in report.clauses}
    for clause in report.broken:
        count = counts[clause]
        met = [
            (result.check, each.fault)
            for result in report.results
            for each in result.met
            if each.clause == clause and not each.known
        ]
        faults = ", ".join(dict.fromkeys(fault for _, fault in met))
        rows.append((clause, count.counts.failed, faults, met[0][0] if met else ""))
    if rows:
        _lines(table(("broken clause", "failed", "how", "first met in"), rows))


FIGURES = ("passed", "failed", "known", "unsupported")


def _areas(report: Report) -> None:
    areas = reports.areas(_shown(report))
    figures = [(len(area.clauses), *(area.standing(each) for each in Standing)) for area in areas]
    whole = tuple(sum(column) for column in zip(*figures, strict=True))
    names = [*(area.name for area in areas), "all"]
    rows = [(name, *row) for name, row in zip(names, [*figures, whole], strict=True)]
    _lines(table(("area", "clauses", *Standing), rows))


def _shown(report: Report) -> list[reports.ClauseCount]:
    """Return the clauses to show; of a narrowed run its own, for the others were tried in part."""
    only = report.circumstances.only
    return [count for count in report.clauses if not only or count.clause in only or count.counts.failed]


def _clauses(report: Report) -> None:
    rows = [
        (
            count.clause,
            count.cases,
            count.counts.passed,
            count.counts.failed,
            count.counts.known,
            count.counts.unsupported,
            count.remark,
        )
        for count in _shown(report)
    ]
    _lines(table(("clause", "cases", *FIGURES, ""), rows))


def _checks(report: Report) -> None:
    rows = [
        (
            group.title,
            group.counts.executed,
            group.counts.passed,
            group.counts.failed,
            group.counts.known,
            group.counts.unsupported,
            group.counts.left_out,
            group.counts.commands,
        )
        for group in reports.groups(report.results)
        if group.counts != Counts()
    ]
    _lines(table(("check", "cases", *FIGURES, "left out", "commands"), rows))


def _situations(report: Report) -> None:
    if report.situations:
        rows = [(each.situation.name, each.count, each.floor) for each in report.situations]
        _lines(table(("situation that random worlds came through", "times", "at least"), rows))


def _remarks(report: Report) -> None:
    counts = report.counts
    told = [*_of_left_out(report), *_of_reach(report), *_of_situations(report)]
    if counts.known:
        failures = reports.number(counts.known, "failure")
        told.append(f"Known: {failures}, as the ledger says, of {', '.join(report.known)}.")
    told += [f"Stale in the ledger: {each.entry.id}: {each.why}." for each in report.stale]
    for text in told:
        for line in indented("", text, width() + 10):
            say(line.strip())
    if told:
        say()


def _of_left_out(report: Report) -> list[str]:
    reasons: dict[str, int] = {}
    for result in report.results:
        if result.counts.left_out:
            release = report.circumstances.implementation.tzdata
            elsewhere = f"other zone data than {release}" if release else "hello names no zone data"
            reason = result.reason or elsewhere
            reasons[reason] = reasons.get(reason, 0) + result.counts.left_out
    return [f"Left out: {reports.number(count, 'case')}: {reason}." for reason, count in reasons.items()]


def _of_reach(report: Report) -> list[str]:
    if not report.reached:
        return []
    rarest = sorted(report.reached, key=lambda pair: pair[1])[:3]
    reached = len(report.reached) - len(report.unreached)
    return [
        f"Reach: generated cases were rejected under {reached} of the {len(report.reached)} clauses that can "
        f"reject; the rarest: {', '.join(f'{clause} {count}' for clause, count in rarest)}.",
        *(f"Never reached: {clause}." for clause in report.unreached),
    ]


def _of_situations(report: Report) -> list[str]:
    if not report.situations:
        return []
    missed = [each for each in report.situations if each.missed]
    return [
        f"Live sessions: random worlds came through {len(report.situations) - len(missed)} of "
        f"{len(report.situations)} situations often enough.",
        *(f"Too seldom: {each.situation.name}, {each.count} of {each.floor} times." for each in missed),
    ]


def _told(told: Told) -> None:
    say(f"{told.clause} ({told.fault})", fg="red", bold=True)
    for line in indented("", told.sentence, width() + 10):
        say(line.strip())
    for heading, texts in told.rows:
        # A command is copied whole: the terminal may break it, a line end may not.
        room = len(told.replay) + 10 if heading == "replay" else width()
        for number, text in enumerate(texts):
            for line in indented("" if number else heading, text, room):
                say(line)
    say()
