"""A case and how it failed: a request, what the law allows, and the verdict on what came.

No clause of its own: the clauses are those that a case carries. Touches nothing.
"""

from dataclasses import dataclass
from typing import Any

from schedule_conformance.judgement.judging import Expectation, Failed


@dataclass(frozen=True, slots=True)
class Case:
    """A request with its number, what is expected, and the clauses that a wrong reply would break.

    `releases` are those of the zone data under which that is expected; where there are none, under any.
    """

    request: dict[str, Any]
    expected: Expectation
    clauses: tuple[str, ...]
    releases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """A case that failed in a check; `vector` is the id of the frozen case that it is, if it is one."""

    check: str
    case: Case
    verdict: Failed
    vector: str | None = None

    @property
    def clause(self) -> str:
        """The clause that the failure is reported under."""
        return self.verdict.clause

    @property
    def fault(self) -> str:
        """The kind of fault."""
        return str(self.verdict.fault)

    @property
    def frozen(self) -> str | None:
        """The id of the frozen case that failed, None for a generated one."""
        return self.vector
