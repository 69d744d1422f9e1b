"""The list of survivors is held against a run: nothing unlisted, nothing stale, not too much of it."""

from pathlib import Path

import pytest
from tests.mutation import survivors
from tests.mutation.sides import SIDES
from tests.mutation.survivors import ListError, Survivor, judged, read
from tests.mutation.trying import mutants_of

ENTRY = '[[survivor]]\nkey = "k"\nside = "law"\nplace = "p"\nwhat = "w"\nwhy = "y"\n'


def entry(key: str, side: str = "law") -> Survivor:
    return Survivor(key, side, "place", "what", "why")


def test_the_list_itself_is_one() -> None:
    assert all(each.side in SIDES for each in read())


@pytest.mark.parametrize("name", SIDES)
def test_every_entry_names_a_mutant_that_there_is(name: str) -> None:
    side = SIDES[name]
    places = {mutant.key: f"{side.short(mutant.module)}.{mutant.unit.name}" for mutant in mutants_of(side)}
    stale = [
        f"survivors.toml: {entry.key} ({entry.place}) names no mutant there, for its function was changed. "
        f"Take the entry out, run `python -m tests.mutation {name} --module MODULE` with its module, "
        "and kill the mutant that survives, or argue it anew under its new key."
        for entry in read()
        if entry.side == name and places.get(entry.key) != entry.place
    ]
    assert not stale, "\n".join(stale)


def test_a_list_is_read(tmp_path: Path) -> None:
    file = tmp_path / "list.toml"
    file.write_text(ENTRY, "utf-8")
    assert read(file) == (Survivor("k", "law", "p", "w", "y"),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ENTRY + ENTRY, "entry 2: k stands here twice"),
        (ENTRY.replace('why = "y"\n', ""), "entry 1: exactly the members"),
        (ENTRY + "more = 1\n", "entry 1: exactly the members"),
        (ENTRY.replace('"y"', '" "'), "entry 1: every member"),
        (ENTRY.replace('"y"', "1"), "entry 1: every member"),
        ("survivor = [1]\n", "entry 1: exactly the members"),
        ("nonsense", "list.toml: "),
    ],
)
def test_a_list_that_is_none_is_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "list.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(ListError, match=said):
        read(file)


def test_a_survivor_has_to_be_listed_under_its_side() -> None:
    keys = {f"k{number}" for number in range(100)}
    assert judged([entry("k1")], "law", keys, {"k1": True, "k2": False}).sound
    assert judged([], "law", keys, {"k1": True}).unlisted == ("k1",)
    assert judged([entry("k1", "impl")], "law", keys, {"k1": True}).unlisted == ("k1",)


def test_a_stale_entry_is_told() -> None:
    keys = {f"k{number}" for number in range(100)}
    killed, unknown = entry("k1"), entry("gone")
    found = judged([killed, unknown, entry("k3"), entry("gone", "impl")], "law", keys, {"k1": False})
    assert (found.killed, found.unknown, found.sound) == ((killed,), (unknown,), False)


def test_no_more_than_the_share_may_be_argued_away() -> None:
    keys = {f"k{number}" for number in range(100)}
    allowed = int(survivors.MOST * len(keys))
    assert not judged([entry(f"k{number}") for number in range(allowed)], "law", keys, {}).too_many
    assert judged([entry(f"k{number}") for number in range(allowed + 1)], "law", keys, {}).too_many
