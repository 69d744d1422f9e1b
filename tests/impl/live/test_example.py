"""The example agent as a process of its own, killed and started again."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from schedule_impl.scan import scan

AGENT = Path(__file__).parents[3] / "examples" / "agent.py"


@contextmanager
def agent(log: Path) -> Iterator[subprocess.Popen[str]]:
    """The example on a log; it is killed when the block ends."""
    process = subprocess.Popen(
        [sys.executable, str(AGENT), str(log)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def say(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def until(process: subprocess.Popen[str], beginning: str) -> str:
    """The first line that the process shows with this beginning."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(beginning):
            return line.rstrip("\n")
    raise AssertionError(f"no line began with {beginning}")


def test_a_reminder_outlives_the_process_that_was_killed_and_comes_back_as_a_turn(tmp_path: Path) -> None:
    log = tmp_path / "reminders.jsonl"
    with agent(log) as process:
        say(process, "in 1 drink  water")
        created = json.loads(until(process, "{"))
        process.send_signal(signal.SIGKILL)
    assert created["prompt"] == "drink  water"
    with agent(log) as process:
        assert until(process, "reminder_prompt_json") == 'reminder_prompt_json: "drink  water"'
        say(process, "every 299 x")
        assert json.loads(until(process, "{"))["code"] == "frequency_too_high"
        say(process, "list")
        assert json.loads(until(process, "[]")) == []
        say(process, "quit")
        assert process.wait(timeout=30) == 0
    with log.open("rb") as stream:
        report = scan(stream)
    assert (report.stop, report.torn, report.changes, report.active) == (None, None, 2, [])


def ended(log: Path, typed: bytes, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The example on a log, with all that is typed there at once."""
    return subprocess.run(
        [sys.executable, str(AGENT), str(log)],
        input=typed,
        capture_output=True,
        timeout=30,
        check=False,
        env={**os.environ, **environment},
    )


def test_what_the_terminals_encoding_cannot_say_neither_hangs_nor_ends_the_agent(tmp_path: Path) -> None:
    plain = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    log = tmp_path / "reminders.jsonl"
    for _ in range(2):
        done = ended(log, "in 60 \N{HOT BEVERAGE}\nlist\n".encode(), **plain)
        assert (done.returncode, done.stderr) == (0, b"")
    assert len(json.loads(done.stdout.splitlines()[-1])) == 2


def test_over_a_log_that_is_not_sound_the_agent_says_what_to_do(tmp_path: Path) -> None:
    log = tmp_path / "reminders.jsonl"
    ended(log, b"in 60 x\n")
    with log.open("a") as stream:
        stream.write('{"type":"schedule/change","seq":3,"data":{}}\n')
    done = ended(log, b"list\n")
    assert done.returncode == 3
    assert done.stderr.decode().endswith(f"schedule-spec check {log}\n")
    assert b"Traceback" not in done.stderr


def test_what_was_asked_before_the_end_is_still_answered(tmp_path: Path) -> None:
    done = ended(tmp_path / "reminders.jsonl", b"in 60 tea\nlist\ndelete schedule-1\nlist\nquit\n")
    created, listed, deleted, rest = (json.loads(line) for line in done.stdout.splitlines()[-4:])
    assert listed == [created]
    assert deleted == {"id": "schedule-1", "deleted": True}
    assert rest == []
