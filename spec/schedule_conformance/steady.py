"""What Hypothesis asks, made to depend on the seed alone.

Hypothesis draws a few of its values from the constants in the source of whatever local modules happen to be
imported. That helps a search and harms a court: with the same seed another import, or another way of
installing, would ask other questions. Clauses: none; this touches Hypothesis's own module state.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

_NONE = Constants()
_FINDER = "_get_local_constants"


@contextmanager
def same_questions() -> Iterator[None]:
    """Draw no constants from the source of imported modules meanwhile.

    The function that this replaces is not part of Hypothesis's public face. Where a release has no such
    function there is nothing to replace; a test holds that the pinned one is steady.
    """
    found = getattr(providers, _FINDER, None)
    if found is None:
        yield
        return
    setattr(providers, _FINDER, lambda: _NONE)
    providers.CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        setattr(providers, _FINDER, found)
        providers.CONSTANTS_CACHE.cache.clear()


def asking(ask: Callable[[], None]) -> Callable[[], None]:
    """Return what asks the same, with questions that depend on the seed alone."""

    def asked() -> None:
        with same_questions():
            ask()

    return asked
