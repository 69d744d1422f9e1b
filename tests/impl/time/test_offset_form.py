"""One string of date, time and offset: what it means, and how strictly it is read (at.offset-*)."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.impl.time.support import create, scheduled


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2027-05-01T09:00:00+08:00", "2027-05-01T01:00:00.000Z"),
        ("2027-05-01T20:30:00-05:30", "2027-05-02T02:00:00.000Z"),
        ("2027-05-01T20:30:00Z", "2027-05-01T20:30:00.000Z"),
        ("2027-05-01T20:30:00+00:00", "2027-05-01T20:30:00.000Z"),
        ("2027-05-01T20:30:00+23:59", "2027-04-30T20:31:00.000Z"),
        ("2027-05-01T20:30:00-23:59", "2027-05-02T20:29:00.000Z"),
        ("2027-05-01T20:30:00-00:01", "2027-05-01T20:31:00.000Z"),
        ("2028-02-29T00:00:00.5Z", "2028-02-29T00:00:00.500Z"),
        ("2028-02-29T00:00:00.05Z", "2028-02-29T00:00:00.050Z"),
        ("2028-02-29T00:00:00.005Z", "2028-02-29T00:00:00.005Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
        ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ("0001-01-01T23:59:00+23:59", "0001-01-01T00:00:00.000Z"),
        ("9999-12-31T00:00:59.999-23:59", "9999-12-31T23:59:59.999Z"),
    ],
)
def test_the_written_reading_minus_the_offset(text: str, instant: str) -> None:
    assert create(at=text) == {"id": "a", "kind": "at", "prompt": "p", "scheduledAt": instant}


@pytest.mark.parametrize(
    "text",
    [
        "0001-01-01T23:58:59.999+23:59",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T00:01:00-23:59",
        "9999-12-31T23:59:59.999-00:01",
    ],
)
def test_the_shift_to_utc_alone_may_leave_the_range(text: str) -> None:
    assert scheduled(text) == "time_out_of_range"


SOUND = "2027-05-01T20:30:00.125+05:30"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2027-05-01",
        "2027-05-01T20:30:00",
        "2027-05-01T20:30Z",
        "2027-05-01T20:30:00.Z",
        "2027-05-01T20:30:00.1234Z",
        "2027-05-01T20:30:00,5Z",
        "2027-05-01T20:30:00z",
        "2027-05-01t20:30:00Z",
        "2027-05-01 20:30:00Z",
        "20270501T203000Z",
        "2027-W17-6T20:30:00Z",
        "2027-121T20:30:00Z",
        "+02027-05-01T20:30:00Z",
        "-2027-05-01T20:30:00Z",
        "12027-05-01T20:30:00Z",
        "2027-05-01T20:30:00+05",
        "2027-05-01T20:30:00+0530",
        "2027-05-01T20:30:00+05:30:00",
        "2027-05-01T20:30:00+5:30",
        "2027-05-01T20:30:00+24:00",
        "2027-05-01T20:30:00-24:00",
        "2027-05-01T20:30:00+05:60",
        "2027-05-01T20:30:00-00:00",
        "2027-05-01T20:30:00\u221205:30",
        "2027-05-01T20:30:00+05:30[Asia/Kolkata]",
        "2027-05-01T20:30:00 UTC",
        "2027-05-01T24:00:00Z",
        "2027-05-01T23:60:00Z",
        "2016-12-31T23:59:60Z",
        "2027-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2027-04-31T00:00:00Z",
        "2027-00-10T00:00:00Z",
        "2027-13-10T00:00:00Z",
        "2027-05-00T00:00:00Z",
        "0000-12-31T23:00:00-02:00",
        "2027-05-01T20:30:00Z\n",
        "\ufeff2027-05-01T20:30:00Z",
        "2027-05-01T20:30:00Z\x00",
        "2027-05-01T20:30:00\ud83dZ",
        "Z" * 1_000_000,
        "9" * 1_000_000,
    ],
    ids=lambda text: ascii(text[:40]),
)
def test_anything_else_is_an_invalid_rule(text: str) -> None:
    assert scheduled(text) == "invalid_rule"


def test_every_character_counts() -> None:
    """No character may be left out, nor a space be put in, nor a digit be one of another script or none."""
    assert scheduled(SOUND) == "2027-05-01T15:00:00.125Z"
    for place, character in enumerate(SOUND):
        shorter = SOUND[:place] + SOUND[place + 1 :]
        expected = "2027-05-01T15:00:00." if character in "125" and 20 <= place < 23 else "invalid_rule"
        assert scheduled(shorter).startswith(expected), shorter
        if character.isdigit():
            for other in (chr(0xFF10 + int(character)), chr(0x660 + int(character)), "\u00b2", "_", " ", "+"):
                altered = SOUND[:place] + other + SOUND[place + 1 :]
                assert scheduled(altered) == "invalid_rule", ascii(altered)
        for space in ("\t", "\n", " ", "\u00a0"):
            assert scheduled(SOUND[:place] + space + SOUND[place:]) == "invalid_rule"


@given(
    st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 12, 31)),  # noqa: DTZ001
    st.integers(-1439, 1439),
)
def test_as_the_standard_library_would_shift_it(moment: datetime, offset: int) -> None:
    moment = moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    aware = moment.replace(tzinfo=timezone(timedelta(minutes=offset)))
    text = aware.isoformat(timespec="milliseconds")
    there = aware.astimezone(UTC).isoformat(timespec="milliseconds")
    assert scheduled(text) == there.removesuffix("+00:00") + "Z"
