"""What is known of a world: what holds where nothing is said, and the failures that a script tells of."""

import pytest
from tests.spec.live.traces import NOON, Json, batch, call, every, one, opened, reminder

from schedule_spec.delivery import Session, States, Terms, Violation, initial, owners
from schedule_spec.delivery.judge import after_input, after_observation
from schedule_spec.delivery.model import Answering, Asked, Call, Log, Mode, Owner, Reason, Resting, Script
from schedule_spec.delivery.owners import Moment
from schedule_spec.fold import EMPTY, Refused, State
from schedule_spec.profiles import Profile
from schedule_spec.records import Record
from schedule_spec.rejections import Code, Rejection
from schedule_spec.tools import Failed, Listing


def test_nothing_is_agreed_but_what_everybody_shows_and_checks() -> None:
    kinds = ("followup", "append", "answer", "barrier", "claim", "release")
    assert initial().terms == Terms(kinds, Profile.V1, candidate=True)


def test_a_world_begins_at_0_without_sessions_or_messages() -> None:
    assert initial() == States(Terms(), 0, 0, (), (), (), Asked("", "", rejects=False))
    assert initial().of("s") == ()


def test_time_is_asked_of_no_session() -> None:
    assert after_input(initial(), {"cmd": "advance_time", "ms": 1}) == States(
        Terms(), left=1, asked=Asked("advance_time", "", rejects=False)
    )
    assert after_input(initial(), {"cmd": "set_clock", "now": 1}) == States(
        Terms(), clock=1, asked=Asked("set_clock", "", rejects=False)
    )


def begun(*requests: Json) -> Session:
    """The situation that world commands bring a session to, without anything that it does itself."""
    world = initial()
    for each in requests:
        world = after_input(world, each)
    [session] = world.of("s")
    return session


@pytest.mark.parametrize(
    ("agent", "mode", "owed"), [("root", Mode.LIVE, Reason.OPENED), ("child", Mode.ABSENT, None)]
)
def test_an_owner_begins_without_a_wait(agent: str, mode: Mode, owed: Reason | None) -> None:
    expected = Owner(mode, owed, None, split=False, renewed=False, unread=(), lull=None, lull_now=False)
    assert begun(opened(agent=agent)).owner == expected


def test_a_log_begins_empty() -> None:
    assert Log() == Log((), 0, EMPTY, 0, 0)
    assert Log().own == EMPTY


def test_a_session_begins_live_and_idle() -> None:
    expected = Session(
        Log(),
        live=True,
        agent="root",
        persistence=True,
        busy=False,
        holds_turns=False,
        script=Script((), followup_fails=False, operations=(), skip=0, times=0),
        owner=Owner(),
        phase=Resting(),
        calls=(),
        answers=(),
        held=False,
        orphan=False,
        settling=None,
        call_cleared=False,
        owner_cleared=False,
        dropped=(),
    )
    assert Session(Log()) == expected
    assert expected.installed


def test_a_call_begins_without_anything_done() -> None:
    given = '["schedule_list",{}]'
    [made] = begun(opened(), call("l", "list")).calls
    assert made == Call("l", Listing(), given)
    assert made == Call("l", Listing(), given, False, None, aborted=False, closing=False, answered=False)


def test_a_call_that_is_refused_at_once_waits_for_its_answer_alone() -> None:
    session = begun(opened(), call("c", "create", prompt=" ", after_seconds=1))
    given = '["schedule_create",{"after_seconds":1,"prompt":" "}]'
    refusal = Failed((Code.INVALID_PROMPT,))
    expected = Answering("c", given, (refusal,), broken="tool.create-prompt")
    assert (session.calls, session.answers) == ((), (expected,))


def test_nothing_is_broken_by_a_call_where_the_feature_is_not() -> None:
    refusal = Failed((Code.INTERNAL_ERROR,))
    expected = Answering("l", '["schedule_list",{}]', (refusal,), True, aborted=False, broken="")
    assert begun(opened(agent="child"), call("l", "list")).answers == (expected,)


def test_what_is_told_where_a_command_is_of_no_session() -> None:
    found = after_observation(initial(), {"at": 0, "session": "s", "barrier": "ok"})
    assert isinstance(found, Violation)
    assert found == Violation(found.clause, found.sentence, (), found.observation, "")
    assert Violation(found.clause, found.sentence).session == ""


@pytest.mark.parametrize(
    ("agent", "persistence", "installed"),
    [("root", True, True), ("root", False, False), ("child", True, False), ("existing", True, False)],
)
def test_where_the_feature_is(agent: str, persistence: bool, installed: bool) -> None:
    assert Session(Log(), agent=agent, persistence=persistence).installed is installed


@pytest.mark.parametrize(
    ("operations", "skip", "times", "fails"),
    [
        (("create",), 0, 1, True),
        (("create",), 0, 2, True),
        (("delete", "create"), 0, 1, True),
        (("delete",), 0, 1, False),
        ((), 0, 1, False),
        (("create",), 1, 1, False),
        (("create",), 0, 0, False),
        (("create",), 0, -1, False),
    ],
)
def test_when_an_append_fails(operations: tuple[str, ...], skip: int, times: int, fails: bool) -> None:
    script = Script(operations=operations, skip=skip, times=times)
    assert script.fails("create") is fails


@pytest.mark.parametrize(
    ("outcomes", "holds"),
    [((), False), (("hold",), True), (("hold", "ok"), True), (("ok", "hold"), False), (("fail",), False)],
)
def test_when_a_barrier_is_held(outcomes: tuple[str, ...], holds: bool) -> None:
    assert Script(outcomes).holds is holds


def test_the_state_of_a_log_that_does_not_fold_is_empty() -> None:
    known = State((), ("a",))
    assert Log(state=known).own == known
    rejection = Rejection(Code.CORRUPT_SCHEDULE_LOG, "fold.prefix", "It is none.")
    assert Log(state=Refused(0, known, rejection)).own == State((), ())


def test_logs_are_hashed_by_their_lengths_alone() -> None:
    """Situations share most of a log, and hashing all of it each time would take long."""
    logs = {each: begun(opened(one(each, 60))).log for each in "ab"}
    assert logs["a"] != logs["b"]
    assert hash(logs["a"]) == hash(logs["b"])


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ((), None),
        ((one("a", 60),), None),
        ((one("a", -1), one("b", 60)), reminder("a", -1)["followup"]),
        ((every("a", 0), every("b", 0)), batch(("a", 0), ("b", 0))["followup"]),
    ],
)
def test_the_follow_up_that_is_due(records: tuple[Record, ...], expected: str | None) -> None:
    assert owners.expected_followup(begun(opened(*records)), Moment(Terms(), NOON)) == expected
