"""The built site: each clause has page and twin, links lead somewhere, nothing is loaded from afar."""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.repository.site import Read, broken_links, built, read

from proofs import ledger
from schedule_conformance.protocol import messages
from schedule_spec import register
from schedule_spec.register.statements import statements


@pytest.fixture(scope="module")
def site() -> Path:
    return built()


def page_of(site: Path, clause: str) -> Read:
    return read((site / "clauses" / f"{clause}.html").read_text("utf-8"))


def shown(page: Read) -> str:
    return re.sub(r"\s+", " ", "".join(page.text))


def test_every_link_leads_somewhere(site: Path) -> None:
    assert broken_links(site) == []


def test_the_link_check_sees_a_missing_file_and_a_missing_place(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html#there">1</a><a href="b.html#gone">2</a><a href="c.html">3</a>'
    )
    (tmp_path / "b.html").write_text('<p id="there"><a href="#nowhere">4</a><img src="d.png"></p>')
    assert broken_links(tmp_path) == [
        "a.html: b.html#gone",
        "a.html: c.html",
        "b.html: #nowhere",
        "b.html: d.png",
    ]


def test_no_page_loads_anything_from_afar(site: Path) -> None:
    remote = [
        f"{path.relative_to(site)}: {each}"
        for path in sorted(site.rglob("*.html"))
        for each in read(path.read_text("utf-8")).loads
        if urlsplit(each).scheme not in ("", "data") or urlsplit(each).netloc
    ]
    styles = [
        path.name
        for path in sorted(site.rglob("*.css"))
        if re.search(r"(?:@import|url\()\s*[\"']?(?:https?:)?//", path.read_text("utf-8"))
    ]
    assert (remote, styles) == ([], [])


@pytest.mark.parametrize("clause", register.CLAUSES, ids=lambda clause: clause.id)
def test_a_clause_has_its_page_with_its_sentence_an_example_and_its_evidence(
    site: Path, clause: register.Clause
) -> None:
    page = page_of(site, clause.id)
    text = shown(page)
    # What Markdown marks up is set apart from the words around it, so the words are compared.
    words = re.findall(r"[A-Za-z0-9]+", clause.sentence)
    assert " ".join(words) in " ".join(re.findall(r"[A-Za-z0-9]+", text))
    assert {"why", "example", "in-the-law", "evidence", "related-clauses", "revisions"} <= page.ids
    assert "Run on the law when this page was built." in text
    assert clause.fingerprint in text


def test_the_page_of_a_clause_leads_to_each_line_of_the_law_that_states_it(site: Path) -> None:
    pages = {clause.id: page_of(site, clause.id) for clause in register.CLAUSES}
    missing = [
        f"{stated.clause}: {stated.file}:{stated.line}"
        for stated in statements()
        if not any(
            link.endswith(f"#L-{stated.line}")
            and stated.file.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".") in link
            for link in pages[stated.clause].links
        )
    ]
    assert missing == []


def test_the_source_pages_are_the_law_line_by_line(site: Path) -> None:
    source = Path(statements.__code__.co_filename).parents[1] / "rate.py"
    page = (site / "law" / "schedule_spec.rate.html").read_text("utf-8")
    lines = re.findall(r'<span id="L-(\d+)">', page)
    assert lines == [str(number) for number in range(1, len(source.read_text("utf-8").splitlines()) + 1)]


def test_the_twins_say_what_the_register_says(site: Path) -> None:
    every = json.loads((site / "clauses.json").read_text("ascii"))["clauses"]
    assert [each["id"] for each in every] == [clause.id for clause in register.CLAUSES]
    for clause in register.CLAUSES:
        twin = json.loads((site / "clauses" / f"{clause.id}.json").read_text("ascii"))
        assert (twin["sentence"], twin["revision"]) == (clause.sentence, clause.revision)
        assert twin["evidence"]["id"] == clause.id
        assert twin["kept"]
    evidence = json.loads((site / "evidence.json").read_text("ascii"))
    assert len(evidence["clauses"]) == len(register.CLAUSES)
    for subject in messages.SUBJECTS:
        assert json.loads((site / "schemas" / f"{subject}.json").read_text("ascii")) == messages.schema(
            subject
        )
    for area in register.AREAS:
        twin = json.loads((site / "areas" / f"{area.name}.json").read_text("ascii"))
        assert [each["id"] for each in twin["clauses"]] == [clause.id for clause in area.clauses]


def test_the_page_of_a_clause_leads_to_its_obligations(site: Path) -> None:
    missing = [
        f"{clause}: {obligation.id}"
        for obligation in ledger.read().obligations
        for clause in obligation.clauses
        if f"../proofs.html#{obligation.id.replace('_', '-')}" not in page_of(site, clause).links
    ]
    assert missing == []


def test_names_of_clauses_in_the_prose_are_links(site: Path) -> None:
    page = read((site / "questions.html").read_text("utf-8"))
    assert {"clauses/local.gap-rejected.html", "clauses/every.minimum.html"} <= set(page.links)


ANSWERS = {
    "02:30 on the night the clocks go forward": ("gap-rejected", "invalid_rule"),
    "crash between the follow-up and the dispatch": ("comes again", "deliver.at-least-once"),
    "in a fork": ("none of its parent's reminders", "fork.no-adoption"),
    "an interval after a month offline": ("the latest occurrence", "rate.latest-due"),
    "every_seconds: 0": ("frequency_too_high", "every.minimum"),
    "an implementation in Go": ("schedule-spec verify --sut ./adapter", "hello"),
}


def test_the_front_page_leads_to_each_question_that_people_ask_first(site: Path) -> None:
    front = read((site / "index.html").read_text("utf-8"))
    text = shown(front)
    assert [question for question in ANSWERS if question not in text] == []
    places = {link.partition("#")[2] for link in front.links if link.startswith("questions.html#")}
    assert len(places) == len(ANSWERS)


@pytest.mark.parametrize("question", ANSWERS)
def test_a_newcomer_finds_the_answer(site: Path, question: str) -> None:
    text = shown(read((site / "questions.html").read_text("utf-8"))).replace("\u2019", "'")
    answer = text.partition(question)[2][:900]
    assert [words for words in ANSWERS[question] if words not in answer] == []
