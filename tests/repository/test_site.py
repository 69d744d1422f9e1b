"""What the site is made of, without building it: examples run, evidence joined, text kept as it is."""

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from docs._ext.living import asking, catching, clauses, evidence, law_source, markdown, playing, stories
from markdown_it import MarkdownIt

from schedule_cli.__main__ import COMMANDS
from schedule_conformance import law_adapter
from schedule_conformance.judging import Refusal
from schedule_conformance.rulings import Granted
from schedule_conformance.systems import InProcess
from schedule_conformance.vectors import vectors
from schedule_spec import register
from schedule_spec.delivery import Violation
from schedule_spec.register import Subject
from schedule_spec.register.statements import statements
from schedule_spec.rejections import Code

DOCS = Path(__file__).parents[2] / "docs"


def toctree(page: Path) -> list[str]:
    return [
        entry
        for block in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
        for entry in block.splitlines()
        if entry and not entry.startswith(":")
    ]


def test_the_areas_are_told_in_the_order_of_the_register() -> None:
    assert toctree(DOCS / "areas" / "index.md") == [area.name for area in register.AREAS]
    for area in register.AREAS:
        page = (DOCS / "areas" / f"{area.name}.md").read_text("utf-8")
        assert page.startswith(f"# {area.name}: ")
        assert f"```{{clauses}} {area.name}\n```" in page


def test_every_command_has_its_page_with_its_own_output() -> None:
    assert sorted(toctree(DOCS / "commands" / "index.md")) == sorted(COMMANDS)
    for name in COMMANDS:
        page = (DOCS / "commands" / f"{name}.md").read_text("utf-8")
        assert page.startswith(f"# {name}\n")
        assert f"```{{run}} schedule-spec {name}" in page
        assert f"```{{run}} schedule-spec {name} --help\n```" in page


def test_there_is_a_reason_for_every_clause_and_for_none_other() -> None:
    written = tomllib.loads(clauses.RATIONALE.read_text("utf-8"))
    named = {f"{area}.{name}" for area, reasons in written.items() for name in reasons}
    assert named == {clause.id for clause in register.CLAUSES}
    assert [reason for reasons in written.values() for reason in reasons.values() if len(reason) < 30] == []


def test_a_case_that_the_law_answers_otherwise_is_no_example() -> None:
    vector = next(each for each in vectors() if isinstance(each.expected, Granted))
    refusal = Refusal(vector.clauses[0], (Code.CORRUPT_SCHEDULE_LOG,), "so it is frozen")
    with pytest.raises(asking.DriftError, match=re.escape(vector.id)):
        asking.asked(replace(vector, expected=refusal))


def test_a_refused_example_is_refused_for_the_very_clause() -> None:
    found = [asking.refused(clause.id) for clause in register.CLAUSES]
    shown = [each for each in found if each is not None]
    assert len(shown) > 30
    assert all("rejected" in each.reply for each in shown)


def test_a_wrong_answer_is_reported_under_the_clause_that_shows_it() -> None:
    for clause in ("rate.latest-due", "local.gap-rejected", "fold.no-id-reuse", "text.trim"):
        wrong = asking.wrong_answer(clause)
        assert wrong is not None
        assert wrong.verdict.clause == clause
        assert wrong.reply != asking.answer(wrong.vector.request)


@pytest.mark.parametrize("name", stories.STORIES)
def test_a_story_is_allowed_by_the_live_law(name: str) -> None:
    assert len(playing.played(name)) == len(stories.STORIES[name].requests)


def test_every_story_shows_a_clause_or_stands_on_a_page() -> None:
    used = {name for names in stories.OF_CLAUSE.values() for name in names}
    placed = {
        name
        for page in DOCS.rglob("*.md")
        for name in re.findall(r"^```\{story\} (\S+)$", page.read_text("utf-8"), re.MULTILINE)
    }
    assert set(stories.STORIES) == used | placed


def test_every_live_clause_has_a_story() -> None:
    live = {clause.id for clause in register.CLAUSES if clause.subject is Subject.LIVE}
    assert live - set(stories.OF_CLAUSE) == set()


def test_a_spoilt_story_breaks_the_clause_that_it_is_shown_for() -> None:
    spoilt = playing.spoilt("delivered", "deliver.sequence")
    assert spoilt is not None
    assert isinstance(spoilt.violation, Violation)
    assert spoilt.violation.clause == "deliver.sequence"
    assert playing.spoilt("delivered", "rate.next") is None


def test_the_law_is_shown_with_the_contracts_of_the_clause_alone() -> None:
    shown = law_source.stating("schedule_spec/rate.py", "schedule_spec.rate.advance", "rate.next")
    assert '"rate.next:' in shown
    assert "rate.exhausted:" not in shown
    assert "def advance(" in shown
    for stated in statements():
        text = law_source.stating(stated.file, stated.place, stated.clause)
        assert stated.clause in text, stated


def test_a_hole_is_what_is_missing_and_not_what_is_unknown() -> None:
    clause = register.clause("rate.next")
    bare = evidence.Evidence(clause.id, (), (), (), None, "", None, None)
    assert evidence.holes(bare, clause) == ("statement", "case")
    assert evidence.holes(replace(bare, saboteurs=()), clause) == ("statement", "case", "saboteur")
    assert evidence.holes(replace(bare, measured={"checks": []}), clause) == ("statement", "case", "check")
    assert evidence.holes(replace(bare, saboteurs=()), register.clause("rate.path-independent")) == ()


@dataclass(frozen=True, slots=True)
class Broken:
    breaks: str
    handle: Callable[[dict[str, Any]], dict[str, Any]]

    @property
    def clauses(self) -> frozenset[str]:
        return frozenset((self.breaks, *register.clause(self.breaks).implied_by))

    def system(self) -> InProcess:
        return InProcess("broken", self.handle)


def accepts_every_interval(request: dict[str, Any]) -> dict[str, Any]:
    reply = law_adapter.handle(request)
    if reply.get("rejected", {}).get("code") == "frequency_too_high":
        return {"seq": request["seq"], "rejected": {"code": "invalid_rule"}}
    return reply


def test_a_saboteur_is_shown_with_a_case_that_catches_it() -> None:
    assert (catching.caught_by(Broken("every.minimum", accepts_every_interval)) or "").startswith("hand-")
    assert catching.caught_by(Broken("every.minimum", law_adapter.handle)) is None


HOSTILE = ("a`b``c", "*x* _y_ [z](w) <b> {role}`q` | $m$ #", "\x1b[31m\u202e", "", " ", "`", "\ud800")


@pytest.mark.parametrize("text", HOSTILE)
def test_text_stays_what_it_is_in_markdown(text: str) -> None:
    from schedule_conformance.visible_text import visible  # noqa: PLC0415

    rendered = MarkdownIt().render(f"x{markdown.plain(text)}x")
    assert "<em>" not in rendered
    assert "<a " not in rendered
    assert "<b>" not in rendered
    (inline,) = [
        token for token in MarkdownIt().parse(f"x {markdown.code(text)} x") if token.type == "inline"
    ]
    spans = [child.content for child in inline.children or () if child.type == "code_inline"]
    assert spans == [visible(text)] or not text.strip()


def test_json_is_laid_out_without_a_change() -> None:
    import json  # noqa: PLC0415

    value = {"a": [1, 2.5, None, True, "\u3000\ud800"], "b": {"c": list(range(60))}, "d": {}, "e": []}
    laid = markdown.json_lines(value, 40)
    assert json.loads(laid) == value
    assert laid.isascii()
    assert laid.count("\n") > 10
