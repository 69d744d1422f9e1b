"""Whole runs over worlds: nothing found in the law, the same run twice, honest counts, who can't be tried."""

import os
import subprocess
import sys
from typing import Any

import pytest
from tests.saboteurs import named
from tests.saboteurs.live.near_misses import hiding
from tests.saboteurs.live.puppet import Puppet

from schedule_conformance.adapters.smoke import CannotJudgeError, greet
from schedule_conformance.law import law_adapter
from schedule_conformance.protocol.systems import InProcess, System
from schedule_conformance.runs.docket import agreed
from schedule_conformance.worlds import traces, trying
from schedule_conformance.worlds.situations import A_HANDFUL, SITUATIONS, STATED_FOR, floor
from schedule_conformance.worlds.trying import CLAUSES, Trying, WorldBudget
from schedule_spec.profiles import Profile
from schedule_spec.register import CLAUSES as REGISTER
from schedule_spec.register.model import Subject

SMALL = WorldBudget(5, 20, 600)


def law(profile: Profile = Profile.V1) -> System:
    return InProcess("law", law_adapter.adapter(profile))


def report(system: System, budget: WorldBudget = SMALL, seed: int = 1, **members: Any) -> Trying:
    """What came of trying a system with random worlds."""
    attempt = begun(system, seed, **members)
    trying.explore(attempt, budget)
    trying.wander(attempt, budget)
    return attempt


def begun(system: System, seed: int = 1, **members: Any) -> Trying:
    terms = agreed(greet(system))
    assert terms is not None
    return Trying(system, terms, True, seed, **members)


def of_frozen(system: System, **members: Any) -> Trying:
    """What came of trying a system with the frozen traces that fit it."""
    attempt = begun(system, **members)
    for trace in filter(attempt.fits, traces.frozen()):
        with attempt.check(f"trace/{trace.id}"):
            attempt.try_frozen(trace)
    return attempt


def clauses(attempt: Trying) -> list[str]:
    """The clauses that were found to be broken."""
    return sorted({found.clause for found in attempt.found})


def broken(name: str) -> System:
    return named(name).system()


@pytest.fixture(scope="module")
def of_the_law() -> Trying:
    return report(law())


def test_nothing_is_found_in_the_law(of_the_law: Trying) -> None:
    assert of_the_law.found == []
    counts = of_the_law.checks
    assert counts[trying.MACHINE].steps > 50
    assert of_the_law.random_steps == counts[trying.MACHINE].steps + counts[trying.WALK].steps >= SMALL.steps


def test_nothing_is_found_in_the_law_by_frozen_traces() -> None:
    attempt = of_frozen(law())
    assert attempt.found == []
    counts = list(attempt.checks.values())
    assert [count.worlds for count in counts] == [1] * len(traces.frozen())
    tried = {clause for count in counts for clause in count.clauses}
    assert {"due.batch", "tool.list", "barrier.uncertain", "frame.batch"} <= tried
    assert attempt.random_steps == 0


def test_each_frozen_trace_that_fails_is_found_with_its_id() -> None:
    attempt = of_frozen(broken("lets_any_candidate_in"))
    failed = [name.removeprefix("trace/") for name, count in attempt.checks.items() if count.failed]
    assert failed == [found.frozen for found in attempt.found]
    assert {found.clause for found in attempt.found} == {"fold.candidate"}


def test_frozen_traces_that_do_not_come_to_what_is_asked_for_are_set_aside() -> None:
    attempt = of_frozen(law(), only=frozenset({"due.batch"}))
    aside = [count.aside for count in attempt.checks.values()]
    assert set(aside) == {0, 1}
    assert all(count.aside == ("due.batch" not in count.clauses) for count in attempt.checks.values())


def test_a_run_is_the_same_twice(of_the_law: Trying) -> None:
    again = report(law())
    assert again.checks == of_the_law.checks
    assert again.reached() == of_the_law.reached()


SUMMARY = """
import hashlib, json
from schedule_conformance.law import law_adapter
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.worlds import trying
from schedule_spec.delivery import Terms

heard = hashlib.sha256()
def handle(request):
    heard.update(json.dumps(request).encode())
    return law_adapter.handle(request)

attempt = trying.Trying(InProcess("law", handle), Terms(), True, 5)
trying.explore(attempt, trying.WorldBudget(3, 20, 300))
trying.wander(attempt, trying.WorldBudget(3, 20, 300))
print(heard.hexdigest())
"""


def test_what_is_asked_does_not_depend_on_the_hash_seed() -> None:
    def once(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-c", SUMMARY]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert once("1") == once("2") != ""


def test_another_seed_is_another_run(of_the_law: Trying) -> None:
    assert report(law(), seed=2).reached() != of_the_law.reached()


def test_nothing_is_found_in_the_law_of_the_earlier_level() -> None:
    found = report(law(Profile.V1_AFTER))
    assert found.found == []
    assert not any(found.fits(trace) for trace in traces.frozen() if trace.terms.profile is Profile.V1)
    reached = {each.situation.name: each.count for each in found.reached()}
    assert "batch delivered" not in reached
    assert reached["one-shot delivered"] > 0


def test_machine_and_walk_each_find_a_fault_by_themselves() -> None:
    for budget in (WorldBudget(60, 20, 0), WorldBudget(0, 0, 600)):
        attempt = report(broken("lets_any_candidate_in"), budget)
        check = trying.MACHINE if budget.machine_runs else trying.WALK
        (found,) = (each for each in attempt.found if each.check == check)
        assert (found.clause, found.fault) == ("fold.candidate", "wrong-accept")
        assert attempt.checks[check].met["fold.candidate", "wrong-accept"] > 1
        assert len(found.trace.steps) <= 4


def test_only_the_clauses_that_are_asked_for_are_reported() -> None:
    system = broken("lets_any_candidate_in")
    assert report(system, only=frozenset({"tool.list"})).found == []
    some = report(system, only=frozenset({"fold.candidate"}))
    assert clauses(some) == ["fold.candidate"]
    assert {each.situation.name for each in some.reached()} == {"candidate refused", "candidate let in"}


def test_worlds_that_end_before_what_is_asked_for_count_for_nothing() -> None:
    attempt = report(broken("lets_any_candidate_in"), only=frozenset({"tool.list"}))
    walk = attempt.checks[trying.WALK]
    assert walk.failed == 0
    assert 0 < walk.aside < walk.worlds


def test_a_system_that_breaks_is_told_from_one_that_errs() -> None:
    puppet = Puppet()

    def handle(request: dict[str, Any]) -> dict[str, Any]:
        if request["cmd"] == "turn":
            raise RuntimeError("no turns here")
        return puppet.ask(request)

    found = report(InProcess("breaks", handle)).found
    assert {(each.clause, each.fault) for each in found} == {("owner.idle-only", "error")}
    assert "The system broke on turn" in found[0].violation.sentence
    assert "RuntimeError was raised: no turns here" in found[0].violation.sentence


def test_a_reply_that_is_none_of_the_protocol_is_told() -> None:
    puppet = Puppet()

    def handle(request: dict[str, Any]) -> dict[str, Any]:
        reply = puppet.ask(request)
        return {**reply, "result": {"observed": "none"}} if request["cmd"] == "busy" else reply

    found = report(InProcess("odd", handle)).found
    assert {(each.clause, each.fault) for each in found} == {("owner.idle-only", "malformed")}
    assert "none of the protocol: result.observed" in found[0].violation.sentence


def test_a_system_that_shows_too_little_cannot_be_judged() -> None:
    system = InProcess("blind", hiding("barrier")())
    with pytest.raises(CannotJudgeError, match="does not observe barrier"):
        agreed(greet(system))


def test_a_system_without_live_sessions_is_not_tried() -> None:
    def handle(request: dict[str, Any]) -> dict[str, Any]:
        reply = law_adapter.handle(request)
        if request["cmd"] == "hello":
            reply["result"]["features"].remove("delivery")
        return reply

    assert agreed(greet(InProcess("pure", handle))) is None


def test_situations_try_every_clause_of_a_live_session() -> None:
    assert len({each.name for each in SITUATIONS}) == len(SITUATIONS)
    live = {each.id for each in REGISTER if each.subject is Subject.LIVE}
    assert live <= CLAUSES <= {each.id for each in REGISTER}


def test_a_short_run_need_not_reach_what_is_rare() -> None:
    rare = next(each for each in SITUATIONS if each.floor == 1)
    common = max(SITUATIONS, key=lambda each: each.floor)
    assert floor(rare, STATED_FOR) == 1
    assert floor(rare, STATED_FOR - 1) == 0
    assert floor(common, STATED_FOR // 10) == common.floor // 10 >= A_HANDFUL


def test_a_run_that_misses_a_situation_says_so() -> None:
    attempt = Trying(law(), agreed(greet(law())) or pytest.fail("no terms"), True, 1)
    attempt.random_steps = STATED_FOR
    missed = {each.situation.name for each in attempt.reached() if each.missed}
    assert missed == {each.name for each in SITUATIONS}
