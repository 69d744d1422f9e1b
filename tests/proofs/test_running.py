"""Running obligations: each verdict comes from its tool, in a process of its own."""

import json
import time
from dataclasses import replace

import pytest
from click.testing import CliRunner

from proofs import ledger
from proofs.judging import Judged, judged
from proofs.ledger import Tool, Verdict
from proofs.outcomes import Outcome
from proofs.report import faults
from proofs.running import outcome, run
from schedule_cli.prove import prove

SAMPLE = "tests.proofs.sample"


@pytest.mark.parametrize(
    ("tool", "name", "verdict"),
    [
        (Tool.Z3, "squares_are_not_negative", Verdict.PROVED),
        (Tool.Z3, "squares_exceed_their_roots", Verdict.REFUTED),
        (Tool.Z3, "nothing_is_assumed_to_be", Verdict.VACUOUS),
        (Tool.EXHAUSTIVE, "three_cases", Verdict.EXHAUSTED),
        (Tool.EXHAUSTIVE, "no_cases", Verdict.VACUOUS),
        (Tool.EXHAUSTIVE, "a_bad_case", Verdict.REFUTED),
        (Tool.EXHAUSTIVE, "a_mistake", Verdict.BROKEN),
        (Tool.EXHAUSTIVE, "that_is_not_there", Verdict.BROKEN),
        (Tool.HYPOTHESIS, "three_cases", Verdict.SEARCHED),
        (Tool.CROSSHAIR, "one_more", Verdict.CONFIRMED),
        (Tool.CROSSHAIR, "doubled_below_a_hundred", Verdict.REFUTED),
        (Tool.CROSSHAIR, "the_last_pair_alone_is_bad", Verdict.REFUTED),
        (Tool.CROSSHAIR, "of_nothing", Verdict.VACUOUS),
        (Tool.CROSSHAIR, "calling_against_a_contract", Verdict.BROKEN),
        (Tool.CROSSHAIR, "calling_what_breaks_its_own_contract", Verdict.BROKEN),
        (Tool.CROSSHAIR, "three_cases", Verdict.BROKEN),
    ],
)
def test_each_verdict_is_told(tool: Tool, name: str, verdict: Verdict) -> None:
    found = outcome(tool, f"{SAMPLE}.{name}", 20)
    assert found.verdict is verdict, found.detail


def test_a_witness_that_meets_no_precondition_is_told() -> None:
    found = outcome(Tool.CROSSHAIR, f"{SAMPLE}.one_more", 20, f"{SAMPLE}.a_negative_number")
    assert found.verdict is Verdict.BROKEN
    assert "breaks a contract" in found.detail
    assert "rate.exact: positive" in found.detail


def test_paths_that_were_not_all_followed_confirm_nothing() -> None:
    assert outcome(Tool.CROSSHAIR, f"{SAMPLE}.counted_down", 1).verdict is Verdict.SEARCHED


def test_the_counterexample_is_told() -> None:
    assert outcome(Tool.EXHAUSTIVE, f"{SAMPLE}.a_bad_case", 20).detail == "the second of them"


def test_what_does_not_end_is_late() -> None:
    assert outcome(Tool.EXHAUSTIVE, f"{SAMPLE}.sleeping", 2).verdict is Verdict.LATE


def test_what_still_runs_ends_with_the_run() -> None:
    [some, *_] = [each for each in ledger.read().obligations if each.tool is Tool.EXHAUSTIVE]
    quick = replace(some, id="quick", target=f"{SAMPLE}.three_cases", control=f"{SAMPLE}.a_bad_case")
    slow = replace(quick, id="slow", target=f"{SAMPLE}.sleeping")

    def interrupted(_: Judged) -> None:
        raise KeyboardInterrupt

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run((quick, slow), 4, interrupted)
    assert time.monotonic() - began < 50


def test_the_command_tells_a_run() -> None:
    id = "digits_of_one_width_compare_as_their_numbers_do"
    ended = CliRunner().invoke(prove, ["--json", id])
    [entry] = json.loads(ended.stdout)["obligations"]
    assert ended.exit_code == 0
    assert (entry["id"], entry["verdict"], entry["control"], entry["met"]) == (id, "proved", "refuted", True)


def test_a_run_ends_with_how_many_controls_were_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    met = judged(ledger.read().obligations[0], Outcome(Verdict.PROVED), Outcome(Verdict.REFUTED))
    unmet = judged(ledger.read().obligations[1], Outcome(Verdict.PROVED), Outcome(Verdict.PROVED))

    def ending(*came: Judged) -> tuple[int, list[str]]:
        monkeypatch.setattr("proofs.running.run", lambda *_: came)
        ids = [each.obligation.id for each in came]
        ended = CliRunner().invoke(prove, ids)
        return ended.exit_code, [line for line in ended.stdout.splitlines() if " refuted, " in line]

    each = "refuted, each by the tool of its obligation"
    assert ending(met) == (0, [f"   1 control {each}"])
    assert ending(met, met) == (0, [f"   2 controls {each}"])
    assert ending(met, unmet) == (1, [f"   1 of 2 controls {each}"])


def test_a_run_of_one_clause_tells_what_is_not_shown_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    book = ledger.read()
    met = judged(book.obligations[0], Outcome(Verdict.PROVED), Outcome(Verdict.REFUTED))
    monkeypatch.setattr("proofs.running.run", lambda *_: (met,))
    [part] = [each for each in book.parts if each.clause == "change.version"]
    told = f"not shown of change.version: {part.without}"
    assert told in CliRunner().invoke(prove, ["--only", "change.version"]).stdout.splitlines()
    assert told in CliRunner().invoke(prove, ["--only", "change"]).stdout.splitlines()
    assert "not shown of" not in CliRunner().invoke(prove, ["--only", "rate.next"]).stdout


def test_a_clause_that_is_named_as_an_obligation_is_told_how_to_ask() -> None:
    ended = CliRunner().invoke(prove, ["change.version"])
    assert ended.exit_code == 2
    assert "Those of it are run by --only change.version." in ended.stderr


def test_what_is_not_met_tells_how_to_run_it_again() -> None:
    obligation = ledger.read().obligations[0]
    unmet = judged(obligation, Outcome(Verdict.PROVED), Outcome(Verdict.PROVED))
    met = judged(obligation, Outcome(Verdict.PROVED), Outcome(Verdict.REFUTED))
    assert faults([unmet])[1:] == [f"    run it again: schedule-spec prove {obligation.id}"]
    assert faults([met]) == []


def test_an_unknown_obligation_is_wrong_usage() -> None:
    ended = CliRunner().invoke(prove, ["digits_of_one_width"])
    assert ended.exit_code == 2
    assert "Did you mean digits_of_one_width_compare_as_their_numbers_do?" in ended.output


def test_the_obligations_of_a_clause_are_chosen() -> None:
    ended = CliRunner().invoke(prove, ["--list", "--fast", "--only", "fork.bounds"])
    assert ended.exit_code == 0
    assert all("fork.bounds" in line for line in ended.stdout.splitlines())
    assert "every_seed_length_means_its_suffix" in ended.output


def test_no_obligation_is_wrong_usage() -> None:
    ended = CliRunner().invoke(prove, ["--only", "rate.nxt"])
    assert ended.exit_code == 2
    assert "a clause or area 'rate.nxt'. Did you mean rate.next" in ended.output


def test_the_list_tells_that_it_leaves_out_the_longest() -> None:
    assert "--deep lists those" in CliRunner().invoke(prove, ["--list"]).stderr
    assert CliRunner().invoke(prove, ["--list", "--deep"]).stderr == ""
