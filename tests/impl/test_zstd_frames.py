"""Frames told apart by their bytes, built by hand as RFC 8878 says: where they end, what is cut or broken."""

import io
import random
import tracemalloc
from collections.abc import Sequence

import pytest
import zstandard
from tests.impl.logs import HEADER, frame, line, scanned

from schedule_impl import zstd_frames
from schedule_impl.session_log import LogReader
from schedule_impl.zstd_frames import FrameError, Frames, FrameTooLargeError, begins_frame, unpack

MAGIC = b"\x28\xb5\x2f\xfd"
RAW, RLE, COMPRESSED, RESERVED = range(4)
WINDOW = b"\x00\x58"
"""A frame's header behind its magic: a window of 2 MiB and nothing else."""
BLOCK = 128 << 10
"""The most bytes that a block may hold."""


def block(data: bytes, kind: int = RAW, size: int | None = None, *, last: bool = False) -> bytes:
    told = len(data) if size is None else size
    return (told << 3 | kind << 1 | last).to_bytes(3, "little") + data


def built(*blocks: bytes, header: bytes = WINDOW) -> bytes:
    return MAGIC + header + b"".join(blocks)


def skippable(data: bytes, first: int = 0x50) -> bytes:
    return bytes([first]) + b"\x2a\x4d\x18" + len(data).to_bytes(4, "little") + data


def noise(size: int) -> bytes:
    return random.Random(size).randbytes(size)


class Dribbling:
    """A source that gives fewer bytes at a time than it is asked for."""

    def __init__(self, data: bytes, most: int) -> None:
        self._stream = io.BytesIO(data)
        self._most = most

    def read(self, size: int, /) -> bytes:
        return self._stream.read(min(size, self._most))


def found(data: bytes, most: int = 1 << 20) -> tuple[list[bytes], int, int]:
    """The frames of the data, how many bytes they take with what is passed over, and how many are torn."""
    frames = Frames(Dribbling(data, most))
    return list(frames), frames.consumed, frames.torn


def unpacked(data: bytes) -> bytes:
    return b"".join(unpack(data, zstandard.ZstdDecompressor()))


LONGEST_HEADER = b"\xc3\x58" + bytes(4) + (5).to_bytes(8, "little")


@pytest.mark.parametrize(
    ("data", "holds"),
    [
        (built(block(b"hello", last=True)), b"hello"),
        (built(block(b"hello", last=True), header=b"\x20\x05"), b"hello"),
        (built(block(b"hello", last=True), header=LONGEST_HEADER), b"hello"),
        (built(block(b"hel"), block(b"lo"), block(b"", last=True)), b"hello"),
        (built(block(b"l", RLE, 9), block(b"o", last=True)), b"lllllllllo"),
        (built(block(noise(BLOCK)), block(b"x", RLE, BLOCK, last=True)), noise(BLOCK) + b"x" * BLOCK),
        (built(block(b"x" * 20), block(noise(9_000), last=True)), b"x" * 20 + noise(9_000)),
        (frame(noise(9_000)), noise(9_000)),
        (frame(noise(99) * 99, checksum=False), noise(99) * 99),
        (frame(b""), b""),
    ],
    ids=[
        "window",
        "one segment",
        "long header",
        "empty block",
        "RLE",
        "full",
        "long block",
        "checksum",
        "bare",
        "empty",
    ],
)
@pytest.mark.parametrize("most", [1, 1 << 20])
def test_a_frame_is_found_whole_whatever_stands_around_it(data: bytes, holds: bytes, most: int) -> None:
    others = [frame(b"before"), data, data, frame(b"after"), data]
    assert found(b"".join(others), most) == (others, sum(map(len, others)), 0)
    assert unpacked(data) == holds


def test_the_longest_header_there_is_is_read() -> None:
    longest = built(block(b"hello", last=True), header=LONGEST_HEADER)
    assert zstandard.frame_header_size(longest) == 18
    assert found(longest) == ([longest], len(longest), 0)


@pytest.mark.parametrize("first", range(0x50, 0x60))
def test_all_sixteen_kinds_of_skippable_frames_are_passed_over(first: int) -> None:
    for held in (b"", b"x", MAGIC, noise(300)):
        passed = skippable(held, first)
        assert begins_frame(passed[:4])
        assert found(passed + frame(b"x") + passed) == ([frame(b"x")], 2 * len(passed) + len(frame(b"x")), 0)
        for size in range(1, min(len(passed), 20)):
            assert found(frame(b"x") + passed[:size]) == ([frame(b"x")], len(frame(b"x")), size)


@pytest.mark.parametrize(
    "head",
    [b"\x4f\x2a\x4d\x18", b"\x60\x2a\x4d\x18", b"\x50\x2a\x4d\x19", b"\x50\x2b\x4d\x18", b"\x28\xb5\x2f\xfe"],
)
def test_what_is_nearly_a_magic_number_is_none(head: bytes) -> None:
    assert not begins_frame(head)
    for rest in (b"", b"\x01", bytes(30)):
        with pytest.raises(FrameError):
            found(frame(b"x") + head + rest)


@pytest.mark.parametrize("data", [b"", b"P", b"[]\n", b"_*M", b"{", b"~"])
def test_a_plain_file_is_not_taken_for_frames(data: bytes) -> None:
    reader = LogReader(io.BytesIO(data))
    assert [*reader.runs()] == [[data]] * data.endswith(b"\n")
    assert not reader.compressed


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_beginning_of_a_magic_number_alone_is_a_cut_frame(size: int) -> None:
    assert begins_frame(MAGIC[:size])
    assert found(MAGIC[:size]) == ([], 0, size)
    found_ = scanned(MAGIC[:size])
    assert found_.compressed
    assert found_.torn is not None
    assert (found_.torn.kind, found_.torn.size, found_.torn.offset) == ("frame", size, 0)


@pytest.mark.parametrize("size", [18, 19, 40])
def test_a_header_that_is_broken_is_no_cut_one_even_at_the_end(size: int) -> None:
    broken = built(bytes(99), header=b"\x08")[:size]
    with pytest.raises(FrameError):
        found(frame(b"x") + broken)


@pytest.mark.parametrize(
    ("blocks", "is_broken"),
    [
        (block(b"", RAW, BLOCK), False),
        (block(b"", RAW, BLOCK + 1), True),
        (block(b"", COMPRESSED, BLOCK), False),
        (block(b"", COMPRESSED, BLOCK + 1), True),
        (block(b"", RLE, BLOCK), False),
        (block(b"", RLE, BLOCK + 1), True),
        (block(b"", RESERVED, 1), True),
        (block(b"whole") + block(b"", RESERVED, 0), True),
        (block(b"whole") + block(b"", RAW, 9)[:2], False),
    ],
)
def test_a_cut_block_is_broken_only_where_no_block_is_so(blocks: bytes, is_broken: bool) -> None:
    whole, cut = frame(b"x"), built(blocks)
    if is_broken:
        with pytest.raises(FrameError):
            found(whole + cut)
    else:
        assert found(whole + cut) == ([whole], len(whole), len(cut))


SEVERAL = built(block(b"a" * 99), block(MAGIC * 7), block(b"b" * 99), block(b"c", last=True))


def test_a_cut_frame_that_has_whole_blocks_and_looks_like_several_is_torn() -> None:
    for size in range(1, len(SEVERAL)):
        assert found(frame(b"x") + SEVERAL[:size]) == ([frame(b"x")], len(frame(b"x")), size)


def test_a_cut_frame_that_looks_like_thousands_is_torn() -> None:
    cut = built(block(MAGIC * 5_000), block(b"", RAW, 7))
    assert found(cut) == ([], 0, len(cut))


@pytest.mark.parametrize("behind", [frame(b"y"), frame(b"yes"), SEVERAL])
def test_a_frame_that_is_cut_within_a_block_and_has_one_behind_it_is_broken(behind: bytes) -> None:
    cut = built(block(b"whole"), block(MAGIC + b"x", RAW, BLOCK))
    for between in (b"", b"x", MAGIC, MAGIC * 900):
        assert found(frame(b"x") + cut + between) == ([frame(b"x")], len(frame(b"x")), len(cut + between))
        for rest in (b"", b"x" * 99):
            with pytest.raises(FrameError):
                found(frame(b"x") + cut + between + behind + rest)


@pytest.mark.parametrize("behind", [frame(b"y"), frame(b"yes"), SEVERAL])
def test_a_cut_frame_whose_blocks_reach_into_one_behind_it_is_broken(behind: bytes) -> None:
    for size in range(8, len(SEVERAL)):
        with pytest.raises(FrameError):
            found(frame(b"x") + SEVERAL[:size] + bytes(BLOCK)[: 1 << 10] + behind)


def test_a_frame_of_the_bound_is_read_and_a_longer_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zstd_frames, "MAX_FRAME", 1_000)
    for head in (b"", frame(b"x")):
        assert found(head + skippable(bytes(992)))[2] == 0
        for longer in (skippable(bytes(993)), built(block(noise(992), last=True)), frame(noise(992))):
            with pytest.raises(FrameTooLargeError):
                found(head + longer)
    longest = built(block(noise(991), last=True))
    assert len(longest) == 1_000
    assert found(longest) == ([longest], 1_000, 0)


def test_a_window_of_the_bound_is_taken_and_a_wider_one_is_not() -> None:
    assert unpacked(built(block(b"x", last=True), header=b"\x00\x80")) == b"x"
    with pytest.raises(FrameTooLargeError):
        unpacked(built(block(b"x", last=True), header=b"\x00\x81"))


def test_a_frame_may_unpack_to_the_bound_and_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zstd_frames, "MAX_UNPACKED", 1_000)
    assert unpacked(frame(bytes(1_000))) == bytes(1_000)
    with pytest.raises(FrameTooLargeError):
        unpacked(frame(bytes(1_001)))


class Counting:
    """A decompressor that tells how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def stream_reader(self, data: bytes) -> zstandard.ZstdDecompressionReader:
        self.asked += 1
        return zstandard.ZstdDecompressor().stream_reader(data)


MIB: int = 1 << 20


@pytest.mark.parametrize(
    ("size", "times"), [(1, 1), (12 * MIB, 1), (16 * MIB, 1), (16 * MIB + 1, 2), (24 * MIB, 2), (99 * MIB, 2)]
)
def test_what_a_frame_holds_is_given_in_whole_and_kept_only_where_it_is_little(size: int, times: int) -> None:
    counting = Counting()
    data = frame(bytes(size))
    tracemalloc.start()
    try:
        pieces: Sequence[int] = [len(piece) for piece in unpack(data, counting)]  # type: ignore[arg-type]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (sum(pieces), max(pieces) <= 1 << 16, counting.asked) == (size, True, times)
    assert peak < 18 * MIB


def test_a_frame_that_holds_much_is_unpacked_twice_and_one_that_holds_little_once() -> None:
    asked = []
    for size in (12 * MIB, 24 * MIB):
        counting = Counting()
        assert sum(map(len, unpack(frame(bytes(size)), counting))) == size  # type: ignore[arg-type]
        asked.append(counting.asked)
    assert asked == [1, 2]


def test_of_nothing_there_are_no_frames() -> None:
    assert found(b"") == ([], 0, 0)


def test_a_log_of_frames_that_are_nothing_but_passed_over_has_no_header() -> None:
    stop = scanned(skippable(b"x") * 3).stop
    assert stop is not None
    assert stop.kind == "header"
    assert scanned(skippable(b"x") + frame(line(HEADER))).stop is None
