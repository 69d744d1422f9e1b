"""How much a run tries: three budgets, and the seed of a run that is given none."""

from dataclasses import dataclass

from schedule_conformance.checks.every_zone import DAYS
from schedule_conformance.checks.exhaustive import Bounds
from schedule_conformance.worlds.trying import WorldBudget

DEFAULT_SEED = 20_260_101
"""The seed of a run that is given none; fixed, so that two runs are the same."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a run does: examples of a property, runs and steps of the machine, bounds of the logs, worlds.

    Without a budget for worlds none are tried. Each zone name is asked on the first `days` days
    of a list.
    """

    name: str
    examples: int
    machine_runs: int
    machine_steps: int
    bounds: Bounds
    worlds: WorldBudget | None = None
    days: int = 0


BUDGETS = {
    budget.name: budget
    for budget in (
        Budget("quick", 120, 15, 20, Bounds(2, 2), WorldBudget(10, 30, 2_500), 3),
        Budget("default", 450, 50, 25, Bounds(4, 3), WorldBudget(100, 40, 20_000), len(DAYS)),
        Budget("deep", 10_000, 1_500, 50, Bounds(5, 3), WorldBudget(1_000, 60, 500_000), len(DAYS)),
    )
}
"""The budgets by their names."""
