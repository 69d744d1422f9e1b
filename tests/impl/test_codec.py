"""The two ways to read JSON agree, and the slower one reads it as ECMAScript does."""

import json
import tracemalloc
from enum import IntEnum
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.impl.logs import create, delete, dispatch

from schedule_impl.adapter import handle
from schedule_impl.changes import Change
from schedule_impl.codec import CHANGES, REFUSALS, read_json, to_json
from schedule_impl.ecma_json import KEPT_DEPTH, Json, NotJsonError, parse
from schedule_impl.errors import ScheduleError

FAST = msgspec.json.Decoder[Change](Change)

NAMES = st.sampled_from(["a", "b", "", " a", "\ufeff", "é", "\U0001f600", "__proto__", "\ud800"])
LABELS = st.sampled_from(["a", "b c", "\u0085", "\U0001f600", "__proto__", "\ud800", "\x00"])
INSTANTS = st.sampled_from(
    ["2030-01-01T00:00:00.000Z", "2030-02-30T00:00:00.000Z", "9999-12-31T23:59:59.999Z", ""]
)
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, 1, 1.0, 1.5, 300, 299, 2**53, 10**400, -1, "1", [], {}, {"id": "x"}]
)
RECORDS = st.fixed_dictionaries(
    {"id": NAMES | ODD, "kind": st.sampled_from(["after", "at", "every", "AT", 1]), "prompt": NAMES | ODD},
    optional={"afterSeconds": ODD, "everySeconds": ODD, "scheduledAt": INSTANTS | ODD, "extra": ODD},
)
HOSTILE = st.fixed_dictionaries(
    {},
    optional={
        "version": ODD,
        "operation": st.sampled_from(["create", "delete", "dispatch", "x", None]),
        "id": NAMES | ODD,
        "acceptedAt": INSTANTS | ODD,
        "schedule": RECORDS | ODD,
    },
)
SOUND = st.one_of(
    st.builds(create, NAMES, st.sampled_from(["after", "at", "every"]), prompt=NAMES, scheduledAt=INSTANTS),
    st.builds(delete, NAMES),
    st.builds(dispatch, NAMES, st.none() | INSTANTS),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def doubled(members: list[tuple[str, Any]]) -> str:
    """An object's text in which keys may stand more than once."""
    return "{" + ",".join(f"{json.dumps(key)}:{json.dumps(value)}" for key, value in members) + "}"


def outcome(text: str) -> object:
    reply = handle({"seq": 0, "cmd": "decode", "json": f'{{"change":{text}}}'})
    return reply["result"]["change"] if "result" in reply else reply["rejected"]["code"]


def slow_outcome(text: str) -> object:
    try:
        return to_json(CHANGES.convert(read_json(text)))
    except ScheduleError as refusal:
        return refusal.code


@given(SOUND | HOSTILE, st.booleans())
def test_both_readings_of_a_text_agree(value: Any, escaped: bool) -> None:
    text = json.dumps(value, ensure_ascii=escaped)
    assert outcome(text) == slow_outcome(text)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["version", "operation", "id"]),
            st.sampled_from([1, True, "a", "delete", "dispatch"]),
        ),
        max_size=8,
    )
)
def test_of_duplicate_keys_the_last_counts_in_both_readings(members: list[tuple[str, Any]]) -> None:
    assert (
        outcome(doubled(members)) == slow_outcome(doubled(members)) == slow_outcome(json.dumps(dict(members)))
    )


@given(
    st.one_of(
        st.builds(create, LABELS, st.sampled_from(["after", "at", "every"]), prompt=LABELS),
        st.builds(delete, LABELS),
        st.builds(dispatch, LABELS, st.none() | st.just("9999-12-31T23:59:59.999Z")),
    )
)
def test_what_is_accepted_comes_back_unchanged(value: Any) -> None:
    assert outcome(json.dumps(value)) == value


@pytest.mark.parametrize(
    "text",
    [
        '{"version":1.0,"operation":"delete","id":"a"}',
        '{"version":1e0,"operation":"delete","id":"\\ud800"}',
        '{"version":true,"version":1,"operation":"delete","id":7,"id":"a"}',
        '{"operation":"create","version":10E-1,"operation":"delete","id":"a"}',
    ],
)
def test_the_slower_decoder_decides_what_the_fast_one_refuses(text: str) -> None:
    with pytest.raises(REFUSALS):
        FAST.decode(text)
    assert isinstance(outcome(text), dict)


@pytest.mark.parametrize("spelling", ["300", "300.0", "3e2", "30000E-2", "300.00000000000000000001"])
def test_one_number_has_many_spellings(spelling: str) -> None:
    text = json.dumps(create("a", "every")).replace("300", spelling)
    change = outcome(text)
    assert change == create("a", "every")
    assert isinstance(change, dict)
    assert type(change["schedule"]["everySeconds"]) is int


@pytest.mark.parametrize(
    "spelling",
    ["9007199254741", "1e400", "299.99999999999997", "0300", "+300", "300.", "NaN", "9" * 5000, "true"],
)
def test_what_is_no_sound_interval_is_refused(spelling: str) -> None:
    assert outcome(json.dumps(create("a", "every")).replace("300", spelling)) == "corrupt_schedule_log"


@given(JSON)
def test_json_is_read_as_the_standard_library_reads_it(value: Any) -> None:
    text = json.dumps(value, indent=1)
    assert parse(text) == json.loads(text, parse_int=float)


@given(st.text(alphabet='{}[]:,"\\/ntru0123456789.eE+-\u00e9\ud800\x01 \n', max_size=12))
def test_what_is_json_is_the_same_as_for_the_standard_library(text: str) -> None:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        wanted = json.loads(text, parse_int=float, parse_constant=refuse)
    except ValueError:
        with pytest.raises(NotJsonError):
            parse(text)
        return
    assert parse(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        *[
            "",
            " ",
            "{",
            "[1,]",
            '{"a":1,}',
            '{"a"}',
            "{a:1}",
            "[1 2]",
            "NaN",
            "Infinity",
            "'a'",
            '"\t"',
        ],
        *[
            '"\\x41"',
            '"\\u12"',
            "\ufeff1",
            "\u00a01",
            "1\u2028",
            "\u0661",
            "-",
            "1.e5",
            ".5",
            "nul",
            "1 1",
            '"a',
            "]",
        ],
    ],
)
def test_text_that_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(NotJsonError):
        parse(text)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        (" \n}", 2),
        ("[1, ]", 4),
        ("[1 2]", 3),
        ("[1,[2}]", 5),
        ("1 1", 2),
        ("[] ,", 3),
        ('{"a":1, }', 8),
        ("{ a:1}", 2),
        ('{"a" 1}', 5),
        ('{"\\u0061" 1}', 10),
        ('{"a":1 "b"', 7),
        ('"ab', 3),
        ('"a\t"', 2),
        ('"a\\n\t"', 4),
        ('"a\\x41"', 3),
        ('"a\\u12"', 4),
        ('"a\\', 3),
    ],
)
def test_the_first_character_that_cannot_be_is_told(text: str, position: int) -> None:
    with pytest.raises(NotJsonError, match=f"at character {position}$") as problem:
        parse(text)
    assert problem.value.position == position


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ('"\\ud83d"', "\ud83d"),
        ('"\ud83d\ude00"', "\U0001f600"),
        ('"\ud83d\\ude00"', "\U0001f600"),
        ('{"\ud83d\ude00":1}', {"\U0001f600": 1}),
        ('"\\ude00\\ud83d"', "\ude00\ud83d"),
        ('"\\ud83dx\\ude00"', "\ud83dx\ude00"),
        ('"\\u2028\\/\\b"', "\u2028/\b"),
        ('{"__proto__":1,"__proto__":2}', {"__proto__": 2}),
        ('[1,2,{"a":3,"b":[4,5]}]', [1, 2, {"a": 3, "b": [4, 5]}]),
        ("-0", 0),
        ("9007199254740993", 9007199254740992.0),
    ],
)
def test_json_is_read_as_ecmascript_reads_it(text: str, value: object) -> None:
    assert parse(text) == value


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[0, {"\\u0061" : ', " }\n]")])
def test_nesting_costs_no_stack(opening: str, closing: str) -> None:
    depth = 20_000
    deep = f"{opening * depth}1{closing * depth}"
    assert parse(f'[{deep}, {{"b":2}}]')[1] == {"b": 2}  # type: ignore[index]
    assert outcome(f'{{"version":1,"operation":"delete","id":{deep}}}') == "corrupt_schedule_log"
    for broken in (opening * depth, deep[:-1], deep + closing, deep[:-1] + ",", deep.replace("1", "1 1")):
        with pytest.raises(NotJsonError):
            parse(broken)


def test_values_are_kept_to_the_stated_depth_and_null_below_it() -> None:
    def nested(depth: int, value: Json) -> Json:
        for _ in range(depth):
            value = [value, {"b": 2}]
        return value

    kept = nested(KEPT_DEPTH - 1, [7, []])
    assert parse(json.dumps(kept)) == kept
    deeper = nested(KEPT_DEPTH - 1, [7, {"a": {"x": [1, {}]}, "b": 2}, [3]])
    assert parse(json.dumps(deeper)) == nested(KEPT_DEPTH - 1, [7, None, None])


class Member(IntEnum):
    """Integers that are members of an enumeration."""

    ONE = 1
    LEAST = 300


class Number(int):
    """Integers of a type of their own."""


@pytest.mark.parametrize("seconds", [300, 300.0, Member.LEAST, Number(300)])
@pytest.mark.parametrize("version", [1, 1.0, Member.ONE, Number(1)])
def test_a_value_is_converted_whatever_its_numbers_are(seconds: float, version: float) -> None:
    value = {**create("a", "every", everySeconds=seconds), "version": version}
    change = to_json(CHANGES.convert(value))
    assert change == create("a", "every")
    assert type(change["schedule"]["everySeconds"]) is int


@pytest.mark.parametrize(
    "member", [True, False, 1.5, float("inf"), float("nan"), "1", None, [1], {"a": 1}, Number(2**70)]
)
def test_what_is_no_integer_is_refused_wherever_one_stands(member: object) -> None:
    for value in (
        {**delete("a"), "version": member},
        create("a", "every", everySeconds=member),
        create("a", "after", afterSeconds=member),
        {**dispatch("a"), "acceptedAt": member},
    ):
        with pytest.raises(ScheduleError) as refusal:
            CHANGES.convert(value)
        assert refusal.value.code == "corrupt_schedule_log"


@pytest.mark.parametrize("name", ["", " a", "a\ufeff"])
def test_a_value_is_checked_beyond_its_type(name: str) -> None:
    for value in (delete(name), dispatch(name), create(name), create("a", prompt=name)):
        with pytest.raises(ScheduleError):
            CHANGES.convert(value)


class Untouched(dict[str, Any]):
    """An object that may be read, but not be gone through by hand, which takes time."""

    def items(self) -> Any:
        raise AssertionError("gone through")


@pytest.mark.parametrize("value", [create("a"), create("a", "every"), delete("a"), dispatch("a")])
def test_what_is_plain_is_converted_at_once(value: dict[str, Any]) -> None:
    assert to_json(CHANGES.convert(Untouched(value))) == value


def test_nothing_but_white_space_stands_around_a_colon() -> None:
    assert parse('{"a" :\n1}') == {"a": 1}
    for broken in ('{"a"~:1}', '{"a":~1}', '{"a"::1}', '{"a""b":1}'):
        with pytest.raises(NotJsonError):
            parse(broken)


def test_a_value_that_no_text_holds_is_refused_however_deep_it_nests() -> None:
    deep: Json = "a"
    for _ in range(50_000):
        deep = {"id": deep}
    for value in (deep, {**delete("a"), "id": deep}, {**create("a"), "schedule": deep}):
        reply = handle({"seq": 0, "cmd": "decode", "change": value})
        assert reply["rejected"]["code"] == "corrupt_schedule_log"


def test_a_member_keeps_its_name_around_what_is_not_kept() -> None:
    value: Json = {"a": {"b": [{"c": 1}], "d": 2}, "e": 3}
    kept: Json = {"a": None, "e": 3}
    for _ in range(KEPT_DEPTH - 1):
        value, kept = {"x": value, "y": 4}, {"x": kept, "y": 4}
    assert parse(json.dumps(value)) == kept


def test_nesting_costs_little_memory() -> None:
    text = "[" * 50_000 + "]" * 50_000
    tracemalloc.start()
    try:
        parse(text)
        assert tracemalloc.get_traced_memory()[1] < 20 * len(text)
    finally:
        tracemalloc.stop()
