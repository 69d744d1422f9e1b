"""Sessions on a storage: made, resumed after a close or a crash, forked, and made durable.

The first barrier of a session writes its whole log anew and puts it under its name at one blow: that makes
the file, takes away what a crash left at its end, and trusts nothing that an earlier process may have
believed to be durable. Each later one writes from the last acknowledged byte on, so that a tail whose barrier
failed is written again before it is acknowledged. A log belongs to one process at a time. Clauses: barrier.*,
fork.history, deliver.no-loss.
"""

import asyncio
import io
from collections.abc import Iterable
from typing import Final

import zstandard

from schedule_impl.header import HeaderError, read_header
from schedule_impl.host import Clock
from schedule_impl.rendering import json_text
from schedule_impl.session import Session, new_header
from schedule_impl.session_log import LogUnreadable, read_lines
from schedule_impl.storage import Storage

END_SEED: Final = {"type": "session/end-seed", "data": {}}
"""What stands between a fork's prefix and its own events, and before those of a session that was resumed."""

_COMPRESSED: Final = ".zstd"
_FRAME: Final = 8 << 20


class SessionError(Exception):
    """A session cannot be made or resumed: the message says which and why."""


class _Journal:
    """One session's log on its way to the storage.

    `acknowledged` counts the events, and `size` the bytes, that are known to be durable; `size` is None
    before the first barrier. One flush at a time, whoever asks.
    """

    __slots__ = ("_acknowledged", "_lock", "_name", "_size", "_storage")

    def __init__(self, storage: Storage, name: str) -> None:
        self._storage = storage
        self._name = name
        self._lock = asyncio.Lock()
        self._acknowledged = 0
        self._size: int | None = None

    async def persist(self, session: Session) -> None:
        """Make all events up to now durable; OSError."""
        async with self._lock:
            events = len(session)
            if self._size is None:
                data = self._encode([json_text(session.header).encode(), *session.lines()])
                await self._storage.replace(self._name, data)
                self._size = len(data)
            elif events > self._acknowledged:
                data = self._encode(session.lines(self._acknowledged))
                await self._storage.write(self._name, self._size, data)
                await self._storage.sync(self._name)
                self._size += len(data)
            self._acknowledged = events

    def _encode(self, lines: Iterable[bytes]) -> bytes:
        text = b"".join(line + b"\n" for line in lines)
        if not self._name.endswith(_COMPRESSED):
            return text
        compress = zstandard.ZstdCompressor(write_checksum=True).compress
        return b"".join(compress(text[start : start + _FRAME]) for start in range(0, len(text), _FRAME))


class SessionStore:
    """The sessions of one storage that are live in this process; a listener of the persistence service."""

    __slots__ = ("_clock", "_journals", "_storage")

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self._storage = storage
        self._clock = clock
        self._journals: dict[Session, _Journal] = {}

    async def create(self, identity: str, name: str) -> Session:
        """A new session, to be kept under a file name; compressed if that ends in `.zstd`. SessionError."""
        if await self._storage.read(name) is not None:
            raise SessionError(f"{name} is there already")
        return self.adopt(Session(new_header(identity, self._clock.now())), name)

    async def resume(self, name: str) -> Session:
        """The session of a file, without what a crash left at its end. SessionError.

        A log whose own part does not fold is resumed as it is, and takes no event.
        """
        session = await load(self._storage, name)
        self._mark_seed(session)
        return self.adopt(session, name)

    def fork(self, parent: Session, at: int, identity: str, name: str) -> Session:
        """A child that inherits the first `at` events; `corrupt_schedule_log` where there are fewer."""
        child = parent.fork(at, identity, self._clock.now())
        self._mark_seed(child)
        return self.adopt(child, name)

    def close(self, session: Session) -> None:
        """Forget a session; what no barrier acknowledged is not written any more."""
        self._journals.pop(session, None)

    async def persist(self, session: Session) -> bool:
        """Make a session of this store durable; False for any other."""
        journal = self._journals.get(session)
        if journal is None:
            return False
        await journal.persist(session)
        return True

    def adopt(self, session: Session, name: str) -> Session:
        """Keep a session under a file name from its next barrier on; the session."""
        self._journals[session] = _Journal(self._storage, name)
        return session

    def _mark_seed(self, session: Session) -> None:
        if not session.is_corrupt:
            session.append(END_SEED, self._clock.now())


async def load(storage: Storage, name: str) -> Session:
    """The session of a file as it stands, without what a crash left at its end. SessionError."""
    data = await storage.read(name)
    if data is None:
        raise SessionError(f"there is no {name}")
    try:
        header_line, *lines = [*read_lines(io.BytesIO(data))] or [b""]
        header = read_header(header_line)
    except LogUnreadable as problem:
        raise SessionError(f"{name}, line {problem.line}: {problem.message}") from None
    except HeaderError as problem:
        raise SessionError(f"{name}, line 1: {problem}") from None
    return Session(header, lines)
