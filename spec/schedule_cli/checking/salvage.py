"""The longest prefix of a log that folds, written to a new file.

Never in place, and never over a file that exists: what is damaged stays as it was found. The file gets its
name only when it is whole, synced and judged sound, so that no ending leaves half of one under that name.
"""

import os
import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import zstandard

from schedule_cli.checking import law_scan
from schedule_cli.checking.judging import Outcome, Verdict, fold_stream
from schedule_cli.checking.sources import COMPRESSED, Source, opened, reason
from schedule_cli.output import printable
from schedule_impl.session_log import LogUnreadable, read_lines
from schedule_spec import numbers
from schedule_spec.fold import EVENT_TYPE
from schedule_spec.json_text import Json
from schedule_spec.profiles import Profile

LISTED = 20
"""How many of the schedule changes that are left out are named; the others are only counted."""
TYPES = 20
"""How many other types are told apart among what is left out."""
OTHER_TYPES = "(any other)"
"""What stands for the types beyond those."""
TYPE_LENGTH = 200
"""Characters of a type that are kept."""
FRAME = 4 << 20
"""Bytes that a frame of a compressed file holds at most: far below what any reader bounds a frame to."""


@dataclass(frozen=True, slots=True)
class NotSalvaged:
    """Nothing could be salvaged; the message says why. No file is left behind."""

    message: str


@dataclass(frozen=True, slots=True)
class Change:
    """A schedule change that is not in the salvaged log.

    Beside `line` all is what the line seems to say, None where it does not say it: it was not judged.
    """

    line: int
    seq: int | None
    operation: str | None
    id: str | None
    kind: str | None
    prompt: str | None


@dataclass(frozen=True, slots=True)
class Salvage:
    """What was written, and what was not.

    `events` were kept. `unsynced` says why the folder could not be synced, None where it was. `count`
    complete lines were left out: `change_count` schedule changes, the first of them `changes`, and `others`,
    counted by type, None for what is no event with a type. `unread` says why nothing behind them could be
    read, None where the log was read to its end.
    """

    out: str
    events: int
    unsynced: str | None
    count: int
    change_count: int
    changes: tuple[Change, ...]
    others: tuple[tuple[str | None, int], ...]
    unread: str | None


def has_sound_prefix(verdict: Verdict) -> bool:
    """Tell whether the header, and what it says was inherited, can be used."""
    inherited = verdict.seed_length
    return inherited is not None and 0 <= inherited <= verdict.events


CHANGED = NotSalvaged("what was copied is not what was judged: the log changed in the meantime.")


def salvage(stream: BinaryIO, verdict: Verdict, profile: Profile, out: Path) -> Salvage | NotSalvaged:
    """Write the header and the events before the first that the fold refuses, as they are, to the new `out`.

    What the host shows of delivery is no reason to leave events out: they are state all the same. `stream`
    holds the log that the verdict is about. The file is compressed where its name ends as in COMPRESSED, and
    is folded again before it gets its name. Nothing is salvaged where the log has no sound prefix, where
    `out` exists or cannot be written, or where the log changed after it was judged.
    """
    if not has_sound_prefix(verdict):
        return NotSalvaged(
            "there is no sound prefix: the header, or what it says was inherited, is unusable."
        )
    draft = out.with_name(f".schedule-spec-{secrets.token_hex(8)}.tmp")
    try:
        stream.seek(0)
        lines = read_lines(stream)
        _write_new(draft, islice(lines, verdict.events + 1), compressed=out.name.endswith(COMPRESSED))
        if not _folds(draft, profile, verdict.events):
            return CHANGED
        # Unlike a renaming, this never takes the place of a file that has come up meanwhile.
        os.link(draft, out)
    except OSError as error:
        return NotSalvaged(f"{printable(str(out))} was not written: {reason(error)}.")
    except LogUnreadable:
        return CHANGED
    finally:
        with suppress(OSError):
            draft.unlink()
    return _with_the_rest(out, verdict.events, _sync_folder(out.parent), lines)


def _folds(draft: Path, profile: Profile, events: int) -> bool:
    with opened(Source(str(draft))) as stream:
        again = fold_stream(str(draft), stream, profile)
    return again.outcome is Outcome.SOUND and again.events == events


def _with_the_rest(out: Path, events: int, unsynced: str | None, lines: Iterator[bytes]) -> Salvage:
    """Return the answer, after a look at the lines behind the sound prefix."""
    changes: list[Change] = []
    change_count = 0
    others: Counter[str | None] = Counter()
    unread = None
    try:
        for line, raw in enumerate(lines, start=events + 2):
            event = law_scan.leniently(raw)
            kind = _type(event)
            if kind == EVENT_TYPE:
                change_count += 1
                if len(changes) < LISTED:
                    changes.append(_change(line, event))
            else:
                others[kind if kind in others or len(others) < TYPES else OTHER_TYPES] += 1
    except LogUnreadable as error:
        unread = error.message
    except OSError as error:
        unread = reason(error)
    return Salvage(
        out=str(out),
        events=events,
        unsynced=unsynced,
        count=change_count + others.total(),
        change_count=change_count,
        changes=tuple(changes),
        others=tuple(others.most_common()),
        unread=unread,
    )


def _type(event: Json) -> str | None:
    match event:
        case {"type": str(kind)}:
            return kind[:TYPE_LENGTH]
        case _:
            return None


def _change(line: int, event: Json) -> Change:
    members = _object(event)
    data = _object(members.get("data"))
    schedule = _object(data.get("schedule"))
    return Change(
        line=line,
        seq=numbers.safe_integer(members.get("seq")),
        operation=_text(data.get("operation")),
        id=_text(schedule.get("id", data.get("id"))),
        kind=_text(schedule.get("kind")),
        prompt=_text(schedule.get("prompt")),
    )


def _object(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def _write_new(draft: Path, lines: Iterator[bytes], *, compressed: bool) -> None:
    with draft.open("xb") as file:
        for piece in _pieces(lines):
            file.write(zstandard.ZstdCompressor(write_checksum=True).compress(piece) if compressed else piece)
        file.flush()
        os.fsync(file.fileno())


def _pieces(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines, ended, as pieces of at most FRAME bytes; only a line longer than that is cut."""
    piece = bytearray()
    for raw in lines:
        if piece and len(piece) + len(raw) >= FRAME:
            yield bytes(piece)
            piece.clear()
        piece += raw + b"\n"
        while len(piece) > FRAME:
            yield bytes(piece[:FRAME])
            del piece[:FRAME]
    if piece:
        yield bytes(piece)


def _sync_folder(folder: Path) -> str | None:
    """Make the new name durable; return why it could not be, None where it was or no system call does it."""
    if not hasattr(os, "O_DIRECTORY"):
        return None
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        return reason(error)
    return None
