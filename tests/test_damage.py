"""Every damaged log is reported under its clause and in its line, and every near miss is sound.

Both by the implementation with the law as judge, and by the law alone.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests import damage, misdeliveries
from tests.damage import Damage, Log

from schedule_cli.__main__ import main
from schedule_spec.register import CLAUSES, clause

REFUSED = list(damage.damages())
MISDELIVERED = list(misdeliveries.damages())
DAMAGES = [*REFUSED, *MISDELIVERED]
NEAR_MISSES = [*damage.near_misses(), *misdeliveries.near_misses()]
MODES = pytest.mark.parametrize("mode", [(), ("--law",)], ids=["scan", "law"])


def check(log: Log, folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    path = folder / log.name
    path.write_bytes(log.data)
    result = CliRunner().invoke(
        main, ["check", "--json", "--profile", log.profile, *options, str(path)], catch_exceptions=False
    )
    verdict: dict[str, Any] = json.loads(result.stdout)
    return result.exit_code, verdict


@MODES
@pytest.mark.parametrize("damaged", DAMAGES, ids=lambda damaged: damaged.log.name)
def test_damage_is_reported_with_its_clause_and_line(
    damaged: Damage, mode: tuple[str, ...], tmp_path: Path
) -> None:
    exit_code, verdict = check(damaged.log, tmp_path, *mode)

    assert (exit_code, verdict["verdict"]) == (1, "violation")
    violation = verdict["violation"]
    assert violation["line"] == damaged.line
    assert violation["clause"] in {damaged.clause, *clause(damaged.clause).implied_by}
    assert violation["sentence"] == clause(violation["clause"]).sentence


@MODES
@pytest.mark.parametrize("log", NEAR_MISSES, ids=lambda log: log.name)
def test_near_miss_is_sound(log: Log, mode: tuple[str, ...], tmp_path: Path) -> None:
    exit_code, verdict = check(log, tmp_path, *mode)

    assert (exit_code, verdict["violation"], verdict["unjudged"]) == (0, None, None)
    assert verdict["verdict"] == "sound"


@MODES
@pytest.mark.parametrize("name", ["parent.jsonl", "fork.jsonl", "small.jsonl.zstd"])
def test_undamaged_log_is_sound(name: str, mode: tuple[str, ...], tmp_path: Path) -> None:
    log = Log(name, (damage.SESSIONS / name).read_bytes())

    assert check(log, tmp_path, *mode)[0] == 0


def test_every_clause_of_the_areas_is_damaged_or_said_to_be_beyond_logs() -> None:
    clauses = {clause.id for clause in CLAUSES if clause.area in damage.FOLD_AREAS}
    damaged = {damaged.clause for damaged in REFUSED}

    assert damaged | damage.BEYOND_LOGS.keys() == clauses
    assert not damaged & damage.BEYOND_LOGS.keys()


def test_names_are_unique_and_tell_the_compressed_form() -> None:
    logs = [damaged.log for damaged in DAMAGES] + NEAR_MISSES

    assert len({log.name for log in logs}) == len(logs)
    assert all(log.data.startswith(b"\x28\xb5\x2f\xfd") for log in logs if log.name.endswith(".zstd"))


def test_an_edit_that_hits_nothing_or_twice_is_an_error() -> None:
    for old in ("no such text", '"'):
        with pytest.raises(ValueError, match="not once"):
            damage.edited(damage.PARENT, damage.AFTER, old, "x")


def test_the_script_writes_the_logs_and_a_manifest_of_them(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "out"
    subprocess.run([sys.executable, damage.__file__, str(folder)], check=True)

    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    files = [entry["file"] for entry in (*manifest["damaged"], *manifest["sound"])]
    assert sorted([*files, "manifest.json"]) == sorted(path.name for path in folder.iterdir())
    assert manifest["beyondLogs"] == damage.BEYOND_LOGS
