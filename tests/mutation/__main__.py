"""Mutation testing: does anything notice a small fault in the law or in the implementation?

    python -m tests.mutation                       both sides, all modules
    python -m tests.mutation law                   one side
    python -m tests.mutation impl --module rate    some modules of it, and those within them
    python -m tests.mutation impl --sample 200     that many mutants, drawn by --seed
    python -m tests.mutation --key 1f0c…           single mutants
    python -m tests.mutation law --list            tell the mutants and try none
    python -m tests.mutation law --module rate --killers tests/spec/test_rate.py
                                                   some killers alone: quick, while tests are written

A run goes on where the last one ended: what is still true of build/mutation is not tried again, but for
--afresh. Exit codes: 0 every mutant is killed or on the list of survivors; 1 one is not, or the list is too
long; 2 wrong usage; 3 killers fail with nothing mutated, the package or a killer's file was changed under the
run, or a trial ended without a verdict; 4 an entry of the list is stale.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from tests.mutation import results, survivors
from tests.mutation.children import HarnessError
from tests.mutation.mutants import Mutant
from tests.mutation.reaching import STATE, KillersFailError, stamp_of
from tests.mutation.report import Progress, say, table
from tests.mutation.results import Kept
from tests.mutation.sides import ROOT, SIDES, Side
from tests.mutation.survivors import ListError, Survivor
from tests.mutation.trying import Harness, Status, mutants_of, with_killers

OPEN, USAGE, CANNOT_JUDGE, STALE = 1, 2, 3, 4
NOTHING = "no mutant is left to be tried of what is named"
WRITTEN_EVERY = 5.0
"""Seconds between two writings of the results."""


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code."""
    os.environ.pop("PYTEST_ADDOPTS", None)  # a run must not depend on what somebody likes to see of tests
    options = _options(arguments)
    try:
        entries = survivors.read()
        sides = [SIDES[options.side]] if options.side else list(SIDES.values())
        mutants = {side.name: mutants_of(side) for side in sides}
        _must_be_there(options, mutants)
        if options.side is None:
            return _each_alone(mutants, options, arguments)
        return _of_side(SIDES[options.side], mutants[options.side], options, entries)
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
    parser.add_argument(
        "--killers", nargs="+", default=[], metavar="PATH", help="files or folders of tests, instead of all"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="try that many of the mutants")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="what the sample is drawn by")
    parser.add_argument(
        "--seconds", type=float, default=3.0, metavar="T", help="for more than a case of each test"
    )
    parser.add_argument("--results", type=Path, metavar="FILE", help="where results are kept")
    parser.add_argument("--afresh", action="store_true", help="take nothing from an earlier run")
    parser.add_argument("--list", action="store_true", help="tell the mutants and try none")
    return parser.parse_args(arguments)


def _must_be_there(options: argparse.Namespace, mutants: Mapping[str, Sequence[Mutant]]) -> None:
    """Raise UsageError where something is named that none of the sides has, or that is not there."""
    sides = [SIDES[name] for name in mutants]
    where = " and ".join(side.package for side in sides)
    names = {side.short(mutant.module) for side in sides for mutant in mutants[side.name]}
    for module in options.module:
        if not any(_is_within(name, [module]) for name in names):
            raise UsageError(
                f"no module {module!r} with mutants is in {where}; there are {', '.join(sorted(names))}"
            )
    missing = set(options.key) - {mutant.key for own in mutants.values() for mutant in own}
    if missing:
        raise UsageError(f"no mutant {min(missing)!r} is in {where}")
    if options.killers and options.side is None:
        raise UsageError("killers are those of one side: name it too")
    for path in options.killers:
        if not (ROOT / path).exists():
            raise UsageError(f"no file or folder of tests {path!r} is there")


def _each_alone(
    mutants: Mapping[str, Sequence[Mutant]], options: argparse.Namespace, arguments: Sequence[str]
) -> int:
    """Run each side that has what is named in a process of its own; return the gravest of the exit codes.

    The modules of one side must not be loaded for the other.
    """
    codes = []
    for name, own in mutants.items():
        modules = [
            module
            for module in options.module
            if any(_is_within(SIDES[name].short(mutant.module), [module]) for mutant in own)
        ]
        keys = [key for key in options.key if any(mutant.key == key for mutant in own)]
        if (options.module and not modules) or (options.key and not keys):
            continue
        # Of an option that is given twice the last one counts.
        restricted = [*(["--module", *modules] if modules else []), *(["--key", *keys] if keys else [])]
        command = [sys.executable, "-m", "tests.mutation", name, *arguments, *restricted]
        codes.append(subprocess.run(command, cwd=ROOT, check=False).returncode)
    if not codes:
        raise UsageError(NOTHING)
    known = (CANNOT_JUDGE, USAGE, OPEN, STALE)
    return next((code for code in known if code in codes), CANNOT_JUDGE if any(codes) else 0)


def _of_side(
    side: Side, mutants: Sequence[Mutant], options: argparse.Namespace, entries: Sequence[Survivor]
) -> int:
    chosen = _chosen(side, mutants, options)
    if not chosen:
        raise UsageError(NOTHING)
    if options.list:
        listed = {entry.key for entry in entries if entry.side == side.name}
        for mutant in chosen:
            told = f"{mutant.key}  {side.short(mutant.module)}.{mutant.told}"
            say(f"{told}  argued" if mutant.key in listed else told)
        return 0
    name = f"{side.name}-narrow" if options.killers else side.name
    file = options.results or STATE / f"{name}.json"
    run = Run(side, chosen, {} if options.afresh else results.read(file), file)
    asked = replace(side, killers=tuple(options.killers)) if options.killers else side
    with_killers(asked, options.seconds, run)
    return run.judge(entries, {mutant.key for mutant in mutants})


def _chosen(side: Side, mutants: Sequence[Mutant], options: argparse.Namespace) -> tuple[Mutant, ...]:
    chosen = [
        mutant
        for mutant in mutants
        if not options.module or _is_within(side.short(mutant.module), options.module)
        if not options.key or mutant.key in options.key
    ]
    if options.sample is not None and options.sample < len(chosen):
        drawn = set(Random(options.seed).sample(range(len(chosen)), options.sample))
        chosen = [mutant for number, mutant in enumerate(chosen) if number in drawn]
    return tuple(chosen)


def _is_within(name: str, modules: Sequence[str]) -> bool:
    return any(name == each or name.startswith(f"{each}.") for each in modules)


class Run:
    """A run over mutants of a side: called with the harness it tries them, then it tells and judges."""

    def __init__(self, side: Side, mutants: Sequence[Mutant], kept: Mapping[str, Kept], file: Path) -> None:
        self.side = side
        self.mutants = mutants
        self.kept = kept
        self.file = file
        self.found: dict[str, Kept] = {}

    def __call__(self, harness: Harness) -> None:
        """Try the mutants of which nothing is kept that still holds, and keep what came of them."""
        try:
            self._try_all(harness)
        finally:
            results.add(self.file, self.found)

    def _try_all(self, harness: Harness) -> None:
        whole = f"{stamp_of(self.side, harness.items)}-{harness.seconds:g}"
        progress = Progress(len(self.mutants))
        alive, wrote, checked = 0, time.monotonic(), False
        for number, mutant in enumerate(self.mutants, 1):
            known, file = self.kept.get(mutant.key), mutant.of.file
            if known is None or not results.holds(known, file, whole, harness.is_collected):
                if not checked:
                    harness.control()
                    checked = True
                first = known.why if known is not None and known.status is Status.KILLED else ""
                verdict = harness.try_mutant(mutant, first)
                stamp = results.stamp(verdict.status, verdict.why, file, whole)
                known = Kept(verdict.status, verdict.why, verdict.tried, stamp)
            self.found[mutant.key] = known
            alive += not known.killed
            progress.tell(number, f"{alive} alive  {self.side.short(mutant.module)}")
            if time.monotonic() - wrote > WRITTEN_EVERY:
                wrote = time.monotonic()
                results.add(self.file, self.found)

    def judge(self, entries: Sequence[Survivor], keys: set[str]) -> int:
        """Tell what came, hold it against the list, and return the exit code; `keys` are all of the side."""
        alive = {key: not kept.killed for key, kept in self.found.items()}
        judgement = survivors.judged(entries, self.side.name, keys, alive)
        listed = {entry.key for entry in entries}
        crashed = {key for key, kept in self.found.items() if kept.status is Status.CRASHED}
        say(table(self.side.package, [self._row(mutant, listed) for mutant in self.mutants]))
        for mutant in self.mutants:
            if mutant.key in judgement.unlisted or mutant.key in crashed:
                kept = self.found[mutant.key]
                told = f"{self.side.short(mutant.module)}.{mutant.told}"
                say(f"{kept.status}  {mutant.key}  {told}  {kept.why}".rstrip())
        for entry in judgement.killed:
            say(f"stale, for it is killed  {entry.key}  {entry.place}  {self.found[entry.key].why}")
        for entry in judgement.unknown:
            say(f"stale, for there is no such mutant  {entry.key}  {entry.place}")
        if judgement.too_many:
            say(f"the list has more than {survivors.MOST:.0%} of the {len(keys)} mutants")
        if crashed:
            return CANNOT_JUDGE
        if judgement.unlisted or judgement.too_many:
            return OPEN
        return 0 if judgement.sound else STALE

    def _row(self, mutant: Mutant, listed: set[str]) -> tuple[str, str]:
        kept = self.found[mutant.key]
        argued = not kept.killed and kept.status is not Status.CRASHED and mutant.key in listed
        return self.side.short(mutant.module), "argued" if argued else str(kept.status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
