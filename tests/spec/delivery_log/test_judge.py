"""A log judged event by event: follow-ups and their dispatches, crashes, and what is open at the end."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import pytest
from tests.spec.delivery_log.logs import (
    REOPENED,
    TURN,
    USER,
    A,
    B,
    E,
    Event,
    F,
    G,
    Told,
    answer,
    batch,
    call,
    change,
    create,
    delete,
    dispatch,
    fault,
    findings,
    inbox,
    message,
    queue,
    reminder,
    said,
)
from tests.spec.live.traces import after, at, view

from schedule_spec.delivery_log import judge
from schedule_spec.delivery_log.findings import Checked, Fault, NotShown, Suspicion
from schedule_spec.profiles import Profile
from schedule_spec.records import Record

Json = Any
Active: TypeAlias = Sequence[Record]
Events: TypeAlias = Sequence[Json]

DELIVERY = Checked.DELIVERY
UNQUEUED = ("suspected", "deliver.enqueue-before-dispatch")
QUEUE_A, DONE_A = queue(60, reminder("a", 60)), dispatch(60, "a")
QUEUE_B, DONE_B = queue(90, reminder("b", 90)), dispatch(90, "b")
BOTH, DONE_E, DONE_F = (
    queue(130, batch(("e", 60), ("f", 120))),
    dispatch(130, "e", 130),
    dispatch(130, "f", 130),
)
ALL = queue(130, batch(("e", 60), ("g", 60), ("f", 120)))
DONE_G = dispatch(130, "g", 130)


def cut(position: int, fate: str, then: str = "the log ends") -> tuple[int, str]:
    """The note on a follow-up that was cut short."""
    return position, f"The follow-up was queued and {fate}; then {then}."


def again(position: int, ids: str) -> tuple[int, str]:
    return position, f"{ids} came again, never dispatched before."


SOUND: dict[str, tuple[Active, Events, list[Told]]] = {
    "nothing": ([A], [], []),
    # deliveries
    "one-shot": ([A], [QUEUE_A, DONE_A], [(1, DELIVERY)]),
    "two-one-shots": ([A, B], [QUEUE_A, DONE_A, QUEUE_B, DONE_B], [(1, DELIVERY), (3, DELIVERY)]),
    "batch-of-three": ([E, F, G], [ALL, DONE_E, DONE_G, DONE_F], [(3, DELIVERY)]),
    "batch-then-one-shot": (
        [E, B],
        [queue(60, batch(("e", 60))), dispatch(60, "e", 60), QUEUE_B, DONE_B],
        [(1, DELIVERY), (3, DELIVERY)],
    ),
    "one-shot-then-batch": (
        [E, A],
        [QUEUE_A, DONE_A, queue(61, batch(("e", 60))), dispatch(62, "e", 61)],
        [(1, DELIVERY), (3, DELIVERY)],
    ),
    "every-twice": (
        [E],
        [
            queue(60, batch(("e", 60))),
            dispatch(60, "e", 60),
            queue(360, batch(("e", 360))),
            dispatch(360, "e", 360),
        ],
        [(1, DELIVERY), (3, DELIVERY)],
    ),
    "every-decided-before-it-was-queued": (
        [E],
        [queue(64, batch(("e", 60))), dispatch(65, "e", 63)],
        [(1, DELIVERY)],
    ),
    "every-decided-while-another-was-to-come": (
        [E, F],
        [queue(130, batch(("e", 60))), dispatch(130, "e", 119.999)],
        [(1, DELIVERY)],
    ),
    "one-shot-without-times": (
        [A],
        [queue(None, reminder("a", 60)), dispatch(None, "a")],
        [(0, NotShown.NO_TIME), (1, DELIVERY)],
    ),
    "one-shot-dispatched-without-a-time": ([A], [QUEUE_A, dispatch(None, "a")], [(1, DELIVERY)]),
    "batch-without-times": (
        [E, F],
        [
            queue(None, batch(("e", 60), ("f", 120))),
            dispatch(None, "e", 125),
            dispatch(None, "f", 125),
        ],
        [(0, NotShown.NO_TIME), (2, DELIVERY)],
    ),
    "batch-dispatched-without-times": (
        [E, F],
        [BOTH, dispatch(None, "e", 125), dispatch(None, "f", 125)],
        [(2, DELIVERY)],
    ),
    "message-of-the-user-in-between": (
        [A],
        [QUEUE_A, inbox(60, message("hi", USER)), DONE_A],
        [(2, DELIVERY)],
    ),
    "message-of-the-user-beside-it": (
        [A],
        [inbox(60, message("hi", USER), message(reminder("a", 60))), DONE_A],
        [(1, DELIVERY)],
    ),
    "other-events-in-between": (
        [A],
        [QUEUE_A, {"type": "assistant/chunk"}, None, {}, DONE_A],
        [(4, DELIVERY)],
    ),
    "created-and-delivered": (
        [],
        [create(0, A), QUEUE_A, DONE_A],
        [(0, NotShown.NO_CALL), (2, DELIVERY)],
    ),
    "created-in-between": (
        [E],
        [queue(60, batch(("e", 60))), create(60, G), dispatch(60, "e", 60)],
        [(1, NotShown.NO_CALL), (2, DELIVERY)],
    ),
    "target-that-is-no-text": (
        [A],
        [inbox(60, message(reminder("a", 60)), target=None), DONE_A],
        [(1, DELIVERY)],
    ),
    # what a crash or a failed append explains
    "ends-after-a-follow-up": ([A], [QUEUE_A], [(1, cut(0, 'no dispatch of "a" followed'))]),
    "ends-in-a-batch": (
        [E, F, G],
        [ALL, DONE_E],
        [(2, cut(0, '1 of 3 reminders were dispatched, "g", "f" not'))],
    ),
    "a-turn-begins-after-a-follow-up": (
        [A],
        [QUEUE_A, TURN, TURN],
        [(1, cut(0, 'no dispatch of "a" followed', "a turn began"))],
    ),
    "a-turn-begins-after-a-delivery": ([A], [QUEUE_A, DONE_A, TURN, REOPENED], [(1, DELIVERY)]),
    "crash-and-again": (
        [A],
        [QUEUE_A, REOPENED, queue(70, reminder("a", 60)), dispatch(70, "a")],
        [
            (1, cut(0, 'no dispatch of "a" followed', "the session was opened anew")),
            (2, again(2, '"a"')),
            (3, DELIVERY),
        ],
    ),
    "failed-append-crash-and-again": (
        [A],
        [QUEUE_A, TURN, REOPENED, queue(70, reminder("a", 60)), dispatch(70, "a")],
        [
            (1, cut(0, 'no dispatch of "a" followed', "a turn began")),
            (3, again(3, '"a"')),
            (4, DELIVERY),
        ],
    ),
    "crash-twice": (
        [A],
        [QUEUE_A, REOPENED, queue(70, reminder("a", 60)), REOPENED],
        [
            (1, cut(0, 'no dispatch of "a" followed', "the session was opened anew")),
            (2, again(2, '"a"')),
            (3, cut(2, 'no dispatch of "a" followed', "the session was opened anew")),
        ],
    ),
    "crash-in-a-batch-and-the-rest-again": (
        [E, F, G],
        [
            ALL,
            DONE_E,
            REOPENED,
            queue(140, batch(("g", 60), ("f", 120))),
            dispatch(140, "g", 140),
            dispatch(140, "f", 140),
        ],
        [
            (2, cut(0, '1 of 3 reminders were dispatched, "g", "f" not', "the session was opened anew")),
            (3, again(3, '"g", "f"')),
            (5, DELIVERY),
        ],
    ),
    "crash-and-again-beside-what-came-due-since": (
        [E, F],
        [
            queue(60, batch(("e", 60))),
            REOPENED,
            queue(120, batch(("e", 60), ("f", 120))),
            dispatch(120, "e", 120),
            dispatch(120, "f", 120),
        ],
        [
            (1, cut(0, 'no dispatch of "e" followed', "the session was opened anew")),
            (2, again(2, '"e"')),
            (4, DELIVERY),
        ],
    ),
    "crash-and-superseded": (
        [E],
        [
            queue(60, batch(("e", 60))),
            REOPENED,
            queue(360, batch(("e", 360))),
            dispatch(360, "e", 360),
        ],
        [(1, cut(0, 'no dispatch of "e" followed', "the session was opened anew")), (3, DELIVERY)],
    ),
    "crash-and-again-behind-a-one-shot": (
        [E, B],
        [
            queue(60, batch(("e", 60))),
            REOPENED,
            QUEUE_B,
            DONE_B,
            queue(91, batch(("e", 60))),
            dispatch(91, "e", 91),
        ],
        [
            (1, cut(0, 'no dispatch of "e" followed', "the session was opened anew")),
            (3, DELIVERY),
            (4, again(4, '"e"')),
            (5, DELIVERY),
        ],
    ),
    # what a log does not show
    "dispatch-without-a-follow-up": ([A], [DONE_A], [(0, UNQUEUED)]),
    "dispatches-of-an-every-without-follow-ups": (
        [E],
        [dispatch(60, "e", 60), dispatch(360, "e", 360)],
        [(0, UNQUEUED), (1, UNQUEUED)],
    ),
    "dispatch-after-a-turn": (
        [A],
        [QUEUE_A, TURN, DONE_A],
        [(1, cut(0, 'no dispatch of "a" followed', "a turn began")), (2, UNQUEUED)],
    ),
    "dispatch-twice-after-one-follow-up": (
        [E],
        [queue(60, batch(("e", 60))), dispatch(60, "e", 60), dispatch(360, "e", 360)],
        [(1, DELIVERY), (2, UNQUEUED)],
    ),
    "inbox-rearranged": (
        [A],
        [inbox(10, message(reminder("a", 60)), removedCount=1), DONE_A],
        [(0, NotShown.MOVED), (1, UNQUEUED)],
    ),
    "inbox-emptied": ([A], [QUEUE_A, inbox(60, removedCount=1), DONE_A], [(2, DELIVERY)]),
    "message-taken-out": (
        [A],
        [QUEUE_A, inbox(60, message("hi", USER), removedCount=1), DONE_A],
        [(2, DELIVERY)],
    ),
    "changes-without-a-call": (
        [A],
        [create(0, B), delete(0, "a")],
        [(0, NotShown.NO_CALL), (1, NotShown.NO_CALL)],
    ),
    "changes-in-a-call": (
        [A],
        [call(0, "list", {}), create(0, B), delete(0, "a"), answer(0, [view(B)]), delete(0, "b")],
        [(3, Checked.ANSWER), (4, NotShown.NO_CALL)],
    ),
    "delivery-in-a-call": (
        [A, B],
        [call(60, "list", {}), QUEUE_A, DONE_A, answer(61, [view(B)])],
        [(2, DELIVERY), (3, Checked.ANSWER)],
    ),
    "crash-in-a-call-and-a-delivery": (
        [A],
        [call(60, "list", {}), QUEUE_A, REOPENED, answer(61, [])],
        [
            (2, cut(1, 'no dispatch of "a" followed', "the session was opened anew")),
            (2, NotShown.NO_RESULT),
        ],
    ),
    "ends-in-two-calls-and-a-delivery": (
        [A],
        [call(60, "list", {}), call(60, "list", {}, "2"), QUEUE_A],
        [
            (3, cut(2, 'no dispatch of "a" followed')),
            (3, NotShown.NO_RESULT),
            (3, NotShown.NO_RESULT),
        ],
    ),
    "a-turn-begins-in-a-call": ([], [call(0, "list", {}), TURN, answer(0, [])], [(2, Checked.ANSWER)]),
    "events-of-any-form": ([A], [[], None, "x", 5, {}, {"type": 1}, {"type": "other"}], []),
}


@pytest.mark.parametrize(("active", "events", "expected"), SOUND.values(), ids=SOUND)
def test_what_is_said_where_nothing_is_wrong(active: Active, events: Events, expected: list[Told]) -> None:
    assert findings(active, *events) == expected


FAULTY: dict[str, tuple[Active, Events, str, str]] = {
    # the message
    "role": (
        [A],
        [inbox(60, message(reminder("a", 60), role="assistant"))],
        "frame.message",
        "one user-role message whose content is the framing alone",
    ),
    "no-role": (
        [A],
        [inbox(60, message(reminder("a", 60), role=None))],
        "frame.message",
        "one user-role message whose content is the framing alone",
    ),
    "content-of-two-texts": (
        [A],
        [inbox(60, message("", content=[{"type": "text", "text": reminder("a", 60)}] * 2))],
        "frame.message",
        "one user-role message whose content is the framing alone",
    ),
    "for-the-current-turn": (
        [A],
        [inbox(60, message(reminder("a", 60)), target="current-turn")],
        "owner.no-steer",
        "a follow-up for next-turn",
    ),
    "text": ([A], [queue(60, reminder("a", 60, "?"))], "frame.one-shot", reminder("a", 60)),
    "early": ([A], [queue(59, reminder("a", 60))], "owner.never-early", f"nothing before {at(60)}"),
    # one follow-up, then its dispatches
    "twice-at-once": (
        [A],
        [inbox(60, message(reminder("a", 60)), message(reminder("a", 60)))],
        "deliver.sequence",
        'a dispatch of "a"',
    ),
    "twice": ([A], [QUEUE_A, QUEUE_A], "deliver.sequence", 'a dispatch of "a"'),
    "twice-a-batch": ([E, F], [BOTH, BOTH], "deliver.sequence", 'a dispatch of "e"'),
    "twice-with-something-in-between": (
        [A],
        [QUEUE_A, inbox(60, message("hi", USER)), QUEUE_A],
        "deliver.append-failure-faults",
        "no follow-up before the session is reopened",
    ),
    "another-in-a-batch": (
        [E, F],
        [BOTH, DONE_E, BOTH],
        "deliver.append-failure-faults",
        "no follow-up before the session is reopened",
    ),
    "after-a-failed-append": (
        [A],
        [QUEUE_A, TURN, QUEUE_A],
        "deliver.append-failure-faults",
        "no follow-up before the session is reopened",
    ),
    "long-after-a-failed-append": (
        [A, B],
        [QUEUE_A, TURN, DONE_A, TURN, QUEUE_B],
        "deliver.append-failure-faults",
        "no follow-up before the session is reopened",
    ),
    "misaddressed-after-a-failed-append": (
        [A],
        [QUEUE_A, TURN, inbox(60, message("", role="system"))],
        "deliver.append-failure-faults",
        "no follow-up before the session is reopened",
    ),
    "delivered-again": (
        [A],
        [QUEUE_A, DONE_A, QUEUE_A],
        "deliver.at-least-once",
        "no follow-up: nothing is due",
    ),
    "delivered-again-after-a-crash": (
        [A],
        [QUEUE_A, DONE_A, REOPENED, QUEUE_A],
        "deliver.at-least-once",
        "no follow-up: nothing is due",
    ),
    "delivered-before-the-latest": (
        [A, B],
        [QUEUE_A, DONE_A, QUEUE_B, DONE_B, QUEUE_A],
        "deliver.sequence",
        "no follow-up: nothing is due",
    ),
    "batch-delivered-again": (
        [E],
        [queue(60, batch(("e", 60))), dispatch(60, "e", 60), queue(61, batch(("e", 60)))],
        "deliver.at-least-once",
        "no follow-up: nothing is due",
    ),
    "dispatch-of-another": (
        [A, B],
        [queue(60, reminder("a", 60)), DONE_B],
        "deliver.enqueue-before-dispatch",
        'a dispatch of "a"',
    ),
    "dispatch-of-none-in-the-batch": (
        [E, F, G],
        [queue(60, batch(("e", 60), ("g", 60))), dispatch(130, "f", 130)],
        "deliver.enqueue-before-dispatch",
        'a dispatch of "e"',
    ),
    "dispatch-of-the-second": ([E, F], [BOTH, DONE_F], "due.batch", 'a dispatch of "e"'),
    "dispatch-of-the-third": ([E, F, G], [ALL, DONE_F], "due.batch", 'a dispatch of "e"'),
    "dispatch-of-the-third-after-the-first": (
        [E, F, G],
        [ALL, DONE_E, DONE_F],
        "due.batch",
        'a dispatch of "g"',
    ),
    "dispatch-twice": (
        [E, F],
        [BOTH, DONE_E, dispatch(400, "e", 400)],
        "deliver.enqueue-before-dispatch",
        'a dispatch of "f"',
    ),
    # the decision time
    "dispatch-early": (
        [A],
        [QUEUE_A, dispatch(59.999, "a")],
        "owner.never-early",
        f"nothing before {at(60)}",
    ),
    "decided-after-the-follow-up": (
        [E],
        [queue(60, batch(("e", 60))), dispatch(70, "e", 60.001)],
        "due.one-decision-time",
        "an acceptedAt that is not after the follow-up",
    ),
    "decided-after-its-dispatch": (
        [E],
        [queue(None, batch(("e", 60))), dispatch(70, "e", 70.001)],
        "due.one-decision-time",
        "an acceptedAt that is not after the follow-up",
    ),
    "decided-twice": (
        [E, F],
        [BOTH, dispatch(130, "e", 129), dispatch(130, "f", 129.999)],
        "due.one-decision-time",
        f"acceptedAt {at(129)}",
    ),
    "decided-twice-of-three": (
        [E, F, G],
        [ALL, dispatch(130, "e", 129), dispatch(130, "g", 129), dispatch(130, "f", 128)],
        "due.one-decision-time",
        f"acceptedAt {at(129)}",
    ),
    "decided-while-a-one-shot-was-due": (
        [E, B],
        [queue(100, batch(("e", 60))), dispatch(100, "e", 90)],
        "due.one-shot-first",
        reminder("b", 90),
    ),
    "decided-while-another-was-due": (
        [E, F],
        [queue(130, batch(("e", 60))), dispatch(130, "e", 120)],
        "due.batch",
        batch(("e", 60), ("f", 120)),
    ),
    "decided-before-another-was-due": (
        [E, F],
        [BOTH, dispatch(130, "e", 119.999)],
        "due.batch",
        batch(("e", 60)),
    ),
    "decided-at-an-occurrence-to-come": (
        [E],
        [queue(400, batch(("e", 60))), dispatch(400, "e", 360)],
        "due.batch",
        batch(("e", 360)),
    ),
}


@pytest.mark.parametrize(("active", "events", "clause", "right"), FAULTY.values(), ids=FAULTY)
def test_clause_that_the_last_event_breaks_and_what_would_have_been_right(
    active: Active, events: Events, clause: str, right: str
) -> None:
    found = fault(active, *events)
    assert found.clause == clause
    assert found.right == ((json.dumps(right) if right.startswith("[") else right),)


def test_all_follow_ups_of_one_event_are_judged_in_their_order() -> None:
    both = inbox(None, message(reminder("a", 60)), message(reminder("a", 60)))
    assert said([A], both) == [NotShown.NO_TIME, "deliver.sequence"]


@pytest.mark.parametrize(
    "events",
    [
        [{"type": "schedule/change", "data": None}],
        [{"type": "schedule/change"}],
        [change(0, "delete", " a")],
        [delete(0, "b")],
        [dispatch(60, "b")],
        [dispatch(60, "a", 60)],
        [QUEUE_A, dispatch(60, "b")],
        [QUEUE_A, dispatch(60, "a", 60)],
        [QUEUE_A, DONE_A, DONE_A],
        [call(0, "list", {}), delete(0, "b")],
    ],
    ids=[
        "no-change",
        "no-data",
        "malformed",
        "delete-of-none",
        "dispatch-of-none",
        "one-shot-as-an-every",
        "dispatch-of-none-after-a-follow-up",
        "queued-one-shot-as-an-every",
        "dispatched-twice",
        "delete-of-none-in-a-call",
    ],
)
def test_a_change_that_does_not_fold_is_an_error(events: Sequence[Event]) -> None:
    with pytest.raises(ValueError, match="the log does not fold"):
        findings([A], *events)


def test_every_dispatched_as_a_one_shot_after_its_follow_up_is_an_error() -> None:
    with pytest.raises(ValueError, match="the log does not fold"):
        findings([E], queue(60, batch(("e", 60))), dispatch(60, "e"))


def test_changes_are_read_by_the_profile() -> None:
    assert said([], create(0, after("x", 60)), profile=Profile.V1_AFTER) == [NotShown.NO_CALL]
    assert said([], create(0, A), profile=Profile.V1) == [NotShown.NO_CALL]
    with pytest.raises(ValueError, match="the log does not fold"):
        said([], create(0, A), profile=Profile.V1_AFTER)


@pytest.mark.parametrize(
    ("event", "has_inbox", "has_tools"),
    [
        (TURN, False, False),
        (REOPENED, False, False),
        (create(0, B), False, False),
        (answer(0, []), False, False),
        (QUEUE_A, True, False),
        (inbox(0, message("hi", USER)), True, False),
        (inbox(0), True, False),
        (inbox(0, message("hi"), removedCount=1), True, False),
        (call(0, "list", {}), False, True),
    ],
)
def test_which_of_the_hosts_events_a_log_has_shown(event: Event, has_inbox: bool, has_tools: bool) -> None:
    begun = replace(judge.BEGIN, active=(A,))
    for situation in (judge.step(begun, event, 0)[0], judge.end(judge.step(begun, event, 0)[0])[0]):
        assert (situation.has_inbox, situation.has_tools) == (has_inbox, has_tools)


def test_active_records_follow_the_log() -> None:
    situation = judge.BEGIN
    for event in (create(0, A), create(0, E), create(0, B), delete(0, "b"), dispatch(70, "e", 70)):
        situation, _ = judge.step(situation, event, 0)
    assert situation.active == (A, replace(E, scheduled_at=E.scheduled_at + 300_000))


@pytest.mark.parametrize(
    ("events", "more"),
    [([QUEUE_A, TURN], " That of seq 0 was over."), ([QUEUE_A, REOPENED], ""), ([], "")],
    ids=["failed-append", "crash", "nothing"],
)
def test_suspicion_names_the_follow_up_that_was_cut_short(events: Events, more: str) -> None:
    situation = replace(judge.BEGIN, active=(A,))
    for position, event in enumerate(events):
        situation, _ = judge.step(situation, event, position)
    _, [found] = judge.step(situation, DONE_A, len(events))
    told = f'"a" is dispatched, and no follow-up of it was queued just before.{more}'
    assert found == Suspicion(
        Fault("deliver.enqueue-before-dispatch", told, ("the follow-up, then its dispatch",))
    )


def test_kinds_of_what_was_checked_are_named_as_the_verdict_has_them() -> None:
    assert said([A], QUEUE_A, DONE_A, call(60, "list", {}), answer(60, [])) == ["deliveries", "answers"]
