"""Texts near an instant: sound ones with one character absent, added or another, in every place.

Clauses: instant.canonical.
"""

from collections.abc import Callable
from typing import TypeAlias

from proofs.exhaustive.cases import on_all
from proofs.outcomes import Counterexample, Counts
from schedule_impl import instants as implementation
from schedule_spec import instants

SOUND = (
    "0001-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
    "1970-01-01T00:00:00.000Z",
    "2000-02-29T12:00:00.000Z",
    "2026-07-13T18:45:09.037Z",
)
"""The ends of the range, the epoch, a leap day, and one with nearly every figure different."""
CHARACTERS = ("", *map(chr, range(0x80)), "\u0661", "\uff11", "\u00b2", "\u2212", "\ud800", "\U0001d7d9")
"""None, all of ASCII, and what other scripts have for figures and marks."""

Reading: TypeAlias = Callable[[str], int | None]


def _alike(reading: Reading, text: str, place: int, character: str) -> str:
    """Read a text with another character in a place, and with one more there, as the law reads it."""
    for near in (text[:place] + character + text[place + 1 :], text[:place] + character + text[place:]):
        if (found := reading(near)) != instants.parse(near):
            raise Counterexample(f"{near!a} is {instants.parse(near)} to the law, {found} to the other")
    return "places"


def _by_implementation(text: str) -> int | None:
    try:
        return implementation.to_ms(text)
    except ValueError:
        return None


def the_implementation_reads_what_the_law_reads() -> Counts:
    """The implementation against the law."""
    return on_all(lambda *case: _alike(_by_implementation, *case), SOUND, range(25), CHARACTERS)


def _with_all_figures(text: str) -> int | None:
    """Take figures of other scripts for figures."""
    return _by_implementation(text.replace("\u0661", "1"))


def figures_of_all_scripts_are_read() -> Counts:
    """The same of a reading to which figures of other scripts are figures."""
    return on_all(lambda *case: _alike(_with_all_figures, *case), SOUND, range(25), CHARACTERS)
