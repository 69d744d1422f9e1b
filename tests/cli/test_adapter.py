"""`schedule-spec adapter`: it serves by the protocol, whatever comes."""

import io
import json
import os
import signal
import subprocess
import sys
from typing import Any

import pytest

from schedule_cli.adapter import serve
from schedule_cli.systems import BUILT_IN, handler
from schedule_conformance.protocol.messages import validate_reply

ADAPTER = [sys.executable, "-m", "schedule_cli", "adapter"]
HELLO = b'{"seq":0,"cmd":"hello","protocol":1,"suite":"0"}\n'


@pytest.fixture(params=BUILT_IN)
def name(request: pytest.FixtureRequest) -> str:
    served: str = request.param
    return served


def answers(name: str, text: bytes) -> list[dict[str, Any]]:
    replies = io.BytesIO()
    serve(handler(name), io.BytesIO(text), replies)
    lines = replies.getvalue().split(b"\n")
    assert lines.pop() == b""
    assert all(line.isascii() for line in lines)
    return [json.loads(line, parse_constant=pytest.fail) for line in lines]


def test_hello_is_answered(name: str) -> None:
    (reply,) = answers(name, HELLO)
    assert validate_reply(json.loads(HELLO), reply) == []
    assert "result" in reply


NO_REQUESTS = (
    b"x",
    b"[]",
    b"null",
    b'"x"',
    b"1" * 10_000,
    b"{}",
    b'{"cmd":"hello","protocol":1}',
    b'{"seq":null,"cmd":"hello"}',
    b'{"seq":"1","cmd":"hello"}',
    b'{"seq":true,"cmd":"hello"}',
    b'{"seq":-1,"cmd":"hello"}',
    b'{"seq":1.5,"cmd":"hello"}',
    b'{"seq":1e400,"cmd":"hello"}',
    b'{"seq":9007199254740992,"cmd":"hello"}',
    b'{"seq":1,"cmd":"fold","events":NaN}',
    b'{"seq":1,"cmd":"fold","events":-Infinity}',
    b'{"seq":1,"cmd":"fold",}',
    b"{'seq':1}",
    b'{"seq":1,"cmd":"\xff"}',
    b'{"seq":1,"cmd":"\xed\xa0\x80"}',
    b'\xff\xfe{\x00"\x00s\x00',
    b'{"seq":1,"cmd":"fold","events":[' + b"[" * 20_000,
    b'{"seq":1}{"seq":2}',
    b'\xef\xbb\xbf{"seq":1}',
    b"\x00",
    b"\x0b",
)


@pytest.mark.parametrize("line", NO_REQUESTS, ids=lambda line: repr(line[:40]))
def test_what_is_no_request_is_answered_without_a_number(name: str, line: bytes) -> None:
    first, reply, last = answers(name, HELLO + line + b"\n" + HELLO)
    assert reply["seq"] is None
    assert reply.keys() == {"seq", "error"}
    assert first == last


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b'{"seq":4,"cmd":"hello","protocol":1.0,"suite":"0"}', "result"),
        (b'{"seq":4,"cmd":"hello","protocol":2,"suite":"0"}', "error"),
        (b'{"seq":4.0,"cmd":"fold","events":[]}', "result"),
        (b'{"seq":4,"cmd":"fold","events":[],"seq":4}', "result"),
        (b'{"seq":4}', "unsupported"),
        (b'{"seq":4,"cmd":"no-such-command"}', "unsupported"),
        (b'{"seq":4,"cmd":["fold"]}', "unsupported"),
        (b'{"seq":4,"cmd":"fold"}', "rejected"),
        (b'{"seq":4,"cmd":"decode","change":' + b"9" * 10_000 + b"}", "rejected"),
        (b'{"seq":4,"cmd":"decode","change":' + b"[" * 5_000 + b"]" * 5_000 + b"}", "rejected"),
        (b'{"seq":4,"cmd":"decode","json":"\\ud800"}', "rejected"),
        (b'{"seq":4,"cmd":"release","session":"nobody","outcome":"ok"}', "error"),
    ],
    ids=lambda value: repr(value[:60]),
)
def test_requests_are_answered_in_kind(name: str, line: bytes, kind: str) -> None:
    (reply,) = answers(name, line + b"\n")
    assert reply["seq"] == 4
    assert reply.keys() == {"seq", kind}


def test_a_clock_beyond_every_double_is_a_clock_out_of_range(name: str) -> None:
    numbers = (b"1" + b"0" * 5_000, b"1e400", b"-1e400", b"9007199254740992")
    for number in numbers:
        line = b'{"seq":4,"cmd":"create","id":"a","prompt":"p","after_seconds":1,"now":' + number + b"}"
        (reply,) = answers(name, line)
        assert reply["rejected"]["code"] == "time_out_of_range"


def test_unpaired_surrogates_leave_as_escapes_in_ascii(name: str) -> None:
    change = {
        "version": 1,
        "operation": "create",
        "schedule": {
            "id": "\ud800",
            "kind": "at",
            "prompt": "é\udc00",
            "scheduledAt": "2030-01-01T00:00:00.000Z",
        },
    }
    (reply,) = answers(name, json.dumps({"seq": 1, "cmd": "decode", "change": change}).encode())
    assert reply["result"]["change"] == change


def test_lines_end_as_they_like_and_blank_ones_are_passed_over(name: str) -> None:
    fold = b'{"seq":%d,"cmd":"fold","events":[]}'
    text = b"\xef\xbb\xbf" + fold % 1 + b"\r\n\n \t\r\n\r\n" + fold % 2 + b"\n\n" + fold % 3
    assert [reply["seq"] for reply in answers(name, text)] == [1, 2, 3]


def test_a_reply_that_is_no_json_becomes_an_error() -> None:
    answers: list[object] = [float("nan"), {1, 2}, object()]

    def answer(_: dict[str, Any]) -> object:
        return {"seq": 1, "result": answers.pop()}

    replies = io.BytesIO()
    serve(answer, io.BytesIO(3 * b'{"seq":1}\n'), replies)
    assert [json.loads(line).keys() for line in replies.getvalue().splitlines()] == 3 * [{"seq", "error"}]


def test_the_end_of_input_is_the_end() -> None:
    done = subprocess.run(ADAPTER, input=HELLO, capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stderr == b""
    assert json.loads(done.stdout)["seq"] == 0


def test_each_reply_leaves_at_once_and_an_interrupt_is_quiet() -> None:
    with subprocess.Popen(
        ADAPTER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(HELLO)
        assert b'"result"' in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert told == b""
    assert process.returncode == 130


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as gone:
        done = subprocess.run(ADAPTER, input=HELLO, stdout=gone, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 141
    assert done.stderr == b""


def test_only_what_comes_along_can_be_served() -> None:
    done = subprocess.run([*ADAPTER, "--sut", "node"], input=b"", capture_output=True, check=False)
    assert done.returncode == 2
    assert b"bundled" in done.stderr
