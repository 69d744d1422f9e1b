"""How these tests ask the implementation: through the adapter's messages, as a conformance suite does."""

import json
from pathlib import Path
from typing import Any

from schedule_impl.adapter import handle

DATA = Path(__file__).resolve().parents[2] / "data" / "vectors"

BEFORE_ALL = -62_135_596_800_001
"""A clock sample before the first instant, so that no target is past, in ms."""


def vectors(name: str) -> list[dict[str, Any]]:
    """The cases of a file of sample vectors, without its heading."""
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").split("\n")
    cases = [json.loads(line) for line in lines if line]
    assert "comment" in cases[0]
    return cases[1:]


def ask(command: str, **members: Any) -> Any:
    """What a command answers: its result, or the code of its rejection."""
    reply = handle({"seq": 7, "cmd": command, **members})
    assert reply.pop("seq") == 7
    ((kind, answer),) = reply.items()
    assert kind in {"result", "rejected"}, reply
    if kind == "result":
        return answer
    assert answer["message"].isprintable()
    assert len(answer["message"]) < 800
    return answer["code"]


def create(**members: Any) -> Any:
    """The record that `create` makes, or the code of its rejection; id `a`, prompt `p`, before all time."""
    answer = ask("create", **{"id": "a", "prompt": "p", "now": BEFORE_ALL, **members})
    return answer["record"] if isinstance(answer, dict) else answer


def scheduled(at: Any, now: Any = BEFORE_ALL) -> Any:
    """The instant for which `at` schedules, or the code of its rejection."""
    record = create(at=at, now=now)
    return record["scheduledAt"] if isinstance(record, dict) else record


def local(date: Any, time: Any, zone: Any) -> Any:
    """The instant for which a local date and time in a zone schedule, or the code of the rejection."""
    return scheduled({"date": date, "time": time, "time_zone": zone})
