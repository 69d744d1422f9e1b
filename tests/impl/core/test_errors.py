"""What an exception says: its message alone, and of foreign text as much as can be shown."""

import pytest

from schedule_impl.errors import CODES, ScheduleError, corrupt, quoted
from schedule_impl.events import LineError
from schedule_impl.header import HeaderError


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        (ScheduleError, ("invalid_rule", "why")),
        (LineError, ("seq", "why")),
        (HeaderError, ("why", None)),
    ],
)
def test_an_exception_is_told_by_its_message(kind: type[Exception], arguments: tuple[object, ...]) -> None:
    assert str(kind(*arguments)) == "why"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", "''"),
        ("a'b", '"a\'b"'),
        ("a\n\u2028é\ud800\U0001f600", "'a\\n\\u2028\\xe9\\ud800\\U0001f600'"),
        ("x" * 60, f"'{'x' * 60}'"),
        ("x" * 61, f"'{'x' * 60}'…"),
        ("é" * 10_000, "'" + r"\xe9" * 60 + "'…"),
    ],
)
def test_foreign_text_is_shown_on_one_line_and_cut(text: str, shown: str) -> None:
    assert quoted(text) == shown
    assert quoted(text) in corrupt(f"no {quoted(text)}").message


def test_the_codes_are_those_of_the_clause_and_no_others() -> None:
    closed = [
        *("invalid_prompt", "invalid_selector", "invalid_rule", "invalid_time_zone", "not_future"),
        *("time_out_of_range", "frequency_too_high", "corrupt_schedule_log", "persistence_uncertain"),
        "internal_error",
    ]
    assert [ScheduleError(code, "why").code for code in CODES] == closed


def test_what_no_sound_log_holds_has_one_code() -> None:
    assert corrupt("why").code == "corrupt_schedule_log"
