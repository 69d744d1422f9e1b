"""Files of one directory, as a store of logs needs them, and the real disk.

What is written survives a crash only once it was made durable, and after an attempt that failed it may count
as durable where it isn't: whoever is told of a failure writes again whatever was not acknowledged before.
"""

import asyncio
import contextlib
import os
from pathlib import Path
from typing import Protocol


class Storage(Protocol):
    """A directory. Every method raises OSError where it fails."""

    async def read(self, name: str) -> bytes | None:
        """What a file holds, None where there is none."""
        ...

    async def replace(self, name: str, data: bytes) -> None:
        """Let a file of that name hold the data, durably, its directory entry included.

        A crash on the way leaves the file as it was, or whole and new.
        """
        ...

    async def write(self, name: str, offset: int, data: bytes) -> None:
        """Cut a file at `offset` and write the data there; not durable before `sync`."""
        ...

    async def sync(self, name: str) -> None:
        """Make durable what was written to a file."""
        ...


class Disk:
    """A directory of the file system, made if it is missing. All blocking work is done on threads."""

    __slots__ = ("_root",)

    def __init__(self, root: Path) -> None:
        self._root = root

    async def read(self, name: str) -> bytes | None:
        """What a file holds, None where there is none."""
        return await asyncio.to_thread(self._read, name)

    async def replace(self, name: str, data: bytes) -> None:
        """Let a file hold the data, durably: a new file is synced, then renamed over the old one."""
        await asyncio.to_thread(self._replace, name, data)

    async def write(self, name: str, offset: int, data: bytes) -> None:
        """Cut a file at `offset` and write the data there; not durable before `sync`."""
        await asyncio.to_thread(self._write, name, offset, data)

    async def sync(self, name: str) -> None:
        """Make durable what was written to a file."""
        await asyncio.to_thread(_sync, self._root / name)

    def _read(self, name: str) -> bytes | None:
        try:
            return (self._root / name).read_bytes()
        except FileNotFoundError:
            return None

    def _replace(self, name: str, data: bytes) -> None:
        _make_directory(self._root)
        fresh = self._root / f"{name}.new"
        try:
            with fresh.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._root / name)
        except OSError:
            with contextlib.suppress(OSError):
                fresh.unlink()
            raise
        _sync(self._root)

    def _write(self, name: str, offset: int, data: bytes) -> None:
        with (self._root / name).open("r+b") as file:
            file.truncate(offset)
            file.seek(offset)
            file.write(data)


def _make_directory(path: Path) -> None:
    """Make a directory and those above it, each with a durable entry."""
    if not path.is_dir():
        _make_directory(path.parent)
        path.mkdir(exist_ok=True)
        _sync(path.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
