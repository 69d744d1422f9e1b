"""`schedule-spec bench`: the generated logs are what they are said to be, and the figures what they claim."""

import json
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from schedule_cli import bench
from schedule_cli.__main__ import main
from schedule_cli.benchmarks import generate, work
from schedule_cli.benchmarks.yardstick import Dispatch, ScheduleChange, decoder
from schedule_impl.scan import scan

EVENTS = 18 * 600


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    return list(generate.lines(EVENTS, 1))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["bench", "check", *arguments])


def changes(lines: list[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line)["data"] for line in lines[1:]]


def test_generated_log_has_the_stated_distribution(lines: list[bytes]) -> None:
    operations = Counter(change["operation"] for change in changes(lines))
    kinds = Counter(change["schedule"]["kind"] for change in changes(lines) if "schedule" in change)

    assert operations == {"create": EVENTS // 3, "dispatch": EVENTS // 2, "delete": EVENTS // 6}
    assert kinds == {"after": EVENTS // 9, "at": EVENTS // 9, "every": EVENTS // 9}


def test_generated_log_has_the_stated_length_of_lines(lines: list[bytes]) -> None:
    assert sum(map(len, lines[1:])) / EVENTS == pytest.approx(180, abs=5)


def test_generated_log_has_many_and_never_too_many_active_records(lines: list[bytes]) -> None:
    active = [0]
    for change in changes(lines):
        ends = change["operation"] == "delete" or (
            change["operation"] == "dispatch" and "acceptedAt" not in change
        )
        active.append(active[-1] + (change["operation"] == "create") - ends)

    assert 40 <= max(active) <= 64
    assert sorted(active)[EVENTS // 2] >= 32


@pytest.mark.parametrize("events", [1, 17, 18, 19, 1000])
@pytest.mark.parametrize("seed", [0, 1, -7])
def test_generated_log_of_any_size_is_sound(events: int, seed: int) -> None:
    found = scan(BytesIO(b"".join(generate.lines(events, seed))))

    assert (found.stop, found.torn, found.changes) == (None, None, events)


def test_generated_log_depends_on_its_seed_alone() -> None:
    assert list(generate.lines(500, 3)) == list(generate.lines(500, 3))
    assert list(generate.lines(500, 3)) != list(generate.lines(500, 4))


def test_yardstick_decodes_every_line_of_a_generated_log(lines: list[bytes]) -> None:
    decoded = [decoder().decode(line) for line in lines[1:]]

    assert all(isinstance(event, ScheduleChange) for event in decoded)
    accepted = [
        event for event in decoded if isinstance(event, ScheduleChange) and isinstance(event.data, Dispatch)
    ]
    assert len(accepted) == EVENTS // 2


def test_json_figures_fit_together(tmp_path: Path) -> None:
    result = run(
        "--events",
        "100",
        "--events",
        "200",
        "--seed",
        "5",
        "--best-of",
        "1",
        "--dir",
        str(tmp_path),
        "--json",
    )

    report = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (report["seed"], report["bestOf"]) == (5, 1)
    assert [entry["events"] for entry in report["logs"]] == [100, 200]
    for entry, log in zip(report["logs"], ("bench-100-5.jsonl", "bench-200-5.jsonl"), strict=True):
        assert entry["bytes"] == (tmp_path / log).stat().st_size
        assert entry["ratio"] == pytest.approx(entry["check"]["seconds"] / entry["decode"]["seconds"])
        assert entry["eventsPerSecond"] == pytest.approx(entry["events"] / entry["check"]["seconds"])
        for part in ("check", "decode", "fold"):
            assert 0 < entry[part]["seconds"] < entry[part]["processSeconds"]


def test_text_names_the_seed_the_ratio_and_the_growth() -> None:
    result = run("--events", "100", "--events", "200", "--best-of", "1")

    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("seed 1, best of 1, ")
    assert "check/decode" in lines[1]
    assert lines[-1].startswith("100 to 200: 2.0 times the events, ")


def test_best_figures_are_taken_of_each_column() -> None:
    row = bench.best(
        [bench.Measurement(3.0, 5.0, 20), bench.Measurement(2.0, 6.0, 10), bench.Measurement(4.0, 7.0, None)]
    )

    assert row == bench.Measurement(2.0, 5.0, 10)


def test_log_that_is_not_sound_is_no_benchmark(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join([*generate.lines(20, 1), b"[]\n"]))

    with pytest.raises(AssertionError, match="not sound"):
        work.check(log)()


def test_failing_run_ends_the_command_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "lines", lambda events, seed: [b"{}\n"])

    result = run("--events", "100")

    assert result.exit_code == 3
    assert "not sound" in result.stderr


def test_peak_is_a_figure_of_this_process() -> None:
    before = work.peak_bytes()
    assert before is not None
    ballast = bytearray(64 << 20)
    ballast[:: 1 << 12] = b"x" * len(ballast[:: 1 << 12])

    after = work.peak_bytes()

    assert after is not None
    assert after >= len(ballast)
    assert after >= before
