"""The kill matrix: which check catches which saboteur, after how many cases, and under which clause.

    python -m tests.saboteurs.matrix                  try all, tell what differs from what is kept
    python -m tests.saboteurs.matrix --write          try all and keep it
    python -m tests.saboteurs.matrix --only NAME      the same for some: names, `pure` or `live`

What is kept depends on the seed alone: `tests/data/kill-matrix.json`, and `docs/kill-matrix.md`, which is
written from it. Seconds are told and not kept.
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

PAGE_TEXT = """# The kill matrix

A *saboteur* is an implementation that is broken in one clause. The suite has to catch each and report that
clause, or one that may rightly be named instead. This page tells which checks catch which of them. It is
written by `python -m tests.saboteurs.matrix --write` from `tests/data/kill-matrix.json`, which holds it all.

- Saboteurs: {count}
- Caught by no check: {missed}
- Caught by no frozen case: {frozen_missed}
- Checks that catch nothing which no other catches: {redundant}

Generated checks are those of the profile `{budget}` with the seed {seed}. Frozen cases are taken together by
the area that they stand in.

## The checks

| check | catches | it alone | cases until caught (median) |
|---|---:|---:|---:|
{rows}

## The order that catches soonest

Each check with how many saboteurs it catches that none before it does.

{order}

## Caught by one check alone

{single}
"""

Caught = dict[str, tuple[int, str]]
"""For each check that catches a saboteur: after how many of its cases, and the clause that is reported."""


@dataclass(frozen=True, slots=True)
class Row:
    """What catches a saboteur; `seconds` is how long a run takes until it is caught first, None for never."""

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
    trial, begun_at, seconds, caught = trial_of(saboteur.system()), perf_counter(), None, Caught()
    for paper in _papers(trial.profile, frozen_alone=frozen_alone):
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
    begun_at, caught, seconds = perf_counter(), Caught(), None
    for check, number, trace in frozen_traces(terms):
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
    def frozen_missed(self) -> list[str]:
        """Those that no frozen case catches."""
        return [
            name
            for name, row in self.saboteurs.items()
            if not any(check.startswith(("vector/", "trace/")) for check in row["caught"])
        ]

    @property
    def order(self) -> list[tuple[str, int]]:
        """The checks in the order that catches soonest, each with how many it catches that none before did.

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
    redundant = [check for check in told.by_check if check not in alone]
    order = [f"{place}. `{check}`: {new} more" for place, (check, new) in enumerate(told.order, 1)]
    single = [f"- `{check}`: {_names(names)}" for check, names in alone.items()]
    return PAGE_TEXT.format(
        count=len(saboteurs),
        missed=_names(told.missed),
        frozen_missed=_names(told.frozen_missed),
        redundant=_names(redundant),
        budget=QUICK.name,
        seed=DEFAULT_SEED,
        rows="\n".join(rows),
        order="\n".join(order),
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
        raise LookupError(f"there is no saboteur {min(unknown)!r}")
    return [each for each in everyone if not only or each.name in names]


def main(arguments: list[str]) -> int:
    """Try saboteurs and tell; return 1 where one is missed or reported wrongly, or what is kept differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.saboteurs.matrix", description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep what comes")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="names, or pure, or live")
    options = parser.parse_args(arguments)
    before = kept() if DATA.exists() else {}
    rows, failed = [], False
    for saboteur in chosen(options.only):
        row = tried(saboteur)
        rows.append(row)
        wrong_clause = "".join(f"; {check} reports {clause}" for check, clause in row.strays.items())
        if not row.caught or wrong_clause:
            failed = True
            sys.stdout.write(
                f"{saboteur.name} ({saboteur.breaks}): caught by {len(row.caught)}{wrong_clause}\n"
            )
    seconds = [row.seconds for row in rows if row.seconds is not None]
    if seconds:
        sys.stdout.write(
            f"{len(rows)} tried; median until caught {median(seconds):.3f} s, last {max(seconds):.1f} s\n"
        )
    found = as_json(rows)
    after = before | found
    if options.write:
        DATA.write_text(text_of(after), encoding="utf-8")
        PAGE.write_text(page(json.loads(text_of(after))["saboteurs"]), encoding="utf-8")
        return int(failed)
    stale = [name for name, row in json.loads(json.dumps(found)).items() if before.get(name) != row]
    for name in stale:
        sys.stdout.write(f"{name}: what is kept differs\n")
    return int(failed or bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
