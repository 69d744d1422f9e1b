"""What the site is made of, without building it: examples run, evidence joined, text kept as it is."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from docs._ext.living import evidence, evidence_text, examples, law_source, listings, markdown, matrix
from markdown_it import MarkdownIt

from schedule_cli.__main__ import COMMANDS
from schedule_cli.explaining import asking, playing, stories
from schedule_cli.explaining.json_layout import laid_out
from schedule_cli.explaining.parts import Listing, Said, Step, Steps, Table, code
from schedule_conformance import evidence as kept
from schedule_conformance.frozen.vectors import vectors
from schedule_conformance.judgement.judging import Refusal
from schedule_conformance.law.rulings import Granted
from schedule_conformance.protocol import messages
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


def test_there_is_a_reason_for_every_clause() -> None:
    assert [clause.id for clause in register.CLAUSES if len(clause.rationale) < 30] == []


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
        assert wrong.reply != asking.answer(wrong.request)


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
    spoilt = playing.spoilt("deliver.sequence")
    assert spoilt is not None
    assert isinstance(spoilt.violation, Violation)
    assert spoilt.violation.clause == "deliver.sequence"
    assert playing.spoilt("rate.next") is None


def test_the_law_is_shown_with_the_contracts_of_the_clause_alone() -> None:
    shown = law_source.stating("schedule_spec/rate.py", "schedule_spec.rate.advance", "rate.next")
    assert '"rate.next:' in shown
    assert "rate.exhausted:" not in shown
    assert "def advance(" in shown
    for stated in statements():
        text = law_source.stating(stated.file, stated.place, stated.clause)
        assert stated.clause in text, stated


def test_a_hole_stands_in_the_matrix_and_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    every = dict(evidence.evidence())
    whole = every["rate.next"]
    assert 'class="hole"' not in matrix.matrix()
    assert "no holes" in matrix.totals()
    every["rate.next"] = replace(whole, kept=replace(whole.kept, checks=()))
    monkeypatch.setattr(matrix, "evidence", lambda: every)
    row = next(row for row in matrix.matrix().split("<tr>") if "rate.next.html" in row)
    assert row.count('class="hole"') == 1
    assert "holes in rate.next" in matrix.totals()


def test_a_saboteur_is_shown_with_what_caught_it_as_it_was_measured() -> None:
    found = evidence.evidence()["every.minimum"]
    told = evidence_text.evidence_text("every.minimum", found)
    for each in found.kept.saboteurs:
        assert each.caught is not None
        assert f"`{each.name}`" in told
        assert f"`{each.caught.check}`" in told
    missed = replace(found.kept.saboteurs[0], caught=None)
    lacking = replace(found, kept=replace(found.kept, saboteurs=(missed,)))
    assert "**Not caught.**" in evidence_text.evidence_text("every.minimum", lacking)
    assert "**Holes:**" in evidence_text.evidence_text("every.minimum", lacking)


def test_a_clause_that_the_evidence_does_not_know_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    known = kept.evidence()
    monkeypatch.setattr(kept, "evidence", lambda: replace(known, clauses=known.clauses[1:]))
    evidence.evidence.cache_clear()
    with pytest.raises(evidence.UnmeasuredError, match=re.escape(register.CLAUSES[0].id)):
        evidence.evidence()


def test_parts_are_laid_out_as_markdown() -> None:
    story = Steps((Step(Said("Asked `x_y` of a_b."), (Said("seen:", Listing("1\n2")), Said("nothing"))),))
    table = Table(("n", "what"), (("1", "`a`"),), numbers=(0,))
    told = examples.parts(("First.", Listing("{}", "json", "asked"), table, story))
    tokens = MarkdownIt().enable("table").parse(told)
    kinds = [token.type for token in tokens if token.level == 0 and not token.type.endswith("_close")]
    assert kinds == ["paragraph_open", "paragraph_open", "fence", "table_open", "ordered_list_open"]
    assert [token.content for token in tokens if token.type == "fence"] == ["{}\n", "1\n2\n"]
    assert "Asked `x_y` of a\\_b." in told


HOSTILE = ("a`b``c", "*x* _y_ [z](w) <b> {role}`q` | $m$ #", "\x1b[31m\u202e", "", " ", "`", "\ud800")


@pytest.mark.parametrize("text", HOSTILE)
def test_text_stays_what_it_is_in_markdown(text: str) -> None:
    from schedule_conformance.protocol.visible_text import visible  # noqa: PLC0415

    rendered = MarkdownIt().render(f"x{markdown.plain(text)}x")
    assert "<em>" not in rendered
    assert "<a " not in rendered
    assert "<b>" not in rendered
    (inline,) = [token for token in MarkdownIt().parse(f"x {code(text)} x") if token.type == "inline"]
    spans = [child.content for child in inline.children or () if child.type == "code_inline"]
    assert spans == [visible(text)] or not text.strip()


def test_words_keep_their_code_spans_and_nothing_else_is_markup() -> None:
    told = "*a* `x*y` and ``q`r``, ` alone, [z](w)"
    rendered = MarkdownIt().render(markdown.prose(told)).strip()
    assert rendered == "<p>*a* <code>x*y</code> and <code>q`r</code>, ` alone, [z](w)</p>"


def test_json_is_laid_out_without_a_change() -> None:
    import json  # noqa: PLC0415

    value = {"a": [1, 2.5, None, True, "\u3000\ud800"], "b": {"c": list(range(60))}, "d": {}, "e": []}
    laid = laid_out(value, 40)
    assert json.loads(laid) == value
    assert laid.isascii()
    assert laid.count("\n") > 10


BLOCK = '<div class="highlight-{} notranslate"><div class="highlight"><pre><span></span>{}</pre></div></div>'


def test_lines_of_code_wrap_under_their_indent_and_instants_stay_whole() -> None:
    code_ = '{\n  <span class="s2">&quot;2030-01-01T00:00:00.000Z&quot;</span>\n\n}\n'
    shown = listings.wrapped(BLOCK.format("json", code_))
    assert re.sub(r"<[^>]*>", "", shown) == re.sub(r"<[^>]*>", "", code_)
    assert re.findall(r"--indent: (\d+)", shown) == ["0", "2", "0", "0"]
    assert '&quot;<span class="whole">2030-01-01T00:00:00.000Z</span>&quot;' in shown


def test_what_stands_in_columns_is_left_alone() -> None:
    table = BLOCK.format("console", "a   b\n  1   2030-01-01T00:00:00.000Z\n")
    assert listings.wrapped(table) == table
    assert 'class="pre option"' in listings.wrapped('<code><span class="pre">--jsonl</span></code>')


def members_of(command: str) -> set[str]:
    """Return what the schema lets a world command hold beside its envelope; `?` marks what may be absent."""
    schema = messages.schema("world")["$defs"][f"{command}.request"]
    forms = schema.get("oneOf", [schema])
    names = {name: value for form in forms for name, value in form["properties"].items()}
    always = set.intersection(*(set(form["required"]) for form in forms))
    found = {name if name in always else f"{name}?" for name in names}
    for name, value in names.items():
        nested = value.get("properties", {}) if isinstance(value, dict) else {}
        found |= {f"{name}.{inner}?" for inner in nested}
    return found - {"seq", "cmd", "session"}


def tabled(heading: str) -> list[list[str]]:
    """Return the cells of the first table under a heading of the protocol's page."""
    page = (DOCS / "adapter-protocol.md").read_text("utf-8")
    table = (
        re.split(r"\n#+ ", page.partition(f"# {heading}\n")[2])[0].partition("\n|")[2].partition("\n\n")[0]
    )
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in table.splitlines()[2:]]


def test_the_protocol_s_page_tells_every_member_of_every_world_command() -> None:
    told: dict[str, set[str]] = {command: set() for command in messages.WORLD_COMMANDS}
    command = ""
    for first, member, *_ in tabled("What the commands hold"):
        command = first.strip("| `") or command
        told[command].add(member.replace("`", ""))
    assert told == {command: members_of(command) for command in messages.WORLD_COMMANDS}


def test_the_protocol_s_page_tells_every_world_command_and_its_values() -> None:
    page = (DOCS / "adapter-protocol.md").read_text("utf-8")
    assert [row[0].strip("| `") for row in tabled("World commands")] == list(messages.WORLD_COMMANDS)
    values = set(re.findall(r'"enum": \[(.*?)\]', str(messages.schema("world")).replace("'", '"')))
    words = {word.strip(' "') for each in values for word in each.split(",")}
    assert {word for word in words if f"`{word}`" not in page} == set()


def test_the_protocol_s_page_tells_every_observation() -> None:
    kinds = set(messages.schema("observation")["$defs"]) - {"observation"}
    page = (DOCS / "adapter-protocol.md").read_text("utf-8").partition("An observation holds")[2]
    assert {kind for kind in kinds if f"\n| `{kind}` | " not in page} == set()
