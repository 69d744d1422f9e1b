"""All short sequences of events, through the law's fold and the implementation's, step by step.

The sequences form a tree: after each that is accepted every event is tried. What is refused is not followed
further, for a longer log fails at the same event (fold.prefix, fold.all-or-nothing): each refused sequence
that is counted stands for all that begin with it. The law's contracts are in force at every step.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

from proofs.exhaustive.alphabet import Event, Letter, fresh, letters
from proofs.outcomes import Counterexample, Counts
from proofs.refinement.relation import Stepper, abstracts, answers_alike, stepped
from schedule_impl import fold as impl_fold
from schedule_impl.errors import ScheduleError
from schedule_impl.fold import ScheduleState
from schedule_spec import fold, forks
from schedule_spec.fold import EMPTY, Refused, State
from schedule_spec.json_text import Json
from schedule_spec.rejections import Rejection

ALPHABET = letters(3)
LENGTH = 6
"""The longest sequences that are built up event by event."""
WHOLE = 3
"""The longest that are folded as a whole too, with every seed length."""


@dataclass(slots=True)
class Tree:
    """A walk over all sequences up to a length; `ends` counts how they ended."""

    stepper: Stepper
    length: int
    ends: Counter[str] = field(default_factory=Counter)
    _law: dict[tuple[State, int], State | Rejection] = field(default_factory=dict)

    def grow(self, word: tuple[Event, ...], used: int, law: State, impl: ScheduleState) -> None:
        """Try every event after a sequence that both accept, from related states."""
        for position, letter in enumerate(ALPHABET):
            if fresh(letter, used):
                self._try(word, used, (law, position), (impl, letter))

    def _try(
        self, word: tuple[Event, ...], used: int, law: tuple[State, int], impl: tuple[ScheduleState, Letter]
    ) -> None:
        state, letter = copied(impl[0]), impl[1]
        expected = self._step(*law)
        accepted = self.stepper(state, letter.event)
        following = law[0] if isinstance(expected, Rejection) else expected
        longer = (*word, letter.event)
        if accepted == isinstance(expected, Rejection) or abstracts(state) != following:
            raise Counterexample(f"after {longer} the law is at {expected}, the other at {abstracts(state)}")
        if (problem := answers_alike(state)) is not None:
            raise Counterexample(f"after {longer} {problem}")
        self.ends["accepted" if accepted else "refused"] += 1
        if accepted and len(longer) < self.length:
            self.grow(longer, max(used, letter.about + 1), following, state)

    def _step(self, state: State, position: int) -> State | Rejection:
        """Take the law's step, each only once: it depends on state and event alone."""
        key = (state, position)
        if key not in self._law:
            self._law[key] = fold.step(state, ALPHABET[position].event)
        return self._law[key]


def copied(state: ScheduleState) -> ScheduleState:
    """Return a state of its own that holds the same: each of its tables is copied."""
    copy = ScheduleState()
    for table in ScheduleState.__slots__:
        setattr(copy, table, dict(getattr(state, table)))
    return copy


def _all_sequences(stepper: Stepper, length: int) -> Counts:
    tree = Tree(stepper, length)
    tree.grow((), 0, EMPTY, ScheduleState())
    return dict(tree.ends)


def law_and_implementation_agree_on_every_sequence() -> Counts:
    """The implementation's steps against the law's, up to the full length."""
    return _all_sequences(stepped, LENGTH)


def law_and_implementation_agree_on_short_sequences() -> Counts:
    """The same for shorter sequences."""
    return _all_sequences(stepped, LENGTH - 2)


def _reusing_ended_ids(state: ScheduleState, event: Json) -> bool:
    """Let an id be created anew once its record has ended."""
    ended = [id for id in state.seen() if state.record(id) is None]
    for id in ended:
        del state._seen[id]
    return stepped(state, event)


def reuse_of_ended_ids_on_every_sequence() -> Counts:
    """The same of an implementation that forgets ids whose records have ended."""
    return _all_sequences(_reusing_ended_ids, LENGTH)


Folding: TypeAlias = Callable[[Sequence[object], object], ScheduleState]


def _answer(folding: Folding, events: Sequence[Json], seed: int) -> State | None:
    try:
        return abstracts(folding(events, seed))
    except ScheduleError:
        return None


def _words(length: int) -> Iterator[tuple[Json, ...]]:
    """Yield all sequences of just that length, whether they fold or not, the ids in order."""
    alphabet = (*ALPHABET, Letter({}), None)
    for word in product(alphabet, repeat=length):
        used = 0
        for letter in word:
            if letter is not None and not fresh(letter, used):
                break
            used = max(used, letter.about + 1 if letter is not None else 0)
        else:
            yield tuple(None if letter is None else letter.event for letter in word)


def _every_seed_length(folding: Folding, length: int) -> Counts:
    """Fold whole logs from every seed length: the state is that of the suffix, whatever stands before it.

    The suffix is folded alone by the law; the whole is folded by both. Seed lengths just outside are refused,
    a fork taken at that place begins with nothing. The last event as a candidate is refused exactly where
    the log before it or with it does not fold, and else leaves the state of the whole.
    """
    counts: Counter[str] = Counter()
    for size in range(length + 1):
        for word in _words(size):
            counts["sequences"] += 1
            for seed in range(-1, size + 2):
                _compare(folding, word, seed)
                counts["folds"] += 1
    return dict(counts)


def _compare(folding: Folding, word: tuple[Json, ...], seed: int) -> None:
    whole = fold.fold(word, seed)
    meant = None if isinstance(whole, Refused) else whole
    sound = 0 <= seed <= len(word)
    suffix = fold.fold(word[seed:]) if sound else None
    if meant != (suffix if isinstance(suffix, State) else None):
        raise Counterexample(f"from {seed} the law makes {whole} of {word}, and {suffix} of the suffix")
    if (found := _answer(folding, word, seed)) != meant:
        raise Counterexample(f"from {seed} the law makes {whole} of {word}, the implementation {found}")
    if sound and fold.fold(*forks.fork(word, seed)) != EMPTY:
        raise Counterexample(f"a fork of {word} at {seed} begins with something")
    if word:
        before = fold.fold(word[:-1], seed)
        allowed = fold.candidate(before, word[-1])
        expected = meant if isinstance(before, State) else None
        if (allowed if isinstance(allowed, State) else None) != expected:
            raise Counterexample(f"from {seed} the candidate {word[-1]} after {word[:-1]} gives {allowed}")


def every_seed_length_means_its_suffix() -> Counts:
    """Law and implementation, over all sequences and all seed lengths."""
    return _every_seed_length(impl_fold.fold, WHOLE)


def every_short_seed_length_means_its_suffix() -> Counts:
    """The same for shorter sequences."""
    return _every_seed_length(impl_fold.fold, WHOLE - 1)


def _adopting(events: Sequence[object], seed: object) -> ScheduleState:
    """Read the inherited prefix too."""
    impl_fold.fold(events, seed)
    return impl_fold.fold(events)


def parents_are_adopted() -> Counts:
    """The same of an implementation that reads the inherited prefix."""
    return _every_seed_length(_adopting, WHOLE)
