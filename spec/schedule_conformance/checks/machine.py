"""A stateful machine that builds logs event by event and asks for the fold after each.

It creates, deletes and dispatches, rightly and wrongly, puts foreign events in between, forks, reuses and
adopts the ids of parents, dispatches late and ends everys. What the law refuses is asked and not kept.
"""

from dataclasses import replace
from typing import Any

from hypothesis import seed
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from schedule_conformance.checks.trials import Trial
from schedule_conformance.generators import logs
from schedule_conformance.generators.steady import FOUND_AS_IT_IS, quiet_settings, seed_of
from schedule_conformance.judgement.narrowing import concerned
from schedule_spec import fold
from schedule_spec.fold import State

ID = "machine/logs"
NAME = "fold: logs grown event by event"

DERIVED = ("fold.prefix", "fold.incremental")
"""Every prefix of the log was asked before, so a fold that contradicts them shows."""


def machine(trial: Trial) -> type[RuleBasedStateMachine]:
    """Return the machine that puts its questions to the system under trial."""

    def here(strategy: Any) -> st.SearchStrategy[Any]:
        return st.runner().flatmap(strategy)

    class GrowingLog(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.events: list[Any] = []
            self.seed_length = 0
            self.state = fold.EMPTY
            self.parent = fold.EMPTY
            self.refuted = False

        def ask(self, events: list[Any], seed_length: object, *more: str) -> None:
            case = trial.case({"cmd": "fold", "events": events, "seedLength": seed_length})
            self.refuted = True
            trial.hold(replace(case, clauses=(*case.clauses, *DERIVED, *more)))
            self.refuted = False

        def grow(self, event: Any) -> None:
            """Ask for the log with one more event, and keep the event if the law does."""
            self.ask([*self.events, event], self.seed_length)
            after = fold.step(self.state, event)
            if isinstance(after, State):
                self.events = [*self.events, event]
                self.state = after

        @rule(event=here(lambda self: logs.next_events(self.state)))
        def continue_soundly(self, event: Any) -> None:
            self.grow(event)

        @rule(events=here(lambda self: logs.continuations(self.state)))
        def continue_at_length(self, events: list[Any]) -> None:
            for event in events:
                self.grow(event)

        @rule(event=here(lambda self: logs.bad_events(self.state)))
        def continue_badly(self, event: Any) -> None:
            self.grow(event)

        @precondition(lambda self: self.parent.active)
        @rule(event=here(lambda self: logs.follow_ups(self.parent)))
        def adopt(self, event: Any) -> None:
            self.grow(event)

        @precondition(lambda self: self.parent.seen)
        @rule(record=here(lambda self: logs.new_records(self.parent.seen)))
        def reuse_of_parent(self, record: dict[str, Any]) -> None:
            self.grow(logs.creation(record))

        @precondition(lambda self: len(self.events) > 2)
        @rule(at=here(lambda self: st.integers(1, len(self.events))))
        def fork(self, at: int) -> None:
            inherited = fold.fold(self.events[:at], min(self.seed_length, at))
            self.events, self.seed_length = self.events[:at], at
            self.parent = inherited if isinstance(inherited, State) else fold.EMPTY
            self.state = fold.EMPTY
            self.ask(self.events, at)

        @rule(seed_length=here(lambda self: logs.seed_lengths(len(self.events))))
        def misplace_the_boundary(self, seed_length: object) -> None:
            self.ask(self.events, seed_length)

        def teardown(self) -> None:
            if not self.refuted:
                self.ask(self.events, self.seed_length, "fold.deterministic")

    return GrowingLog


def run(trial: Trial, runs: int, steps: int, base_seed: int) -> None:
    """Let the machine run; each clause that breaks is recorded with the smallest log that shows it."""
    seeded = seed(seed_of(NAME, base_seed))(machine(trial))
    explored = quiet_settings(runs, FOUND_AS_IT_IS, steps)
    with trial.check(ID, generated=True):
        if not concerned(trial.only, "fold"):
            return
        run_state_machine_as_test(seeded, settings=explored)
