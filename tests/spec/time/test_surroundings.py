"""What does not count: process zone, locale, hash seed and the machine's own zone files (at.no-ambient)."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
from schedule_spec import records
from schedule_spec.creation import create
for at in (
    {"date": "2030-06-15", "time": "12:00:00", "time_zone": "Asia/Kolkata"},
    {"date": "2030-06-15", "time": "12:00:00", "time_zone": "europe/istanbul"},
    {"date": "2030-03-31", "time": "02:30:00", "time_zone": "Europe/Paris"},
    {"date": "2030-06-15", "time": "12:00:00", "time_zone": "localtime"},
    "2030-06-15T12:00:00",
    "2030-06-15T12:00:00+02:00",
):
    answer = create({"id": "a", "prompt": "p", "at": at, "now": 0})
    print(ascii(answer))
"""

SURROUNDINGS = [
    {"TZ": "Asia/Kolkata"},
    {"TZ": "America/New_York", "PYTHONHASHSEED": "1"},
    {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "PYTHONHASHSEED": "2"},
    {"PYTHONTZPATH": "/nowhere", "TZDIR": "/nowhere"},
]


def printed(surroundings: dict[str, str]) -> bytes:
    environment = os.environ | surroundings
    return subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, check=True
    ).stdout


@pytest.fixture(scope="module")
def plain() -> bytes:
    return printed({"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "0"})


@pytest.mark.parametrize("surroundings", SURROUNDINGS, ids=" ".join)
def test_the_same_bytes_in_other_surroundings(plain: bytes, surroundings: dict[str, str]) -> None:
    assert printed(surroundings) == plain
    assert plain.count(b"\n") == 6
