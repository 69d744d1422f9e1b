"""Views: what is shown of a record of each kind, about its target (view.fields, view.state)."""

from collections.abc import Callable
from typing import Any, TypeAlias

from proofs.exhaustive.cases import on_all
from proofs.outcomes import Counterexample, Counts
from schedule_impl import codec
from schedule_impl import views as implementation
from schedule_impl.errors import ScheduleError
from schedule_spec import views
from schedule_spec.instants import EARLIEST, LATEST, render
from schedule_spec.json_text import Json
from schedule_spec.numbers import MAX_SAFE
from schedule_spec.rejections import Rejection

RECORDS: tuple[dict[str, Any], ...] = (
    {"id": "a", "kind": "after", "prompt": "p", "afterSeconds": 60},
    {"id": "a", "kind": "at", "prompt": "p"},
    {"id": "a", "kind": "every", "prompt": "p", "everySeconds": 300},
)
TARGETS = (EARLIEST, 0, LATEST)
SAMPLES: tuple[int | float, ...] = (
    *(target + shift for target in TARGETS for shift in (-1, 0, 1)),
    -MAX_SAFE,
    MAX_SAFE,
    0.0,
)
"""Clock samples, one of them as a double."""
NO_SAMPLES: tuple[Json, ...] = (MAX_SAFE + 1, -MAX_SAFE - 1, 0.5, float("nan"), True, "0", None)
"""What is no safe integer."""

Viewing: TypeAlias = Callable[[dict[str, Any], Json], dict[str, Any] | None]
"""Shows a record under a clock sample, None where it refuses to."""


def _by_law(record: dict[str, Any], now: Json) -> dict[str, Json] | None:
    view = views.view(record, now)
    return None if isinstance(view, Rejection) else view


def _by_implementation(record: dict[str, Any], now: Json) -> dict[str, Any] | None:
    try:
        return implementation.view(codec.RECORDS.convert(record), now)
    except ScheduleError:
        return None


def _compared(viewing: Viewing, stored: dict[str, Any], now: Json, expected: object) -> None:
    for found in (_by_law(stored, now), viewing(stored, now)):
        if found != expected:
            raise Counterexample(f"{stored} at {now!r} is shown as {found}, not {expected}")


def _shown(viewing: Viewing, record: dict[str, Any], target: int, now: int | float) -> str:
    """Hold what law and another show to the record with its state and the one mode of delivery."""
    stored = {**record, "scheduledAt": render(target)}
    state = "scheduled" if now < target else "overdue"
    _compared(viewing, stored, now, {**stored, "state": state, "deliveryMode": "session-local"})
    return state


def _refused(viewing: Viewing, record: dict[str, Any], target: int, now: Json) -> str:
    """Hold both to refuse what is no clock sample."""
    _compared(viewing, {**record, "scheduledAt": render(target)}, now, None)
    return "refused"


def _all_views(viewing: Viewing) -> Counts:
    shown = on_all(lambda *case: _shown(viewing, *case), RECORDS, TARGETS, SAMPLES)
    return {**shown, **on_all(lambda *case: _refused(viewing, *case), RECORDS, TARGETS, NO_SAMPLES)}


def views_show_a_record_with_its_state_and_mode() -> Counts:
    """Law and implementation."""
    return _all_views(_by_implementation)


def _a_ms_early(record: dict[str, Any], now: Json) -> dict[str, Any] | None:
    """Take what falls due in a ms for overdue."""
    return _by_implementation(record, 0 if now == -1 else now)


def views_a_little_early() -> Counts:
    """The same of an implementation in which a target is overdue a ms early."""
    return _all_views(_a_ms_early)
