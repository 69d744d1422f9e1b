"""A plain walk: worlds one after another, every choice determined by a seed. It serves long budgets."""

import random
from collections.abc import Callable

from schedule_conformance.worlds import inputs
from schedule_conformance.worlds.inputs import MOODS, Manner
from schedule_conformance.worlds.sources import Seeded, pick
from schedule_conformance.worlds.world import World
from schedule_spec.delivery import States

LENGTH = 40
"""Commands of one world."""


def source_of(seed: int, number: int) -> Seeded:
    """Return the choices of one world of a walk."""
    return Seeded(random.Random(f"world {number} of walk {seed}"))


def stroll(
    world: World, source: Seeded, surrogates: bool, ask: Callable[[World, inputs.Request], object]
) -> None:
    """Ask a new world its commands until it ends, by length or by a violation."""
    manner = Manner(pick(source, tuple(MOODS)), surrogates)
    for number in range(LENGTH):
        choose = inputs.following if number else _first
        ask(world, choose(source, world.states, manner, number))
        if world.violation is not None:
            return


def _first(source: Seeded, states: States, manner: Manner, number: int) -> inputs.Request:
    return inputs.first(source, states, manner)
