"""Worlds as a Hypothesis state machine: each world command is a rule, where it makes sense.

Beside the plain walk it is worth its cost because Hypothesis leaves out whole rules in one run and repeats
itself in the next, which reaches other corners than even choices do. Failing worlds end quietly and are made
short afterwards, like those of the walk.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import seed
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from schedule_conformance.generators.steady import FOUND_AS_IT_IS, quiet_settings, seed_of
from schedule_conformance.worlds import inputs
from schedule_conformance.worlds.inputs import MOODS, Manner
from schedule_conformance.worlds.sources import pick
from schedule_conformance.worlds.world import World
from schedule_spec.delivery.choices import Choice

OFTEN = {"call": 3, "advance_time": 3, "release": 3}
"""Commands that have more than one rule, so that they are chosen more often."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Choices that Hypothesis makes."""

    data: st.DataObject

    def whole(self, least: int, most: int) -> int:
        """Return a number within the bounds, as Hypothesis draws it."""
        return self.data.draw(st.integers(least, most))


Begin = Callable[[], World]
Ask = Callable[[World, inputs.Request], object]


@dataclass(frozen=True, slots=True)
class Driver:
    """How the machine begins a world and asks in it, and whether unpaired surrogates may occur."""

    begin: Begin
    ask: Ask
    surrogates: bool


def machine(driver: Driver) -> type[RuleBasedStateMachine]:
    """Return the machine that begins worlds and asks them commands."""

    class Life(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.world = driver.begin()
            self.manner = Manner(surrogates=driver.surrogates)
            self.number = 0

        @initialize(data=st.data())
        def open(self, data: st.DataObject) -> None:
            source = Drawn(data)
            self.manner = Manner(pick(source, tuple(MOODS)), driver.surrogates)
            driver.ask(self.world, inputs.first(source, self.world.states, self.manner))

        def choices(self, command: str) -> list[Choice]:
            sensible = inputs.sensible(self.world.states)
            return [choice for choice in sensible if choice.command == command]

        def act(self, command: str, source: Drawn) -> None:
            if self.world.violation is not None:
                return
            self.number += 1
            choice = pick(source, self.choices(command))
            request = inputs.request(source, self.world.states, choice, self.manner, self.number)
            driver.ask(self.world, request)

    rules = {
        f"{command}_{copy}": _rule(command)
        for command in inputs.WEIGHTS
        for copy in range(OFTEN.get(command, 1))
    }
    return type("World", (Life,), rules)


def _rule(command: str) -> Any:
    @precondition(lambda self: bool(self.choices(command)))
    @rule(data=st.data())
    def act(self: Any, data: st.DataObject) -> None:
        self.act(command, Drawn(data))

    return act


def run(driver: Driver, runs: int, steps: int, base_seed: int) -> None:
    """Let the machine run so many worlds of so many commands each."""
    seeded = seed(seed_of("worlds: state machine", base_seed))(machine(driver))
    run_state_machine_as_test(seeded, settings=quiet_settings(runs, FOUND_AS_IT_IS, steps))
