"""The logs a command line names: files, folders of logs, standard input.

Opens and reads files; judges nothing.
"""

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

STANDARD_INPUT = "-"
SUFFIXES = (".jsonl", ".jsonl.zstd")

IN_MEMORY = 16 * 1024 * 1024
"""Bytes of a pipe that are kept in memory; what is beyond them goes to a temporary file."""


@dataclass(frozen=True, slots=True)
class Source:
    """One log to be judged; `name` is how the command line leads to it, `-` for standard input."""

    name: str


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A place that was named and yields no log, and why."""

    name: str
    message: str


def expand(argument: str) -> list[Source | Unreachable]:
    """Return the logs that one argument names; of a folder all logs below it, sorted by path."""
    if argument == STANDARD_INPUT or not Path(argument).is_dir():
        return [Source(argument)]
    unreachable: list[OSError] = []
    logs = [
        os.path.join(folder, name)
        for folder, _, names in os.walk(argument, onerror=unreachable.append)
        for name in names
        if name.endswith(SUFFIXES) and not _is_special(os.path.join(folder, name))
    ]
    found: list[Source | Unreachable] = [Source(log) for log in sorted(logs)]
    found += [Unreachable(str(error.filename), reason(error)) for error in unreachable]
    return found or [
        Unreachable(argument, f"no log in this folder: no file's name ends with {', '.join(SUFFIXES)}")
    ]


def _is_special(path: str) -> bool:
    """Tell whether the path is neither a file nor a link to nowhere: a pipe, say, which would never end."""
    return os.path.exists(path) and not os.path.isfile(path)


@contextmanager
def opened(source: Source) -> Iterator[BinaryIO]:
    """Open the log for reading more than once: what cannot be rewound is copied first.

    Raises OSError where it cannot be read.
    """
    if source.name == STANDARD_INPUT:
        with _rewindable(sys.stdin.buffer) as stream:
            yield stream
        return
    with open(source.name, "rb") as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            yield file
        else:
            with _rewindable(file) as stream:
                yield stream


@contextmanager
def _rewindable(pipe: BinaryIO) -> Iterator[BinaryIO]:
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as copy:
        shutil.copyfileobj(pipe, copy)
        copy.seek(0)
        yield cast(BinaryIO, copy)


def reason(error: OSError) -> str:
    """Return the operating system's reason, without the path and the number around it."""
    return error.strerror or type(error).__name__
