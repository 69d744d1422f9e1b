"""A session's log open for appending: created, reopened or forked; plain, or with a zstd frame a flush.

What was flushed stands; a flush that fails leaves its events pending, and the next one writes them again at
the same place before it confirms anything. A Schedule event that would not fold is refused before it is taken
up.
Clauses: fold.candidate, fork.history, fork.bounds; the file format is the reference's.
"""

import contextlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Final, Self

import zstandard

from schedule_impl.ecma_json import Json
from schedule_impl.errors import corrupt
from schedule_impl.fold import ScheduleState, schedule_change
from schedule_impl.header import read_header, seed_length
from schedule_impl.scan import Stop, scan
from schedule_impl.session_log import Torn, read_lines

END_SEED: Final = "session/end-seed"
"""The type of the event that stands between what a session found and what it goes on with."""

_COPY: Final = 1 << 20
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class UnsoundLogError(Exception):
    """A log that cannot be appended to because it is not sound; `stop` says where and why."""

    def __init__(self, path: Path, stop: Stop) -> None:
        super().__init__(f"{path}: line {stop.line}: {stop.message}")
        self.stop = stop


class SessionLog:
    """One session's log, open for appending.

    `events` is the number of events it holds, those pending included; `state` what they fold to. OSError from
    the file system is passed on.
    """

    __slots__ = ("_compressed", "_end", "_file", "_pending", "events", "header", "state")

    def __init__(self, path: Path, compressed: bool, header: dict[str, Json]) -> None:
        file = path.open("r+b", buffering=0)
        self._file = file
        self._compressed = compressed
        self._end = file.seek(0, os.SEEK_END)
        self._pending: list[bytes] = []
        self.header = header
        self.events = 0
        self.state = ScheduleState()

    @classmethod
    def create(cls, path: Path, header: dict[str, Json]) -> Self:
        """A new log with this header, durable at once; it is compressed if the path ends in `.zstd`.

        FileExistsError where the path is taken; HeaderError, ScheduleError for a header that no log can have.
        """
        return cls._establish(path, header, ())

    @classmethod
    def open(cls, path: Path, *, now: int) -> Self:
        """A log reopened at `now`, in ms: a torn tail is removed and `session/end-seed` appended.

        UnsoundLogError for a log that is not sound; it is left as it is.
        """
        with path.open("rb") as stream:
            found = scan(stream)
        if found.stop is not None:
            raise UnsoundLogError(path, found.stop)
        if found.torn is not None:
            _remove_tail(path, found.torn)
        log = cls(path, found.compressed, found.header or {})
        log.events = found.events
        log.state = found.state
        return log._ready(END_SEED, now)

    @classmethod
    def fork(cls, parent: Path, path: Path, *, at: int, header: dict[str, Json], now: int) -> Self:
        """A new log that inherits the parent's first `at` events verbatim and goes on at `now`, in ms.

        `header` is the child's own, to which the parent's id and `seedLength` are added (fork.history).
        Beside what `create` raises: ScheduleError where the parent has fewer events, LogUnreadable.
        """
        with parent.open("rb") as stream:
            lines = read_lines(stream)
            parent_header = read_header(next(lines, b""))
            child = {**header, "parentSession": parent_header["id"], "seedLength": at}
            log = cls._establish(path, child, _exactly(lines, at))
        log.events = at
        return log._ready(END_SEED, now)

    @classmethod
    def _establish(cls, path: Path, header: dict[str, Json], inherited: Iterable[bytes]) -> Self:
        line = encode_line(header)
        seed_length(read_header(line))
        compressed = path.suffix == ".zstd"
        aside = _write_aside(path, chain((line,), inherited), compressed)
        try:
            os.link(aside, path)
        finally:
            aside.unlink()
        _sync_directory(path.parent)
        return cls(path, compressed, header)

    def append(self, kind: str, data: Json, *, time: int) -> int:
        """Take up an event of a type, with its data, at a time in ms; its position. A flush makes it durable.

        ScheduleError for a Schedule event that would not fold, ValueError for data that is no JSON; then
        nothing is taken up.
        """
        event: dict[str, Json] = {"type": kind, "seq": self.events, "time": time, "data": data}
        line = encode_line(event)
        change = schedule_change(event)
        if change is not None:
            self.state.apply(change)
        self._pending.append(line)
        self.events += 1
        return self.events - 1

    def flush(self) -> None:
        """Make all events taken up durable. After an OSError they are pending still, the file as before."""
        if not self._pending:
            return
        block = b"".join(line + b"\n" for line in self._pending)
        data = _frame(block) if self._compressed else block
        try:
            self._write(data)
        except OSError:
            with contextlib.suppress(OSError):
                self._file.truncate(self._end)
            raise
        self._end += len(data)
        self._pending.clear()

    def _write(self, data: bytes) -> None:
        """Put the data at the end of what is durable, in place of whatever a failed write left there."""
        self._file.seek(self._end)
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]
        self._file.truncate(self._end + len(data))
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file; what was not flushed is lost."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ready(self, kind: str, now: int) -> Self:
        try:
            self.append(kind, {}, time=now)
            self.flush()
        except BaseException:
            self.close()
            raise
        return self


def encode_line(value: dict[str, Json]) -> bytes:
    """A header's or event's line, without its newline, as `JSON.stringify` writes it; ValueError."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (RecursionError, TypeError) as problem:
        raise ValueError(f"this cannot be written as JSON: {problem}") from None
    return _SURROGATE.sub(lambda unit: f"\\u{ord(unit.group()):04x}", text).encode()


def _exactly(lines: Iterator[bytes], number: int) -> Iterator[bytes]:
    """The first lines of a log's events; `corrupt_schedule_log` where there are fewer."""
    given = 0
    for line in islice(lines, number):
        given += 1
        yield line
    if given < number:
        raise corrupt(f"a fork at {number} of a log that has {given} events")


def _blocks(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines with their newlines, some mebibytes at a time."""
    block: list[bytes] = []
    size = 0
    for line in lines:
        block += (line, b"\n")
        size += len(line) + 1
        if size >= _COPY:
            yield b"".join(block)
            block, size = [], 0
    if block:
        yield b"".join(block)


def _frame(block: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(block)


def _write_aside(path: Path, lines: Iterable[bytes], compressed: bool) -> Path:
    """A durable file beside the path that holds the lines; none is left where writing fails."""
    aside = path.with_name(f"{path.name}.new")
    try:
        with aside.open("wb") as file:
            for block in _blocks(lines):
                file.write(_frame(block) if compressed else block)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    return aside


def _remove_tail(path: Path, torn: Torn) -> None:
    """Cut off what a crash left; where a whole frame ends within a line, write the sound lines anew."""
    if torn.offset is None:
        with path.open("rb") as stream:
            aside = _write_aside(path, read_lines(stream), compressed=True)
        aside.replace(path)
        _sync_directory(path.parent)
        return
    with path.open("r+b") as file:
        file.truncate(torn.offset)
        file.flush()
        os.fsync(file.fileno())


def _sync_directory(directory: Path) -> None:
    """Make a directory's entries durable, where the system can open one."""
    if os.name == "nt":
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
