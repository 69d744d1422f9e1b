"""`check --salvage`: the longest sound prefix, byte for byte, in a new file, or no file at all."""

import json
import os
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import zstandard
from click.testing import CliRunner, Result
from tests import damage
from tests.damage import FORK, PARENT, Damage, delete, extended, frames, join

from schedule_cli.__main__ import main
from schedule_cli.checking import salvage
from schedule_impl.session_log import read_lines


def run(log: str | Path, out: Path, *options: str, stdin: bytes | None = None) -> Result:
    arguments = ["check", str(log), "--salvage", str(out), *options]
    return CliRunner().invoke(main, arguments, input=stdin, catch_exceptions=False)


def plain(data: bytes) -> bytes:
    if not data.startswith(b"\x28\xb5\x2f\xfd"):
        return data
    with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as reader:
        return reader.read()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_bytes(join((*PARENT, b"[]", *extended(PARENT, delete('"schedule-2"'))[-1:])))
    return path


@pytest.mark.parametrize("damaged", list(damage.damages()), ids=lambda damaged: damaged.log.name)
def test_every_damaged_log_yields_the_lines_before_the_damage(damaged: Damage, tmp_path: Path) -> None:
    path = tmp_path / damaged.log.name
    path.write_bytes(damaged.log.data)
    out = tmp_path / "out.jsonl"

    result = run(path, out, "--profile", damaged.log.profile)

    assert path.read_bytes() == damaged.log.data
    if damaged.line == 1:
        assert result.exit_code == 3
        assert "no sound prefix" in result.stderr
        assert not out.exists()
    else:
        assert result.exit_code == 1
        assert out.read_bytes().split(b"\n")[:-1] == plain(damaged.log.data).split(b"\n")[: damaged.line - 1]


def test_left_out_events_are_listed(log: Path, tmp_path: Path) -> None:
    result = run(log, tmp_path / "out.jsonl", "--json")

    verdict: dict[str, Any] = json.loads(result.stdout)
    assert verdict["salvage"] == {
        "out": str(tmp_path / "out.jsonl"),
        "events": 67,
        "leftOut": {
            "count": 2,
            "first": [
                {"line": 69, "seq": None, "type": None},
                {"line": 70, "seq": 67, "type": "schedule/change"},
            ],
            "unread": None,
        },
    }


def test_left_out_events_are_told_in_words_and_many_are_counted(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(join((*PARENT, b"[]", *[b'{"type":"a\\u001b[31m","seq":7}'] * 1500)))

    lines = [line.strip() for line in run(log, tmp_path / "out.jsonl").stdout.splitlines()]

    assert "left out  line 69: no seq, no type" in lines
    assert "line 70: seq 7, a\\x1b[31m" in lines
    assert lines[-1] == "and 1,481 more lines"


def test_compressed_output_is_compressed_and_holds_the_same_lines(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl.zstd"

    assert run(log, out).exit_code == 1
    assert out.read_bytes().startswith(b"\x28\xb5\x2f\xfd")
    assert plain(out.read_bytes()) == join(PARENT)


@pytest.mark.parametrize("data", [join(PARENT), frames(PARENT)])
def test_sound_log_is_copied_whole_without_its_torn_tail(data: bytes, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(data)
    torn = tmp_path / "torn"
    torn.write_bytes(data[:-3])

    assert run(log, tmp_path / "whole.jsonl").exit_code == 0
    assert run(torn, tmp_path / "cut.jsonl").exit_code == 0
    assert (tmp_path / "whole.jsonl").read_bytes() == join(PARENT)
    assert (tmp_path / "cut.jsonl").read_bytes() == join(PARENT[:-1])


def test_standard_input_can_be_salvaged(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"

    assert run("-", out, stdin=join((*PARENT, b"[]"))).exit_code == 1
    assert out.read_bytes() == join(PARENT)


def test_what_cannot_be_read_on_is_said(tmp_path: Path) -> None:
    data = bytearray(frames(PARENT))
    data[len(frames(PARENT[:20])) - 3] ^= 0xFF
    log = tmp_path / "log.jsonl.zstd"
    log.write_bytes(bytes(data))

    result = run(log, tmp_path / "out.jsonl", "--json")

    assert result.exit_code == 3
    assert (tmp_path / "out.jsonl").read_bytes() == join(PARENT[:19])
    assert "zstd" in json.loads(result.stdout)["salvage"]["leftOut"]["unread"]


def test_inherited_prefix_is_never_cut(tmp_path: Path) -> None:
    """A fork that breaks off within what it inherited would have an impossible boundary."""
    data = bytearray(frames(FORK))
    data[len(frames(FORK[:20])) - 3] ^= 0xFF
    log = tmp_path / "log.jsonl.zstd"
    log.write_bytes(bytes(data))

    result = run(log, tmp_path / "out.jsonl")

    assert (result.exit_code, (tmp_path / "out.jsonl").exists()) == (3, False)


@pytest.mark.parametrize("data", [b"", b"{}\n", b"not json\n"])
def test_unusable_header_leaves_nothing(data: bytes, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(data)

    result = run(log, tmp_path / "out.jsonl", "--json")

    assert (result.exit_code, json.loads(result.stdout)["salvage"]) == (3, None)
    assert not (tmp_path / "out.jsonl").exists()


def test_existing_file_is_never_overwritten(log: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_bytes(b"precious")
    dangling = tmp_path / "dangling.jsonl"
    dangling.symlink_to(tmp_path / "nowhere.jsonl")
    before = log.read_bytes()

    for out in (other, log, dangling):
        assert run(log, out).exit_code == 2
    assert other.read_bytes() == b"precious"
    assert log.read_bytes() == before
    assert not (tmp_path / "nowhere.jsonl").exists()


def test_wrong_usage(log: Path, tmp_path: Path) -> None:
    (tmp_path / "two").mkdir()
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / "two" / name).write_bytes(join(PARENT))

    assert run(tmp_path / "two", tmp_path / "out.jsonl").exit_code == 2
    assert run(log, tmp_path / "no" / "folder" / "out.jsonl").exit_code == 2
    assert not (tmp_path / "out.jsonl").exists()


def test_missing_log_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    for log in (tmp_path / "absent.jsonl", tmp_path / "empty"):
        assert run(log, tmp_path / "out.jsonl").exit_code == 3
    assert not (tmp_path / "out.jsonl").exists()


def test_failing_disk_leaves_no_file(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)

    result = run(log, tmp_path / "out.jsonl")

    assert result.exit_code == 3
    assert "No space left on device" in result.stderr
    assert not (tmp_path / "out.jsonl").exists()


def test_file_and_folder_are_synced(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_ino))

    run(log, tmp_path / "out.jsonl")

    assert synced == [(tmp_path / "out.jsonl").stat().st_ino, tmp_path.stat().st_ino]


def test_log_that_changes_between_the_readings_leaves_no_file(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(salvage, "read_lines", lambda stream: islice(read_lines(stream), 5))

    result = run(log, tmp_path / "out.jsonl")

    assert (result.exit_code, (tmp_path / "out.jsonl").exists()) == (3, False)
