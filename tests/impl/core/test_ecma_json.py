"""The slower reading of JSON is no slower than it must be, and keeps no more than it must."""

import pytest

from schedule_impl import ecma_json
from schedule_impl.ecma_json import Json, parse


def test_containers_are_kept_64_deep() -> None:
    value: Json = 7
    for _ in range(64):
        value = [value]
    assert parse("[" * 64 + "7" + "]" * 64) == value
    assert parse("[" * 65 + "7" + "]" * 65) == parse("[" * 64 + "null" + "]" * 64)


def test_a_name_without_escapes_is_not_read_character_by_character(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ecma_json, "_string", lambda *_: pytest.fail("there is no escape"))
    assert parse('{"a":1, "b" : {"é\U0001f600" :2},\n"":"c"}') == {"a": 1, "b": {"é\U0001f600": 2}, "": "c"}


def test_white_space_is_looked_for_only_where_there_is_some(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    following = ecma_json._following

    def counted(text: str, position: int) -> tuple[str, int]:
        asked.append(position)
        return following(text, position)

    monkeypatch.setattr(ecma_json, "_following", counted)
    text = '[1,[2,"a"],{"b":[3,4]},5]'
    assert parse(text) == [1, [2, "a"], {"b": [3, 4]}, 5]
    assert asked == [len(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param('{"\\u0061":12}', {"a": 12}, id="at-once"),
        pytest.param('{ "a\\n" : "b" }', {"a\n": "b"}, id="behind-spaces"),
        pytest.param('{"\\"":{"\\\\":[]}}', {'"': {"\\": []}}, id="within"),
    ],
)
def test_the_value_of_a_name_with_escapes_begins_right_behind_its_colon(text: str, value: Json) -> None:
    assert parse(text) == value
