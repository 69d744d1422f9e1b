"""Sessions on disks: what survives which crash, and what a log looks like afterwards."""

import asyncio
import io
import os
import resource
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
import zstandard
from tests.impl.live.driving import after

from schedule_impl.errors import ScheduleError
from schedule_impl.feature import ScheduleFeature
from schedule_impl.host import Agent
from schedule_impl.persistence import Persistence
from schedule_impl.scan import scan
from schedule_impl.session import Session
from schedule_impl.simulation.agent import SimulatedHost
from schedule_impl.simulation.disk import SimulatedDisk
from schedule_impl.simulation.script import Script
from schedule_impl.simulation.virtual_time import VirtualClock, VirtualTimers
from schedule_impl.storage import Disk
from schedule_impl.store import SessionError, SessionStore, load

LOG = "s.jsonl"
LATER = "2030-01-01T00:00:00.000Z"

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def change(name: str) -> dict[str, Any]:
    return {"type": "schedule/change", "data": after(name, LATER)}


def ids(session: Session) -> list[str]:
    return session.agenda.seen()


async def started(disk: Any, *names: str, log: str = LOG) -> tuple[SessionStore, Session]:
    """A new session with these reminders, durable."""
    store = SessionStore(disk, VirtualClock())
    session = await store.create("s", log)
    for name in names:
        session.append(change(name), 0)
    await store.persist(session)
    return store, session


def test_what_a_barrier_acknowledged_survives_any_crash() -> None:
    async def lives() -> list[str]:
        disk = SimulatedDisk()
        store, session = await started(disk, "a")
        session.append(change("b"), 0)
        await store.persist(session)
        session.append(change("c"), 0)
        disk.crash(LOG, 0, new_entry=False)
        return ids(await load(disk, LOG))

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
        return ids(await load(disk, LOG))

    assert run(lives()) == ["a", "b", "c"]


def test_the_disk_of_these_tests_does_lose_what_is_only_synced_again() -> None:
    async def lives() -> bytes | None:
        disk = SimulatedDisk()
        await disk.replace(LOG, b"one\n")
        await disk.write(LOG, 4, b"two\n")
        disk.sync_fails = [True]
        with pytest.raises(OSError, match="the disk failed"):
            await disk.sync(LOG)
        await disk.sync(LOG)
        await disk.write(LOG, 8, b"three\n")
        await disk.sync(LOG)
        disk.crash(LOG, 0)
        return await disk.read(LOG)

    assert run(lives()) == b"one\n\x00\x00\x00\x00three\n"


@pytest.mark.parametrize("fails", [[True], [False, True]])
@pytest.mark.parametrize("new_entry", [True, False])
def test_a_new_session_is_acknowledged_only_with_its_directory_entry(
    fails: list[bool], new_entry: bool
) -> None:
    async def lives() -> list[str]:
        disk = SimulatedDisk()
        store = SessionStore(disk, VirtualClock())
        session = await store.create("s", LOG)
        session.append(change("a"), 0)
        disk.sync_fails = list(fails)
        with pytest.raises(OSError, match="the disk failed"):
            await store.persist(session)
        await store.persist(session)
        disk.crash(LOG, 0, new_entry=new_entry)
        return ids(await load(disk, LOG))

    assert run(lives()) == ["a"]


@pytest.mark.parametrize("fails", [[True], [False, True]])
@pytest.mark.parametrize("new_entry", [True, False])
def test_a_resume_that_fails_half_way_loses_nothing_that_was_durable(
    fails: list[bool], new_entry: bool
) -> None:
    async def lives() -> list[str]:
        disk = SimulatedDisk()
        await started(disk, "a")
        store = SessionStore(disk, VirtualClock())
        session = await store.resume(LOG)
        session.append(change("b"), 0)
        disk.sync_fails = list(fails)
        with pytest.raises(OSError, match="the disk failed"):
            await store.persist(session)
        disk.crash(LOG, 0, new_entry=new_entry)
        return ids(await load(disk, LOG))

    assert run(lives()) in (["a"], ["a", "b"])


def test_what_an_earlier_process_only_believed_durable_is_made_so_by_the_first_barrier() -> None:
    async def lives() -> list[str]:
        disk = SimulatedDisk()
        store, session = await started(disk, "a")
        session.append(change("b"), 0)
        disk.sync_fails = [True]
        with pytest.raises(OSError, match="the disk failed"):
            await store.persist(session)
        second = SessionStore(disk, VirtualClock())
        await second.persist(await second.resume(LOG))
        disk.crash(LOG, 0)
        return ids(await load(disk, LOG))

    assert run(lives()) == ["a", "b"]


def test_a_barrier_with_nothing_new_touches_no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    async def lives() -> None:
        disk = SimulatedDisk()
        store, session = await started(disk, "a")
        for name in ("replace", "write", "sync"):
            monkeypatch.delattr(SimulatedDisk, name)
        assert await store.persist(session)

    run(lives())


def test_a_closed_session_is_not_the_stores_any_more() -> None:
    async def lives() -> tuple[bool, bytes | None]:
        disk = SimulatedDisk()
        store, session = await started(disk, "a")
        store.close(session)
        session.append(change("b"), 0)
        return await store.persist(session), disk.visible(LOG)

    took_part, data = run(lives())
    assert not took_part
    assert data is not None
    assert data.count(b"\n") == 2


def test_every_cut_of_a_log_resumes_to_a_prefix_and_goes_on_soundly() -> None:
    async def resumed(data: bytes) -> tuple[list[str], bytes]:
        disk = SimulatedDisk()
        disk.install(LOG, data)
        store = SessionStore(disk, VirtualClock())
        session = await store.resume(LOG)
        found = ids(session)
        session.append(change("new"), 0)
        await store.persist(session)
        return found, disk.visible(LOG) or b""

    async def whole() -> bytes:
        disk = SimulatedDisk()
        await started(disk, "a", "b", "c")
        return disk.visible(LOG) or b""

    data = run(whole())
    header = data.index(b"\n") + 1
    seen = set()
    for cut in range(header, len(data) + 1):
        found, log = run(resumed(data[:cut]))
        assert found == ["a", "b", "c"][: data[header:cut].count(b"\n")]
        assert log.startswith(data[: data.rindex(b"\n", 0, cut) + 1])
        report = scan(io.BytesIO(log))
        assert (report.stop, report.torn) == (None, None)
        assert [record["id"] for record in report.active] == [*found, "new"]
        seen.add(len(found))
    assert seen == {0, 1, 2, 3}


def test_a_compressed_log_gets_a_frame_a_flush_and_loses_but_a_cut_one(tmp_path: Path) -> None:
    async def lives() -> list[str]:
        disk = Disk(tmp_path)
        store, session = await started(disk, "a", log="s.jsonl.zstd")
        session.append(change("b"), 0)
        await store.persist(session)
        path = tmp_path / "s.jsonl.zstd"
        path.write_bytes(path.read_bytes() + zstandard.ZstdCompressor().compress(b"x" * 100)[:-3])
        again = SessionStore(disk, VirtualClock())
        resumed = await again.resume("s.jsonl.zstd")
        resumed.append(change("c"), 0)
        await again.persist(resumed)
        with path.open("rb") as stream:
            report = scan(stream)
        assert (report.stop, report.torn) == (None, None)
        return [record["id"] for record in report.active]

    assert run(lives()) == ["a", "b", "c"]


def test_a_fork_on_disk_inherits_verbatim_and_adopts_nothing(tmp_path: Path) -> None:
    async def lives() -> None:
        store, parent = await started(Disk(tmp_path), "a", "b")
        child = store.fork(parent, 2, "child", "child.jsonl")
        assert ids(child) == []
        with pytest.raises(ScheduleError):
            child.append(
                {"type": "schedule/change", "data": {"version": 1, "operation": "delete", "id": "a"}}, 0
            )
        child.append(change("a"), 0)
        await store.persist(child)
        for at in (-1, 3):
            with pytest.raises(ScheduleError):
                store.fork(parent, at, "other", "other.jsonl")

    run(lives())
    parent_lines = (tmp_path / LOG).read_bytes().split(b"\n")
    child_lines = (tmp_path / "child.jsonl").read_bytes().split(b"\n")
    assert child_lines[1:3] == parent_lines[1:3]
    assert b'"session/end-seed","seq":2' in child_lines[3]
    with (tmp_path / "child.jsonl").open("rb") as stream:
        report = scan(stream)
    assert report.stop is None
    assert report.header is not None
    assert (report.header["seedLength"], report.header["parentSession"]) == (2, "s")
    assert [record["id"] for record in report.active] == ["a"]


def test_a_malformed_inherited_prefix_does_no_harm() -> None:
    session = Session(
        {"type": "session", "version": 0, "id": "s", "seedLength": 2},
        [b"no json at all", b'{"type":"schedule/change","seq":7,"data":5}'],
    )
    session.append(change("a"), 0)
    assert ids(session) == ["a"]


@pytest.mark.parametrize("length", [3, -1, "2", 0.5, None, True])
def test_an_impossible_seed_length_makes_a_session_that_takes_nothing(length: Any) -> None:
    session = Session({"type": "session", "version": 0, "id": "s", "seedLength": length}, [b"{}", b"{}"])
    assert session.is_corrupt
    for event in (change("a"), {"type": "note"}):
        with pytest.raises(ScheduleError):
            session.append(event, 0)
    assert len(session) == 2


@pytest.mark.parametrize(
    "event", [None, [], "x", {"type": "note", "data": float("inf")}, {"type": "note", "data": {1, 2}}]
)
def test_what_is_no_event_is_refused(event: object) -> None:
    session = Session({"type": "session", "version": 0, "id": "s"})
    with pytest.raises(ScheduleError):
        session.append(event, 0)
    assert len(session) == 0


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"{}\n", b'{"type":"session","version":1,"id":"s"}\n', b"\xff\n"]
)
def test_a_file_that_is_no_log_is_not_resumed(data: bytes) -> None:
    disk = SimulatedDisk()
    disk.install(LOG, data)
    with pytest.raises(SessionError, match=LOG):
        run(SessionStore(disk, VirtualClock()).resume(LOG))
    assert disk.visible(LOG) == data


def test_names_that_are_missing_or_taken_are_told() -> None:
    disk = SimulatedDisk()
    with pytest.raises(SessionError, match="there is no"):
        run(SessionStore(disk, VirtualClock()).resume(LOG))
    run(started(disk))
    with pytest.raises(SessionError, match="there already"):
        run(started(disk))


def test_a_disk_makes_its_directories_and_leaves_nothing_behind_where_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(tmp_path / "deep" / "down")
    run(started(disk, "a"))
    assert ids(run(load(disk, LOG))) == ["a"]

    def failing(descriptor: int) -> None:
        raise OSError(28, "no space")

    before = (tmp_path / "deep" / "down" / LOG).read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", failing)
        with pytest.raises(OSError, match="no space"):
            run(disk.replace(LOG, b"new"))
        with pytest.raises(OSError, match="no space"):
            run(disk.sync(LOG))
    assert [path.name for path in (tmp_path / "deep" / "down").iterdir()] == [LOG]
    assert (tmp_path / "deep" / "down" / LOG).read_bytes() == before


def test_a_session_goes_on_once_there_is_room_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def lives() -> None:
        store, session = await started(Disk(tmp_path), "a")
        session.append(change("b"), 0)
        whole = Disk._write

        def half(disk: Disk, name: str, offset: int, data: bytes) -> None:
            whole(disk, name, offset, data[: len(data) // 2])
            raise OSError(28, "no space")

        with monkeypatch.context() as patched:
            patched.setattr(Disk, "_write", half)
            with pytest.raises(OSError, match="no space"):
                await store.persist(session)
        session.append(change("c"), 0)
        await store.persist(session)

    run(lives())
    with (tmp_path / LOG).open("rb") as stream:
        report = scan(stream)
    assert (report.stop, report.torn) == (None, None)
    assert [record["id"] for record in report.active] == ["a", "b", "c"]


def test_a_write_leaves_nothing_behind_its_end(tmp_path: Path) -> None:
    async def lives() -> bytes | None:
        disk = Disk(tmp_path)
        await disk.replace(LOG, b"head\n")
        await disk.write(LOG, 5, b"a long tail that failed\n")
        await disk.write(LOG, 5, b"short\n")
        await disk.sync(LOG)
        return await disk.read(LOG)

    assert run(lives()) == b"head\nshort\n"


def test_a_medium_without_room_makes_calls_uncertain_and_nothing_is_lost(tmp_path: Path) -> None:
    """A limit on the size of files stands for the full medium."""

    async def lives() -> list[Any]:
        clock = VirtualClock()
        store, session = await started(Disk(tmp_path))
        persistence = Persistence()
        persistence.attach(store)
        host: Any = SimulatedHost(Script(), lambda kind, value: None, busy=True, turns="none")
        installed = ScheduleFeature(persistence, clock, VirtualTimers()).agent_created(
            Agent("s", session, host)
        )
        assert installed is not None
        create, listing, _ = installed.tools
        answers = [await create.run({"prompt": "a", "after_seconds": 60})]
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        size = (tmp_path / LOG).stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, limits[1]))
        try:
            answers.append(await create.run({"prompt": "b", "after_seconds": 60}))
            answers.append(await listing.run({}))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        answers.append(await listing.run({}))
        return answers

    first, second, third, last = run(lives())
    assert first["id"] == "schedule-1"
    assert (second["code"], second["operation"]) == ("persistence_uncertain", "create")
    assert (third["code"], third["operation"]) == ("persistence_uncertain", "list")
    assert [view["id"] for view in last] == [first["id"], second["id"]]
    with (tmp_path / LOG).open("rb") as stream:
        report = scan(stream)
    assert (report.stop, report.torn, len(report.active)) == (None, None, 2)
