"""Whole runs over worlds: nothing found in the law, the same run twice, honest counts, who can't be tried."""

import os
import subprocess
import sys
from typing import Any

import pytest
from tests.conformance.worlds.broken import BROKEN, Puppet, hidden

from schedule_conformance import law_adapter
from schedule_conformance.running import CannotJudgeError, agreed, greet
from schedule_conformance.systems import InProcess, System
from schedule_conformance.worlds import trying
from schedule_conformance.worlds.situations import A_HANDFUL, SITUATIONS, STATED_FOR, floor
from schedule_conformance.worlds.trying import CLAUSES, Trying, WorldBudget, WorldsReport
from schedule_spec.profiles import Profile
from schedule_spec.register import CLAUSES as REGISTER
from schedule_spec.register.model import Subject

SMALL = WorldBudget(5, 20, 600)


def law(profile: Profile = Profile.V1) -> System:
    return InProcess("law", law_adapter.adapter(profile))


def report(system: System, budget: WorldBudget = SMALL, seed: int = 1, **members: Any) -> WorldsReport:
    terms = agreed(greet(system))
    assert terms is not None
    return trying.run(Trying(system, terms, True, seed, **members), budget)


def broken(name: str) -> System:
    return InProcess(name, next(each for each in BROKEN if each.name == name).handler())


@pytest.fixture(scope="module")
def of_the_law() -> WorldsReport:
    return report(law())


def test_nothing_is_found_in_the_law(of_the_law: WorldsReport) -> None:
    assert of_the_law.found == ()
    counts = dict(of_the_law.checks)
    assert counts[trying.FROZEN].worlds == 76
    assert counts[trying.MACHINE].steps > 50
    assert sum(counts[name].steps for name in (trying.MACHINE, trying.WALK)) >= SMALL.steps
    assert of_the_law.steps == sum(count.steps for count in counts.values())


def test_a_run_is_the_same_twice(of_the_law: WorldsReport) -> None:
    assert report(law()) == of_the_law


SUMMARY = """
import hashlib, json
from schedule_conformance import law_adapter
from schedule_conformance.systems import InProcess
from schedule_conformance.worlds import trying
from schedule_spec.delivery import Terms

heard = hashlib.sha256()
def handle(request):
    heard.update(json.dumps(request).encode())
    return law_adapter.handle(request)

attempt = trying.Trying(InProcess("law", handle), Terms(), True, 5)
trying.run(attempt, trying.WorldBudget(3, 20, 300))
print(heard.hexdigest())
"""


def test_what_is_asked_does_not_depend_on_the_hash_seed() -> None:
    def once(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-c", SUMMARY]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert once("1") == once("2") != ""


def test_another_seed_is_another_run(of_the_law: WorldsReport) -> None:
    assert report(law(), seed=2).reached != of_the_law.reached


def test_nothing_is_found_in_the_law_of_the_earlier_level() -> None:
    found = report(law(Profile.V1_AFTER))
    assert found.found == ()
    assert found.left_out == 76
    assert "batch delivered" not in {each.situation.name for each in found.reached}
    assert next(e.count for e in found.reached if e.situation.name == "one-shot delivered") > 0


def test_machine_and_walk_each_find_a_fault_by_themselves() -> None:
    for budget in (WorldBudget(20, 20, 0), WorldBudget(0, 0, 600)):
        found = report(broken("lets any candidate in"), budget).found
        assert [each.violation.clause for each in found] == ["fold.candidate"]
        assert found[0].times > 1
        assert len(found[0].trace.steps) <= 4


def test_only_the_clauses_that_are_asked_for_are_reported() -> None:
    system = broken("lets any candidate in")
    assert report(system, only=frozenset({"tool.list"})).found == ()
    some = report(system, only=frozenset({"fold.candidate"}))
    assert [each.violation.clause for each in some.found] == ["fold.candidate"]
    assert {each.situation.name for each in some.reached} == {"candidate refused", "candidate let in"}


def test_a_system_that_breaks_is_told_from_one_that_errs() -> None:
    puppet = Puppet()

    def handle(request: dict[str, Any]) -> dict[str, Any]:
        if request["cmd"] == "turn":
            raise RuntimeError("no turns here")
        return puppet.ask(request)

    found = report(InProcess("breaks", handle)).found
    assert [each.violation.clause for each in found] == ["owner.idle-only"]
    assert "The system broke on turn" in found[0].violation.sentence
    assert "RuntimeError was raised: no turns here" in found[0].violation.sentence


def test_a_reply_that_is_none_of_the_protocol_is_told() -> None:
    puppet = Puppet()

    def handle(request: dict[str, Any]) -> dict[str, Any]:
        reply = puppet.ask(request)
        return {**reply, "result": {"observed": "none"}} if request["cmd"] == "busy" else reply

    found = report(InProcess("odd", handle)).found
    assert [each.violation.clause for each in found] == ["owner.idle-only"]
    assert "none of the protocol: result.observed" in found[0].violation.sentence


def test_a_system_that_shows_too_little_cannot_be_judged() -> None:
    puppet = Puppet()
    system = InProcess("blind", lambda request: hidden("barrier")(puppet, request))
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
    with attempt.check(trying.WALK) as count:
        count.steps = STATED_FOR
    assert {each.situation.name for each in attempt.report().missed} == {each.name for each in SITUATIONS}
