"""A run of lines is tried as Schedule's alone only where it may be."""

import pytest
from tests.impl.logs import change_line, create

from schedule_impl import events
from schedule_impl.events import read_events


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([], id="none"),
        pytest.param([b'{"type":"chat","seq":0}', change_line(1, create("a"))[:-1]], id="another-type-first"),
    ],
)
def test_lines_that_cannot_be_schedule_alone_are_not_tried_as_such(
    lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "_read_schedule_alone", lambda *_: pytest.fail("they are not"))
    run = read_events(lines, 0)
    assert (len(run.changes), run.problem) == (len(lines), None)
