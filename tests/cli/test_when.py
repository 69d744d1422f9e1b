"""`schedule-spec when`: what a selector means, with its reasons, or the clause that refuses it."""

import json
import os
import subprocess
import sys
import time
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from schedule_cli.__main__ import main
from schedule_cli.output import ExitCode
from schedule_cli.wall_times import offset_text, span_text, wall_text
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.register import CLAUSES

NOW = "2027-01-15T08:00:00Z"
NOW_MS = 1_800_000_000_000


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["when", *arguments])


def told(*arguments: str, now: str = NOW) -> Any:
    ended = run(*arguments, "--now", now, "--json")
    report = json.loads(ended.stdout)
    assert ended.exit_code == (1 if report["rejections"] else 0)
    assert report["verdict"] == ("rejected" if report["rejections"] else "accepted")
    return report


def refused(*arguments: str, now: str = NOW) -> list[tuple[str, str]]:
    """The code and clause of every refusal."""
    report = told(*arguments, now=now)
    assert report["record"] is None
    return [(each["code"], each["clause"]) for each in report["rejections"]]


# -- the record, the instant, and why


def test_a_delay() -> None:
    report = told("--after", "90", "--prompt", "  look \u3000")
    assert report["record"] == {
        "id": "schedule-1",
        "kind": "after",
        "prompt": "look",
        "afterSeconds": 90,
        "scheduledAt": "2027-01-15T08:01:30.000Z",
    }
    assert report["target"]["clause"] == "after.target"
    assert report["target"]["instant"]["ms"] == NOW_MS + 90_000
    assert "90 s after the clock sample" in report["target"]["sentence"]


@pytest.mark.parametrize(
    ("text", "instant", "sentence"),
    [
        ("2027-01-16T20:30:00-05:30", "2027-01-17T02:00:00.000Z", "The reading less its offset, -05:30."),
        ("2027-01-16T09:00:00.5+08:00", "2027-01-16T01:00:00.500Z", "The reading less its offset, +08:00."),
        ("2027-01-16T09:00:00Z", "2027-01-16T09:00:00.000Z", "The reading is in UTC already."),
    ],
)
def test_an_instant_with_its_offset(text: str, instant: str, sentence: str) -> None:
    report = told("--at", text)
    assert report["record"]["scheduledAt"] == instant
    assert (report["target"]["clause"], report["target"]["sentence"]) == ("at.offset-meaning", sentence)


def test_a_local_time_that_occurs_once() -> None:
    report = told("--local", "2027-06-15", "12:00:00", "asia/KOLKATA")
    assert report["record"]["scheduledAt"] == "2027-06-15T06:30:00.000Z"
    assert report["target"]["clause"] == "local.unique"
    assert "at the offset +05:30" in report["target"]["sentence"]
    assert report["target"]["instant"] == {
        "utc": "2027-06-15T06:30:00.000Z",
        "ms": 1_813_041_000_000,
        "zone": "Asia/Kolkata",
        "wall": "2027-06-15 12:00:00.000",
        "offset": "+05:30",
    }


def test_a_local_time_that_occurs_twice_is_the_first() -> None:
    report = told("--local", "2027-10-31", "02:30:00", "Europe/Paris")
    candidates = report["target"]["candidates"]
    assert [(each["utc"], each["offset"]) for each in candidates] == [
        ("2027-10-31T00:30:00.000Z", "+02:00"),
        ("2027-10-31T01:30:00.000Z", "+01:00"),
    ]
    assert {each["wall"] for each in candidates} == {"2027-10-31 02:30:00.000"}
    assert report["record"]["scheduledAt"] == candidates[0]["utc"]
    assert report["target"]["clause"] == "local.overlap-first"
    assert all(each["utc"] in report["target"]["sentence"] for each in candidates)


def test_an_instant_in_a_zone_of_choice() -> None:
    target = told("--local", "2027-06-15", "12:00:00", "Europe/Paris", "--in", "pacific/chatham")["target"]
    assert (target["instant"]["zone"], target["instant"]["wall"]) == (
        "Pacific/Chatham",
        "2027-06-15 22:45:00.000",
    )


# -- numbers as they are written


@pytest.mark.parametrize("spelling", ["300", "300.0", "3e2", "3E+2", "30000e-2"])
def test_one_number_in_many_spellings(spelling: str) -> None:
    assert told("--after", spelling)["record"]["afterSeconds"] == 300
    assert told("--every", spelling)["record"]["everySeconds"] == 300


@pytest.mark.parametrize(
    "text",
    [
        "300.5",
        "0",
        "-5",
        "",
        "three",
        "0x10",
        "1_000",
        "+300",
        "NaN",
        "true",
        "null",
        '"300"',
        "1e400",
        "٣٠٠",
    ],
)
def test_what_is_no_positive_integer_is_for_the_clause_to_refuse(text: str) -> None:
    assert refused("--after", text) == [("invalid_rule", "after.rule")]


@pytest.mark.parametrize("size", [400, 5_000])
def test_a_number_of_many_digits(size: int) -> None:
    assert refused("--after", "9" * size) == [("invalid_rule", "after.rule")]


# -- refusals


def test_a_gap_and_where_it_lies() -> None:
    report = told("--local", "2027-10-03", "02:10:00", "Australia/Lord_Howe")
    assert [each["clause"] for each in report["rejections"]] == ["local.gap-rejected"]
    assert (report["record"], report["target"]) == (None, None)
    assert report["gap"] == {
        "zone": "Australia/Lord_Howe",
        "kind": "gap",
        "at": "2027-10-02T15:30:00.000Z",
        "before": "+10:30",
        "after": "+11:00",
        "from": "2027-10-03 02:00:00.000",
        "to": "2027-10-03 02:30:00.000",
        "lengthMs": 1_800_000,
    }


def test_the_first_of_two_is_past_and_the_second_is_not() -> None:
    """The instant and the reason are told though the reminder is refused."""
    report = told("--local", "2027-10-31", "02:30:00", "Europe/Paris", now="2027-10-31T00:30:00Z")
    assert [each["code"] for each in report["rejections"]] == ["not_future"]
    assert report["target"]["clause"] == "local.overlap-first"
    assert report["gap"] is None


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--at", "2027-01-15T09:00:00"], [("invalid_rule", "at.offset-required")]),
        (["--at", "tomorrow"], [("invalid_rule", "at.offset-form")]),
        (["--at", "2027-01-15T09:00:00-00:00"], [("invalid_rule", "at.offset-range")]),
        (["--at", NOW], [("not_future", "at.future")]),
        (["--at", "9999-12-31T23:59:59-00:01"], [("time_out_of_range", "at.range")]),
        (["--local", "2027-02-29", "09:00:00", "UTC"], [("invalid_rule", "at.real-date")]),
        (["--local", "2027-3-1", "09:00", "UTC"], [("invalid_rule", "at.local-form")] * 2),
        (["--local", "2027-03-01", "09:00:00", "utc"], [("invalid_time_zone", "zone.names")]),
        (
            ["--local", "2027-02-29", "09:00:00", "utc"],
            [("invalid_rule", "at.real-date"), ("invalid_time_zone", "zone.names")],
        ),
        (["--every", "299"], [("frequency_too_high", "every.minimum")]),
        (["--every", "9007199254740"], [("time_out_of_range", "every.range")]),
        (["--after", "9007199254740991"], [("time_out_of_range", "after.range")]),
        (["--after", "60", "--prompt", " \t"], [("invalid_prompt", "tool.create-prompt")]),
        (["--after", "60", "--every", "600"], [("invalid_selector", "tool.create-selector")]),
        (
            ["--at", "9999-12-31T23:59:59Z", "--every", "1"],
            [("invalid_selector", "tool.create-selector"), ("frequency_too_high", "every.minimum")],
        ),
    ],
)
def test_refusals(arguments: list[str], expected: list[tuple[str, str]]) -> None:
    assert refused(*arguments) == expected
    assert refused(*arguments, "--in", "Europe/Paris") == expected


def test_a_refusal_has_the_clauses_own_sentence() -> None:
    sentences = {clause.id: clause.sentence for clause in CLAUSES}
    (rejection,) = told("--every", "10")["rejections"]
    assert rejection["sentence"] == sentences["every.minimum"]
    assert rejection["where"] == "every_seconds"


# -- the clock sample


@pytest.mark.parametrize(
    "now",
    ["1800000000000", "18e11", NOW, "2027-01-15T08:00:00.000Z", "2027-01-15T09:00:00+01:00"],
)
def test_spellings_of_now(now: str) -> None:
    report = told("--after", "1", now=now)
    assert report["clock"] == {"now": NOW_MS, "at": "2027-01-15T08:00:00.000Z", "given": True}


def test_a_clock_before_1970() -> None:
    assert told("--after", "1", now="-1")["record"]["scheduledAt"] == "1970-01-01T00:00:00.999Z"


@pytest.mark.parametrize("now", ["0.5", "9007199254740992", "1e300"])
def test_a_clock_that_is_no_safe_integer_is_for_the_clause_to_refuse(now: str) -> None:
    assert refused("--after", "1", now=now) == [("time_out_of_range", "after.range")]
    assert told("--after", "1", now=now)["clock"]["at"] is None
    assert "rejected: time_out_of_range" in run("--after", "1", "--now", now).stdout


def test_without_now_the_clock_is_read_once_and_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    readings = iter([NOW_MS * 1_000_000 + 999_999])
    monkeypatch.setattr(time, "time_ns", lambda: next(readings))
    ended = run("--every", "300")
    assert "2027-01-15T08:00:00.000Z, read just now" in ended.stdout
    assert "2027-01-15T08:05:00.000Z" in ended.stdout


# -- every, and its dispatch


def test_the_next_occurrences_of_an_every() -> None:
    assert [each["utc"] for each in told("--every", "3600", "--count", "3")["occurrences"]] == [
        "2027-01-15T09:00:00.000Z",
        "2027-01-15T10:00:00.000Z",
        "2027-01-15T11:00:00.000Z",
    ]
    assert len(told("--every", "3600")["occurrences"]) == 5
    assert told("--after", "3600")["occurrences"] == []


def test_occurrences_end_with_the_year_9999() -> None:
    report = told("--every", "300", now=str(LATEST - 900_000))
    assert [each["ms"] for each in report["occurrences"]] == [LATEST - 600_000, LATEST - 300_000, LATEST]
    text = run("--every", "300", "--now", str(LATEST - 900_000)).stdout
    assert "No more: the next would lie after the year 9999 (rate.exhausted)." in text
    assert "No more" not in run("--every", "300", "--now", str(LATEST - 900_000), "--count", "2").stdout


def test_what_a_dispatch_selects_and_where_it_advances() -> None:
    dispatch = told("--every", "3600", "--accepted", "2027-01-15T11:59:59.999Z")["dispatch"]
    assert dispatch["accepted"]["utc"] == "2027-01-15T11:59:59.999Z"
    assert dispatch["occurrence"]["utc"] == "2027-01-15T11:00:00.000Z"
    assert dispatch["next"]["utc"] == "2027-01-15T12:00:00.000Z"
    assert dispatch["skipped"] == 2


def test_a_dispatch_at_the_target_itself() -> None:
    dispatch = told("--every", "3600", "--accepted", str(NOW_MS + 3_600_000))["dispatch"]
    assert (dispatch["occurrence"]["ms"], dispatch["next"]["ms"]) == (NOW_MS + 3_600_000, NOW_MS + 7_200_000)
    assert dispatch["skipped"] == 0


def test_a_dispatch_that_ends_the_record() -> None:
    arguments = ("--every", "300", "--accepted", str(LATEST))
    dispatch = told(*arguments)["dispatch"]
    assert dispatch["next"] is None
    assert LATEST - 300_000 < dispatch["occurrence"]["ms"] <= LATEST
    assert "(rate.exhausted)" in run(*arguments, "--now", NOW).stdout


@pytest.mark.parametrize(
    ("accepted", "clause"),
    [
        (str(NOW_MS + 299_999), "rate.not-early"),
        (str(LATEST + 1), "rate.accepted-range"),
        (str(EARLIEST - 1), "rate.accepted-range"),
        ("0.5", "number.safe-integer"),
    ],
)
def test_a_dispatch_that_is_refused(accepted: str, clause: str) -> None:
    report = told("--every", "300", "--accepted", accepted)
    assert [(each["code"], each["clause"]) for each in report["rejections"]] == [
        ("corrupt_schedule_log", clause)
    ]
    assert report["record"]["kind"] == "every"
    assert report["dispatch"] is None
    text = run("--every", "300", "--now", NOW, "--accepted", accepted).stdout
    assert text.startswith("accepted, but its dispatch is rejected: corrupt_schedule_log\n")


# -- wrong usage


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Give a selector"),
        (["--at", NOW, "--local", "2027-01-15", "09:00:00", "UTC"], "two forms of one selector"),
        (["--local", "2027-01-15", "09:00:00"], "requires 3 arguments"),
        (["--at", NOW, "--accepted", NOW], "go with --every"),
        (["--after", "1", "--count", "2"], "go with --every"),
        (["--every", "300", "--count", "0"], "not in the range"),
        (["--after", "1", "--now", "true"], '"true" is no instant'),
        (["--after", "1", "--now", "noon"], '"noon" is no instant'),
        (["--after", "1", "--now", "2027-01-15T08:00:00"], "is no instant"),
        (["--after", "1", "--now", "1e400"], "is no instant"),
        (["--after", "1", "--now", "9" * 5_000], "is no instant"),
        (["--every", "300", "--accepted", "\x1b[31m"], '"\\u001b[31m" is no instant'),
        (["--after", "1", "--in", "paris"], "Did you mean Europe/Paris?"),
        (["--after", "1", "--in", "Europe/Pari"], "Did you mean Europe/Paris"),
        (["--after", "1", "--in", "\udcff"], "is no accepted name"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str) -> None:
    ended = run(*arguments)
    assert ended.exit_code == ExitCode.USAGE
    assert message in ended.stderr
    assert ended.stdout == ""


@given(st.text(max_size=40), st.sampled_from(["--after", "--at", "--every", "--prompt"]))
def test_no_text_is_beyond_an_answer(text: str, option: str) -> None:
    arguments = [option, text] if option != "--prompt" else [option, text, "--after", "1"]
    ended = run(*arguments, "--now", NOW, "--in", "UTC")
    assert ended.exit_code in {ExitCode.SOUND, ExitCode.VIOLATION}
    assert all(line.isprintable() for line in ended.stdout.split("\n"))


# -- the text


def test_the_text_of_an_overlap() -> None:
    ended = run("--local", "2027-10-31", "02:30:00", "europe/paris", "--now", NOW, "--prompt", "p")
    assert (ended.exit_code, ended.stdout) == (
        0,
        """\
accepted
  instant    2027-10-31T00:30:00.000Z  2027-10-31 02:30:00.000 +02:00 Europe/Paris
  because    local.overlap-first: The wall time occurs twice in Europe/Paris:
             2027-10-31T00:30:00.000Z (+02:00) and 2027-10-31T01:30:00.000Z (+01:00). The first
             counts.
             It lies 288 d 16 h 30 min after the clock sample.
  clock      2027-01-15T08:00:00.000Z, as given
  record     {"id": "schedule-1", "kind": "at", "prompt": "p", "scheduledAt": "2027-10-31T00:30:00.000Z"}
""",
    )


def test_the_text_of_a_gap() -> None:
    ended = run("--local", "2011-12-30", "12:00:00", "Pacific/Apia", "--now", "0")
    assert ended.exit_code == 1
    lines = ended.stdout.splitlines()
    assert lines[0] == "rejected: invalid_rule"
    assert lines[1].startswith("  clause     local.gap-rejected: A wall time that occurs never")
    assert "  gap        2011-12-30 00:00:00.000 up to 2011-12-31 00:00:00.000, 1 d" in lines
    assert "  at         2011-12-30T10:00:00.000Z, Pacific/Apia goes from -10:00 to +14:00" in lines


def test_the_text_names_other_codes_that_may_be_answered() -> None:
    text = run("--local", "2027-02-30", "25:00:00", "Paris", "--now", "0").stdout
    assert text.startswith("rejected: invalid_rule\n")
    assert "  also       at.real-date: There is no time 25:00:00" in text
    assert "  hint       Did you mean Europe/Paris?" in text
    assert "             invalid_time_zone may be answered as well; zone.names: time_zone is" in text


def test_no_hint_without_a_name_that_is_like_it() -> None:
    assert "hint" not in run("--local", "2027-03-01", "09:00:00", "#" * 30, "--now", "0").stdout
    assert "hint" not in run("--local", "2027-02-30", "09:00:00", "Europe/Paris", "--now", "0").stdout


def test_an_instant_whose_wall_time_has_no_date() -> None:
    at = "9999-12-31T23:59:59.999Z"
    text = run("--at", at, "--now", "0", "--in", "Pacific/Kiritimati").stdout
    assert f"{at}  after the year 9999 +14:00 Pacific/Kiritimati" in text
    at = "0001-01-01T00:00:00.000Z"
    text = run("--at", at, "--now", str(EARLIEST - 1), "--in", "America/New_York").stdout
    assert f"{at}  before the year 0001 -04:56:02 America/New_York" in text


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "0 s"),
        (1, "1 ms"),
        (61_001, "1 min 1 s 1 ms"),
        (90_000_000, "1 d 1 h"),
        (10**12, "11,574 d 1 h 46 min 40 s"),
    ],
)
def test_spans(ms: int, text: str) -> None:
    assert span_text(ms) == text


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "+00:00"),
        (-60_000, "-00:01"),
        (561_000, "+00:09:21"),
        (-17_762_000, "-04:56:02"),
        (50_400_000, "+14:00"),
    ],
)
def test_offsets(ms: int, text: str) -> None:
    assert offset_text(ms) == text


def test_wall_times_at_the_ends() -> None:
    assert wall_text(EARLIEST) == "0001-01-01 00:00:00.000"
    assert wall_text(EARLIEST - 1) == "before the year 0001"
    assert wall_text(LATEST + 1) == "after the year 9999"


def test_the_process_zone_and_locale_do_not_count() -> None:
    command = [
        sys.executable,
        "-m",
        "schedule_cli",
        "when",
        "--local",
        "2027-10-31",
        "02:30:00",
        "Europe/Paris",
    ]
    command += ["--now", NOW, "--json"]
    printed = {
        subprocess.run(command, capture_output=True, check=True, env=os.environ | surroundings).stdout
        for surroundings in (
            {"TZ": "UTC", "PYTHONHASHSEED": "0"},
            {"TZ": "Asia/Kolkata", "LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "1"},
        )
    }
    assert len(printed) == 1
