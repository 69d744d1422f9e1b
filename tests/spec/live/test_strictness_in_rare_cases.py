"""How strict the live law is where much comes together: held barriers, owners that have stopped, lost ends.

As in `test_strictness`: traces that differ from an allowed one in one respect, with their verdicts.
"""

import pytest
from tests.spec.live.situations import (
    CRASH,
    CREATE,
    DELETE,
    DISPOSE,
    DUE,
    EMPTY,
    HELD_CALL,
    HOLD,
    IDLE,
    LIST,
    LOST,
    NOTHING,
    REJECTED,
    REOPEN,
    SENT,
    SOON,
    STOPPED,
    TURN,
    UNCERTAIN_C,
    WITH_A,
    A,
    X,
    failing,
    foreign,
    foreign_delete,
    script,
)
from tests.spec.live.traces import (
    CLAIM,
    FAIL,
    NOON,
    OK,
    RELEASE,
    Exchanges,
    Json,
    advance,
    allowed,
    append,
    call,
    change,
    clock,
    command,
    error,
    every,
    judged,
    later,
    one,
    opened,
    refused,
    reminder,
    value,
    view,
)

from schedule_spec.delivery import States, Violation, after_exchange, initial

LAST = 253_402_300_799_999
"""The last instant there is."""
BUSY_ON = command("busy", on=True)
LOST_END: Exchanges = [
    EMPTY,
    script("ok", "fail"),
    (CREATE, [OK, append(X), FAIL, UNCERTAIN_C]),
    REOPEN,
    CRASH,
    REOPEN,
]
"""A crash may have lost the end of the log or not: what a clean close has left may be durable."""

REFUSED: dict[str, tuple[str, Exchanges]] = {
    "a call whose preflight failed answers after another, where the owner has stopped": (
        "barrier.uncertain",
        [
            *STOPPED,
            script("fail"),
            (LIST, later(60, FAIL, OK, value("l", [view(A, "overdue"), view(one("b", 120))]))),
        ],
    ),
    "a good barrier before a call taken for its preflight": (
        "barrier.uncertain",
        [EMPTY, script("ok", "hold"), (TURN, [OK]), (LIST, []), (LOST, [FAIL, NOTHING])],
    ),
    "a record waited for too long after another was deleted behind a held barrier": (
        "deliver.no-loss",
        [
            (opened(A, one("b", 100)), []),
            HOLD,
            (advance(60), []),
            (TURN, []),
            (foreign_delete("a"), []),
            (SENT, later(60, OK)),
            (advance(40), []),
        ],
    ),
    "a barrier that was to be held, lost while the session was not live": (
        "barrier.before-read",
        [EMPTY, CRASH, HOLD, REOPEN, (LIST, [OK, NOTHING])],
    ),
    "another message for the same arguments, which another call stood before": (
        "tool.errors-stable",
        [
            *HELD_CALL,
            (SOON, []),
            (advance(1), later(1, error("c", "invalid_rule"))),
            (SENT, later(1, OK, NOTHING)),
            (SOON | {"callId": "d"}, [value("d", {"code": "invalid_rule", "message": "another"})]),
        ],
    ),
    "a claim that is neither granted nor refused": (
        "owner.idle-only",
        [(opened(DUE), [OK, {"claim": "yes"}])],
    ),
    "a held barrier of a child": (
        "barrier.uncertain",
        [(opened(agent="child"), []), HOLD, (SENT, [OK])],
    ),
    "a barrier after one that was to be held, while the idle phase is claimed": (
        "barrier.uncertain",
        [
            WITH_A,
            script("ok", "hold", "ok"),
            (advance(60), later(60, OK, CLAIM, OK, reminder("a", 60), change("dispatch", "a"), RELEASE)),
        ],
    ),
    "an append of a call while a barrier is held": (
        "barrier.fifo",
        [EMPTY, script("ok", "hold", "ok"), (CREATE, [OK, OK, append(X)])],
    ),
    "an append of a call that disposal has failed": (
        "tool.create-result",
        [EMPTY, HOLD, (CREATE, []), (DISPOSE, [error("c", "internal_error")]), (SENT, [OK, append(X), OK])],
    ),
    "an idle agent's due work, behind a held barrier when its wait was over": (
        "owner.idle-only",
        [
            WITH_A,
            (BUSY_ON, []),
            (clock(90), []),
            HOLD,
            (IDLE, []),
            (advance(60), []),
            (SENT, later(150, OK)),
        ],
    ),
}

ALLOWED: dict[str, Exchanges] = {
    "a held barrier that fails may have been the owner's, though a call had answered meanwhile": [
        WITH_A,
        HOLD,
        (SOON, []),
        (advance(1), later(1, error("c", "invalid_rule"))),
        (LOST, later(1, FAIL)),
        (advance(59), []),
    ],
    "a wait derived while busy stands when the agent is idle behind a held barrier": [
        (opened(A, one("b", 300)), []),
        HOLD,
        (advance(60), []),
        (BUSY_ON, []),
        (foreign_delete("a"), []),
        (clock(200), []),
        (IDLE, []),
        (SENT, later(200, OK)),
        (advance(100), []),
    ],
    "a look at which the clock was beyond its range leaves no wait": [
        (opened(every("a", 60)), []),
        (command("set_clock", now=LAST + 1), [OK]),
        (clock(61), []),
        (advance(60), []),
    ],
    "a wait may have been derived before a delete whose barrier is held": [
        # It is for "a" then; when it is over the clock is back, and so the next one is long.
        (opened(A, one("b", 300)), []),
        script("hold", "ok", "hold"),
        (LIST, []),
        (DELETE, []),
        (SENT, [OK, value("l", [view(A), view(one("b", 300))]), OK, change("delete", "a")]),
        (LOST, [FAIL, error("d", "persistence_uncertain", operation="delete", id="a")]),
        (clock(-1000), []),
        (advance(60), []),
        (clock(60), []),
        (advance(240), []),
    ],
    "a call of a session that is not live is answered by nobody": [EMPTY, CRASH, (LIST, [])],
    "a candidate that only a lost end lets in is refused": [*LOST_END, (foreign(A), [REJECTED])],
    "or is let in": [*LOST_END, (foreign(A), [])],
    "the time that a turn is told does not set the clock": [
        WITH_A,
        (command("turn", now=NOON + 90_000), []),
        (advance(1), later(1, OK)),
    ],
    "the text that a turn is told is no backend's": [
        EMPTY,
        (command("turn", text="internal"), []),
        failing("create"),
        (CREATE, [OK, error("c", "internal_error")]),
    ],
}


@pytest.mark.parametrize(("clause", "exchanges"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(clause: str, exchanges: Exchanges) -> None:
    refused(exchanges, clause)


@pytest.mark.parametrize("exchanges", ALLOWED.values(), ids=ALLOWED)
def test_what_is_allowed(exchanges: Exchanges) -> None:
    allowed(exchanges)


def test_a_fork_is_of_what_a_crash_has_left_for_certain() -> None:
    with pytest.raises(ValueError, match=r"^at is 1; 0 to 0 is allowed$"):
        judged([*LOST_END, (command("fork", at=1, **{"as": "f"}), [])])


@pytest.mark.parametrize("names", ["", "s", "t"])
def test_of_two_sessions_that_owe_the_one_opened_first_is_told(names: str) -> None:
    both: Exchanges = [WITH_A, (opened(A) | {"session": "t"}, [])]
    turns: Exchanges = [(TURN | {"session": name}, []) for name in names]
    found = judged([*both, *turns, (advance(60), [])])
    assert isinstance(found, Violation)
    assert found.session == "s"


def test_what_is_owed_is_told_before_what_is_wrong_in_a_reply() -> None:
    found = judged([(opened(DUE), [{"reply": {"tools": []}}])])
    assert isinstance(found, Violation)
    assert found.clause == "owner.session-local"


def test_the_first_fault_of_arguments_is_told_where_they_were_to_be_refused() -> None:
    twice = call("c", "create", prompt=" ", after_seconds="60")
    found = judged([EMPTY, (twice, [OK, append(X)])])
    assert isinstance(found, Violation)
    assert found.clause == "tool.create-prompt"


@pytest.mark.parametrize(
    ("observed", "told"), [([7], '{"observed":7}'), (["barrier"], '{"observed":"barrier"}')]
)
def test_an_observation_that_is_no_object_is_told(observed: list[Json], told: str) -> None:
    found = judged_reply({"result": {"observed": observed}})
    assert isinstance(found, Violation)
    assert found.observation == told


def judged_reply(reply: dict[str, Json]) -> States | Violation:
    return after_exchange(initial(), opened(), reply)


def test_a_command_without_a_session_is_of_none() -> None:
    with pytest.raises(ValueError, match=r"^session is null; a string is required$"):
        judged([(opened() | {"session": "~"}, []), ({"cmd": "turn"}, [])])
