"""The harness whole, on a small package of which is known what kills which of its mutants."""

import json
import subprocess
import sys
from pathlib import Path

from tests.mutation.sides import ROOT

SURVIVING = {
    "clamped:22 comparison: value < LEAST -> value <= LEAST",
    "clamped:24 comparison: value > MOST -> value >= MOST",
}
ENDLESS = {
    "steps:32 arithmetic: value -= 1 -> value += 1",
    "steps:32 statement dropped: value -= 1 -> nothing",
    "steps:32 constant: 1 -> 0",
}


def test_every_mutant_of_the_sample_meets_its_fate(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.mutation.sample", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    broken = "tests/mutation/sample/killers.py::test_one_that_may_break"
    assert told["disbelieved"] == [f"with nothing mutated this fails: {broken}"] * 2
    assert "was changed after the run began" in told["changed"][0]
    assert told["changed"][1] == "10 times looked: what killers read is changed again and again"
    found = {told: (status, why) for told, status, why in told["verdicts"]}
    by_status = {
        status: {told for told, (came, _) in found.items() if came == status}
        for status in ("survived", "timeout", "unreached", "killed", "crashed")
    }
    assert by_status["survived"] == SURVIVING
    assert by_status["timeout"] == ENDLESS
    assert {told.partition(":")[0] for told in by_status["unreached"]} == {"unasked"}
    assert len(by_status["unreached"]) == 4
    assert not by_status["crashed"]
    killed = {told.partition(":")[0] for told in by_status["killed"]}
    assert killed == {
        "counted",
        "clamped",
        "steps",
        "Bound.__init__",
        "Bound.value",
        "doubled",
        "LEAST",
        "MOST",
    }
    nearer = "tests/mutation/sample/nearer_killers.py"
    # The nearest file is tried on what runs at import before the one that notices.
    assert found["doubled:6 arithmetic: value * 2 -> value // 2"][1].startswith(nearer)
    assert found["LEAST:9 constant: 3 -> 4"][1].startswith("tests/mutation/sample/killers.py")
    assert len(found) == sum(map(len, by_status.values()))
    assert found["Bound.value:51 returns None: return clamped(self._value) -> return None"][1].endswith(
        "::test_a_property"
    )
