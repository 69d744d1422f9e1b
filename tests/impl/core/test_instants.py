"""Instants: their one spelling, the range, and that what was read once is never worked out again."""

import datetime
from typing import NoReturn

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schedule_impl import instants
from schedule_impl.instants import MAXIMUM, MINIMUM, to_ms, to_text

IN_RANGE = st.integers(MINIMUM, MAXIMUM)
EPOCH = datetime.datetime(1970, 1, 1)  # noqa: DTZ001


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("0001-01-01T00:00:00.000Z", -62_135_596_800_000),
        ("1969-12-31T23:59:59.999Z", -1),
        ("1970-01-01T00:00:00.000Z", 0),
        ("1970-01-02T03:04:05.006Z", 97_445_006),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ],
)
def test_each_spelling_names_its_instant(text: str, ms: int) -> None:
    assert to_ms(text) == ms
    assert to_text(ms) == text


@pytest.mark.parametrize("ms", [-62_135_596_800_001, 253_402_300_800_000, 10**30])
def test_no_text_names_a_time_outside_the_range(ms: int) -> None:
    with pytest.raises(ValueError, match="instant"):
        to_text(ms)


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
        "2030-01-01T00:00:00.1000Z",
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
        "2030-01-1T00:00:00.000Z",
        "2030-01-",
        "203 -01-01T00:00:00.000Z",
        "2030-1 -01T00:00:00.000Z",
        "2030-01- 1T00:00:00.000Z",
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


def never(*_: object) -> NoReturn:
    pytest.fail("what is known was worked out again")


def test_the_instants_of_an_hour_that_was_seen_are_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    assert to_ms("2030-01-01T05:00:00.000Z") == 1_893_474_000_000
    monkeypatch.setattr(instants, "_learn", never)
    assert to_ms("2030-01-01T05:00:00.000Z") == 1_893_474_000_000
    assert to_ms("2030-01-01T05:59:59.999Z") == 1_893_477_599_999
    assert to_ms("2030-01-01T05:10:20.300Z") == 1_893_474_620_300


def test_4096_hours_are_known_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {f"an hour {number}": 0 for number in range(4095)}
    monkeypatch.setattr(instants, "_hours", known)
    to_ms("2030-01-01T05:00:00.000Z")
    assert len(known) == 4096
    to_ms("2030-01-01T06:00:00.000Z")
    assert list(known) == ["2030-01-01T06:"]
