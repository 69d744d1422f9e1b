"""The implementation answers as the reference does, through its adapter."""

from typing import Any

import pytest
from tests.impl.logs import SESSIONS, scanned, vectors

from schedule_impl.adapter import handle
from schedule_impl.text import trim

DECODED = [(row["input"]["payload"], row["expected"]) for row in vectors("decode") if row["op"] == "decode"]
TEXTS = [
    (row["input"]["json"], row["expected"])
    for name in ("decode", "numbers")
    for row in vectors(name)
    if row["op"] == "decode_json"
]


def answer(command: str, **request: Any) -> Any:
    """The result of a request, or the code of its refusal."""
    reply = handle({"seq": 1, "cmd": command, **request})
    assert reply["seq"] == 1
    return reply["result"] if "result" in reply else reply["rejected"]["code"]


@pytest.mark.parametrize(("payload", "expected"), DECODED)
def test_a_change_is_decoded_as_the_reference_does(payload: Any, expected: dict[str, Any]) -> None:
    wanted = {"change": expected["change"]} if expected["ok"] else "corrupt_schedule_log"
    assert answer("decode", change=payload) == wanted


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_json_text_is_decoded_as_the_reference_does(text: str, expected: dict[str, Any]) -> None:
    wanted = {"change": expected["change"]} if expected["ok"] else "corrupt_schedule_log"
    assert answer("decode", json=f'{{"change":{text}}}') == wanted


@pytest.mark.parametrize("row", vectors("fold"))
def test_events_fold_as_in_the_reference(row: dict[str, Any]) -> None:
    expected = row["expected"]
    wanted = (
        {"active": expected["active"], "seen": expected["seenIds"]}
        if expected["ok"]
        else "corrupt_schedule_log"
    )
    assert answer("fold", **row["input"]) == wanted


@pytest.mark.parametrize("row", vectors("every_arithmetic"))
def test_an_every_record_advances_as_in_the_reference(row: dict[str, Any]) -> None:
    expected = row["expected"]
    wanted = {key: value for key, value in expected.items() if key != "ok"}
    assert answer("advance", **row["input"]) == (wanted if expected["ok"] else "corrupt_schedule_log")


@pytest.mark.parametrize("row", [row for row in vectors("trim") if row["op"] == "trim"])
def test_trim_strips_what_the_reference_strips(row: dict[str, Any]) -> None:
    assert trim(row["input"]["s"]) == row["expected"]["trimmed"]


@pytest.mark.parametrize(
    ("name", "events", "active"),
    [
        ("parent.jsonl", 67, ["schedule-2", "schedule-3"]),
        ("fork.jsonl", 88, ["schedule-1"]),
        ("small.jsonl.zstd", 1, ["schedule-1"]),
    ],
)
def test_the_references_own_logs_are_sound(name: str, events: int, active: list[str]) -> None:
    found = scanned((SESSIONS / name).read_bytes())
    assert found.stop is None
    assert found.torn is None
    assert found.events == events
    assert [record["id"] for record in found.active] == active
