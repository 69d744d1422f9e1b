"""Absolute input: strings with an offset, and local times."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedule_spec import absolute, instants
from schedule_spec.absolute import instant_of, milliseconds
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.json_text import Json

CLAUSES: list[tuple[Json, list[str]]] = [
    ("2030-06-15T12:34:56", ["at.offset-required"]),
    ("2030-06-15T12:34:56.5", ["at.offset-required"]),
    ("2030-02-30T12:34:56", ["at.offset-required"]),
    ("2030-06-15", ["at.offset-form"]),
    ("2030-06-15T12:34Z", ["at.offset-form"]),
    ("2030-06-15t12:34:56Z", ["at.offset-form"]),
    ("2030-06-15T12:34:56z", ["at.offset-form"]),
    ("2030-06-15T12:34:56.Z", ["at.offset-form"]),
    ("2030-06-15T12:34:56.1234Z", ["at.offset-form"]),
    ("2030-06-15T12:34:56,5Z", ["at.offset-form"]),
    ("2030-06-15T12:34:56+01", ["at.offset-form"]),
    ("2030-06-15T12:34:56+0100", ["at.offset-form"]),
    ("2030-06-15T12:34:56+01:00:00", ["at.offset-form"]),
    ("2030-06-15T12:34:56\u221201:00", ["at.offset-form"]),
    ("2030-06-15T12:34:56Z\n", ["at.offset-form"]),
    ("2030-06-15T12:34:56\n", ["at.offset-form"]),
    ("2030-06-15T12:34:5\u0666Z", ["at.offset-form"]),
    ("+002030-06-15T12:34:56Z", ["at.offset-form"]),
    (" 2030-06-15T12:34:56Z", ["at.offset-form"]),
    ("\ud8002030-06-15T12:34:56Z", ["at.offset-form"]),
    ("9" * 5_000, ["at.offset-form"]),
    ("2030-02-29T12:00:00Z", ["at.real-date"]),
    ("2030-00-10T12:00:00Z", ["at.real-date"]),
    ("2030-13-10T12:00:00Z", ["at.real-date"]),
    ("2030-06-00T12:00:00Z", ["at.real-date"]),
    ("2030-06-31T12:00:00Z", ["at.real-date"]),
    ("1900-02-29T12:00:00Z", ["at.real-date"]),
    ("0000-12-31T23:59:59Z", ["at.real-date"]),
    ("2030-06-15T24:00:00Z", ["at.real-date"]),
    ("2030-06-15T12:60:00Z", ["at.real-date"]),
    ("2030-06-15T23:59:60Z", ["at.real-date"]),
    ("2030-06-15T12:00:00+24:00", ["at.offset-range"]),
    ("2030-06-15T12:00:00-01:60", ["at.offset-range"]),
    ("2030-06-15T12:00:00-00:00", ["at.offset-range"]),
    ("2030-06-31T24:00:00-00:00", ["at.real-date", "at.real-date", "at.offset-range"]),
]


@pytest.mark.parametrize(("value", "clauses"), CLAUSES)
def test_a_string_that_means_no_instant(value: Json, clauses: list[str]) -> None:
    faults = instant_of(value)
    assert isinstance(faults, tuple)
    assert [fault.clause for fault in faults] == clauses
    assert {fault.code for fault in faults} == {"invalid_rule"}
    assert all(len(fault.message) < 300 and fault.message.isprintable() for fault in faults)


STRINGS = [
    ("2030-06-15T09:00:00+08:00", "2030-06-15T01:00:00.000Z"),
    ("2030-06-15T20:30:00-05:30", "2030-06-16T02:00:00.000Z"),
    ("2030-06-15T12:00:00+00:00", "2030-06-15T12:00:00.000Z"),
    ("2030-06-15T12:00:00-00:01", "2030-06-15T12:01:00.000Z"),
    ("2030-01-01T00:00:00+23:59", "2029-12-31T00:01:00.000Z"),
    ("2030-12-31T23:59:59.999-23:59", "2031-01-01T23:58:59.999Z"),
    ("2028-02-29T12:00:00.5Z", "2028-02-29T12:00:00.500Z"),
    ("2028-02-29T12:00:00.05Z", "2028-02-29T12:00:00.050Z"),
    ("2028-02-29T12:00:00.005Z", "2028-02-29T12:00:00.005Z"),
]


@pytest.mark.parametrize(("text", "meaning"), STRINGS)
def test_a_string_with_an_offset(text: str, meaning: str) -> None:
    """at.offset-meaning, at.fraction."""
    assert instant_of(text) == instants.parse(meaning)


def test_the_shift_may_leave_the_range() -> None:
    """at.range is judged by who knows the clock; a reading of the year 1 is real."""
    assert instant_of("0001-01-01T00:00:00+00:01") == EARLIEST - 60_000
    assert instant_of("9999-12-31T23:59:59.999-00:01") == LATEST + 60_000


@given(st.integers(EARLIEST, LATEST))
def test_a_canonical_instant_means_itself(ms: int) -> None:
    assert instant_of(instants.render(ms)) == ms


@given(st.integers(EARLIEST + 86_400_000, LATEST - 86_400_000), st.integers(-1_439, 1_439))
def test_an_offset_says_how_far_ahead_the_reading_is(ms: int, minutes: int) -> None:
    """at.offset-meaning: the same instant, read on clocks that are ahead or behind."""
    reading = instants.render(ms + minutes * 60_000).removesuffix("Z")
    offset = f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
    assert instant_of(reading + offset) == ms


@given(st.text(max_size=40))
def test_no_text_escapes_as_an_error(text: str) -> None:
    assert isinstance(instant_of(text), int | tuple)


@pytest.mark.parametrize(("digits", "expected"), [("", 0), ("5", 500), ("05", 50), ("005", 5), ("120", 120)])
def test_fraction(digits: str, expected: int) -> None:
    assert milliseconds(digits) == expected


def local(**changed: Json) -> dict[str, Json]:
    """Return a sound local time with some members changed; those that are `...` left out."""
    whole: dict[str, Any] = {"date": "2030-06-15", "time": "12:00:00", "time_zone": "Europe/Paris"} | changed
    return {name: value for name, value in whole.items() if value is not ...}


GONE: Any = ...
FORM, ZONE = ("invalid_rule", "at.local-form"), ("invalid_time_zone", "at.local-form")
DATE, NAME = ("invalid_rule", "at.real-date"), ("invalid_time_zone", "zone.names")

LOCAL: list[tuple[dict[str, Json], list[tuple[str, str]]]] = [
    ({"date": GONE}, [FORM]),
    ({"time": GONE}, [FORM]),
    ({"time_zone": GONE}, [FORM]),
    ({"date": GONE, "time": GONE, "time_zone": GONE}, [FORM]),
    ({"x": None}, [FORM]),
    ({"time_zone": GONE, "timeZone": "Europe/Paris"}, [FORM, FORM]),
    ({"x": 1, "time_zone": 1}, [FORM]),
    ({"x": 1, "time_zone": "Paris"}, [FORM, NAME]),
    ({"date": 20300615}, [FORM]),
    ({"time": None}, [FORM]),
    ({"date": None, "time": 12, "time_zone": None}, [FORM, FORM]),
    ({"date": None, "time_zone": None}, [FORM]),
    ({"time": [], "time_zone": {}}, [FORM]),
    ({"date": None, "time_zone": "Paris"}, [FORM, NAME]),
    ({"time_zone": None}, [ZONE]),
    ({"time_zone": True}, [ZONE]),
    ({"time_zone": ["UTC"]}, [ZONE]),
    ({"date": "x", "time_zone": 1}, [ZONE, FORM]),
    ({"time": "24:00:00", "time_zone": 1}, [ZONE, DATE]),
    ({"date": "2030-6-15"}, [FORM]),
    ({"date": "2030-06-15\n"}, [FORM]),
    ({"date": "20300-6-15"}, [FORM]),
    ({"date": "\u0662030-06-15"}, [FORM]),
    ({"time": "12:00"}, [FORM]),
    ({"time": "12:00:00.1234"}, [FORM]),
    ({"time": "12:00:00."}, [FORM]),
    ({"time": "12:00:00Z"}, [FORM]),
    ({"time": "12:00:00 "}, [FORM]),
    ({"date": "2030-02-29"}, [DATE]),
    ({"date": "0000-01-01"}, [DATE]),
    ({"time": "23:59:60"}, [DATE]),
    ({"date": "2030-02-29", "time": "x", "time_zone": "Paris"}, [DATE, FORM, NAME]),
    ({"time_zone": "Paris"}, [NAME]),
    ({"time_zone": ""}, [NAME]),
    ({"time_zone": "CET"}, [NAME]),
    ({"time_zone": "SystemV/PST8"}, [NAME]),
    ({"date": "2030-03-31", "time": "02:30:00"}, [("invalid_rule", "local.gap-rejected")]),
]


@pytest.mark.parametrize(("changed", "expected"), LOCAL)
def test_a_local_time_that_means_no_instant(
    changed: dict[str, Json], expected: list[tuple[str, str]]
) -> None:
    """at.local-form, at.real-date, zone.names, local.gap-rejected: all that applies, in order.

    Wrong keys, or a date or time of another type, hide the zone's type; nothing hides a zone's name.
    """
    faults = instant_of(local(**changed))
    assert isinstance(faults, tuple)
    assert [(fault.code, fault.clause) for fault in faults] == expected
    assert all(fault.message.isprintable() for fault in faults)


@pytest.mark.parametrize("value", [None, True, 0, 1.5, [], ["2030-06-15T12:00:00Z"]])
def test_neither_string_nor_object(value: Json) -> None:
    faults = instant_of(value)
    assert isinstance(faults, tuple)
    assert [(fault.code, fault.clause) for fault in faults] == [FORM]


def test_the_order_of_keys_is_free() -> None:
    assert instant_of(dict(reversed(local().items()))) == instants.parse("2030-06-15T10:00:00.000Z")


@pytest.mark.parametrize("name", ["Europe/Paris", "europe/paris", "EUROPE/PARIS"])
def test_a_local_time_in_any_case_of_its_zone(name: str) -> None:
    at = local(time="12:00:00.05", time_zone=name)
    assert instant_of(at) == instants.parse("2030-06-15T10:00:00.050Z")


def test_a_gap_is_told_with_its_ends() -> None:
    faults = instant_of(local(date="2011-12-30", time_zone="Pacific/Apia"))
    assert isinstance(faults, tuple)
    assert faults[0].where == "at"
    assert faults[0].message == (
        "2011-12-30T12:00:00.000 does not occur in Pacific/Apia: "
        "the clocks go from 2011-12-30T00:00:00.000 straight to 2011-12-31T00:00:00.000."
    )


@given(st.dictionaries(st.sampled_from([*absolute.MEMBERS, "x"]), st.none() | st.integers() | st.text()))
def test_no_object_escapes_as_an_error(value: dict[str, Json]) -> None:
    assert isinstance(instant_of(value), tuple)
