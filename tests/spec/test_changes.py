import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spec.strategies import NOON, changes, json_values

from schedule_spec.changes import (
    Change,
    Create,
    Delete,
    DispatchEvery,
    DispatchOneShot,
    decode,
    encode,
    read_text,
)
from schedule_spec.json_text import Json
from schedule_spec.records import At
from schedule_spec.rejections import Rejection

AT: dict[str, Json] = {"id": "a", "kind": "at", "prompt": "p", "scheduledAt": "2030-01-01T12:00:00.000Z"}
CREATE: dict[str, Json] = {"version": 1, "operation": "create", "schedule": AT}
DELETE: dict[str, Json] = {"version": 1, "operation": "delete", "id": "a"}
ONE_SHOT: dict[str, Json] = {"version": 1, "operation": "dispatch", "id": "a"}
EVERY: dict[str, Json] = {**ONE_SHOT, "acceptedAt": "2030-01-01T12:00:00.000Z"}


def of_text(text: Json) -> Change | Rejection:
    """The change that a text holds, or the refusal of the text or of the change."""
    value = read_text(text)
    return value if isinstance(value, Rejection) else decode(value)


@pytest.mark.parametrize(
    ("value", "change"),
    [
        (CREATE, Create(At("a", "p", NOON))),
        (DELETE, Delete("a")),
        (ONE_SHOT, DispatchOneShot("a")),
        (EVERY, DispatchEvery("a", NOON)),
        ({**DELETE, "version": 1.0}, Delete("a")),
        (dict(reversed(EVERY.items())), DispatchEvery("a", NOON)),
    ],
)
def test_changes(value: dict[str, Json], change: Change) -> None:
    assert decode(value) == change
    assert encode(change) == value


@pytest.mark.parametrize(
    ("value", "clause", "where"),
    [
        (None, "change.strict", ""),
        ([CREATE], "change.strict", ""),
        ("delete", "change.strict", ""),
        (1, "change.strict", ""),
        ({}, "change.version", "version"),
        ({**DELETE, "version": 2}, "change.version", "version"),
        ({**DELETE, "version": True}, "change.version", "version"),
        ({**DELETE, "version": "1"}, "change.version", "version"),
        ({**DELETE, "version": 1.5}, "change.version", "version"),
        ({**DELETE, "version": None}, "change.version", "version"),
        ({**DELETE, "version": [1]}, "change.version", "version"),
        ({"version": 1}, "change.strict", "operation"),
        ({**DELETE, "operation": "Delete"}, "change.strict", "operation"),
        ({**DELETE, "operation": "update"}, "change.strict", "operation"),
        ({**DELETE, "operation": None}, "change.strict", "operation"),
        ({**DELETE, "operation": {}}, "change.strict", "operation"),
        ({**CREATE, "id": "a"}, "change.create", ""),
        ({"version": 1, "operation": "create"}, "change.create", ""),
        ({**CREATE, "schedule": None}, "change.strict", "schedule"),
        ({**CREATE, "schedule": "a"}, "change.strict", "schedule"),
        ({**CREATE, "schedule": {**AT, "kind": "cron"}}, "record.kinds", "schedule.kind"),
        ({**CREATE, "schedule": {**AT, "extra": 1}}, "record.at", "schedule"),
        ({**DELETE, "schedule": AT}, "change.delete", ""),
        ({**DELETE, "acceptedAt": "2030-01-01T12:00:00.000Z"}, "change.delete", ""),
        ({**DELETE, "id": " a"}, "id.shape", "id"),
        ({**DELETE, "id": 1}, "id.shape", "id"),
        ({**ONE_SHOT, "reason": ""}, "change.dispatch-one-shot", ""),
        ({**ONE_SHOT, "accepted_at": "2030-01-01T12:00:00.000Z"}, "change.dispatch-one-shot", ""),
        ({**ONE_SHOT, "id": ""}, "id.shape", "id"),
        ({**EVERY, "reason": ""}, "change.dispatch-every", ""),
        ({**EVERY, "acceptedAt": None}, "instant.canonical", "acceptedAt"),
        ({**EVERY, "acceptedAt": NOON}, "instant.canonical", "acceptedAt"),
        ({**EVERY, "acceptedAt": "2030-01-01T12:00:00.000+00:00"}, "instant.canonical", "acceptedAt"),
        ({**EVERY, "id": None}, "id.shape", "id"),
    ],
)
def test_what_is_no_change(value: Json, clause: str, where: str) -> None:
    rejection = decode(value)
    assert isinstance(rejection, Rejection)
    assert (rejection.clause, rejection.where) == (clause, where)


@given(changes)
def test_a_change_is_read_as_it_was_written(change: Change) -> None:
    """change.lossless: as a value and as text."""
    assert decode(encode(change)) == change
    assert of_text(json.dumps(encode(change))) == change


@given(changes, st.data(), json_values)
def test_one_edit_leaves_a_change_or_a_refusal(change: Change, data: st.DataObject, value: Json) -> None:
    edited = encode(change)
    edited[data.draw(st.sampled_from([*edited, "extra", "acceptedAt", "id"]))] = value
    decoded = decode(edited)
    assert isinstance(decoded, Rejection) or encode(decoded) == edited


@given(json_values)
def test_anything_is_answered_with_a_value(value: Json) -> None:
    assert isinstance(decode(value), Rejection)


@given(st.text(st.characters(codec=None), max_size=12))
def test_any_text_is_answered_with_a_value(text: str) -> None:
    assert isinstance(of_text(text), Rejection)


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ('{"version":1,"operation":"delete","id":"a\tb"}', "change.json"),
        ('{"version":NaN,"operation":"delete","id":"a"}', "change.json"),
        ('{"version":1,"operation":"delete","id":"a",}', "change.json"),
        ('\ufeff{"version":1,"operation":"delete","id":"a"}', "change.json"),
        ("", "change.json"),
        (None, "change.json"),
        ({"version": 1}, "change.json"),
        ("[" * 100_000 + "]" * 100_000, "change.strict"),
        ('{"version":1,"operation":"delete","id":' + '{"a":' * 50_000 + "1" + "}" * 50_001, "id.shape"),
        ('{"version":' + "1" * 5000 + ',"operation":"delete","id":"a"}', "change.version"),
        ('{"version":1,"operation":"delete","id":"b","id":" b"}', "id.shape"),
    ],
    ids=range(11),
)
def test_refused_texts(text: Json, clause: str) -> None:
    rejection = of_text(text)
    assert isinstance(rejection, Rejection)
    assert rejection.clause == clause


@pytest.mark.parametrize(
    "text",
    [
        '{"id":"a","operation":"delete","version":1}',
        ' {"version" : 0.1e1,\n"operation":"\\u0064elete","id":"a"}\r\n',
        '{"version":2,"id":{},"operation":"delete","id":"a","version":1}',
    ],
)
def test_spellings_of_one_change(text: str) -> None:
    assert of_text(text) == Delete("a")
