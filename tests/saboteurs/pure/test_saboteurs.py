"""Frozen cases alone catch each saboteur of single requests under its clause; no two are the same."""

import json
from collections import Counter
from functools import cache

import pytest
from tests.saboteurs import pure
from tests.saboteurs.model import Saboteur
from tests.saboteurs.questions import blamed, frozen, trial_of, wrong

from schedule_spec.register import CLAUSES, Subject

MOST = 2
"""Of so many wrong answers to the cases of an area the clause is looked at; the matrix looks at one."""


@cache
def _wrong_answers(name: str) -> tuple[tuple[str, str], ...]:
    """The frozen cases that a saboteur answers wrongly, with its answers."""
    saboteur = next(each for each in pure.SABOTEURS if each.name == name)
    trial = trial_of(saboteur.system())
    return tuple(
        (str(question.frozen), json.dumps(reply, sort_keys=True))
        for question, reply in wrong(trial, frozen(trial.profile, True))
    )


@pytest.mark.parametrize("saboteur", pure.SABOTEURS, ids=lambda saboteur: saboteur.name)
def test_frozen_cases_catch_it_under_its_clause(saboteur: Saboteur) -> None:
    trial = trial_of(saboteur.system())
    paper = frozen(trial.profile, True)
    failing = {failed for failed, _ in _wrong_answers(saboteur.name)}
    assert failing, "no frozen case catches it: add one first (CONTRIBUTING, To add a saboteur)"
    looked_at: Counter[str] = Counter()
    for question in paper.questions:
        if question.frozen not in failing or looked_at[question.check] == MOST:
            continue
        looked_at[question.check] += 1
        clause = blamed(trial, question)
        assert clause in saboteur.clauses, f"{question.frozen} is reported under {clause}"


def test_no_two_give_the_same_wrong_answers() -> None:
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for saboteur in pure.SABOTEURS:
        alike.setdefault(_wrong_answers(saboteur.name), []).append(saboteur.name)
    assert [names for names in alike.values() if len(names) > 1] == []


def test_each_clause_that_single_requests_show_has_one() -> None:
    shown = {clause.id for clause in CLAUSES if clause.subject in (Subject.PURE, Subject.LOG)}
    assert shown - {saboteur.breaks for saboteur in pure.SABOTEURS} == set()


def test_each_makes_handlers_that_know_nothing_of_each_other() -> None:
    for saboteur in pure.SABOTEURS:
        hello = {"seq": 0, "cmd": "hello", "protocol": 1, "suite": "0"}
        assert saboteur.make()(dict(hello)) == saboteur.make()(dict(hello))
