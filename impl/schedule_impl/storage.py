"""Files of one directory, as a store of logs needs them, and the real disk.

A file belongs to one process at a time: where the system has locks, another that wants it is told so. The
lock goes with the process, so that a kill leaves none behind.
"""

import asyncio
import contextlib
import os
import secrets
import sys
from collections.abc import Coroutine
from functools import partial
from io import FileIO
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, TypeVar

from schedule_impl.durable_file import extend, restate

T = TypeVar("T")

if sys.platform == "win32":

    def _lock(_descriptor: int) -> None:
        """Nothing: there is no lock here that a killed process leaves free and readers pass by."""

    def _sync_directory(_path: Path) -> None:
        """Nothing: entries are durable with their files here."""

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        """Keep every other opener of the file from locking it; BlockingIOError where one has it."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _sync_directory(path: Path) -> None:
        """Make a directory's entries durable."""
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


class Storage(Protocol):
    """A directory. Every method raises OSError where it fails; whoever has a file keeps it until `let_go`."""

    async def create(self, name: str, data: bytes) -> None:
        """Make a file that holds the data, durably, its directory entry included; the caller has it then.

        FileExistsError where the name is taken. A crash on the way leaves no file of that name, or all of it.
        """
        ...

    async def take_over(self, name: str) -> bytes:
        """What a file holds, made durable, its directory entry included; the caller has it then.

        FileNotFoundError where there is none, BlockingIOError where someone else has it.
        """
        ...

    async def extend(self, name: str, size: int, data: bytes) -> None:
        """Put the data, durably, behind the first `size` bytes of a file that the caller has."""
        ...

    async def replace(self, name: str, data: bytes) -> None:
        """Let a file that the caller has hold other data; a crash on the way leaves it as it was, or new."""
        ...

    async def let_go(self, name: str) -> None:
        """Leave a file to others, once what is being done to it has ended; nothing if no one has it."""
        ...


class _OpenFile:
    """A file that this process has.

    `busy` is held by the thread that works on it: one whose caller was cancelled goes on, and the next waits.
    """

    __slots__ = ("_file", "busy")

    def __init__(self, file: FileIO) -> None:
        self._file = file
        self.busy = Lock()

    @classmethod
    def open(cls, path: Path, mode: str) -> "_OpenFile":
        file = FileIO(str(path), mode)
        try:
            _lock(file.fileno())
        except OSError:
            file.close()
            raise
        return cls(file)

    def is_at(self, path: Path) -> bool:
        """Whether it is this file that the path leads to."""
        return os.path.samestat(os.fstat(self._file.fileno()), path.stat())

    def read(self) -> bytes:
        self._file.seek(0)
        return self._file.readall()

    def write(self, offset: int, data: bytes) -> None:
        self._file.seek(offset)
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]

    def cut(self, size: int) -> None:
        self._file.truncate(size)

    def sync(self) -> None:
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


class Disk:
    """A directory of the file system, made if it is missing. All blocking work is done on threads.

    A file that was created or taken over stays open, and locked, until `let_go`. Whoever is cancelled while
    it is created or taken over does not have it; it may be there nevertheless.
    """

    __slots__ = ("_files", "_root")

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: dict[str, _OpenFile] = {}

    async def create(self, name: str, data: bytes) -> None:
        """Make a file that holds the data: written under another name and synced, then linked."""
        await self._take(name, asyncio.to_thread(self._create, name, data))

    async def take_over(self, name: str) -> bytes:
        """What a file holds, made durable; no other process gets it before `let_go`."""
        return await self._take(name, asyncio.to_thread(self._take_over, name))

    async def extend(self, name: str, size: int, data: bytes) -> None:
        """Put the data, durably, behind the first `size` bytes of a file."""
        await asyncio.to_thread(self._extend, name, size, data)

    async def replace(self, name: str, data: bytes) -> None:
        """Let a file hold other data: written under another name and synced, then renamed over it."""
        await asyncio.to_thread(self._replace, name, data)

    async def let_go(self, name: str) -> None:
        """Leave a file to others."""
        await asyncio.to_thread(self._let_go, name)

    async def _take(self, name: str, work: Coroutine[Any, Any, T]) -> T:
        """Wait for a thread that gets a file for the caller; it can't be stopped where the caller is."""
        thread = asyncio.ensure_future(work)
        try:
            return await asyncio.shield(thread)
        except asyncio.CancelledError:
            thread.add_done_callback(partial(self._not_wanted, name))
            raise

    def _not_wanted(self, name: str, thread: "asyncio.Future[Any]") -> None:
        if not thread.cancelled() and thread.exception() is None:
            self._let_go(name)

    def _create(self, name: str, data: bytes) -> None:
        _make_directory(self._root)
        path, fresh = self._root / name, self._fresh(name)
        file = _OpenFile.open(fresh, "x+")
        try:
            extend(file, 0, data)
            os.link(fresh, path)
        except OSError:
            file.close()
            raise
        finally:
            fresh.unlink()
        try:
            _sync_directory(self._root)
        except OSError:
            file.close()
            path.unlink()
            raise
        self._files[name] = file

    def _take_over(self, name: str) -> bytes:
        path = self._root / name
        file = _OpenFile.open(path, "r+")
        try:
            while not file.is_at(path):
                file.close()
                file = _OpenFile.open(path, "r+")
            data = restate(file)
            _sync_directory(self._root)
        except OSError:
            file.close()
            raise
        self._files[name] = file
        return data

    def _extend(self, name: str, size: int, data: bytes) -> None:
        file = self._had(name)
        with file.busy:
            extend(file, size, data)

    def _replace(self, name: str, data: bytes) -> None:
        before = self._had(name)
        with before.busy:
            fresh = self._fresh(name)
            file = _OpenFile.open(fresh, "x+")
            try:
                extend(file, 0, data)
                fresh.replace(self._root / name)
            except OSError:
                file.close()
                with contextlib.suppress(OSError):
                    fresh.unlink()
                raise
            self._files[name] = file
            before.close()
        _sync_directory(self._root)

    def _let_go(self, name: str) -> None:
        file = self._files.pop(name, None)
        if file is not None:
            with file.busy:
                file.close()

    def _had(self, name: str) -> _OpenFile:
        file = self._files.get(name)
        if file is None:
            raise FileNotFoundError(f"{name} was let go, or never taken")
        return file

    def _fresh(self, name: str) -> Path:
        """A name beside a file's own that no one else uses."""
        return self._root / f"{name}.{secrets.token_hex(4)}.new"


def _make_directory(path: Path) -> None:
    """Make a directory and those above it, each with a durable entry."""
    if not path.is_dir():
        _make_directory(path.parent)
        path.mkdir(exist_ok=True)
        _sync_directory(path.parent)
