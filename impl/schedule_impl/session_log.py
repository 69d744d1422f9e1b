"""A session's log file as its complete lines: plain or compressed, whole or torn by a crash.

A line ends at U+000A alone. What a crash leaves at the end, a line without its newline or a zstd frame cut
short, is not read and not corruption; `torn` tells of it. Nothing here knows what a line holds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO, Final, Literal, TypeAlias

import zstandard

from schedule_impl.zstd_frames import (
    CHUNK,
    MAGIC,
    FrameError,
    Frames,
    FrameTooLargeError,
    begins_frame,
    unpack,
)

MAX_LINE: Final = 64 << 20
"""The longest line in bytes, newline excluded."""
SHOWN: Final = 1 << 20
"""Bytes of a line over the bound that are kept to be shown."""


TornKind: TypeAlias = Literal["line", "frame"]


@dataclass(frozen=True, slots=True)
class Torn:
    """What a crash left at a log's end.

    `line` is the number of the first line that is not whole, `size` the bytes dropped (of the file for a
    frame, of the text for a line). `offset` is the length in bytes at which the file is sound, or None where
    a frame is whole but its last line is not, so that no length is.
    """

    line: int
    kind: TornKind
    size: int
    offset: int | None


class LogUnreadable(Exception):  # noqa: N818
    """The bytes cannot be read on: `bytes` for broken data, `limit` for what is over a stated bound."""

    def __init__(self, kind: Literal["bytes", "limit"], line: int, message: str, raw: bytes) -> None:
        super().__init__(message)
        self.kind: Literal["bytes", "limit"] = kind
        self.line = line
        self.message = message
        self.raw = raw


class LogReader:
    """The complete lines of a stream; `torn` is final when they have ended, `bytes_read` grows on the way."""

    __slots__ = ("_head", "_lines", "_pending", "_pieces", "_stream", "bytes_read", "compressed", "torn")

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._head = b""
        self._lines = 0
        self._pieces: list[bytes] = []
        self._pending = 0
        self.bytes_read = 0
        self.compressed = False
        self.torn: Torn | None = None

    def runs(self) -> Iterator[list[bytes]]:
        """The complete lines, each with its newline, as many at a time as come at once; LogUnreadable."""
        while len(self._head) < len(MAGIC) and (more := self._stream.read(len(MAGIC) - len(self._head))):
            self._head += more
        self.compressed = begins_frame(self._head)
        yield from self._compressed_runs() if self.compressed else self._plain_runs()

    def read(self, size: int) -> bytes:
        """The stream's next bytes, at most `size` of them beyond those that were looked at already."""
        data, self._head = self._head or self._stream.read(size), b""
        self.bytes_read += len(data)
        return data

    def _plain_runs(self) -> Iterator[list[bytes]]:
        while data := self.read(CHUNK):
            lines = self._complete_lines(data)
            if lines:
                yield lines
        if self._pending:
            self.torn = Torn(self._lines + 1, "line", self._pending, self.bytes_read - self._pending)

    def _compressed_runs(self) -> Iterator[list[bytes]]:
        frames = Frames(self)
        decompressor = zstandard.ZstdDecompressor()
        try:
            for frame in frames:
                for data in unpack(frame, decompressor):
                    lines = self._complete_lines(data)
                    if lines:
                        yield lines
        except FrameError as problem:
            raise self._unreadable("bytes", f"broken zstd data: {problem}") from None
        except FrameTooLargeError as problem:
            raise self._unreadable("limit", str(problem)) from None
        if frames.torn:
            offset = None if self._pending else frames.consumed
            self.torn = Torn(self._lines + 1, "frame", frames.torn, offset)
        elif self._pending:
            self.torn = Torn(self._lines + 1, "line", self._pending, None)

    def _complete_lines(self, data: bytes) -> list[bytes]:
        """The lines that end in the data; what follows them waits for the next."""
        first = data.find(b"\n")
        if self._pending + (len(data) if first < 0 else first) > MAX_LINE:
            raise self._unreadable("limit", f"the line is longer than {MAX_LINE} bytes", data)
        if first < 0:
            self._pieces.append(data)
            self._pending += len(data)
            return []
        lines = BytesIO(b"".join((*self._pieces, data))).readlines()
        self._pieces = [] if lines[-1].endswith(b"\n") else [lines.pop()]
        self._pending = sum(map(len, self._pieces))
        self._lines += len(lines)
        return lines

    def _unreadable(self, kind: Literal["bytes", "limit"], message: str, data: bytes = b"") -> LogUnreadable:
        return LogUnreadable(kind, self._lines + 1, message, b"".join((*self._pieces, data))[:SHOWN])


def read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """The complete lines of a log without their newlines, up to what a crash left; LogUnreadable."""
    for run in LogReader(stream).runs():
        for line in run:
            yield line[:-1]
