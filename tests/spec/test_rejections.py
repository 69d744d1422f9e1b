"""Every clause under which the law can reject, produced once each, and the words in which it does."""

import ast
import inspect
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from tests.spec.strategies import json_values
from tests.spec.twins import MODULES

from schedule_spec import changes, fold, profiles, rate
from schedule_spec.fold import Refused
from schedule_spec.json_text import Json
from schedule_spec.profiles import Profile
from schedule_spec.rejections import Code, Rejection, corrupt, quoted, quoted_names

INSTANT = "2030-01-01T00:00:00.000Z"
EVERY: dict[str, Any] = {
    "id": "e",
    "kind": "every",
    "prompt": "p",
    "everySeconds": 300,
    "scheduledAt": INSTANT,
}
AT: dict[str, Any] = {"id": "a", "kind": "at", "prompt": "p", "scheduledAt": INSTANT}


def create(record: Json) -> dict[str, Json]:
    return {"version": 1, "operation": "create", "schedule": record}


def delete(id: Json) -> dict[str, Json]:
    return {"version": 1, "operation": "delete", "id": id}


def folded(*data: Json, seed_length: Json = 0) -> Any:
    state = fold.fold([{"type": "schedule/change", "data": change} for change in data], seed_length)
    return state.rejection if isinstance(state, Refused) else state


REFUSED: dict[str, Callable[[], Any]] = {
    "change.create": lambda: changes.decode({**create(AT), "extra": 1}),
    "change.delete": lambda: changes.decode({"version": 1, "operation": "delete"}),
    "change.dispatch-every": lambda: changes.decode(
        {"version": 1, "operation": "dispatch", "acceptedAt": INSTANT}
    ),
    "change.dispatch-one-shot": lambda: changes.decode({"version": 1, "operation": "dispatch"}),
    "change.json": lambda: changes.read_text("{"),
    "change.strict": lambda: changes.decode(None),
    "change.version": lambda: changes.decode({**delete("a"), "version": True}),
    "fold.event": lambda: fold.step(fold.EMPTY, "schedule/change"),
    "fold.inactive": lambda: folded(delete("a")),
    "fold.no-id-reuse": lambda: folded(create(AT), delete("a"), create(AT)),
    "fold.shape-match": lambda: folded(create(EVERY), {"version": 1, "operation": "dispatch", "id": "e"}),
    "fork.bounds": lambda: folded(seed_length=1),
    "fork.no-adoption": lambda: folded(create(AT), delete("a"), seed_length=1),
    "id.shape": lambda: changes.decode(delete("\ufeffa")),
    "instant.canonical": lambda: changes.decode(create({**AT, "scheduledAt": INSTANT + "\n"})),
    "number.safe-integer": lambda: changes.decode(create({**EVERY, "everySeconds": "300"})),
    "profile.v1-after": lambda: profiles.decoder(Profile.V1_AFTER)(create(AT)),
    "rate.accepted-range": lambda: rate.advance_record(EVERY, 253_402_300_800_000),
    "rate.not-early": lambda: rate.advance_record(EVERY, 0),
    "record.after": lambda: changes.decode(create({**AT, "kind": "after"})),
    "record.at": lambda: changes.decode(create({**EVERY, "kind": "at"})),
    "record.every": lambda: changes.decode(create({**EVERY, "everySeconds": 299})),
    "record.kinds": lambda: changes.decode(create({**AT, "kind": "cron"})),
    "text.prompt": lambda: changes.decode(create({**AT, "prompt": ""})),
}


@pytest.mark.parametrize("clause", REFUSED)
def test_each_is_produced(clause: str) -> None:
    rejection = REFUSED[clause]()
    assert isinstance(rejection, Rejection)
    assert (rejection.code, rejection.clause) == (Code.CORRUPT_SCHEDULE_LOG, clause)
    assert rejection.message.isprintable()
    assert rejection.message.endswith(".")


def test_the_list_is_complete() -> None:
    """Every clause id that the law's source writes into a refusal stands in `REFUSED`."""
    written: set[str] = set()
    for module in MODULES:
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if not isinstance(node, ast.Call):
                continue
            function = getattr(node.func, "attr", getattr(node.func, "id", ""))
            arguments = {
                "corrupt": node.args[:1],
                "exactly": node.args[2:3],
                "replace": [keyword.value for keyword in node.keywords if keyword.arg == "clause"],
            }.get(function, [])
            written |= {str(part.value) for part in arguments if isinstance(part, ast.Constant)}
    assert written == set(REFUSED)


def test_the_codes_are_the_closed_set() -> None:
    assert [code.value for code in Code] == [
        "invalid_prompt",
        "invalid_selector",
        "invalid_rule",
        "invalid_time_zone",
        "not_future",
        "time_out_of_range",
        "frequency_too_high",
        "corrupt_schedule_log",
        "persistence_uncertain",
        "internal_error",
    ]


def test_a_refusal_is_of_the_whole_where_no_place_is_named() -> None:
    rejection = Rejection(Code.INVALID_RULE, "at.offset-form", "…")
    assert rejection.where == ""
    assert rejection.within("at").where == "at"


def test_places_nest() -> None:
    rejection = corrupt("id.shape", "…", "id")
    assert rejection.within("schedule").within("data").where == "data.schedule.id"
    assert corrupt("change.strict", "…").within("data").where == "data"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1, "1"),
        (10**30 - 1, "9" * 30),
        (10**30, "an integer of 100 bits"),
        (-(10**30), "an integer of 100 bits"),
        (300.5, "300.5"),
        (float("inf"), "inf"),
        ("a\u00a0\n\ud800", '"a\\u00a0\\n\\ud800"'),
        ("\x1b[31m\u202e\U000e0001é", '"\\u001b[31m\\u202e\\u{e0001}é"'),
        ("\uffff\U000f0000", '"\\uffff\\u{f0000}"'),
        ([], "an array of length 0"),
        ({}, "an object without members"),
        ({"a": {}, "b\n": []}, 'an object with "a", "b\\n"'),
        ({str(n): n for n in range(9)}, 'an object with "0", "1", "2", "3", "4", "5" and 3 more'),
        ((), "a value that is no JSON (tuple)"),
    ],
)
def test_quotes(value: object, words: str) -> None:
    assert quoted(value) == words


def test_the_literals_are_those_of_json() -> None:
    assert [quoted(value) for value in (None, True, False)] == ["null", "true", "false"]


def test_sixty_characters_and_six_names_are_quoted_whole() -> None:
    assert quoted("x" * 60) == f'"{"x" * 60}"'
    assert quoted("x" * 61) == f'"{"x" * 60}"… (61 characters)'
    assert quoted_names(range(6)) == "0, 1, 2, 3, 4, 5"
    assert quoted_names(range(7)) == "0, 1, 2, 3, 4, 5 and 1 more"


def test_what_python_cannot_print_is_quoted() -> None:
    deep: list[Json] = []
    for _ in range(100_000):
        deep = [deep]
    assert quoted(deep) == "an array of length 1"
    assert quoted(10**5000) == "an integer of 16610 bits"
    assert quoted(-(10**29)) == "-1" + "0" * 29


@given(json_values)
def test_quotes_are_short_and_printable(value: Json) -> None:
    assert quoted(value).isprintable()
    assert len(quoted(value)) < 10 * 60 * 7
    assert quoted_names([value]) == quoted(value)


def test_the_limit_on_digits_is_in_force() -> None:
    """Else the test above of what Python cannot print would show nothing."""
    assert 0 < sys.get_int_max_str_digits() <= 5000
