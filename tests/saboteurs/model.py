"""What a saboteur is, and what a near miss is: systems that differ from a correct one in one thing.

A saboteur breaks a clause, and the court has to catch it under that clause or under one that may rightly be
named instead. A near miss uses a freedom that the clauses leave, and has to pass.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from schedule_conformance.protocol.systems import InProcess
from schedule_spec import register

Handler = Callable[[dict[str, Any]], dict[str, Any]]
"""A system of this process: a reply to each request of the adapter protocol."""

Make = Callable[[], Handler]
"""Makes a handler that remembers nothing of any other."""

_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")


def _checked(name: str, about: str) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name in snake_case")
    if not about.endswith("."):
        raise ValueError(f"{name}: {about!r} is no sentence")


@dataclass(frozen=True, slots=True)
class Saboteur:
    """An implementation that is broken in exactly one clause.

    `name` says what it does, `about` in a sentence how that comes about in real code. ValueError where they
    do not have that form, LookupError where `breaks` is no clause.
    """

    name: str
    breaks: str
    about: str
    make: Make

    def __post_init__(self) -> None:
        _checked(self.name, self.about)
        register.clause(self.breaks)

    @property
    def clauses(self) -> frozenset[str]:
        """The clauses under which it may be reported."""
        return frozenset((self.breaks, *register.clause(self.breaks).implied_by))

    def system(self) -> InProcess:
        """Return a fresh system of it."""
        return InProcess(self.name, self.make())


@dataclass(frozen=True, slots=True)
class NearMiss:
    """An implementation that differs from the law where the clauses leave a choice.

    `about` says in a sentence which one.
    """

    name: str
    about: str
    make: Make

    def __post_init__(self) -> None:
        _checked(self.name, self.about)

    def system(self) -> InProcess:
        """Return a fresh system of it."""
        return InProcess(self.name, self.make())
