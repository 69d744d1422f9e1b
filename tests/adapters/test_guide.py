"""The adapter guide: its example is run, and what the page shows is what comes."""

import re
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from schedule_cli.__main__ import main
from schedule_spec.register import CLAUSES

PAGE = (Path(__file__).parents[2] / "docs" / "adapter-guide.md").read_text(encoding="utf-8")
EXAMPLE = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
SHOWN = re.findall(r"^```text\n\$ schedule-spec ([^\n]*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

VARIANTS = {
    "adapter.py": ("", ""),
    "noisy.py": ("    record, accepted = ", '    print("advance!")\n    record, accepted = '),
    "drifts.py": ('"nextScheduledAt": occurrence + interval', '"nextScheduledAt": accepted + interval'),
}
"""What the page changes in its example, and the file that it is then: the old text and the new one."""


@pytest.fixture
def adapters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = EXAMPLE
    monkeypatch.chdir(tmp_path)
    for name, (old, new) in VARIANTS.items():
        assert old in example
        (tmp_path / name).write_text(example.replace(old, new, 1), encoding="utf-8")
        assert new.strip().split("\n")[0] in PAGE


def test_the_example_is_short_and_there_is_something_to_run() -> None:
    (example,) = EXAMPLE
    assert len(example.splitlines()) <= 40
    assert len(SHOWN) == PAGE.count("```text\n") >= 4


@pytest.mark.usefixtures("adapters")
@pytest.mark.parametrize(("command", "shown"), SHOWN, ids=[command for command, _ in SHOWN])
def test_what_the_page_shows_is_what_comes(command: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Path(sys.executable).parent
    monkeypatch.setenv("PATH", str(here), prepend=":")
    result = CliRunner().invoke(main, shlex.split(command))
    rest = result.stdout + result.stderr
    for part in filter(None, shown.split("…\n")):
        assert part in rest, f"{part!r} is not in what came: {result.stdout}{result.stderr}"
        rest = rest.partition(part)[2]


def test_every_area_that_the_page_narrows_to_is_one() -> None:
    narrowed = set(re.findall(r"--only ([a-z]+)\b", PAGE))
    known = {clause.id.partition(".")[0] for clause in CLAUSES}
    assert len(narrowed) > 15
    assert narrowed <= known
