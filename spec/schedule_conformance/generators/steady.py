"""What Hypothesis asks, made to depend on the seed alone.

Hypothesis draws a few of its values from the constants in the source of whatever local modules happen to be
imported. That helps a search and harms a court: with the same seed another import, or another way of
installing, would ask other questions. Clauses: none; this touches Hypothesis's own module state.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256

from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

FOUND_AS_IT_IS = (Phase.generate,)
"""For what is small already, or is made small by the trial itself."""

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


def seed_of(name: str, base: int) -> int:
    """Return the seed of one check, which depends on the run's seed and the check's name alone."""
    return int.from_bytes(sha256(f"{base}:{name}".encode()).digest()[:8], "big")


def quiet_settings(examples: int, phases: tuple[Phase, ...], steps: int = 50) -> settings:
    """Return settings under which a run depends on its seed alone and says nothing by itself."""
    return settings(
        max_examples=max(1, examples),
        stateful_step_count=steps,
        database=None,
        deadline=None,
        derandomize=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
        phases=phases,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=True,
    )
