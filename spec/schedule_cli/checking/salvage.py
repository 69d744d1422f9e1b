"""The longest prefix of a log that folds, written to a new file.

Never in place, and never over a file that exists: what is damaged stays as it was found.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import zstandard

from schedule_cli.checking import law_scan
from schedule_cli.checking.judging import Outcome, Verdict, fold_stream
from schedule_cli.checking.sources import Source, opened, reason
from schedule_cli.checking.words import printable
from schedule_impl.session_log import LogUnreadable, read_lines
from schedule_spec import numbers
from schedule_spec.profiles import Profile

LISTED = 20
"""How many of the events that are left out are named; the others are only counted."""


@dataclass(frozen=True, slots=True)
class NotSalvaged:
    """Nothing could be salvaged; the message says why. No file is left behind."""

    message: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One complete line that is not in the salvaged log.

    `seq` and `type` are what the line says, None where it does not say them.
    """

    line: int
    seq: int | None
    type: str | None


@dataclass(frozen=True, slots=True)
class Salvage:
    """What was written, and what was not.

    `events` were kept; `count` complete lines were left out, the first of them `left_out`. `unread` says why
    nothing behind them could be read, None where the log was read to its end.
    """

    out: str
    events: int
    count: int
    left_out: tuple[LeftOut, ...]
    unread: str | None


CHANGED = NotSalvaged("what was copied is not what was judged: the log changed in the meantime.")


def salvage(stream: BinaryIO, verdict: Verdict, profile: Profile, out: Path) -> Salvage | NotSalvaged:
    """Write the header and the events before the first that the fold refuses, as they are, to the new `out`.

    What the host shows of delivery is no reason to leave events out: they are state all the same. `stream`
    holds the log that the verdict is about. The file is compressed where its name ends with
    `.zstd`, and is judged again before this returns. Nothing is salvaged where the log has no sound prefix,
    where `out` exists or cannot be written, or where the log changed after it was judged.
    """
    inherited = verdict.seed_length
    if inherited is None or not 0 <= inherited <= verdict.events:
        return NotSalvaged(
            "there is no sound prefix: the header, or what it says was inherited, is unusable."
        )
    try:
        stream.seek(0)
        lines = read_lines(stream)
        _write_new(out, islice(lines, verdict.events + 1))
    except OSError as error:
        return NotSalvaged(f"{printable(str(out))} was not written: {reason(error)}.")
    except LogUnreadable:
        return CHANGED
    if not _folds(out, profile, verdict.events):
        out.unlink()
        return CHANGED
    return _with_the_rest(out, verdict.events, lines)


def _folds(out: Path, profile: Profile, events: int) -> bool:
    with opened(Source(str(out))) as stream:
        again = fold_stream(str(out), stream, profile)
    return again.outcome is Outcome.SOUND and again.events == events


def _with_the_rest(out: Path, events: int, lines: Iterator[bytes]) -> Salvage:
    """Return the answer, after a look at the lines behind the sound prefix."""
    named: list[LeftOut] = []
    count = 0
    unread = None
    try:
        for count, raw in enumerate(lines, start=1):
            if count <= LISTED:
                named.append(_left_out(events + 1 + count, raw))
    except LogUnreadable as error:
        unread = error.message
    return Salvage(str(out), events, count, tuple(named), unread)


def _left_out(line: int, raw: bytes) -> LeftOut:
    event = law_scan.read_json(raw)
    if not isinstance(event, dict):
        return LeftOut(line, None, None)
    kind = event.get("type")
    return LeftOut(line, numbers.safe_integer(event.get("seq")), kind if isinstance(kind, str) else None)


def _write_new(out: Path, lines: Iterator[bytes]) -> None:
    with out.open("xb") as file:
        try:
            _write(file, lines, compressed=out.name.endswith(".zstd"))
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            out.unlink()
            raise
    _sync_folder(out.parent)


def _write(file: BinaryIO, lines: Iterator[bytes], *, compressed: bool) -> None:
    if compressed:
        with zstandard.ZstdCompressor(write_checksum=True).stream_writer(file, closefd=False) as frame:
            _write_lines(frame, lines)
    else:
        _write_lines(file, lines)


def _write_lines(sink: BinaryIO, lines: Iterator[bytes]) -> None:
    for raw in lines:
        sink.write(raw + b"\n")


def _sync_folder(folder: Path) -> None:
    """Make the new name durable, where the system lets a folder be opened."""
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
