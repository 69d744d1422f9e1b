"""Logs that are created, appended to, reopened after a crash and forked: what stands in the file then."""

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.impl.logs import HEADER, SESSIONS, change_line, create, delete, frame, line, log

from schedule_impl.errors import ScheduleError
from schedule_impl.header import HeaderError
from schedule_impl.log_writer import SessionLog, UnsoundLogError, encode_line
from schedule_impl.scan import Scan, scan
from schedule_impl.session_log import read_lines

NAMES = ["session.jsonl", "session.jsonl.zstd"]


def scan_of(path: Path) -> Scan:
    with path.open("rb") as stream:
        return scan(stream)


def lines_of(path: Path) -> list[bytes]:
    with path.open("rb") as stream:
        return list(read_lines(stream))


def types_of(path: Path) -> list[str]:
    return [json.loads(each)["type"] for each in lines_of(path)]


def ids(found: Scan) -> list[str]:
    return [record["id"] for record in found.active]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_flushed_is_in_the_log_and_what_is_not_is_not(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with SessionLog.create(path, HEADER) as session:
        assert session.append("schedule/change", create("a"), time=1) == 0
        assert session.append("assistant/chunk", {"text": "\ud800\u2028é"}, time=2) == 1
        assert lines_of(path) == [encode_line(HEADER)]
        session.flush()
        session.append("schedule/change", create("b"), time=3)
    found = scan_of(path)
    assert found.compressed == name.endswith(".zstd")
    assert (found.stop, found.torn, found.events, ids(found)) == (None, None, 2, ["a"])
    assert b'"\\ud800\xe2\x80\xa8\xc3\xa9"' in lines_of(path)[2]
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("name", NAMES)
def test_a_candidate_that_would_not_fold_is_refused_and_nothing_appended(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with SessionLog.create(path, HEADER) as session:
        session.append("schedule/change", create("a"), time=1)
        for refused in (create("a"), delete("b"), None, {**delete("a"), "version": 2}):
            with pytest.raises(ScheduleError):
                session.append("schedule/change", refused, time=2)
        for unwritable in (float("nan"), object(), deep(100_000)):
            with pytest.raises(ValueError, match="JSON"):
                session.append("x", unwritable, time=2)  # type: ignore[arg-type]
        assert session.append("schedule/change", delete("a"), time=3) == 1
        session.flush()
    assert (scan_of(path).stop, scan_of(path).events) == (None, 2)


def deep(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def test_a_path_that_is_taken_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "taken.jsonl"
    path.write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        SessionLog.create(path, HEADER)
    assert path.read_bytes() == b"mine"
    assert os.listdir(tmp_path) == ["taken.jsonl"]


@pytest.mark.parametrize("header", [{}, {**HEADER, "version": 1}, {**HEADER, "seedLength": -1}])
def test_a_header_that_no_log_can_have_makes_no_log(tmp_path: Path, header: dict[str, Any]) -> None:
    with pytest.raises((HeaderError, ScheduleError)):
        SessionLog.create(tmp_path / "x.jsonl", header)
    assert os.listdir(tmp_path) == []


def test_a_reopened_log_is_marked_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(log(create("a")))
    with SessionLog.open(path, now=5) as session:
        assert (session.events, session.state.seen()) == (2, ["a"])
        with pytest.raises(ScheduleError):
            session.append("schedule/change", create("a"), time=6)
        session.append("schedule/change", delete("a"), time=6)
        session.flush()
    assert types_of(path) == ["session", "schedule/change", "session/end-seed", "schedule/change"]
    assert json.loads(lines_of(path)[2]) == {"type": "session/end-seed", "seq": 1, "time": 5, "data": {}}
    assert scan_of(path).stop is None


@pytest.mark.parametrize("compress", [False, True])
def test_an_append_after_any_tear_never_glues_to_it(tmp_path: Path, compress: bool) -> None:
    parts = [line(HEADER), change_line(0, create("a")), change_line(1, create("b"))]
    if compress:
        parts = [frame(part) for part in parts]
    whole = b"".join(parts)
    first = len(parts[0])
    for size in range(first, len(whole) + 1):
        path = tmp_path / "torn"
        path.write_bytes(whole[:size])
        kept = sum(1 for end in (first + len(parts[1]), len(whole)) if end <= size)
        with SessionLog.open(path, now=0) as session:
            session.append("schedule/change", create("c"), time=1)
            session.flush()
        found = scan_of(path)
        assert (found.stop, found.torn) == (None, None)
        assert ids(found) == [*["a", "b"][:kept], "c"]


def test_a_line_torn_within_whole_frames_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl.zstd"
    cut = change_line(1, create("b"))[:-20]
    for data in (
        frame(log(create("a")) + cut),
        frame(log(create("a"))) + frame(cut),
        frame(log(create("a")) + cut) + frame(b"x")[:-2],
    ):
        path.write_bytes(data)
        with SessionLog.open(path, now=0) as session:
            session.append("schedule/change", create("c"), time=1)
            session.flush()
        found = scan_of(path)
        assert (found.stop, found.torn, ids(found)) == (None, None, ["a", "c"])
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("data", [b"", log(delete("never")), frame(log())[:-1], frame(log()) + b"zstd?"])
def test_a_log_that_is_not_sound_is_not_opened_nor_touched(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(UnsoundLogError, match=r"line [12]"):
        SessionLog.open(path, now=0)
    assert path.read_bytes() == data


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("at", [0, 1, 27, 67])
def test_a_fork_copies_its_prefix_and_adopts_nothing(tmp_path: Path, name: str, at: int) -> None:
    parent = SESSIONS / "parent.jsonl"
    path = tmp_path / name
    with SessionLog.fork(parent, path, at=at, header={**HEADER, "id": "child"}, now=9) as child:
        assert child.state.seen() == []
        child.append("schedule/change", create("schedule-1"), time=10)
        child.flush()
    lines = lines_of(path)
    header = json.loads(lines[0])
    assert (header["id"], header["parentSession"], header["seedLength"]) == ("child", "schedule-example", at)
    assert lines[1 : at + 1] == lines_of(parent)[1 : at + 1]
    assert json.loads(lines[at + 1]) == {"type": "session/end-seed", "seq": at, "time": 9, "data": {}}
    found = scan_of(path)
    assert (found.stop, ids(found)) == (None, ["schedule-1"])


@pytest.mark.parametrize("at", [68, -1, 10**9])
def test_a_fork_beyond_its_parent_is_corrupt_and_leaves_no_file(tmp_path: Path, at: int) -> None:
    with pytest.raises(ScheduleError):
        SessionLog.fork(SESSIONS / "parent.jsonl", tmp_path / "x.jsonl", at=at, header=HEADER, now=0)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("fault", ["write", "fsync"])
def test_a_failed_flush_leaves_the_log_as_it_was_and_the_next_writes_all_of_it(
    tmp_path: Path, name: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    with SessionLog.create(path, HEADER) as session:
        session.append("schedule/change", create("a"), time=1)
        session.flush()
        before = path.read_bytes()
        session.append("schedule/change", create("b"), time=2)

        def full(*_: object) -> int:
            raise OSError(errno.ENOSPC, "no space")

        with monkeypatch.context() as patched:
            if fault == "fsync":
                patched.setattr(os, "fsync", full)
            else:
                patched.setattr(session, "_file", HalfWritten(session._file))
            with pytest.raises(OSError, match="no space"):
                session.flush()
        assert path.read_bytes() == before
        session.append("schedule/change", create("c"), time=3)
        session.flush()
    found = scan_of(path)
    assert (found.stop, found.torn, ids(found)) == (None, None, ["a", "b", "c"])


class HalfWritten:
    """A file on a disk that fills up in the middle of what is written."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._room = 10

    def write(self, data: bytes) -> int:
        if not self._room:
            raise OSError(errno.ENOSPC, "no space")
        written: int = self._file.write(data[: self._room])
        self._room -= written
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)
