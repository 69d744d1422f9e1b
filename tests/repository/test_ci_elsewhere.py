"""What other repositories copy for their CI does what its page says: the workflow and the pre-commit hook.

A workflow can't be run without its host. What can be shown: that it is the YAML it should be, that its shell
lines do what they say (run here, with stand-ins for what they call), and that the command knows every option
that they use.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from contextlib import chdir
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from packaging.requirements import Requirement

from schedule_cli.verify import verify
from schedule_conformance.runs.budgets import DEFAULT_SEED

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / "kits" / "ci" / "github-actions.yml"
HOOKS = ROOT / ".pre-commit-hooks.yaml"
SESSIONS = ROOT / "tests" / "data" / "sessions"
EVENTS = ("pull_request", "push", "schedule", "workflow_dispatch")


def workflow() -> dict[Any, Any]:
    read: dict[Any, Any] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    return read


def steps() -> list[dict[str, Any]]:
    (job,) = workflow()["jobs"].values()
    listed: list[dict[str, Any]] = job["steps"]
    return listed


STAND_IN = """#!{python}
import json, pathlib, sys
with open({log!r}, "a") as log:
    print(json.dumps([pathlib.Path(sys.argv[0]).name, *sys.argv[1:]]), file=log)
print({says!r})
sys.exit({code})
"""


@dataclass
class Runner:
    """A runner of workflows, as far as shell steps go: environment, `GITHUB_ENV`, `if: always()`."""

    folder: Path
    event: str
    inputs: Mapping[str, str] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.bin.mkdir(parents=True)
        for name in ("python", "node"):
            self.stand_in(name)
        self.stand_in("date", says="20270115")
        self.stand_in("schedule-spec", says="Conformant: acme 1.0 keeps the clauses tried.")

    @property
    def bin(self) -> Path:
        return self.folder / "bin"

    def stand_in(self, name: str, says: str = "", code: int = 0) -> None:
        text = STAND_IN.format(python=sys.executable, log=str(self.folder / "log"), says=says, code=code)
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def run(self) -> None:
        written = self.folder / "environment"
        environment = {str(name): str(value) for name, value in workflow()["env"].items()}
        environment |= {
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
            "GITHUB_EVENT_NAME": self.event,
            "GITHUB_ENV": str(written),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
        }
        written.touch()
        for step in steps():
            if "run" not in step or (self.failed and step.get("if") != "always()"):
                continue
            added = dict(line.split("=", 1) for line in written.read_text().splitlines())
            own = {name: self.evaluated(value) for name, value in step.get("env", {}).items()}
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=self.folder,
                env=environment | added | own,
                check=False,
                capture_output=True,
                text=True,
            )
            if done.returncode:
                self.failed.append(f"{step['name']}: {done.returncode}")

    def evaluated(self, text: str) -> str:
        return re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: self.inputs.get(found[1], ""), text)

    @property
    def calls(self) -> list[list[str]]:
        return [json.loads(line) for line in (self.folder / "log").read_text().splitlines()]

    @property
    def verified(self) -> list[str]:
        (call,) = [call for call in self.calls if call[:2] == ["schedule-spec", "verify"]]
        return call[2:]

    @property
    def summary(self) -> str:
        return (self.folder / "summary").read_text()


def parsed(arguments: list[str], folder: Path) -> click.Context:
    """Read arguments of `verify` in a folder by the real command, without running it."""
    with chdir(folder):
        return verify.make_context("verify", list(arguments))


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put an adapter's interpreter on the path, whether or not the machine has one."""
    (tmp_path / "interpreters").mkdir()
    (tmp_path / "interpreters" / "node").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(tmp_path / "interpreters"), prepend=os.pathsep)
    (tmp_path / "schedule-ledger.toml").touch()


def test_the_workflow_runs_on_pull_requests_at_night_and_by_hand() -> None:
    # YAML 1.1 reads the key `on` as true; the host's reader does not.
    assert set(workflow()[True]) == set(EVENTS)
    inputs = workflow()[True]["workflow_dispatch"]["inputs"]
    profile = next(option for option in verify.params if option.name == "budget")
    assert isinstance(profile.type, click.Choice)
    assert inputs["profile"]["options"] == list(profile.type.choices)
    assert inputs["seed"]["default"] == str(DEFAULT_SEED)


def test_the_workflow_may_only_read_and_puts_no_expression_into_a_shell_line() -> None:
    assert workflow()["permissions"] == {"contents": "read"}
    assert workflow()["defaults"]["run"]["shell"] == "bash"
    for step in steps():
        assert "${{" not in step.get("run", "")
        assert re.fullmatch(r"actions/[a-z-]+@v[0-9]+", step.get("uses", "actions/none@v1"))


def test_the_workflow_pins_this_minor_version_of_the_suite() -> None:
    pin = Requirement(workflow()["env"]["SUITE"])
    major, minor, patch = (int(part) for part in version("schedule-spec").split("."))
    assert pin.name == "schedule-spec"
    assert pin.specifier.contains(f"{major}.{minor}.{patch}")
    assert pin.specifier.contains(f"{major}.{minor}.{patch + 7}")
    assert not pin.specifier.contains(f"{major}.{minor + 1}.0")


@pytest.mark.parametrize(
    ("event", "seed", "profile"),
    [
        ("pull_request", str(DEFAULT_SEED), "default"),
        ("push", str(DEFAULT_SEED), "default"),
        ("schedule", "20270115", "deep"),
        ("workflow_dispatch", "77", "quick"),
    ],
)
@pytest.mark.usefixtures("on_path")
def test_each_event_verifies_with_its_seed_and_profile(
    tmp_path: Path, event: str, seed: str, profile: str
) -> None:
    runner = Runner(tmp_path / event, event, {"seed": "77", "profile": "quick"})
    runner.run()
    assert runner.failed == []
    assert runner.calls[0][0] == "python"
    assert runner.calls[0][-1] == workflow()["env"]["SUITE"]
    chosen = parsed(runner.verified, runner.folder).params
    assert (str(chosen["seed"]), chosen["budget"]) == (seed, profile)
    assert runner.summary.startswith(f"Seed {seed}, profile {profile}\n")
    assert "Conformant: acme" in runner.summary


@pytest.mark.parametrize("code", [1, 2, 3, 4])
def test_the_job_fails_with_the_command_and_still_says_how_it_went(tmp_path: Path, code: int) -> None:
    runner = Runner(tmp_path / "run", "pull_request")
    runner.stand_in("schedule-spec", says="Not conformant: acme breaks rate.next.", code=0)
    (runner.bin / "schedule-spec").write_text(
        (runner.bin / "schedule-spec")
        .read_text()
        .replace("sys.exit(0)", f"sys.exit({code} if 'verify' in sys.argv else 0)")
    )
    runner.run()
    assert runner.failed == [f"Verify: {code}"]
    assert "Not conformant: acme breaks rate.next." in runner.summary


def test_a_suite_that_can_not_be_installed_fails_the_job(tmp_path: Path) -> None:
    runner = Runner(tmp_path / "run", "pull_request")
    runner.stand_in("python", code=1)
    runner.run()
    assert runner.failed == ["Install the suite: 1"]
    assert "no verdict" in runner.summary


@pytest.mark.usefixtures("on_path")
def test_a_ledger_is_used_where_there_is_one(tmp_path: Path) -> None:
    without = Runner(tmp_path / "without", "pull_request")
    without.run()
    assert "--ledger" not in without.verified
    with_one = Runner(tmp_path / "with", "pull_request")
    ledger = with_one.folder / workflow()["env"]["LEDGER"]
    ledger.touch()
    with_one.run()
    position = with_one.verified.index("--ledger")
    assert with_one.verified[position + 1] == ledger.name
    parsed(with_one.verified, with_one.folder)


@pytest.mark.usefixtures("on_path")
def test_every_verify_line_of_the_pages_is_understood(tmp_path: Path) -> None:
    lines = [
        line.strip()
        for page in ("ci.md", "versioning.md")
        for line in (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines()
        if line.strip().startswith("schedule-spec verify")
    ]
    assert lines
    for line in lines:
        named = line.replace('"$SUT"', "'node adapter.mjs'").replace('"COMMAND"', "'node adapter.mjs'")
        parsed(shlex.split(named)[2:], tmp_path)


def hook() -> dict[str, Any]:
    (only,) = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    read: dict[str, Any] = only
    return read


def run_hook(*logs: Path) -> subprocess.CompletedProcess[str]:
    program, *arguments = shlex.split(hook()["entry"])
    script = Path(sys.executable).parent / program
    return subprocess.run(
        [script, *arguments, *logs], check=False, capture_output=True, text=True, cwd=logs[0].parent
    )


def test_the_hook_is_one_that_pre_commit_can_install() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert hook()["id"] == "schedule-spec-check"
    assert hook()["language"] == "python"
    assert shlex.split(hook()["entry"])[0] in project["scripts"]


@pytest.mark.parametrize(
    ("path", "taken"),
    [
        ("session.jsonl", True),
        ("logs/2027/session.jsonl.zstd", True),
        ("logs/old-session.jsonl", True),
        ("session.jsonl.bak", False),
        ("session.jsonl.zstd.txt", False),
        ("sessionXjsonl", False),
        ("events.jsonl", False),
    ],
)
def test_the_hook_takes_session_logs(path: str, taken: bool) -> None:
    assert bool(re.search(hook()["files"], path)) is taken


def test_the_hook_passes_sound_logs_and_one_that_a_crash_cut(tmp_path: Path) -> None:
    torn = tmp_path / "session.jsonl"
    torn.write_bytes((SESSIONS / "parent.jsonl").read_bytes() + b'{"type":"sch')
    shutil.copy(SESSIONS / "small.jsonl.zstd", tmp_path / "session.jsonl.zstd")
    done = run_hook(torn, tmp_path / "session.jsonl.zstd")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_hook_stops_a_log_that_breaks_a_clause(tmp_path: Path) -> None:
    lines = (SESSIONS / "parent.jsonl").read_text(encoding="utf-8").splitlines()
    events = len(lines) - 1
    data = {"version": 1, "operation": "delete", "id": "never-created"}
    lines.append(json.dumps({"type": "schedule/change", "seq": events, "time": 0, "data": data}))
    broken = tmp_path / "session.jsonl"
    broken.write_text("\n".join(lines) + "\n", encoding="utf-8")
    shutil.copy(SESSIONS / "parent.jsonl", tmp_path / "sound-session.jsonl")
    done = run_hook(tmp_path / "sound-session.jsonl", broken)
    assert done.returncode == 1
    assert "fold.inactive" in done.stdout


def test_the_hook_stops_what_can_not_be_read(tmp_path: Path) -> None:
    unreadable = tmp_path / "session.jsonl.zstd"
    unreadable.write_bytes(b"no frame at all")
    assert run_hook(unreadable).returncode == 3
