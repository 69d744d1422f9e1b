"""Reading a log's lines: up to the bound that the documentation states, to the byte, and no further."""

import io

import pytest
from tests.impl.logs import HEADER, line, scanned, stated

from schedule_impl import session_log
from schedule_impl.session_log import LogReader, LogUnreadable, Torn
from schedule_impl.zstd_frames import CHUNK, MAGIC

HEAD = line(HEADER)


def test_a_line_is_read_up_to_the_stated_bound() -> None:
    line = b"x" * stated("a line")
    runs = LogReader(io.BytesIO(b"\n".join((line, b"y", b"")))).runs()
    assert [len(each) for run in runs for each in run] == [len(line) + 1, 2]
    problem = unreadable(line + b"x\n")
    assert (problem.kind, problem.line) == ("limit", 1)


def unreadable(data: bytes) -> LogUnreadable:
    with pytest.raises(LogUnreadable) as problem:
        for _ in LogReader(io.BytesIO(data)).runs():
            pass
    return problem.value


def torn(data: bytes) -> Torn | None:
    reader = LogReader(io.BytesIO(data))
    for _ in reader.runs():
        pass
    return reader.torn


@pytest.fixture
def short_lines(monkeypatch: pytest.MonkeyPatch) -> int:
    """The longest line: one whose newline may be the first byte of what is read next."""
    size = 2 * CHUNK + len(MAGIC)
    monkeypatch.setattr(session_log, "MAX_LINE", size)
    return size


def test_a_newline_that_comes_first_in_what_is_read_ends_a_line_of_the_bound(short_lines: int) -> None:
    lines = [b"x" * short_lines, b"y" * (CHUNK - 2)]
    assert torn(b"\n".join((*lines, b""))) is None


def test_a_line_without_its_newline_is_torn_up_to_the_bound_and_refused_beyond(short_lines: int) -> None:
    assert torn(b"x" * short_lines) == Torn(1, "line", short_lines, 0)
    for more in (1, 2, 3):
        problem = unreadable(HEAD + b"x" * (short_lines + more))
        assert (problem.kind, problem.line) == ("limit", 2)


@pytest.mark.parametrize("size", [9 << 20, (64 << 20) + 1], ids=["too long and odd", "too long"])
def test_of_a_line_over_the_bound_a_mebibyte_is_shown(size: int) -> None:
    stop = scanned(HEAD + b"[" * size + b"\n").stop
    assert stop is not None
    assert (stop.kind, stop.line, stop.seq) == ("limit", 2, 0)
    assert stop.raw == b"[" * (1 << 20)


def test_a_log_is_never_asked_for_no_bytes() -> None:
    asked = []

    class Stream(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            asked.append(size)
            return super().read(size)

    assert list(LogReader(Stream(b"abcd\nef\n")).runs()) == [[b"abcd\n", b"ef\n"]]
    assert asked == [4, 65_536, 65_536]


def test_data_without_the_end_of_a_line_makes_an_empty_run() -> None:
    assert LogReader(io.BytesIO())._complete_lines(b"x") == []


def test_what_cannot_be_read_is_told_by_its_message() -> None:
    assert str(LogUnreadable("bytes", 1, "why", b"")) == "why"
