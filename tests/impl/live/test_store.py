"""Sessions on disks: what survives which crash, and what a log looks like afterwards."""

import asyncio
import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
import zstandard
from tests.impl.live.driving import after
from tests.impl.logs import DATA, change_line, create, delete, frame, line, log
from tests.impl.logs import HEADER as LOG_HEADER

from schedule_impl import durable_file, storage
from schedule_impl.errors import ScheduleError
from schedule_impl.scan import Scan, scan
from schedule_impl.session import Session
from schedule_impl.session_log import read_lines
from schedule_impl.simulation.disk import SimulatedDisk
from schedule_impl.simulation.virtual_time import VirtualClock
from schedule_impl.storage import Disk
from schedule_impl.store import SessionError, SessionStore

LOG = "s.jsonl"
NAMES = [LOG, "s.jsonl.zstd"]
LATER = "2030-01-01T00:00:00.000Z"

T = TypeVar("T")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """The real disk; what is still open at the end of a test is closed."""
    disk = Disk(tmp_path)
    yield disk
    for name in tuple(disk._files):
        run(disk.let_go(name))


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def change(name: str) -> dict[str, Any]:
    return {"type": "schedule/change", "data": after(name, LATER)}


def scan_of(path: Path) -> Scan:
    with path.open("rb") as stream:
        return scan(stream)


def lines_of(path: Path) -> list[bytes]:
    with path.open("rb") as stream:
        return list(read_lines(stream))


def ids(found: Scan) -> list[str]:
    return [record["id"] for record in found.active]


def survivors(disk: SimulatedDisk, log: str = LOG) -> list[str]:
    """The reminders of a log on a simulated disk; it must be sound."""
    found = scan(io.BytesIO(disk.visible(log) or b""))
    assert found.stop is None
    return ids(found)


async def started(disk: Any, *names: str, log: str = LOG) -> tuple[SessionStore, Session]:
    """A new session with these reminders, durable."""
    store = SessionStore(disk, VirtualClock())
    session = await store.create("s", log)
    for name in names:
        session.append(change(name), 0)
    await store.persist(session)
    return store, session


async def resumed(disk: Any, log: str = LOG) -> tuple[SessionStore, Session]:
    store = SessionStore(disk, VirtualClock())
    return store, await store.resume(log)


async def resumed_and_persisted(disk: Any, name: str) -> None:
    store, session = await resumed(disk)
    session.append(change(name), 0)
    await store.persist(session)


def test_what_a_barrier_acknowledged_survives_any_crash() -> None:
    async def lives() -> list[str]:
        disk = SimulatedDisk()
        store, session = await started(disk, "a")
        session.append(change("b"), 0)
        await store.persist(session)
        session.append(change("c"), 0)
        disk.crash(LOG, 0, new_entry=False)
        return survivors(disk)

    assert run(lives()) == ["a", "b"]


def test_a_tail_whose_sync_failed_is_written_again_before_it_is_acknowledged() -> None:
    async def lives() -> list[str]:
        disk = SimulatedDisk()
        store, session = await started(disk, "a")
        session.append(change("b"), 0)
        disk.sync_fails = [True]
        with pytest.raises(OSError, match="the disk failed"):
            await store.persist(session)
        await store.persist(session)
        session.append(change("c"), 0)
        await store.persist(session)
        disk.crash(LOG, 0)
        return survivors(disk)

    assert run(lives()) == ["a", "b", "c"]


@pytest.mark.parametrize("fails", [[True], [False, True]])
@pytest.mark.parametrize("new_entry", [True, False])
def test_a_new_session_is_there_only_with_its_directory_entry(fails: list[bool], new_entry: bool) -> None:
    async def lives() -> list[str]:
        disk = SimulatedDisk()
        disk.sync_fails = list(fails)
        with pytest.raises(OSError, match="the disk failed"):
            await started(disk, "a")
        assert disk.visible(LOG) is None
        await started(disk, "a")
        disk.crash(LOG, 0, new_entry=new_entry)
        return survivors(disk)

    assert run(lives()) == ["a"]


@pytest.mark.parametrize("fails", [[True], [False, True], [False, False, True]])
def test_a_resume_that_fails_half_way_loses_nothing_that_was_durable(fails: list[bool]) -> None:
    async def lives() -> list[str]:
        disk = SimulatedDisk()
        await started(disk, "a")
        disk.sync_fails = list(fails)
        with pytest.raises(OSError, match="the disk failed"):
            await resumed_and_persisted(disk, "b")
        disk.crash(LOG, 0, new_entry=False)
        return survivors(disk)

    assert run(lives()) == ["a"]


@pytest.mark.parametrize(("log", "piece"), [(LOG, 200), (LOG, 4 << 20), ("s.jsonl.zstd", 4 << 20)])
def test_what_an_earlier_process_only_believed_durable_is_made_so_by_a_resume(
    log: str, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More is left than a piece holds: the earlier process never wrote more than one beyond what it knew."""
    monkeypatch.setattr(durable_file, "PIECE", piece)

    async def lives() -> list[str]:
        disk = SimulatedDisk()
        store, session = await started(disk, "a", log=log)
        session.append(change("b"), 0)
        session.append(change("c"), 0)
        disk.sync_fails = [False] * (piece < 300) + [True]
        with pytest.raises(OSError, match="the disk failed"):
            await store.persist(session)
        held = survivors(disk, log)
        disk.sync_fails = []
        store, session = await resumed(disk, log)
        await store.persist(session)
        disk.crash(log, 0)
        assert survivors(disk, log) == held
        return held

    assert run(lives())[0] == "a"


def test_a_barrier_with_nothing_new_touches_no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    async def lives() -> None:
        disk = SimulatedDisk()
        store, session = await started(disk, "a")
        for name in ("create", "replace", "extend", "take_over"):
            monkeypatch.delattr(SimulatedDisk, name)
        assert await store.persist(session)

    run(lives())


def test_a_resume_and_its_barriers_write_no_more_than_what_is_new_and_a_bounded_tail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(durable_file, "PIECE", 1000)
    written = []
    disk = SimulatedDisk()

    async def lives() -> None:
        await started(disk, *(f"r{number}" for number in range(100)))
        kind = type(disk._entries[LOG])
        write = kind.write

        def counted(file: Any, offset: int, data: bytes) -> None:
            written.append(len(data))
            write(file, offset, data)

        monkeypatch.setattr(kind, "write", counted)
        store, session = await resumed(disk)
        session.append(change("new"), 0)
        await store.persist(session)

    run(lives())
    assert len(disk.visible(LOG) or b"") > 15_000
    assert sum(written) < 1500


def test_a_session_whose_events_are_durable_already_is_adopted_as_a_plain_log() -> None:
    async def lives() -> bytes | None:
        disk = SimulatedDisk()
        disk.install(LOG, log())
        store = SessionStore(disk, VirtualClock())
        session = store.adopt(Session(LOG_HEADER), LOG, len(log()))
        session.append({"type": "note"}, 0)
        assert await store.persist(session)
        return disk.visible(LOG)

    assert run(lives()) == log() + b'{"type":"note","seq":0,"time":0}\n'


def test_a_closed_session_is_not_the_stores_any_more() -> None:
    async def lives() -> tuple[bool, bytes | None]:
        disk = SimulatedDisk()
        store, session = await started(disk, "a")
        for _ in range(2):
            await store.close(session)
        session.append(change("b"), 0)
        return await store.persist(session), disk.visible(LOG)

    took_part, data = run(lives())
    assert took_part is False
    assert data is not None
    assert data.count(b"\n") == 2


@pytest.mark.parametrize("name", NAMES)
def test_what_a_barrier_covered_is_in_the_log_and_what_none_did_is_not(
    disk: Disk, tmp_path: Path, name: str
) -> None:
    async def lives() -> None:
        store, session = await started(disk, "a", log=name)
        session.append({"type": "assistant/chunk", "data": {"text": "\ud800\u2028é"}}, 2)
        assert len(lines_of(tmp_path / name)) == 2
        await store.persist(session)
        session.append(change("b"), 0)

    run(lives())
    found = scan_of(tmp_path / name)
    assert found.compressed == name.endswith(".zstd")
    assert (found.stop, found.torn, found.events, ids(found)) == (None, None, 2, ["a"])
    assert b'"\\ud800\xe2\x80\xa8\xc3\xa9"' in lines_of(tmp_path / name)[2]
    assert os.listdir(tmp_path) == [name]


def deep(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("data", [create("a"), delete("b"), None, {**delete("a"), "version": 2}])
def test_a_candidate_that_would_not_fold_is_refused_and_nothing_appended(
    disk: Disk, tmp_path: Path, data: Any
) -> None:
    async def lives() -> None:
        store, session = await started(disk, "a")
        with pytest.raises(ScheduleError):
            session.append({"type": "schedule/change", "data": data}, 0)
        session.append({"type": "schedule/change", "data": delete("a")}, 0)
        await store.persist(session)

    run(lives())
    assert (scan_of(tmp_path / LOG).stop, scan_of(tmp_path / LOG).events) == (None, 2)


@pytest.mark.parametrize("compress", [False, True])
def test_an_append_after_any_tear_never_glues_to_it(compress: bool) -> None:
    """The bytes tell whether a log is compressed; its name may say otherwise."""
    parts = [line(LOG_HEADER), change_line(0, create("a")), change_line(1, create("b"))]
    if compress:
        parts = [frame(part) for part in parts]
    whole = b"".join(parts)
    first = len(parts[0])

    async def lives(data: bytes) -> bytes:
        disk = SimulatedDisk()
        disk.install("torn", data)
        store, session = await resumed(disk, "torn")
        session.append(change("c"), 1)
        await store.persist(session)
        return disk.visible("torn") or b""

    for size in range(first, len(whole) + 1):
        data = run(lives(whole[:size]))
        found = scan(io.BytesIO(data))
        kept = sum(1 for end in (first + len(parts[1]), len(whole)) if end <= size)
        assert (found.stop, found.torn, found.compressed) == (None, None, compress)
        assert ids(found) == [*["a", "b"][:kept], "c"]
        assert b"session/end-seed" in [*read_lines(io.BytesIO(data))][kept + 1]
        assert data.startswith(b"".join(parts[: kept + 1]))


def test_a_line_torn_within_whole_frames_is_removed(disk: Disk, tmp_path: Path) -> None:
    cut = change_line(1, create("b"))[:-20]

    async def lives(data: bytes) -> None:
        (tmp_path / LOG).write_bytes(data)
        store, session = await resumed(disk)
        session.append(change("c"), 1)
        await store.persist(session)
        await store.close(session)

    for data in (
        frame(log(create("a")) + cut),
        frame(log(create("a"))) + frame(cut),
        frame(log(create("a")) + cut) + frame(b"x")[:-2],
    ):
        run(lives(data))
        found = scan_of(tmp_path / LOG)
        assert (found.stop, found.torn, found.compressed, ids(found)) == (None, None, True, ["a", "c"])
    assert os.listdir(tmp_path) == [LOG]


def test_a_log_that_does_not_fold_is_resumed_takes_nothing_and_stays_as_it_is(
    disk: Disk, tmp_path: Path
) -> None:
    data = log(delete("never")) + b'{"torn'
    (tmp_path / LOG).write_bytes(data)

    async def lives() -> None:
        store, session = await resumed(disk)
        assert session.is_corrupt
        with pytest.raises(ScheduleError):
            session.append(change("a"), 0)
        assert await store.persist(session)

    run(lives())
    assert (tmp_path / LOG).read_bytes() == data


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"{}\n", b'{"type":"session","version":1,"id":"s"}\n', b"\xff\n"]
)
@pytest.mark.parametrize("compressed", [False, True])
def test_a_file_that_is_no_log_is_not_resumed_and_left_to_others(
    disk: Disk, tmp_path: Path, data: bytes, compressed: bool
) -> None:
    if compressed:
        data = frame(data) + b"zstd?"
    (tmp_path / LOG).write_bytes(data)

    async def lives() -> None:
        for _ in range(2):
            with pytest.raises(SessionError, match=f"{LOG}, line"):
                await resumed(disk)

    run(lives())
    assert (tmp_path / LOG).read_bytes() == data


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("at", [0, 1, 27, 67])
def test_a_fork_copies_its_prefix_and_adopts_nothing(disk: Disk, tmp_path: Path, name: str, at: int) -> None:
    parent = (DATA / "sessions" / "parent.jsonl").read_bytes()
    (tmp_path / "parent").write_bytes(parent)

    async def lives() -> None:
        store, session = await resumed(disk, "parent")
        child = await store.fork(session, at, "child", name)
        assert child.agenda.seen() == []
        with pytest.raises(ScheduleError):
            child.append({"type": "schedule/change", "data": delete("schedule-1")}, 0)
        child.append(change("schedule-1"), 10)
        await store.persist(child)

    run(lives())
    lines = lines_of(tmp_path / name)
    header = json.loads(lines[0])
    assert (header["id"], header["parentSession"], header["seedLength"]) == ("child", "schedule-example", at)
    assert lines[1 : at + 1] == parent.split(b"\n")[1 : at + 1]
    assert json.loads(lines[at + 1]) == {"type": "session/end-seed", "seq": at, "time": 0, "data": {}}
    assert (scan_of(tmp_path / name).stop, ids(scan_of(tmp_path / name))) == (None, ["schedule-1"])


@pytest.mark.parametrize("at", [3, -1, 10**9])
def test_a_fork_beyond_its_parent_is_corrupt_and_leaves_no_file(disk: Disk, tmp_path: Path, at: int) -> None:
    async def lives() -> None:
        store, parent = await started(disk, "a", "b")
        with pytest.raises(ScheduleError):
            await store.fork(parent, at, "child", "child.jsonl")

    run(lives())
    assert os.listdir(tmp_path) == [LOG]


def unpacked(data: bytes) -> list[bytes]:
    """What each frame of a log holds; every one bears a checksum."""
    texts = []
    while data:
        assert zstandard.get_frame_parameters(data).has_checksum
        unpacking = zstandard.ZstdDecompressor().decompressobj()
        texts.append(unpacking.decompress(data))
        data = unpacking.unused_data
    return texts


def test_a_long_flush_is_many_frames_each_of_whole_lines(disk: Disk, tmp_path: Path) -> None:
    async def lives() -> None:
        store, session = await started(disk, log="s.jsonl.zstd")
        for number in range(40):
            session.append({"type": "note", "data": f"{number}" * 300_000}, 0)
        await store.persist(session)

    run(lives())
    texts = unpacked((tmp_path / "s.jsonl.zstd").read_bytes())
    assert 2 < len(texts) < 10
    assert all(text.endswith(b"\n") for text in texts)
    assert scan_of(tmp_path / "s.jsonl.zstd").events == 40


@pytest.mark.parametrize(("more", "lines"), [(0, [1, 3, 3, 2]), (1, [1, 4, 4])])
def test_a_frame_ends_with_the_line_that_fills_it(
    more: int, lines: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    note = '{"type":"note","seq":%d,"time":0}\n'
    monkeypatch.setattr("schedule_impl.store._BLOCK", 3 * len(note % 0) + more)

    async def lives(log: str) -> bytes:
        disk = SimulatedDisk()
        store, session = await started(disk, log=log)
        for _ in range(8):
            session.append({"type": "note"}, 0)
        await store.persist(session)
        return disk.visible(log) or b""

    texts = unpacked(run(lives("s.jsonl.zstd")))
    assert [text.count(b"\n") for text in texts] == lines
    assert b"".join(texts[1:]).decode() == "".join(note % seq for seq in range(8))
    assert run(lives(LOG)) == b"".join(texts)


def test_a_malformed_inherited_prefix_does_no_harm() -> None:
    session = Session(
        {"type": "session", "version": 0, "id": "s", "seedLength": 2},
        [b"no json at all", b'{"type":"schedule/change","seq":7,"data":5}'],
    )
    session.append(change("a"), 0)
    assert session.agenda.seen() == ["a"]


@pytest.mark.parametrize("length", [3, -1, "2", 0.5, None, True])
def test_an_impossible_seed_length_makes_a_session_that_takes_nothing(length: Any) -> None:
    session = Session({"type": "session", "version": 0, "id": "s", "seedLength": length}, [b"{}", b"{}"])
    assert session.is_corrupt
    for event in (change("a"), {"type": "note"}):
        with pytest.raises(ScheduleError):
            session.append(event, 0)
    assert len(session) == 2


@pytest.mark.parametrize(
    "event",
    [
        None,
        [],
        "x",
        {"type": "note", "data": float("inf")},
        {"type": "note", "data": {1, 2}},
        {"type": "note", "data": deep(100_000)},
    ],
    ids=["null", "array", "text", "infinity", "set", "deep"],
)
def test_what_is_no_event_is_refused(event: object) -> None:
    session = Session({"type": "session", "version": 0, "id": "s"})
    with pytest.raises(ScheduleError):
        session.append(event, 0)
    assert len(session) == 0


@pytest.mark.parametrize("kind", ["simulated", "real"])
def test_names_that_are_missing_or_taken_are_told(disk: Disk, kind: str) -> None:
    place: Any = disk if kind == "real" else SimulatedDisk()
    with pytest.raises(SessionError, match="there is no"):
        run(resumed(place))
    run(started(place, "a"))
    with pytest.raises(SessionError, match="there already"):
        run(started(place))


def test_a_name_that_is_taken_is_left_alone(disk: Disk, tmp_path: Path) -> None:
    (tmp_path / LOG).write_bytes(b"mine")
    with pytest.raises(SessionError, match="there already"):
        run(started(disk))
    assert (tmp_path / LOG).read_bytes() == b"mine"
    assert os.listdir(tmp_path) == [LOG]


def test_a_log_is_one_process_at_a_time_and_free_again_after_a_close_or_a_kill(tmp_path: Path) -> None:
    """The other process takes the log over, says so, and waits until it is killed."""
    other = (
        "import asyncio, sys, time; from pathlib import Path; from schedule_impl.storage import Disk\n"
        "disk = Disk(Path(sys.argv[1])); asyncio.run(disk.take_over('s.jsonl'))\n"
        "print('had', flush=True); time.sleep(60)"
    )

    async def lives() -> None:
        store, session = await started(Disk(tmp_path), "a")
        with pytest.raises(SessionError, match="in use elsewhere"):
            await resumed(Disk(tmp_path))
        assert ids(scan_of(tmp_path / LOG)) == ["a"]
        await store.close(session)
        with subprocess.Popen(
            [sys.executable, "-c", other, str(tmp_path)], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "had\n"
            with pytest.raises(SessionError, match="in use elsewhere"):
                await resumed(Disk(tmp_path))
            process.kill()
        store, session = await resumed(Disk(tmp_path))
        await store.close(session)

    run(lives())


def test_a_disk_makes_its_directories_and_leaves_nothing_behind_where_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "deep" / "down"
    disk = Disk(root)
    store, session = run(started(disk, "a"))
    session.append(change("b"), 0)

    def failing(descriptor: int) -> None:
        raise OSError(28, "no space")

    before = (root / LOG).read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", failing)
        for failing_work in (disk.replace(LOG, b"new"), disk.create("other", b"new")):
            with pytest.raises(OSError, match="no space"):
                run(failing_work)
        with pytest.raises(OSError, match="no space"):
            run(store.persist(session))
    assert os.listdir(root) == [LOG]
    assert (root / LOG).read_bytes().startswith(before)
    run(store.persist(session))
    run(store.close(session))
    assert ids(scan_of(root / LOG)) == ["a", "b"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("room", [0, 1, 30])
def test_a_session_goes_on_once_there_is_room_again(
    disk: Disk, tmp_path: Path, name: str, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lives() -> None:
        store, session = await started(disk, "a", log=name)
        session.append(change("b"), 0)
        whole = storage._OpenFile.write

        def cramped(file: storage._OpenFile, offset: int, data: bytes) -> None:
            whole(file, offset, data[:room])
            raise OSError(28, "no space")

        with monkeypatch.context() as patched:
            patched.setattr(storage._OpenFile, "write", cramped)
            with pytest.raises(OSError, match="no space"):
                await store.persist(session)
        assert ids(scan_of(tmp_path / name)) == ["a"]
        session.append(change("c"), 0)
        await store.persist(session)

    run(lives())
    found = scan_of(tmp_path / name)
    assert (found.stop, found.torn, ids(found)) == (None, None, ["a", "b", "c"])


def test_an_extension_leaves_nothing_behind_its_end(disk: Disk, tmp_path: Path) -> None:
    async def lives() -> None:
        await disk.create(LOG, b"head\n")
        await disk.extend(LOG, 5, b"a long tail that no one was told of\n")
        await disk.extend(LOG, 5, b"short\n")

    run(lives())
    assert (tmp_path / LOG).read_bytes() == b"head\nshort\n"


def test_a_flush_whose_caller_is_cancelled_never_meets_the_next_one(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread of a cancelled flush goes on: the next one waits for it, and so does a close."""
    begun, go_on = threading.Event(), threading.Event()
    sync = storage._OpenFile.sync
    inside: list[str] = []
    most = []

    def slow(file: storage._OpenFile) -> None:
        inside.append("one")
        most.append(len(inside))
        begun.set()
        go_on.wait(10)
        sync(file)
        inside.pop()

    async def lives() -> None:
        store, session = await started(disk, "a")
        session.append(change("b"), 0)
        monkeypatch.setattr(storage._OpenFile, "sync", slow)
        first = asyncio.create_task(store.persist(session))
        await asyncio.to_thread(begun.wait, 10)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        session.append(change("c"), 0)
        second = asyncio.create_task(store.persist(session))
        await asyncio.sleep(0.05)
        go_on.set()
        assert await second
        await store.close(session)

    run(lives())
    assert most == [1, 1]
    found = scan_of(tmp_path / LOG)
    assert (found.stop, found.torn, ids(found)) == (None, None, ["a", "b", "c"])
