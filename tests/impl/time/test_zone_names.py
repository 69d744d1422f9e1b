"""Which names of zones are accepted (zone.names), whatever is tried."""

import pytest
import tzdata  # type: ignore[import-untyped]
from tests.impl.time.support import ask, local

from schedule_impl import zones


def accepted(name: str) -> bool:
    answer = local("2030-06-15", "12:00:00", name)
    assert answer == "invalid_time_zone" or answer.startswith("2030-06-1")
    return bool(answer != "invalid_time_zone")


def swapped(name: str) -> str:
    return "".join(letter.lower() if letter.isupper() else letter.upper() for letter in name)


def test_the_release_is_told() -> None:
    hello = ask("hello", protocol=1, suite="0.1.0")
    assert hello["tzdata"] == tzdata.IANA_VERSION
    assert {"create", "view"} <= set(hello["features"])


def test_every_name_of_the_release_in_any_ascii_case() -> None:
    names = zones.names()
    assert len(names) > 500
    assert list(names) == sorted(set(names))
    for name in names:
        assert accepted(name), name
        if name != "UTC":
            for spelling in (name.lower(), name.upper(), swapped(name)):
                assert zones.canonical(spelling) == name
                assert accepted(spelling), spelling


def test_a_spelling_is_the_zone_itself() -> None:
    assert local("2030-01-15", "12:00:00", "aMERICA/nEW_yORK") == "2030-01-15T17:00:00.000Z"
    assert local("2030-01-15", "12:00:00", "etc/gmt+5") == "2030-01-15T17:00:00.000Z"
    assert local("2030-01-15", "12:00:00", "Europe/Kiev") == "2030-01-15T10:00:00.000Z"


@pytest.mark.parametrize(
    "name",
    [
        *[
            "",
            " ",
            "utc",
            "Utc",
            "uTC",
            " UTC",
            "UTC ",
            "UTC\n",
            "UTC\x00",
            "UTC0",
            "UTC+1",
            "UT",
            "UCT",
            "Z",
            "z",
        ],
        *[
            "GMT",
            "GMT0",
            "GMT+0",
            "EST",
            "EST5EDT",
            "CET",
            "Zulu",
            "Japan",
            "Factory",
            "localtime",
            "posixrules",
        ],
        *["+05:30", "-08", "UTC+05:30", "Etc/GMT+15", "Etc/GMT-15", "Etc/GMT+05", "<+0330>-3:30"],
        *["posix/Europe/Paris", "right/Europe/Paris", "Europe", "Europe/", "/Europe/Paris", "Europe//Paris"],
        *["Europe/Paris/", "Europe\\Paris", "Europe/Paris\x00", "Europe/Paris\n", "\ufeffEurope/Paris"],
        *[
            "../zoneinfo/Europe/Paris",
            "Europe/../Europe/Paris",
            "./Europe/Paris",
            "Europe/./Paris",
            "/etc/localtime",
        ],
        *[
            "../../etc/passwd",
            "Europe/__init__.py",
            "Europe/__pycache__",
            "America/Argentina",
            "C:/Europe/Paris",
        ],
        *[
            "Asia/Ha\u017fmandu",
            "Asia/\u212aabul",
            "Asia/\u212aathmandu",
            "Asia/Kathmand\u00fc",
            "As\u0130a/Tokyo",
        ],
        *["\uff21sia/Tokyo", "Asia/T\u043ekyo", "Asia\u2215Tokyo", "America/New York", "America/New-York"],
        *["Asia/Tokyo\ud800", "\udcffAsia/Tokyo", "Mars/Olympus_Mons", "zones", "tzdata.zi", "iso3166.tab"],
        *["A/" * 500_000, "Asia/Tokyo" * 100_000, "a" * 1_000_000, "\u212a" * 1_000_000],
    ],
    ids=lambda name: ascii(name[:40]),
)
def test_everything_else_is_refused(name: str) -> None:
    assert not accepted(name)
    assert zones.canonical(name) is None


def test_only_the_releases_own_spelling_leads_to_a_file() -> None:
    for name in ("europe/paris", "../zones", "Europe", "GMT"):
        with pytest.raises(KeyError):
            zones.load(name)
