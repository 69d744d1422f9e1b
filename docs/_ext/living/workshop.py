"""The folder in which the pages' commands are run: session logs, a trace and broken adapters."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from schedule_cli.explaining.json_layout import in_usual_order
from schedule_cli.explaining.playing import exchanges
from schedule_conformance.worlds import traces
from schedule_conformance.worlds.world import observed

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

HASTY = '''\
"""Wrong in one place: what is due is dispatched before it is queued, and not after."""

import sys

from schedule_cli.adapter import serve
from schedule_conformance.law.law_adapter import handle


def hasty(request):
    reply = handle(request)
    seen = reply.get("result", {}).get("observed", [])
    for place, (first, second) in enumerate(zip(seen, seen[1:])):
        if "followup" in first and "append" in second:
            seen[place : place + 2] = second, first
    return reply


serve(hasty, sys.stdin.buffer, sys.stdout.buffer)
'''

TRACE = "world-delete-case-sensitive"
"""The frozen trace that `trace.json` holds."""

START = 1_893_456_000_000


def furnish(folder: Path) -> None:
    """Write the workshop's files into an empty folder."""
    (folder / "drifting.py").write_text(DRIFTING, encoding="utf-8")
    (folder / "hasty.py").write_text(HASTY, encoding="utf-8")
    trace = next(each for each in traces.frozen() if each.id == TRACE)
    (folder / "trace.json").write_text(traces.text(trace), encoding="utf-8")
    (folder / "interval.jsonl").write_text(_interval(), encoding="utf-8")
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


_LIFE: tuple[dict[str, Any], ...] = (
    {"cmd": "open", "session": "s", "now": START},
    {
        "cmd": "call",
        "session": "s",
        "callId": "c1",
        "tool": "schedule_create",
        "arguments": {"prompt": "poll the build", "every_seconds": 300},
    },
    {"cmd": "advance_time", "ms": 300_000},
    {"cmd": "busy", "session": "s", "on": True},
    {"cmd": "advance_time", "ms": 720_000},
    {"cmd": "busy", "session": "s", "on": False},
    {"cmd": "advance_time", "ms": 60_000},
    {"cmd": "call", "session": "s", "callId": "c2", "tool": "schedule_delete", "arguments": {"id": "r1"}},
)
"""An interval is created, delivered in time and then late, and deleted."""


@cache
def _interval() -> str:
    """Return what the law appends in `_LIFE`, as a session's log."""
    seen = (each for exchange in exchanges(_LIFE) for each in observed(exchange.reply))
    return _lines((each["at"], in_usual_order(each["append"]["data"])) for each in seen if "append" in each)


def _log(changes: Iterable[dict[str, Any]]) -> str:
    return _lines((START + 1000 * seq, data) for seq, data in enumerate(changes))


def _lines(appended: Iterable[tuple[int, object]]) -> str:
    """Return a session's log of changes, each with the time in ms at which it was appended."""
    header = {"type": "session", "version": 0, "id": "example", "createdAt": START, "delegationDepth": 0}
    events = (
        {"type": "schedule/change", "seq": seq, "time": time, "data": data}
        for seq, (time, data) in enumerate(appended)
    )
    return "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in (header, *events))
