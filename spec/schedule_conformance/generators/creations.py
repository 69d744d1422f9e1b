"""Strategies for `create` requests: the three selectors, clocks around what they decide, prompts, texts."""

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import strategies as st

from schedule_conformance.generators import absolute, texts
from schedule_conformance.generators.values import (
    NEAR_NUMBERS,
    NEAR_TRIM_SET,
    Object,
    ids,
    long_texts,
    near_texts,
    of_other_types,
    seconds_of_after,
    stored_texts,
)
from schedule_spec.absolute import instant_of
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.numbers import MAX_SAFE
from schedule_spec.records import LONGEST_INTERVAL
from schedule_spec.text import TRIM_SET

CLOCKS = (0, -1, 1, 1_790_000_000_000, EARLIEST, EARLIEST - 1, EARLIEST - 300_000, LATEST - 300_000, LATEST)
"""Clock samples in ms that are safe integers, in range or beside it."""

BEFORE_ALL = EARLIEST - 86_400_000_000
"""A clock sample, in ms, before every instant that an `at` may mean, in range or not."""

NO_CLOCKS: tuple[Any, ...] = (
    MAX_SAFE + 1,
    -MAX_SAFE - 1,
    1e300,
    0.5,
    -1.5,
    1_790_000_000_000.5,
    "0",
    "2030-01-01T00:00:00.000Z",
    None,
    True,
    [],
    {},
)


@cache
def clocks() -> st.SearchStrategy[Any]:
    """Clock samples: in range, safe integers far outside, and what is none."""
    return st.one_of(
        st.sampled_from(CLOCKS),
        st.integers(EARLIEST, LATEST),
        st.sampled_from((MAX_SAFE, -MAX_SAFE, 1e12, -0.0)),
        st.sampled_from(NO_CLOCKS),
    )


def request(**members: Any) -> Object:
    """Return a `create` request; id and prompt are plain unless given."""
    return {"cmd": "create", "id": "a", "prompt": "p", **members}


_SHORT_DELAYS = st.sampled_from((1, 60, 299, 300, 301, 86_400))
_LAST_SECONDS = st.integers(-2, 2)
_DELAYS = st.one_of(seconds_of_after(), st.integers(1, 10**9), st.sampled_from((1, 60, 300)))
_INTERVALS = st.one_of(
    st.integers(299, 302),
    st.integers(-MAX_SAFE, MAX_SAFE),
    st.integers(300, 10**9),
    st.just(LONGEST_INTERVAL),
)
_SORTS_OF_NUMBER = st.sampled_from(("any", "any", "near", "near", "end", "epoch"))


@cache
@st.composite
def numbered(draw: st.DrawFn) -> Object:
    """Creations by a number of seconds: any, nearly one, or such that the target is the range's end or 0."""
    selector = draw(st.sampled_from(("after_seconds", "every_seconds")))
    now = draw(clocks())
    match draw(_SORTS_OF_NUMBER):
        case "near":
            value = draw(st.sampled_from((*NEAR_NUMBERS, [300], {})))
        case "end" if type(now) is int and abs(now) <= MAX_SAFE:
            value = (draw(st.sampled_from((LATEST, LATEST, EARLIEST))) - now) // 1000 + draw(_LAST_SECONDS)
        case "epoch":
            value = draw(_SHORT_DELAYS)
            now = -1000 * value
        case _:
            value = draw(_DELAYS if selector == "after_seconds" else _INTERVALS)
    return request(**{selector: value, "now": now})


_AROUND = st.sampled_from(("before all", "before all", "before", "at", "after", "any"))


@st.composite
def _timed(draw: st.DrawFn, at: Any) -> Object:
    """A creation by an absolute input, under a clock sample around what it means."""
    target = instant_of(at)
    around = draw(_AROUND)
    if around == "any":
        return request(at=at, now=draw(clocks()))
    if around == "before all" or not isinstance(target, int):
        return request(at=at, now=BEFORE_ALL)
    return request(at=at, now=target + {"before": -1, "at": 0, "after": 1}[around])


@cache
def strings() -> st.SearchStrategy[Object]:
    """Creations by a string."""
    near = absolute.near_offset_strings()
    return st.one_of(absolute.offset_strings(), near, near, near).flatmap(_timed)


@cache
def wall_times() -> st.SearchStrategy[Object]:
    """Creations by date, time and zone, well formed or nearly so, and by what is no absolute input at all."""
    return st.one_of(
        absolute.local_times(),
        absolute.local_times(),
        absolute.local_times(),
        absolute.walls_at_the_ends(),
        absolute.near_local_times(),
        absolute.near_local_times(),
        of_other_types(),
    ).flatmap(_timed)


@cache
def named_zones() -> st.SearchStrategy[Object]:
    """Creations at a plain time in zones by many names."""
    return st.one_of(absolute.named_zones(), absolute.named_zones(), absolute.mutated_names()).map(
        lambda at: request(at=at, now=0)
    )


_RULES: tuple[Object, ...] = (
    {"after_seconds": 60},
    {"after_seconds": 60},
    {"every_seconds": 300},
    {"after_seconds": 1.5},
)
_BLANKS = st.sampled_from((*TRIM_SET, *NEAR_TRIM_SET))


@cache
@st.composite
def prompted(draw: st.DrawFn, surrogates: bool) -> Object:
    """Creations with prompts of every sort: padded with what is trimmed and what is not, blank, hostile."""
    before, after = draw(_BLANKS), draw(_BLANKS)
    padded = draw(stored_texts(surrogates).map(lambda text: f"{before}{text}{after}"))
    stored = stored_texts(surrogates)
    prompt = draw(st.one_of(st.just(padded), near_texts(), near_texts(), stored, stored, long_texts()))
    rule: Object = draw(st.sampled_from(_RULES))
    return request(id=draw(ids(surrogates)), prompt=prompt, now=0, **rule)


_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "after_seconds": st.sampled_from((60, 60, 60, 0, None)),
    "at": st.sampled_from(("2030-01-01T00:00:00Z", "2030-01-01T00:00:00Z", "bad", None)),
    "every_seconds": st.sampled_from((300, 300, 300, 299, None)),
}


@cache
@st.composite
def selected(draw: st.DrawFn) -> Object:
    """Creations with no selector, with one that may be null, or with several."""
    chosen = draw(st.lists(st.sampled_from(sorted(_VALUES)), max_size=3, unique=True))
    return request(
        now=draw(st.sampled_from((0, 0, 0, None))), **{name: draw(_VALUES[name]) for name in chosen}
    )


def _compact(members: Object) -> str:
    return json.dumps(members, separators=(",", ":"))


_NUMBER = re.compile(r"(?<=:)-?[0-9]+(?=[,}])")
_TEXTS = (
    request(after_seconds=300, now=0),
    request(every_seconds=300, now=1_790_000_000_000),
    request(every_seconds=3600, now=-1),
    request(at="2030-01-01T00:00:00.5Z", now=1_790_000_000_000),
)


@cache
@st.composite
def spelt(draw: st.DrawFn) -> Object:
    """Creations as JSON text with one number spelt in another way, as the same number or as another one."""
    members = {key: value for key, value in draw(st.sampled_from(_TEXTS)).items() if key != "cmd"}
    text = _compact(members)
    place = draw(st.sampled_from(list(_NUMBER.finditer(text))))
    spelling = draw(st.sampled_from(texts.spellings(place.group().removeprefix("-"))))
    return {"cmd": "create", "json": text[: place.start()] + spelling + text[place.end() :]}


@cache
@st.composite
def slipped(draw: st.DrawFn) -> Object:
    """Creations as JSON text that is none by one slip, and sound to whoever overlooks it."""
    members = {key: value for key, value in draw(st.sampled_from(_TEXTS)).items() if key != "cmd"}
    slip: Callable[[str], str] = draw(st.sampled_from(texts.SLIPS_OF_ANY_TEXT))
    return {"cmd": "create", "json": slip(_compact(members))}


_WRAPS: st.SearchStrategy[Callable[[str], str]] = st.sampled_from(
    (json.dumps, lambda text: f"[{text}]", lambda text: f'{{"arguments":{text}}}', lambda text: f'"{text}"')
)


@cache
@st.composite
def wrapped(draw: st.DrawFn) -> Object:
    """Creations within a text, a list or another object, which are none."""
    members = {key: value for key, value in draw(st.sampled_from(_TEXTS)).items() if key != "cmd"}
    wrap: Callable[[str], str] = draw(_WRAPS)
    return {"cmd": "create", "json": wrap(_compact(members))}


_NO_REQUESTS = (
    "",
    "null",
    "1",
    '"a"',
    "[]",
    "{",
    "{}x",
    "NaN",
    '{"id":"a",}',
    "{'id':'a'}",
    '{"now":01}',
    "\ufeff{}",
)


@cache
def in_text() -> st.SearchStrategy[Object]:
    """Creations as JSON text, and texts that hold none."""
    nothing = st.sampled_from(_NO_REQUESTS).map(lambda text: {"cmd": "create", "json": text})
    return st.one_of(spelt(), spelt(), slipped(), wrapped(), nothing)
