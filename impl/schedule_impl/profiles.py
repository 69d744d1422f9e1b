"""The two protocol levels: which changes a log of each may hold (profile.*)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from schedule_impl.changes import After, Change, Create
from schedule_impl.errors import ScheduleError, corrupt


@dataclass(frozen=True, slots=True)
class Profile:
    """A protocol level: its name, and `admit`, which gives the changes up to the first that it does not know.

    The second value that `admit` gives says why it does not know that one, None where it knows all.
    """

    name: str
    admit: Callable[[list[Change | None]], tuple[list[Change | None], ScheduleError | None]]


def _all(changes: list[Change | None]) -> tuple[list[Change | None], ScheduleError | None]:
    return changes, None


def _after_alone(changes: list[Change | None]) -> tuple[list[Change | None], ScheduleError | None]:
    """No other kind is created; so no dispatch with `acceptedAt` folds, as only an every record has one."""
    for index, change in enumerate(changes):
        if isinstance(change, Create) and not isinstance(change.schedule, After):
            return changes[:index], corrupt("profile v1-after knows no other kind than after")
    return changes, None


V1: Final = Profile("v1", _all)
"""The whole protocol."""
V1_AFTER: Final = Profile("v1-after", _after_alone)
"""The earlier level, `after` alone (profile.v1-after)."""

PROFILES: Final = {profile.name: profile for profile in (V1, V1_AFTER)}
"""Every level by its name."""
