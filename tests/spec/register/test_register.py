"""The register against the list of requirements, against its own history, and against itself."""

import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from schedule_spec import register
from schedule_spec.register import AREAS, CLAUSES, TERMS, Clause, Profile, Status, Subject, area, clause

DATA = Path(__file__).parents[2] / "data"

AWAITED: dict[str, str] = {}
"""The clauses that the law does not state yet. A clause leaves this list when the law states it."""

V1_ALONE = {
    "record": "at every",
    "change": "dispatch-every",
    "fold": "dispatch-every shape-match",
    "at": "offset-form offset-meaning offset-range offset-required fraction real-date local-form no-ambient "
    "future range utc-only",
    "zone": "names release",
    "local": "unique gap-rejected overlap-first",
    "every": "first-target rule minimum range",
    "rate": "latest-due next anchor-aligned not-early exact skip path-independent exhausted accepted-range "
    "independent",
    "due": "batch one-decision-time clock-range",
    "frame": "batch",
}
"""The clauses that say nothing at the earlier level, where there are neither `at` nor `every`."""


def ids(by_area: Mapping[str, str]) -> list[str]:
    return [f"{name}.{last}" for name, words in by_area.items() for last in words.split()]


# -- the list of requirements, read apart from the register


@dataclass
class Heading:
    name: str
    title: str
    preamble: list[str] = field(default_factory=list)
    items: list[list[str]] = field(default_factory=list)


def headings() -> list[Heading]:
    found: list[Heading] = []
    for line in (DATA / "requirements.md").read_text(encoding="utf-8").split("\n"):
        if line.startswith("## "):
            name, title = line[3:].split(": ", 1)
            found.append(Heading(name, title))
        elif found and line.startswith("- "):
            found[-1].items.append([line[2:]])
        elif found and line.startswith("  "):
            found[-1].items[-1].append(line[2:])
        elif found and line:
            found[-1].preamble.append(line)
    return found


def requirement(item: Sequence[str]) -> tuple[str, str, str]:
    """The id, the sentence and the note of an item `**id** sentence [note]` over several lines."""
    text = " ".join(item)
    id, _, rest = text.removeprefix("**").partition("** ")
    sentence, _, note = rest.removesuffix("]").rpartition(" [")
    return id, sentence, note


REQUIREMENTS = [requirement(item) for heading in headings() for item in heading.items]


def words(note: str) -> set[str]:
    return set(note.replace(";", " ").replace(",", " ").replace(":", " ").split())


def test_there_are_134_clauses() -> None:
    assert len(CLAUSES) == len(REQUIREMENTS) == 134


def test_ids_sentences_and_notes_are_those_of_the_requirements_in_their_order() -> None:
    assert [(each.id, each.sentence, each.note) for each in CLAUSES] == REQUIREMENTS


def test_areas_are_those_of_the_requirements_in_their_order() -> None:
    assert [(each.name, each.title, each.preamble) for each in AREAS] == [
        (heading.name, heading.title, " ".join(heading.preamble)) for heading in headings()
    ]


def test_the_common_terms_are_those_of_the_requirements() -> None:
    lines = (DATA / "requirements.md").read_text(encoding="utf-8").split("\n")
    assert TERMS in " ".join(lines[: lines.index("## text: strings")])


@pytest.mark.parametrize("each", CLAUSES, ids=lambda each: each.id)
def test_sources_and_decisions_agree_with_the_note(each: Clause) -> None:
    assert {source.seed for source in each.sources} == words(each.note) & {"S1", "S2", "S3"}
    assert len(set(each.sources)) == len(each.sources)
    assert (each.decided is not None) == ("D" in words(each.note))
    assert each.decided != ""


def test_what_the_requirements_call_a_consequence_is_derived() -> None:
    follows = {each.id for each in CLAUSES if "follows" in words(each.note)}
    assert follows == {each.id for each in CLAUSES if each.subject is Subject.DERIVED} - {
        "fold.deterministic"
    }


# -- revisions

HISTORY_FILE = DATA / "register-history.toml"


def read_history() -> dict[str, list[str]]:
    tables = tomllib.loads(HISTORY_FILE.read_text(encoding="utf-8"))
    return {f"{name}.{last}": prints for name, table in tables.items() for last, prints in table.items()}


def complaints(clauses: Iterable[Clause], history: Mapping[str, list[str]]) -> list[str]:
    """What is wrong between the register and its history, each with what to do about it."""
    current = {each.id: each for each in clauses}
    found = [f"{id}: a clause is never removed or renamed" for id in history if id not in current]
    for each in current.values():
        past = history.get(each.id, [])
        append = f'append "{each.fingerprint}" to its list in {HISTORY_FILE.name}, where nothing else changes'
        if len(past) >= each.revision and past[each.revision - 1] != each.fingerprint:
            found.append(
                f"{each.id}: its sentence changed, but not its revision ({each.revision}). If that is meant: "
                f"set `revision={len(past) + 1}` in spec/schedule_spec/register/{each.area}.py and {append}."
            )
        elif len(past) != each.revision:
            found.append(
                f"{each.id}: revision {each.revision}, but its list has {len(past)}. "
                f"To raise a revision, add one and {append}."
            )
        if len(set(past)) != len(past):
            found.append(f"{each.id}: a revision that changes nothing, or goes back to an earlier sentence")
    return found


def test_every_revision_stands_in_the_history() -> None:
    assert not complaints(CLAUSES, read_history())


def changed(id: str, sentence: str, revision: int) -> list[Clause]:
    return [
        replace(each, sentence=sentence, revision=revision) if each.id == id else each for each in CLAUSES
    ]


def test_a_changed_sentence_without_a_raised_revision_is_told_how_to_raise_it() -> None:
    (complaint,) = complaints(changed("rate.next", "No record.", 1), read_history())
    assert complaint.startswith("rate.next: its sentence changed")
    assert "set `revision=2` in spec/schedule_spec/register/rate.py" in complaint
    assert '"05877f31e955381a"' in complaint


def test_a_raised_revision_must_be_written_down_and_then_passes() -> None:
    clauses = changed("rate.next", "No record.", 2)
    history = read_history()
    (complaint,) = complaints(clauses, history)
    assert complaint.startswith("rate.next: revision 2, but its list has 1.")
    history["rate.next"].append("05877f31e955381a")
    assert not complaints(clauses, history)


def test_a_revision_that_changes_nothing_is_refused() -> None:
    history = read_history()
    history["rate.next"] *= 2
    (complaint,) = complaints(changed("rate.next", clause("rate.next").sentence, 2), history)
    assert "changes nothing" in complaint


def test_a_clause_cannot_vanish() -> None:
    rest = [each for each in CLAUSES if each.id != "rate.next"]
    assert complaints(rest, read_history()) == ["rate.next: a clause is never removed or renamed"]


def test_a_fingerprint_is_of_the_sentences_utf_8() -> None:
    # printf 'The occurrence is …' | sha256sum | cut -c1-16
    assert clause("rate.latest-due").fingerprint == "61f9e5a044bbbe99"


# -- what the register says of each clause


@pytest.mark.parametrize("each", CLAUSES, ids=lambda each: each.id)
def test_implied_by_names_other_clauses_once_and_in_document_order(each: Clause) -> None:
    order = [other.id for other in CLAUSES if other.id in each.implied_by]
    assert each.implied_by == tuple(order)
    assert each.id not in each.implied_by


def test_a_reason_is_given_exactly_where_no_case_shows_the_clause() -> None:
    without_cases = {Subject.DERIVED, Subject.MEANING, Subject.SCOPE}
    assert [each.id for each in CLAUSES if bool(each.reason) != (each.subject in without_cases)] == []


def test_these_clauses_alone_can_be_shown_by_no_run() -> None:
    by_no_run = [each.id for each in CLAUSES if each.subject in {Subject.MEANING, Subject.SCOPE}]
    assert by_no_run == ["tool.deterministic-text", "deliver.meaning"]


def test_these_clauses_are_awaited() -> None:
    assert {each.id for each in CLAUSES if each.status is Status.AWAITED} == set(ids(AWAITED))


def test_these_clauses_hold_at_one_level_alone() -> None:
    assert {each.id for each in CLAUSES if each.profiles == (Profile.V1,)} == set(ids(V1_ALONE))
    assert [each.id for each in CLAUSES if each.profiles == (Profile.V1_AFTER,)] == ["profile.v1-after"]
    assert {each.profiles for each in CLAUSES} == {
        (Profile.V1,),
        (Profile.V1_AFTER,),
        (Profile.V1_AFTER, Profile.V1),
    }


# -- looking up


def test_every_clause_and_area_is_found_by_name() -> None:
    assert [clause(each.id) for each in CLAUSES] == list(CLAUSES)
    assert [area(each.name) for each in AREAS] == list(AREAS)
    assert all(each in area(each.area).clauses for each in CLAUSES)


def test_an_unknown_clause_is_told_what_is_near() -> None:
    with pytest.raises(LookupError, match=r"there is no clause 'rate\.nxt'; near it: rate\.next"):
        clause("rate.nxt")
    with pytest.raises(LookupError, match=r"^there is no clause ''$"):
        clause("")


def test_an_unknown_area_is_told_what_is_near() -> None:
    with pytest.raises(LookupError, match=r"there is no area 'rates'; near it: rate"):
        area("rates")


def test_the_register_is_imported_without_anything_heavy() -> None:
    heavy = ["icontract", "hypothesis", "rich", "click", "msgspec", "jsonschema", "schedule_spec.rate"]
    code = (
        f"import sys, {register.__name__}; sys.exit(str([name for name in {heavy} if name in sys.modules]))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.stderr == "[]\n"
