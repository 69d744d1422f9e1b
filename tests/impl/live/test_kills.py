"""A process on a real file, killed at random moments while reminders are made, deleted and come due."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from schedule_impl.scan import scan

RESTLESS = Path(__file__).parent / "restless_agent.py"
KILLS = 6


def life(log: Path, seconds: float) -> list[list[str]]:
    """What a process told that was killed so long after it was up."""
    with subprocess.Popen([sys.executable, str(RESTLESS), str(log)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        told = [process.stdout.readline()]
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        told += process.stdout.read().splitlines()
    return [json.loads(line) for line in told if line.strip()]


def changes(log: Path) -> list[dict[str, Any]]:
    """The changes that a log holds, a torn end left out; the log must be sound."""
    with log.open("rb") as stream:
        assert scan(stream).stop is None
    lines = log.read_bytes().split(b"\n")[1:-1]
    return [event["data"] for event in map(json.loads, lines) if event["type"] == "schedule/change"]


def test_no_kill_loses_what_was_acknowledged_or_repeats_what_is_durable(tmp_path: Path) -> None:
    log = tmp_path / "s.jsonl"
    moments = random.Random(20260805)
    created: set[str] = set()
    deleted: set[str] = set()
    dispatched: set[str] = set()
    queued: list[str] = []
    for _ in range(KILLS):
        for kind, *words in life(log, moments.uniform(0.0, 1.6)):
            if kind == "queued":
                identity = json.loads(words[0].split("\n")[2].removeprefix("schedule_id_json: "))
                assert identity not in dispatched | deleted, "queued again though that was durable"
                queued.append(identity)
            elif kind in {"created", "deleted"}:
                (created if kind == "created" else deleted).add(words[0])
        held = changes(log)
        assert created <= {change["schedule"]["id"] for change in held if change["operation"] == "create"}
        assert deleted <= {change["id"] for change in held if change["operation"] == "delete"}
        dispatched = {change["id"] for change in held if change["operation"] == "dispatch"}
        assert dispatched <= set(queued)
    assert len(created) > KILLS
    assert queued
