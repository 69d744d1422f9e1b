"""The set of frozen cases as files for whoever uses them without this package: reproducible to the byte.

Vectors, traces, their schemas, a page that tells how to use them, and an index with the suite's version, the
counts, and the SHA-256 of each file. Reads package data; writes only where it is told to.
"""

import json
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

from schedule_conformance.frozen import vectors
from schedule_conformance.law.law_adapter import suite_version
from schedule_conformance.protocol.messages import PROTOCOL
from schedule_conformance.worlds import traces

INDEX = "index.json"
SCHEMAS = ("values", "envelope", "hello", "pure", "observation", "world", "vectors", "trace")
"""The schemas of the files of the set, and of the messages that the cases are made of."""
INDEX_SCHEMA = f"{vectors.SCHEMA}#/$defs/index"


class StrangeFilesError(ValueError):
    """A folder that a set was to be written to holds something else; the message names it."""


def published() -> dict[str, bytes]:
    """Return the files of the set by their paths in it, in the order of the paths; the index is the last."""
    files = {path: contents for path, contents, _ in _parts()}
    return {**files, INDEX: _text(index())}


def index() -> dict[str, Any]:
    """Return what the index says of the other files."""
    files = [
        {"path": path, **told, "sha256": sha256(contents).hexdigest()} for path, contents, told in _parts()
    ]
    return {
        "schema": INDEX_SCHEMA,
        "suite": suite_version(),
        "protocol": PROTOCOL,
        "counts": {"vectors": len(vectors.vectors()), "traces": len(traces.frozen())},
        "files": files,
    }


def _parts() -> list[tuple[str, bytes, dict[str, Any]]]:
    """Return path and contents of each file but the index, and what the index says of it beside its hash."""
    package = resources.files("schedule_conformance")
    parts: list[tuple[str, bytes, dict[str, Any]]] = [
        ("readme.md", (vectors.folder() / "readme.md").read_bytes(), {})
    ]
    parts += [
        (f"schemas/{subject}.json", (package / "schemas" / f"{subject}.json").read_bytes(), {})
        for subject in SCHEMAS
    ]
    for name, contents in vectors.files():
        told = {
            "schema": vectors.SCHEMA,
            "area": contents["area"],
            "cases": len(contents["vectors"]),
        }
        parts.append((f"vectors/{name}", (vectors.folder() / name).read_bytes(), told))
    for name, kept in traces.files():
        told = {"schema": f"{traces.SCHEMA}#/$defs/traces", "cases": len(kept)}
        parts.append((f"worlds/{name}", (traces.folder() / name).read_bytes(), told))
    return sorted(parts, key=lambda part: part[0])


def _text(value: object) -> bytes:
    return (json.dumps(value, indent=1) + "\n").encode()


def write(folder: Path) -> dict[str, bytes]:
    """Write the set to a folder, which is made where there is none, and return it.

    StrangeFilesError where it holds a file that is none of the set; OSError where it cannot be written.
    """
    files = published()
    present = sorted(path for path in folder.rglob("*") if not path.is_dir()) if folder.exists() else []
    strange = [path for path in present if path.relative_to(folder).as_posix() not in files]
    if strange:
        raise StrangeFilesError(
            f"{folder} holds {strange[0].relative_to(folder)}, which is no file of the set"
        )
    for path, contents in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(contents)
    return files
