"""All saboteurs, and all near misses: who guards the guards."""

from tests.saboteurs import live, pure
from tests.saboteurs.model import NearMiss, Saboteur

ALL: tuple[Saboteur, ...] = (*pure.SABOTEURS, *live.SABOTEURS)
"""Implementations that the court has to catch."""

NEAR_MISSES: tuple[NearMiss, ...] = (*pure.NEAR_MISSES, *live.NEAR_MISSES)
"""Implementations that the court has to let pass."""


def named(name: str) -> Saboteur:
    """Return the saboteur of a name; LookupError where there is none."""
    for saboteur in ALL:
        if saboteur.name == name:
            return saboteur
    raise LookupError(f"there is no saboteur {name!r}")
