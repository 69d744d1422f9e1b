"""The history of frozen cases: for every id that was ever released, the fingerprint of its answer.

A released answer never changes in silence and a released id never vanishes. The history is a TOML file with a
table for each release; in it each new id with its fingerprint. Lines are only ever added. New cases come in
minor releases alone, so that a release whose last number is not 0 has no table. A case that proves wrong is
withdrawn: the table `withdrawn` gives its id the reason, and the id is never given again.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from schedule_conformance.frozen import vectors
from schedule_conformance.protocol.json_values import unreadable
from schedule_conformance.worlds import traces

WITHDRAWN = "withdrawn"
RELEASE = re.compile(r"[0-9]+\.[0-9]+\.0")
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
FINGERPRINT = re.compile(r"[0-9a-f]{16}")


class BrokenHistoryError(ValueError):
    """A file that is no history; the message says what is wrong, and where."""


@dataclass(frozen=True, slots=True)
class Drift:
    """How the frozen cases differ from their history.

    Ids whose answer changed, that vanished, or that came back though they were withdrawn; and new ids with
    their fingerprints.
    """

    changed: tuple[str, ...]
    vanished: tuple[str, ...]
    returned: tuple[str, ...]
    new: tuple[tuple[str, str], ...]

    def __bool__(self) -> bool:
        """Whether they differ at all."""
        return bool(self.changed or self.vanished or self.returned or self.new)


def fingerprints() -> dict[str, str]:
    """Return the fingerprint of every frozen case by its id, in the order of the ids.

    It covers what is asked, at which level, and what is allowed: not the clauses, flags and notes, which may
    be told better, nor the releases of the zone data, of which more may come. A trace is covered whole.
    """
    return dict(sorted(_fingerprints()))


def _fingerprints() -> Iterator[tuple[str, str]]:
    for _, contents in vectors.files():
        for entry in contents["vectors"]:
            yield entry["id"], _fingerprint([entry["profile"], entry["request"], _allowed(entry["expect"])])
    for trace in traces.frozen():
        kept = traces.as_json(trace)
        yield trace.id, _fingerprint([kept["terms"], kept["steps"]])


def _allowed(expect: Mapping[str, Any]) -> Any:
    """Return what is expected; the order of several codes says nothing."""
    return sorted(expect["rejected"]["codes"]) if "rejected" in expect else expect["result"]


def _fingerprint(value: object) -> str:
    text = json.dumps(value, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class History:
    """The fingerprint of every id that was ever released, and those of them that were withdrawn."""

    released: Mapping[str, str]
    withdrawn: frozenset[str] = frozenset()


def read(file: Path) -> History:
    """Return the history that a file holds.

    BrokenHistoryError where it holds none, OSError where it cannot be read.
    """
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as fault:
        raise BrokenHistoryError(f"no TOML: {unreadable(fault)}") from None
    released: dict[str, str] = {}
    for release, id, fingerprint in _told(tables):
        if release == WITHDRAWN:
            continue
        if not FINGERPRINT.fullmatch(fingerprint):
            raise BrokenHistoryError(f"{release}, {id}: 16 hexadecimal digits in lower case are required")
        if id in released:
            raise BrokenHistoryError(f"{release}, {id}: was released before")
        released[id] = fingerprint
    withdrawn = frozenset(tables.get(WITHDRAWN, {}))
    for id in sorted(withdrawn - released.keys()):
        raise BrokenHistoryError(f"{WITHDRAWN}, {id}: was never released")
    return History(released, withdrawn)


def _told(tables: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield release, id and text of each line."""
    for release, table in tables.items():
        if release != WITHDRAWN and not RELEASE.fullmatch(release):
            raise BrokenHistoryError(f"{release!r} is no minor release: only one such as 1.2.0 has new cases")
        if not isinstance(table, dict):
            raise BrokenHistoryError(f"{release}: a table of ids is required")
        for id, text in table.items():
            if not isinstance(text, str) or not text.strip():
                raise BrokenHistoryError(f"{release}, {id}: a text is required")
            yield release, id, text


def drift(history: History) -> Drift:
    """Return how the frozen cases of the package differ from their history."""
    present, released = fingerprints(), history.released
    return Drift(
        tuple(id for id, known in released.items() if id in present and present[id] != known),
        tuple(id for id in released if id not in present and id not in history.withdrawn),
        tuple(id for id in released if id in present and id in history.withdrawn),
        tuple((id, fingerprint) for id, fingerprint in present.items() if id not in released),
    )


def next_minor(version: str) -> str:
    """Return the release that new cases belong to: a version itself where it is minor, else the next one."""
    major, minor, patch = ([int(part) for part in re.findall(r"[0-9]+", version)[:3]] + [0, 0, 0])[:3]
    return f"{major}.{minor + (patch > 0)}.0"


def lines(new: tuple[tuple[str, str], ...]) -> str:
    """Return the lines that new ids take in the history."""
    return "".join(f'{_key(id)} = "{fingerprint}"\n' for id, fingerprint in new)


def _key(id: str) -> str:
    return id if BARE_KEY.fullmatch(id) else json.dumps(id)
