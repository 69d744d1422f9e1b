"""Log texts for the tests of the implementation, written by hand or built from a few parts."""

import io
import json
import re
from pathlib import Path
from typing import Any

import zstandard

from schedule_impl.scan import Scan, scan

DATA = Path(__file__).parents[1] / "data"
SESSIONS = DATA / "sessions"
DOCS = Path(__file__).parents[2] / "docs"
HEADER: dict[str, Any] = {"type": "session", "version": 0, "id": "s", "createdAt": 0, "delegationDepth": 0}


def vectors(name: str) -> list[dict[str, Any]]:
    """The reference's answers of one file; its first line tells what the file holds."""
    lines = (DATA / "vectors" / f"{name}.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines[1:] if line]


def create(name: str, kind: str = "at", **members: Any) -> dict[str, Any]:
    """A create of a record that is due at the start of 2030."""
    own = {"at": {}, "after": {"afterSeconds": 60}, "every": {"everySeconds": 300}}[kind]
    record = {"id": name, "kind": kind, "prompt": "p", **own, "scheduledAt": "2030-01-01T00:00:00.000Z"}
    return {"version": 1, "operation": "create", "schedule": {**record, **members}}


def delete(name: str) -> dict[str, Any]:
    return {"version": 1, "operation": "delete", "id": name}


def dispatch(name: str, accepted: str | None = None) -> dict[str, Any]:
    change = {"version": 1, "operation": "dispatch", "id": name}
    return change if accepted is None else {**change, "acceptedAt": accepted}


def line(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def change_line(seq: int, change: object) -> bytes:
    return line({"type": "schedule/change", "seq": seq, "time": 0, "data": change})


def log(*changes: object, **header: object) -> bytes:
    """A plain log of Schedule events alone."""
    return line({**HEADER, **header}) + b"".join(
        change_line(seq, change) for seq, change in enumerate(changes)
    )


def frame(data: bytes, checksum: bool = True) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=checksum).compress(data)


def scanned(data: bytes, profile: str = "v1") -> Scan:
    return scan(io.BytesIO(data), profile=profile)


def stop_of(data: bytes, profile: str = "v1") -> tuple[str, int, int | None]:
    """Kind, line and seq of what stops the scan of a log that is not sound."""
    stop = scanned(data, profile).stop
    assert stop is not None
    return stop.kind, stop.line, stop.seq


def stated(row: str) -> int:
    """The bytes that the documentation's table of bounds gives in the first row that begins so."""
    text = (DOCS / "session-log.md").read_text(encoding="utf-8")
    found = re.search(rf"^\| {re.escape(row)}(?: .*)? \| (\d+) MiB \|$", text, re.MULTILINE)
    assert found is not None
    return int(found[1]) << 20
