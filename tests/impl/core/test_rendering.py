"""JSON text as it is written: without spaces, with no number that JSON has no spelling for, and as UTF-8."""

import pytest

from schedule_impl.ecma_json import Json
from schedule_impl.rendering import json_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param({"a": [1, 2.5, None], "b": {}}, '{"a":[1,2.5,null],"b":{}}', id="no-spaces"),
        pytest.param("\u00e9\u2028\U0001f600", '"\u00e9\u2028\U0001f600"', id="no-escapes"),
        pytest.param("\ud83d\ude00", '"\U0001f600"', id="a-pair"),
        pytest.param("\ude00\ud83d", '"\\ude00\\ud83d"', id="no-pair"),
        pytest.param({"\ud800": "\udfff"}, '{"\\ud800":"\\udfff"}', id="unpaired"),
    ],
)
def test_a_value_has_one_text(value: Json, text: str) -> None:
    assert json_text(value) == text
    assert text.encode()


@pytest.mark.parametrize("value", [float("nan"), [float("inf")], {"a": -float("inf")}], ids=repr)
def test_what_is_no_number_of_json_has_no_text(value: Json) -> None:
    with pytest.raises(ValueError, match="JSON"):
        json_text(value)
