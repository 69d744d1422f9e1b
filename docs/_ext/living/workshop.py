"""The folder in which the pages' commands are run: two session logs, a trace and a broken adapter."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from schedule_conformance.worlds import traces

DRIFTING = '''\
"""Wrong in one place: the next target is counted from the decision, not from the anchor."""

import sys

from schedule_cli.adapter import serve
from schedule_conformance.law.law_adapter import handle
from schedule_spec.instants import LATEST, render


def drifting(request):
    reply = handle(request)
    if request["cmd"] == "advance" and "result" in reply:
        late = int(request["acceptedAt"] + request["record"]["everySeconds"] * 1000)
        if late <= LATEST and "nextScheduledAt" in reply["result"]:
            reply["result"]["nextScheduledAt"] = render(late)
    return reply


serve(drifting, sys.stdin.buffer, sys.stdout.buffer)
'''

TRACE = "world-delete-case-sensitive"
"""The frozen trace that `trace.json` holds."""

START = 1_893_456_000_000


def furnish(folder: Path) -> None:
    """Write the workshop's files into an empty folder."""
    (folder / "drifting.py").write_text(DRIFTING, encoding="utf-8")
    trace = next(each for each in traces.frozen() if each.id == TRACE)
    (folder / "trace.json").write_text(traces.text(trace), encoding="utf-8")
    (folder / "session.jsonl").write_text(_log(_SOUND), encoding="utf-8")
    (folder / "damaged.jsonl").write_text(_log([*_SOUND, *_REUSED]), encoding="utf-8")


def _create(id: str, prompt: str, target: str) -> dict[str, Any]:
    record = {"id": id, "kind": "at", "prompt": prompt, "scheduledAt": target}
    return {"version": 1, "operation": "create", "schedule": record}


_SOUND = (
    _create("tea", "take the tea out", "2030-01-01T00:01:00.000Z"),
    _create("mail", "answer the mail", "2030-01-01T09:00:00.000Z"),
    {"version": 1, "operation": "delete", "id": "tea"},
)
_REUSED = (
    _create("tea", "another tea", "2030-01-01T16:00:00.000Z"),
    {"version": 1, "operation": "delete", "id": "mail"},
)


def _log(changes: Sequence[dict[str, Any]]) -> str:
    header = {"type": "session", "version": 0, "id": "example", "createdAt": START, "delegationDepth": 0}
    events = (
        {"type": "schedule/change", "seq": seq, "time": START + 1000 * seq, "data": data}
        for seq, data in enumerate(changes)
    )
    return "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in (header, *events))
