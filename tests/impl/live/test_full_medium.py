"""A medium that fills up: in a process of its own, because the limit on files is a process's."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_no_call_is_a_false_success_and_the_session_goes_on() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.impl.live.full_medium", "--rounds", "25", "--seed", "7"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    media = re.split(r"(?m)^(?=limited|small)", ended.stdout)[1:]
    assert sum(medium.startswith("limited file") for medium in media) == 2
    for medium in media:
        counts = {what: int(number) for number, what in re.findall(r"(?m)^ +([0-9]+)  (.+)$", medium)}
        assert counts["rounds"] == 25
        assert counts["calls with little or no room: persistence_uncertain"] > 10
        assert counts["calls with little or no room: a value"] > 3
        assert counts["calls with room: a value"] == 25
        assert counts["occurrences queued"] > 3
