"""Creation: the records that are stored, and every refusal that applies."""

from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedule_spec import creation, instants
from schedule_spec.creation import Created, Refusals, create, create_text, create_v1_after
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.json_text import Json
from schedule_spec.numbers import MAX_SAFE
from schedule_spec.records import LONGEST_INTERVAL, After, At, Every
from schedule_spec.register import CLAUSES
from schedule_spec.rejections import Code

NOW = 1_790_000_000_000
GONE: Any = ...


def request(**members: Json) -> dict[str, Json]:
    """Return a request that lacks a selector, with some members added or changed; `...` takes one away."""
    whole: dict[str, Any] = {"id": "a", "prompt": "p", "now": NOW} | members
    return {name: value for name, value in whole.items() if value is not ...}


def local(date: str, time: str, zone: str) -> dict[str, Json]:
    return {"date": date, "time": time, "time_zone": zone}


def refused(created: Created) -> list[tuple[str, str]]:
    """Return what was refused: each code and its clause, in order."""
    assert isinstance(created, Refusals)
    return [(str(rejection.code), rejection.clause) for rejection in created.rejections]


CREATED: list[tuple[dict[str, Json], After | At | Every]] = [
    ({"after_seconds": 1}, After("a", "p", 1, NOW + 1_000)),
    ({"after_seconds": 300.0}, After("a", "p", 300, NOW + 300_000)),
    ({"after_seconds": 60, "prompt": "\ufeff p q\u3000\n"}, After("a", "p q", 60, NOW + 60_000)),
    ({"after_seconds": 1, "now": -999}, After("a", "p", 1, 1)),
    ({"after_seconds": 1, "now": LATEST - 1_000}, After("a", "p", 1, LATEST)),
    ({"after_seconds": 1, "now": EARLIEST - 1_000}, After("a", "p", 1, EARLIEST)),
    ({"after_seconds": 1, "now": 1.0, "extra": 5, "kind": "at"}, After("a", "p", 1, 1_001)),
    ({"every_seconds": 300}, Every("a", "p", 300, NOW + 300_000)),
    ({"every_seconds": 3e2, "id": " padded "}, Every(" padded ", "p", 300, NOW + 300_000)),
    (
        {"every_seconds": LONGEST_INTERVAL, "now": -MAX_SAFE},
        Every("a", "p", LONGEST_INTERVAL, LONGEST_INTERVAL * 1_000 - MAX_SAFE),
    ),
    ({"at": "1970-01-01T01:00:00.001+01:00", "now": 0}, At("a", "p", 1)),
    ({"at": "9999-12-31T23:59:59.999Z"}, At("a", "p", LATEST)),
    ({"at": "0001-01-01T00:00:00Z", "now": EARLIEST - 1}, At("a", "p", EARLIEST)),
    ({"at": local("2026-11-01", "01:30:00", "america/new_york")}, At("a", "p", 1_793_511_000_000)),
]


@pytest.mark.parametrize(("members", "record"), CREATED)
def test_a_creation(members: dict[str, Json], record: After | At | Every) -> None:
    """after.target, every.first-target, at.utc-only, text.prompt."""
    assert create(request(**members)) == record


SELECTOR = ("invalid_selector", "tool.create-selector")
PROMPT, PROMPT_TYPE = ("invalid_prompt", "tool.create-prompt"), ("invalid_prompt", "tool.ill-typed")
AFTER, EVERY, SHORT = (
    ("invalid_rule", "after.rule"),
    ("invalid_rule", "every.rule"),
    ("frequency_too_high", "every.minimum"),
)
AFTER_RANGE, AT_RANGE, EVERY_RANGE, CLOCK = (
    ("time_out_of_range", clause)
    for clause in ("after.range", "at.range", "every.range", "number.safe-integer")
)
FUTURE, GAP = ("not_future", "at.future"), ("invalid_rule", "local.gap-rejected")
PAST_GAP = local("2011-12-30", "12:00:00", "Pacific/Apia")


def each(member: str, values: list[Json], *expected: tuple[str, str], **members: Json) -> "list[Case]":
    """Return the same case for each of the values of one member."""
    return [(members | {member: value}, list(expected)) for value in values]


Case: TypeAlias = tuple[dict[str, Json], list[tuple[str, str]]]

REFUSED: list[Case] = [
    ({}, [SELECTOR]),
    ({"after_seconds": 1, "every_seconds": 300}, [SELECTOR]),
    ({"after_seconds": 1, "at": "2030-01-01T00:00:00Z"}, [SELECTOR]),
    (
        {"after_seconds": 1, "at": None, "every_seconds": 1},
        [SELECTOR, ("invalid_rule", "at.local-form"), SHORT],
    ),
    ({"after_seconds": None, "every_seconds": 300}, [SELECTOR, AFTER]),
    ({"prompt": "\n \u2028", "now": None}, [SELECTOR, PROMPT, CLOCK]),
    ({"at": "2020-01-01T00:00:00Z", "every_seconds": 2**53}, [SELECTOR, EVERY]),
    ({"after_seconds": 1, "prompt": ""}, [PROMPT]),
    ({"after_seconds": 1, "prompt": GONE}, [PROMPT_TYPE]),
    ({"after_seconds": 1, "prompt": 1}, [PROMPT_TYPE]),
    ({"after_seconds": 1, "id": GONE}, [("invalid_rule", "tool.ill-typed")]),
    ({"after_seconds": 1, "id": None, "prompt": " "}, [PROMPT, ("invalid_rule", "tool.ill-typed")]),
    *each("after_seconds", [None, True, "60", [], {}, 0, -0.0, -1, 0.5, 2**53, 1e400, 2.0**53], AFTER),
    *each("after_seconds", [float("nan")], AFTER),
    ({"after_seconds": 1.5, "prompt": " "}, [PROMPT, AFTER]),
    ({"after_seconds": 1, "now": LATEST - 999}, [AFTER_RANGE]),
    ({"after_seconds": 1, "now": EARLIEST - 1_001}, [AFTER_RANGE]),
    ({"after_seconds": MAX_SAFE}, [AFTER_RANGE]),
    *each("now", [GONE, None, "0", 0.5, 2**53, -(2**53), False], AFTER_RANGE, after_seconds=1),
    ({"after_seconds": 0, "now": 0.5}, [AFTER, AFTER_RANGE]),
    ({"after_seconds": MAX_SAFE, "prompt": ""}, [PROMPT, AFTER_RANGE]),
    *each("every_seconds", [None, True, "300", 300.5, 2**53, -(2**53), 1e400], EVERY),
    *each("every_seconds", [299, 0, -0.0, -300, -MAX_SAFE], SHORT),
    ({"every_seconds": 300, "now": LATEST - 299_999}, [EVERY_RANGE]),
    ({"every_seconds": 300, "now": EARLIEST - 300_001}, [EVERY_RANGE]),
    ({"every_seconds": MAX_SAFE, "now": -MAX_SAFE}, [EVERY_RANGE]),
    ({"every_seconds": 300, "now": []}, [EVERY_RANGE]),
    ({"every_seconds": 299, "now": 2**53, "prompt": "\t"}, [PROMPT, SHORT, EVERY_RANGE]),
    (
        {"every_seconds": LONGEST_INTERVAL + 1, "now": -MAX_SAFE},
        [("time_out_of_range", "record.every"), ("invalid_rule", "record.every")],
    ),
    ({"at": "2026-09-21T14:13:20.000Z"}, [FUTURE]),
    ({"at": "2026-09-21T14:13:20.000Z", "prompt": ""}, [PROMPT, FUTURE]),
    ({"at": "0001-01-01T00:00:00+00:01", "now": EARLIEST - 60_001}, [AT_RANGE]),
    ({"at": "0001-01-01T00:00:00+00:01", "now": EARLIEST - 60_000}, [AT_RANGE, FUTURE]),
    ({"at": "9999-12-31T23:59:59.999-00:01"}, [AT_RANGE]),
    ({"at": "9999-12-31T23:59:59.999-00:01", "now": MAX_SAFE}, [AT_RANGE, FUTURE]),
    ({"at": "2030-01-01T00:00:00Z", "now": 0.5}, [AT_RANGE]),
    ({"at": "2030-01-01T00:00:00", "now": 0.5}, [("invalid_rule", "at.offset-required"), AT_RANGE]),
    ({"at": PAST_GAP}, [GAP]),
    ({"at": PAST_GAP, "now": None, "prompt": " "}, [PROMPT, GAP, AT_RANGE]),
    ({"at": local("9999-12-31", "23:59:59", "America/New_York"), "now": 0}, [AT_RANGE]),
    ({"at": local("0001-01-01", "00:00:00", "Etc/GMT-14"), "now": -MAX_SAFE}, [AT_RANGE]),
]


@pytest.mark.parametrize(("members", "expected"), REFUSED)
def test_a_refusal(members: dict[str, Json], expected: list[tuple[str, str]]) -> None:
    """tool.error-sound: all that applies and nothing else, the reference's choice first."""
    assert refused(create(request(**members))) == expected


def test_the_first_of_two_counts_though_only_the_second_is_to_come() -> None:
    """local.overlap-first, at.future: between the two 01:30 of New York's autumn the first is past."""
    first, second = 1_793_511_000_000, 1_793_514_600_000
    at = local("2026-11-01", "01:30:00", "America/New_York")
    assert create(request(at=at, now=first - 1)) == At("a", "p", first)
    for now in (first, second - 1):
        assert refused(create(request(at=at, now=now))) == [FUTURE]


def test_no_target_follows_from_a_clock_that_is_set_to_it() -> None:
    """at.future: equal is not after."""
    at = instants.render(NOW)
    assert create(request(at=at, now=NOW - 1)) == At("a", "p", NOW)
    assert refused(create(request(at=at, now=NOW))) == [FUTURE]


TEXTS: list[tuple[str, After | At | Every]] = [
    ('{"id":"a","prompt":"p","now":0,"after_seconds":3e2}', After("a", "p", 300, 300_000)),
    ('{"id":"b","id":"a","prompt":"p","now":1,"now":0,"every_seconds":300.0}', Every("a", "p", 300, 300_000)),
    (
        '{"id":"a","prompt":"\\ud83d\\ude00\\udead","now":0,"after_seconds":1}',
        After("a", "😀\udead", 1, 1_000),
    ),
]


@pytest.mark.parametrize(("text", "record"), TEXTS)
def test_a_creation_from_text(text: str, record: After | At | Every) -> None:
    assert create_text(text) == record


NO_REQUESTS: list[Json] = [
    "",
    "{",
    "[]",
    "null",
    '"{}"',
    '{"now":NaN}',
    '{"id":"a","prompt":"p","now":0,"after_seconds":1,}',
    "[" * 100_000,
    None,
    1,
    {"id": "a", "prompt": "p", "now": 0, "after_seconds": 1},
]


@pytest.mark.parametrize("text", NO_REQUESTS)
def test_a_text_of_no_request_may_be_refused_with_any_code(text: Json) -> None:
    created = create_text(text)
    assert isinstance(created, Refusals)
    assert sorted(rejection.code for rejection in created.rejections) == sorted(Code)
    assert {(rejection.clause, rejection.where) for rejection in created.rejections} == {
        ("tool.ill-typed", "json")
    }


def test_a_text_that_lacks_members_is_a_request() -> None:
    assert refused(create_text("{}")) == [SELECTOR, PROMPT_TYPE, ("invalid_rule", "tool.ill-typed"), CLOCK]


LEVEL = ("invalid_selector", "profile.v1-after")


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({}, [SELECTOR]),
        ({"after_seconds": 0}, [AFTER]),
        ({"at": "2030-01-01T00:00:00Z"}, [LEVEL, SELECTOR]),
        ({"every_seconds": 1}, [LEVEL, SELECTOR]),
        ({"after_seconds": 1, "at": "2020-01-01T00:00:00Z"}, [LEVEL]),
        ({"after_seconds": "1", "every_seconds": 1}, [LEVEL, AFTER]),
    ],
)
def test_the_earlier_level_knows_one_selector(
    members: dict[str, Json], expected: list[tuple[str, str]]
) -> None:
    """profile.v1-after: the others are unknown arguments there, whatever their values."""
    assert refused(create_v1_after(request(**members))) == expected


def test_the_earlier_level_creates_what_the_later_one_does() -> None:
    """profile.upward"""
    assert create_v1_after(request(after_seconds=1)) == After("a", "p", 1, NOW + 1_000)


HOSTILE: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["date", "time", "time_zone", "x"]), inner, max_size=4)
    ),
    max_leaves=4,
)
NEARLY: st.SearchStrategy[Json] = st.sampled_from(
    [
        "2030-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999-00:01",
        "2030-02-30T00:00:00Z",
        local("2027-03-14", "02:30:00", "America/New_York"),
        local("2027-03-14", "03:00:00", "America/New_York"),
        *(300, 1, 0, -1, MAX_SAFE, NOW, LATEST, EARLIEST, 2**53),
    ]
)
MEMBERS = ("id", "prompt", "now", "after_seconds", "at", "every_seconds")


@given(st.dictionaries(st.sampled_from(MEMBERS), HOSTILE | NEARLY))
def test_every_request_is_answered(members: dict[str, Json]) -> None:
    """tool.error-sound: with a record under exactly one selector, or with some refusal; never an error."""
    created = create(members)
    if isinstance(created, Refusals):
        assert created.rejections
        assert all(rejection.message.isprintable() for rejection in created.rejections)
    else:
        assert sum(name in members for name in creation.SELECTORS) == 1
        assert created.id == members["id"]


SPOKEN_OF = ("after", "at", "zone", "local", "every")
REFUSING = {
    clause.id
    for clause in CLAUSES
    if clause.area in SPOKEN_OF and any(f"`{code}`" in clause.sentence for code in Code)
}
"""The clauses of these areas that name a code: one must be able to run into them."""


def test_every_clause_that_names_a_code_refuses_something() -> None:
    values: list[Json] = [
        "2030-01-01T00:00:00",
        "2030-01-01T00:00:00-00:00",
        "2030-01-01",
        "2030-02-30T00:00:00Z",
        local("2030-01-01", "00:00:00", "GMT"),
        local("2030-01-01", "0", "UTC"),
    ]
    requests = [request(**members) for members, _ in REFUSED] + [request(at=value) for value in values]
    answers = map(create, requests)
    met = {
        (rejection.clause, str(rejection.code))
        for answer in answers
        if isinstance(answer, Refusals)
        for rejection in answer.rejections
    }
    assert len(REFUSING) == 15
    assert REFUSING - {clause for clause, _ in met} == {"local.overlap-first"}
    sentences = {clause.id: clause.sentence for clause in CLAUSES}
    for clause, code in met:
        if clause in REFUSING:
            assert f"`{code}`" in sentences[clause]


AT_FAULT: list[tuple[dict[str, Json], str]] = [
    ({"after_seconds": 60, "prompt": GONE}, "prompt"),
    ({"after_seconds": 60, "prompt": " "}, "prompt"),
    ({"after_seconds": 60, "id": 5}, "id"),
    ({"after_seconds": 60, "now": "0"}, "now"),
    ({"after_seconds": 0}, "after_seconds"),
    ({"after_seconds": MAX_SAFE}, "after_seconds"),
    ({"every_seconds": "300"}, "every_seconds"),
    ({"every_seconds": 299}, "every_seconds"),
    ({"every_seconds": LONGEST_INTERVAL}, "every_seconds"),
    ({"every_seconds": LONGEST_INTERVAL + 1, "now": -MAX_SAFE}, "every_seconds"),
    ({"at": 5}, "at"),
    ({"at": "2030-01-01T00:00:00"}, "at"),
    ({"at": "tomorrow"}, "at"),
    ({"at": "2030-02-30T00:00:00Z"}, "at"),
    ({"at": "2030-01-01T24:00:00Z"}, "at"),
    ({"at": "2030-01-01T00:00:00-00:00"}, "at"),
    ({"at": "0001-01-01T00:00:00+00:01", "now": EARLIEST - 100_000}, "at"),
    ({"at": "1970-01-01T00:00:00Z", "now": 0}, "at"),
    ({"at": {"date": "2030-01-01", "time": "00:00:00"}}, "at"),
    ({"at": local("2030-1-1", "00:00:00", "UTC")}, "at.date"),
    ({"at": local("2030-02-30", "00:00:00", "UTC")}, "at.date"),
    ({"at": local("2030-01-01", "0", "UTC")}, "at.time"),
    ({"at": local("2030-01-01", "24:00:00", "UTC")}, "at.time"),
    ({"at": local("2030-01-01", "00:00:00", "GMT")}, "at.time_zone"),
    ({"at": {"date": "2030-01-01", "time": "00:00:00", "time_zone": None}}, "at.time_zone"),
]


@pytest.mark.parametrize(("members", "where"), AT_FAULT)
def test_a_refusal_names_the_member_that_is_at_fault(members: dict[str, Json], where: str) -> None:
    created = create(request(**members))
    assert isinstance(created, Refusals)
    assert {rejection.where for rejection in created.rejections} == {where}
