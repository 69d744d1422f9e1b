"""Saboteurs and near misses of single requests: clauses of subject pure and log, and a few beside."""

from tests.saboteurs.model import NearMiss, Saboteur
from tests.saboteurs.pure import (
    absolute,
    creations,
    durable,
    levels,
    logs,
    near_misses,
    rates,
    showings,
    strings,
    zoned,
)

SABOTEURS: tuple[Saboteur, ...] = (
    *strings.SABOTEURS,
    *durable.SABOTEURS,
    *logs.SABOTEURS,
    *creations.SABOTEURS,
    *absolute.SABOTEURS,
    *zoned.SABOTEURS,
    *rates.SABOTEURS,
    *showings.SABOTEURS,
    *levels.SABOTEURS,
)
"""Implementations that frozen cases alone have to catch."""

NEAR_MISSES: tuple[NearMiss, ...] = near_misses.NEAR_MISSES
"""Implementations that use a freedom of the clauses."""
