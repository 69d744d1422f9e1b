"""`schedule-spec check` on logs with the host's events: what it says of delivery, and how it reads them."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests import misdeliveries
from tests.damage import (
    DISPATCH,
    FORK,
    PARENT,
    SESSIONS,
    SMALL,
    Damage,
    Lines,
    create,
    delete,
    edited,
    extended,
    join,
)
from tests.misdeliveries import (
    BATCH_B,
    CREATE,
    EXPLAINED,
    HOSTED,
    LIST_SAID,
    ONE,
    ONE_DONE,
    REOPENED,
    TWO,
    Event,
    Events,
    at_record,
    inbox,
    put,
    rewritten,
    written,
)

from schedule_cli.__main__ import main
from schedule_cli.checking import delivery, law_scan
from schedule_spec.register import clause


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


def judged(log: Path, lines: Lines, *options: str) -> tuple[int, dict[str, Any]]:
    log.write_bytes(join(lines))
    result = run("--json", *options, log)
    verdict: dict[str, Any] = json.loads(result.stdout)
    return result.exit_code, verdict


def explained(name: str) -> Events:
    return dict(EXPLAINED)[name]


def reasons(verdict: dict[str, Any]) -> dict[str, int]:
    """How often what could not be judged, by the first word of the reason."""
    return {entry["reason"].split(":")[0]: entry["count"] for entry in verdict["delivery"]["notCheckable"]}


# ---- what is said


def test_sample_log_is_told_with_its_delivery_and_results() -> None:
    lines = run(SESSIONS / "parent.jsonl").stdout.splitlines()

    assert lines[-1] == "  delivery  1 delivery and 8 tool results are right"


def test_log_of_schedule_changes_alone_is_said_to_show_no_delivery(log: Path) -> None:
    _, verdict = judged(log, SMALL)

    assert verdict["delivery"] is None
    assert run(log).stdout.splitlines()[-1] == "  delivery  not in this log"


def test_other_events_than_those_of_inbox_and_tools_show_no_delivery(log: Path) -> None:
    events = (Event("turn/start", 1, "{}"), Event("assistant/chunk", 1, '"schedule/change"'), REOPENED)

    assert judged(log, written(events))[1]["delivery"] is None


def test_delivery_has_exactly_the_documented_members(log: Path) -> None:
    _, verdict = judged(log, written(explained("crash-in-a-batch")))

    assert verdict["delivery"] == {
        "checked": {"deliveries": 4, "answers": 6},
        "notes": [
            {
                "line": 9,
                "seq": 7,
                "message": 'The follow-up was queued and 1 of 2 reminders were dispatched, "b" not;'
                " then the session was opened anew.",
            },
            {"line": 12, "seq": 10, "message": '"b" came again, never dispatched before.'},
        ],
        "furtherNotes": 0,
        "notCheckable": [{"reason": "creates and deletes: no tool call was open", "count": 6}],
    }


def test_violation_is_told_with_clause_state_and_what_would_have_been_right(log: Path) -> None:
    exit_code, verdict = judged(log, written(rewritten(ONE, ("first", "furst"))))

    assert (exit_code, verdict["verdict"]) == (1, "violation")
    violation = verdict["violation"]
    assert (violation["line"], violation["seq"], violation["clause"]) == (ONE + 2, ONE, "frame.one-shot")
    assert violation["sentence"] == clause("frame.one-shot").sentence
    assert "furst" in violation["message"]
    assert "first" in violation["message"]
    assert json.loads(violation["came"])["seq"] == ONE
    assert json.loads(violation["accepted"][0]).endswith('reminder_prompt_json: "first"')
    assert [record["id"] for record in violation["state"]["active"]] == ["b", "a", "c", "two", "one", "n"]
    assert violation["state"]["seen"] == ["b", "a", "c", "two", "one", "n"]
    assert verdict["delivery"]["checked"] == {"deliveries": 1, "answers": 0}
    text = " ".join(run(log).stdout.split())
    assert "violation in line 12 (seq 10)" in text
    assert "delivery 1 delivery and 0 tool results are right before that" in text


@pytest.mark.parametrize("damaged", list(misdeliveries.damages()), ids=lambda damaged: damaged.log.name)
def test_the_very_clause_is_named_and_something_better_offered(damaged: Damage, tmp_path: Path) -> None:
    path = tmp_path / damaged.log.name
    path.write_bytes(damaged.log.data)

    violation = json.loads(run("--json", path).stdout)["violation"]

    assert violation["clause"] == damaged.clause
    assert violation["accepted"]
    assert violation["message"].endswith(".") or violation["message"].endswith("}")


# ---- what is explained, and what is not shown


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("as-it-is", []),
        ("ends-after-a-follow-up", [12]),
        ("ends-in-a-batch", [9]),
        ("append-failed-once", [12]),
        ("crash-after-a-follow-up", [12, 14]),
        ("crash-in-a-batch-superseded", [9, 16]),
        ("user-imitates-a-framing", []),
        ("other-plugin-imitates-a-framing", []),
        ("message-between-follow-up-and-dispatch", []),
    ],
)
def test_what_a_crash_or_a_failed_append_explains_is_a_note(name: str, lines: list[int], log: Path) -> None:
    exit_code, verdict = judged(log, written(explained(name)))

    assert (exit_code, [note["line"] for note in verdict["delivery"]["notes"]]) == (0, lines)


GIVEN = {"creates and deletes": 6}


@pytest.mark.parametrize(
    ("name", "answers", "not_shown"),
    [
        ("as-it-is", 6, GIVEN),
        ("crash-in-a-call", 5, GIVEN | {"tool calls": 1}),
        ("follow-up-without-a-time", 6, GIVEN | {"times": 1}),
        ("inbox-rearranged", 6, GIVEN | {"follow-ups": 1}),
        ("clock-set-back-in-a-call", 6, GIVEN | {"states": 1}),
        ("list-beside-its-target", 6, GIVEN | {"states": 1}),
        ("call-cancelled-after-its-append", 5, GIVEN | {"tool results": 1}),
        ("result-replaced-by-the-host", 5, GIVEN | {"tool results": 1}),
        ("no-inbox-in-the-log", 6, GIVEN | {"dispatches": 7}),
        ("other-tool", 6, GIVEN),
    ],
)
def test_what_a_log_cannot_show_is_counted_and_never_passed(
    name: str, answers: int, not_shown: dict[str, int], log: Path
) -> None:
    exit_code, verdict = judged(log, written(explained(name)))

    assert (exit_code, verdict["delivery"]["checked"]["answers"]) == (0, answers)
    assert reasons(verdict) == not_shown


def test_target_of_a_local_time_that_other_zone_data_may_give_is_not_shown(log: Path) -> None:
    lines = tuple(line.replace(b"2099-01-02T08:30", b"2099-01-02T07:30") for line in PARENT)

    exit_code, verdict = judged(log, lines)

    assert (exit_code, reasons(verdict)) == (0, {"targets of at": 1})


def test_inherited_events_are_exempt(log: Path) -> None:
    lines = edited(FORK, DISPATCH - 1, "occurrence_at: 2026", "occurrence_at: 2027")

    exit_code, verdict = judged(log, lines)

    assert (exit_code, verdict["delivery"]["checked"]) == (0, {"deliveries": 0, "answers": 1})


def test_many_notes_are_counted_and_not_all_kept(log: Path) -> None:
    again = (HOSTED[ONE], REOPENED) * 15

    _, verdict = judged(log, written(put(ONE, *again)))

    assert (len(verdict["delivery"]["notes"]), verdict["delivery"]["furtherNotes"]) == (20, 10)
    assert "and 10 more notes" in run(log).stdout


def test_more_changes_than_a_call_remembers_leave_its_result_unjudged(log: Path) -> None:
    changes = [Event("schedule/change", 1, create(at_record(f"x{n}", "59:00.000", "x"))) for n in range(101)]

    exit_code, verdict = judged(log, written(put(LIST_SAID, *changes)))

    assert exit_code == 0
    assert reasons(verdict)["tool results"] == 1


# ---- beside the fold


def test_of_two_violations_the_first_is_told_and_the_fold_goes_on_to_its_own(log: Path) -> None:
    misdelivered = written(put(ONE, instead_of=1))
    both = extended(misdelivered, delete('"none"'))

    _, verdict = judged(log, both)

    assert verdict["violation"]["line"] == ONE + 2
    assert verdict["events"] == len(HOSTED) - 1


def test_delivery_is_judged_up_to_what_the_fold_refuses(log: Path) -> None:
    events = put(CREATE, Event("schedule/change", 1, delete('"none"')))
    late = put(CREATE, Event("schedule/change", 1, delete('"none"')), inbox("30:00.000", "no framing"))

    for lines in (written(events), written(late)):
        _, verdict = judged(log, lines)
        assert (verdict["violation"]["line"], verdict["violation"]["clause"]) == (CREATE + 2, "fold.inactive")
        assert verdict["delivery"]["checked"] == {"deliveries": 4, "answers": 0}


def test_salvage_keeps_what_folds_whatever_was_delivered(log: Path, tmp_path: Path) -> None:
    lines = written(put(ONE, instead_of=1))
    log.write_bytes(join(lines))
    out = tmp_path / "out.jsonl"

    assert run(log, "--salvage", out).exit_code == 1
    assert out.read_bytes() == join(lines)

    log.write_bytes(join((*lines, b"[]")))
    assert run(log, "--salvage", tmp_path / "prefix.jsonl").exit_code == 1
    assert (tmp_path / "prefix.jsonl").read_bytes() == join(lines)


def test_log_of_schedule_changes_alone_is_read_once(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(delivery, "examine", never)

    assert judged(log, extended(SMALL, create(at_record("x", "59:00.000", "x"))))[0] == 0


def test_log_that_is_another_by_the_second_reading_is_unjudged(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "_read", lambda *_: {"type": "schedule/change", "data": None})

    exit_code, verdict = judged(log, PARENT)

    assert (exit_code, verdict["unjudged"]["kind"]) == (3, "unreadable")
    assert "changed" in verdict["unjudged"]["message"]


# ---- spellings


def test_events_are_known_by_their_type_however_it_is_spelt(log: Path) -> None:
    lines = written(rewritten(ONE, ("first", "furst")))
    spelt = tuple(line.replace(b'"agent/inbox/spliced"', b'"agent\\/inbox/sp\\u006ciced"') for line in lines)

    assert judged(log, spelt)[1]["violation"]["line"] == ONE + 2


@pytest.mark.parametrize("odd", ["9" * 5000, "1e400", "[" * 3000 + "]" * 3000, '"\\ud800"', "-0"])
def test_numbers_depth_and_surrogates_beside_a_follow_up_do_no_harm(odd: str, log: Path) -> None:
    damaged = rewritten(ONE, ("first", "furst"), ('"start":0', f'"start":0,"odd":{odd}'))

    for events, exit_code in ((rewritten(ONE, ('"start":0', f'"start":0,"odd":{odd}')), 0), (damaged, 1)):
        assert judged(log, written(events))[0] == exit_code


@pytest.mark.parametrize("time", ["1e400", '"1796083260002"', "1.5", "null", "9" * 400])
def test_time_that_is_no_whole_number_is_no_time(time: str, log: Path) -> None:
    lines = written(HOSTED)
    place = ONE + 1
    stamp = f'"time":{HOSTED[ONE].time}'.encode()
    retimed = (*lines[:place], lines[place].replace(stamp, f'"time":{time}'.encode()), *lines[place + 1 :])

    exit_code, verdict = judged(log, retimed)

    assert (exit_code, reasons(verdict)["times"]) == (0, 1)


@pytest.mark.parametrize("text", ["[" * 5000, "[" * 5000 + "]" * 5000, "9" * 5000, '"\\ud800"', "", "nul"])
def test_any_text_as_a_result_is_a_verdict(text: str, log: Path) -> None:
    events = put(LIST_SAID, misdeliveries.result("32:00.004", "c2", text), instead_of=1)

    assert judged(log, written(events))[0] in {0, 1}


@pytest.mark.parametrize("place", [BATCH_B - 2, ONE, TWO, ONE_DONE, LIST_SAID])
@pytest.mark.parametrize("data", ["null", "[]", "{}", '{"inserted":{}}', '{"message":[]}', '"\\ud800"'])
def test_host_events_of_any_form_are_read(place: int, data: str, log: Path) -> None:
    events = put(
        place, *(Event(kind, 0, data) for kind in ("tool/call", "tool/result", "agent/inbox/spliced"))
    )

    assert judged(log, written(events))[0] == 0


def test_hostile_texts_reach_the_terminal_only_escaped(log: Path) -> None:
    hostile = "\x1b[2J\u202e\r\x9b31m"
    log.write_bytes(join(written(put(ONE, inbox("21:00.002", hostile), instead_of=1))))

    text = run(log).stdout

    assert not set(hostile) & set(text) - set("[2J31m")
    assert "\\x1b[2J\\u202e" in text or "\\u001b[2J\\u202e" in text


def test_event_that_is_too_long_for_the_law_leaves_the_log_unjudged(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fast reader takes most; what it cannot read, the law would read for minutes."""
    monkeypatch.setattr(law_scan, "LONGEST", 5_000)
    lines = written(rewritten(ONE, ('"start":0', f'"start":0,"odd":{"9" * 5000}')))

    exit_code, verdict = judged(log, lines)

    assert (exit_code, verdict["unjudged"]["kind"], verdict["unjudged"]["line"]) == (3, "limit", ONE + 2)
    assert judged(log, written(rewritten(ONE, ('"start":0', f'"start":0,"odd":"{"9" * 5000}"'))))[0] == 0


def test_what_is_wrong_with_delivery_passes_between_processes(log: Path, tmp_path: Path) -> None:
    deep = "[" * 50_000 + "]" * 50_000
    lines = written(rewritten(ONE, ("first", "furst"), ('"start":0', f'"start":0,"odd":{deep}')))
    log.write_bytes(join(lines))
    (tmp_path / "other.jsonl").write_bytes(join(PARENT))

    result = run("-j", "2", log, tmp_path / "other.jsonl")

    assert (result.exit_code, result.stdout.splitlines()[-1]) == (1, "2 logs: 1 sound, 1 violation")


def test_what_does_not_fold_behind_a_wrong_delivery_is_told_too(log: Path) -> None:
    wrong = written(rewritten(ONE, ("first", "furst")))
    events = len(wrong) - 1
    lines = extended(wrong, delete('"nobody"'))

    _, verdict = judged(log, lines)
    assert verdict["violation"]["clause"] == "frame.one-shot"
    assert (verdict["behind"]["clause"], verdict["behind"]["seq"]) == ("fold.inactive", events)
    assert verdict["events"] == events

    told = " ".join(run(log).stdout.split())
    assert f"behind it line {events + 2} does not fold, nor what follows: fold.inactive: " in told
    assert f"the {events} events before line {events + 2}, in a new log:" in told
    _, alone = judged(log, wrong)
    assert alone["behind"] is None
