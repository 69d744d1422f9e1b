"""The ledger of known failures: what it covers, what makes it stale, how it is written, what breaks it."""

from pathlib import Path

import pytest

from schedule_conformance.runs import ledger
from schedule_conformance.runs.ledger import BrokenLedgerError, Entry, EntryKind, Ledger, parsed, rewritten
from schedule_conformance.runs.results import Counts, Kind, Met, Outcome, Result

CASE = Entry("hand-change-version-true", "change.version", ("wrong-accept",), EntryKind.BUG, "https://x/1")
CLAUSE = Entry(None, "rate.next", ("wrong-value",), EntryKind.DELIBERATE)
BOOK = Ledger((CLAUSE, CASE))


def frozen(*met: Met, case: str = "hand-change-version-true") -> Result:
    """A frozen case that failed so, or passed where nothing was met."""
    counts = Counts(failed=1) if met else Counts(passed=1)
    return Result(f"vector/{case}", Kind.VECTOR, "frozen cases", ("change.version",), counts, met)


def generated(*met: Met, clauses: tuple[str, ...] = ("rate.next",)) -> Result:
    """A generated check of ten cases, some of which failed."""
    failed = sum(each.times for each in met)
    counts = Counts(passed=10 - failed, failed=failed)
    return Result("property/advance", Kind.PROPERTY, "advance", clauses, counts, met)


def reasons(*results: Result, book: Ledger = BOOK) -> dict[str, str]:
    return {each.entry.id: each.why for each in ledger.stale(book, results)}


def test_a_failure_that_is_listed_is_known() -> None:
    judged = ledger.judged(BOOK, frozen(Met("change.version", "wrong-accept", 1)))
    assert judged.outcome is Outcome.KNOWN
    assert judged.counts == Counts(known=1)
    judged = ledger.judged(BOOK, generated(Met("rate.next", "wrong-value", 3)))
    assert judged.outcome is Outcome.KNOWN
    assert judged.counts == Counts(passed=7, known=3)
    assert ledger.judged(BOOK, judged) == judged


@pytest.mark.parametrize(
    "result",
    [
        frozen(Met("change.version", "wrong-code", 1)),
        frozen(Met("change.strict", "wrong-accept", 1)),
        frozen(Met("rate.next", "wrong-value", 1), case="hand-rate-at-target"),
        generated(Met("rate.next", "wrong-reject", 1)),
        generated(Met("change.version", "wrong-accept", 1)),
    ],
    ids=[
        "another fault",
        "another clause",
        "a case under a listed clause",
        "fault",
        "a listed case's clause",
    ],
)
def test_a_failure_that_is_not_listed_so_fails(result: Result) -> None:
    judged = ledger.judged(BOOK, result)
    assert judged.outcome is Outcome.FAILED
    assert judged.counts == result.counts


def test_of_one_check_some_failures_may_be_known_and_others_not() -> None:
    result = generated(Met("rate.next", "wrong-value", 3), Met("rate.skip", "error", 2))
    judged = ledger.judged(BOOK, result)
    assert judged.outcome is Outcome.FAILED
    assert judged.counts == Counts(passed=5, failed=2, known=3)


def test_an_entry_is_stale_where_what_it_lists_does_not_fail_so() -> None:
    assert reasons(frozen(), generated()) == {
        "hand-change-version-true": "it passes",
        "rate.next": "it holds",
    }
    otherwise = (frozen(Met("change.version", "error", 1)), generated(Met("rate.next", "error", 1)))
    assert reasons(*otherwise) == {
        "hand-change-version-true": "it fails otherwise: change.version (error)",
        "rate.next": "it fails otherwise: error",
    }


def test_an_entry_of_which_nothing_was_tried_is_not_judged() -> None:
    left_out = Result("vector/hand-change-version-true", Kind.VECTOR, "frozen cases", (), Counts(left_out=1))
    assert reasons(left_out, generated(clauses=("rate.skip",))) == {}
    assert reasons() == {}


def test_an_entry_for_a_clause_holds_where_any_check_breaks_it() -> None:
    failing = ledger.judged(BOOK, generated(Met("rate.next", "wrong-value", 1)))
    assert reasons(generated(), failing) == {}


def test_what_is_rarely_met_is_not_stale_where_it_is_not_met() -> None:
    rare = Ledger((Entry(None, "rate.next", ("late",), EntryKind.RARE),))
    assert reasons(generated(), book=rare) == {}
    assert reasons(generated(Met("rate.next", "error", 1)), book=rare) != {}


# --- the file ---

TEXT = """# What our port is known to get wrong.
format = "schedule-spec-ledger-1"

# Versions are compared loosely.
# Until the next release.
[[known]]
case = "hand-change-version-true"
clause = "change.version"   # not change.strict
faults = ["wrong-accept"] # "#"
kind = "bug"
link = "https://x/1"  # agreed


[[known]]
clause = "rate.next"
faults = [
  "wrong-value",
]
kind = "deliberate"
link = ""
"""


def test_a_ledger_is_read() -> None:
    assert parsed(TEXT) == Ledger((CASE, CLAUSE))
    assert parsed('format = "schedule-spec-ledger-1"\n') == Ledger(())


def test_what_stays_keeps_its_comments_and_is_sorted() -> None:
    text = rewritten(TEXT, ledger.updated(parsed(TEXT), (), ()))
    first, second = text.index("rate.next"), text.index("hand-change-version-true")
    assert first < second
    assert "# Versions are compared loosely.\n# Until the next release.\n[[known]]\ncase" in text
    assert 'link = "https://x/1"  # agreed' in text
    assert text.startswith("# What our port is known to get wrong.\nformat")
    assert parsed(text) == Ledger((CLAUSE, CASE))
    assert rewritten(text, parsed(text)) == text


def test_what_fails_otherwise_says_so_and_keeps_its_link() -> None:
    results = (
        frozen(Met("change.strict", "error", 1)),
        generated(Met("rate.next", "error", 1)),
    )
    book = parsed(TEXT)
    new = ledger.updated(book, results, ledger.stale(book, results))
    text = rewritten(TEXT, new)
    assert 'clause = "change.strict"  # not change.strict' in text
    assert 'faults = ["error"]  # "#"' in text
    assert 'faults = ["error", "wrong-value"]\nkind = "deliberate"' in text
    assert parsed(text) == new
    assert new.of_case("hand-change-version-true") == Entry(
        "hand-change-version-true", "change.strict", ("error",), EntryKind.BUG, "https://x/1"
    )


def test_what_is_mended_goes_and_what_is_new_is_unreviewed() -> None:
    book = parsed(TEXT)
    results = (frozen(), generated(Met("rate.skip", "late", 2), Met("rate.next", "wrong-value", 1)))
    new = ledger.updated(book, results, ledger.stale(book, results))
    assert new.entries == (CLAUSE, Entry(None, "rate.skip", ("late",)))
    text = rewritten(TEXT, new)
    assert "Versions are compared loosely" not in text
    assert parsed(text) == new
    assert 'kind = "unreviewed"\nlink = ""\n' in text


def test_what_was_not_tried_stays() -> None:
    book = parsed(TEXT)
    assert ledger.updated(book, (), ledger.stale(book, ())).entries == (CLAUSE, CASE)


def test_an_empty_file_becomes_a_ledger() -> None:
    text = rewritten("", Ledger((CASE,)))
    assert parsed(text) == Ledger((CASE,))
    assert text.startswith("# Known failures")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('format = "schedule-spec-ledger-1"', "", "format"),
        ("ledger-1", "ledger-2", "schedule-spec-ledger-1"),
        ('kind = "bug"', 'kind = "wontfix"', "line 6: kind: 'wontfix' is not one of"),
        ('kind = "bug"', "kind = 1979-05-27", "line 6: kind"),
        ('link = "https://x/1"', "", "line 6: the entry: 'link' is a required property"),
        ('faults = ["wrong-accept"]', "faults = []", "line 6: faults"),
        ('faults = ["wrong-accept"]', 'faults = "wrong-accept"', "line 6: faults"),
        ('faults = ["wrong-accept"]', 'faults = ["late", "late"]', "line 6: faults"),
        (
            'clause = "rate.next"',
            'clause = "rate.nxt"',
            "line 14: there is no clause 'rate.nxt'; did you mean",
        ),
        ('case = "hand-change-version-true"', 'case = "hand-x"', "line 6: this suite has no frozen case"),
        ('kind = "bug"', 'kind = "bug"\nnote = "?"', "line 6: the entry: Additional properties"),
        ('kind = "bug"', "kind = bug", "no TOML: Invalid value (at line 10"),
        ("[[known]]", "[known]", "no TOML"),
        ('clause = "rate.next"', 'case = "hand-change-version-true"\nclause = "rate.next"', "listed twice"),
        ('link = ""', "link = " + "[" * 5_000, "nested too deep"),
        ('link = ""', "link = " + "9" * 5_000, "no TOML"),
        ("[[known]]\nclause", '[["known"]]\nclause', "line [[known]] of its own"),
    ],
)
def test_a_broken_ledger_is_told_with_its_line(old: str, new: str, words: str) -> None:
    with pytest.raises(BrokenLedgerError) as raised:
        parsed(TEXT.replace(old, new))
    assert words in str(raised.value)


def test_an_inline_list_is_no_list_of_entries() -> None:
    with pytest.raises(BrokenLedgerError, match="of its own"):
        parsed('format = "schedule-spec-ledger-1"\nknown = []\n')


def test_odd_line_ends_in_a_text_are_kept() -> None:
    odd = TEXT.replace("https://x/1", "https://x/\u2028\u0085")
    text = rewritten(odd, parsed(odd))
    assert "https://x/\u2028\u0085" in text
    assert set(parsed(text).entries) == set(parsed(odd).entries)


def test_a_file_that_is_no_text_is_no_ledger(tmp_path: Path) -> None:
    path = tmp_path / "ledger.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BrokenLedgerError, match=r"it is no text: byte 0 is not UTF-8$"):
        ledger.read(path)
