"""Lines that the fast decoder refuses are read by the slower one, up to the stated bound, to the byte."""

import pytest
from tests.impl.logs import HEADER, line, stated

from schedule_impl.events import read_events
from schedule_impl.header import HeaderTooLongError, read_header


def test_an_odd_line_is_read_up_to_the_stated_bound() -> None:
    size = stated("a line that the fast decoder does not read")
    bare = b'{"type":"x","seq":0.0,"data":"%b"}'
    lines = [bare % (b"x" * (size - len(bare) + 2 + more)) for more in (0, 1)]
    assert [len(each) for each in lines] == [size, size + 1]
    read, refused = (read_events([each], 0) for each in lines)
    assert (read.changes, read.problem) == ([None], None)
    assert refused.problem is not None
    assert refused.problem.kind == "limit"


def test_an_odd_header_is_read_up_to_the_stated_bound() -> None:
    size = stated("a line that the fast decoder does not read")
    bare = line(HEADER)[:-2] + b',"x":"\\ud800%b"}'
    lines = [bare % (b"x" * (size - len(bare) + 2 + more)) for more in (0, 1)]
    assert [len(each) for each in lines] == [size, size + 1]
    assert read_header(lines[0])["id"] == "s"
    with pytest.raises(HeaderTooLongError, match=f"longer than {size} bytes") as problem:
        read_header(lines[1])
    assert problem.value.header is None
