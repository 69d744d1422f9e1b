"""Doing something in a forked process, which may hang, grow without bound, or die."""

import faulthandler
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Answer = Callable[[Any], None]
"""Hands over what a child has to tell, a JSON value, and ends it."""
CPU_SECONDS = 3600
"""The most processor time that a child may take; what it does is bounded more narrowly by itself."""
MEMORY = 6 << 30
"""The most bytes of addresses that a child may have."""


class HarnessError(Exception):
    """A child ended without telling what came."""


class End(StrEnum):
    """How a child ended: with an answer, out of time, or in a way that tells nothing."""

    ANSWERED = "answered"
    TIMEOUT = "timeout"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a child: its answer, a JSON value, or why there is none."""

    end: End
    answer: Any = None
    why: str = ""


def in_child(work: Callable[[Answer], None], wall: float) -> Outcome:
    """Do the work in a child of this process, which ends with it or after `wall` seconds.

    `work` is given a function that hands over the answer and ends the child.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _live(work, writing)
    os.close(writing)
    try:
        return _heard(child, reading, time.monotonic() + wall)
    finally:
        os.close(reading)


def answered(work: Callable[[Answer], None], wall: float) -> Any:
    """Return what a child answers; HarnessError where it does not."""
    outcome = in_child(work, wall)
    if outcome.end is not End.ANSWERED:
        raise HarnessError(f"{outcome.end}: {outcome.why}")
    return outcome.answer


def _live(work: Callable[[Answer], None], writing: int) -> None:
    """Work as the child; does not return."""

    def answer(value: Any, status: int = 0) -> None:
        left = memoryview(json.dumps(value).encode())
        while left:
            left = left[os.write(writing, left) :]
        os._exit(status)

    try:
        faulthandler.disable()
        os.setpgid(0, 0)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        work(answer)
        answer("the work ended without an answer", 3)
    except BaseException:
        answer(traceback.format_exc(), 3)
    finally:
        os._exit(3)


def _heard(child: int, reading: int, until: float) -> Outcome:
    pieces: list[bytes] = []
    late = False
    while True:
        left = until - time.monotonic()
        ready = select.select([reading], [], [], max(left, 0))[0]
        if not ready:
            late = True
            break
        piece = os.read(reading, 1 << 16)
        if not piece:
            break
        pieces.append(piece)
    if late:
        _end(child)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    _end(child)
    if late or -status in (signal.SIGXCPU, signal.SIGKILL, signal.SIGPROF, signal.SIGALRM):
        return Outcome(End.TIMEOUT)
    if status != 0:
        said = b"".join(pieces).decode(errors="replace")
        return Outcome(End.CRASHED, why=f"ended with {status}: {said}")
    return Outcome(End.ANSWERED, json.loads(b"".join(pieces)))


def _end(child: int) -> None:
    """End the child's group, with whatever it started."""
    try:
        os.killpg(child, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
