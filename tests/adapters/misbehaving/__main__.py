"""Adapters that misbehave: the bundled implementation over streams, each with one fault.

    python tests/adapters/misbehaving NAME

runs one of them. A fault shows on the request that the name says; everything else is answered well.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

from schedule_impl import adapter

Request = dict[str, Any]
Reply = dict[str, Any]
Fault = Callable[[Request, Reply], object]
"""Takes a request with the right reply; returns what is written instead: an object, or bytes as they are."""

CHILDREN: list[int] = []


def on(command: str, fault: Fault) -> Fault:
    """Return a fault that shows on one command alone."""
    return lambda request, reply: fault(request, reply) if request.get("cmd") == command else reply


def say(text: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def exit_with(status: int, words: str = "") -> Fault:
    def fault(_: Request, __: Reply) -> NoReturn:
        if words:
            say(words)
        os._exit(status)

    return fault


def raising(_: Request, __: Reply) -> NoReturn:
    raise RuntimeError("no such table: reminders")


def killed(_: Request, __: Reply) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("still alive")


def hanging(_: Request, __: Reply) -> NoReturn:
    while True:
        time.sleep(3600)


def line(text: bytes) -> Fault:
    return lambda _, __: text + b"\n"


def without_newline(_: Request, reply: Reply) -> NoReturn:
    write(json.dumps(reply).encode())
    hanging({}, {})


def without_end(_: Request, __: Reply) -> NoReturn:
    while True:
        write(b"x" * 65_536)


def next_number(_: Request, reply: Reply) -> Reply:
    return {**reply, "seq": reply["seq"] + 1}


def number_as_text(_: Request, reply: Reply) -> Reply:
    return {**reply, "seq": str(reply["seq"])}


def twice(_: Request, reply: Reply) -> bytes:
    return 2 * (json.dumps(reply).encode() + b"\n")


def debugging(request: Request, reply: Reply) -> bytes:
    return f"handling {request.get('cmd')}\n{json.dumps(reply)}\n".encode()


def closing(_: Request, __: Reply) -> NoReturn:
    os.close(1)
    hanging({}, {})


def of_another_type(_: Request, reply: Reply) -> Reply:
    return {**reply, "result": {"text": 5}}


def features(*names: str) -> Fault:
    def fault(_: Request, reply: Reply) -> Reply:
        if "result" not in reply:
            return reply
        return {**reply, "result": {**reply["result"], "features": list(names)}}

    return on("hello", fault)


def unsupported(request: Request, reply: Reply) -> Reply:
    return {"seq": reply["seq"], "unsupported": {"feature": request["cmd"]}}


def unsupported_at(request: Request, reply: Reply) -> Reply:
    return unsupported(request, reply) if "at" in request else reply


def instead_of_rejecting(fault: Fault) -> Fault:
    return lambda request, reply: fault(request, reply) if "rejected" in reply else reply


def error(_: Request, reply: Reply) -> Reply:
    return {"seq": reply["seq"], "error": {"message": "ValueError"}}


def of_this_process(_: Request, reply: Reply) -> Reply:
    if "result" in reply:
        reply["result"]["implementation"]["version"] = f"1.0 ({os.getpid()})"
    return reply


def naming_processes(_: Request, reply: Reply) -> Reply:
    """Say in `hello` which processes there are."""
    if "result" in reply:
        reply["result"]["processes"] = [os.getpid(), *CHILDREN]
    return reply


def slowly(_: Request, reply: Reply) -> Reply:
    time.sleep(0.02)
    return reply


def loudly(_: Request, reply: Reply) -> Reply:
    say("chatter " * 20_000)
    return reply


def beginning_a_line(request: Request, reply: Reply) -> NoReturn:
    write(json.dumps(reply).encode()[:20])
    exit_with(0)(request, reply)
    raise AssertionError("still alive")


def rightly(_: Request, reply: Reply) -> Reply:
    return reply


FAULTS: dict[str, Fault] = {
    "rightly": rightly,
    "dies-on-hello": on("hello", exit_with(7, "cannot open libschedule.so")),
    "dies-on-frame": on("frame_batch", raising),
    "exits-silently-on-frame": on("frame_batch", exit_with(1)),
    "killed-on-frame": on("frame_batch", killed),
    "begins-a-line-on-frame": on("frame_batch", beginning_a_line),
    "dies-on-advance-time": lambda request, reply: (
        raising(request, reply) if request.get("cmd") == "advance_time" and request["ms"] > 1 else reply
    ),
    "hangs-on-hello": on("hello", hanging),
    "hangs-on-frame": on("frame_batch", hanging),
    "no-newline-on-frame": on("frame_batch", without_newline),
    "garbage-on-frame": on("frame_batch", line(b"Segmentation fault (core dumped)")),
    "invalid-utf-8-on-frame": on("frame_batch", line(b'{"seq":1,"result":{"text":"\xff"}}')),
    "nan-on-frame": on("frame_batch", line(b'{"seq":1,"result":{"text":NaN}}')),
    "list-on-frame": on("frame_batch", line(b"[]")),
    "deep-on-frame": on("frame_batch", line(b"[" * 100_000)),
    "endless-line-on-frame": on("frame_batch", without_end),
    "terminal-sequence-on-frame": on("frame_batch", line(b"\x1b[2J\x1b]0;owned\x07")),
    "next-number-on-frame": on("frame_batch", next_number),
    "number-as-text-on-frame": on("frame_batch", number_as_text),
    "twice-on-frame": on("frame_batch", twice),
    "debugging-on-frame": on("frame_batch", debugging),
    "debugging": debugging,
    "closes-output-on-frame": on("frame_batch", closing),
    "wrong-types-on-frame": on("frame_batch", of_another_type),
    "claims-three": features("decode", "fold", "create", "and-one-that-nobody-knows"),
    "claims-no-fold": features("decode", "create"),
    "unsupported-frame": on("frame_batch", unsupported),
    "unsupported-at": on("create", unsupported_at),
    "rejects-by-crashing": instead_of_rejecting(exit_with(1)),
    "rejects-by-error": instead_of_rejecting(error),
    "says-its-process": on("hello", of_this_process),
    "slowly": on("frame_batch", slowly),
    "loudly": on("frame_batch", loudly),
    "heeds-no-signal": on("hello", naming_processes),
    "leaves-a-child": rightly,
    "leaves-a-child-and-names-it": on("hello", naming_processes),
    "leaves-a-child-and-dies-on-frame": on("frame_batch", exit_with(1)),
    "goes-on-at-end": rightly,
    "ends-with-2": rightly,
}


def write(text: bytes) -> None:
    rest = memoryview(text)
    while rest:
        rest = rest[os.write(1, rest) :]


def answered(fault: Fault, text: bytes) -> object:
    """Return what is written for one line: an object, or bytes as they are."""
    try:
        request = json.loads(text)
        number = request["seq"]
    except (ValueError, TypeError, KeyError):
        return {"seq": None, "error": {"message": "no request"}}
    reply = adapter.handle(request)
    assert reply["seq"] == number
    return fault(request, reply)


def main(name: str) -> int:
    fault = FAULTS[name]
    if name == "heeds-no-signal":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    if name.startswith("leaves-a-child"):
        CHILDREN.append(subprocess.Popen(["sleep", "1000"]).pid)
    for text in sys.stdin.buffer:
        if text.strip():
            out = answered(fault, text)
            write(out if isinstance(out, bytes) else json.dumps(out).encode() + b"\n")
    if name in ("heeds-no-signal", "goes-on-at-end"):
        hanging({}, {})
    return 2 if name == "ends-with-2" else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
