"""The end of a file made durable: any step may be the last, any sync fail and the next succeed falsely."""

import random
from collections.abc import Iterator
from typing import Final

import pytest

from schedule_impl import durable_file
from schedule_impl.durable_file import extend, restate
from schedule_impl.simulation.disk import DiskError, SimulatedDisk

LOG: Final = "log"
PIECE: Final = 16


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(durable_file, "PIECE", PIECE)


class PowerLostError(Exception):
    """The process ends before its next step."""


class Steps:
    """A file on a simulated disk of which each step is counted; before the last one the process ends."""

    def __init__(self, disk: SimulatedDisk, last: int) -> None:
        self._file = disk._entries[LOG]
        self._left = last

    def _step(self) -> None:
        if not self._left:
            raise PowerLostError
        self._left -= 1

    def read(self) -> bytes:
        return self._file.read()

    def write(self, offset: int, data: bytes) -> None:
        self._step()
        self._file.write(offset, data)

    def cut(self, size: int) -> None:
        self._step()
        self._file.cut(size)

    def sync(self) -> None:
        self._step()
        self._file.sync()


def ends(disk: SimulatedDisk) -> Iterator[bytes]:
    """What a loss of power may leave of the file: as little as it can, as much as it can, and in between."""
    file = disk._entries[LOG]
    for keep in {0, len(file.stable) + 1, len(file.seen)}:
        yield file.survivor(keep)


@pytest.mark.parametrize("size", [0, 1, 5, PIECE, 3 * PIECE + 1])
@pytest.mark.parametrize("behind", [0, 3, PIECE])
def test_no_end_between_two_steps_takes_what_was_acknowledged(size: int, behind: int) -> None:
    kept, data = b"k" * size, b"d" * (2 * PIECE + 3)
    last, done = 0, False
    while not done:
        disk = SimulatedDisk()
        disk.install(LOG, kept)
        disk.spill(LOG, size, b"x" * behind)
        try:
            extend(Steps(disk, last), size, data)
            done = True
        except PowerLostError:
            last += 1
        for left in ends(disk):
            assert left.startswith(kept)
            assert not done or left == kept + data
    assert last > 5


@pytest.mark.parametrize("size", [0, 5, PIECE, 5 * PIECE])
def test_what_is_restated_is_durable_and_no_end_on_the_way_takes_any_that_was(size: int) -> None:
    kept, tail = bytes(range(size)), b"tail"
    last, done = 0, False
    while not done:
        disk = SimulatedDisk()
        disk.install(LOG, kept)
        disk.spill(LOG, size, tail)
        disk._entries[LOG].dirty = size + len(tail)
        try:
            assert restate(Steps(disk, last)) == kept + tail
            done = True
        except PowerLostError:
            last += 1
        for left in ends(disk):
            assert left.startswith(kept)
            assert not done or left == kept + tail
    assert last == 2


def test_a_sync_alone_would_not_do() -> None:
    disk = SimulatedDisk()
    disk.install(LOG, b"one\n")
    disk.spill(LOG, 4, b"two\n")
    disk.sync_fails = [True]
    with pytest.raises(DiskError):
        disk._entries[LOG].sync()
    disk._entries[LOG].sync()
    disk.spill(LOG, 8, b"three\n")
    disk._entries[LOG].sync()
    disk.crash(LOG, 0)
    assert disk.visible(LOG) == b"one\n\x00\x00\x00\x00three\n"


def test_the_disk_of_these_tests_does_lose_what_is_cut_before_it_is_written_again() -> None:
    disk = SimulatedDisk()
    disk.install(LOG, b"acknowledged")
    disk._entries[LOG].cut(3)
    disk.crash(LOG, 99)
    assert disk.visible(LOG) == b"ack"


def test_writers_that_fail_are_killed_and_followed_by_others_lose_nothing_that_one_was_told_of() -> None:
    """Each writer takes the file over, writes with syncs that fail at random, and is killed at random."""
    dice = random.Random(20260805)
    restated = falsely_clean = 0
    for _ in range(300):
        disk = SimulatedDisk()
        disk.install(LOG, b"")
        acknowledged = b""
        for writer in range(6):
            disk.sync_fails = [dice.random() < 0.4 for _ in range(2)]
            try:
                data = restate(disk._entries[LOG])
            except DiskError:
                continue
            restated += 1
            assert data.startswith(acknowledged)
            acknowledged, pending = data, b""
            for _ in range(dice.randrange(5)):
                pending += bytes([97 + writer]) * dice.randrange(1, 3 * PIECE)
                disk.sync_fails = [dice.random() < 0.3 for _ in range(4)]
                try:
                    extend(disk._entries[LOG], len(acknowledged), pending)
                except DiskError:
                    falsely_clean += 1
                    continue
                acknowledged, pending = acknowledged + pending, b""
            if dice.random() < 0.3:
                disk.crash(LOG, dice.randrange(len(acknowledged) + 99))
        disk.crash(LOG, 0)
        assert (disk.visible(LOG) or b"").startswith(acknowledged)
    assert restated > 500
    assert falsely_clean > 500
