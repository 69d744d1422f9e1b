"""Zones: which names are accepted, and the offsets that a zone has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spec.time.tz_files import ALL_NAMES, PACKAGE, file_bytes, ms, oracle, oracle_offset

from schedule_spec import zones
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.posix_rules import HOUR, parse
from schedule_spec.zones import Transition, canonical, is_open, offset_at, transitions_between, zone

YEAR = 31_556_952_000
"""A mean year in ms."""
SOURCE = PACKAGE.joinpath("zoneinfo", "tzdata.zi").read_text("ascii").splitlines()
"""The release in the source's own form: zones begin with Z, links with L."""


def test_the_release_is_the_one_that_the_data_states() -> None:
    """zone.release: what is stated is what is read."""
    assert SOURCE[0] == f"# version {zones.release()}"


def test_the_names_are_those_of_the_source() -> None:
    """zone.names: zones and links alike, with a `/`, and UTC."""
    fields = [line.split() for line in SOURCE if line[:2] in ("Z ", "L ")]
    named = {line[1] if line[0] == "Z" else line[2] for line in fields}
    assert {name for name in named if "/" in name} | {"UTC"} == set(zones.names())
    assert list(zones.names()) == sorted(zones.names())


@pytest.mark.parametrize("name", zones.names())
def test_an_accepted_name(name: str) -> None:
    """zone.names: in the release's spelling, and in any ASCII case but for UTC."""
    assert canonical(name) == name
    for spelling in (name.upper(), name.lower(), name.swapcase()):
        assert canonical(spelling) == (name if "/" in name or spelling == name else None)
    assert zone(name).name == name


@pytest.mark.parametrize("name", [name for name in ALL_NAMES if "/" not in name and name != "UTC"])
def test_a_name_of_the_release_without_a_slash(name: str) -> None:
    assert canonical(name) is None


NO_NAMES = [
    "",
    "/",
    "utc",
    "Utc",
    "UTC ",
    " UTC",
    "UTC\n",
    "UTC\0",
    "Europe/Paris\n",
    "Europe/Paris ",
    "\tEurope/Paris",
    "Europe//Paris",
    "/Europe/Paris",
    "Europe/Paris/",
    "./Europe/Paris",
    "../zoneinfo/Europe/Paris",
    "Europe/../Europe/Paris",
    "Europe\\Paris",
    "Europe",
    "Europe/",
    "Europe/__init__.py",
    "zoneinfo/UTC",
    "posix/Europe/Paris",
    "right/Europe/Paris",
    "+01:00",
    "GMT+1",
    "Etc/GMT+13",
    "Etc/GMT-15",
    "Etc/GMT+05",
    "Etc/Unknown",
    "Asia/Beijing",
    "America/New York",
    "America/New-York",
    "Asia/To\u212ayo",
    "Asia/\u017feoul",
    "Am\u00e9rica/Bogota",
    "\uff25urope/Paris",
    "Europe/I\u0307stanbul",
    "\ud800/\udfff",
    "A/" + "b" * 100_000,
]


@pytest.mark.parametrize("name", NO_NAMES)
def test_no_name(name: str) -> None:
    assert canonical(name) is None


@given(st.text())
def test_nothing_but_a_listed_name_is_accepted(name: str) -> None:
    found = canonical(name)
    assert found is None or (found in zones.names() and found.lower() == name.lower())


def test_the_fifteen_open_names() -> None:
    """zone.names: the release has none of them; whoever asks an implementation must pass them over."""
    assert len(set(zones.OPEN_NAMES)) == 15
    assert sum(name.startswith("SystemV/") for name in zones.OPEN_NAMES) == 13
    assert not any(map(canonical, zones.OPEN_NAMES))
    zones_of_the_states = [f"{letter}ST{hours}" for letter, hours in zip("AECMPY", range(4, 10), strict=True)]
    systemv = [*zones_of_the_states, *(f"{name}{name[0]}DT" for name in zones_of_the_states), "HST10"]
    others = ["US/Pacific-New", "Canada/East-Saskatchewan"]
    assert set(zones.OPEN_NAMES) == {*others, *(f"SystemV/{name}" for name in systemv)}
    assert is_open("systemv/ast4adt")
    assert is_open("US/PACIFIC-NEW")
    assert not is_open("Canada/East-Sas\u212aatchewan")
    assert not any(map(is_open, (*zones.names(), "SystemV/AST5", "Systemv\u017f/AST4", "")))


def test_etc_zones_count_westward() -> None:
    for hours in range(-14, 13):
        name = f"Etc/GMT{hours:+d}" if hours else "Etc/GMT"
        assert zones.offsets(zone(name)) == (-hours * HOUR,)
        assert transitions_between(zone(name), EARLIEST, LATEST) == ()


NAMED_TRANSITIONS: dict[str, tuple[str, int, int, list[tuple[int, float, float]]]] = {
    "a whole day skipped": (
        "Pacific/Apia",
        ms(2011, 12, 1),
        ms(2012, 1, 31),
        [(ms(2011, 12, 30, 10), -10, 14)],
    ),
    "a whole day lived twice": (
        "America/Juneau",
        ms(1867, 1, 1),
        ms(1868, 1, 1),
        [(ms(1867, 10, 19, 0, 31, 13), 15 + 2 / 60 + 19 / 3600, -(8 + 57 / 60 + 41 / 3600))],
    ),
    "half an hour": (
        "Australia/Lord_Howe",
        ms(2030, 1, 1),
        ms(2031, 1, 1),
        [(ms(2030, 4, 6, 15), 11, 10.5), (ms(2030, 10, 5, 15, 30), 10.5, 11)],
    ),
    "two hours": (
        "Antarctica/Troll",
        ms(2500, 1, 1),
        ms(2501, 1, 1),
        [(ms(2500, 3, 28, 1), 0, 2), (ms(2500, 10, 31, 1), 2, 0)],
    ),
    "summer that is the standard": (
        "Europe/Dublin",
        ms(9998, 1, 1),
        ms(9999, 1, 1),
        [(ms(9998, 3, 29, 1), 0, 1), (ms(9998, 10, 25, 1), 1, 0)],
    ),
    "before midnight of the day named": (
        "America/Godthab",
        ms(2040, 1, 1),
        ms(2041, 1, 1),
        [(ms(2040, 3, 25, 1), -2, -1), (ms(2040, 10, 28, 1), -1, -2)],
    ),
    "26 o'clock on a Thursday": (
        "Asia/Jerusalem",
        ms(2040, 1, 1),
        ms(2041, 1, 1),
        [(ms(2040, 3, 23), 2, 3), (ms(2040, 10, 27, 23), 3, 2)],
    ),
    "50 o'clock on a Thursday": (
        "Asia/Gaza",
        ms(2100, 1, 1),
        ms(2101, 1, 1),
        [(ms(2100, 3, 27), 2, 3), (ms(2100, 10, 29, 23), 3, 2)],
    ),
    "the end of local mean time": (
        "Africa/Abidjan",
        EARLIEST,
        LATEST,
        [(ms(1912, 1, 1, 0, 16, 8), -968 / 3600, 0)],
    ),
}


@pytest.mark.parametrize("what", NAMED_TRANSITIONS)
def test_named_transitions(what: str) -> None:
    """What is known of these zones from the calendar; offsets in hours here."""
    name, begin, end, expected = NAMED_TRANSITIONS[what]
    assert transitions_between(zone(name), begin, end) == tuple(
        Transition(at, round(before * HOUR), round(after * HOUR)) for at, before, after in expected
    )


def test_the_window_holds_its_beginning_and_not_its_end() -> None:
    at = ms(2030, 4, 6, 15)
    lord_howe = zone("Australia/Lord_Howe")
    assert [change.at for change in transitions_between(lord_howe, at, at + 1)] == [at]
    assert transitions_between(lord_howe, at - 1, at) == ()
    assert transitions_between(lord_howe, at + 1, at) == ()


def test_the_window_holds_an_entry_of_the_table_at_its_beginning_and_not_at_its_end() -> None:
    """Europe/Paris went to winter time on 30 September 1990, at 01:00 UTC."""
    at = ms(1990, 9, 30, 1)
    paris = zone("Europe/Paris")
    assert at in [onset.at for onset in paris.onsets]
    assert [change.at for change in transitions_between(paris, at, at + 1)] == [at]
    assert transitions_between(paris, at - 1, at) == ()


@pytest.mark.parametrize("name", ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Europe/Dublin"])
def test_where_the_table_ends_the_rule_goes_on_and_nothing_comes_twice(name: str) -> None:
    there = zone(name)
    end = there.onsets[-1].at
    found = [change.at for change in transitions_between(there, end - 4 * YEAR, end + 40 * YEAR)]
    assert found == sorted(set(found))
    assert end in found
    assert [at for at in found if at < end] == [
        each.at for each in there.onsets if end - 4 * YEAR <= each.at < end
    ]


def test_a_rule_without_a_table_makes_transitions_too() -> None:
    ruled = zones.Zone("No/Table", 0, (), parse("AAA0BBB,M3.2.0,M11.1.0"))
    found = transitions_between(ruled, ms(2027, 1, 1), ms(2028, 1, 1))
    assert [change.at for change in found] == [ms(2027, 3, 14, 2), ms(2027, 11, 7, 1)]
    assert [change.after - change.before for change in found] == [HOUR, -HOUR]


def test_an_entry_that_changes_no_offset_is_no_transition() -> None:
    """Europe/Lisbon went from western summer time to central time in 1992: one offset, two names."""
    at = ms(1992, 9, 27, 1)
    lisbon = zone("Europe/Lisbon")
    assert at in [onset.at for onset in lisbon.onsets]
    assert transitions_between(lisbon, at, at + 1) == ()


def test_a_year_has_as_many_transitions_in_the_far_future_as_soon() -> None:
    paris = zone("Europe/Paris")
    assert len(transitions_between(paris, ms(2100, 1, 1), ms(2200, 1, 1))) == 200


@given(st.sampled_from(zones.names()), st.integers(EARLIEST + 48 * HOUR, LATEST - 48 * HOUR))
def test_the_standard_library_gives_the_same_offset(name: str, t: int) -> None:
    assert offset_at(zone(name), t) == oracle_offset(oracle(file_bytes(name)), t)
