"""A live session's lines and headers, letter by letter, and the bounds within which it takes events."""

from typing import Any

import pytest
from tests.impl.logs import HEADER, create, delete

from schedule_impl.changes import Delete
from schedule_impl.errors import ScheduleError
from schedule_impl.session import EventTooLongError, Session, new_header


@pytest.fixture
def session() -> Session:
    return Session(new_header("s", 0))


def event(name: str) -> dict[str, Any]:
    return {"type": "schedule/change", "data": create(name)}


def test_an_event_stands_in_its_line_behind_its_type_its_position_and_its_time(session: Session) -> None:
    session.append({"data": [1, "é\n"], "time": -1, "x": None, "seq": 99, "type": "note"}, 7)
    session.append({"data": {}}, -5)
    session.append(event("a"), 8)
    session.append_change(Delete(1, "a"), 9)
    assert [*session.lines()] == [
        '{"type":"note","seq":0,"time":7,"data":[1,"é\\n"],"x":null}'.encode(),
        b'{"seq":1,"time":-5,"data":{}}',
        b'{"type":"schedule/change","seq":2,"time":8,"data":{"version":1,"operation":"create","schedule":'
        b'{"id":"a","kind":"at","prompt":"p","scheduledAt":"2030-01-01T00:00:00.000Z"}}}',
        b'{"type":"schedule/change","seq":3,"time":9,"data":{"operation":"delete","version":1,"id":"a"}}',
    ]
    assert session.lines(3) == session.lines()[3:]
    assert (len(session), session.agenda.seen(), session.agenda.active()) == (4, ["a"], [])


def test_a_header_tells_who_when_and_of_whom() -> None:
    header = new_header("parent", 5)
    assert header == {**HEADER, "id": "parent", "createdAt": 5}
    parent = Session({**header, "cwd": "/"})
    parent.append(event("a"), 6)
    child = parent.fork(1, "child", 7)
    assert child.header == {
        **parent.header,
        "id": "child",
        "createdAt": 7,
        "parentSession": "parent",
        "seedLength": 1,
    }
    assert (parent.id, child.id) == ("parent", "child")
    assert (child.lines(), child.agenda.seen()) == (parent.lines(), [])
    assert parent.fork(0, "other", 7).lines() == []


@pytest.mark.parametrize("time", [1.0, True, None, "1"])
def test_a_time_is_an_integer(session: Session, time: Any) -> None:
    with pytest.raises(TypeError):
        session.append(event("a"), time)
    assert (len(session), session.agenda.seen()) == (0, [])


@pytest.mark.parametrize("length", [0, 1, 2])
def test_a_session_may_have_inherited_all_that_it_holds(length: int) -> None:
    lines = [b"no event", b"none"]
    session = Session({**HEADER, "seedLength": length}, lines)
    assert session.is_corrupt == (length < 2)
    assert session.lines() == lines


def test_over_what_does_not_fold_nothing_is_told_but_that(session: Session) -> None:
    session.append(event("a"), 0)
    corrupt = Session(HEADER, [*session.lines(), *session.lines()])
    assert corrupt.is_corrupt
    with pytest.raises(ScheduleError, match="seq") as refusal:
        _ = corrupt.agenda
    assert refusal.value.code == "corrupt_schedule_log"


@pytest.mark.parametrize(
    ("prompt", "bound"), [("x", "MAX_LINE"), ("\ud800", "MAX_ODD_LINE")], ids=["usual", "odd"]
)
@pytest.mark.parametrize("kind", ["schedule/change", "note"])
def test_an_event_of_the_bound_is_taken_and_a_longer_one_is_not(
    session: Session, monkeypatch: pytest.MonkeyPatch, prompt: str, bound: str, kind: str
) -> None:
    longest = {"MAX_LINE": 4_000, "MAX_ODD_LINE": 2_000}
    for name, size in longest.items():
        monkeypatch.setattr(f"schedule_impl.session.{name}", size)
    monkeypatch.setattr("schedule_impl.events.MAX_ODD_LINE", longest["MAX_ODD_LINE"])

    def sized(more: int) -> dict[str, Any]:
        bare = {"type": kind, "data": create("a", prompt=prompt)}
        probe = Session(HEADER)
        probe.append(bare, 0)
        room = longest[bound] - len(probe.lines()[0]) + more
        return {"type": kind, "data": create("a", prompt=prompt + "x" * room)}

    with pytest.raises(EventTooLongError):
        session.append(sized(1), 0)
    assert (len(session), session.agenda.seen()) == (0, [])
    session.append(sized(0), 0)
    assert len(session.lines()[0]) == longest[bound]
    again = Session(HEADER, session.lines())
    assert (again.is_corrupt, again.agenda.seen()) == (False, session.agenda.seen())


def test_what_is_refused_leaves_the_state_as_it_was(session: Session) -> None:
    session.append(event("a"), 0)
    for refused in (event("a"), {"type": "schedule/change", "data": delete("b")}, {"x": float("nan")}):
        with pytest.raises(ScheduleError):
            session.append(refused, 0)
    assert (len(session), session.agenda.seen()) == (1, ["a"])
    assert session.agenda.fresh_id() == "schedule-1"
