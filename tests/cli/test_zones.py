"""`schedule-spec zones`: the accepted names, and a zone's gaps and overlaps."""

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from schedule_cli.__main__ import main
from schedule_cli.output import ExitCode
from schedule_spec import zones


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["zones", *arguments])


def told(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--json").stdout)


def test_release_count_and_areas() -> None:
    ended = run()
    assert ended.exit_code == 0
    assert ended.stdout.startswith(f"tzdata {zones.release()}: {len(zones.names())} accepted names\n")
    report = told()
    assert (report["release"], report["count"]) == (zones.release(), len(zones.names()))
    assert sum(report["areas"].values()) == report["count"]
    assert (report["areas"]["UTC"], report["areas"]["Arctic"]) == (1, 1)


def test_names() -> None:
    assert run("--names").stdout.split() == list(zones.names())
    assert told("--names")["names"] == list(zones.names())
    assert run("--names", "INDIANA/K").stdout.split() == ["America/Indiana/Knox"]
    assert told("--names", "n_Y")["names"] == []
    assert told("--names", "w_yO")["names"] == ["America/New_York"]
    assert run("--names", "nowhere").stdout == ""


@pytest.mark.parametrize("spelling", ["Europe/Paris", "europe/paris", "EUROPE/pARIS"])
def test_the_year_of_a_zone_in_any_case(spelling: str) -> None:
    assert (
        run(spelling, "2027").stdout
        == f"""\
Europe/Paris in 2027, tzdata {zones.release()}: 1 gap, 1 overlap

gap of 1 h at 2027-03-28T01:00:00.000Z, +01:00 to +02:00
  wall time                first instant, chosen     second instant
  2027-03-28 01:59:59.999  2027-03-28T00:59:59.999Z
  2027-03-28 02:00:00.000  none
  2027-03-28 02:59:59.999  none
  2027-03-28 03:00:00.000  2027-03-28T01:00:00.000Z

overlap of 1 h at 2027-10-31T01:00:00.000Z, +02:00 to +01:00
  wall time                first instant, chosen     second instant
  2027-10-31 01:59:59.999  2027-10-30T23:59:59.999Z
  2027-10-31 02:00:00.000  2027-10-31T00:00:00.000Z  2027-10-31T01:00:00.000Z
  2027-10-31 02:59:59.999  2027-10-31T00:59:59.999Z  2027-10-31T01:59:59.999Z
  2027-10-31 03:00:00.000  2027-10-31T02:00:00.000Z
"""
    )


def test_a_whole_day_skipped() -> None:
    day = told("Pacific/Apia", "2011")["transitions"][-1]
    assert day == {
        "kind": "gap",
        "at": "2011-12-30T10:00:00.000Z",
        "before": "-10:00",
        "after": "+14:00",
        "from": "2011-12-30 00:00:00.000",
        "to": "2011-12-31 00:00:00.000",
        "lengthMs": 86_400_000,
        "walls": [
            {"wall": "2011-12-29 23:59:59.999", "instants": ["2011-12-30T09:59:59.999Z"]},
            {"wall": "2011-12-30 00:00:00.000", "instants": []},
            {"wall": "2011-12-30 23:59:59.999", "instants": []},
            {"wall": "2011-12-31 00:00:00.000", "instants": ["2011-12-30T10:00:00.000Z"]},
        ],
    }


def test_offsets_of_seconds() -> None:
    (overlap,) = told("Europe/Paris", "1911")["transitions"]
    assert (overlap["kind"], overlap["before"], overlap["after"]) == ("overlap", "+00:09:21", "+00:00")
    assert (overlap["from"], overlap["lengthMs"]) == ("1911-03-10 23:50:39.000", 561_000)


@pytest.mark.parametrize(
    ("zone", "year", "kinds"),
    [
        # The wall times decide which year it is, not the instant: Manila's day fell out on 1844-12-31.
        ("Asia/Manila", "1844", ["gap"]),
        ("Asia/Manila", "1845", []),
        # At 1901-01-01T00:00:00Z Madrid's clocks skipped the last quarter of an hour of 1900.
        ("Europe/Madrid", "1900", ["gap"]),
        ("Europe/Madrid", "1901", []),
        ("Africa/Abidjan", "1911", []),
        ("Africa/Abidjan", "1912", ["gap"]),
        ("UTC", "2027", []),
        ("Europe/Dublin", "0001", []),
        ("Europe/Dublin", "9999", ["gap", "overlap"]),
        ("Asia/Gaza", "9998", ["gap", "overlap"]),
    ],
)
def test_which_year_a_transition_belongs_to(zone: str, year: str, kinds: list[str]) -> None:
    assert [each["kind"] for each in told(zone, year)["transitions"]] == kinds


def test_a_zone_without_a_year() -> None:
    report = told("africa/abidjan")
    assert (report["zone"], report["rejection"], report["recurring"]) == ("Africa/Abidjan", None, False)
    assert (report["gaps"], report["overlaps"]) == (1, 0)
    assert report["first"] == report["last"]
    assert report["offsets"] == ["-00:16:08", "+00:00"]
    assert told("Europe/Paris")["recurring"] is True
    assert told("Europe/Paris")["last"]["at"] == "2100-10-31T01:00:00.000Z"
    assert "A rule goes on" in run("Europe/Paris").stdout
    assert "A rule goes on" not in run("Africa/Abidjan").stdout


def test_a_zone_that_never_changes() -> None:
    assert "The offset never changes" in run("Etc/GMT+5").stdout
    report = told("Etc/GMT+5")
    assert (report["offsets"], report["first"], report["last"]) == (["-05:00"], None, None)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Paris", "Did you mean Europe/Paris?"),
        ("utc", "Did you mean Etc/UTC or UTC?"),
        ("Asia/Kolkatta", "Did you mean Asia/Kolkata"),
        ("systemv/ast4", "one of the fifteen that an implementation may accept"),
        ("EST5EDT", "It looks like an abbreviation, and none is accepted"),
        ("EST", "It looks like an abbreviation, and none is accepted"),
        ("", "is no name that tzdata"),
        ("../Europe/Paris", "is no name that tzdata"),
        ("Europe/Paris\n", '"Europe/Paris\\n" is no name'),
        ("\u212aurope", "is no name that tzdata"),
        ("\udcff\x1b[31m", '"\\udcff\\u001b[31m" is no name'),
        ("A/" + "b" * 100_000, "(100002 characters)"),
    ],
)
def test_a_name_that_is_not_accepted(name: str, hint: str) -> None:
    ended = run(name, "2027")
    assert ended.exit_code == ExitCode.VIOLATION
    assert ended.stdout.startswith("rejected: invalid_time_zone\n  zone.names: Accepted: exactly `UTC`")
    assert hint in ended.stdout.replace("\n  ", " ")
    assert all(line.isprintable() for line in ended.stdout.split("\n"))
    report = told(name)
    assert report["zone"] is None
    assert report["rejection"]["code"] == "invalid_time_zone"
    assert report["rejection"]["clause"] == "zone.names"
    assert hint in report["rejection"]["message"]


def test_an_abbreviation_is_not_taken_for_another_place() -> None:
    assert "Did you mean" not in told("EST")["rejection"]["message"]
    assert "Did you mean" not in told("cst")["rejection"]["message"]


@pytest.mark.parametrize("name", ["", "a", "#" * 30])
def test_nothing_is_suggested_for_what_is_like_no_name(name: str) -> None:
    assert told(name)["rejection"]["message"].endswith("gives.")


@pytest.mark.parametrize(
    "arguments",
    [
        ["Europe/Paris", "0"],
        ["Europe/Paris", "0000"],
        ["Europe/Paris", "27"],
        ["Europe/Paris", "２０２７"],
        ["Europe/Paris", "2027\n"],
        ["Europe/Paris", "10000"],
        ["Europe/Paris", "soon"],
        ["Europe/Paris", "9" * 5_000],
        ["Europe/Paris", "2027", "2028"],
        ["Europe/Paris", "--names"],
    ],
)
def test_wrong_usage(arguments: list[str]) -> None:
    ended = run(*arguments)
    assert ended.exit_code == ExitCode.USAGE
    assert ended.stdout == ""
