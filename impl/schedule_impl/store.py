"""The sessions of one storage that are live in this process: made, resumed after a close or a crash, forked.

A session's log is there, durable, from its making on. A barrier writes from the last acknowledged byte on, so
that events whose barrier failed are written again before they are acknowledged; in a compressed log each
barrier that has something to write makes a zstd frame of it. What a crash left at the end of a log goes with
the first barrier that appends.
Clauses: barrier.*, fold.candidate, fork.history, deliver.no-loss.
"""

import asyncio
import io
from collections.abc import Iterable, Iterator
from typing import Final

import zstandard

from schedule_impl.ecma_json import Json
from schedule_impl.header import HeaderError, read_header
from schedule_impl.host import Clock
from schedule_impl.rendering import json_text
from schedule_impl.session import Session, new_header
from schedule_impl.session_log import LogReader, LogUnreadable
from schedule_impl.storage import Storage

END_SEED: Final = {"type": "session/end-seed", "data": {}}
"""What stands between a fork's prefix and its own events, and before those of a session that was resumed."""

_COMPRESSED: Final = ".zstd"
_BLOCK: Final = 8 << 20


class SessionError(Exception):
    """A session cannot be made or resumed: the message says which and why."""


class _Journal:
    """One session's log on its way to the storage, which has its first `acknowledged` events durably.

    They take `size` bytes. One flush at a time, whoever asks.
    """

    __slots__ = ("_acknowledged", "_is_compressed", "_lock", "_name", "_size", "_storage")

    def __init__(
        self, storage: Storage, name: str, *, is_compressed: bool, acknowledged: int, size: int
    ) -> None:
        self._storage = storage
        self._name = name
        self._is_compressed = is_compressed
        self._acknowledged = acknowledged
        self._size = size
        self._lock = asyncio.Lock()

    async def persist(self, session: Session) -> None:
        """Make all events up to now durable; OSError."""
        async with self._lock:
            events = len(session)
            if events > self._acknowledged:
                data = _encoded(session.lines(self._acknowledged), self._is_compressed)
                await self._storage.extend(self._name, self._size, data)
                self._size += len(data)
                self._acknowledged = events

    async def close(self) -> None:
        """Leave the file to others, once a flush that has begun has ended."""
        async with self._lock:
            await self._storage.let_go(self._name)


class SessionStore:
    """The live sessions; a listener of the persistence service.

    Making and resuming raise SessionError, and OSError where the storage fails.
    """

    __slots__ = ("_clock", "_journals", "_storage")

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self._storage = storage
        self._clock = clock
        self._journals: dict[Session, _Journal] = {}

    async def create(self, identity: str, name: str) -> Session:
        """A new session, kept under a file name that is free; compressed if that ends in `.zstd`."""
        return await self._establish(Session(new_header(identity, self._clock.now())), name)

    async def resume(self, name: str) -> Session:
        """The session of a file that no one else has, without what a crash left at its end.

        A log whose own part does not fold is resumed as it is, and takes no event.
        """
        try:
            data = await self._storage.take_over(name)
        except FileNotFoundError:
            raise SessionError(f"there is no {name}") from None
        except BlockingIOError:
            raise SessionError(f"{name} is in use elsewhere") from None
        try:
            return await self._resumed(name, data)
        except BaseException:
            await self._storage.let_go(name)
            raise

    async def fork(self, parent: Session, at: int, identity: str, name: str) -> Session:
        """A child that inherits the first `at` events verbatim, kept under a file name that is free.

        `corrupt_schedule_log` where the parent has fewer (fork.bounds, fork.history).
        """
        child = await self._establish(parent.fork(at, identity, self._clock.now()), name)
        self._mark_seed(child)
        return child

    async def close(self, session: Session) -> None:
        """Forget a session; what no barrier acknowledged is not written any more."""
        journal = self._journals.pop(session, None)
        if journal is not None:
            # Its file is free in the end also where the caller does not stay for it.
            await asyncio.shield(journal.close())

    async def persist(self, session: Session) -> bool:
        """Make a session of this store durable; False for any other."""
        journal = self._journals.get(session)
        if journal is None:
            return False
        await journal.persist(session)
        return True

    def adopt(self, session: Session, name: str, size: int, *, is_compressed: bool = False) -> Session:
        """Keep a session whose events are durable already, in `size` bytes of a file that is had; it."""
        self._journals[session] = _Journal(
            self._storage, name, is_compressed=is_compressed, acknowledged=len(session), size=size
        )
        return session

    async def _establish(self, session: Session, name: str) -> Session:
        is_compressed = name.endswith(_COMPRESSED)
        data = _encoded([_header_line(session.header), *session.lines()], is_compressed)
        try:
            await self._storage.create(name, data)
        except FileExistsError:
            raise SessionError(f"{name} is there already") from None
        return self.adopt(session, name, len(data), is_compressed=is_compressed)

    async def _resumed(self, name: str, data: bytes) -> Session:
        reader = LogReader(io.BytesIO(data))
        try:
            whole_lines = [line[:-1] for run in reader.runs() for line in run]
            if not whole_lines:
                raise SessionError(f"{name}, line 1: there is no header, or not all of it")
            first, *lines = whole_lines
            header = read_header(first)
        except LogUnreadable as problem:
            raise SessionError(f"{name}, line {problem.line}: {problem.message}") from None
        except HeaderError as problem:
            raise SessionError(f"{name}, line 1: {problem}") from None
        size = len(data) if reader.torn is None else reader.torn.offset
        if size is None:
            # No cut leaves whole lines alone in whole frames; our own frames never end within a line.
            whole = _encoded([first, *lines], reader.compressed)
            await self._storage.replace(name, whole)
            size = len(whole)
        session = self.adopt(Session(header, lines), name, size, is_compressed=reader.compressed)
        if not session.is_corrupt:
            self._mark_seed(session)
        return session

    def _mark_seed(self, session: Session) -> None:
        session.append(END_SEED, self._clock.now())


def _header_line(header: dict[str, Json]) -> bytes:
    return json_text(header).encode()


def _encoded(lines: Iterable[bytes], is_compressed: bool) -> bytes:
    """Lines as a file holds them: with their newlines, and in zstd frames for a compressed log."""
    if not is_compressed:
        return b"".join(_blocks(lines))
    return b"".join(map(zstandard.ZstdCompressor(write_checksum=True).compress, _blocks(lines)))


def _blocks(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines with their newlines, some mebibytes at a time."""
    block: list[bytes] = []
    size = 0
    for line in lines:
        block += (line, b"\n")
        size += len(line) + 1
        if size >= _BLOCK:
            yield b"".join(block)
            block, size = [], 0
    if block:
        yield b"".join(block)
