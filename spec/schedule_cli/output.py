"""What every command's output has in common: exit codes, colour, width and JSON.

Nothing heavy is imported here, so that `--help` and `clauses` start at once.
"""

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from enum import IntEnum
from pathlib import Path
from textwrap import wrap
from typing import Any

import click

WIDEST = 100


class ExitCode(IntEnum):
    """How a command ends; of several inputs the highest of UNJUDGED, VIOLATION, SOUND counts."""

    SOUND = 0
    """Sound, or conformant: everything asked was judged and nothing was found."""

    VIOLATION = 1
    """A clause is violated."""

    USAGE = 2
    """The command line is wrong; nothing was judged."""

    UNJUDGED = 3
    """No judgement was possible: a broken adapter, an unreadable log, or a fault of this program."""

    STALE = 4
    """The ledger of known failures is out of date, and nothing else is wrong."""

    INTERRUPTED = 130
    """Ended from the keyboard (128 + SIGINT)."""

    PIPE_CLOSED = 141
    """The reader of the output went away (128 + SIGPIPE)."""


def colour() -> bool | None:
    """False where the environment wants none (`NO_COLOR`, a dumb terminal), else None: only on terminals."""
    unwanted = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return False if unwanted else None


def width() -> int:
    """The columns to fill: the terminal's, at most 100; 100 where the output is no terminal."""
    return min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST)


def print_json(value: object) -> None:
    """Print one JSON document, in ASCII so that every terminal, pipe and locale carries it whole."""
    click.echo(json.dumps(value, indent=2))


def printable(text: str) -> str:
    """Return the text with everything that is not plainly visible escaped.

    Control characters (so also terminal sequences and line ends), unpaired surrogates, and format characters
    such as those that turn the direction of writing are shown as `\\x1b`, `\\u202e`, …
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def say(text: str = "", **style: Any) -> None:
    """Print one line, with what is not plainly visible escaped; `style` is shown on terminals alone."""
    click.echo(click.style(printable(text), **style) if style else printable(text))


def table(headings: Sequence[str], rows: Sequence[Sequence[str | int]], words: int = 1) -> list[str]:
    """Return a table as lines: the first `words` columns flush left, further texts too, numbers flush right.

    A zero is a dot. No line ends in blanks.
    """
    shown = [[("·" if cell == 0 else str(cell)) for cell in row] for row in rows]
    numeric = [
        place >= words and all(isinstance(row[place], int) for row in rows) for place in range(len(headings))
    ]
    widths = [max(map(len, column)) for column in zip(headings, *shown, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in (headings, *shown)
    ]


def indented(heading: str, text: str, room: int) -> Iterator[str]:
    """Yield a text beside its heading in lines of at most `room` characters, broken between words at best."""
    space = max(room - 10, 20)
    lines = wrap(printable(text), space, break_on_hyphens=False, drop_whitespace=False) or [""]
    for number, line in enumerate(lines):
        yield f"{heading if number == 0 else '':<10}{line}".rstrip()


def put(path: Path, text: str) -> None:
    """Write a file whole or not at all; OSError, naming the file, where it cannot be written.

    What is there stays until all is written. Anything but a plain file, a device say, is written to as it is.
    """
    data = text.encode()
    try:
        if path.is_symlink() or (path.exists() and not path.is_file()):
            path.write_bytes(data)
            return
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            unfinished.write_bytes(data)
            if path.exists():
                shutil.copymode(path, unfinished)
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
    except OSError as problem:
        raise type(problem)(problem.errno, problem.strerror, str(path)) from None


def near(name: str, names: Sequence[str]) -> str:
    """Return ` Did you mean …?` with up to three names that contain this one or are like it, or nothing."""
    from difflib import get_close_matches  # noqa: PLC0415 - only an error needs it

    wanted = name.lower()
    containing = [candidate for candidate in names if len(wanted) > 1 and wanted in candidate]
    found = containing[:3] or get_close_matches(wanted, names)
    return f" Did you mean {' or '.join(found)}?" if found else ""
