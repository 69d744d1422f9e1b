"""Text, numbers and instants: the smallest values that everything else is read with."""

import datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schedule_impl.instants import MAXIMUM, MINIMUM, to_ms, to_text
from schedule_impl.numbers import safe_integer
from schedule_impl.rate import latest_due, next_target
from schedule_impl.text import WHITE_SPACE, is_label, trim

IN_RANGE = st.integers(MINIMUM, MAXIMUM)
EPOCH = datetime.datetime(1970, 1, 1)  # noqa: DTZ001


def test_white_space_is_exactly_the_25_code_points_of_the_clause() -> None:
    ranges = [(0x9, 0xD), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029)]
    ranges += [(0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)]
    stripped = [point for point in range(0x110000) if trim(chr(point)) == ""]
    assert stripped == [point for first, last in ranges for point in range(first, last + 1)]


@pytest.mark.parametrize("text", ["", " ", "\ufeffx", "x\u2028", "\v"])
def test_an_empty_or_padded_text_is_no_label(text: str) -> None:
    assert not is_label(text)


@pytest.mark.parametrize("text", ["x", "a b", "\u0085", "\x1f", "\u200b", "\ud800", f"x{WHITE_SPACE}y"])
def test_what_ecmascript_does_not_strip_is_a_label(text: str) -> None:
    assert is_label(text)


@pytest.mark.parametrize(
    ("value", "number"),
    [(0, 0), (-0.0, 0), (300.0, 300), (2**53 - 1, 2**53 - 1), (-(2.0**53) + 1, -(2**53) + 1)],
)
def test_a_whole_number_is_a_safe_integer_however_it_is_spelt(value: object, number: int) -> None:
    assert safe_integer(value) == number


@pytest.mark.parametrize(
    "value", [True, False, None, "1", [1], {}, 0.5, 2**53, -(2**53), 2.0**53, float("inf"), float("nan")]
)
def test_anything_else_is_no_safe_integer(value: object) -> None:
    assert safe_integer(value) is None


@given(IN_RANGE)
@example(MINIMUM)
@example(MAXIMUM)
@example(-1)
def test_texts_and_times_are_inverse_and_agree_with_the_calendar(ms: int) -> None:
    text = to_text(ms)
    assert to_ms(text) == ms
    moment = EPOCH + datetime.timedelta(milliseconds=ms)
    assert text == f"{moment.isoformat(timespec='milliseconds')}Z"


@given(IN_RANGE, IN_RANGE)
def test_texts_stand_in_the_order_of_the_times(one: int, other: int) -> None:
    assert (to_text(one) < to_text(other)) == (one < other)


@pytest.mark.parametrize("ms", [MINIMUM - 1, MAXIMUM + 1, 10**30])
def test_no_text_names_a_time_outside_the_range(ms: int) -> None:
    with pytest.raises(ValueError, match="instant"):
        to_text(ms)


SOUND = "2028-02-29T23:59:59.999Z"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2030-02-29T00:00:00.000Z",
        "1900-02-29T00:00:00.000Z",
        "2030-13-01T00:00:00.000Z",
        "2030-00-01T00:00:00.000Z",
        "0000-01-01T00:00:00.000Z",
        "2030-01-01T24:00:00.000Z",
        "2030-01-01T00:60:00.000Z",
        "2030-01-01T00:00:60.000Z",
        "2030-01-01T00:00:00.00Z",
        "2030-01-01T00:00:00.0000Z",
        "2030-01-01T00:00:00,000Z",
        "2030-01-01T00:00:00Z",
        "2030-01-01t00:00:00.000z",
        "2030-01-01 00:00:00.000Z",
        "2030-01-01T00:00:00.000+00:00",
        "2030-W01-1T00:00:00.000Z",
        "+002030-01-01T00:00:00.000Z",
        "-001-01-01T00:00:00.000Z",
        "20300101T000000.000Z",
        "2030-1-001T00:00:00.000Z",
        "\u0662030-01-01T00:00:00.000Z",
        "2030-01-01T00:00:0\uff10.000Z",
        f"{SOUND}\n",
        f" {SOUND}",
    ],
)
def test_only_the_one_spelling_is_an_instant(text: str) -> None:
    with pytest.raises(ValueError, match=r"form|day|month|year"):
        to_ms(text)


@given(st.integers(0, 23), st.characters())
def test_a_sound_text_with_one_character_changed_is_another_instant_or_none(at: int, character: str) -> None:
    text = SOUND[:at] + character + SOUND[at + 1 :]
    try:
        ms = to_ms(text)
    except ValueError:
        return
    assert to_text(ms) == text


@given(st.integers(0, 10**6), st.integers(300_000, 10**12), st.integers(MINIMUM, MAXIMUM))
def test_the_next_target_is_the_first_aligned_one_after_the_decision(
    k: int, interval: int, target: int
) -> None:
    accepted = min(target + k * interval + interval // 2, MAXIMUM)
    occurrence = latest_due(target, interval, accepted)
    assert occurrence <= accepted < occurrence + interval
    assert (occurrence - target) % interval == 0
    following = next_target(target, interval, accepted)
    assert following == (None if occurrence + interval > MAXIMUM else occurrence + interval)
