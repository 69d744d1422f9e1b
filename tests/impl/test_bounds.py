"""The bounds within which logs are read and written are those that the documentation states, to the byte."""

import io
import re
from pathlib import Path

import pytest
from tests.impl.logs import HEADER, line, scanned

from schedule_impl import session_log
from schedule_impl.durable_file import extend, restate
from schedule_impl.events import read_events
from schedule_impl.header import HeaderTooLongError, read_header
from schedule_impl.session_log import LogReader, LogUnreadable, Torn
from schedule_impl.zstd_frames import CHUNK, MAGIC, Frames, FrameTooLargeError

DOCS = Path(__file__).parents[2] / "docs"
HEAD = line(HEADER)


def stated(row: str) -> int:
    """The bytes that the table of bounds gives in the first row that begins so."""
    text = (DOCS / "session-log.md").read_text(encoding="utf-8")
    found = re.search(rf"^\| {re.escape(row)}(?: .*)? \| (\d+) MiB \|$", text, re.MULTILINE)
    assert found is not None
    return int(found[1]) << 20


def test_a_line_is_read_up_to_the_stated_bound() -> None:
    line = b"x" * stated("a line")
    runs = LogReader(io.BytesIO(b"\n".join((line, b"y", b"")))).runs()
    assert [len(each) for run in runs for each in run] == [len(line) + 1, 2]
    problem = unreadable(line + b"x\n")
    assert (problem.kind, problem.line) == ("limit", 1)


def test_a_frame_is_read_up_to_the_stated_bound() -> None:
    size = stated("a zstd frame in the file, and the window")
    skippable = b"\x50\x2a\x4d\x18%b"
    assert list(Frames(io.BytesIO(skippable % (size - 8).to_bytes(4, "little") + bytes(size - 8)))) == []
    with pytest.raises(FrameTooLargeError):
        list(Frames(io.BytesIO(skippable % (size - 7).to_bytes(4, "little"))))


def test_an_odd_line_is_read_up_to_the_stated_bound() -> None:
    size = stated("a line that the fast decoder does not read")
    bare = b'{"type":"x","seq":0.0,"data":"%b"}'
    lines = [bare % (b"x" * (size - len(bare) + 2 + more)) for more in (0, 1)]
    assert [len(each) for each in lines] == [size, size + 1]
    read, refused = (read_events([each], 0) for each in lines)
    assert (read.changes, read.problem) == ([None], None)
    assert refused.problem is not None
    assert refused.problem.kind == "limit"


def test_an_odd_header_is_read_up_to_the_stated_bound() -> None:
    size = stated("a line that the fast decoder does not read")
    bare = line(HEADER)[:-2] + b',"x":"\\ud800%b"}'
    lines = [bare % (b"x" * (size - len(bare) + 2 + more)) for more in (0, 1)]
    assert [len(each) for each in lines] == [size, size + 1]
    assert read_header(lines[0])["id"] == "s"
    with pytest.raises(HeaderTooLongError, match=f"longer than {size} bytes") as problem:
        read_header(lines[1])
    assert problem.value.header is None


class Written:
    """A file that holds nothing but zeros, and tells what is written to it before each sync."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.told: list[tuple[int, int]] = []
        self.synced: list[tuple[int, int]] = []

    def read(self) -> bytes:
        return bytes(self.size)

    def write(self, offset: int, data: bytes) -> None:
        self.told.append((offset, len(data)))

    def cut(self, size: int) -> None:
        self.size = size

    def sync(self) -> None:
        self.synced += self.told
        self.told = []


def test_as_much_is_written_beyond_what_is_durable_as_the_decisions_say() -> None:
    text = (DOCS / "decisions.md").read_text(encoding="utf-8")
    said = re.findall(r"(?:never has more than|writes its last) (\d+) MiB", text)
    written, again = (int(number) << 20 for number in said)
    file = Written(7)
    extend(file, 7, bytes(2 * written + 1))
    assert file.synced == [(7, written), (7 + written, written), (7 + 2 * written, 1)]
    for size, expected in ((again, (0, again)), (again + 1, (1, again)), (5, (0, 5))):
        file = Written(size)
        assert len(restate(file)) == size
        assert file.synced == [expected]


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
