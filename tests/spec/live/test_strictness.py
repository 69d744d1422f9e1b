"""How strict the live law is: traces that differ from an allowed one in one respect, with their verdicts.

A judge that forgets one of its conditions allows one of the traces that are refused here, or demands too much
of one that is allowed.
"""

import pytest
from tests.spec.live.situations import (
    ANOTHER,
    APPENDED,
    AS_TEXT,
    BLANK,
    BOTH_DUE,
    CORRUPT,
    CRASH,
    CREATE,
    DELETE,
    DELETED,
    DISPOSE,
    DUE,
    EMPTY,
    EPOCH,
    FAULT,
    FORK,
    FORK_LOG,
    HALTED,
    HELD_CALL,
    HOLD,
    IDLE,
    IN_FLIGHT,
    IN_FORK,
    LAST_LOST,
    LATE,
    LATER,
    LEFT_BEHIND,
    LIST,
    LONG,
    LOST,
    MADE,
    NOT_FOUND,
    NOTHING,
    NOTHING_FOUND,
    QUEUED,
    REFUSED_C,
    REFUSED_L,
    REJECTED,
    REOPEN,
    SECOND,
    SENT,
    SHORT,
    SOON,
    STOPPED,
    TURN,
    UNCERTAIN,
    UNCERTAIN_C,
    UNCERTAIN_D,
    WITH_A,
    A,
    X,
    Y,
    abort,
    failing,
    foreign,
    foreign_delete,
    longest,
    script,
)
from tests.spec.live.traces import (
    ALL,
    BUSY,
    CLAIM,
    FAIL,
    NOON,
    OK,
    RELEASE,
    Exchanges,
    Json,
    Request,
    Step,
    aborted,
    advance,
    allowed,
    append,
    at,
    batch,
    call,
    change,
    clock,
    command,
    created,
    delivered,
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

from schedule_spec.delivery import States, Terms, Violation, after_exchange, initial
from schedule_spec.delivery.machine import respond

REFUSED: dict[str, tuple[str, Exchanges]] = {
    # barriers
    "a barrier of a session that is not live": (
        "owner.session-local",
        [EMPTY, CRASH, (advance(1), later(1, OK))],
    ),
    "another outcome than was released": ("barrier.uncertain", [*HELD_CALL, (SENT, [FAIL, UNCERTAIN])]),
    "a failure that was not scripted": ("barrier.uncertain", [EMPTY, (LIST, [FAIL, UNCERTAIN])]),
    "a record lost that a barrier beside the held one had made durable": (
        "deliver.no-loss",
        [*APPENDED, (advance(1), later(1, OK)), CRASH, REOPEN, (advance(60), [])],
    ),
    "a record lost that a cancelled call's barrier had made durable": (
        "deliver.no-loss",
        [
            EMPTY,
            script("hold", "ok", "fail"),
            (CREATE, []),
            (abort("c"), [aborted("c")]),
            (ANOTHER, [OK, append(X), FAIL, UNCERTAIN_D]),
            (SENT, [OK]),
            CRASH,
            REOPEN,
            (advance(60), []),
        ],
    ),
    "a cancelled call's barrier taken for the next call's": (
        "barrier.fifo",
        [EMPTY, HOLD, (CREATE, []), (abort("c"), [aborted("c")]), HOLD, (LIST, []), (SENT, [OK, NOTHING])],
    ),
    "no second delivery after the first": (
        "deliver.no-loss",
        [(opened(A, one("b", 61)), []), (clock(90), [OK, *delivered("a", 60)])],
    ),
    "a delivery's last barrier taken for a call's preflight": (
        "tool.list",
        [WITH_A, (clock(90), []), (LIST, [OK, *delivered("a", 60), NOTHING])],
    ),
    "an answer after a delivery's last barrier failed": (
        "tool.list",
        [WITH_A, (clock(90), []), script("ok", "fail"), (LIST, [*LAST_LOST, NOTHING])],
    ),
    "a wait forgotten over a cancelled call": (
        "deliver.no-loss",
        [
            WITH_A,
            (clock(90), []),
            HOLD,
            (LIST, []),
            (abort("l"), []),
            (SENT, [OK, aborted("l")]),
            (advance(60), []),
        ],
    ),
    "a wait forgotten over a look of the owner's own": (
        "deliver.no-loss",
        [WITH_A, (advance(30), later(30, OK)), (advance(30), [])],
    ),
    "a wait forgotten over a barrier at which work was due": (
        "deliver.no-loss",
        [WITH_A, (clock(90), [OK]), (advance(60), [])],
    ),
    "a delivery with a failed barrier before the claim": (
        "owner.activity-retry",
        [WITH_A, script("ok", "fail"), (advance(60), later(60, OK, FAIL, CLAIM, reminder("a", 60)))],
    ),
    "an uncertain answer of a call that was cancelled": (
        "barrier.cancel",
        [*HELD_CALL, (abort("l"), []), (LOST, [FAIL, UNCERTAIN])],
    ),
    "a failed barrier that revives an owner that has stopped": (
        "deliver.append-failure-faults",
        [*STOPPED, script("fail"), (TURN, later(60, FAIL)), (TURN, later(60, OK, CLAIM))],
    ),
    "a second try at once after a failed preflight": (
        "owner.activity-retry",
        [WITH_A, script("fail"), (advance(60), later(60, FAIL, OK, *delivered("a", 60)))],
    ),
    "a second try at once, with a barrier of another instant before it": (
        "owner.activity-retry",
        [(opened(A), [OK]), script("fail"), (advance(60), later(60, FAIL, OK, *delivered("a", 60)))],
    ),
    # the owner
    "a delivery without a claim": ("deliver.sequence", [(opened(DUE), [OK, *delivered("a", -1)[1:]])]),
    "a delivery without a release": (
        "deliver.sequence",
        [(opened(DUE), [OK, CLAIM, reminder("a", -1), change("dispatch", "a"), OK])],
    ),
    "an owner that has stopped, and lives again once idle": (
        "deliver.append-failure-faults",
        [*STOPPED, (IDLE, later(60, OK, CLAIM))],
    ),
    "a drive after disposal, since its barrier failed": (
        "owner.dispose",
        [
            WITH_A,
            HOLD,
            (advance(60), []),
            (DISPOSE, []),
            (LOST, later(60, FAIL)),
            (TURN, later(60, OK, CLAIM)),
        ],
    ),
    "a drive after disposal, since the last barrier failed": (
        "owner.dispose",
        [*IN_FLIGHT, (DISPOSE, []), (LOST, later(60, FAIL)), (TURN, later(60, OK, CLAIM))],
    ),
    "what was due at a failure, when nothing more has come due": (
        "deliver.barrier-failure",
        [
            (opened(one("a", EPOCH), one("b", EPOCH), now=0, busy=True), []),
            script("ok", "fail"),
            (IDLE, [OK, *delivered("a", EPOCH)[:-1], FAIL]),
            (advance(0.001), later(EPOCH + 0.001, OK, *delivered("b", EPOCH))),
        ],
    ),
    "a wait that the longest timer holds, not kept": ("deliver.no-loss", longest(2**31 - 1)),
    # calls
    "a failed append of another operation": (
        "tool.error-sound",
        [WITH_A, failing("create"), (DELETE, [OK, error("d", "internal_error")])],
    ),
    "a failed create where deletes fail": (
        "tool.error-sound",
        [EMPTY, failing("delete"), (CREATE, [OK, error("c", "internal_error")])],
    ),
    "a delete answered by what it did itself": (
        "barrier.after-append",
        [WITH_A, (DELETE, [OK, change("delete", "a"), NOT_FOUND])],
    ),
    "a delete answered by what it did itself, with a call behind it": (
        "barrier.after-append",
        [WITH_A, HOLD, (DELETE, []), (LIST, []), (SENT, [OK, change("delete", "a"), NOT_FOUND, OK, NOTHING])],
    ),
    "a value for a call that was cancelled": (
        "barrier.cancel",
        [*HELD_CALL, (abort("l"), []), (SENT, [OK, NOTHING])],
    ),
    "an owner that lives again after a cancelled call's barrier failed": (
        "owner.activity-retry",
        [
            *HALTED,
            HOLD,
            (LIST, []),
            (abort("l"), []),
            (LOST, later(60, FAIL, aborted("l"), OK, *delivered("a", 60))),
        ],
    ),
    "a dispatch that a delete appends": (
        "tool.delete-active",
        [WITH_A, (DELETE, [OK, change("dispatch", "a")])],
    ),
    "a create that a delete appends": ("barrier.fifo", [WITH_A, (DELETE, [OK, append(Y)])]),
    "a delete that a create appends": ("barrier.fifo", [WITH_A, (CREATE, [OK, change("delete", "a")])]),
    "the delete of another record": (
        "tool.delete-active",
        [(opened(A, one("b", 60)), []), (DELETE, [OK, change("delete", "b")])],
    ),
    "the answer of a call that is not there": ("tool.list", [EMPTY, (LIST, [OK, value("m", [])])]),
    "one answer for two calls": ("tool.list", [*HELD_CALL, (SECOND, []), (SENT, [OK, NOTHING, OK])]),
    "one answer for two calls that were through": (
        "barrier.before-read",
        [*HELD_CALL, (SECOND, []), (SENT, [OK, OK, NOTHING])],
    ),
    "the abort of another call": ("barrier.cancel", [*HELD_CALL, (CREATE, []), (abort("l"), [aborted("c")])]),
    "an abort told twice": ("barrier.cancel", [*HELD_CALL, (abort("l"), [aborted("l"), aborted("l")])]),
    "a value of a call that a crash cut off": ("tool.list", [*HELD_CALL, (CRASH[0], [NOTHING])]),
    "a call that was never made cut off by a crash": (
        "barrier.cancel",
        [*HELD_CALL, (CRASH[0], [aborted("m")])],
    ),
    "a call cut off twice": ("barrier.cancel", [*HELD_CALL, (CRASH[0], [aborted("l"), aborted("l")])]),
    "a call cut off by a crash that had been cancelled before": (
        "barrier.cancel",
        [*HELD_CALL, (abort("l"), [aborted("l")]), (CRASH[0], [aborted("l")])],
    ),
    "a call in the queue cut off by a crash that had been cancelled before": (
        "barrier.cancel",
        [*QUEUED, (abort("c"), [aborted("c")]), (CRASH[0], [aborted("c")])],
    ),
    "a call cut off long after the crash": (
        "barrier.cancel",
        [*HELD_CALL, CRASH, (advance(1), later(1, aborted("l")))],
    ),
    "an internal error in place of what was appended": (
        "barrier.after-append",
        [*APPENDED, (DISPOSE, [error("c", "internal_error")])],
    ),
    "a refusal by the host without a reason": (
        "tool.ill-typed",
        [*HELD_CALL, (advance(1), later(1, REFUSED_L))],
    ),
    "an internal error without a reason": (
        "tool.error-sound",
        [*HELD_CALL, (advance(1), later(1, error("l", "internal_error")))],
    ),
    "an append of a call cancelled in the queue": (
        "tool.create-result",
        [*QUEUED, (abort("c"), [aborted("c")]), (SENT, [OK, NOTHING, OK, append(X)])],
    ),
    "a value of a call cancelled in the queue": (
        "tool.create-result",
        [*QUEUED, (abort("c"), [aborted("c")]), (SENT, [OK, NOTHING, OK, MADE])],
    ),
    "the abort of a call in the queue told again behind its preflight": (
        "barrier.cancel",
        [*QUEUED, (abort("c"), [aborted("c")]), (SENT, [OK, NOTHING, OK, aborted("c")])],
    ),
    "the preflight of a call cancelled in the queue taken for that of the next": (
        "barrier.before-read",
        [
            *HELD_CALL,
            (CREATE, []),
            (SECOND, []),
            (abort("c"), [aborted("c")]),
            script("hold"),
            (SENT, [OK, NOTHING, value("m", [])]),
        ],
    ),
    "the preflight of a call in the queue that the host has refused": (
        "owner.activity-retry",
        [
            *HALTED,
            HOLD,
            (LIST, []),
            (call("m", "list", further=1), later(60, {"answer": {"callId": "m", "refused": True}})),
            (LOST, later(60, FAIL, UNCERTAIN, OK, CLAIM, reminder("a", 60))),
        ],
    ),
    "a failed owner that stays so over a call in the queue whose preflight is good": (
        "owner.activity-retry",
        [
            *HALTED,
            HOLD,
            (LIST, []),
            (SECOND, []),
            (abort("l"), later(60, aborted("l"))),
            (LOST, later(60, FAIL, OK, value("m", [view(A, "overdue")]))),
        ],
    ),
    "a wait that was over, forgotten behind a call cancelled in the queue": (
        "deliver.no-loss",
        [
            WITH_A,
            HOLD,
            (LIST, []),
            (SECOND, []),
            (abort("m"), [aborted("m")]),
            (advance(60), []),
            (LOST, later(60, FAIL, UNCERTAIN, OK)),
        ],
    ),
    "a failed owner that stays so over a create cancelled behind its append": (
        "owner.activity-retry",
        [
            *HALTED,
            script("ok", "hold"),
            (CREATE, later(60, OK, append(LATE))),
            (abort("c"), later(60, aborted("c"))),
            (SENT, later(60, OK)),
        ],
    ),
    "a clock set forward over a create that is confirmed though it was to be cancelled": (
        "owner.recompute",
        [
            WITH_A,
            script("ok", "hold"),
            (CREATE, [OK, append(Y)]),
            (clock(90), []),
            (abort("c"), []),
            (SENT, [OK, value("c", view(Y, "overdue"))]),
        ],
    ),
    "an owner that might have tried again, and did not over a create cancelled behind its append": (
        "owner.recompute",
        [
            *HALTED,
            (IDLE, []),
            script("ok", "hold"),
            (CREATE, later(60, OK, append(LATE))),
            (abort("c"), later(60, aborted("c"))),
            (SENT, later(60, OK)),
        ],
    ),
    "a foreign record not looked for over a create cancelled behind its append": (
        "deliver.no-loss",
        [
            (opened(one("d", 90)), []),
            (foreign(one("b", 30)), []),
            *APPENDED[1:],
            (abort("c"), [aborted("c")]),
            (SENT, [OK]),
            (advance(30), []),
        ],
    ),
    "a wait forgotten over a create cancelled behind its append": (
        "deliver.no-loss",
        [
            (opened(one("b", 90)), []),
            *APPENDED[1:],
            (abort("c"), [aborted("c")]),
            (SENT, [OK]),
            (advance(60), []),
            (advance(30), []),
        ],
    ),
    "a wait forgotten over a delete cancelled behind its append": (
        "deliver.no-loss",
        [
            (opened(A, one("b", 90)), []),
            script("ok", "hold"),
            (DELETE, [OK, change("delete", "a")]),
            (abort("d"), [aborted("d")]),
            (SENT, [OK]),
            (advance(60), []),
            (advance(30), []),
        ],
    ),
    "an early error of a call that was cancelled": (
        "barrier.cancel",
        [EMPTY, HOLD, (SOON, []), (abort("c"), [error("c", "invalid_rule")])],
    ),
    "an early error that is another one": ("tool.error-sound", [EMPTY, (SOON, [error("c", "not_future")])]),
    "a call that vanishes with a cancelled one before it": (
        "barrier.before-read",
        [*HELD_CALL, (CREATE, []), (SECOND, []), (abort("c"), [aborted("c")]), (SENT, [OK, NOTHING])],
    ),
    "a call that vanishes with the cancelled head": (
        "barrier.cancel",
        [EMPTY, HOLD, (CREATE, []), (LIST, []), (abort("c"), [aborted("c")]), (SENT, [OK])],
    ),
    "a call before a cancelled one's second barrier": (
        "barrier.fifo",
        [*APPENDED, (abort("c"), [aborted("c")]), (LIST, [OK, value("l", [view(X)])])],
    ),
    "an early answer's barrier used by the next call": (
        "barrier.before-read",
        [EMPTY, HOLD, (SOON, []), (LIST, []), (SENT, [OK, error("c", "invalid_rule"), NOTHING])],
    ),
    "an append where two in a row fail": (
        "tool.internal-error",
        [
            EMPTY,
            failing("create", 2),
            (CREATE, [OK, error("c", "internal_error")]),
            (ANOTHER, [OK, append(X)]),
        ],
    ),
    "an append that fails after one that is let through": (
        "tool.internal-error",
        [
            EMPTY,
            failing("create", 1, skip=1),
            (CREATE, [OK, append(X), OK, MADE]),
            (ANOTHER, [OK, append(Y), OK, value("d", view(Y))]),
        ],
    ),
    # steps
    "a follow-up that failed without having been made to": (
        "owner.session-local",
        [(opened(DUE), [OK, CLAIM, RELEASE])],
    ),
    "a follow-up that failed without a barrier before it": (
        "owner.idle-only",
        [(opened(DUE, busy=True), []), (command("faults", followup="fail"), []), (IDLE, [CLAIM, RELEASE])],
    ),
    "a claim with nothing due that puts the owner to sleep": (
        "deliver.no-loss",
        [
            WITH_A,
            (command("faults", followup="fail"), []),
            (advance(30), later(30, OK, CLAIM, RELEASE)),
            (command("faults"), []),
            (advance(30), []),
        ],
    ),
    "a claim refused to an idle agent": ("owner.idle-only", [(opened(A), [BUSY])]),
    "a claim of a busy agent": ("owner.idle-only", [(opened(DUE, busy=True), [OK, CLAIM])]),
    "a claim between an append and its barrier": (
        "barrier.fifo",
        [WITH_A, (clock(90), []), (CREATE, [OK, append(LATER), CLAIM])],
    ),
    "a second claim": ("deliver.sequence", [(opened(DUE), [OK, CLAIM, *delivered("a", -1)])]),
    "a delivery without a barrier": ("barrier.before-read", [(opened(DUE), [CLAIM, reminder("a", -1)])]),
    "a delivery with a barrier of another instant": (
        "barrier.before-read",
        [(opened(A), [OK]), (clock(90), [CLAIM, reminder("a", 60)])],
    ),
    "a follow-up that was to fail": (
        "deliver.no-dispatch-on-failure",
        [
            (opened(DUE, busy=True), []),
            (command("faults", followup="fail"), []),
            (IDLE, [OK, CLAIM, reminder("a", -1)]),
        ],
    ),
    "an event of a session that is not live": (
        "deliver.no-receipt",
        [EMPTY, CRASH, (advance(1), later(1, {"append": {"type": "user/message"}}))],
    ),
    "an event that is none of the transcript": (
        "deliver.no-receipt",
        [(EMPTY[0], [{"append": {"type": "receipt/x"}}])],
    ),
    "an event without a type": ("deliver.no-receipt", [(EMPTY[0], [{"append": {"type": 1}}])]),
    "a change that does not decode": (
        "change.version",
        [EMPTY, (CREATE, [OK, {"append": {"type": "schedule/change", "data": {"version": 2}}}])],
    ),
    "an append to a log that does not fold": (
        "tool.corrupt",
        [(opened(events=[change("delete", "a")["append"]]), []), (CREATE, [OK, append(X)])],
    ),
    "the dispatch of another record": (
        "deliver.enqueue-before-dispatch",
        [(BOTH_DUE, [OK, CLAIM, reminder("a", -2), change("dispatch", "b")])],
    ),
    "an append while the idle phase is claimed": (
        "barrier.fifo",
        [WITH_A, (clock(90), []), (CREATE, [OK, CLAIM, append(LATER)])],
    ),
    "a second append of one create": ("tool.create-result", [EMPTY, (CREATE, [OK, append(X), append(Y)])]),
    "an append of a call that was cancelled": (
        "barrier.cancel",
        [EMPTY, HOLD, (CREATE, []), (abort("c"), []), (SENT, [OK, append(X), OK, aborted("c")])],
    ),
    "an append of a call that has answered": (
        "barrier.cancel",
        [EMPTY, HOLD, (CREATE, []), (abort("c"), [aborted("c")]), (SENT, [OK, append(X), OK])],
    ),
    "an append without a barrier": ("barrier.before-read", [EMPTY, (CREATE, [append(X), OK, MADE])]),
    "an append that was to fail": (
        "tool.internal-error",
        [EMPTY, failing("create"), (CREATE, [OK, append(X), OK, MADE])],
    ),
    "a second try for activity that a good barrier has settled": (
        "owner.activity-retry",
        [
            WITH_A,
            HOLD,
            (LIST, []),
            (TURN, []),
            (abort("l"), []),
            (SENT, [OK, aborted("l")]),
            script("fail"),
            (advance(60), later(60, FAIL, OK, *delivered("a", 60))),
        ],
    ),
    # inputs and time
    "an outcome lost over other faults": (
        "barrier.uncertain",
        [EMPTY, script("fail"), (command("faults", followup="fail"), []), (LIST, [OK, NOTHING])],
    ),
    "a value from a session that is not live": ("tool.internal-error", [EMPTY, CRASH, (LIST, [NOTHING])]),
    "a refusal by the host of what is of the right types": (
        "tool.ill-typed",
        [EMPTY, (BLANK, [REFUSED_C])],
    ),
    "a record forgotten over a foreign one": (
        "deliver.no-loss",
        [WITH_A, (foreign(one("b", 90)), []), (advance(60), [])],
    ),
    "a record that the second of two crashes has lost": (
        "tool.list",
        [*APPENDED, (command("crash", keep=1), []), CRASH, REOPEN, (LIST, [OK, value("l", [view(X)])])],
    ),
    "a foreign change taken though the log does not fold": ("fold.candidate", [CORRUPT, (foreign(A), [])]),
    "an observation after the time that passed": ("barrier.before-read", [EMPTY, (advance(1), later(2, OK))]),
    "an observation before the time that passed": (
        "barrier.before-read",
        [EMPTY, (advance(1), later(-1, OK))],
    ),
    "a target missed within the last ms": (
        "deliver.no-loss",
        [(opened(one("a", 0.001)), []), (advance(0.001), [])],
    ),
    "a target missed long ago": ("deliver.no-loss", [WITH_A, (advance(90), [])]),
}

ALLOWED: dict[str, Exchanges] = {
    # barriers
    "a create cancelled behind its append that is never heard of, before a call whose preflight fails": [
        *APPENDED,
        (LIST, []),
        (abort("c"), [aborted("c")]),
        script("fail"),
        (SENT, [OK, FAIL, UNCERTAIN]),
        (advance(60), []),
    ],
    "a failure beside a barrier that is held": [
        *HELD_CALL,
        script("fail"),
        (advance(1), later(1, FAIL)),
        (SENT, later(1, OK, NOTHING)),
    ],
    "a failure beside a barrier that is being released": [
        *HELD_CALL,
        script("fail"),
        (SENT, [FAIL, OK, NOTHING]),
    ],
    "a record lost that no barrier made durable": [
        *APPENDED,
        script("fail"),
        (advance(1), later(1, FAIL)),
        CRASH,
        REOPEN,
        (advance(60), []),
    ],
    "a record lost when a cancelled call's barrier failed too": [
        EMPTY,
        script("hold", "ok", "fail"),
        (CREATE, []),
        (abort("c"), [aborted("c")]),
        (ANOTHER, [OK, append(X), FAIL, UNCERTAIN_D]),
        (LOST, [FAIL]),
        CRASH,
        REOPEN,
        (advance(60), []),
    ],
    "a cancelled call's good barrier lets a failed owner try again": [
        WITH_A,
        HOLD,
        (CREATE, []),
        (abort("c"), [aborted("c")]),
        script("fail"),
        (advance(60), later(60, FAIL)),
        (SENT, later(60, OK, OK, *delivered("a", 60))),
    ],
    "the barrier of a cancelled call that has left lets a failed owner try again": [
        WITH_A,
        HOLD,
        (CREATE, []),
        (abort("c"), [aborted("c")]),
        (LIST, [OK, value("l", [view(A)])]),
        script("fail"),
        (advance(60), later(60, FAIL)),
        (SENT, later(60, OK, OK, *delivered("a", 60))),
    ],
    "a cancelled call's barrier settles once": [*LEFT_BEHIND, (SENT, [OK]), (SENT, [])],
    "a cancelled call's barrier fails": [*LEFT_BEHIND, (LOST, [FAIL])],
    "a look of its own does not make a long wait whole": [
        (opened(LONG), []),
        (clock(2_999_000), [OK]),
        (clock(-1), []),
        (advance(2_999_999), []),
        (clock(2_999_999), []),
        (advance(1), []),
    ],
    "a look of its own may make a wait long": [
        (opened(SHORT), []),
        (clock(-3_000_000), [OK]),
        (clock(-3_000_001), []),
        (advance(3_002_999), []),
        (clock(2_999), []),
        (advance(1), []),
    ],
    "activity does not make a long wait whole": [
        (opened(LONG), []),
        (clock(2_999_000), []),
        (TURN, []),
        (clock(-1), []),
        (advance(2_999_999), []),
        (clock(2_999_999), []),
        (advance(1), []),
    ],
    "activity may make a wait long": [
        (opened(SHORT), []),
        (clock(-3_000_000), []),
        (TURN, []),
        (clock(-3_000_001), []),
        (advance(3_002_999), []),
        (clock(2_999), []),
        (advance(1), []),
    ],
    "a second barrier fails for the head of the queue": [
        EMPTY,
        script("hold", "fail"),
        (CREATE, []),
        (LIST, []),
        (SENT, [OK, append(X), FAIL, UNCERTAIN_C, OK, value("l", [view(X)])]),
    ],
    "a preflight fails for the head of the queue": [
        EMPTY,
        HOLD,
        (CREATE, []),
        (LIST, []),
        (LOST, [FAIL, error("c", "persistence_uncertain", operation="create"), OK, NOTHING]),
    ],
    "a delete that is not certain": [
        WITH_A,
        script("ok", "fail"),
        (
            DELETE,
            [
                OK,
                change("delete", "a"),
                FAIL,
                error("d", "persistence_uncertain", operation="delete", id="a"),
            ],
        ),
    ],
    "activity alone does not tell the owner of an uncertain create": [
        EMPTY,
        script("ok", "fail"),
        (CREATE, [OK, append(X), FAIL, UNCERTAIN_C]),
        (TURN, []),
        (advance(60), []),
    ],
    "a failed look of its own changes nothing": [
        WITH_A,
        script("fail"),
        (advance(30), later(30, FAIL)),
        (advance(30), later(60, OK, *delivered("a", 60))),
    ],
    "a failed barrier after a good one": [
        WITH_A,
        script("ok", "fail"),
        (advance(60), later(60, OK, FAIL, OK, *delivered("a", 60))),
    ],
    # the owner
    "another delivery at the instant of a failed last barrier": [
        (opened(A, one("b", 60)), []),
        script("ok", "fail"),
        (advance(60), later(60, *LAST_LOST, OK, *delivered("b", 60))),
    ],
    "what came due 1 ms after a failed last barrier": [
        (opened(one("a", EPOCH), one("b", EPOCH), one("c", EPOCH + 0.001), now=0, busy=True), []),
        script("ok", "fail"),
        (IDLE, [OK, *delivered("a", EPOCH)[:-1], FAIL]),
        (advance(0.001), later(EPOCH + 0.001, OK, *delivered("b", EPOCH), *delivered("c", EPOCH + 0.001))),
    ],
    "activity does not shorten a wait": [WITH_A, (clock(30), []), (TURN, []), (advance(30), [])],
    "activity once nothing is left": [WITH_A, (foreign_delete("a"), []), (TURN, []), (advance(60), [])],
    "an idle agent that becomes idle may let a failed owner try again": [
        *HALTED,
        (IDLE, later(60, OK, *delivered("a", 60))),
    ],
    "or may not": [*HALTED, (IDLE, [])],
    "activity during a last barrier that fails": [
        *IN_FLIGHT,
        (TURN, []),
        (LOST, later(60, FAIL)),
        (advance(10), later(70, OK, *delivered("b", 60))),
    ],
    "a wait that is 1 ms longer than a timer holds": longest(2**31),
    # calls
    "a delete that fails": [WITH_A, failing("delete"), (DELETE, [OK, error("d", "internal_error")])],
    "a delete where creates fail": [
        WITH_A,
        failing("create"),
        (DELETE, [OK, change("delete", "a"), OK, DELETED]),
    ],
    "a cancelled call's barrier lets a failed owner try again": [
        *HALTED,
        HOLD,
        (LIST, []),
        (abort("l"), []),
        (SENT, later(60, OK, aborted("l"), CLAIM, *delivered("a", 60)[1:])),
    ],
    "one append that fails": [
        EMPTY,
        failing("create"),
        (CREATE, [OK, error("c", "internal_error")]),
        (ANOTHER, [OK, append(X), OK, value("d", view(X))]),
    ],
    "a failure is counted by its own operation": [
        WITH_A,
        failing("create", 1, skip=1),
        (advance(60), later(60, OK, *delivered("a", 60))),
        (clock(90), []),
        (CREATE, [OK, append(LATER), OK, value("c", view(LATER))]),
    ],
    "disposal cuts off a call whose second barrier fails": [
        *APPENDED,
        (DISPOSE, []),
        (LOST, [FAIL, aborted("c")]),
    ],
    "disposal cuts off a waiting call": [*HELD_CALL, (DISPOSE, [aborted("l")])],
    "disposal refuses a waiting call": [*HELD_CALL, (DISPOSE, [REFUSED_L])],
    "disposal fails a waiting call": [*HELD_CALL, (DISPOSE, [error("l", "internal_error")])],
    "a crash cuts off all calls": [*HELD_CALL, (SECOND, []), (CRASH[0], [aborted("m"), aborted("l")])],
    "a call cancelled in the midst of the queue": [
        *HELD_CALL,
        (CREATE, []),
        (SECOND, []),
        (abort("c"), [aborted("c")]),
        (SENT, [OK, NOTHING, OK, value("m", [])]),
    ],
    "a call cancelled in the queue whose preflight fails": [
        *HELD_CALL,
        (CREATE, []),
        (SECOND, []),
        (abort("c"), [aborted("c")]),
        script("fail"),
        (SENT, [OK, NOTHING, FAIL, OK, value("m", [])]),
    ],
    "a call cancelled in the queue whose preflight is held": [
        *HALTED,
        HOLD,
        (LIST, []),
        (SECOND, []),
        (abort("m"), later(60, aborted("m"))),
        HOLD,
        (LOST, later(60, FAIL, UNCERTAIN)),
        (SENT, later(60, OK, OK, *delivered("a", 60))),
    ],
    "disposal cuts off a call in the queue, and its preflight fails": [
        *HELD_CALL,
        (SECOND, []),
        (DISPOSE, [aborted("m")]),
        script("ok", "fail"),
        (SENT, [OK, NOTHING]),
    ],
    "a failed preflight right behind a create cancelled behind its append": [
        *APPENDED,
        (LIST, []),
        (abort("c"), [aborted("c")]),
        script("fail"),
        (SENT, [OK, FAIL, UNCERTAIN]),
        (advance(60), []),
    ],
    "a clock set forward over a create cancelled behind its append": [
        WITH_A,
        script("ok", "hold"),
        (CREATE, [OK, append(Y)]),
        (clock(90), []),
        (abort("c"), [aborted("c")]),
        (SENT, [OK]),
    ],
    "a listing that the host refuses for its arguments": [
        EMPTY,
        HOLD,
        (call("l", "list", further=1), [REFUSED_L]),
        (SENT, [OK]),
    ],
    # steps
    "a follow-up that failed opens no turn": [
        (opened(DUE, busy=True, turns="hold"), []),
        (command("faults", followup="fail"), []),
        (IDLE, [OK, CLAIM, RELEASE]),
        (command("faults"), []),
        (IDLE, []),
    ],
    "a batch of two": [
        (
            opened(every("a", 0), every("b", 0)),
            [
                OK,
                CLAIM,
                batch(("a", 0), ("b", 0)),
                *(change("dispatch", id, acceptedAt=at(0)) for id in "ab"),
                RELEASE,
                OK,
            ],
        )
    ],
    # inputs and time
    "a dispatch fails where appends do": [
        (opened(DUE, busy=True), []),
        FAULT,
        (IDLE, [OK, CLAIM, reminder("a", -1), RELEASE]),
    ],
    "a delete fails where appends do": [WITH_A, FAULT, (DELETE, [OK, error("d", "internal_error")])],
    "one append fails where no number is given": [
        EMPTY,
        FAULT,
        (CREATE, [OK, error("c", "internal_error")]),
        (ANOTHER, [OK, append(X), OK, value("d", view(X))]),
    ],
    "a boundary that cannot be": [
        (opened(A, seedLength=2), []),
        (advance(1), later(1, {"append": {"type": "user/message"}})),
        CRASH,
        REOPEN,
        (LIST, [OK, error("l", "corrupt_schedule_log")]),
    ],
    "what stands before the boundary is nobody's": [(opened(A, seedLength=1), []), (advance(60), [])],
    "a crash that leaves what was inherited": [
        (opened(A, seedLength=1), []),
        script("ok", "fail"),
        (CREATE, [OK, append(X), FAIL, UNCERTAIN_C]),
        (command("crash", keep=1), []),
        REOPEN,
        (LIST, [OK, NOTHING]),
    ],
    "a close cuts off a call": [*HELD_CALL, (REOPEN[0], [aborted("l")])],
    "a session that is busy when it is opened again": [
        (opened(DUE, busy=True), []),
        (command("reopen", busy=True), []),
    ],
    "a session that is opened again later": [
        WITH_A,
        (command("reopen", now=NOON + 90_000), [OK, *delivered("a", 60)]),
    ],
    "a fork of nothing": [WITH_A, FORK, (FORK_LOG, [{"reply": {"events": []}}])],
    "a fork of a child": [(opened(agent="child"), []), FORK, (LIST | IN_FORK, [REFUSED_L | IN_FORK])],
    "a fork without persistence": [
        (opened(persistence=False), []),
        FORK,
        (LIST | IN_FORK, [REFUSED_L | IN_FORK]),
    ],
    "a fork that holds its turns": [
        (opened(turns="hold"), []),
        FORK,
        *(
            (
                call(id, "create", prompt=id.upper(), at=at(60)) | IN_FORK,
                [IN_FORK | each for each in (OK, append(one(id, 60)), OK, value(id, view(one(id, 60))))],
            )
            for id in "ab"
        ),
        (advance(60), [IN_FORK | each for each in later(60, OK, *delivered("a", 60))]),
    ],
    "arguments as text": [EMPTY, (AS_TEXT, [OK, append(X), OK, MADE])],
    "a call of a session that is not live": [EMPTY, CRASH, (LIST, [error("l", "internal_error")])],
    "a refusal by the host of what is of other types": [
        EMPTY,
        (call("c", "create", prompt=1, after_seconds=60), [REFUSED_C]),
    ],
    "a refusal by the host after disposal": [EMPTY, (DISPOSE, []), (BLANK, [REFUSED_C])],
    "a listing refused by the host after disposal": [EMPTY, (DISPOSE, []), (LIST, [REFUSED_L])],
    "the abort of one of two calls": [
        *HELD_CALL,
        (SECOND, []),
        (abort("m"), [aborted("m")]),
        (SENT, [OK, NOTHING]),
    ],
    "due work of a busy agent waits": [WITH_A, (command("busy", on=True), []), (advance(60), [])],
    "a release where nothing is held": [EMPTY, (SENT, [])],
    "a foreign change to a log that does not fold": [CORRUPT, (foreign(A), [REJECTED])],
    "a foreign change that is refused leaves the log alone": [
        WITH_A,
        (foreign(A), [REJECTED]),
        (LIST, [OK, value("l", [view(A)])]),
    ],
    "activity alone does not tell the owner of a foreign record": [
        EMPTY,
        (foreign(A), []),
        (TURN, []),
        (advance(60), []),
    ],
    "foreign events stand in the log": [
        EMPTY,
        (foreign(A), []),
        (command("log"), [{"reply": {"events": [created(A)]}}]),
    ],
    "no time at all": [WITH_A, (advance(0), [])],
    "a backend that says nothing": [
        EMPTY,
        (command("faults", append={}, text=""), []),
        (CREATE, [OK, error("c", "internal_error")]),
    ],
    "a message without the backend's words": [
        EMPTY,
        (command("faults", append={}, text="ENOSPC"), []),
        (CREATE, [OK, error("c", "internal_error")]),
        (ANOTHER, [OK, append(X), OK, value("d", view(X))]),
        (call("e", "delete", id="z"), [OK, value("e", NOTHING_FOUND | {"id": "z"})]),
    ],
    "a long wait for what is gone": [(opened(LONG), []), (foreign_delete("e"), []), (advance(1), [])],
}


@pytest.mark.parametrize(("clause", "exchanges"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(clause: str, exchanges: Exchanges) -> None:
    refused(exchanges, clause)


@pytest.mark.parametrize("exchanges", ALLOWED.values(), ids=ALLOWED)
def test_what_is_allowed(exchanges: Exchanges) -> None:
    allowed(exchanges)


@pytest.mark.parametrize("kind", ["agent", "assistant", "request", "session", "step", "tool", "turn", "user"])
def test_the_host_writes_its_transcript(kind: str) -> None:
    event = {"append": {"type": f"{kind}/x", "data": {"text": created(A)}}}
    assert isinstance(judged([(opened(), [event])]), States)
    assert isinstance(judged([(opened(), [{"append": {"type": kind}}])]), Violation)


def test_a_foreign_change_that_nobody_checks_spoils_the_log() -> None:
    found = judged(
        [
            WITH_A,
            (foreign(A), []),
            (foreign(one("b", 60)), []),
            (LIST, [OK, error("l", "corrupt_schedule_log")]),
            (command("log"), [{"reply": {"events": [created(A), created(A), created(one("b", 60))]}}]),
        ],
        terms=Terms(candidate=False),
    )
    assert isinstance(found, States), found


def test_the_law_at_work_checks_a_foreign_change_where_that_was_agreed() -> None:
    for candidate, member in ((True, "rejected"), (False, "result")):
        world, _ = respond(initial(Terms(candidate=candidate)), opened(A))
        _, reply = respond(world, foreign(A))
        assert set(reply) == {member}


def test_the_law_at_work_gives_a_child_no_tools() -> None:
    for agent, number in (("root", 3), ("child", 0)):
        reply: Json = respond(initial(), opened(agent=agent))[1]
        assert len(reply["result"]["tools"]) == number


def test_the_law_at_work_waits_for_no_barrier_of_a_cancelled_call() -> None:
    world = initial()
    reply: Json = {}
    for request, _ in [*HELD_CALL, (CREATE, []), (abort("c"), []), (SENT, [])]:
        world, reply = respond(world, request)
    seen = [{name: each[name] for name in each if name in ALL} for each in reply["result"]["observed"]]
    assert seen == [OK, NOTHING, aborted("c")]


def test_what_an_owner_may_not_do_is_not_told_as_possible() -> None:
    busy = judged([(opened(DUE, busy=True), [OK, CLAIM])])
    assert isinstance(busy, Violation)
    assert busy.allowed == ()
    waiting = judged([WITH_A, (clock(90), []), (CREATE, [OK, append(LATER), CLAIM])])
    assert isinstance(waiting, Violation)
    assert waiting.allowed == ('a barrier for call "c"',)


def test_a_session_that_could_not_be_opened_is_none() -> None:
    other = opened() | {"session": "t"}
    rejected: Step = (opened(persistence=False), [{"rejected": {"code": "internal_error"}}])
    assert isinstance(
        judged(
            [
                (other, []),
                rejected,
                (LIST | {"session": "t"}, [{"session": "t"} | each for each in (OK, NOTHING)]),
            ]
        ),
        States,
    )
    with pytest.raises(ValueError, match=r"^session is "):
        judged([(other, []), rejected, (LIST, [])])


@pytest.mark.parametrize("observed", [1, "barrier", None, {"barrier": "ok"}, ["barrier"], [None]])
def test_observations_are_a_list_of_objects(observed: Json) -> None:
    world = judged([EMPTY])
    assert isinstance(world, States)
    assert isinstance(after_exchange(world, LIST, {"result": {"observed": observed}}), Violation)


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        (opened(events={}), "events"),
        (opened(agent="uncle"), "agent"),
        (command("abort", callId=1), "callId"),
        (command("faults", append=1), "append"),
        (command("faults", append={"operations": "create"}), "append.operations"),
        (command("faults", append={"times": "1"}), "times"),
        (command("faults", append={"skip": "1"}), "skip"),
        (command("faults", append={"times": 0, "skip": "1"}), "skip"),
        (command("barrier", outcomes={}), "outcomes"),
        (command("barrier", outcomes=["ok", "maybe"]), "outcomes"),
        (command("fork", at=-1, **{"as": "f"}), "at"),
    ],
)
def test_a_request_that_makes_no_sense(request_: Request, told: str) -> None:
    with pytest.raises(ValueError, match=f"^{told} is "):
        judged([EMPTY, (request_, [])])
