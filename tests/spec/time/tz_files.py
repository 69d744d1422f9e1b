"""The zone files of the installed package as bytes, and zone files made for a test."""

import struct
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from importlib import resources
from io import BytesIO
from zoneinfo import ZoneInfo

from schedule_spec.posix_rules import Onset

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
PACKAGE = resources.files("tzdata")
ALL_NAMES = PACKAGE.joinpath("zones").read_text("ascii").split()
"""Every zone and link that the package ships a file for, those without a `/` included."""


def file_bytes(name: str) -> bytes:
    return PACKAGE.joinpath("zoneinfo", *name.split("/")).read_bytes()


def block(version: bytes, times: Sequence[int], types: Sequence[int], offsets: Sequence[int]) -> bytes:
    """Return a header and a body of 64-bit times; times and offsets in s."""
    header = struct.pack(">4s1s15x6I", b"TZif", version, 0, 0, 0, len(times), len(offsets), 4)
    body = struct.pack(f">{len(times)}q{len(types)}B", *times, *types)
    return header + body + b"".join(struct.pack(">iBB", offset, 0, 0) for offset in offsets) + b"LMT\0"


def made_file(
    times: Sequence[int] = (),
    types: Sequence[int] = (),
    offsets: Sequence[int] = (0,),
    footer: bytes = b"\n\n",
    version: bytes = b"2",
) -> bytes:
    """Return a TZif file whose first block, of 32-bit times, is empty."""
    return block(version, (), (), (0,)) + block(version, times, types, offsets) + footer


def oracle(data: bytes) -> ZoneInfo:
    """Return the standard library's reading of a file: a second opinion within its years."""
    return ZoneInfo.from_file(BytesIO(data))


def oracle_offset(zone: ZoneInfo, t: int) -> int:
    """Return the offset, in ms, that the standard library gives at an instant in ms."""
    offset = (EPOCH + timedelta(milliseconds=t)).astimezone(zone).utcoffset()
    assert offset is not None
    return offset // timedelta(milliseconds=1)


def ms(*fields: int) -> int:
    """Return a reading of the clock, or an instant in UTC, in ms; the fields are those of a datetime."""
    moment = datetime(*fields, tzinfo=UTC)  # type: ignore[arg-type, misc]
    return (moment - EPOCH) // timedelta(milliseconds=1)


def onset(at_seconds: int, offset_seconds: int) -> Onset:
    return Onset(at_seconds * 1000, offset_seconds * 1000)
