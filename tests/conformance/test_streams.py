"""Child processes as systems: each way to misbehave is told apart, contained, and says what to do."""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from schedule_conformance.adapters.streams import ChildProcess, Limits
from schedule_conformance.protocol.systems import Breakdown, GivenUpError, Trouble

MISBEHAVING = Path(__file__).parents[1] / "adapters" / "misbehaving"
HELLO = {"seq": 0, "cmd": "hello", "protocol": 1, "suite": "0"}
FOLD: dict[str, Any] = {"seq": 1, "cmd": "fold", "events": []}
EMPTY = {"seq": 1, "result": {"active": [], "seen": []}}
FRAME: dict[str, Any] = {"seq": 5, "cmd": "frame_batch", "reminders": []}
PATIENT = Limits(reply=20)
HASTY = Limits(reply=1.5)
AT_ONCE = Limits(reply=0.2)
"""For what never replies; where a reply is to come, the machine may be slow."""


def command(name: str) -> str:
    return shlex.join([sys.executable, str(MISBEHAVING), name])


def script(text: str) -> str:
    return shlex.join([sys.executable, "-c", text])


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z" if Path("/proc/self").exists() else True


def assert_gone(processes: list[int]) -> None:
    """Who was killed may take a moment to go."""
    deadline = time.monotonic() + 20
    while any(map(is_running, processes)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(is_running, processes))


def test_replies_come_under_the_numbers_of_their_requests() -> None:
    with ChildProcess(command("rightly"), PATIENT) as process:
        for number in (9, 9, 3):
            assert process.ask({**FOLD, "seq": number}) == {**EMPTY, "seq": number}


KINDS = (
    (
        "dies-on-frame",
        PATIENT,
        Trouble.ENDED,
        ("status 1", "no such table: reminders", "answer with `error`"),
    ),
    ("exits-silently-on-frame", PATIENT, Trouble.ENDED, ("status 1", "wrote nothing to standard error")),
    ("killed-on-frame", PATIENT, Trouble.ENDED, ("signal 9 (SIGKILL)",)),
    ("begins-a-line-on-frame", PATIENT, Trouble.ENDED, ("the beginning of a line",)),
    ("leaves-a-child-and-dies-on-frame", PATIENT, Trouble.ENDED, ("status 1",)),
    ("hangs-on-frame", HASTY, Trouble.LATE, ("within 1.5 s", "--timeout", "Flush")),
    ("no-newline-on-frame", HASTY, Trouble.LATE, ("with the newline",)),
    ("garbage-on-frame", PATIENT, Trouble.GARBAGE, ("no JSON", "Segmentation fault", "standard error")),
    ("invalid-utf-8-on-frame", PATIENT, Trouble.GARBAGE, ("no UTF-8 at byte 27", "\\\\xff")),
    ("nan-on-frame", PATIENT, Trouble.GARBAGE, ("NaN is no number",)),
    ("list-on-frame", PATIENT, Trouble.GARBAGE, ("no JSON object",)),
    ("deep-on-frame", PATIENT, Trouble.GARBAGE, ("nested too deep",)),
    ("terminal-sequence-on-frame", PATIENT, Trouble.GARBAGE, ("\\u001b[2J",)),
    ("debugging-on-frame", PATIENT, Trouble.GARBAGE, ("handling frame_batch", "write everything else")),
    ("next-number-on-frame", PATIENT, Trouble.OUT_OF_ORDER, ("answers request 3, and request 2 was asked",)),
    ("closes-output-on-frame", PATIENT, Trouble.CLOSED, ("runs on",)),
)


@pytest.mark.parametrize(("name", "limits", "trouble", "words"), KINDS, ids=[kind[0] for kind in KINDS])
def test_each_fault_is_told_apart_and_costs_its_case_alone(
    name: str, limits: Limits, trouble: Trouble, words: tuple[str, ...]
) -> None:
    with ChildProcess(command(name), limits) as process:
        assert "result" in str(process.ask(HELLO))
        assert process.ask(FOLD) == EMPTY
        answer = process.ask(FRAME)
        assert isinstance(answer, Breakdown)
        assert answer.trouble is trouble
        for word in words:
            assert word in answer.sentence
        assert answer.sentence.replace("…", "").isascii()
        assert answer.sentence.isprintable()
        assert process.ask(FOLD) == EMPTY


def test_a_line_without_end_is_cut_off_and_does_not_fill_the_memory() -> None:
    with ChildProcess(command("endless-line-on-frame"), Limits(reply=20, line=1_000_000)) as process:
        answer = process.ask(FRAME)
        assert isinstance(answer, Breakdown)
        assert answer.trouble is Trouble.GARBAGE
        assert "more than 1000000 bytes" in answer.sentence
        assert len(answer.sentence) < 2_000


def test_lines_that_nobody_asked_for_do_not_fill_the_memory(tmp_path: Path) -> None:
    done = tmp_path / "done"
    flood = f"""
import pathlib
for _ in range(3_000): print('{{"seq":0}}' + 10_000 * ' ')
pathlib.Path({str(done)!r}).touch()
"""
    with ChildProcess(script(flood), PATIENT) as process:
        assert process.ask(FOLD) == {"seq": 1}
        time.sleep(0.5)
        assert not done.exists(), "30 MB were read ahead"


def test_a_second_reply_is_no_reply_to_the_next_request() -> None:
    with ChildProcess(command("twice-on-frame"), PATIENT) as process:
        assert "rejected" in str(process.ask(FRAME))
        answer = process.ask(FOLD)
        assert isinstance(answer, Breakdown)
        assert answer.trouble is Trouble.OUT_OF_ORDER
        assert "answers request 0, and request 1 was asked" in answer.sentence
        assert process.ask(FOLD) == EMPTY


def test_a_number_of_another_type_is_left_to_the_schema() -> None:
    with ChildProcess(command("number-as-text-on-frame"), PATIENT) as process:
        answer = process.ask(FRAME)
        assert isinstance(answer, dict)
        assert answer["seq"] == "0"


def test_a_process_that_does_not_read_cannot_block_the_run() -> None:
    text = "x" * 3_000_000
    with ChildProcess(script("import time; time.sleep(60)"), AT_ONCE) as process:
        answer = process.ask({"seq": 1, "cmd": "decode", "json": text})
        assert isinstance(answer, Breakdown)
        assert answer.trouble is Trouble.LATE
        assert "not even read the whole request" in answer.sentence


def test_a_process_that_closes_its_input_is_told_so() -> None:
    with ChildProcess(
        script("import os, time; os.close(0); print('{}', flush=True); time.sleep(60)"), HASTY
    ) as process:
        process.write(b"", 1)
        answer = process.ask(FOLD)
        assert isinstance(answer, Breakdown)
        assert answer.trouble is Trouble.LATE
        assert "closed its standard input" in answer.sentence


def test_long_requests_and_replies_pass() -> None:
    change = {
        "version": 1,
        "operation": "create",
        "schedule": {
            "id": "a",
            "kind": "at",
            "prompt": "\ud83d" + "x" * 2_000_000,
            "scheduledAt": "2030-01-01T00:00:00.000Z",
        },
    }
    with ChildProcess(command("rightly"), PATIENT) as process:
        for _ in range(3):
            assert process.ask({"seq": 4, "cmd": "decode", "change": change}) == {
                "seq": 4,
                "result": {"change": change},
            }


def test_chatter_on_standard_error_blocks_nobody_and_is_not_kept() -> None:
    with ChildProcess(command("loudly"), PATIENT) as process:
        for _ in range(20):
            assert "rejected" in str(process.ask(FRAME))


def test_a_hello_that_changes_is_a_fault_of_the_process_that_changed() -> None:
    with ChildProcess(command("says-its-process"), PATIENT) as process:
        assert process.ask(HELLO) == process.ask(HELLO)
        process.close()
        answer = process.ask(FOLD)
        assert isinstance(answer, Breakdown)
        assert answer.trouble is Trouble.CHANGED
        assert "has to be the same" in answer.sentence


@pytest.mark.parametrize("words", ["/nowhere/adapter", "/"])
def test_what_cannot_be_started_says_so(words: str) -> None:
    with ChildProcess(words) as process:
        answer = process.ask(FOLD)
        assert isinstance(answer, Breakdown)
        assert answer.trouble is Trouble.NOT_STARTED
        assert words in answer.sentence
        assert "without a shell" in answer.sentence


@pytest.mark.parametrize("words", ["", "  ", "adapter 'x"])
def test_a_command_is_split_as_a_shell_would(words: str) -> None:
    with pytest.raises(ValueError, match=r"empty|quotation"):
        ChildProcess(words)


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    seen = script("import sys; print(sys.argv[1:], file=sys.stderr)") + f" '$HOME' '*' '>' {tmp_path / 'x'}"
    with ChildProcess(seen, PATIENT) as process:
        answer = process.ask(FOLD)
        assert isinstance(answer, Breakdown)
        assert "['$HOME', '*', '>', " in answer.sentence
    assert not (tmp_path / "x").exists()


def test_late_replies_are_few_and_then_the_run_ends() -> None:
    with ChildProcess(command("hangs-on-frame"), Limits(reply=0.2, late=2)) as process:
        troubles = [
            answer.trouble
            for answer in (process.ask(FRAME), process.ask(FRAME))
            if isinstance(answer, Breakdown)
        ]
        assert troubles == [Trouble.LATE, Trouble.LATE]
        for _ in range(2):
            with pytest.raises(GivenUpError, match="2 replies were late"):
                process.ask(FOLD)


def test_breakdowns_are_bounded_too() -> None:
    with ChildProcess(command("dies-on-frame"), Limits(reply=20, breakdowns=2)) as process:
        for _ in range(2):
            assert isinstance(process.ask(FRAME), Breakdown)
        with pytest.raises(GivenUpError, match=r"broke down 2 times.*no such table"):
            process.ask(FOLD)


def test_giving_up_is_nothing_that_an_explorer_takes_for_a_failure() -> None:
    assert not issubclass(GivenUpError, Exception)


def processes(hello: object) -> list[int]:
    assert isinstance(hello, dict)
    named: list[int] = hello["result"]["processes"]
    return named


@pytest.mark.parametrize("name", ["leaves-a-child-and-names-it", "heeds-no-signal"])
def test_a_process_ends_with_all_that_it_started(name: str) -> None:
    with ChildProcess(command(name), PATIENT) as process:
        started = processes(process.ask(HELLO))
        assert all(map(is_running, started))
    assert_gone(started)


RUN = """
import sys
from schedule_conformance.adapters.streams import ChildProcess
process = ChildProcess(sys.argv[1])
hello = process.ask({"seq": 0, "cmd": "hello", "protocol": 1, "suite": "0"})
print(*hello["result"]["processes"], flush=True)
"""


@pytest.mark.parametrize(
    "ending", ["raise SystemExit(3)", "raise KeyError", "pass", "import time; time.sleep(60)"], ids=str
)
def test_no_process_outlives_the_run(ending: str) -> None:
    run = [sys.executable, "-c", RUN + ending, command("heeds-no-signal")]
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        started = [int(pid) for pid in process.stdout.readline().split()]
        if "sleep" in ending:
            process.send_signal(signal.SIGINT)
        process.wait(30)
    assert started
    assert_gone(started)


def test_the_end_of_input_is_where_it_ends() -> None:
    for name, ending in (("rightly", "status 0"), ("ends-with-2", "status 2")):
        with ChildProcess(command(name), PATIENT) as process:
            process.ask(FOLD)
            assert process.finish() == ending
    with ChildProcess(command("goes-on-at-end"), HASTY) as process:
        process.ask(HELLO)
        assert process.finish() == "it goes on running, 1.5 s after the end of its input"
