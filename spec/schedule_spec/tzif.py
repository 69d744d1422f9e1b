"""TZif: the form in which the tz database's compiled zones are stored, read as RFC 9636 says.

Part of zone.release. Of a file only the block of 64-bit times and the footer count; what tells abbreviations
and the source's own clocks is passed over. Files without that block, and files that count leap seconds, hold
no zone of the protocol, whose days all have 86,400 s. Bytes in, values out: nothing is opened here.
"""

import struct
from dataclasses import dataclass
from itertools import pairwise

from schedule_spec import posix_rules
from schedule_spec.posix_rules import SECOND, WIDEST_OFFSET, Onset, Rule


@dataclass(frozen=True, slots=True)
class ZoneData:
    """What a file says of a zone.

    `initial` is the offset before the first onset, in ms east of UTC; `onsets` ascend; `rule` holds from the
    last onset on, or always where there is none. Without a rule the last offset goes on.
    """

    initial: int
    onsets: tuple[Onset, ...]
    rule: Rule | None


class TzifError(ValueError):
    """Bytes that are no zone. The message says what is wrong."""


_HEADER = struct.Struct(">4s1s15x6I")
_TYPE = struct.Struct(">iBB")


@dataclass(frozen=True, slots=True)
class _Header:
    """The counts of a block's parts, in the file's order."""

    version: bytes
    ut_indicators: int
    standard_indicators: int
    leap_seconds: int
    transitions: int
    types: int
    name_bytes: int

    def length(self, time_size: int) -> int:
        return (
            self.transitions * (time_size + 1)
            + self.types * _TYPE.size
            + self.name_bytes
            + self.leap_seconds * (time_size + 4)
            + self.standard_indicators
            + self.ut_indicators
        )


def read(data: bytes) -> ZoneData:
    """Return the zone that a TZif file of version 2 or later holds; TzifError for other bytes."""
    first = _header(data, 0)
    if first.version < b"2":
        raise TzifError("the file is of version 1, which has no 64-bit times and no footer")
    start = _HEADER.size + first.length(4)
    header = _header(data, start)
    if header.leap_seconds:
        raise TzifError("the file counts leap seconds")
    body = start + _HEADER.size
    end = body + header.length(8)
    if end > len(data):
        raise TzifError(f"the file ends after {len(data)} bytes; its header announces {end}")
    initial, onsets = _table(data[body:end], header)
    return ZoneData(initial, onsets, _rule(data[end:]))


def _header(data: bytes, at: int) -> _Header:
    if len(data) < at + _HEADER.size:
        raise TzifError(f"the file ends within the header that begins after {at} bytes")
    magic, version, *counts = _HEADER.unpack_from(data, at)
    if magic != b"TZif":
        raise TzifError(f"no TZif header stands after {at} bytes")
    return _Header(version, *counts)


def _table(block: bytes, header: _Header) -> tuple[int, tuple[Onset, ...]]:
    count, indices_at = header.transitions, header.transitions * 8
    times = struct.unpack_from(f">{count}q", block)
    indices = block[indices_at : indices_at + count]
    types_at = indices_at + count
    offsets = [_TYPE.unpack_from(block, types_at + n * _TYPE.size)[0] * SECOND for n in range(header.types)]
    if max(indices, default=0) >= len(offsets):
        raise TzifError("a transition leads to a local time type that the file lacks")
    if any(abs(offset) >= WIDEST_OFFSET for offset in offsets):
        raise TzifError("an offset is of 26 hours or more")
    if any(former >= latter for former, latter in pairwise(times)):
        raise TzifError("the transitions do not ascend")
    table = tuple(Onset(time * SECOND, offsets[index]) for time, index in zip(times, indices, strict=True))
    return offsets[0], table


def _rule(footer: bytes) -> Rule | None:
    if len(footer) < 2 or footer[:1] != b"\n" or footer[-1:] != b"\n":
        raise TzifError("the footer does not stand between two newlines")
    text = footer[1:-1].decode("latin-1")
    try:
        return posix_rules.parse(text) if text else None
    except ValueError as error:
        raise TzifError(f"the footer: {error}") from error
