"""A compressed log as the series of zstd frames that its flushes wrote, read in bounded memory.

A frame is held back until its end is there, because one that a crash cut is not read at all; and until it
has been unpacked once to its end, because only there its checksum stands. So it is bounded in the file and
unpacked, while what it unpacks to is handed on in pieces. Format: RFC 8878.
"""

import contextlib
import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, Protocol

import zstandard

MAX_FRAME: Final = 64 << 20
"""The longest frame in the file, in bytes; also the widest window that unpacking may take."""
MAX_UNPACKED: Final = 4 << 30
"""The most bytes that a frame may unpack to: a small file must not keep its reader busy for hours."""
CHUNK: Final = 1 << 16
"""Bytes that are read or unpacked at a time."""

MAGIC: Final = b"\x28\xb5\x2f\xfd"
"""The first bytes of a frame."""
_SKIPPABLE: Final = b"\x2a\x4d\x18"
_BEGINNING: Final = re.compile(re.escape(MAGIC))
_MAX_HEADER: Final = 18
_MAX_BLOCK: Final = 128 << 10
_RLE_BLOCK: Final = 1
_RESERVED_BLOCK: Final = 3
_CHECKSUM_SIZE: Final = 4
_CANDIDATES: Final = 1000
_KEPT: Final = 16 << 20


def begins_frame(head: bytes) -> bool:
    """Whether a file's first four bytes, fewer if it has no more, are those of a zstd frame."""
    return head != b"" and (MAGIC.startswith(head) or (head[0] >> 4 == 5 and head[1:] == _SKIPPABLE))


class FrameError(Exception):
    """The bytes are no sound frames."""


class FrameTooLargeError(Exception):
    """A frame is over the stated bound."""


class Source(Protocol):
    """What frames are read from."""

    def read(self, size: int, /) -> bytes:
        """The next bytes, some of them if any are left."""
        ...


class Frames:
    """The frames of a stream.

    `torn` is the number of bytes at the end that belong to a frame cut short, 0 for none; `consumed` those of
    whole frames. Both are final when the iterator has ended.
    """

    __slots__ = ("_buffer", "_ended", "_start", "_stream", "consumed", "torn")

    def __init__(self, stream: Source) -> None:
        self._stream = stream
        self._buffer = bytearray()
        self._start = 0
        self._ended = False
        self.consumed = 0
        self.torn = 0

    def __iter__(self) -> Iterator[bytes]:
        """Each whole frame that holds data; FrameError and FrameTooLargeError where it cannot go on."""
        while self._have(1):
            skipped = self._is_skippable()
            size = self._skippable_size() if skipped else self._frame_size()
            if size is None:
                if self._frame_follows():
                    raise FrameError("a broken frame with data behind it")
                self.torn = len(self._buffer) - self._start
                return
            start = self._start
            self._start += size
            self.consumed += size
            if not skipped:
                yield bytes(self._buffer[start : start + size])

    def _have(self, size: int) -> bool:
        """Whether `size` bytes of the present frame are there, after reading on as far as need be."""
        if size > MAX_FRAME:
            raise FrameTooLargeError(f"a zstd frame is longer than {MAX_FRAME} bytes")
        while len(self._buffer) - self._start < size and not self._ended:
            del self._buffer[: self._start]
            self._start = 0
            piece = self._stream.read(CHUNK)
            self._ended = not piece
            self._buffer += piece
        return len(self._buffer) - self._start >= size

    def _peek(self, size: int) -> bytes:
        """The first bytes of the present frame, fewer than `size` where the stream ends first."""
        self._have(size)
        return bytes(self._buffer[self._start : self._start + size])

    def _is_skippable(self) -> bool:
        magic = self._peek(4)
        return magic[0] >> 4 == 5 and _SKIPPABLE.startswith(magic[1:])

    def _skippable_size(self) -> int | None:
        size = 8 + int.from_bytes(self._peek(8)[4:], "little")
        return size if self._have(size) else None

    def _frame_size(self) -> int | None:
        """How long the present frame is, or None where the stream ends before it does."""
        head = self._peek(_MAX_HEADER)
        if not head.startswith(MAGIC[: len(head)]):
            raise FrameError("what follows is no zstd frame")
        try:
            size = zstandard.frame_header_size(head)
            checksum = zstandard.get_frame_parameters(head).has_checksum
        except zstandard.ZstdError:
            if len(head) < _MAX_HEADER:
                return None
            raise FrameError("a frame's header is broken") from None
        last = False
        while not last:
            if not self._have(size + 3):
                return None
            at = self._start + size
            header = int.from_bytes(self._buffer[at : at + 3], "little")
            last = header & 1 == 1
            kind, length = header >> 1 & 3, header >> 3
            if kind == _RESERVED_BLOCK or length > _MAX_BLOCK:
                raise FrameError("a frame's block is broken")
            size += 3 + (1 if kind == _RLE_BLOCK else length)
        size += _CHECKSUM_SIZE if checksum else 0
        return size if self._have(size) else None

    def _frame_follows(self) -> bool:
        """Whether a frame stands behind the one that seems to be cut: then that one is broken, not cut."""
        view = memoryview(self._buffer)
        for found in islice(_BEGINNING.finditer(view, self._start + 1), _CANDIDATES):
            with contextlib.suppress(zstandard.ZstdError):
                if zstandard.ZstdDecompressor().stream_reader(view[found.start() :]).read(1):
                    return True
        return False


def unpack(frame: bytes, decompressor: zstandard.ZstdDecompressor) -> Iterator[bytes]:
    """What a whole frame holds, in pieces of at most CHUNK bytes; FrameError, FrameTooLargeError.

    Both are raised before the first piece: nothing comes of a frame that is not sound throughout. A frame
    that unpacks to more than is kept meanwhile is unpacked a second time.
    """
    kept: list[bytes] = []
    size = 0
    for piece in _pieces(frame, decompressor):
        size += len(piece)
        if size > MAX_UNPACKED:
            raise FrameTooLargeError(f"a zstd frame unpacks to more than {MAX_UNPACKED} bytes")
        if size <= _KEPT:
            kept.append(piece)
    yield from kept if size <= _KEPT else _pieces(frame, decompressor)


def _pieces(frame: bytes, decompressor: zstandard.ZstdDecompressor) -> Iterator[bytes]:
    try:
        if zstandard.get_frame_parameters(frame).window_size > MAX_FRAME:
            raise FrameTooLargeError(f"a zstd frame asks for a window of more than {MAX_FRAME} bytes")
        reader = decompressor.stream_reader(frame)
        while piece := reader.read(CHUNK):
            yield piece
    except zstandard.ZstdError as problem:
        raise FrameError(str(problem)) from None
