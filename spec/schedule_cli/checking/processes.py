"""Logs judged by several processes at once, none of which can spoil the verdict on another's log.

Starts and ends processes; what goes between them is a log's name and its verdict.
"""

import signal
import sys
import traceback
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from queue import SimpleQueue

from schedule_cli.checking.judging import Progress, Scanner, Verdict, faulty, judge
from schedule_cli.checking.sources import Source
from schedule_spec.profiles import Profile

ENDED = "the process that judged this log broke off; it crashed, was killed, or ran out of memory."


def verdicts(logs: Sequence[Source], profile: Profile, scan: Scanner, workers: int) -> Generator[Verdict]:
    """Yield the verdicts in the order of the logs, judged by so many processes.

    A process that breaks off leaves its own log unjudged, and another takes its place.
    """
    if not logs:
        return
    # One pool a process: a pool that loses a process forgets which log that one had.
    idle: SimpleQueue[ProcessPoolExecutor] = SimpleQueue()
    for _ in range(workers):
        idle.put(_one_process())

    def judged(log: Source) -> Verdict:
        process = idle.get()
        try:
            return process.submit(shielded, log, profile, scan).result()
        except BrokenProcessPool:
            process.shutdown()
            process = _one_process()
            return faulty(log.name, ENDED)
        finally:
            idle.put(process)

    threads = ThreadPoolExecutor(workers)
    try:
        yield from threads.map(judged, logs)
    finally:
        threads.shutdown(cancel_futures=True)
        while not idle.empty():
            idle.get().shutdown()


def _one_process() -> ProcessPoolExecutor:
    # A fresh interpreter, the same on every system. Ctrl-C ends it without a traceback.
    return ProcessPoolExecutor(1, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_DFL))


def shielded(log: Source, profile: Profile, scan: Scanner, progress: Progress | None = None) -> Verdict:
    """Judge a log; what breaks this program on it is told on standard error, and that log is unjudged."""
    try:
        return judge(log, profile, scan, progress)
    except Exception as error:
        traceback.print_exception(error, file=sys.stderr)
        return faulty(log.name, f"{type(error).__name__} while this log was judged.")
