"""Creation of the three kinds: targets, ranges, and the codes of what is refused (after.*, every.*, at.*)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.impl.time.support import BEFORE_ALL, create

from schedule_impl.instants import MAXIMUM, MINIMUM, to_ms

SAFE = 2**53 - 1
NOON = 1_790_000_000_000
"""2026-09-21T14:13:20.000Z in ms."""
NO_INTEGERS: list[Any] = [
    None,
    True,
    False,
    "300",
    "",
    300.5,
    1e300,
    2**53,
    -(2**53),
    2**70,
    [300],
    {},
    float(2**53),
]


def test_after() -> None:
    assert create(after_seconds=90, now=NOON + 7, prompt="\ufeff look \u3000") == {
        "id": "a",
        "kind": "after",
        "prompt": "look",
        "afterSeconds": 90,
        "scheduledAt": "2026-09-21T14:14:50.007Z",
    }


def test_every() -> None:
    assert create(every_seconds=300, now=NOON + 7) == {
        "id": "a",
        "kind": "every",
        "prompt": "p",
        "everySeconds": 300,
        "scheduledAt": "2026-09-21T14:18:20.007Z",
    }


def test_a_number_is_what_it_says_however_it_is_spelt() -> None:
    for spelling in ("300", "300.0", "3e2", "3.00E+2", "30000e-2"):
        for selector in ("after_seconds", "every_seconds"):
            text = f'{{"id":"a","prompt":"p","now":0.0,"{selector}":{spelling}}}'
            assert create(json=text)["scheduledAt"] == "1970-01-01T00:05:00.000Z"


@pytest.mark.parametrize("value", [*NO_INTEGERS, 0, -1, -0.0, -SAFE], ids=repr)
def test_a_delay_is_a_positive_safe_integer(value: Any) -> None:
    assert create(after_seconds=value, now=NOON) == "invalid_rule"


@pytest.mark.parametrize("value", NO_INTEGERS, ids=repr)
def test_an_interval_is_a_safe_integer(value: Any) -> None:
    assert create(every_seconds=value, now=NOON) == "invalid_rule"


@pytest.mark.parametrize("value", [299, 299.0, 1, 0, -0.0, -1, -300, -SAFE], ids=repr)
def test_an_interval_is_five_minutes_at_least(value: Any) -> None:
    assert create(every_seconds=value, now=NOON) == "frequency_too_high"


@pytest.mark.parametrize("selector", ["after_seconds", "every_seconds"])
def test_the_target_stays_in_range(selector: str) -> None:
    def target(seconds: int, now: int) -> Any:
        record = create(**{selector: seconds}, now=now)
        return record if isinstance(record, str) else record["scheduledAt"]

    assert target(300, MAXIMUM - 300_000) == "9999-12-31T23:59:59.999Z"
    assert target(300, MAXIMUM - 299_999) == "time_out_of_range"
    assert target(300, MINIMUM - 300_000) == "0001-01-01T00:00:00.000Z"
    assert target(300, MINIMUM - 300_001) == "time_out_of_range"
    assert target(SAFE, 0) == "time_out_of_range"
    assert target(9_007_199_254_740, -SAFE) == "1969-12-31T23:59:59.009Z"


def test_no_interval_whose_milliseconds_are_unsafe() -> None:
    # Its first target would lie in range, but no record can hold it.
    assert create(every_seconds=9_007_199_254_741, now=-SAFE) == "time_out_of_range"
    assert create(after_seconds=9_007_199_254_741, now=-SAFE)["scheduledAt"] == "1970-01-01T00:00:00.009Z"


@pytest.mark.parametrize(
    "selector", [{"after_seconds": 60}, {"every_seconds": 300}, {"at": "2030-01-01T00:00:00Z"}], ids=repr
)
@pytest.mark.parametrize("now", [*NO_INTEGERS, float("nan"), float("inf"), -float("inf")], ids=repr)
def test_the_clock_is_a_safe_integer(selector: dict[str, Any], now: Any) -> None:
    assert create(**selector, now=now) == "time_out_of_range"


def test_without_a_clock() -> None:
    assert create(json='{"id":"a","prompt":"p","after_seconds":60}') == "time_out_of_range"


def test_a_moment_is_strictly_after_the_clock() -> None:
    at = "2026-09-21T14:13:20Z"
    assert create(at=at, now=NOON - 1)["scheduledAt"] == "2026-09-21T14:13:20.000Z"
    assert create(at=at, now=NOON) == "not_future"
    assert create(at=at, now=NOON + 1) == "not_future"
    assert create(at=at, now=-SAFE)["scheduledAt"] == "2026-09-21T14:13:20.000Z"
    assert create(at=at, now=SAFE) == "not_future"


ALL = {"after_seconds": 60, "at": "2030-01-01T00:00:00Z", "every_seconds": 300}


@pytest.mark.parametrize(
    "selectors",
    [(), ("after_seconds", "at"), ("after_seconds", "every_seconds"), ("at", "every_seconds"), tuple(ALL)],
    ids=str,
)
def test_exactly_one_selector(selectors: tuple[str, ...]) -> None:
    assert create(**{name: ALL[name] for name in selectors}) == "invalid_selector"
    assert create(**dict.fromkeys(selectors)) == "invalid_selector"


@pytest.mark.parametrize("selector", ALL)
def test_a_null_selector_is_there_and_of_a_wrong_type(selector: str) -> None:
    assert create(**{selector: None}) == "invalid_rule"
    for other in ALL.keys() - {selector}:
        assert create(**{selector: None, other: ALL[other]}) == "invalid_selector"


@pytest.mark.parametrize("prompt", [None, 0, True, [], {}, "", " ", "\n\t", "\ufeff\u3000\u2028"], ids=ascii)
def test_a_prompt_is_text_that_says_something(prompt: Any) -> None:
    assert create(after_seconds=60, prompt=prompt) == "invalid_prompt"


@pytest.mark.parametrize("prompt", ["\x1c", "\x85", "\u200b", "\u180e", "\ud800", "\x00"], ids=ascii)
def test_a_prompt_keeps_what_ecmascript_does_not_trim(prompt: str) -> None:
    assert create(after_seconds=60, now=0, prompt=f" {prompt}\n")["prompt"] == prompt


@pytest.mark.parametrize("value", [None, 7, True, []], ids=repr)
def test_no_record_without_an_id_that_is_a_string(value: Any) -> None:
    assert create(after_seconds=60, now=0, id=value) == "invalid_rule"


@pytest.mark.parametrize(
    "value",
    ["", " a", "a\n", "\x1c", "__proto__", "\ud83d", "a b", "\x00", "7" * 5000],
    ids=lambda text: ascii(text[:9]),
)
def test_an_id_is_taken_as_given(value: str) -> None:
    assert create(after_seconds=60, now=0, id=value)["id"] == value


def test_further_members_are_not_asked() -> None:
    assert create(after_seconds=60, now=0, note=1, kind="at", every=None) == create(after_seconds=60, now=0)


GAP = {"date": "2027-03-28", "time": "02:30:00", "time_zone": "Europe/Paris"}


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"prompt": "", "after_seconds": 0, "every_seconds": 1, "now": None}, "invalid_selector"),
        ({"prompt": "", "after_seconds": 0, "now": None}, "invalid_prompt"),
        ({"after_seconds": 0, "now": None}, "invalid_rule"),
        ({"every_seconds": 1.5, "now": None}, "invalid_rule"),
        ({"every_seconds": 1, "now": None}, "frequency_too_high"),
        ({"at": "2030-02-30T00:00:00Z", "now": None}, "invalid_rule"),
        ({"at": {**GAP, "date": "2030-02-30", "time_zone": "No/Where"}, "now": None}, "invalid_rule"),
        ({"at": {**GAP, "time_zone": "No/Where"}, "now": None}, "invalid_time_zone"),
        ({"at": GAP, "now": None}, "invalid_rule"),
        ({"at": GAP, "now": SAFE}, "invalid_rule"),
        ({"at": "0001-01-01T00:00:00+01:00", "now": SAFE}, "time_out_of_range"),
    ],
)
def test_the_first_fault_is_told(members: dict[str, Any], code: str) -> None:
    assert create(**members) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        '"after_seconds"',
        "{",
        '{"id":"a","prompt":"p","now":0,"after_seconds":60,}',
        '{"id":"a","prompt":"p","now":NaN,"after_seconds":60}',
        '{"id":"a","prompt":"p","now":0,"after_seconds":060}',
        '{"id":"a","prompt":"p","now":0,"after_seconds":' + "9" * 5000 + "}",
        '{"id":"a","prompt":"p","now":0,"after_seconds":1e400}',
        '{"id":"a","prompt":"p","now":0,"at":' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"id":"a","prompt":"p","now":0,"at":' + '{"date":' * 100_000 + "0" + "}" * 100_000 + "}",
        "[" * 100_000,
        "\ufeff{}",
    ],
    ids=lambda text: ascii(text[:60]),
)
def test_text_that_makes_no_record_is_an_invalid_rule(text: str) -> None:
    assert create(json=text) == "invalid_rule"


@pytest.mark.parametrize("value", [None, 1, {}, []], ids=repr)
def test_json_that_is_no_text(value: Any) -> None:
    assert create(json=value, after_seconds=60) == "invalid_rule"


def test_the_text_replaces_the_other_members_and_its_last_duplicate_counts() -> None:
    text = '{"id":"b","prompt":"\\ud83d","now":9,"after_seconds":"x","now":0,"after_seconds":60}'
    assert create(json=text, prompt="q", every_seconds=300, now=5) == {
        "id": "b",
        "kind": "after",
        "prompt": "\ud83d",
        "afterSeconds": 60,
        "scheduledAt": "1970-01-01T00:01:00.000Z",
    }


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from([*ALL.values(), "UTC"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["date", "time", "time_zone", "x"]), inner, max_size=4)
    ),
    max_leaves=6,
)


@given(
    st.dictionaries(st.sampled_from(["id", "prompt", "now", *ALL]), ANYTHING, max_size=6),
    st.sampled_from([None, *ALL]),
)
def test_whatever_comes_is_answered(members: dict[str, Any], selector: str | None) -> None:
    """A record is sound, and is the same by way of JSON text; anything else has a code. Nothing is raised."""
    if selector is not None:
        members = {
            **{key: value for key, value in members.items() if key not in ALL},
            selector: members.get(selector),
        }
    answer = create(**members)
    if isinstance(answer, dict):
        assert MINIMUM <= to_ms(answer["scheduledAt"]) <= MAXIMUM
        assert create(json=json.dumps({"id": "a", "prompt": "p", "now": BEFORE_ALL, **members})) == answer


@given(st.integers(300, 200_000_000_000), st.integers(MINIMUM - 10**12, MAXIMUM))
def test_targets_are_exact(seconds: int, now: int) -> None:
    after, every = create(after_seconds=seconds, now=now), create(every_seconds=seconds, now=now)
    if isinstance(after, dict):
        assert after["scheduledAt"] == every["scheduledAt"]
        assert divmod(to_ms(after["scheduledAt"]) - now, 1000) == (seconds, 0)
    else:
        assert after == every == "time_out_of_range"
        assert not MINIMUM <= now + 1000 * seconds <= MAXIMUM
