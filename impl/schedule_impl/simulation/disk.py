"""A disk that keeps apart what was written and what would survive.

A file has the bytes that processes see and the bytes that are stable. A sync makes all written bytes stable;
one that fails makes none, and yet they count as clean from then on, so that the next sync passes them over,
as real kernels do. A cut is stable at once, the worst that it can be. Directory entries are stable only once
the directory was synced. A crash leaves of each file the stable bytes and a prefix of the others, and zeros
where bytes were never stable behind which others are.
"""

from collections.abc import Callable

from schedule_impl.durable_file import extend, restate


class DiskError(OSError):
    """What the simulated disk raises; its text must never surface."""


class _File:
    """`seen` is what was written, `stable` what survives; the next sync stores what lies behind `dirty`."""

    __slots__ = ("_before_sync", "dirty", "seen", "stable")

    def __init__(self, before_sync: Callable[[], None], data: bytes = b"") -> None:
        self._before_sync = before_sync
        self.seen = bytearray(data)
        self.stable = bytearray(data)
        self.dirty = len(data)

    def read(self) -> bytes:
        return bytes(self.seen)

    def write(self, offset: int, data: bytes) -> None:
        self.seen[offset : offset + len(data)] = data
        self.dirty = min(self.dirty, offset)

    def cut(self, size: int) -> None:
        del self.seen[size:]
        del self.stable[size:]
        self.dirty = min(self.dirty, size)

    def sync(self) -> None:
        dirty, self.dirty = self.dirty, len(self.seen)
        self._before_sync()
        self.stable += bytes(max(dirty - len(self.stable), 0))
        self.stable[dirty:] = self.seen[dirty:]

    def survivor(self, keep: int) -> bytes:
        return bytes(self.stable) + bytes(self.seen[len(self.stable) : keep])


class SimulatedDisk:
    """One directory. `sync_fails` says of each of the next syncs whether it fails, with `text`."""

    def __init__(self) -> None:
        self._entries: dict[str, _File] = {}
        self._stable_entries: dict[str, _File] = {}
        self.sync_fails: list[bool] = []
        self.text = "the disk failed"

    def install(self, name: str, data: bytes) -> None:
        """Put a durable file there."""
        self._entries[name] = self._stable_entries[name] = _File(self._fail_if_told, data)

    def crash(self, name: str, keep: int, *, new_entry: bool = True) -> None:
        """Lose power: of a file at most the first `keep` bytes stay beside the stable ones.

        `new_entry` says whether a directory entry that was never made durable happened to be.
        """
        entries = self._entries if new_entry else self._stable_entries
        file = entries.get(name)
        if file is None:
            self._entries.pop(name, None)
            self._stable_entries.pop(name, None)
            return
        self.install(name, file.survivor(keep))

    def spill(self, name: str, offset: int, data: bytes) -> None:
        """Write behind what a process wrote, as the process might have done just before it ended."""
        self._entries[name].write(offset, data)

    def visible(self, name: str) -> bytes | None:
        """What processes see of a file, None where there is none."""
        file = self._entries.get(name)
        return None if file is None else file.read()

    async def create(self, name: str, data: bytes) -> None:
        """Write a new file, sync it, enter it under its name and sync the directory."""
        if name in self._entries:
            raise FileExistsError(name)
        file = _File(self._fail_if_told)
        extend(file, 0, data)
        self._entries[name] = file
        try:
            self._sync_entry(name)
        except DiskError:
            del self._entries[name]
            raise

    async def take_over(self, name: str) -> bytes:
        """What a file holds, made durable."""
        return self.taken_over(name)

    def taken_over(self, name: str) -> bytes:
        """What a file holds, made durable; FileNotFoundError."""
        if name not in self._entries:
            raise FileNotFoundError(name)
        data = restate(self._entries[name])
        self._sync_entry(name)
        return data

    async def extend(self, name: str, size: int, data: bytes) -> None:
        """Put the data, durably, behind the first `size` bytes of a file."""
        extend(self._entries[name], size, data)

    async def replace(self, name: str, data: bytes) -> None:
        """Write a new file, sync it, put it in the old one's place and sync the directory."""
        file = _File(self._fail_if_told)
        extend(file, 0, data)
        self._entries[name] = file
        self._sync_entry(name)

    async def let_go(self, name: str) -> None:
        """Nothing: there is but one process here."""

    def _sync_entry(self, name: str) -> None:
        self._fail_if_told()
        self._stable_entries[name] = self._entries[name]

    def _fail_if_told(self) -> None:
        if self.sync_fails and self.sync_fails.pop(0):
            raise DiskError(self.text)
