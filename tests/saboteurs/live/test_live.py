"""Broken live systems are caught under their clause; what the clauses leave open passes clean.

Frozen traces alone catch every one of them. That random worlds do too, and that near misses pass a whole run,
takes long: `deep` asks it.
"""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import settings
from tests.saboteurs import matrix
from tests.saboteurs.live import NEAR_MISSES, SABOTEURS
from tests.saboteurs.model import NearMiss, Saboteur

from schedule_conformance.adapters.smoke import greet
from schedule_conformance.protocol.systems import System
from schedule_conformance.runs.budgets import BUDGETS
from schedule_conformance.runs.docket import agreed
from schedule_conformance.worlds import traces, trying, walk
from schedule_conformance.worlds.replaying import replayed
from schedule_conformance.worlds.traces import Trace
from schedule_conformance.worlds.trying import Trying, WorldBudget
from schedule_spec.delivery import Terms
from schedule_spec.register import CLAUSES
from schedule_spec.register.model import Subject

SEEDS = (7, 20_260_101)
WORLDS = BUDGETS["default"].worlds or WorldBudget(0, 0, 0)


def begun(system: System, seed: int = SEEDS[0]) -> Trying:
    said = greet(system)
    terms = agreed(said)
    assert terms is not None
    return Trying(system, terms, "surrogates" in said.features, seed)


def ask_frozen(attempt: Trying) -> None:
    """Ask what frozen traces ask, in the order of a run, until the first violation."""
    with attempt.check("frozen"):
        for trace in filter(attempt.fits, traces.frozen()):
            attempt.try_frozen(trace)
            if attempt.found:
                return


def stroll(attempt: Trying, steps: int) -> None:
    """Walk through random worlds until the first violation."""
    with attempt.check(trying.WALK) as count:
        while not attempt.found and count.steps < steps:
            source = walk.source_of(attempt.seed, count.worlds)
            walk.stroll(attempt.begin(), source, attempt.surrogates, attempt.ask)


@pytest.mark.parametrize("saboteur", SABOTEURS, ids=lambda saboteur: saboteur.name)
def test_frozen_traces_catch_it_under_its_clause(saboteur: Saboteur) -> None:
    attempt = begun(saboteur.system())
    ask_frozen(attempt)
    assert attempt.found, "no frozen case catches it: add one first (CONTRIBUTING, To add a saboteur)"
    assert attempt.found[0].clause in saboteur.clauses, attempt.found[0].violation


def _in_frozen(row: Any) -> dict[str, Any]:
    """Which frozen traces catch a saboteur first, and under which clauses, as the kill matrix has it."""
    return {check: caught for check, caught in row["caught"].items() if check.startswith("trace/")}


def _suspects() -> list[tuple[Sequence[Saboteur], dict[str, Any]]]:
    """Those that the kill matrix does not tell apart by frozen traces, with what it says of them."""
    rows = json.loads(matrix.DATA.read_text(encoding="utf-8"))["saboteurs"]
    alike: dict[str, list[Saboteur]] = {}
    for saboteur in SABOTEURS:
        if saboteur.name in rows:
            alike.setdefault(json.dumps(_in_frozen(rows[saboteur.name])), []).append(saboteur)
    return [(group, json.loads(caught)) for caught, group in alike.items() if len(group) > 1]


def _wrong_replies(saboteur: Saboteur, trace: Trace) -> str | None:
    """The replies to a frozen trace up to one that is not allowed, None where all are."""
    world = replayed(saboteur.system(), trace.terms, trace.steps)
    if world.violation is None:
        return None
    return json.dumps([exchange.reply for exchange in world.exchanges], sort_keys=True)


def _told_apart(group: Sequence[Saboteur], caught: dict[str, Any]) -> bool:
    """Tell whether each of a group gives wrong replies of its own; what catches them first is asked first."""
    of_them = [each for each in matrix.frozen_traces(Terms()) if each[0] in caught]
    given: dict[str, list[str | None]] = {saboteur.name: [] for saboteur in group}
    for _, _, trace in sorted(of_them, key=lambda each: caught[each[0]][0] != each[1]):
        for saboteur in group:
            given[saboteur.name].append(_wrong_replies(saboteur, trace))
        if len(set(map(tuple, given.values()))) == len(group):
            return True
    return False


def test_no_two_give_the_same_wrong_answers() -> None:
    suspects = _suspects()
    assert [
        [each.name for each in group] for group, caught in suspects if not _told_apart(group, caught)
    ] == []


def test_every_live_clause_has_a_saboteur() -> None:
    broken = {saboteur.breaks for saboteur in SABOTEURS}
    assert [each.id for each in CLAUSES if each.subject is Subject.LIVE and each.id not in broken] == []


@pytest.mark.parametrize("miss", NEAR_MISSES, ids=lambda miss: miss.name)
def test_what_is_left_open_passes(miss: NearMiss) -> None:
    attempt = begun(miss.system())
    ask_frozen(attempt)
    stroll(attempt, 300)
    assert [each.violation for each in attempt.found] == []


if settings.get_current_profile_name() == "deep":

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("saboteur", SABOTEURS, ids=lambda saboteur: saboteur.name)
    def test_random_worlds_catch_it_under_its_clause(saboteur: Saboteur, seed: int) -> None:
        attempt = begun(saboteur.system(), seed)
        stroll(attempt, WORLDS.steps)
        assert attempt.found, "nothing was found"
        assert attempt.found[0].clause in saboteur.clauses, attempt.found[0].violation

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("miss", NEAR_MISSES, ids=lambda miss: miss.name)
    def test_what_is_left_open_passes_a_whole_run(miss: NearMiss, seed: int) -> None:
        attempt = begun(miss.system(), seed)
        trying.explore(attempt, WORLDS)
        trying.wander(attempt, WORLDS)
        assert [each.violation for each in attempt.found] == []
        assert [each for each in attempt.reached() if each.missed] == []
