"""Strategies for `advance` requests: due, early, at the very instant, far beyond, ending the record, ill-
typed."""

from functools import cache
from typing import Any

from hypothesis import strategies as st

from schedule_conformance.generators.logs import draw_decision_time
from schedule_conformance.generators.values import (
    NEAR_NUMBERS,
    Object,
    edited,
    hostile_changes,
    intervals,
    moments,
    records,
)
from schedule_spec.instants import EARLIEST, LATEST, render
from schedule_spec.numbers import MAX_SAFE

_OUT_OF_RANGE = (EARLIEST - 1, LATEST + 1, -MAX_SAFE, MAX_SAFE, MAX_SAFE + 1)
_ANY_TIMES = st.one_of(st.sampled_from(_OUT_OF_RANGE), st.integers(-MAX_SAFE, MAX_SAFE))


_SECONDS = st.one_of(st.just(300), intervals(), st.integers(300, 10**9))
_TARGETS = st.one_of(
    moments(),
    st.integers(LATEST - 700_000, LATEST),
    st.sampled_from((EARLIEST, EARLIEST, 0, -300_000, -600_000)),
)


@cache
@st.composite
def every_records(draw: st.DrawFn) -> tuple[Object, int, int]:
    """An every with its target and interval in ms, often early or close to the end of the range."""
    seconds, target = draw(_SECONDS), draw(_TARGETS)
    record = {
        "id": "a",
        "kind": "every",
        "prompt": "p",
        "everySeconds": seconds,
        "scheduledAt": render(target),
    }
    return record, target, seconds * 1000


@cache
@st.composite
def due_advances(draw: st.DrawFn) -> Object:
    """Advances at a decision time around the aligned instants."""
    record, target, interval = draw(every_records())
    return {"cmd": "advance", "record": record, "acceptedAt": draw_decision_time(draw, target, interval)}


@cache
@st.composite
def odd_advances(draw: st.DrawFn) -> Object:
    """Advances of what cannot be advanced, or at no decision time."""
    record, target, _ = draw(every_records())
    accepted: Any = max(target, EARLIEST)
    match draw(st.sampled_from(("record", "one-shot", "hostile", "accepted", "range"))):
        case "record":
            return {"cmd": "advance", "record": draw(edited(record)), "acceptedAt": accepted}
        case "one-shot":
            return {"cmd": "advance", "record": draw(records()), "acceptedAt": accepted}
        case "hostile":
            return {"cmd": "advance", "record": draw(hostile_changes()), "acceptedAt": accepted}
        case "accepted":
            spelt = (
                *NEAR_NUMBERS,
                float(accepted),
                accepted + 0.5,
                render(accepted),
                str(accepted),
                [accepted],
                {},
            )
            return {"cmd": "advance", "record": record, "acceptedAt": draw(st.sampled_from(spelt))}
        case _:
            return {"cmd": "advance", "record": record, "acceptedAt": draw(_ANY_TIMES)}


def advances() -> st.SearchStrategy[Object]:
    """`advance` requests of every sort."""
    return st.one_of(due_advances(), due_advances(), odd_advances())


@cache
@st.composite
def pairs_of_advances(draw: st.DrawFn) -> tuple[Object, int, int]:
    """An every and two decision times in order, for what rate.path-independent says of them."""
    record, target, interval = draw(every_records())
    first = max(draw_decision_time(draw, target, interval), target)
    return record, first, max(first, draw_decision_time(draw, first, interval))
