"""Every sequence of events up to a small bound, over an alphabet in which all that the fold decides occurs.

Two ids; one every so late that a dispatch may end it, one after; ends, dispatches in time, early, late and
of the wrong shape, a malformed change and a foreign event. Short sequences are asked with every seed length
too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from schedule_conformance.checks.trials import Trial
from schedule_conformance.judgement.cases import Case
from schedule_conformance.judgement.exercise import of_refused_log, of_sound_log, of_step
from schedule_conformance.judgement.narrowing import concerned
from schedule_conformance.law.rulings import Granted, Ruling, rule
from schedule_conformance.law.stories import BEGINNING, Story, extended
from schedule_spec import fold
from schedule_spec.instants import LATEST, render
from schedule_spec.rejections import Rejection

ID = "exhaustive/logs"

_TARGET = LATEST - 450_000
"""One interval of 300 s fits after it, two do not."""


def _change(**members: Any) -> dict[str, Any]:
    return {"type": "schedule/change", "data": {"version": 1, **members}}


_EVERY = {"id": "a", "kind": "every", "prompt": "p", "everySeconds": 300, "scheduledAt": render(_TARGET)}
_AFTER = {"id": "b", "kind": "after", "prompt": "p", "afterSeconds": 60, "scheduledAt": render(_TARGET)}

ALPHABET: tuple[dict[str, Any], ...] = (
    _change(operation="create", schedule=_EVERY),
    _change(operation="create", schedule=_AFTER),
    _change(operation="delete", id="a"),
    _change(operation="dispatch", id="b"),
    _change(operation="dispatch", id="a", acceptedAt=render(_TARGET)),
    _change(operation="dispatch", id="a", acceptedAt=render(LATEST)),
    _change(operation="dispatch", id="a", acceptedAt=render(_TARGET - 1)),
    _change(operation="dispatch", id="a"),
    {"type": "schedule/change", "data": {"version": 2, "operation": "delete", "id": "a"}},
    {"type": "message", "data": {"version": 1, "operation": "create", "schedule": _EVERY}},
)

Word = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long sequences are: all up to `length`, and those up to `forked` with every seed length."""

    length: int
    forked: int

    @property
    def size(self) -> int:
        """How many cases the bounds make."""
        of_length = [int(len(ALPHABET) ** length) for length in range(max(self.length, self.forked) + 1)]
        forked = sum((length + 1) * count for length, count in enumerate(of_length[: self.forked + 1]))
        return sum(of_length[: self.length + 1]) + forked


def cases(trial: Trial, bounds: Bounds) -> Iterator[Case]:
    """Yield a case for every sequence, the shortest first; then for the short ones with each seed length."""
    stories: dict[Word, Story] = {(): BEGINNING}
    steps: dict[Word, frozenset[str]] = {(): frozenset()}
    for length in range(bounds.length + 1):
        for word in product(range(len(ALPHABET)), repeat=length):
            if word:
                _tell(word, stories, steps, trial)
            yield _case(trial, word, None, stories, steps)
    for length in range(bounds.forked + 1):
        for word in product(range(len(ALPHABET)), repeat=length):
            for seed_length in range(1, length + 2):
                yield _case(trial, word, seed_length, stories, steps)


def _tell(word: Word, stories: dict[Word, Story], steps: dict[Word, frozenset[str]], trial: Trial) -> None:
    before = stories[word[:-1]]
    story = extended(before, ALPHABET[word[-1]], trial.profile)
    stories[word] = story
    added = of_step(story.steps[-1]) if len(story.steps) > len(before.steps) else ()
    steps[word] = steps[word[:-1]] | frozenset(added)


def _case(
    trial: Trial,
    word: Word,
    seed_length: int | None,
    stories: dict[Word, Story],
    steps: dict[Word, frozenset[str]],
) -> Case:
    request: dict[str, Any] = {"cmd": "fold", "events": [ALPHABET[letter] for letter in word]}
    if seed_length is not None:
        request["seedLength"] = seed_length
    begin = min(seed_length or 0, len(word))
    own = stories[word[begin:]]
    ruling: Ruling
    if begin == (seed_length or 0) and not isinstance(own.end, Rejection):
        ruling = Granted(fold.encode_state(own.end))
        whole = of_sound_log(request["events"][:begin], stories[word[:begin]], own, trial.profile)
        tested = [*steps[word[begin:]], *whole]
    else:
        ruling = (
            own.end
            if seed_length is None and isinstance(own.end, Rejection)
            else rule(request, trial.profile)
        )
        tested = of_refused_log(request["events"], ruling) if isinstance(ruling, Rejection) else []
    return trial.case(request, ruling, sorted(set(tested)))


def run(trial: Trial, bounds: Bounds) -> None:
    """Try the system with every sequence within the bounds, the shortest first."""
    with trial.check(ID, generated=False):
        if not concerned(trial.only, "fold"):
            return
        for case in cases(trial, bounds):
            failure = trial.hear(case)
            if failure is not None:
                trial.record(failure)
