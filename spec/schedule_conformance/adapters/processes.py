"""One process at the other end of three pipes: lines to it, lines from it, and how it ends.

The only module of the court that starts processes. Threads read what a process writes, so that neither a full
pipe nor silence can block a run, and what it writes without being asked is not kept without bound. It ends
with everything that it started in its group.
"""

import os
import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Event, Thread, current_thread, main_thread
from time import monotonic
from typing import Any, cast

from schedule_conformance.protocol.json_values import show
from schedule_conformance.protocol.systems import Breakdown, Trouble

SLICE = 0.2
"""Seconds between two looks at whether a silent process still lives."""

GRACE = 1.0
"""Seconds that a process has to end by itself once it closed its output."""

PIPE_BUFFER = 4096
"""Bytes that any empty pipe takes at once, so that writing them blocks nobody."""

MOST_WAITING = 4
"""Lines that are read ahead of the requests that they might answer, beside those of one reading."""

SHOWN = 300
"""Characters of a line that are shown."""


ENDING_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""What tells a process to end, where the system knows it."""


class NotStartedError(Exception):
    """The process could not be started; the message says why, and what to do."""


class Process:
    """One process with the threads that read what it writes; NotStartedError where it cannot be started.

    `asked` counts the messages sent, `answered` says whether anything came back yet.
    """

    def __init__(self, words: Sequence[str], longest: int) -> None:
        try:
            self._process = subprocess.Popen(
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as problem:
            raise NotStartedError(_not_started(words[0], problem)) from None
        self._longest = longest
        self._lines: SimpleQueue[bytes | Breakdown | None] = SimpleQueue()
        self._said = b""
        self._left = b""
        self._deaf = False
        self._leaving = Event()
        self._writer: Thread | None = None
        self._reader = _started(self._read)
        self._listener = _started(self._listen)
        self.asked = 0
        self.answered = False

    def send(self, text: bytes) -> None:
        """Write a message; a long one in a thread, because a process that does not read blocks its writer."""
        self.asked += 1
        if self._writer is None and len(text) <= PIPE_BUFFER:
            self._write(text)
            return
        before = self._writer

        def write_in_turn() -> None:
            if before is not None:
                before.join()
            self._write(text)

        self._writer = _started(write_in_turn)

    def receive(self, seconds: float) -> bytes | Breakdown:
        """Return the next line, without its end; or what happened instead within so many seconds."""
        deadline = monotonic() + seconds
        dead = False
        while True:
            left = max(0.0, deadline - monotonic())
            try:
                line = self._lines.get(timeout=SLICE if dead else min(left, SLICE))
            except Empty:
                if dead:
                    return self._gone()
                dead = self._process.poll() is not None
                if not dead and left <= 0:
                    return Breakdown(Trouble.LATE, self._late(seconds))
                continue
            if line is None:
                return self._gone()
            if self._writer is not None and not self._writer.is_alive():
                self._writer = None
            self.answered = True
            return line

    def close_input(self) -> None:
        """Tell the process that no more requests come."""
        if self._writer is None or not self._writer.is_alive():
            _pipe(self._process.stdin).close()

    def ending(self, seconds: float) -> str:
        """Return how the process ended, `status 0` for instance; empty where it still runs after so long."""
        try:
            status = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return ""
        if status >= 0:
            return f"status {status}"
        try:
            return f"signal {-status} ({signal.Signals(-status).name})"
        except ValueError:
            return f"signal {-status}"

    def end(self) -> None:
        """End the process and its group, and give back what they held."""
        self._leaving.set()
        _kill(self._process)
        for thread in (self._reader, self._listener):
            thread.join(SLICE)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            try:
                _pipe(pipe).close()
            except OSError:
                continue

    def _write(self, text: bytes) -> None:
        rest = memoryview(text)
        try:
            while rest:
                rest = rest[_pipe(self._process.stdin).write(rest) :]
        except (OSError, ValueError):
            self._deaf = True

    def _read(self) -> None:
        """Hand on what the process writes line by line, and None at its end."""
        parts: list[bytes] = []
        size = 0
        while chunk := self._chunk(self._process.stdout):
            *ends, rest = chunk.split(b"\n")
            for end in ends:
                self._lines.put(b"".join([*parts, end]))
                parts, size = [], 0
            parts.append(rest)
            size += len(rest)
            if size > self._longest:
                begun = b"".join(parts)
                self._lines.put(Breakdown(Trouble.GARBAGE, _endless(begun, self._longest)))
                return
            while self._lines.qsize() > MOST_WAITING and not self._leaving.wait(SLICE / 10):
                continue
        self._left = b"".join(parts)
        self._lines.put(None)

    def _listen(self) -> None:
        """Keep the end of what the process writes to standard error."""
        while chunk := self._chunk(self._process.stderr):
            self._said = (self._said + chunk)[-8 * SHOWN :]

    def _chunk(self, pipe: Any) -> bytes:
        if self._leaving.is_set():
            return b""
        try:
            return cast("bytes", pipe.read(65_536) or b"")
        except (OSError, ValueError):
            return b""

    def _gone(self) -> Breakdown:
        ending = self.ending(GRACE)
        if not ending:
            return Breakdown(
                Trouble.CLOSED,
                "The process closed its standard output and runs on; keep it open until the input ends."
                + self._last_words(),
            )
        middle = f" It had written the beginning of a line: {shown(self._left)}." if self._left else ""
        return Breakdown(
            Trouble.ENDED,
            f"The process ended before it answered ({ending}).{middle}{self._last_words()} Let the adapter "
            "catch whatever goes wrong in a request and answer with `error`.",
        )

    def _last_words(self) -> str:
        self._listener.join(SLICE)
        lines = [line.strip() for line in self._said.splitlines() if re.search(rb"\w", line)][-4:]
        if not lines:
            return " It wrote nothing to standard error."
        return f" Its last lines on standard error: {' | '.join(map(shown, lines))}."

    def _late(self, seconds: float) -> str:
        if self._deaf:
            advice = "It has closed its standard input: read one request a line until the input ends."
        elif self._writer is not None and self._writer.is_alive():
            advice = "It has not even read the whole request: read standard input to the end of each line."
        else:
            advice = (
                "Flush standard output after each reply, with the newline; if the work takes that long, "
                "allow more with --timeout."
            )
        said = self._last_words() if self._said else ""
        return f"No reply came within {seconds:g} s, and the process was ended. {advice}{said}"


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let signals that end this process wait until what starts another has noted it, so that it ends too.

    Signals reach the main thread alone, and those that nobody handles end this process at once in any case.
    """
    if current_thread() is not main_thread():
        yield
        return
    waiting: list[int] = []
    numbers = [getattr(signal, name) for name in ENDING_SIGNALS if hasattr(signal, name)]
    heeded = {number: now for number in numbers if callable(now := signal.getsignal(number))}
    for number in heeded:
        signal.signal(number, lambda number, _: waiting.append(number))
    try:
        yield
    finally:
        for number, handler in heeded.items():
            signal.signal(number, handler)
        for number in waiting:
            signal.raise_signal(number)


def _started(work: Any) -> Thread:
    thread = Thread(target=work, daemon=True)
    thread.start()
    return thread


def _pipe(pipe: Any) -> Any:
    assert pipe is not None, "all three streams are pipes"
    return pipe


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and, where the system knows groups, whatever it started and left behind."""
    if hasattr(os, "killpg"):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except OSError:
            process.kill()
    else:
        process.kill()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        return


def shown(text: bytes) -> str:
    """Return bytes that a process wrote, decoded, as a short JSON string of ASCII."""
    return show(text.decode("utf-8", "backslashreplace"), SHOWN)


def _endless(beginning: bytes, longest: int) -> str:
    return (
        f"A line on standard output has more than {longest} bytes; it begins "
        f"{shown(beginning[: 8 * SHOWN])}. A reply is one JSON object and ends with a newline."
    )


def _not_started(word: str, problem: Exception) -> str:
    reason = problem.strerror if isinstance(problem, OSError) else None
    return (
        f"The process could not be started: {reason or problem}: {show(word, SHOWN)}. The command is run "
        "without a shell, in the current folder; give an interpreter before a script that is not executable."
    )
