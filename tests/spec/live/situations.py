"""Where traces about strictness begin: calls, answers, commands, and worlds in which something has failed."""

from tests.spec.live.traces import (
    CLAIM,
    FAIL,
    NOON,
    OK,
    RELEASE,
    Exchanges,
    Observation,
    Request,
    Step,
    aborted,
    advance,
    after,
    append,
    call,
    change,
    clock,
    command,
    created,
    delivered,
    error,
    every,
    later,
    one,
    opened,
    reminder,
    value,
    view,
)

from schedule_spec.records import After, Record

EMPTY: Step = (opened(), [])
X = after("a", 60)
Y = after("b", 60)
LATER = After("b", "x", 60, NOON + 150_000)
"""What a create stores 90 s after noon."""
LATE = After("b", "x", 60, NOON + 120_000)
"""What a create stores 60 s after noon."""
A = one("a", 60)
WITH_A: Step = (opened(A), [])
DUE = one("a", -1)
BOTH_DUE = opened(one("a", -2), one("b", -1))
CREATE = call("c", "create", prompt="x", after_seconds=60)
ANOTHER = call("d", "create", prompt="x", after_seconds=60)
SOON = call("c", "create", prompt="x", at="soon")
LIST = call("l", "list")
SECOND = call("m", "list")
DELETE = call("d", "delete", id="a")
TURN = command("turn")
IDLE = command("busy", on=False)
DISPOSE = command("dispose")
CRASH: Step = (command("crash", keep=0), [])
REOPEN: Step = (command("reopen"), [])
SENT = command("release", outcome="ok")
LOST = command("release", outcome="fail")
NOTHING = value("l", [])
NOTHING_FOUND = {"id": "a", "deleted": False, "code": "schedule_not_found"}
NOT_FOUND = value("d", NOTHING_FOUND)
DELETED = value("d", {"id": "a", "deleted": True})
MADE = value("c", view(X))
UNCERTAIN = error("l", "persistence_uncertain", operation="list")
UNCERTAIN_C = error("c", "persistence_uncertain", operation="create", id="a")
UNCERTAIN_D = error("d", "persistence_uncertain", operation="create", id="a")
REFUSED_C: Observation = {"answer": {"callId": "c", "refused": True}}
REFUSED_L: Observation = {"answer": {"callId": "l", "refused": True}}
REJECTED: Observation = {"rejected": {"code": "corrupt_schedule_log"}}
BLANK = call("c", "create", prompt=" ", after_seconds=60)
AS_TEXT = command("call", callId="c", tool="schedule_create", json='{"prompt":"x","after_seconds":60}')
FAULT: Step = (command("faults", append={}), [])
FORK: Step = (command("fork", at=0, **{"as": "f"}), [])
IN_FORK = {"session": "f"}
FORK_LOG: Request = {"cmd": "log", "session": "f"}
CORRUPT: Step = (opened(events=[change("delete", "a")["append"]]), [])


def foreign(record: Record) -> Request:
    """A foreign writer creates a record."""
    return command("append", event=created(record))


def foreign_delete(id: str) -> Request:
    """A foreign writer deletes a record."""
    return command("append", event=change("delete", id)["append"])


def script(*outcomes: str) -> Step:
    return command("barrier", outcomes=list(outcomes)), []


def failing(operation: str, times: int = 1, skip: int = 0) -> Step:
    """The next appends of an operation fail, but for so many before."""
    return command("faults", append={"operations": [operation], "times": times, "skip": skip}), []


def abort(id: str) -> Request:
    return command("abort", callId=id)


HOLD = script("hold")
HALTED: Exchanges = [WITH_A, script("fail"), (advance(60), later(60, FAIL))]
STOPPED: Exchanges = [
    (opened(A, one("b", 120)), []),
    failing("dispatch"),
    (advance(60), later(60, OK, CLAIM, reminder("a", 60), RELEASE)),
]
APPENDED: Exchanges = [EMPTY, script("ok", "hold"), (CREATE, [OK, append(X)])]
"""The create's second barrier is held."""
LEFT_BEHIND: Exchanges = [EMPTY, HOLD, (CREATE, []), (abort("c"), [aborted("c")]), (LIST, [OK, NOTHING])]
"""The barrier of a cancelled call is still held, and the queue has gone on."""
LAST_LOST = [OK, *delivered("a", 60)[:-1], FAIL]
"""A delivery whose last barrier fails."""
IN_FLIGHT: Exchanges = [
    (opened(A, one("b", 60)), []),
    script("ok", "hold"),
    (advance(60), later(60, OK, *delivered("a", 60)[:-1])),
]
"""The last barrier of a delivery is held, and another record is due."""
EPOCH = -NOON / 1000
LONG = every("e", 3_000_000, 3_000_000)
SHORT = every("e", 3_000, 3_000)
HELD_CALL: Exchanges = [EMPTY, HOLD, (LIST, [])]
QUEUED: Exchanges = [*HELD_CALL, (CREATE, [])]
"""The create stands behind the listing, whose barrier is held."""


def longest(ms: int) -> Exchanges:
    """A wait of so many ms; the clock is back until 1 s before its end, and nothing comes then."""
    seconds = ms / 1000
    return [
        (opened(one("a", seconds)), []),
        (clock(-1), []),
        (advance(seconds - 1), []),
        (clock(seconds - 1), []),
        (advance(1), []),
    ]
