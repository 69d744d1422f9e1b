"""Live saboteurs and near misses: worlds that are broken in one clause, or that use one freedom."""

from tests.saboteurs.live import barriers, deliveries, logs, tools
from tests.saboteurs.live.near_misses import NEAR_MISSES
from tests.saboteurs.model import Saboteur

SABOTEURS: tuple[Saboteur, ...] = (
    *tools.SABOTEURS,
    *barriers.SABOTEURS,
    *logs.SABOTEURS,
    *deliveries.SABOTEURS,
)
"""Broken live systems, by area."""

__all__ = ["NEAR_MISSES", "SABOTEURS"]
