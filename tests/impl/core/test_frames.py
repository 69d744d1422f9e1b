"""The bounds of frames: how long they are, how much is read at a time, kept, or searched behind a cut one."""

import io
from collections.abc import Iterator

import pytest
import zstandard
from tests.impl.logs import frame, stated

from schedule_impl import zstd_frames
from schedule_impl.zstd_frames import FrameError, Frames, FrameTooLargeError, unpack

MEBI = 1 << 20
MAGIC = b"\x28\xb5\x2f\xfd"


def test_a_frame_is_read_up_to_the_stated_bound() -> None:
    size = stated("a zstd frame in the file, and the window")
    skippable = b"\x50\x2a\x4d\x18%b"
    assert list(Frames(io.BytesIO(skippable % (size - 8).to_bytes(4, "little") + bytes(size - 8)))) == []
    with pytest.raises(FrameTooLargeError):
        list(Frames(io.BytesIO(skippable % (size - 7).to_bytes(4, "little"))))


def cut_with_a_frame_behind(beginnings: int) -> bytes:
    """A frame whose block is cut, and so many beginnings of frames behind it, the last of a whole one."""
    return MAGIC + b"\x00\x58" + b"\x00\x00\x10" + MAGIC * (beginnings - 1) + b"\xff" + frame(b"x")


def test_a_thousand_beginnings_behind_a_cut_frame_are_looked_at() -> None:
    with pytest.raises(FrameError):
        list(Frames(io.BytesIO(cut_with_a_frame_behind(1_000))))
    frames = Frames(io.BytesIO(cut_with_a_frame_behind(1_001)))
    assert list(frames) == []
    assert frames.torn == len(cut_with_a_frame_behind(1_001))


def test_a_file_is_read_64_kib_at_a_time() -> None:
    asked = []

    class Stream(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            asked.append(size)
            return super().read(size)

    list(Frames(Stream(frame(b"x"))))
    assert set(asked) == {65_536}


@pytest.mark.parametrize(("size", "times"), [(16 * MEBI, 1), (16 * MEBI + 1, 2)])
def test_what_a_frame_holds_is_kept_up_to_16_mib_and_else_unpacked_again(
    size: int, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []
    pieces = zstd_frames._pieces

    def counted(frame: bytes, decompressor: zstandard.ZstdDecompressor) -> Iterator[bytes]:
        begun.append(frame)
        return pieces(frame, decompressor)

    monkeypatch.setattr(zstd_frames, "_pieces", counted)
    assert sum(map(len, unpack(frame(bytes(size)), zstandard.ZstdDecompressor()))) == size
    assert len(begun) == times


class Piece(bytes):
    """A piece that says that it is a gibibyte."""

    def __len__(self) -> int:
        return 1 << 30


def test_a_frame_may_unpack_to_four_gibibytes_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces: list[bytes] = [Piece()] * 4
    monkeypatch.setattr(zstd_frames, "_pieces", lambda *_: iter(pieces))
    assert list(unpack(b"", zstandard.ZstdDecompressor())) == pieces
    pieces.append(b"x")
    with pytest.raises(FrameTooLargeError):
        list(unpack(b"", zstandard.ZstdDecompressor()))
