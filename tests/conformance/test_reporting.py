"""Reports as JSON, and findings in words: every line by its schema, counts that add up, nothing lost."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.conformance import rendered
from tests.saboteurs import named

from schedule_conformance.checks.exhaustive import Bounds
from schedule_conformance.law import law_adapter
from schedule_conformance.protocol.messages import problems
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.rendering import report_json, telling
from schedule_conformance.runs.budgets import Budget
from schedule_conformance.runs.ledger import Entry, Ledger
from schedule_conformance.runs.reports import Report, Standing, Verdict, areas, verdict_sentence
from schedule_conformance.runs.results import Counts, Kind, Outcome, Result
from schedule_conformance.runs.running import rejudged, run
from schedule_conformance.worlds.situations import SITUATIONS
from schedule_conformance.worlds.trying import WALK, Found, Reached, WorldBudget
from schedule_spec.register import CLAUSES

TINY = Budget("tiny", 5, 1, 3, Bounds(1, 1), WorldBudget(0, 0, 600))
LOOSE = named("accepts_any_version").make()
CASES = frozenset({"hand-change-version-true", "hand-change-version-two", "hand-rate-at-target"})
OPEN = "lets_any_candidate_in"


@pytest.fixture(scope="module")
def of_cases() -> Report:
    """A run of three frozen cases, of which two fail."""
    return run(InProcess("loose", LOOSE), TINY, checks=CASES)


@pytest.fixture(scope="module")
def of_worlds() -> Report:
    """A run of random worlds, some of which fail."""
    return run(InProcess("open", named(OPEN).make()), TINY, checks=frozenset({WALK}))


def lines(report: Report) -> list[dict[str, object]]:
    return [json.loads(line) for line in report_json.text(report).splitlines()]


def test_every_line_is_as_the_schema_says(of_cases: Report, of_worlds: Report) -> None:
    for report in (of_cases, of_worlds):
        for line in lines(report):
            assert problems("report#/$defs/line", line) == []
        assert problems("report#/$defs/report", report_json.as_json(report)) == []


def test_a_report_has_a_line_for_each_case_failure_and_clause(of_cases: Report) -> None:
    told = lines(of_cases)
    kinds = [line["type"] for line in told]
    assert list(dict.fromkeys(kinds)) == ["run", "case", "failure", "clause", "end"]
    assert {line["id"] for line in told if line["type"] == "case"} == CASES
    assert kinds.count("failure") == 2
    assert [line["clause"] for line in told if line["type"] == "clause"] == [each.id for each in CLAUSES]
    last = told[-1]
    assert (last["executed"], last["passed"], last["failed"]) == (3, 1, 2)


def test_times_stand_last_under_one_name(of_worlds: Report) -> None:
    assert any(result.seconds > 0 for result in of_worlds.results)
    for line in report_json.text(of_worlds).splitlines():
        assert len(re.findall(r'"seconds"', line)) <= 1
        assert '"seconds"' not in line or re.search(r', "seconds": [0-9.]+\}$', line)


def test_the_evidence_of_a_world_is_its_whole_trace(of_worlds: Report) -> None:
    (failure,) = (line for line in lines(of_worlds) if line["type"] == "failure")
    assert failure["clause"] == "fold.candidate"
    assert problems("trace#/$defs/trace", failure["trace"]) == []
    (finding,) = of_worlds.findings
    assert isinstance(finding, Found)
    (told,) = telling.leading(of_worlds)
    assert told.others == of_worlds.counts.failed - 1 > 0
    assert len(told.asked) == len(finding.trace.steps)
    headings = [heading for heading, _ in told.rows if heading != "seen"]
    assert headings == ["found by", "asked", "broken", "allowed", "came", "also", "replay"]
    walk = f"schedule-spec verify --sut open --seed 20260101 --profile tiny --only-case {WALK}"
    assert told.replay == f"{walk} --only fold.candidate"


def test_a_world_is_one_case_and_its_commands_are_counted_apart(of_worlds: Report) -> None:
    counts = of_worlds.counts
    assert counts.executed == counts.passed + counts.failed
    assert counts.commands >= 600 > counts.executed
    (clause,) = (each for each in of_worlds.clauses if each.clause == "fold.candidate")
    assert clause.standing is Standing.BROKEN
    assert clause.counts.failed == counts.failed


def test_words_hold_what_was_asked_allowed_and_came(of_cases: Report) -> None:
    told = telling.leading(of_cases, {})[0]
    assert (told.clause, told.fault, told.others) == ("change.version", "wrong-accept", 1)
    words = telling.plain(told).splitlines()
    assert words[0] == "change.version (wrong-accept)"
    assert words[1] == "`version` is the number 1; anything else is rejected."
    assert [line.split()[0] for line in words[2:]] == ["found", "asked", "allowed", "came", "also", "replay"]


def test_what_is_kept_in_a_file_is_replayed_from_it(of_cases: Report) -> None:
    finding = of_cases.findings[0]
    told = telling.told(finding, of_cases.circumstances, file=Path("a b/x.json"))
    assert told.replay == "schedule-spec replay 'a b/x.json' --sut loose"


def test_what_a_ledger_knows_does_not_lead(of_cases: Report) -> None:
    book = Ledger((Entry("hand-change-version-true", "change.version", ("wrong-accept",)),))
    report = rejudged(of_cases, book)
    assert (report.counts.failed, report.counts.known) == (1, 1)
    assert report.counts.executed == of_cases.counts.executed
    assert [told.frozen for told in telling.leading(report)] == ["hand-change-version-two"]
    (clause,) = (each for each in report.clauses if each.clause == "change.version")
    assert (clause.counts.failed, clause.counts.known) == (1, 1)
    assert clause.cases == next(each.cases for each in of_cases.clauses if each.clause == "change.version")


def test_evidence_that_is_not_counted_makes_no_report(of_cases: Report) -> None:
    hidden = tuple(replace(result, met=()) for result in of_cases.results)
    with pytest.raises(AssertionError, match="all evidence is counted"):
        replace(of_cases, results=hidden)


def test_what_failed_most_often_is_told_first() -> None:
    of_many = rendered.report()
    failed = {count.clause: count.counts.failed for count in of_many.clauses}
    times = [failed[clause] for clause in of_many.broken]
    assert len(set(times)) > 1
    assert times == sorted(times, reverse=True)
    assert [told.clause for told in telling.leading(of_many)] == list(of_many.broken)


def test_areas_hold_every_clause_once(of_cases: Report) -> None:
    found = areas(of_cases.clauses)
    assert [count.clause for area in found for count in area.clauses] == [clause.id for clause in CLAUSES]
    assert all(sum(area.standing(each) for each in Standing) == len(area.clauses) for area in found)


@pytest.mark.parametrize(
    ("counts", "outcome"),
    [
        (Counts(passed=2), Outcome.PASSED),
        (Counts(passed=2, failed=1, known=1), Outcome.FAILED),
        (Counts(passed=2, known=1), Outcome.KNOWN),
        (Counts(unsupported=2), Outcome.UNSUPPORTED),
        (Counts(passed=1, unsupported=2), Outcome.PASSED),
        (Counts(left_out=1), Outcome.LEFT_OUT),
        (Counts(), Outcome.LEFT_OUT),
    ],
)
def test_a_check_ends_as_its_counts_say(counts: Counts, outcome: Outcome) -> None:
    assert Result("property/x", Kind.PROPERTY, "x", (), counts).outcome is outcome


def test_a_missing_core_feature_is_told() -> None:
    def handle(request: dict[str, object]) -> object:
        reply = law_adapter.handle(request)
        if request["cmd"] == "hello":
            reply["result"]["features"].remove("decode")
        return (
            {"seq": request["seq"], "unsupported": {"feature": "decode"}}
            if request["cmd"] == "decode"
            else reply
        )

    report = run(InProcess("x", handle), TINY, checks=frozenset({"hand-rate-at-target"}))
    assert verdict_sentence(report).endswith("lacks the core feature decode.")


def test_worlds_that_end_in_a_known_failure_need_not_come_to_all_else(of_worlds: Report) -> None:
    seldom = Reached(SITUATIONS[0], 0, 5)
    book = Ledger((Entry(None, "fold.candidate", ("wrong-accept",)),))
    known = replace(rejudged(of_worlds, book), situations=(seldom,))
    assert known.counts.known > 0
    assert known.verdict is Verdict.CONFORMANT
    sound = run(InProcess("law", law_adapter.handle), TINY, checks=frozenset({"hand-rate-at-target"}))
    assert replace(sound, situations=(seldom,)).verdict is Verdict.UNJUDGED
