"""Running obligations: targets and controls in processes of their own, as many at a time as there are cores.

What comes out does not depend on their order. A process that does not end in time is killed: `late`.
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

from proofs.judging import Judged, judged
from proofs.ledger import Obligation, Tool, Verdict
from proofs.outcomes import Outcome

ROOT = Path(__file__).parents[1]
"""The checkout."""


def limit(tool: Tool, seconds: int) -> int:
    """Return after how many seconds a process is given up: CrossHair keeps its own time, by condition."""
    return 4 * seconds + 60 if tool is Tool.CROSSHAIR else seconds


def outcome(tool: Tool, name: str, seconds: int, witness: str = "") -> Outcome:
    """Return what a tool makes of a function, run in a process of its own."""
    began = time.monotonic()
    with TemporaryDirectory() as folder:
        file = Path(folder, "outcome.json")
        command = [sys.executable, "-m", "proofs.worker", tool, name, str(seconds), witness, str(file)]
        try:
            ended = subprocess.run(
                command,
                cwd=ROOT,
                env=os.environ | {"PYTHONHASHSEED": "0", "PYTHONWARNINGS": "ignore"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=limit(tool, seconds),
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Outcome(
                Verdict.LATE, f"not done after {limit(tool, seconds)} s", {}, time.monotonic() - began
            )
        took = time.monotonic() - began
        if not file.exists():
            said = ended.stderr.decode(errors="replace").strip()
            return Outcome(Verdict.BROKEN, f"the process ended with {ended.returncode}: {said}", {}, took)
        found = json.loads(file.read_text("utf-8"))
    return Outcome(Verdict(found["verdict"]), found["detail"], found["counts"], took)


def run(
    obligations: Sequence[Obligation], workers: int, progress: Callable[[Judged], None] = lambda _: None
) -> tuple[Judged, ...]:
    """Return the obligations, in their order, with what they came to.

    `progress` hears of each as it is done.
    """
    done: dict[str, Judged] = {}
    with ThreadPoolExecutor(workers) as pool:
        for each in _judgements(pool, obligations):
            done[each.obligation.id] = each
            progress(each)
    return tuple(done[obligation.id] for obligation in obligations)


def _judgements(pool: ThreadPoolExecutor, obligations: Sequence[Obligation]) -> Iterator[Judged]:
    """Yield what obligations come to, as they are done; those that may take longest begin first."""
    halves: dict[Future[Outcome], tuple[Obligation, bool]] = {}
    for each in sorted(obligations, key=lambda obligation: -obligation.seconds):
        target = pool.submit(outcome, each.tool, each.target, each.seconds, each.witness)
        control = pool.submit(outcome, each.tool, each.control, each.control_seconds)
        halves |= {target: (each, True), control: (each, False)}
    found: dict[str, dict[bool, Outcome]] = {}
    try:
        for half in as_completed(halves):
            obligation, is_target = halves[half]
            both = found.setdefault(obligation.id, {})
            both[is_target] = half.result()
            if len(both) == 2:
                yield judged(obligation, both[True], both[False])
    except BaseException:
        pool.shutdown(cancel_futures=True)
        raise
