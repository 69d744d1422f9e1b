"""What a generator of worlds is told: the commands that make sense."""

import pytest
from tests.spec.live.situations import CRASH, CREATE, EMPTY, HOLD, LEFT_BEHIND, LIST, SECOND, SOON, abort
from tests.spec.live.traces import (
    Exchanges,
    aborted,
    advance,
    error,
    judged,
    later,
    opened,
)

from schedule_spec.delivery import States, initial
from schedule_spec.delivery.choices import Choice, enabled

TIME = [("advance_time", "", ""), ("set_clock", "", "")]
LIVE = ["call", "busy", "turn", "barrier", "faults", "append", "crash", "reopen", "fork", "dispose", "log"]


def of_live(name: str) -> list[tuple[str, str, str]]:
    return [(each, name, "") for each in LIVE]


def told(world: States) -> list[tuple[str, str, str]]:
    return [(choice.command, choice.session, choice.call) for choice in enabled(world)]


def after_all(exchanges: Exchanges) -> States:
    world = judged(exchanges)
    assert isinstance(world, States), world
    return world


OTHER = opened() | {"session": "t"}
ENABLED: dict[str, tuple[Exchanges, list[tuple[str, str, str]]]] = {
    "a live session": ([EMPTY], of_live("s")),
    "a session that is not live, before one that is": (
        [EMPTY, (OTHER, []), CRASH],
        [("reopen", "s", ""), *of_live("t")],
    ),
    "a barrier that may be held or not": ([EMPTY, HOLD], of_live("s")),
    "a barrier that is held, and calls": (
        [EMPTY, HOLD, (LIST, []), (SECOND, [])],
        [*of_live("s"), ("release", "s", ""), ("abort", "s", "l"), ("abort", "s", "m")],
    ),
    "a held barrier of a call that has left": (LEFT_BEHIND, [*of_live("s"), ("release", "s", "")]),
    "a call that has answered": (
        [EMPTY, HOLD, (SOON, []), (advance(1), later(1, error("c", "invalid_rule")))],
        [*of_live("s"), ("release", "s", "")],
    ),
    "a call that was cancelled and one that waits": (
        [EMPTY, HOLD, (CREATE, []), (LIST, []), (abort("c"), [aborted("c")])],
        [*of_live("s"), ("release", "s", ""), ("abort", "s", "l")],
    ),
}


def test_time_alone_can_pass_where_there_is_no_session() -> None:
    assert enabled(initial()) == (Choice("advance_time", "", ""), Choice("set_clock", "", ""))


@pytest.mark.parametrize(("exchanges", "choices"), ENABLED.values(), ids=ENABLED)
def test_what_makes_sense(exchanges: Exchanges, choices: list[tuple[str, str, str]]) -> None:
    assert told(after_all(exchanges)) == TIME + choices
