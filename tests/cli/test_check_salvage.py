"""`check --salvage`: the longest sound prefix, byte for byte, in a new file, or no file at all."""

import json
import os
import shlex
import stat
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import zstandard
from click.testing import CliRunner, Result
from tests import damage
from tests.damage import FORK, PARENT, Damage, after, create, delete, extended, frames, join

from schedule_cli.__main__ import main
from schedule_cli.checking import salvage
from schedule_cli.checking.judging import Outcome, Verdict, judge
from schedule_cli.checking.sources import Source
from schedule_impl.session_log import read_lines
from schedule_impl.zstd_frames import Frames, unpack


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


def test_a_log_that_does_not_fold_is_told_with_the_command_that_saves_its_beginning(
    log: Path, tmp_path: Path
) -> None:
    runner = CliRunner()
    told = runner.invoke(main, ["check", str(log)]).stdout.splitlines()
    (place,) = [number for number, line in enumerate(told) if line.startswith("  to save ")]
    assert "the 67 events before that" in told[place]
    words = shlex.split(told[place + 1])
    assert words[:2] == ["schedule-spec", "check"]
    saved = tmp_path / "saved.jsonl"
    ended = runner.invoke(main, [str(saved) if word == "NEW.jsonl" else word for word in words[1:]])
    assert ended.exit_code == 1
    assert saved.read_bytes() == b"".join(log.read_bytes().splitlines(keepends=True)[:68])


@pytest.mark.parametrize(
    "data",
    [join(PARENT), b"", b"{}\n", join((PARENT[0], b"[]"))],
    ids=["sound", "empty", "no header", "nothing before it"],
)
def test_nothing_to_save_is_offered_where_there_is_nothing(data: bytes, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(data)
    assert "--salvage" not in CliRunner().invoke(main, ["check", str(log)]).output
    assert "--salvage" not in CliRunner().invoke(main, ["check", "-"], input=data + b"[]\n").output


def test_left_out_events_are_listed(log: Path, tmp_path: Path) -> None:
    result = run(log, tmp_path / "out.jsonl", "--json")

    verdict: dict[str, Any] = json.loads(result.stdout)
    assert verdict["salvage"] == {
        "out": str(tmp_path / "out.jsonl"),
        "events": 67,
        "unsynced": None,
        "leftOut": {
            "count": 2,
            "changes": {
                "count": 1,
                "first": [
                    {"line": 70, "seq": 67, "operation": "delete", "id": "schedule-2", "kind": None},
                ],
            },
            "others": [{"type": None, "count": 1}],
            "unread": None,
        },
    }


def test_lost_changes_are_told_first_and_the_rest_is_counted_by_type(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    others = [b'{"type":"a\\u001b[31m","seq":7}'] * 1500
    lost = extended(PARENT, create(after('"lost"', '"water the plants"')), *[delete('"x"')] * 30)[67:]
    log.write_bytes(join((*PARENT, b"[]", *others, *lost[1:])))

    result = run(log, tmp_path / "out.jsonl")

    lines = [line.strip() for line in result.stdout.splitlines()]
    assert 'left out  line 1570: create of "lost" (after): water the plants' in lines
    assert 'line 1571: delete of "x"' in lines
    assert lines[-3:] == [
        "and 11 more changes",
        "1,500 events of type a\\x1b[31m",
        "1 line that is no event with a type",
    ]


def test_lines_that_are_left_out_may_be_anything(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    odd = (
        b'{"type":"schedule/change","seq":[],"data":7}',
        b'{"type":"schedule/change","data":{"operation":{},"id":[],"schedule":"x"}}',
        b"[" * 100_000,
        b"\xff",
        b"",
        b'{"type":7}',
        b'{"type":""}',
        *(b'{"type":"t%d"}' % number for number in range(50)),
    )
    log.write_bytes(join((*PARENT, b"[]", *odd)))

    result = run(log, tmp_path / "out.jsonl", "--json")

    left = json.loads(result.stdout)["salvage"]["leftOut"]
    assert left["count"] == 1 + len(odd)
    assert [change["operation"] for change in left["changes"]["first"]] == [None, None]
    assert left["others"][0] == {"type": "(any other)", "count": 32}
    assert {"type": None, "count": 5} in left["others"]
    assert len(left["others"]) == salvage.TYPES + 1


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


def test_folder_that_cannot_be_synced_is_told_and_the_file_stands(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync = os.fsync

    def only_files(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise PermissionError(13, "Permission denied")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", only_files)

    result = run(log, tmp_path / "out.jsonl")

    assert result.exit_code == 1
    assert "its folder was not synced (Permission denied)" in " ".join(result.stdout.split())
    assert (tmp_path / "out.jsonl").read_bytes() == join(PARENT)


def test_file_has_its_name_only_when_it_is_whole_and_judged(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever the program is ended before, by SIGTERM or a power cut, no such file is there."""
    link = os.link
    drafts = []

    def observed(draft: Path, out: Path) -> None:
        drafts.append((draft.read_bytes(), out.exists(), draft.name.endswith(".tmp")))
        link(draft, out)

    monkeypatch.setattr(os, "link", observed)

    run(log, tmp_path / "out.jsonl")

    assert drafts == [(join(PARENT), False, True)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.jsonl", "out.jsonl"]


def test_file_that_comes_up_meanwhile_is_not_overwritten(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other_first(folded: Verdict) -> bool:
        (tmp_path / "out.jsonl").write_bytes(b"precious")
        return folded.outcome is Outcome.SOUND

    monkeypatch.setattr(
        salvage, "_folds", lambda draft, profile, _: other_first(judge(Source(str(draft)), profile))
    )

    result = run(log, tmp_path / "out.jsonl")

    assert result.exit_code == 3
    assert "File exists" in result.stderr
    assert (tmp_path / "out.jsonl").read_bytes() == b"precious"
    assert not list(tmp_path.glob(".*"))


def test_file_is_readable_as_any_new_file_is(log: Path, tmp_path: Path) -> None:
    (tmp_path / "any").write_bytes(b"")

    run(log, tmp_path / "out.jsonl")

    assert (tmp_path / "out.jsonl").stat().st_mode == (tmp_path / "any").stat().st_mode


def test_big_compressed_file_is_written_in_frames_of_bounded_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(salvage, "FRAME", 1000)
    log = tmp_path / "log.jsonl"
    long = b'{"type":"x","seq":67,"data":"' + bytes(range(48, 91)) * 100 + b'"}'
    log.write_bytes(join((*PARENT, long, b"[]")))
    out = tmp_path / "out.jsonl.zstd"

    assert run(log, out).exit_code == 1
    assert plain(out.read_bytes()) == join((*PARENT, long))
    sizes = [
        sum(map(len, unpack(frame, zstandard.ZstdDecompressor())))
        for frame in Frames(BytesIO(out.read_bytes()))
    ]
    assert max(sizes) <= 1000
    assert len(sizes) > 10


def test_standard_output_is_no_file_to_write(log: Path, tmp_path: Path) -> None:
    ended = run(log, Path("-"))

    assert ended.exit_code == 2
    assert "--salvage writes a file" in ended.stderr


def test_name_that_no_file_can_have_is_told_in_a_line(log: Path, tmp_path: Path) -> None:
    ended = run(log, tmp_path / ("n" * 300))

    assert ended.exit_code == 3
    assert "was not written: File name too long." in ended.stderr


def test_log_that_changes_between_the_readings_leaves_no_file(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(salvage, "read_lines", lambda stream: islice(read_lines(stream), 5))

    result = run(log, tmp_path / "out.jsonl")

    assert (result.exit_code, (tmp_path / "out.jsonl").exists()) == (3, False)
