"""`schedule-spec bench local-time`: what is measured is what is said, and the figures fit together."""

import json
from datetime import date

import pytest
from click.testing import CliRunner, Result

from schedule_cli import bench
from schedule_cli.__main__ import main
from schedule_cli.benchmarks import local_time
from schedule_cli.benchmarks.local_time import READINGS, ZONES, local_times, measure
from schedule_impl import zones as impl_zones
from schedule_spec import zones as law_zones


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "WARM_CALLS", {"implementation": 50, "law": 20})
    monkeypatch.setattr(bench, "COLD_CALLS", 16)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["bench", "local-time", "--best-of", "1", *arguments])


def test_every_local_time_has_one_instant_in_both_readings() -> None:
    times = local_times(ZONES, 400, 1)
    assert [each["time_zone"] for each in times[:9]] == [*ZONES, ZONES[0]]
    assert len({each["date"] for each in times}) > 300
    for each in times:
        date.fromisoformat(each["date"])
        instant = READINGS["implementation"](each)
        assert isinstance(instant, int)
        assert READINGS["law"](each) == instant


def test_local_times_depend_on_the_seed_alone() -> None:
    assert local_times(ZONES, 20, 1) == local_times(ZONES, 20, 1)
    assert local_times(ZONES, 20, 1) != local_times(ZONES, 20, 2)


def test_cold_reads_the_zone_each_time_and_warm_does_not() -> None:
    for reading, cached in (("implementation", impl_zones.load), ("law", law_zones.zone)):
        measure(reading, ZONES, True, 16, 1)
        misses = cached.cache_info().misses
        measure(reading, ZONES, True, 16, 1)
        assert cached.cache_info().misses == misses
        measure(reading, ZONES, False, 16, 1)
        assert cached.cache_info().misses == 1


@pytest.mark.usefixtures("brief")
def test_json_figures_fit_together() -> None:
    ended = run("--json")
    report = json.loads(ended.stdout)
    assert ended.exit_code == 0
    assert report["zones"] == list(ZONES)
    assert [(each["reading"], each["zones"], each["state"]) for each in report["figures"]] == [
        (reading, zones, state)
        for reading in ("implementation", "law")
        for zones in (1, 8)
        for state in ("cold", "warm")
    ]
    for each in report["figures"]:
        assert each["seconds"] > 0
        assert each["microsecondsPerCall"] == pytest.approx(each["seconds"] / each["calls"] * 1e6)
        assert each["callsPerSecond"] == pytest.approx(each["calls"] / each["seconds"])


@pytest.mark.usefixtures("brief")
def test_text_has_a_line_a_figure() -> None:
    lines = run().stdout.splitlines()
    assert lines[0].startswith("best of 1, Python 3.")
    assert len(lines) == 2 + 8
    assert [line.split()[:3] for line in lines[2:4]] == [
        ["implementation", "1", "cold"],
        ["implementation", "1", "warm"],
    ]


def test_a_local_time_without_an_instant_is_no_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(local_time.READINGS, "law", lambda value: ())
    with pytest.raises(AssertionError, match="law: a local time of the benchmark has no instant"):
        measure("law", ZONES, True, 16, 1)
