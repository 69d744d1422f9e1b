"""Pictures of the law, drawn when the site is built.

Every fact in a picture is an answer of `schedule_spec`; what is chosen here is the scene and the layout.
Each fact also stands in `data-` attributes, so that it can be compared with the clauses without looking.
"""

from functools import cache

from . import delivery, fork, life, timeline, wall_clock
from .svg import Figure

__all__ = ["Figure", "figures"]


@cache
def figures() -> tuple[Figure, ...]:
    """Return all pictures, in the order in which the areas tell their story; the same bytes at each build."""
    return (
        life.figure(),
        fork.figure(),
        timeline.figure(),
        *wall_clock.figures(),
        delivery.figure(),
    )
