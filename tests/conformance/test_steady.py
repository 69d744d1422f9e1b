"""The same seed asks the same, whatever is imported."""

import subprocess
import sys

PROGRAM = """
import contextlib, sys
from hypothesis import given, seed, settings, strategies as st
from schedule_conformance.generators.steady import same_questions
asked = []
def ask():
    @settings(database=None, deadline=None, max_examples=400)
    @seed(7)
    @given(st.integers(), st.text())
    def one(number, text):
        asked.append((number, text))
    one()
with same_questions() if sys.argv[1] == "steady" else contextlib.nullcontext():
    for name in sys.argv[2:]:
        __import__(name)
    ask()
import hashlib
print(hashlib.sha256(repr(asked).encode()).hexdigest())
"""


def asked(*arguments: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], check=True, capture_output=True, text=True
    )
    return run.stdout


IMPORTED = ("schedule_spec.rate", "schedule_spec.zones", "schedule_impl.adapter")


def test_imports_do_not_change_what_is_asked() -> None:
    assert asked("steady") == asked("steady", *IMPORTED)


def test_without_it_they_would() -> None:
    """Else the guard above guards nothing; should this fail, Hypothesis has changed and `steady` can go."""
    assert asked("plain") != asked("plain", *IMPORTED)
