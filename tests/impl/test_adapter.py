"""The adapter's manners: every request gets a reply of the protocol, none an exception."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.impl.logs import create, delete

from schedule_impl.adapter import handle

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


@pytest.mark.parametrize("protocol", [0, 2, "1", None, True])
def test_another_protocol_is_an_error(protocol: object) -> None:
    assert set(handle({"seq": 0, "cmd": "hello", "protocol": protocol})) == {"seq", "error"}


@pytest.mark.parametrize("request_", [None, 1, [], "hello", {}, {"cmd": "hello"}])
def test_what_is_no_request_is_an_error_without_seq(request_: object) -> None:
    reply = handle(request_)
    assert reply["seq"] is None
    assert "error" in reply


def test_an_unknown_command_is_unsupported() -> None:
    assert handle({"seq": 3, "cmd": "teleport"}) == {"seq": 3, "unsupported": {"feature": "teleport"}}


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
