"""The adapter's manners: every request gets a reply of the protocol, none an exception."""

import re
import tomllib
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.impl.logs import create, delete

from schedule_impl.adapter import handle
from schedule_impl.errors import CODES

EVERY = create("a", "every")["schedule"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def code(**request: Any) -> str:
    reply = handle({"seq": 7, **request})
    assert set(reply) == {"seq", "rejected"}
    return str(reply["rejected"]["code"])


def test_hello_tells_who_answers() -> None:
    result = handle({"seq": 0, "cmd": "hello", "protocol": 1, "suite": "0.1.0"})["result"]
    assert (result["protocol"], result["profile"]) == (1, "v1")
    assert result["implementation"]["name"] == "schedule_impl"
    assert {"decode", "fold", "rate", "surrogates"} <= set(result["features"])
    assert {"followup", "append", "answer", "barrier"} <= set(result["observes"])


def test_hello_claims_all_that_there_is_of_a_released_version() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    reply = handle({"seq": 0, "cmd": "hello", "protocol": 1})
    assert re.fullmatch(r"20[0-9]{2}[a-z]", reply["result"].pop("tzdata"))
    assert reply == {
        "seq": 0,
        "result": {
            "protocol": 1,
            "implementation": {
                "name": "schedule_impl",
                "version": project["project"]["version"],
                "language": "python",
            },
            "profile": "v1",
            "features": [
                "decode",
                "fold",
                "create",
                "rate",
                "view",
                "due",
                "frame",
                "tools",
                "delivery",
                "candidate",
                "surrogates",
            ],
            "observes": ["followup", "append", "answer", "barrier", "claim", "release"],
        },
    }


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        (None, "error"),
        ({"seq": 1, "cmd": "hello", "protocol": 2}, "error"),
        ({"seq": 1, "cmd": "decode", "change": None}, "rejected"),
        ({"seq": 1, "cmd": "log", "session": "never opened"}, "error"),
    ],
)
def test_a_refusal_says_something(request_: object, kind: str) -> None:
    told = handle(request_)[kind]
    assert set(told) == {"message"} | ({"code"} if kind == "rejected" else set())
    assert isinstance(told["message"], str)
    assert len(told["message"]) > 5


def test_what_breaks_within_is_an_error_and_no_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("schedule_impl.adapter.view", broken)
    reply = handle({"seq": 1, "cmd": "view", "record": EVERY, "now": 0})
    assert reply == {"seq": 1, "error": {"message": "ZeroDivisionError: oh"}}


def test_a_protocol_number_is_a_number_however_it_is_spelt() -> None:
    assert "result" in handle({"seq": 0, "cmd": "hello", "protocol": 1.0})


@pytest.mark.parametrize("protocol", [0, 2, "1", None, True])
def test_another_protocol_is_an_error(protocol: object) -> None:
    assert set(handle({"seq": 0, "cmd": "hello", "protocol": protocol})) == {"seq", "error"}


@pytest.mark.parametrize("request_", [None, 1, [], "hello", {}, {"cmd": "hello"}])
def test_what_is_no_request_is_an_error_without_seq(request_: object) -> None:
    reply = handle(request_)
    assert reply["seq"] is None
    assert "error" in reply


@pytest.mark.parametrize(
    ("command", "feature"), [("teleport", "teleport"), (None, "None"), (7, "7"), (["decode"], "['decode']")]
)
def test_an_unknown_command_is_unsupported(command: object, feature: str) -> None:
    assert handle({"seq": 3, "cmd": command}) == {"seq": 3, "unsupported": {"feature": feature}}


@pytest.mark.parametrize(
    "value", [None, 1, [], {}, "x", {**delete("a"), "extra": 1}, {**delete("a"), "\ud800": 1}]
)
def test_decode_refuses_what_is_no_change(value: object) -> None:
    assert code(cmd="decode", change=value) == "corrupt_schedule_log"


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{}", '{"change":null}', '{"change":{}', "\ud800", None, 7]
)
def test_decode_refuses_text_that_holds_no_change(text: object) -> None:
    assert code(cmd="decode", json=text) == "corrupt_schedule_log"


def test_decode_keeps_an_unpaired_surrogate_raw_or_escaped() -> None:
    for spelling in ("\ud800", "\\ud800", "\\uD800"):
        text = f'{{"change":{{"version":1.0,"operation":"delete","id":"{spelling}"}}}}'
        assert handle({"seq": 1, "cmd": "decode", "json": text})["result"] == {"change": delete("\ud800")}


@pytest.mark.parametrize("beside", ['"\\ud800":1', '"\ud800":1', '"n":1e400', '"change":7', '"x":"\\udc00"'])
def test_of_a_text_to_decode_only_the_change_counts(beside: str) -> None:
    text = f'{{{beside},"change":{{"version":1,"operation":"delete","id":"a"}}}}'
    assert handle({"seq": 1, "cmd": "decode", "json": text})["result"] == {"change": delete("a")}


def test_two_surrogates_in_a_row_are_the_one_character_that_they_encode() -> None:
    text = '{"change":{"version":1,"operation":"delete","id":"\ud83d\ude00"}}'
    change = handle({"seq": 1, "cmd": "decode", "json": text})["result"]["change"]
    assert change["id"] == "\U0001f600"


class Word(StrEnum):
    DECODE = "decode"
    DELETE = "delete"
    VERSION = "version"
    ID = "a"


class Number(IntEnum):
    ONE = 1


def test_subclasses_of_text_and_number_are_what_they_are_subclasses_of() -> None:
    change = {Word.VERSION: Number.ONE, "operation": Word.DELETE, "id": Word.ID}
    decoded = handle({"seq": 1, "cmd": Word.DECODE, "change": change})["result"]["change"]
    assert decoded == delete("a")
    assert {type(value) for value in decoded.values()} == {int, str}
    made = handle(
        {
            "seq": 1,
            "cmd": "create",
            "id": Word.ID,
            "prompt": Word.ID,
            "after_seconds": Number.ONE,
            "now": Number.ONE,
        }
    )["result"]["record"]
    assert made == {
        "id": "a",
        "kind": "after",
        "prompt": "a",
        "afterSeconds": 1,
        "scheduledAt": "1970-01-01T00:00:01.001Z",
    }
    assert handle({"seq": 1, "cmd": "view", "record": {**made, "id": Word.ID}, "now": Number.ONE})["result"]


@pytest.mark.parametrize("command", ["decode", "fold", "create", "view", "advance", "due", "frame"])
def test_tuples_are_no_arrays(command: str) -> None:
    members = ["change", "events", "prompt", "at", "record", "acceptedAt", "records", "now", "json", "id"]
    reply = handle({"seq": 1, "cmd": command, **dict.fromkeys(members, ({"type": "x"},))})
    assert set(reply) == {"seq", "rejected"}


@pytest.mark.parametrize("identity", ["", " a ", "\ufeff", "a"])
def test_create_takes_its_id_as_given(identity: str) -> None:
    reply = handle({"seq": 1, "cmd": "create", "id": identity, "prompt": "p", "after_seconds": 1, "now": 0})
    assert reply["result"]["record"]["id"] == identity


@pytest.mark.parametrize("identity", [None, 7, ["a"]])
def test_create_refuses_an_id_that_is_no_string(identity: object) -> None:
    assert code(cmd="create", id=identity, prompt="p", after_seconds=1, now=0) == "invalid_rule"


@pytest.mark.parametrize("events", [None, {}, "x", 1, [None], [[]], [7]])
def test_fold_refuses_what_is_no_log(events: object) -> None:
    assert code(cmd="fold", events=events) == "corrupt_schedule_log"


def test_fold_reads_an_absent_seed_length_as_0_and_no_other_so() -> None:
    events = [{"type": "schedule/change", "data": create("a")}]
    assert handle({"seq": 1, "cmd": "fold", "events": events})["result"]["seen"] == ["a"]
    assert handle({"seq": 1, "cmd": "fold", "events": events, "seedLength": 1.0})["result"]["seen"] == []
    for length in (None, True, 1.5, -1, 2, "0"):
        assert code(cmd="fold", events=events, seedLength=length) == "corrupt_schedule_log"


@pytest.mark.parametrize(
    "record", [None, create("a")["schedule"], {**EVERY, "everySeconds": 299}, {**EVERY, "id": ""}]
)
def test_advance_refuses_what_is_no_every_record(record: object) -> None:
    assert code(cmd="advance", record=record, acceptedAt=1_900_000_000_000) == "corrupt_schedule_log"


@pytest.mark.parametrize(
    "accepted", [None, True, "2030-01-01T00:00:00.000Z", 1.5, 0, 253_402_300_800_000, 2**60]
)
def test_advance_refuses_a_decision_time_that_is_none_or_before_the_target(accepted: object) -> None:
    assert code(cmd="advance", record=EVERY, acceptedAt=accepted) == "corrupt_schedule_log"


def test_advance_takes_the_ends_of_the_range() -> None:
    first = {**EVERY, "scheduledAt": "0001-01-01T00:00:00.000Z"}
    reply = handle({"seq": 1, "cmd": "advance", "record": first, "acceptedAt": -62_135_596_800_000})
    assert reply["result"] == {
        "occurrenceAt": "0001-01-01T00:00:00.000Z",
        "nextScheduledAt": "0001-01-01T00:05:00.000Z",
    }
    reply = handle({"seq": 1, "cmd": "advance", "record": first, "acceptedAt": 253_402_300_799_999})
    assert reply["result"] == {"occurrenceAt": "9999-12-31T23:55:00.000Z"}


@pytest.mark.parametrize("text", [None, 7, ["{}"], {}])
def test_create_refuses_what_is_no_text(text: object) -> None:
    assert code(cmd="create", json=text) in CODES


@pytest.mark.parametrize("records", [None, {}, "x", [None], [{**EVERY, "id": ""}], [EVERY, EVERY]])
def test_due_refuses_what_is_no_list_of_records(records: object) -> None:
    assert code(cmd="due", records=records, now=0) == "corrupt_schedule_log"


@pytest.mark.parametrize("now", [None, 0.5, 2**53, True, "0"])
@pytest.mark.parametrize("records", [[], [EVERY]])
def test_due_refuses_a_clock_sample_that_is_none(now: object, records: list[object]) -> None:
    assert code(cmd="due", records=records, now=now) == "time_out_of_range"


@pytest.mark.parametrize("record", [None, EVERY, {**create("a")["schedule"], "prompt": ""}])
def test_frame_refuses_what_is_no_one_shot(record: object) -> None:
    assert code(cmd="frame", record=record) == "corrupt_schedule_log"


ITEM = {"record": EVERY, "occurrenceAt": EVERY["scheduledAt"]}


@pytest.mark.parametrize(
    "reminders",
    [
        *(None, {}, [], "x", 7, True, [None], [EVERY], [[EVERY, EVERY["scheduledAt"]]]),
        [{**ITEM, "record": create("a")["schedule"]}],
        *([{**ITEM, "occurrenceAt": text}] for text in (None, 0, "", "2030-01-01T00:00:00Z")),
        [ITEM, None],
    ],
)
def test_frame_batch_refuses_what_is_no_batch(reminders: object) -> None:
    assert code(cmd="frame_batch", reminders=reminders) == "corrupt_schedule_log"


@given(
    st.sampled_from(["hello", "decode", "fold", "advance"]),
    st.dictionaries(
        st.sampled_from(["change", "json", "events", "seedLength", "record", "acceptedAt", "protocol"]), JSON
    ),
)
def test_no_request_escapes_or_breaks_the_adapter(command: str, members: dict[str, Any]) -> None:
    reply = handle({**members, "seq": 5, "cmd": command})
    assert reply["seq"] == 5
    assert len(reply) == 2
    assert ("error" in reply) <= (command == "hello")
