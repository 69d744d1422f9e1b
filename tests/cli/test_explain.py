"""The command `explain`: all that is known of a clause, the same as its page is made of."""

import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from click.testing import CliRunner, Result

from schedule_cli.__main__ import main
from schedule_cli.explaining import asking, explanation, lapses, playing, stories, terminal
from schedule_cli.explaining.breaking import MISTAKES
from schedule_cli.explaining.json_layout import in_usual_order, laid_out
from schedule_cli.explaining.lapses import LAPSES
from schedule_cli.explaining.parts import Listing, Said, Step, Steps, Table
from schedule_cli.output import ExitCode
from schedule_spec import framing, instants, register
from schedule_spec.records import At
from schedule_spec.register import CLAUSES, Clause, Status, Subject, clause


def run(*arguments: str, env: dict[str, str] | None = None) -> Result:
    return CliRunner(env=env).invoke(main, arguments, prog_name="schedule-spec")


def unwrapped(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("each", CLAUSES, ids=lambda each: each.id)
def test_every_clause_is_explained_whole(each: Clause) -> None:
    ended = run("explain", each.id)
    assert ended.exit_code == 0
    assert max(map(len, ended.output.split("\n"))) <= 100
    shown = unwrapped(ended.output)
    for part in (
        each.sentence,
        each.rationale,
        each.decided,
        each.reason,
        *each.implied_by,
        each.fingerprint,
    ):
        assert part is None or unwrapped(part) in shown


def test_a_clause_is_explained_with_its_places_in_the_law() -> None:
    shown = unwrapped(run("explain", "rate.not-early").output)
    assert "rate.not-early (of rate: fixed-rate advancement)" in shown
    assert "Source S1, Durable changes and replay S1 is the subsystem page, with after," in shown
    assert "Decided here the code" in shown
    stated = (
        r"Stated by spec/schedule_spec/rate\.py:\d+ schedule_spec\.rate\.advance, precondition: a dispatch"
    )
    assert re.search(stated, shown)
    assert "A the decision time" in shown


def test_an_awaited_clause_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    awaited = replace(clause("deliver.meaning"), status=Status.AWAITED)
    monkeypatch.setattr(register, "CLAUSES", (awaited,))
    assert " deliver.meaning " in run("clauses", "--status", "awaited").output
    assert " deliver.meaning " not in run("clauses", "--status", "specified").output
    shown = unwrapped(run("explain", "deliver.meaning").output)
    assert "awaited: the law does not state it yet" in shown
    assert "Stated by" not in shown


@pytest.mark.parametrize("target", ["rate", "rate.*"])
def test_an_area_is_explained_clause_by_clause(target: str) -> None:
    ended = run("explain", target)
    assert ended.exit_code == 0
    assert "Let T be the record's target" in unwrapped(ended.output)
    shown = [line for line in ended.output.split("\n") if line in {each.id for each in CLAUSES}]
    assert shown == [each.id for each in CLAUSES if each.area == "rate"]
    assert clause("rate.path-independent").sentence in unwrapped(ended.output)


def test_several_are_explained_in_the_order_they_are_asked_for() -> None:
    ended = run("explain", "rate.next", "view", "fold.create")
    shown = [run("explain", name).output for name in ("rate.next", "view", "fold.create")]
    assert ended.output == "\n".join(shown)
    explained = json.loads(run("explain", "rate.next", "view", "--json").output)["clauses"]
    assert [each["id"] for each in explained] == ["rate.next", "view.fields", "view.state"]
    assert run("explain", "rate.next", "rate.nxt").exit_code == ExitCode.USAGE


@pytest.mark.parametrize(
    ("target", "hint"),
    [
        ("rate.nxt", " Did you mean rate.next"),
        ("latest", " Did you mean rate.latest-due?"),
        ("RATE.NEXT", " Did you mean rate.next?"),
        ("rates", " Did you mean rate "),
        ("rate.next.*", " Did you mean rate.next"),
        ("\x1b[31m", ""),
        ("", ""),
    ],
)
def test_an_unknown_clause_is_wrong_usage_and_told_what_is_near(target: str, hint: str) -> None:
    ended = run("explain", target)
    assert ended.exit_code == ExitCode.USAGE
    assert f"There is no clause or area {target!r}.{hint}" in ended.output
    assert "\x1b" not in ended.output


def test_an_argument_that_is_no_text_is_wrong_usage() -> None:
    command: list[str | bytes] = [sys.executable, "-m", "schedule_cli", "explain", b"\xff"]
    ended = subprocess.run(command, capture_output=True, check=False)
    assert ended.returncode == ExitCode.USAGE
    assert b"There is no clause or area '\\udcff'." in ended.stderr


def test_an_explanation_as_json_adds_what_the_law_and_the_examples_say() -> None:
    (listed,) = (
        each
        for each in json.loads(run("clauses", "--json").output)["clauses"]
        if each["id"] == "rate.not-early"
    )
    (explained,) = json.loads(run("explain", "rate.not-early", "--json").output)["clauses"]
    added = {"stated_by", "fault_of", "template", "kept", "broken", "unbroken"}
    assert explained.keys() == listed.keys() | added
    assert {key: explained[key] for key in listed} == listed
    contract = next(each for each in explained["stated_by"] if each["kind"] == "precondition")
    assert contract.pop("line") > 0
    assert contract == {
        "kind": "precondition",
        "place": "schedule_spec.rate.advance",
        "file": "schedule_spec/rate.py",
        "words": "a dispatch cannot precede its target",
    }
    assert explained["kept"][-1]["reply"]["rejected"]["code"] == "corrupt_schedule_log"
    (broken,) = explained["broken"]
    assert broken["reported"] == "rate.not-early"
    assert asking.answer(broken["request"]) != broken["reply"]


def test_an_area_as_json_holds_its_clauses() -> None:
    clauses = json.loads(run("explain", "fork.*", "--json").output)["clauses"]
    assert [each["id"] for each in clauses] == [each.id for each in CLAUSES if each.area == "fork"]


# -- examples


@pytest.mark.parametrize("each", CLAUSES, ids=lambda each: each.id)
def test_a_clause_is_shown_kept_and_broken_or_it_is_said_why_no_answer_breaks_it(each: Clause) -> None:
    told = explanation.explanation(each)
    assert told.kept
    reported = {example.data["reported"] for example in told.broken}
    assert reported <= {each.id, *each.implied_by}
    if each.subject in (Subject.PURE, Subject.LOG, Subject.LIVE):
        assert reported
        assert told.unbroken is None
    else:
        assert each.reason is not None
        assert reported or (told.unbroken or "").endswith(each.reason)


def test_a_fault_that_bears_another_name_is_told_so() -> None:
    for each in CLAUSES:
        for example in explanation.explanation(each).broken:
            words = [part for part in example.parts if isinstance(part, str)]
            other = example.data["reported"] != each.id
            assert any("reported under that name" in part for part in words) is other


@pytest.mark.parametrize("each", CLAUSES, ids=lambda each: each.id)
def test_what_is_broken_refers_to_what_stands_above_it(each: Clause) -> None:
    above, _, broken = run("explain", each.id).output.partition("\n  Broken\n")
    for kind in ("accepted", "refused"):
        if f"the request that is {kind} above" in broken:
            assert f"\n  {kind.capitalize()}\n" in above
    if "The same story" in broken or "of these stories" in broken:
        assert "\n  A live session\n" in above


def test_a_right_answer_is_no_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    asking.wrong_answer.cache_clear()
    mistake = MISTAKES["fork.suffix"]
    right = replace(mistake, reply=asking.answer(mistake.request))
    monkeypatch.setattr(asking, "MISTAKES", {"fork.suffix": right})
    with pytest.raises(asking.DriftError, match=r"fork\.suffix"):
        asking.wrong_answer("fork.suffix")


def test_a_right_reply_is_no_lapse(monkeypatch: pytest.MonkeyPatch) -> None:
    playing.spoilt.cache_clear()
    monkeypatch.setattr(
        playing, "LAPSES", {"fork.history": replace(LAPSES["fork.history"], wrong=lambda reply: reply)}
    )
    with pytest.raises(playing.UnsoundStoryError, match=r"fork\.history"):
        playing.spoilt("fork.history")


def test_mistakes_and_lapses_are_of_clauses_and_stories() -> None:
    known = {each.id for each in CLAUSES}
    assert MISTAKES.keys() | lapses.LAPSES.keys() <= known
    assert [id for id, lapse in LAPSES.items() if lapse.story not in stories.OF_CLAUSE[id]] == []


def test_a_template_filled_in_is_the_text_that_the_law_frames() -> None:
    (told,) = json.loads(run("explain", "frame.one-shot", "--json").output)["clauses"]
    record = At(id='x"y', prompt="two\nlines", scheduled_at=1_893_456_000_000)
    filled = told["template"]
    for gap, words in (
        ("‹id, as JSON›", json.dumps(record.id)),
        ("‹instant›", instants.render(record.scheduled_at)),
        ("‹prompt, as JSON›", json.dumps(record.prompt)),
    ):
        assert filled.count(gap) == 1
        filled = filled.replace(gap, words)
    assert filled == framing.one_shot(record)


def test_the_text_of_a_framing_is_shown_line_by_line() -> None:
    one_shot = run("explain", "frame.one-shot").output
    assert "\n      schedule_id_json: ‹id, as JSON›\n      occurrence_at: ‹instant›\n" in one_shot
    assert "\\nschedule_id_json" not in one_shot.partition("\n  Broken\n")[0]
    batch = run("explain", "frame.batch").output
    assert "\n      [SCHEDULE REMINDER BATCH]\n" in batch
    assert '"reminder_prompt":‹prompt, as JSON›},…]' in unwrapped(batch)


def test_the_best_cases_are_those_that_are_shown() -> None:
    shown = {each.vector.id for clause in CLAUSES if (each := asking.granted(clause.id))}
    assert set(asking.BEST) <= shown


def test_no_note_is_reworded_in_vain() -> None:
    found = [ask(each.id) for each in CLAUSES for ask in (asking.granted, asking.refused)]
    assert asking.WORDS.keys() <= {each.vector.id for each in found if each}


def test_a_reply_that_breaks_a_rule_breaks_no_other() -> None:
    wrong = asking.wrong_answer("every.minimum")
    assert wrong is not None
    assert wrong.verdict.got.endswith("result.record.everySeconds: 299 is less than the minimum of 300")
    assert wrong.verdict.allowed.endswith("because every_seconds is 299; at least 300 is required.")
    record = wrong.reply["result"]["record"]
    assert instants.parse(record["scheduledAt"]) == wrong.request["now"] + 299_000


def test_members_stand_in_their_usual_order() -> None:
    told = {
        "data": {"id": "a", "operation": "delete", "version": 1},
        "type": "schedule/change",
        "x": [{"b": 1}],
    }
    assert json.dumps(in_usual_order(told)) == json.dumps(
        {"type": "schedule/change", "data": {"version": 1, "operation": "delete", "id": "a"}, "x": [{"b": 1}]}
    )


# -- the terminal


def test_parts_are_laid_out_in_lines_that_fit_and_lose_nothing() -> None:
    long = "word " * 40
    story = Steps((Step(Said("Asked."), (Said("seen:", Listing(f'  {{"a": "{long}"}}\x1b', "json")),)),))
    told = list(terminal.lines((long.strip(), Listing("x\n  y", label="asked"), story), 40))
    assert max(map(len, told)) <= 40
    assert " ".join(told).split().count("word") == 79
    assert told[told.index("asked:") :][:3] == ["asked:", "  x", "    y"]
    assert "1. Asked." in told
    assert "   - seen:" in told
    assert all(line.isprintable() for line in told)


def test_json_is_laid_out_in_few_lines_that_fit() -> None:
    change = {"version": 1, "operation": "delete", "id": "a"}
    event = {"type": "schedule/change", "data": change}
    record = {"id": "a", "kind": "at", "prompt": "p", "scheduledAt": "2030-01-01T00:00:00.000Z"}
    assert laid_out({"cmd": "fold", "events": [event, event]}).split("\n") == [
        '{"cmd": "fold", "events": [',
        f"  {json.dumps(event)},",
        f"  {json.dumps(event)}",
        "]}",
    ]
    assert laid_out({"result": {"record": record}, "seq": [1, 2]}, 60).split("\n") == [
        "{",
        '  "result": {"record": {',
        '    "id": "a", "kind": "at", "prompt": "p",',
        '    "scheduledAt": "2030-01-01T00:00:00.000Z"',
        "  }},",
        '  "seq": [1, 2]',
        "}",
    ]


def test_numbers_of_a_table_stand_flush_right() -> None:
    table = Table(("n", "what"), (("1", "one"), ("10", "ten")), numbers=(0,))
    assert list(terminal.lines((table,), 80)) == ["   n  what", "   1  one", "  10  ten"]


def test_a_narrow_terminal_is_no_crash() -> None:
    assert run("explain", "deliver.at-least-once", env={"COLUMNS": "1"}).exit_code == 0
