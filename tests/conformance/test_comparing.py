"""Two reports side by side: what is new, what is fixed, what ended otherwise, and reports that are none."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from schedule_conformance.rendering import comparing
from schedule_conformance.rendering.comparing import BrokenReportError, Change, compared, recorded

Line = dict[str, Any]
COUNTS = {
    "executed": 1,
    "passed": 1,
    "failed": 0,
    "known": 0,
    "unsupported": 0,
    "leftOut": 0,
    "commands": 0,
}


def run(**members: Any) -> Line:
    who: Line = {
        "name": "x",
        "version": "1",
        "language": "c",
        "profile": "v1",
        "features": [],
        "observes": [],
        "tzdata": None,
    }
    rest = {"suite": "1", "sut": "x", "implementation": who, "seed": 1, "profile": "quick", "only": []}
    return {"type": "run", "format": "schedule-spec-report-1", **rest, **members}


def broken(clause: str, fault: str = "wrong-value", known: bool = False, times: int = 1) -> Line:
    return {"clause": clause, "fault": fault, "times": times, "known": known}


def case(id: str, *met: Line, outcome: str = "") -> Line:
    ended = outcome or ("failed" if met else "passed")
    rest = {"kind": "vector", "clauses": ["rate.next"], "reason": ""}
    return {"type": "case", "id": id, "outcome": ended, "broken": list(met), **rest}


def check(id: str, *met: Line) -> Line:
    ended = "failed" if met else "passed"
    rest = {"kind": "property", "title": id, "clauses": [], "seconds": 0.1, **COUNTS}
    return {"type": "check", "id": id, "outcome": ended, "broken": list(met), **rest}


def end(lines: int = 2, **members: Any) -> Line:
    rest = {
        "lines": lines,
        "verdict": "conformant",
        "summary": "",
        **COUNTS,
        "absent": [],
        "reached": {},
        "unreached": [],
        "situations": [],
        "stale": [],
        "stopped": "",
        "seconds": 1.5,
    }
    return {"type": "end", **rest, **members}


def text(*lines: Line) -> str:
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def report(*lines: Line, **members: Any) -> comparing.Recorded:
    return recorded(text(run(), *lines, end(len(lines) + 2, **members)))


def test_a_report_beside_itself_shows_nothing() -> None:
    one = report(case("a", broken("rate.next")), check("property/view"))
    same = compared(one, one)
    assert (same.new, same.fixed, same.changed, same.only_first, same.only_second) == ((), (), (), (), ())


def test_what_fails_newly_and_what_is_fixed() -> None:
    before = report(case("a", broken("rate.next")), case("b"))
    after = report(case("a"), case("b", broken("rate.skip", "late")))
    change = compared(before, after)
    assert change.new == (("b", "rate.skip", "late"),)
    assert change.fixed == (("a", "rate.next", "wrong-value"),)
    assert change.changed == (
        Change("a", "failed: rate.next (wrong-value)", "passed"),
        Change("b", "passed", "failed: rate.skip (late)"),
    )


def test_another_kind_of_fault_is_another_failure() -> None:
    change = compared(report(case("a", broken("rate.next"))), report(case("a", broken("rate.next", "error"))))
    assert change.new == (("a", "rate.next", "error"),)
    assert change.fixed == (("a", "rate.next", "wrong-value"),)


def test_which_generated_check_finds_a_fault_and_how_often_is_left_to_chance() -> None:
    before = report(check("property/view", broken("view.state", times=3)), check("property/due"))
    after = report(check("property/view"), check("property/due", broken("view.state", times=7)))
    assert compared(before, after).new == ()
    assert [change.id for change in compared(before, after).changed] == ["property/view", "property/due"]
    often = report(check("property/view", broken("view.state", times=9)), check("property/due"))
    assert compared(before, often).changed == ()


def test_what_a_ledger_knows_is_a_change_and_no_failure() -> None:
    after = report(case("a", broken("rate.next", known=True), outcome="known"))
    change = compared(report(case("a")), after)
    assert change.new == ()
    assert change.changed == (Change("a", "passed", "known: rate.next (wrong-value)"),)


def test_cases_that_only_one_run_has() -> None:
    change = compared(report(case("a"), case("b")), report(case("b"), check("walk/worlds")))
    assert change.only_first == ("a",)
    assert change.only_second == ("walk/worlds",)


def test_a_core_feature_that_went_missing_is_a_failure() -> None:
    change = compared(report(case("a")), report(case("a"), absent=["decode"]))
    assert change.new == (("hello", "decode", "absent"),)


GOOD = (run(), case("a"), end(3))


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [
        (lambda good: "", "cut"),
        (lambda good: text(*GOOD[:-1]), "line 3: the report is cut"),
        (lambda good: text(GOOD[0], GOOD[2]), "line 2: it says that the report has 3 lines, and there are 2"),
        (lambda good: good[:-30], "line 3: no JSON"),
        (lambda good: text(*GOOD[1:]), "line 1: a line of type case cannot stand here"),
        (lambda good: good + text(case("b")), "line 4: a line of type case cannot stand here"),
        (lambda good: text(run(), *GOOD), "line 2: a line of type run cannot stand here"),
        (lambda good: text(run(), case("a"), case("a"), end()), "line 3: a stands there twice"),
        (lambda good: text(run(), {"type": "cases"}, end()), "line 2: no object with a type of"),
        (lambda good: "[]\n" + good, "line 1: no object with a type of"),
        (lambda good: text(run(format="x"), end()), "line 1: format: 'schedule-spec-report-1' was expected"),
        (lambda good: text(run(), {**case("a"), "outcome": "ok"}, end()), "line 2: outcome: 'ok' is not one"),
        (lambda good: text(run(), end(seconds="1")), "line 2: seconds"),
        (lambda good: "[" * 100_000, "line 1: no JSON"),
        (lambda good: text(run(), end()).replace('"seed": 1', '"seed": ' + "9" * 5_000), "line 1: no JSON"),
    ],
)
def test_what_is_no_report_is_told_with_its_line(spoilt: Callable[[str], str], words: str) -> None:
    with pytest.raises(BrokenReportError) as raised:
        recorded(spoilt(text(*GOOD)))
    assert words in str(raised.value)
