"""Exchanges of the adapter protocol as the session logs that the reference's host would have written of them.

A follow-up becomes an inbox event, a call and its answer a tool call and its result, a reopening
`session/end-seed`. A crash keeps the events that the exchange says; what the host logged just behind the last
of them is lost with the rest, or, with `lingering`, kept: both are left by a real one.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.world_traces import Exchange

Json = Any


@dataclass(slots=True)
class HostLog:
    """The events of one session; `own` tells of each whether the world's log holds it too."""

    events: list[Json]
    seed: Json
    own: list[bool] = field(default_factory=list)

    def append(self, kind: str, time: int, data: Json, *, own: bool = False) -> None:
        self.events.append({"type": kind, "seq": len(self.events), "time": time, "data": data})
        self.own.append(own)

    def cut(self, keep: int, *, lingering: bool) -> None:
        """Keep so many of the world's events."""
        places = [place for place, own in enumerate(self.own) if own]
        end = places[min(keep, len(places)) - 1] + 1 if keep and places else 0
        if lingering:
            end = places[keep] if keep < len(places) else len(self.own)
        del self.events[end:], self.own[end:]


def host_logs(exchanges: Iterable[Exchange], *, lingering: bool = False) -> dict[str, HostLog]:
    """Return the log of every session of a world, by its name."""
    logs: dict[str, HostLog] = {}
    clock = 0
    for exchange in exchanges:
        request = exchange.request
        name = str(request.get("session", ""))
        clock = request.get("now", clock)
        match request["cmd"]:
            case "open":
                events = list(request.get("events", ()))
                logs[name] = HostLog(events, request.get("seedLength", 0), [True] * len(events))
            case "call":
                arguments = request.get("json", json.dumps(request.get("arguments")))
                data = {"callId": request["callId"], "name": request["tool"], "arguments": arguments}
                logs[name].append("tool/call", clock, data)
            case "append":
                logs[name].append(request["event"]["type"], clock, request["event"].get("data"), own=True)
            case "crash":
                logs[name].cut(request["keep"], lingering=lingering)
            case "reopen":
                logs[name].append("session/end-seed", clock, {})
            case "fork":
                at = request["at"]
                inherited = [e for e, own in zip(logs[name].events, logs[name].own, strict=True) if own][:at]
                logs[request["as"]] = HostLog(inherited, at, [True] * at)
        for observation in exchange.observed:
            _observed(logs[observation.get("session", name)], observation)
        if request["cmd"] == "advance_time":
            clock += request["ms"]
    return logs


def _observed(log: HostLog, observation: Json) -> None:
    match observation:
        case {"followup": text, "at": at}:
            log.append(
                "agent/inbox/spliced", at, {"target": "next-turn", "start": 0, "inserted": [message(text)]}
            )
        case {"append": {"type": kind, "data": data}, "at": at}:
            log.append(kind, at, data, own=True)
        case {"answer": {"callId": call, "value": value}, "at": at}:
            is_error = isinstance(value, dict) and "code" in value and "deleted" not in value
            log.append("tool/result", at, result(call, json.dumps(value), is_error=is_error))
        case {"answer": {"callId": call, "refused": _}, "at": at}:
            log.append("tool/result", at, result(call, "Error: invalid arguments: no", is_error=True))
        case {"answer": {"callId": call}, "at": at}:
            log.append("tool/result", at, result(call, "Error: aborted", is_error=True))


def message(text: str) -> Json:
    """A follow-up as an inbox event inserts it."""
    source = {"kind": "plugin", "plugin": "schedule"}
    return {"content": [{"type": "text", "text": text}], "source": source, "role": "user", "id": "m"}


def result(call: str, text: str, *, is_error: bool) -> Json:
    """The data of a tool result."""
    content = [{"type": "tool-result", "toolCallId": call, "content": [{"type": "text", "text": text}]}]
    content[0]["isError"] = is_error  # type: ignore[assignment]
    return {"message": {"source": {"kind": "tool", "callId": call}, "content": content, "role": "user"}}
