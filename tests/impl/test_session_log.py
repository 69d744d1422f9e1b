"""Reading a log file: torn tails told apart from corruption, compressed or not, in bounded memory."""

import io
from collections.abc import Iterator

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from tests.impl.logs import SESSIONS, create, delete, dispatch, frame, log, scanned, stop_of

from schedule_impl.session_log import MAX_LINE, LogReader, LogUnreadable, Torn, read_lines
from schedule_impl.zstd_frames import CHUNK, MAX_FRAME

LINES = log(
    create("a"), create("b", "every"), dispatch("b", "2030-01-01T00:00:00.000Z"), delete("a")
).splitlines(keepends=True)
PLAIN = b"".join(LINES)
FRAMES = [frame(line) for line in LINES]


class Endless(io.RawIOBase):
    """A stream that gives the same bytes for as long as it is read, up to a size that no disk need hold."""

    def __init__(self, head: bytes, filler: bytes, size: int) -> None:
        self._head = head
        self._filler = filler
        self._at = 0
        self.left = size

    def read(self, size: int = -1) -> bytes:
        if self._head:
            data, self._head = self._head[:size], self._head[size:]
            return data
        data = self._filler[self._at : self._at + min(size, self.left)]
        self._at = (self._at + len(data)) % len(self._filler)
        self.left -= len(data)
        return data


def lines_of(data: bytes) -> tuple[list[bytes], Torn | None]:
    reader = LogReader(io.BytesIO(data))
    return [line for run in reader.runs() for line in run], reader.torn


def unreadable(stream: io.RawIOBase | io.BytesIO) -> LogUnreadable:
    with pytest.raises(LogUnreadable) as problem:
        for _ in read_lines(stream):  # type: ignore[arg-type]
            pass
    return problem.value


def cuts(data: bytes) -> Iterator[tuple[int, bytes]]:
    return ((size, data[:size]) for size in range(len(data) + 1))


def test_a_plain_log_cut_anywhere_keeps_its_whole_lines() -> None:
    for size, cut in cuts(PLAIN):
        whole = cut.count(b"\n")
        sound = sum(map(len, LINES[:whole]))
        lines, torn = lines_of(cut)
        assert lines == LINES[:whole]
        assert torn == (None if size == sound else Torn(whole + 1, "line", size - sound, sound))


def test_lines_are_given_without_their_newlines() -> None:
    assert list(read_lines(io.BytesIO(PLAIN + b"\r\n\ntorn"))) == [*(line[:-1] for line in LINES), b"\r", b""]


def test_a_compressed_log_cut_anywhere_keeps_its_whole_frames() -> None:
    ends = [sum(map(len, FRAMES[:count])) for count in range(len(FRAMES) + 1)]
    for size, cut in cuts(b"".join(FRAMES)):
        whole = max(count for count, end in enumerate(ends) if end <= size)
        lines, torn = lines_of(cut)
        assert lines == LINES[:whole]
        assert torn == (
            None if size == ends[whole] else Torn(whole + 1, "frame", size - ends[whole], ends[whole])
        )


@pytest.mark.parametrize("name", ["parent.jsonl", "fork.jsonl"])
def test_a_cut_of_a_sample_log_is_never_corrupt_from_its_own_part_on(name: str) -> None:
    data = (SESSIONS / name).read_bytes()
    whole = scanned(data)
    assert whole.header is not None
    own = int(str(whole.header.get("seedLength", 0)))
    for size in range(0, len(data) + 1, 7):
        found = scanned(data[:size])
        events = data[:size].count(b"\n") - 1
        assert found.events == max(events, 0)
        assert (found.torn is None) == (size == 0 or data[size - 1 : size] == b"\n")
        if events < 0:
            assert found.stop is not None
            assert found.stop.kind == "header"
        elif events < own:
            assert found.stop is not None
            assert found.stop.kind == "seed-length"
        else:
            assert found.stop is None


class Dribbling(io.RawIOBase):
    """A stream that gives fewer bytes at a time than it is asked for: first so many, then so many."""

    def __init__(self, data: bytes, first: int, then: int) -> None:
        self._stream = io.BytesIO(data)
        self._next = first
        self._then = then

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(min(size, self._next))
        self._next = self._then
        return data


@pytest.mark.parametrize(("first", "then"), [(1, 1), (3, 1 << 16), (2, 3), (1 << 16, 1)])
@pytest.mark.parametrize("compress", [False, True])
def test_a_stream_may_give_its_bytes_as_it_likes(first: int, then: int, compress: bool) -> None:
    data = b"".join(FRAMES) if compress else PLAIN
    for size in (len(data), len(data) - 3):
        reader = LogReader(Dribbling(data[:size], first, then))  # type: ignore[arg-type]
        assert (reader.compressed, reader.bytes_read, reader.torn) == (False, 0, None)
        lines = [line for run in reader.runs() for line in run]
        assert (lines, reader.torn) == lines_of(data[:size])
        assert (reader.compressed, reader.bytes_read) == (compress, size)


def streamed(data: bytes) -> bytes:
    """A frame whose header does not tell its content's size."""
    compressor = zstandard.ZstdCompressor().compressobj()
    return compressor.compress(data) + compressor.flush()


SKIPPABLE = b"\x5a\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"\x28\xb5\x2f\xfd!"


@pytest.mark.parametrize(
    "data",
    [
        frame(PLAIN),
        frame(PLAIN, checksum=False),
        streamed(PLAIN),
        b"".join(FRAMES),
        SKIPPABLE + b"".join(FRAMES) + SKIPPABLE,
        frame(b"") + frame(PLAIN[:-9]) + SKIPPABLE + frame(PLAIN[-9:]) + frame(b""),
        b"".join(frame(PLAIN[at : at + 10]) for at in range(0, len(PLAIN), 10)),
    ],
)
def test_frames_may_be_laid_as_they_like(data: bytes) -> None:
    assert lines_of(data) == (LINES, None)


def test_a_whole_frame_that_ends_within_a_line_is_torn_at_no_offset() -> None:
    lines, torn = lines_of(frame(PLAIN) + frame(b'{"type":'))
    assert lines == LINES
    assert torn == Torn(len(LINES) + 1, "line", 8, None)


def test_a_cut_frame_behind_a_line_that_has_begun_is_torn_at_no_offset() -> None:
    lines, torn = lines_of(frame(PLAIN + b'{"type":') + FRAMES[1][:-2])
    assert lines == LINES
    assert torn == Torn(len(LINES) + 1, "frame", len(FRAMES[1]) - 2, None)


def test_a_cut_skippable_frame_is_torn() -> None:
    lines, torn = lines_of(frame(PLAIN) + SKIPPABLE[:-1])
    assert lines == LINES
    assert torn is not None
    assert torn.kind == "frame"


@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize("byte", [0, 4, 8, -1])
def test_a_broken_frame_with_data_behind_it_is_no_torn_tail(at: int, byte: int) -> None:
    broken = bytearray(FRAMES[at])
    broken[byte] ^= 0x55
    data = b"".join((*FRAMES[:at], bytes(broken), *FRAMES[at + 1 :]))
    if data.startswith(FRAMES[0][:4]):
        problem = unreadable(io.BytesIO(data))
        assert problem.kind == "bytes"
        assert problem.line == at + 1
    else:
        assert scanned(data).stop is not None


def test_a_frame_cut_in_the_middle_of_the_log_is_broken() -> None:
    data = FRAMES[0] + FRAMES[1][:-6] + FRAMES[2] + FRAMES[3]
    assert unreadable(io.BytesIO(data)).kind == "bytes"


def test_a_whole_frame_with_a_wrong_checksum_is_broken_even_at_the_end() -> None:
    data = bytearray(b"".join(FRAMES))
    data[-1] ^= 1
    assert stop_of(bytes(data)) == ("bytes", len(LINES), len(LINES) - 2)


def test_what_is_no_frame_behind_frames_is_broken() -> None:
    assert unreadable(io.BytesIO(frame(PLAIN) + PLAIN)).kind == "bytes"


@given(st.binary(max_size=60), st.integers(0, 400))
def test_no_bytes_break_the_reader(noise: bytes, at: int) -> None:
    whole = b"".join(FRAMES)
    for data in (noise, whole[:at] + noise + whole[at:], PLAIN[:at] + noise + PLAIN[at:]):
        found = scanned(data)
        assert found.stop is None or found.stop.message


@pytest.mark.parametrize(("begun", "shown"), [(b"", b""), (b'{"type":', b'{"type":')])
def test_of_a_line_whose_rest_is_broken_what_came_before_is_shown(begun: bytes, shown: bytes) -> None:
    problem = unreadable(io.BytesIO(frame(PLAIN + begun) + flipped_checksum(b"x")))
    assert (problem.kind, problem.line, problem.raw) == ("bytes", len(LINES) + 1, shown)
    assert str(problem) == problem.message


def test_a_line_of_a_gigabyte_is_over_the_bound_and_not_held() -> None:
    stream = Endless(LINES[0], b"x" * CHUNK, 1 << 30)
    problem = unreadable(stream)
    assert (problem.kind, problem.line) == ("limit", 2)
    assert len(problem.raw) <= 1 << 20
    assert stream.left > (1 << 30) - MAX_LINE - 2 * CHUNK


def letters(size: int) -> bytes:
    """A frame that unpacks to `size` letters and a newline, by four bytes for each 128 KiB of them."""
    blocks = size // (128 << 10)
    block = ((128 << 10) << 3 | 1 << 1).to_bytes(3, "little") + b"a"
    last = (1 << 3 | 1).to_bytes(3, "little") + b"\n"
    return b"\x28\xb5\x2f\xfd\x00\x58" + block * blocks + last


def test_a_frame_that_unpacks_to_far_more_than_the_bound_stops_at_the_bound() -> None:
    assert unreadable(io.BytesIO(FRAMES[0] + letters(1 << 37))).kind == "limit"


def test_such_a_frame_is_read_where_its_lines_are_bounded() -> None:
    size = 200 << 20
    text = (b"y" * 1023 + b"\n") * 1024
    compressor = zstandard.ZstdCompressor().compressobj()
    packed = b"".join(compressor.compress(text) for _ in range(size // len(text))) + compressor.flush()
    assert sum(1 for _ in read_lines(io.BytesIO(packed))) == size // 1024


def test_a_frame_over_the_bound_in_the_file_is_refused_before_it_is_held() -> None:
    size = 128 << 10
    raw_block = (size << 3).to_bytes(3, "little") + b"z" * size
    stream = Endless(b"\x28\xb5\x2f\xfd\x00\x58", raw_block, 1 << 30)
    assert unreadable(stream).kind == "limit"
    assert stream.left > (1 << 30) - MAX_FRAME - 2 * CHUNK - size


def flipped_checksum(data: bytes) -> bytes:
    """A frame of which only the checksum, its last four bytes, is wrong."""
    packed = frame(data)
    return packed[:-1] + bytes([packed[-1] ^ 1])


@pytest.mark.parametrize("lines", [1, 2_000, 100_000])
def test_no_line_of_a_frame_is_handed_on_before_its_checksum_is_sound(lines: int) -> None:
    text = b"".join(b'{"type":"x","seq":%d,"data":"%b"}\n' % (seq, b"y" * 200) for seq in range(lines))
    found = scanned(frame(LINES[0]) + flipped_checksum(text))
    assert found.stop is not None
    assert (found.stop.kind, found.stop.line, found.stop.seq, found.events) == ("bytes", 2, 0, 0)


def test_a_broken_frame_is_told_before_a_broken_line_in_it() -> None:
    text = LINES[0] + b"no JSON\n" + b"z" * (1 << 17) + b"\n"
    assert stop_of(flipped_checksum(text)) == ("bytes", 1, None)
    assert stop_of(frame(text)) == ("event", 2, 0)


def test_a_line_over_two_frames_is_not_read_where_the_second_is_broken() -> None:
    text = LINES[0] + b"".join(b'{"type":"x","seq":%d}\n' % seq for seq in range(5_000))
    found = scanned(frame(text[:-5]) + flipped_checksum(text[-5:]))
    assert found.stop is not None
    assert (found.stop.kind, found.events) == ("bytes", 4_999)
