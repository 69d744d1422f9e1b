"""The set of frozen cases as files: whole, reproducible to the byte, and of use without this package."""

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from schedule_conformance.frozen import publishing, vectors
from schedule_conformance.frozen.publishing import StrangeFilesError
from schedule_conformance.protocol import messages


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("set") / "new"
    publishing.write(folder)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_the_set_is_reproducible_to_the_byte(folder: Path) -> None:
    """In another process, with another hash seed; and over itself."""
    script = (
        "import sys; from hashlib import sha256; "
        "from schedule_conformance.frozen.publishing import published; "
        "print(sha256(b''.join(k.encode() + v for k, v in published().items())).hexdigest())"
    )
    seeds = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed, "TZ": zone},
            capture_output=True,
            check=True,
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    ]
    ours = sha256(b"".join(path.encode() + text for path, text in publishing.published().items())).hexdigest()
    assert [seed.decode().strip() for seed in seeds] == [ours, ours]
    before = contents(folder)
    publishing.write(folder)
    assert contents(folder) == before == publishing.published()


def test_the_index_tells_every_other_file(folder: Path) -> None:
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    assert messages.problems("vectors#/$defs/index", index) == []
    files = contents(folder)
    told = {file["path"]: file for file in index["files"]}
    assert list(told) == sorted(files.keys() - {"index.json"})
    for path, file in told.items():
        assert file["sha256"] == sha256(files[path]).hexdigest(), path
    cases = sum(file["cases"] for file in told.values() if file["path"].startswith("vectors/"))
    assert cases == index["counts"]["vectors"] == len(vectors.vectors())
    worlds = sum(file["cases"] for file in told.values() if file["path"].startswith("worlds/"))
    assert worlds == index["counts"]["traces"] > 70


def test_the_files_hold_to_the_schemas_beside_them(folder: Path) -> None:
    """With a validator that knows nothing but the folder, as its readme says."""
    schemas = [json.loads(path.read_text(encoding="utf-8")) for path in (folder / "schemas").iterdir()]
    registry = Registry().with_resources((each["$id"], Resource.from_contents(each)) for each in schemas)
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    chosen = ("vectors/due.json", "vectors/profile.json", "worlds/reference-world.json")
    small = [file for file in index["files"] if file["path"] in chosen]
    assert len(small) == 3
    for file in small:
        validator = Draft202012Validator({"$ref": file["schema"]}, registry=registry)
        value = json.loads((folder / file["path"]).read_text(encoding="utf-8"))
        value = value if "vectors" in value else {**value, "traces": value["traces"][:3]}
        assert list(validator.iter_errors(value)) == []
        assert list(validator.iter_errors({**value, "more": 1}))


def test_what_else_lies_in_the_folder_is_never_touched(tmp_path: Path) -> None:
    (tmp_path / "vectors").mkdir()
    mine = tmp_path / "vectors" / "mine.json"
    mine.write_text("1", encoding="utf-8")
    with pytest.raises(StrangeFilesError, match=r"vectors/mine\.json"):
        publishing.write(tmp_path)
    assert list(contents(tmp_path)) == ["vectors/mine.json"]


def test_the_files_are_those_of_the_package(folder: Path) -> None:
    for name, _ in vectors.files():
        assert (folder / "vectors" / name).read_bytes() == (vectors.folder() / name).read_bytes()
