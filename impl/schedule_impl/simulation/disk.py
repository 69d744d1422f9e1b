"""A disk that keeps apart what was written and what would survive.

A file has the bytes that processes see and the bytes that are stable. A sync makes all written bytes stable;
one that fails makes none, and yet they count as clean from then on, so that the next sync passes them over,
as real kernels do. Directory entries are stable only once the directory was synced. A crash leaves of each
file the stable bytes and a prefix of the others, and zeros where bytes were never stable behind which others
are.
"""

from dataclasses import dataclass, field


class DiskError(OSError):
    """What the simulated disk raises; its text must never surface."""


@dataclass(slots=True)
class _File:
    """`seen` is what was written, `stable` what survives; the next sync writes from `dirty` on."""

    seen: bytearray = field(default_factory=bytearray)
    stable: bytearray = field(default_factory=bytearray)
    dirty: int = 0

    def write(self, offset: int, data: bytes) -> None:
        del self.seen[offset:]
        self.seen += data
        self.dirty = min(self.dirty, offset)

    def sync(self) -> None:
        size = len(self.stable)
        if size < self.dirty:
            self.stable += bytes(self.dirty - size)
        self.stable[self.dirty :] = self.seen[self.dirty :]
        self.dirty = len(self.seen)

    def lose_dirt(self) -> None:
        self.dirty = len(self.seen)

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
        file = _File(bytearray(data), bytearray(data), len(data))
        self._entries[name] = self._stable_entries[name] = file

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

    async def read(self, name: str) -> bytes | None:
        """What processes see of a file."""
        return self.visible(name)

    def visible(self, name: str) -> bytes | None:
        """What processes see of a file, None where there is none."""
        file = self._entries.get(name)
        return None if file is None else bytes(file.seen)

    async def replace(self, name: str, data: bytes) -> None:
        """Write a new file, sync it, put it in the old one's place and sync the directory."""
        file = _File(bytearray(data))
        self._sync(file)
        self._entries[name] = file
        self._fail_if_told()
        self._stable_entries[name] = file

    async def write(self, name: str, offset: int, data: bytes) -> None:
        """Cut a file at `offset` and write the data there."""
        self._entries[name].write(offset, data)

    async def sync(self, name: str) -> None:
        """Make stable what counts as dirty."""
        self._sync(self._entries[name])

    def _sync(self, file: _File) -> None:
        try:
            self._fail_if_told()
        except DiskError:
            file.lose_dirt()
            raise
        file.sync()

    def _fail_if_told(self) -> None:
        if self.sync_fails and self.sync_fails.pop(0):
            raise DiskError(self.text)
