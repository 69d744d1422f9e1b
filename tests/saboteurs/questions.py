"""What a run asks in single requests, worked out once for all systems, and what of it one answers wrongly.

The requests of generated checks depend on the seed and the law alone, never on an answer: they are recorded
once, and every system is asked the same. A reply that equals the correct implementation's passes unread.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from tests.saboteurs.pure.ways import correct, remembered

from schedule_conformance.adapters.smoke import greet
from schedule_conformance.checks import every_zone, exhaustive, machine, properties
from schedule_conformance.checks.exhaustive import Bounds
from schedule_conformance.checks.trials import Trial
from schedule_conformance.frozen import vectors
from schedule_conformance.generators.steady import same_questions
from schedule_conformance.judgement.cases import Case, Failure
from schedule_conformance.judgement.judging import Passed, Unsupported, judge_against
from schedule_conformance.protocol.json_values import same
from schedule_conformance.protocol.systems import InProcess, System
from schedule_conformance.runs.budgets import BUDGETS, DEFAULT_SEED, Budget
from schedule_spec.profiles import Profile

LITTLE = Budget("little", 25, 3, 12, Bounds(2, 1))
"""What is asked where time is short."""

QUICK = BUDGETS["quick"]
"""What is asked for the matrix."""


@dataclass
class Recorder(Trial):
    """A trial that asks nothing and keeps what it would ask."""

    cases: list[Case] = field(default_factory=list)

    def hear(self, case: Case, vector: str | None = None) -> Failure | None:
        """Keep the case; `vector` is of no use."""
        self.cases.append(case)
        return None


@dataclass(frozen=True, slots=True)
class Question:
    """One case of a check: a frozen one of this id, or a generated one."""

    check: str
    case: Case
    frozen: str | None = None


def trial_of(system: System) -> Trial:
    """Return a trial on the terms of a system's `hello`; CannotJudgeError where its adapter is not sane."""
    said = greet(system)
    return Trial(system, said.profile, said.features, tzdata=said.tzdata)


@dataclass(frozen=True, slots=True, eq=False)
class Paper:
    """Questions of a level in the order in which a run asks them, with right replies to some of them."""

    questions: tuple[Question, ...]
    right: tuple[dict[str, Any] | None, ...]


def _paper(profile: Profile, questions: tuple[Question, ...]) -> Paper:
    """Return the paper of questions; the correct implementation is of the later level alone."""
    known = profile is Profile.V1
    return Paper(questions, tuple(remembered(each.case.request) if known else None for each in questions))


@cache
def frozen(profile: Profile, surrogates: bool) -> Paper:
    """Return the frozen cases of a level."""
    trial = Trial(InProcess("nobody", correct), profile, frozenset())
    cases = tuple(
        Question(f"vector/{vector.area}", trial.frozen_case(vector), vector.id)
        for vector in vectors.vectors()
        if vector.profile is profile and (surrogates or not vector.needs_surrogates)
    )
    return _paper(profile, cases)


@cache
def generated(profile: Profile, surrogates: bool, budget: Budget) -> Paper:
    """Return the cases of all generated checks of a level, in the order in which a run asks them."""
    asks: list[tuple[str, Callable[[Recorder], None]]] = [
        (each.id, partial(_property, each, budget)) for each in properties.properties(surrogates, profile)
    ]
    asks.append((machine.ID, partial(_machine, budget)))
    asks.append((exhaustive.ID, lambda recorder: exhaustive.run(recorder, budget.bounds)))
    if profile is Profile.V1:
        asks.append((every_zone.ID, lambda recorder: every_zone.run(recorder, budget.days)))
    cases = tuple(Question(check, case) for check, ask in asks for case in _recorded(profile, ask))
    return _paper(profile, cases)


def _property(prop: properties.Property, budget: Budget, recorder: Recorder) -> None:
    properties.run(recorder, prop, budget.examples, DEFAULT_SEED)


def _machine(budget: Budget, recorder: Recorder) -> None:
    machine.run(recorder, budget.machine_runs, budget.machine_steps, DEFAULT_SEED)


def _recorded(profile: Profile, ask: Callable[[Recorder], None]) -> list[Case]:
    recorder = Recorder(InProcess("nobody", correct), profile, frozenset())
    with same_questions():
        ask(recorder)
    return recorder.cases


def wrong(trial: Trial, paper: Paper) -> Iterator[tuple[Question, object]]:
    """Yield the questions that a system answers wrongly, with its replies."""
    for question, right in zip(paper.questions, paper.right, strict=True):
        reply = trial.system.ask(question.case.request)
        if right is not None and (reply is right or same(reply, right)):
            continue
        case = question.case
        if case.releases and trial.tzdata not in case.releases:
            continue
        verdict = judge_against(case.expected, case.request, reply, trial.profile)
        lacking = isinstance(verdict, Unsupported) and verdict.feature not in trial.features
        if not isinstance(verdict, Passed) and not lacking:
            yield question, reply


def blamed(trial: Trial, question: Question) -> str | None:
    """Return the clause under which a run reports the wrong answer to a question."""
    with trial.check(question.check, generated=False):
        failure = trial.hear(question.case, question.frozen)
    return failure.clause if failure else None
