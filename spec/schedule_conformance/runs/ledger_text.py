"""The text of a ledger's file: where its entries stand, and how it is written anew with its comments kept."""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

FORMAT = "schedule-spec-ledger-1"

HEADER = f'''# Known failures: `schedule-spec verify --ledger FILE` counts them as known, not as failed.
format = "{FORMAT}"
'''

_ENTRY = re.compile(r"\[\[\s*known\s*\]\]\s*(#.*)?\Z")


@dataclass(frozen=True, slots=True)
class Block:
    """An entry to write: its place among the old ones or None, all its members, and those that changed."""

    place: int | None
    members: Mapping[str, Any]
    changed: Mapping[str, Any]


def entry_lines(text: str) -> list[int]:
    """Return the numbers, from 1, of the lines at which entries begin."""
    return [number for number, line in enumerate(text.split("\n"), 1) if _ENTRY.match(line.strip())]


def rewritten(text: str, blocks: Sequence[Block]) -> str:
    """Return the text with these entries in this order; comments stay with the entry that they stand at."""
    header, old = _parts(text)
    shown = [
        _new(block.members) if block.place is None else _changed(old[block.place], block.changed)
        for block in blocks
    ]
    parts = ["\n".join(header).rstrip() or HEADER.rstrip(), *("\n".join(lines).rstrip() for lines in shown)]
    return "\n\n".join(parts) + "\n"


def _parts(text: str) -> tuple[list[str], list[list[str]]]:
    """Return the lines before the first entry, and those of each, with the comments right above it."""
    lines = text.split("\n")
    begins = []
    for number in entry_lines(text):
        begin = number - 1
        while begin > 0 and lines[begin - 1].lstrip().startswith("#"):
            begin -= 1
        begins.append(begin)
    bounds = [*begins, len(lines)]
    return lines[: bounds[0]], [lines[begin:end] for begin, end in pairwise(bounds)]


def _new(members: Mapping[str, Any]) -> list[str]:
    return ["[[known]]", *(_member(key, value) for key, value in members.items())]


def _member(key: str, value: Any) -> str:
    # Strings and arrays of strings in ASCII are spelt alike in JSON and TOML.
    return f"{key} = {json.dumps(value)}"


def _changed(lines: list[str], changed: Mapping[str, Any]) -> list[str]:
    """Return an entry's lines with some members changed; a comment behind a member stays."""
    written = []
    place = 0
    while place < len(lines):
        key = lines[place].partition("=")[0].strip()
        if key not in changed or lines[place].lstrip().startswith("#"):
            written.append(lines[place])
            place += 1
            continue
        end = _end_of_member(lines, place)
        comment = _comment(lines[place]) if end == place + 1 else ""
        written.append(f"{_member(key, changed[key])}{comment}")
        place = end
    return written


def _end_of_member(lines: list[str], begin: int) -> int:
    for end in range(begin + 1, len(lines) + 1):
        if _is_toml("\n".join(lines[begin:end])):
            return end
    return begin + 1


def _comment(line: str) -> str:
    for place in (match.start() for match in re.finditer("#", line)):
        if _is_toml(line[:place]):
            return f"  {line[place:]}"
    return ""


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except ValueError:
        return False
    return True
