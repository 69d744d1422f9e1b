"""For each clause of a live session the shortest trace that violates it, and the clause that is named."""

import pytest
from tests.spec.live.situations import CREATE, EMPTY, LIST, X
from tests.spec.live.traces import (
    CLAIM,
    FAIL,
    NOON,
    OK,
    RELEASE,
    Exchanges,
    Json,
    Observation,
    Step,
    aborted,
    advance,
    after,
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
    reminder,
    value,
    view,
)

from schedule_spec.delivery import States, Terms, Violation, after_exchange, initial
from schedule_spec.delivery.stories import story
from schedule_spec.register import CLAUSES, Subject, clause

CREATED: list[Observation] = [OK, append(X), OK, value("c", view(X))]
DELETE_A = call("d", "delete", id="a")
HALTED: Exchanges = [
    (opened(one("a", 60)), []),
    (command("barrier", outcomes=["fail"]), []),
    (advance(60), later(60, FAIL)),
]
STOPPED: Exchanges = [
    (opened(one("a", 60), one("b", 120)), []),
    (command("faults", append={"operations": ["dispatch"], "times": 1}), []),
    (advance(60), later(60, OK, CLAIM, reminder("a", 60), RELEASE)),
]
FOREIGN = {"cmd": "append", "session": "s", "event": created(one("a", 60))}
REFUSED: Observation = {"rejected": {"code": "corrupt_schedule_log"}}

VIOLATIONS: dict[str, Exchanges] = {
    "id.fresh": [
        (opened(one("a", 60)), []),
        (DELETE_A, [OK, change("delete", "a"), OK, value("d", {"id": "a", "deleted": True})]),
        (CREATE, CREATED),
    ],
    "fold.candidate": [(opened(one("a", 60)), []), (FOREIGN, [])],
    "fork.history": [
        (opened(one("a", 60)), []),
        (command("fork", at=1, **{"as": "f"}), []),
        ({"cmd": "log", "session": "f"}, [{"reply": {"events": []}}]),
    ],
    "tool.case": [
        EMPTY,
        (
            CREATE,
            [
                OK,
                append(X),
                OK,
                value("c", {("scheduled_at" if k == "scheduledAt" else k): v for k, v in view(X).items()}),
            ],
        ),
    ],
    "tool.create-selector": [EMPTY, (call("c", "create", prompt="x"), [OK, error("c", "invalid_rule")])],
    "tool.create-prompt": [
        EMPTY,
        (call("c", "create", prompt=" x", after_seconds=60), [OK, append(after("a", 60, "y"))]),
    ],
    "tool.shape-first": [
        EMPTY,
        (command("barrier", outcomes=["hold"]), []),
        (LIST, []),
        (call("c", "create", prompt="", after_seconds=1), []),
    ],
    "tool.error-sound": [EMPTY, (CREATE, [OK, error("c", "not_future")])],
    "tool.create-result": [EMPTY, (CREATE, [OK, OK, value("c", view(X))])],
    "tool.list": [
        (opened(one("a", 60), one("b", 60)), []),
        (LIST, [OK, value("l", [view(one("b", 60)), view(one("a", 60))])]),
    ],
    "tool.delete-active": [
        (opened(one("a", 60)), []),
        (DELETE_A, [OK, value("d", {"id": "a", "deleted": True})]),
    ],
    "tool.delete-unknown": [EMPTY, (DELETE_A, [OK, value("d", {"id": "a", "deleted": True})])],
    "tool.errors-closed": [EMPTY, (DELETE_A, [OK, error("d", "schedule_not_found")])],
    "tool.errors-stable": [
        EMPTY,
        (command("faults", append={"times": 1}, text="ENOSPC"), []),
        (CREATE, [OK, value("c", {"code": "internal_error", "message": "ENOSPC: no space"})]),
    ],
    "tool.corrupt": [
        (opened() | {"events": [change("delete", "a")["append"]]}, []),
        (LIST, [OK, value("l", [])]),
    ],
    "tool.internal-error": [
        EMPTY,
        (command("faults", append={"times": 1}), []),
        (CREATE, [OK, error("c", "persistence_uncertain", operation="create")]),
    ],
    "tool.ill-typed": [
        EMPTY,
        (
            call("d", "delete", id=7),
            [OK, value("d", {"id": "7", "deleted": False, "code": "schedule_not_found"})],
        ),
    ],
    "barrier.before-read": [EMPTY, (LIST, [value("l", [])])],
    "barrier.after-append": [EMPTY, (CREATE, [OK, append(X), value("c", view(X))])],
    "barrier.uncertain": [
        EMPTY,
        (command("barrier", outcomes=["missing"]), []),
        (DELETE_A, [{"barrier": "missing"}, error("d", "persistence_uncertain", operation="delete")]),
    ],
    "barrier.recovers": [
        EMPTY,
        (command("barrier", outcomes=["ok", "fail"]), []),
        (CREATE, [OK, append(X), FAIL, error("c", "persistence_uncertain", operation="create", id="a")]),
        (LIST, [OK, value("l", [view(X)])]),
        (advance(60), []),
    ],
    "barrier.fifo": [
        EMPTY,
        (command("barrier", outcomes=["hold"]), []),
        (LIST, []),
        (call("m", "list"), [OK, value("m", [])]),
    ],
    "barrier.cancel": [
        EMPTY,
        (command("barrier", outcomes=["hold"]), []),
        (CREATE, []),
        (command("abort", callId="c"), []),
        (command("release", outcome="ok"), [OK, append(X)]),
    ],
    "due.one-shot-first": [(opened(one("b", -1), one("a", -2)), [OK, CLAIM, reminder("b", -1)])],
    "due.batch": [(opened(every("b", 0), every("a", -1)), [OK, CLAIM, batch(("b", 0), ("a", -1))])],
    "due.one-decision-time": [
        (
            opened(every("a", 0), every("b", 0)),
            [
                OK,
                CLAIM,
                batch(("a", 0), ("b", 0)),
                change("dispatch", "a", acceptedAt=at(0)),
                change("dispatch", "b", acceptedAt=at(0.001)),
            ],
        )
    ],
    "due.wait": [(opened(one("a", 60)), []), (advance(60), [])],
    "due.clock-range": [
        (opened(every("a", 0)) | {"busy": True}, []),
        ({"cmd": "set_clock", "now": 253_402_300_800_000}, []),
        (command("busy", on=False), [OK, CLAIM, batch(("a", 0))]),
    ],
    "owner.session-local": [(opened(one("a", -1)), [])],
    "owner.roots-only": [(opened(one("a", -1), agent="child"), [OK, CLAIM, reminder("a", -1)])],
    "owner.requires-persistence": [(opened(persistence=False), [{"reply": {"tools": ["schedule_list"]}}])],
    "owner.recompute": [
        (opened(one("a", 60)), []),
        (clock(90), []),
        (LIST, [OK, value("l", [view(one("a", 60), "overdue")])]),
    ],
    "owner.bounded-wait": [
        (opened(one("a", 3_000_000)), []),
        (advance(2_147_484), [*later(0.001, OK, CLAIM, reminder("a", 3_000_000))]),
    ],
    "owner.recheck": [
        (opened(one("a", 60)), []),
        (clock(-30), []),
        (advance(60), later(30, OK, CLAIM, reminder("a", 60))),
    ],
    "owner.never-early": [
        (opened(one("a", 60)), []),
        (advance(59.999), later(59.999, OK, CLAIM, reminder("a", 60))),
    ],
    "owner.idle-only": [(opened(one("a", -1), busy=True), [OK, CLAIM])],
    "owner.no-steer": [
        (opened(one("a", -1), busy=True), [OK, {"steer": str(reminder("a", -1)["followup"])}])
    ],
    "owner.activity-retry": [*HALTED, (advance(1), later(61, OK, *delivered("a", 60)))],
    "owner.corrupt": [(opened(one("a", -1), one("a", -1)), [OK, CLAIM, reminder("a", -1)])],
    "owner.dispose": [
        (opened(one("a", 60)), []),
        (command("dispose"), []),
        (advance(60), later(60, OK, CLAIM, reminder("a", 60))),
    ],
    "deliver.sequence": [
        (opened(one("a", -1)), [OK, CLAIM, reminder("a", -1), change("dispatch", "a"), RELEASE])
    ],
    "deliver.parked": [(opened(one("a", -1)), [OK, CLAIM, reminder("a", -1), RELEASE])],
    "deliver.enqueue-before-dispatch": [(opened(one("a", -1)), [OK, CLAIM, change("dispatch", "a")])],
    "deliver.no-dispatch-on-failure": [
        (opened(one("a", 60)), []),
        (command("faults", followup="fail"), []),
        (advance(60), later(60, OK, CLAIM, change("dispatch", "a"))),
    ],
    "deliver.append-failure-faults": [
        *STOPPED,
        (
            LIST,
            [OK, value("l", [view(one("a", 60), "overdue"), view(one("b", 120))]), CLAIM, reminder("a", 60)],
        ),
    ],
    "deliver.barrier-failure": [
        (opened(one("a", 60), one("b", 60)), []),
        (command("barrier", outcomes=["ok", "fail"]), []),
        (advance(60), later(60, OK, *delivered("a", 60)[:-1], FAIL)),
        (advance(1), later(61, OK, *delivered("b", 60))),
    ],
    "deliver.no-receipt": [
        (
            opened(one("a", -1)),
            [OK, CLAIM, reminder("a", -1), {"append": {"type": "schedule/receipt", "data": {}}}],
        )
    ],
    "deliver.at-least-once": [(opened(one("a", -1)), [OK, *delivered("a", -1), CLAIM, reminder("a", -1)])],
    "deliver.no-loss": [(opened(one("a", -1), one("b", -1)), [OK, *delivered("a", -1)])],
    "frame.one-shot": [(opened(one("a", -1)), [OK, CLAIM, reminder("a", -1.001)])],
    "frame.batch": [(opened(every("a", 0)), [OK, CLAIM, reminder("a", 0)])],
    "frame.injection": [(opened(one('a"', -1)), [OK, CLAIM, reminder('a"', -1)])],
    "frame.message": [(opened(one("a", -1)), [OK, CLAIM, {"followup": [reminder("a", -1)["followup"]]}])],
    "frame.whole": [(opened(one("a", -1)), [OK, CLAIM, {"followup": reminder("a", -1)["followup"][:-2]}])],
}

AREAS = ("tool", "barrier", "due", "owner", "deliver", "frame")
SHOWN = {c.id for c in CLAUSES if c.area in AREAS and c.subject in (Subject.LIVE, Subject.PURE)}


def test_every_clause_has_a_violation() -> None:
    assert set(VIOLATIONS) == SHOWN | {"id.fresh", "fold.candidate", "fork.history"}


@pytest.mark.parametrize("id", VIOLATIONS)
def test_the_violation_names_the_clause(id: str) -> None:
    *before, last = VIOLATIONS[id]
    assert isinstance(judged(before), States)
    found = judged([*before, last])
    assert isinstance(found, Violation)
    assert found.clause in (id, *clause(id).implied_by), found
    assert found.sentence.endswith(".")


CANDIDATES_UNCHECKED = Terms(candidate=False)


def test_without_the_companion_a_candidate_is_let_in() -> None:
    assert isinstance(judged(VIOLATIONS["fold.candidate"], terms=CANDIDATES_UNCHECKED), States)


def test_an_unsound_candidate_is_refused() -> None:
    assert isinstance(judged([(opened(one("a", 60)), []), (FOREIGN, [REFUSED])]), States)


def test_a_sound_candidate_is_let_in() -> None:
    assert isinstance(judged([EMPTY, (FOREIGN, [])]), States)
    refused = judged([EMPTY, (FOREIGN, [REFUSED])])
    assert isinstance(refused, Violation)
    assert refused.clause == "fold.candidate"


def test_the_sentence_tells_what_was_owed_and_why() -> None:
    found = judged(VIOLATIONS["due.wait"])
    assert isinstance(found, Violation)
    assert found.sentence == (
        'The owner had to deliver the one-shot "a" (target 2026-08-05T12:01:00.000Z), because the wait for '
        "its earliest target had elapsed, and a barrier, the claim and its follow-up were to come. "
        "Yet at 2026-08-05T12:01:00.000Z nothing more came."
    )
    assert found.observation is None
    assert found.allowed == ("a barrier before due work is looked for",)


TAKEN: dict[str, Step] = {
    "tool.create-selector": (
        call("c", "create", prompt="x", after_seconds=60, snooze=1),
        [OK, append(X)],
    ),
    "tool.create-prompt": (
        call("c", "create", prompt=" ", after_seconds=60),
        [OK, append(X)],
    ),
    "after.rule": (
        call("c", "create", prompt="x", after_seconds="60"),
        [OK, append(X)],
    ),
    "tool.ill-typed": (
        call("d", "delete", id=7),
        [OK, change("delete", "7")],
    ),
    "tool.shape-first": (
        call("d", "delete", id=" a"),
        [OK, change("delete", "a")],
    ),
}
"""Calls that were to be refused, and of which an event is appended instead."""


@pytest.mark.parametrize("id", TAKEN)
def test_what_is_appended_for_a_call_that_was_to_be_refused_breaks_the_clause_that_refuses_it(
    id: str,
) -> None:
    found = judged([(opened(one("a", 60)), []), TAKEN[id]])
    assert isinstance(found, Violation)
    assert found.clause == id
    assert found.sentence.endswith("was to be refused.")


def test_a_delete_stands_for_no_dispatch() -> None:
    found = judged([(opened(one("a", -1)), [OK, CLAIM, reminder("a", -1), change("delete", "a")])])
    assert isinstance(found, Violation)
    assert found.clause == "deliver.sequence"


def test_a_create_that_is_taken_back_after_a_failed_barrier() -> None:
    taken_back = [OK, append(X), FAIL, change("delete", "a")]
    found = judged([EMPTY, (command("barrier", outcomes=["ok", "fail"]), []), (CREATE, taken_back)])
    assert isinstance(found, Violation)
    assert found.clause == "barrier.recovers"


@pytest.mark.parametrize("kept", [["b"], ["b", "c"]])
def test_what_a_crash_may_have_kept_is_known_where_it_is_framed(kept: list[str]) -> None:
    """A reopened log may be durable or not; the wrong one of two reminders shows that it was."""
    foreign = [command("append", event=created(one(id, -1))) for id in kept]
    found = judged(
        [
            (opened(one("a", -2), busy=True), []),
            *((each, []) for each in foreign),
            (command("barrier", outcomes=["fail"]), []),
            (command("reopen"), [FAIL]),
            (command("crash", keep=1), []),
            (command("reopen"), [OK, CLAIM, reminder("b", -1)]),
        ]
    )
    assert isinstance(found, Violation)
    assert found.clause == "due.one-shot-first"


def test_an_abort_that_nobody_asked_for() -> None:
    found = judged([EMPTY, (LIST, [OK, aborted("l")])])
    assert isinstance(found, Violation)
    assert found.clause == "barrier.cancel"


def test_the_story_tells_what_had_been_seen_of_what_the_violation_is_about() -> None:
    observed: list[Json] = [
        {"at": NOON, "session": "s"} | each
        for each in (OK, *delivered("a", -1), *delivered("b", -1), CLAIM, reminder("a", -1))
    ]
    request = opened(one("a", -1), one("b", -1))
    reply: dict[str, Json] = {"result": {"observed": observed}}
    found = after_exchange(initial(), request, reply)
    assert isinstance(found, Violation)
    assert found.clause == "deliver.at-least-once"
    assert story([(request, reply)], found) == (
        '2026-08-05T12:00:00.000Z: the follow-up of "a" was queued.',
        '2026-08-05T12:00:00.000Z: the dispatch of "a" was appended.',
        '2026-08-05T12:00:00.000Z: the follow-up of "a" was queued.',
    )
