"""The adapter kit for Node: its own tests, and its example, which claims one feature and keeps it."""

import json
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from schedule_cli.verify import verify
from schedule_conformance.frozen.vectors import vectors
from schedule_conformance.law.rulings import Granted
from schedule_spec.profiles import Profile

NODE = shutil.which("node")
KIT = Path(__file__).parents[2] / "kits" / "node"

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not on this machine")


@pytest.mark.parametrize("file", sorted(KIT.glob("test/*.test.mjs")), ids=lambda file: file.name)
def test_the_kits_own_tests_pass(file: Path) -> None:
    result = subprocess.run([NODE or "node", "--test", file], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
    assert "# pass 0" not in result.stdout


@pytest.mark.parametrize("file", sorted(KIT.rglob("*.mjs")), ids=lambda file: file.name)
def test_the_kit_needs_nothing_but_node_and_itself(file: Path) -> None:
    imported = [
        line.rpartition(" from ")[2].strip("'")
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.startswith(("import ", "} from "))
    ]
    assert imported
    assert [name for name in imported if not name.startswith(("node:", "./", "../"))] == []


def test_the_example_keeps_what_it_claims() -> None:
    framings = [
        vector.id
        for vector in vectors()
        if vector.request["cmd"] in ("frame", "frame_batch")
        and vector.profile is Profile.V1
        and isinstance(vector.expected, Granted)
    ]
    command = shlex.join([NODE or "node", str(KIT / "example-adapter.mjs")])
    cases = [argument for case in framings for argument in ("--only-case", case)]
    result = CliRunner().invoke(verify, ["--sut", command, "--json", *cases])
    report = json.loads(result.stdout)
    assert result.exit_code == 1, "it lacks the core features"
    assert report["failures"] == []
    assert report["passed"] == len(framings) > 20
