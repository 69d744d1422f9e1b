"""Finding out which lines of a package each killer runs, and which functions run at import.

The killers are run once with nothing mutated; one that fails then could judge nothing. What is found of a
file of killers is kept as long as neither it, nor what its tests share, nor the package changes.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from tests.mutation.children import Answer, answered
from tests.mutation.choosing import Killer, Reach
from tests.mutation.placing import forget_project
from tests.mutation.report import Progress
from tests.mutation.sides import ROOT, Side

STATE = ROOT / "build" / "mutation"
"""Where results, and what killers run, are kept from one time to the next."""
CALLS_TRACED = 200
"""How many calls of one function by one killer are looked at line by line."""


class KillersFailError(Exception):
    """Killers fail with nothing mutated, or could not be collected; the message names them."""


def _digest(*roots: Path) -> str:
    digest = sha256()
    for root in roots:
        for file in sorted(root.rglob("*.py")) if root.is_dir() else [root]:
            digest.update(f"{file.relative_to(ROOT)}\0{file.read_text('utf-8')}\0".encode())
    return digest.hexdigest()


def stamp_of(side: Side, killers: Iterable[str]) -> str:
    """Return a digest of killers by their ids, of their files, and of all that they run."""
    ids = sorted(killers)
    stamps = _stamps(side, dict.fromkeys(id.partition("::")[0] for id in ids))
    return sha256("\0".join([*ids, *stamps.values()]).encode()).hexdigest()


def _stamps(side: Side, files: Iterable[str]) -> dict[str, str]:
    """Return for each file of killers the digest of it and of all that it runs.

    It is the same whichever other killers are asked.
    """
    package = _digest(side.directory, *_helpers((ROOT / "tests").glob("*.py")))
    shared = cache(_shared)
    return {file: _digest(ROOT / file) + package + shared("/".join(file.split("/")[:2])) for file in files}


def _shared(folder: str) -> str:
    """Return the digest of what the killers in a folder of `tests` share."""
    if folder == "tests/mutation":
        return _digest(ROOT / "spec" / "schedule_conformance", ROOT / "proofs")
    return _digest(*_helpers((ROOT / folder).rglob("*.py")))


def _helpers(files: Iterable[Path]) -> list[Path]:
    return [file for file in sorted(files) if not file.name.startswith("test_")]


Hearing = Callable[[pytest.TestReport], None]
Running = Callable[[pytest.Item, Hearing], None]
"""Runs one test, and tells the function of its reports."""


def reach_of(side: Side, items: Mapping[str, pytest.Item], run: Running) -> Reach:
    """Return what the collected killers run; KillersFailError where one fails.

    Only the files of killers of which that is not known yet, or which changed, are run.
    """
    by_file: dict[str, list[pytest.Item]] = {}
    for item in items.values():
        by_file.setdefault(item.nodeid.partition("::")[0], []).append(item)
    stamps, kept = _stamps(side, by_file), STATE / f"reach-{side.name}.json"
    known = _kept(kept)
    files = frozenset(str(file) for file in side.modules().values())
    stale = {
        file: own
        for file, own in by_file.items()
        if (found := known.get(file)) is None
        or found["stamp"] != stamps[file]
        or found["seconds"].keys() != {item.nodeid for item in own}
    }
    if stale:
        # A child's own streams lead nowhere.
        with os.fdopen(os.dup(sys.stderr.fileno()), "w") as stream:
            progress = Progress(sum(map(len, stale.values())), stream)
            traced = answered(lambda answer: _trace(files, stale, run, progress, answer), 7200)
        failed = [id for found in traced.values() for id in found["failed"]]
        if failed:
            raise KillersFailError("with nothing mutated these fail:\n" + "\n".join(failed))
        known |= {file: {"stamp": stamps[file], **found} for file, found in traced.items()}
        STATE.mkdir(parents=True, exist_ok=True)
        new = kept.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps(_kept(kept) | known), "utf-8")
        new.replace(kept)
    at_import = answered(lambda answer: _trace_imports(files, side, answer), 600)
    return _joined([known[file] for file in by_file], at_import)


def _kept(file: Path) -> dict[str, Any]:
    known: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return known


def _joined(found: Sequence[Mapping[str, Any]], at_import: Sequence[tuple[str, str]]) -> Reach:
    tests: list[Killer] = []
    lines: dict[str, dict[int, int]] = {}
    for each in found:
        for file, known in each["lines"].items():
            own = lines.setdefault(file, {})
            for line, bits in known.items():
                own[int(line)] = own.get(int(line), 0) | int(bits, 16) << len(tests)
        tests += [Killer(id, seconds) for id, seconds in each["seconds"].items()]
    return Reach(tuple(tests), lines, frozenset((file, name) for file, name in at_import))


class _Tracer:
    """Notes the lines of some files that run."""

    def __init__(self, files: frozenset[str]) -> None:
        self._files = files
        self._ran: set[tuple[str, int]] = set()
        self._times: dict[CodeType, int] = {}

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in self._files:
            return None
        self._times[code] = self._times.get(code, 0) + 1
        if self._times[code] > CALLS_TRACED:
            return None
        self._ran.add((code.co_filename, frame.f_lineno))
        return self._line

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        self._ran.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line

    def while_running(self, work: Callable[[], None]) -> set[tuple[str, int]]:
        """Return the files and lines that run in the course of some work."""
        self._ran.clear()
        self._times.clear()
        sys.settrace(self)
        try:
            work()
        finally:
            sys.settrace(None)
        return self._ran


def _trace(
    files: frozenset[str],
    by_file: Mapping[str, Sequence[pytest.Item]],
    run: Running,
    progress: Progress,
    answer: Answer,
) -> None:
    tracer = _Tracer(files)
    threading.settrace(tracer)
    found: dict[str, Any] = {}
    done = count(1)

    def tell(file: str) -> None:
        progress.tell(next(done), f"run with nothing mutated  {file}")

    for file, items in by_file.items():
        found[file] = _traced(tracer, items, run, partial(tell, file))
    answer(found)


def _traced(
    tracer: _Tracer, items: Sequence[pytest.Item], run: Running, tell: Callable[[], None]
) -> dict[str, Any]:
    """Run the killers of one file: their seconds, those that fail, and by line which of them run it."""
    found: dict[str, dict[int, int]] = {}
    seconds: dict[str, float] = {}
    failed: list[str] = []

    def hear(report: pytest.TestReport) -> None:
        if report.failed:
            failed.append(report.nodeid)

    for number, item in enumerate(items):
        began = time.process_time()
        ran = tracer.while_running(partial(run, item, hear))
        seconds[item.nodeid] = round(time.process_time() - began, 4)
        for file, line in ran:
            own = found.setdefault(file, {})
            own[line] = own.get(line, 0) | 1 << number
        tell()
    lines = {file: {line: hex(bits) for line, bits in known.items()} for file, known in found.items()}
    return {"seconds": seconds, "failed": failed, "lines": lines}


def _trace_imports(files: frozenset[str], side: Side, answer: Answer) -> None:
    ran: set[tuple[str, str]] = set()

    def calls(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if code.co_filename in files and not code.co_qualname.startswith("<module>"):
            ran.add((code.co_filename, code.co_qualname.partition(".<locals>")[0]))

    forget_project()
    sys.settrace(calls)
    for name in side.modules():
        __import__(name)
    sys.settrace(None)
    answer(sorted(ran))
