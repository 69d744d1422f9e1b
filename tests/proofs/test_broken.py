"""The breaks of the law: each still finds the text that it breaks, and the obligations that should see it."""

import shutil
from pathlib import Path

import pytest

from proofs import broken, ledger
from proofs.broken import BREAKS, Break, break_law, failing
from proofs.running import ROOT
from schedule_spec.register.statements import statements

BOOK = ledger.read()
IDS = {each.id for each in BOOK.obligations}
LAW = ROOT / "spec" / "schedule_spec"


def file_of(place: str) -> str:
    """Return the file, below the law's folder, of a dotted name that stands in one of its modules."""
    _, *names = place.split(".")
    while not (LAW / "/".join(names)).with_suffix(".py").is_file():
        names.pop()
    return "/".join(names) + ".py"


@pytest.mark.parametrize("each", BREAKS, ids=lambda each: each.what)
def test_each_break_finds_its_place(each: Break, tmp_path: Path) -> None:
    shutil.copytree(LAW, tmp_path / "spec" / "schedule_spec")
    break_law(tmp_path, each)
    source = (tmp_path / "spec" / "schedule_spec" / each.file).read_text("utf-8")
    compile(source, each.file, "exec")
    assert set(each.obligations) <= IDS


def test_every_module_of_which_something_is_shown_is_broken() -> None:
    shown = {clause for each in BOOK.obligations for clause in each.clauses}
    specifying = {file_of(each.place) for each in statements() if each.clause in shown}
    assert specifying - {each.file for each in BREAKS} == set()


def test_a_law_that_is_wrong_fails(tmp_path: Path) -> None:
    for folder in ("spec", "impl", "proofs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    [wrong] = [
        each for each in BREAKS if each.what == "a record ends where its next target is the last instant"
    ]
    break_law(tmp_path, wrong)
    assert failing(tmp_path, ("advance_keeps_all_its_contracts",)) != []


def test_what_is_unseen_tells_how_to_see_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(broken, "failing", lambda *_: [])
    assert broken.main(["profile"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("UNSEEN  profile")
    assert said[-1].strip() == "run it again: python -m proofs.broken profile"
    assert any(line.strip() == "what_decoding_accepts_it_gives_back_unchanged holds" for line in said)
