"""The logs a command line names: files, folders of logs, standard input.

Opens and reads files; judges nothing.
"""

import errno
import io
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STANDARD_INPUT = "-"
COMPRESSED = (".zstd", ".zst")
"""How the name of a compressed log ends."""
SUFFIXES = (".jsonl", *(f".jsonl{ending}" for ending in COMPRESSED))

IN_MEMORY = 16 * 1024 * 1024
"""Bytes of a pipe that are kept in memory; what is beyond them goes to a temporary file."""
CHUNK = 1 << 16
"""Bytes that are taken from a file or pipe at a time."""


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
    if argument == STANDARD_INPUT or not os.path.isdir(argument):
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
    """Open the log for reading more than once.

    A file ends where it ended when it was opened, though it may grow. What cannot be rewound is kept in a
    temporary place as far as it is read, and no further. Raises OSError where the log cannot be read.
    """
    if source.name == STANDARD_INPUT:
        # None where the shell closed it.
        standard_input = cast("io.TextIOWrapper | None", sys.stdin)
        if standard_input is None:
            raise OSError(errno.EBADF, "standard input is closed")
        with _rewindable(cast(BinaryIO, standard_input.buffer)) as stream:
            yield stream
        return
    with open(source.name, "rb") as file:
        status = os.fstat(file.fileno())
        if stat.S_ISREG(status.st_mode):
            yield io.BufferedReader(_UpTo(file, status.st_size), CHUNK)
        else:
            with _rewindable(file) as stream:
                yield stream


@contextmanager
def _rewindable(pipe: BinaryIO) -> Iterator[BinaryIO]:
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as kept:
        yield io.BufferedReader(_Kept(pipe, cast(BinaryIO, kept)), CHUNK)


class _UpTo(io.RawIOBase):
    """A file's first `size` bytes."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        return self._file.seek(offset, whence)

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        view = memoryview(buffer).cast("B")
        data = self._file.read(min(len(view), max(0, self._size - self._file.tell())))
        view[: len(data)] = data
        return len(data)


class _Kept(io.RawIOBase):
    """A pipe that can be read again from its begin: what was read of it is in `kept`."""

    def __init__(self, pipe: BinaryIO, kept: BinaryIO) -> None:
        self._pipe = pipe
        self._kept = kept

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        return self._kept.seek(offset, whence)

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        view = memoryview(buffer).cast("B")
        data = self._kept.read(len(view))
        if not data:
            data = self._pipe.read(len(view))
            self._kept.write(data)
        view[: len(data)] = data
        return len(data)


def reason(error: OSError) -> str:
    """Return the operating system's reason, without the path and the number around it."""
    return error.strerror or type(error).__name__
