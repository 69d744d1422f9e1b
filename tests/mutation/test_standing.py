"""A file that a run stands on tells by itself that it was changed, and cannot deny it."""

import os
import shutil
import time
from pathlib import Path

import pytest
from tests.mutation import placing, standing
from tests.mutation.children import HarnessError
from tests.mutation.sides import ROOT
from tests.mutation.standing import is_changed, must_stand, state_of, stood_on

LATER = time.time() + 3600


def test_what_was_there_before_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "BEGAN", LATER)
    assert not is_changed(Path(__file__))
    must_stand([Path(__file__)])


def test_a_change_shows_however_old_the_file_looks(tmp_path: Path) -> None:
    written, copied, moved = (tmp_path / name for name in ("written", "copied", "moved"))
    written.write_text("x", "utf-8")
    os.utime(written, (0, 0))
    shutil.copy2(written, copied)
    shutil.copy2(written, moved)
    moved.rename(tmp_path / "there")
    assert all(is_changed(file) for file in (written, copied, tmp_path / "there"))
    assert written.stat().st_mtime == 0


def test_what_was_changed_or_taken_away_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "BEGAN", LATER)
    with pytest.raises(HarnessError, match=r"^tests/mutation/gone\.py was changed after the run began"):
        must_stand([Path(__file__), ROOT / "tests" / "mutation" / "gone.py"])
    monkeypatch.setattr(standing, "BEGAN", 0.0)
    with pytest.raises(HarnessError, match=r"^tests/mutation/test_standing\.py was changed"):
        must_stand([Path(__file__)])


def test_files_have_another_state_after_a_change_of_any(tmp_path: Path) -> None:
    files = [tmp_path / "a", tmp_path / "b"]
    states = [state_of(files)]
    for file in files:
        file.write_text("x", "utf-8")
        states.append(state_of(files))
    assert state_of(files) == states[-1]
    time.sleep(0.02)  # the system notes times in steps
    os.utime(files[0], (0, 0))
    states.append(state_of(files))
    files[0].unlink()
    states.append(state_of(files))
    assert len(set(states)) == len(states)


def test_a_run_stands_on_what_is_loaded_and_on_data() -> None:
    found = stood_on()
    assert Path(placing.__file__) in found
    assert Path(__file__) in found
    assert ROOT / "tests" / "data" / "kill-matrix.json" in found
    assert not any(file.suffix == ".pyc" or ".venv" in file.parts for file in found)
