"""The built site in a browser: the index, a clause, search, colour schemes, a phone, the console."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.repository import chromium
from tests.repository.site import built

pytestmark = pytest.mark.skipif(
    chromium.program() is None, reason="there is no Chromium here (Debian: apt-get install chromium)"
)

PAGES = (
    "index",
    "questions",
    "matrix",
    "proofs",
    "adapter-protocol",
    "glossary",
    "commands/explain",
    "areas/rate",
    "areas/local",
    "clauses/rate.latest-due",
    "law/schedule_spec.rate",
)
FADED = """
(() => {
  const channels = (text) => text.match(/[0-9.]+/g).slice(0, 3).map((c) => {
    const part = Number(c) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const light = (text) => { const [r, g, b] = channels(text); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = getComputedStyle(each).backgroundColor;
      if (!/rgba\\(.*, 0\\)|transparent/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const faded = [];
  for (const element of document.querySelectorAll("article :is(p, td, th, dt, h1, li)")) {
    if (!element.innerText || !element.innerText.trim()) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) faded.push(`${contrast.toFixed(2)} ${element.innerText.slice(0, 40)}`);
  }
  return faded.slice(0, 5);
})()
"""


@pytest.fixture(scope="module")
def site() -> str:
    return built().as_uri()


@pytest.fixture
def page(tmp_path: Path) -> Iterator[chromium.Page]:
    with chromium.page(tmp_path / "profile") as found:
        yield found


def test_pages_open_without_a_complaint_and_without_a_network(page: chromium.Page, site: str) -> None:
    for name in PAGES:
        page.open(f"{site}/{name}.html")
        assert page.value("document.querySelector('article h1').innerText"), name
    assert page.complaints == []
    assert [url for url in page.asked if not url.startswith(("file:", "data:"))] == []


def test_the_search_finds_a_clause_by_its_words(page: chromium.Page, site: str) -> None:
    page.open(f"{site}/search.html?q=latest-due")
    page.until("!!document.querySelector('ul.search a[href*=\"clauses/rate.latest-due.html\"]')")
    assert page.complaints == []


ASKED = {
    "clocks go forward": "questions.html",
    "daylight saving": "questions.html",
    "crash between follow-up and dispatch": "questions.html",
    "fork": "clauses/fork.no-adoption.html",
    "month offline": "questions.html",
    "every_seconds 0": "clauses/every.minimum.html",
    "golang": "questions.html",
}


@pytest.mark.parametrize("words", ASKED)
def test_what_people_ask_first_is_among_the_first_that_is_found(
    page: chromium.Page, site: str, words: str
) -> None:
    page.open(f"{site}/search.html?q={quote(words)}")
    found = "[...document.querySelectorAll('ul.search li > a')].map((link) => link.getAttribute('href'))"
    page.until(f"{found}.slice(0, 8).some((link) => link.startsWith('{ASKED[words]}'))")


def test_the_search_finds_nothing_where_there_is_nothing(page: chromium.Page, site: str) -> None:
    page.open(f"{site}/search.html?q=qwertzuiop")
    page.until("/did not match|no results/i.test(document.body.innerText)")
    assert page.value("document.querySelectorAll('ul.search li a').length") == 0


@pytest.mark.parametrize("name", ["index", "matrix", "clauses/rate.latest-due", "areas/deliver"])
def test_both_colour_schemes_are_readable(page: chromium.Page, site: str, name: str) -> None:
    backgrounds = []
    for scheme in ("light", "dark"):
        page.scheme(scheme)
        page.open(f"{site}/{name}.html")
        backgrounds.append(page.value("getComputedStyle(document.body).backgroundColor"))
        assert page.value(FADED) == []
    assert backgrounds[0] != backgrounds[1]


@pytest.mark.parametrize("name", PAGES)
def test_on_a_phone_no_page_scrolls_sideways(page: chromium.Page, site: str, name: str) -> None:
    page.width(360)
    page.open(f"{site}/{name}.html")
    assert page.value("document.documentElement.scrollWidth") <= 360
    assert page.value("parseFloat(getComputedStyle(document.querySelector('article')).fontSize)") >= 14


def test_on_a_phone_no_instant_is_broken_over_two_lines(page: chromium.Page, site: str) -> None:
    page.width(360)
    page.open(f"{site}/clauses/rate.latest-due.html")
    lines = "[...document.querySelectorAll('pre .whole')].map((each) => each.getClientRects().length)"
    counted = page.value(lines)
    assert set(counted) == {1}


def test_at_a_desk_the_law_s_lines_are_not_cut(page: chromium.Page, site: str) -> None:
    page.width(1280)
    page.open(f"{site}/clauses/fold.order.html")
    cut = (
        "[...document.querySelectorAll('article pre')].filter((each) => each.scrollWidth > each.clientWidth)"
    )
    assert page.value(f"{cut}.length") == 0


def test_the_matrix_sorts_by_a_heading_and_back(page: chromium.Page, site: str) -> None:
    page.open(f"{site}/matrix.html")
    first = "document.querySelector('table.matrix tbody tr th').innerText"
    counts = (
        "[...document.querySelectorAll('table.matrix tbody tr')]"
        ".map((row) => Number(row.cells[4].dataset.sort))"
    )
    press = "document.querySelectorAll('table.matrix thead button')[4].click()"
    assert page.value(first) == "text.trim"
    reading = page.value(counts)
    page.value(press)
    assert page.value(counts) == sorted(reading)
    page.value(press)
    assert page.value(counts) == sorted(reading, reverse=True)
    page.value(press)
    assert (page.value(counts), page.value(first)) == (reading, "text.trim")
    assert page.complaints == []


def test_a_line_of_the_law_can_be_pointed_at(page: chromium.Page, site: str) -> None:
    page.open(f"{site}/clauses/rate.latest-due.html")
    links = page.value("[...document.querySelectorAll('p.stated a')].map((link) => link.href)")
    assert links
    for link in links:
        page.open(link)
        assert page.value("document.querySelector(':target').innerText").lstrip().startswith("@")
