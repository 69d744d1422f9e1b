"""JUnit XML: what a viewer counts is what the report counts, whatever an implementation said."""

import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree as ET

from tests.conformance.rendered import HOSTILE, green, report

from schedule_conformance.rendering.junit import junit
from schedule_conformance.runs.results import Outcome, Result
from schedule_spec.register import AREAS, CLAUSES


def tree() -> ET.Element:
    return ET.fromstring(junit(report()))


def case_of(result: Result) -> ET.Element:
    (found,) = (case for case in tree().iter("testcase") if case.get("name") == result.check)
    return found


def with_outcome(outcome: Outcome) -> list[Result]:
    found = [result for result in report().results if result.outcome is outcome]
    assert found, f"the report has no check that is {outcome}"
    return found


def test_every_check_is_one_case_and_ended_as_the_report_says() -> None:
    counted: Counter[str] = Counter()
    for case in tree().iter("testcase"):
        counted[next((child.tag for child in case), "passed")] += 1
    outcomes = Counter(result.outcome for result in report().results)
    whole = 1 + 1 + 1 + 1  # a missing feature, an unreached clause, a missed situation, a stale entry
    assert counted["passed"] == outcomes[Outcome.PASSED] > 0
    assert counted["failure"] == outcomes[Outcome.FAILED] + 2
    assert counted["error"] == 2
    assert counted["skipped"] == sum(
        outcomes[each] for each in (Outcome.KNOWN, Outcome.UNSUPPORTED, Outcome.LEFT_OUT)
    )
    assert sum(counted.values()) == len(report().results) + whole


def test_suites_count_their_cases_and_the_root_counts_all() -> None:
    root = tree()
    suites = root.findall("testsuite")
    for suite in suites:
        cases = suite.findall("testcase")
        assert int(suite.get("tests", "")) == len(cases)
        assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure"))
        assert int(suite.get("errors", "")) == len(suite.findall("testcase/error"))
        assert int(suite.get("skipped", "")) == len(suite.findall("testcase/skipped"))
    for name in ("tests", "failures", "errors", "skipped"):
        assert int(root.get(name, "")) == sum(int(suite.get(name, "")) for suite in suites)


def test_a_frozen_case_stands_in_the_area_of_its_clause() -> None:
    areas = {area.name for area in AREAS}
    for suite in tree().findall("testsuite"):
        for case in suite.findall("testcase"):
            assert case.get("classname") == f"schedule.{suite.get('name')}"
            frozen = case.get("name", "").startswith(("vector/", "trace/"))
            assert (suite.get("name") in areas) is frozen


def test_a_failure_is_told_with_clause_sentence_allowed_came_and_replay() -> None:
    result = with_outcome(Outcome.FAILED)[0]
    failure = case_of(result).find("failure")
    assert failure is not None
    (met,) = result.met
    sentence = next(clause.sentence for clause in CLAUSES if clause.id == met.clause)
    assert failure.get("message") == f"{met.clause} ({met.fault})"
    assert failure.get("type") == met.fault
    text = failure.text or ""
    assert sentence in text
    for heading in ("asked", "allowed", "came", "replay"):
        assert re.search(f"^{heading} ", text, re.MULTILINE)


def test_what_did_not_run_to_an_end_says_why() -> None:
    for result in with_outcome(Outcome.LEFT_OUT):
        skipped = case_of(result).find("skipped")
        assert skipped is not None
        assert skipped.get("message") == f"left-out: {result.reason}"
        assert result.reason
    for result in with_outcome(Outcome.UNSUPPORTED):
        skipped = case_of(result).find("skipped")
        assert skipped is not None
        assert skipped.get("message") == f"unsupported: {result.reason}"
        assert "due" in result.reason
    for result in with_outcome(Outcome.KNOWN):
        skipped = case_of(result).find("skipped")
        assert skipped is not None
        assert skipped.get("message") == f"known failure: {result.met[0].clause} ({result.met[0].fault})"


def test_a_generated_check_that_shows_nothing_new_says_what_it_met() -> None:
    (result,) = (each for each in report().results if each.check == "property/frame-one-shots")
    assert result.outcome is Outcome.FAILED
    kinds = {(met.clause, met.fault) for met in result.met}
    shown = tuple(each for each in report().findings if (each.clause, each.fault) in kinds)
    earlier = replace(result, check="property/earlier", findings=shown)
    silent = replace(report(), results=(earlier, replace(result, findings=())))
    (_, failure) = ET.fromstring(junit(silent)).findall("testsuite[@name='generated']/testcase/failure")
    for met in result.met:
        assert f"{met.clause} ({met.fault}): {met.times} cases" in (failure.text or "")


def test_what_is_known_is_no_part_of_a_failure() -> None:
    known = with_outcome(Outcome.KNOWN)[0]
    failed = next(each for each in with_outcome(Outcome.FAILED) if each.met[0].clause != known.met[0].clause)
    both = replace(failed, met=(*known.met, *failed.met), findings=(*known.findings, *failed.findings))
    (failure,) = ET.fromstring(junit(replace(report(), results=(both,)))).iterfind(
        f".//testcase[@name='{failed.check}']/failure"
    )
    assert known.findings
    assert known.met[0].clause not in f"{failure.get('message')}{failure.get('type')}{failure.text}"
    assert failed.met[0].clause in (failure.text or "")


def test_nothing_that_xml_forbids_is_left_and_all_of_it_can_be_seen() -> None:
    text = junit(report())
    text.encode("utf-8")
    assert not re.search("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)
    assert "\u202e" not in text
    assert HOSTILE not in text
    name = tree().find("testsuite[@name='run']/properties/property[@name='implementation']")
    assert name is not None
    assert name.get("value", "").startswith("acme </pre><script>alert('x')</script>")
    assert r"]]>&lt;\x00\ud800\u202e\ufffe\x1b[31m" in name.get("value", "")


def test_the_run_is_described() -> None:
    properties = {
        each.get("name"): each.get("value") for each in tree().iterfind("testsuite[@name='run']/properties/*")
    }
    of = report().circumstances
    assert properties["seed"] == str(of.seed)
    assert properties["suite"] == of.suite
    assert properties["sut"] == of.sut
    assert properties["tzdata"] == of.implementation.tzdata


def test_the_text_is_the_same_but_for_times() -> None:
    slower = tuple(replace(result, seconds=result.seconds + 3) for result in report().results)
    other = junit(replace(report(), results=slower, seconds=99.0))
    timeless = re.compile(r' time="[0-9]+\.[0-9]{3}"')
    assert other != junit(report())
    assert timeless.sub("", other) == timeless.sub("", junit(report()))


def test_a_green_run_has_no_failure() -> None:
    root = ET.fromstring(junit(green()))
    assert [root.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["1", "0", "0", "0"]
