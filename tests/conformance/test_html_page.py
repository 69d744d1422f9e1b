"""The page: complete, self-contained, escaped, and legible."""

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from tests.conformance.rendered import HOSTILE, green, report

from schedule_conformance.protocol.visible_text import visible
from schedule_conformance.rendering import telling
from schedule_conformance.rendering.html_page import page
from schedule_conformance.runs.reports import verdict_sentence
from schedule_spec.register import CLAUSES

VOID = {"meta", "input", "wbr"}


class Page(HTMLParser):
    """A page read: its elements with their attributes, the text in each, and whether they nest."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1:] == [tag], f"</{tag}> closes <{self.open[-1:]}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def words(self) -> str:
        return "".join(text for tag, text in self.texts if tag not in {"style", "script"})


@pytest.fixture(scope="module")
def red() -> Page:
    return Page(page(report()))


def test_the_elements_nest_and_ids_are_unique_and_links_lead_somewhere(red: Page) -> None:
    assert red.open == []
    ids = [attributes["id"] for _, attributes in red.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [attributes["href"] for attributes in red.all("a")]
    assert links
    assert all(link.removeprefix("#") in ids for link in links)
    labels = [value["aria-labelledby"] for _, value in red.elements if "aria-labelledby" in value]
    assert labels
    assert all(label in ids for label in labels)


def test_the_page_needs_nothing_from_elsewhere(red: Page) -> None:
    for _, attributes in red.elements:
        assert not attributes.keys() & {"src", "srcset", "background", "action", "style"}
        assert not [name for name in attributes if name.startswith("on")]
    assert not red.all("link")
    style = files("schedule_conformance.rendering").joinpath("html_page.css").read_text(encoding="utf-8")
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_allows_the_page_its_own_style_and_script_alone(red: Page) -> None:
    (policy,) = [
        each["content"] for each in red.all("meta") if each.get("http-equiv") == "Content-Security-Policy"
    ]
    for tag in ("style", "script"):
        content = "".join(text for within, text in red.texts if within == tag)
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_what_an_implementation_says_is_shown_and_does_nothing(red: Page) -> None:
    text = page(report())
    text.encode("utf-8")
    assert len(red.all("script")) == 1
    assert not red.all("img")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\ufffe]", text)
    assert f"acme {visible(HOSTILE)}" in red.words
    assert any("<script>alert('x')</script>" in words for tag, words in red.texts if tag == "pre")


def test_the_verdict_stands_first_and_each_broken_clause_is_told_in_full(red: Page) -> None:
    sentence = visible(verdict_sentence(report()))
    assert red.words.index(sentence) < red.words.index("Broken clauses")
    broken = telling.leading(report())
    assert len(broken) > 1
    for told in broken:
        assert told.sentence.replace("`", "") in red.words.replace("`", "")
        for _, lines in told.rows:
            assert visible("\n".join(lines)) in red.words


def test_every_clause_has_a_line_with_its_figures(red: Page) -> None:
    lines = [each["data-standing"] for each in red.all("tr") if "data-standing" in each]
    assert lines == [str(count.standing) for count in report().clauses]
    assert len(lines) == len(CLAUSES)
    figures = [int(each["data-figure"]) for each in red.all("td") if "data-figure" in each]
    known = len([met for result in report().results for met in result.met if met.known])
    of_clauses = figures[known : known + 5 * len(lines)]
    expected = [
        figure
        for count in report().clauses
        for figure in (
            count.cases,
            count.counts.passed,
            count.counts.failed,
            count.counts.known,
            count.counts.unsupported,
        )
    ]
    assert of_clauses == expected


def test_everything_else_that_a_report_tells_is_there(red: Page) -> None:
    for words in (
        "decode <or> none",
        "No generated case was rejected under at.range alone",
        report().situations[1].situation.name,
        "vector-gone",
        "Known failures",
        "Stopped at the first failure.",
        report().circumstances.sut,
        str(report().circumstances.seed),
        f"schedule-spec {report().circumstances.suite}",
        report().circumstances.implementation.tzdata or "",
    ):
        assert words in red.words


def test_tables_have_captions_and_headings_with_their_scope(red: Page) -> None:
    assert len(red.all("caption")) == len(red.all("table")) > 3
    assert all(each.get("scope") in {"col", "row", "rowgroup"} for each in red.all("th"))
    regions = [each for each in red.all("div") if each.get("role") == "region"]
    assert len(regions) == len(red.all("table"))
    assert all(each["tabindex"] == "0" for each in regions)
    labelled = "".join(text for tag, text in red.texts if tag == "label")
    assert "Words" in labelled
    assert "Show" in labelled


def test_a_green_page_has_no_section_for_what_is_wrong() -> None:
    words = Page(page(green())).words
    assert "Conformant:" in words
    for title in ("Broken clauses", "Not reached", "Stale entries", "Known failures"):
        assert title not in words


def test_the_page_is_the_same_for_the_same_report_but_for_times() -> None:
    assert page(report()) == page(report())
    slower = replace(report(), seconds=report().seconds + 60)
    assert page(slower) != page(report())


def channel(value: int) -> float:
    part = value / 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def luminance(colour: str) -> float:
    red_, green_, blue = (channel(int(colour[start : start + 2], 16)) for start in (1, 3, 5))
    return 0.2126 * red_ + 0.7152 * green_ + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_keeps_its_contrast(scheme: int) -> None:
    style = files("schedule_conformance.rendering").joinpath("html_page.css").read_text(encoding="utf-8")
    block = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[scheme]
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))
    for ground in ("ground", "raised"):
        for text in ("text", "muted", "link", "bad", "doubt"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for word in ("good", "bad", "doubt"):
        assert contrast(colours[word], colours[f"{word}-ground"]) >= 4.5, word
