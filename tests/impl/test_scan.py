"""What stops the scan of a log, where, and what it knows by then."""

import io
import itertools
import json

import pytest
from tests.impl.logs import HEADER, change_line, create, delete, dispatch, frame, line, log, scanned, stop_of

from schedule_impl.changes import Create, Delete
from schedule_impl.codec import MAX_ODD_LINE
from schedule_impl.ecma_json import parse
from schedule_impl.events import read_events
from schedule_impl.scan import scan

HEAD = line(HEADER)


def chat(seq: int, **members: object) -> bytes:
    return line({"type": "assistant/chunk", "seq": seq, "time": 0, **members})


def test_a_sound_log_is_counted_and_its_active_records_told() -> None:
    found = scanned(
        HEAD
        + chat(0)
        + change_line(1, create("a"))
        + change_line(2, create("b"))
        + change_line(3, delete("a"))
    )
    assert (found.events, found.changes, found.stop, found.torn) == (4, 3, None, None)
    assert found.active == [create("b")["schedule"]]
    assert found.header == HEADER


def test_a_stop_hands_over_the_line_the_position_the_state_and_the_raw_event() -> None:
    refused = change_line(3, create("a"))
    found = scanned(
        HEAD + chat(0) + change_line(1, create("a")) + change_line(2, delete("a")) + refused + chat(4)
    )
    stop = found.stop
    assert stop is not None
    assert (stop.kind, stop.line, stop.seq, stop.code) == ("event", 5, 3, "corrupt_schedule_log")
    assert stop.state == {"active": [], "seen": ["a"]}
    assert stop.raw == refused[:-1]
    assert (found.events, found.changes) == (3, 2)


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize("before", [0, 1, 1000])
def test_the_stop_is_the_same_however_far_into_the_log_it_stands(before: int, compress: bool) -> None:
    changes = [change for k in range(before) for change in (create(f"{k}"), dispatch(f"{k}"))]
    data = log(*changes, delete("never"), create("late"))
    assert stop_of(frame(data) if compress else data) == ("event", 2 * before + 2, 2 * before)


@pytest.mark.parametrize(
    "broken",
    [
        b"\n",
        b" \n",
        b"[]\n",
        b"7\n",
        b"null\n",
        b'{"type":"x","seq":1}}\n',
        b'{"type":"x","seq":1}{"type":"x","seq":2}\n',
        b'{"type":"x",\n',
        b'{"type":"x","seq":1,}\n',
        b'{"type":"x","seq":1,"data":NaN}\n',
        b'{"type":"x","seq":1,"data":"\x01"}\n',
        b'{"type":"x","seq":1,"data":"\xff"}\n',
        b'{"type":"x","seq":1,"data":"\xed\xa0\x80"}\n',
        b'\xef\xbb\xbf{"type":"x","seq":1}\n',
        b'{"type":"schedule/change","seq":1,"data":null}\n',
        b'{"type":"schedule/change","seq":1}\n',
        b'{"seq":1,"type":"x","type":"schedule\\/change"}\n',
        b'{"seq":1,"data":{"version":1,"operation":"delete","id":"x"},"type":"\\u0073chedule/change"}\n',
        b'{"type":"schedule/change","seq":1,"data":{"version":1,"operation":"delete","id":"first","id":7}}\n',
        b'{"type":"schedule/change","seq":1,"time":"\xff","data":{"version":1,"operation":"delete","id":"first"}}\n',
    ],
)
def test_a_line_that_is_no_event_or_no_sound_change_is_refused(broken: bytes) -> None:
    data = HEAD + change_line(0, create("first")) + broken + chat(2)
    assert stop_of(data) == ("event", 3, 1)
    stop = scanned(data).stop
    assert stop is not None
    assert stop.raw == broken[:-1]
    assert stop.state["seen"] == ["first"]


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (b"[}\n", "not JSON"),
        (b'{"type":"x","seq":0,"data":"\xff"}\n', "not JSON: no UTF-8 at byte 28"),
        (b"[]\n", "no object"),
        (b'{"type":"x"}\n', "seq"),
        (change_line(0, delete("a")), "'a'"),
        (change_line(0, {**delete("a"), "version": 2}), "version"),
        (b'{"type":"x","seq":0.0,"data":"%b"}\n' % (b"x" * MAX_ODD_LINE), str(MAX_ODD_LINE)),
    ],
)
def test_a_stop_says_why(broken: bytes, why: str) -> None:
    stop = scanned(HEAD + broken).stop
    assert stop is not None
    assert why in stop.message


@pytest.mark.parametrize(
    "odd",
    [
        b'{"type":"schedule/change","seq":1.0,"data":{"version":1e0,"operation":"delete","id":"first"}}\n',
        b'{"seq":1,"data":{"id":"first","operation":"delete","version":1},"type":"schedule\\/change"}\n',
        b'{"type":7,"type":"\\u0073chedule/change","seq":1,"data":{"version":1,"operation":"delete","id":"first"}}\n',
        b'{"type":"schedule/change","seq":9,"data":1,"seq":1,"data":{"version":1,"operation":"delete","id":"first"}}\n',
        b'{"type":"schedule/change","__proto__":{"seq":3},"seq":1,"x":"\\ud800",'
        b'"data":{"version":1,"operation":"delete","id":"first"}}\r\n',
    ],
)
def test_a_change_in_an_odd_spelling_is_a_change(odd: bytes) -> None:
    found = scanned(HEAD + change_line(0, create("first")) + odd + chat(2))
    assert found.stop is None
    assert (found.events, found.changes, found.active) == (3, 2, [])


@pytest.mark.parametrize(
    "foreign",
    [
        b'{"seq":1}\n',
        b'{"seq":1,"type":null,"data":{"version":9}}\n',
        b'{"seq":1,"type":["schedule/change"]}\n',
        b'{"type":"schedule/change","seq":1,"data":7,"type":"other"}\n',
        b'{"type":"Schedule/change","seq":1,"data":null}\n',
        b'{"type":"","seq":1}\n',
        b'{"type":"","seq":1,"data":{"version":1,"operation":"delete","id":"first"}}\n',
        b'{"type":"schedule/change","seq":1,"data":{"version":1,"operation":"delete","id":"first"},"type":""}\n',
        b'{"type":"x","seq":1.0,"data":"\\ud800\\u2028\xe2\x80\xa8\xc2\x85"}\n',
        b'{"type":"x","seq":1,"data":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
        b'{"type":"x","seq":1,"data":1e400,"n":' + b"9" * 5000 + b"}\n",
    ],
)
@pytest.mark.parametrize(
    ("first", "changes"), [(chat(0), 0), (change_line(0, create("first")), 1)], ids=["chat", "change"]
)
def test_an_event_of_another_type_is_passed_over(foreign: bytes, first: bytes, changes: int) -> None:
    found = scanned(HEAD + first + foreign + chat(2))
    assert found.stop is None
    assert (found.events, found.changes, len(found.active)) == (3, changes, changes)


@pytest.mark.parametrize("seq", [0, 1])
def test_a_first_event_whose_last_type_is_empty_is_passed_over(seq: int) -> None:
    data = HEAD + chat(0) * seq + EVENT % (seq, b"a") + b',"type":""}\n' + chat(seq + 1)
    found = scanned(data)
    assert (found.stop, found.events, found.changes) == (None, seq + 2, 0)


@pytest.mark.parametrize(
    "seq", [b"", b'"seq":0,', b'"seq":2,', b'"seq":"1",', b'"seq":true,', b'"seq":null,', b'"seq":1.5,']
)
@pytest.mark.parametrize("kind", [b"x", b"schedule/change"])
def test_an_event_that_does_not_bear_its_position_is_out_of_sequence(seq: bytes, kind: bytes) -> None:
    change = b'{"version":1,"operation":"delete","id":"first"}'
    data = (
        HEAD + change_line(0, create("first")) + b"{%b" % seq + b'"type":"%b","data":%b}\n' % (kind, change)
    )
    assert stop_of(data) == ("seq", 3, 1)
    assert scanned(data).active == [create("first")["schedule"]]


EVENT = b'{"type":"schedule/change","seq":%d,"data":{"version":1,"operation":"delete","id":"%b"}'


@pytest.mark.parametrize(
    "two_lines",
    [
        EVENT % (2, b"a") + b"}" + EVENT % (3, b"b") + b"}\n\n",
        b"\n" + EVENT % (2, b"a") + b"}" + EVENT % (3, b"b") + b"}\n",
        EVENT % (2, b"a") + b',"x":\n' + EVENT % (7, b"z") + b"}}" + EVENT % (3, b"b") + b"}\n",
        EVENT % (2, b"a") + b',"x":[{}\n,' + EVENT % (7, b"z") + b"}]}" + EVENT % (3, b"b") + b"}\n",
        EVENT % (2, b"a") + b"}" + EVENT % (3, b"b") + b',"x":{}\n}\n',
        EVENT % (2, b"a") + b"}" + EVENT % (3, b"b") + b"\n}\n",
    ],
)
@pytest.mark.parametrize("after", [b"", EVENT % (4, b"c") + b"}\n"])
def test_a_line_holds_one_event_and_an_event_stands_in_one_line(two_lines: bytes, after: bytes) -> None:
    before = b"".join(change_line(seq, create(name)) for seq, name in enumerate("ab"))
    assert stop_of(HEAD + before + two_lines + after) == ("event", 4, 2)


@pytest.mark.parametrize("ending", ["\u2028", "\u0085", "\r", "\v", "\x1c"])
def test_a_line_ends_at_a_newline_alone(ending: str) -> None:
    text = json.dumps({"type": "x", "seq": 0, "data": f"a{ending}b"}, ensure_ascii=ending < " ")
    assert scanned(HEAD + text.encode() + b"\n" + change_line(1, create("a"))).changes == 1


@pytest.mark.parametrize("filler", [b"", b"not JSON at all\n", b"\xff\xfe\n\n"])
def test_the_inherited_prefix_is_counted_and_not_read(filler: bytes) -> None:
    lines = filler.count(b"\n")
    own = change_line(lines, create("a"))
    found = scanned(line({**HEADER, "seedLength": lines}) + filler + own)
    assert found.stop is None
    assert (found.events, found.changes) == (lines + 1, 1)


def test_a_childs_change_of_what_it_did_not_create_is_refused() -> None:
    assert stop_of(log(create("a"), delete("a"), seedLength=1)) == ("event", 3, 1)


def test_an_end_of_seed_event_is_no_boundary() -> None:
    data = HEAD + change_line(0, create("a")) + line({"type": "session/end-seed", "seq": 1, "data": {}})
    assert scanned(data + change_line(2, delete("a"))).stop is None


@pytest.mark.parametrize("length", [None, True, -1, 1.5, "1", [], 3])
def test_an_impossible_seed_length_is_said(length: object) -> None:
    assert stop_of(log(create("a"), create("b"), seedLength=length)) == ("seed-length", 1, None)


@pytest.mark.parametrize("length", [0, 2, 2.0, -0.0])
def test_a_possible_seed_length_is_taken(length: object) -> None:
    assert scanned(log(create("a"), create("b"), seedLength=length)).stop is None


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b'{"type":"session"',
        b"\n",
        b"[]\n",
        b"{}\n",
        b"\xff\n",
        line({**HEADER, "type": "sessions"}),
        line({**HEADER, "version": 1}),
        line({**HEADER, "version": False}),
        line({**HEADER, "id": 7}),
    ],
)
def test_an_unknown_header_or_none_is_said(header: bytes) -> None:
    assert stop_of(header) == ("header", 1, None)


@pytest.mark.parametrize(
    ("data", "header"),
    [
        (b"[]\n", None),
        (b"{}\n", {}),
        (b'{"type":"session","version":7.0}\n', {"type": "session", "version": 7}),
        (line({**HEADER, "seedLength": -1}), {**HEADER, "seedLength": -1}),
    ],
)
def test_what_is_known_of_an_unsound_header_is_handed_over(data: bytes, header: object) -> None:
    found = scanned(data + chat(0))
    assert found.header == header
    assert found.stop is not None
    assert found.stop.raw == data[:-1]
    assert "header" in found.stop.message


def test_the_earlier_profile_knows_after_alone() -> None:
    sound = log(create("a", "after"), dispatch("a"), create("b", "after"), delete("b"))
    assert scanned(sound, "v1-after").stop is None
    assert stop_of(log(create("a", "after"), create("b")), "v1-after") == ("event", 3, 1)
    assert stop_of(log(create("a", "every")), "v1-after") == ("event", 2, 0)
    assert stop_of(log(create("a", "after"), dispatch("a", "2030-01-01T00:00:00.000Z")), "v1-after") == (
        "event",
        3,
        1,
    )
    # Of two refusals the one that stands first in the log counts.
    assert stop_of(log(create("a", "after"), delete("x"), create("b")), "v1-after") == ("event", 3, 1)
    assert stop_of(log(create("b"), delete("x")), "v1-after") == ("event", 2, 0)


def test_an_unknown_profile_is_a_wrong_call() -> None:
    with pytest.raises(ValueError, match="v2"):
        scanned(log(), "v2")


def test_a_long_line_is_read_where_it_is_usual_and_refused_where_it_is_odd() -> None:
    long = b"x" * MAX_ODD_LINE
    usual = b'{"type":"x","seq":0,"data":"%b"}\n' % long
    assert scanned(HEAD + usual).stop is None
    assert stop_of(HEAD + usual.replace(b'"data":"', b'"data":"\\ud800')) == ("limit", 2, 0)


@pytest.mark.parametrize("letter", [b"x", "é".encode()], ids=["ASCII", "not ASCII"])
@pytest.mark.parametrize("others", [False, True], ids=["alone", "among others"])
def test_a_long_change_is_read_where_it_is_usual_and_refused_where_it_is_odd(
    letter: bytes, others: bool
) -> None:
    short = change_line(int(others), create("a"))
    usual = HEAD + chat(0) * others + short.replace(b'"p"', b'"%b"' % (letter * MAX_ODD_LINE))
    found = scanned(usual)
    assert (found.stop, found.changes) == (None, 1)
    stop = stop_of(usual.replace(b'"version":1', b'"version":1.0'))
    assert stop == ("limit", 2 + int(others), int(others))


def test_a_usual_change_among_others_is_read_at_once_and_in_its_place() -> None:
    long = change_line(1, create("a", prompt="x" * MAX_ODD_LINE))
    run = read_events([chat(0), long, chat(2)], 0)
    assert ([type(change) for change in run.changes], run.problem) == ([type(None), Create, type(None)], None)
    for wrong in (change_line(0, create("a")), change_line(2, create("a"))):
        problem = read_events([chat(0), wrong], 0).problem
        assert problem is not None
        assert problem.kind == "seq"


def test_only_what_the_clauses_refuse_has_their_code() -> None:
    corrupt = [HEAD + change_line(0, delete("a")), log(seedLength=1), log(seedLength=-1)]
    other = [b"", b"[]\n", HEAD + chat(1), frame(HEAD)[:-1] + b"?", HEAD + b"[" * (MAX_ODD_LINE + 1) + b"\n"]
    stops = [scan(io.BytesIO(data)).stop for data in corrupt + other]
    assert [(stop.kind, stop.line, stop.seq, stop.code) for stop in stops if stop is not None] == [
        ("event", 2, 0, "corrupt_schedule_log"),
        ("seed-length", 1, None, "corrupt_schedule_log"),
        ("seed-length", 1, None, "corrupt_schedule_log"),
        ("header", 1, None, None),
        ("header", 1, None, None),
        ("seq", 2, 0, None),
        ("bytes", 1, None, None),
        ("limit", 2, 0, None),
    ]


def test_a_refused_line_within_the_bounds_is_handed_over_in_whole() -> None:
    refused = change_line(0, delete("x" * (2 << 20)))
    stop = scanned(HEAD + refused).stop
    assert stop is not None
    assert stop.raw == refused[:-1]
    nothing = scanned(b"").stop
    assert nothing is not None
    assert nothing.raw == b""


def test_an_event_of_no_type_among_changes_is_none_of_them() -> None:
    for untyped in (b'{"type":"","seq":1}', b'{"seq":1,"type":""}', b'{"seq":1}'):
        run = read_events([change_line(0, create("a")), untyped, change_line(2, delete("a"))], 0)
        assert ([type(change) for change in run.changes], run.problem) == ([Create, type(None), Delete], None)


def test_changes_are_counted_up_to_a_line_that_is_none() -> None:
    found = scanned(HEAD + chat(0) + change_line(1, create("a")) + chat(2) + b"?\n")
    assert (found.events, found.changes) == (3, 1)


def test_a_run_tells_whether_there_may_be_events_of_other_types() -> None:
    changes = [change_line(7, create("a")), change_line(8, delete("a"))]
    alone = read_events(changes, 7)
    assert [type(change) for change in alone.changes] == [Create, Delete]
    assert not alone.is_mixed
    mixed = read_events([chat(6), *changes], 6)
    assert (mixed.changes[0], mixed.changes[1:], mixed.is_mixed) == (None, alone.changes, True)


def test_a_long_header_is_read_where_it_is_usual_and_refused_where_it_is_odd() -> None:
    usual = line({**HEADER, "cwd": "x" * MAX_ODD_LINE})
    for whole in (usual + chat(0), frame(usual + chat(0))):
        assert (scanned(whole).stop, scanned(whole).events) == (None, 1)
    for odd in (usual.replace(b'"cwd":"', b'"cwd":"\\ud800'), b"[" * (MAX_ODD_LINE + 1) + b"\n"):
        assert stop_of(odd + chat(0)) == ("limit", 1, None)


@pytest.mark.parametrize(
    "odd", [b'"x":1e400,', b'"x":"\\udc00",', b'"version":7,', b'"y":' + b"[" * 9999 + b"]" * 9999 + b","]
)
def test_a_header_in_an_odd_spelling_is_a_header(odd: bytes) -> None:
    header = line(HEADER).replace(b'"version":0', odd + b'"version":-0.0,"seedLength":1e0')
    found = scanned(header + b"unread\n" + change_line(1, create("a")))
    assert found.stop is None
    assert found.changes == 1


@pytest.mark.parametrize("blank", [b"\n" * 100_000, b" \n", b"\r\n"])
def test_a_blank_line_of_the_own_part_stops_the_scan_at_once(blank: bytes) -> None:
    assert stop_of(HEAD + chat(0) + blank + chat(1)) == ("event", 3, 1)


def test_progress_is_told_on_the_way() -> None:
    told: list[tuple[int, int]] = []
    data = HEAD + b"".join(chat(seq) for seq in range(60_000))
    scan(io.BytesIO(data), progress=lambda read, events: told.append((read, events)))
    assert len(told) >= 2
    assert told == sorted(told)
    assert told[-1][0] <= len(data)


def test_progress_is_told_whenever_20000_events_were_passed() -> None:
    told: list[int] = []
    ends = (0, 19_999, 20_000, 39_999, 40_000, 40_001)
    runs = [b"".join(chat(seq) for seq in range(*pair)) for pair in itertools.pairwise(ends)]
    data = b"".join(map(frame, [HEAD, *runs]))
    found = scan(io.BytesIO(data), progress=lambda read, events: told.append(events))
    assert (found.events, found.stop, told) == (40_001, None, [20_000, 40_000])
    assert scan(io.BytesIO(data)).events == 40_001


def test_what_a_stop_shows_of_a_state_is_the_log_before_it() -> None:
    every = create("e", "every")
    found = scanned(
        log(every, dispatch("e", "2030-01-01T00:07:00.000Z"), dispatch("e", "2030-01-01T00:09:59.999Z"))
    )
    assert found.stop is not None
    assert found.stop.state["active"] == [{**every["schedule"], "scheduledAt": "2030-01-01T00:10:00.000Z"}]
    assert parse(found.stop.raw.decode()) == {
        "type": "schedule/change",
        "seq": 2,
        "time": 0,
        "data": dispatch("e", "2030-01-01T00:09:59.999Z"),
    }
