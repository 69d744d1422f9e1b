import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spec.strategies import NOON, json_values, records

from schedule_spec.json_text import Json
from schedule_spec.numbers import MAX_SAFE
from schedule_spec.records import After, At, Every, Record, decode, encode
from schedule_spec.rejections import Rejection

AFTER: dict[str, Json] = {
    "id": "a",
    "kind": "after",
    "prompt": "p",
    "afterSeconds": 60,
    "scheduledAt": "2030-01-01T12:00:00.000Z",
}
AT: dict[str, Json] = {"id": "a", "kind": "at", "prompt": "p", "scheduledAt": "2030-01-01T12:00:00.000Z"}
EVERY: dict[str, Json] = {
    "id": "a",
    "kind": "every",
    "prompt": "p",
    "everySeconds": 300,
    "scheduledAt": "2030-01-01T12:00:00.000Z",
}


@pytest.mark.parametrize(
    ("value", "record"),
    [
        (AFTER, After("a", "p", 60, NOON)),
        (AT, At("a", "p", NOON)),
        (EVERY, Every("a", "p", 300, NOON)),
        (dict(reversed(EVERY.items())), Every("a", "p", 300, NOON)),
        ({**AFTER, "afterSeconds": 1}, After("a", "p", 1, NOON)),
        ({**AFTER, "afterSeconds": MAX_SAFE}, After("a", "p", MAX_SAFE, NOON)),
        ({**EVERY, "everySeconds": 300.0}, Every("a", "p", 300, NOON)),
        ({**EVERY, "everySeconds": 9007199254740}, Every("a", "p", 9007199254740, NOON)),
        ({**AT, "id": "__proto__", "prompt": "\u200b\x85\u180e"}, At("__proto__", "\u200b\x85\u180e", NOON)),
        ({**AT, "prompt": "a\n\ufeff b\ud800"}, At("a", "a\n\ufeff b\ud800", NOON)),
    ],
)
def test_records(value: dict[str, Json], record: Record) -> None:
    assert decode(value) == record
    assert encode(record) == value
    assert all(type(number) is int for number in (encode(record).get("everySeconds", 0),))


@pytest.mark.parametrize(
    ("value", "clause", "where"),
    [
        *(
            ({**kind, "scheduledAt": "2030"}, "instant.canonical", "scheduledAt")
            for kind in (AFTER, AT, EVERY)
        ),
        (None, "change.strict", ""),
        ([], "change.strict", ""),
        ("a", "change.strict", ""),
        ({}, "record.kinds", "kind"),
        ({**AT, "kind": "Every"}, "record.kinds", "kind"),
        ({**AT, "kind": None}, "record.kinds", "kind"),
        ({**AT, "kind": ["at"]}, "record.kinds", "kind"),
        ({**AT, "kind": "at "}, "record.kinds", "kind"),
        ({**AT, "timeZone": "UTC"}, "record.at", ""),
        ({**AT, "afterSeconds": 60}, "record.at", ""),
        ({**EVERY, "afterSeconds": 60}, "record.every", ""),
        ({**AFTER, "state": "scheduled"}, "record.after", ""),
        ({**EVERY, "cooldown": None}, "record.every", ""),
        ({**AFTER, "afterSeconds": 0}, "record.after", "afterSeconds"),
        ({**AFTER, "afterSeconds": -1}, "record.after", "afterSeconds"),
        ({**AFTER, "afterSeconds": 0.5}, "number.safe-integer", "afterSeconds"),
        ({**AFTER, "afterSeconds": True}, "number.safe-integer", "afterSeconds"),
        ({**AFTER, "afterSeconds": MAX_SAFE + 1}, "number.safe-integer", "afterSeconds"),
        ({**EVERY, "everySeconds": 299}, "record.every", "everySeconds"),
        ({**EVERY, "everySeconds": -300}, "record.every", "everySeconds"),
        ({**EVERY, "everySeconds": 9007199254741}, "record.every", "everySeconds"),
        ({**EVERY, "everySeconds": 300.5}, "number.safe-integer", "everySeconds"),
        ({**EVERY, "everySeconds": "300"}, "number.safe-integer", "everySeconds"),
        ({**EVERY, "everySeconds": None}, "number.safe-integer", "everySeconds"),
        ({**AT, "prompt": ""}, "text.prompt", "prompt"),
        ({**AT, "prompt": " p"}, "text.prompt", "prompt"),
        ({**AT, "prompt": "p\u00a0"}, "text.prompt", "prompt"),
        ({**AT, "prompt": "\ufeffp"}, "text.prompt", "prompt"),
        ({**AT, "prompt": 1}, "text.prompt", "prompt"),
        ({**AT, "prompt": None}, "text.prompt", "prompt"),
        ({**AT, "id": ""}, "id.shape", "id"),
        ({**AT, "id": "a\u3000"}, "id.shape", "id"),
        ({**AT, "id": 1}, "id.shape", "id"),
        ({**AT, "id": ["a"]}, "id.shape", "id"),
        ({**AT, "scheduledAt": 0}, "instant.canonical", "scheduledAt"),
        ({**AT, "scheduledAt": "2030-01-01T12:00:00Z"}, "instant.canonical", "scheduledAt"),
        ({**AT, "scheduledAt": "0000-01-01T12:00:00.000Z"}, "instant.canonical", "scheduledAt"),
    ],
)
def test_what_is_no_record(value: Json, clause: str, where: str) -> None:
    rejection = decode(value)
    assert isinstance(rejection, Rejection)
    assert (rejection.clause, rejection.where) == (clause, where)


@pytest.mark.parametrize("value", [AFTER, AT, EVERY])
def test_no_member_can_be_missing(value: dict[str, Json]) -> None:
    for name in value:
        rejection = decode({key: member for key, member in value.items() if key != name})
        assert isinstance(rejection, Rejection)
        assert rejection.clause == ("record.kinds" if name == "kind" else f"record.{value['kind']}")


@given(records)
def test_a_record_is_read_as_it_was_written(record: Record) -> None:
    assert decode(encode(record)) == record


@given(records, st.data(), json_values)
def test_one_edit_leaves_a_record_or_a_refusal(record: Record, data: st.DataObject, value: Json) -> None:
    edited = encode(record)
    edited[data.draw(st.sampled_from([*edited, "extra"]))] = value
    decoded = decode(edited)
    assert isinstance(decoded, Rejection) or encode(decoded) == edited


@given(json_values)
def test_anything_is_answered_with_a_value(value: Json) -> None:
    assert isinstance(decode(value), Rejection)
