"""The law's own way through a log and the implementation's end in the same place with the same state.

This is where two independent readings meet on whole logs: events that follow and events that may not, sample
logs with damaged bytes, headers of every kind.
"""

from io import BytesIO
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.damage import FORK, PARENT, SMALL, after, create, delete, dispatch, every, frames, join

from schedule_cli.checking import law_scan
from schedule_cli.checking.law_scan import LawScan
from schedule_impl import scan as implementation
from schedule_impl.scan import Scan

IDS = st.sampled_from(['"a"', '"b"', '"\\u0061"', '""', '"a "', '"\\ud800"', "1"])
INSTANTS = st.sampled_from(
    [
        '"2026-01-01T00:00:00.000Z"',
        '"2026-01-01T00:05:00.000Z"',
        '"2026-01-01T00:04:59.999Z"',
        '"2026-06-01T12:00:00.001Z"',
        '"9999-12-31T23:59:59.999Z"',
        '"0001-01-01T00:00:00.000Z"',
        '"0000-01-01T00:00:00.000Z"',
        '"2026-02-29T00:00:00.000Z"',
        '"2026-01-01T00:00:00Z"',
        "1",
    ]
)
SECONDS = st.sampled_from(
    ["300", "300.0", "3e2", "299", "1", "0", "-0", "1.5", "9007199254740", "1e400", '"300"']
)
PROMPTS = st.sampled_from(['"p"', '"p"', '"\\ufeffp"', '"\\ud83d"', "null"])

CHANGES = st.one_of(
    st.builds(create, st.builds(after, IDS, PROMPTS, SECONDS, INSTANTS)),
    st.builds(create, st.builds(every, IDS, SECONDS, INSTANTS)),
    st.builds(delete, IDS),
    st.builds(dispatch, IDS, st.none() | INSTANTS),
    st.sampled_from(["null", "{}", '{"version":true,"operation":"delete","id":"a"}', "[", '{"version":1,']),
)
TYPES = st.sampled_from(["schedule/change"] * 8 + ["schedule\\/change", "schedule/changes", "", "\\ud800"])
SEED_LENGTHS = st.sampled_from(["", ',"seedLength":%s']).flatmap(
    lambda member: st.sampled_from(["0", "1", "2.0", "5", "40", "-1", "1.5", "null", "1e400", '"1"']).map(
        lambda number: member.replace("%s", number)
    )
)


@st.composite
def logs(draw: st.DrawFn) -> bytes:
    """Whole logs: most events follow one another, some may not; a few lines are something else."""
    header = '{"type":"session","version":0,"id":"s"%s}' % draw(SEED_LENGTHS)  # noqa: UP031 - full of braces
    lines = [header.encode()]
    for seq, data in enumerate(draw(st.lists(CHANGES, max_size=12))):
        kind = draw(TYPES)
        number = draw(st.sampled_from([str(seq)] * 12 + [f"{seq}.0", f"{seq}e0", str(seq + 1), f'"{seq}"']))
        lines.append(f'{{"type":"{kind}","seq":{number},"time":1,"data":{data}}}'.encode())
    return join(lines)


@st.composite
def damaged_samples(draw: st.DrawFn) -> bytes:
    """A sample log, plain or compressed, with a few bytes changed, dropped or put in."""
    lines = draw(st.sampled_from([PARENT, FORK, SMALL]))
    data = bytearray(draw(st.sampled_from([join, frames]))(lines))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(data) - 1))
        piece = draw(st.sampled_from([b"", b"\n", b'"', b"\\", b"}", b",", b"0", b"\xff", b"\xc3\xa9", b" "]))
        data[at : at + draw(st.integers(0, 2))] = piece
    return bytes(data)


def comparable(found: Scan | LawScan) -> dict[str, Any]:
    """All that a verdict is made of, but the words of a refusal."""
    stop = found.stop
    return {
        "header": found.header,
        "events": found.events,
        "changes": found.changes,
        "active": found.active,
        "torn": found.torn,
        "stop": stop and (stop.kind, stop.line, stop.seq, stop.code, stop.state, stop.raw),
    }


def both(data: bytes, profile: str) -> tuple[dict[str, Any], dict[str, Any]]:
    law = comparable(law_scan.scan(BytesIO(data), profile=profile))
    ours = comparable(implementation.scan(BytesIO(data), profile=profile))
    if law["stop"] is not None and law["stop"][0] == "header":
        law["header"] = ours["header"] = None
    return law, ours


@given(logs(), st.sampled_from(["v1", "v1-after"]))
def test_generated_logs_end_in_the_same_place(data: bytes, profile: str) -> None:
    law, ours = both(data, profile)
    assert law == ours


@given(damaged_samples())
def test_damaged_samples_end_in_the_same_place(data: bytes) -> None:
    law, ours = both(data, "v1")
    assert law == ours
