"""Situations beyond the sample scenarios: what the clauses leave open is allowed, what breaks them is not.

Each test judges under full observation, and where it is an allowed trace also without claims and releases.
"""

import pytest
from tests.spec.live.situations import CREATE, EMPTY, LIST, NOTHING, SECOND, X
from tests.spec.live.traces import (
    ALL,
    BUSY,
    CLAIM,
    FAIL,
    NOON,
    OK,
    RELEASE,
    Exchanges,
    Observation,
    Step,
    aborted,
    advance,
    after,
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

from schedule_spec.delivery import States, Terms, Violation
from schedule_spec.profiles import Profile
from schedule_spec.records import After

HOLD: Step = (command("barrier", outcomes=["hold"]), [])
RELEASED_OK = command("release", outcome="ok")


# --- the queue and held barriers ---


def test_a_held_barrier_blocks_the_calls_behind_it() -> None:
    held: Exchanges = [EMPTY, HOLD, (LIST, []), (SECOND, []), (CREATE, [])]
    allowed([*held, (RELEASED_OK, [OK, NOTHING, OK, value("m", []), OK, append(X), OK, value("c", view(X))])])
    refused([*held[:-1], (CREATE, [OK, append(X)])], "barrier.fifo", "barrier.before-read")
    refused([*held, (RELEASED_OK, [OK, NOTHING])], "barrier.before-read")
    refused([*held, (RELEASED_OK, [OK, NOTHING, value("m", [])])], "barrier.before-read")
    refused([*held, (RELEASED_OK, [])], "barrier.before-read")


def test_a_held_barrier_that_fails_fails_its_call_alone() -> None:
    fail = command("release", outcome="fail")
    uncertain = error("l", "persistence_uncertain", operation="list")
    allowed([EMPTY, HOLD, (LIST, []), (SECOND, []), (fail, [FAIL, uncertain, OK, value("m", [])])])
    refused([EMPTY, HOLD, (LIST, []), (fail, [FAIL, NOTHING])], "barrier.before-read", "barrier.uncertain")


def test_a_shape_failure_does_not_wait_for_the_queue() -> None:
    empty = call("e", "create", prompt=" ", after_seconds=1)
    allowed([EMPTY, HOLD, (LIST, []), (empty, [error("e", "invalid_prompt")]), (RELEASED_OK, [OK, NOTHING])])
    refused([EMPTY, HOLD, (LIST, []), (empty, [])], "tool.error-sound", "tool.shape-first")


def test_due_work_waits_behind_a_held_barrier() -> None:
    begun: Exchanges = [(opened(one("a", 60)), []), HOLD, (LIST, []), (advance(60), [])]
    shown = value("l", [view(one("a", 60), "overdue")])
    allowed([*begun, (RELEASED_OK, [OK, shown, *delivered("a", 60)])])
    refused([*begun, (RELEASED_OK, [OK, shown])], "owner.recompute", "deliver.no-loss")
    refused([*begun[:-1], (advance(60), later(60, OK, CLAIM))], "barrier.fifo")


def test_the_state_of_a_create_is_sampled_after_its_second_barrier() -> None:
    begun: Exchanges = [EMPTY, (command("barrier", outcomes=["ok", "hold"]), []), (CREATE, [OK, append(X)])]
    late: Exchanges = [*begun, (advance(60), [])]
    allowed([*late, (RELEASED_OK, [OK, value("c", view(X, "overdue")), CLAIM, *x_delivered()])])
    refused([*late, (RELEASED_OK, [OK, value("c", view(X))])], "tool.create-result")


def x_delivered() -> list[Observation]:
    text = str(reminder("a", 60)["followup"]).replace('"A"', '"x"')
    return [{"followup": text}, change("dispatch", "a"), RELEASE, OK]


# --- cancelled calls ---


def test_a_call_cancelled_before_its_append_appends_nothing() -> None:
    begun: Exchanges = [EMPTY, HOLD, (CREATE, [])]
    abort = command("abort", callId="c")
    allowed([*begun, (abort, [aborted("c")]), (RELEASED_OK, [OK])])
    allowed([*begun, (abort, []), (RELEASED_OK, [OK, aborted("c")])])
    allowed([*begun, (abort, [aborted("c")]), (LIST, []), (RELEASED_OK, [OK, OK, NOTHING])])
    allowed([*begun, (abort, [aborted("c")]), (LIST, [OK, NOTHING])])
    refused([*begun, (abort, []), (RELEASED_OK, [OK])], "barrier.cancel")
    refused([*begun, (abort, []), (RELEASED_OK, [OK, append(X)])], "barrier.cancel")
    refused([*begun, (abort, []), (RELEASED_OK, [OK, error("c", "internal_error")])], "barrier.cancel")


def test_a_call_cancelled_after_its_append_leaves_it() -> None:
    begun: Exchanges = [EMPTY, (command("barrier", outcomes=["ok", "hold"]), []), (CREATE, [OK, append(X)])]
    abort = command("abort", callId="c")
    shown = value("l", [view(X)])
    allowed([*begun, (abort, [aborted("c")]), (RELEASED_OK, [OK]), (LIST, [OK, shown])])
    allowed([*begun, (abort, []), (RELEASED_OK, [OK, aborted("c")]), (LIST, [OK, shown])])
    allowed([*begun, (abort, []), (RELEASED_OK, [OK, value("c", view(X))])])
    refused([*begun, (abort, [aborted("c")]), (RELEASED_OK, [OK]), (LIST, [OK, NOTHING])], "tool.list")


def test_a_call_cancelled_in_the_queue_may_carry_out_its_preflight() -> None:
    a = one("a", 60)
    failed: Exchanges = [
        (opened(a), []),
        (command("barrier", outcomes=["fail"]), []),
        (advance(60), later(60, FAIL)),
    ]
    begun: Exchanges = [*failed, HOLD, (LIST, []), (SECOND, [])]
    cancelled: Exchanges = [*begun, (command("abort", callId="m"), [aborted("m")])]
    lost = command("release", outcome="fail")
    uncertain: list[Observation] = [FAIL, error("l", "persistence_uncertain", operation="list")]
    allowed([*cancelled, (lost, [*uncertain, OK, OK, *delivered("a", 60)])])
    allowed([*cancelled, (lost, [*uncertain, OK])])
    allowed([*cancelled, (lost, uncertain)])
    refused([*cancelled, (lost, [*uncertain, *delivered("a", 60)])], "owner.activity-retry")
    refused([*begun[:-1], (lost, [*uncertain, OK, *delivered("a", 60)])], "owner.activity-retry")
    shown = value("l", [view(a, "overdue")])
    refused([*cancelled, (RELEASED_OK, [OK, shown])], "owner.activity-retry")


def test_what_a_call_cancelled_behind_its_append_has_created_need_not_be_looked_for() -> None:
    begun: Exchanges = [EMPTY, (command("barrier", outcomes=["ok", "hold"]), []), (CREATE, [OK, append(X)])]
    abort = command("abort", callId="c")
    cancelled: Exchanges = [*begun, (abort, [aborted("c")]), (RELEASED_OK, [OK])]
    allowed([*cancelled, (advance(60), later(60, OK, CLAIM, *x_delivered()))])
    allowed([*cancelled, (advance(60), [])])
    allowed([*begun, (abort, []), (RELEASED_OK, [OK, aborted("c")]), (advance(60), [])])
    confirmed: Exchanges = [*begun, (abort, []), (RELEASED_OK, [OK, value("c", view(X))])]
    refused([*confirmed, (advance(60), [])], "deliver.no-loss")
    refused([*cancelled, (LIST, [OK, value("l", [view(X)])]), (advance(60), [])], "deliver.no-loss")


# --- failures of append and follow-up ---


def test_an_append_failure_stops_the_owner_for_good() -> None:
    stopped: Exchanges = [
        (opened(one("a", 60), one("b", 90)), []),
        (command("faults", append={"operations": ["dispatch"], "times": 1}), []),
        (advance(60), later(60, OK, CLAIM, reminder("a", 60), RELEASE)),
    ]
    shown = value("l", [view(one("a", 60), "overdue"), view(one("b", 90))])
    silent: Exchanges = [*stopped, (LIST, [OK, shown]), (command("turn"), []), (advance(90), [])]
    allowed(silent)
    allowed([*silent, (command("reopen"), [OK, *delivered("a", 60), *delivered("b", 90)])])
    for last in ((command("turn"), [OK, CLAIM]), (advance(30), later(90, OK, CLAIM))):
        refused([*stopped, last], "deliver.append-failure-faults")


def test_what_a_batch_had_appended_stays() -> None:
    fault = command("faults", append={"operations": ["dispatch"], "skip": 1, "times": 1})
    sent = batch(("a", 0), ("b", 0))
    partial: Exchanges = [
        (opened(every("a", 0), every("b", 0), busy=True), []),
        (fault, []),
        (command("busy", on=False), [OK, CLAIM, sent, change("dispatch", "a", acceptedAt=at(0)), RELEASE]),
    ]
    again = [OK, CLAIM, batch(("b", 0)), change("dispatch", "b", acceptedAt=at(0)), RELEASE, OK]
    allowed([*partial, (command("reopen"), again)])
    refused([*partial, (command("reopen"), [OK, CLAIM, sent])], "deliver.at-least-once")
    sneaked = [OK, CLAIM, sent, *(change("dispatch", id, acceptedAt=at(0)) for id in "ab")]
    refused([*partial[:-1], (command("busy", on=False), sneaked)], "deliver.append-failure-faults")


def test_a_refused_follow_up_is_tried_again_on_activity_alone() -> None:
    failed: Exchanges = [
        (opened(one("a", 60), one("b", 90)), []),
        (command("faults", followup="fail"), []),
        (advance(60), later(60, OK, CLAIM, RELEASE)),
        (command("faults"), []),
    ]
    both = [OK, *delivered("a", 60), *delivered("b", 90)]
    allowed([*failed, (advance(60), []), (command("turn"), both)])
    refused([*failed, (advance(60), later(90, OK, CLAIM, reminder("a", 60)))], "owner.activity-retry")
    refused([*failed, (command("turn"), [])], "owner.activity-retry")


# --- what a failed barrier leaves ---


def test_an_uncertain_create_is_taken_up_after_the_next_good_preflight() -> None:
    uncertain = error("c", "persistence_uncertain", operation="create", id="a")
    begun: Exchanges = [
        EMPTY,
        (command("barrier", outcomes=["ok", "fail"]), []),
        (CREATE, [OK, append(X), FAIL, uncertain]),
    ]
    allowed([*begun, (advance(90), [])])
    seen: Exchanges = [*begun, (LIST, [OK, value("l", [view(X)])])]
    allowed([*seen, (advance(60), later(60, OK, CLAIM, *x_delivered()))])
    refused([*seen, (advance(60), [])], "deliver.no-loss")


def test_a_failed_last_barrier_leaves_future_targets_alone() -> None:
    """What comes due later may be delivered at its time; what was due then waits for a trigger."""
    begun: Exchanges = [
        (opened(one("a", 60), one("b", 60), one("c", 90)), []),
        (command("barrier", outcomes=["ok", "fail"]), []),
        (advance(60), later(60, OK, *delivered("a", 60)[:-1], FAIL)),
    ]
    allowed([*begun, (advance(60), [])])
    allowed([*begun, (advance(30), later(90, OK, *delivered("b", 60), *delivered("c", 90)))])
    allowed([*begun, (command("turn"), [OK, *delivered("b", 60)])])
    refused([*begun, (advance(10), later(70, OK, *delivered("b", 60)))], "deliver.barrier-failure")


def test_an_owner_that_a_failed_last_barrier_left_may_try_and_fail_between_two_calls() -> None:
    begun: Exchanges = [
        (opened(one("a", 60), one("b", 60)), []),
        (command("barrier", outcomes=["ok", "ok", "hold", "fail", "fail", "fail"]), []),
        (advance(60), later(60, OK, *delivered("a", 60))),
        (LIST, []),
        (command("busy", on=False), []),
        (SECOND, []),
    ]
    uncertain = error("l", "persistence_uncertain", operation="list")
    failed = later(60, OK, *delivered("b", 60)[:-1], FAIL, FAIL, uncertain)
    released = command("release", outcome="ok")
    allowed([*begun, (released, [*failed, *later(60, FAIL, OK, value("m", []))])])
    refused([*begun, (released, [*failed, *later(60, FAIL, value("m", []))])], "barrier.uncertain")


def test_a_wait_may_have_been_derived_before_the_barrier_that_is_held() -> None:
    """The clock jumps meanwhile: what has become due is taken up when that wait is over, not before."""
    every_15_minutes = every("e", 900, 900)
    made = call("c", "create", prompt="E", every_seconds=900)
    created_ = [OK, append(every_15_minutes), OK, value("c", view(every_15_minutes))]
    begun: Exchanges = [
        EMPTY,
        HOLD,
        (made, []),
        (command("barrier", outcomes=["ok", "hold"]), []),
        (LIST, []),
        (RELEASED_OK, created_),
        (clock(10_900), []),
        (command("abort", callId="l"), [aborted("l")]),
        (command("release", outcome="fail"), [FAIL]),
    ]
    dispatch = change("dispatch", "e", acceptedAt=at(11_800))
    caught_up = later(11_800, OK, CLAIM, batch(("e", 11_700)), dispatch, RELEASE, OK)
    allowed([*begun, (advance(900), caught_up)])


def test_a_wait_may_have_been_derived_before_an_append_whose_barrier_is_held() -> None:
    """The clock was back then; that it has come forward since obliges nothing until that wait is over."""
    fresh = After("n", "x", 1, NOON - 9_999_000)
    made = call("c", "create", prompt="x", after_seconds=1)
    uncertain = error("c", "persistence_uncertain", operation="create", id="n")
    allowed(
        [
            (opened(every("e", 60)), []),
            HOLD,
            (advance(60), []),
            (command("barrier", outcomes=["ok", "hold"]), []),
            (made, []),
            (clock(-10_000), []),
            (RELEASED_OK, [OK, OK, append(fresh)]),
            (advance(1), []),
            (clock(60), []),
            (advance(1), []),
            (command("release", outcome="missing"), [{"barrier": "missing"}, uncertain]),
        ]
    )


def test_a_wait_that_is_over_behind_a_held_barrier_reads_the_clock_of_that_time() -> None:
    uncertain = error("l", "persistence_uncertain", operation="list")
    begun: Exchanges = [
        (opened(one("a", 300)), []),
        HOLD,
        (LIST, []),
        (clock(-10_000), []),
        (advance(300), []),
        (clock(400), []),
        (command("release", outcome="fail"), [FAIL, uncertain]),
    ]
    allowed(begun)
    allowed([*begun, (advance(10_000), later(10_400, OK, *delivered("a", 300)))])
    refused([*begun, (advance(10_000), [])], "deliver.no-loss", "owner.recheck")


def test_a_barrier_that_nothing_follows_leaves_the_wait_as_it_is() -> None:
    looked: Exchanges = [(opened(one("a", 60)), []), (clock(90), [OK])]
    allowed([*looked, (advance(60), later(150, OK, *delivered("a", 60)))])
    refused([*looked, (advance(60), [])], "deliver.no-loss", "owner.recheck")


def test_an_owner_may_look_and_fail_before_the_barrier_of_a_call_that_has_left() -> None:
    begun: Exchanges = [
        (opened(one("a", 60)), []),
        HOLD,
        (LIST, []),
        (command("barrier", outcomes=["fail"]), []),
        (command("abort", callId="l"), [aborted("l")]),
        (RELEASED_OK, [FAIL, OK]),
    ]
    allowed([*begun, (advance(60), [])])
    allowed([*begun, (advance(60), later(60, OK, *delivered("a", 60)))])


def test_a_long_wait_is_derived_anew_wherever_it_is_split() -> None:
    """So a clock that is back meanwhile makes it longer, which the clock's return need not mend."""
    long = every("e", 3_000_000, 3_000_000)
    begun: Exchanges = [
        (opened(long), []),
        (clock(-1), []),
        (advance(2_999_999), []),
        (clock(2_999_999), []),
    ]
    delivery = change("dispatch", "e", acceptedAt=at(3_000_000))
    in_time = later(3_000_000, OK, CLAIM, batch(("e", 3_000_000)), delivery, RELEASE, OK)
    allowed([*begun, (advance(1), in_time)])
    refused([*begun, (advance(2), [])], "deliver.no-loss", "owner.recheck")
    allowed([*begun, (advance(1), [])])
    short = every("e", 3_000, 3_000)
    refused(
        [(opened(short), []), (clock(-1), []), (advance(2_999), []), (clock(2_999), []), (advance(1), [])],
        "deliver.no-loss",
        "owner.recheck",
    )


def test_a_wait_that_is_over_while_a_barrier_is_held_may_be_followed_when_that_fails() -> None:
    made = every("e", 3_600, 3_600)
    held: Exchanges = [
        (opened(one("a", 60), made), []),
        HOLD,
        (advance(60), []),
        (command("turn"), []),
        (command("barrier", outcomes=["ok", "hold"]), []),
        (RELEASED_OK, later(60, OK, *delivered("a", 60))),
        (advance(3_540), []),
    ]
    again = later(3_600, OK, CLAIM, batch(("e", 3_600)), change("dispatch", "e", acceptedAt=at(3_600)))
    allowed([*held, (command("release", outcome="fail"), later(3_600, FAIL))])
    allowed([*held, (command("release", outcome="fail"), [*later(3_600, FAIL), *again, RELEASE, OK])])


# --- time ---


def test_a_wait_beyond_what_timers_hold() -> None:
    month = 30 * 24 * 3600
    begun: Step = (opened(one("a", month)), [])
    allowed([begun, (advance(month), later(month, OK, *delivered("a", month)))])
    allowed([begun, (advance(2_147_483.647), later(2_147_483.647, OK)), (advance(1), [])])
    refused([begun, (advance(month), [])], "deliver.no-loss")
    refused([begun, (advance(1), later(0.001, OK, CLAIM, reminder("a", month)))], "owner.never-early")


def test_a_clock_set_back_fires_nothing_early() -> None:
    begun: Exchanges = [(opened(one("a", 60)), []), (clock(-3600), [])]
    allowed([*begun, (advance(3660), later(60, OK, *delivered("a", 60)))])
    refused([*begun, (advance(3660), later(-3540, OK, CLAIM, reminder("a", 60)))], "owner.never-early")
    refused([*begun, (advance(3660), [])], "deliver.no-loss")


def test_a_clock_set_forward_obliges_nothing_until_the_wait_is_over() -> None:
    begun: Exchanges = [(opened(one("a", 60)), []), (clock(3600), [])]
    allowed([*begun, (advance(59), []), (advance(1), later(3660, OK, *delivered("a", 60)))])
    allowed([(opened(one("a", 60)), []), (clock(3600), [OK, *delivered("a", 60)])])
    allowed([*begun, (advance(59), later(3610, OK, *delivered("a", 60)))])
    refused([*begun, (advance(60), [])], "deliver.no-loss")
    refused([*begun, (command("turn"), [])], "owner.idle-only")


def test_a_clock_beyond_the_range_decides_no_batch_and_stops_nothing() -> None:
    last = 253_402_300_799_999
    begun: Exchanges = [
        (opened(every("a", 0), one("b", 60), busy=True), []),
        ({"cmd": "set_clock", "now": last + 1}, []),
        (command("busy", on=False), [OK, *delivered("b", 60)]),
    ]
    back: Exchanges = [*begun, (clock(0), [])]
    again = [OK, CLAIM, batch(("a", 0)), change("dispatch", "a", acceptedAt=at(0)), RELEASE, OK]
    allowed([*back, (command("turn"), again)])
    refused([*back, (command("turn"), [])], "owner.idle-only")


def test_each_target_within_one_advance_has_its_own_instant() -> None:
    begun: Step = (opened(one("a", 60), one("b", 61)), [])
    a, b = later(60, OK, *delivered("a", 60)), later(61, OK, *delivered("b", 61))
    allowed([begun, (advance(90), [*a, *b])])
    refused([begun, (advance(90), [*b, *a])], "deliver.no-loss")
    late = later(61, OK, *delivered("a", 60))
    refused([begun, (advance(90), [*late, *b])], "deliver.no-loss")


# --- agents, turns and activity ---


@pytest.mark.parametrize("agent", ["child", "existing"])
def test_other_agents_get_nothing(agent: str) -> None:
    begun: Step = (opened(one("a", 60), agent=agent), [])
    host = {"answer": {"callId": "l", "refused": True}}
    allowed([begun, (LIST, [host]), (advance(60), [])])
    allowed([begun, (LIST, [error("l", "internal_error")])])
    refused([begun, (LIST, [OK, value("l", [view(one("a", 60))])])], "tool.internal-error")
    refused([begun, (advance(60), later(60, OK, CLAIM))], "owner.roots-only")
    refused([(opened(agent=agent), [{"reply": {"tools": ["schedule_list"]}}])], "owner.roots-only")


def test_without_persistence_the_feature_fails_to_load() -> None:
    allowed([(opened(persistence=False), [{"rejected": {"code": "internal_error"}}])])
    allowed([(opened(persistence=False), [])])
    refused([(opened(one("a", -1), persistence=False), [CLAIM])], "owner.requires-persistence")


def test_a_turn_that_holds_the_agent_parks_what_is_due() -> None:
    begun: Step = (opened(one("a", -2), one("b", -1), turns="hold"), [OK, *delivered("a", -2)])
    allowed([begun, (LIST, [OK, value("l", [view(one("b", -1), "overdue")])])])
    allowed([(begun[0], [*begun[1], BUSY]), (command("busy", on=False), [OK, *delivered("b", -1)])])
    refused([(begun[0], [*begun[1], *delivered("b", -1)])], "owner.idle-only")
    refused([begun, (command("busy", on=False), [])], "owner.idle-only")


def test_disposal_starts_nothing_new_and_lets_end_what_is_in_flight() -> None:
    begun: Step = (command("barrier", outcomes=["ok", "hold"]), [])
    flight: Exchanges = [
        (opened(one("a", 60), one("b", 60)), []),
        begun,
        (advance(60), later(60, OK, *delivered("a", 60)[:-1])),
        (command("dispose"), []),
    ]
    allowed([*flight, (RELEASED_OK, [OK])])
    refused([*flight, (RELEASED_OK, [OK, CLAIM])], "owner.dispose")
    allowed([(opened(one("a", 60)), []), (command("dispose"), []), (command("turn"), []), (advance(99), [])])


# --- crashes, forks, profiles ---


def test_a_crash_keeps_what_a_barrier_acknowledged() -> None:
    begun: Exchanges = [
        (opened(one("a", -1)), [OK, *delivered("a", -1)]),
        (command("crash", keep=0), []),
    ]
    allowed([*begun, (command("reopen"), [])])
    refused([*begun, (command("reopen"), [OK, CLAIM, reminder("a", -1)])], "deliver.at-least-once")


def test_a_dispatch_that_was_not_durable_is_repeated_after_a_crash() -> None:
    begun: Exchanges = [
        (opened(one("a", 60)), []),
        (command("barrier", outcomes=["ok", "fail"]), []),
        (advance(60), later(60, OK, *delivered("a", 60)[:-1], FAIL)),
    ]
    allowed([*begun, (command("crash", keep=1), []), (command("reopen"), [OK, *delivered("a", 60)])])
    refused([*begun, (command("crash", keep=1), []), (command("reopen"), [])], "owner.session-local")
    allowed([*begun, (command("crash", keep=2), []), (command("reopen"), [])])


def test_a_fork_beside_its_live_parent() -> None:
    fork: Exchanges = [(opened(one("a", 60)), []), (command("fork", at=1, **{"as": "f"}), [])]
    of_fork = [{"session": "f"} | each for each in later(60, OK, *delivered("a", 60))]
    allowed([*fork, (advance(60), later(60, OK, *delivered("a", 60)))])
    refused([*fork, (advance(60), of_fork)], "fork.no-adoption")
    create = call("c", "create", prompt="x", after_seconds=60) | {"session": "f"}
    own = [{"session": "f"} | each for each in (OK, append(X), OK, value("c", view(X)))]
    allowed([*fork, (create, own)])


def test_the_earlier_level_knows_after_alone() -> None:
    terms = Terms(profile=Profile.V1_AFTER)
    call_at = call("c", "create", prompt="x", at=at(60))
    assert isinstance(judged([EMPTY, (call_at, [error("c", "invalid_selector")])], terms=terms), States)
    found = judged([EMPTY, (call_at, [OK, append(one("a", 60))])], terms=terms)
    assert isinstance(found, Violation)
    assert found.clause == "profile.v1-after"


def test_a_foreign_record_is_taken_up_after_the_next_preflight() -> None:
    foreign: Step = ({"cmd": "append", "session": "s", "event": created(one("a", 60))}, [])
    shown = value("l", [view(one("a", 60))])
    allowed([EMPTY, foreign, (advance(60), [])])
    allowed([EMPTY, foreign, (LIST, [OK, shown]), (advance(60), later(60, OK, *delivered("a", 60)))])
    refused([EMPTY, foreign, (LIST, [OK, shown]), (advance(60), [])], "deliver.no-loss")


# --- what the clauses leave open ---

MALFORMED = call("c", "create", prompt="x", at="soon")
FREE: dict[str, Exchanges] = {
    "a barrier when a session is opened": [(opened(one("a", 60)), [OK]), (advance(1), [])],
    "further barriers": [EMPTY, (CREATE, [OK, OK, append(X), OK, value("c", view(X)), OK])],
    "a claim without a follow-up": [(opened(one("a", 60)), [OK, CLAIM, RELEASE])],
    "a claim that gives due work up at first": [
        (opened(one("a", -1)), [OK, CLAIM, RELEASE, OK, *delivered("a", -1)])
    ],
    "claims while busy": [(opened(one("a", -1), busy=True), [OK, BUSY, BUSY])],
    "no barrier while busy": [(opened(one("a", -1), busy=True), [])],
    "a wake of one's own": [(opened(one("a", 60)), []), (advance(30), later(10, OK))],
    "a wake at a clock jump": [(opened(one("a", 60)), []), (clock(90), [OK, *delivered("a", 60)])],
    "`at` judged before the barrier": [EMPTY, (MALFORMED, [error("c", "invalid_rule")])],
    "`at` judged after the barrier": [EMPTY, (MALFORMED, [OK, error("c", "invalid_rule")])],
    "any spelling of an id": [
        EMPTY,
        (CREATE, [OK, append(after("é 1", 60)), OK, value("c", view(after("é 1", 60)))]),
    ],
    "an answer after due work": [
        (opened(one("a", 60)), []),
        (clock(90), []),
        (LIST, [OK, *delivered("a", 60), value("l", [view(one("a", 60), "overdue")])]),
    ],
    "due work before a call": [
        (opened(one("a", 60)), []),
        (clock(90), []),
        (LIST, [OK, *delivered("a", 60), OK, value("l", [])]),
    ],
    "the host's transcript": [
        (
            opened(one("a", -1)),
            [
                OK,
                CLAIM,
                reminder("a", -1),
                {"append": {"type": "agent/inbox/spliced", "data": {}}},
                *delivered("a", -1)[2:],
            ],
        )
    ],
    "activity with nothing due, and a clock set forward, while a barrier is held": [
        (opened(one("a", 60)), []),
        HOLD,
        (LIST, []),
        (command("turn"), []),
        (clock(90), []),
        (
            command("release", outcome="fail"),
            [FAIL, error("l", "persistence_uncertain", operation="list")],
        ),
    ],
    "activity after a failure that was in flight": [
        (opened(one("a", 60)), []),
        HOLD,
        (advance(60), []),
        (command("turn"), []),
        (command("release", outcome="fail"), [FAIL, OK, *delivered("a", 60)]),
    ],
}


@pytest.mark.parametrize("exchanges", FREE.values(), ids=FREE)
def test_what_the_clauses_leave_open(exchanges: Exchanges) -> None:
    allowed(exchanges)


def test_situations_are_values() -> None:
    found = judged(FREE["an answer after due work"])
    assert isinstance(found, States)
    assert hash(found) == hash(judged(FREE["an answer after due work"]))


# --- the messages ---


def test_a_message_depends_on_code_and_input_alone() -> None:
    bad = {"prompt": " ", "after_seconds": 1}
    first: Exchanges = [EMPTY, (call("c", "create", **bad), [error("c", "invalid_prompt")])]
    other = value("d", {"code": "invalid_prompt", "message": "another one"})
    allowed([*first, (call("d", "create", **bad), [error("d", "invalid_prompt")])])
    refused([*first, (call("d", "create", **bad), [other])], "tool.errors-stable")
    allowed([*first, (call("d", "create", prompt="", after_seconds=1), [other])])


@pytest.mark.parametrize(
    "observation",
    [
        {"session": "nobody", "barrier": "ok"},
        {"barrier": "ok", "at": NOON + 1},
        {"barrier": "ok", "at": "noon"},
        {"followup": None},
        {"append": []},
        {"answer": "l"},
        {"claim": 1},
        {"release": False},
        {"barrier": ["ok"]},
        {"what": 1},
    ],
)
def test_an_observation_that_makes_no_sense_is_a_violation(observation: Observation) -> None:
    observes = (*ALL, "what")
    found = judged([(opened(one("a", -1)), [observation])], observes)
    assert isinstance(found, Violation)


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({"cmd": "jump", "session": "s"}, "cmd"),
        ({"cmd": "busy", "session": "t", "on": True}, "session"),
        ({"cmd": "advance_time", "ms": "1"}, "ms"),
        ({"cmd": "advance_time", "ms": -1}, "ms"),
        ({"cmd": "barrier", "session": "s", "outcomes": ["maybe"]}, "outcomes"),
        ({"cmd": "release", "session": "s", "outcome": "hold"}, "outcome"),
        ({"cmd": "fork", "session": "s", "at": 9, "as": "f"}, "at"),
        ({"cmd": "open", "session": "s", "now": True}, "now"),
    ],
)
def test_a_request_that_makes_no_sense_is_the_writers_mistake(request_: Observation, told: str) -> None:
    with pytest.raises(ValueError, match=f"^{told} is "):
        judged([EMPTY, (request_, [])])


def test_a_wait_derived_anew_at_a_preflight_stands_though_its_create_is_not_confirmed() -> None:
    deleted = {"type": "schedule/change", "data": {"version": 1, "operation": "delete", "id": "c"}}
    written = one("n", 1)
    allowed(
        [
            (opened(every("b", 300), every("c", 60)), []),
            (command("append", event=deleted), []),
            (command("barrier", outcomes=["ok", "missing"]), []),
            (
                call("k", "create", prompt="N", at=at(1)),
                [
                    OK,
                    append(written),
                    {"barrier": "missing"},
                    error("k", "persistence_uncertain", operation="create", id="n"),
                ],
            ),
            # The wait of the preflight is for "b" alone: 300 s of the timer, whatever the clock does.
            (clock(0.999), []),
            (advance(299), []),
            (
                advance(1),
                later(300.999, OK, *delivered("n", 1), CLAIM, batch(("b", 300)))
                + later(300.999, change("dispatch", "b", acceptedAt=at(300.999)), RELEASE, OK),
            ),
        ]
    )
