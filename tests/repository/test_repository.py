"""The repository keeps its own promises: what it ships, what it names, and how fast its command starts."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def tracked_text_files() -> list[Path]:
    names = git("ls-files").splitlines()
    return [ROOT / name for name in names if (ROOT / name).is_file() and not name.endswith(".zstd")]


def test_the_lock_pins_every_requirement_by_hash_and_names_no_address() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    assert "://" not in lock
    requirements = re.split(r"\n(?=[a-z])", lock.strip())
    assert len(requirements) > 20
    for requirement in requirements:
        assert re.match(r"[a-z0-9.-]+==[^ ]+", requirement), requirement.splitlines()[0]
        assert "--hash=sha256:" in requirement, requirement.splitlines()[0]


def test_no_file_names_a_path_of_some_machine_or_a_registry() -> None:
    forbidden = re.compile(
        r"/(?:home/(?!user/project)|root/|work/|tmp/[a-z])|--(?:extra-)?index[-]url|files\.python"
    )
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in tracked_text_files()
        if path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if forbidden.search(line)
    ]
    assert found == []


FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def test_every_relative_link_of_the_documents_leads_somewhere() -> None:
    broken = [
        f"{path.relative_to(ROOT)}: {target}"
        for path in tracked_text_files()
        if path.suffix == ".md" and "data" not in path.parts
        for target in re.findall(
            r"\]\((?!https?:|#)([^)#]+)", FENCED.sub("", path.read_text(encoding="utf-8"))
        )
        if not (path.parent / target).exists()
    ]
    assert broken == []


def test_the_wheel_holds_the_four_packages_with_their_data(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    expected = {
        path.relative_to(root).as_posix()
        for root in (ROOT / "spec", ROOT / "impl")
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert expected - held == set()


HEAVY = ("icontract", "hypothesis", "jsonschema", "z3", "crosshair")


@pytest.mark.parametrize("arguments", [["--help"], ["clauses"], ["--version"]])
def test_the_command_starts_without_the_heavy_libraries(arguments: list[str]) -> None:
    program = (
        "import sys; from schedule_cli.__main__ import main\n"
        f"try: main({arguments!r})\n"
        "except SystemExit: pass\n"
        f"print('loaded:', *[name for name in {HEAVY!r} if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert run.stdout.splitlines()[-1].strip() == "loaded:"
