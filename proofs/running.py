"""Running obligations: targets and controls in processes of their own, as many at a time as there are cores.

What comes out does not depend on their order. A process that does not end in time is killed: `late`. When the
run itself is ended, from the keyboard or by a fault, its processes end with it.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from proofs.judging import Judged, judged
from proofs.ledger import Obligation, Tool, Verdict
from proofs.outcomes import Outcome

ROOT = Path(__file__).parents[1]
"""The checkout."""
Processes: TypeAlias = set[subprocess.Popen[bytes]]
"""Those that run now."""


def limit(tool: Tool, seconds: int) -> int:
    """Return after how many seconds a process is given up: CrossHair keeps its own time, by condition."""
    return 4 * seconds + 300 if tool is Tool.CROSSHAIR else seconds


def outcome(
    tool: Tool, name: str, seconds: int, witness: str = "", processes: Processes | None = None
) -> Outcome:
    """Return what a tool makes of a function, run in a process of its own.

    While it runs the process is among `processes`.
    """
    began = time.monotonic()
    among: Processes = set() if processes is None else processes
    with TemporaryDirectory() as folder:
        file = Path(folder, "outcome.json")
        command = [sys.executable, "-m", "proofs.worker", tool, name, str(seconds), witness, str(file)]
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": "0", "PYTHONWARNINGS": "ignore"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        among.add(process)
        try:
            _, said = process.communicate(timeout=limit(tool, seconds))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return Outcome(
                Verdict.LATE, f"not done after {limit(tool, seconds)} s", {}, time.monotonic() - began
            )
        finally:
            among.discard(process)
        took = time.monotonic() - began
        if not file.exists():
            words = said.decode(errors="replace").strip()
            return Outcome(Verdict.BROKEN, f"the process ended with {process.returncode}: {words}", {}, took)
        found = json.loads(file.read_text("utf-8"))
    return Outcome(Verdict(found["verdict"]), found["detail"], found["counts"], took)


def run(
    obligations: Sequence[Obligation], workers: int, progress: Callable[[Judged], None] = lambda _: None
) -> tuple[Judged, ...]:
    """Return the obligations, in their order, with what they came to.

    `progress` hears of each as it is done.
    """
    done: dict[str, Judged] = {}
    processes: Processes = set()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for each in _judgements(pool, obligations, processes):
                done[each.obligation.id] = each
                progress(each)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in tuple(processes):
                process.kill()
            raise
    return tuple(done[obligation.id] for obligation in obligations)


def _judgements(
    pool: ThreadPoolExecutor, obligations: Sequence[Obligation], processes: Processes
) -> Iterator[Judged]:
    """Yield what obligations come to, as they are done; those that may take longest begin first."""
    halves: dict[Future[Outcome], tuple[Obligation, bool]] = {}
    for each in sorted(obligations, key=lambda obligation: -obligation.seconds):
        target = pool.submit(outcome, each.tool, each.target, each.seconds, each.witness, processes)
        control = pool.submit(outcome, each.tool, each.control, each.control_seconds, "", processes)
        halves |= {target: (each, True), control: (each, False)}
    found: dict[str, dict[bool, Outcome]] = {}
    for half in as_completed(halves):
        obligation, is_target = halves[half]
        both = found.setdefault(obligation.id, {})
        both[is_target] = half.result()
        if len(both) == 2:
            yield judged(obligation, both[True], both[False])
