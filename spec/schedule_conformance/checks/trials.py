"""A trial: one system under test, asked case by case, with honest counts.

A case is one request, what is expected, and the clauses it exercises. It counts as executed when the system
was asked. A check counts all of its cases first. Only then is the first failure of each clause that is new
shrunk; what is asked for that is not counted, but for a failure that nothing was known of. So all evidence is
counted.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from schedule_conformance.frozen.vectors import Vector
from schedule_conformance.judgement.cases import Case, Failure
from schedule_conformance.judgement.creations import release_bound
from schedule_conformance.judgement.exercise import exercised
from schedule_conformance.judgement.judging import (
    Failed,
    Fault,
    Passed,
    Unsupported,
    Verdict,
    expectation,
    judge_against,
    unfulfilled,
    unsteady,
)
from schedule_conformance.judgement.plainness import plainer
from schedule_conformance.law.rulings import Ruling, refusals_of, rule
from schedule_conformance.law.stories import boundary
from schedule_conformance.protocol.messages import wire
from schedule_conformance.protocol.systems import GivenUpError, System
from schedule_spec import zones
from schedule_spec.profiles import Profile


class BrokenClauseError(Exception):
    """Raised within a property so that its case is shrunk; one class a clause, so each is shrunk alone."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"{failure.clause}: {failure.verdict.fault}")
        self.failure = failure


@cache
def broken(clause: str) -> type[BrokenClauseError]:
    """Return the class of the exceptions that tell a property's shrinker of a broken clause."""
    return type(f"Broken {clause}", (BrokenClauseError,), {})


@dataclass(slots=True)
class Tally:
    """Counts of one check, or of one clause: cases executed, passed, failed, unsupported, left out.

    For a check, `met` counts the failures by clause and kind of fault, and `clauses` holds what its cases put
    to the test.
    """

    executed: int = 0
    passed: int = 0
    failed: int = 0
    unsupported: int = 0
    left_out: int = 0
    met: Counter[tuple[str, str]] = field(default_factory=Counter)
    clauses: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Trial:
    """A system under trial at a protocol level, and what has been counted so far.

    `features` and `tzdata`, the release of its zone data, are those that its `hello` names. A case that holds
    under other releases alone is not asked but counted as left out. With `only`, cases that exercise none
    of it are passed over. `failures` holds the first failure of each clause and kind of fault that was found,
    and every vector that failed.
    """

    system: System
    profile: Profile
    features: frozenset[str]
    only: frozenset[str] = frozenset()
    tzdata: str | None = None
    tallies: dict[str, Tally] = field(default_factory=dict)
    counts: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    reached: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    first_raised: Failure | None = None
    _check: str = ""
    _counting: bool = True
    _earlier: frozenset[str] = frozenset()
    _generated: bool = False

    @property
    def left_out(self) -> int:
        """How many cases hold under other releases of the zone data alone."""
        return sum(tally.left_out for tally in self.tallies.values())

    @contextmanager
    def check(self, name: str, *, generated: bool) -> Iterator[None]:
        """Count what is heard within under a check's name; `generated` cases count as reach."""
        self.tallies[name] = Tally()
        self._check, self._generated, self._counting = name, generated, True
        self.first_raised = None
        yield

    @property
    def shrinkable(self) -> bool:
        """Whether the check at hand found a clause broken that no earlier one did, and that can be shrunk.

        Nothing is made smaller of which each try would take the whole time of waiting.
        """
        earlier = self._broken_before()
        return any(one.clause not in earlier and one.verdict.fault is not Fault.LATE for one in self.failures)

    @contextmanager
    def shrinking(self) -> Iterator[None]:
        """Count nothing of what is heard within, and let `hold` raise what no earlier check found."""
        self._earlier, self._counting = self._broken_before(), False
        yield
        self._counting = True

    def _broken_before(self) -> frozenset[str]:
        return frozenset(one.clause for one in self.failures if one.check != self._check)

    def case(
        self, request: dict[str, Any], ruling: Ruling | None = None, clauses: Iterable[str] | None = None
    ) -> Case:
        """Make a case of a request, by the law where ruling and clauses are not known already."""
        numbered = wire({"seq": 1, **request})
        by_law = rule(numbered, self.profile) if ruling is None else ruling
        tested = exercised(numbered, by_law, self.profile) if clauses is None else tuple(clauses)
        bound = request["cmd"] == "create" and release_bound(numbered)
        case = Case(numbered, expectation(by_law), tested, (zones.release(),) if bound else ())
        if self._generated and self._counting and self._may_ask(case):
            self._count_reach(by_law)
        return case

    def _count_reach(self, ruling: Ruling) -> None:
        """Count a rejection as reached where no other clause would have rejected too."""
        clauses = {rejection.clause for rejection in refusals_of(ruling)}
        if len(clauses) == 1:
            self.reached[clauses.pop()] += 1

    def _may_ask(self, case: Case) -> bool:
        return not case.releases or self.tzdata in case.releases

    def frozen_case(self, vector: Vector) -> Case:
        """Make a case of a vector, whose expectation is frozen; its clauses are those exercised too."""
        request = {"seq": 1, **vector.request}
        tested = exercised(request, rule(request, self.profile), self.profile)
        clauses = tuple(dict.fromkeys((*vector.clauses, *tested)))
        return Case(request, vector.expected, clauses, vector.releases)

    def hear(self, case: Case, vector: str | None = None) -> Failure | None:
        """Ask the system one case and count how it fares; return the failure, if it is one."""
        if self.only and self.only.isdisjoint(case.clauses):
            return None
        if not self._may_ask(case):
            self.tallies[self._check].left_out += self._counting
            return None
        verdict = self._judged(case)
        if not isinstance(verdict, Failed):
            if self._counting:
                self._count(case, verdict)
            return None
        core, told = self._core(case, verdict)
        if self._counting:
            self._count(case, told)
        return Failure(self._check, core, told, vector)

    def hold(self, case: Case) -> None:
        """Hear a case within a property, and keep its failure; while shrinking, a new clause's is raised."""
        failure = self.hear(case)
        if failure is None:
            return
        raisable = failure.clause not in self._earlier and failure.verdict.fault is not Fault.LATE
        if raisable and not self._counting:
            self.first_raised = self.first_raised or failure
            raise broken(failure.clause)(failure)
        self.record(failure)

    def record(self, failure: Failure) -> None:
        """Keep a failure for the report: of a vector always, else where nothing alike is kept.

        What came of shrinking takes the place of what the check at hand kept of its kind. It is counted where
        the check met nothing of its kind before: nothing is shown that is not counted.
        """
        kind = (failure.clause, failure.fault)
        if kind not in self.tallies[self._check].met:
            self._count(failure.case, failure.verdict)
        alike = [place for place, one in enumerate(self.failures) if (one.clause, one.fault) == kind]
        if failure.vector is not None or not alike:
            self.failures.append(failure)
        elif not self._counting and self.failures[alike[0]].check == failure.check:
            self.failures[alike[0]] = failure

    def _judged(self, case: Case) -> Verdict:
        reply = self.system.ask(wire(case.request))
        verdict = judge_against(case.expected, case.request, reply, self.profile)
        if isinstance(verdict, Unsupported) and verdict.feature in self.features:
            return unfulfilled(case.expected, case.request, reply, self.profile)
        return verdict

    def _core(self, case: Case, verdict: Failed) -> tuple[Case, Failed]:
        """Return what is essential in a failing case, or that it fails only now and then."""
        if verdict.fault is Fault.LATE:
            return case, verdict
        try:
            if isinstance(self._judged(case), Failed):
                return self._narrowed(case, verdict)
        except GivenUpError:
            return case, verdict
        return case, unsteady(case.request, verdict)

    def _narrowed(self, case: Case, verdict: Failed) -> tuple[Case, Failed]:
        """Return the core of a failing log: its shortest failing beginning, without events that don't matter.

        The beginning tells the clause; leaving an event out has to leave the clause as it is. An unsound part
        that was inherited is blamed only where nothing smaller fails.
        """
        events = case.request.get("events")
        begin = boundary(events, case.request.get("seedLength", 0)) if isinstance(events, list) else None
        if events is None or begin is None:
            return self._plainer(case, verdict)
        for end in range(begin, len(events)):
            shorter = self._retried(case, events[:end], begin)
            if shorter is not None:
                case, verdict, events = *shorter, events[:end]
                break
        for position in reversed(range(len(events))):
            inherited = begin - 1 if position < begin else begin
            smaller = self._retried(case, [*events[:position], *events[position + 1 :]], inherited)
            if smaller is not None and verdict.clause in (smaller[1].clause, "fork.prefix-unread"):
                case, verdict, events, begin = *smaller, smaller[0].request["events"], inherited
        return case, verdict

    def _plainer(self, case: Case, verdict: Failed) -> tuple[Case, Failed]:
        """Return a failing case in which all is plain that can be made so while it fails."""
        for make_plain in plainer(case.request):
            request = make_plain(case.request)
            retried = None if request is None else self._asked({**request, "seq": 1})
            case, verdict = retried or (case, verdict)
        return case, verdict

    def _retried(self, case: Case, events: list[Any], begin: int) -> tuple[Case, Failed] | None:
        seed_length = {"seedLength": begin} if "seedLength" in case.request else {}
        return self._asked({"seq": 1, "cmd": "fold", "events": events, **seed_length})

    def _asked(self, request: dict[str, Any]) -> tuple[Case, Failed] | None:
        """Ask something that was made smaller; return the case and how it fails, None where it does not."""
        ruling = rule(request, self.profile)
        retried = Case(request, expectation(ruling), exercised(request, ruling, self.profile))
        verdict = self._judged(retried)
        return (retried, verdict) if isinstance(verdict, Failed) else None

    def _count(self, case: Case, verdict: Verdict) -> None:
        check = self.tallies[self._check]
        check.clauses.update(case.clauses)
        for tally in (check, *(self.counts[clause] for clause in case.clauses)):
            tally.executed += 1
            tally.passed += isinstance(verdict, Passed)
            tally.unsupported += isinstance(verdict, Unsupported)
        if isinstance(verdict, Failed):
            check.failed += 1
            check.met[verdict.clause, str(verdict.fault)] += 1
            self.counts[verdict.clause].failed += 1
