"""`schedule-spec adapter`: serve the bundled implementation, or the law, by the adapter protocol.

Reads requests from standard input and writes replies to standard output, one JSON object a line; answers
whatever comes, and ends with 0 at the end of input.
"""

import codecs
import json
import sys
from collections.abc import Callable, Iterable
from typing import Any, BinaryIO

import click

from schedule_cli.systems import handler
from schedule_spec import json_text
from schedule_spec.numbers import MAX_SAFE

Handle = Callable[[dict[str, Any]], object]

NO_REQUEST = "a request is one JSON object in UTF-8 with seq, a whole number from 0 to 2^53-1"
WHITE_SPACE = b" \t\r\n"


@click.command()
@click.option(
    "--sut",
    "handle",
    type=click.Choice(["bundled", "law"]),
    callback=lambda _, __, value: handler(value),
    default="bundled",
    show_default=True,
    help="What is served: bundled, the implementation that comes along; or law, the specification itself.",
)
def adapter(handle: Handle) -> None:
    """Serve the bundled implementation over standard streams, as an adapter of any language would.

    Requests come on standard input and replies go to standard output, one JSON object a line; the adapter
    protocol says which.

    \b
    Exit codes: 0 at the end of input.
    """
    serve(handle, sys.stdin.buffer, sys.stdout.buffer)


def serve(handle: Handle, requests: Iterable[bytes], replies: BinaryIO) -> None:
    """Answer each line in turn; blank lines, and a byte order mark before the first, are passed over."""
    for number, line in enumerate(requests):
        text = line.removeprefix(codecs.BOM_UTF8) if number == 0 else line
        if text.strip(WHITE_SPACE):
            replies.write(answered(handle, text))
            replies.flush()


def answered(handle: Handle, line: bytes) -> bytes:
    """Return the line that answers one line."""
    request = _object(line)
    seq = request.get("seq") if request is not None else None
    if request is None or not _is_number(seq):
        return _written({"seq": None, "error": {"message": NO_REQUEST}})
    try:
        return _written(handle(request))
    except Exception as fault:
        return _written({"seq": seq, "error": {"message": f"{type(fault).__name__}: {fault}"}})


def _is_number(seq: object) -> bool:
    return (type(seq) is int or (isinstance(seq, float) and seq.is_integer())) and 0 <= seq <= MAX_SAFE


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        text = line.decode("utf-8")
        value = _DECODER.decode(text)
    except RecursionError:
        value = json_text.read(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")


def _whole(text: str) -> int | float:
    """Return a whole number; one with more digits than Python reads is beyond every double anyway."""
    return int(text) if len(text) <= 400 else float(text)


def _written(reply: object) -> bytes:
    return _ENCODER.encode(reply).encode("ascii") + b"\n"


_ENCODER = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
_DECODER = json.JSONDecoder(parse_constant=_no_number, parse_int=_whole)
