"""Marks that tie a function of the law to the clauses that its body defines.

Most clauses are carried by a contract, whose description begins with the clause id. Where the law's body *is*
the definition a contract would only repeat it; such a function bears a mark instead. Marks change nothing.
"""

from collections.abc import Callable
from typing import Any, TypeVar

Marked = TypeVar("Marked", bound=Callable[..., Any])


def defines(*clauses: str) -> Callable[[Marked], Marked]:
    """Record on a function, as `__clauses__`, the ids of the clauses that its body defines."""

    def mark(function: Marked) -> Marked:
        function.__clauses__ = clauses  # type: ignore[attr-defined]
        return function

    return mark
