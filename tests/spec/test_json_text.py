import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.spec.strategies import json_values, odd_text

from schedule_spec.json_text import Json, NotJson, read
from schedule_spec.numbers import MAX_SAFE


def reference(text: str) -> Any:
    """Read the text with the standard library, strictly, numbers as doubles; ValueError if it is no JSON."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    return json.loads(text, parse_int=float, parse_constant=refuse)


def same(value: Json | NotJson, expected: Any) -> bool:
    """Compare as JSON values: `True` is not 1, and an int stands exactly where a double is a safe integer."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return type(value) is type(expected) and value == expected
    if isinstance(value, list):
        return isinstance(expected, list) and len(value) == len(expected) and all(map(same, value, expected))
    if isinstance(value, dict):
        return (
            isinstance(expected, dict)
            and value.keys() == expected.keys()
            and all(same(value[key], expected[key]) for key in value)
        )
    if isinstance(value, NotJson):
        return False
    integral = isinstance(expected, float) and expected.is_integer() and abs(expected) <= MAX_SAFE
    return value == expected and isinstance(value, int) == integral and not isinstance(expected, bool)


@given(json_values, st.booleans(), st.sampled_from([None, 0, 2]))
def test_what_the_standard_library_writes_is_read_as_it_reads_it(
    value: Json, ascii_only: bool, indent: int | None
) -> None:
    try:
        text = json.dumps(value, ensure_ascii=ascii_only, indent=indent, allow_nan=False)
    except ValueError:
        return
    assert same(read(text), reference(text))


def test_every_short_escape_is_read() -> None:
    assert read(r'"\"\\\/\b\f\n\r\t"') == '"\\/\b\f\n\r\t'


FRAGMENTS = [
    *'[]{},:[]{},:" \t\n\r\v\\+-.\ufeff\u00a0\x00\x1f\u0663',
    *('"a"', '"b":', '"\\ud83d', '\\ude00"', '"\\u00e9\\n"', '"\\x"', '"\\u12g4"', '"\\u 123"', "'a'"),
    *(
        "0",
        "1",
        "-0",
        "01",
        "1.",
        ".5",
        "1e5",
        "1E+5",
        "1e",
        "1.5",
        "-",
        "1_0",
        "0x1",
        "1n",
        "9" * 5000,
        "1e400",
    ),
    *("true", "false", "null", "nul", "True", "NaN", "Infinity", "-Infinity", "//", "/**/"),
]


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=8).map("".join))
@example('{"a":1,"a":[]}')
@example('[1,"\\ud83d\\ude00"]')
def test_text_is_json_exactly_where_the_standard_library_says_so(text: str) -> None:
    try:
        expected = reference(text)
    except ValueError:
        assert isinstance(read(text), NotJson)
    else:
        assert same(read(text), expected)


@given(json_values, st.data())
def test_a_cut_or_damaged_text_is_judged_alike(value: Json, data: st.DataObject) -> None:
    try:
        text = json.dumps(value, allow_nan=False)
    except ValueError:
        return
    at = data.draw(st.integers(0, len(text)))
    damaged = text[:at] + data.draw(st.sampled_from(["", ",", "\x01", '"', "]", "0"])) + text[at + 1 :]
    try:
        expected = reference(damaged)
    except ValueError:
        assert isinstance(read(damaged), NotJson)
    else:
        assert same(read(damaged), expected)


def test_a_hundred_thousand_levels_are_read() -> None:
    depth = 100_000
    value = read("[" * depth + "]" * depth)
    levels = 0
    while isinstance(value, list):
        levels += 1
        value = value[0] if value else None
    assert levels == depth

    value = read('{"a":' * depth + "1" + "}" * depth)
    levels = 0
    while isinstance(value, dict):
        levels += 1
        value = value["a"]
    assert (levels, value) == (depth, 1)

    assert read("[" * depth) == NotJson(depth, "a value is expected")


def test_the_last_of_duplicate_keys_counts() -> None:
    assert read('{"a":1,"b":2,"a":{"c":3,"\\u0063":4}}') == {"a": {"c": 4}, "b": 2}


def test_surrogates() -> None:
    assert read('"\\ud83d\\ude00"') == "😀"
    assert read('"\ud83d\\ude00"') == "😀"
    assert read('"\\ud83d \\ude00"') == "\ud83d \ude00"
    assert read('"\\uD800"') == "\ud800"


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("\ufeff1", 0),
        ("\u00a01", 0),
        ("NaN", 0),
        ("-Infinity", 0),
        ("1 2", 2),
        ("[1,]", 3),
        ('{"a":1,}', 7),
        ('{"a":1', 6),
        ("{a:1}", 1),
        ('{"a" 1}', 5),
        ("[1 2]", 3),
        ("01", 1),
        ("1.", 1),
        ("+1", 0),
        (".5", 0),
        ("1\u0660", 1),
        ("\u0661", 0),
        ('"a\nb"', 2),
        ('"a\x1f"', 2),
        ('"a', 2),
        ('"a\\', 3),
        ('"\\u00', 3),
        ('"\\u00g0"', 3),
        ('"\\u\u0660\u0660\u0660\u0660"', 3),
        ('"\\x41"', 2),
        ('"\\U0041"', 2),
        ("'a'", 0),
        ("tru", 0),
        ("[1}", 2),
        ("]", 0),
        ("[1]//", 3),
    ],
)
def test_where_a_text_stops_being_json(text: str, position: int) -> None:
    fault = read(text)
    assert isinstance(fault, NotJson)
    assert fault.position == position
    assert fault.message.endswith(" is expected")


@given(odd_text)
def test_keys_are_strings_like_any(key: str) -> None:
    assert read(json.dumps({key: 1})) == {key: 1}
