"""`schedule-spec bench tools` and `bench owner`: what is measured is what is said, and the figures fit."""

import asyncio
import json
import shutil

import pytest
from click.testing import CliRunner, Result

from schedule_cli.__main__ import main
from schedule_cli.benchmarks import live
from schedule_impl.session import Session, new_header


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["bench", *arguments, "--best-of", "1"])


def test_figures_of_tools_fit_together() -> None:
    report = json.loads(run("tools", "--calls", "40", "--calls", "600", "--json").stdout)
    assert report["bestOf"] == 1
    assert [(each["calls"], each["timed"]) for each in report["sessions"]] == [(40, 40), (600, 500)]
    for each in report["sessions"]:
        assert each["seconds"] > 0
        assert each["microsecondsPerCall"] == pytest.approx(each["seconds"] / each["timed"] * 1e6)


def test_text_of_tools_tells_the_growth() -> None:
    ended = run("tools", "--calls", "40", "--calls", "80")
    lines = ended.stdout.splitlines()
    assert ended.exit_code == 0
    assert lines[0].startswith("best of 1, Python 3.")
    assert [line.split()[0] for line in lines[2:4]] == ["40", "80"]
    assert lines[-1].startswith("40 to 80: 2.0 times the calls, ")


def test_figures_of_the_owner_fit_together() -> None:
    report = json.loads(run("owner", "--records", "40", "--records", "2000", "--json").stdout)
    sessions = report["sessions"]
    assert [(each["records"], each["wakes"], each["batch"]) for each in sessions] == [
        (40, 10, 10),
        (2000, 200, 500),
    ]
    for each in sessions:
        assert each["openSeconds"] > 0
        assert each["microsecondsPerWake"] == pytest.approx(each["wakeSeconds"] / each["wakes"] * 1e6)
        assert each["microsecondsPerBatched"] == pytest.approx(each["batchSeconds"] / each["batch"] * 1e6)


def test_text_of_the_owner_has_a_line_a_session() -> None:
    lines = run("owner", "--records", "8", "--records", "16").stdout.splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["8", "16"]


def test_what_is_timed_is_a_delivery_that_happens() -> None:
    async def lives() -> Session:
        lines = [live._line(0, "after", live.START + live.MINUTE)]
        desk = live.Desk(Session(new_header("bench", live.START), lines))
        await desk.rest()
        await desk.deliver(live.MINUTE - 1, 0)
        assert len(desk.session.agenda.active()) == 1
        await desk.deliver(1, 1)
        with pytest.raises(AssertionError, match="2 events, not 3"):
            await desk.deliver(live.MINUTE, 1)
        return desk.session

    assert asyncio.run(lives()).agenda.active() == []


def test_a_run_that_fails_ends_the_command_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", shutil.which("false"))
    ended = run("tools", "--calls", "20")
    assert ended.exit_code == 3
    assert "The run of tools 20 failed" in ended.stderr
