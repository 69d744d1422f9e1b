"""What stands in for a part of the code while another part is run on symbolic values.

CrossHair runs Python on symbols, but a symbol that is written into a sentence has to become one value, and so
one path of endlessly many. Where a sentence is all that is made of it, the sentence is left out: no verdict
depends on one. Where an instant is stored as text, its ms stand for the text: that reading and writing are
inverse is an obligation of its own. Nothing else of the code is replaced.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any

import schedule_impl.changes
import schedule_impl.creation
import schedule_impl.fold
import schedule_impl.rate
import schedule_spec.changes
import schedule_spec.fields
import schedule_spec.fold
import schedule_spec.rate
import schedule_spec.records
import schedule_spec.text
from schedule_spec import instants

Places = tuple[tuple[ModuleType, str, Any], ...]


@contextmanager
def _replaced(places: Places) -> Iterator[None]:
    originals = [getattr(module, name) for module, name, _ in places]
    for module, name, stand_in in places:
        setattr(module, name, stand_in)
    try:
        yield
    finally:
        for (module, name, _), original in zip(places, originals, strict=True):
            setattr(module, name, original)


def _no_words(*values: object) -> str:
    return ""


def _same(ms: Any) -> Any:
    return ms


_WORDLESS: Places = (
    (schedule_spec.rate, "quoted", _no_words),
    (schedule_spec.rate, "instants", SimpleNamespace(render=_no_words, in_range=instants.in_range)),
    (schedule_spec.fold, "quoted", _no_words),
    (schedule_spec.fields, "quoted", _no_words),
    (schedule_spec.changes, "quoted", _no_words),
    (schedule_spec.records, "quoted", _no_words),
    (schedule_impl.rate, "to_text", _no_words),
    (schedule_impl.fold, "quoted", _no_words),
    (schedule_impl.changes, "quoted", _no_words),
)

_NUMERIC: Places = (
    (schedule_impl.fold, "to_ms", _same),
    (schedule_impl.fold, "to_text", _same),
    (schedule_impl.changes, "to_ms", _same),
)


def _same_in_range(ms: Any) -> Any:
    if not instants.in_range(ms):
        raise ValueError("outside the range")
    return ms


_NUMERIC_TARGETS: Places = (
    (schedule_impl.creation, "to_text", _same_in_range),
    (schedule_impl.creation, "After", partial(schedule_impl.changes.After)),
    (schedule_impl.creation, "Every", partial(schedule_impl.changes.Every)),
)


_UNPAIRED: Places = ((schedule_spec.text, "join_surrogates", _same),)


def without_pairs() -> Any:
    """Leave strings without surrogates as they are while the block runs: in them no pair is to be joined.

    To join pairs, strings are encoded as UTF-16, which CrossHair cannot do with symbols.
    """
    return _replaced(_UNPAIRED)


def without_words() -> Any:
    """Leave out the sentences of refusals while the block runs."""
    return _replaced(_WORDLESS)


def with_numbers_for_texts() -> Any:
    """Let the implementation's fold hold instants as ms, not as texts, while the block runs."""
    return _replaced(_NUMERIC)


def with_numbers_for_targets() -> Any:
    """Let the implementation's creation store the target as ms, not as text, while the block runs.

    A record is made by way of `partial`, for CrossHair cannot call a class that is written in C.
    """
    return _replaced(_NUMERIC_TARGETS)
