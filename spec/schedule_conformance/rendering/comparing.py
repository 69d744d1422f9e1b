"""What changed between two runs, or two implementations: two JSON Lines reports held side by side.

A failure is a clause broken by a kind of fault: in a frozen case, or by generated cases of whatever check.
One that a ledger knows is shown where it is new, and does not count as a failure.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schedule_conformance.protocol.json_values import unreadable
from schedule_conformance.protocol.messages import problems

TYPES = ("run", "case", "check", "failure", "clause", "end")
"""The types of lines, in the order in which a report has them."""

GENERATED = "generated cases"
"""What stands for a frozen case's id where generated cases fail."""

HELLO = "hello"
"""What stands for it where hello lacks a core feature; the feature stands for the clause."""

COUNTS = ("executed", "passed", "failed", "known", "unsupported", "leftOut", "commands")


class BrokenReportError(ValueError):
    """A file that is no JSON Lines report; the message names the line, from 1, and what is wrong there."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A report as it was written: the run, the lines of frozen cases and of checks by id, and the end."""

    run: dict[str, Any]
    cases: dict[str, dict[str, Any]]
    checks: dict[str, dict[str, Any]]
    end: dict[str, Any]

    @property
    def failures(self) -> frozenset[tuple[str, str, str]]:
        """What failed and is not known: the frozen case or GENERATED, the clause, the kind of fault."""
        frozen = [(id, each) for id, line in self.cases.items() for each in line["broken"]]
        generated = [(GENERATED, each) for line in self.checks.values() for each in line["broken"]]
        return frozenset(
            [(HELLO, feature, "absent") for feature in self.end["absent"]]
            + [(id, one["clause"], one["fault"]) for id, one in frozen + generated if not one["known"]]
        )


@dataclass(frozen=True, slots=True)
class Change:
    """A frozen case or a check that ended otherwise in the second run; in words how it ended in each."""

    id: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a second run shows beside a first one.

    `new` are the failures of the second that the first has not, `fixed` those that went; `changed` are the
    frozen cases and checks that both have and that ended otherwise.
    """

    first: Recorded
    second: Recorded
    new: tuple[tuple[str, str, str], ...]
    fixed: tuple[tuple[str, str, str], ...]
    changed: tuple[Change, ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]


def read(path: Path) -> Recorded:
    """Return the report in a file; BrokenReportError where it holds none, OSError where it is unreadable."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as fault:
        raise BrokenReportError(f"it is no text: {unreadable(fault)}") from None
    return recorded(text)


def recorded(text: str) -> Recorded:
    """Return the report that a text holds; BrokenReportError where it holds none."""
    kept: dict[str, dict[str, dict[str, Any]]] = {kind: {} for kind in TYPES}
    last, number = "", 0
    lines = text.split("\n")
    for number, raw in enumerate(lines[:-1] if lines[-1] == "" else lines, 1):
        line = _line(raw, number)
        kind = line["type"]
        if (not last) != (kind == "run") or last == "end":
            raise BrokenReportError(f"line {number}: a line of type {kind} cannot stand here")
        last = kind
        id = str(line.get("id", number))
        if id in kept[kind]:
            raise BrokenReportError(f"line {number}: {id} stands there twice")
        kept[kind][id] = line
    if last != "end":
        raise BrokenReportError(
            f"line {len(lines)}: the report is cut: its last line, of type end, is missing"
        )
    (run,), (end,) = kept["run"].values(), kept["end"].values()
    if end["lines"] != number:
        raise BrokenReportError(
            f"line {number}: it says that the report has {end['lines']} lines, and there are {number}"
        )
    return Recorded(run, kept["case"], kept["check"], end)


def _line(raw: str, number: int) -> dict[str, Any]:
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError) as fault:
        raise BrokenReportError(f"line {number}: no JSON: {fault}") from None
    kind = line.get("type") if isinstance(line, dict) else None
    if kind not in TYPES:
        raise BrokenReportError(f"line {number}: no object with a type of {', '.join(TYPES)}")
    wrong = problems(f"report#/$defs/{kind}", line)
    if wrong:
        raise BrokenReportError(f"line {number}: {wrong[0]}")
    return dict(line)


def compared(first: Recorded, second: Recorded) -> Comparison:
    """Return what changed from the first report to the second."""
    return Comparison(
        first,
        second,
        tuple(sorted(second.failures - first.failures)),
        tuple(sorted(first.failures - second.failures)),
        (*_changes(first.cases, second.cases), *_changes(first.checks, second.checks)),
        tuple(id for id in _ids(first) if id not in _ids(second)),
        tuple(id for id in _ids(second) if id not in _ids(first)),
    )


def _ids(report: Recorded) -> dict[str, None]:
    return dict.fromkeys((*report.cases, *report.checks))


def _changes(before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]) -> Iterator[Change]:
    for id, line in before.items():
        if id in after and _ended(line) != _ended(after[id]):
            yield Change(id, _ended(line), _ended(after[id]))


def _ended(line: dict[str, Any]) -> str:
    """Return how a case or a check ended, in words; how often a generated check failed is left to chance."""
    broken = sorted({f"{each['clause']} ({each['fault']})" for each in line["broken"]})
    return f"{line['outcome']}: {', '.join(broken)}" if broken else str(line["outcome"])


def _who(report: Recorded) -> str:
    who = report.run["implementation"]
    return f"{who['name']} {who['version']} ({who['language']})"


DIFFERENCES: tuple[tuple[str, Callable[[Recorded], object]], ...] = (
    ("suite", lambda report: report.run["suite"]),
    ("implementation", _who),
    ("level", lambda report: report.run["implementation"]["profile"]),
    ("zone data", lambda report: report.run["implementation"]["tzdata"] or "not named"),
    ("seed", lambda report: report.run["seed"]),
    ("profile", lambda report: report.run["profile"]),
    ("narrowed to", lambda report: ", ".join(report.run["only"]) or "nothing"),
    ("verdict", lambda report: report.end["verdict"]),
    ("stopped", lambda report: report.end["stopped"] or "no"),
)
"""What is told of each run, with how it is read from its report."""


def as_json(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as one JSON object.

    Members: `runs` and `counts` (by name, each with `first` and `second`), `new` and `fixed` (each with
    `case`, null for generated cases, `clause`, `fault`), `changed` (each with `id`, `before`, `after`),
    `onlyFirst`, `onlySecond`.
    """
    first, second = comparison.first, comparison.second
    return {
        "runs": {name: {"first": tell(first), "second": tell(second)} for name, tell in DIFFERENCES},
        "new": [_failure(each) for each in comparison.new],
        "fixed": [_failure(each) for each in comparison.fixed],
        "changed": [
            {"id": each.id, "before": each.before, "after": each.after} for each in comparison.changed
        ],
        "onlyFirst": list(comparison.only_first),
        "onlySecond": list(comparison.only_second),
        "counts": {name: {"first": first.end[name], "second": second.end[name]} for name in COUNTS},
    }


def _failure(failure: tuple[str, str, str]) -> dict[str, Any]:
    case, clause, fault = failure
    return {"case": None if case in (GENERATED, HELLO) else case, "clause": clause, "fault": fault}
