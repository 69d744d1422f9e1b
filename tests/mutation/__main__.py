"""Mutation testing: does anything notice a small fault in the law or in the implementation?

    python -m tests.mutation                       both sides, all modules
    python -m tests.mutation law                   one side
    python -m tests.mutation impl --module rate    some modules of it, and those within them
    python -m tests.mutation impl --sample 200     that many mutants, drawn by --seed
    python -m tests.mutation law --key 1f0c…       single mutants
    python -m tests.mutation law --list            tell the mutants and try none
    python -m tests.mutation law --module rate --killers tests/spec/test_rate.py
                                                   some killers alone: quick, while tests are written

A run goes on where the last one ended: what is still true of build/mutation is not tried again, but for
--afresh. Exit codes: 0 every mutant is killed or on the list of survivors; 1 one is not, or the list is too
long; 2 wrong usage; 3 killers fail with nothing mutated, or a trial ended without a verdict; 4 an entry of
the list is stale.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from tests.mutation import results, survivors
from tests.mutation.children import HarnessError
from tests.mutation.mutants import Module, Mutant
from tests.mutation.reaching import STATE, KillersFailError, stamp_of
from tests.mutation.report import Progress, say, table
from tests.mutation.results import Kept
from tests.mutation.sides import ROOT, SIDES, Side
from tests.mutation.survivors import ListError, Survivor
from tests.mutation.trying import Harness, Status, mutants_of, with_killers

OPEN, USAGE, CANNOT_JUDGE, STALE = 1, 2, 3, 4
WRITTEN_EVERY = 5.0
"""Seconds between two writings of the results."""


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code."""
    os.environ.pop("PYTEST_ADDOPTS", None)  # a run must not depend on what somebody likes to see of tests
    options = _options(arguments)
    try:
        entries = survivors.read()
        sides = [SIDES[options.side]] if options.side else list(SIDES.values())
        if len(sides) > 1:
            return _each_alone(sides, arguments)
        side = sides[0]
        if options.killers:
            side = replace(side, killers=tuple(options.killers))
        return _of_side(side, options, entries)
    except (ListError, UsageError) as problem:
        say(f"python -m tests.mutation: {problem}", sys.stderr)
        return USAGE
    except (KillersFailError, HarnessError) as problem:
        say(f"could not judge: {problem}", sys.stderr)
        return CANNOT_JUDGE


class UsageError(ValueError):
    """The command names what there is not."""


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("side", nargs="?", choices=[*SIDES], help="which side; both where none is named")
    parser.add_argument("--module", nargs="+", default=[], metavar="NAME", help="modules, by short names")
    parser.add_argument("--key", nargs="+", default=[], metavar="KEY", help="mutants by their keys")
    parser.add_argument("--killers", nargs="+", default=[], metavar="PATH", help="tests, instead of all")
    parser.add_argument("--sample", type=int, metavar="N", help="try that many of the mutants")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="what the sample is drawn by")
    parser.add_argument(
        "--seconds", type=float, default=3.0, metavar="T", help="for more than a case of each test"
    )
    parser.add_argument("--results", type=Path, metavar="FILE", help="where results are kept")
    parser.add_argument("--afresh", action="store_true", help="take nothing from an earlier run")
    parser.add_argument("--list", action="store_true", help="tell the mutants and try none")
    return parser.parse_args(arguments)


def _each_alone(sides: Iterable[Side], arguments: Sequence[str]) -> int:
    """Run each side in a process of its own, for the modules of one must not be loaded for the other."""
    command = [sys.executable, "-m", "tests.mutation"]
    codes = [
        subprocess.run([*command, side.name, *arguments], cwd=ROOT, check=False).returncode for side in sides
    ]
    return next((code for code in (CANNOT_JUDGE, USAGE, OPEN, STALE) if code in codes), max(codes))


def _of_side(side: Side, options: argparse.Namespace, entries: Sequence[Survivor]) -> int:
    mutants = tuple(mutants_of([Module(name, file) for name, file in side.modules().items()]))
    chosen = _chosen(side, mutants, options)
    if options.list:
        for mutant in chosen:
            say(f"{mutant.key}  {side.short(mutant.module)}.{mutant.told}")
        return 0
    file = options.results or STATE / f"{side.name}.json"
    kept = {} if options.afresh else results.read(file)
    run = Run(side, chosen, kept, file)
    with_killers(side, options.seconds, run)
    return run.judge(entries, {mutant.key for mutant in mutants})


def _chosen(side: Side, mutants: Sequence[Mutant], options: argparse.Namespace) -> tuple[Mutant, ...]:
    names = {side.short(mutant.module) for mutant in mutants}
    unknown = [
        name
        for name in options.module
        if not any(each == name or each.startswith(f"{name}.") for each in names)
    ]
    if unknown:
        raise UsageError(
            f"{side.package} has no module {unknown[0]!r} with mutants; it has {', '.join(sorted(names))}"
        )
    missing = set(options.key) - {mutant.key for mutant in mutants}
    if missing:
        raise UsageError(f"{side.package} has no mutant {min(missing)!r}")
    chosen = [
        mutant
        for mutant in mutants
        if not options.module or _within(side.short(mutant.module), options.module)
        if not options.key or mutant.key in options.key
    ]
    if options.sample is not None and options.sample < len(chosen):
        drawn = set(Random(options.seed).sample(range(len(chosen)), options.sample))
        chosen = [mutant for number, mutant in enumerate(chosen) if number in drawn]
    return tuple(chosen)


def _within(name: str, modules: Sequence[str]) -> bool:
    return any(name == each or name.startswith(f"{each}.") for each in modules)


class Run:
    """A run over mutants of a side: called with the harness it tries them, then it tells and judges."""

    def __init__(self, side: Side, mutants: Sequence[Mutant], kept: dict[str, Kept], file: Path) -> None:
        self.side = side
        self.mutants = mutants
        self.kept = kept
        self.file = file

    def __call__(self, harness: Harness) -> None:
        """Try the mutants of which nothing is known that still holds."""
        whole = f"{stamp_of(self.side)}-{harness.seconds:g}"
        progress = Progress(len(self.mutants))
        alive, wrote, checked = 0, time.monotonic(), False
        for number, mutant in enumerate(self.mutants, 1):
            known, file = self.kept.get(mutant.key), mutant.of.file
            if known is None or known.stamp != results.stamp(known.status, known.why, file, whole):
                if not checked:
                    harness.control()
                    checked = True
                first = known.why if known is not None and known.status is Status.KILLED else ""
                verdict = harness.try_mutant(mutant, first)
                stamp = results.stamp(verdict.status, verdict.why, file, whole)
                known = self.kept[mutant.key] = Kept(verdict.status, verdict.why, verdict.tried, stamp)
            alive += not known.killed
            progress.tell(number, alive, self.side.short(mutant.module))
            if time.monotonic() - wrote > WRITTEN_EVERY:
                wrote = time.monotonic()
                results.write(self.file, self.kept)
        results.write(self.file, self.kept)

    def judge(self, entries: Sequence[Survivor], keys: set[str]) -> int:
        """Tell what came, hold it against the list, and return the exit code; `keys` are all of the side."""
        tried = {mutant.key: self.kept[mutant.key] for mutant in self.mutants}
        alive = {key: not kept.killed for key, kept in tried.items()}
        judgement = survivors.judged(entries, self.side.name, keys, alive)
        listed = {entry.key for entry in entries}
        say(
            table(
                self.side.package, [self._row(mutant, tried[mutant.key], listed) for mutant in self.mutants]
            )
        )
        for mutant in self.mutants:
            if mutant.key in judgement.unlisted:
                kept = tried[mutant.key]
                told = f"{self.side.short(mutant.module)}.{mutant.told}"
                say(f"{kept.status}  {mutant.key}  {told}  {kept.why}".rstrip())
        for entry in judgement.killed:
            say(f"stale, for it is killed  {entry.key}  {entry.place}  {tried[entry.key].why}")
        for entry in judgement.unknown:
            say(f"stale, for there is no such mutant  {entry.key}  {entry.place}")
        if judgement.too_many:
            say(f"the list has more than {survivors.MOST:.0%} of the {len(keys)} mutants")
        if any(kept.status is Status.CRASHED for kept in tried.values()):
            return CANNOT_JUDGE
        if judgement.unlisted or judgement.too_many:
            return OPEN
        return 0 if judgement.sound else STALE

    def _row(self, mutant: Mutant, kept: Kept, listed: set[str]) -> tuple[str, str]:
        argued = not kept.killed and mutant.key in listed
        return self.side.short(mutant.module), "argued" if argued else str(kept.status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
