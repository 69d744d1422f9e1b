"""The real disk: in what order things become durable, and that nothing is left open, locked or behind."""

import asyncio
import os
import stat
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from schedule_impl import storage
from schedule_impl.storage import Disk

LOG = "s.jsonl"

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


@pytest.fixture
def opened() -> Iterator[Callable[[], int]]:
    """How many files are open beyond those that were at the beginning; none may be at the end."""
    before = len(os.listdir("/dev/fd"))

    def more() -> int:
        return len(os.listdir("/dev/fd")) - before

    yield more
    assert more() == 0


class Steps:
    """The steps on the way to the disk, in order, each by what it is done to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.taken: list[str] = []
        self.failing = ""
        self._directories: dict[int, str] = {}
        sync, link, replace, mkdir = os.fsync, os.link, os.replace, os.mkdir

        def synced(descriptor: int) -> None:
            state = os.fstat(descriptor)
            name = self._directories[state.st_ino] if stat.S_ISDIR(state.st_mode) else "file"
            self._step(f"sync {name}")
            sync(descriptor)

        def linked(source: Path, target: Path) -> None:
            self._step(f"link {target.name}")
            link(source, target)

        def renamed(source: Path, target: Path) -> None:
            self._step(f"rename {Path(target).name}")
            replace(source, target)

        def made(path: Path, mode: int = 0o777) -> None:
            self._step(f"make {Path(path).name}")
            mkdir(path, mode)
            self.knows(Path(path))

        for name, work in (("fsync", synced), ("link", linked), ("replace", renamed), ("mkdir", made)):
            monkeypatch.setattr(os, name, work)

    def knows(self, directory: Path) -> None:
        self._directories[directory.stat().st_ino] = directory.name

    def since(self) -> list[str]:
        """The steps since the last time."""
        taken, self.taken = self.taken, []
        return taken

    def _step(self, step: str) -> None:
        self.taken.append(step)
        if step == self.failing:
            raise OSError(5, "the disk failed")


@pytest.fixture
def steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Steps:
    steps = Steps(monkeypatch)
    steps.knows(tmp_path)
    return steps


def test_what_is_made_is_durable_from_the_directories_on_before_it_is_told(
    tmp_path: Path, steps: Steps, opened: Callable[[], int]
) -> None:
    async def lives() -> None:
        disk = Disk(tmp_path / "deep" / "down")
        await disk.create(LOG, b"one\n")
        assert steps.since() == [
            *("make deep", f"sync {tmp_path.name}", "make down", "sync deep"),
            *("sync file", f"link {LOG}", "sync down"),
        ]
        await disk.extend(LOG, 4, b"two\n")
        assert steps.since() == ["sync file"]
        await disk.replace(LOG, b"three\n")
        assert steps.since() == ["sync file", f"rename {LOG}", "sync down"]
        await disk.let_go(LOG)
        assert steps.since() == []
        assert await disk.take_over(LOG) == b"three\n"
        assert steps.since() == ["sync file", "sync down"]
        await disk.let_go(LOG)

    run(lives())
    assert os.listdir(tmp_path / "deep" / "down") == [LOG]


@pytest.mark.parametrize("step", ["sync file", f"link {LOG}", "sync {}"])
def test_a_making_that_fails_leaves_nothing_and_may_be_tried_again(
    tmp_path: Path, steps: Steps, opened: Callable[[], int], step: str
) -> None:
    steps.failing = step.format(tmp_path.name)

    async def lives() -> None:
        disk = Disk(tmp_path)
        with pytest.raises(OSError, match="the disk failed"):
            await disk.create(LOG, b"one\n")
        assert os.listdir(tmp_path) == []
        with pytest.raises(FileNotFoundError):
            await disk.extend(LOG, 0, b"x")
        steps.failing = ""
        await disk.create(LOG, b"two\n")
        await disk.let_go(LOG)

    run(lives())
    assert (tmp_path / LOG).read_bytes() == b"two\n"


@pytest.mark.parametrize("step", ["sync file", f"rename {LOG}"])
def test_a_replacing_that_fails_leaves_the_file_to_whoever_had_it(
    tmp_path: Path, steps: Steps, opened: Callable[[], int], step: str
) -> None:
    async def lives() -> None:
        disk = Disk(tmp_path)
        await disk.create(LOG, b"one\n")
        steps.failing = step
        with pytest.raises(OSError, match="the disk failed"):
            await disk.replace(LOG, b"other\n")
        steps.failing = ""
        assert os.listdir(tmp_path) == [LOG]
        await disk.extend(LOG, 4, b"two\n")
        with pytest.raises(BlockingIOError):
            await Disk(tmp_path).take_over(LOG)
        await disk.let_go(LOG)

    run(lives())
    assert (tmp_path / LOG).read_bytes() == b"one\ntwo\n"


def test_what_was_replaced_is_extended_and_kept_from_others(
    tmp_path: Path, opened: Callable[[], int]
) -> None:
    async def lives() -> None:
        disk = Disk(tmp_path)
        await disk.create(LOG, b"a longer one\n")
        await disk.replace(LOG, b"one\n")
        assert opened() >= 1
        with pytest.raises(BlockingIOError):
            await Disk(tmp_path).take_over(LOG)
        await disk.extend(LOG, 4, b"two\n")
        await disk.let_go(LOG)

    run(lives())
    assert (tmp_path / LOG).read_bytes() == b"one\ntwo\n"


@pytest.mark.parametrize("step", ["sync file", "sync {}"])
def test_a_file_that_cannot_be_taken_over_is_left_to_others(
    tmp_path: Path, steps: Steps, opened: Callable[[], int], step: str
) -> None:
    (tmp_path / LOG).write_bytes(b"one\n")
    steps.failing = step.format(tmp_path.name)

    async def lives() -> None:
        disk = Disk(tmp_path)
        with pytest.raises(OSError, match="the disk failed"):
            await disk.take_over(LOG)
        with pytest.raises(FileNotFoundError):
            await disk.extend(LOG, 0, b"x")
        steps.failing = ""
        other = Disk(tmp_path)
        assert await other.take_over(LOG) == b"one\n"
        with pytest.raises(BlockingIOError):
            await disk.take_over(LOG)
        await other.let_go(LOG)

    run(lives())


def test_a_file_that_another_takes_the_place_of_while_it_is_locked_is_not_the_one_taken_over(
    tmp_path: Path, opened: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / LOG).write_bytes(b"before\n")
    (tmp_path / "new").write_bytes(b"after\n")
    lock = storage._lock

    def late(descriptor: int) -> None:
        if (tmp_path / "new").exists():
            (tmp_path / "new").replace(tmp_path / LOG)
        lock(descriptor)

    monkeypatch.setattr(storage, "_lock", late)

    async def lives() -> None:
        disk = Disk(tmp_path)
        assert await disk.take_over(LOG) == b"after\n"
        await disk.extend(LOG, 6, b"more\n")
        await disk.let_go(LOG)

    run(lives())
    assert (tmp_path / LOG).read_bytes() == b"after\nmore\n"


def test_an_open_file_gives_all_that_it_holds_wherever_it_was_written_last(tmp_path: Path) -> None:
    file = storage._OpenFile.open(tmp_path / LOG, "x+")
    file.write(0, b"one\n")
    file.write(4, b"two\n")
    for _ in range(2):
        assert file.read() == b"one\ntwo\n"
    file.close()


def test_a_directory_that_someone_else_makes_meanwhile_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mkdir = os.mkdir

    def made_twice(path: Path, mode: int = 0o777) -> None:
        mkdir(path, mode)
        mkdir(path, mode)

    monkeypatch.setattr(os, "mkdir", made_twice)

    async def lives() -> None:
        disk = Disk(tmp_path / "down")
        await disk.create(LOG, b"one\n")
        await disk.let_go(LOG)

    run(lives())
    assert (tmp_path / "down" / LOG).read_bytes() == b"one\n"


def test_what_no_one_has_can_be_let_go_and_not_extended_or_replaced(tmp_path: Path) -> None:
    async def lives() -> None:
        disk = Disk(tmp_path)
        await disk.create(LOG, b"one\n")
        for _ in range(2):
            await disk.let_go(LOG)
        for work in (disk.extend(LOG, 0, b""), disk.replace(LOG, b"")):
            with pytest.raises(FileNotFoundError, match=LOG):
                await work

    run(lives())
    assert (tmp_path / LOG).read_bytes() == b"one\n"


def test_a_taker_whose_thread_is_given_up_too_leaves_nothing_to_be_reported(tmp_path: Path) -> None:
    (tmp_path / LOG).write_bytes(b"one\n")
    told: list[dict[str, Any]] = []

    async def lives() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
        taking = asyncio.ensure_future(Disk(tmp_path).take_over("missing"))
        await asyncio.sleep(0)
        taking.cancel()
        await asyncio.sleep(0)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for other in others:
            other.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    run(lives())
    assert told == []
