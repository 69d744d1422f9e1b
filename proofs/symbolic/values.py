"""Code that meets values alone: once each choice is made, it runs as it would anywhere, and as fast.

CrossHair tries every member of an enumeration, each on a path of its own. What follows then holds no symbol,
so that nothing need be traced: neither is anything missed, nor does C code meet what it cannot take.
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from crosshair.tracers import NoTracing

P = ParamSpec("P")
R = TypeVar("R")


def on_values(function: Callable[P, R]) -> Callable[P, R]:
    """Run a function untraced; its arguments must hold no symbol, but members of enumerations alone."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        with NoTracing():  # type: ignore[no-untyped-call]
            return function(*args, **kwargs)

    return run
