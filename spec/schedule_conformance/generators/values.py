"""Strategies for durable values: ids, prompts, instants, records, changes, and edits that leave them nearly
valid.

Nearly valid values differ from a valid one in a single place, so that whatever a system does wrong with
them has one cause. Some edits keep the value valid: what is allowed is tried as hard as what is not.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import strategies as st

from schedule_conformance.generators import near_times
from schedule_spec.instants import EARLIEST, LATEST, render
from schedule_spec.numbers import MAX_SAFE
from schedule_spec.records import LONGEST_INTERVAL, SHORTEST_INTERVAL
from schedule_spec.text import TRIM_SET, trim

Object = dict[str, Any]

NEAR_TRIM_SET = "\x1c\x1d\x1e\x1f\x85\u180e\u200b\u200c\u2060\ufffe"
"""Characters that other languages strip or show as blank, and that text.trim does not name."""

PLAIN_IDS = (
    "a",
    "b",
    "schedule-1",
    "schedule-2",
    "x y",
    "constructor",
    "__proto__",
    "toString",
    "0",
    "Ä",
    "😀",
)

TAKEN_IDS = (
    *(
        "prototype",
        "hasOwnProperty",
        "valueOf",
        "toJSON",
        "__class__",
        "__dict__",
        "__init__",
        "self",
        "this",
    ),
    *("size", "length", "key", "keys", "type", "id", "has", "get", "set", "then", "data", "schedule"),
    *("_id", "$ref", "$id", "@type", "$where", "%", "*", ".", "..", "/", "#", "a.b", "a[0]", "a/b", "_"),
    *("NaN", "-1", "-0", "+1", "01", "1e3", "0x1", "1.0", "Infinity", "4294967295", "9007199254740993"),
    *("undefined", "null", "None", "nil", "NULL", "true", "false", "no"),
)
"""Ids that are members of objects, are reserved by stores, or are read as numbers, as nothing or as false."""

INTERVALS = (300, 301, 3600, 86_400, 604_800)


@cache
def strings(surrogates: bool) -> st.SearchStrategy[str]:
    """Strings of every sort of character that JSON can carry."""
    alphabet = st.characters(codec=None if surrogates else "utf-8")
    unpaired = "\ud800\udbff\udc00\udfff" if surrogates else ""
    special = st.sampled_from(f'"\\/\b\f\n\r\t\x00\x7f\u2028😀é{unpaired}{TRIM_SET[-3:]}{NEAR_TRIM_SET}')
    character = st.one_of(special, alphabet, st.sampled_from("abc 019"))
    return st.lists(character, max_size=8).map("".join)


TELLING_TEXTS = (
    "e\u0301 \u212b \ufb01",
    "a\r\nb\rc  \nd\te",
    "<b>R&amp;D</b> 'x' \u2019",
    "2030-01-01T12:00:00+02:00",
    "true",
    "0012.50",
    "a  b",
    "$$ %s {} {0} a+b 50%25 \\n",
    "a\ufeffb\u200bc\xadd\u2060e\xa0f",
    "x\x00y\x1bz\ufffe",
    "\u0301x",
    "a\x85b\u2028c\u2029d\u3000e\x7ff  g\u180eh",
    "0",
    "false",
    "null",
    "undefined",
    "NaN",
    "None",
    "[]",
    "{}",
    "-",
)
"""Texts that parsers, templates and normal forms make something else of, or that are taken for none."""


@cache
def stored_texts(surrogates: bool) -> st.SearchStrategy[str]:
    """Trimmed, non-empty strings."""
    plain = st.sampled_from(("p", "check build", "<b>"))
    any_texts = strings(surrogates).map(lambda s: trim(s) or "p")
    return st.one_of(plain, any_texts, st.sampled_from(TELLING_TEXTS))


@cache
def long_texts() -> st.SearchStrategy[str]:
    """Trimmed strings that are longer than buffers, columns and counters of 8 and 16 bits hold."""
    return st.sampled_from((130, 300, 1_100, 2_600, 5_000, 17_000, 70_000, 140_000)).map(
        lambda count: "x y" * (count // 3)
    )


@cache
def ids(surrogates: bool) -> st.SearchStrategy[str]:
    """Ids, mostly plain ones, or such as something may hold for its own."""
    plain = st.sampled_from(PLAIN_IDS)
    return st.one_of(plain, plain, st.sampled_from(TAKEN_IDS), stored_texts(surrogates))


@cache
def moments() -> st.SearchStrategy[int]:
    """Milliseconds in range, often near its ends, the epoch and the turn of a month."""
    turns = st.sampled_from((EARLIEST, LATEST, 0, 951_782_400_000, 1_709_164_800_000, 1_893_456_000_000))
    return st.one_of(
        st.integers(EARLIEST, LATEST),
        st.tuples(turns, st.integers(-2, 2)).map(lambda pair: min(max(sum(pair), EARLIEST), LATEST)),
    )


@cache
def seconds_of_after() -> st.SearchStrategy[int]:
    """Delays that a record may hold."""
    return st.one_of(
        st.sampled_from((1, 60, 299, 300, MAX_SAFE, LONGEST_INTERVAL + 1)), st.integers(1, MAX_SAFE)
    )


@cache
def intervals() -> st.SearchStrategy[int]:
    """Intervals that a record may hold, in seconds."""
    return st.one_of(
        st.sampled_from((*INTERVALS, LONGEST_INTERVAL)), st.integers(SHORTEST_INTERVAL, LONGEST_INTERVAL)
    )


@cache
@st.composite
def records(draw: st.DrawFn, surrogates: bool = False) -> Object:
    """Valid records of the three kinds."""
    record: Object = {"id": draw(ids(surrogates)), "kind": draw(st.sampled_from(("after", "at", "every")))}
    record["prompt"] = draw(stored_texts(surrogates))
    if record["kind"] == "after":
        record["afterSeconds"] = draw(seconds_of_after())
    if record["kind"] == "every":
        record["everySeconds"] = draw(intervals())
    return {**record, "scheduledAt": render(draw(moments()))}


@cache
@st.composite
def changes(draw: st.DrawFn, surrogates: bool = False) -> Object:
    """Valid changes of the four shapes."""
    shape = draw(st.sampled_from(("create", "create", "delete", "dispatch", "dispatch-every")))
    if shape == "create":
        record = draw(records(surrogates))
        prompt = draw(st.one_of(*[st.just(record["prompt"])] * 7, long_texts()))
        return {"version": 1, "operation": "create", "schedule": {**record, "prompt": prompt}}
    change: Object = {"version": 1, "operation": shape.split("-")[0], "id": draw(ids(surrogates))}
    return {**change, "acceptedAt": render(draw(moments()))} if shape == "dispatch-every" else change


@cache
def plain_changes() -> st.SearchStrategy[Object]:
    """Valid changes in which nothing is unusual, for edits to start from."""
    instant = "2030-01-02T03:04:05.678Z"
    schedules = (
        {"id": "a", "kind": "after", "prompt": "p", "afterSeconds": 60, "scheduledAt": instant},
        {"id": "a", "kind": "at", "prompt": "p", "scheduledAt": instant},
        {"id": "a", "kind": "every", "prompt": "p", "everySeconds": 300, "scheduledAt": instant},
    )
    return st.sampled_from(
        (
            *({"version": 1, "operation": "create", "schedule": schedule} for schedule in schedules),
            {"version": 1, "operation": "delete", "id": "a"},
            {"version": 1, "operation": "dispatch", "id": "a"},
            *[{"version": 1, "operation": "dispatch", "id": "a", "acceptedAt": instant}] * 3,
        )
    )


@cache
def of_other_types() -> st.SearchStrategy[Any]:
    """Values of every JSON type, as what stands where something else belongs."""
    return st.sampled_from((None, True, False, 0, 1, -1, 1.5, "", "1", [], ["a"], {}, {"id": "a"}))


NEAR_NUMBERS: tuple[Any, ...] = (
    0,
    -1,
    1,
    2,
    1.0,
    299,
    299.0,
    299.5,
    300,
    300.0,
    300.5,
    301,
    -300,
    LONGEST_INTERVAL,
    LONGEST_INTERVAL + 1,
    float(LONGEST_INTERVAL),
    MAX_SAFE,
    float(MAX_SAFE),
    MAX_SAFE + 1,
    MAX_SAFE + 2,
    -MAX_SAFE,
    1e300,
    5e-324,
    "300",
    "1",
    True,
    None,
)

NEAR_INSTANTS = (
    "2030-01-01T00:00:00Z",
    "2030-01-01T00:00:00.00Z",
    "2030-01-01T00:00:00.0000Z",
    "2030-01-01T00:00:00.000",
    "2030-01-01T00:00:00.000+00:00",
    "2030-01-01T00:00:00.000z",
    "2030-01-01t00:00:00.000Z",
    "2030-01-01 00:00:00.000Z",
    "2030-01-01T00:00:00,000Z",
    "2030-01-01T24:00:00.000Z",
    "2030-01-01T23:60:00.000Z",
    "2030-01-01T23:59:60.000Z",
    "2030-02-30T00:00:00.000Z",
    "2030-02-29T00:00:00.000Z",
    "1900-02-29T00:00:00.000Z",
    "2000-02-29T00:00:00.000Z",
    "2028-02-29T23:59:59.999Z",
    "2030-04-31T00:00:00.000Z",
    "2030-13-01T00:00:00.000Z",
    "2030-00-01T00:00:00.000Z",
    "2030-01-00T00:00:00.000Z",
    "2030-01-32T00:00:00.000Z",
    "0000-01-01T00:00:00.000Z",
    "0000-12-31T23:59:59.999Z",
    "0001-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
    "10000-01-01T00:00:00.000Z",
    "+002030-01-01T00:00:00.000Z",
    "-000001-01-01T00:00:00.000Z",
    "2030-01-01T00:00:00.000Z\n",
    "\n2030-01-01T00:00:00.000Z",
    " 2030-01-01T00:00:00.000Z",
    "2030-01-01T00:00:00.000Z ",
    "２０３０-01-01T00:00:00.000Z",
    "٢٠٣٠-01-01T00:00:00.000Z",
    "2030-01-01T00:00:00.00０Z",
    "2030-001T00:00:00.000Z",
    "2030-W01-2T00:00:00.000Z",
    "20300101T000000.000Z",
    "2030-01-01",
    "",
)


_SORTS_OF_SLIP = st.sampled_from(("known", "kind", "kind", "kind", "character"))
_KNOWN_SLIPS = st.sampled_from(NEAR_INSTANTS)
_PUT = st.sampled_from(("", "0", "1", "9", "-", ":", ".", "T", "t", "Z", "z", " ", "\n", "٣", "６", "²"))


@cache
@st.composite
def near_instants(draw: st.DrawFn) -> str:
    """A canonical instant with a well-known slip, one of a kind, or one character altered."""
    sort = draw(_SORTS_OF_SLIP)
    if sort == "known":
        return draw(_KNOWN_SLIPS)
    text = render(draw(moments()))
    if sort == "kind":
        return near_times.slipped(draw, text)
    place = draw(st.integers(0, len(text)))
    dropped = draw(st.integers(0, 1))
    return text[:place] + draw(_PUT) + text[place + dropped :]


@cache
def near_texts() -> st.SearchStrategy[str]:
    """Strings at the edge of being trimmed and non-empty."""
    blank = st.one_of(st.sampled_from(TRIM_SET), st.sampled_from(NEAR_TRIM_SET))
    return st.one_of(
        blank,
        st.just(""),
        blank.map(lambda character: character + "p"),
        blank.map(lambda character: "p" + character),
        blank.map(lambda character: f"p{character}p"),
        st.integers(1, 3).map(lambda count: " " * count),
    )


_EXTRA_MEMBERS = (
    "extra",
    "Id",
    "time_zone",
    "timeZone",
    "cooldown",
    "gate",
    "cron",
    "state",
    "acceptedAt",
    "afterSeconds",
    "everySeconds",
    "schedule",
    "id",
    "__proto__",
    "",
)


_EXTRA_VALUES: st.SearchStrategy[Any] = st.sampled_from((1, None, "2030-01-01T00:00:00.000Z", {}))


def _dropped(draw: st.DrawFn, place: Object) -> Object:
    key = draw(st.sampled_from(sorted(place)))
    return {name: value for name, value in place.items() if name != key}


def _added(draw: st.DrawFn, place: Object) -> Object:
    return {**place, draw(st.sampled_from(_EXTRA_MEMBERS)): draw(_EXTRA_VALUES)}


def _renamed(draw: st.DrawFn, place: Object) -> Object:
    key = draw(st.sampled_from(sorted(place)))
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)
    name = draw(st.sampled_from((key.upper(), key.capitalize(), snake, f"{key} ", f"{key}s")))
    return {name if each == key else each: value for each, value in place.items()}


def _retyped(draw: st.DrawFn, place: Object) -> Object:
    return {**place, draw(st.sampled_from(sorted(place))): draw(of_other_types())}


def _turned(draw: st.DrawFn, place: Object) -> Object:
    return {key: place[key] for key in draw(st.permutations(sorted(place)))}


def _respelt(draw: st.DrawFn, place: Object) -> Object:
    key = draw(st.sampled_from(sorted(place)))
    return {**place, key: draw(_NEAR_MEMBERS.get(key, st.just(place[key])))}


_NEAR_MEMBERS: dict[str, st.SearchStrategy[Any]] = {
    "version": st.sampled_from((0, 1.0, 1.5, 2, -1, "1", True, None, [1])),
    "operation": st.sampled_from(
        ("Create", "created", "DELETE", "remove", "dispatched", "update", "edit", " create", "")
    ),
    "kind": st.sampled_from(
        ("After", "AT", "every ", "cron", "calendar", "daily", "at ", "after", "at", "every")
    ),
    "id": near_texts(),
    "prompt": near_texts(),
    "afterSeconds": st.sampled_from(NEAR_NUMBERS),
    "everySeconds": st.sampled_from(NEAR_NUMBERS),
    "scheduledAt": near_instants(),
    "acceptedAt": near_instants(),
}

_EDITS: tuple[Callable[[st.DrawFn, Object], Object], ...] = (
    _respelt,
    _respelt,
    _respelt,
    _dropped,
    _added,
    _renamed,
    _retyped,
    _turned,
)


_THREE_IN_FOUR = st.sampled_from((True, True, True, False))
_EDIT = st.sampled_from(_EDITS)


@st.composite
def edited(draw: st.DrawFn, value: Object) -> Object:
    """An object with one edit at its own members."""
    edit: Callable[[st.DrawFn, Object], Object] = draw(_EDIT)
    return edit(draw, value)


_RESPELT_SORTS: st.SearchStrategy[tuple[str, ...]] = st.sampled_from(
    (
        ("scheduledAt", "acceptedAt"),
        ("scheduledAt", "acceptedAt"),
        ("prompt", "id"),
        ("afterSeconds", "everySeconds", "version"),
        (),
        (),
    )
)


@cache
@st.composite
def near_changes(draw: st.DrawFn) -> Object:
    """A plain valid change with one edit: an instant, text or number spelt otherwise, or any other edit."""
    change = draw(plain_changes())
    inner = "schedule" in change
    place = change["schedule"] if inner else change
    sort = draw(_RESPELT_SORTS)
    keys = [key for key in sort if key in place]
    if keys:
        key = draw(st.sampled_from(keys))
        altered = {**place, key: draw(_NEAR_MEMBERS[key])}
        return {**change, "schedule": altered} if inner else altered
    if inner and draw(_THREE_IN_FOUR):
        return {**change, "schedule": draw(edited(change["schedule"]))}
    return draw(edited(change))


@cache
def json_values(surrogates: bool) -> st.SearchStrategy[Any]:
    """Any JSON value."""
    leaves = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**63), 2**64),
        st.floats(allow_nan=False, allow_infinity=False),
        strings(surrogates),
    )
    names = st.one_of(
        st.sampled_from(("version", "operation", "id", "type", "data", "__proto__")), strings(surrogates)
    )
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
        max_leaves=8,
    )


@cache
@st.composite
def nested(draw: st.DrawFn) -> Any:
    """A value nested as deeply as a message may be."""
    inside: Any = draw(st.sampled_from((1, "a", None)))
    as_list = draw(st.booleans())
    for _ in range(draw(st.sampled_from((1, 10, 60)))):
        inside = [inside] if as_list else {"schedule": inside}
    return inside


@cache
@st.composite
def hostile_changes(draw: st.DrawFn, surrogates: bool = False) -> Any:
    """What no writer would mean as a change: any value, or a change that holds one somewhere."""
    foreign = draw(st.one_of(json_values(surrogates), nested()))
    change = draw(plain_changes())
    place = draw(st.sampled_from(("whole", "member", "schedule", "extra", "list")))
    match place:
        case "member":
            return {**change, draw(st.sampled_from(sorted(change))): foreign}
        case "schedule" if "schedule" in change:
            schedule = change["schedule"]
            return {**change, "schedule": {**schedule, draw(st.sampled_from(sorted(schedule))): foreign}}
        case "extra":
            return {**change, draw(st.sampled_from(("extra", "schedule", "acceptedAt"))): foreign}
        case "list":
            return [change]
        case _:
            return foreign
