"""The ledger: what it must hold, and how what came is held against it."""

from pathlib import Path

import pytest

from proofs import coverage, ledger, pages
from proofs.judging import judged
from proofs.ledger import Ledger, LedgerError, Obligation, Part, Speed, Tool, Verdict
from proofs.naming import resolve
from proofs.outcomes import Outcome

ROOT = Path(__file__).parents[2]
BOOK = ledger.read()

SOUND = """
[[obligation]]
id = "all_is_well"
clauses = ["rate.next"]
tool = "z3"
target = "a.b"
control = "a.c"
verdict = "proved"
scope = "all integers"
speed = "fast"
seconds = 10
"""


def written(folder: Path, text: str) -> tuple[Path, ...]:
    file = folder / "ledger.toml"
    file.write_text(text, "utf-8")
    return (file,)


def obligation(**members: object) -> Obligation:
    [sound] = [each for each in BOOK.obligations if each.id == "advance_keeps_all_its_contracts"]
    values = {name: getattr(sound, name) for name in Obligation.__slots__}
    return Obligation(**{**values, **members})


def test_the_ledger_leaves_out_no_clause_and_no_contract() -> None:
    assert list(coverage.holes(BOOK)) == []


@pytest.mark.parametrize("name", sorted({n for o in BOOK.obligations for n in (o.target, o.control)}))
def test_every_target_and_control_is_there(name: str) -> None:
    assert callable(resolve(name))


def test_no_control_is_its_own_target() -> None:
    assert [each.id for each in BOOK.obligations if each.target == each.control] == []


def test_the_page_is_up_to_date() -> None:
    assert (ROOT / "docs" / "proofs.md").read_text("utf-8") == pages.page(BOOK)


def test_a_clause_without_an_obligation_is_a_hole() -> None:
    without = tuple(each for each in BOOK.obligations if "rate.path-independent" not in each.clauses)
    assert "rate.path-independent is shown by no obligation, and nothing says why." in coverage.holes(
        Ledger(without)
    )


def test_a_clause_that_is_only_searched_is_a_hole() -> None:
    only = Ledger((obligation(tool=Tool.HYPOTHESIS, verdict=Verdict.SEARCHED, clauses=("due.wait",)),))
    assert "due.wait is shown by no obligation, and nothing says why." in coverage.holes(only)


def test_a_contract_that_nothing_lists_is_a_hole() -> None:
    assert (
        "The contract schedule_spec.rate.advance/rate.next is listed by no obligation, and nothing says why."
        in coverage.holes(Ledger(()))
    )


def test_a_contract_that_the_law_has_not_is_a_hole() -> None:
    strange = Ledger((obligation(contracts=("schedule_spec.rate.advance/rate.skip",)),))
    assert "The ledger names the contract schedule_spec.rate.advance/rate.skip, which the law has not." in (
        coverage.holes(strange)
    )


def test_a_clause_that_is_none_is_a_hole() -> None:
    assert any(
        "rate.nothing" in hole for hole in coverage.holes(Ledger((obligation(clauses=("rate.nothing",)),)))
    )


def test_a_part_of_what_is_not_shown_is_a_hole() -> None:
    strange = Ledger(BOOK.obligations, parts=(Part("zone.names", "All of it."),))
    assert "A part of zone.names is said to be shown, and nothing of it is." in coverage.holes(strange)


def test_a_part_says_what_it_leaves_out(tmp_path: Path) -> None:
    part = '[[part]]\nclause = "rate.next"\n'
    with pytest.raises(LedgerError, match="exactly clause and without"):
        ledger.read(written(tmp_path, SOUND + part))
    read = ledger.read(written(tmp_path, SOUND + part + 'without = "Leap seconds."\n'))
    assert read.parts == (Part("rate.next", "Leap seconds."),)
    assert "  - **left out**: Leap seconds.\n" in pages.page(read)


@pytest.mark.parametrize(
    ("edit", "problem"),
    [
        (('"proved"', '"confirmed"'), "z3 never comes to confirmed"),
        (('"z3"', '"magic"'), "magic"),
        (('control = "a.c"\n', ""), "lacks control"),
        (("seconds = 10", 'seconds = "10"'), "ill-typed seconds"),
        (("seconds = 10", "seconds = true"), "ill-typed seconds"),
        (("seconds = 10", "seconds = 10\nnote = 1"), "unknown note"),
        (('["rate.next"]', "[]"), "must say something"),
        (('"all_is_well"', '"Well"'), "must say something"),
        (("[[obligation]]", "[[obligations]]"), "unknown tables"),
        (('tool = "z3"', "tool ="), "no TOML"),
    ],
)
def test_a_ledger_that_is_wrong_is_refused(edit: tuple[str, str], problem: str, tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match=problem):
        ledger.read(written(tmp_path, SOUND.replace(*edit)))


def test_an_id_stands_there_once(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="twice"):
        ledger.read(written(tmp_path, SOUND * 2))


def test_what_is_only_searched_by_crosshair_gives_a_reason(tmp_path: Path) -> None:
    text = SOUND.replace('"z3"', '"crosshair"').replace('"proved"', '"searched"')
    with pytest.raises(LedgerError, match="no reason"):
        ledger.read(written(tmp_path, text))
    [read] = ledger.read(written(tmp_path, f'{text}reason = "too hard"\n')).obligations
    assert (read.verdict, read.speed, read.control_seconds) == (Verdict.SEARCHED, Speed.FAST, 10)


REFUTED = Outcome(Verdict.REFUTED)


@pytest.mark.parametrize("came", [Verdict.PROVED])
def test_what_is_expected_is_met(came: Verdict) -> None:
    assert judged(obligation(), Outcome(came), REFUTED).met


@pytest.mark.parametrize("came", sorted(set(Verdict) - {Verdict.PROVED}))
def test_whatever_is_weaker_is_a_fault(came: Verdict) -> None:
    assert judged(obligation(), Outcome(came, "why"), REFUTED).faults == (
        f"{came}, where proved is expected: why",
    )


@pytest.mark.parametrize("came", sorted(set(Verdict) - {Verdict.REFUTED}))
def test_a_control_that_is_not_refuted_is_a_fault(came: Verdict) -> None:
    assert not judged(obligation(), Outcome(Verdict.PROVED), Outcome(came)).met


def test_a_stronger_verdict_is_none() -> None:
    searched = obligation(tool=Tool.CROSSHAIR, verdict=Verdict.SEARCHED)
    assert judged(searched, Outcome(Verdict.CONFIRMED), REFUTED).met


def test_other_counts_are_a_fault() -> None:
    counting = obligation(counts=(("states", 7),))
    assert judged(counting, Outcome(Verdict.PROVED, counts={"states": 7, "more": 1}), REFUTED).met
    assert not judged(counting, Outcome(Verdict.PROVED, counts={"states": 6}), REFUTED).met
    assert not judged(counting, Outcome(Verdict.PROVED), REFUTED).met
