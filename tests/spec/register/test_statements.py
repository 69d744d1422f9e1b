"""Where the law states a clause: the register and the law agree on what is stated."""

from schedule_spec import profiles
from schedule_spec.register import CLAUSES, Profile, Status, Subject
from schedule_spec.register.statements import Kind, Statement, statements


def test_the_law_states_clauses_of_the_register_alone() -> None:
    known = {clause.id for clause in CLAUSES}
    assert {stated.clause for stated in statements()} <= known


def test_the_law_states_every_specified_clause_that_does_not_follow_from_others() -> None:
    stated = {each.clause for each in statements()}
    missing = [
        clause.id
        for clause in CLAUSES
        if clause.status is Status.SPECIFIED
        and clause.subject not in (Subject.DERIVED, Subject.MEANING, Subject.SCOPE)
        and clause.id not in stated
    ]
    assert not missing, f"specified, but neither marked nor in a contract: {missing}"


def test_the_law_states_no_clause_that_is_called_awaited() -> None:
    stated = {each.clause for each in statements()}
    early = [clause.id for clause in CLAUSES if clause.status is Status.AWAITED and clause.id in stated]
    assert not early, f"the law states these already, set their status to specified: {early}"


def rate_advance(kind: Kind) -> dict[str, Statement]:
    """What is stated at the law's central function, whose contracts are all conditions on values."""
    place = "schedule_spec.rate.advance"
    return {each.clause: each for each in statements() if each.place == place and each.kind is kind}


def test_contracts_are_found_with_their_kind_and_words() -> None:
    not_early = rate_advance(Kind.PRECONDITION)["rate.not-early"]
    latest_due = rate_advance(Kind.POSTCONDITION)["rate.latest-due"]
    assert not_early.words == "a dispatch cannot precede its target"
    assert latest_due.words
    assert (latest_due.file, latest_due.line) == (not_early.file, not_early.line)
    assert latest_due.file == "schedule_spec/rate.py"


def test_marks_are_found_on_functions_with_and_without_contracts() -> None:
    definitions = {each.clause for each in statements() if each.kind is Kind.DEFINITION}
    assert {"text.trim", "fold.create", "fork.bounds"} <= definitions


def test_a_statement_is_found_once_though_other_modules_import_its_function() -> None:
    found = statements()
    assert len(set(found)) == len(found)


def test_law_and_register_know_the_same_levels() -> None:
    assert {level.value for level in profiles.Profile} == {level.value for level in Profile}
