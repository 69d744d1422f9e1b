"""Where a target stands against the clock sample (view.state), for all integers."""

from collections.abc import Callable
from typing import Any, TypeAlias

from proofs.paths import claim
from schedule_spec import views
from schedule_spec.records import After, At, Every, Record
from schedule_spec.views import ScheduleState

Number: TypeAlias = Any
Standing: TypeAlias = Callable[[Record, Number], ScheduleState]


def _stands(standing: Standing, target: Number, now: Number) -> None:
    for record in (After("a", "p", 1, target), At("a", "p", target), Every("a", "p", 300, target)):
        if standing(record, now) is ScheduleState.OVERDUE:
            claim(target <= now, "view.state: what is overdue is not still to come")
        else:
            claim(target > now, "view.state: what is scheduled is still to come")


def a_target_is_overdue_from_its_instant_on(target: Number, now: Number) -> None:
    """The law's state, whatever target and clock sample."""
    _stands(views.state_of, target, now)


def _from_the_next_ms(record: Record, now: Number) -> ScheduleState:
    """Take what falls due just now for scheduled."""
    return ScheduleState.OVERDUE if now > record.scheduled_at else ScheduleState.SCHEDULED


def a_target_is_overdue_from_the_next_ms_on(target: Number, now: Number) -> None:
    """The same of a state that turns a ms late."""
    _stands(_from_the_next_ms, target, now)
