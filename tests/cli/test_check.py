"""`schedule-spec check`: what it says of a log, in which words and members, and with which exit code."""

import json
import os
import signal
import subprocess
import sys
import unicodedata
from contextlib import suppress
from dataclasses import replace
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from click.testing import CliRunner, Result
from tests import damage
from tests.damage import (
    FORK,
    PARENT,
    SESSIONS,
    SILENT,
    SMALL,
    after,
    create,
    delete,
    edited,
    extended,
    frames,
    join,
)

from schedule_cli.__main__ import main
from schedule_cli.benchmarks import generate
from schedule_cli.checking import law_scan, processes
from schedule_cli.checking.judging import Outcome, Verdict, judge_stream
from schedule_cli.checking.progress import Meter
from schedule_cli.checking.sources import CHUNK, Source, opened
from schedule_impl import scan as implementation
from schedule_impl import session_log
from schedule_impl.scan import Scan, Stop
from schedule_spec.profiles import Profile
from schedule_spec.register import clause


def run(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, arguments)], input=stdin, catch_exceptions=False)


def judged(*arguments: str | Path, stdin: bytes | None = None) -> tuple[int, list[dict[str, Any]]]:
    result = run("--json", *arguments, stdin=stdin)
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def written(tmp_path: Path) -> "Written":
    return Written(tmp_path)


class Written:
    """Logs in a temporary folder, by name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, data: bytes, name: str = "log.jsonl") -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path


# ---- what is said


def test_sound_log_is_told_with_its_reminders() -> None:
    result = run(SESSIONS / "parent.jsonl")

    assert result.exit_code == 0
    assert result.stdout.splitlines()[1:] == [
        '  session "schedule-example"; 67 events, 6 schedule changes of its own',
        "  id          kind         next target               prompt",
        "  schedule-2  at           2099-01-02T08:30:00.000Z  stand-up",
        "  schedule-3  every 300 s  2026-11-30T11:20:49.432Z  poll CI",
        "  delivery  1 delivery and 8 tool results are right",
    ]
    assert result.stdout.splitlines()[0] == f"{SESSIONS / 'parent.jsonl'}: sound"


def test_log_without_reminders_says_so(written: Written) -> None:
    assert run(written(join(PARENT[:1]))).stdout.splitlines()[1:] == [
        '  session "schedule-example"; 0 events, 0 schedule changes of its own',
        "  no reminder is active",
        "  delivery  not in this log",
    ]


def test_fork_has_its_own_reminder_alone() -> None:
    exit_code, (verdict,) = judged(SESSIONS / "fork.jsonl")

    assert exit_code == 0
    assert (verdict["parent"], verdict["seedLength"]) == ("schedule-example", 66)
    assert [record["prompt"] for record in verdict["active"]] == ["only in the fork"]


def test_violation_is_told_with_clause_state_and_what_would_have_been_accepted(
    written: Written,
) -> None:
    log = written(join(extended(FORK, delete('"schedule-2"'))))

    result = run(log)

    assert result.exit_code == 1
    text = " ".join(result.stdout.split())
    assert f"{log}: violation in line 90 (seq 88)" in text
    assert "fork.no-adoption: No parent reminder is active in the child;" in text
    assert '"operation":"delete","id":"schedule-2"}}' in text
    assert 'before 1 reminder is active; 1 id has been used. "schedule-1", after 7200 s, target' in text
    assert 'accepted a create of any kind with an id that is not "schedule-1"' in text
    assert 'a dispatch by id alone of "schedule-1"' in text


def test_json_of_a_violation_has_exactly_the_documented_members(written: Written) -> None:
    log = written(join(extended(SMALL, delete('"x"'))))
    record = {"id": "schedule-1", "kind": "at", "prompt": "x", "scheduledAt": "2099-01-01T00:00:00.000Z"}

    exit_code, (verdict,) = judged(log)

    assert exit_code == 1
    assert '"x"' in verdict["violation"].pop("message")
    assert verdict == {
        "log": str(log),
        "verdict": "violation",
        "session": "schedule/zstd ~ é",
        "parent": None,
        "seedLength": 0,
        "events": 1,
        "changes": 1,
        "active": [record],
        "torn": None,
        "violation": {
            "line": 3,
            "seq": 1,
            "clause": "fold.inactive",
            "sentence": clause("fold.inactive").sentence,
            "state": {"active": [record], "seen": ["schedule-1"]},
            "came": '{"type":"schedule/change","seq":1,"time":1796037400000,'
            '"data":{"version":1,"operation":"delete","id":"x"}}',
            "accepted": [
                'a create of any kind with an id that is not "schedule-1"',
                'a delete of "schedule-1"',
                'a dispatch by id alone of "schedule-1"',
                "an event of any other type than schedule/change",
            ],
        },
        "behind": None,
        "unjudged": None,
        "delivery": None,
    }


def test_accepted_changes_follow_the_profile(written: Written) -> None:
    log = written(join(PARENT))

    exit_code, (verdict,) = judged("--profile", "v1-after", log)

    assert exit_code == 1
    assert (verdict["violation"]["line"], verdict["violation"]["clause"]) == (damage.AT, "profile.v1-after")
    assert verdict["violation"]["accepted"][0].startswith("a create of kind after with an id")


def test_a_target_in_the_past_is_not_called_overdue(written: Written) -> None:
    first = edited(SILENT, damage.AT, "2099-01-02T08:30:00.000Z", "0001-01-01T00:00:00.000Z")

    assert "overdue" not in run(written(join(first))).stdout


def test_many_ids_and_reminders_are_counted_and_not_all_listed(written: Written) -> None:
    created = extended(PARENT, *(create(after(f'"id-{number}"')) for number in range(50)), delete('"no"'))

    _, (verdict,) = judged(written(join(created)))
    text = run(written(join(created))).stdout

    assert (
        verdict["violation"]["accepted"][0]
        == "a create of any kind with an id that is not among the 54 used so far"
    )
    assert "and 46 more" in text
    assert "id-40" not in text
    assert len(verdict["violation"]["state"]["active"]) == 52


# ---- safety of the terminal

HOSTILE = "\\u001b[2J\\u0007[red]x[/red]\\u202e\\ud800\\u000d\\u009b31m"


def raw_specials(text: str) -> set[str]:
    return {character for character in text if unicodedata.category(character).startswith("C")} - {"\n"}


def test_hostile_ids_and_prompts_reach_the_terminal_only_escaped(written: Written) -> None:
    record = after(identity=f'"i{HOSTILE}i"', prompt=f'"p{HOSTILE}p"')
    sound = run(written(join(extended(PARENT, create(record))), "sound.jsonl"))
    broken = run(written(join(extended(PARENT, create(record), create(record))), "broken.jsonl"))

    for result in (sound, broken):
        assert raw_specials(result.stdout) == set()
    assert "\\x1b[2J\\x07[red]x[/red]\\u202e\\ud800\\r\\x9b31m" in sound.stdout
    assert broken.exit_code == 1


def test_hostile_raw_bytes_session_and_file_name_are_escaped(written: Written) -> None:
    header = edited(PARENT, 1, '"schedule-example"', f'"s{HOSTILE}"')
    log = written(join((*header, b'\x1b[31m\xff{"')), "a\x1b[31m\nb.jsonl")

    result = run(log)

    assert result.exit_code == 1
    assert raw_specials(result.stdout) == set()
    assert "a\\x1b[31m\\nb.jsonl" in result.stdout
    assert "\\x1b[31m\\xff{" in result.stdout


def test_long_texts_are_shortened(written: Written) -> None:
    record = after(identity='"' + "i" * 5000 + '"', prompt='"' + "p" * 5000 + '"')
    sound = run(written(join(extended(PARENT, create(record))), "sound.jsonl"))
    _, (verdict,) = judged(written(join(extended(PARENT, create(record), create(record))), "broken.jsonl"))

    assert max(map(len, sound.stdout.splitlines())) < 200
    assert len(verdict["violation"]["came"]) == 4096


def test_wide_characters_keep_the_columns(written: Written) -> None:
    log = written(join(extended(PARENT, create(after(identity='"提醒"')))))

    lines = run(log).stdout.splitlines()

    assert any(line.startswith("  提醒        after 60 s ") for line in lines)


def test_what_came_stands_in_one_piece_however_narrow_the_terminal(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    log = written(join(extended(PARENT, delete('"no such"'))), "short.jsonl")
    long = written(join(extended(PARENT, delete(f'"{"x" * 1000}"'))), "long.jsonl")

    lines = run(log).stdout.splitlines()
    (came,) = (line for line in run(long).stdout.splitlines() if line.startswith("  came"))

    assert "  came      " + extended(PARENT, delete('"no such"'))[-1].decode() in lines
    assert max(len(line) for line in lines if "came" not in line and str(log) not in line) <= 40
    assert len(came) == len("  came      ") + 400 + 1
    assert came.endswith("x…")


def test_active_records_have_one_key_order_in_both_modes(written: Written) -> None:
    log = written(join(extended(PARENT, create(after()))))

    for options in ((), ("--law",)):
        _, (verdict,) = judged(*options, log)
        assert [list(record) for record in verdict["active"]] == [
            ["id", "kind", "prompt", "scheduledAt"],
            ["id", "kind", "prompt", "everySeconds", "scheduledAt"],
            ["id", "kind", "prompt", "afterSeconds", "scheduledAt"],
        ]


@pytest.mark.parametrize("options", [(), ("--law",)])
@pytest.mark.parametrize(
    ("seq", "words"),
    [
        ('"seq":69', "seq is 69; 67 is its place: 2 events seem to be missing before it."),
        ('"seq":66', "seq is 66; 67 is its place: an event 66 came before."),
        ('"seq":"67"', 'seq is "67"; 67 is its place.'),
        ('"seq":-1', "seq is -1; 67 is its place."),
        ('"other":1', "The event has no seq; 67 is its place."),
    ],
)
def test_wrong_number_is_told(options: tuple[str, ...], seq: str, words: str, written: Written) -> None:
    log = written(join((*PARENT, b'{"type":"x",' + seq.encode() + b"}")))

    _, (verdict,) = judged(*options, log)

    assert verdict["violation"]["message"] == words


@pytest.mark.parametrize("options", [(), ("--law",)])
@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "The file is empty"),
        (b"\xef\xbb\xbf" + join(PARENT), "begins with a byte order mark"),
        (join(PARENT).decode().encode("utf-16"), "looks like UTF-16"),
        (b"\x1f\x8b\x08\x00\n", "compressed with gzip"),
        (b"\x80\x81\n", "The log is no text: byte 0 of its first line is not UTF-8."),
        (b"a\x80", "The log is no text: byte 1 of its first line is not UTF-8."),
        (join(PARENT[1:]), "Line 1 is an event, where the session's header belongs"),
        ("é".encode() * 33, "no header"),
        (b"a" + "é".encode() * 33, "no header"),
        (frames(PARENT)[:20], "no header"),
    ],
)
def test_what_is_no_log_is_said_to_be_what_it_looks_like(
    options: tuple[str, ...], data: bytes, words: str, written: Written
) -> None:
    exit_code, (verdict,) = judged(*options, written(data))

    assert (exit_code, verdict["unjudged"]["kind"]) == (3, "header")
    assert words in verdict["unjudged"]["message"]


@pytest.mark.parametrize("ending", ["zstd", "zst"])
@pytest.mark.parametrize("data", [join(PARENT)[1:], b"PK\x03\x04\n"])
def test_what_is_named_as_compressed_and_is_not_is_said_to_be_no_zstd(
    data: bytes, ending: str, tmp_path: Path
) -> None:
    log = tmp_path / f"log.jsonl.{ending}"
    log.write_bytes(data)

    exit_code, (verdict,) = judged(str(log))

    assert (exit_code, verdict["unjudged"]["kind"]) == (3, "header")
    told = verdict["unjudged"]["message"]
    assert told == f"The log's name ends with .{ending}, but its bytes are no zstd data."


def test_a_log_without_compression_is_judged_whatever_its_name_says(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl.zstd"
    log.write_bytes(join(PARENT))

    exit_code, (verdict,) = judged(str(log))

    assert (exit_code, verdict["verdict"]) == (0, "sound")


def test_fork_that_lost_its_seed_length_is_suspected_where_it_reuses_an_id(written: Written) -> None:
    lost = written(join(edited(FORK, 1, ',"seedLength":66', "")), "lost.jsonl")
    reused = extended(PARENT, *[create(after())] * 2)

    _, (orphan, own) = judged(lost, written(join(reused), "own.jsonl"))

    assert (orphan["violation"]["clause"], own["violation"]["clause"]) == ("fold.no-id-reuse",) * 2
    assert "names a parent but no seedLength" in orphan["violation"]["message"]
    assert "seedLength" not in own["violation"]["message"]


def test_impossible_seed_length_is_not_called_an_inheritance(written: Written) -> None:
    text = run(written(join(edited(FORK, 1, '"seedLength":66', '"seedLength":-1')))).stdout

    assert "fork.bounds" in text
    assert "inherited -1" not in text


# ---- logs that are cut, broken or no logs


def test_torn_line_is_a_note_and_no_violation(written: Written) -> None:
    cut = join(PARENT)[:-10]

    exit_code, (verdict,) = judged(written(cut))

    assert (exit_code, verdict["verdict"], verdict["events"]) == (0, "sound", 66)
    assert verdict["torn"] == {"line": 68, "kind": "line", "bytes": len(PARENT[-1]) + 1 - 10}
    assert "what a crash leaves" in run(written(cut)).stdout


def test_torn_frame_is_a_note_and_no_violation(written: Written) -> None:
    log = written(frames(PARENT)[:-1], "log.jsonl.zstd")

    exit_code, (verdict,) = judged(log)

    assert (exit_code, verdict["events"], verdict["torn"]["kind"]) == (0, 66, "frame")
    assert "the last frame is cut" in run(log).stdout


def test_broken_frame_before_the_tail_is_unjudged(written: Written) -> None:
    data = bytearray(frames(PARENT))
    data[len(frames(PARENT[:20])) - 3] ^= 0xFF

    exit_code, (verdict,) = judged(written(bytes(data)))

    assert (exit_code, verdict["verdict"]) == (3, "unjudged")
    assert (verdict["unjudged"]["kind"], verdict["unjudged"]["line"], verdict["events"]) == ("bytes", 20, 18)


@pytest.mark.parametrize("options", [(), ("--law",)])
def test_line_over_the_bound_is_unjudged(
    written: Written, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    monkeypatch.setattr(session_log, "MAX_LINE", 2 << 20)
    log = written(join((*PARENT, b'{"type":"x","seq":67,"data":"' + b"x" * (3 << 20) + b'"}')))

    exit_code, (verdict,) = judged(*options, log)

    assert (exit_code, verdict["unjudged"]["kind"], verdict["unjudged"]["line"]) == (3, "limit", 69)


@pytest.mark.parametrize(
    "header",
    [
        b"",
        PARENT[0],
        b"\n",
        b"not json\n",
        b"\xef\xbb\xbf" + PARENT[0] + b"\n",
        b"[]\n",
        b"{}\n",
        PARENT[0].replace(b'"version":0', b'"version":1') + b"\n",
        PARENT[0].replace(b'"version":0', b'"version":false') + b"\n",
        PARENT[0].replace(b'"type":"session"', b'"type":"sessions"') + b"\n",
        PARENT[0].replace(b'"schedule-example"', b"7") + b"\n",
    ],
)
@pytest.mark.parametrize("options", [(), ("--law",)])
def test_missing_or_unknown_header_is_unjudged(
    header: bytes, options: tuple[str, ...], written: Written
) -> None:
    exit_code, (verdict,) = judged(*options, written(header))

    assert (exit_code, verdict["verdict"]) == (3, "unjudged")
    assert (verdict["unjudged"]["kind"], verdict["unjudged"]["line"]) == ("header", 1)
    assert (verdict["session"], verdict["seedLength"]) == (None, None)


@pytest.mark.parametrize("options", [(), ("--law",)])
def test_gap_in_the_numbering_is_a_violation_of_no_clause(options: tuple[str, ...], written: Written) -> None:
    log = written(join((*PARENT[:50], *PARENT[51:])))

    exit_code, (verdict,) = judged(*options, log)

    violation = verdict["violation"]
    assert exit_code == 1
    assert (violation["line"], violation["seq"], violation["clause"]) == (51, 49, None)
    assert "numbered by seq" in violation["sentence"]
    assert violation["accepted"] == ["an event with seq 49"]


def test_seed_length_is_held_against_the_number_of_events_even_where_it_is_ill_typed(
    written: Written,
) -> None:
    log = written(join(edited(FORK, 1, ":66", ':"66"')))

    _, (verdict,) = judged(log)

    assert verdict["violation"]["clause"] == "fork.bounds"
    assert verdict["violation"]["seq"] is None
    assert "0 to 88" in verdict["violation"]["message"]


def test_id_that_nobody_created_is_inactive_in_a_fork_too(written: Written) -> None:
    """An inherited line that is no JSON, or only looks like a create, created nothing."""
    odd = extended(
        (
            FORK[0],
            b"not json",
            b"null",
            b"[]",
            b'{"data":{"schedule":{"id":"x"}}}',
            b"[" * 10**6,
            b"9" * 9999,
            *FORK[7:],
        ),
        delete('"x"'),
    )

    _, (verdict,) = judged(written(join(odd)))

    assert verdict["violation"]["clause"] == "fold.inactive"


def test_event_that_the_law_accepts_is_said_to_be_our_fault(
    monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    sound = implementation.scan

    def refusing(stream: BinaryIO, **options: Any) -> Scan:
        found = sound(stream, **options)
        state: dict[str, Any] = {"active": [], "seen": []}
        stop = Stop("event", 28, 26, "corrupt_schedule_log", "no such thing", state, PARENT[27])
        return replace(found, stop=stop)

    monkeypatch.setattr(implementation, "scan", refusing)
    exit_code, (verdict,) = judged(written(join(PARENT)))

    assert (exit_code, verdict["unjudged"]["kind"], verdict["unjudged"]["line"]) == (3, "disagreement", 28)
    assert "a fault of schedule-spec" in verdict["unjudged"]["message"]
    assert verdict["violation"] is None


# ---- which logs, and exit codes


def test_folder_is_searched_to_its_depth_in_order(written: Written, tmp_path: Path) -> None:
    written(join(PARENT), "b/session.jsonl")
    written(frames(SMALL), "a/deep/session.jsonl.zstd")
    written(join(FORK), "c.jsonl")
    written(b"no log", "a/notes.txt")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "a" / "pipe.jsonl")

    exit_code, verdicts = judged(tmp_path)

    assert exit_code == 0
    assert [Path(verdict["log"]).relative_to(tmp_path).as_posix() for verdict in verdicts] == [
        "a/deep/session.jsonl.zstd",
        "b/session.jsonl",
        "c.jsonl",
    ]
    assert run(tmp_path).stdout.splitlines()[-1] == "3 logs: 3 sound"


def test_folder_without_logs_and_missing_file_are_unjudged(tmp_path: Path, written: Written) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "dangling.jsonl").symlink_to(tmp_path / "nowhere")

    exit_code, verdicts = judged(tmp_path / "empty", tmp_path / "absent.jsonl", tmp_path / "dangling.jsonl")

    assert exit_code == 3
    assert [verdict["unjudged"]["kind"] for verdict in verdicts] == ["unreadable"] * 3
    assert "no log in this folder" in verdicts[0]["unjudged"]["message"]
    assert verdicts[1]["unjudged"] == {
        "kind": "unreadable",
        "line": None,
        "message": "It cannot be read: No such file or directory.",
    }


def test_file_without_permission_is_unjudged(monkeypatch: pytest.MonkeyPatch, written: Written) -> None:
    def refused(*_: Any) -> None:
        raise PermissionError(13, "Permission denied", "log.jsonl")

    log = written(join(PARENT))
    monkeypatch.setattr("builtins.open", refused)

    exit_code, (verdict,) = judged(log)

    assert exit_code == 3
    assert verdict["unjudged"]["message"] == "It cannot be read: Permission denied."


def test_highest_of_unjudged_violation_and_sound_is_the_exit_code(written: Written, tmp_path: Path) -> None:
    sound = written(join(PARENT), "sound.jsonl")
    broken = written(join((*PARENT, b"[]")), "broken.jsonl")
    absent = tmp_path / "absent.jsonl"

    assert run(sound).exit_code == 0
    assert run(sound, broken, sound).exit_code == 1
    assert run(broken, absent, sound).exit_code == 3
    assert run(sound, broken, absent).stdout.splitlines()[-1] == "3 logs: 1 sound, 1 violation, 1 unjudged"


@pytest.mark.parametrize("arguments", [(), ("--profile", "v2", "x"), ("-", "-"), ("-j", "0", "x")])
def test_wrong_usage_has_its_own_exit_code(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


@pytest.mark.parametrize("data", [join(FORK), frames(FORK)])
def test_standard_input_is_judged_like_a_file(data: bytes) -> None:
    exit_code, (verdict,) = judged("-", stdin=data)

    assert (exit_code, verdict["log"], verdict["events"]) == (0, "-", 88)


def test_standard_input_can_be_read_twice_where_a_diagnosis_needs_it() -> None:
    _, (verdict,) = judged("-", stdin=join(extended(FORK, delete('"schedule-2"'))))

    assert verdict["violation"]["clause"] == "fork.no-adoption"


def test_several_processes_give_the_same_output_in_the_same_order(written: Written, tmp_path: Path) -> None:
    for number, lines in enumerate((PARENT, (*PARENT, b"[]"), FORK, PARENT[:1])):
        written(join(lines), f"logs/{number}.jsonl")
    arguments = (tmp_path / "logs", tmp_path / "absent", "-")

    alone = run("--json", *arguments, stdin=join(FORK))
    together = run("--json", "-j", "2", *arguments, stdin=join(FORK))

    assert len(alone.stdout.splitlines()) == 6
    assert (together.exit_code, together.stdout) == (alone.exit_code, alone.stdout)


def bare(*arguments: str, shell: str, timeout: float = 30) -> subprocess.CompletedProcess[str]:
    """Run `check` in a process of its own, its streams as the shell's words say."""
    command = f'exec "$0" -m schedule_cli check "$@" {shell}'
    return subprocess.run(
        ["sh", "-c", command, sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )


@pytest.mark.parametrize(
    ("shell", "words"),
    [
        ("- <&-", "It cannot be read: standard input is closed."),
        ("nnn >&-", "The output cannot be written: standard output is closed."),
        ("nnn >/dev/full", "The output cannot be written: No space left on device."),
    ],
)
def test_streams_that_are_closed_full_or_no_files_are_told_in_a_line(shell: str, words: str) -> None:
    ended = bare(shell=shell)

    assert ended.returncode == 3
    assert words in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr


def test_name_that_no_file_can_have_is_unjudged() -> None:
    exit_code, (verdict,) = judged("n" * 300)

    assert (exit_code, verdict["unjudged"]["message"]) == (3, "It cannot be read: File name too long.")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no endless file")
def test_endless_input_is_read_no_further_than_the_bound_of_a_line() -> None:
    ended = bare("--json", "/dev/zero", shell="")

    verdict = json.loads(ended.stdout)
    assert (ended.returncode, verdict["unjudged"]["kind"]) == (3, "limit")


def test_pipe_is_read_no_further_than_the_verdict_needs() -> None:
    """What writes it may never end: here it only does when the verdict is there."""
    broken = join((*PARENT, b"[]"))
    command = [sys.executable, "-m", "schedule_cli", "check", "--json", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):
            process.stdin.write(broken.ljust(4 * CHUNK))
            process.stdin.flush()
        (verdict,) = process.stdout.readlines()

    assert json.loads(verdict)["violation"]["line"] == 69


def test_file_that_grows_while_it_is_read_ends_where_it_ended(written: Written) -> None:
    log = written(join(PARENT))

    with opened(Source(str(log))) as stream:
        log.write_bytes(join((*PARENT, b"[]")))
        verdict = judge_stream("log", stream, Profile.V1)

    assert (verdict.outcome, verdict.events) == (Outcome.SOUND, 67)


# ---- several processes, and faults of our own


def deep_header(lines: tuple[bytes, ...]) -> bytes:
    header = lines[0].removesuffix(b"}") + b',"deep":' + b"[" * 50_000 + b"]" * 50_000 + b"}"
    return join((header, *lines[1:]))


def test_header_of_any_depth_passes_between_processes(written: Written) -> None:
    sound = written(deep_header(PARENT), "deep.jsonl")
    other = written(join(FORK), "other.jsonl")

    exit_code, verdicts = judged("-j", "2", sound, other)

    assert exit_code == 0
    assert [verdict["verdict"] for verdict in verdicts] == ["sound", "sound"]
    assert verdicts[0]["session"] == "schedule-example"


def broken_judge(source: Source, *_: object, **__: object) -> Verdict:
    if "broken" in source.name:
        raise RecursionError("too deep")
    return Verdict(source.name)


def test_fault_of_ours_leaves_its_own_log_unjudged(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, sound = written(join(PARENT), "broken.jsonl"), written(join(PARENT), "sound.jsonl")
    monkeypatch.setattr(processes, "judge", broken_judge)

    exit_code, verdicts = judged(broken, sound)

    assert exit_code == 3
    assert [verdict["verdict"] for verdict in verdicts] == ["unjudged", "sound"]
    assert verdicts[0]["unjudged"] == {
        "kind": "fault",
        "line": None,
        "message": "A fault of schedule-spec itself: RecursionError while this log was judged.",
    }


def killed_judge(log: Source, *_: object) -> Verdict:
    if "killed" in log.name:
        os.kill(os.getpid(), signal.SIGKILL)
    return Verdict(log.name)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system kills otherwise")
def test_killed_process_leaves_its_own_log_unjudged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "shielded", killed_judge)
    logs = [Source(name) for name in ("a", "killed-1", "b", "killed-2", "c", "d")]

    verdicts = list(processes.verdicts(logs, Profile.V1, implementation.scan, 2))

    assert [verdict.log for verdict in verdicts] == [log.name for log in logs]
    assert [verdict.outcome.value for verdict in verdicts] == [
        "unjudged" if "killed" in log.name else "sound" for log in logs
    ]


# ---- lines that are too long for the law


def test_long_line_that_is_refused_is_not_given_to_the_law(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(law_scan, "LONGEST", 5_000)
    log = written(join(extended(PARENT, delete(f'"{"x" * 5_000}"'))))

    for options in ((), ("--law",)):
        exit_code, (verdict,) = judged(*options, log)
        assert (exit_code, verdict["violation"]) == (3, None)
        assert (verdict["unjudged"]["kind"], verdict["unjudged"]["line"]) == ("limit", 69)
        assert "too long for the law" in verdict["unjudged"]["message"]


def test_long_lines_that_are_accepted_or_inherited_do_no_harm(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(law_scan, "LONGEST", 5_000)
    own = written(join((*PARENT, b'{"type":"x","seq":67,"data":"' + b"x" * 5_000 + b'"}')), "own.jsonl")
    inherited = written(join((FORK[0], FORK[1], b"x" * 5_001, *FORK[3:])), "inherited.jsonl")

    assert judged(own, inherited)[0] == 0
    assert judged("--law", inherited)[0] == 0
    assert judged("--law", own)[0] == 3


# ---- progress


def test_both_ways_through_a_log_tell_how_far_they_have_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(law_scan, "REPORT_EVERY", 100)
    log = b"".join(generate.lines(300, 1))
    long_log = b"".join(generate.lines(50_000, 1))

    for scan, data in ((law_scan.scan, log), (implementation.scan, long_log)):
        told: list[tuple[int, int]] = []
        scan(BytesIO(data), progress=lambda *figures: told.append(figures))  # noqa: B023 - called at once
        assert len(told) >= 2
        assert told == sorted(set(told))
        assert all(0 < read <= len(data) for read, _ in told)


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_is_drawn_on_a_terminal_with_the_name_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")

    with Meter("[red]log[/red]") as meter:
        assert terminal.getvalue() == ""
        meter(1_000_000, 20_000)

    assert "[red]log[/red]" in terminal.getvalue()
    assert "20,000 events" in terminal.getvalue()


def test_progress_is_silent_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)

    with Meter("log") as meter:
        meter(1_000_000, 20_000)

    assert pipe.getvalue() == ""
