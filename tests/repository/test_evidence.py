"""The evidence file is of this checkout, has no hole, and a hole would be noticed; the command shows it."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from tests.saboteurs import ALL
from tools.evidence.contracts import watched
from tools.evidence.fingerprints import fingerprints, stripped
from tools.evidence.joining import joined, measurements
from tools.evidence.measuring import BY_HAND
from tools.evidence.mutants import Change, by_hand, changes, functions
from tools.make_evidence import TARGET, differences

from proofs import ledger
from schedule_cli.__main__ import main
from schedule_cli.evidence import STRENGTHS
from schedule_conformance import evidence as kept
from schedule_conformance.evidence import Catch, Clause, Contract, Missing, Mutant, Saboteur, evidence
from schedule_conformance.protocol.messages import problems
from schedule_spec import rate
from schedule_spec.register import CLAUSES, Subject

STALE = "the evidence is stale; `make evidence` makes it anew"


# --- the file


def test_it_has_the_form_that_its_schema_says() -> None:
    assert problems("evidence", json.loads(kept.file().read_bytes())) == []


def test_it_was_measured_of_this_law_this_court_and_these_saboteurs() -> None:
    assert evidence().measured.of == fingerprints(), STALE


def test_what_is_joined_is_as_the_checkout_has_it() -> None:
    again = kept.text(joined(measurements(evidence()), evidence().measured))
    assert list(differences(TARGET, again)) == [], STALE
    assert kept.file().read_bytes() == again, STALE


def test_it_tells_of_every_clause_in_the_order_of_the_register() -> None:
    assert [each.id for each in evidence().clauses] == [clause.id for clause in CLAUSES]


def test_it_tells_of_every_saboteur_and_each_is_caught_under_a_clause_it_may_be_reported_under() -> None:
    allowed = {each.name: each.clauses for each in ALL}
    told = {each.name: each.caught for clause in evidence().clauses for each in clause.saboteurs}
    assert told.keys() == allowed.keys()
    strayed = [name for name, catch in told.items() if catch is None or catch.reported not in allowed[name]]
    assert strayed == []


def test_there_is_no_hole() -> None:
    assert [(clause.id, hole.name) for clause in evidence().clauses for hole in clause.holes] == []


# --- holes


CAUGHT = Saboteur("counts_from_now", "It counts from now.", Catch("vector/hand-rate-late", "rate.next"))
GUARD = Contract(
    "schedule_spec.rate.advance", "postcondition", "…", 1, Mutant("a.b", "x becomes y", "vector/v")
)
WHOLE = Clause(
    id="rate.next",
    sentence="…",
    revision=1,
    fingerprint="0" * 16,
    sources=(),
    decided=None,
    profiles=("v1",),
    subject=Subject.PURE,
    reason=None,
    contracts=(GUARD,),
    definitions=(),
    transitions=(),
    checks=(kept.Check("property/p", 1),),
    situations=(),
    vectors=(kept.Vectors("hand", 1, 0),),
    traces=(),
    proofs=(),
    saboteurs=(CAUGHT,),
)
DERIVED = replace(
    WHOLE, subject=Subject.DERIVED, reason="It follows.", contracts=(), vectors=(), saboteurs=()
)
SCOPE = replace(DERIVED, subject=Subject.SCOPE, checks=())

LACKING: dict[str, tuple[Clause, tuple[Missing, ...]]] = {
    "nothing": (WHOLE, ()),
    "a definition instead of a contract": (replace(WHOLE, contracts=(), definitions=("a.b",)), ()),
    "a transition instead of a contract": (replace(WHOLE, contracts=(), transitions=("a.b",)), ()),
    "a trace instead of a vector": (replace(WHOLE, vectors=(), traces=("world-a",)), ()),
    "the law": (replace(WHOLE, contracts=()), (Missing.LAW,)),
    "a check": (replace(WHOLE, checks=()), (Missing.CHECK,)),
    "a case": (replace(WHOLE, vectors=()), (Missing.CASE,)),
    "a saboteur": (replace(WHOLE, saboteurs=()), (Missing.SABOTEUR,)),
    "a contract that fails": (replace(WHOLE, contracts=(replace(GUARD, mutant=None),)), (Missing.CONTRACT,)),
    "a contract in use": (replace(WHOLE, contracts=(replace(GUARD, evaluated=0),)), (Missing.CONTRACT,)),
    "one of two catches": (
        replace(WHOLE, saboteurs=(CAUGHT, replace(CAUGHT, caught=None))),
        (Missing.UNCAUGHT,),
    ),
    "the only catch": (
        replace(WHOLE, saboteurs=(replace(CAUGHT, caught=None),)),
        (Missing.UNCAUGHT, Missing.SABOTEUR),
    ),
    "nothing of what is derived": (DERIVED, ()),
    "a confirmation of what is derived": (replace(DERIVED, checks=()), (Missing.DERIVATION,)),
    "nothing of what is out of scope": (SCOPE, ()),
    "a reason": (replace(SCOPE, reason=None), (Missing.REASON,)),
}


@pytest.mark.parametrize("what", LACKING)
def test_what_is_missing_is_a_hole(what: str) -> None:
    clause, holes = LACKING[what]
    assert clause.holes == holes


def test_a_file_that_says_something_else_is_told_clause_by_clause(tmp_path: Any) -> None:
    file = tmp_path / "evidence.json"
    told = msgspec.to_builtins(evidence())
    told["clauses"][3]["checks"] = []
    told["measured"]["of"]["law"] = "0" * 16
    file.write_text(json.dumps(told))
    assert list(differences(file, kept.text(evidence()))) == [
        "It was measured of another law, court, or other saboteurs.",
        f"{CLAUSES[3].id} differs in checks.",
    ]


# --- how it is made


def change(place: str, told: str) -> Change:
    function = next(each for each in functions() if each.place == place)
    (found,) = [each for each in changes(function) if each.told == told]
    return found


LATE = change("schedule_spec.rate.advance", "occurrence + interval_ms becomes occurrence - interval_ms")


def test_a_contract_is_seen_to_be_false_under_a_change_and_true_again_without_it() -> None:
    with watched() as contracts:
        (contract,) = [
            each
            for each in contracts
            if (each.statement.place, each.statement.clause) == ("schedule_spec.rate.advance", "rate.next")
        ]
        with LATE.in_place(), pytest.raises(Exception, match=r"rate\.next: "):
            rate.advance(0, 300_000, 0)
        assert (contract.evaluated, contract.false) == (1, 1)
        assert rate.advance(0, 300_000, 0) == rate.Advance(0, 300_000)
        assert (contract.evaluated, contract.false) == (2, 1)
    rate.advance(0, 300_000, 0)
    assert contract.evaluated == 2


def test_a_change_told_by_hand_fits_the_law_and_its_contract_is_one() -> None:
    contracts = {f"{each.place}/{clause.id}" for clause in evidence().clauses for each in clause.contracts}
    by_place = {each.place: each for each in functions()}
    for hand in BY_HAND:
        assert hand.contract in contracts
        assert by_hand(by_place[hand.place], hand.before, hand.after).told


SOURCE = '"""Says."""\n\nX = "#"  # why\n\n\ndef f():\n    """Does."""\n    return X\n'


@pytest.mark.parametrize(
    ("edit", "same"),
    [
        (lambda source: source.replace("Says", "Tells"), True),
        (lambda source: source.replace("# why", "# because"), True),
        (lambda source: source.replace("\n\n\n", "\n"), True),
        (lambda source: source.replace('"#"', '"##"'), False),
        (lambda source: source.replace("return X", "return [X]"), False),
    ],
)
def test_a_fingerprint_changes_with_what_is_executed_alone(edit: Callable[[str], str], same: bool) -> None:
    assert edit(SOURCE) != SOURCE
    assert (stripped(edit(SOURCE)) == stripped(SOURCE)) is same


# --- the command


def shown(*arguments: str) -> tuple[int, str]:
    run = CliRunner().invoke(main, ["evidence", *arguments])
    return run.exit_code, run.output


def test_the_overview_counts_every_area() -> None:
    code, output = shown()
    assert code == 0
    rows = {line.split()[0]: line.split()[1:] for line in output.splitlines() if line.strip()}
    assert {clause.area for clause in CLAUSES} <= rows.keys()
    assert rows["rate"][0] == "10"


def test_a_clause_is_shown_in_full() -> None:
    clause = next(each for each in evidence().clauses if each.id == "rate.latest-due")
    code, output = shown(clause.id)
    words = " ".join(output.split())
    assert code == 0
    assert clause.sentence in words
    for contract in clause.contracts:
        assert contract.mutant is not None
        assert f"evaluated {contract.evaluated} times" in words
        assert contract.mutant.change in words
    assert all(each.id in words for each in clause.checks)
    assert all(each.id in words for each in clause.proofs)
    assert all(each.name in words and each.about in words for each in clause.saboteurs)


def test_a_clause_tells_its_strongest_proof_on_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    proofs = [
        kept.Proof(f"p{place}", tool, verdict, "all")
        for place, (tool, verdict) in enumerate(
            [("hypothesis", "searched"), ("crosshair", "confirmed"), ("z3", "proved"), ("z3", "proved")]
        )
    ]

    def strongest(*shown_by: kept.Proof) -> list[str]:
        lacking = replace(evidence(), clauses=(replace(WHOLE, proofs=shown_by),))
        monkeypatch.setattr("schedule_cli.evidence.evidence", lambda: lacking)
        return [line.strip() for line in shown("rate.next")[1].splitlines() if "Strongest" in line]

    assert strongest(*proofs) == ["Strongest    proved by z3, 2 of 4 proofs"]
    assert strongest(*proofs[:2]) == ["Strongest    confirmed by crosshair, 1 of 2 proofs"]
    assert strongest(proofs[0]) == ["Strongest    searched by hypothesis"]
    assert strongest() == []


def test_every_verdict_of_the_ledger_has_its_place_in_strength() -> None:
    assert sorted(STRENGTHS) == sorted(ledger.STRENGTH)
    weights = [ledger.STRENGTH[ledger.Verdict(verdict)] for verdict in STRENGTHS]
    assert weights == sorted(weights, reverse=True)


HINT = re.compile(r"^[A-Z][^:]*: schedule-spec (.+)$", re.MULTILINE)


@pytest.mark.parametrize(
    ("clause", "hints"),
    [
        ("rate.latest-due", ["vectors rate.latest-due", "prove --only rate.latest-due"]),
        ("barrier.fifo", ["vectors barrier.fifo"]),
        ("fold.prefix", ["prove --only fold.prefix"]),
    ],
)
def test_a_clause_leads_to_its_cases_and_proofs_where_it_has_some(clause: str, hints: list[str]) -> None:
    assert HINT.findall(shown(clause)[1]) == hints
    for hint in hints:
        asked = [*hint.split(), *(["--list"] if hint.startswith("prove") else [])]
        assert CliRunner().invoke(main, asked).exit_code == 0


def test_no_clause_has_only_proofs_that_its_hint_leaves_out() -> None:
    """`prove --only CLAUSE` without `--deep` refuses a clause all of whose obligations are deep."""
    runs = {
        clause
        for each in ledger.read().obligations
        if each.speed is not ledger.Speed.DEEP
        for clause in each.clauses
    }
    assert [clause.id for clause in evidence().clauses if clause.proofs and clause.id not in runs] == []


def test_a_saboteur_leads_to_its_clause_and_to_what_catches_it() -> None:
    clause, saboteur = next((clause, each) for clause in evidence().clauses for each in clause.caught)
    assert saboteur.caught is not None
    code, output = shown(saboteur.name)
    words = " ".join(output.split())
    assert code == 0
    assert f"Breaks {clause.id}: {clause.sentence}" in words
    assert f"Caught by {saboteur.caught.check}, under {saboteur.caught.reported}" in words
    case = saboteur.caught.check.removeprefix("vector/")
    assert HINT.findall(output) == [f"evidence {clause.id}", f"vectors {case}"]
    assert all(CliRunner().invoke(main, hint.split()).exit_code == 0 for hint in HINT.findall(output))
    assert f"--only {saboteur.name}" in output


def test_a_saboteur_that_no_case_of_its_own_catches_leads_to_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for catch, told in ((None, "not caught"), (Catch("property/p", "rate.next"), "by property/p")):
        clause = replace(WHOLE, saboteurs=(replace(CAUGHT, caught=catch),))
        lacking = replace(evidence(), clauses=(clause,))
        monkeypatch.setattr("schedule_cli.evidence.evidence", lambda lacking=lacking: lacking)
        code, output = shown(CAUGHT.name)
        assert code == 0
        assert told in output
        assert HINT.findall(output) == ["evidence rate.next"]


def test_a_saboteur_as_json_names_the_clause_that_it_breaks() -> None:
    clause, saboteur = next((clause, each) for clause in evidence().clauses for each in clause.caught)
    code, output = shown("--json", saboteur.name)
    told = json.loads(output)
    assert code == 0
    assert told.keys() == {"measured", "saboteur"}
    assert (told["saboteur"]["name"], told["saboteur"]["breaks"]) == (saboteur.name, clause.id)


def test_a_saboteur_has_no_holes() -> None:
    name = next(each.name for clause in evidence().clauses for each in clause.caught)
    code, output = shown("--holes", name)
    assert code == 2
    assert f"{name} is a saboteur" in output


def test_an_area_lists_its_clauses() -> None:
    code, output = shown("view.*")
    assert code == 0
    assert [line.split()[0] for line in output.splitlines() if line.startswith("view.")] == [
        "view.fields",
        "view.state",
    ]


def test_json_is_what_the_file_holds() -> None:
    told = json.loads(kept.file().read_bytes())
    code, output = shown("--json")
    assert code == 0
    assert json.loads(output) == {"measured": told["measured"], "clauses": told["clauses"]}


def test_holes_end_with_1_and_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = replace(evidence(), clauses=(replace(WHOLE, checks=()), SCOPE))
    monkeypatch.setattr("schedule_cli.evidence.evidence", lambda: lacking)
    assert shown("--holes") == (1, f"rate.next: {Missing.CHECK}\n")
    monkeypatch.setattr("schedule_cli.evidence.evidence", lambda: replace(lacking, clauses=(SCOPE,)))
    assert shown("--holes") == (0, "There is no hole.\n")


def test_an_unknown_name_is_wrong_usage_and_near_ones_are_named() -> None:
    code, output = shown("rate.latest")
    assert code == 2
    assert "rate.latest-due" in output
    code, output = shown("trims_ascii_alon")
    assert code == 2
    assert "There is no clause, area or saboteur" in output
    assert "trims_ascii_alone" in output
