"""The structured form of `at`: its members, and which of several faults is told (at.local-form)."""

from typing import Any

import pytest
from tests.impl.time.support import create, local, scheduled

SOUND = {"date": "2030-06-15", "time": "12:00:00", "time_zone": "Asia/Tokyo"}


def test_nothing_of_the_input_but_the_instant_is_kept() -> None:
    assert create(at=SOUND) == {
        "id": "a",
        "kind": "at",
        "prompt": "p",
        "scheduledAt": "2030-06-15T03:00:00.000Z",
    }


@pytest.mark.parametrize(
    ("fraction", "ms"), [("", "000"), (".5", "500"), (".05", "050"), (".005", "005"), (".50", "500")]
)
def test_fractions_are_padded_on_the_right(fraction: str, ms: str) -> None:
    assert local("2030-06-15", f"12:00:00{fraction}", "UTC") == f"2030-06-15T12:00:00.{ms}Z"


@pytest.mark.parametrize(
    "date",
    [
        "",
        "2030-6-15",
        "2030/06/15",
        "2030-06-15T12:00:00",
        "2030-06-15 ",
        "2030-06-15\n",
        "20300615",
        "2030-W24-6",
        "2030-02-30",
        "2030-06-31",
        "2100-02-29",
        "0000-06-15",
        "2030-00-15",
        "2030-13-15",
        "2030-06-00",
        "\u0662\u0660\u0663\u0660-06-15",
        "+2030-06-15",
        "2030-06-15\x00",
        "2030-06-1\ud800",
        "1" * 1_000_000,
    ],
    ids=lambda text: ascii(text[:40]),
)
def test_no_other_dates(date: str) -> None:
    assert local(date, "12:00:00", "UTC") == "invalid_rule"


@pytest.mark.parametrize(
    "time",
    [
        "",
        "12",
        "12:00",
        "1:00:00",
        "120000",
        "24:00:00",
        "12:60:00",
        "23:59:60",
        "12:00:00.",
        "12:00:00.0000",
        "12:00:00,5",
        "12:00:00Z",
        "12:00:00+00:00",
        "T12:00:00",
        " 12:00:00",
        "12:00:00\n",
        "12:00:0\uff10",
        "-1:00:00",
        "12:00:00.1\u00b2",
        "1" * 1_000_000,
    ],
    ids=lambda text: ascii(text[:40]),
)
def test_no_other_times(time: str) -> None:
    assert local("2030-06-15", time, "UTC") == "invalid_rule"


ILL_TYPED: list[Any] = [None, True, 0, 1.5, [], ["UTC"], {}, 2**70]


@pytest.mark.parametrize("value", ILL_TYPED, ids=repr)
def test_types_of_date_and_time_come_before_the_zones(value: Any) -> None:
    for zone in ("UTC", "Nowhere/At_All", value):
        assert local(value, "12:00:00", zone) == "invalid_rule"
        assert local("2030-06-15", value, zone) == "invalid_rule"


@pytest.mark.parametrize("value", ILL_TYPED, ids=repr)
def test_the_type_of_the_zone_comes_before_the_forms(value: Any) -> None:
    assert local("2030-06-15", "12:00:00", value) == "invalid_time_zone"
    assert local("nonsense", "nonsense", value) == "invalid_time_zone"


@pytest.mark.parametrize("member", SOUND)
def test_exactly_the_three_members(member: str) -> None:
    assert scheduled({key: value for key, value in SOUND.items() if key != member}) == "invalid_rule"
    assert scheduled({**SOUND, member.upper(): SOUND[member]}) == "invalid_rule"
    assert (
        scheduled({(f"{key} " if key == member else key): value for key, value in SOUND.items()})
        == "invalid_rule"
    )


def test_the_members_come_before_the_zones_type() -> None:
    assert scheduled({**SOUND, "time_zone": 1, "offset": "+09:00"}) == "invalid_rule"
    assert scheduled({"date": SOUND["date"], "time_zone": 1}) == "invalid_rule"
    assert scheduled({**SOUND, "__proto__": None}) == "invalid_rule"


@pytest.mark.parametrize("value", [None, True, False, 0, 1_790_000_000_000, 1.5, [], [SOUND], {}], ids=repr)
def test_neither_string_nor_object(value: Any) -> None:
    assert scheduled(value) == "invalid_rule"
