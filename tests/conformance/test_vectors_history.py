"""Frozen cases against their history: what was released answers as it did, and nothing vanishes."""

from pathlib import Path

import pytest

from schedule_conformance.frozen import frozen_history, vectors
from schedule_conformance.frozen.frozen_history import BrokenHistoryError, Drift, History
from schedule_conformance.worlds import traces

HISTORY = Path(__file__).parents[1] / "data" / "vectors-history.toml"
ID = "hand-due-nothing"


def test_the_set_is_what_its_history_says() -> None:
    found = frozen_history.drift(frozen_history.read(HISTORY))
    assert not found, (
        f"changed: {found.changed}; vanished: {found.vanished}; add:\n{frozen_history.lines(found.new)}"
    )


def test_every_case_has_a_fingerprint() -> None:
    present = frozen_history.fingerprints()
    assert {vector.id for vector in vectors.vectors()} < present.keys()
    assert sum(id.startswith("world-") for id in present) == len(traces.frozen()) > 76


def history(**more: str) -> History:
    return History({**frozen_history.fingerprints(), **more})


def test_a_changed_answer_a_vanished_id_and_a_new_one_are_told_apart() -> None:
    known = frozen_history.fingerprints()
    assert not frozen_history.drift(History(known))
    assert frozen_history.drift(history(**{ID: "0" * 16})) == Drift((ID,), (), (), ())
    assert frozen_history.drift(history(gone="0" * 16)) == Drift((), ("gone",), (), ())
    fewer = {id: fingerprint for id, fingerprint in known.items() if id != ID}
    assert frozen_history.drift(History(fewer)) == Drift((), (), (), ((ID, known[ID]),))


def test_a_withdrawn_case_is_gone_for_good() -> None:
    gone = History({**frozen_history.fingerprints(), "gone": "0" * 16}, frozenset({"gone"}))
    assert not frozen_history.drift(gone)
    back = History(frozen_history.fingerprints(), frozenset({ID}))
    assert frozen_history.drift(back).returned == (ID,)


@pytest.mark.parametrize(
    ("member", "value", "counts"),
    [
        ("expect", {"result": {"kind": "wait", "until": "2030-01-01T00:00:00.000Z"}}, True),
        ("request", {"cmd": "due", "records": [], "now": 1}, True),
        ("profile", "v1-after", True),
        ("note", "told better", False),
        ("flags", ["due-batch"], False),
        ("clauses", ["due.wait", "due.batch"], False),
        ("origin", "law", False),
    ],
)
def test_the_fingerprint_is_of_what_is_asked_and_allowed(
    monkeypatch: pytest.MonkeyPatch, member: str, value: object, counts: bool
) -> None:
    entry = next(each for _, its in vectors.files() for each in its["vectors"] if each["id"] == ID)
    before = frozen_history.fingerprints()[ID]
    altered = {"area": "due", "vectors": [{**entry, member: value}]}
    monkeypatch.setattr(vectors, "files", lambda: (("due.json", altered),))
    assert (frozen_history.fingerprints()[ID] != before) == counts


def test_the_order_of_several_codes_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [each for _, its in vectors.files() for each in its["vectors"]]
    entry = next(each for each in entries if len(each["expect"].get("rejected", {}).get("codes", ())) > 1)
    codes = entry["expect"]["rejected"]["codes"]
    turned = {**entry, "expect": {"rejected": {"codes": codes[::-1]}}}
    fewer = {**entry, "expect": {"rejected": {"codes": codes[:1]}}}
    before = frozen_history.fingerprints()[entry["id"]]
    for altered, same in ((turned, True), (fewer, False)):
        its = {"area": "x", "vectors": [altered]}
        monkeypatch.setattr(vectors, "files", lambda its=its: (("x.json", its),))
        assert (frozen_history.fingerprints()[entry["id"]] == before) == same


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x", "no TOML"),
        ('["0.1.1"]\na = "0000000000000000"', "'0.1.1' is no minor release"),
        ('["1.0"]\na = "0000000000000000"', "'1.0' is no minor release"),
        ('["0.1.0\\n"]\na = "0000000000000000"', "is no minor release"),
        ('"0.1.0" = 1', "0.1.0: a table"),
        ('["0.1.0"]\na = 1', "0.1.0, a: a text"),
        ('["0.1.0"]\na = "00"', "0.1.0, a: 16 hexadecimal digits"),
        ('["0.1.0"]\na = "000000000000000G"', "0.1.0, a: 16 hexadecimal digits"),
        ('["0.1.0"]\na = "0000000000000000"\n["0.2.0"]\na = "0000000000000000"', "0.2.0, a: was released"),
        ('[withdrawn]\na = "why"', "withdrawn, a: was never released"),
        ('["0.1.0"]\na = "0000000000000000"\n[withdrawn]\na = " "', "withdrawn, a: a text"),
    ],
)
def test_what_is_no_history_is_refused_with_the_place(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "history.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BrokenHistoryError, match=words):
        frozen_history.read(file)


def test_a_history_is_read_as_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "history.toml"
    lines = frozen_history.lines((("a", "0123456789abcdef"), ("b", "0" * 16), ("c 1.d", "1" * 16)))
    file.write_text(f'["0.1.0"]\n{lines}\n[withdrawn]\nb = "It was wrong."\n', encoding="utf-8")
    released = {"a": "0123456789abcdef", "b": "0" * 16, "c 1.d": "1" * 16}
    assert frozen_history.read(file) == History(released, frozenset({"b"}))


@pytest.mark.parametrize(
    ("version", "release"), [("0.1.0", "0.1.0"), ("0.1.1", "0.2.0"), ("1.9.12", "1.10.0"), ("0", "0.0.0")]
)
def test_new_cases_belong_to_a_minor_release(version: str, release: str) -> None:
    assert frozen_history.next_minor(version) == release
