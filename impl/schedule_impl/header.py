"""A log's first line: which session it is, and how much of the log it inherited.

Only `seedLength` bears on Schedule: it is a fork's boundary, and no event is (fork.suffix, fork.bounds).
"""

import msgspec

from schedule_impl.codec import MAX_ODD_LINE, REFUSALS, read_json
from schedule_impl.ecma_json import Json
from schedule_impl.errors import ScheduleError, corrupt
from schedule_impl.numbers import safe_integer


class HeaderError(Exception):
    """The line is no header of a known session format; `header` is its object, where it is one."""

    def __init__(self, message: str, header: dict[str, Json] | None) -> None:
        super().__init__(message)
        self.header = header


class HeaderTooLongError(HeaderError):
    """The line is over the bound for one that is not of the usual form."""

    def __init__(self) -> None:
        super().__init__(f"the header is longer than {MAX_ODD_LINE} bytes and not of the usual form", None)


def read_header(line: bytes) -> dict[str, Json]:
    """The object of a header line; HeaderError, HeaderTooLongError."""
    try:
        header = _read_value(line)
    except (UnicodeDecodeError, ScheduleError):
        raise HeaderError("the header is not JSON", None) from None
    if not isinstance(header, dict):
        raise HeaderError("the header is no object", None)
    if header.get("type") != "session":
        raise HeaderError('the header\'s type is not "session"', header)
    if safe_integer(header.get("version")) != 0:
        raise HeaderError("the header's version is not 0", header)
    if not isinstance(header.get("id"), str):
        raise HeaderError("the header's id is no string", header)
    return header


def _read_value(line: bytes) -> Json:
    text = line.decode()
    try:
        value: Json = msgspec.json.decode(text)
    except REFUSALS:
        if len(line) > MAX_ODD_LINE:
            raise HeaderTooLongError from None
        return read_json(text)
    return value


def seed_length(header: dict[str, Json]) -> int:
    """How many events the session inherited, 0 where the header doesn't say; `corrupt_schedule_log`."""
    length = safe_integer(header.get("seedLength", 0))
    if length is None or length < 0:
        raise corrupt("the header's seedLength is no integer from 0 on")
    return length
