"""What catches a saboteur: the first frozen case, or the first story, in which it is seen to be wrong."""

from collections.abc import Iterator
from itertools import islice
from typing import Protocol

from schedule_conformance import judging
from schedule_conformance.judging import Failed
from schedule_conformance.systems import InProcess
from schedule_conformance.vectors import Vector, vectors
from schedule_conformance.worlds import traces
from schedule_conformance.worlds.replaying import replayed
from schedule_conformance.worlds.world import Exchange
from schedule_spec.delivery import Terms
from schedule_spec.profiles import Profile

from .playing import played
from .stories import OF_CLAUSE

MOST_TRIED = 80
"""Frozen cases of a clause that are tried, at most."""


class Saboteur(Protocol):
    """What is needed to know of one."""

    @property
    def breaks(self) -> str:
        """The clause that it breaks."""

    @property
    def clauses(self) -> frozenset[str]:
        """The clauses under which it may be reported."""

    def system(self) -> InProcess:
        """Return a fresh system of it."""


def caught_by(saboteur: Saboteur) -> str | None:
    """Return the id of the frozen case or story that catches it; None where only generated cases do."""
    found = next(_requests(saboteur), None) or next(_frozen_sessions(saboteur), None)
    return found or next(_stories(saboteur), None)


def _requests(saboteur: Saboteur) -> Iterator[str]:
    own = [each for each in vectors() if saboteur.breaks in each.clauses]
    own.sort(key=lambda each: each.clauses[0] != saboteur.breaks)
    for vector in islice(own, MOST_TRIED):
        if vector.profile is Profile.V1 and _is_wrong(saboteur, vector):
            yield vector.id


def _is_wrong(saboteur: Saboteur, vector: Vector) -> bool:
    request = {"seq": 1, **vector.request}
    reply = saboteur.system().ask(request)
    verdict = judging.judge_against(vector.expected, request, reply, vector.profile)
    return isinstance(verdict, Failed) and verdict.clause in saboteur.clauses


def _frozen_sessions(saboteur: Saboteur) -> Iterator[str]:
    own = [each for each in traces.frozen() if saboteur.breaks in each.clauses]
    own.sort(key=lambda each: len(each.steps))
    yield from (each.id for each in own if _goes_wrong(saboteur, each.terms, each.steps))


def _stories(saboteur: Saboteur) -> Iterator[str]:
    for name in OF_CLAUSE.get(saboteur.breaks, ()):
        if _goes_wrong(saboteur, Terms(), played(name)):
            yield f"the story {name}"


def _goes_wrong(saboteur: Saboteur, terms: Terms, steps: tuple[Exchange, ...]) -> bool:
    violation = replayed(saboteur.system(), terms, steps).violation
    return violation is not None and violation.clause in saboteur.clauses
