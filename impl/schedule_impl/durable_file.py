"""How the end of a log is made durable, whatever a crash, a kill or a failed sync leaves of it.

A sync that failed may leave bytes that were never stored counted as clean, so that the next one passes them
over and succeeds falsely: bytes become durable only by a sync that succeeds after they were written. Three
rules follow, and together they spare a resumed log from being written anew as a whole.

- What was not acknowledged is written again, from the last acknowledged byte on, before a later sync counts.
- At most PIECE bytes are ever written beyond those that are known to be durable. So whoever takes a file over
  from a process that was killed need not know what that one was told: it writes the last PIECE bytes again.
- Bytes that may have been acknowledged are written over in place, never cut first: the same bytes over the
  same bytes lose nothing, wherever a crash strikes. What no one was told of is cut first: other bytes over it
  could leave a mixture of both, which a reader could not tell from damage.

Clauses: barrier.*, deliver.no-loss.
"""

from typing import Final, Protocol

PIECE: Final = 4 << 20
"""The most bytes that a file may hold beyond those that its writer knows to be durable."""


class File(Protocol):
    """An open file. Every method raises OSError where it fails."""

    def read(self) -> bytes:
        """All that the file holds, durable or not."""
        ...

    def write(self, offset: int, data: bytes) -> None:
        """Put the data at `offset`, over what stands there."""
        ...

    def cut(self, size: int) -> None:
        """Drop what lies behind the first `size` bytes."""
        ...

    def sync(self) -> None:
        """Make durable what was written since the last sync, whether that one succeeded or not."""
        ...


def extend(file: File, size: int, data: bytes) -> None:
    """Put the data, durably, behind the first `size` bytes, which are durable, in place of all else there."""
    file.cut(size)
    for start in range(0, len(data), PIECE):
        file.write(size + start, data[start : start + PIECE])
        file.sync()


def restate(file: File) -> bytes:
    """What the file holds, made durable although its last writer may have left bytes that are not."""
    data = file.read()
    start = max(len(data) - PIECE, 0)
    file.write(start, data[start:])
    file.sync()
    return data
