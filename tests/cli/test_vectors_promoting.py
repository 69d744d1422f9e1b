"""`schedule-spec replay` of a single case, and `--promote` of cases and traces."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.conformance.test_vectors_promoting import EXTRA, REQUESTS, failing, world
from tests.saboteurs import named

from schedule_cli import systems
from schedule_cli.__main__ import main
from schedule_conformance.frozen import kept_cases, vectors
from schedule_conformance.frozen.kept_cases import KeptCase
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.worlds import traces
from schedule_conformance.worlds.replaying import replayed
from schedule_conformance.worlds.traces import Trace
from schedule_conformance.worlds.world import Exchange
from schedule_spec.delivery import Terms

FAULT = "ignores_unknown_members_of_changes"
CLAUSE = "change.create"


@pytest.fixture(scope="module")
def case() -> KeptCase:
    return failing(FAULT, EXTRA)


@pytest.fixture
def file(case: KeptCase, tmp_path: Path) -> Path:
    path = tmp_path / "case.json"
    path.write_text(kept_cases.text(case), encoding="ascii")
    return path


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bundled implementation is a broken one."""
    handle = named(FAULT).make()
    monkeypatch.setattr(systems, "bundled", lambda: InProcess("bundled", handle))


def replay(file: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["replay", str(file), *arguments])


@pytest.mark.usefixtures("faulty")
def test_a_case_fails_again(file: Path) -> None:
    result = replay(file)
    assert result.exit_code == 1, result.output
    assert result.stdout.splitlines()[-1] == f"The same violation: {CLAUSE}."
    for word in ("asked", "broken", "allowed", "came"):
        assert f"\n  {word}" in result.stdout
    told = json.loads(replay(file, "--json").stdout)
    assert told["outcome"] == "same"
    assert kept_cases.from_json(told["case"]).clause == CLAUSE


@pytest.mark.usefixtures("faulty")
def test_a_case_that_fails_otherwise_is_told(case: KeptCase, tmp_path: Path) -> None:
    other = kept_cases.as_json(case)
    other["violation"]["clause"] = "due.batch"
    path = tmp_path / "other.json"
    path.write_text(json.dumps(other), encoding="utf-8")
    result = replay(path)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == f"Another violation: {CLAUSE}; the file says due.batch."


def test_a_case_that_is_mended_passes(file: Path) -> None:
    result = replay(file, "--sut", "law")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == f"No violation; the file says {CLAUSE}."
    told = json.loads(replay(file, "--sut", "law", "--json").stdout)
    assert told["outcome"] == "none"
    assert told["case"]["violation"] is None


@pytest.mark.parametrize(
    ("member", "value", "words"),
    [("profile", "v1-after", "of level v1-after"), ("releases", ["1999a"], "zone data of 1999a")],
)
def test_a_case_that_does_not_fit_the_system_is_not_judged(
    case: KeptCase, tmp_path: Path, member: str, value: object, words: str
) -> None:
    path = tmp_path / "other.json"
    path.write_text(json.dumps({**kept_cases.as_json(case), member: value}), encoding="utf-8")
    result = replay(path, "--sut", "law")
    assert result.exit_code == 3
    assert words in result.stderr


def test_a_promoted_case_is_told_with_what_to_do_next(file: Path, package: Path) -> None:
    result = replay(file, "--promote")
    assert result.exit_code == 0, result.output
    id = result.stdout.split()[0]
    assert id in {vector.id for vector in vectors.vectors()}
    assert f"{id} written to {package / 'change.json'}." in result.stdout
    assert f"verify --only-case {id}" in result.stdout
    assert result.stdout.splitlines()[-1].startswith(f'{id} = "')
    again = replay(file, "--promote")
    assert again.exit_code == 3
    assert "frozen already" in again.stderr


def test_a_promoted_trace_is_told(package: Path, tmp_path: Path) -> None:
    shown = replayed(world("deletes_nothing"), Terms(), [Exchange(request, {}) for request in REQUESTS])
    trace = Trace("x", {"origin": "run"}, Terms(), tuple(shown.exchanges), shown.violation)
    path = tmp_path / "trace.json"
    path.write_text(traces.text(trace), encoding="ascii")
    result = replay(path, "--promote")
    assert result.exit_code == 0, result.output
    assert str(package / "worlds" / "hand-world.json") in result.stdout
    assert result.stdout.split()[0] in {trace.id for trace in traces.frozen()}


def test_a_case_is_promoted_into_another_file(file: Path, tmp_path: Path) -> None:
    before = {name: (vectors.folder() / name).read_bytes() for name, _ in vectors.files()}
    target = tmp_path / "mine.json"
    result = replay(file, "--promote", "--into", str(target))
    assert result.exit_code == 0, result.output
    assert json.loads(target.read_text(encoding="utf-8"))["area"] == "change"
    assert before == {name: (vectors.folder() / name).read_bytes() for name, _ in vectors.files()}


def test_into_goes_with_promote_alone(file: Path, tmp_path: Path) -> None:
    assert replay(file, "--into", str(tmp_path / "x.json")).exit_code == 2


def test_a_file_that_cannot_be_written_ends_with_3(file: Path, tmp_path: Path) -> None:
    result = replay(file, "--promote", "--into", str(tmp_path / "none" / "x.json"))
    assert result.exit_code == 3
    assert "cannot be read or written" in result.stderr
