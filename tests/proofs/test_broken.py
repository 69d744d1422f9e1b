"""The breaks of the law: each still finds the text that it breaks, and the obligations that should see it."""

import shutil
from pathlib import Path

import pytest

from proofs import ledger
from proofs.broken import BREAKS, Break, break_law, failing
from proofs.running import ROOT

IDS = {each.id for each in ledger.read().obligations}


@pytest.mark.parametrize("each", BREAKS, ids=lambda each: each.what)
def test_each_break_finds_its_place(each: Break, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "spec" / "schedule_spec", tmp_path / "spec" / "schedule_spec")
    break_law(tmp_path, each)
    source = (tmp_path / "spec" / "schedule_spec" / each.file).read_text("utf-8")
    compile(source, each.file, "exec")
    assert set(each.obligations) <= IDS


def test_a_law_that_is_wrong_fails(tmp_path: Path) -> None:
    for folder in ("spec", "impl", "proofs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    [wrong] = [
        each for each in BREAKS if each.what == "a record ends where its next target is the last instant"
    ]
    break_law(tmp_path, wrong)
    assert failing(tmp_path, ("advance_keeps_all_its_contracts",)) != []
