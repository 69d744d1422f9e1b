"""What the replies to `open`, `append` and `log` may say: tools, refusals, and the events of the log."""

import pytest
from tests.spec.live.traces import ALL, Json, Request, command, created, one, opened

from schedule_spec.delivery import Terms, Violation, after_exchange, initial

NOTE: Json = {"type": "note", "data": {"x": 1}}
BARE: Json = {"type": "note"}
A: Json = created(one("a", 60))
B: Json = created(one("b", 90))
END_A: Json = {"type": "schedule/change", "data": {"version": 1, "operation": "delete", "id": "a"}}
MANY = [NOTE, A, NOTE, BARE, 7]
TOOLS = ["schedule_create", "schedule_list", "schedule_delete"]

Step = tuple[Request, Json]
"""A request and the whole reply, without observations."""


def replying(**members: Json) -> Json:
    return {"result": {"observed": [], **members}}


def events(*given: Json, **members: Json) -> Step:
    return opened(events=list(given), **members), replying(tools=TOOLS)


FORK: Step = (command("fork", at=3, **{"as": "f"}), replying())


def log(*came: Json, session: str = "s") -> Step:
    return {"cmd": "log", "session": session}, replying(events=list(came))


def verdict(*steps: Step, terms: Terms | None = None) -> str | None:
    """Return the clause that the last step violates, None where it is allowed."""
    states = initial(terms or Terms(observes=ALL))
    for number, (request, reply) in enumerate(steps, 1):
        came = after_exchange(states, request, reply)
        if isinstance(came, Violation):
            assert number == len(steps)
            return came.clause
        states = came
    return None


@pytest.mark.parametrize(
    "came",
    [
        MANY,
        [{"type": "session/begin"}, *MANY, {"type": "session/idle"}],
        [NOTE, {"type": "turn"}, A, NOTE, BARE, "of the host", 7],
        [NOTE | {"seq": 1, "time": "t"}, A | {"seq": 2}, NOTE, BARE, 7],
        [NOTE, NOTE, A, NOTE, BARE, 7],
    ],
    ids=[
        "as it is",
        "within the host's events",
        "between them",
        "with the host's envelope",
        "one of the host's alike",
    ],
)
def test_a_log_may_hold_more_than_was_appended(came: list[Json]) -> None:
    assert verdict(events(*MANY), log(*came)) is None


@pytest.mark.parametrize(
    ("clause", "came"),
    [
        ("deliver.no-loss", [NOTE, NOTE, BARE, 7]),
        ("deliver.no-loss", [NOTE, B, NOTE, BARE, 7]),
        ("deliver.no-receipt", [NOTE, A, A, NOTE, BARE, 7]),
        ("deliver.no-receipt", [*MANY, END_A]),
        ("fold.authority", [A, NOTE, BARE, 7]),
        ("fold.authority", [NOTE, A, BARE, 7]),
        ("fold.authority", [NOTE, A, NOTE, 7]),
        ("fold.authority", [NOTE, A, NOTE, BARE]),
        ("fold.authority", [NOTE, A, NOTE, BARE | {"data": None}, 7]),
        ("fold.authority", [BARE, A, NOTE, BARE, 7]),
        ("fold.authority", [NOTE | {"type": "other"}, A, NOTE, BARE, 7]),
        ("fold.authority", [NOTE, A, NOTE, BARE, 8]),
    ],
)
def test_what_was_appended_stands_in_the_log_and_no_other_change(clause: str, came: list[Json]) -> None:
    assert verdict(events(*MANY), log(*came)) == clause


def test_changes_keep_their_order() -> None:
    assert verdict(events(A, B), log(B, A)) == "deliver.no-loss"
    assert verdict(events(A, B), log(A, B)) is None


@pytest.mark.parametrize("came", [[A, NOTE], [NOTE, NOTE], [NOTE, A], [NOTE, B, NOTE], []])
def test_the_inherited_events_stay_in_the_childs_log(came: list[Json]) -> None:
    """fork.history: those of other types too."""
    assert verdict(events(*MANY), FORK, log(*came, session="f")) == "fork.history"
    assert verdict(events(*MANY), FORK, log(NOTE, A, NOTE, session="f")) is None


def test_what_the_child_appended_itself_is_no_history() -> None:
    assert verdict(events(NOTE, B, seedLength=1), log(NOTE)) == "deliver.no-loss"
    assert verdict(events(NOTE, B, seedLength=1), log(B)) == "fork.history"


@pytest.mark.parametrize("members", [{}, {"events": None}, {"events": {}}])
def test_a_reply_without_events_tells_nothing_of_the_log(members: dict[str, Json]) -> None:
    assert verdict(events(A), ({"cmd": "log", "session": "s"}, replying(**members))) is None


@pytest.mark.parametrize(
    ("clause", "told", "members"),
    [
        (None, {"tools": TOOLS}, {}),
        (None, {"tools": [{"name": name} for name in TOOLS]}, {}),
        (None, {"tools": TOOLS[::-1]}, {}),
        ("owner.roots-only", {"tools": TOOLS[:2]}, {}),
        ("owner.roots-only", {"tools": [*TOOLS, "schedule_pause"]}, {}),
        ("owner.roots-only", {"tools": []}, {}),
        ("owner.roots-only", {}, {}),
        (None, {"tools": []}, {"agent": "child"}),
        (None, {}, {"agent": "child"}),
        ("owner.roots-only", {"tools": TOOLS}, {"agent": "child"}),
        (None, {"tools": []}, {"persistence": False}),
        (None, {}, {"persistence": False}),
        ("owner.requires-persistence", {"tools": TOOLS}, {"persistence": False}),
    ],
)
def test_the_tools_that_an_opened_session_has(
    clause: str | None, told: dict[str, Json], members: dict[str, Json]
) -> None:
    assert verdict((opened(**members), replying(**told))) == clause


def foreign(event: Json, rejected: bool) -> Step:
    return command("append", event=event), {"rejected": "no"} if rejected else replying()


@pytest.mark.parametrize(
    ("clause", "event", "rejected"),
    [
        (None, A, True),
        ("fold.candidate", A, False),
        (None, B, False),
        ("fold.candidate", B, True),
        (None, NOTE, False),
        ("fold.candidate", NOTE, True),
    ],
)
def test_a_candidate_is_refused_exactly_where_the_log_would_not_fold(
    clause: str | None, event: Json, rejected: bool
) -> None:
    assert verdict(events(A), foreign(event, rejected)) == clause


def test_who_checks_no_candidates_may_take_any() -> None:
    assert verdict(events(A), foreign(A, False), terms=Terms(candidate=False)) is None


def test_a_session_that_does_not_fold_may_be_refused_and_no_other() -> None:
    assert verdict((opened(events=[END_A]), {"rejected": "corrupt"})) is None
    assert verdict((opened(events=[A]), {"rejected": "corrupt"})) == "fold.candidate"


CRASHED = (
    events(),
    foreign(NOTE, False),
    foreign(A, False),
    (command("crash", keep=2), replying()),
    (command("reopen"), replying()),
    (command("crash", keep=0), replying()),
    (command("reopen"), replying()),
)
"""What is left of the log is open: what survived one crash may count as durable in the next, and need not."""


@pytest.mark.parametrize("came", [[], [NOTE, A]])
def test_after_a_crash_either_log_is_right(came: list[Json]) -> None:
    assert verdict(*CRASHED, log(*came)) is None


def test_what_neither_log_is_is_told_as_it_differs_from_the_shorter_one() -> None:
    assert verdict(*CRASHED, log(A)) == "deliver.no-receipt"


@pytest.mark.parametrize("rejected", [True, False])
def test_a_candidate_that_fits_one_of_two_logs_may_be_refused_or_let_in(rejected: bool) -> None:
    assert verdict(*CRASHED, foreign(A, rejected)) is None


def test_who_checks_no_candidates_may_refuse_one_for_another_reason() -> None:
    assert verdict(events(A), foreign(B, True), terms=Terms(candidate=False)) is None


def test_without_a_seed_length_nothing_is_inherited() -> None:
    assert verdict(events(NOTE, B, seedLength="?"), log(B)) == "fold.authority"


@pytest.mark.parametrize("result", [None, [], "x"])
@pytest.mark.parametrize("request_", [opened(), {"cmd": "log", "session": "s"}], ids=["open", "log"])
def test_a_result_that_is_no_object_tells_nothing(request_: Request, result: Json) -> None:
    first = () if request_["cmd"] == "open" else (events(A),)
    assert verdict(*first, (request_, {"result": result})) is None


def test_names_of_tools_that_are_no_strings_are_none() -> None:
    assert verdict((opened(), replying(tools=[*TOOLS, 5, {"name": None}, {}]))) is None
