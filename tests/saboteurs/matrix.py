"""The kill matrix: which check catches which saboteur, after how many cases, and under which clause.

    python -m tests.saboteurs.matrix                  try all, tell what differs from what is kept
    python -m tests.saboteurs.matrix --write          try all and keep it
    python -m tests.saboteurs.matrix --only NAME      the same for some: names, `pure` or `live`

Of those that are named it tells all that catches them. What is kept depends on the seed alone:
`tests/data/kill-matrix.json`, and `docs/kill-matrix.md`, which is written from it. Seconds are told and not
kept. Exit codes: 0 all are caught rightly, and that is what is kept; 1 one is not, or what is kept differs.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from tests.saboteurs import live, pure
from tests.saboteurs.model import Saboteur
from tests.saboteurs.questions import QUICK, Question, blamed, frozen, generated, trial_of, wrong

from schedule_cli.output import near, table
from schedule_conformance.adapters.smoke import greet
from schedule_conformance.checks import properties
from schedule_conformance.generators.steady import same_questions
from schedule_conformance.runs.budgets import DEFAULT_SEED
from schedule_conformance.runs.docket import agreed
from schedule_conformance.worlds import machine, traces, trying, walk
from schedule_conformance.worlds.replaying import replayed
from schedule_conformance.worlds.traces import Trace
from schedule_conformance.worlds.world import Judged, World, begun
from schedule_spec.delivery import Terms
from schedule_spec.profiles import Profile

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "kill-matrix.json"
PAGE = ROOT / "docs" / "kill-matrix.md"

PATIENCE = 2.0
"""Seconds within which half of the saboteurs have to be caught."""

PAGE_TEXT = """# The kill matrix

A *saboteur* is an implementation that is broken in one clause. The suite has to catch each and report that
clause, or one that may rightly be named instead. This page tells how much each check catches, and which
saboteurs only one check catches. It is written by `python -m tests.saboteurs.matrix --write` from
`tests/data/kill-matrix.json`.

- Saboteurs: {count}
- Caught by no check: {missed}
- Caught by no frozen case: {frozen_missed}
- Checks that catch nothing which no other catches: {redundant}

Any one of the checks in that last line could go, and every saboteur would still be caught. That holds of each
alone, not of all together: if all of them went, {together} of the saboteurs would get away.

Generated checks are those of the profile `{budget}` with the seed {seed}. Frozen cases are taken together by
the area that they stand in.

## Which check catches which saboteur

`tests/data/kill-matrix.json` holds it, a saboteur a line. Under `saboteurs` each name has `breaks`, the
clause, and `caught`: for each check that catches it, after how many of the check's cases, and the clause
that is reported.

    grep '"trims_graphemes"' tests/data/kill-matrix.json       # what catches this saboteur
    grep '"vector/rate"' tests/data/kill-matrix.json           # which saboteurs this check catches
    python -m tests.saboteurs.matrix --only trims_graphemes    # try every check on this saboteur anew
    schedule-spec evidence trims_graphemes                     # the clause it breaks, a case that catches it

## The checks

| check | catches | it alone | cases until caught (median) |
|---|---:|---:|---:|
{rows}

## The fewest checks that catch all

Each check with how many saboteurs it catches that none before it does. A run asks in another order, what is
cheap first: frozen requests, then frozen worlds, then what is generated. So asked, half of the saboteurs have
to be caught within {patience:g} s; `python -m tests.saboteurs.matrix` measures it, and fails where that takes
longer.

{order}

## Clauses that are never named

What breaks one of these shows as a breach of another that it implies, so that this is reported:

{unnamed}

## Caught by one check alone

{single}
"""

Caught = dict[str, tuple[int, str]]
"""For each check that catches a saboteur: after how many of its cases, and the clause that is reported."""


@dataclass(frozen=True, slots=True)
class Row:
    """What catches a saboteur.

    `seconds` is how long a run asks until it is caught first, without making the questions; None for never.
    """

    saboteur: Saboteur
    caught: Caught
    seconds: float | None

    @property
    def strays(self) -> dict[str, str]:
        """The checks that report a clause which does not fit, with that clause."""
        return {
            check: clause for check, (_, clause) in self.caught.items() if clause not in self.saboteur.clauses
        }


class CaughtError(BaseException):
    """Raised at the first violation in a world; no `Exception`, because Hypothesis would make it smaller."""

    def __init__(self, clause: str) -> None:
        super().__init__(clause)
        self.clause = clause


# --- trying


def tried(saboteur: Saboteur) -> Row:
    """Try every check on a saboteur, each until it catches it."""
    return _in_worlds(saboteur) if saboteur in live.SABOTEURS else by_questions(saboteur)


def by_questions(saboteur: Saboteur, *, frozen_alone: bool = False) -> Row:
    """Try the checks of single requests on a saboteur."""
    trial = trial_of(saboteur.system())
    papers = tuple(_papers(trial.profile, frozen_alone=frozen_alone))
    begun_at, seconds, caught = perf_counter(), None, Caught()
    for paper in papers:
        places = places_of(paper.questions)
        failing: dict[str, list[Question]] = {}
        for question, _ in wrong(trial, paper):
            seconds = perf_counter() - begun_at if seconds is None else seconds
            failing.setdefault(question.check, []).append(question)
        for check, questions in failing.items():
            clause = blamed(trial, _told(questions)) or "none, when asked again"
            if clause not in saboteur.clauses and check.startswith("property/"):
                clause = _shrunk(saboteur, check)
            caught[check] = (places[id(questions[0])], clause)
    return Row(saboteur, caught, seconds)


def _shrunk(saboteur: Saboteur, check: str) -> str:
    """Return a clause that a property reports of a case made small: one that does not fit, if any."""
    trial = trial_of(saboteur.system())
    prop = next(each for each in properties.properties(True, trial.profile) if each.id == check)
    with same_questions():
        properties.run(trial, prop, QUICK.examples, DEFAULT_SEED)
    clauses = [failure.clause for failure in trial.failures]
    return next((clause for clause in clauses if clause not in saboteur.clauses), clauses[0])


def _told(questions: list[Question]) -> Question:
    """Return the wrongly answered question that is told: the first that is frozen, the smallest generated."""
    if questions[0].frozen is not None:
        return questions[0]
    return min(questions, key=lambda question: len(json.dumps(question.case.request)))


def _papers(profile: Profile, *, frozen_alone: bool) -> Iterator[Any]:
    yield frozen(profile, True)
    if not frozen_alone:
        yield generated(profile, True, QUICK)


def places_of(questions: Iterable[Any]) -> dict[int, int]:
    """Return for each question, by identity, which of its check's it is, from 1."""
    counts: dict[str, int] = {}
    places: dict[int, int] = {}
    for question in questions:
        counts[question.check] = places[id(question)] = counts.get(question.check, 0) + 1
    return places


@dataclass(slots=True)
class Watch:
    """Worlds of one system, watched until the first violation; `worlds` counts those begun."""

    saboteur: Saboteur
    terms: Terms
    worlds: int = 0
    steps: int = 0
    began: float = field(default_factory=perf_counter)

    def begin(self) -> World:
        """Return a new world."""
        self.worlds += 1
        return begun(self.saboteur.system(), self.terms)

    def ask(self, world: World, request: Mapping[str, Any]) -> Judged:
        """Ask a command; CaughtError where the reply breaks a clause."""
        judged = world.ask(dict(request))
        self.steps += 1
        if world.violation is not None:
            raise CaughtError(world.violation.clause)
        return judged


def _in_worlds(saboteur: Saboteur) -> Row:
    terms = agreed(greet(saboteur.system()))
    assert terms is not None, f"{saboteur.name} claims no live sessions"
    asked = tuple(frozen_traces(terms))
    begun_at, caught, seconds = perf_counter(), Caught(), None
    for check, number, trace in asked:
        if check in caught:
            continue
        world = replayed(saboteur.system(), terms, trace.steps)
        if world.violation is not None:
            seconds = perf_counter() - begun_at if seconds is None else seconds
            caught[check] = (number, world.violation.clause)
    for check, explore in ((trying.MACHINE, _explored), (trying.WALK, _wandered)):
        watch = Watch(saboteur, terms)
        try:
            explore(watch)
        except CaughtError as found:
            seconds = perf_counter() - begun_at if seconds is None else seconds
            caught[check] = (watch.worlds, found.clause)
    return Row(saboteur, caught, seconds)


def frozen_traces(terms: Terms) -> Iterator[tuple[str, int, Trace]]:
    """Yield the frozen traces of a level with the check that each belongs to and its number there, from 1."""
    counts: dict[str, int] = {}
    for trace in traces.frozen():
        if trace.terms.profile is terms.profile:
            check = f"trace/{trace.meta.get('area', 'others')}"
            counts[check] = counts.get(check, 0) + 1
            yield check, counts[check], trace


def _explored(watch: Watch) -> None:
    assert QUICK.worlds is not None, "the budget has worlds"
    driver = machine.Driver(watch.begin, watch.ask, True)
    machine.run(driver, QUICK.worlds.machine_runs, QUICK.worlds.machine_steps, DEFAULT_SEED)


def _wandered(watch: Watch) -> None:
    assert QUICK.worlds is not None, "the budget has worlds"
    while watch.steps < QUICK.worlds.steps:
        source = walk.source_of(DEFAULT_SEED, watch.worlds)
        walk.stroll(watch.begin(), source, True, watch.ask)


# --- what is kept


def as_json(rows: Iterable[Row]) -> dict[str, Any]:
    """Return rows as they are kept, by name."""
    return {
        row.saboteur.name: {
            "breaks": row.saboteur.breaks,
            "caught": {check: list(how) for check, how in sorted(row.caught.items())},
        }
        for row in rows
    }


def kept() -> dict[str, Any]:
    """Return the matrix that is kept, by the names of saboteurs."""
    saboteurs: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))["saboteurs"]
    return saboteurs


def text_of(saboteurs: Mapping[str, Any]) -> str:
    """Return the text of the file that keeps a matrix: a saboteur a line."""
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(saboteurs[name])}" for name in _known(saboteurs))
    return f'{{\n "budget": "{QUICK.name}",\n "seed": {DEFAULT_SEED},\n "saboteurs": {{\n{lines}\n }}\n}}\n'


def _known(saboteurs: Mapping[str, Any]) -> list[str]:
    names = [each.name for each in (*pure.SABOTEURS, *live.SABOTEURS)]
    return [name for name in names if name in saboteurs]


# --- what it tells


@dataclass(frozen=True, slots=True)
class Findings:
    """What a matrix tells: by check the saboteurs that it catches, and what follows."""

    saboteurs: Mapping[str, Any]

    @property
    def by_check(self) -> dict[str, set[str]]:
        """For each check the names of those that it catches."""
        found: dict[str, set[str]] = {}
        for name, row in self.saboteurs.items():
            for check in row["caught"]:
                found.setdefault(check, set()).add(name)
        return dict(sorted(found.items()))

    @property
    def missed(self) -> list[str]:
        """Those that no check catches."""
        return [name for name, row in self.saboteurs.items() if not row["caught"]]

    @property
    def alone(self) -> dict[str, list[str]]:
        """For each check those that it alone catches."""
        found: dict[str, list[str]] = {}
        for name, row in self.saboteurs.items():
            if len(row["caught"]) == 1:
                found.setdefault(next(iter(row["caught"])), []).append(name)
        return dict(sorted(found.items()))

    @property
    def redundant(self) -> list[str]:
        """The checks that catch nothing which no other catches."""
        return [check for check in self.by_check if check not in self.alone]

    @property
    def resting(self) -> list[str]:
        """Those that are caught by redundant checks alone: what would get away if all of these went."""
        redundant = set(self.redundant)
        return [
            name
            for name, row in self.saboteurs.items()
            if row["caught"] and redundant.issuperset(row["caught"])
        ]

    @property
    def frozen_missed(self) -> list[str]:
        """Those that no frozen case catches."""
        return [
            name
            for name, row in self.saboteurs.items()
            if not any(check.startswith(("vector/", "trace/")) for check in row["caught"])
        ]

    @property
    def unnamed(self) -> dict[str, list[str]]:
        """The clauses that no check reports of what breaks them, each with those that are reported."""
        named: dict[str, set[str]] = {}
        for row in self.saboteurs.values():
            named.setdefault(row["breaks"], set()).update(clause for _, clause in row["caught"].values())
        return {clause: sorted(names) for clause, names in sorted(named.items()) if clause not in names}

    @property
    def order(self) -> list[tuple[str, int]]:
        """The fewest checks that catch all, as taking the best each time finds them, with what each adds.

        At each place stands the check that catches most of those left; of several, the one that needs fewer
        cases for them. Checks that catch nothing new are left out.
        """
        left, found = self.by_check, list[tuple[str, int]]()
        caught: set[str] = set()
        while True:
            best = max(left, key=lambda check: self._worth(check, left[check] - caught), default=None)
            if best is None or not left[best] - caught:
                return found
            found.append((best, len(left[best] - caught)))
            caught |= left.pop(best)

    def _worth(self, check: str, new: set[str]) -> tuple[int, int]:
        return len(new), -sum(self.saboteurs[name]["caught"][check][0] for name in new)


def page(saboteurs: Mapping[str, Any]) -> str:
    """Return the page that tells of a matrix."""
    told = Findings(saboteurs)
    alone = told.alone
    rows = [
        f"| `{check}` | {len(names)} | {len(alone.get(check, []))} | "
        f"{round(median(saboteurs[name]['caught'][check][0] for name in names))} |"
        for check, names in told.by_check.items()
    ]
    order = [f"{place}. `{check}`: {new} more" for place, (check, new) in enumerate(told.order, 1)]
    unnamed = [f"- `{clause}`: {_names(names)}" for clause, names in told.unnamed.items()]
    single = [f"- `{check}`: {_names(names)}" for check, names in alone.items()]
    return PAGE_TEXT.format(
        count=len(saboteurs),
        missed=_names(told.missed),
        frozen_missed=_names(told.frozen_missed),
        redundant=_names(told.redundant),
        together=len(told.resting),
        budget=QUICK.name,
        seed=DEFAULT_SEED,
        rows="\n".join(rows),
        order="\n".join(order),
        patience=PATIENCE,
        unnamed="\n".join(unnamed or ["None."]),
        single="\n".join(single or ["None."]),
    )


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


# --- the command


def chosen(only: list[str]) -> list[Saboteur]:
    """Return the saboteurs that a command names, all where it names none; LookupError for an unknown name."""
    groups = {"pure": pure.SABOTEURS, "live": live.SABOTEURS}
    everyone = (*pure.SABOTEURS, *live.SABOTEURS)
    names = {each.name for name in only for each in groups.get(name, ())} | set(only) - groups.keys()
    unknown = names - {each.name for each in everyone}
    if unknown:
        name = min(unknown)
        raise LookupError(f"there is no saboteur {name!r}.{near(name, [each.name for each in everyone])}")
    return [each for each in everyone if not only or each.name in names]


def in_full(row: Row) -> list[str]:
    """Return all that catches a saboteur: by check, after how many cases, and the clause reported."""
    broken = f"{row.saboteur.name} breaks {row.saboteur.breaks}"
    if row.seconds is None:
        return [f"{broken}: no check catches it"]
    checks = [
        (check, cases, f"{clause}, which does not fit" if check in row.strays else clause)
        for check, (cases, clause) in sorted(row.caught.items())
    ]
    noun = "check" if len(checks) == 1 else "checks"
    return [
        f"{broken}: caught by {len(checks)} {noun}, first after {row.seconds:.3f} s",
        *(f"  {line}" for line in table(("check", "cases until caught", "reported"), checks)),
    ]


def in_brief(row: Row) -> list[str]:
    """Return a line where a saboteur is not caught, or reported under a clause that does not fit."""
    strays = "".join(f"; {check} reports {clause}" for check, clause in row.strays.items())
    if row.caught and not strays:
        return []
    return [f"{row.saboteur.name} ({row.saboteur.breaks}): caught by {len(row.caught)}{strays}"]


def unlike(found: Mapping[str, Any], before: Mapping[str, Any]) -> list[str]:
    """Return a line for each saboteur of which something else is kept than was found, or nothing."""
    return [
        f"{name}: what is kept differs: --write keeps what came"
        if name in before
        else f"{name}: not kept: --write keeps it"
        for name, row in json.loads(json.dumps(found)).items()
        if before.get(name) != row
    ]


def main(arguments: list[str]) -> int:
    """Try saboteurs and tell; return 1 where one is missed or reported wrongly, or what is kept differs."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.saboteurs.matrix",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--write", action="store_true", help="keep what comes")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="names, or pure, or live")
    options = parser.parse_args(arguments)
    try:
        some = chosen(options.only)
    except LookupError as problem:
        parser.error(str(problem))
    before = kept() if DATA.exists() else {}
    rows = []
    for saboteur in some:
        row = tried(saboteur)
        rows.append(row)
        _say(in_full(row) if saboteur.name in options.only else in_brief(row))
    seconds = [row.seconds for row in rows if row.seconds is not None]
    if len(seconds) > 1:
        _say([f"{len(rows)} tried; median until caught {median(seconds):.3f} s, last {max(seconds):.1f} s"])
    late = bool(seconds) and not options.only and median(seconds) > PATIENCE
    if late:
        _say([f"half of them have to be caught within {PATIENCE:g} s"])
    failed = late or any(not row.caught or row.strays for row in rows)
    found = as_json(rows)
    if options.write:
        text = text_of(before | found)
        DATA.write_text(text, encoding="utf-8")
        PAGE.write_text(page(json.loads(text)["saboteurs"]), encoding="utf-8")
        _say([f"{DATA.name} and {PAGE.name} are written"])
        return int(failed)
    stale = unlike(found, before)
    _say(stale)
    return int(failed or bool(stale))


def _say(lines: Iterable[str]) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
