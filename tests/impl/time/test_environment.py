"""The process's zone, search path for zone files, locale and hash seed change nothing (at.no-ambient)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import json
from schedule_impl import zones
from schedule_impl.adapter import handle
for name in zones.names()[::23]:
    for date in ("1900-01-01", "2027-03-28", "2027-10-31", "9999-12-31"):
        at = {"date": date, "time": "02:30:00", "time_zone": name.upper() if "/" in name else name}
        print(json.dumps(handle({"seq": 1, "cmd": "create", "id": "a", "prompt": "p", "at": at, "now": 0})))
for at in ("2027-03-28T02:30:00", "2027-03-28T02:30:00Z", "2027-03-28T02:30:00+05:30"):
    print(json.dumps(handle({"seq": 2, "cmd": "create", "id": "a", "prompt": "p", "at": at, "now": 0})))
"""


def answers(**environment: str) -> bytes:
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**kept, **environment},
        check=True,
        capture_output=True,
        timeout=60,
    ).stdout


@pytest.fixture(scope="module")
def plain() -> bytes:
    return answers(TZ="UTC", LC_ALL="C", PYTHONHASHSEED="0")


def test_there_is_something_to_compare(plain: bytes) -> None:
    assert plain.count(b"scheduledAt") > 60
    assert plain.count(b"invalid_rule") > 1


@pytest.mark.parametrize(
    "environment",
    [
        {"TZ": "Asia/Kolkata", "LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "1"},
        {"TZ": "America/New_York", "LC_ALL": "ar_EG.UTF-8", "PYTHONHASHSEED": "2"},
    ],
    ids=lambda environment: environment["TZ"],
)
def test_another_zone_locale_and_hash_seed(plain: bytes, environment: dict[str, str]) -> None:
    assert answers(**environment) == plain


def test_other_zone_files_on_the_search_path(plain: bytes, tmp_path: Path) -> None:
    """Files that call themselves zones, all of them Kolkata's, are not looked at."""
    copy = (
        "import importlib.resources, pathlib, sys\n"
        "data = importlib.resources.files('tzdata').joinpath('zoneinfo', 'Asia', 'Kolkata').read_bytes()\n"
        "for name in ('Europe/Paris', 'Africa/Abidjan', 'UTC', 'Asia/Tokyo'):\n"
        "    path = pathlib.Path(sys.argv[1], name)\n"
        "    path.parent.mkdir(exist_ok=True)\n"
        "    path.write_bytes(data)\n"
    )
    subprocess.run([sys.executable, "-c", copy, str(tmp_path)], check=True, timeout=60)
    assert answers(TZ="UTC", PYTHONTZPATH=str(tmp_path)) == plain
