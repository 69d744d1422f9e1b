"""An event is read back before it is appended only where it may be one that cannot be."""

import pytest
from tests.impl.logs import line

from schedule_impl import session
from schedule_impl.session import Session, new_header


def test_an_event_within_the_bound_is_not_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Session(new_header("s", 0))
    event = {"type": "chat", "text": "x" * 100}
    size = len(line({"type": "chat", "seq": 0, "time": 0, "text": "x" * 100})) - 1
    monkeypatch.setattr(session, "read_events", lambda *_: pytest.fail("any such line can be read"))
    monkeypatch.setattr(session, "MAX_ODD_LINE", size)
    own.append(event, 0)
    assert [len(each) for each in own.lines()] == [size]
