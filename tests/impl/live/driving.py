"""A world driven by the commands of the adapter protocol, as a suite drives it."""

from collections.abc import Sequence
from typing import Any

from schedule_impl.adapter import handle

Observation = dict[str, Any]

START = 1_785_931_200_000
"""2026-08-05T12:00:00.000Z in ms."""
MINUTE = 60_000


class Driver:
    """One session `s` in a new world; each method is a command, and gives what was observed."""

    def __init__(self, session: str = "s") -> None:
        self.session = session
        self.calls = 0
        self.tools: list[str] = []
        handle({"seq": 0, "cmd": "hello", "protocol": 1, "suite": "0"})

    def ask(self, command: str, **members: Any) -> dict[str, Any]:
        """The result of a command for the session, or for the one that the members name."""
        reply = handle({"seq": 1, "cmd": command, "session": self.session, **members})
        assert "result" in reply, reply
        result: dict[str, Any] = reply["result"]
        return result

    def do(self, command: str, **members: Any) -> list[Observation]:
        observed: list[Observation] = self.ask(command, **members)["observed"]
        return observed

    def open(self, *changes: dict[str, Any], now: int = START, **members: Any) -> list[Observation]:
        events = [{"type": "schedule/change", "data": change} for change in changes]
        result = self.ask("open", now=now, events=events, **members)
        self.tools = result["tools"]
        return list(result["observed"])

    def call(self, tool: str, **arguments: Any) -> list[Observation]:
        return self.call_with(tool, arguments)

    def call_with(self, tool: str, arguments: object) -> list[Observation]:
        """Start a call; its id is `c1` for the first, and so on."""
        self.calls += 1
        return self.do("call", callId=f"c{self.calls}", tool=f"schedule_{tool}", arguments=arguments)

    def value(self, tool: str, **arguments: Any) -> Any:
        """The value in which a call ends at once."""
        return only("answer", self.call(tool, **arguments))["value"]

    def log(self) -> list[dict[str, Any]]:
        """The changes in the log."""
        events = self.ask("log")["events"]
        return [event["data"] for event in events if event["type"] == "schedule/change"]


def all_of(kind: str, observed: list[Observation]) -> list[Any]:
    """The contents of all observations of a kind."""
    return [observation[kind] for observation in observed if kind in observation]


def only(kind: str, observed: list[Observation]) -> Any:
    """The content of the one observation of a kind."""
    (found,) = all_of(kind, observed)
    return found


def kinds(observed: Sequence[Observation]) -> list[str]:
    """What was observed, in order: the kind, with the content where that is a word."""
    told = []
    for observation in observed:
        ((kind, content),) = ((k, v) for k, v in observation.items() if k not in {"at", "session"})
        short = (
            content
            if kind in {"barrier", "claim"}
            else content["data"]["operation"]
            if kind == "append"
            else ""
        )
        told.append(f"{kind} {short}".strip())
    return told


def after(name: str, scheduled_at: str, seconds: int = 60, prompt: str = "p") -> dict[str, Any]:
    """A create of an after record."""
    record = {"id": name, "kind": "after", "prompt": prompt, "afterSeconds": seconds}
    return {"version": 1, "operation": "create", "schedule": {**record, "scheduledAt": scheduled_at}}


def every(name: str, scheduled_at: str, seconds: int = 300, prompt: str = "p") -> dict[str, Any]:
    """A create of an every record."""
    record = {"id": name, "kind": "every", "prompt": prompt, "everySeconds": seconds}
    return {"version": 1, "operation": "create", "schedule": {**record, "scheduledAt": scheduled_at}}
