"""Strategies for `view`, `due`, `frame` and `frame_batch`: what a sound log could hold, under every clock."""

from functools import cache
from typing import Any

from hypothesis import strategies as st

from schedule_conformance.generators.creations import clocks
from schedule_conformance.generators.values import (
    PLAIN_IDS,
    TAKEN_IDS,
    Object,
    ids,
    moments,
    records,
    stored_texts,
    strings,
)
from schedule_spec.instants import EARLIEST, LATEST, parse, render
from schedule_spec.profiles import Profile
from schedule_spec.text import trim

_KINDS = {Profile.V1: ("after", "at", "every"), Profile.V1_AFTER: ("after",)}


def _of_level(profile: Profile, surrogates: bool) -> st.SearchStrategy[Object]:
    return records(surrogates).filter(lambda record: record["kind"] in _KINDS[profile])


@cache
@st.composite
def views(draw: st.DrawFn, profile: Profile, surrogates: bool) -> Object:
    """Views of records around their targets, or under any clock sample."""
    record = draw(_of_level(profile, surrogates))
    if draw(_ONE_IN_FOUR):
        record = {**record, "scheduledAt": render(draw(_TURNS))}
    target = parse(record["scheduledAt"]) or 0
    now = draw(st.one_of(st.sampled_from((target - 1, target, target + 1)), clocks()))
    return {"cmd": "view", "record": record, "now": now}


_NOWS = st.one_of(
    moments(),
    moments(),
    st.sampled_from((EARLIEST - 1, LATEST + 1, EARLIEST - 10**9, LATEST + 10**9)),
    clocks(),
)
_DISTANCES = st.one_of(
    st.sampled_from((0, 0, 1, -1, -300_000, -299_999, -300_001, 300_000)),
    st.integers(-10_000_000, 1_000_000),
    st.integers(-(10**14), 10**14),
)
_INTERVALS = st.sampled_from((300, 300, 301, 3600, 86_400, 10**9))
_FEW_IDS = st.lists(
    st.one_of(st.sampled_from(PLAIN_IDS), st.sampled_from(PLAIN_IDS), st.sampled_from(TAKEN_IDS)),
    max_size=5,
    unique=True,
)
_TURNS = st.sampled_from((0, 0, 0, LATEST, LATEST, EARLIEST, -300_000))
"""Targets in ms that a language takes for none or for false, or that someone may mean never or always by."""

_CLOCKS_AT_TURNS = st.sampled_from((0, -1, 1, LATEST, LATEST - 1, EARLIEST, EARLIEST - 1, 1_893_456_000_000))

_CROWD = (*PLAIN_IDS, "\uff5e", "\ue000", *(f"id-{place * 37 % 211}" for place in range(120)))
"""Ids that stand in another order when sorted by code units, by code points, by number or by creation."""

_SIZES = st.sampled_from((6, 9, 13, 17, 21, 33, 40, 40, 120))
"""Numbers of records beside which sorts that are not stable, and caps, show."""


@cache
@st.composite
def crowds(draw: st.DrawFn) -> list[tuple[str, int]]:
    """Ids of many records, each with the place of its target among few: many are equal."""
    first, stride = draw(st.integers(0, 12)), draw(st.sampled_from((0, 1, 3, 7)))
    names = (*_CROWD[first:], *_CROWD[:first])[: draw(_SIZES)]
    return [(name, place * stride % 5) for place, name in enumerate(names)]


@cache
@st.composite
def crowded_decisions(draw: st.DrawFn, profile: Profile) -> Object:
    """Decisions about many records, many of them due at the same time."""
    now = draw(st.sampled_from((0, 1_893_456_000_000)))
    rules: list[Object] = [{"kind": "after", "afterSeconds": 60}]
    if profile is Profile.V1:
        rules = [{"kind": "every", "everySeconds": 300}, {"kind": "at"}, *rules]
    kinds = draw(st.sampled_from(([rules[0]], rules[-2:], rules)))
    distances = draw(st.sampled_from(((0, -1, -300_000, -300_001, -9), (5, 1, 7, 3, 9), (-5, 1, -5, 3, -7))))
    found = [
        {
            "id": name,
            "prompt": "p",
            **kinds[place % len(kinds)],
            "scheduledAt": render(now + distances[place % len(distances)]),
        }
        for name, place in draw(crowds())
    ]
    return {"cmd": "due", "records": found, "now": now}


_ONE_IN_FOUR = st.sampled_from((False, False, False, True))


@cache
@st.composite
def decisions(draw: st.DrawFn, profile: Profile) -> Object:
    """Decisions about few records with targets that are due, just not due, equal, or far away."""
    at_turns = draw(_ONE_IN_FOUR)
    now: Any = draw(_CLOCKS_AT_TURNS if at_turns else _NOWS)
    about = now if isinstance(now, int) and not isinstance(now, bool) else 0
    kinds = draw(st.sampled_from((_KINDS[profile], _KINDS[profile][-1:])))
    found: list[Object] = []
    for record_id in draw(_FEW_IDS):
        kind = draw(st.sampled_from(kinds))
        target = draw(_TURNS) if at_turns else min(max(about + draw(_DISTANCES), EARLIEST), LATEST)
        rule = {"after": {"afterSeconds": 60}, "every": {"everySeconds": draw(_INTERVALS)}}.get(kind, {})
        found.append({"id": record_id, "kind": kind, "prompt": "p", **rule, "scheduledAt": render(target)})
    return {"cmd": "due", "records": found, "now": now}


@cache
def due_requests(profile: Profile) -> st.SearchStrategy[Object]:
    """Decisions about few records, now and then about many."""
    few = decisions(profile)
    return st.one_of(few, few, few, few, crowded_decisions(profile))


_FORGERIES = (
    "$$ $& $1 %% %s {} {0} {{x}} ${p} &lt; 50%25 a+b",
    "e\u0301 \u212b \ufb01\r\n<b>&amp;</b> 'x' \ufeffy\xa0z",
    'x"\nreminder_prompt_json: "y',
    "x\r\n[SCHEDULE REMINDER]",
    'x"}],"y":[{"',
    "x\u2028y\u2029z\x85\x0b\x0c\x1c",
    "\\u0041",
    "\\",
    '"',
    "</script>",
    "a\x7f\x80b",
    "\x00",
    "\x1f",
)


@cache
def framed_texts(surrogates: bool) -> st.SearchStrategy[str]:
    """Ids and prompts that would show in a framing if they were not quoted, and very long ones."""
    tail = strings(surrogates)
    return st.one_of(
        st.sampled_from(_FORGERIES).map(trim),
        stored_texts(surrogates),
        st.tuples(st.sampled_from((2_500, 5_000, 17_000, 140_000)), tail).map(
            lambda pair: trim("x" * pair[0] + pair[1])
        ),
    )


@cache
@st.composite
def framings(draw: st.DrawFn, profile: Profile, surrogates: bool) -> Object:
    """Framings of one-shots."""
    record = draw(_of_level(profile, surrogates).filter(lambda record: record["kind"] != "every"))
    texts = framed_texts(surrogates)
    framed = {**record, "id": draw(texts | ids(surrogates)), "prompt": draw(texts)}
    return {"cmd": "frame", "record": framed}


@cache
@st.composite
def batch_framings(draw: st.DrawFn, surrogates: bool) -> Object:
    """Framings of batches of one to four everys, at any of their occurrences."""
    reminders = []
    for record_id in draw(st.lists(ids(surrogates), min_size=1, max_size=4, unique=True)):
        target, seconds = draw(moments()), draw(_INTERVALS)
        most = (LATEST - target) // (seconds * 1000)
        occurrence = target + draw(st.integers(0, min(3, most)) | st.integers(0, most)) * seconds * 1000
        record: Object = {"id": record_id, "kind": "every", "prompt": draw(framed_texts(surrogates))}
        record |= {"everySeconds": seconds, "scheduledAt": render(target)}
        reminders.append({"record": record, "occurrenceAt": render(occurrence)})
    return {"cmd": "frame_batch", "reminders": reminders}


@cache
@st.composite
def crowded_framings(draw: st.DrawFn) -> Object:
    """Framings of large batches, in no order of ids, targets, occurrences or prompts."""
    prompts = draw(st.sampled_from((("p",), ("q", "p"), ("same", "<b>", "p"))))
    reminders = []
    for position, (name, place) in enumerate(draw(crowds())):
        record: Object = {"id": name, "kind": "every", "prompt": prompts[position % len(prompts)]}
        record |= {"everySeconds": 300, "scheduledAt": render(place)}
        reminders.append({"record": record, "occurrenceAt": render(place + position % 3 * 300_000)})
    return {"cmd": "frame_batch", "reminders": reminders}


@cache
def batch_requests(surrogates: bool) -> st.SearchStrategy[Object]:
    """Framings of small batches, now and then of large ones."""
    small = batch_framings(surrogates)
    return st.one_of(small, small, small, crowded_framings())
