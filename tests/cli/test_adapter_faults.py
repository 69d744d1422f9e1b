"""`verify --sut COMMAND`: each misbehaving adapter ends with its exit code and is told what to do."""

import fcntl
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from schedule_cli.replay import replay
from schedule_cli.verify import verify
from schedule_conformance.frozen.vectors import vectors
from schedule_conformance.law.rulings import Granted
from schedule_conformance.worlds import traces

MISBEHAVING = Path(__file__).parents[1] / "adapters" / "misbehaving"
FRAMING = next(
    vector.id
    for vector in vectors()
    if vector.request["cmd"] == "frame_batch" and isinstance(vector.expected, Granted)
)
LIVE = next(
    trace
    for trace in traces.frozen()
    if any(step.request["cmd"] == "advance_time" and step.request["ms"] > 1 for step in trace.steps)
)
ABSOLUTE = next(
    vector.id
    for vector in vectors()
    if "at" in vector.request and isinstance(vector.expected, Granted) and not vector.releases
)
REFUSED = next(
    vector.id
    for vector in vectors()
    if vector.request["cmd"] == "decode"
    and not isinstance(vector.expected, Granted)
    and not vector.needs_surrogates
)


def command(name: str) -> str:
    return shlex.join([sys.executable, str(MISBEHAVING), name])


def verified(name: str, *arguments: str) -> Result:
    return CliRunner().invoke(verify, ["--sut", command(name), "--profile", "quick", *arguments])


FAULTS = (
    ("rightly", FRAMING, 0, "Conformant"),
    ("slowly", FRAMING, 0, "Conformant"),
    ("loudly", FRAMING, 0, "Conformant"),
    ("claims-three", REFUSED, 0, "Conformant"),
    ("leaves-a-child", FRAMING, 0, "Conformant"),
    ("twice-on-frame", FRAMING, 0, "Conformant"),
    ("claims-no-fold", REFUSED, 1, "lacks the core feature fold"),
    ("dies-on-frame", FRAMING, 1, "(ended)"),
    ("exits-silently-on-frame", FRAMING, 1, "(ended)"),
    ("killed-on-frame", FRAMING, 1, "SIGKILL"),
    ("hangs-on-frame", FRAMING, 1, "(late)"),
    ("no-newline-on-frame", FRAMING, 1, "(late)"),
    ("garbage-on-frame", FRAMING, 1, "(garbage)"),
    ("endless-line-on-frame", FRAMING, 1, "(garbage)"),
    ("invalid-utf-8-on-frame", FRAMING, 1, "(garbage)"),
    ("next-number-on-frame", FRAMING, 1, "(out-of-order)"),
    ("closes-output-on-frame", FRAMING, 1, "(closed)"),
    ("wrong-types-on-frame", FRAMING, 1, "(malformed)"),
    ("number-as-text-on-frame", FRAMING, 1, "(malformed)"),
    ("unsupported-at", ABSOLUTE, 1, "(absent)"),
    ("unsupported-frame", FRAMING, 1, "(absent)"),
    ("rejects-by-crashing", REFUSED, 1, "(ended)"),
    ("rejects-by-error", REFUSED, 1, "(error)"),
    ("dies-on-advance-time", LIVE.id, 1, "no such table: reminders"),
)


@pytest.mark.parametrize(("name", "case", "status", "words"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_a_fault_of_the_implementation_is_a_violation(name: str, case: str, status: int, words: str) -> None:
    result = verified(name, "--only-case", case, "--timeout", "3")
    assert result.exit_code == status, result.output
    assert words in " ".join(result.stdout.split())


UNSANE = (
    ("dies-on-hello", "cannot open libschedule.so"),
    ("hangs-on-hello", "No reply came within 1.5 s"),
    ("debugging", "write everything else to standard error"),
    ("says-its-process", "has to be the same in every process"),
    ("ends-with-2", "the process ends by itself with status 0"),
    ("heeds-no-signal", "the process ends by itself with status 0"),
)


@pytest.mark.parametrize(("name", "words"), UNSANE, ids=[fault[0] for fault in UNSANE])
def test_a_fault_of_the_adapter_is_no_verdict(name: str, words: str) -> None:
    timeout = "0.5" if name == "hangs-on-hello" else "2"
    result = verified(name, "--timeout", timeout)
    assert result.exit_code == 3, result.output
    told = " ".join(result.stderr.split())
    assert "the adapter is broken" in told
    assert words in told


def test_an_adapter_that_hangs_does_not_take_for_ever() -> None:
    result = verified("hangs-on-frame", "--only", "frame.batch", "--timeout", "2")
    assert result.exit_code == 1
    assert "3 replies were late, 2 s each, so no more was asked" in " ".join(result.stdout.split())


def test_replay_asks_a_process_too(tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    file.write_text(traces.text(LIVE), encoding="ascii")
    result = CliRunner().invoke(replay, [str(file), "--sut", command("rightly")])
    assert result.exit_code == 0, result.output
    result = CliRunner().invoke(replay, [str(file), "--sut", command("dies-on-advance-time")])
    assert result.exit_code == 1, result.output
    assert "no such table: reminders" in result.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("bundeld", "Did you mean bundled?"),
        ("/nowhere/adapter --fast", "neither bundled nor law, and no command that is found here"),
        ("adapter 'x", "cannot be split into words"),
        ("", "the command is empty"),
    ],
)
def test_a_command_that_is_none_is_wrong_usage(words: str, told: str) -> None:
    result = CliRunner().invoke(verify, ["--sut", words])
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.replace("│", "").split())


def test_a_file_that_cannot_be_run_is_no_verdict(tmp_path: Path) -> None:
    script = tmp_path / "adapter.py"
    script.write_text("print()\n", encoding="ascii")
    result = CliRunner().invoke(verify, ["--sut", str(script)])
    assert result.exit_code == 3
    assert "give an interpreter before a script" in " ".join(result.stderr.split())


@pytest.mark.parametrize("timeout", ["0", "-1", "soon", "nan", "inf"])
def test_a_timeout_is_some_time(timeout: str) -> None:
    result = CliRunner().invoke(verify, ["--sut", "law", "--timeout", timeout])
    assert result.exit_code == 2
    assert "--timeout" in result.stderr


@pytest.fixture(params=[signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def number(request: pytest.FixtureRequest) -> Iterator[signal.Signals]:
    """A signal that a command heeds, even where these tests are told to ignore it, as `nohup` does."""
    number: signal.Signals = request.param
    before = signal.getsignal(number)
    if before is signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)
    yield number
    signal.signal(number, before)


def locking(note: Path) -> str:
    """Return the command of an adapter that locks a file, says so in it, and never answers."""
    program = (
        f"import fcntl, time; held = open({str(note)!r}, 'w'); fcntl.flock(held, fcntl.LOCK_EX); "
        "held.write('.'); held.flush(); time.sleep(600)"
    )
    return shlex.join([sys.executable, "-c", program])


def test_a_run_that_is_told_to_end_leaves_no_process(number: signal.Signals, tmp_path: Path) -> None:
    note = tmp_path / "held"
    run = [sys.executable, "-m", "schedule_cli", "verify", "--sut", locking(note), "--timeout", "300"]
    with subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        while not (note.exists() and note.read_text() == "."):
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(number)
        try:
            _, told = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == (130 if number is signal.SIGINT else -number)
    assert b"Traceback" not in told
    assert _is_let_go(note)


def test_a_run_that_is_told_to_end_while_it_starts_a_process_leaves_none(
    number: signal.Signals, tmp_path: Path
) -> None:
    note = tmp_path / "held"
    program = f"""
import signal, subprocess, time
from pathlib import Path
from schedule_cli.__main__ import main

class Disturbed(subprocess.Popen):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        note = Path({str(note)!r})
        while not (note.exists() and note.read_text() == "."):
            time.sleep(0.02)
        signal.raise_signal({int(number)})

subprocess.Popen = Disturbed
main(["verify", "--sut", {locking(note)!r}, "--timeout", "300"])
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=120, check=False)
    assert run.returncode == (130 if number is signal.SIGINT else -number)
    assert b"Traceback" not in run.stderr
    assert _is_let_go(note)


def _is_let_go(note: Path) -> bool:
    """Tell whether the process that holds a file's lock ends: on a busy machine that takes its time.

    Its number would not tell: another process may have it by then.
    """
    with note.open() as file:
        for _ in range(1500):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.02)
            else:
                return True
    return False


@pytest.mark.parametrize("served", ["bundled", "law"])
def test_what_is_served_over_streams_answers_as_in_this_process(served: str) -> None:
    first: dict[str, str] = {}
    for vector in vectors():
        first.setdefault(vector.request["cmd"], vector.id)
    cases = [argument for case in (*first.values(), LIVE.id) for argument in ("--only-case", case)]
    sut = shlex.join([sys.executable, "-m", "schedule_cli", "adapter", "--sut", served])
    result = CliRunner().invoke(verify, ["--sut", sut, *cases])
    assert result.exit_code == 0, result.output
