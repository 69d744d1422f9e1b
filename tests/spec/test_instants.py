from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spec.strategies import instants

from schedule_spec.instants import EARLIEST, LATEST, parse, render

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def iso(ms: int) -> str:
    """Write an instant with the standard library."""
    moment = EPOCH + timedelta(milliseconds=ms)
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


@given(instants)
def test_texts_are_those_of_the_standard_library(ms: int) -> None:
    assert render(ms) == iso(ms)
    assert parse(iso(ms)) == ms


@given(instants, instants)
def test_the_order_of_texts_is_the_order_of_times(one: int, other: int) -> None:
    """instant.round-trip: and both directions are inverse."""
    assert (render(one) < render(other)) == (one < other)
    assert (render(one) == render(other)) == (one == other)
    assert parse(render(one)) == one


def test_the_ends_of_the_range() -> None:
    assert render(EARLIEST) == "0001-01-01T00:00:00.000Z"
    assert render(LATEST) == "9999-12-31T23:59:59.999Z"
    assert parse("0001-01-01T00:00:00.000Z") == EARLIEST
    assert parse("9999-12-31T23:59:59.999Z") == LATEST
    assert parse("1970-01-01T00:00:00.000Z") == 0
    assert parse("1969-12-31T23:59:59.999Z") == -1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2030-01-01",
        "2030-01-01T00:00:00Z",
        "2030-01-01T00:00:00.0Z",
        "2030-01-01T00:00:00.00Z",
        "2030-01-01T00:00:00.0000Z",
        "2030-01-01T00:00:00,000Z",
        "2030-01-01T00:00:00.000",
        "2030-01-01T00:00:00.000z",
        "2030-01-01t00:00:00.000Z",
        "2030-01-01 00:00:00.000Z",
        "2030-01-01T00:00:00.000+00:00",
        "2030-01-01T00:00:00.000-00:00",
        "2030-01-01T00:00:00.000Z\n",
        "\n2030-01-01T00:00:00.000Z",
        " 2030-01-01T00:00:00.000Z",
        "2030-01-01T00:00:00.000Z ",
        "2030-01-01T00:00:00.000Z\x00",
        "2030-01-01T24:00:00.000Z",
        "2030-01-01T23:60:00.000Z",
        "2030-01-01T23:59:60.000Z",
        "0000-01-01T00:00:00.000Z",
        "0000-12-31T23:59:59.999Z",
        "10000-01-01T00:00:00.000Z",
        "+002030-01-01T00:00:00.000Z",
        "-0001-01-01T00:00:00.000Z",
        "2030-00-01T00:00:00.000Z",
        "2030-13-01T00:00:00.000Z",
        "2030-01-00T00:00:00.000Z",
        "2030-01-32T00:00:00.000Z",
        "2030-02-29T00:00:00.000Z",
        "2030-02-30T00:00:00.000Z",
        "2100-02-29T00:00:00.000Z",
        "2030-04-31T00:00:00.000Z",
        "20300101T000000.000Z",
        "2030-1-01T00:00:00.000Z",
        "２030-01-01T00:00:00.000Z",
        "2030-01-01T00:00:00.00٠Z",
        "2030-W01-1T00:00:00.000Z",
        "2030-001T00:00:00.000Z",
        "2030-01-01T00:00:00.000\ud800",
    ],
)
def test_what_is_not_canonical(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    "text", ["2000-02-29T00:00:00.000Z", "0004-02-29T00:00:00.000Z", "2028-02-29T23:59:59.999Z"]
)
def test_leap_days_exist(text: str) -> None:
    ms = parse(text)
    assert ms is not None
    assert iso(ms) == text


@given(instants, st.integers(0, 23), st.sampled_from("0123456789-:.TZtz+ \n٣２"))
def test_one_character_off_is_another_instant_or_none(ms: int, at: int, character: str) -> None:
    text = render(ms)
    edited = text[:at] + character + text[at + 1 :]
    read = parse(edited)
    assert read is None or iso(read) == edited
